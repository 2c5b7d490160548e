//! Share links: a whole game in a URL, so that no server has to keep it.
//!
//! A link is `BASE#TEXT`. The part before the `#` is any page that can show games; browsers do not
//! send the rest to the server. For the format see `docs/FORMAT.md`, section 5.

use plypack_core::link::{Frame, StartCode, codec_length};
use plypack_core::{ErasedLineCodec, ErasedRules, Error, LinkError, Notation, Texts};

#[cfg(feature = "all-games")]
use crate::xiangqi;
use crate::{GAMES, line_codecs, link_codecs, position_codecs};

/// The number of `position.text`, which every game has, registered or not.
const POSITION_TEXT: u16 = 16;

/// A game, or a position without moves, as a link holds it.
#[derive(Clone, Debug)]
pub struct Link {
    /// The game.
    pub game: &'static dyn ErasedRules,
    /// The position that the line starts from, in canonical spelling; `None` for the usual start.
    pub start: Option<String>,
    /// The moves, each as its index among the candidates.
    pub indices: Vec<u16>,
    /// The ply after which to show the board, from 0; at most the number of moves.
    pub shown: u32,
}

impl Link {
    /// Creates a link to a game from `start`, in any dialect of the game's notation, with moves in
    /// any notation. The link shows the end of the game.
    ///
    /// # Errors
    /// Returns an error if the start or a move cannot be read.
    pub fn new(
        game: &'static dyn ErasedRules,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<Self, LinkError> {
        let (indices, stopped) = game.read_moves(start, moves)?;
        if let Some(error) = stopped {
            return Err(error.into());
        }
        Self::from_indices(game, start, indices)
    }

    /// Creates a link to a game from `start`, in any dialect of the game's notation, with moves as
    /// candidate indices. The link shows the end of the game.
    ///
    /// # Errors
    /// Returns an error if the start cannot be read.
    pub fn from_indices(
        game: &'static dyn ErasedRules,
        start: Option<&str>,
        indices: Vec<u16>,
    ) -> Result<Self, LinkError> {
        let start = match start {
            None => None,
            Some(text) => {
                let canonical = game.position_after(Some(text), &[])?;
                Some(canonical).filter(|text| game.position_after(None, &[]).as_ref() != Ok(text))
            }
        };
        let shown = plies_of(&indices);
        Ok(Self { game, start, indices, shown })
    }

    /// Returns the number of moves.
    pub fn plies(&self) -> u32 {
        plies_of(&self.indices)
    }

