//! Board games in close to the fewest bits, exactly.
//!
//! This crate is the stable face of the workspace; the crates behind it may change freely.
//!
//! # One game as a cell
//!
//! A cell stands alone: it needs no neighbours and no tags, so it fits a database column.
//!
//! ```
//! let codec = plypack::line_codec("chess", "line.ranked").expect("a codec of this name");
//! let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5"];
//! let line = codec.encode(None, &mut moves.into_iter(), plypack::Notation::Customary)?;
//! let cell = plypack::cell::join(line.plies, &line.code);
//! assert!(cell.len() <= 4);
//!
//! let (plies, code) = plypack::cell::split(&cell)?;
//! let back = codec.decode(None, plies, code, plypack::Notation::Customary)?;
//! assert!(back.iter().eq(moves));
//! # Ok::<(), plypack::Error>(())
//! ```
//!
//! # One game step by step
//!
//! A [`Cursor`] decodes a move when it is asked for the next, and knows positions by their keys:
//! here it looks for a threefold repetition.
//!
//! ```
//! let codec = plypack::line_codec("chess", "line.uniform").expect("a codec of this name");
//! let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4".split(' ');
//! let line = codec.encode(None, &mut moves.into_iter(), plypack::Notation::Customary)?;
//!
//! let mut cursor = codec.cursor(None, line.plies, &line.code)?;
//! while cursor.next()?.is_some() && cursor.occurrences() < 3 {}
//! let mut fen = String::new();
//! cursor.write_position(&mut fen);
//! assert_eq!((cursor.ply(), &fen[..8]), (8, "rnbqkbnr"));
//! # Ok::<(), plypack::Error>(())
//! ```
//!
//! # One game as a link
//!
//! ```
//! use plypack::link::Link;
//!
//! let game = plypack::game("chess").expect("a game of this name");
//! let link = Link::new(game, None, &mut ["e4", "e5", "Nf3"].into_iter())?;
//! let text = link.write(link.shortest_codec()?)?;
//! assert!(text.len() <= 8);
//!
//! let back = Link::read(&format!("https://example.org/play#{text}"))?;
//! assert!(back.moves(plypack::Notation::Customary)?.iter().eq(["e4", "e5", "Nf3"]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # A file of games
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//!
//! let folder = tempfile::tempdir()?;
//! let packed = folder.path().join("games.parquet");
//! let pgn = b"[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n";
//! let source = plypack::file::Source::new("games.pgn", Box::new(&pgn[..]));
//! let codec = plypack::line_codec("chess", "line.ranked").expect("a codec of this name");
//! let options = plypack::file::Options { codec, positions: None, detect: false, threads: 1 };
//! let go_on = AtomicBool::new(false);
//! plypack::file::import(vec![source], &packed, &options, &go_on, &mut |_| {})?;
//!
//! let file = plypack::file::PackedFile::open(&packed)?;
//! let mut back = Vec::new();
//! plypack::file::export(
//!     &file,
//!     1,
//!     &go_on,
//!     &mut |_, bytes| Ok(back.extend_from_slice(bytes)),
//!     &mut |_| {},
//! )?;
//! assert_eq!(back, pgn);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use plypack_core::{
    Claim, CodecInfo, Cursor, EncodedLine, ErasedGame as Game, ErasedLineCodec as LineCodec, Error,
    GameInfo, LinkError, MoveFault, Notation, Texts, Turn, cell, limits,
};
pub use plypack_games::{GAMES, all_line_codecs, game, line_codec, line_codecs, link};

/// Packed files: records in, Parquet out, and the same bytes back.
pub mod file {
    pub use plypack_store::{
        Error, Fault, Notice, Options, PackedFile, Report, Source, Summary, export, import, verify,
    };
}
