//! Writes and reads the text of a PGN layout.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use super::layout::{
    Comments, Gap, Gaps, Layout, Lines, NULLS, Numbers, Renumber, ResultLine, ResultMark, Spelling,
};
use super::{NAME, RESULTS, TITLE};
use crate::charset::Charset;
use crate::layout::{self, SPACE_MAX, read_space, read_words, write_space};

impl Display for Layout {
    /// `pgn`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::usual(self.crlf);
        f.write_str(NAME)?;
        if self.crlf {
            f.write_str(" newline=crlf")?;
        }
        layout::write_charset(self.charset, f)?;
        self.write_moves(&usual, f)?;
        self.write_result(&usual, f)?;
        match self.lines {
            lines if lines == usual.lines => {}
            Lines::One => f.write_str(" lines=one")?,
            Lines::Within(width) => write!(f, " lines=within-{width}")?,
            Lines::After(length) => write!(f, " lines=after-{length}")?,
        }
        if self.trailing_space {
            f.write_str(" trail=space")?;
        }
        self.write_annotations(&usual, f)?;
        for (key, space, usual) in [
            ("lead", &self.lead, usual.lead),
            ("gap", &self.gap, usual.gap),
            ("end", &self.end, usual.end),
        ] {
            if *space != usual {
                write!(f, " {key}={}", write_space(space).unwrap_or_default())?;
            }
        }
        Ok(())
    }
}

impl Layout {
    /// Writes the words about moves and numbers that are not the `usual` ones.
    fn write_moves(&self, usual: &Self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.spelling {
            Spelling::Customary => {}
            Spelling::MateAsCheck => f.write_str(" moves=mate-as-check")?,
            Spelling::Unmarked => f.write_str(" moves=unmarked")?,
            Spelling::Coordinates => f.write_str(" moves=coordinates")?,
            Spelling::Named(name) => write!(f, " moves={name}")?,
        }
        if self.null != usual.null {
            write!(f, " null={}", self.null)?;
        }
        match self.numbers {
            Numbers::Spaced => {}
            Numbers::Unbroken => f.write_str(" numbers=unbroken")?,
            Numbers::Joined => f.write_str(" numbers=joined")?,
            Numbers::Absent => f.write_str(" numbers=absent")?,
        }
        for (key, spaces) in [("indent", self.number_indent), ("number-width", self.number_width)] {
            if spaces > 0 {
                write!(f, " {key}={spaces}")?;
            }
        }
        if let Some(spaces) = self.second_line {
            write!(f, " second-line={spaces}")?;
        }
        Ok(())
    }

    /// Writes the words about the result that are not the `usual` ones.
    fn write_result(&self, usual: &Self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.result {
            ResultMark::Same => {}
            ResultMark::Absent => f.write_str(" result=absent")?,
            ResultMark::Marker(marker) => write!(f, " result={marker}")?,
        }
        match self.result_line {
            ResultLine::Filled => {}
            ResultLine::Same => f.write_str(" result-line=same")?,
            ResultLine::Own => f.write_str(" result-line=own")?,
            ResultLine::Apart => f.write_str(" result-line=apart")?,
        }
        if self.result_gap != usual.result_gap {
            write!(f, " result-gap={}", self.result_gap)?;
        }
        Ok(())
    }

    /// Writes the words about annotations that are not the `usual` ones.
    fn write_annotations(&self, usual: &Self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Renumber { comment, variation, glyph, before_glyph, before_comment } = self.renumber;
        if self.renumber != usual.renumber {
            f.write_str(" renumber=")?;
            let after = [(comment, 'c'), (variation, 'v'), (glyph, 'g')];
            for (wanted, letter) in
                after.into_iter().chain([(before_glyph, 'b'), (before_comment, 'a')])
            {
                if wanted {
                    f.write_char(letter)?;
                }
            }
        }
        if self.dots_joined {
            f.write_str(" dots=joined")?;
        }
        if self.gaps != usual.gaps {
            f.write_str(" gaps=")?;
            for gap in self.gaps.list() {
                f.write_char(match gap {
                    Gap::Nothing => '0',
                    Gap::Space => 's',
                    Gap::Line => 'n',
                })?;
            }
        }
        match self.comments {
            Comments::Kept => {}
            Comments::Filled => f.write_str(" comments=filled")?,
            Comments::Whole => f.write_str(" comments=whole")?,
        }
        if let Some(values) = self.values {
            write!(f, " values={values}")?;
        }
        if let Some(reviews) = &self.reviews {
            write!(f, " reviews={reviews}")?;
        }
        if self.breaks_tight {
            f.write_str(" breaks=tight")?;
        }
        Ok(())
    }
}

impl FromStr for Layout {
    type Err = String;

