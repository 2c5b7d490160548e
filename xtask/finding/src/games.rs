//! Large numbers of games: real ones, and synthetic ones that begin like them.
//!
//! A synthetic game is a real one, drawn at random, up to the last position that it shares with
//! another real game, and diverges from there: its moves are decoded from random bytes by a move
//! model, as any bytes are a code of `line.small`. The games thus look real, and share positions
//! about as much as real games do (`docs/find.md`). A game is about as long as the real game from
//! which it starts, or ends earlier, in mate or stalemate. The players and their attributes come
//! from two other games, drawn at random; the other tags stay.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use plypack_core::{Cursor, ErasedLineCodec, Notation};
use plypack_records::{charset, pgn};
use rayon::prelude::*;

use crate::corpus::{Corpus, Line, shared};
use crate::random::Random;
use crate::shares::spread;

/// The shortest game that is altered, in plies.
const PLIES_MIN: usize = 10;

/// The model mates more often than people, who resign. To get the same average length, a game is
/// meant to be longer than the real one by this fraction of its own part.
const LONGER: usize = 6;

/// The number of games made before they are written.
const BATCH: usize = 1 << 14;

/// The longest line of movetext.
const COLUMNS: usize = 79;

/// The generator of synthetic games.
pub struct Maker {
    corpus: Corpus,
    /// Games, and the number of plies that a synthetic game takes from each.
    trunks: Vec<(Line, usize)>,
    model: &'static dyn ErasedLineCodec,
    seed: u64,
}

impl Maker {
    /// Determines where the real games diverge.
    ///
    /// # Errors
    /// Returns an error if no game can be altered, as a message.
    pub fn new(corpus: Corpus, seed: u64) -> Result<Self, String> {
        let model = plypack_games::line_codec("chess", "line.small").ok_or("no model")?;
        let lines = corpus.lines(|line, keys| (line, keys.clone()));
        let lines: Vec<_> =
            lines.into_iter().filter(|(line, _)| line.moves.len() >= PLIES_MIN).collect();
        if lines.is_empty() {
            return Err(format!(
                "none of {} games can be altered: give games of {PLIES_MIN} plies or more",
                corpus.len()
            ));
        }
        let (lines, keys): (Vec<Line>, Vec<Vec<u64>>) = lines.into_iter().unzip();
        let shared = shared(&keys);
        let kept = |keys: &Vec<u64>| {
            let last = keys.iter().rposition(|key| shared.binary_search(key).is_ok());
            // A copy of another game still gets a move of its own.
            last.unwrap_or(0).min(keys.len() - 2)
        };
        let kept: Vec<usize> = keys.par_iter().map(kept).collect();
        Ok(Self { corpus, trunks: lines.into_iter().zip(kept).collect(), model, seed })
    }

    /// Appends the synthetic game of this number to `out`.
    ///
    /// # Errors
    /// Returns an error if the model fails, as a message.
    pub fn game(&self, number: u64, out: &mut String) -> Result<(), String> {
        let mut random = Random::of(self.seed, number);
        let mut draw = || &self.trunks[random.below(self.trunks.len())];
        let ((line, kept), white, black) = (draw(), draw(), draw());
        let text = |line: &Line| charset::decode(self.corpus.bytes(line.record), "").1;
        let [trunk, white, black] = [text(line), text(&white.0), text(&black.0)];
        let tags = pgn::parse_tags(&trunk).0;
        let sides = [("White", white), ("Black", black)];
        for (name, value) in &tags {
            match sides.iter().find(|(side, _)| name.starts_with(side)) {
                Some((side, other)) if name == side => {
                    for (name, value) in pgn::parse_tags(other).0 {
                        if name.starts_with(side) {
                            write_tag(name, &value, out);
                        }
                    }
                }
                Some(_) => {}
                None => write_tag(name, value, out),
            }
        }
        let result = tags.iter().find(|(name, _)| *name == "Result");
        let result = result.map_or("*", |(_, value)| value.as_ref());
        out.push('\n');
        self.moves(line, *kept, &mut random, out).map_err(|error| error.to_string())?;
        let result = if ["1-0", "0-1", "1/2-1/2"].contains(&result) { result } else { "*" };
        _ = write!(out, "{result}\n\n");
        Ok(())
    }

