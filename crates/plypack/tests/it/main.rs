//! All integration tests in one program: linked once, with shared code compiled once.

mod codes;
mod examples;
mod files;
mod find;
#[cfg(feature = "file")]
mod formats;
#[cfg(feature = "file")]
mod store;
#[cfg(feature = "file")]
mod verbs;
