//! `plypack find`: finds games that reach a position, match a pattern, or have matching tags.

use std::fs::File;
use std::io::{self, BufWriter, Read, Stdout, Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use indicatif::ProgressBar;
use plypack::store::find::{
    Asked, CandidateTexts, Found, Hit, Order, PatternText, Question, Separator, Target, count,
    count_told, find, follow, game_of, records, spoken,
};
use plypack::store::repertoire::{Followers, Leaving, Left, Repertoire, players};
use plypack::store::revision::select;
use plypack::store::row::StoredRecord;
use plypack::store::{
    Compressed, Content, Conversion, Error, Output, PackedFile, RecordId, Wanted,
};
use plypack_core::{ErasedRules, Pattern};
use plypack_records::START_TAG;
use serde_json::{Map, Value, json};

use super::unpack::{Form, tell_conversion};
use crate::failure::{DIFFERENT, Failure};
use crate::question::Asks;
use crate::repertoire::{Follows, answers, summary, told};
use crate::{files, progress, terminal};

/// Number of games in the first batch; each batch is twice as large as the last. Sorted games lie
/// scattered over a file, and those of one page are decoded together.
const SHOWN: usize = 256;

/// The most games in a batch.
const SHOWN_MOST: usize = 16_384;

/// The most games in a batch whose bytes are all in memory.
const WRITTEN_MOST: usize = 2048;

/// The most bytes read of a pattern file; longer ones are refused.
const PATTERN_MAX: u64 = 2 << 20;

/// Printed widths of a player's name, and of the move played.
const NAME_WIDTH: usize = 20;
const PLACE_WIDTH: usize = 12;

/// Printed width of where a game leaves a repertoire.
const LEFT_WIDTH: usize = 44;

/// Find the games that reach a position, match a pattern, or have matching tags.
///
/// A position is found however it was reached: by other moves, from a set-up start, or for the
/// second time. Every game shown has been decoded to confirm the match. Moves that are kept as
/// text, because they could not be coded, are not searched. In files of positions, --fen finds the
/// records that have this position.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack find games.parquet --moves \"1. e4 c5 2. Nf3\"
  plypack find games.parquet --fen \"8/8/8/4k3/8/4K3/4P3/8 w - -\" -o endings.pgn
  plypack find games.parquet --pattern '{\"material\": \"KRPKR\", \"result\": \"1/2-1/2\"}'
  plypack find games.parquet --pattern '{\"sub-fen\": \"8/8/p7/8/8/1B3N2/8/8\"}' --limit 20
  plypack find games.parquet --pawns \"8/pp3ppp/2p1p3/3p4/3P4/4P3/PPP2PPP/8\"
  plypack find games.parquet --player carlsen --where \"Year >= 2020 and Result = '1-0'\"
  plypack find games.parquet --repertoire white.pgn --player me --where \"Date >= '2026-11-20'\"
  plypack find games.parquet --player carlsen --player anand --count
  plypack find games.parquet --sort rating --limit 10
  plypack find 2023/ 2024/ --moves \"1. b4\" --sort rating --limit 20 --json")]
