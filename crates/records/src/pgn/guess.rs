//! Guesses the layout of a PGN record from its text.

use super::RESULTS;
use super::body::length;
use super::layout::{
    Comments, Gap, Gaps, Layout, Lines, NULLS, Numbers, Renumber, ResultLine, ResultMark, Spelling,
};
use crate::format::Sketch;
use crate::layout::{SPACE_MAX, write_space};
use crate::record::{Item, ItemKind, Record};

/// The spelling of a record's first null move, or the usual one.
fn null_of(record: &Record<'_>) -> &'static str {
    let moves = record.items.iter().filter(|item| item.kind == ItemKind::Move);
    let spelling = |item: &Item<'_>| NULLS.into_iter().find(|null| *null == item.text);
    moves.filter_map(spelling).next().unwrap_or(NULLS[0])
}

/// A movetext without the white space at its end.
struct Body<'a> {
    whole: &'a str,
    /// What is before the result.
    moves: &'a str,
    /// How the result has a line of its own, if it has one.
    own_line: Option<ResultLine>,
}

impl Layout {
    /// The layouts that a record may have, likeliest first.
    pub fn guess(sketch: &Sketch<'_>) -> Vec<Self> {
        let record = sketch.record;
        let Some((layout, body)) = Self::around(sketch) else { return Vec::new() };
        let styles = number_styles(record);
        let annotated =
            record.items.iter().any(|item| !matches!(item.kind, ItemKind::Move | ItemKind::Result));
        let layout = if annotated { layout.with_gaps(record, sketch.second) } else { layout };
        let mut layouts = layout.in_lines(&body, styles, annotated);
        layouts.extend(layout.in_columns(&body, styles, record));
        let is_broken =
            |item: &Item<'_>| item.kind == ItemKind::Comment && item.text.contains('\n');
        if record.items.iter().any(is_broken) {
            layouts.splice(0..0, with_broken_comments(&layouts));
        }
        layouts
    }

    /// The layout of what is around the moves: white space and the result. `None` if the white
    /// space cannot be written.
    fn around<'a>(sketch: &Sketch<'a>) -> Option<(Self, Body<'a>)> {
        let Sketch { text, charset, record, values, .. } = *sketch;
        let before = &text[..text.len() - record.movetext.len()];
        let tags = before.trim();
        let lead = &before[..before.len() - before.trim_start().len()];
        let body = record.movetext.trim_ascii_end();
        let end = &record.movetext[body.len()..];
        let gap = if tags.is_empty() { "" } else { &before[lead.len() + tags.len()..] };
        if [lead, gap, end].iter().any(|space| write_space(space).is_none()) {
            return None;
        }
        let crlf = memchr::memchr(b'\n', text.as_bytes())
            .is_some_and(|newline| text[..newline].ends_with('\r'));
        let result = RESULTS.into_iter().find(|&marker| record.result == Some(marker));
        let head = result.and_then(|marker| body.strip_suffix(marker));
        let (moves, result_gap) = match head {
            Some(head) => (head.trim_end(), head.len() - head.trim_end_matches(' ').len()),
            None => (body, 1),
        };
        let ends_spaced = |line: &&str| line.ends_with(' ');
        let broken = body.lines().count().saturating_sub(1);
        let trailing_space = body.lines().take(broken).filter(ends_spaced).count() * 2 > broken;
        let after = head.map(|head| &head[moves.len()..]);
        let after =
            after.map(|after| if trailing_space { after.trim_start_matches(' ') } else { after });
        let own_line = match after {
            Some("\n" | "\r\n") => Some(ResultLine::Own),
            Some("\n\n" | "\r\n\r\n") => Some(ResultLine::Apart),
            _ => None,
        };
        let layout = Self {
            charset,
            lead: lead.into(),
            gap: gap.into(),
            spelling: Spelling::of_sketch(sketch),
            null: null_of(record),
            values,
            reviews: sketch.reviews.cloned(),
            result: match result {
                None => ResultMark::Absent,
                Some(marker) if record.tag("Result") == Some(marker) => ResultMark::Same,
                Some(marker) => ResultMark::Marker(marker),
            },
            trailing_space,
            result_gap: u16::try_from(result_gap).unwrap_or(1).max(1),
            end: end.into(),
            ..Self::usual(crlf)
        };
        Some((layout, Body { whole: body, moves, own_line }))
    }

    /// This layout with moves that run on over lines.
    fn in_lines(&self, body: &Body<'_>, styles: &[Numbers], annotated: bool) -> Vec<Self> {
        let &Body { whole, moves, own_line } = body;
        let result_lines = [(whole, ResultLine::Filled), (moves, ResultLine::Same)];
        let own_line = own_line.map(|own| (moves, own));
        let mut layouts = Vec::new();
        for &numbers in styles {
            for (filled, result_line) in result_lines.into_iter().chain(own_line) {
                for lines in guess_lines(filled, numbers) {
                    let layout = Self { numbers, lines, result_line, ..self.clone() };
                    if annotated && lines != Lines::One {
                        layouts.push(Self { breaks_tight: true, ..layout.clone() });
                    }
                    layouts.push(layout);
                }
            }
        }
        layouts
    }

    /// This layout with numbers and moves in columns.
    fn in_columns(&self, body: &Body<'_>, styles: &[Numbers], record: &Record<'_>) -> Vec<Self> {
        let mut layouts = Vec::new();
        for (number_indent, number_width, second_line) in guess_columns(&self.gap, record) {
            let gap = self.gap.trim_end_matches(' ').to_owned();
            for &numbers in styles {
                for result_line in body.own_line.into_iter().chain([ResultLine::Filled]) {
                    layouts.push(Self {
                        numbers,
                        number_indent,
                        number_width,
                        second_line,
                        lines: Lines::After(1),
                        result_line,
                        gap: gap.clone(),
                        ..self.clone()
                    });
                }
            }
        }
        layouts
    }

    /// The layout with the gaps and numbers of most of a record's annotations.
    fn with_gaps(mut self, record: &Record<'_>, second: bool) -> Self {
        let Votes { gaps: votes, numbered, dots } = Votes::of(record, second);
        let gap = |place: usize, usual: Gap| match votes[place] {
            [0, 0, 0] => usual,
            // A newline may be a space at the end of a full line.
            [nothing, space, line] if line > space + nothing => Gap::Line,
            [nothing, space, _] if nothing > space => Gap::Nothing,
            _ => Gap::Space,
        };
        let usual = self.gaps;
        self.gaps = Gaps {
            before_comment: gap(0, usual.before_comment),
            after_comment: gap(1, usual.after_comment),
            before_variation: gap(2, usual.before_variation),
            after_variation: gap(3, usual.after_variation),
            after_open: gap(4, usual.after_open),
            before_close: gap(5, usual.before_close),
        };
        let renumber = |place: usize, usual: bool| match numbered[place] {
            [0, 0] => usual,
            [without, with] => with > without,
        };
        self.renumber = Renumber {
            comment: renumber(0, self.renumber.comment),
            variation: renumber(1, self.renumber.variation),
            glyph: renumber(2, self.renumber.glyph),
            before_glyph: renumber(3, self.renumber.before_glyph),
            before_comment: renumber(4, self.renumber.before_comment),
        };
        self.dots_joined = dots[1] > dots[0];
        self
    }
}

