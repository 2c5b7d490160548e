//! Packing: inputs to one Parquet file, in parallel, with the same bytes on any number of threads.
//!
//! A group of records is coded in chunks of a fixed number of records, each on any thread, and its
//! columns are then encoded side by side. Only one group is in memory, and the next is being read.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::builder::{
    BinaryBuilder, Date32Builder, Int32Builder, MapBuilder, MapFieldNames, StringBuilder,
    Time32MillisecondBuilder, UInt32Builder,
};
use arrow_array::{ArrayRef, ListArray, StructArray};
use arrow_buffer::OffsetBuffer;
use arrow_schema::SchemaRef;
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS};
use plypack_core::{CodecInfo, ErasedGame, ErasedLineCodec, ErasedPositionCodec};
use plypack_games::{line_codec_like, position_codec_like, stored_text};
use plypack_records::Content;
use plypack_records::charset::{self, Charset};
use plypack_records::tag_order::Templates;
use rayon::prelude::*;

use crate::error::Error;
use crate::input::{Group, Groups, Source, Span};
use crate::movetext::Annotation;
use crate::pack::Packer;
use crate::positions;
use crate::positions::row::PackedPosition;
use crate::row::{CodedLine, Fault, PackedRecord, Reason};
use crate::schema::{
    ANNOTATION, ANNOTATION_FIELDS, MOVE_FIELDS, SCHEMA, SERIES_FIELDS, SOURCES_KEY, TAG_COLUMNS,
    TagType, writer_properties,
};
use crate::tag_value;
use plypack_reading::game;
use plypack_reading::identify::Decoded;

/// How many records one thread packs with one memory of layouts. It decides stored bytes, so it
/// does not depend on the number of threads.
const CHUNK_RECORDS: usize = 512;

/// How many lines of a position file show which opcodes get columns.
const OPCODE_LINES: usize = 16_384;

/// The most notices that a report keeps.
const NOTICES_MAX: usize = 20;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The codec of the moves, and with it the game.
    pub codec: &'static dyn ErasedLineCodec,
    /// The codec of positions; `None` is [`positions::default_codec`].
    pub positions: Option<&'static dyn ErasedPositionCodec>,
    /// Whether a record whose tags tell of another game is coded by that game's codec of the same
    /// name; and so an input with positions of another game, or else by the default.
    pub detect: bool,
    /// The number of threads; 0 means one a core.
    pub threads: usize,
}

impl Options {
    fn position_codec(&self, group: &Group) -> &'static dyn ErasedPositionCodec {
        let game = group.identity.game.unwrap_or(self.codec.game()).info().name;
        self.positions
            .and_then(|codec| position_codec_like(codec, game))
            .unwrap_or_else(|| positions::default_codec(game))
    }
}

/// A record whose moves, or whose position, could not all be coded.
#[derive(Clone, Debug)]
pub struct Notice {
    /// The input.
    pub source: String,
    /// The number of the record in the output, from 1.
    pub record: u64,
    /// The line of the input on which it begins, from 1.
    pub line: u64,
    /// What was wrong.
    pub fault: Fault,
}

/// What was packed.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// What the inputs hold.
    pub kind: Content,
    /// Bytes of input, decompressed.
    pub input_bytes: u64,
    /// Bytes of output.
    pub output_bytes: u64,
    /// Records.
    pub records: u64,
    /// Coded plies.
    pub plies: u64,
    /// Coded positions.
    pub positions: u64,
    /// Records kept verbatim, by reason.
    pub verbatim: BTreeMap<Reason, u64>,
    /// Records with moves, or a position, that could not be coded.
    pub faulty: u64,
    /// The first of them.
    pub notices: Vec<Notice>,
    /// Inputs of another kind than the first, whose records are kept as text.
    pub misfits: Vec<String>,
}

impl Report {
    /// How many records are kept verbatim.
    #[must_use]
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().sum()
    }
}