    /// Appends the movetext without the result.
    fn moves(
        &self,
        line: &Line,
        kept: usize,
        random: &mut Random,
        out: &mut String,
    ) -> Result<(), plypack_core::Error> {
        let mut text = Movetext { out, begin: 0, word: String::new() };
        text.begin = text.out.len();
        let rest = line.moves.len() - kept;
        let rest = rest + rest / LONGER;
        // More than three bits a ply are rarely needed; missing bits read as zero.
        let code = random.bytes(rest + 16);
        let mut cursor = self.model.cursor(None, 0, &[])?;
        for &index in &line.moves[..kept] {
            cursor.play(index.into())?;
            text.push(&mut *cursor);
        }
        let plies = u32::try_from(rest).unwrap_or(u32::MAX);
        let mut cursor = cursor.branch(u32::MAX, plies, &code)?;
        // Mate and stalemate end the game early.
        while cursor.candidates() > 0 && cursor.next()?.is_some() {
            text.push(&mut *cursor);
        }
        Ok(())
    }
}

/// Writes numbered moves, in lines.
struct Movetext<'a> {
    out: &'a mut String,
    /// The beginning of the last line.
    begin: usize,
    word: String,
}

impl Movetext<'_> {
    /// Writes the last move of a cursor.
    fn push(&mut self, cursor: &mut dyn Cursor<'_>) {
        self.word.clear();
        let ply = cursor.ply();
        if ply % 2 == 1 {
            _ = write!(self.word, "{}. ", ply.div_ceil(2));
        }
        cursor.write_move(Notation::Customary, &mut self.word);
        if self.out.len() - self.begin + self.word.len() >= COLUMNS {
            // Replaces the space.
            self.out.pop();
            self.out.push('\n');
            self.begin = self.out.len();
        }
        self.out.push_str(&self.word);
        self.out.push(' ');
    }
}

fn write_tag(name: &str, value: &str, out: &mut String) {
    _ = writeln!(out, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""));
}

/// The games to write.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// The number of games, real ones included.
    pub games: usize,
    /// Whether to omit the real ones.
    pub made_up_only: bool,
}

/// Writes games: the real ones, or as many as wanted, evenly spread over all; then synthetic ones,
/// until there are enough. Returns the numbers of real and synthetic games.
///
/// # Errors
/// Returns an error if something cannot be written, or no game can be altered, as a message.
pub fn write(
    corpus: Corpus,
    seed: u64,
    wanted: Wanted,
    out: &mut impl Write,
) -> Result<[usize; 2], String> {
    let real = wanted.games.min(corpus.len());
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(|error| error.to_string());
    if !wanted.made_up_only {
        for record in spread(corpus.len(), real) {
            let bytes = corpus.bytes(record);
            put(bytes)?;
            // The last game of an input may lack the blank line that must precede the next one.
            let end = bytes.trim_ascii_end().len();
            match bytes[end..].iter().filter(|byte| **byte == b'\n').count() {
                0 => put(b"\n\n")?,
                1 => put(b"\n")?,
                _ => {}
            }
        }
    }
    let made_up = wanted.games - real;
    if made_up > 0 {
        let maker = Maker::new(corpus, seed)?;
        for start in (0..made_up).step_by(BATCH) {
            let numbers = start..made_up.min(start + BATCH);
            let texts: Result<Vec<String>, String> = numbers
                .into_par_iter()
                .map(|number| {
                    let mut text = String::with_capacity(1024);
                    maker.game(number as u64, &mut text).map(|()| text)
                })
                .collect();
            for text in texts? {
                put(text.as_bytes())?;
            }
        }
    }
    Ok([if wanted.made_up_only { 0 } else { real }, made_up])
}

/// Writes games to a file.
///
/// # Errors
/// Returns the errors of [`write()`], with the file's name.
pub fn run(
    inputs: &[impl AsRef<Path>],
    seed: u64,
    wanted: Wanted,
    out: &Path,
) -> Result<(), String> {
    let corpus = Corpus::read(inputs)?;
    let named = |error: String| format!("{}: {error}", out.display());
    let file = File::create(out).map_err(|error| named(error.to_string()))?;
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let [real, made_up] = write(corpus, seed, wanted, &mut file).map_err(named)?;
    file.flush().map_err(|error| named(error.to_string()))?;
    println!("{}: {real} real games, {made_up} synthetic", out.display());
    Ok(())
}

