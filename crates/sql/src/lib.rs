//! SQL over packed games: files as tables, and functions on their moves.
//!
//! The engine is DataFusion. `session` answers queries; `functions` are what it is taught about
//! games, a file each; `docs/sql.md` describes all of it for those who ask.

pub mod functions;
mod session;
mod stores;

pub use session::{Session, configure};
pub use stores::runtime;
