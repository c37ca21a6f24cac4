//! The output of the tool, in all its forms. Nothing here opens or writes files that the user names.

pub mod array_json;
pub mod bounded;
pub mod cell;
#[cfg(feature = "convert")]
pub mod cells_json;
pub mod check;
mod clock;
mod columns;
mod field_offsets;
mod float_format;
pub mod info_text;
pub mod json;
pub mod map_json;
pub mod map_table;
pub mod map_text;
pub mod numpy_text;
pub mod progress;
mod real;
mod rule_example;
pub mod rule_markdown;
pub mod rule_text;
pub mod schema_json;
pub mod schema_markdown;
pub mod schema_text;
pub mod stats_json;
pub mod stats_text;
pub mod table_json;
pub mod table_text;

/// The page for dropped files shows the same text.
pub use ndbytes_text::{diagnostic, finding_text, names, printer, style, text};
