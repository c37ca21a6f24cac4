//! Specifications whose names are resolved: types, fields and expressions as a reader needs them. Whatever can be wrong
//! before a file is read is found here.

mod code;
mod field;
mod kind;
mod kinds;
mod members;
mod parents;
mod plan;
mod resolver;
mod sizes;
mod stated;

pub use kind::Kind;
pub use plan::{
    Content, Delimiter, Endian, Field, Formula, Order, Parent, Plan, Process, Property, Repeat, Run, Size, Term, Type,
    Valid,
};
pub use resolver::{Resolver, resolve};
