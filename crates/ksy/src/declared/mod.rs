//! Specifications as they are declared: types, fields, instances and enumerations, with their places. Names are words here;
//! [`crate::resolve`] finds what they mean.

pub mod field;
pub mod keys;
mod load;
mod model;
mod overlay;
mod own;
mod types;

pub use load::{Imports, load, located, parse};
pub use model::{
    Check, Code, Content, Declared, Endian, Enum, Field, Meaning, Origin, Param, Primitive, Process, Repeat, Size,
    Type, User, Valid,
};