pub struct Arguments {
    #[command(flatten)]
    pub(super) asks: Asks,
    #[command(flatten)]
    follows: Follows,
    /// A pattern that the main line must match, as JSON: pieces on squares, material, moves, and
    /// sequences of these (docs/patterns.md); `@FILE` reads it from a file, `@-` from standard
    /// input
    #[arg(long, value_name = "JSON", allow_hyphen_values = true, conflicts_with = "repertoire")]
    pattern: Option<String>,
    /// Games that come to the pawns of this position, with the same men, wherever these stand; the
    /// whole position or its board
    #[arg(long, value_name = "FEN", conflicts_with_all = ["pattern", "repertoire"])]
    structure: Option<String>,
    /// Games that come to the pawns of this position, whatever else is on the board
    #[arg(long, value_name = "FEN", conflicts_with_all = ["pattern", "structure", "repertoire"])]
    pawns: Option<String>,
    /// Find at most N games [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) limit: Option<u64>,
    /// Sort by rating, best mean of both players first, then games with one rated player; or by
    /// date, latest first. Games without come last. Without other criteria, sorts all games
    /// [default: stored order]
    #[arg(long, value_enum, value_name = "KEY")]
    sort: Option<Sort>,
    /// Print only how many games there are; with --json as `records`. Exits with 1 if none
    #[arg(long, conflicts_with_all = ["limit", "sort", "tags", "output", "repertoire"])]
    pub(super) count: bool,
    /// Print all tags of the games; without other criteria, lists all games
    #[arg(long)]
    tags: bool,
    /// Write the games to a file, as they were packed, instead of listing them; `-` is standard
    /// output. A file ending in .parquet is packed, in the order of the files; one ending in .zst,
    /// .gz or .xz is compressed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// With -o, write the games as PGN, whatever they were packed from, and those of go in SGF
    #[arg(long = "as", value_enum, value_name = "FORMAT", requires = "output")]
    form: Option<Form>,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Print one JSON object per game: `file` (if there are several), `record`, its `id` (for
    /// `delete --found`; it tells whether the record is still the same), `ply` where the position
    /// first occurs, all such `plies`, those in `variations`, the `move` played there, and the
    /// game's tags; for a pattern, the `plies` at which its conditions are met; for a repertoire,
    /// the `ply` where the game leaves it, who or what `left` it (own, opponent, line end, game
    /// end), the `move` played there and those of the `repertoire`
    #[arg(long)]
    pub(super) json: bool,
}

/// Sort keys.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Sort {
    Rating,
    Date,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    if arguments.follows.is_asked() {
        return run_following(arguments);
    }
    let text = arguments.pattern_text()?;
    let has_pattern = text.is_some();
    let lists_all = arguments.tags || arguments.count || arguments.sort.is_some();
    if !asks.has_position() && !has_pattern && !asks.has_condition() && !lists_all {
        return Err(Failure::new(
            "nothing to find: give a position with --fen or --moves, a pattern with --pattern, \
             --structure or --pawns, a condition with --where or --player, the lines of a file \
             with --repertoire, or list all games with --tags or --sort, and count them with \
             --count",
        ));
    }
    if has_pattern && asks.variations {
        let why = "--variations is for positions; patterns are matched against main lines only";
        return Err(Failure::new(why));
    }
    let asked = asks.open()?;
    if asked.iter().all(|asked| asked.file.kind() == Content::Positions) && asks.has_position() {
        let is_of_games = has_pattern || asks.has_condition() || asks.variations || arguments.tags;
        if is_of_games || arguments.sort.is_some() || arguments.output.is_some() {
            return Err(Failure::new(
                "files of positions are searched for a position, with --limit, --count and \
                 --json; anything else is for games",
            ));
        }
        let files: Vec<PackedFile> = asked.into_iter().map(|asked| asked.file).collect();
        return super::find_positions::run(arguments, &files);
    }
    let pattern = match &text {
        Some(text) => Some(asks.in_game(&asked, |game| text.of(game).map_err(Failure::new))?),
        None => None,
    };
    let target = asks.has_position().then(|| asks.target(&asked)).transpose()?;
    let condition = asks.condition(&asked)?;
    let games = arguments.output.as_ref().map(|path| Games::begin(path, arguments, &asked));
    let games = games.transpose()?;
    let asks_index = |pattern: &Pattern| pattern.asks_remains() || pattern.frames().is_some();
    let narrowed = target.is_some() || pattern.as_ref().is_some_and(asks_index);
    if narrowed {
        asks.tell_scans(&asked);
    }
    let mut question = asks.question(target.as_ref(), condition.as_ref());
    question.pattern = pattern.as_ref();
    if arguments.count {
        let games = asks.watched(&asked, |watch, _| count(&asked, &question, watch))?;
        asks.tell_uncoded(&asked)?;
        return tell_count(arguments, &asked, games);
    }
    let order = arguments.order();
    let skip = text.as_ref().map_or(0, |text| text.skip);
    let limits = [arguments.limit, text.as_ref().and_then(|text| text.limit)];
    let limit =
        limits.into_iter().flatten().min().map_or(u64::MAX, |most| most.saturating_add(skip));
    // With a pattern, the plies shown are the pattern's.
    let shown = target.as_ref().filter(|_| !has_pattern);
    let mut display = Display::new(arguments, &asked, shown, games)?;
    display.skip = skip;
    let found = asks.watched(&asked, |watch, bar| {
        display.bar = bar.clone();
        let found = find(&asked, &question, order, limit, watch, &mut |game| display.push(game));
        // Games found before a damaged record are sound.
        display.finish()?;
        Ok::<u64, Failure>(found?.saturating_sub(skip))
    })?;
    asks.tell_uncoded(&asked)?;
    if found == 0 {
        if !asks.quiet {
            match &target {
                // The position as it was searched, with defaults filled in.
                Some(target) => progress::say(format_args!(
                    "nothing was found: no game reaches {}",
                    target.text()
                )),
                None => progress::say("nothing was found"),
            }
        }
        asks.tell_nearest_names(&asked)?;
        return Ok(ExitCode::from(DIFFERENT));
    }
    if let Some(games) = display.games {
        games.publish(&asked, found, asks)?;
    }
    if arguments.limit.is_some_and(|limit| found >= limit) && !asks.quiet {
        tell_cut(found, asks.watched(&asked, |watch, _| count_told(&asked, &question, watch))?);
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints how many games were found.
fn tell_count(arguments: &Arguments, asked: &[Asked], games: u64) -> Result<ExitCode, Failure> {
    match arguments.json {
        true => super::print_line(&json!({ "records": games }).to_string())?,
        false => super::print_line(&games.to_string())?,
    }
    if games > 0 {
        return Ok(ExitCode::SUCCESS);
    }
    arguments.asks.tell_nearest_names(asked)?;
    Ok(ExitCode::from(DIFFERENT))
}

/// Says that a limit may have cut the list of games, and of how many if that is known.
fn tell_cut(found: u64, all: Option<u64>) {
    let first = progress::counted(found, "game");
    match all {
        Some(all) if all > found => progress::say(format_args!(
            "--limit: the first {} of {}",
            progress::count(found),
            progress::counted(all, "game")
        )),
        Some(_) => {}
        None => progress::say(format_args!("--limit: the first {first}; --count counts all")),
    }
}

/// Lists the games that follow a repertoire, and says where each leaves it.
fn run_following(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let asks = &arguments.asks;
    let asked = asks.open()?;
    let repertoire = arguments.follows.read(asks, &asked)?;
    let condition = asks.condition_on(Some(repertoire.side()), &asked)?;
    let games = arguments.output.as_ref().map(|path| Games::begin(path, arguments, &asked));
    let question = Question { condition: condition.as_ref(), ..Question::default() };
    let limit = arguments.limit.unwrap_or(u64::MAX);
    let mut display = Display::new(arguments, &asked, None, games.transpose()?)?;
    display.repertoire = Some(&repertoire);
    let mut followers = Followers::default();
    asks.watched(&asked, |watch, bar| {
        display.bar = bar.clone();
        let followed =
            follow(&asked, &question, &repertoire, arguments.order(), watch, &mut |game| {
                followers.add(repertoire.left(&game.leaving), 1);
                // The summary is of all.
                if followers.all() > limit {
                    return Ok(());
                }
                let Leaving { ply, candidate, .. } = game.leaving;
                let hits = vec![Hit { ply, candidate, variation: false }];
                let found = Found { file: game.file, row: game.row, hits };
                display.take(found, Some(game.leaving))
            });
        display.finish()?;
        Ok::<_, Failure>(followed?)
    })?;
    if followers.all() == 0 {
        if !asks.quiet {
            progress::say("nothing was found: no game comes to a position of the repertoire");
        }
        asks.tell_nearest_names(&asked)?;
        return Ok(ExitCode::from(DIFFERENT));
    }
    let lists = display.games.is_none() && !arguments.json;
    if let Some(games) = display.games {
        games.publish(&asked, followers.all().min(limit), asks)?;
    }
    let summary = summary(&repertoire, &followers);
    if lists {
        super::print_line(&format!("\n{summary}"))?;
    } else if !asks.quiet {
        progress::say(summary);
    }
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn order(&self) -> Order {
        match self.sort {
            None => Order::Stored,
            Some(Sort::Rating) => Order::Rating,
            Some(Sort::Date) => Order::Date,
        }
    }

    /// The pattern to match: as it is given, or that of a structure.
    fn pattern_text(&self) -> Result<Option<PatternText>, Failure> {
        let (rule, fen) = match (&self.structure, &self.pawns) {
            (Some(fen), _) => ("structure", fen),
            (None, Some(fen)) => ("pawns", fen),
            (None, None) => return self.pattern.as_deref().map(pattern_text).transpose(),
        };
        let board = fen.split_ascii_whitespace().next().unwrap_or_default();
        let pattern = json!({ rule: board });
        PatternText::read(&pattern.to_string()).map(Some).map_err(Failure::new)
    }
}

/// Reads a pattern from an argument, or from the file that it names.
fn pattern_text(argument: &str) -> Result<PatternText, Failure> {
    let text = match argument.strip_prefix('@') {
        Some("-") => io::read_to_string(io::stdin().take(PATTERN_MAX))?,
        Some(path) => {
            let file = File::open(path).map_err(Error::io(Path::new(path)))?;
            io::read_to_string(file.take(PATTERN_MAX)).map_err(Error::io(Path::new(path)))?
        }
        None => argument.into(),
    };
    PatternText::read(&text).map_err(Failure::new)
}

/// Where games go: to standard output, into a file, or both.
struct Display<'a> {
    asked: &'a [Asked],
    /// For each file, the tags of its game's players, the first one first.
    players: Vec<[&'static str; 2]>,
    target: Option<&'a Target>,
    repertoire: Option<&'a Repertoire>,
    /// Texts of the candidate moves at the position, in customary notation and as coordinates.
    candidates: CandidateTexts,
    games: Option<Games>,
    json: bool,
    tags: bool,
    out: BufWriter<Stdout>,
    bar: ProgressBar,
    /// Number of games to skip before the first one shown.
    skip: u64,
    /// The waiting games, each with where it leaves the repertoire, if there is one.
    waiting: Vec<(Found, Option<Leaving>)>,
    /// Number of waiting games at which they are shown.
    batch: usize,
    /// Why nothing more can be shown.
    failed: Option<Failure>,
}

impl<'a> Display<'a> {
    fn new(
        arguments: &Arguments,
        asked: &'a [Asked],
        target: Option<&'a Target>,
        games: Option<Games>,
    ) -> Result<Self, Failure> {
        let candidates = target.map(Target::texts).transpose().map_err(Failure::new)?;
        let players = |asked: &Asked| Ok(game_of(&asked.file)?.map_or(["White", "Black"], players));
        Ok(Self {
            asked,
            players: asked.iter().map(players).collect::<Result<_, Failure>>()?,
            target,
            repertoire: None,
            candidates: candidates.unwrap_or_default(),
            games,
            json: arguments.json,
            tags: arguments.tags,
            out: BufWriter::new(stdout()),
            bar: ProgressBar::hidden(),
            skip: 0,
            waiting: Vec::new(),
            batch: SHOWN,
            failed: None,
        })
    }

    /// Takes a game, and shows the waiting games once there are enough.
    fn push(&mut self, game: Found) -> Result<(), Error> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        self.take(game, None)
    }

    /// Takes a game, and where it leaves the repertoire, if there is one.
    fn take(&mut self, game: Found, leaving: Option<Leaving>) -> Result<(), Error> {
        self.waiting.push((game, leaving));
        if self.waiting.len() >= self.batch {
            if let Err(failure) = self.show() {
                self.failed = Some(failure);
                return Err(Error::Interrupted);
            }
            let has_bytes = self.games.as_ref().is_some_and(|games| !games.is_packed());
            self.batch = (2 * self.batch).min(if has_bytes { WRITTEN_MOST } else { SHOWN_MOST });
        }
        Ok(())
    }

    /// Shows the waiting games, or returns an earlier failure.
    fn finish(&mut self) -> Result<(), Failure> {
        match self.failed.take() {
            Some(failure) => Err(failure),
            None => self.show(),
        }
    }

    fn show(&mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        for games in waiting.chunk_by(|(one, _), (other, _)| one.file == other.file) {
            let Some(file) = games.first().map(|(game, _)| game.file) else { continue };
            let Some(asked) = self.asked.get(file) else { continue };
            let rows: Vec<u64> = games.iter().map(|(game, _)| game.row).collect();
            if let Some(Games { place: Place::Packed(_, all), .. }) = &mut self.games
                && let Some(taken) = all.get_mut(file)
            {
                taken.extend(&rows);
                if !self.json {
                    continue;
                }
            }
            let wanted = match (&self.games, self.json) {
                (Some(games), _) if !games.is_packed() => Wanted::All,
                (_, true) => Wanted::TAGS_AND_CHECKSUM,
                (_, false) => Wanted::TAGS,
            };
            records(asked, &rows, wanted, |place, record, checksum| {
                let Some((game, leaving)) = games.get(place) else { return Ok(()) };
                let leaving = self.repertoire.zip(leaving.as_ref());
                if self.json {
                    let object = self.object(asked, game, leaving, &record, checksum)?;
                    writeln!(self.out, "{}", terminal::lines(&object.to_string()))?;
                } else if self.games.is_none() {
                    let line = self.line(asked, game, leaving, &record)?;
                    writeln!(self.out, "{}", terminal::lines(&line))?;
                }
                match &mut self.games {
                    Some(games) => games.write(asked, game.row, &record, checksum),
                    None => Ok(()),
                }
            })?;
        }
        // Keeps the bar out of the lines.
        let out = &mut self.out;
        Ok(self.bar.suspend(|| out.flush())?)
    }

    fn object(
        &self,
        asked: &Asked,
        game: &Found,
        leaving: Option<(&Repertoire, &Leaving)>,
        record: &StoredRecord<'_>,
        checksum: Option<u32>,
    ) -> Result<Value, Failure> {
        let mut object = Map::new();
        if self.asked.len() > 1 {
            object.insert("file".into(), asked.file.path().to_string_lossy().into());
        }
        object.insert("record".into(), (game.row + 1).into());
        if let Some(checksum) = checksum {
            let id = RecordId { row: game.row, checksum };
            object.insert("id".into(), id.to_string().into());
        }
        if let Some(first) = game.hits.first() {
            let plies = |variation: bool| -> Vec<u32> {
                let hits = game.hits.iter().filter(|hit| hit.variation == variation);
                hits.map(|hit| hit.ply).collect()
            };
            object.insert("ply".into(), first.ply.into());
            if let Some((repertoire, leaving)) = leaving {
                object.extend(told(repertoire, leaving)?);
            } else {
                object.insert("plies".into(), plies(false).into());
            }
            if self.target.is_some() {
                object.insert("variations".into(), plies(true).into());
                object.insert("move".into(), self.candidates.customary(first.candidate).into());
                object.insert(
                    "coordinates".into(),
                    self.candidates.coordinates(first.candidate).into(),
                );
            }
        }
        for (name, value) in &record.tags {
            object.entry(*name).or_insert_with(|| value.as_ref().into());
        }
        Ok(object.into())
    }

    fn line(
        &self,
        asked: &Asked,
        game: &Found,
        leaving: Option<(&Repertoire, &Leaving)>,
        record: &StoredRecord<'_>,
    ) -> Result<String, Failure> {
        let tag = |name: &str| {
            let tag = record.tags.iter().find(|tag| tag.0 == name);
            terminal::part(tag.map(|tag| tag.1.as_ref()).unwrap_or_default())
        };
        let player = |side: &'static str| {
            let name = match side {
                // Games of xiangqi call their first player either.
                "White" | "Red" => {
                    [tag("White"), tag("Red")].into_iter().find(|name| !name.is_empty())
                }
                side => Some(tag(side)),
            };
            let rating = if side == "Black" { tag("BlackElo") } else { tag("WhiteElo") };
            format!("{} {rating:>4}", cut(&name.unwrap_or_default(), NAME_WIDTH))
        };
        let [first, second] = self.players.get(game.file).copied().unwrap_or(["White", "Black"]);
        let width = asked.file.records().to_string().len();
        let mut line = format!(
            "{:>width$}  {}  {}  {:<7}  {:<10}  ",
            game.row + 1,
            player(first),
            player(second),
            tag("Result"),
            tag("Date"),
        );
        if let Some((repertoire, leaving)) = leaving {
            line += &format!("{:<LEFT_WIDTH$}  ", left(repertoire, leaving, record)?);
        } else if let Some((first, others)) = game.hits.split_first() {
            let mut place = match self.target {
                Some(_) => self.place(*first, record),
                None => format!("ply {}", first.ply),
            };
            let others: Vec<String> = others.iter().map(|hit| hit.ply.to_string()).collect();
            if !others.is_empty() {
                place += &format!(", plies {}", others.join(" "));
            }
            line += &format!("{place:<PLACE_WIDTH$}  ");
        }
        line += &tag("Event");
        if self.asked.len() > 1 {
            line += &format!("  {}", asked.file.path().display());
        }
        if self.tags {
            for (name, value) in &record.tags {
                let value = terminal::part(value).replace('\\', "\\\\").replace('"', "\\\"");
                line += &format!("\n[{name} \"{value}\"]");
            }
            line += "\n";
        }
        Ok(line)
    }

