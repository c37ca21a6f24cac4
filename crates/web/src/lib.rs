//! The engine of the page where one drops a file. [`answer()`] takes a question of the page and the bytes of its files, and asks
//! the functions that the tool asks. `exports` are the functions that the page calls.
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
