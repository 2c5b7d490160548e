//! The golden files of `vectors/file`: packed files that every later version must read, each beside
//! the inputs it unpacks to. Each folder there is a case; none is named here.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::Collection;
use plypack::store::Work;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::common::source;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use plypack::store::games::schema::SCHEMA;
use plypack::store::index::index;
use plypack::store::positions;
use plypack::store::schema::{SOURCES_KEY, VERSION_KEY};
use plypack::store::{Options, PackedFile, Source, export, import, verify};
use plypack_games::{GAMES, line_codec, position_codec, usual_line_codec};
use plypack_records::FORMATS;
use plypack_records::wthor::Names;
use sha2::{Digest, Sha256};

/// Inputs, and the files they were packed into.
struct Case {
    folder: PathBuf,
    /// The names and bytes of the inputs, by ascending name.
    inputs: Vec<(String, Vec<u8>)>,
    /// The names of players and tournaments beside WTHOR inputs.
    names: Option<Arc<Names>>,
    packed: Vec<Packed>,
}

/// A packed file.
struct Packed {
    path: PathBuf,
    /// The requested codec: `default`, or its name.
    codec: String,
    /// Whether it is the newest of its kind, whose rows packing must reproduce today.
    last: bool,
}

/// The rows of a packed file as any Parquet reader gives them, and our metadata.
#[derive(Debug, PartialEq)]
struct Table {
    rows: RecordBatch,
    metadata: Vec<(String, Option<String>)>,
}

fn cases() -> Vec<Case> {
    let root = vectors().join("file");
    let cases: Vec<Case> = entries(&root).into_iter().map(Case::of).collect();
    assert!(cases.len() > 9, "{} holds {} cases", root.display(), cases.len());
    cases
}

/// Returns the entries of a folder, by ascending name.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let found = std::fs::read_dir(folder);
    let found = found.unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths
}

/// Adds the files below a folder to `inputs`, named by their relative paths.
fn add_inputs(folder: &Path, called: &str, inputs: &mut Vec<(String, Vec<u8>)>) {
    for path in entries(folder) {
        let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
        if path.is_dir() {
            add_inputs(&path, &format!("{called}{name}/"), inputs);
        } else {
            inputs.push((format!("{called}{name}"), std::fs::read(&path).expect(name)));
        }
    }
}

/// Reads the names from the files of a folder, if there is one.
fn names_in(folder: &Path) -> Option<Arc<Names>> {
    let mut names = Names::default();
    for path in folder.is_dir().then(|| entries(folder))? {
        let bytes = std::fs::read(&path).expect("names");
        let known = match path.extension().and_then(|extension| extension.to_str()) {
            Some("jou") => names.read_players(&bytes),
            _ => names.read_tournaments(&bytes),
        };
        assert!(known, "{}", path.display());
    }
    Some(Arc::new(names))
}

impl Case {
    fn of(folder: PathBuf) -> Self {
        let (mut inputs, mut packed) = (Vec::new(), Vec::new());
        add_inputs(&folder.join("inputs"), "", &mut inputs);
        for path in entries(&folder) {
            let name = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8");
            let Some(name) = name.strip_suffix(".parquet") else { continue };
            let (codec, number) = name.rsplit_once("-v").expect("CODEC-vNUMBER.parquet");
            let number: u32 = number.parse().expect("CODEC-vNUMBER.parquet");
            packed.push((codec.to_owned(), number, path));
        }
        packed.sort();
        let newest = |at: usize| packed.get(at + 1).is_none_or(|next| next.0 != packed[at].0);
        let last: Vec<bool> = (0..packed.len()).map(newest).collect();
        let packed = packed.into_iter().zip(last);
        let packed = packed.map(|((codec, _, path), last)| Packed { path, codec, last }).collect();
        Self { names: names_in(&folder.join("beside")), folder, inputs, packed }
    }