    /// Returns the texts of the moves.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub fn moves(&self, notation: Notation) -> Result<Texts, Error> {
        self.game.write_moves(self.start.as_deref(), &self.indices, notation)
    }

    /// Returns the position to show, in canonical spelling.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub fn position(&self) -> Result<String, Error> {
        let shown = usize::try_from(self.shown).unwrap_or(usize::MAX);
        let played = self.indices.get(..shown).unwrap_or(&self.indices);
        self.game.position_after(self.start.as_deref(), played)
    }

    /// Returns the codec for the shortest link, among those that every link reader has.
    ///
    /// # Errors
    /// Returns an error if a move is not legal.
    pub fn shortest_codec(&self) -> Result<&'static dyn ErasedLineCodec, LinkError> {
        let mut best: Option<(usize, &'static dyn ErasedLineCodec)> = None;
        for &codec in link_codecs(self.game.info().name) {
            let code = codec.encode_indices(self.start.as_deref(), &self.indices)?;
            // Codecs without a short number spell theirs out in the link.
            let length = code.len() + codec_length(codec.info().id);
            if best.is_none_or(|best| length < best.0) {
                best = Some((length, codec));
            }
        }
        best.map(|best| best.1).ok_or(LinkError::Odd { why: "its game has no codec for links" })
    }

    /// Returns the link's text, without `#`, coded with a codec of the game.
    ///
    /// # Errors
    /// Returns an error if a move is not legal, if the link would be too long, or if the codec is
    /// one that links refuse: go's `line.default` or `line.max`.
    pub fn write(&self, codec: &dyn ErasedLineCodec) -> Result<String, LinkError> {
        refuse_slow(self.game, codec)?;
        let start = self.start.as_deref().map(|text| shortest_start(self.game, text));
        let frame = Frame {
            game: self.game.info().id,
            codec: codec.info().id,
            plies: self.plies(),
            start: start.transpose()?,
            shown: Some(self.shown).filter(|&shown| shown < self.plies()),
            code: codec.encode_indices(self.start.as_deref(), &self.indices)?,
        };
        frame.to_text()
    }

    /// Returns the query of a link in HullQin's format, from its `?` on. His address is
    /// `xiangqi::hullqin::ADDRESS`.
    ///
    /// # Errors
    /// Returns [`LinkError::Style`] if such a link cannot hold the game: it is not xiangqi, the ply
    /// to show is not the last, a set-up start has counters other than 0 and 1, or his lists have
    /// no place for a man.
    #[cfg(feature = "all-games")]
    pub fn write_hullqins(&self) -> Result<String, LinkError> {
        let cannot = |why: String| LinkError::Style { why };
        let info = self.game.info();
        if info.name != "xiangqi" {
            return Err(cannot(format!("it holds only xiangqi games, and this is {}", info.title)));
        }
        if self.shown != self.plies() {
            return Err(cannot("it always shows the position after the last move".into()));
        }
        let moves = self.moves(Notation::Coordinate)?;
        let query = xiangqi::hullqin::write(self.start.as_deref(), &mut moves.iter());
        let query = query.map_err(|error| cannot(error.to_string()))?;
        // Such a link has no checksum, so read it back.
        let back = Self::read_hullqins(&query)?;
        if back.start != self.start || back.indices != self.indices {
            let why = "it has no counters, and those of the start are not 0 and 1";
            return Err(cannot(why.into()));
        }
        Ok(query)
    }

    /// Reads a link, or only the part after its `#`, as mail and chat programs deliver it. Also
    /// reads HullQin's links to xiangqi games.
    ///
    /// # Errors
    /// Returns an error if it is not a link, is damaged, or is newer than this version.
    pub fn read(text: &str) -> Result<Self, LinkError> {
        if is_hullqins(text) {
            return Self::read_hullqins(text);
        }
        let frame = Frame::from_text(&fragment(text))?;
        let game = GAMES.iter().copied().find(|game| game.info().id == frame.game);
        let game = game.ok_or_else(|| LinkError::Newer { what: format!("game {}", frame.game) })?;
        let name = game.info().name;
        let codec = line_codecs(name).find(|codec| codec.info().id == frame.codec);
        let codec = codec.ok_or_else(|| unknown(frame.codec, name))?;
        refuse_slow(game, codec)?;
        let start = frame.start.as_ref().map(|start| read_start(game, start)).transpose()?;
        let indices = codec.decode_indices(start.as_deref(), frame.plies, &frame.code)?;
        // A codec has exactly one code for a game, so a game has one link per codec.
        if codec.encode_indices(start.as_deref(), &indices)? != frame.code {
            return Err(LinkError::Odd { why: "its moves are not coded canonically" });
        }
        if start.is_some() && start == game.position_after(None, &[]).ok() {
            return Err(LinkError::Odd { why: "it spells out the usual start" });
        }
        Ok(Self { game, start, shown: frame.shown.unwrap_or(frame.plies), indices })
    }

    #[cfg(not(feature = "all-games"))]
    fn read_hullqins(_: &str) -> Result<Self, LinkError> {
        Err(LinkError::Unusual { what: "xiangqi".into() })
    }

    #[cfg(feature = "all-games")]
    fn read_hullqins(text: &str) -> Result<Self, LinkError> {
        let line = xiangqi::hullqin::read(&unescape(text))?;
        let game =
            crate::game("xiangqi").ok_or(LinkError::Odd { why: "xiangqi is not built in" })?;
        let usual = game.position_after(None, &[])?;
        let start = Some(line.start.as_str()).filter(|start| *start != usual);
        Self::new(game, start, &mut line.moves.iter().map(String::as_str))
    }
}

/// Returns the error for an unknown codec. All codecs that links use by default are known, so this
/// one is newer, or it was asked for by name and only full builds have it.
fn unknown(codec: u16, of: &str) -> LinkError {
    let what = format!("codec {codec} of {of}");
    if cfg!(feature = "full") { LinkError::Newer { what } } else { LinkError::Unusual { what } }
}

/// Refuses the codecs of go whose model is a tower: ten bytes of a forged link could ask for
/// minutes of work. Only full builds have them.
fn refuse_slow(game: &dyn ErasedRules, codec: &dyn ErasedLineCodec) -> Result<(), LinkError> {
    let slow = ["line.default", "line.max"].contains(&codec.info().name);
    if cfg!(feature = "full") && game.info().name == "go" && slow {
        let why = "go's line.default and line.max are for files; links have other codecs";
        return Err(LinkError::Odd { why });
    }
    Ok(())
}

/// Whether a URL has a query like HullQin's links and no fragment, which would make it ours.
fn is_hullqins(text: &str) -> bool {
    let text = unescape(text);
    let query = text.split_once('?').map_or(text.trim(), |(_, query)| query);
    !text.contains('#') && query.split('&').any(|pair| pair.trim().starts_with("p="))
}

