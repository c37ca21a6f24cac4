//! The output of the tool, in all its forms. Nothing here opens or writes a file that the user names.

pub mod array_json;
pub mod bounded;
mod cell;
mod clock;
mod columns;
pub mod diagnostic;
mod finding_text;
mod float_format;
pub mod html;
pub mod info_text;
pub mod json;
pub mod map_json;
pub mod map_table;
pub mod map_text;
pub mod numpy_text;
pub mod printer;
mod real;
pub mod schema_text;
pub mod style;
pub mod table_json;
pub mod table_text;
pub mod text;