/// Packs `sources`, in order, into a new file at `output`.
///
/// The file appears under its name only when it is complete and on disk. `progress` is told the
/// report so far after each group of records; setting `stop` ends the work at the next group.
///
/// # Errors
/// If reading or writing fails or `stop` was set; then nothing is left behind.
pub fn import(
    sources: Vec<Source>,
    output: &Path,
    options: &Options,
    stop: &AtomicBool,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<Report, Error> {
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut temporary = tempfile::Builder::new();
    let temporary = temporary.prefix(".plypack-").suffix(".tmp").tempfile_in(folder);
    let temporary = temporary.map_err(Error::io(folder))?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::io(output)(std::io::Error::other(error)))?;
    let mut report = Report::default();
    pool.install(|| {
        write(sources, temporary.as_file(), output, options, stop, &mut report, progress)
    })?;
    let file = publish(temporary, output)?;
    report.output_bytes = file.metadata().map_err(Error::io(output))?.len();
    Ok(report)
}

/// Gives a complete temporary file its name, once it is on disk.
///
/// # Errors
/// If the system refuses; then the temporary file is removed.
pub fn publish(temporary: tempfile::NamedTempFile, output: &Path) -> Result<File, Error> {
    temporary.as_file().sync_all().map_err(Error::io(output))?;
    let file = temporary.persist(output).map_err(|error| Error::io(output)(error.error))?;
    make_readable(&file).map_err(Error::io(output))?;
    Ok(file)
}

/// Gives a file that began as a private temporary one the usual permissions.
#[cfg(unix)]
fn make_readable(file: &File) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> std::io::Result<()> {
    Ok(())
}

fn write(
    sources: Vec<Source>,
    file: &File,
    output: &Path,
    options: &Options,
    stop: &AtomicBool,
    report: &mut Report,
    progress: &mut (dyn FnMut(&Report) + Send),
) -> Result<(), Error> {
    let parquet = || Error::parquet(output);
    let names = sources.iter().map(|source| source.name.as_str()).collect::<serde_json::Value>();
    let names = KeyValue::new(SOURCES_KEY.to_owned(), names.to_string());
    let mut groups = Groups::new(sources, game::in_turn(options.codec.game(), options.detect));
    let mut next = groups.next_group()?;
    report.kind = groups.kind();
    let sheet = Sheet::new(report.kind, next.as_ref(), options);
    let schema = ArrowSchemaConverter::new().convert(&sheet.schema).map_err(parquet())?;
    let properties = Arc::new(sheet.properties());
    let mut writer =
        SerializedFileWriter::new(file, schema.root_schema_ptr(), properties).map_err(parquet())?;
    writer.append_key_value_metadata(names);
    let factory = ArrowRowGroupWriterFactory::new(&writer, sheet.schema.clone());
    let mut number = 0;
    while let Some(group) = next {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let (chunks, following) = rayon::join(
            || {
                let arrays = match sheet.kind {
                    Content::Games => game_columns(&group, options, report),
                    Content::Positions => position_columns(&group, options, &sheet.opcodes, report),
                };
                encode_columns(&sheet.schema, arrays, &factory, number)
            },
            || groups.next_group(),
        );
        report.misfits.extend(groups.take_misfits());
        let mut row_group = writer.next_row_group().map_err(parquet())?;
        for chunk in chunks.map_err(parquet())? {
            chunk.append_to_row_group(&mut row_group).map_err(parquet())?;
        }
        row_group.close().map_err(parquet())?;
        number += 1;
        progress(report);
        next = following?;
    }
    // An interrupt that ended a pipe into us, too, must not pass for the end of the input.
    if stop.load(Ordering::Relaxed) {
        return Err(Error::Interrupted);
    }
    writer.close().map_err(parquet())?;
    Ok(())
}

/// The columns of a file, which depend on what it holds.
struct Sheet {
    kind: Content,
    schema: SchemaRef,
    /// The opcodes that have columns, if it holds positions.
    opcodes: Vec<String>,
}

