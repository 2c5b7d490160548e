//! More games than there are: real ones, and made-up ones that begin as they do.
//!
//! A made-up game is a real one, drawn at random, up to the last position that it shares with
//! another real game, and from there on goes its own way: its moves are those that a move model
//! makes of random bytes, as any bytes are a code of `line.small`. So it looks like a game, and
//! positions are shared about as they are among real games (`docs/find.md`). It is about as long as
//! the game that it begins with, or ends earlier, with mate or stalemate. The players and what is known
//! of them are those of two other games, drawn at random; the rest of the tags stays.

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

/// The model mates more often than people, who resign: by so much of its own way, this part of it,
/// a game is meant to be longer than the one it begins with, so that both are as long on average.
const LONGER: usize = 6;

/// How many games are made before they are written.
const BATCH: usize = 1 << 14;

/// The longest line of movetext.
const COLUMNS: usize = 79;

/// What made-up games are made of.
pub struct Maker {
    corpus: Corpus,
    /// Games, and how many plies of each a made-up game takes over.
    trunks: Vec<(Line, usize)>,
    model: &'static dyn ErasedLineCodec,
    seed: u64,
}

impl Maker {
    /// Finds out how the real games part from each other.
    ///
    /// # Errors
    /// If no game can be altered, as a message.
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

    /// Appends the made-up game with this number to `out`.
    ///
    /// # Errors
    /// If the model fails, as a message.
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
        // More than three bits a ply are rarely needed; what is missing reads as zero.
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

/// Writes moves, numbered, in lines.
struct Movetext<'a> {
    out: &'a mut String,
    /// Where the last line begins.
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
            // Instead of the space.
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

/// Which games are written.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    /// How many, real ones included.
    pub games: usize,
    /// Without the real ones.
    pub made_up_only: bool,
}

/// Writes games: the real ones, or as many as are wanted, evenly spread over all; then made-up
/// ones, until there are enough. Returns how many of either were written.
///
/// # Errors
/// If something cannot be written, or no game can be altered, as a message.
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
            // The last game of an input may end without a blank line, where the next one begins.
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
/// Those of [`write`], with the file's name.
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
    println!("{}: {real} real games, {made_up} made up", out.display());
    Ok(())
}
