//! Comparisons, digests, seals, statistics and snapshots of the files that [`ndbytes`] reads.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod align;
pub mod diff;
pub mod digest;
pub mod folders;
pub mod seal;
pub mod snapshot;
pub mod stats;
