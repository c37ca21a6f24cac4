//! Handles programs that cannot allocate memory. By default, Rust's collections abort the process in that case. With this crate, a program
//! prints a sentence first, removes unfinished files, and ends with its own exit status.
//!
//! ```no_run
//! use everybyte_refused::{Answer, answering};
//!
//! # #[cfg(unix)]
//! #[global_allocator]
//! static ALLOCATOR: everybyte_refused::Noting = everybyte_refused::Noting(std::alloc::System);
//!
//! fn main() {
//!     let answer = Answer { sentence: "error: the system granted no more memory\n", status: 2, tidy: || {} };
//!     std::process::exit(answering(answer, || 0).into());
//! }
//! ```
//!
//! A failed allocation that the program handles, for example with `try_reserve`, does not end it. Once its thread has
//! made a few successful allocations, a later panic or abort has its usual effect. On systems other than Unix, programs
//! end as Rust's collections do.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod answer;
#[cfg(unix)]
mod unix;

pub use answer::Answer;
#[cfg(unix)]
pub use unix::{Noting, answering};

/// Runs a program and returns its exit status.
#[cfg(not(unix))]
pub fn answering(_: Answer, program: impl FnOnce() -> u8) -> u8 {
    program()
}
