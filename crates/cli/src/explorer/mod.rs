//! A database of games over HTTP, for the explorer's page and for tools that speak the API of
//! lichess.org's opening explorer.
//!
//! [`Database`] is a set of packed files queried as one. `api` answers the page, `lichess` the
//! tools; both are functions from a `Query` to JSON, on threads that may block. `server` handles
//! only HTTP: access, time limits and load limits. `docs/explorer.md` describes both interfaces.

mod answer;
mod api;
mod database;
mod download;
mod error;
mod event;
mod filter;
mod head;
mod lichess;
mod names;
mod pattern;
mod place;
mod player;
mod query;
mod repertoire;
mod server;
mod tally;

pub use database::Database;
pub use server::{Access, Page, Server, Site};
