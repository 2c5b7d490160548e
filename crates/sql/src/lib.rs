//! SQL over packed games: files as tables, and functions on their moves.
//!
//! The engine is DataFusion. `session` answers queries; `functions` adds functions on games, one
//! per file; `docs/sql.md` is the user documentation.

mod answer;
mod conditions;
mod error;
pub mod functions;
mod indexed;
mod names;
pub mod output;
mod prose;
mod queries;
mod relations;
mod session;
mod stores;
mod tables;

pub use answer::Answer;
pub use datafusion::error::DataFusionError as RowsError;
pub use error::Error;
pub use queries::queries;
pub use session::{Session, configure};
pub use stores::runtime;
