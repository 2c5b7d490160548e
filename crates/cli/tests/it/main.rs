//! All integration tests in one program: it is linked once, and shared code is compiled once.

mod archives;
mod asking;
mod board;
#[cfg(feature = "cluster")]
mod cluster;
mod common;
mod copies;
mod desktop;
mod determinism;
mod find;
mod foreign;
mod growing;
mod hostile;
mod interrupt;
mod line;
mod link;
mod manual;
mod messages;
mod outputs;
mod players;
mod position;
mod positions;
mod ranks;
mod repertoire;
mod round_trip;
mod serve;
mod sql;
mod streams;
mod synth;
mod tables;
mod transcripts;
