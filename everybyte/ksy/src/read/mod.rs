//! The reader: structures from bytes, with the position of every field. Instances are read lazily.

mod bytes;
mod context;
#[cfg(test)]
mod costs;
mod ends;
mod evaluate;
mod field;
mod limits;
mod machine;
mod operate;
mod slots;
mod stream;
mod valid;
mod value;

pub use context::Context;
pub use ends::Ends;
pub use limits::Granted;
pub use machine::{DEPTH, Machine};
pub use slots::{Slot, State};
pub use value::{Cause, Fault, List, Place, Val, hex, unsigned};
