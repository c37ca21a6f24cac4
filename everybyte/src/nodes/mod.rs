//! The fields of a space: an arena of small entries, and handles that read and edit them.

mod access;
mod arena;
mod edit;
mod entry;
mod home;
mod labels;
mod node;
mod record;
mod shape;
mod values;

pub use arena::{Chain, Id, Mark, Nodes, Opened};
pub use edit::NodeMut;
pub use entry::{AROUND, BROKEN, CUT, Entry, NONE, ONE};
pub use home::{Home, Homes, Owner};
pub use labels::{Facts, FactsId, Key};
pub use node::{All, Children, Index, Node, step};