/// How a record's annotations are written, counted.
#[derive(Default)]
struct Votes {
    /// For each place: nothing, a space, a newline.
    gaps: [[u32; 3]; 6],
    /// For each place, second players' moves without and with a number.
    numbered: [[u32; 2]; 5],
    /// Their numbers, and those that are joined to the move.
    dots: [u32; 2],
}

impl Votes {
    /// Counts them; `second` tells whether the second player begins.
    fn of(record: &Record<'_>, second: bool) -> Self {
        let mut votes = Self::default();
        let mut turns = vec![second];
        let mut last: Option<&Item<'_>> = None;
        let mut items = record.items.iter().peekable();
        while let Some(item) = items.next() {
            let space = &record.movetext[last.map_or(0, |last| last.end)..item.start];
            if let Some(place) = last.and_then(|last| Gaps::place(last.kind, item.kind)) {
                let vote = match space {
                    "" => 0,
                    _ if space.contains('\n') => 2,
                    _ => 1,
                };
                votes.gaps[place][vote] += 1;
            }
            let kind = |item: Option<&Item<'_>>| item.map(|item| item.kind);
            match item.kind {
                ItemKind::Move => {
                    let turn = turns.last_mut();
                    if turn.as_deref() == Some(&true) {
                        let number = &record.movetext[item.start..item.end - item.text.len()];
                        votes.add_number(number, kind(last), kind(items.peek().copied()));
                    }
                    if let Some(turn) = turn {
                        *turn = !*turn;
                    }
                }
                ItemKind::Open => turns.push(!turns.last().copied().unwrap_or(false)),
                ItemKind::Close if turns.len() > 1 => {
                    turns.pop();
                }
                _ => {}
            }
            last = Some(item);
        }
        votes
    }

    /// Counts the number of a second player's move, empty if it has none, by what is before the
    /// move and after it.
    fn add_number(&mut self, number: &str, last: Option<ItemKind>, next: Option<ItemKind>) {
        let has_number = !number.is_empty();
        let place = match last {
            Some(ItemKind::Comment) => Some(0),
            Some(ItemKind::Close) => Some(1),
            Some(ItemKind::Glyph | ItemKind::Suffix) => Some(2),
            _ => match next {
                Some(ItemKind::Comment) => Some(4),
                next => next.filter(|next| next.is_glyph()).map(|_| 3),
            },
        };
        if let Some(place) = place {
            self.numbered[place][usize::from(has_number)] += 1;
        }
        if has_number {
            self.dots[usize::from(number.ends_with('.'))] += 1;
        }
    }
}

