//! All integration tests, in one program: it is linked once, and shared code is compiled once.

mod blocks;
mod common;
mod conformance;
mod endings;
mod examples;
mod format;
mod golden;
mod gomoku;
mod keys;
mod links;
mod material;
mod nulls;
mod othello;
mod perft;
mod plausible;
mod rank;
mod series;
mod vectors;
mod viewer;
mod xiangqi;
mod xiangqi_links;
