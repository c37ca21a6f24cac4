//! Generates files for tests and fuzzers: valid files, files that violate exactly one rule, and mutants along the
//! fields.
//!
//! Everything is deterministic: the same seed produces the same bytes on every machine. Start with [`Forge`].

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod archive;
mod b2nd;
mod broken;
mod contained;
mod custom_mutator;
mod deflate;
mod dictionary;
mod elements;
mod features;
mod forged;
mod forged_file;
mod general;
mod gguf;
mod grid;
mod gzip;
mod idv;
mod idx;
mod kind;
mod kind_driver;
mod libfuzzer;
mod linked_rules;
mod map;
mod mutants;
mod npy;
mod origin;
mod plain_bytes;
mod rawarray;
mod recipe;
mod register;
mod replay;
mod safetensors;
mod schedule;
mod search;
mod seeded;
mod seeds;
mod spaces;
mod verdict;
mod zip;

pub use archive::archive;
pub use b2nd::{BothFrames, b2nd_of_chunk};
#[doc(hidden)]
pub use custom_mutator::CustomMutator;
pub use dictionary::{DICTIONARIES, Dictionary};
pub use everybyte::forge::{Mutant, Mutation, Plain, Repair, Roles, Step, Trimming};
pub use forged::Forged;
pub use forged_file::Content;
pub use kind::Kind;
#[doc(hidden)]
pub use libfuzzer::{Bench, cross_inputs, mutate_input};
pub use linked_rules::NEVER_ALONE;
pub use origin::Origin;
pub use recipe::{Recipe, RecipeError};
pub use seeded::Forge;
