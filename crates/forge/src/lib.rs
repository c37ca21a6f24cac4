//! Files made on purpose: valid ones, files that break one rule, and mutants along the fields.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod archive;
mod b2nd;
mod beside;
mod broken;
mod company;
mod contained;
mod craft;
mod deflate;
mod dictionary;
mod elements;
mod features;
mod forged;
mod general;
mod grid;
mod gzip;
mod idv;
mod idx;
mod kind;
mod libfuzzer;
mod map;
mod mutants;
mod npy;
mod origin;
mod plain_bytes;
mod rawarray;
mod recipe;
mod register;
mod replay;
mod schedule;
mod search;
mod seeded;
mod seeds;
mod spaces;
mod verdict;
mod whole;
mod zip;

pub use archive::archive;
pub use b2nd::{BothFrames, b2nd_of_chunk};
#[doc(hidden)]
pub use beside::Beside;
pub use company::NEVER_ALONE;
pub use dictionary::{DICTIONARIES, Dictionary};
pub use everybyte::forge::{Mutant, Mutation, Plain, Repair, Roles, Step, Trimming};
pub use forged::Forged;
pub use kind::Kind;
#[doc(hidden)]
pub use libfuzzer::{Bench, cross_inputs, mutate_input};
pub use origin::Origin;
pub use recipe::{Recipe, RecipeError};
pub use seeded::Forge;
pub use whole::Content;