    /// Packs the inputs into a new file.
    fn pack(&self, codec: &str, path: &Path) {
        let usual = usual_line_codec("chess").expect("a codec");
        // Inputs of other games take the codec of the same name, or their usual one.
        let mut games = ["chess"].into_iter().chain(GAMES.iter().map(|game| game.info().name));
        let line = games.find_map(|game| line_codec(game, codec));
        let positions = if codec == "default" { None } else { position_codec("chess", codec) };
        let known = codec == "default" || line.is_some() || positions.is_some();
        assert!(known, "{}: there is no codec {codec}", self.folder.display());
        let codec = line.unwrap_or(usual);
        let options = Options { codec, positions, detect: true };
        let source = |(name, bytes): &(String, Vec<u8>)| Source {
            names: self.names.clone(),
            ..source(name, bytes)
        };
        let sources: Vec<_> = self.inputs.iter().map(source).collect();
        let report = import(sources, path, &options, &Work::on(1));
        report.unwrap_or_else(|error| panic!("{}: {error}", self.folder.display()));
    }
}

impl Table {
    fn read(path: &Path) -> Self {
        let file = File::open(path).expect("a packed file");
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
        let pairs = reader.metadata().file_metadata().key_value_metadata().into_iter().flatten();
        let ours = pairs.filter(|pair| [VERSION_KEY, SOURCES_KEY].contains(&pair.key.as_str()));
        let metadata = ours.map(|pair| (pair.key.clone(), pair.value.clone())).collect();
        let mut batches: Vec<RecordBatch> = reader
            .with_batch_size(1 << 20)
            .build()
            .expect("Parquet")
            .map(|batch| batch.expect("rows"))
            .collect();
        assert_eq!(batches.len(), 1, "{}: one batch holds all rows", path.display());
        Self { rows: batches.remove(0), metadata }
    }

    /// Describes how it differs from another table.
    fn difference(&self, other: &Self) -> Option<String> {
        if self.metadata != other.metadata {
            return Some(format!("metadata {:?}, not {:?}", other.metadata, self.metadata));
        }
        if self.rows.schema() != other.rows.schema() {
            return Some(format!("columns {}, not {}", other.rows.schema(), self.rows.schema()));
        }
        if self.rows.num_rows() != other.rows.num_rows() {
            return Some(format!("{} rows, not {}", other.rows.num_rows(), self.rows.num_rows()));
        }
        for (at, field) in self.rows.schema().fields().iter().enumerate() {
            for row in 0..self.rows.num_rows() {
                let cell = |table: &Self| table.rows.column(at).slice(row, 1);
                if cell(self).as_ref() != cell(other).as_ref() {
                    let name = field.name();
                    let (ours, theirs) = (cell(self), cell(other));
                    return Some(format!("row {row}, {name}: {theirs:?}, not {ours:?}"));
                }
            }
        }
        None
    }
}

/// The folder of everything golden.
fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// The golden files, by their paths in `vectors`, with their SHA-256 in hex.
fn checksums() -> BTreeMap<String, String> {
    let mut files = Vec::new();
    for folder in
        ["board", "file", "key", "line", "link", "order", "perft", "position", "series", "ternary"]
    {
        add_inputs(&vectors().join(folder), &format!("{folder}/"), &mut files);
    }
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    files.into_iter().map(|(name, bytes)| (name, hex(&Sha256::digest(bytes)))).collect()
}

/// The checksums of `SHA256SUMS`.
fn listed() -> BTreeMap<String, String> {
    let list = std::fs::read_to_string(vectors().join("SHA256SUMS")).expect("a list");
    let row = |line: &str| {
        let (sum, name) = line.split_once("  ").expect("a checksum and a name");
        (name.to_owned(), sum.to_owned())
    };
    list.lines().map(row).collect()
}

#[test]
fn golden_files_never_change() {
    let (listed, found) = (listed(), checksums());
    for (name, sum) in &listed {
        assert_eq!(found.get(name), Some(sum), "{name} has changed: see vectors/README.md");
    }
    let missing: Vec<&String> = found.keys().filter(|name| !listed.contains_key(*name)).collect();
    assert!(
        missing.is_empty(),
        "not in SHA256SUMS: {missing:?}; vectors/README.md says what adds them"
    );
}

/// Adds new golden files to the list, and leaves what stands there.
#[test]
#[ignore = "writes vectors/"]
fn list_golden_files() {
    let mut all = checksums();
    all.extend(listed());
    let rows: String = all.iter().map(|(name, sum)| format!("{sum}  {name}\n")).collect();
    std::fs::write(vectors().join("SHA256SUMS"), rows).expect("the list");
}