    /// Returns the number and text of the move played at a hit.
    fn place(&self, hit: Hit, record: &StoredRecord<'_>) -> String {
        let notation = self.target.map(|target| spoken(target.game())).unwrap_or_default();
        let text = self.candidates.of(notation, hit.candidate);
        let number = self.target.map(|target| number(target.game(), hit.ply, record));
        let number = number.unwrap_or_default();
        let played = text.map_or("end".to_owned(), |text| format!("{number}{text}"));
        if hit.variation { format!("({played})") } else { played }
    }
}

/// Returns the number of the move played after so many plies of a game, with its dots and a space.
fn number(game: &dyn ErasedRules, ply: u32, record: &StoredRecord<'_>) -> String {
    let start = record.tags.iter().find(|tag| tag.0 == START_TAG).map(|tag| tag.1.as_ref());
    super::number(game, start, ply)
}

/// Returns who or what ends that a game follows a repertoire, and by which move.
fn left(
    repertoire: &Repertoire,
    leaving: &Leaving,
    record: &StoredRecord<'_>,
) -> Result<String, Failure> {
    let number = number(repertoire.game(), leaving.ply, record);
    let text = |candidate| {
        repertoire
            .move_text(leaving.place, candidate, spoken(repertoire.game()))
            .map_err(Failure::new)
    };
    let played = leaving.candidate.map(text).transpose()?;
    let played = played.map_or("end".to_owned(), |text| format!("{number}{text}"));
    Ok(match repertoire.left(leaving) {
        Left::Own | Left::Opponent => {
            let own = repertoire.left(leaving) == Left::Own;
            let who = if own { repertoire.side() } else { repertoire.opponent() };
            format!("{who} leaves: {played}, not {}", answers(repertoire, leaving.place)?)
        }
        Left::LineEnd => format!("line ends: {played}"),
        Left::GameEnd => {
            format!("game ends before {number}{}", answers(repertoire, leaving.place)?)
        }
    })
}

