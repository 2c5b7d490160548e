//! All integration tests, except those that measure their process, in one program, so that shared
//! code is compiled and linked once.

mod answers;
mod archives;
mod columns;
mod common;
mod conditions;
mod copy;
mod examples;
mod foreign;
mod formats;
mod golden;
mod index;
mod othello_gomoku;
mod prose;
mod ratings;
mod records;
mod seeds;
mod small;
mod sources;
mod structures;
mod successors;
mod tables;
mod unknown;
mod xiangqi;