#[test]
fn golden_files_unpack_to_their_inputs() {
    for case in cases() {
        let name = case.folder.display();
        assert!(
            !case.packed.is_empty(),
            "{name} has no packed file; README.md says how to make it"
        );
        for packed in &case.packed {
            let name = packed.path.display();
            let file = PackedFile::open(&packed.path).unwrap_or_else(|error| panic!("{error}"));
            let names: Vec<&str> = case.inputs.iter().map(|input| input.0.as_str()).collect();
            assert_eq!(file.sources().expect("a list"), names, "{name}");
            let mut back: Vec<(String, Vec<u8>)> =
                names.iter().map(|name| ((*name).to_owned(), Vec::new())).collect();
            let mut sink = |source: &str, bytes: &[u8]| {
                let input = back.iter_mut().find(|input| input.0 == source).expect(source);
                input.1.extend_from_slice(bytes);
                Ok(())
            };
            export(&file, &Work::on(1), &mut sink).unwrap_or_else(|error| panic!("{error}"));
            for (input, back) in case.inputs.iter().zip(&back) {
                assert!(input == back, "{name}: {} comes back otherwise", input.0);
            }
            let faults = verify(&file, usize::MAX, &Work::on(1)).expect("it is read");
            assert!(faults.is_empty(), "{name}: {faults:?}");
            assert_eq!(file.unchecked_records().expect("it is read"), 0, "{name}");
        }
    }
}

/// The positions of all games of a file.
fn positions_of(path: &Path) -> BTreeMap<String, plypack::Rules> {
    let mut found = BTreeMap::new();
    for game in plypack::PackedFile::open(path).expect("a packed file").games() {
        let game = game.expect("a game");
        let (Some(rules), Some(mut cursor)) =
            (game.rules().expect("known"), game.cursor().expect("sound"))
        else {
            continue;
        };
        found.insert(cursor.position(), rules);
        while cursor.advance().expect("sound") {
            found.insert(cursor.position(), rules);
        }
    }
    found
}

#[test]
fn golden_indices_answer_as_the_games_do() {
    let (mut indices, mut rated) = (0, 0);
    for path in cases().iter().flat_map(|case| &case.packed).map(|packed| &packed.path) {
        if !path.with_extension("plyindex").exists() {
            continue;
        }
        indices += 1;
        let games = Collection::open([path]).expect("a packed file");
        let covered = games.coverage();
        assert!(covered.iter().all(|file| file.indexed == file.games), "{covered:?}");
        let folder = tempfile::tempdir().expect("a folder");
        let copy = folder.path().join("again.parquet");
        std::fs::copy(path, &copy).expect("a file");
        index(&PackedFile::open(&copy).expect("a packed file"), true, &Work::on(1))
            .expect("an index");
        let again = Collection::open([&copy]).expect("a packed file");
        for (position, rules) in positions_of(path) {
            let ask = || games.query().rules(rules).position(&position);
            let places = |ignored| {
                let found = ask().ignore_index(ignored).find().expect("an answer");
                found.places().collect::<Vec<_>>()
            };
            assert_eq!(places(false), places(true), "{}: {position}", path.display());
            let played = |ignored| {
                let tree = ask().ignore_index(ignored).tree().expect("an answer");
                let moves: Vec<_> = tree.moves.into_iter().map(|mv| (mv.text, mv.tally)).collect();
                (tree.games, moves, tree.ended)
            };
            assert_eq!(played(false), played(true), "{}: {position}", path.display());
            let groups = ask().tree_by_rating().expect("an answer");
            let today = again.query().rules(rules).position(&position).tree_by_rating();
            assert_eq!(groups, today.expect("an answer"), "{}: {position}", path.display());
            rated += usize::from(groups.is_some_and(|groups| groups.len() > 1));
        }
    }
    assert!(indices > 3 && rated > 0, "{indices} indices, {rated} sums by rating");
}

#[test]
fn packing_gives_the_rows_of_the_golden_files() {
    let folder = tempfile::tempdir().expect("a folder");
    for case in cases() {
        for packed in case.packed.iter().filter(|packed| packed.last) {
            let path = folder.path().join("again.parquet");
            case.pack(&packed.codec, &path);
            let difference = Table::read(&packed.path).difference(&Table::read(&path));
            if let Some(difference) = difference {
                panic!("{}: packed again it has {difference}", packed.path.display());
            }
        }
    }
}

