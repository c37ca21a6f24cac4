//! Formats that nobody has, with the declarations that no example of everybyte has.

mod arithmetic;
mod contents;
mod digits;
mod facts;
mod places;
mod shown;
mod texts;
pub mod values;

pub use arithmetic::Results;
pub use contents::Picture;
pub use digits::Entry;
pub use facts::Parts;
pub use places::{Pages, Shelf};
pub use shown::Shapes;
pub use texts::Sampler;
