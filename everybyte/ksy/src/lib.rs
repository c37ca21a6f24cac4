#![doc = include_str!("../README.md")]
#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod datum;
mod declared;
mod expression;
mod generate;
mod grammar;
mod map;
mod nearest;
mod packing;
mod place;
mod read;
mod reading;
mod resolve;
mod roles;
mod spec;
mod stack;
mod sums;
mod text;
mod yaml;

pub use datum::Datum;
pub use grammar::SpecGrammar;
pub use packing::{Argument, CustomProcess};
pub use place::SpecError;
pub use spec::{Loader, Spec};
