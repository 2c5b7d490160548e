//! The checks of the fuzz targets: functions of arbitrary bytes that report failures.
//!
//! `crates/plypack/tests/it/store/seeds.rs` includes this file as a module, to run it on the seeds.

use std::borrow::Cow;
use std::io::{Cursor, Read, Write};
use std::path::{Component, Path};
use std::sync::LazyLock;

use plypack::reading::record::read;
use plypack::rows::PatternText;
use plypack::store::input::archive::{self, Archive};
use plypack::store::input::compressed::decompress;
use plypack::store::input::database::Database;
use plypack::store::input::database::losses::Losses;
use plypack::store::movetext::{Annotation, AnnotationKind};
use plypack::store::positions::row::{PackedPosition, pack};
use plypack::store::positions::{StoredPosition, default_codec};
use plypack::store::row::{PackedRecord, Reason, StoredRecord};
use plypack::store::{Condition, Options, PackedFile, Packer, Source, Work, export, import};
use plypack_core::bits::crc16::crc16;
use plypack_core::codecs::fields::FIELDS;
use plypack_core::codecs::prose;
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS as REVIEW_CODECS};
use plypack_core::key::Structure;
use plypack_core::link::Frame;
use plypack_core::pattern::results;
use plypack_core::position::Counters;
use plypack_core::testkit::{check_hostile, check_hostile_position, random_line};
use plypack_core::{CodecInfo, ErasedLineCodec, ErasedPositionCodec, ErasedRules, GameInfo, cell};
use plypack_games::link::Link;
use plypack_games::{GAMES, all_line_codecs, all_position_codecs, line_codec, stored_text};
use plypack_index::{
    Entry, Footer, HEADS_GAMES, Heads, Layout, Opened, REMAINS_GAMES, Shared, Spot, Sum, Visit,
    find_ratings, read_remains,
};
use plypack_records::charset::{self, Charset};
use plypack_records::{
    Content, FALLBACK, FORMATS, Format, FormatInfo, Reading, Rendering, START_TAG, Values,
};

/// The maximum number of plies of a line: longer ones take long and show nothing new.
const PLIES_TRIED: u32 = 400;

/// The maximum size of a content, in bytes: a few compressed bytes may stand for gigabytes.
const CONTENT_TRIED: u64 = 1 << 20;

/// The maximum number of annotations of a row, for the same reason.
const ANNOTATIONS_TRIED: usize = 80;

/// The maximum size of a content tried as a block of an index, whose checksum may be anywhere.
const BLOCK_TRIED: usize = 1 << 10;

/// The maximum number of positions of a block: larger ones show nothing new.
const BLOCK_TRIED_POSITIONS: u8 = 40;

/// The kinds of annotations tried in rows.
const KINDS: [&str; 8] =
    ["suffix", "glyph", "comment", "line comment", "variation", "end", "other", "rest"];

/// The number, in place of an annotation's kind, of the reviews.
const REVIEWS: u8 = 8;

/// The same of the comments that follow a pattern: their templates, [`TEMPLATES_END`], their code.
const COMMENTS: u8 = 9;

/// The first byte of an input that is the code of prose. No text has it.
const PROSE: u8 = 0xfe;

/// A byte that no text has.
const TEMPLATES_END: u8 = 0xfe;

/// Reads bytes as an input in each format.
///
/// # Errors
/// Returns a message if a check fails.
pub fn reader(input: &[u8]) -> Result<(), String> {
    FORMATS.iter().try_for_each(|format| format_reader(*format, input))
}

/// Splits bytes into records like an input in this format, reads and writes each, and restores it
/// from a row of every game that has the format.
///
/// # Errors
/// Returns a message if a check fails.
pub fn format_reader(format: &'static dyn Format, input: &[u8]) -> Result<(), String> {
    let records = format.splitter(b'\n').records(input);
    same(&*records.concat(), input)?;
    for game in GAMES.iter().filter(|game| has_format(game.info(), format)) {
        let mut rows = Rows::of(game.info().name, format)?;
        for record in &records {
            check_layout(*game, format, record)?;
            match format.info().content {
                Content::Games => rows.check(record)?,
                Content::Positions => check_position(*game, record)?,
            }
        }
    }
    Ok(())
}

fn has_format(game: &GameInfo, format: &dyn Format) -> bool {
    let FormatInfo { name, every_game, .. } = format.info();
    *every_game || game.formats.contains(name)
}

