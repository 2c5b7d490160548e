//! All integration tests, in one program: it is linked once, and what they share is compiled once.

mod policy;
mod ternary;
