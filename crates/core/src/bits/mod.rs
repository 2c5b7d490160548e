//! Integer coding primitives, independent of any game.
//!
//! Everything here is integer arithmetic on explicitly sized types, so that the coded bytes are the
//! same on every machine.

// Code that determines coded bytes uses no files, threads, clocks or terminals; tests may.
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable
    )
)]

pub mod adaptive;
pub mod bitstring;
pub mod combination;
pub mod crc16;
pub mod golomb;
pub mod huffman;
pub mod mixing;
pub mod natural;
pub mod radix;
pub mod range;
pub mod truncated;
pub mod varint;
