//! Structures at offsets, which are outside the structure that states the offset.
//!
//! The bytes of such a structure are not inside the bytes of its parent, so its node cannot be a child of the parent's node. The
//! list keeps each node with its path. When the session ends, [`wrapped`](Asides::wrapped) wraps each node in a chain of nodes
//! with the names in its path. Each node of the chain has the same bytes as the structure, and the flag `AROUND`.
//!
//! Paths share their beginnings: each step refers to the step before it, so a table of a thousand offsets does not
//! store its path a thousand times.

use crate::nodes::{AROUND, Chain, Facts, Id, Index, NONE, Nodes, step};

/// A step of a path and the previous step.
#[derive(Debug, Clone, Copy)]
pub struct Step {
    name: &'static str,
    index: Option<Index>,
    around: u32,
}

/// The structures at offsets, in the order in which they were found.
pub struct Asides {
    /// The node of each structure and the step before it.
    pub all: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// The element that is being read without nodes.
    pub element: Option<(&'static str, u64)>,
    /// The step of the enclosing structure, if it has no node.
    pub under: u32,
}

impl Default for Asides {
    fn default() -> Self {
        Asides::new()
    }
}

impl Asides {
    pub const fn new() -> Self {
        Asides { all: Vec::new(), steps: Vec::new(), element: None, under: NONE }
    }

    pub fn push(&mut self, name: &'static str, index: Option<Index>, around: u32) -> u32 {
        self.steps.push(Step { name, index, around });
        self.steps.len() as u32 - 1
    }

    /// Removes the structures whose nodes no longer exist, because only the first `made` nodes were kept.
    pub fn cut(&mut self, made: usize) {
        while self.all.last().is_some_and(|&(number, _)| number as usize >= made) {
            self.all.pop();
        }
    }

    /// The nodes of all structures.
    pub fn ids(&self) -> impl Iterator<Item = Id> + '_ {
        self.all.iter().map(|&(number, _)| Id(number))
    }

    /// The number of structures.
    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// Sets the element that is read without nodes. Returns the previous one.
    pub fn set_element(&mut self, element: Option<(&'static str, u64)>) -> Option<(&'static str, u64)> {
        std::mem::replace(&mut self.element, element)
    }

    /// Keeps only the first structures.
    pub fn truncate(&mut self, count: usize) {
        self.all.truncate(count);
    }

    /// The path of a field after a step.
    pub fn path(&self, mut around: u32, name: &str, index: Option<u64>) -> String {
        let mut steps = Vec::new();
        while around != NONE {
            let step = self.steps[around as usize];
            steps.push(step);
            around = step.around;
        }
        let mut path = String::new();
        steps.iter().rev().for_each(|it| step(it.name, it.index, &mut path));
        step(name, index.map(Index::One), &mut path);
        path
    }

    /// The nodes of all structures, each inside nodes for the enclosing fields.
    pub fn wrapped(&self, nodes: &mut Nodes) -> Vec<Id> {
        self.all.iter().map(|&(number, step)| Id(self.wrap(nodes, number, step))).collect()
    }

    fn wrap(&self, nodes: &mut Nodes, number: u32, mut step: u32) -> u32 {
        let mut inner = number;
        while step != NONE {
            let Step { name, index, around } = self.steps[step as usize];
            let label = nodes.label(Facts::new(name));
            inner = nodes.around(label, index, inner);
            step = around;
        }
        inner
    }
}

impl Nodes {
    /// Creates a node for a field with one part here and others elsewhere.
    fn around(&mut self, label: u32, index: Option<Index>, part: u32) -> u32 {
        let place = self.node(Id(part)).place();
        let number = self.put_around(label, index, place);
        let mut parts = Chain::EMPTY;
        self.link_part(number, &mut parts, part);
        self.set_flag(number, AROUND, true);
        number
    }
}
