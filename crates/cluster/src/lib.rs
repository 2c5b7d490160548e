//! A cluster.
