//! A packed file that is open for reading: its metadata, and its records group by group.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Time32MillisecondType, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Int32Array, ListArray, MapArray, PrimitiveArray, RecordBatch,
    StringArray, StructArray, UInt32Array,
};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};

use crate::error::Error;
use crate::movetext::{Annotation, AnnotationKind};
use crate::pages;
use crate::positions::{self, PositionRows};
use crate::row::{self, Reason, StoredRecord};
use crate::schema::{FORMAT_VERSION, SOURCES_KEY, START_TAG, TAG_COLUMNS, TagType, VERSION_KEY};
use crate::tag_value;
use plypack_records::Content;

/// The columns without which a file of games is not ours.
const NEEDED: [&str; 6] = ["tags", "moves", "tag_order", "layout", "verbatim", "checksum"];

/// A packed file.
#[derive(Debug)]
pub struct PackedFile {
    path: PathBuf,
    file: File,
    metadata: ArrowReaderMetadata,
    kind: Content,
}

/// What a packed file holds, in numbers.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// What the records are.
    pub kind: Content,
    /// The game's name; empty if nothing is coded.
    pub game: String,
    /// The codecs of the moves or positions.
    pub codecs: Vec<String>,
    /// Records.
    pub records: u64,
    /// Coded plies.
    pub plies: u64,
    /// Coded positions, in a file of them.
    pub positions: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// The stored bytes of each top-level column.
    pub columns: BTreeMap<String, u64>,
    /// Records kept verbatim, by reason.
    pub verbatim: BTreeMap<String, u64>,
    /// Records with moves, or a set-up position, that could not be coded.
    pub faulty: u64,
    /// Records that a patch completes.
    pub patched: u64,
}

impl Summary {
    /// The stored bytes of the whole `moves` column.
    #[must_use]
    pub fn move_bytes(&self) -> u64 {
        self.columns.get("moves").copied().unwrap_or(0)
    }

    /// The stored bytes of the whole `position` column.
    #[must_use]
    pub fn position_bytes(&self) -> u64 {
        self.columns.get("position").copied().unwrap_or(0)
    }

    /// How many records are kept verbatim.
    #[must_use]
    pub fn verbatim_records(&self) -> u64 {
        self.verbatim.values().sum()
    }

    /// Counts what these rows hold; an error names the column whose type is wrong.
    fn add(&mut self, batch: &RecordBatch) -> Result<(), &'static str> {
        let moves = batch.column_by_name("moves").and_then(AsArray::as_struct_opt);
        let moves = moves.ok_or("moves")?;
        let plies = column::<Int32Array>(moves, "plies").ok_or("moves")?;
        let codecs = column::<StringArray>(moves, "codec").ok_or("moves")?;
        // These columns may be absent.
        let tails = batch.column_by_name("annotations").map(Tails::new).transpose()?;
        let reasons = batch.column_by_name("verbatim_reason");
        let reasons = reasons.and_then(|column| column.as_string_opt::<i32>());
        for row in 0..batch.num_rows() {
            let reason = self.add_reason(reasons, row);
            if moves.is_null(row) {
                self.faulty += u64::from(reason != Some(Reason::TooLong.text()));
                continue;
            }
            self.faulty += u64::from(tails.as_ref().is_some_and(|tails| tails.has(row)));
            self.plies += u64::try_from(plies.value(row)).unwrap_or(0);
            self.add_codec(codecs.value(row));
        }
        self.add_patches(batch);
        Ok(())
    }

    /// Counts what these rows of positions hold; an error names the column whose type is wrong.
    fn add_positions(&mut self, batch: &RecordBatch) -> Result<(), &'static str> {
        let positions = batch.column_by_name("position").and_then(AsArray::as_struct_opt);
        let positions = positions.ok_or("position")?;
        let codecs = column::<StringArray>(positions, "codec").ok_or("position")?;
        let reasons = batch.column_by_name("verbatim_reason");
        let reasons = reasons.and_then(|column| column.as_string_opt::<i32>());
        for row in 0..batch.num_rows() {
            let reason = self.add_reason(reasons, row);
            self.faulty += u64::from(reason == Some(Reason::Position.text()));
            if positions.is_valid(row) {
                self.positions += 1;
                self.add_codec(codecs.value(row));
            }
        }
        self.add_patches(batch);
        Ok(())
    }

    /// Counts the reason why a record is kept verbatim, if it is.
    fn add_reason<'a>(&mut self, reasons: Option<&'a StringArray>, row: usize) -> Option<&'a str> {
        let reason = reasons.filter(|reasons| reasons.is_valid(row))?.value(row);
        *self.verbatim.entry(reason.to_owned()).or_default() += 1;
        Some(reason)
    }

    fn add_codec(&mut self, codec: &str) {
        if !self.codecs.iter().any(|known| known == codec) {
            self.codecs.push(codec.to_owned());
        }
    }

    fn add_patches(&mut self, batch: &RecordBatch) {
        let patches = batch.column_by_name("patch");
        let patched = patches.map_or(0, |patches| patches.len() - patches.null_count());
        self.patched += patched as u64;
    }
}

