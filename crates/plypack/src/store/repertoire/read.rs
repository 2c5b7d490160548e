//! Reads a repertoire: the main lines and the variations of all games of an input.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};

use plypack_core::{Cursor, ErasedRules};
use plypack_games::GAMES;
use plypack_records::{FALLBACK, Item, ItemKind, Record, START_TAG};

use super::{Position, Positions, Repertoire, Reply, Start, Step, sides};
use crate::reading::game::{in_turn, is_variant};
use crate::reading::record;
use crate::store::error::Error;
use crate::store::input::opening::{self, BytesRead, Input};
use crate::store::input::{Group, Groups, Source, Sources, Span};
use crate::store::work::Work;

/// The most positions of a repertoire: they take some 200 MB.
const POSITIONS_MAX: usize = 500_000;

/// The most moves and variations that are read.
const MOVES_MAX: u64 = 4_000_000;

/// The most plies of a line, as a variation copies those before it.
const PLIES_MAX: u32 = 1_000;

/// The most variations within each other.
const NESTING_MAX: usize = 64;

/// The tag in which studies of lichess.org say from which side a chapter is seen.
const SIDE_TAG: &str = "Orientation";

/// The glyphs of mistakes and blunders.
const MISTAKES: [&str; 4] = ["?", "??", "$2", "$4"];

/// Words that some programs write at the end of a variation, too.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

impl Repertoire {
    /// Reads the games of an input, which may be anything that is packed; their game is the usual
    /// one unless they say otherwise. It is for the second player if `second`, and for the side
    /// that the input tells by default: by the tag `Orientation` of its games, or because this side
    /// has one move in nearly all positions, and the other has not.
    ///
    /// A move of the side that is marked as a mistake, and what follows it, does not count. Neither
    /// does what follows a null move.
    ///
    /// # Errors
    /// Returns an error that names the line of the input if a move is illegal, something is not
    /// understood, or the games are too many for a repertoire; if the input has no moves or does
    /// not tell its side; if it cannot be read; and if the work is stopped.
    pub fn read(
        path: &Path,
        usual: &'static dyn ErasedRules,
        second: Option<bool>,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let input = Input::look(path)?;
        let is_container = input.is_container();
        let opened = opening::open(vec![input], &BytesRead::default())?;
        Self::read_sources(opened.sources, (path, is_container), usual, second, work)
    }

    /// The same for a text, which errors call `name`.
    ///
    /// # Errors
    /// Returns an error as for an input.
    pub fn read_text(
        name: &str,
        text: String,
        usual: &'static dyn ErasedRules,
        second: Option<bool>,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let source = Source::new(name, Box::new(io::Cursor::new(text.into_bytes())));
        Self::read_sources(vec![source].into(), (Path::new(name), false), usual, second, work)
    }

    /// Reads the games of some sources: those of one container, or of one input alone.
    fn read_sources(
        sources: Sources,
        (path, is_container): (&Path, bool),
        usual: &'static dyn ErasedRules,
        second: Option<bool>,
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let mut groups = Groups::of_games(sources, in_turn(usual, GAMES.len() > 1));
        let mut reader = Reader::default();
        while let Some(group) = groups.next_group()? {
            for span in &group.records {
                let within = Path::new(&group.origin(span).name);
                let named = if is_container { within } else { path };
                reader.record(&group, span, usual, work).map_err(|stopped| match stopped {
                    Stopped::At { line, why } => refused(named, format!("line {line}: {why}")),
                    Stopped::Asked => Error::Stopped,
                })?;
            }
        }
        reader.finish(second).map_err(|why| refused(path, why))
    }
}

fn refused(path: &Path, why: String) -> Error {
    Error::Format { path: PathBuf::from(path), why }
}

/// Why a record is not read to its end.
enum Stopped {
    At {
        /// The line of the input, counted from 1.
        line: u64,
        why: String,
    },
    Asked,
}

