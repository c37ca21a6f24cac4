//! The byte map: every byte of a file, with its field, its value and its meaning.
//!
//! A map is a list of spaces. Each space is a tree of fields, whose leaves cover it in order without overlapping; bytes
//! that no field claims are leaves with the name [`GAP`]. A compressed field opens another space, which comes later in
//! the list.
//!
//! A path counts elements: `columns[1].codec`. A key names them instead (`columns["Label"].codec`) and survives insertions. A field
//! that is stored outside its structure appears in the tree where its bytes are, but its path is based on its structure.

use crate::keys::{Keys, keys};
pub use crate::name::Name;
use crate::nodes::Homes;
pub use crate::nodes::{All, Children, Facts, FactsId, Home, Id, Index, Node, NodeMut, Nodes, Owner};
pub use crate::value::Value;
use std::collections::{HashMap, HashSet};

/// The name of bytes that no field claims.
pub const GAP: &str = "gap";

/// A sequence of bytes with its own offsets: the file, or decompressed content.
///
/// ```
/// # use everybyte::{Format, explain, layout};
/// #[layout]
/// struct Pair {
///     a: u8,
///     b: u8,
/// }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let explained = explain::<Pair>(&[1, 2, 3]);
/// let file = &explained.spaces[0];
/// let names: Vec<&str> = file.nodes.iter().map(|node| node.name()).collect();
/// assert_eq!((file.id, file.length), (0, 3));
/// assert_eq!(names, ["a", "b", everybyte::map::GAP]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Space {
    /// Its number; 0 is the file.
    pub id: u32,
    /// Its title, such as `file`.
    pub title: String,
    /// Its length in bytes.
    pub length: u64,
    /// Its fields, in file order. Their leaves cover the space without overlapping.
    pub nodes: Nodes,
}

/// One leaf of a byte map: a field or a gap.
///
/// ```
/// use everybyte::map::spans;
/// # use everybyte::{Format, explain, layout};
/// #[layout]
/// struct Pair {
///     a: u8,
///     b: u8,
/// }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let explained = explain::<Pair>(&[1, 2, 3]);
/// let ends: Vec<(String, u64)> = spans(&explained.spaces).into_iter().map(|span| (span.path, span.node.end())).collect();
/// assert_eq!(ends, [("a".to_owned(), 1), ("b".to_owned(), 2), ("gap".to_owned(), 3)]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Span<'a> {
    /// The field's path, such as `dims[0]`.
    pub path: String,
    /// The path with the key of each list element in place of its index, such as `columns["Label"].codec`. `None` for
    /// [`spans`] and if it equals the path. It stays the same when elements are added, removed or moved.
    pub key: Option<String>,
    /// The number of its space.
    pub space: u32,
    /// The field itself.
    pub node: Node<'a>,
}

impl Space {
    /// Maps a space of `length` bytes from its traced fields. Bytes that no field claims become gaps. `read_at` fills a buffer from
    /// an offset of the space. It is called for the first bytes of every leaf.
    ///
    /// # Errors
    /// Returns the errors of `read_at`.
    pub fn new<E>(
        id: u32,
        title: &str,
        length: u64,
        mut nodes: Nodes,
        read_at: impl FnMut(&mut [u8], u64) -> Result<(), E>,
    ) -> Result<Self, E> {
        nodes.fill_gaps(0..length, GAP);
        nodes.sample(read_at)?;
        Ok(Space { id, title: title.to_owned(), length, nodes })
    }

    /// Renumbers the space and the spaces that its fields open.
    pub fn renumber(&mut self, ids: &HashMap<u32, u32>) {
        self.id = ids.get(&self.id).copied().unwrap_or(self.id);
        self.nodes.reopen(|id| ids.get(&id).copied());
    }

    /// Finds a field at the top level, for editing.
    pub fn edit(&mut self, name: &str) -> Option<NodeMut<'_>> {
        let found = self.nodes.iter().find(|node| node.name() == name)?.id();
        Some(self.nodes.edit(found))
    }
}

/// The leaves of all spaces, in order, without their keys. The leaves of a space cover it without overlapping.
pub fn spans(spaces: &[Space]) -> Vec<Span<'_>> {
    listed(spaces, false)
}

/// The leaves of all spaces, in order, with their keys, which take more memory.
pub fn keyed_spans(spaces: &[Space]) -> Vec<Span<'_>> {
    listed(spaces, true)
}

fn listed(spaces: &[Space], has_keys: bool) -> Vec<Span<'_>> {
    let mut listing = Listing { space: 0, has_keys, spans: Vec::new(), openers: HashMap::new() };
    for space in spaces {
        listing.space = space.id;
        let opener = listing.openers.get(&space.id).cloned();
        let around = Around { homes: &space.nodes.homes(), opener: opener.as_deref() };
        listing.add(space.nodes.iter(), around, &mut String::new(), opener.as_deref());
    }
    listing.spans
}