/// The last annotations of records.
struct Tails<'a> {
    list: &'a ListArray,
    kinds: &'a StringArray,
    texts: &'a StringArray,
}

impl<'a> Tails<'a> {
    fn new(annotations: &'a ArrayRef) -> Result<Self, &'static str> {
        const NAME: &str = "annotations";
        let list = annotations.as_list_opt().ok_or(NAME)?;
        let elements = list.values().as_struct_opt().ok_or(NAME)?;
        let kinds = column(elements, "kind").ok_or(NAME)?;
        Ok(Self { list, kinds, texts: column(elements, "text").ok_or(NAME)? })
    }

    /// Whether a record's coded moves are followed by others that could not be coded.
    fn has(&self, row: usize) -> bool {
        let Some(last) = elements(self.list, row).last() else { return false };
        self.texts.is_valid(last) && row::is_tail(self.kinds.value(last), self.texts.value(last))
    }
}

/// The places of a row's elements in the values of a list.
fn elements(list: &ListArray, row: usize) -> impl Iterator<Item = usize> {
    let offsets = list.value_offsets();
    let range = match (offsets.get(row), offsets.get(row + 1)) {
        (Some(&from), Some(&to)) if list.is_valid(row) => from..to,
        _ => 0..0,
    };
    range.filter_map(|at| usize::try_from(at).ok())
}

impl PackedFile {
    /// Opens a packed file.
    ///
    /// # Errors
    /// If it cannot be read, is not Parquet, lacks our columns, or needs a newer version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io(path))?;
        if file.metadata().map_err(Error::io(path))?.is_dir() {
            return Err(Error::io(path)(std::io::ErrorKind::IsADirectory.into()));
        }
        let format = |why: String| Error::Format { path: path.into(), why };
        // Types follow from Parquet's alone, so that a copy made by another tool reads the same.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let metadata = ArrowReaderMetadata::load(&file, options).map_err(|error| {
            format(format!("this is not a packed file; make one with `plypack pack` ({error})"))
        })?;
        let version = value(&metadata, VERSION_KEY);
        if version.is_some_and(|version| version != FORMAT_VERSION.to_string()) {
            return Err(format(format!(
                "its format is version {}, and this plypack reads version {FORMAT_VERSION}; \
                 use the version that wrote it, or a newer one",
                version.unwrap_or_default()
            )));
        }
        let has = |name: &str| metadata.schema().index_of(name).is_ok();
        let (kind, needed) = match has("position") && !has("moves") {
            true => (Content::Positions, positions::NEEDED.as_slice()),
            false => (Content::Games, NEEDED.as_slice()),
        };
        let lacking = needed.iter().find(|name| !has(name));
        if let Some(name) = lacking {
            return Err(format(format!(
                "this Parquet file has no column `{name}`, so plypack did not write it"
            )));
        }
        Ok(Self { path: path.into(), file, metadata, kind })
    }

    /// What its records are.
    #[must_use]
    pub fn kind(&self) -> Content {
        self.kind
    }

    /// The path it was opened at.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The names of the inputs, in order, if the file lists them. An input without records stands
    /// nowhere else. A copy made by another tool may have lost the list.
    ///
    /// # Errors
    /// If the list is damaged.
    pub fn sources(&self) -> Result<Vec<String>, Error> {
        let Some(list) = value(&self.metadata, SOURCES_KEY) else { return Ok(Vec::new()) };
        serde_json::from_str(list).map_err(|error| {
            let why = format!("its list of inputs, `{SOURCES_KEY}`, is damaged: {error}");
            Error::Format { path: self.path.clone(), why }
        })
    }

    /// How many row groups it has.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// How many records a row group has.
    #[must_use]
    pub fn group_records(&self, group: usize) -> u64 {
        let rows = self.metadata.metadata().row_group(group).num_rows();
        u64::try_from(rows).unwrap_or(0)
    }

    /// How many records it has.
    #[must_use]
    pub fn records(&self) -> u64 {
        (0..self.groups()).map(|group| self.group_records(group)).sum()
    }

    /// Reads the records of a row group, whatever they are.
    ///
    /// # Errors
    /// If it cannot be read or its columns have other types than ours.
    pub fn read_records(&self, group: usize) -> Result<Records, Error> {
        Ok(match self.kind {
            Content::Games => Records::Games(self.read_group(group)?),
            Content::Positions => Records::Positions(self.read_positions(group)?),
        })
    }

    /// Reads a row group of positions.
    ///
    /// # Errors
    /// If it cannot be read or its columns have other types than ours.
    pub fn read_positions(&self, group: usize) -> Result<PositionRows, Error> {
        let batches = self.read_columns(group, &|_, _| true)?;
        PositionRows::new(&batches).map_err(|name| wrong_type(&self.path, name))
    }

    /// How many records have no checksum that could be compared: a checksum of positions covers
    /// some that follow one another, and a copy made by another tool may lack one of them.
    ///
    /// # Errors
    /// If the file cannot be read or its columns have other types than ours.
    pub fn unchecked_records(&self) -> Result<u64, Error> {
        let mut unchecked = 0;
        for group in 0..self.groups() {
            if self.kind == Content::Positions {
                let wanted = |name: &str, _: &str| matches!(name, "line" | "source" | "checksum");
                let batches = self.read_columns(group, &wanted)?;
                let found = positions::unchecked(&batches);
                unchecked += found.map_err(|name| wrong_type(&self.path, name))? as u64;
            }
        }
        Ok(unchecked)
    }

    /// Reads a row group of games.
    ///
    /// # Errors
    /// If it cannot be read or its columns have other types than ours.
    pub fn read_group(&self, group: usize) -> Result<Rows, Error> {
        let all = |_: &str, _: &str| true;
        Rows::new(&self.path, self.read_columns(group, &all)?)
    }

    /// Reads the columns whose names, that of the whole and that of the innermost part, are wanted.
    fn read_columns(
        &self,
        group: usize,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Result<Vec<RecordBatch>, Error> {
        // The Parquet library panics on some damaged files where it should give an error
        // (`tests/hostile.rs` has them). It holds nothing of ours that could be left half done.
        let read = AssertUnwindSafe(|| self.read_columns_unguarded(group, wanted));
        catch_unwind(read).unwrap_or_else(|_| {
            let why = "the Parquet library cannot read it: the file is damaged".into();
            Err(Error::Format { path: self.path.clone(), why })
        })
    }

    fn read_columns_unguarded(
        &self,
        group: usize,
        wanted: &dyn Fn(&str, &str) -> bool,
    ) -> Result<Vec<RecordBatch>, Error> {
        let file = self.file.try_clone().map_err(Error::io(&self.path))?;
        let schema = self.metadata.parquet_schema();
        let leaves = (0..schema.num_columns()).filter(|&leaf| {
            let column = schema.column(leaf);
            let parts = column.path().parts();
            parts.first().zip(parts.last()).is_some_and(|(whole, part)| wanted(whole, part))
        });
        let leaves: Vec<usize> = leaves.collect();
        let rows = usize::try_from(self.group_records(group)).unwrap_or(usize::MAX);
        let shared = Arc::new(self.file.try_clone().map_err(Error::io(&self.path))?);
        let columns = self.metadata.metadata().row_group(group).columns();
        for column in leaves.iter().filter_map(|&leaf| columns.get(leaf)) {
            pages::check(&shared, column, rows).map_err(Error::parquet(&self.path))?;
        }
        let builder =
            ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.metadata.clone());
        let reader = builder
            .with_row_groups(vec![group])
            .with_projection(ProjectionMask::leaves(schema, leaves))
            // Rows are read in slices, so that a false number of rows allocates nothing.
            .with_batch_size(rows.clamp(1, 1 << 16))
            .build()
            .map_err(Error::parquet(&self.path))?;
        let batches: Result<Vec<_>, _> = reader.collect();
        batches.map_err(|error| Error::parquet(&self.path)(error.into()))
    }

    /// What the file holds, in numbers: reads the small columns of all row groups.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn summary(&self) -> Result<Summary, Error> {
        let mut summary = Summary {
            kind: self.kind,
            bytes: self.file.metadata().map_err(Error::io(&self.path))?.len(),
            records: self.records(),
            ..Summary::default()
        };
        for group in self.metadata.metadata().row_groups() {
            for column in group.columns() {
                let name = column.column_path().parts().first().cloned().unwrap_or_default();
                let bytes = u64::try_from(column.compressed_size()).unwrap_or(0);
                *summary.columns.entry(name).or_default() += bytes;
            }
        }
        let wanted = |whole: &str, part: &str| match whole {
            "position" => part == "codec",
            "moves" => matches!(part, "codec" | "plies"),
            "annotations" => matches!(part, "kind" | "text"),
            _ => matches!(whole, "patch" | "verbatim_reason"),
        };
        for group in 0..self.groups() {
            for batch in self.read_columns(group, &wanted)? {
                let added = match self.kind {
                    Content::Games => summary.add(&batch),
                    Content::Positions => summary.add_positions(&batch),
                };
                added.map_err(|column| wrong_type(&self.path, column))?;
            }
        }
        let games: Vec<&str> =
            summary.codecs.iter().filter_map(|codec| Some(codec.split_once('/')?.0)).collect();
        summary.game = games.first().map(ToString::to_string).unwrap_or_default();
        Ok(summary)
    }
}