/// A repertoire while it is read.
#[derive(Default)]
struct Reader {
    game: Option<&'static dyn ErasedRules>,
    positions: Positions,
    starts: Vec<Start>,
    moves: u64,
    /// Whether the games are seen from the second player's side: `None` before the first, and then
    /// `Some(None)` if they do not say, or differ.
    seen: Option<Option<bool>>,
}

/// A line while it is read.
struct Line<'g> {
    /// Where it is; `None` after a null move, which shows an idea and no line.
    here: Option<Place<'g>>,
    /// The place before its last move: `None` without one, `Some(None)` after a null move.
    before: Option<Option<u32>>,
}

struct Place<'g> {
    cursor: Box<dyn Cursor<'g> + 'g>,
    place: u32,
    /// Whether the last move was a null move.
    idles: bool,
}

impl Reader {
    fn record(
        &mut self,
        group: &Group,
        span: &Span,
        usual: &'static dyn ErasedRules,
        work: &Work<'_>,
    ) -> Result<(), Stopped> {
        let origin = group.origin(span);
        let decoded = origin.decode(group.bytes(span), self.game.unwrap_or(usual), true);
        let (text, game) = (decoded.text.as_ref(), decoded.game);
        let (format, reading) = record::read(game, text, decoded.charset, origin.identity.format);
        let record = reading.record;
        let newline = char::from(origin.identity.newline);
        let line_of = |offset: usize| {
            let before = text.len().saturating_sub(record.movetext.len()).saturating_add(offset);
            let lines = text.get(..before).unwrap_or(text).matches(newline).count();
            span.line.saturating_add(lines as u64)
        };
        let stop = |offset, why: String| Stopped::At { line: line_of(offset), why };
        if span.piece {
            return Err(stop(0, "this game is too long to be read".into()));
        }
        if record.moves.is_empty() && record.items.is_empty() {
            return Ok(());
        }
        if let Some(variant) = record.tag("Variant").filter(|name| !is_variant(game, name)) {
            let variant: String = variant.chars().take(100).collect();
            return Err(stop(0, format!("the rules of `{variant}` are not known")));
        }
        let first = *self.game.get_or_insert(game);
        if first.info().id != game.info().id {
            let [one, other] = [first, game].map(|game| game.info().title);
            let why =
                format!("a game of {other} after one of {one}; keep each in a file of its own");
            return Err(stop(0, why));
        }
        self.see(&record, game);
        let told = || game.start_told(&[], &record.moves);
        let start = record.tag(START_TAG).map(str::to_owned).or_else(told);
        let cursor = game.cursor(start.as_deref());
        let cursor = cursor.map_err(|error| stop(0, error.to_string()))?;
        let place = self.positions.take(&*cursor).map_err(|why| stop(0, why))?;
        if self.starts.iter().all(|start| start.place != place) {
            self.starts.push(Start { place, text: start });
        }
        let here = Place { cursor, place, idles: false };
        let mut lines = vec![Line { here: Some(here), before: None }];
        // In other formats, what is not understood belongs to the nodes of a tree.
        let is_pgn = format.info().name == FALLBACK.info().name;
        for (at, item) in record.items.iter().enumerate() {
            work.check().map_err(|_| Stopped::Asked)?;
            let after = record.items.get(at + 1..).unwrap_or_default();
            // A move may stand on the line after its number.
            let offset = if item.kind == ItemKind::Move { item.end } else { item.start };
            self.item(&mut lines, game, item, after, is_pgn).map_err(|why| stop(offset, why))?;
        }
        match lines.len() {
            1 => Ok(()),
            _ => {
                let end = record.movetext.trim_ascii_end().len();
                Err(stop(end, "the parenthesis of a variation is missing".into()))
            }
        }
    }

    /// Notes from which side a game is seen.
    fn see(&mut self, record: &Record<'_>, game: &dyn ErasedRules) {
        let seen = record
            .tag(SIDE_TAG)
            .and_then(|tag| sides(game).iter().position(|player| tag.eq_ignore_ascii_case(player)));
        let seen = seen.map(|player| player == 1);
        if *self.seen.get_or_insert(seen) != seen {
            self.seen = Some(None);
        }
    }

