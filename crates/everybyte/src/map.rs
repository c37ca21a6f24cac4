//! The byte map: every byte of a file, its field, its value and what that means.

use crate::error::amount;
use crate::keys::{Keys, keys};
use crate::node::Node;
use crate::value::Value;
use std::collections::{HashMap, HashSet};
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
    /// The path with what identifies each element of a list instead of its index, such as `columns["Label"].codec`. `None`
    /// if it is the path itself, and of [`spans`]. It stays the same where elements are added, removed or moved.
    pub key: Option<String>,
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

    /// Gives the space, and those that its fields open, other numbers.
    pub fn renumber(&mut self, ids: &HashMap<u32, u32>) {
        fn renumber(nodes: &mut [Node], ids: &HashMap<u32, u32>) {
            for node in nodes {
                node.opens = node.opens.and_then(|id| ids.get(&id).copied());
                renumber(&mut node.children, ids);
            }
        }
        self.id = ids.get(&self.id).copied().unwrap_or(self.id);
        renumber(&mut self.nodes, ids);
    }

    /// Looks for a field on the first level.
    pub fn node_mut(&mut self, name: &str) -> Option<&mut Node> {
        self.nodes.iter_mut().find(|node| node.name == name)
    }
}

/// The leaves of all spaces, in order, without their keys. Those of one space tile it.
pub fn spans(spaces: &[Space]) -> Vec<Span<'_>> {
    listed(spaces, false)
}

/// The leaves of all spaces, in order, with their keys: they take more memory.
pub fn keyed_spans(spaces: &[Space]) -> Vec<Span<'_>> {
    listed(spaces, true)
}

fn listed(spaces: &[Space], has_keys: bool) -> Vec<Span<'_>> {
    let mut listing = Listing { space: 0, has_keys, spans: Vec::new(), openers: HashMap::new() };
    for space in spaces {
        listing.space = space.id;
        let opener = listing.openers.get(&space.id).cloned();
        listing.add(&space.nodes, Around { path: "", key: opener.as_deref() });
    }
    listing.spans
}

/// The path of the field that decompresses into each space, by the number of the space.
pub fn openers(spaces: &[Space]) -> HashMap<u32, String> {
    fn search(nodes: &[Node], around: &str, found: &mut HashMap<u32, String>) {
        for node in nodes.iter().filter(|node| node.opens.is_some() || !node.children.is_empty()) {
            let mut path = around.to_owned();
            node.step(&mut path);
            search(&node.children, &path, found);
            if let Some(space) = node.opens {
                found.entry(space).or_insert(path);
            }
        }
    }
    let mut found = HashMap::new();
    spaces.iter().for_each(|space| search(&space.nodes, "", &mut found));
    found
}

/// The leaves of one part of a map, with their keys. They are those of the field of this path or key, and of all spaces
/// below it. A path means the first space that has it.
pub fn part_of<'n>(spaces: &'n [Space], part: &str) -> Vec<Span<'n>> {
    let spans = keyed_spans(spaces);
    let first = spans.iter().find(|span| is_below(&span.path, part)).map(|span| span.space);
    let is_of_part = |space: u32, path: &str, key: Option<&str>| {
        (Some(space) == first && is_below(path, part)) || key.is_some_and(|key| is_below(key, part))
    };
    let mut below = HashSet::new();
    // A space is opened by a field of one before it.
    for space in spaces {
        let all = below.contains(&space.id);
        let is_here = |path: &str| all || is_of_part(space.id, path, None);
        open(&space.nodes, "", &is_here, &mut below);
        let leaves = spans.iter().filter(|span| span.space == space.id);
        below.extend(
            leaves
                .filter(|span| is_of_part(span.space, &span.path, span.key.as_deref()))
                .filter_map(|span| span.node.opens),
        );
    }
    let is_kept =
        |span: &Span<'_>| below.contains(&span.space) || is_of_part(span.space, &span.path, span.key.as_deref());
    spans.into_iter().filter(is_kept).collect()
}

/// The spaces that fields open, as far as they are in a part.
fn open(nodes: &[Node], around: &str, is_here: &impl Fn(&str) -> bool, opened: &mut HashSet<u32>) {
    for node in nodes.iter().filter(|node| node.opens.is_some() || !node.children.is_empty()) {
        let mut path = around.to_owned();
        node.step(&mut path);
        open(&node.children, &path, is_here, opened);
        opened.extend(node.opens.filter(|_| is_here(&path)));
    }
}

/// Returns whether a path, or a key, is that of a field or of a part of it.
pub fn is_below(path: &str, field: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '!']))
}

/// Drops fields that take no bytes.
pub fn drop_empty(nodes: &mut Vec<Node>) {
    nodes.retain(|node| node.start < node.end || !node.complete);
    nodes.iter_mut().for_each(|node| drop_empty(&mut node.children));
}

/// The structure around some fields.
#[derive(Clone, Copy)]
struct Around<'p> {
    path: &'p str,
    key: Option<&'p str>,
}

/// The leaves in the making.
struct Listing<'n> {
    space: u32,
    has_keys: bool,
    spans: Vec<Span<'n>>,
    /// The key of the field that decompresses into each space, and `!`.
    openers: HashMap<u32, String>,
}

impl<'n> Listing<'n> {
    fn add(&mut self, nodes: &'n [Node], around: Around<'_>) {
        let keys = if self.has_keys { keys(nodes) } else { Keys::default() };
        for node in nodes {
            let mut path = around.path.to_owned();
            node.step(&mut path);
            let own = keys.of(node);
            let key = (around.key.is_some() || own.is_some()).then(|| {
                let mut key = around.key.unwrap_or(around.path).to_owned();
                match own {
                    Some(own) => node.keyed_step(own, &mut key),
                    None => node.step(&mut key),
                }
                key
            });
            if let Some(opened) = node.opens.filter(|_| self.has_keys) {
                self.openers.entry(opened).or_insert_with(|| format!("{}!", key.as_deref().unwrap_or(&path)));
            }
            if node.children.is_empty() {
                self.spans.push(Span { path, key, space: self.space, node });
            } else {
                self.add(&node.children, Around { path: &path, key: key.as_deref() });
            }
        }
    }
}

/// Puts a node wherever no field stands, inside structures as well as between them.
fn fill_gaps(nodes: &mut Vec<Node>, range: Range<u64>) {
    let mut position = range.start;
    let mut gaps = Vec::new();
    for (place, node) in nodes.iter_mut().enumerate() {
        if node.start > position {
            gaps.push((place, position..node.start));
        }
        if !node.children.is_empty() {
            fill_gaps(&mut node.children, node.start..node.end);
        }
        position = position.max(node.end);
    }
    if position < range.end {
        gaps.push((nodes.len(), position..range.end));
    }
    // Nodes are large: most lists have no gap, and stay where they are.
    if gaps.is_empty() {
        return;
    }
    let mut filled = Vec::new();
    let mut gaps = gaps.into_iter().peekable();
    for (place, node) in nodes.drain(..).enumerate() {
        filled.extend(gaps.next_if(|(before, _)| *before == place).map(|(_, range)| gap(range)));
        filled.push(node);
    }
    filled.extend(gaps.map(|(_, range)| gap(range)));
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
