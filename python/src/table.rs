//! Tables that any Arrow library reads without copies.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use plypack::Scan;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3_arrow::ffi::{ArrayIterator, to_schema_pycapsule, to_stream_pycapsule};

use crate::error::{raised, refused};
use crate::file::State;
use crate::watch::watched;

/// Exports batches as an Arrow C stream.
pub fn stream<'py>(
    py: Python<'py>,
    schema: &SchemaRef,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>> + Send + 'static,
    requested: Option<Bound<'py, PyCapsule>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let field = Field::new_struct("", schema.fields().clone(), false);
    let field = Arc::new(field.with_metadata(schema.metadata().clone()));
    let arrays = batches.map(|batch| batch.map(|b| Arc::new(StructArray::from(b)) as ArrayRef));
    Ok(to_stream_pycapsule(py, Box::new(ArrayIterator::new(arrays, field)), requested)?)
}

/// A table of the columns of packed files: of all games, or of those that meet a condition.
///
/// It has the Arrow PyCapsule interface, `__arrow_c_stream__`, with a fresh stream for each call,
/// so it can be given to pyarrow, polars, DuckDB, pandas and others. Nothing is read before that;
/// then one row group is read at a time, and of it the columns of the table only.
#[pyclass(frozen, module = "plypack")]
pub struct Table {
    pub state: Arc<State>,
    pub scan: Scan,
}

#[pymethods]
impl Table {
    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.scan.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    /// The number of rows. It is counted by reading what the condition asks for.
    ///
    /// >>> games.scan(where="Result = '1/2-1/2'").count() > 100
    /// True
    fn count(&self, py: Python<'_>) -> PyResult<u64> {
        let counted = self.scan.clone().columns(["game"]).map_err(raised)?;
        watched(py, None, |watch| {
            let mut rows = 0;
            for (file, group) in self.state.groups() {
                watch.go_on()?;
                rows += counted.table(file, group)?.num_rows() as u64;
            }
            Ok(rows)
        })
    }

    /// Returns the number of parts that can be read on their own.
    fn _groups(&self) -> usize {
        self.state.groups().count()
    }

    /// Returns the columns without rows.
    fn _empty(&self) -> Batches {
        let schema = self.scan.schema();
        Batches { batches: vec![RecordBatch::new_empty(schema.clone())], schema }
    }

    /// Reads a part, or some of its rows: `True` in a mask.
    #[pyo3(signature = (group, mask = None))]
    fn _read(&self, py: Python<'_>, group: usize, mask: Option<Vec<bool>>) -> PyResult<Batches> {
        let Some((file, group)) = self.state.groups().nth(group) else {
            return Err(refused(format!("there is no part {group}")));
        };
        let batch = watched(py, None, |_| match &mask {
            None => self.scan.table(file, group),
            Some(mask) => {
                let rows = (0..mask.len()).filter(|&row| mask[row]);
                let runs: Vec<_> = rows.map(|row| row..row + 1).collect();
                self.scan.table_of(file, group, &joined(runs))
            }
        })?;
        Ok(Batches { schema: self.scan.schema(), batches: vec![batch] })
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let (state, scan) = (self.state.clone(), self.scan.clone());
        let places: Vec<_> = state.places().collect();
        let read = move |(file, group): (usize, usize)| {
            let file = state.file(file)?;
            Some(scan.table(file, group).map_err(|error| ArrowError::ExternalError(error.into())))
        };
        let batches = places.into_iter().filter_map(read);
        stream(py, &self.scan.schema(), batches, requested_schema)
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        Ok(to_schema_pycapsule(py, self.scan.schema().as_ref())?)
    }

    fn __repr__(&self) -> String {
        format!("<Table of {} columns>", self.scan.schema().fields().len())
    }
}

/// Joins runs that meet.
fn joined(runs: Vec<std::ops::Range<usize>>) -> Vec<std::ops::Range<usize>> {
    let mut joined: Vec<std::ops::Range<usize>> = Vec::new();
    for run in runs {
        match joined.last_mut().filter(|last| last.end == run.start) {
            Some(last) => last.end = run.end,
            None => joined.push(run),
        }
    }
    joined
}

/// Batches in memory.
#[pyclass(frozen, module = "plypack")]
pub struct Batches {
    pub schema: SchemaRef,
    pub batches: Vec<RecordBatch>,
}

impl Batches {
    /// Makes a table of columns in memory.
    pub fn of(schema: Schema, columns: Vec<ArrayRef>) -> PyResult<Self> {
        let schema = Arc::new(schema);
        let batch = RecordBatch::try_new(schema.clone(), columns);
        let batch = batch.map_err(|error| refused(error.to_string()))?;
        Ok(Self { schema, batches: vec![batch] })
    }
}

#[pymethods]
impl Batches {
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.clone().into_iter().map(Ok);
        stream(py, &self.schema, batches, requested_schema)
    }
}