/// Reads a record, writes its content, and reads and writes that again, with the same text as
/// result. For SGF the text may differ: the gaps between nodes are those of the first few nodes,
/// and which these are depends on skipped parts that are not nodes.
fn check_layout(
    game: &dyn ErasedRules,
    format: &'static dyn Format,
    record: &[u8],
) -> Result<(), String> {
    let (_, text) = format.decode(record, game.info().signs);
    let Some(written) = rewritten(game, format, &text)? else { return Ok(()) };
    let again = format.decode(&written, "").1.into_owned();
    match rewritten(game, format, &again)? {
        None => Err(format!("its output is not read: {again:?}")),
        Some(_) if format.info().name == "sgf" => Ok(()),
        Some(twice) => same(twice, written),
    }
}

/// Renders a text by its layout. Returns `None` if it is in another format, or its layout is
/// guessed.
fn rewritten(
    game: &dyn ErasedRules,
    format: &'static dyn Format,
    text: &str,
) -> Result<Option<Vec<u8>>, String> {
    let (found, Reading { record, layout, times, .. }) = read(game, text, Charset::Utf8, format);
    let Some(layout) = layout.filter(|_| found.info().name == format.info().name) else {
        return Ok(None);
    };
    let name = layout.to_string();
    same(format.layout(&name)?.to_string(), name)?;
    let timed = |&time: &u32| Values { clock: Some(time), evaluation: None };
    let values: Vec<Values> = times.iter().map(timed).collect();
    let (tags, pieces, values) = (&record.tag_list(), &record.pieces(), &values);
    let written = layout.render(&Rendering { tags, pieces, values, number: 1, second: false });
    written.map(Some).ok_or("it cannot be written".into())
}

/// Packs a line as a position of a game and restores the same bytes.
fn check_position(game: &dyn ErasedRules, line: &[u8]) -> Result<(), String> {
    let opcodes = ["bm", "id", "c0"].map(String::from);
    let codec = default_codec(game.info().name);
    let (charset, text) = charset::decode(line, game.info().signs);
    let packed = pack(codec, &opcodes, line, (charset, &text), false);
    let name = stored_text(game, codec.info());
    let block = packed.text.as_deref().map(|text| one_block(codec, text, packed.counters));
    let block = block.transpose()?;
    let Some(mut stored) = stored_position(&packed, &name, &opcodes) else { return Ok(()) };
    stored.of_block = block.as_deref().map(Ok);
    same(stored.render().as_deref(), Ok(line))
}

/// Decodes a position from a block of its own.
fn one_block(
    codec: &dyn ErasedPositionCodec,
    text: &str,
    known: Counters,
) -> Result<String, String> {
    let code = codec.encode_block(&[(text, known)]).map_err(|error| error.to_string())?;
    let texts = codec.decode_block(&code, &[known]).map_err(|error| error.to_string())?;
    texts.into_iter().next().ok_or("a block of one position has none".into())
}

/// Decodes bytes as a block of positions and encodes these again. The bytes are the game's number,
/// the number of positions, two bytes with the known facts about each, and the code.
///
/// # Errors
/// Returns a message if a check fails.
pub fn block_decode(input: &[u8]) -> Result<(), String> {
    let [game, count, clock, number, code @ ..] = input else { return Ok(()) };
    let Some(game) = GAMES.iter().find(|row| row.info().id == *game) else { return Ok(()) };
    let codec = default_codec(game.info().name);
    let known = |place: u8| {
        let counter = |byte: &u8| Some(u32::from(byte.wrapping_add(place))).filter(|_| *byte > 0);
        [counter(clock), counter(number)]
    };
    let known: Vec<Counters> = (0..(*count).min(BLOCK_TRIED_POSITIONS)).map(known).collect();
    let Ok(texts) = codec.decode_block(code, &known) else { return Ok(()) };
    let block: Vec<(&str, Counters)> =
        texts.iter().map(String::as_str).zip(known.iter().copied()).collect();
    let again = codec.encode_block(&block).map_err(|error| error.to_string())?;
    same(codec.decode_block(&again, &known).as_ref(), Ok(&texts))
}

/// A position as in the columns. `None` if they hold the bytes of its line.
fn stored_position<'a>(
    packed: &'a PackedPosition<'_>,
    codec: &'a str,
    opcodes: &'a [String],
) -> Option<StoredPosition<'a>> {
    let operation = |&(place, operand): &(usize, &'a str)| Some((&**opcodes.get(place)?, operand));
    Some(StoredPosition {
        position: Some((codec, packed.code.as_deref()?)),
        of_block: None,
        counters: packed.counters,
        operations: packed.operands.iter().filter_map(operation).collect(),
        rest: packed.rest,
        layout: Some(&packed.layout),
        patch: Some(packed.patch.as_slice()).filter(|patch| !patch.is_empty()),
        verbatim: None,
    })
}

/// Returns an error unless two values are equal.
fn same<T: PartialEq + std::fmt::Debug>(found: T, expected: T) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("found {found:?}, not {expected:?}"))
}

fn chess(codec: &str) -> Result<&'static dyn ErasedLineCodec, String> {
    line_codec("chess", codec).ok_or_else(|| format!("there is no {codec} for chess"))
}

