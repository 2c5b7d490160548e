//! The policy of go: its features.
//!
//! `cargo xtask train --game go` makes the tables.

pub mod features;
mod patterns;
mod scene;

pub use features::Eyes;
