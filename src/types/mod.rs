//! Item types and single values.

pub mod datetime;
pub mod dtype;
pub mod half_digits;
pub mod item_type;
pub mod long_double;
pub mod scalar;
pub mod tensor_type;
