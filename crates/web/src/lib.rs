//! The engine of the page for dropped files. [`answer()`] accepts a question from the page and the bytes of its files, and calls
//! the same functions as the tool. `exports` contains the functions that the page calls.
//!
//! ```
//! use ndbytes_web::{Ask, Named, Question, answer};
//!
//! let question = Question::new(Ask::Check, vec![Named::new("cut.idx")]);
//! let answer = answer(&question, &[vec![0, 0, 8, 1, 0, 0, 0, 4, 1, 2]]);
//! assert_eq!(answer["verdict"], "error");
//! ```

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod answer;
mod exports;
mod question;

pub use answer::{MOST, answer};
pub use question::{Ask, Named, Question};
