//! The byte map: every byte of a file, its field, its value and what that means.

use crate::error::amount;
use crate::{Node, Value};
use std::ops::Range;

/// The number of bytes of each field that are kept to be shown.
const SHOWN_BYTES: u64 = 16;

/// The name of bytes that no field claims.
pub const GAP: &str = "gap";

/// A run of bytes with offsets of its own: the file, or decompressed content.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Space {
    /// Its number; 0 is the file.
    pub id: u32,
    /// Its title, such as `file`.
    pub title: String,
    /// Its length in bytes.
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
    /// The number of its space.
    pub space: u32,
    /// The field itself.
    pub node: &'a Node,
}

impl Space {
    /// Maps a space of `length` bytes whose fields were traced. Bytes that no field claims become gaps. `read_at` fills a
    /// buffer from an offset of the space: the first bytes of every leaf are kept.
    ///
    /// # Errors
    /// The errors of `read_at`.
    pub fn new<E>(
        id: u32,
        title: &str,
        length: u64,
        mut nodes: Vec<Node>,
        mut read_at: impl FnMut(&mut [u8], u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        fill_gaps(&mut nodes, 0..length);
        sample(&mut nodes, &mut read_at)?;
        Ok(Space { id, title: title.to_owned(), length, nodes })
    }

    /// Looks for a field on the first level.
    pub fn node_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.nodes.iter_mut().find(|node| node.name == name)
    }
}

/// The leaves of all spaces, in order. Those of one space tile it.
pub fn spans(spaces: &[Space]) -> Vec<Span<'_>> {
    let mut spans = Vec::new();
    for space in spaces {
        collect(&space.nodes, "", space.id, &mut spans);
    }
    spans
}

/// Drops fields that take no bytes.
pub fn drop_empty(nodes: &mut Vec<Node>) {
    nodes.retain(|node| node.start < node.end || !node.complete);
    nodes.iter_mut().for_each(|node| drop_empty(&mut node.children));
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

/// Keeps the first bytes of every leaf, to be shown.
fn sample<E>(nodes: &mut [Node], read_at: &mut impl FnMut(&mut [u8], u64) -> Result<(), E>) -> Result<(), E> {
    for node in nodes {
        sample(&mut node.children, read_at)?;
        if node.children.is_empty() {
            node.first_bytes = vec![0; (node.end - node.start).min(SHOWN_BYTES) as usize];
            read_at(&mut node.first_bytes, node.start)?;
        }
    }
    Ok(())
}

fn gap(range: Range<u64>) -> Node {
    let meaning = format!("{} that no field claims", amount(range.end - range.start));
    Node { value: Value::None, meaning, doc: "Bytes that no field claims.", ..Node::leaf(GAP, range.start, range.end) }
}
