//! Specifications as source of `#[layout]`: those whose fields follow each other. The rest is refused by name and place.

mod bits;
mod choice;
mod code;
mod codes;
mod content;
mod fields;
mod model;
mod names;
mod operators;
mod recursion;
mod source;
mod terms;
mod text;
