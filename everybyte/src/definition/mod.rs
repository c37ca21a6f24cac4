//! Converts field references to definitions for other programs: Kaitai Struct and ImHex.
//!
//! A declaration can express more than these languages can, such as Rust functions and parameters of custom types. An expression
//! that cannot be translated becomes a parameter of the type, documented with the original expression. A comment that begins with
//! `NOT EXACT` marks it, and anything else that cannot be expressed. The first line of a definition counts these marks, if there are
//! any. Definitions describe how files are read, so rules, assertions and checksums are not part of them.

mod around;
mod elements;
mod expression;
mod imhex;
mod kaitai;
mod lists;
mod nested;
mod plan;
mod subject;
mod texts;

pub use imhex::imhex;
pub use kaitai::kaitai;
pub use subject::Subject;
