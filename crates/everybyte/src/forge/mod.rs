//! The forge: files made out of files, along the fields that the layouts declare.

mod choices;
mod cross;
mod edit;
mod grammar;
mod key;
mod lists;
mod mend;
mod number;
mod of;
mod parse;
mod perform;
mod plain;
mod propose;
mod recipe;
mod replay;
mod right;
mod scene;
mod session;
mod shapes;
mod smaller;
mod stage;
mod values;

pub use choices::Choices;
pub use cross::cross;
pub use grammar::Grammar;
pub use of::Of;
pub use recipe::{Recipe, RecipeError, Repair, Roles, Setting, Step};
pub use replay::{ReplayError, replay, replay_with};
pub use right::set_right;
pub use session::{Mutant, Mutation, Plain, Session, mutate};
pub use smaller::{Trimming, minimise};
