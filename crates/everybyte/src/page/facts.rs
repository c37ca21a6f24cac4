//! Facts of a page about the file as a whole.

use crate::map::{GAP, Space};
use crate::nodes::Node;
use serde::Serialize;

/// The head line of a page, in numbers.
#[derive(Debug, Clone, Serialize)]
pub struct Facts {
    /// The kind of file.
    pub kind: String,
    /// Bytes of the file.
    pub size: u64,
    /// The verdict: `ok`, `warning`, `unforeseen` or `error`.
    pub verdict: &'static str,
    /// Bytes of all spaces that no field claims.
    pub unclaimed: u64,
    /// The number of findings that are errors.
    pub errors: u64,
    /// The number of findings that are warnings.
    pub warnings: u64,
}

impl Facts {
    /// The facts in a line.
    pub fn line(&self) -> String {
        format!("{}, {} bytes, {}", self.kind, self.size, self.verdict)
    }
}

/// The bytes of all spaces that no field claims.
pub fn unclaimed(spaces: &[Space]) -> u64 {
    let gaps = spaces.iter().flat_map(|space| space.nodes.all()).filter(|node| node.name() == GAP);
    gaps.map(Node::length).sum()
}