/// The value of a key in the file's metadata.
fn value<'a>(metadata: &'a ArrowReaderMetadata, key: &str) -> Option<&'a str> {
    let pairs = metadata.metadata().file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
}

fn wrong_type(path: &Path, column: &str) -> Error {
    let why = format!("its column `{column}` has another type than plypack writes");
    Error::Format { path: path.into(), why }
}

/// The child of a struct, as the type it should have.
fn column<'a, A: Array + 'static>(array: &'a StructArray, name: &str) -> Option<&'a A> {
    array.column_by_name(name)?.as_any().downcast_ref()
}

/// The records of a row group, whatever they are.
#[derive(Debug)]
pub enum Records {
    /// Games.
    Games(Rows),
    /// Positions.
    Positions(PositionRows),
}

impl Records {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Games(rows) => rows.len(),
            Self::Positions(rows) => rows.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The bytes of the record in this row, unchecked, or what is wrong with it. `None` past the
    /// end.
    #[must_use]
    pub fn render(&self, row: usize) -> Option<Result<Vec<u8>, String>> {
        Some(match self {
            Self::Games(rows) => rows.record(row)?.0.render().map(Cow::into_owned),
            Self::Positions(rows) => rows.record(row)?.0.render().map(Cow::into_owned),
        })
    }
}

/// The games of a row group.
#[derive(Debug)]
pub struct Rows {
    batches: Vec<Batch>,
}

#[derive(Debug)]
struct Batch {
    tag_columns: Vec<Option<TagArray>>,
    tags: MapArray,
    tag_names: StringArray,
    tag_values: StringArray,
    moves: StructArray,
    codecs: StringArray,
    starts: StringArray,
    plies: Int32Array,
    codes: BinaryArray,
    clocks: Option<Series>,
    evaluations: Option<Series>,
    reviews: Option<Series>,
    annotations: Option<AnnotationArray>,
    tag_order: StringArray,
    layout: StringArray,
    patch: Option<BinaryArray>,
    verbatim: BinaryArray,
    source: Option<StringArray>,
    checksum: UInt32Array,
}

#[derive(Debug)]
struct Series {
    whole: StructArray,
    codecs: StringArray,
    codes: BinaryArray,
}

#[derive(Debug)]
struct AnnotationArray {
    list: ListArray,
    skips: Int32Array,
    kinds: StringArray,
    texts: StringArray,
    plies: Int32Array,
    codes: BinaryArray,
}

#[derive(Debug)]
enum TagArray {
    Text(StringArray),
    Number(Int32Array, TagType),
    Date(PrimitiveArray<Date32Type>),
    Time(PrimitiveArray<Time32MillisecondType>),
}

impl Rows {
    fn new(path: &Path, batches: Vec<RecordBatch>) -> Result<Self, Error> {
        let batches: Result<Vec<_>, &'static str> = batches.iter().map(Batch::new).collect();
        batches.map(|batches| Self { batches }).map_err(|name| wrong_type(path, name))
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.batches.iter().map(|batch| batch.moves.len()).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The record in this row, the checksum of its original bytes, and its input's name. `None`
    /// past the end.
    #[must_use]
    pub fn record(&self, mut row: usize) -> Option<(StoredRecord<'_>, u32, &str)> {
        for batch in &self.batches {
            if row < batch.moves.len() {
                return Some(batch.record(row));
            }
            row -= batch.moves.len();
        }
        None
    }
}

impl Batch {
    /// Takes the columns apart; an error names the column whose type is wrong.
    fn new(batch: &RecordBatch) -> Result<Self, &'static str> {
        fn typed<A: Array + Clone + 'static>(
            batch: &RecordBatch,
            name: &'static str,
        ) -> Result<A, &'static str> {
            let column = batch.column_by_name(name).ok_or(name)?;
            column.as_any().downcast_ref::<A>().cloned().ok_or(name)
        }
        fn child<A: Array + Clone + 'static>(
            array: &StructArray,
            name: &str,
        ) -> Result<A, &'static str> {
            column::<A>(array, name).cloned().ok_or("moves")
        }
        let tag_array = |&(name, kind): &(&'static str, TagType)| {
            let column = batch.column_by_name(name)?.as_any();
            match kind {
                TagType::Text => column.downcast_ref().cloned().map(TagArray::Text),
                TagType::Number | TagType::Difference => {
                    column.downcast_ref().cloned().map(|array| TagArray::Number(array, kind))
                }
                TagType::Date => column.downcast_ref().cloned().map(TagArray::Date),
                TagType::Time => column.downcast_ref().cloned().map(TagArray::Time),
            }
        };
        // These columns are newer than the others: a file may lack them.
        let series = |name: &'static str| match batch.column_by_name(name) {
            None => Ok(None),
            Some(_) => {
                let whole: StructArray = typed(batch, name)?;
                let codecs = column::<StringArray>(&whole, "codec").cloned().ok_or(name)?;
                let codes = column::<BinaryArray>(&whole, "code").cloned().ok_or(name)?;
                Ok(Some(Series { whole, codecs, codes }))
            }
        };
        let annotations = match batch.column_by_name("annotations") {
            None => None,
            Some(_) => Some(AnnotationArray::new(typed(batch, "annotations")?)?),
        };
        let tags: MapArray = typed(batch, "tags")?;
        let moves: StructArray = typed(batch, "moves")?;
        Ok(Self {
            tag_columns: TAG_COLUMNS.iter().map(tag_array).collect(),
            tag_names: tags.keys().as_string_opt().cloned().ok_or("tags")?,
            tag_values: tags.values().as_string_opt().cloned().ok_or("tags")?,
            tags,
            codecs: child(&moves, "codec")?,
            starts: child(&moves, "start")?,
            plies: child(&moves, "plies")?,
            codes: child(&moves, "code")?,
            moves,
            clocks: series("clocks")?,
            evaluations: series("evals")?,
            reviews: series("reviews")?,
            annotations,
            patch: typed(batch, "patch").ok(),
            tag_order: typed(batch, "tag_order")?,
            layout: typed(batch, "layout")?,
            verbatim: typed(batch, "verbatim")?,
            source: typed(batch, "source").ok(),
            checksum: typed::<PrimitiveArray<UInt32Type>>(batch, "checksum")?,
        })
    }

    fn record(&self, row: usize) -> (StoredRecord<'_>, u32, &str) {
        let valid = |array: &dyn Array| array.is_valid(row);
        let line = valid(&self.moves).then(|| {
            let start = valid(&self.starts).then(|| self.starts.value(row));
            // A negative number is no number of plies; no codec accepts one so large.
            let plies = u32::try_from(self.plies.value(row)).unwrap_or(u32::MAX);
            (self.codecs.value(row), start, plies, self.codes.value(row))
        });
        let start = line.and_then(|line| line.1);
        let record = StoredRecord {
            tags: self.tags(row, start),
            line,
            clocks: series_code(self.clocks.as_ref(), row),
            evaluations: series_code(self.evaluations.as_ref(), row),
            reviews: series_code(self.reviews.as_ref(), row),
            annotations: self.annotations.as_ref().map_or(Ok(Vec::new()), |a| a.row(row)),
            layout: valid(&self.layout).then(|| self.layout.value(row)),
            patch: self.patch.as_ref().filter(|p| p.is_valid(row)).map(|p| p.value(row)),
            verbatim: valid(&self.verbatim).then(|| self.verbatim.value(row)),
        };
        let source = self.source.as_ref().map_or("", |source| source.value(row));
        (record, self.checksum.value(row), source)
    }

    /// The tags of a row in their order, gathered from the columns.
    fn tags<'a>(&'a self, row: usize, start: Option<&'a str>) -> Vec<(&'a str, Cow<'a, str>)> {
        let mut found: Vec<(&str, Cow<'_, str>)> = Vec::new();
        for (&(name, _), array) in TAG_COLUMNS.iter().zip(&self.tag_columns) {
            let value = array.as_ref().and_then(|array| array.value(row));
            found.extend(value.map(|value| (name, value)));
        }
        let offsets = self.tags.value_offsets();
        let range = match (offsets.get(row), offsets.get(row + 1)) {
            (Some(&from), Some(&to)) if self.tags.is_valid(row) => from..to,
            _ => 0..0,
        };
        for entry in range.filter_map(|entry| usize::try_from(entry).ok()) {
            let value = Cow::Borrowed(self.tag_values.value(entry));
            found.push((self.tag_names.value(entry), value));
        }
        found.extend(start.map(|start| (START_TAG, Cow::Borrowed(start))));
        if self.tag_order.is_valid(row) {
            let mut places = BTreeMap::new();
            for (place, name) in self.tag_order.value(row).split(' ').enumerate() {
                places.entry(name).or_insert(place);
            }
            found.sort_by_key(|tag| places.get(tag.0));
        }
        found
    }
}

