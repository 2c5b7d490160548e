//! The arguments that `find` and `tree` share: files, position and conditions.

use std::path::PathBuf;

use indicatif::ProgressBar;
use plypack::reading::record::parse;
use plypack::store::condition::Condition;
use plypack::store::find::{Asked, Question, Target, game_of, packed_files};
use plypack::store::index::Indices;
use plypack::store::{Done, PackedFile, Work};
use plypack_core::ErasedRules;
use plypack_games::{GAMES, game};
use plypack_records::{FALLBACK_READER, ItemKind};

use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// Arguments of both verbs.
#[derive(Debug, clap::Args)]
pub struct Asks {
    /// The packed files, or folders of them; several are searched as one
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The position in the game's notation: a FEN for chess (counters may be left out) or xiangqi,
    /// the rows for other games
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    fen: Option<String>,
    /// The moves to the position, quoted as one argument: "1. e4 c5"; in any notation, from the
    /// usual start or from --fen
    #[arg(long, allow_hyphen_values = true)]
    moves: Option<String>,
    /// The game of the position or pattern [default: that of the first record]
    #[arg(long, value_parser = crate::verbs::codecs::game_name)]
    game: Option<String>,
    /// A condition on the games, as in SQL: "WhiteElo > 2400 and Result = '1-0'"; names are tags,
    /// in any case, and `player` is either player
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Only games of this player, with either colour: part of the name, or the name however it is
    /// spelled: "Magnus Carlsen" also finds "Carlsen,M"
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Also find positions in variations
    #[arg(long)]
    pub variations: bool,
    /// Ignore the index and search all games
    #[arg(long)]
    no_index: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress and no notes
    #[arg(short, long)]
    pub quiet: bool,
}

impl Asks {
    /// Whether a position is asked for.
    pub fn has_position(&self) -> bool {
        self.fen.is_some() || self.moves.is_some()
    }

    /// Whether there is a condition.
    pub fn has_condition(&self) -> bool {
        self.condition.is_some() || self.player.is_some()
    }

    /// Returns the condition, if any. Fails if it names anything that these files lack.
    pub fn condition(&self, asked: &[Asked]) -> Result<Option<Condition>, Failure> {
        self.condition_on("player", asked)
    }

    /// Returns the condition, if any, where the player is named by this tag.
    pub fn condition_on(&self, side: &str, asked: &[Asked]) -> Result<Option<Condition>, Failure> {
        let (condition, player) = (self.condition.as_deref(), self.player.as_deref());
        let condition = Condition::of_side(condition, side, player);
        let Some(condition) = condition.map_err(Failure::new)? else { return Ok(None) };
        let files: Vec<&PackedFile> = asked.iter().map(|asked| &asked.file).collect();
        condition.check(&files)?;
        Ok(Some(condition))
    }

    /// Opens the files; those of a folder in the order of their names.
    pub fn open(&self) -> Result<Vec<Asked>, Failure> {
        let mut asked = Vec::new();
        for path in &self.files {
            if path.is_dir() {
                for path in packed_files(path)? {
                    asked.push(self.ask(files::open_packed(&path)?));
                }
                continue;
            }
            let file = files::open_packed(path).map_err(|failure| match &self.moves {
                Some(moves) if !path.exists() => failure.with_hint(&format!(
                    "put all moves in quotes, as one argument: --moves \"{moves} {} ..\"",
                    path.display()
                )),
                _ => failure,
            })?;
            asked.push(self.ask(file));
        }
        Ok(asked)
    }

    /// Returns the position asked for, in the named game or that of the first record.
    pub fn target(&self, asked: &[Asked]) -> Result<Target, Failure> {
        let (start, moves) = (self.fen.as_deref(), self.moves.as_deref().unwrap_or_default());
        let game = self.game(asked)?;
        let target = Target::read(game, start, moves).map_err(|error| {
            let failure = Failure::new(error);
            let reads = |other: &&&dyn ErasedRules| other.turn(start).is_ok();
            match start.and_then(|_| GAMES.iter().find(reads)) {
                Some(other) if game.turn(start).is_err() => failure.with_hint(&format!(
                    "it is a position of {}, not of {}; choose the game with --game",
                    other.info().name,
                    game.info().name,
                )),
                _ => failure,
            }
        })?;
        if let Some(what) = start.and_then(|start| game.lacks(start)) {
            return Err(Failure::new(format!("--fen is incomplete: add {what}")).with_hint(
                "--pattern '{\"sub-fen\": \"ROWS\"}' finds the pieces with either side to move",
            ));
        }
        let record = parse(game, moves, FALLBACK_READER);
        let result = record.items.iter().find(|item| item.kind == ItemKind::Result);
        if let Some(result) =
            result.map(|item| item.text).filter(|&text| text != "*" && !self.quiet)
        {
            progress::say(format_args!(
                "--moves only gives a position; --where \"Result = '{result}'\" finds \
                 games with that result"
            ));
        }
        Ok(target)
    }

