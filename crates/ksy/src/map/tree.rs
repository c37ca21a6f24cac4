//! The nodes of a map, structure by structure.

use super::insert::insert;
use super::leaves::{bits_node, fill, primitive_name};
use crate::read::{Machine, Slot, State, Val};
use crate::resolve::{Content, Field, Repeat};
use crate::roles::Roles;
use everybyte::map::Space;
use everybyte::{Index, Node};
use std::cmp::Reverse;
use std::convert::Infallible;

/// The elements of a list of numbers that have a node each.
const SHOWN_ELEMENTS: usize = 64;

/// The nodes for each 8 bytes of a file, and beside that.
const MOST_NODES: [usize; 2] = [1, 100_000];

/// A map while it is made.
pub struct Tree<'m, 's> {
    pub machine: &'m Machine<'s>,
    roles: &'m Roles,
    /// Fields of instances and of other spaces, which are put where their bytes are.
    late: Vec<(u32, Node)>,
    nodes_left: usize,
    is_whole: bool,
}

impl<'m, 's> Tree<'m, 's> {
    pub fn new(machine: &'m Machine<'s>, roles: &'m Roles) -> Self {
        let [each, beside] = MOST_NODES;
        let nodes_left = machine.spaces[0].bytes.len() / 8 * each + beside;
        Tree { machine, roles, late: Vec::new(), nodes_left, is_whole: true }
    }

    /// The spaces of the map; false if fields are left out, since there are too many.
    pub fn spaces(mut self) -> (Vec<Space>, bool) {
        let mut roots: Vec<Vec<Node>> = self.machine.spaces.iter().map(|_| Vec::new()).collect();
        if !self.machine.structures.is_empty() {
            roots[0] = self.structure(0);
        }
        let mut late = std::mem::take(&mut self.late);
        // Larger fields first: what is inside them finds them.
        late.sort_by_key(|(space, node)| (*space, node.start, Reverse(node.end)));
        for (space, node) in late {
            insert(&mut roots[space as usize], node);
        }
        let spaces = roots.into_iter().enumerate().map(|(id, nodes)| {
            let space = &self.machine.spaces[id];
            let read_at = |buffer: &mut [u8], at: u64| {
                buffer.copy_from_slice(&space.bytes[at as usize..][..buffer.len()]);
                Ok::<(), Infallible>(())
            };
            let Ok(space) = Space::new(id as u32, space.title, space.bytes.len() as u64, nodes, read_at);
            space
        });
        (spaces.collect(), self.is_whole)
    }

    /// Takes the room of a node; false if there is none.
    fn take(&mut self) -> bool {
        self.is_whole &= self.nodes_left > 0;
        self.nodes_left = self.nodes_left.saturating_sub(1);
        self.is_whole
    }

    /// The fields of a structure. Those of instances and of other spaces are kept for later.
    fn structure(&mut self, structure: u32) -> Vec<Node> {
        let own = self.machine.own(structure);
        let stream = self.machine.structures[structure as usize].stream;
        let home = self.machine.streams[stream as usize].space;
        let mut nodes: Vec<Node> = Vec::new();
        for run in &own.runs {
            let place = run.places.start;
            let slot = own.params.len() + place;
            let (space, node) = if run.places.len() > 1 {
                (home, bits_node(self.machine, structure, own, run))
            } else {
                let (field, found) = (&own.fields[place], self.machine.slot(structure, slot));
                let is_stored = field.value.is_none() && !matches!(found.state, State::Unread | State::Absent);
                (found.space, is_stored.then(|| self.field(structure, slot, field, found)).flatten())
            };
            let Some(node) = node else { continue };
            if !self.take() {
                break;
            }
            // A field that begins before the end of another one has bytes that were not consumed.
            let follows = nodes.last().is_none_or(|before| before.end <= node.start);
            if place < own.sequence && space == home && follows {
                nodes.push(node);
            } else {
                self.late.push((space, node));
            }
        }
        nodes
    }

    /// The node of a field; `None` if it has no bytes.
    fn field(&mut self, structure: u32, slot: usize, field: &Field, found: &Slot) -> Option<Node> {
        let is_complete = found.state == State::Done;
        if found.start >= found.end && is_complete {
            return None;
        }
        let number = self.machine.structures[structure as usize].number;
        let role = self.roles.get(&(number, slot)).cloned();
        let (start, end) = (found.start as u64, found.end.max(found.start) as u64);
        let mut node = Node {
            role,
            doc: field.doc,
            complete: is_complete,
            sum: field.check.as_ref().map(|check| check.sum),
            ..Node::leaf(field.name, start, end)
        };
        match (&found.val, &found.parts) {
            (Val::List(items), Some(parts)) => {
                if !matches!(field.content, Content::Bits { .. }) {
                    self.list(field, found, (items, &parts.ends, &parts.opens), &mut node);
                }
            }
            (val, parts) => {
                let opens = parts.as_ref().and_then(|parts| parts.opens.first().copied());
                self.value(field, val, found.space, opens, &mut node);
            }
        }
        Some(node)
    }

    /// The elements of a repeated field.
    fn list(&mut self, field: &Field, found: &Slot, (items, ends, opens): (&[Val], &[usize], &[u32]), node: &mut Node) {
        let is_plain = matches!(field.content, Content::Int { .. } | Content::Float { .. }) && !items.is_empty();
        let shown = if is_plain { items.len().min(SHOWN_ELEMENTS) } else { items.len() };
        let mut start = found.start;
        for (number, (item, &end)) in items.iter().zip(ends).take(shown).enumerate() {
            if start < end {
                if !self.take() {
                    return;
                }
                let leaf = Node::leaf(field.name, start as u64, end as u64);
                let mut element = Node { index: Some(Index::One(number as u64)), doc: field.doc, ..leaf };
                self.value(field, item, found.space, opens.get(number).copied(), &mut element);
                node.children.push(element);
            }
            start = end;
        }
        if let (Some(each), true) = (ends.first().map(|end| end - found.start), items.len() > shown) {
            let leaf = Node::leaf(field.name, start as u64, found.end as u64);
            let index = Some(Index::Range(shown as u64, items.len() as u64));
            let type_name = primitive_name(&field.content);
            node.children.push(Node { index, each: Some(each as u64), type_name, doc: field.doc, ..leaf });
        }
    }

    /// Gives a node its value, or its parts.
    fn value(&mut self, field: &Field, val: &Val, space: u32, opens: Option<u32>, node: &mut Node) {
        node.opens = opens;
        let Val::Structure(inner) = val else { return fill(self.machine, field, val, node) };
        node.type_name = self.machine.own(*inner).name.to_owned();
        let stream = self.machine.structures[*inner as usize].stream;
        let home = self.machine.streams[stream as usize].space;
        let parts = self.structure(*inner);
        match home == space {
            true => node.children = parts,
            false => self.late.extend(parts.into_iter().map(|part| (home, part))),
        }
        // A structure that was not read whole has parts that are not.
        node.complete = node.complete || matches!(field.repeat, Repeat::Once);
    }
}
