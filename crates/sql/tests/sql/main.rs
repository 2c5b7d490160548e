//! Queries over packed samples.

mod conditions;
mod documents;
mod functions;
mod messages;
mod names;
mod packed;
mod positions;
