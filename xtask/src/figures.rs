//! `cargo xtask figures`: measures what depends on the trained tables, on games and positions that
//! nothing was trained on, and writes `docs/figures.md`: the sizes of packed files beside those of
//! compressors, and the bits and the rates of the codecs of moves.
//!
//! It needs the corpus in `$PLYPACK_CORPUS`, and `zstd`, `xz`, `bzip2`, `gzip` and `unzip`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::toolchain::{output, succeed};

/// The document.
const DOCUMENT: &str = "docs/figures.md";

/// The folder of what is expanded and packed.
const FOLDER: &str = "target/figures";

/// The tiers of files of games; `max` would take hours.
const TIERS: [&str; 3] = ["fast", "small", "default"];

/// The compressors; `--long` lets zstd look back as far as xz does.
const COMPRESSORS: [(&str, &[&str]); 3] =
    [("zstd", &["-19", "--long=27", "-q", "-c"]), ("xz", &["-9e", "-c"]), ("bzip2", &["-9", "-c"])];

/// A file below the corpus.
struct File {
    path: &'static str,
    /// The public source: a repository, and the commit.
    source: &'static str,
}

const fn file(path: &'static str, source: &'static str) -> File {
    File { path, source }
}

// Sources of several files.
const COLLECTIONS: &str =
    "chesslablab/chess-data@9003566621, notnil/chess@1cbb4564a2, niklasf/shakmaty@2e7bd0e534";
const SEED: &str = "lichess-org/lila-db-seed@1bfa616af0";
const EXPORTS: &str = "pnmadelaine/chess@adbd90ba9f";
const TCEC: &str = "TCEC-Chess/tcecgames@3dd69a40b3";
const BOOKS: &str = "official-stockfish/books@33185e117f";
const ANNOTATED: &str = "mcostalba/chess_db@d752741c6b";
const WTHOR: &str = "borassi/othello-sensei@07818a00a3";

/// Files of games.
const GAMES: [File; 31] = [
    file("chess/dev/otb/otb_2013_2017.pgn.zst", COLLECTIONS),
    file("chess/dev/online/lichess_seed_2020_clk_eval.pgn.zst", SEED),
    file("chess/dev/online/lichess_user_pnmadelaine_2024_clk.pgn.zst", EXPORTS),
    file("chess/dev/online/chesscom_user_pnmadelaine_2024_clk.pgn.zst", EXPORTS),
    file("chess/dev/online/lichess_db_2017-05_wip_clk.pgn", "lichess-org/database@06a3d61"),
    file(
        "chess/dev/online/chesscom_carlsen_chess960.pgn",
        "Allan-Cao/Magnus-Carlsen-Chess-Games@709dea42",
    ),
    file("chess/dev/online/fics_chesslablab.pgn.zst", "chesslablab/chess-data@9003566621"),
    file("chess/dev/engine/tcec_std_2021_2023_full_comments.pgn.zst", TCEC),
    file("chess/dev/engine/tcec_frc_2023_full_comments.pgn.zst", TCEC),
    file("chess/dev/openings/8moves_v3.pgn.zst", BOOKS),
    file("chess/dev/openings/bjbraams_chessdb_198350_lines.pgn.zst", BOOKS),
    file("chess/dev/annotated/chess_db/GM_games.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/bali02.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/chessdoctor.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/d00_chess_informant.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/europe_echecs.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/famous_games.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/hartwig.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/kramnik.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/moscow64.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/polgar.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/pon_korch.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/romero.pgn", ANNOTATED),
    file("chess/dev/annotated/chess_db/scarborough_2001.pgn", ANNOTATED),
    file("xiangqi/ccpd_dev_big5.pgn.xz", "Yvonne761/Chinese-Chess-Practical-Dataset@368a47a947"),
    file("othello/wthor/WTH_2015.wtb", WTHOR),
    file("othello/wthor/WTH_2016.wtb", WTHOR),
    file("othello/wthor/WTH_2017.wtb", WTHOR),
    file("go/dev/KGS-2015-19-8133-.tar.gz", "godmoves/Standard_Computer_Go_Dataset@28d56a062c"),
    file("go/dev/2015-06.zip", "yenw/computer-go-dataset@d40334f8fe"),
    file("go/dev/fuego_regression_sgf.tar.xz", "svn2github/fuego@0bf51c65aa"),
];

/// Files of positions.
const POSITIONS: [File; 5] = [
    file("chess/dev/positions/closedpos.epd.zst", BOOKS),
    file("chess/dev/positions/endgames_part1.epd.zst", BOOKS),
    file(
        "chess/dev/positions/sf_binpack_selfplay_part2.fen.zst",
        "official-stockfish/nnue-pytorch@9f72946529",
    ),
    file("chess/dev/positions/dfrc_4852_v1_sample50k.epd.zst", BOOKS),
    file("chess/dev/positions/8mvs_hybrid.epd.zst", BOOKS),
];

