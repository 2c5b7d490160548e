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
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::{ArrowRowGroupWriterFactory, compute_leaves};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::writer::SerializedFileWriter;
use plypack_core::ErasedLineCodec;
use plypack_core::codecs::series;
use plypack_records::charset::{self, Charset};
use plypack_records::tag_order::Templates;
use rayon::prelude::*;

use crate::error::Error;
use crate::game;
use crate::input::{Group, Groups, Source, Span};
use crate::movetext::Annotation;
use crate::row::{CodedLine, Fault, PackedRecord, Packer, Reason};
use crate::schema::{
    ANNOTATION, ANNOTATION_FIELDS, MOVE_FIELDS, SCHEMA, SERIES_FIELDS, SOURCES_KEY, TAG_COLUMNS,
    TagType, writer_properties,
};
use crate::tag_value;

/// How many records one thread packs with one memory of layouts. It decides stored bytes, so it
/// does not depend on the number of threads.
const CHUNK_RECORDS: usize = 512;

/// The most notices that a report keeps.
const NOTICES_MAX: usize = 20;

/// How to pack.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The codec of the moves, and with it the game.
    pub codec: &'static dyn ErasedLineCodec,
    /// Whether a record whose tags tell of another game is coded by that game's codec of the same
    /// name.
    pub detect: bool,
    /// The number of threads; 0 means one a core.
    pub threads: usize,
}

/// A record whose moves could not all be coded.
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
    /// Bytes of input, decompressed.
    pub input_bytes: u64,
    /// Bytes of output.
    pub output_bytes: u64,
    /// Records.
    pub records: u64,
    /// Coded plies.
    pub plies: u64,
    /// Records kept verbatim, by reason.
    pub verbatim: BTreeMap<Reason, u64>,
    /// Records with moves, or a set-up position, that could not be coded.
    pub faulty: u64,
    /// The first of them.
    pub notices: Vec<Notice>,
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
    let properties = Arc::new(writer_properties());
    let parquet = || Error::parquet(output);
    let schema = ArrowSchemaConverter::new().convert(&SCHEMA).map_err(parquet())?;
    let mut writer =
        SerializedFileWriter::new(file, schema.root_schema_ptr(), properties).map_err(parquet())?;
    let names = sources.iter().map(|source| source.name.as_str()).collect::<serde_json::Value>();
    writer.append_key_value_metadata(KeyValue::new(SOURCES_KEY.to_owned(), names.to_string()));
    let factory = ArrowRowGroupWriterFactory::new(&writer, SCHEMA.clone());
    let mut groups = Groups::new(sources);
    let mut next = groups.next_group()?;
    let mut number = 0;
    while let Some(group) = next {
        if stop.load(Ordering::Relaxed) {
            return Err(Error::Interrupted);
        }
        let (chunks, following) = rayon::join(
            || encode_group(&group, options, report, &factory, number),
            || groups.next_group(),
        );
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

/// A record's bytes as text, and what is to code its moves.
struct Reading<'a> {
    codec: &'static dyn ErasedLineCodec,
    charset: Charset,
    text: Cow<'a, str>,
}

impl<'a> Reading<'a> {
    /// Reads in a charset that the record's game is written in.
    fn new(bytes: &'a [u8], options: &Options) -> Self {
        let (mut charset, mut text) = charset::decode(bytes, "");
        let codec = if options.detect { codec_for(options.codec, &text) } else { options.codec };
        let signs = codec.game().info().signs;
        if charset != Charset::Utf8 && !signs.is_empty() {
            (charset, text) = charset::decode(bytes, signs);
        }
        Self { codec, charset, text }
    }
}

