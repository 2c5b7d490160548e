//! All integration tests but those that measure their process, in one program: it is linked once,
//! and what they share is compiled once.

mod answers;
mod archives;
mod common;
mod conditions;
mod copy;
mod examples;
mod foreign;
mod formats;
mod golden;
mod index;
mod othello_gomoku;
mod records;
mod seeds;
mod sources;
mod tables;
mod unknown;
mod xiangqi;
