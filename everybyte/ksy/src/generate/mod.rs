//! Generates `#[layout]` source from specifications whose fields are contiguous. Anything else is refused, with its name and position.

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
