//! Fields whose bytes are outside the structure they belong to.
//!
//! The tree of a map is ordered by bytes: a field that is stored inside another one is its child, regardless of the
//! declaration. Such a field stores the structure that it belongs to, which is called its home. Its path is the path of
//! the home plus its own step.

use super::arena::{Id, Nodes};
use super::entry::NONE;
use super::node::Node;

/// The maximum number of nested structures in a path.
const DEEPEST: usize = 1024;

/// The structure that contains a field of a map that is being built.
///
/// ```
/// use everybyte::map::{Nodes, Owner, Space, spans};
///
/// let mut nodes = Nodes::new();
/// let record = nodes.leaf("record", 0..4).add();
/// let text = nodes.leaf("text", 4..9).id();
/// nodes.insert([(text, Some(Owner::Field(record)))]);
/// let file = Space::new(0, "file", 9, nodes, |_, _| Ok::<(), std::convert::Infallible>(())).unwrap();
/// assert_eq!(spans(&[file])[1].path, "record.text");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The whole space: the field belongs to the top level.
    Level,
    /// The field with this number.
    Field(Id),
}

/// The structure that contains a field.
///
/// ```
/// use everybyte::map::{Home, Nodes, Owner};
///
/// let mut nodes = Nodes::new();
/// let record = nodes.leaf("record", 0..4).add();
/// let text = nodes.leaf("text", 4..9).id();
/// nodes.insert([(text, Some(Owner::Field(record)))]);
/// match nodes.node(text).home() {
///     Some(Home::Field(home)) => assert_eq!(home.name(), "record"),
///     other => panic!("{other:?}"),
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub enum Home<'m> {
    /// The whole space: the field belongs to the top level.
    Level,
    /// A field.
    Field(Node<'m>),
}

/// The structures that contain the fields of one space, for fields whose bytes are elsewhere.
#[derive(Debug)]
pub struct Homes<'m> {
    nodes: &'m Nodes,
    /// The structure of each field; empty if all fields are inside their structures.
    around: Vec<u32>,
}

impl<'m> Node<'m> {
    /// The structure that contains it, if it is stored elsewhere.
    pub fn home(self) -> Option<Home<'m>> {
        match self.nodes().side(self.id().0)?.home? {
            NONE => Some(Home::Level),
            home => Some(Home::Field(self.nodes().node(Id(home)))),
        }
    }
}

impl Nodes {
    /// The enclosing structures of fields whose bytes are elsewhere.
    pub(crate) fn homes(&self) -> Homes<'_> {
        if self.sides.iter().all(|side| side.home.is_none()) {
            return Homes { nodes: self, around: Vec::new() };
        }
        let mut around = vec![NONE; self.entries.len()];
        for number in 0..self.entries.len() as u32 {
            let parts = self.node(Id(number)).children();
            parts.for_each(|part| around[part.id().0 as usize] = number);
        }
        for (number, around) in around.iter_mut().enumerate() {
            *around = self.side(number as u32).and_then(|side| side.home).unwrap_or(*around);
        }
        Homes { nodes: self, around }
    }
}

impl Homes<'_> {
    /// The path of the structure that contains a field, if the field is stored elsewhere.
    pub fn path(&self, node: Node<'_>) -> Option<String> {
        if self.around.is_empty() {
            return None;
        }
        node.home()?;
        let outwards = |number: u32| Some(self.around[number as usize]).filter(|&around| around != NONE);
        let around: Vec<u32> =
            std::iter::successors(outwards(node.id().0), |&number| outwards(number)).take(DEEPEST).collect();
        let mut path = String::new();
        around.iter().rev().for_each(|&number| self.nodes.node(Id(number)).step(&mut path));
        Some(path)
    }
}
