//! A game's rules, as formats see them.

use plypack_core::ErasedRules;
use plypack_records::Rules;

/// A game, as formats see it.
pub(crate) struct OfGame<'g>(pub &'g dyn ErasedRules);

impl Rules for OfGame<'_> {
    fn name(&self) -> &str {
        self.0.info().name
    }

    fn has_format(&self, name: &str) -> bool {
        self.0.info().formats.contains(&name)
    }

    fn signs(&self) -> &str {
        self.0.info().signs
    }

    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String> {
        self.0.start_told(head, moves)
    }

    fn position(&self, text: &str) -> Option<String> {
        self.0.position_after(Some(text), &[]).ok()
    }

    fn plays(&self, start: Option<&str>, moves: &[&str]) -> bool {
        let read = self.0.read_moves(start, &mut moves.iter().copied());
        read.is_ok_and(|(_, stopped)| stopped.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_answers() {
        let game = |name| OfGame(plypack_games::game(name).expect("a game"));
        let (chess, othello, gomoku) = (game("chess"), game("othello"), game("gomoku"));
        assert!(othello.has_format("wthor") && gomoku.has_format("psq"));
        assert!(!chess.has_format("psq") && !chess.has_format("pgn"));
        assert!(chess.plays(None, &["e4", "e5"]) && !chess.plays(None, &["e4", "e4"]));
        assert!(chess.plays(None, &[]) && !chess.plays(Some("no position"), &[]));
        let full = chess.position("4k3/8/8/8/8/8/8/4K3 w");
        assert_eq!(full.as_deref(), Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
        assert!(chess.position("e4").is_none());
        assert!(gomoku.start_told(&["20x20"], &[]).is_some());
        assert!(gomoku.start_told(&[], &[]).is_none());
        assert!(!game("xiangqi").signs().is_empty() && chess.signs().is_empty());
    }
}
