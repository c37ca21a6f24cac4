//! Field references as definitions for other programs: Kaitai Struct and ImHex.
//!
//! A declaration can say more than these languages can: functions of Rust, parameters of types of its own. Where an
//! expression has no translation, the type gets a parameter in its place, whose documentation is the expression. Where no
//! parameter can stand either, a comment that begins with `NOT EXACT` says so at that place.

mod around;
mod elements;
mod expression;
mod imhex;
mod kaitai;
mod lists;
mod nested;
mod plan;
mod subject;

pub use imhex::imhex;
pub use kaitai::kaitai;
pub use subject::Subject;
