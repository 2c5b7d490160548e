//! Queries over packed samples.

mod conditions;
mod messages;
mod names;
mod packed;
mod positions;