/// Collects the names of columns, and their parts, in which an array has values.
fn filled(name: &str, array: &ArrayRef, found: &mut BTreeSet<String>) {
    if array.null_count() == array.len() {
        return;
    }
    if let Some(parts) = array.as_struct_opt() {
        for (part, array) in parts.column_names().into_iter().zip(parts.columns()) {
            filled(&format!("{name}.{part}"), array, found);
        }
    } else if let Some(list) = array.as_list_opt::<i32>() {
        filled(name, list.values(), found);
    } else if let Some(map) = array.as_map_opt() {
        filled(name, &(Arc::new(map.entries().clone()) as ArrayRef), found);
    } else {
        found.insert(name.to_owned());
    }
}

/// Collects the names of all columns, and their parts.
fn names(name: &str, field: &arrow_schema::Field, found: &mut BTreeSet<String>) {
    use arrow_schema::DataType::{List, Map, Struct};
    match field.data_type() {
        Struct(parts) => {
            parts.iter().for_each(|part| names(&format!("{name}.{}", part.name()), part, found));
        }
        List(element) | Map(element, _) => names(name, element, found),
        _ => {
            found.insert(name.to_owned());
        }
    }
}

#[test]
fn golden_files_fill_every_column_in_every_format() {
    let (mut all, mut used) = (BTreeSet::new(), BTreeSet::new());
    // Small files lack columns without values.
    let ours = [("games", SCHEMA.clone()), ("positions", positions::schema::schema(&[]))];
    for (kind, schema) in &ours {
        schema.fields().iter().for_each(|field| {
            names(&format!("{kind} {}", field.name()), field, &mut all);
        });
    }
    let (mut layouts, mut codecs) = (BTreeSet::new(), BTreeSet::new());
    for case in cases() {
        for packed in case.packed.iter().filter(|packed| packed.last) {
            let rows = Table::read(&packed.path).rows;
            let kind = if rows.column_by_name("moves").is_some() { "games" } else { "positions" };
            for (field, array) in rows.schema().fields().iter().zip(rows.columns()) {
                let name = format!("{kind} {}", field.name());
                names(&name, field, &mut all);
                filled(&name, array, &mut used);
            }
            let texts = |array: &ArrayRef| {
                let texts = array.as_string::<i32>();
                texts.iter().flatten().map(str::to_owned).collect::<Vec<_>>()
            };
            let word = |text: String| text.split(' ').next().unwrap_or_default().to_owned();
            let column = rows.column_by_name("layout").expect("ours");
            layouts.extend(texts(column).into_iter().map(word));
            for name in ["moves", "position"] {
                let Some(column) = rows.column_by_name(name) else { continue };
                let codec = column.as_struct().column_by_name("codec").expect("ours");
                codecs.extend(texts(codec));
            }
        }
    }
    let empty: Vec<&String> = all.difference(&used).collect();
    assert!(empty.is_empty(), "no golden file has anything in {empty:?}");
    let formats: BTreeSet<String> = FORMATS.iter().map(|f| f.info().name.to_owned()).collect();
    assert_eq!(layouts, formats);
    for game in GAMES.iter().map(|game| game.info().name) {
        let of_it = |codec: &&String| codec.starts_with(&format!("{game}/"));
        assert!(codecs.iter().any(|codec| of_it(&codec)), "no golden file has {game}");
    }
}

/// Fills golden files that are empty or missing; what is there stays. See `vectors/README.md`.
#[test]
#[ignore = "writes vectors/"]
fn write_golden_packed_files() {
    let is_empty = |path: &Path| std::fs::metadata(path).map_or(true, |file| file.len() == 0);
    for mut case in cases() {
        if case.packed.is_empty() {
            let path = case.folder.join("default-v1.parquet");
            case.packed.push(Packed { path, codec: "default".into(), last: true });
        }
        for packed in &case.packed {
            if is_empty(&packed.path) {
                case.pack(&packed.codec, &packed.path);
            }
            let beside = packed.path.with_extension("plyindex");
            if beside.exists() && is_empty(&beside) {
                let file = PackedFile::open(&packed.path).expect("a packed file");
                index(&file, true, &Work::on(1)).expect("an index");
            }
        }
    }
}
