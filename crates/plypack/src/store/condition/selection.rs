//! Evaluates conditions.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use arrow_buffer::BooleanBuffer;

use super::expression::{Expression, Text, years};
use super::literal::Comparison;
use super::names::{self, Kind, Source, Subject};
use super::parser::Name;
use super::{Condition, ConditionError};
use crate::store::cells::{Answer, Bounds, Cells};
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::person::{Likeness, Person};
use crate::store::{facts, tag_value};

impl PackedFile {
    /// Returns which games of a row group satisfy a condition: of all games, or of those in these
    /// ascending rows of the group. Reads the columns that the condition names, unless the footer
    /// rules out a match.
    ///
    /// # Errors
    /// Returns an error if the file holds positions, lacks one of the rows, or cannot be read, or
    /// if its columns do not have our types.
    pub fn select(
        &self,
        group: usize,
        rows: Option<&[u32]>,
        condition: &Condition,
    ) -> Result<BooleanBuffer, Error> {
        let length = self.length(group, rows)?;
        Question { file: self, group, rows, length, kept: RefCell::default() }
            .ask(&condition.expression)
    }

    /// Whether games of a row group may satisfy a condition, as far as the footer tells.
    pub fn may_match(&self, group: usize, condition: &Condition) -> bool {
        may_match(self, group, &condition.expression)
    }

