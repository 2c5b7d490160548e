//! Matching of a pattern's conditions along a line.

use std::any::Any;
use std::cell::OnceCell;
use std::ops::ControlFlow;

use super::{Ask, Condition, Image, Moment, Pattern, Patterns, Query, STEPS_MAX, Test, results};
use crate::codec::{LineCodec, replay_from};
use crate::error::Error;
use crate::game::Rules;
use crate::line::IndexSource;

/// Number of plies between checks whether the pattern may still match.
const LOOK_AHEAD: u32 = 4;

/// A resolved query: its steps in each of its images.
#[derive(Debug)]
pub(super) struct Compiled<G: Rules> {
    images: Vec<Vec<Step<G>>>,
    looks_back: bool,
}

#[derive(Debug)]
struct Step<G: Rules> {
    next: bool,
    node: Node<G>,
}

/// A condition.
#[derive(Debug)]
enum Node<G: Rules> {
    All(Vec<Node<G>>),
    Any(Vec<Node<G>>),
    Not(Box<Node<G>>),
    Result(u8),
    /// Whether the second player is to move.
    ToMove(bool),
    Test(Box<dyn Test<G>>),
}

impl<G: Rules> Compiled<G> {
    pub(super) fn new(game: &dyn Patterns<G>, query: &Query) -> Result<Self, String> {
        if query.steps.is_empty() || query.steps.len() > STEPS_MAX {
            return Err(format!("a pattern has 1 to {STEPS_MAX} conditions in sequence"));
        }
        let image = |image: Image| -> Result<Vec<Step<G>>, String> {
            let step = |step: &super::Step| {
                Ok(Step { next: step.next, node: Node::new(game, &step.condition, image)? })
            };
            query.steps.iter().map(step).collect()
        };
        let images: Vec<_> = Image::of(query, game.drawing())?
            .into_iter()
            .map(image)
            .collect::<Result<_, String>>()?;
        let looks_back = images.iter().flatten().any(|step| step.node.looks_back());
        Ok(Self { images, looks_back })
    }

    /// Returns whether any condition depends on the result.
    pub(super) fn asks_result(&self) -> bool {
        self.images.iter().flatten().any(|step| step.node.asks_result())
    }

    /// Returns the results with which a game may match.
    pub(super) fn results(&self) -> u8 {
        let image = |steps: &Vec<Step<G>>| {
            steps.iter().fold(results::ALL, |results, step| results & step.node.results())
        };
        self.images.iter().fold(0, |results, steps| results | image(steps))
    }
}

impl<G: Rules> super::Compiled for Compiled<G> {
    fn may_leave(&self, remains: u64) -> bool {
        let image = |steps: &Vec<Step<G>>| steps.iter().all(|step| step.node.may_leave(remains));
        self.images.iter().any(image)
    }

    fn frames(&self) -> Option<Vec<u64>> {
        let image = |steps: &Vec<Step<G>>| steps.iter().find_map(|step| step.node.frames());
        one_of(self.images.iter().map(image))
    }

    fn typed(&self) -> &dyn Any {
        self
    }
}

/// Returns the frames of alternatives, if each has some.
fn one_of(mut all: impl Iterator<Item = Option<Vec<u64>>>) -> Option<Vec<u64>> {
    let mut frames = all.try_fold(Vec::new(), |mut frames, one| {
        frames.extend(one?);
        Some(frames)
    })?;
    frames.sort_unstable();
    frames.dedup();
    Some(frames)
}

impl<G: Rules> Node<G> {
    fn new(game: &dyn Patterns<G>, condition: &Condition, image: Image) -> Result<Self, String> {
        let all = |conditions: &[Condition]| -> Result<Vec<Self>, String> {
            conditions.iter().map(|condition| Self::new(game, condition, image)).collect()
        };
        Ok(match condition {
            Condition::All(conditions) => match &conditions[..] {
                [one] => Self::new(game, one, image)?,
                _ => Self::All(all(conditions)?),
            },
            Condition::Any(conditions) => Self::any(game, conditions, image)?,
            Condition::Not(condition) => Self::Not(Box::new(Self::new(game, condition, image)?)),
            Condition::Result(set) if image.swapped => Self::Result(results::swapped(*set)),
            Condition::Result(set) => Self::Result(*set),
            Condition::ToMove(second) => Self::ToMove(*second != image.swapped),
            Condition::Ask(ask) => Self::Test(game.test(vec![ask.clone()], image)?),
        })
    }