/// The codec and the code of a series in this row.
fn series_code(series: Option<&Series>, row: usize) -> Option<(&str, &[u8])> {
    let series = series.filter(|series| series.whole.is_valid(row))?;
    Some((series.codecs.value(row), series.codes.value(row)))
}

impl AnnotationArray {
    fn new(list: ListArray) -> Result<Self, &'static str> {
        const NAME: &str = "annotations";
        let elements = list.values().as_struct_opt().ok_or(NAME)?;
        Ok(Self {
            skips: column::<Int32Array>(elements, "skip").cloned().ok_or(NAME)?,
            kinds: column::<StringArray>(elements, "kind").cloned().ok_or(NAME)?,
            texts: column::<StringArray>(elements, "text").cloned().ok_or(NAME)?,
            plies: column::<Int32Array>(elements, "plies").cloned().ok_or(NAME)?,
            codes: column::<BinaryArray>(elements, "code").cloned().ok_or(NAME)?,
            list,
        })
    }

    /// The annotations of a row; an error is the name of a kind that is unknown.
    fn row(&self, row: usize) -> Result<Vec<Annotation<'_>>, &str> {
        elements(&self.list, row)
            .map(|at| {
                // Numbers below zero are no numbers of plies: no line is so long.
                let number = |value: i32| u32::try_from(value).unwrap_or(u32::MAX);
                let text = if self.texts.is_valid(at) { self.texts.value(at) } else { "" };
                let moves = self
                    .codes
                    .is_valid(at)
                    .then(|| (number(self.plies.value(at)), Cow::Borrowed(self.codes.value(at))));
                let kind = self.kinds.value(at);
                Ok(Annotation {
                    skip: number(self.skips.value(at)),
                    kind: AnnotationKind::of_name(kind).ok_or(kind)?,
                    text: Cow::Borrowed(text),
                    moves,
                })
            })
            .collect()
    }
}

impl TagArray {
    fn value(&self, row: usize) -> Option<Cow<'_, str>> {
        match self {
            Self::Text(array) => array.is_valid(row).then(|| array.value(row).into()),
            Self::Number(array, kind) => number(array, row, *kind),
            Self::Date(array) => number(array, row, TagType::Date),
            Self::Time(array) => number(array, row, TagType::Time),
        }
    }
}

fn number<T: arrow_array::ArrowPrimitiveType<Native = i32>>(
    array: &PrimitiveArray<T>,
    row: usize,
    kind: TagType,
) -> Option<Cow<'static, str>> {
    array.is_valid(row).then(|| tag_value::write(kind, array.value(row))).flatten()
}