/// Cuts or pads text to a width in characters.
fn cut(text: &str, width: usize) -> String {
    let cut = match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    };
    format!("{cut:<width$}")
}

/// The file that games are written to.
struct Games {
    path: PathBuf,
    place: Place,
    separator: Separator,
    /// How games are converted, if they are.
    conversion: Option<Conversion>,
}

enum Place {
    /// A packed file, and the rows of each input to copy.
    Packed(Box<Output>, Vec<Vec<u64>>),
    File(Box<BufWriter<Compressed<Output>>>),
    Standard(BufWriter<terminal::Output>),
}

impl Games {
    fn begin(path: &Path, arguments: &Arguments, asked: &[Asked]) -> Result<Self, Failure> {
        let place = if files::is_standard_output(path) {
            if arguments.json {
                let why = "--json needs standard output; write the games to a file with -o";
                return Err(Failure::new(why));
            }
            Place::Standard(BufWriter::new(terminal::output()))
        } else {
            for asked in asked {
                files::check_apart(asked.file.path(), path)?;
            }
            let output = files::begin_output(path, arguments.force)?;
            if path.extension().is_some_and(|ending| ending == "parquet") {
                files::refuse_terminal(output.is_terminal())?;
                Place::Packed(Box::new(output), vec![Vec::new(); asked.len()])
            } else {
                let output = Compressed::new(output, path).map_err(Error::io(path))?;
                Place::File(Box::new(BufWriter::new(output)))
            }
        };
        let conversion = arguments.form.map(Form::conversion);
        if conversion.is_some() && matches!(place, Place::Packed(..)) {
            return Err(Failure::new(
                "--as writes texts; name a file that does not end in .parquet",
            ));
        }
        Ok(Self { path: path.into(), place, separator: Separator::default(), conversion })
    }