#[cfg(test)]
mod tests {

    use plypack::store::{Destination, Options, Source, Work, import_to};

    use super::*;
    use crate::corpus::tests::REAL;

    fn games(seed: u64, wanted: Wanted, threads: usize) -> (Vec<u8>, [usize; 2]) {
        let mut corpus = Corpus::default();
        corpus.add(REAL.as_bytes());
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let mut out = Vec::new();
        let counts = pool.install(|| write(corpus, seed, wanted, &mut out)).expect("games");
        (out, counts)
    }

    fn all(games: usize) -> Wanted {
        Wanted { games, made_up_only: false }
    }

    #[test]
    fn the_same_seed_makes_the_same_games_on_any_number_of_threads() {
        let (games_of_1, counts) = games(7, all(300), 1);
        assert_eq!(counts, [3, 297]);
        assert!(games_of_1.starts_with(&REAL.as_bytes()[..REAL.len() - 1]));
        for threads in [2, 5] {
            assert!(games(7, all(300), threads).0 == games_of_1, "{threads} threads");
        }
        assert!(games(8, all(300), 1).0 != games_of_1);
        // Fewer of them are the first of them, and the real ones may be left out.
        assert!(games_of_1.starts_with(&games(7, all(100), 2).0));
        let (made_up, counts) = games(7, Wanted { games: 300, made_up_only: true }, 2);
        assert_eq!(counts, [0, 297]);
        assert!(games_of_1.ends_with(&made_up));
    }

    #[test]
    fn every_made_up_game_is_legal_and_packs_without_a_remark() {
        let (text, _) = games(1, all(200), 2);
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("it is there");
        let options = Options { codec, positions: None, detect: true };
        let source = Source::new("made up", Box::new(std::io::Cursor::new(text)));
        let mut packed = Vec::new();
        let name = Path::new("packed");
        let report = import_to(
            vec![source],
            &mut Destination::new(&mut packed, name),
            &options,
            &Work::on(1),
        );
        let report = report.expect("it packs");
        assert_eq!((report.records, report.faulty, report.verbatim_records()), (200, 0, 0));
        assert!(report.plies > 200 * 20);
    }

    #[test]
    fn a_made_up_game_takes_over_what_games_share_and_no_more() {
        let mut corpus = Corpus::default();
        corpus.add(REAL.as_bytes());
        let maker = Maker::new(corpus, 1).expect("games");
        // The first two games diverge after 1. e4 e5 2. Nf3 Nc6, reached in two ways; the third one
        // shares only the start.
        let kept: Vec<usize> = maker.trunks.iter().map(|trunk| trunk.1).collect();
        assert_eq!(kept, [4, 4, 0]);
        let mut openings = std::collections::BTreeSet::new();
        for number in 0..200 {
            let mut text = String::new();
            maker.game(number, &mut text).expect("a game");
            let movetext = text.split_once("\n\n").expect("tags and moves").1;
            let words: Vec<&str> = movetext.split_ascii_whitespace().take(6).collect();
            openings.insert(words.join(" "));
            // The ratings belong to the players.
            assert_eq!(text.contains("[White \"Ann\"]"), text.contains("[WhiteElo \"2501\"]"));
        }
        for known in ["1. e4 e5 2. Nf3 Nc6", "1. Nf3 Nc6 2. e4 e5"] {
            assert!(openings.contains(known), "{known}");
        }
        assert!(openings.len() > 20);
    }

    #[test]
    fn fewer_games_than_there_are_are_spread_over_all() {
        let (two, counts) = games(1, all(2), 1);
        assert_eq!(counts, [2, 0]);
        let two = String::from_utf8(two).expect("ASCII");
        assert!(two.contains("Ann") && !two.contains("\"Eve\"") && two.ends_with("\n\n"));
    }

    #[test]
    fn without_real_games_nothing_is_made_up() {
        let refused = write(Corpus::default(), 1, all(1), &mut Vec::new());
        assert!(refused.is_err_and(|why| why.contains("none of 0 games")));
    }
}