    /// Takes an item of the movetext, which those after it may judge.
    fn item<'g>(
        &mut self,
        lines: &mut Vec<Line<'g>>,
        game: &dyn ErasedRules,
        item: &Item<'_>,
        after: &[Item<'_>],
        is_pgn: bool,
    ) -> Result<(), String> {
        let depth = lines.len();
        let Some(line) = lines.last_mut() else { return Ok(()) };
        match item.kind {
            _ if RESULTS.contains(&item.text) => Ok(()),
            ItemKind::Move => {
                self.count()?;
                line.before = Some(line.here.as_ref().filter(|here| !here.idles).map(|h| h.place));
                match &mut line.here {
                    Some(here) if !here.idles => self.play(here, game, item.text, after),
                    _ => {
                        line.here = None;
                        Ok(())
                    }
                }
            }
            ItemKind::Open if depth > NESTING_MAX => {
                Err(format!("more than {NESTING_MAX} variations are within each other"))
            }
            ItemKind::Open => {
                self.count()?;
                let before =
                    line.before.ok_or("a variation replaces no move; put it behind one")?;
                let branch = |place| {
                    let here = line.here.as_ref()?;
                    let cursor = here.cursor.fork(here.cursor.ply());
                    Some(Place { cursor, place, idles: false })
                };
                let here = before.and_then(branch);
                lines.push(Line { here, before: None });
                Ok(())
            }
            ItemKind::Close if depth == 1 => Err("a parenthesis ends no variation".into()),
            ItemKind::Close => {
                lines.pop();
                Ok(())
            }
            ItemKind::Other if is_pgn => {
                let word: String = item.text.chars().take(40).collect();
                Err(format!("`{}` is neither a move nor a comment", word.trim()))
            }
            _ => Ok(()),
        }
    }

    /// Counts a move or a variation.
    fn count(&mut self) -> Result<(), String> {
        self.moves += 1;
        if self.moves > MOVES_MAX {
            return Err(format!("more than {MOVES_MAX} moves are no repertoire"));
        }
        Ok(())
    }