/// The codec of this one's name for the game that a record tells of, or this one.
fn codec_for(codec: &'static dyn ErasedLineCodec, record: &str) -> &'static dyn ErasedLineCodec {
    let game = game::of(record, codec.game()).info().name;
    plypack_games::line_codec(game, codec.info().name).unwrap_or(codec)
}

/// Packs a group and encodes its columns.
fn encode_group(
    group: &Group,
    options: &Options,
    report: &mut Report,
    factory: &ArrowRowGroupWriterFactory,
    number: usize,
) -> Result<Vec<parquet::arrow::arrow_writer::ArrowColumnChunk>, ParquetError> {
    let slice = |span: &Span| &group.bytes[span.bytes.clone()];
    let texts: Vec<Reading<'_>> =
        group.records.par_iter().map(|span| Reading::new(slice(span), options)).collect();
    let packed: Vec<Vec<PackedRecord<'_>>> = group
        .records
        .par_chunks(CHUNK_RECORDS)
        .zip(texts.par_chunks(CHUNK_RECORDS))
        .map(|(spans, texts)| {
            let mut packer = Packer::new(options.codec);
            let records = spans.iter().zip(texts);
            records
                .map(|(span, Reading { codec, charset, text })| {
                    packer.code_with(*codec);
                    packer.pack(slice(span), *charset, text, span.piece)
                })
                .collect()
        })
        .collect();
    let mut columns = Columns::new();
    let mut templates = Templates::default();
    let mut orders = Vec::with_capacity(group.records.len());
    for (span, record) in group.records.iter().zip(packed.iter().flatten()) {
        report.add(group, span, record);
        orders.push(record.layout.is_ok().then(|| templates.assign(&record.tag_names)));
        columns.push(record, slice(span), &group.source);
    }
    for order in orders {
        columns.tag_order.append_option(order.map(|number| templates.text(number)));
    }
    // The texts of records in odd encodings are twice their size, and columns hold all by now.
    drop(packed);
    drop(texts);
    let arrays = columns.finish();
    let writers = factory.create_column_writers(number)?;
    let mut leaves = Vec::with_capacity(writers.len());
    for (field, array) in SCHEMA.fields().iter().zip(&arrays) {
        leaves.extend(compute_leaves(field, array)?);
    }
    let encode = |(mut writer, leaf): (parquet::arrow::arrow_writer::ArrowColumnWriter, _)| {
        writer.write(&leaf)?;
        writer.close()
    };
    writers.into_iter().zip(leaves).collect::<Vec<_>>().into_par_iter().map(encode).collect()
}

impl Report {
    fn add(&mut self, group: &Group, span: &Span, record: &PackedRecord<'_>) {
        self.records += 1;
        self.input_bytes += span.bytes.len() as u64;
        self.plies += record.line.as_ref().map_or(0, |line| u64::from(line.plies));
        if let Err(reason) = record.layout {
            *self.verbatim.entry(reason).or_default() += 1;
        }
        let Some(fault) = &record.fault else { return };
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
    codec: &'static str,
    codecs: StringBuilder,
    codes: BinaryBuilder,
    present: Vec<bool>,
}

impl SeriesColumn {
    fn new(codec: &'static str) -> Self {
        let (codecs, codes) = (StringBuilder::new(), BinaryBuilder::new());
        Self { codec, codecs, codes, present: Vec::new() }
    }

    fn push(&mut self, code: Option<&[u8]>) {
        self.present.push(code.is_some());
        self.codecs.append_value(if code.is_some() { self.codec } else { "" });
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
            clocks: SeriesColumn::new(series::CLOCK_INFO.name),
            evaluations: SeriesColumn::new(series::EVALUATION_INFO.name),
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
            let _ = write!(self.codecs, "{}/{}", codec.game().info().name, codec.info().name);
        }
        self.codecs.append_value("");
        self.starts.append_option(line.and_then(|line| line.start.as_deref()));
        // A coded line has at most PLIES_MAX plies.
        let plies = line.map_or(0, |line| i32::try_from(line.plies).unwrap_or(i32::MAX));
        self.plies.append_value(plies);
        self.codes.append_value(line.map_or(&[][..], |line| &line.code));
        self.clocks.push(record.clocks.as_deref());
        self.evaluations.push(record.evaluations.as_deref());
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
