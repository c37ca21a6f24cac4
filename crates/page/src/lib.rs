//! The page that explains a binary array file in the browser: its bytes, its fields, its findings and a picture of its
//! data. It is one file that loads nothing from elsewhere.
//!
//! ```
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../samples/surface.ra");
//! use ndbytes::{Checker, Input, Limits};
//!
//! let input = Input::open(path, Limits::default())?;
//! let (report, map) = Checker::new().explain(&input)?;
//! let html = ndbytes_page::page(&map, &report, "surface.ra", &input);
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! # Promises
//!
//! Whatever a file contains, the page has at most 2 MiB, says what it leaves out, and writes text from the file only as text. Its
//! content security policy (CSP) allows only its own script and style.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod assets;
mod content;
mod diff;
mod drop;
mod facts;
mod findings;
mod folders;
mod page;
mod pictures;

pub use diff::{DIFFERENCES, Side, diff_page, diff_page_of};
pub use drop::drop_page;
pub use folders::Folders;
pub use page::{Page, is_page, page};