    /// # Errors
    /// Returns an error that names the unknown word; a newer version may have written it.
    fn from_str(text: &str) -> Result<Self, String> {
        // The defaults of other words depend on this one.
        let crlf = text.split(' ').nth(1) == Some("newline=crlf");
        read_words((NAME, TITLE), text, Self::usual(crlf), |layout, key, value| {
            match (key, value) {
                ("newline", "crlf") => crlf.then_some(()),
                ("result" | "result-line" | "result-gap", _) => layout.take_result(key, value),
                ("renumber" | "gaps" | "comments" | "values" | "reviews" | "breaks", _) => {
                    layout.take_annotations(key, value)
                }
                _ => layout.take_moves(key, value),
            }
        })
    }
}

impl Layout {
    /// Takes a word about moves, numbers, lines and white space.
    fn take_moves(&mut self, key: &str, value: &str) -> Option<()> {
        let spaces = || value.parse().ok().filter(|&spaces: &u16| usize::from(spaces) <= SPACE_MAX);
        match (key, value) {
            ("charset", name) => self.charset = Charset::of_name(name)?,
            ("moves", name) => self.spelling = read_spelling(name)?,
            ("null", name) => self.null = NULLS.into_iter().find(|null| *null == name)?,
            ("numbers", "unbroken") => self.numbers = Numbers::Unbroken,
            ("numbers", "joined") => self.numbers = Numbers::Joined,
            ("numbers", "absent") => self.numbers = Numbers::Absent,
            ("indent", _) => self.number_indent = spaces()?,
            ("number-width", _) => self.number_width = spaces()?,
            ("second-line", _) => self.second_line = Some(spaces()?),
            ("lines", "one") => self.lines = Lines::One,
            ("lines", _) => {
                let (rule, length) = value.split_once('-')?;
                let length = length.parse().ok()?;
                self.lines = match rule {
                    "within" => Lines::Within(length),
                    "after" => Lines::After(length),
                    _ => return None,
                };
            }
            ("trail", "space") => self.trailing_space = true,
            ("dots", "joined") => self.dots_joined = true,
            ("lead", _) => self.lead = read_space(value)?,
            ("gap", _) => self.gap = read_space(value)?,
            ("end", _) => self.end = read_space(value)?,
            _ => return None,
        }
        Some(())
    }

    /// Takes a word about the result.
    fn take_result(&mut self, key: &str, value: &str) -> Option<()> {
        match (key, value) {
            ("result", "absent") => self.result = ResultMark::Absent,
            ("result", marker) => {
                let known = RESULTS.into_iter().find(|&known| known == marker);
                self.result = ResultMark::Marker(known?);
            }
            ("result-line", "same") => self.result_line = ResultLine::Same,
            ("result-line", "own") => self.result_line = ResultLine::Own,
            ("result-line", "apart") => self.result_line = ResultLine::Apart,
            ("result-gap", _) => self.result_gap = value.parse().ok()?,
            _ => return None,
        }
        Some(())
    }

    /// Takes a word about annotations.
    fn take_annotations(&mut self, key: &str, value: &str) -> Option<()> {
        match (key, value) {
            ("renumber", letters) => {
                let [comment, variation, glyph, before_glyph, before_comment] =
                    ['c', 'v', 'g', 'b', 'a'].map(|letter| letters.contains(letter));
                if !letters.bytes().all(|letter| b"cvgba".contains(&letter)) {
                    return None;
                }
                self.renumber =
                    Renumber { comment, variation, glyph, before_glyph, before_comment };
            }
            ("gaps", letters) => {
                let gap = |letter| match letter {
                    b'0' => Some(Gap::Nothing),
                    b's' => Some(Gap::Space),
                    b'n' => Some(Gap::Line),
                    _ => None,
                };
                let gaps: Option<Vec<Gap>> = letters.bytes().map(gap).collect();
                self.gaps = Gaps::from_list(gaps?.try_into().ok()?);
            }
            ("comments", "filled") => self.comments = Comments::Filled,
            ("comments", "whole") => self.comments = Comments::Whole,
            ("values", style) => self.values = Some(style.parse().ok()?),
            ("reviews", style) => self.reviews = Some(style.parse().ok()?),
            ("breaks", "tight") => self.breaks_tight = true,
            _ => return None,
        }
        Some(())
    }
}

/// The spelling with this name: names of notations are lower-case letters and dashes.
fn read_spelling(name: &str) -> Option<Spelling> {
    let is_name = |sign: u8| sign.is_ascii_lowercase() || sign == b'-';
    Some(match name {
        "mate-as-check" => Spelling::MateAsCheck,
        "unmarked" => Spelling::Unmarked,
        "coordinates" => Spelling::Coordinates,
        name if name.bytes().all(is_name) => Spelling::Named(name.into()),
        _ => return None,
    })
}