/// Packs records of one game and format.
struct Rows {
    packer: Packer,
    codec: &'static dyn ErasedLineCodec,
    format: &'static dyn Format,
}

impl Rows {
    fn of(game: &str, format: &'static dyn Format) -> Result<Self, String> {
        let codec = line_codec(game, "line.uniform");
        let codec = codec.ok_or_else(|| format!("there is no line.uniform for {game}"))?;
        let mut packer = Packer::new(codec);
        packer.read_as(format);
        Ok(Self { packer, codec, format })
    }

    /// Packs a record and restores the same bytes.
    fn check(&mut self, bytes: &[u8]) -> Result<(), String> {
        let (charset, text) = self.format.decode(bytes, self.codec.game().info().signs);
        let packed = self.packer.pack(bytes, charset, &text, false);
        let last = packed.annotations.last();
        let unread = matches!(packed.layout, Err(Reason::NoText));
        let stopped = packed.line.is_none() && !unread
            || last.is_some_and(|last| last.kind == AnnotationKind::Rest);
        if packed.fault.is_some() != stopped {
            return Err(format!("the fault is {:?}, but the row has {stopped}", packed.fault));
        }
        let Ok(layout) = packed.layout.as_ref().map(ToString::to_string) else { return Ok(()) };
        let codec = packed.line.as_ref().map_or(self.codec, |line| line.codec);
        let codec = stored_text(self.codec.game(), codec.info());
        let row = stored(&packed, &codec, &layout);
        match row.render() {
            Ok(back) if *back == *bytes => Ok(()),
            Ok(back) => Err(format!("restored `{}`", back.escape_ascii())),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// The columns' names of the codecs of clock readings, evaluations and reviews.
static SERIES: LazyLock<[String; 4]> = LazyLock::new(|| {
    let series = [&CLOCKS.newest.info, &EVALUATIONS.newest.info, &REVIEW_CODECS.newest.info];
    let [clocks, evaluations, reviews] = series.map(CodecInfo::text);
    [clocks, evaluations, reviews, FIELDS.newest.info.text()]
});

/// A record as in the columns.
fn stored<'a>(packed: &'a PackedRecord<'_>, codec: &'a str, layout: &'a str) -> StoredRecord<'a> {
    let line = packed.line.as_ref();
    let line = line.map(|line| (codec, line.start.as_deref(), line.plies, line.code.as_slice()));
    let mut tags: Vec<(&str, Cow<'_, str>)> = packed.tags.clone();
    tags.extend(line.and_then(|line| line.1).map(|start| (START_TAG, start.into())));
    tags.sort_by_key(|tag| packed.tag_names.iter().position(|name| *name == tag.0));
    StoredRecord {
        tags,
        line,
        clocks: packed.clocks.as_deref().map(|code| (SERIES[0].as_str(), code)),
        evaluations: packed.evaluations.as_deref().map(|code| (SERIES[1].as_str(), code)),
        reviews: packed.reviews.as_deref().map(|code| (SERIES[2].as_str(), code)),
        fields: packed.fields.as_ref().map(|fields| (SERIES[3].as_str(), &*fields.1)),
        templates: packed.fields.as_ref().map(|fields| &*fields.0),
        annotations: Ok(packed.annotations.clone()),
        layout: Some(layout),
        patch: Some(packed.patch.as_slice()).filter(|patch| !patch.is_empty()),
        verbatim: None,
    }
}

/// Writes out a row with any content and, if that gives bytes, packs them again.
///
/// Fields end with 0xFF, which UTF-8 does not have: the layout, the start (empty: none), the cell
/// of the main line (empty: none), the codes of clock readings and evaluations (empty: none), the
/// patch, and one tag with `=` between name and value. Then annotations: the number of the kind, a
/// number of plies to skip, and the text, or the cell of a variation. A field of the kind
/// [`REVIEWS`] has the code of the reviews, and one of [`COMMENTS`] the comments that follow a
/// pattern. An input that begins with [`PROSE`] is the code of a block of texts instead.
///
/// # Errors
/// Returns a message if a check fails.
pub fn row_decode(input: &[u8]) -> Result<(), String> {
    if let Some(code) = input.strip_prefix(&[PROSE]) {
        return prose_decode(code);
    }
    let mut fields = input.split(|&byte| byte == 0xff);
    let mut field = || fields.next().unwrap_or_default();
    let [layout, start, line, clocks, evaluations, patch, tag] = [(); 7].map(|()| field());
    let full = |field| Some(field).filter(|field: &&[u8]| !field.is_empty());
    let start = full(start).map(text);
    let tag = text(tag).split_once('=').map(|(name, value)| (name, value.into()));
    let reviews = fields.clone().find_map(|field| field.strip_prefix(&[REVIEWS]));
    let comments = fields.clone().find_map(|field| field.strip_prefix(&[COMMENTS]));
    let comments = comments.map(|field| {
        let end = field.iter().position(|&byte| byte == TEMPLATES_END).unwrap_or(field.len());
        let (templates, code) = field.split_at(end);
        (text(templates), code.get(1..).unwrap_or_default())
    });
    let row = StoredRecord {
        tags: tag.into_iter().collect(),
        line: moves(line).map(|(plies, code)| ("chess/line.uniform/2", start, plies, code)),
        clocks: full(clocks).map(|code| (SERIES[0].as_str(), code)),
        evaluations: full(evaluations).map(|code| (SERIES[1].as_str(), code)),
        reviews: reviews.map(|code| (SERIES[2].as_str(), code)),
        fields: comments.map(|(_, code)| (SERIES[3].as_str(), code)),
        templates: comments.map(|(templates, _)| templates),
        annotations: Ok(fields.take(ANNOTATIONS_TRIED).filter_map(annotation).collect()),
        layout: Some(text(layout)),
        patch: full(patch),
        verbatim: None,
    };
    match row.render() {
        Ok(bytes) => Rows::of("chess", FALLBACK)?.check(&bytes),
        Err(_) => Ok(()),
    }
}

/// Decodes any bytes as texts; texts are coded again and come back.
fn prose_decode(code: &[u8]) -> Result<(), String> {
    let codec = prose::PROSE.newest;
    let Ok(texts) = codec.decode(code) else { return Ok(()) };
    let all: Vec<&str> = texts.iter().collect();
    let again = codec.encode(&all).ok_or("decoded texts are too long")?;
    same(codec.decode(&again).as_ref(), Ok(&texts))
}

fn text(field: &[u8]) -> &str {
    std::str::from_utf8(field).unwrap_or_default()
}

fn moves(cell: &[u8]) -> Option<(u32, &[u8])> {
    cell::split(cell).ok().filter(|(plies, _)| *plies <= PLIES_TRIED)
}

fn annotation(field: &[u8]) -> Option<Annotation<'_>> {
    let (&[kind, skip], rest) = field.split_first_chunk()?;
    let kind = AnnotationKind::of_name(KINDS.get(usize::from(kind))?)?;
    let moves = moves(rest).filter(|_| kind == AnnotationKind::Open);
    let moves = moves.map(|(plies, code)| (plies, code.into()));
    Some(Annotation { skip: skip.into(), kind, text: text(rest).into(), moves })
}

/// Packs bytes into a file, compressed or not, and restores their content from it.
///
/// # Errors
/// Returns a message if a check fails.
pub fn pgn_file(input: &[u8]) -> Result<(), String> {
    let reader = || Box::new(Cursor::new(input.to_vec()));
    let mut content = Vec::new();
    let decompressed = decompress(reader());
    let read =
        decompressed.and_then(|reader| reader.take(CONTENT_TRIED + 1).read_to_end(&mut content));
    if content.len() as u64 > CONTENT_TRIED {
        return Ok(());
    }
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = folder.path().join("packed.parquet");
    let options = Options { codec: chess("line.ranked")?, positions: None, detect: true };
    let source = Source::new("input", reader());
    let report = match (read, import(vec![source], &path, &options, &Work::on(1))) {
        (Ok(_), Ok(report)) => report,
        (Err(_), Err(_)) => return Ok(()),
        (read, packed) => return Err(format!("reading returned {read:?}, packing {packed:?}")),
    };
    let file = PackedFile::open(&path).map_err(|error| error.to_string())?;
    let mut back = Vec::new();
    let mut sink = |_: &str, bytes: &[u8]| {
        back.extend_from_slice(bytes);
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink).map_err(|error| error.to_string())?;
    if back != content {
        return Err(format!("restored `{}`", back.escape_ascii()));
    }
    let summary = file.summary().map_err(|error| error.to_string())?;
    let counts = [summary.records, summary.plies, summary.faulty, summary.verbatim_records()];
    if counts != [report.records, report.plies, report.faulty, report.verbatim_records()] {
        return Err(format!("{report:?} was reported, but {summary:?} is stored"));
    }
    Ok(())
}

/// Decodes bytes as a line and encodes the line again, from candidates and from texts. The bytes
/// are the game's number, the codec's, the length of the start's text (0: the usual start), that
/// text, and a cell.
///
/// # Errors
/// Returns a message if a check fails.
pub fn line_decode(input: &[u8]) -> Result<(), String> {
    let [_, _, start_length, rest @ ..] = input else { return Ok(()) };
    let parts = rest.split_at_checked((*start_length).into());
    let (Some(row), Some((start, cell))) = (codec_of(input), parts) else { return Ok(()) };
    let (Ok(start), Ok((plies, code))) = (std::str::from_utf8(start), cell::split(cell)) else {
        return Ok(());
    };
    let start = Some(start).filter(|start| !start.is_empty());
    if plies > PLIES_TRIED {
        return Ok(());
    }
    check_hostile(row, start, plies, code)?;
    let Ok(indices) = row.decode_indices(start, plies, code) else { return Ok(()) };
    for notation in row.game().info().all_notations() {
        let texts = row.decode(start, plies, code, notation).map_err(|error| error.to_string())?;
        let again = row.encode(start, &mut texts.iter(), notation);
        let again = again.map_err(|error| error.to_string())?;
        let back = row.decode_indices(start, again.plies, &again.code);
        if again.stopped.is_some() || again.texts != texts || back.as_ref() != Ok(&indices) {
            return Err(format!("{texts:?} became {again:?}, then {back:?}; it was {indices:?}"));
        }
    }
    let end = row.game().position_after(start, &indices).map_err(|error| error.to_string())?;
    let again = row.game().position_after(Some(&end), &[]);
    if again.as_ref() != Ok(&end) {
        return Err(format!("the position `{end}` was read as {again:?}"));
    }
    Ok(())
}

/// The codec named by the first bytes of an input of [`line_decode`].
pub fn codec_of(input: &[u8]) -> Option<&'static dyn ErasedLineCodec> {
    let [game, codec, ..] = *input else { return None };
    let numbers = (game, codec.into());
    all_line_codecs().find(|row| (row.game().info().id, row.info().id) == numbers)
}

/// Reads bytes as a link, as a text, and as the content of a link before its checksum; writes the
/// result, and reads the same game from it.
///
/// # Errors
/// Returns a message if a check fails.
pub fn link_read(input: &[u8]) -> Result<(), String> {
    let framed = [input, &crc16(input).to_be_bytes()].concat();
    let texts = [text(input).to_owned(), base64_url(&framed)];
    let tried = texts.iter().filter(|text| !is_long(text));
    for link in tried.filter_map(|text| Link::read(text).ok()) {
        let codec = link.shortest_codec().map_err(|error| error.to_string())?;
        // With another codec a link may become too long.
        let Ok(again) = link.write(codec) else { continue };
        let again = Link::read(&again).map_err(|error| format!("{again}: {error}"))?;
        same((again.start, again.indices, again.shown), (link.start, link.indices, link.shown))?;
    }
    Ok(())
}

/// Whether a link says that it has more plies than are tried.
fn is_long(link: &str) -> bool {
    let text = link.rsplit('#').next().unwrap_or_default();
    Frame::from_text(text).is_ok_and(|frame| frame.plies > PLIES_TRIED)
}

/// Encodes bytes in the alphabet of links.
fn base64_url(bytes: &[u8]) -> String {
    const SYMBOLS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let sextets = bytes.chunks(3).flat_map(|chunk| {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        (0..=chunk.len()).map(move |at| bits >> (18 - 6 * at) & 63)
    });
    sextets.filter_map(|bits| SYMBOLS.get(bits as usize).copied().map(char::from)).collect()
}

/// Reads bytes as a condition on games, evaluates it on a text, and joins it to another.
///
/// # Errors
/// Returns a message if a check fails.
pub fn condition_read(input: &[u8]) -> Result<(), String> {
    let text = text(input);
    match Condition::parse(text) {
        Ok(condition) => {
            let _ = condition.of_text("Carlsen, Magnus");
            same(Condition::parse(text), Ok(condition))
        }
        Err(error) => match Condition::of(Some(text), Some("Carlsen")) {
            Ok(_) => Err(format!("{text:?} was read with another one, but not alone: {error}")),
            Err(_) => Ok(()),
        },
    }
}

/// Reads bytes as a pattern, and matches it against a line of each game that supports it.
///
/// # Errors
/// Returns a message if a check fails.
pub fn pattern_read(input: &[u8]) -> Result<(), String> {
    let Ok(asked) = PatternText::read(text(input)) else { return Ok(()) };
    for game in GAMES {
        let Ok(pattern) = asked.of(*game) else { continue };
        let codec = line_codec(game.info().name, "line.uniform").ok_or("no line.uniform")?;
        let line = random_line(codec, None, 20, 1).map_err(|error| error.to_string())?;
        let code = codec.encode_indices(None, &line).map_err(|error| error.to_string())?;
        let plies = u32::try_from(line.len()).unwrap_or_default();
        let found = codec.matched(None, plies, &code, &pattern, results::WHITE);
        let found = found.map_err(|error| error.to_string())?;
        if found.iter().flatten().any(|ply| *ply > plies) {
            return Err(format!("{found:?} of {plies} plies"));
        }
    }
    Ok(())
}

/// Decodes bytes as a single position, and encodes it again to the same. The bytes are the game's
/// number, the codec's, and the code.
///
/// # Errors
/// Returns a message if a check fails.
pub fn position_decode(input: &[u8]) -> Result<(), String> {
    let [game, codec, code @ ..] = input else { return Ok(()) };
    let numbers = (*game, u16::from(*codec));
    let mut rows = all_position_codecs();
    let row = rows.find(|row| (row.game().info().id, row.info().id) == numbers);
    row.map_or(Ok(()), |row| check_hostile_position(row, code))
}

/// The parts of an index that some bytes form, without their checksums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexParts {
    /// A footer.
    pub footer: bool,
    /// A page with an entry for the key.
    pub page: bool,
    /// The key's block.
    pub block: bool,
    /// A block of heads.
    pub heads: bool,
    /// A block of the remains of games.
    pub remains: bool,
    /// A block of sums by rating, with the position whose block begins at the key.
    pub ratings: bool,
}

/// Reads bytes as the footer of an index, as a page, as a block, as heads, as remains and as sums
/// by rating, each with a correct checksum. The bytes are a key of 8 bytes, whose lower half is the
/// number of the game whose head is read, and three numbers of 4 bytes: the occurrences and games
/// for which the index is laid out (unless the content is a footer, which contains them), and the
/// number of bytes before the footer; then the content.
///
/// # Errors
/// Returns a message if a check fails.
pub fn index_parts(input: &[u8]) -> Result<IndexParts, String> {
    let mut parts = IndexParts::default();
    let Some((key, rest)) = input.split_first_chunk() else { return Ok(parts) };
    let Some((numbers, content)) = rest.split_first_chunk::<12>() else { return Ok(parts) };
    let number = |at: usize| {
        let bytes = numbers.get(at..).and_then(|bytes| bytes.first_chunk()).copied();
        u32::from_le_bytes(bytes.unwrap_or_default())
    };
    let key = u64::from_le_bytes(*key);
    let mut layout = Layout::new(number(0).into(), number(4), true);
    if let Some(footer) = index_footer(content, number(8).into(), key)? {
        parts.footer = true;
        layout = footer.layout();
    }
    parts.page = index_page(layout, key, content)?;
    parts.block = index_block(layout, key, content)?;
    parts.heads = index_heads(layout, game_of(key), content)?;
    parts.remains = index_remains(layout, game_of(key), content)?;
    parts.ratings = matches!(find_ratings(&with_checksum(content), key), Ok(Some(_)));
    Ok(parts)
}

/// The maximum number of bytes read from the files in an archive.
const ARCHIVE_BYTES_MAX: u64 = 1 << 24;

/// Reads bytes as a tar archive, which may be compressed, or a zip archive. Returns the number of
/// files read from it before its end or an error in it.
///
/// # Errors
/// Returns a message if reading itself fails.
pub fn archive_read(input: &[u8]) -> Result<u64, String> {
    let bytes = input.to_vec();
    let open = move || Ok(Cursor::new(bytes.clone()));
    let path = Path::new("archive");
    let files = match Archive::look(Cursor::new(input.to_vec())) {
        Some(Archive::Zip) => archive::zip(path, "x", open),
        Some(Archive::Tar) => archive::tar(path, "x", open),
        None => return Ok(0),
    };
    let (mut count, mut left) = (0, ARCHIVE_BYTES_MAX);
    let is_fault = |error: &str| error.contains("the thread that reads it has ended");
    for source in files {
        let mut source = match source {
            Ok(source) => source,
            Err(error) if is_fault(&error.to_string()) => return Err(error.to_string()),
            Err(_) => return Ok(count),
        };
        let mut parts = Path::new(&source.name).components();
        let is_inside = parts.next() == Some(Component::Normal("x".as_ref()))
            && parts.all(|part| matches!(part, Component::Normal(_)));
        if !is_inside || source.name.contains('\0') {
            return Err(format!("a file is named {:?}", source.name));
        }
        match std::io::copy(&mut source.reader.by_ref().take(left), &mut std::io::sink()) {
            Ok(read) => left -= read,
            Err(error) if is_fault(&error.to_string()) => return Err(error.to_string()),
            Err(_) => return Ok(count),
        }
        count += 1;
        if left == 0 {
            break;
        }
    }
    Ok(count)
}

/// The files of a database of ChessBase, then those of one of SCID, in the order of an input.
const DATABASE_FILES: [&str; 12] =
    ["cbh", "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj", "si4", "sg4", "sn4"];

/// The maximum number of bytes of PGN that is read from a database, which may name a game often.
const DATABASE_BYTES_MAX: u64 = 1 << 20;

/// Reads bytes as a database of ChessBase and one of SCID: before each of their files the file's
/// length in two bytes, the lowest first. Returns the number of bytes of PGN read before the end of
/// each or an error in it.
///
/// # Errors
/// Returns a message if a file cannot be written, or if what is read is no UTF-8.
pub fn database_read(input: &[u8]) -> Result<u64, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut rest = input;
    for extension in DATABASE_FILES {
        let (head, behind) = rest.split_at(rest.len().min(2));
        let length = head.iter().rev().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
        let (file, behind) = behind.split_at(behind.len().min(length));
        rest = behind;
        let path = folder.path().join(format!("x.{extension}"));
        std::fs::write(path, file).map_err(|error| error.to_string())?;
    }
    let mut bytes = 0;
    for index in ["x.cbh", "x.si4"] {
        let database = Database::open(&folder.path().join(index), &Losses::default());
        if let Ok(Some(database)) = database {
            bytes += pgn_bytes(database)?;
        }
    }
    Ok(bytes)
}

