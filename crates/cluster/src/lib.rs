//! SQL over packed games on many machines: Ballista with plypack's functions on all three sides.
//!
//! A scheduler takes queries, executors run them, and [`connect`] creates a client.
//! `docs/cluster.md` gives the requirements of each.

mod address;
mod client;
mod connections;
mod engine;
mod error;
mod executor;
mod members;
mod planner;
mod scheduler;
mod version;

use std::sync::Arc;

pub use address::Address;
pub use client::connect;
pub use error::{Error, explain};
pub use executor::Executor;
pub use scheduler::Scheduler;
pub use version::version;

/// Receives events of a scheduler or an executor, one line each.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;