    /// Plays a move of a line.
    fn play(
        &mut self,
        here: &mut Place<'_>,
        game: &dyn ErasedRules,
        text: &str,
        after: &[Item<'_>],
    ) -> Result<(), String> {
        if here.cursor.ply() >= PLIES_MAX {
            return Err(format!("a line is longer than {PLIES_MAX} plies"));
        }
        let candidate = here.cursor.read(text).map_err(|error| error.to_string())?;
        if game.is_null(text) {
            here.idles = true;
            return Ok(());
        }
        let to = self.positions.take(&*here.cursor)?;
        let mut glyphs = after.iter().take_while(|item| item.kind.is_glyph());
        let mistake = glyphs.any(|glyph| MISTAKES.contains(&glyph.text));
        if let Some(position) = self.positions.at_mut(here.place) {
            match position.replies.iter_mut().find(|reply| reply.candidate == candidate) {
                Some(reply) => reply.mistake &= mistake,
                None => position.replies.push(Reply { candidate, to, mistake }),
            }
        }
        here.place = to;
        Ok(())
    }

    /// Returns the repertoire of a side.
    fn finish(mut self, second: Option<bool>) -> Result<Repertoire, String> {
        let moves = self.positions.all.iter().any(|position| !position.replies.is_empty());
        let Some(game) = self.game.filter(|_| moves) else {
            return Err("it has no moves; a repertoire is the games of a PGN with its lines as \
                        variations"
                .into());
        };
        let second = match second.or(self.seen.flatten()).or_else(|| self.told()) {
            Some(second) => second,
            None => return Err(self.untold(game)),
        };
        let usual = game.cursor(None).ok().and_then(|start| self.positions.find(&*start));
        self.starts.sort_by_key(|start| Some(start.place) != usual);
        self.positions.keep(&self.starts, second);
        let places = self.positions.by_key.values().flatten();
        let progress = places.filter_map(|place| self.positions.at(*place)).map(|at| at.progress);
        let progress = progress.max().unwrap_or(0);
        let Self { positions, starts, .. } = self;
        Ok(Repertoire { game, second, positions, starts, usual, progress })
    }

    /// Returns how many positions have moves of a player, and how many several moves.
    fn choices(&self, second: bool) -> [usize; 2] {
        let all = self.positions.all.iter().filter(|position| position.second == second);
        let good = all.map(|at| at.replies.iter().filter(|reply| !reply.mistake).count());
        good.fold([0, 0], |[some, several], replies| {
            [some + usize::from(replies > 0), several + usize::from(replies > 1)]
        })
    }

    /// Tells for which side it is: whoever has one move in nearly all positions, if the other has
    /// not.
    fn told(&self) -> Option<bool> {
        [false, true].into_iter().find(|&side| {
            let ([some, several], [_, others]) = (self.choices(side), self.choices(!side));
            several * 10 <= some && others > several * 4
        })
    }

    /// Says why that cannot be told.
    fn untold(&self, game: &dyn ErasedRules) -> String {
        let [first, second] = sides(game);
        let ([some, several], [others, many]) = (self.choices(false), self.choices(true));
        format!(
            "for which side it is cannot be told: {first} has several moves in {several} of {some} \
             positions, and {second} in {many} of {others}; say it with --side {} or --side {}",
            first.to_lowercase(),
            second.to_lowercase()
        )
    }
}

impl Positions {
    /// Returns the place of a cursor's position, which is a new one if it is not known.
    fn take(&mut self, cursor: &dyn Cursor<'_>) -> Result<u32, String> {
        if let Some(place) = self.find(cursor) {
            return Ok(place);
        }
        if self.all.len() >= POSITIONS_MAX {
            return Err(format!(
                "more than {POSITIONS_MAX} positions are no repertoire; `plypack pack` is for games"
            ));
        }
        let place = u32::try_from(self.all.len()).unwrap_or(u32::MAX);
        let mut facts = String::new();
        cursor.write_facts(&mut facts);
        let key = cursor.key();
        self.by_key.entry(key).or_default().push(place);
        self.all.push(Position {
            key,
            structure: cursor.structure(),
            facts: facts.into(),
            progress: cursor.progress(),
            second: cursor.turn().second,
            replies: Vec::new(),
            before: None,
        });
        Ok(place)
    }

    /// Keeps the positions to which a side's lines lead from these starts without mistakes of its
    /// own, and notes the shortest lines.
    fn keep(&mut self, starts: &[Start], second: bool) {
        let mut reached = vec![false; self.all.len()];
        let mut reach = |place: u32| {
            let place = usize::try_from(place).unwrap_or(usize::MAX);
            reached.get_mut(place).is_some_and(|reached| !std::mem::replace(reached, true))
        };
        let mut ahead = VecDeque::new();
        for start in starts {
            // The lines of the usual start come first, and may lead to other starts.
            if reach(start.place) {
                ahead.push_back(start.place);
            }
            while let Some(from) = ahead.pop_front() {
                let Some(position) = self.at_mut(from) else { continue };
                if position.second == second {
                    position.replies.retain(|reply| !reply.mistake);
                }
                for Reply { candidate, to, .. } in position.replies.clone() {
                    if reach(to) {
                        ahead.push_back(to);
                        if let Some(position) = self.at_mut(to) {
                            position.before = Some(Step { from, candidate });
                        }
                    }
                }
            }
        }
        let is_reached = |place: &u32| {
            usize::try_from(*place).ok().and_then(|place| reached.get(place)) == Some(&true)
        };
        self.by_key.retain(|_, places| {
            places.retain(is_reached);
            !places.is_empty()
        });
    }
}
