//! Types in layouts and their pages in the field reference.

mod layout;
mod own;
mod pages;
mod sizes;

pub use crate::terms::{ArgumentDoc, Content, Expression, Form, ParameterDoc, Term, TextForm};
pub use layout::{Book, Layout};
#[doc(hidden)]
pub use layout::{Nature, Said};
pub use pages::{Bits, CodeDoc, ContentDoc, FieldDoc, PlaceDoc, TypeDoc, TypeKind, VariantDoc};
#[doc(hidden)]
pub use pages::{place_bits, set_bits};
#[doc(hidden)]
pub use sizes::{least, same, sum};
