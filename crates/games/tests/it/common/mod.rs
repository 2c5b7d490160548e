//! Code shared by the tests on real games: where the games are, and the checks on each.

#![allow(
    dead_code,
    unused_imports,
    clippy::expect_used,
    reason = "not every test uses all of this; clippy spares only functions marked #[test]"
)]

use plypack_core::Notation;
use plypack_games::{game, line_codecs};
pub use plypack_testing::corpus_file as corpus;

/// A line of a file: where it starts, and its moves without spaces between them.
#[derive(Clone, Copy)]
pub struct Line<'a> {
    pub start: Option<&'a str>,
    pub transcript: &'a str,
}

impl<'a> Line<'a> {
    /// Returns the moves: each begins with a letter.
    pub fn moves(self) -> impl Iterator<Item = &'a str> {
        let ends = |at: &usize| {
            let next = self.transcript.as_bytes().get(*at);
            next.is_none_or(u8::is_ascii_alphabetic)
        };
        let mut start = 0;
        (1..=self.transcript.len()).filter(ends).map(move |end| {
            let text = &self.transcript[start..end];
            start = end;
            text
        })
    }
}

/// Plays every line, whose moves must all be candidates. Returns the number of games and of plies.
pub fn replay<'a>(name: &str, lines: impl Iterator<Item = Line<'a>>) -> (usize, usize) {
    let game = game(name).expect("the game is registered");
    let (mut games, mut plies) = (0, 0);
    for line in lines {
        let (indices, stopped) = game.read_moves(line.start, &mut line.moves()).expect("a start");
        assert_eq!(stopped, None, "{name}: {}", line.transcript);
        games += 1;
        plies += indices.len();
    }
    (games, plies)
}

/// Codes every line with every codec of the game and decodes it again; prints bits a ply, counting
/// only the bytes of the codes.
pub fn code<'a>(name: &str, lines: impl Iterator<Item = Line<'a>> + Clone) {
    for codec in line_codecs(name) {
        let (mut bytes, mut plies) = (0, 0u64);
        for line in lines.clone() {
            let encoded = codec
                .encode(line.start, &mut line.moves(), Notation::Customary)
                .expect("a start that was read before");
            assert_eq!(encoded.stopped, None, "{}", line.transcript);
            let back = codec
                .decode(line.start, encoded.plies, &encoded.code, Notation::Customary)
                .expect("its own code");
            let back: String = back.iter().collect();
            assert_eq!(back, line.transcript, "{name} {}", codec.info().name);
            bytes += encoded.code.len();
            plies += u64::from(encoded.plies);
        }
        let bits = 8.0 * bytes as f64 / plies as f64;
        println!("{name} {}: {plies} plies, {bits:.4} bits a ply", codec.info().name);
    }
}