/// Calls a function for each field of some spaces, with its path and the number of its space. Fields come before their parts.
pub(crate) fn each_field<'n>(spaces: &'n [Space], mut work: impl FnMut(&str, u32, Node<'n>)) {
    let mut path = String::new();
    for space in spaces {
        let homes = space.nodes.homes();
        // For each level: the next fields, the length of the path to them and, inside a field stored outside its structure, the
        // previous path.
        let mut open = vec![(space.nodes.iter(), 0, None)];
        while let Some((level, around, before)) = open.last_mut() {
            path.truncate(*around);
            let Some(node) = level.next() else {
                path = before.take().unwrap_or(path);
                open.pop();
                continue;
            };
            let before = homes.path(node).map(|home| std::mem::replace(&mut path, home));
            node.step(&mut path);
            work(&path, space.id, node);
            open.push((node.children(), path.len(), before));
        }
    }
}

/// The number of bytes that no field claims.
pub fn unclaimed(spaces: &[Space]) -> u64 {
    let gaps = spaces.iter().flat_map(|space| space.nodes.all()).filter(|node| node.is_leaf() && node.name() == GAP);
    gaps.map(Node::length).sum()
}

/// The path of the field that decompresses into each space, by space number.
pub fn openers(spaces: &[Space]) -> HashMap<u32, String> {
    let mut found = HashMap::new();
    each_field(spaces, |path, _, node| {
        if let Some(space) = node.opens() {
            found.entry(space).or_insert_with(|| path.to_owned());
        }
    });
    found
}

/// The leaves of one part of a map, with their keys. The part is selected by path or key and includes all spaces below
/// it. If the path occurs in several spaces, the first one is used.
pub fn part_of<'n>(spaces: &'n [Space], part: &str) -> Vec<Span<'n>> {
    let spans = keyed_spans(spaces);
    let first = spans.iter().find(|span| is_below(&span.path, part)).map(|span| span.space);
    let is_of_part = |space: u32, path: &str, key: Option<&str>| {
        (Some(space) == first && is_below(path, part)) || key.is_some_and(|key| is_below(key, part))
    };
    let mut below = HashSet::new();
    // The field that opens a space is in an earlier space.
    for space in spaces {
        let all = below.contains(&space.id);
        each_field(std::slice::from_ref(space), |path, id, node| {
            below.extend(node.opens().filter(|_| all || is_of_part(id, path, None)));
        });
        let leaves = spans.iter().filter(|span| span.space == space.id);
        below.extend(
            leaves
                .filter(|span| is_of_part(span.space, &span.path, span.key.as_deref()))
                .filter_map(|span| span.node.opens()),
        );
    }
    let is_kept =
        |span: &Span<'_>| below.contains(&span.space) || is_of_part(span.space, &span.path, span.key.as_deref());
    spans.into_iter().filter(is_kept).collect()
}

/// Returns whether a path or key belongs to a field or to a part of it.
pub fn is_below(path: &str, field: &str) -> bool {
    path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[', '!']))
}

/// The context of the fields of a space.
#[derive(Clone, Copy)]
struct Around<'l> {
    homes: &'l Homes<'l>,
    /// The key of the field that decompresses into the space, followed by `!`.
    opener: Option<&'l str>,
}

/// The leaves that are being listed.
struct Listing<'n> {
    space: u32,
    has_keys: bool,
    spans: Vec<Span<'n>>,
    /// The key of the field that decompresses into each space, followed by `!`.
    openers: HashMap<u32, String>,
}

impl<'n> Listing<'n> {
    /// Adds sibling fields, in a structure with this path and key.
    fn add(&mut self, nodes: Children<'n>, of: Around<'_>, path: &mut String, around: Option<&str>) {
        let keys = if self.has_keys { keys(nodes.clone(), usize::MAX) } else { Keys::default() };
        for node in nodes {
            // A field stored outside its structure has the path of that structure.
            if let Some(mut home) = of.homes.path(node) {
                let around = of.opener.map(|opener| format!("{opener}{home}"));
                self.one(node, (None, of), &mut home, around.as_deref());
            } else {
                self.one(node, (keys.of(node), of), path, around);
            }
        }
    }

    /// Adds a field, given its key in its list and the path and key of the enclosing field.
    fn one(&mut self, node: Node<'n>, (own, of): (Option<&str>, Around<'_>), path: &mut String, around: Option<&str>) {
        let length = path.len();
        let key = (around.is_some() || own.is_some()).then(|| {
            let mut key = around.unwrap_or(path).to_owned();
            match own {
                Some(own) => node.keyed_step(own, &mut key),
                None => node.step(&mut key),
            }
            key
        });
        node.step(path);
        if let Some(opened) = node.opens().filter(|_| self.has_keys) {
            self.openers.entry(opened).or_insert_with(|| format!("{}!", key.as_deref().unwrap_or(path)));
        }
        if node.is_leaf() {
            self.spans.push(Span { path: path.clone(), key, space: self.space, node });
        } else {
            self.add(node.children(), of, path, key.as_deref());
        }
        path.truncate(length);
    }
}
