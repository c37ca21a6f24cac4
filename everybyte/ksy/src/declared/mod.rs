//! Specifications as they are declared: types, fields, instances and enumerations, with their positions. Names are plain words here;
//! [`crate::resolve`] resolves them.

pub mod field;
pub mod keys;
mod load;
mod model;
mod overlay;
mod own;
mod types;

pub use load::{Imports, load, located, parse};
pub use model::{
    Check, Code, Content, Declared, Endian, Enum, Field, Meaning, Origin, Param, Primitive, Repeat, Size, Type, User,
    Valid,
};
