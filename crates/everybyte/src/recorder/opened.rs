//! Contents that fields unpack into, until they are spaces of a map.

use crate::error::ParseError;
use crate::flaw::Flaws;
use crate::nodes::{Id, Nodes};

/// The content of a field.
#[derive(Debug, Clone)]
pub struct Opened {
    /// The node of the field.
    pub opener: Id,
    /// The path of the field.
    pub path: String,
    pub content: Vec<u8>,
    /// The fields of the content, and the structure with which it begins.
    pub nodes: Nodes,
    pub root: Id,
    pub flaws: Flaws,
    /// Why it cannot be read.
    pub error: Option<Box<ParseError>>,
}
