//! Comparisons, digests, seals, statistics and snapshots of the files that [`ndbytes`] reads.

pub mod diff;
pub mod digest;
pub mod seal;
pub mod snapshot;
pub mod stats;
