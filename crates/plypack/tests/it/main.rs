//! All integration tests, in one program: it is linked once, and what they share is compiled once.

mod codes;
mod examples;
mod files;
mod find;
