//! Files made on purpose: valid ones, files that break one rule, and mutants along the fields. Feature `forge`.

mod b2nd;
mod company;
mod craft;
mod dictionary;
mod forge;
mod gzip;
mod idv;
mod idx;
mod kind;
mod map;
mod npy;
mod origin;
mod rawarray;
mod register;
mod verdict;
mod whole;
mod zip;

pub use company::NEVER_ALONE;
pub use dictionary::DICTIONARIES;
pub use forge::{Forge, Forged};
pub use kind::Kind;
pub use origin::Origin;
pub use whole::Content;
