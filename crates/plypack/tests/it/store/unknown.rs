//! Content from a newer version is refused by name, and only in the records that have it.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, ListArray, RecordBatch, StringArray, StructArray};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use plypack::store::{Options, PackedFile, Source, import, verify};
use plypack_core::codecs::series::{CLOCKS, EVALUATIONS, REVIEWS};

/// Three records; only the second has clock readings, evaluations, a review and a glyph.
const RECORDS: &str = "1. e4 {why} e5 *\n\n\
    1. e4 $1 {[%eval 0.2] [%clk 0:03:00]} 1... e5?! {[%eval 0.3] [%clk 0:02:59]} \
     {c5 was best} (1... c5 2. Nf3) *\n\n\
    1. d4 d5 {why} *\n\n";

fn pack(path: &Path) {
    let source = Source::new("a", Box::new(RECORDS.as_bytes()));
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: false };
    import(vec![source], path, &options, &Work::on(1)).expect("a packed file");
}

/// Copies a packed file with one column changed.
fn copy(from: &Path, to: &Path, column: &str, change: &dyn Fn(&ArrayRef) -> ArrayRef) {
    let file = File::open(from).expect("a packed file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let batch = reader.build().expect("Parquet").next().expect("rows").expect("rows");
    let at = batch.schema().index_of(column).expect("the column");
    let mut columns = batch.columns().to_vec();
    columns[at] = change(&columns[at]);
    let batch = RecordBatch::try_new(batch.schema(), columns).expect("the same types");
    let file = File::create(to).expect("a file");
    let mut writer = ArrowWriter::try_new(file, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("memory");
    writer.close().expect("memory");
}

/// Renames `old` to `new` in the field `name` of a struct.
fn renamed(array: &StructArray, name: &str, old: &str, new: &str) -> StructArray {
    let (fields, mut columns, nulls) = array.clone().into_parts();
    let at = fields.iter().position(|field| field.name() == name).expect("the field");
    let texts = columns[at].as_string::<i32>().iter();
    let texts = texts.map(|text| if text == Some(old) { Some(new) } else { text });
    columns[at] = Arc::new(texts.collect::<StringArray>());
    StructArray::new(fields, columns, nulls)
}

/// Returns the fault that `verify` finds in a copy, which must concern its second record alone.
fn complaint(column: &str, change: &dyn Fn(&ArrayRef) -> ArrayRef) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (whole, copied) = (folder.path().join("whole"), folder.path().join("copy"));
    pack(&whole);
    copy(&whole, &copied, column, change);
    let file = PackedFile::open(&copied).expect("a packed file");
    file.summary().expect("it is counted all the same");
    let faults = verify(&file, 20, &Work::on(1)).expect("it can be read");
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("record 2"), "{faults:?}");
    let rows = file.read_group(0).expect("it can be read");
    for (row, readable) in [true, false, true].into_iter().enumerate() {
        let (record, ..) = rows.record(row).expect("a record");
        assert_eq!(record.render().is_ok(), readable, "record {}", row + 1);
    }
    faults.concat()
}

#[test]
fn a_copy_without_changes_is_whole() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (whole, copied) = (folder.path().join("whole"), folder.path().join("copy"));
    pack(&whole);
    copy(&whole, &copied, "clocks", &Clone::clone);
    let file = PackedFile::open(&copied).expect("a packed file");
    let faults = verify(&file, 20, &Work::on(1)).expect("it can be read");
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
fn the_codec_of_a_series_is_checked() {
    let series = [
        ("clocks", &CLOCKS.newest.info),
        ("evals", &EVALUATIONS.newest.info),
        ("reviews", &REVIEWS.newest.info),
    ];
    for (column, codec) in series {
        for (other, expected) in [
            ("series.better/1".to_owned(), "`series.better/1` is unknown: a newer plypack"),
            (format!("{}/99", codec.name), "/99` is unknown: a newer plypack wrote it; update"),
            (format!("{}/0", codec.name), "/0` is no longer known"),
            (codec.name.to_owned(), "has no number"),
        ] {
            let change = |array: &ArrayRef| -> ArrayRef {
                Arc::new(renamed(array.as_struct(), "codec", &codec.text(), &other))
            };
            let complaint = complaint(column, &change);
            assert!(complaint.contains(expected), "{complaint}");
        }
    }
}

#[test]
fn the_codec_of_the_moves_is_checked() {
    for (other, expected) in [
        ("chess/line.uniform/999", "`chess/line.uniform/999` is unknown: a newer plypack wrote it"),
        ("chess/line.uniform", "has no number"),
        ("hex/line.uniform/2", "`hex/line.uniform/2` is unknown: a newer plypack wrote it"),
    ] {
        let change = |array: &ArrayRef| -> ArrayRef {
            let (fields, mut columns, nulls) = array.as_struct().clone().into_parts();
            let codecs = columns[0].as_string::<i32>().iter().enumerate();
            let codecs = codecs.map(|(row, codec)| if row == 1 { Some(other) } else { codec });
            columns[0] = Arc::new(codecs.collect::<StringArray>());
            Arc::new(StructArray::new(fields, columns, nulls))
        };
        let complaint = complaint("moves", &change);
        assert!(complaint.contains(expected), "{complaint}");
    }
}

#[test]
fn a_kind_of_annotation_is_checked() {
    let change = |array: &ArrayRef| -> ArrayRef {
        let (field, offsets, values, nulls) = array.as_list::<i32>().clone().into_parts();
        let values = renamed(values.as_struct(), "kind", "glyph", "arrow");
        Arc::new(ListArray::new(field, offsets, Arc::new(values), nulls))
    };
    let complaint = complaint("annotations", &change);
    assert!(complaint.contains("kind `arrow` is unknown"), "{complaint}");
}
