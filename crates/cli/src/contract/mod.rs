//! Contracts: demands of a project on its files, by their paths. `docs/src/contract.md` describes the document.

mod document;
mod found;
mod inside;
mod judge;
mod lines;
mod opened;
mod pair;
#[cfg(feature = "convert")]
mod tables;
mod terms;

pub use found::{ConfigArguments, Contract, is_contract};
pub use judge::Demands;
