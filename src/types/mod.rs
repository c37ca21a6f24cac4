//! Types of items, and single values of them.

pub mod datetime;
pub mod dtype;
pub mod half_digits;
pub mod item_type;
pub mod long_double;
pub mod scalar;