/// Games whose moves are coded by every codec: game, file, and how many games of it.
const LINES: [(&str, &str, u32); 5] = [
    ("chess", "chess/dev/otb/otb_2013_2017.pgn.zst", 1000),
    ("chess", "chess/dev/online/lichess_seed_2020_clk_eval.pgn.zst", 960),
    ("xiangqi", "xiangqi/ccpd_dev_big5.pgn.xz", 811),
    ("othello", "othello/wthor/WTH_2015.wtb", 1926),
    ("go", "go/dev/KGS-2015-19-8133-.tar.gz", 50),
];

/// Measures and writes the document.
///
/// # Errors
/// Returns an error if `args` are invalid, there is no corpus, or a program fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    if !args.is_empty() {
        return Err(crate::USAGE.into());
    }
    let corpus = std::env::var_os("PLYPACK_CORPUS").map(PathBuf::from);
    let corpus = corpus.ok_or("name the folder of games and positions in $PLYPACK_CORPUS")?;
    let mut cargo = Command::new("cargo");
    succeed(cargo.args(["build", "--release", "--package", "plypack-cli"]).current_dir(root))?;
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|error| format!("{FOLDER}: {error}"))?;
    let bench = Bench { program: root.join("target/release/plypack"), corpus, folder };
    let text = bench.document().map_err(|error| format!("{FOLDER}: {error}"))?;
    std::fs::write(root.join(DOCUMENT), text).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    Ok(ExitCode::SUCCESS)
}

/// The program, and the folders in which it works.
struct Bench {
    program: PathBuf,
    corpus: PathBuf,
    folder: PathBuf,
}

impl Bench {
    fn document(&self) -> Result<String, String> {
        let mut text = BEFORE.to_owned();
        text += "## Files of games\n\n";
        text += "| file | records | bytes | `fast` | `small` | `default` | zstd -19 | xz -9e | \
                 bzip2 -9 | of the best | moves |\n|---|---|---|---|---|---|---|---|---|---|---|\n";
        let mut sources = String::new();
        for file in &GAMES {
            text += &self.packed(file, &TIERS, &mut sources)?;
        }
        text += "\n## Files of positions\n\n";
        text += "| file | records | bytes | packed | zstd -19 | xz -9e | bzip2 -9 | of the best \
                 | a position |\n|---|---|---|---|---|---|---|---|---|\n";
        for file in &POSITIONS {
            text += &self.packed(file, &["default"], &mut sources)?;
        }
        text += BETWEEN;
        for (game, path, games) in LINES {
            text += &self.lines(game, path, games)?;
        }
        text += "\n## The files\n\n| file below `$PLYPACK_CORPUS` | source | SHA-256, expanded |\n\
                 |---|---|---|\n";
        Ok(text + &sources)
    }

    /// Returns the content of a file, or of all files of an archive, and the file that is packed.
    fn expanded(&self, path: &str) -> Result<(Vec<u8>, PathBuf), String> {
        let stored = self.corpus.join(path);
        let (stem, ending) = path.rsplit_once('.').unwrap_or((path, ""));
        let by = match ending {
            "zst" => ["zstd", "-dc"],
            "xz" => ["xz", "-dc"],
            "gz" => ["gzip", "-dc"],
            // The archive itself is packed; compressors get what is in it.
            "zip" => return Ok((output(Command::new("unzip").arg("-p").arg(&stored))?, stored)),
            _ => {
                let bytes = std::fs::read(&stored);
                return Ok((bytes.map_err(|why| format!("{}: {why}", stored.display()))?, stored));
            }
        };
        let bytes = output(Command::new(by[0]).arg(by[1]).arg(&stored))?;
        let place = self.folder.join(stem.rsplit('/').next().unwrap_or(stem));
        std::fs::write(&place, &bytes).map_err(|why| format!("{}: {why}", place.display()))?;
        Ok((bytes, place))
    }

    fn plypack(&self, arguments: &[&str], file: &Path) -> Result<Vec<u8>, String> {
        output(Command::new(&self.program).args(arguments).arg(file).current_dir(&self.folder))
    }

