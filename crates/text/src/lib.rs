//! Findings as text: the words, terminal colours, and the bytes that a finding is about. The tool prints this text, and the page
//! for dropped files shows it.
//!
//! ```
//! use ndbytes::{Checker, Limits};
//! use ndbytes_text::diagnostic::{Held, print_held};
//! use ndbytes_text::printer::Printer;
//!
//! let file = [0, 0, 8, 1, 0, 0, 0, 4, 1, 2];
//! let report = Checker::new().check_slice(&file)?;
//! let mut text = Vec::new();
//! let held = Held { name: "cut.idx", file: &file, member: None };
//! print_held(report.findings(), held, report.format, Limits::default(), &mut Printer::new(&mut text, false))?;
//! assert!(text.starts_with(b"error[idx/truncated-payload]"));
//! # Ok::<(), ndbytes::Error>(())
//! ```

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

pub mod diagnostic;
pub mod finding_text;
pub mod names;
pub mod printer;
pub mod style;
pub mod text;