/// Reads the PGN of a database. Returns the number of its bytes before its end or an error in it.
fn pgn_bytes(database: Database) -> Result<u64, String> {
    let mut text = Vec::new();
    let read = database.take(DATABASE_BYTES_MAX).read_to_end(&mut text);
    let is_cut = |fault: std::str::Utf8Error| {
        fault.error_len().is_none() && text.len() as u64 == DATABASE_BYTES_MAX
    };
    match std::str::from_utf8(&text) {
        Err(fault) if !is_cut(fault) => Err(format!("the PGN is no UTF-8: {fault}")),
        _ => Ok(read.map_or(0, |read| read as u64)),
    }
}

/// Reads bytes as the archive of a ChessBase database, with what is in it twice and the sums of its
/// blocks mended. Returns the number of bytes of PGN read before its end or an error in it.
///
/// # Errors
/// Returns a message if a file cannot be written, or if what is read is no UTF-8.
pub fn cbv_read(input: &[u8]) -> Result<u64, String> {
    let mut bytes = input.to_vec();
    mend_archive(&mut bytes);
    let mut file = tempfile::tempfile().map_err(|error| error.to_string())?;
    file.write_all(&bytes).map_err(|error| error.to_string())?;
    match Database::in_archive(Path::new("archive"), file, &Losses::default()) {
        Ok(database) => pgn_bytes(database),
        Err(_) => Ok(0),
    }
}

