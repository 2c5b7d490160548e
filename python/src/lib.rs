//! The Python package's compiled part: it converts between Python and the crate plypack, and knows
//! no codec and no format.
//!
//! Written for interpreters with and without their lock: classes are frozen, what changes is behind
//! a mutex that is held for moments only, and long work is done by `watch` with the lock released.

mod codec;
mod error;
mod file;
mod functions;
mod game;
mod input;
mod table;
mod training;
mod watch;

use pyo3::prelude::*;

/// The compiled part of plypack.
#[pymodule(gil_used = false)]
mod _plypack {
    #[pymodule_export]
    use crate::codec::{
        Linked, codecs, decode, decode_position, encode, encode_position, games, link, unlink,
    };
    #[pymodule_export]
    use crate::error::{DamagedError, FileError, InputError, MoveError};
    #[pymodule_export]
    use crate::file::{
        _pack, Branch, Branches, Duplicate, File, Found, FoundGames, Games, Tree, TreeMove,
        holds_games, merge, unpack,
    };
    #[pymodule_export]
    use crate::functions::{Column, fen, fens, keys, movetext, reaches, san, uci};
    #[pymodule_export]
    use crate::game::{Game, MoveNode, Step, Variation};
    #[pymodule_export]
    use crate::table::{Batches, Table};
    #[pymodule_export]
    use crate::training::{Sampler, leela_index};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
