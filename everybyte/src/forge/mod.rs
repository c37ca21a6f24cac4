//! The forge: mutates files along their declared fields.
//!
//! A mutation changes one field of the map and updates everything that depends on it: offsets, lengths, counts and
//! checksums are recomputed, except for a few that are left wrong on purpose.

mod apply;
mod by_kind;
mod byte_mutations;
mod choices;
mod contents;
mod crossover;
mod edit;
mod editor;
mod field_table;
mod grammar;
mod interesting_values;
mod json;
mod key_lookup;
mod layout_grammar;
mod list_elements;
mod mapped_file;
mod minimise;
mod number;
mod padding;
mod parse;
mod propagate;
mod propose;
mod recipe;
mod recompute;
mod replay;
mod session;
mod shapes;

pub use choices::Choices;
pub use crossover::cross;
pub use editor::{EditError, Editor, edit};
pub use grammar::Grammar;
pub use layout_grammar::Of;
pub use minimise::{Trimming, minimise};
pub use recipe::{Recipe, RecipeError, Repair, Roles, Setting, Step};
pub use recompute::set_right;
pub use replay::{ReplayError, replay, replay_with};
pub use session::{Mutant, Mutation, Plain, Session, mutate};
