//! The arguments that `find` and `tree` share: files, position and conditions.

use std::path::PathBuf;

use indicatif::ProgressBar;
use plypack::reading::record::parse;
use plypack::store::condition::Condition;
use plypack::store::find::{Asked, Question, ReadIn, Target, game_of, read_in_game};
use plypack::store::index::Indices;
use plypack::store::players::nearest_names;
use plypack::store::{Done, PackedFile, Work};
use plypack_core::ErasedRules;
use plypack_games::{GAMES, game};
use plypack_records::{FALLBACK_READER, ItemKind};

use crate::failure::Failure;
use crate::{files, interrupt, progress, terminal};

/// How many names are told that are near to one that is not found.
const NAMES_SHOWN: usize = 3;

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
    /// The game of the position or pattern [default: the first game of the files in whose notation
    /// it is]
    #[arg(long, value_parser = crate::verbs::codecs::game_name)]
    game: Option<String>,
    /// A condition on the games, as in SQL: "WhiteElo > 2400 and Result = '1-0'"; names are tags,
    /// in any case, and `player` is either player
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Only games of this player, with either colour: part of the name, or the name however it is
    /// spelled: "Magnus Carlsen" also finds "Carlsen,M"; given twice, the games that the two played
    /// with each other
    #[arg(long = "player", value_name = "NAME")]
    players: Vec<String>,
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
        self.condition.is_some() || !self.players.is_empty()
    }

    /// Returns the condition, if any. Fails if it names anything that these files lack.
    pub fn condition(&self, asked: &[Asked]) -> Result<Option<Condition>, Failure> {
        self.condition_on(None, asked)
    }

    /// Returns the condition, if any, where the first player has the side with this tag.
    pub fn condition_on(
        &self,
        side: Option<&str>,
        asked: &[Asked],
    ) -> Result<Option<Condition>, Failure> {
        let condition = Condition::of_players(self.condition.as_deref(), side, &self.players);
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
                let files = files::open_folder(path, files::open_packed)?.into_iter();
                asked.extend(files.map(|file| self.ask(file)));
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

    /// Returns the position asked for, in the named game or the first one in whose notation it is.
    pub fn target(&self, asked: &[Asked]) -> Result<Target, Failure> {
        self.checked(self.in_game(asked, |game| self.read_target(game))?)
    }

    /// Returns the position asked for, in the named game or this one, or else chess.
    pub fn target_in(&self, game: Option<&'static dyn ErasedRules>) -> Result<Target, Failure> {
        let game = match (&self.game, game) {
            (Some(_), _) => self.game(&[])?,
            (None, Some(game)) => game,
            (None, None) => usual()?,
        };
        self.checked(self.read_target(game)?)
    }

    /// Reads the position in this game.
    fn read_target(&self, game: &'static dyn ErasedRules) -> Result<Target, Failure> {
        let (start, moves) = (self.fen.as_deref(), self.moves.as_deref().unwrap_or_default());
        Target::read(game, start, moves).map_err(|error| {
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
        })
    }

    /// Checks that nothing of the position had to be guessed, and that nothing said is ignored.
    fn checked(&self, target: Target) -> Result<Target, Failure> {
        let (start, moves) = (self.fen.as_deref(), self.moves.as_deref().unwrap_or_default());
        let game = target.game();
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

    /// Reads something in the named game, or the first one in whose notation it is; says which game
    /// and file decided, unless it is the first one.
    pub fn in_game<T>(
        &self,
        asked: &[Asked],
        read: impl Fn(&'static dyn ErasedRules) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if self.game.is_some() {
            return read(self.game(asked)?);
        }
        let Some(ReadIn { game, file, read }) = read_in_game(asked, &read)? else {
            return read(usual()?);
        };
        let name = asked.get(file).map(|asked| asked.file.path().display());
        let of = |name| format!("{}, the game of {name}", game.info().name);
        match (read, name) {
            (Ok(read), Some(name)) if !self.quiet && is_after_other(asked, file)? => {
                progress::say(format_args!("asked in {}", of(name)));
                Ok(read)
            }
            (Err(failure), Some(name)) if asked.len() > 1 => {
                Err(failure
                    .with_hint(&format!("this was read as {}; --game names another", of(name))))
            }
            (read, _) => read,
        }
    }

    /// Returns the named game, or that of the first record.
    pub fn game(&self, asked: &[Asked]) -> Result<&'static dyn ErasedRules, Failure> {
        if let Some(name) = &self.game {
            return Ok(crate::verbs::codecs::find(name, None)?.game());
        }
        match first_game(asked)? {
            Some((_, game)) => Ok(game),
            // No record has moves, so nothing will be found in any game.
            None => usual(),
        }
    }

    /// Says which names of players are near to those that were asked for, if no game has them.
    pub fn tell_nearest_names(&self, asked: &[Asked]) -> Result<(), Failure> {
        let files: Vec<&PackedFile> = asked.iter().map(|asked| &asked.file).collect();
        for sought in self.players.iter().filter(|_| !self.quiet) {
            let work = interrupt::work(self.threads);
            let names = nearest_names(&files, sought, NAMES_SHOWN, &work)?;
            if !names.is_empty() {
                let names: Vec<_> = names.iter().map(|name| terminal::part(name)).collect();
                progress::say(format_args!(
                    "no player is found by `{}`; near are: {}",
                    terminal::part(sought),
                    names.join("; ")
                ));
            }
        }
        Ok(())
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

/// Returns the game of the first record that has moves, and the number of its file.
fn first_game(asked: &[Asked]) -> Result<Option<(usize, &'static dyn ErasedRules)>, Failure> {
    for (number, asked) in asked.iter().enumerate() {
        if let Some(game) = game_of(&asked.file)? {
            return Ok(Some((number, game)));
        }
    }
    Ok(None)
}

/// Whether a file before this one has another game.
fn is_after_other(asked: &[Asked], file: usize) -> Result<bool, Failure> {
    Ok(first_game(asked)?.is_some_and(|(first, _)| first < file))
}

/// The game where no record tells one.
fn usual() -> Result<&'static dyn ErasedRules, Failure> {
    game("chess").ok_or_else(|| Failure::new("this build lacks chess"))
}
