//! The nodes of a map, structure by structure.
//!
//! Fields in the sequence are added in order. Instances may be anywhere, even inside each other. They are set aside
//! until all sequences are done, and then inserted where their bytes are, larger ones first. Nodes and memory are
//! limited. When one of them runs out, the rest of the file is left out, and the map says that it is incomplete.

use super::leaves::{bits_node, meaning_of, primitive_name, type_of, value_of};
use crate::read::{Ends, List, Machine, Slot, State, Val};
use crate::resolve::{Content, Field, Repeat};
use crate::roles::Roles;
use everybyte::map::{Facts, FactsId, Id, Nodes, Owner, Space};
use everybyte::map::{Index, Name, Value};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::convert::Infallible;
use std::ops::Range;

/// The number of elements with their own nodes in a list of numbers.
const SHOWN_ELEMENTS: usize = 64;

/// The number of nodes per 8 bytes of a file, and the fixed part.
const MOST_NODES: [usize; 2] = [1, 100_000];

/// The memory of a node, including properties that few nodes have, in bytes.
const NODE: u64 = 112;
const BESIDE: u64 = 160;

/// The declaration of a field or of list elements: its space, the enclosing type, and its slot. The remaining parts
/// show whether it is an element, and how its value affects its type.
type Declared = (u32, usize, usize, bool, u64);

/// A map while it is built.
pub struct Tree<'m, 's> {
    pub machine: &'m Machine<'s>,
    roles: &'m Roles,
    /// The nodes of each space.
    spaces: Vec<Nodes>,
    facts: HashMap<Declared, FactsId>,
    /// Fields of instances and of other spaces, which are added where their bytes are.
    late: Vec<Late>,
    nodes_left: usize,
    /// The number of bytes of memory that are left.
    room: u64,
    is_whole: bool,
}

/// A field that is added where its bytes are.
#[derive(Clone, Copy)]
struct Late {
    space: u32,
    id: Id,
    /// The structure that it is part of; `None` if that is in another space.
    owner: Option<Owner>,
}

/// A field of a structure.
#[derive(Clone, Copy)]
struct Place<'p> {
    structure: u32,
    slot: usize,
    field: &'p Field,
}

impl<'m, 's> Tree<'m, 's> {
    pub fn new(machine: &'m Machine<'s>, roles: &'m Roles) -> Self {
        let [each, beside] = MOST_NODES;
        let nodes_left = machine.spaces[0].bytes.len() / 8 * each + beside;
        let spaces = machine.spaces.iter().map(|_| Nodes::new()).collect();
        let room = machine.budget.left_for_map();
        Tree { machine, roles, spaces, facts: HashMap::new(), late: Vec::new(), nodes_left, room, is_whole: true }
    }

    /// Returns the spaces of the map, and false if fields are left out because there are too many.
    pub fn spaces(mut self) -> (Vec<Space>, bool) {
        if !self.machine.structures.is_empty() {
            let fields = self.structure(0, Owner::Level);
            self.spaces[0].set_level(fields);
        }
        let mut late = std::mem::take(&mut self.late);
        // Larger fields come first, so that they exist when the fields inside them are added.
        late.sort_by_key(|&Late { space, id, .. }| {
            let node = self.spaces[space as usize].node(id);
            (space, node.start(), Reverse(node.end()))
        });
        for of_space in late.chunk_by(|one, other| one.space == other.space) {
            self.spaces[of_space[0].space as usize].insert(of_space.iter().map(|late| (late.id, late.owner)));
        }
        let spaces = self.spaces.into_iter().zip(&self.machine.spaces).enumerate().map(|(id, (nodes, space))| {
            let read_at = |buffer: &mut [u8], at: u64| {
                buffer.copy_from_slice(&space.bytes[at as usize..][..buffer.len()]);
                Ok::<(), Infallible>(())
            };
            let Ok(space) = Space::new(id as u32, &space.title, space.bytes.len() as u64, nodes, read_at);
            space
        });
        (spaces.collect(), self.is_whole)
    }

    /// Reserves the memory for a node; returns false if there is not enough.
    fn take(&mut self) -> bool {
        self.is_whole &= self.nodes_left > 0 && self.room >= NODE;
        self.nodes_left = self.nodes_left.saturating_sub(1);
        self.room = self.room.saturating_sub(NODE);
        self.is_whole
    }

    /// Adds the fields of a structure. Fields of instances and of other spaces are kept for later.
    fn structure(&mut self, structure: u32, owner: Owner) -> Vec<Id> {
        let own = self.machine.own(structure);
        let stream = self.machine.structures[structure as usize].stream;
        let home = self.machine.streams[stream as usize].space;
        let mut fields: Vec<Id> = Vec::new();
        let mut reached = 0;
        for run in &own.runs {
            let place = run.places.start;
            let slot = own.params.len() + place;
            let (space, node) = if run.places.len() > 1 {
                let bits = run.places.len() * size_of::<everybyte::reference::Bits>();
                self.room = self.room.saturating_sub(BESIDE + bits as u64);
                (home, bits_node((self.machine, &mut self.spaces[home as usize]), structure, own, run))
            } else {
                let (field, found) = (&own.fields[place], self.machine.slot(structure, slot));
                let is_stored = field.value.is_none() && !matches!(found.state, State::Unread | State::Absent);
                let place = Place { structure, slot, field };
                (found.space, is_stored.then(|| self.field(place, found)).flatten())
            };
            let Some(node) = node else { continue };
            if !self.take() {
                break;
            }
            let Range { start, end } = self.spaces[space as usize].node(node).place();
            // A field that begins before the end of the previous one reads bytes that were not consumed.
            if place < own.sequence && space == home && reached <= start {
                fields.push(node);
                reached = end;
            } else {
                self.room = self.room.saturating_sub(BESIDE);
                self.late.push(Late { space, id: node, owner: Some(owner).filter(|_| space == home) });
            }
        }
        fields
    }

