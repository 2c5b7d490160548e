//! Queries over packed samples.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

mod columns;
mod conditions;
mod documents;
mod functions;
mod messages;
mod names;
mod packed;
mod positions;
mod prose;
