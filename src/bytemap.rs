//! The byte map: every byte of a file, its field, its value and what that means.

use crate::finding::bytes;
use crate::{Format, Input, Result};
use ndbytes_schemas::{Node, Value};
use std::ops::Range;

/// How many bytes of each field are kept to be shown.
const SHOWN_BYTES: u64 = 16;

/// What bytes that no field claims are called.
pub const GAP: &str = "gap";

/// Every byte of a file, and of what is compressed inside it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ByteMap {
    /// The format, where the content is of one.
    pub format: Option<Format>,
    /// The spaces; the first is the file.
    pub spaces: Vec<Space>,
}

/// A run of bytes with offsets of its own: the file, or something that was decompressed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Space {
    /// Its number; 0 is the file.
    pub id: u32,
    /// What it is.
    pub title: String,
    /// Its bytes.
    pub length: u64,
    /// Its fields, in file order. Their leaves tile the space.
    pub nodes: Vec<Node>,
}

/// One leaf of a byte map: a field, or a gap.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Span<'a> {
    /// The field's path, such as `dims[0]`.
    pub path: String,
    /// The space that it stands in.
    pub space: u32,
    /// The field itself.
    pub node: &'a Node,
}

impl ByteMap {
    pub(crate) fn new(format: Option<Format>, spaces: Vec<Space>) -> Self {
        ByteMap { format, spaces }
    }

    /// The leaves of all spaces, in order. Those of one space tile it.
    pub fn spans(&self) -> Vec<Span<'_>> {
        let mut spans = Vec::new();
        for space in &self.spaces {
            collect(&space.nodes, "", space.id, &mut spans);
        }
        spans
    }
}

impl Space {
    /// A space whose fields were traced; what they leave out becomes gaps.
    pub(crate) fn new(id: u32, title: &str, content: &Input<'_>, mut nodes: Vec<Node>) -> Result<Self> {
        let length = content.length();
        fill_gaps(&mut nodes, 0..length);
        sample(&mut nodes, content)?;
        Ok(Space { id, title: title.to_owned(), length, nodes })
    }

    /// Looks for a field on the first level.
    pub(crate) fn node_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.nodes.iter_mut().find(|node| node.name == name)
    }
}

fn collect<'a>(nodes: &'a [Node], around: &str, space: u32, spans: &mut Vec<Span<'a>>) {
    for node in nodes {
        let mut path = around.to_owned();
        node.step(&mut path);
        if node.children.is_empty() {
            spans.push(Span { path, space, node });
        } else {
            collect(&node.children, &path, space, spans);
        }
    }
}

/// Puts a node wherever no field stands, inside structures as well as between them.
fn fill_gaps(nodes: &mut Vec<Node>, range: Range<u64>) {
    let mut position = range.start;
    let mut filled = Vec::new();
    for mut node in nodes.drain(..) {
        if node.start > position {
            filled.push(gap(position..node.start));
        }
        if !node.children.is_empty() {
            fill_gaps(&mut node.children, node.start..node.end);
        }
        position = position.max(node.end);
        filled.push(node);
    }
    if position < range.end {
        filled.push(gap(position..range.end));
    }
    *nodes = filled;
}

/// Drops fields that take no bytes.
pub(crate) fn drop_empty(nodes: &mut Vec<Node>) {
    nodes.retain(|node| node.start < node.end || !node.complete);
    nodes.iter_mut().for_each(|node| drop_empty(&mut node.children));
}

/// Keeps the first bytes of every leaf, to be shown.
fn sample(nodes: &mut [Node], content: &Input<'_>) -> Result<()> {
    for node in nodes {
        sample(&mut node.children, content)?;
        if node.children.is_empty() {
            node.first_bytes = vec![0; (node.end - node.start).min(SHOWN_BYTES) as usize];
            content.read_at(&mut node.first_bytes, node.start)?;
        }
    }
    Ok(())
}

fn gap(range: Range<u64>) -> Node {
    let meaning = format!("{} that no field claims", bytes(range.end - range.start));
    Node { value: Value::None, meaning, doc: "Bytes that no field claims.", ..Node::leaf(GAP, range.start, range.end) }
}
