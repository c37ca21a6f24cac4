//! Specifications with resolved names: types, fields and expressions as a reader needs them. Any error that can be
//! detected before a file is read is detected here.

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
