//! Files made on purpose: valid ones, files that break one rule, and mutants along the fields. Feature `forge`.

mod b2nd;
mod broken;
mod company;
mod craft;
mod deflate;
mod dictionary;
mod elements;
mod forge;
mod forged;
mod general;
mod grid;
mod gzip;
mod idv;
mod idx;
mod kind;
mod map;
mod npy;
mod origin;
mod plain_bytes;
mod rawarray;
mod recipe;
mod register;
mod replay;
mod seeds;
mod verdict;
mod whole;
mod zip;

pub use company::NEVER_ALONE;
pub use dictionary::DICTIONARIES;
pub use forge::Forge;
pub use forged::Forged;
pub use kind::Kind;
pub use origin::Origin;
pub use recipe::{Recipe, RecipeError};
pub use seeds::seeds;
pub use whole::Content;
