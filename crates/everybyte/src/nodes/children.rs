//! Fields beside each other, and all fields of a space.

use super::arena::Nodes;
use super::entry::NONE;
use super::node::Node;

/// The parts of a field, or the fields of a first level, in file order.
#[derive(Debug, Clone)]
pub struct Children<'m> {
    nodes: &'m Nodes,
    next: u32,
}

impl<'m> Children<'m> {
    pub(super) fn new(nodes: &'m Nodes, first: u32) -> Self {
        Children { nodes, next: first }
    }

    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.next == NONE
    }
}

impl<'m> Iterator for Children<'m> {
    type Item = Node<'m>;

    fn next(&mut self) -> Option<Node<'m>> {
        if self.next == NONE {
            return None;
        }
        let node = Node::new(self.nodes, self.next);
        self.next = self.nodes.entry(self.next).next;
        Some(node)
    }
}

/// All fields of a space, each before its parts.
#[derive(Debug, Clone)]
pub struct All<'m> {
    nodes: &'m Nodes,
    /// The next field of each level.
    open: Vec<u32>,
}

impl<'m> All<'m> {
    pub(super) fn new(nodes: &'m Nodes, first: u32) -> Self {
        All { nodes, open: if first == NONE { Vec::new() } else { vec![first] } }
    }
}

impl<'m> Iterator for All<'m> {
    type Item = Node<'m>;

    fn next(&mut self) -> Option<Node<'m>> {
        let number = self.open.pop()?;
        let entry = self.nodes.entry(number);
        self.open.extend([entry.next, entry.first].into_iter().filter(|&next| next != NONE));
        Some(Node::new(self.nodes, number))
    }
}