    /// Whether rows are copied, not their content.
    fn is_packed(&self) -> bool {
        matches!(self.place, Place::Packed(..))
    }

    fn write(
        &mut self,
        asked: &Asked,
        row: u64,
        record: &StoredRecord<'_>,
        checksum: Option<u32>,
    ) -> Result<(), Failure> {
        let bytes = match &self.conversion {
            None => record.original(checksum),
            Some(conversion) => record.convert(conversion.moves, checksum).map(|converted| {
                conversion.count(converted.fate);
                converted.bytes
            }),
        };
        let bytes = bytes.map_err(Error::record(asked.file.path(), row))?;
        let path = &self.path;
        let out: &mut dyn Write = match &mut self.place {
            Place::File(file) => file,
            Place::Standard(out) => out,
            Place::Packed(..) => return Ok(()),
        };
        // Converted games end with a blank line.
        let gap = match self.conversion {
            None => self.separator.before(record, &bytes),
            Some(_) => &[],
        };
        out.write_all(gap).and_then(|()| out.write_all(&bytes)).map_err(|e| Error::io(path)(e))?;
        Ok(())
    }

    fn publish(self, asked: &[Asked], games: u64, asks: &Asks) -> Result<(), Failure> {
        let failed = || Error::io(&self.path);
        let quiet = asks.quiet;
        let how = match &self.conversion {
            None => "as they were packed",
            Some(conversion) => match conversion.sgf.load(Ordering::Relaxed) {
                sgf if sgf > 0 && sgf == games => "in SGF",
                _ => "as PGN",
            },
        };
        if let Some(conversion) = self.conversion.filter(|_| !quiet) {
            tell_conversion(&conversion);
        }
        match self.place {
            Place::Packed(mut output, mut rows) => {
                rows.iter_mut().for_each(|rows| rows.sort_unstable());
                let files = asked.iter().zip(&rows).map(|(asked, rows)| (&asked.file, &rows[..]));
                let files: Vec<_> = files.collect();
                asks.watched(asked, |watch, _| select(&files, &mut *output, &self.path, watch))?;
                output.publish()?;
                if !quiet {
                    let games = progress::counted(games, "game");
                    progress::say(format_args!("{}: {games}, packed", self.path.display()));
                }
                Ok(())
            }
            Place::Standard(mut out) => Ok(out.flush()?),
            Place::File(file) => {
                let file = file.into_inner().map_err(|error| failed()(error.into_error()))?;
                file.finish().map_err(failed())?.publish()?;
                if !quiet {
                    let (path, games) = (self.path.display(), progress::counted(games, "game"));
                    progress::say(format_args!("{path}: {games}, {how}"));
                }
                Ok(())
            }
        }
    }
}