/// Makes the numbers in eight bytes of each record of an archive those in four, and the sums of all
/// blocks right.
fn mend_archive(bytes: &mut [u8]) {
    let Some(&[low, high]) = bytes.get(2..).and_then(<[u8]>::first_chunk) else { return };
    for record in 0..usize::from(u16::from_le_bytes([low, high])) {
        let numbers = 8 + 173 * record + 128;
        let Some(own) = bytes.get_mut(numbers..numbers + 45) else { return };
        let [mut place, mut left] = [0, 0];
        for (number, which) in [(&mut place, 0), (&mut left, 1), (&mut 0, 2)] {
            let short = [0, 1, 2, 3].map(|byte| own[4 * which + byte]);
            own[21 + 8 * which..][..4].copy_from_slice(&short);
            own[25 + 8 * which..][..4].fill(0);
            *number = usize::try_from(u32::from_le_bytes(short)).unwrap_or_default();
        }
        while left > 4 {
            let Some(&[low, high]) = bytes.get(place..).and_then(<[u8]>::first_chunk) else {
                break;
            };
            let length = usize::from(u16::from_le_bytes([low, high]));
            let Some(block) = bytes.get_mut(place..place + 4 + length) else { break };
            let words = block[4..].as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word));
            let sum = words.fold(0, u16::wrapping_add);
            block[2..4].copy_from_slice(&sum.to_le_bytes());
            (place, left) = (place + 4 + length, left.saturating_sub(4 + length));
        }
    }
}