    /// Creates a node for at least one of these. Rules of one kind become one test, which the game
    /// may merge.
    fn any(game: &dyn Patterns<G>, conditions: &[Condition], image: Image) -> Result<Self, String> {
        let ask = |condition: &Condition| match condition {
            Condition::Ask(ask) => Some(ask.clone()),
            _ => None,
        };
        let asks: Option<Vec<Ask>> = conditions.iter().map(ask).collect();
        let kind = std::mem::discriminant::<Ask>;
        let alike = |asks: &Vec<Ask>| {
            asks.first().is_some_and(|first| asks.iter().all(|ask| kind(ask) == kind(first)))
        };
        if let Some(asks) = asks.filter(alike) {
            return Ok(Self::Test(game.test(asks, image)?));
        }
        let nodes = conditions.iter().map(|one| Self::new(game, one, image));
        Ok(Self::Any(nodes.collect::<Result<_, String>>()?))
    }

    #[inline]
    fn holds(&self, moment: &Moment<'_, G>, outcome: u8) -> bool {
        match self {
            Self::Test(test) => test.holds(moment),
            Self::All(nodes) => nodes.iter().all(|node| node.holds(moment, outcome)),
            Self::Any(nodes) => nodes.iter().any(|node| node.holds(moment, outcome)),
            Self::Not(node) => !node.holds(moment, outcome),
            Self::Result(set) => set & outcome != 0,
            Self::ToMove(second) => moment.game.turn(moment.at).second == *second,
        }
    }

    fn may_come(&self, position: &G::Position, outcome: u8) -> bool {
        match self {
            Self::Test(test) => test.may_come(position),
            Self::All(nodes) => nodes.iter().all(|node| node.may_come(position, outcome)),
            Self::Any(nodes) => nodes.iter().any(|node| node.may_come(position, outcome)),
            Self::Result(set) => set & outcome != 0,
            Self::Not(_) | Self::ToMove(_) => true,
        }
    }

    fn may_leave(&self, remains: u64) -> bool {
        match self {
            Self::Test(test) => test.may_leave(remains),
            Self::All(nodes) => nodes.iter().all(|node| node.may_leave(remains)),
            Self::Any(nodes) => nodes.iter().any(|node| node.may_leave(remains)),
            Self::Not(_) | Self::Result(_) | Self::ToMove(_) => true,
        }
    }

    /// Returns the frames of which every position where it holds has one.
    fn frames(&self) -> Option<Vec<u64>> {
        match self {
            Self::Test(test) => test.frames(),
            Self::All(nodes) => nodes.iter().find_map(Self::frames),
            Self::Any(nodes) => one_of(nodes.iter().map(Self::frames)),
            Self::Not(_) | Self::Result(_) | Self::ToMove(_) => None,
        }
    }

    /// Returns the results with which it may hold.
    fn results(&self) -> u8 {
        match self {
            Self::All(nodes) => nodes.iter().fold(results::ALL, |set, node| set & node.results()),
            Self::Any(nodes) => nodes.iter().fold(0, |set, node| set | node.results()),
            Self::Not(node) => match &**node {
                Self::Result(set) => results::ALL & !set,
                _ => results::ALL,
            },
            Self::Result(set) => *set,
            Self::ToMove(_) | Self::Test(_) => results::ALL,
        }
    }

    fn asks_result(&self) -> bool {
        match self {
            Self::Result(_) => true,
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().any(Self::asks_result),
            Self::Not(node) => node.asks_result(),
            Self::ToMove(_) | Self::Test(_) => false,
        }
    }

    fn looks_back(&self) -> bool {
        match self {
            Self::Test(test) => test.looks_back(),
            Self::All(nodes) | Self::Any(nodes) => nodes.iter().any(Self::looks_back),
            Self::Not(node) => node.looks_back(),
            Self::Result(_) | Self::ToMove(_) => false,
        }
    }
}

/// The progress of an image of a pattern. A step that need not hold at once is awaited to the end
/// of the line; all alternatives are followed, so the search is exhaustive.
struct Run<'p, G: Rules> {
    steps: &'p [Step<G>],
    /// For each number of steps done, whether the next is awaited.
    waiting: u64,
    /// The numbers of steps after which the next may come at any later ply.
    lasting: u64,
    /// The plies of the steps done, for each number of them.
    plies: Vec<Vec<u32>>,
}

impl<'p, G: Rules> Run<'p, G> {
    fn new(steps: &'p [Step<G>]) -> Self {
        let lasting = steps.iter().zip(0..).filter(|(step, _)| !step.next);
        let lasting = lasting.fold(0, |set: u64, (_, place)| set | 1u64.wrapping_shl(place));
        Self { steps, waiting: 1, lasting, plies: vec![Vec::new(); steps.len() + 1] }
    }

