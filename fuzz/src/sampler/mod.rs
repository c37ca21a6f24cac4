//! Invented formats with declarations that no example of everybyte has.

mod arithmetic;
mod contents;
mod digits;
mod facts;
mod lists;
mod own;
mod places;
mod shown;
pub mod sources;
mod sums;
mod texts;
pub mod values;

pub use arithmetic::{Results, Terms};
pub use contents::{Packed, Picture};
pub use digits::Entry;
pub use facts::Parts;
pub use lists::Outline;
pub use places::{Pages, Shelf, Shelves};
pub use shown::Shapes;
pub use sums::Ledger;
pub use texts::Sampler;
