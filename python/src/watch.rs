//! Long work, during which the interpreter is free, signals are heeded and progress is told.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use plypack::{Error, Progress};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error::raised;

/// How often signals are heeded and progress is told.
const TICK: Duration = Duration::from_millis(50);

/// What work reports to, and is stopped by.
#[derive(Clone, Default)]
pub struct Watch {
    /// Once set, the work ends soon.
    pub stop: Arc<AtomicBool>,
    records: Arc<AtomicU64>,
    bytes: Arc<AtomicU64>,
}

impl Watch {
    /// Takes the progress of a builder.
    pub fn told(&self) -> impl FnMut(&Progress) -> ControlFlow<()> + Send + use<> {
        let watch = self.clone();
        move |progress| {
            watch.records.store(progress.records, Ordering::Relaxed);
            watch.bytes.store(progress.bytes, Ordering::Relaxed);
            ControlFlow::Continue(())
        }
    }

    /// Fails once the work should end.
    pub fn go_on(&self) -> Result<(), Error> {
        if self.stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
    }

    fn so_far(&self) -> (u64, u64) {
        (self.records.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }
}

/// Whom progress is told: a function of the caller's, or a bar.
#[derive(Default)]
pub struct Told {
    call: Option<Py<PyAny>>,
    /// The bar, which ends with the work.
    bar: Option<Py<PyAny>>,
}

impl<'py> FromPyObject<'_, 'py> for Told {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_callable() {
            return Ok(Self { call: Some(object.to_owned().unbind()), bar: None });
        }
        match object.cast::<PyBool>() {
            Ok(wanted) if wanted.is_true() => {
                let bar = object.py().import("plypack._progress")?.getattr("Bar")?.call0()?;
                Ok(Self { call: Some(bar.getattr("show")?.unbind()), bar: Some(bar.unbind()) })
            }
            Ok(_) => Ok(Self::default()),
            Err(_) => Err(PyTypeError::new_err(
                "`progress` is True for a bar, or a function of the numbers of games and bytes",
            )),
        }
    }
}

impl Told {
    /// Ends the bar, if there is one.
    fn end(&self, py: Python<'_>) -> PyResult<()> {
        self.bar.as_ref().map_or(Ok(()), |bar| bar.call_method0(py, "end").map(|_| ()))
    }
}

/// Does work on another thread without the interpreter's lock. Meanwhile this one heeds signals,
/// such as Ctrl-C, and calls `progress` with the numbers of records and bytes so far; either may
/// raise, which stops the work.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Told>,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let outcome = heeded(py, progress.and_then(|told| told.call.as_ref()), work);
    let ended = progress.map_or(Ok(()), |told| told.end(py));
    outcome.and_then(|value| ended.map(|()| value))
}

fn heeded<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> Result<T, Error> + Send,
) -> PyResult<T> {
    let watch = Watch::default();
    let (watch, last) = (&watch, &mut None);
    py.detach(|| {
        thread::scope(|scope| {
            let (done, end) = channel();
            let worker = scope.spawn(move || {
                let outcome = work(watch);
                // Nobody listens after an exception.
                _ = done.send(());
                outcome
            });
            let raised_here = loop {
                match end.recv_timeout(TICK) {
                    Err(RecvTimeoutError::Timeout) => {
                        let told = Python::attach(|py| tell(py, watch, progress, last));
                        if let Err(exception) = told {
                            watch.stop.store(true, Ordering::Relaxed);
                            break Some(exception);
                        }
                    }
                    _ => break None,
                }
            };
            let outcome = worker.join();
            if let Some(exception) = raised_here {
                return Err(exception);
            }
            let outcome = outcome.map_err(|_| PyRuntimeError::new_err("a thread panicked"))?;
            let value = outcome.map_err(raised)?;
            // The end is told, too, even of short work.
            Python::attach(|py| tell(py, watch, progress, last)).map(|()| value)
        })
    })
}

fn tell(
    py: Python<'_>,
    watch: &Watch,
    progress: Option<&Py<PyAny>>,
    last: &mut Option<(u64, u64)>,
) -> PyResult<()> {
    py.check_signals()?;
    let so_far = watch.so_far();
    if let Some(progress) = progress.filter(|_| *last != Some(so_far)) {
        progress.call1(py, so_far)?;
        *last = Some(so_far);
    }
    Ok(())
}