/// Returns the number of moves, at most [`plypack_core::limits::PLIES_MAX`].
fn plies_of(indices: &[u16]) -> u32 {
    u32::try_from(indices.len()).unwrap_or(u32::MAX)
}

/// The codecs for the start of a link: `position.text`, `board.xor-start-rle` and
/// `board.combination`. Every reader has them, and a reader in a browser must be small.
const START_CODECS: [u16; 3] = [POSITION_TEXT, 23, 25];

/// Codes a position in canonical spelling as briefly as a codec that every link reader has can
/// restore it exactly.
fn shortest_start(game: &dyn ErasedRules, text: &str) -> Result<StartCode, LinkError> {
    let mut best = StartCode { codec: POSITION_TEXT, code: text.as_bytes().to_vec() };
    let every_reader_has = |id: u16| START_CODECS.contains(&id);
    for codec in position_codecs(game.info().name).filter(|row| every_reader_has(row.info().id)) {
        match codec.encode(text) {
            Err(Error::Board { .. }) => {}
            Err(error) => return Err(error.into()),
            Ok(code) => {
                let exact = || codec.decode(&code.bytes).as_deref() == Ok(text);
                if code.bytes.len() < best.code.len() && exact() {
                    best = StartCode { codec: codec.info().id, code: code.bytes };
                }
            }
        }
    }
    Ok(best)
}

/// Reads a link's start position in canonical spelling.
fn read_start(game: &dyn ErasedRules, start: &StartCode) -> Result<String, LinkError> {
    let odd = LinkError::Odd { why: "its start is not coded canonically" };
    if start.codec == POSITION_TEXT {
        let text = str::from_utf8(&start.code).map_err(|_| odd.clone())?;
        let canonical = game.position_after(Some(text), &[])?;
        return if canonical == text { Ok(canonical) } else { Err(odd) };
    }
    let name = game.info().name;
    let codec = position_codecs(name).find(|codec| codec.info().id == start.codec);
    let codec = codec.ok_or_else(|| unknown(start.codec, &format!("{name} positions")))?;
    let text = codec.decode(&start.code)?;
    let again = codec.encode(&text).map(|code| code.bytes == start.code);
    if again == Ok(true) { Ok(text) } else { Err(odd) }
}

/// Returns the part after the `#` of a URL, or all of a text that is not a URL, without what mail
/// and chat programs insert and people copy along. The checksum verifies the result.
fn fragment(text: &str) -> String {
    let text = unescape(text);
    let fragment = match text.rsplit_once('#') {
        Some((_, fragment)) => fragment,
        // A URL that lost its fragment, or never had one.
        None if text.contains(['/', '?']) => "",
        None => &text,
    };
    let is_gap = |symbol: char| symbol.is_whitespace() || symbol == '\u{200b}';
    let joined: String = fragment.chars().filter(|&symbol| !is_gap(symbol)).collect();
    let is_ours = |symbol: char| symbol.is_ascii_alphanumeric() || "-_".contains(symbol);
    joined.trim_end_matches(|symbol| !is_ours(symbol)).to_owned()
}

/// Decodes percent escapes such as `%23`.
fn unescape(text: &str) -> String {
    let mut parts = text.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let symbol = part.get(..2).filter(|pair| pair.bytes().all(|b| b.is_ascii_hexdigit()));
        let symbol = symbol.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        match (symbol.filter(u8::is_ascii), part.get(2..)) {
            (Some(symbol), Some(rest)) => {
                out.push(symbol.into());
                out.push_str(rest);
            }
            _ => {
                out.push('%');
                out.push_str(part);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_found_in_what_people_paste() {
        for pasted in [
            "Ab-_9",
            "#Ab-_9",
            " https://example.org/play/#Ab-_9\n",
            "https://example.org/?a=b#Ab-_9.",
            "<https://example.org/#Ab-_9>,",
            "[a game](https://example.org/#Ab-_9)!",
            "https://example.org/#Ab%2D%5f9",
            "https%3A%2F%2Fexample.org%2F%23Ab-_9",
            "https://example.org/#Ab\r\n  -_9==",
            "#Ab-\u{200b}_9\u{2026}",
        ] {
            assert_eq!(fragment(pasted), "Ab-_9", "{pasted}");
        }
        assert_eq!(fragment("https://example.org/play"), "");
        assert_eq!(fragment("#"), "");
        assert_eq!(fragment("#A%zzB%"), "A%zzB");
        assert_eq!(unescape("%e4%2é%é"), "%e4%2é%é");
    }
}