    /// Returns a row of a table of files, and adds one to that of sources.
    fn packed(&self, file: &File, tiers: &[&str], sources: &mut String) -> Result<String, String> {
        let (bytes, place) = self.expanded(file.path)?;
        println!("{}", file.path);
        let sum: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = writeln!(sources, "| `{}` | {} | `{sum}` |", file.path, file.source);
        let packed = self.folder.join("packed.parquet");
        let mut sizes = String::new();
        for tier in tiers {
            let options = ["pack", "-q", "-f", "-o", "packed.parquet", "--model", tier];
            self.plypack(&options, &place)?;
            let size = std::fs::metadata(&packed).map_err(|why| why.to_string())?.len();
            let _ = write!(sizes, " {} |", grouped(size));
        }
        self.plypack(&["verify", "-q"], &packed)?;
        let listed = self.plypack(&["ls", "--json"], &packed)?;
        let listed: Value = serde_json::from_slice(&listed).map_err(|why| why.to_string())?;
        let mut best = u64::MAX;
        for (program, options) in COMPRESSORS {
            let mut command = Command::new(program);
            // The file that is packed may be an archive.
            let input = self.folder.join("input");
            std::fs::write(&input, &bytes).map_err(|why| why.to_string())?;
            let size = output(command.args(options).arg(input))?.len() as u64;
            best = best.min(size);
            let _ = write!(sizes, " {} |", grouped(size));
        }
        let size = std::fs::metadata(&packed).map_err(|why| why.to_string())?.len();
        let key = if tiers.len() > 1 { "bits_per_ply" } else { "bits_per_position" };
        let name = file.path.rsplit('/').next().unwrap_or(file.path);
        let name = name.trim_end_matches(".zst").trim_end_matches(".xz").trim_end_matches(".gz");
        Ok(format!(
            "| {name} | {} | {} |{sizes} {:.2} | {:.2} |\n",
            grouped(listed["records"].as_u64().unwrap_or_default()),
            grouped(bytes.len() as u64),
            size as f64 / best as f64,
            listed[key].as_f64().unwrap_or(f64::NAN),
        ))
    }

    /// Returns the rows of the codecs of a file's moves.
    fn lines(&self, game: &str, path: &str, games: u32) -> Result<String, String> {
        println!("{path}: moves");
        // Packed first: an archive cannot be measured.
        let options = ["pack", "-q", "-f", "-o", "lines.parquet", "--model", "fast"];
        self.plypack(&options, &self.expanded(path)?.1)?;
        let games = games.to_string();
        let options = ["bench", "-q", "--json", "--game", game, "--games", &games];
        let printed = String::from_utf8(self.plypack(&options, Path::new("lines.parquet"))?);
        let printed = printed.map_err(|why| why.to_string())?;
        let mut text = String::new();
        for line in printed.lines() {
            let row: Value = serde_json::from_str(line).map_err(|why| why.to_string())?;
            let rate = |key: &str| grouped(format!("{:.0}", row[key].as_f64().unwrap_or(f64::NAN)));
            let name = path.rsplit('/').next().unwrap_or(path);
            let _ = writeln!(
                text,
                "| {name}, {} plies | {} | {:.3} | {} | {} |",
                grouped(row["plies"].as_u64().unwrap_or_default()),
                row["codec"].as_str().unwrap_or_default(),
                row["bits_per_ply"].as_f64().unwrap_or(f64::NAN),
                rate("encode_per_second"),
                rate("decode_per_second"),
            );
        }
        Ok(text)
    }
}

/// Returns a whole number with commas between groups of three digits.
fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// What the document says before its tables of files.
const BEFORE: &str = "\
# Sizes, bits and rates

Nothing here is written by hand. `cargo xtask figures` measures all of it, in less than half
an hour, and writes this page. No table of plypack was trained on these games and positions; the
corpus is found through `$PLYPACK_CORPUS`.

Each file is packed with every tier of its game, and what `default` packed is decoded and compared
with the checksum of each record. *Of the best* is the size by `default`, where the smallest of the
three compressors is 1; zstd has `--long=27`. *Moves* and *a position* are stored bits, by
`default`. Archives are packed as they are, with the path of each file; compressors get `.tar` as it
is, and the contents of `.zip` in one piece.

";

/// What it says before its table of codecs.
const BETWEEN: &str = "
## Moves

Bits a ply of cells, each rounded up to whole bytes, and plies coded a second of processor time on
one core, by `plypack bench`: all codecs in turn, the best of three rounds. Compressors get the
moves of all games in one piece.

| file | codec | bits a ply | encoded a second | decoded a second |
|---|---|---|---|---|
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped() {
        let numbers = [0, 999, 1000, 12345, 1234567].map(grouped);
        assert_eq!(numbers, ["0", "999", "1,000", "12,345", "1,234,567"]);
    }

    #[test]
    fn the_document_is_of_these_files() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = std::fs::read_to_string(root.join(DOCUMENT)).expect("a document");
        assert!(text.starts_with(BEFORE) && text.contains(BETWEEN));
        for file in GAMES.iter().chain(&POSITIONS) {
            assert!(text.contains(&format!("| `{}` | {} |", file.path, file.source)));
        }
    }
}
