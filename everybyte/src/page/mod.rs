//! The page that explains a file in the browser. It shows the file's bytes, fields and findings. It is a single file that loads
//! nothing. Requires the feature `page`.
//!
//! ```
//! use everybyte::{Format, bytes::Region, explain, layout, page};
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
//! Whatever a file contains, the page has at most 2 MiB, states what it leaves out, and shows text from the file only as text. Its
//! content security policy allows only its own script and style.
//!
//! The other items are building blocks for programs that show more than a file and its fields.

pub mod assets;
mod bytes;
mod card;
mod document;
mod facts;
mod file_page;
mod links;
mod rows;
mod strings;

pub use crate::map::unclaimed;
pub use bytes::{Content, Run};
pub use card::{Card, SENTENCE};
pub use document::{Document, Escaped, Head, Parts, Summary, is_page};
pub use facts::Facts;
pub use file_page::{FilePage, Tree, page};
pub use strings::shown;
