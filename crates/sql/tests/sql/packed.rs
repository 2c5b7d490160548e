//! Packed samples in a folder of their own, and answers to queries over them.

use plypack::store::Work;
use std::path::{Path, PathBuf};

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use futures::TryStreamExt;
use plypack::store::{Options, Source};
use plypack_sql::{Answer, Error, Session};
use tempfile::TempDir;

/// Packs a text of records under a name, and returns the path.
pub fn pack(folder: &TempDir, name: &str, text: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    let source = Source::new(name.to_owned(), Box::new(std::io::Cursor::new(text.to_vec())));
    let codec = plypack_games::line_codec("chess", "line.default").expect("a codec");
    let options = Options { codec, positions: None, detect: true };
    plypack::store::import(vec![source], &path, &options, &Work::on(1))
        .expect("samples are packed");
    path
}

/// A sample of the repository.
pub fn sample(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name);
    std::fs::read(path).expect("a sample")
}

/// Runs a query, with the path of a file for `FILE`.
pub fn ask(session: &Session, query: &str, file: &Path) -> Result<Vec<RecordBatch>, Error> {
    let query = query.replace("FILE", &format!("'{}'", file.display()));
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let Answer { rows, .. } = session.ask(&query).await?;
        rows.try_collect().await.map_err(|error| Session::explain(&error, &query))
    })
}

/// The rows of an answer, each value as text.
pub fn rows(batches: &[RecordBatch]) -> Vec<Vec<String>> {
    let options = FormatOptions::default().with_null("NULL");
    let mut rows = Vec::new();
    for batch in batches {
        let columns: Vec<ArrayFormatter<'_>> = batch
            .columns()
            .iter()
            .map(|column| ArrayFormatter::try_new(column, &options).expect("values"))
            .collect();
        rows.extend((0..batch.num_rows()).map(|row| {
            columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<String>>()
        }));
    }
    rows
}

/// The answer to a query, with the path of a file for `FILE`.
pub fn given(query: &str, file: &Path) -> Vec<Vec<String>> {
    match ask(&Session::local(2), query, file) {
        Ok(batches) => rows(&batches),
        Err(error) => panic!("{query}: {error}"),
    }
}

/// The error of a query.
pub fn refused(query: &str, file: &Path) -> String {
    match ask(&Session::local(2), query, file) {
        Ok(batches) => panic!("{query}: {:?}", rows(&batches)),
        Err(error) => error.to_string(),
    }
}
