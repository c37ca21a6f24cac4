//! Comparisons, digests, seals, statistics and snapshots of the files that [`ndbytes`] reads.
//!
//! * [`diff`] compares two files: bytes first, then fields, findings and values. [`folders`] does this for two
//!   directories.
//! * [`digest`] identifies content by 128 bits, whatever the encoding. [`seal`] stores such digests next to the files,
//!   and finds what changed.
//! * [`snapshot`] prints a file as text for code review and for tests. [`stats`] summarises values.
//!
//! Files may come from strangers. Reading a file never exceeds its [`Limits`](ndbytes::Limits). A broken file is
//! compared, digested or printed as far as it can be read; the result says what is missing.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod align;
pub mod diff;
pub mod digest;
pub mod folders;
pub mod seal;
pub mod snapshot;
pub mod stats;