impl Sheet {
    /// The sheet for a file that begins with this group.
    fn new(kind: Content, first: Option<&Group>, options: &Options) -> Self {
        let Some(group) = first.filter(|_| kind == Content::Positions) else {
            return Self { kind, schema: SCHEMA.clone(), opcodes: Vec::new() };
        };
        let spans = group.records.iter().take(OPCODE_LINES);
        let codec = options.position_codec(group);
        let signs = codec.game().info().signs;
        let texts = spans.map(|span| charset::decode(&group.bytes[span.bytes.clone()], signs));
        let texts: Vec<(Charset, Cow<'_, str>)> = texts.collect();
        let texts = texts.iter().map(|(charset, text)| (*charset, text.as_ref()));
        let opcodes = positions::row::frequent_opcodes(codec, texts);
        Self { kind, schema: positions::schema::schema(&opcodes), opcodes }
    }

    fn properties(&self) -> WriterProperties {
        match self.kind {
            Content::Games => writer_properties(),
            Content::Positions => positions::schema::writer_properties(&self.opcodes),
        }
    }
}

/// The codec of this one's name for a game; if that game has none of the name, its usual one.
fn codec_of(
    codec: &'static dyn ErasedLineCodec,
    game: &dyn ErasedGame,
) -> &'static dyn ErasedLineCodec {
    line_codec_like(codec, game.info().name)
}