    /// Whether a name is one of our columns, which a file may lack where it has no value, or a game
    /// has this tag, ignoring case; collects the names of other tags in `others`.
    pub(super) fn knows(&self, name: &Name, others: &mut BTreeSet<String>) -> Result<bool, Error> {
        if name.column.is_some() {
            return Ok(true);
        }
        let name = name.name.as_str();
        for group in 0..self.groups() {
            let orders = self.cells(group, None, "tag_order")?;
            let mut is_told = true;
            let mut last = None;
            for order in orders.texts() {
                is_told &= order.is_some();
                if order.is_some() && order != last {
                    for found in order.unwrap_or_default().split(' ') {
                        if found.eq_ignore_ascii_case(name) {
                            return Ok(true);
                        }
                        if !others.contains(found) {
                            others.insert(found.to_owned());
                        }
                    }
                    last = order;
                }
            }
            // Verbatim records have no tag order.
            if !is_told && self.cells(group, None, "tags")?.tags(name).any(|tag| tag.is_some()) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Name {
    /// Returns the error for a name that no column or tag has; `there` holds the existing tags.
    pub(super) fn unknown(&self, there: &BTreeSet<String>) -> ConditionError {
        let name = &self.name;
        let mut known: Vec<&str> = names::all().collect();
        known.extend(there.iter().map(String::as_str));
        let why = match names::nearest(name, known.iter().copied()) {
            Some(near) => format!(
                "there is no column `{name}`, and no game has that tag; did you mean `{near}`?"
            ),
            None if self.is_quoted => format!(
                "there is no column `{name}`, and no game has that tag; double quotes enclose \
                 names, and single quotes text: '{name}'"
            ),
            None => {
                let names: BTreeSet<&str> =
                    known.into_iter().filter(|name| !name.is_empty()).collect();
                let names: Vec<&str> = names.into_iter().take(100).collect();
                format!(
                    "there is no column `{name}`, and no game has that tag; text goes in single \
                     quotes, and the known names are {}",
                    names.join(", ")
                )
            }
        };
        ConditionError::new(why, Some(self.at))
    }
}

/// An evaluation on rows of a row group.
struct Question<'a> {
    file: &'a PackedFile,
    group: usize,
    rows: Option<&'a [u32]>,
    length: usize,
    /// The columns read so far.
    kept: RefCell<Vec<(&'static str, Rc<Cells>)>>,
}

impl Question<'_> {
    /// Returns the rows for which the expression holds.
    fn ask(&self, expression: &Expression) -> Result<BooleanBuffer, Error> {
        if !may_match(self.file, self.group, expression) {
            return Ok(BooleanBuffer::new_unset(self.length));
        }
        match expression {
            Expression::All(parts) => {
                let mut all = BooleanBuffer::new_set(self.length);
                for part in parts {
                    if all.count_set_bits() == 0 {
                        break;
                    }
                    all = &all & &self.ask(part)?;
                }
                Ok(all)
            }
            Expression::Any(parts) => {
                let mut any = BooleanBuffer::new_unset(self.length);
                for part in parts {
                    if any.count_set_bits() == self.length {
                        break;
                    }
                    any = &any | &self.ask(part)?;
                }
                Ok(any)
            }
            Expression::Present { subject, negated } => {
                let found = self.ask_sources(subject, |_| false, &[])?;
                Ok(if *negated { !&found.present } else { found.present })
            }
            Expression::Numbers { subject, ranges } => {
                Ok(self.ask_sources(subject, |_| false, ranges)?.yes)
            }
            Expression::Texts { subject, texts, negated } => {
                let wanted = Some(!negated);
                Ok(self.ask_sources(subject, |text| texts.say(text) == wanted, &[])?.yes)
            }
            Expression::Both { left, comparison, right, negated } => {
                self.ask_both(left, *comparison, right, !negated)
            }
            Expression::SamePlayer { left, right, negated } => {
                let (left, right) = (self.texts(left)?, self.texts(right)?);
                let is_same = |(one, other): (&Option<String>, &Option<String>)| {
                    let (one, other) = (one.as_ref()?, other.as_ref()?);
                    Some(Person::read(one).compare(&Person::read(other)) == Likeness::Same)
                };
                let wanted = Some(!negated);
                Ok(left.iter().zip(&right).map(|pair| is_same(pair) == wanted).collect())
            }
        }
    }

    /// Answers each row from the first source that has a value there.
    fn ask_sources(
        &self,
        subject: &Subject,
        text: impl Fn(&str) -> bool,
        ranges: &[(i64, i64)],
    ) -> Result<Answer, Error> {
        let mut found: Option<Answer> = None;
        for source in &subject.sources {
            let next = match source {
                Source::Column(name) if matches!(subject.kind, Kind::Text | Kind::Date) => {
                    self.cells(name)?.ask_texts(&text)
                }
                Source::Column(name) => self.cells(name)?.ask_numbers(ranges),
                Source::Tag(name) => match self.file.may_have_tag(self.group, self.rows, name)? {
                    true => self.cells("tags")?.ask_tags(name, &text),
                    false => Answer::nothing(self.length),
                },
                Source::Year => {
                    let years = facts::years(self.file, self.group, self.rows)?;
                    Cells::of_numbers(years.into_iter().map(|year| year.map(i64::from)))
                        .ask_numbers(ranges)
                }
            };
            found = Some(match found {
                Some(Answer { present, yes }) => Answer {
                    yes: &yes | &(&next.yes & &!&present),
                    present: &present | &next.present,
                },
                None => next,
            });
        }
        Ok(found.unwrap_or_else(|| Answer::nothing(self.length)))
    }

    fn ask_both(
        &self,
        left: &Subject,
        comparison: Comparison,
        right: &Subject,
        wanted: bool,
    ) -> Result<BooleanBuffer, Error> {
        let is_text = |subject: &Subject| matches!(subject.kind, Kind::Text | Kind::Date);
        let said: Vec<Option<bool>> = match (is_text(left), is_text(right)) {
            (true, true) => {
                let (left, right) = (self.texts(left)?, self.texts(right)?);
                let pairs = left.iter().zip(&right);
                pairs.map(|(l, r)| Some(comparison.is(l.as_ref()?, r.as_ref()?))).collect()
            }
            (false, false) => {
                let (left, right) = (self.numbers(left)?, self.numbers(right)?);
                let pairs = left.iter().zip(&right);
                pairs.map(|(l, r)| Some(comparison.is(l.as_ref()?, r.as_ref()?))).collect()
            }
            (false, true) => {
                let (left, right) = (self.numbers(left)?, self.texts(right)?);
                let pairs = left.iter().zip(&right);
                let compare = |(l, r): (&Option<i64>, &Option<String>)| {
                    Text::Number(comparison.turned(), float(*l.as_ref()?)).say(r.as_ref()?)
                };
                pairs.map(compare).collect()
            }
            (true, false) => return self.ask_both(right, comparison.turned(), left, wanted),
        };
        let wanted = Some(wanted);
        Ok(said.into_iter().map(|said| said == wanted).collect())
    }

    /// Returns the subject's texts, one per row.
    fn texts(&self, subject: &Subject) -> Result<Vec<Option<String>>, Error> {
        let mut texts = vec![None; self.length];
        for source in &subject.sources {
            let mut fill = |found: &mut dyn Iterator<Item = Option<&str>>| {
                for (text, found) in texts.iter_mut().zip(found) {
                    if text.is_none() {
                        *text = found.map(str::to_owned);
                    }
                }
            };
            match source {
                Source::Column(name) => fill(&mut self.cells(name)?.texts()),
                Source::Tag(name) if self.file.may_have_tag(self.group, self.rows, name)? => {
                    fill(&mut self.cells("tags")?.tags(name));
                }
                Source::Tag(_) | Source::Year => {}
            }
        }
        Ok(texts)
    }

    /// Returns the subject's numbers, one per row.
    fn numbers(&self, subject: &Subject) -> Result<Vec<Option<i64>>, Error> {
        match subject.sources[..] {
            [Source::Column(name)] => Ok(self.cells(name)?.numbers().collect()),
            [Source::Year] => {
                let years = facts::years(self.file, self.group, self.rows)?;
                Ok(years.into_iter().map(|year| year.map(i64::from)).collect())
            }
            _ => Ok(vec![None; self.length]),
        }
    }

    /// Returns the cells of a column, which is read once.
    fn cells(&self, name: &'static str) -> Result<Rc<Cells>, Error> {
        let kept = self.kept.borrow().iter().find(|kept| kept.0 == name).map(|kept| kept.1.clone());
        if let Some(kept) = kept {
            return Ok(kept);
        }
        let cells = Rc::new(self.file.cells(self.group, self.rows, name)?);
        self.kept.borrow_mut().push((name, Rc::clone(&cells)));
        Ok(cells)
    }
}

/// Converts a number to floating point.
#[allow(clippy::cast_precision_loss, reason = "numbers of games are below 2 to the power of 53")]
fn float(number: i64) -> f64 {
    number as f64
}

/// Whether rows of a row group may satisfy an expression, as far as the footer tells.
fn may_match(file: &PackedFile, group: usize, expression: &Expression) -> bool {
    match expression {
        Expression::All(parts) => parts.iter().all(|part| may_match(file, group, part)),
        Expression::Any(parts) => parts.iter().any(|part| may_match(file, group, part)),
        Expression::Present { subject, negated } => {
            *negated || subject.sources.iter().any(|source| may_be_there(file, group, source))
        }
        Expression::Numbers { subject, ranges } => {
            subject.sources.iter().any(|source| may_be_in(file, group, source, ranges))
        }
        Expression::Texts { subject, texts, negated } => {
            let may = |source: &Source| match source {
                Source::Column(name) => match file.bounds(group, name) {
                    Bounds::Nothing => false,
                    Bounds::Texts(least, most) => *negated || texts.may_be(least, most),
                    _ => true,
                },
                source => may_be_there(file, group, source),
            };
            subject.sources.iter().any(may)
        }
        Expression::Both { left, right, .. } | Expression::SamePlayer { left, right, .. } => {
            [left, right]
                .iter()
                .all(|side| side.sources.iter().any(|source| may_be_there(file, group, source)))
        }
    }
}

/// Whether rows may have a value from this source.
fn may_be_there(file: &PackedFile, group: usize, source: &Source) -> bool {
    match source {
        Source::Column(name) => file.bounds(group, name) != Bounds::Nothing,
        Source::Tag(name) => match file.bounds(group, "tags.key") {
            Bounds::Nothing => false,
            // In ASCII, capitals precede small letters.
            Bounds::Texts(least, most) => {
                name.to_ascii_lowercase().as_bytes() >= least
                    && name.to_ascii_uppercase().as_bytes() <= most
            }
            _ => true,
        },
        Source::Year => true,
    }
}

/// Whether rows may have a number from this source in one of these ranges.
fn may_be_in(file: &PackedFile, group: usize, source: &Source, ranges: &[(i64, i64)]) -> bool {
    let is_in = |least: i64, most: i64| {
        let at = ranges.partition_point(|&(_, last)| last < least);
        ranges.get(at).is_some_and(|&(first, _)| first <= most)
    };
    match source {
        Source::Column(name) => match file.bounds(group, name) {
            Bounds::Nothing => false,
            Bounds::Numbers(least, most) => is_in(least, most),
            _ => true,
        },
        Source::Year => facts::YEARS.iter().any(|name| match file.bounds(group, name) {
            Bounds::Nothing => false,
            Bounds::Numbers(least, most) => {
                let year = |day: i64| i32::try_from(day).ok().and_then(tag_value::year);
                let (first, last) = (year(least).unwrap_or(1), year(most).unwrap_or(9999));
                is_in(first.into(), last.into())
            }
            Bounds::Texts(least, most) => {
                let (first, last) = years(least, most);
                is_in(first.into(), last.into())
            }
            _ => true,
        }),
        Source::Tag(_) => true,
    }
}
