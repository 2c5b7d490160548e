//! x
use pyo3::prelude::*;
#[pymodule(gil_used = false)]
mod _plypack {
    use pyo3::prelude::*;
    #[pyfunction]
    fn f() -> usize { plypack::Rules::all().count() }
}