    /// Returns the node of a field; `None` if it has no bytes.
    fn field(&mut self, place: Place<'_>, found: &Slot) -> Option<Id> {
        let is_complete = found.state == State::Done;
        if found.start >= found.end && is_complete {
            return None;
        }
        let (start, end) = (found.start as u64, found.end.max(found.start) as u64);
        match (&found.val, &found.parts) {
            (Val::List(items), Some(parts)) => {
                let facts = self.facts(found.space, place, false, (Name::default(), 0));
                let list = self.leaf(found.space, facts, start..end, is_complete);
                if !matches!(place.field.content, Content::Bits { .. }) {
                    self.list(place, found, (items, &parts.ends, &parts.opens), list);
                }
                Some(list)
            }
            (val, parts) => {
                let opens = parts.as_ref().and_then(|parts| parts.opens.first().copied());
                Some(self.value((place, None), (val, opens), (found.space, start..end), is_complete))
            }
        }
    }

    /// Returns the facts that the fields of one declaration share. An element has neither role nor checksum.
    fn facts(&mut self, space: u32, place: Place<'_>, is_element: bool, (type_name, of_type): (Name, u64)) -> FactsId {
        let number = self.machine.type_of(place.structure) as usize;
        let declared = (space, number, place.slot, is_element, of_type);
        if let Some(&known) = self.facts.get(&declared) {
            return known;
        }
        let mut facts = Facts::new(place.field.name.clone());
        (facts.type_name, facts.doc) = (type_name, place.field.doc.clone());
        if !is_element {
            facts.role = self.roles.get(&(number, place.slot)).cloned();
            facts.sum = place.field.sum;
        }
        let facts = self.spaces[space as usize].facts(facts);
        self.facts.insert(declared, facts);
        facts
    }

    fn leaf(&mut self, space: u32, facts: FactsId, place: Range<u64>, is_complete: bool) -> Id {
        self.spaces[space as usize].leaf_of(facts, place).complete(is_complete).id()
    }

    /// Adds the elements of a repeated field.
    fn list(&mut self, place: Place<'_>, found: &Slot, (items, ends, opens): (&List, &Ends, &[u32]), list: Id) {
        let is_plain = matches!(place.field.content, Content::Int { .. } | Content::Float { .. }) && items.len() > 0;
        let shown = if is_plain { items.len().min(SHOWN_ELEMENTS) } else { items.len() };
        let (mut start, space) = (found.start, found.space);
        let mut elements = Vec::new();
        for (number, item) in items.iter().take(shown).enumerate() {
            let Some(end) = ends.get(number) else { break };
            if start < end {
                if !self.take() {
                    break;
                }
                let opens = opens.get(number).copied();
                let bytes = start as u64..end as u64;
                elements.push(self.value((place, Some(number as u64)), (&item, opens), (space, bytes), true));
            }
            start = end;
        }
        if let (Some(each), true, true) = (ends.get(0).map(|end| end - found.start), items.len() > shown, self.is_whole)
        {
            let facts = self.facts(space, place, true, (primitive_name(&place.field.content), 0));
            let nodes = &mut self.spaces[space as usize];
            let rest = nodes.leaf_of(facts, start as u64..found.end as u64);
            let rest = rest.index(Index::Range(shown as u64, items.len() as u64));
            elements.push(rest.each(each as u64).id());
        }
        self.spaces[space as usize].edit(list).extend(elements);
    }

    /// Returns the node of a field or an element, with its value or its parts.
    fn value(
        &mut self,
        (place, index): (Place<'_>, Option<u64>),
        (val, opens): (&Val, Option<u32>),
        (space, bytes): (u32, Range<u64>),
        is_complete: bool,
    ) -> Id {
        let of_type = type_of(self.machine, place.field, val, bytes.end - bytes.start);
        let facts = self.facts(space, place, index.is_some(), of_type);
        let id = self.leaf(space, facts, bytes, is_complete);
        let mut node = self.spaces[space as usize].edit(id).opens(opens);
        if let Some(index) = index {
            node = node.index(Index::One(index));
        }
        let Val::Structure(inner) = val else {
            let (value, meaning) = (value_of(self.machine, place.field, val), meaning_of(self.machine, val));
            let text = if let Value::Text(text) = &value { text.len() } else { 0 };
            let beside = if meaning.is_empty() { 0 } else { BESIDE + meaning.len() as u64 };
            self.room = self.room.saturating_sub(text as u64 + beside);
            return node.value(value).meaning(meaning).id();
        };
        let stream = self.machine.structures[*inner as usize].stream;
        let home = self.machine.streams[stream as usize].space;
        let owner = if home == space { Owner::Field(id) } else { Owner::Level };
        let parts = self.structure(*inner, owner);
        // A structure that was not read completely has incomplete parts.
        let is_complete = is_complete || matches!(place.field.repeat, Repeat::Once);
        let node = self.spaces[space as usize].edit(id).complete(is_complete);
        match home == space {
            true => node.extend(parts).id(),
            false => {
                self.late.extend(parts.into_iter().map(|id| Late { space: home, id, owner: Some(Owner::Level) }));
                id
            }
        }
    }
}
