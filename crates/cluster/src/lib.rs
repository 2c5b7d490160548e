//! SQL over packed games on many machines: Ballista with plypack's functions on all three sides.
//!
//! A scheduler takes queries, executors carry them out, and [`connect`] is how a client asks.
//! `docs/cluster.md` says what each of them needs.

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

/// Where a scheduler or an executor says what happens to it, a line each.
pub type Say = Arc<dyn Fn(&str) + Send + Sync>;