/// The number of a game in a key's lower half.
fn game_of(key: u64) -> u32 {
    u32::try_from(key & u64::from(u32::MAX)).unwrap_or_default()
}

/// Reads a footer preceded by this many bytes, writes it, and reads it again.
fn index_footer(content: &[u8], before: u64, key: u64) -> Result<Option<Footer>, String> {
    let mut bytes = with_checksum(content);
    bytes.extend(u32::try_from(content.len()).unwrap_or(u32::MAX).to_le_bytes());
    bytes.extend(b"PLYX");
    let Ok(Opened::Footer(footer)) = Footer::read(before + bytes.len() as u64, &bytes) else {
        return Ok(None);
    };
    let range = footer.page(spot(key).place());
    if range.start > range.end || range.end > before {
        return Err(format!("a page is at {range:?}, but the footer at {before}"));
    }
    let heads = footer.heads(game_of(key));
    let remains = footer.remains(game_of(key));
    let ratings = footer.ratings(key);
    for block in [&heads, &remains, &ratings] {
        if block.start > block.end || block.end > before {
            return Err(format!("a block is at {block:?}, but the footer at {before}"));
        }
    }
    let again = footer.to_bytes();
    match Footer::read(before + again.len() as u64, &again) {
        Ok(Opened::Footer(again)) => {
            same((again.groups(), again.layout()), (footer.groups(), footer.layout()))?;
            same(
                (again.page(spot(key).place()), again.heads(game_of(key)), again.parts()),
                (range, heads, footer.parts()),
            )?;
            same((again.remains(game_of(key)), again.ratings(key)), (remains, ratings))?;
        }
        other => return Err(format!("a footer is reread as {other:?}")),
    }
    Ok(Some(footer))
}

