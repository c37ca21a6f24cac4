//! Types of items and single values.

mod item_types;
mod numpy_text;