/// The styles of numbers that the first move may have.
fn number_styles(record: &Record<'_>) -> &'static [Numbers] {
    let first = record.items.iter().find(|item| item.kind == ItemKind::Move);
    match first.map(|item| &record.movetext[item.start..item.end - item.text.len()]) {
        None => &[Numbers::Spaced],
        Some("") => &[Numbers::Absent],
        Some(number) if number.ends_with('.') => &[Numbers::Joined],
        Some(_) => &[Numbers::Spaced, Numbers::Unbroken],
    }
}

/// Layouts whose comments may be broken into lines like moves.
fn with_broken_comments(layouts: &[Layout]) -> Vec<Layout> {
    let filled = layouts.iter().map(|layout| (Comments::Filled, layout));
    // The others would give the same.
    let tight = layouts.iter().filter(|layout| layout.breaks_tight);
    let whole = tight.map(|layout| (Comments::Whole, layout));
    let broken = whole.chain(filled);
    broken.map(|(comments, layout)| Layout { comments, ..layout.clone() }).collect()
}

/// The rules that may have broken a movetext into lines.
fn guess_lines(body: &str, numbers: Numbers) -> Vec<Lines> {
    /// Line widths that PGN writers use, the commonest first.
    const USUAL_WITHIN: [usize; 6] = [80, 79, 78, 75, 100, 255];
    const USUAL_AFTER: [usize; 2] = [72, 1];
    let lines: Vec<&str> = body.lines().map(|line| line.trim_end_matches(' ')).collect();
    let [full @ .., last] = lines.as_slice() else { return vec![Lines::Within(80)] };
    if full.is_empty() {
        return vec![Lines::One];
    }
    let number = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    // The longest line fits, and no line has room for the first word of the next.
    let longest = full.iter().map(|line| length(line)).max().unwrap_or(0);
    let overfull = lines
        .windows(2)
        .map(|pair| length(pair[0]) + 1 + first_word(pair[1], numbers == Numbers::Unbroken));
    let overfull = overfull.min().unwrap_or(0);
    let at_least = longest.max(length(last));
    let usual = USUAL_WITHIN.into_iter().find(|&width| (at_least..overfull).contains(&width));
    let mut rules = match usual {
        Some(width) => vec![Lines::Within(number(width))],
        // No width explains all lines; perhaps one explains most.
        None => {
            // Comments may be lines of their own, however long.
            let moves = lines.iter().filter(|line| !line.contains(['{', '}']));
            let widest = moves.map(|line| length(line)).max().unwrap_or(at_least);
            [at_least, widest, 80, 79].into_iter().map(|w| Lines::Within(number(w))).collect()
        }
    };
    // Every line but the last is long enough, and none was before its last number.
    let numbered = |word: &&str| word.starts_with(|first: char| first.is_ascii_digit());
    if lines.iter().all(numbered) {
        let shortest = full.iter().map(|line| length(line)).min().unwrap_or(0);
        let before_last = |line: &&str| {
            let words = line.rmatch_indices(' ');
            let found = words.map(|(at, _)| at).find(|at| numbered(&&line[at + 1..]));
            found.map_or(0, |at| length(&line[..at]))
        };
        let too_short = lines.iter().map(before_last).max().unwrap_or(0);
        let usual =
            USUAL_AFTER.into_iter().find(|after| (too_short + 1..=shortest).contains(after));
        rules.push(Lines::After(number(usual.unwrap_or(shortest))));
    }
    rules
}

/// The ways in which numbers and second players' moves may be aligned in columns, if the first of
/// each are: the indent and width of numbers, and the spaces before second players' moves. `gap` is
/// the white space before the first number.
fn guess_columns(gap: &str, record: &Record<'_>) -> Vec<(u16, u16, Option<u16>)> {
    let count =
        |text: &str| u16::try_from(text.len()).ok().filter(|&n| usize::from(n) <= SPACE_MAX);
    let spaces = &gap[gap.trim_end_matches(' ').len()..];
    let mut moves = record.items.iter();
    let second_line = match (moves.next(), moves.next()) {
        (Some(first), Some(second)) if second.kind == ItemKind::Move => {
            let between = &record.movetext[first.end..second.end - second.text.len()];
            let indent = between.strip_prefix("\r\n").or_else(|| between.strip_prefix('\n'));
            indent.filter(|indent| indent.trim_start_matches(' ').is_empty()).and_then(count)
        }
        _ => None,
    };
    let digits = record.movetext.bytes().take_while(u8::is_ascii_digit).count();
    let Some(indent) = count(spaces).filter(|_| digits > 0) else { return Vec::new() };
    let filled = u16::try_from(digits).ok().and_then(|digits| indent.checked_add(digits));
    match (indent, second_line) {
        (0, None) => Vec::new(),
        (0, Some(_)) => vec![(0, 0, second_line)],
        _ => vec![(0, filled.unwrap_or(0), second_line), (indent, 0, second_line)],
    }
}

/// The length of a line's first word; including its move, if a number and its move are `unbroken`.
fn first_word(line: &str, unbroken: bool) -> usize {
    let mut words = line.split(' ').map(length);
    let first = words.next().unwrap_or(0);
    let number = unbroken && line.split(' ').next().is_some_and(|word| word.ends_with('.'));
    if number { first + 1 + words.next().unwrap_or(0) } else { first }
}