/// Packs a group of positions.
fn position_columns(
    group: &Group,
    options: &Options,
    opcodes: &[String],
    report: &mut Report,
) -> Vec<ArrayRef> {
    let codec = options.position_codec(group);
    let signs = codec.game().info().signs;
    let slice = |span: &Span| &group.bytes[span.bytes.clone()];
    let mut columns = positions::Columns::new(codec, opcodes);
    let mut left = group.records.len();
    // In slices, so that what is packed does not stand in memory beside all columns.
    for spans in group.records.chunks(16 * CHUNK_RECORDS) {
        let texts: Vec<(Charset, Cow<'_, str>)> =
            spans.par_iter().map(|span| charset::decode(slice(span), signs)).collect();
        let packed: Vec<PackedPosition<'_>> = spans
            .par_iter()
            .zip(&texts)
            .map(|(span, (charset, text))| {
                positions::row::pack(codec, opcodes, slice(span), (*charset, text), span.piece)
            })
            .collect();
        for (span, record) in spans.iter().zip(&packed) {
            left -= 1;
            report.add(group, span, record.reason, record.fault.as_ref());
            report.positions += u64::from(record.code.is_some());
            columns.push(record, slice(span), span.line, &group.source, left == 0);
        }
    }
    columns.finish()
}

/// Packs a group of games.
fn game_columns(group: &Group, options: &Options, report: &mut Report) -> Vec<ArrayRef> {
    let slice = |span: &Span| &group.bytes[span.bytes.clone()];
    let (usual, detect) = (options.codec.game(), options.detect);
    let decode = |span: &Span| group.identity.decode(slice(span), usual, detect);
    let texts: Vec<Decoded<'_>> = group.records.par_iter().map(decode).collect();
    let packed: Vec<Vec<PackedRecord<'_>>> = group
        .records
        .par_chunks(CHUNK_RECORDS)
        .zip(texts.par_chunks(CHUNK_RECORDS))
        .map(|(spans, texts)| {
            let mut packer = Packer::new(options.codec).of(group.identity.format);
            let records = spans.iter().zip(texts);
            records
                .map(|(span, Decoded { game, charset, text })| {
                    packer.code_with(codec_of(options.codec, *game));
                    packer.pack(slice(span), *charset, text, span.piece)
                })
                .collect()
        })
        .collect();
    let mut columns = Columns::new();
    let mut templates = Templates::default();
    let mut orders = Vec::with_capacity(group.records.len());
    for (span, record) in group.records.iter().zip(packed.iter().flatten()) {
        report.plies += record.line.as_ref().map_or(0, |line| u64::from(line.plies));
        report.add(group, span, record.layout.as_ref().err().copied(), record.fault.as_ref());
        orders.push(record.layout.is_ok().then(|| templates.assign(&record.tag_names)));
        columns.push(record, slice(span), &group.source);
    }
    for order in orders {
        columns.tag_order.append_option(order.map(|number| templates.text(number)));
    }
    // The texts of records in odd encodings are twice their size, and columns hold all by now.
    drop(packed);
    drop(texts);
    columns.finish()
}

/// Encodes the columns of a row group side by side.
fn encode_columns(
    schema: &SchemaRef,
    arrays: Vec<ArrayRef>,
    factory: &ArrowRowGroupWriterFactory,
    number: usize,
) -> Result<Vec<parquet::arrow::arrow_writer::ArrowColumnChunk>, ParquetError> {
    let writers = factory.create_column_writers(number)?;
    let mut leaves = Vec::with_capacity(writers.len());
    for (field, array) in schema.fields().iter().zip(&arrays) {
        leaves.extend(compute_leaves(field, array)?);
    }
    let encode = |(mut writer, leaf): (parquet::arrow::arrow_writer::ArrowColumnWriter, _)| {
        writer.write(&leaf)?;
        writer.close()
    };
    writers.into_iter().zip(leaves).collect::<Vec<_>>().into_par_iter().map(encode).collect()
}

impl Report {
    fn add(&mut self, group: &Group, span: &Span, verbatim: Option<Reason>, fault: Option<&Fault>) {
        self.records += 1;
        self.input_bytes += span.bytes.len() as u64;
        if let Some(reason) = verbatim {
            *self.verbatim.entry(reason).or_default() += 1;
        }
        let Some(fault) = fault else { return };
        self.faulty += 1;
        if self.notices.len() < NOTICES_MAX {
            self.notices.push(Notice {
                source: group.source.clone(),
                record: self.records,
                line: span.line,
                fault: fault.clone(),
            });
        }
    }
}

/// The columns of a row group in the making.
struct Columns {
    tag_columns: Vec<TagColumn>,
    tags: MapBuilder<StringBuilder, StringBuilder>,
    codecs: StringBuilder,
    starts: StringBuilder,
    plies: Int32Builder,
    codes: BinaryBuilder,
    has_line: Vec<bool>,
    clocks: SeriesColumn,
    evaluations: SeriesColumn,
    reviews: SeriesColumn,
    annotations: AnnotationColumn,
    tag_order: StringBuilder,
    layout: StringBuilder,
    patch: BinaryBuilder,
    verbatim: BinaryBuilder,
    reason: StringBuilder,
    source: StringBuilder,
    checksum: UInt32Builder,
}

/// A column of codes that few records may have.
struct SeriesColumn {
    codec: String,
    codecs: StringBuilder,
    codes: BinaryBuilder,
    present: Vec<bool>,
}

impl SeriesColumn {
    fn new(codec: &CodecInfo) -> Self {
        let (codecs, codes) = (StringBuilder::new(), BinaryBuilder::new());
        Self { codec: codec.text(), codecs, codes, present: Vec::new() }
    }

    fn push(&mut self, code: Option<&[u8]>) {
        self.present.push(code.is_some());
        self.codecs.append_value(if code.is_some() { &self.codec } else { "" });
        self.codes.append_value(code.unwrap_or_default());
    }

    fn finish(mut self) -> ArrayRef {
        let arrays: Vec<ArrayRef> =
            vec![Arc::new(self.codecs.finish()), Arc::new(self.codes.finish())];
        Arc::new(StructArray::new(SERIES_FIELDS.clone(), arrays, Some(self.present.into())))
    }
}

#[derive(Default)]
struct AnnotationColumn {
    skips: Int32Builder,
    kinds: StringBuilder,
    texts: StringBuilder,
    plies: Int32Builder,
    codes: BinaryBuilder,
    lengths: Vec<usize>,
    present: Vec<bool>,
}

impl AnnotationColumn {
    fn push(&mut self, annotations: &[Annotation<'_>]) {
        // Neither plies nor what is skipped exceeds PLIES_MAX.
        let number = |plies: u32| i32::try_from(plies).unwrap_or(i32::MAX);
        for annotation in annotations {
            self.skips.append_value(number(annotation.skip));
            self.kinds.append_value(annotation.kind.name());
            self.texts.append_option(Some(&annotation.text).filter(|text| !text.is_empty()));
            let moves = annotation.moves.as_ref();
            self.plies.append_option(moves.map(|moves| number(moves.0)));
            self.codes.append_option(moves.map(|moves| &moves.1));
        }
        self.lengths.push(annotations.len());
        self.present.push(!annotations.is_empty());
    }

    fn finish(mut self) -> ArrayRef {
        let arrays: Vec<ArrayRef> = vec![
            Arc::new(self.skips.finish()),
            Arc::new(self.kinds.finish()),
            Arc::new(self.texts.finish()),
            Arc::new(self.plies.finish()),
            Arc::new(self.codes.finish()),
        ];
        let elements = Arc::new(StructArray::new(ANNOTATION_FIELDS.clone(), arrays, None));
        let offsets = OffsetBuffer::from_lengths(self.lengths);
        Arc::new(ListArray::new(ANNOTATION.clone(), offsets, elements, Some(self.present.into())))
    }
}

enum TagColumn {
    Text(StringBuilder),
    Number(Int32Builder, TagType),
    Date(Date32Builder),
    Time(Time32MillisecondBuilder),
}

impl Columns {
    fn new() -> Self {
        let names =
            MapFieldNames { entry: "key_value".into(), key: "key".into(), value: "value".into() };
        let tag_column = |&(_, kind): &(&str, TagType)| match kind {
            TagType::Text => TagColumn::Text(StringBuilder::new()),
            TagType::Number | TagType::Difference => TagColumn::Number(Int32Builder::new(), kind),
            TagType::Date => TagColumn::Date(Date32Builder::new()),
            TagType::Time => TagColumn::Time(Time32MillisecondBuilder::new()),
        };
        Self {
            tag_columns: TAG_COLUMNS.iter().map(tag_column).collect(),
            tags: MapBuilder::new(Some(names), StringBuilder::new(), StringBuilder::new()),
            codecs: StringBuilder::new(),
            starts: StringBuilder::new(),
            plies: Int32Builder::new(),
            codes: BinaryBuilder::new(),
            has_line: Vec::new(),
            clocks: SeriesColumn::new(&CLOCKS.newest.info),
            evaluations: SeriesColumn::new(&EVALUATIONS.newest.info),
            reviews: SeriesColumn::new(&REVIEWS.newest.info),
            annotations: AnnotationColumn::default(),
            tag_order: StringBuilder::new(),
            layout: StringBuilder::new(),
            patch: BinaryBuilder::new(),
            verbatim: BinaryBuilder::new(),
            reason: StringBuilder::new(),
            source: StringBuilder::new(),
            checksum: UInt32Builder::new(),
        }
    }

    /// Appends a row, but for its `tag_order`.
    fn push(&mut self, record: &PackedRecord<'_>, bytes: &[u8], source: &str) {
        self.push_tags(record);
        let line = record.line.as_ref();
        self.has_line.push(line.is_some());
        if let Some(CodedLine { codec, .. }) = line {
            // Writing to a builder cannot fail.
            let _ = self.codecs.write_str(&stored_text(codec.game(), codec.info()));
        }
        self.codecs.append_value("");
        self.starts.append_option(line.and_then(|line| line.start.as_deref()));
        // A coded line has at most PLIES_MAX plies.
        let plies = line.map_or(0, |line| i32::try_from(line.plies).unwrap_or(i32::MAX));
        self.plies.append_value(plies);
        self.codes.append_value(line.map_or(&[][..], |line| &line.code));
        self.clocks.push(record.clocks.as_deref());
        self.evaluations.push(record.evaluations.as_deref());
        self.reviews.push(record.reviews.as_deref());
        self.annotations.push(&record.annotations);
        self.layout.append_option(record.layout.as_ref().ok().map(ToString::to_string));
        self.patch.append_option(Some(&record.patch).filter(|patch| !patch.is_empty()));
        let reason = record.layout.as_ref().err();
        self.verbatim.append_option(reason.map(|_| bytes));
        self.reason.append_option(reason.map(|reason| reason.text()));
        self.source.append_value(source);
        self.checksum.append_value(crc32fast::hash(bytes));
    }

    fn push_tags(&mut self, record: &PackedRecord<'_>) {
        let mut in_column = [false; TAG_COLUMNS.len()];
        for (name, value) in &record.tags {
            let column = TAG_COLUMNS.iter().position(|column| column.0 == *name);
            let fits = column.is_some_and(|at| self.tag_columns[at].append(value));
            if fits {
                if let Some(at) = column {
                    in_column[at] = true;
                }
            } else {
                self.tags.keys().append_value(name);
                self.tags.values().append_value(value);
            }
        }
        // The builder checks that keys and values are equally many, which they are.
        let _ = self.tags.append(true);
        for (column, present) in self.tag_columns.iter_mut().zip(in_column) {
            if !present {
                column.append_null();
            }
        }
    }

    /// The arrays in the order of the schema.
    fn finish(mut self) -> Vec<ArrayRef> {
        let moves = StructArray::new(
            MOVE_FIELDS.clone(),
            vec![
                Arc::new(self.codecs.finish()),
                Arc::new(self.starts.finish()),
                Arc::new(self.plies.finish()),
                Arc::new(self.codes.finish()),
            ],
            Some(self.has_line.into()),
        );
        let mut arrays: Vec<ArrayRef> =
            self.tag_columns.iter_mut().map(TagColumn::finish).collect();
        arrays.push(Arc::new(self.tags.finish()));
        arrays.push(Arc::new(moves));
        arrays.push(self.clocks.finish());
        arrays.push(self.evaluations.finish());
        arrays.push(self.reviews.finish());
        arrays.push(self.annotations.finish());
        arrays.push(Arc::new(self.tag_order.finish()));
        arrays.push(Arc::new(self.layout.finish()));
        arrays.push(Arc::new(self.patch.finish()));
        arrays.push(Arc::new(self.verbatim.finish()));
        arrays.push(Arc::new(self.reason.finish()));
        arrays.push(Arc::new(self.source.finish()));
        arrays.push(Arc::new(self.checksum.finish()));
        arrays
    }
}

impl TagColumn {
    /// Appends a value if it is canonical for the column's type. Whether it was.
    fn append(&mut self, value: &str) -> bool {
        match self {
            Self::Text(column) => column.append_value(value),
            Self::Number(column, kind) => match tag_value::read(*kind, value) {
                Some(number) => column.append_value(number),
                None => return false,
            },
            Self::Date(column) => match tag_value::read(TagType::Date, value) {
                Some(days) => column.append_value(days),
                None => return false,
            },
            Self::Time(column) => match tag_value::read(TagType::Time, value) {
                Some(milliseconds) => column.append_value(milliseconds),
                None => return false,
            },
        }
        true
    }

    fn append_null(&mut self) {
        match self {
            Self::Text(column) => column.append_null(),
            Self::Number(column, _) => column.append_null(),
            Self::Date(column) => column.append_null(),
            Self::Time(column) => column.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => Arc::new(column.finish()),
            Self::Number(column, _) => Arc::new(column.finish()),
            Self::Date(column) => Arc::new(column.finish()),
            Self::Time(column) => Arc::new(column.finish()),
        }
    }
}
