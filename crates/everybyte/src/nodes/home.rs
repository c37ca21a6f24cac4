//! Fields whose bytes stand outside the structure that they are part of.

use super::arena::{Id, Nodes};
use super::entry::NONE;
use super::node::Node;

/// The most structures around each other of which a path has the names.
const DEEPEST: usize = 1024;

/// The structure that a field of a map in the making is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The space as a whole: the field belongs to the first level.
    Level,
    /// The field of this number.
    Field(Id),
}

/// The structure that a field is part of.
#[derive(Debug, Clone, Copy)]
pub enum Home<'m> {
    /// The space as a whole: the field belongs to the first level.
    Level,
    /// A field.
    Field(Node<'m>),
}

/// The structures of one space around its fields, for those whose bytes stand elsewhere.
#[derive(Debug)]
pub struct Homes<'m> {
    nodes: &'m Nodes,
    /// The structure that each field is part of; empty if all fields stand in theirs.
    around: Vec<u32>,
}

impl<'m> Node<'m> {
    /// The structure that it is part of, if its bytes stand elsewhere; `None` if they stand in it.
    pub fn home(self) -> Option<Home<'m>> {
        match self.nodes().side(self.id().0)?.home? {
            NONE => Some(Home::Level),
            home => Some(Home::Field(self.nodes().node(Id(home)))),
        }
    }
}

impl Nodes {
    /// The structures around fields whose bytes stand elsewhere.
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
    /// The path of the structure that a field is part of, if its bytes stand elsewhere; `None` if they stand in it.
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
