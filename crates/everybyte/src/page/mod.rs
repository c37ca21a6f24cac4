//! The page that explains a file in the browser: its bytes, its fields and its findings. It is one file that loads nothing
//! from elsewhere. Feature `page`.
//!
//! ```
//! use everybyte::{Format, Region, explain, layout, page};
//!
//! /// A counted text.
//! #[layout]
//! #[brw(little)]
//! struct Note {
//!     /// Bytes of the text.
//!     length: u16,
//!     /// The text.
//!     #[br(args { length: length.into() })]
//!     text: Region,
//! }
//!
//! impl Format for Note {
//!     const NAME: &'static str = "note";
//! }
//!
//! let file = b"\x02\x00hi";
//! let html = page::page(&explain::<Note>(file), file, "hi.note", "notes");
//! assert!(html.starts_with("<!DOCTYPE html>") && html.contains("hi.note"));
//! ```
//!
//! # Promises
//!
//! Whatever a file holds: the page has at most 2 MiB, says what it leaves out, and writes text from the file as text only.
//! Its policy (CSP) allows its own script and its own style, and nothing else.
//!
//! The other items are the parts of pages, for programs that show more than a file and its fields.

pub mod assets;
mod bytes;
mod card;
mod document;
mod facts;
mod file_page;
mod links;
mod rows;
mod strings;

pub use bytes::{Content, Run};
pub use card::{Card, SENTENCE};
pub use document::{Document, Escaped, Head, Parts, Summary, is_page};
pub use facts::{Facts, unclaimed};
pub use file_page::{FilePage, Tree, page};
pub use strings::shown;