    /// Examines a ply; returns whether the last step holds there.
    #[inline]
    fn look(&mut self, moment: &Moment<'_, G>, ply: u32, outcome: u8) -> bool {
        let before = self.waiting;
        self.waiting &= self.lasting;
        // In reverse order, so that a ply serves one step only.
        for (place, step) in self.steps.iter().enumerate().rev() {
            let (here, next) = (1u64 << place, 2u64 << place);
            // An earlier match of the step takes precedence.
            if before & here == 0 || self.waiting & next != 0 {
                continue;
            }
            if step.node.holds(moment, outcome) {
                let (earlier, later) = self.plies.split_at_mut(place + 1);
                if let (Some(from), Some(to)) = (earlier.last(), later.first_mut()) {
                    to.clone_from(from);
                    to.push(ply);
                }
                if place + 1 == self.steps.len() {
                    return true;
                }
                self.waiting |= next;
            }
        }
        false
    }

    /// Returns whether all steps after the furthest state may still hold: every other state has to
    /// pass them too.
    fn may_come(&self, position: &G::Position, outcome: u8) -> bool {
        let furthest = 63u32.saturating_sub(self.waiting.leading_zeros()) as usize;
        let left = self.steps.get(furthest..).unwrap_or_default();
        left.iter().all(|step| step.node.may_come(position, outcome))
    }
}

/// A search along a line.
struct Search<'p, G: Rules> {
    game: &'p G,
    runs: Vec<Run<'p, G>>,
    looks_back: bool,
    before: Option<G::Position>,
    ply: u32,
    /// The number of plies of the line.
    plies: u32,
    outcome: u8,
    found: Option<Vec<u32>>,
}

impl<'p, G: Rules> Search<'p, G> {
    /// Begins at the start of a line; `None` if the pattern is another game's.
    fn new(game: &'p G, plies: u32, pattern: &'p Pattern, outcome: u8) -> Option<Self> {
        let compiled = pattern.compiled.typed().downcast_ref::<Compiled<G>>()?;
        Some(Self {
            game,
            runs: compiled.images.iter().map(|steps| Run::new(steps)).collect(),
            looks_back: compiled.looks_back,
            before: None,
            ply: 0,
            plies,
            outcome,
            found: None,
        })
    }

    /// Examines the next position; breaks if it is found, or can come no more.
    #[inline]
    fn look(&mut self, position: &G::Position) -> ControlFlow<()> {
        let Self { game, ply, outcome, .. } = *self;
        let last = ply == self.plies;
        let planes = OnceCell::new();
        let moment = Moment { game, before: self.before.as_ref(), at: position, last, planes };
        let place = self.runs.iter_mut().position(|run| run.look(&moment, ply, outcome));
        if let Some(run) = place.and_then(|place| self.runs.get_mut(place)) {
            self.found = run.plies.pop();
            return ControlFlow::Break(());
        }
        if ply.is_multiple_of(LOOK_AHEAD) {
            self.runs.retain(|run| run.may_come(position, outcome));
            if self.runs.is_empty() {
                return ControlFlow::Break(());
            }
        }
        if self.looks_back {
            match &mut self.before {
                Some(before) => before.clone_from(position),
                None => self.before = Some(position.clone()),
            }
        }
        self.ply += 1;
        ControlFlow::Continue(())
    }
}

/// Returns the plies of a pattern's steps where a line first matches; `None` if it never does, or
/// if the pattern is another game's. `outcome` is the game's result, one bit of [`results`].
///
/// # Errors
/// Returns an error if the code is not one of the codec's, or holds fewer plies.
pub(crate) fn matched<G: Rules, C: LineCodec<G>>(
    (game, codec): (&G, &C),
    (start, plies, code): (G::Position, u32, &[u8]),
    pattern: &Pattern,
    outcome: u8,
) -> Result<Option<Vec<u32>>, Error> {
    let Some(mut search) = Search::new(game, plies, pattern, outcome) else { return Ok(None) };
    if search.look(&start).is_continue() {
        codec.replay(game, start, plies, code, &mut |_, position| search.look(position))?;
    }
    Ok(search.found)
}

/// Returns what [`matched`] does, for a line of candidate indices.
///
/// # Errors
/// Returns an error if an index is too large.
pub(crate) fn matched_by_indices<G: Rules>(
    game: &G,
    (start, indices): (G::Position, &[u16]),
    pattern: &Pattern,
    outcome: u8,
) -> Result<Option<Vec<u32>>, Error> {
    let plies = u32::try_from(indices.len()).unwrap_or(u32::MAX);
    let Some(mut search) = Search::new(game, plies, pattern, outcome) else { return Ok(None) };
    if search.look(&start).is_continue() {
        let source = IndexSource::new(game, indices, true);
        replay_from(source, game, start, &mut |_, position| search.look(position))?;
    }
    Ok(search.found)
}