/// What the position with a key is listed under: a structure of its own.
fn spot(key: u64) -> Spot {
    Spot { structure: Structure { frame: key, men: key }, key }
}

/// Reads a page; returns whether it has the key.
fn index_page(layout: Layout, key: u64, content: &[u8]) -> Result<bool, String> {
    let page = with_checksum(content);
    let Ok(entries) = layout.find(spot(key).place(), &page, 8) else { return Ok(false) };
    let mut end = 8 + page.len() as u64;
    for entry in &entries {
        match entry {
            Entry::Few(games) => {
                let known = games.iter().all(|game| *game < layout.games());
                if games.is_empty() || !known || !games.is_sorted_by(|one, next| one < next) {
                    return Err(format!("the games of an entry are {games:?}"));
                }
            }
            Entry::Block(block) => {
                let (whole, head) = (block.whole(), block.head());
                if whole.start < end || head.start != whole.start || head.end > whole.end {
                    return Err(format!("blocks are at {entries:?}, but the page ends at {end}"));
                }
                end = whole.end;
            }
        }
    }
    Ok(!entries.is_empty())
}

/// Reads a block, with a correct checksum of its first games wherever they end, and the bytes
/// behind them as its sums by rating; returns whether it is the key's.
fn index_block(layout: Layout, key: u64, content: &[u8]) -> Result<bool, String> {
    if content.len() > BLOCK_TRIED {
        return Ok(false);
    }
    let read = |end: usize| {
        let (checked, rest) = content.split_at_checked(end)?;
        let block = [&*with_checksum(checked), rest].concat();
        let shared = Shared::read(layout, key, &block).ok()??;
        Some((block, shared, rest))
    };
    let Some((block, shared, rest)) = (0..=content.len()).find_map(read) else { return Ok(false) };
    let known = |visit: &Visit| visit.game < layout.games();
    let named = shared.best.iter().chain(shared.first_games()).all(known);
    if !named || shared.examples.iter().any(|example| example.game >= layout.games()) {
        return Err(format!("a block names missing games: {shared:?}"));
    }
    let games: Vec<Visit> = shared.games(&block).map_while(Result::ok).collect();
    same(games.starts_with(shared.first_games()), true)?;
    same(games.iter().all(known) && games.is_sorted_by_key(|visit| visit.game), true)?;
    if let Ok(groups) = shared.by_rating(layout, rest) {
        same(groups.iter().map(|group| group.records).sum::<u64>(), shared.records)?;
        let sums = shared.moves.iter().map(|played| played.sum).chain(shared.ended);
        for (number, sum) in sums.enumerate() {
            let mut all = Sum::default();
            groups.iter().filter_map(|group| group.sums.get(number)).for_each(|own| all.merge(own));
            same(all, sum)?;
        }
        same(groups.iter().flat_map(|group| &group.best).all(known), true)?;
    }
    Ok(true)
}

/// Reads a block of heads; returns whether it has the game's.
fn index_heads(layout: Layout, game: u32, content: &[u8]) -> Result<bool, String> {
    let Ok(heads) = Heads::read(layout, game, &with_checksum(content)) else { return Ok(false) };
    let first = game - game % HEADS_GAMES;
    let known = first..first.saturating_add(HEADS_GAMES).min(layout.games());
    for game in known {
        let head = heads.head(game).ok_or_else(|| format!("game {game} has no head"))?;
        let names = [&head.players.white, &head.players.black];
        same(names.map(|name| name.len() <= 100), [true, true])?;
    }
    Ok(true)
}

/// Reads a block of the remains of games; returns whether it has some.
fn index_remains(layout: Layout, number: u32, content: &[u8]) -> Result<bool, String> {
    let content = with_checksum(content);
    let Ok(remains) = read_remains(layout, number, &content) else { return Ok(false) };
    same(remains.is_empty() || remains.len() > REMAINS_GAMES as usize, false)?;
    Ok(true)
}

/// Appends the checksum of some bytes.
fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let checksum = crc32fast::hash(&bytes);
    bytes.extend(checksum.to_le_bytes());
    bytes
}
