//! All integration tests in one program: it is linked once, and shared code is compiled once.

mod policy;
#[cfg(feature = "ternary")]
mod ternary;
