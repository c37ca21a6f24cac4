//! The forge: files made out of files, along the fields that the layouts declare.

mod choices;
mod edit;
mod grammar;
mod key;
mod mend;
mod number;
mod of;
mod parse;
mod perform;
mod plain;
mod recipe;
mod replay;
mod scene;
mod shapes;
mod stage;

pub use choices::Choices;
pub use grammar::Grammar;
pub use of::Of;
pub use recipe::{Recipe, RecipeError, Repair, Roles, Setting, Step};
pub use replay::{ReplayError, replay, replay_with};
