//! Contracts: what a project requires of its files, by path. `docs/src/contract.md` describes the document.

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

pub use document::WILDCARDS;
pub use found::{ConfigArguments, Contract, is_contract};
pub use judge::Demands;
