//! The arguments that `find` and `tree` share: files, position and conditions.

use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use plypack::{Collection, Error, PackedFile, Query, Rules};

use crate::failure::Failure;
use crate::{files, interrupt, progress, terminal};

/// How many names are told that are near to one that is not found.
const NAMES_SHOWN: usize = 3;

/// The results that records of moves end with.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

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

    /// Opens the files; those of a folder in the order of their names.
    pub fn open(&self) -> Result<Vec<PackedFile>, Failure> {
        let mut opened = Vec::new();
        for path in &self.files {
            if path.is_dir() {
                opened.extend(files::open_folder(path, files::open)?);
                continue;
            }
            opened.push(files::open(path).map_err(|failure| match &self.moves {
                Some(moves) if !path.exists() => failure.with_hint(&format!(
                    "put all moves in quotes, as one argument: --moves \"{moves} {} ..\"",
                    path.display()
                )),
                _ => failure,
            })?);
        }
        Ok(opened)
    }

    /// Returns the game in whose notation the position and this pattern are.
    pub fn rules(&self, games: &Collection, pattern: Option<&str>) -> Result<Rules, Failure> {
        let read = |rules| {
            let query = self.placed(games.query().rules(rules));
            match pattern {
                Some(pattern) => query.pattern(pattern).check(),
                None => query.check(),
            }
        };
        let rules = self.read_in(&known(games)?, games.paths().count(), read)?;
        self.check_position(rules)?;
        Ok(rules)
    }

    /// Returns the game that is named, or else the first of the files.
    pub fn game(&self, games: &Collection) -> Result<Rules, Failure> {
        match (&self.game, known(games)?.first()) {
            (Some(name), _) => Ok(name.parse()?),
            (None, Some((rules, _))) => Ok(*rules),
            // No record has moves, so nothing will be found in any game.
            (None, None) => Ok(usual()?),
        }
    }

    /// Returns the position asked for of files of positions, whose game is this one or else chess.
    pub fn position(&self, rules: Option<Rules>) -> Result<(Rules, String), Failure> {
        let games = Collection::of([])?;
        let read = |rules| self.placed(games.query().rules(rules)).check();
        let rules = match (&self.game, rules) {
            (Some(name), _) => name.parse()?,
            (None, Some(rules)) => rules,
            (None, None) => usual()?,
        };
        let position = read(rules).map_err(|error| self.explained(error, rules))?;
        self.check_position(rules)?;
        Ok((rules, position.unwrap_or_default()))
    }

    /// Reads something in the named game, or the first one in whose notation it is; says which game
    /// and file decided, unless it is the first one.
    fn read_in<T>(
        &self,
        known: &[(Rules, &Path)],
        files: usize,
        read: impl Fn(Rules) -> Result<T, Error>,
    ) -> Result<Rules, Failure> {
        let named = self.game.as_ref().map(|name| name.parse::<Rules>()).transpose()?;
        let alone = match (named, known) {
            (Some(rules), _) => Some(rules),
            (None, []) => Some(usual()?),
            (None, _) => None,
        };
        if let Some(rules) = alone {
            return match read(rules) {
                Ok(_) => Ok(rules),
                Err(error) => Err(self.explained(error, rules)),
            };
        }
        let of = |(rules, path): (Rules, &Path)| format!("{rules}, the game of {}", path.display());
        let mut failed = None;
        for &(rules, path) in known {
            match read(rules) {
                Ok(_) => {
                    if failed.is_some() && !self.quiet {
                        progress::say(format_args!("asked in {}", of((rules, path))));
                    }
                    return Ok(rules);
                }
                Err(error) if failed.is_none() => {
                    let failure = self.explained(error, rules);
                    let hint =
                        format!("this was read as {}; --game names another", of((rules, path)));
                    failed = Some(if files > 1 { failure.with_hint(&hint) } else { failure });
                }
                Err(_) => {}
            }
        }
        Err(failed.unwrap_or_else(|| Failure::new("there is no game")))
    }

    /// Adds to an error that the position is one of another game, if so.
    fn explained(&self, error: Error, rules: Rules) -> Failure {
        let failure = Failure::from(error);
        let reads = |rules: &Rules, fen| rules.canonical_position(fen).is_ok();
        let other = self.fen.as_deref().filter(|fen| !reads(&rules, fen));
        match other.and_then(|fen| Rules::all().find(|other| reads(other, fen))) {
            Some(other) => failure.with_hint(&format!(
                "it is a position of {other}, not of {rules}; choose the game with --game"
            )),
            None => failure,
        }
    }

    /// Checks that nothing of the position had to be guessed, and that nothing said is ignored.
    fn check_position(&self, rules: Rules) -> Result<(), Failure> {
        if let Some(what) = self.fen.as_deref().and_then(|fen| rules.left_open(fen)) {
            return Err(Failure::new(format!("--fen is incomplete: add {what}")).with_hint(
                "--pattern '{\"sub-fen\": \"ROWS\"}' finds the pieces with either side to move",
            ));
        }
        let last = self.moves.as_deref().and_then(|moves| moves.split_whitespace().last());
        if let Some(result) = last.filter(|last| RESULTS.contains(last) && !self.quiet) {
            progress::say(format_args!(
                "--moves only gives a position; --where \"Result = '{result}'\" finds \
                 games with that result"
            ));
        }
        Ok(())
    }

    /// Adds the position to a query.
    fn placed<'q>(&self, mut query: Query<'q>) -> Query<'q> {
        if let Some(fen) = &self.fen {
            query = query.position(fen);
        }
        if let Some(moves) = &self.moves {
            query = query.moves(moves);
        }
        query
    }

    /// Returns the query for the position and the conditions, in this game.
    pub fn query<'q>(&self, games: &'q Collection, rules: Rules) -> Query<'q> {
        let mut query = self.placed(games.query().rules(rules));
        if let Some(condition) = &self.condition {
            query = query.condition(condition);
        }
        for player in &self.players {
            query = query.player(player);
        }
        query.variations(self.variations).ignore_index(self.no_index)
    }

    /// Says which names of players are near to those that were asked for, if no game has them.
    pub fn tell_nearest_names(&self, games: &Collection) -> Result<(), Failure> {
        for sought in self.players.iter().filter(|_| !self.quiet) {
            let names = games.nearest_names(sought, NAMES_SHOWN)?;
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

    /// Reports which files must be scanned, because they have no index or an unusable one.
    pub fn tell_scans(&self, games: &Collection) {
        if self.quiet || self.no_index {
            return;
        }
        let coverage = games.coverage();
        let mut without = Vec::new();
        for file in &coverage {
            let name = file.path.display();
            for refused in &file.refused {
                let (path, why) = (refused.path.display(), &refused.message);
                progress::say(format_args!(
                    "{path} is not used: {why}; `plypack index {name}` rebuilds it"
                ));
            }
            match file.indexed {
                0 if file.refused.is_empty() => without.push(name),
                indexed if indexed == 0 || indexed == file.games => {}
                indexed => progress::say(format_args!(
                    "the index of {name} covers {} of its {} games, so the others are scanned; \
                     `plypack index {name}` indexes them",
                    progress::count(indexed),
                    progress::count(file.games)
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
    pub fn tell_uncoded(&self, games: &Collection) -> Result<(), Failure> {
        if self.quiet || !self.variations {
            return Ok(());
        }
        for path in games.paths() {
            let uncoded = PackedFile::open(path)?.summary()?.uncoded_variations;
            if uncoded > 0 {
                let (name, variations) = (path.display(), progress::counted(uncoded, "variation"));
                progress::say(format_args!(
                    "{name}: {variations} could not be searched: kept as text because of an \
                     invalid move"
                ));
            }
        }
        Ok(())
    }

    /// Asks a query under a progress bar that counts the records of these files, until the user
    /// asks to stop.
    pub fn watched<T>(
        &self,
        games: &Collection,
        query: Query<'_>,
        ask: impl FnOnce(Query<'_>, &ProgressBar) -> T,
    ) -> T {
        let bar = progress::bar(Some(games.len()), false, self.quiet);
        let query = query
            .threads(self.threads)
            .stop(interrupt::shared_flag())
            .progress(progress::moved(&bar, false));
        let answer = ask(query, &bar);
        bar.finish_and_clear();
        for file in games.coverage().iter().filter(|_| !self.quiet) {
            if let Some(damaged) = &file.damaged {
                let (path, name) = (damaged.path.display(), file.path.display());
                progress::say(format_args!(
                    "{path} is damaged ({}), so all games of {name} were scanned; `plypack index \
                     -f {name}` rebuilds it",
                    damaged.message
                ));
            }
        }
        answer
    }

    /// Returns the number of threads; 0 means one per core.
    pub fn threads(&self) -> usize {
        self.threads
    }
}

/// Returns each game of the files once, with the first file that has it.
fn known(games: &Collection) -> Result<Vec<(Rules, &Path)>, Failure> {
    let mut known: Vec<(Rules, &Path)> = Vec::new();
    for (rules, path) in games.rules()?.into_iter().zip(games.paths()) {
        let Some(rules) = rules else { continue };
        if !known.iter().any(|(other, _)| *other == rules) {
            known.push((rules, path));
        }
    }
    Ok(known)
}

/// The game where no record tells one.
fn usual() -> Result<Rules, Failure> {
    Ok("chess".parse()?)
}