    /// Returns the named game, or that of the first record.
    pub fn game(&self, asked: &[Asked]) -> Result<&'static dyn ErasedRules, Failure> {
        if let Some(name) = &self.game {
            return Ok(crate::verbs::codecs::find(name, None)?.game());
        }
        for asked in asked {
            if let Some(game) = game_of(&asked.file)? {
                return Ok(game);
            }
        }
        // No record has moves, so nothing will be found in any game.
        game("chess").ok_or_else(|| Failure::new("this build lacks chess"))
    }

    /// Returns the question.
    pub fn question<'q>(
        &self,
        target: Option<&'q Target>,
        condition: Option<&'q Condition>,
    ) -> Question<'q> {
        Question { target, condition, variations: self.variations, ..Question::default() }
    }

    /// Pairs a file with its indices.
    fn ask(&self, file: PackedFile) -> Asked {
        let indices = match self.no_index {
            true => Indices::none(&file),
            false => Indices::open(&file),
        };
        Asked { file, indices, known: None }
    }

    /// Reports which files must be scanned, because they have no index or an unusable one.
    pub fn tell_scans(&self, asked: &[Asked]) {
        if self.quiet || self.no_index {
            return;
        }
        let mut without = Vec::new();
        for Asked { file, indices, .. } in asked {
            let name = file.path().display();
            for refused in indices.refused() {
                let (path, why) = (refused.path.display(), &refused.why);
                progress::say(format_args!(
                    "{path} is not used: {why}; `plypack index {name}` rebuilds it"
                ));
            }
            match (indices.is_empty(), indices.uncovered().len()) {
                (true, _) if indices.refused().is_empty() => without.push(name),
                (true, _) | (false, 0) => {}
                (false, groups) => progress::say(format_args!(
                    "the index of {name} does not cover {groups} of its {} row groups, so these \
                     are scanned; `plypack index {name}` indexes them",
                    file.groups()
                )),
            }
        }
        match &without[..] {
            [] => {}
            [one] => progress::say(format_args!(
                "{one} has no index, so all of its games are scanned; `plypack index {one}` \
                 builds one"
            )),
            [first, others @ ..] => progress::say(format_args!(
                "{first} and {} more have no index, so all of their games are scanned; \
                 `plypack index {first} ..` builds them",
                others.len()
            )),
        }
    }

    /// Reports how many variations could not be searched, if variations count.
    pub fn tell_uncoded(&self, asked: &[Asked]) -> Result<(), Failure> {
        if self.quiet || !self.variations {
            return Ok(());
        }
        for Asked { file, .. } in asked {
            let uncoded = file.summary()?.uncoded_variations;
            if uncoded > 0 {
                let (name, variations) =
                    (file.path().display(), progress::counted(uncoded, "variation"));
                progress::say(format_args!(
                    "{name}: {variations} could not be searched: kept as text because of an \
                     invalid move"
                ));
            }
        }
        Ok(())
    }

    /// Does work under a progress bar that counts the records of these files.
    pub fn watched<T>(
        &self,
        asked: &[Asked],
        work: impl FnOnce(&Work<'_>, &ProgressBar) -> T,
    ) -> T {
        let records = asked.iter().map(|asked| asked.file.records()).sum();
        let bar = progress::bar(Some(records), false, self.quiet);
        let progress = |done: Done| bar.inc(done.records);
        let done = work(&Work { progress: &progress, ..interrupt::work(self.threads) }, &bar);
        bar.finish_and_clear();
        for Asked { file, indices, .. } in asked.iter().filter(|_| !self.quiet) {
            if let Some(damaged) = indices.damaged() {
                let (path, name) = (damaged.path.display(), file.path().display());
                progress::say(format_args!(
                    "{path} is damaged ({}), so all games of {name} were scanned; `plypack index \
                     -f {name}` rebuilds it",
                    damaged.why
                ));
            }
        }
        done
    }
}
