//! The fields of one file, as the forge uses them.
//!
//! The map is flattened into one vector, each field before its parts, so a field is identified by a number, and its parts by a
//! range. A [`Slot`] is a leaf that can be edited, with the shape of its bytes. A [`Dependent`] is a number with a role. It records
//! its subject and whether it was correct before the edit, because a length that was already wrong is not updated.
//!
//! Slots are grouped by kind, which is the path without indices. A step first chooses a kind and then a slot, so a
//! table of a million rows does not crowd out the header.

use super::by_kind::ByKind;
use super::grammar::Grammar;
use super::number::Shape;
use super::shapes::{Around, Shapes};
use crate::alignment::Alignment;
use crate::hash::NumberedMap;
use crate::links::Links;
use crate::map::Space;
use crate::name::Name;
use crate::nodes::{Children, Home, Id, Index, Node};
use crate::reference::TypeDoc;
use crate::role::{Origin, Role};
use std::collections::HashMap;
use std::ops::Range;

/// The map of one file as a flat table.
#[derive(Debug)]
pub struct FieldTable<'g> {
    /// The map.
    pub spaces: Vec<Space>,
    /// All fields, each before its parts; the fields of a space are consecutive.
    pub fields: Vec<Field>,
    /// The fields without parts that can be edited.
    pub slots: Vec<Slot<'g>>,
    /// The slots of each kind.
    pub kinds: ByKind<Vec<usize>>,
    /// The numbers that describe other fields.
    pub dependents: Vec<Dependent>,
    /// The field that decompresses into each space except the file, by the number of the space.
    pub openers: NumberedMap<u32, usize>,
    /// The type of the structure that each space contains, if it is known.
    pages: NumberedMap<u32, &'g TypeDoc>,
    /// The length of each space.
    pub lengths: NumberedMap<u32, u64>,
    /// True if the layouts mark any field as a fact.
    pub has_facts: bool,
    /// The numbers of the fields of each space.
    of_space: NumberedMap<u32, Range<usize>>,
    /// The fields that belong to a field, or to the top level of a space, but are stored elsewhere.
    strays: NumberedMap<(u32, Option<usize>), Vec<usize>>,
}

/// A field.
#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub index: Option<Index>,
    pub space: u32,
    pub start: u64,
    pub end: u64,
    /// The enclosing field.
    pub parent: Option<usize>,
    /// Its number in its space.
    pub id: Id,
    /// One more than the number of its last part.
    pub last: usize,
    pub role: Option<Role>,
    pub opens: Option<u32>,
    /// True if its bytes are a piece of content that another field opens.
    pub is_piece: bool,
    /// The length of each element in bytes, if several elements share the field.
    pub each: Option<u64>,
    /// The multiple that it fills up to, if it is padding.
    pub alignment: Option<Alignment>,
    /// Its slot, if it has no parts.
    pub slot: Option<usize>,
    /// Its kind: the path without indices.
    pub kind: usize,
}

/// A leaf of the map: bytes of a known shape.
#[derive(Debug, Clone, Copy)]
pub struct Slot<'g> {
    /// The number of its field.
    pub field: usize,
    /// How its bytes are encoded.
    pub shape: Shape<'g>,
}

/// A number that describes another field.
#[derive(Debug)]
pub struct Dependent {
    pub field: usize,
    pub role: Role,
    pub value: Option<i128>,
    /// The field that it refers to, and its bytes; for a run of fields, the bytes of all of them.
    pub subject: Option<Subject>,
    /// The offset that an offset field points to, and the offset that it is relative to.
    pub leads: Option<Lead>,
    /// True if the number is correct; `None` if the map does not show it.
    pub agrees: Option<bool>,
    /// The correct value; `None` if the map does not show it.
    pub expected: Option<i128>,
}

/// The field that a number refers to.
#[derive(Debug, Clone)]
pub struct Subject {
    pub field: usize,
    pub space: u32,
    pub bytes: Range<u64>,
    /// True if it is a run of elements. In that case, `field` is the last element.
    pub is_run: bool,
}

/// The target of an offset.
#[derive(Debug, Clone, Copy)]
pub struct Lead {
    pub space: u32,
    pub to: u64,
    /// The offset that it is relative to.
    pub from: u64,
    /// True if that is the end of a field.
    pub from_end: bool,
}

impl Field {
    /// The range of the field's bytes in its space.
    pub fn bytes(&self) -> Range<u64> {
        self.start..self.end
    }

    /// Its bytes in a space; empty if the field is in another space.
    pub fn bytes_in(&self, space: u32) -> Range<u64> {
        if self.space == space { self.bytes() } else { 0..0 }
    }

    /// The length of the field in bytes.
    pub fn length(&self) -> u64 {
        self.end - self.start
    }
}

impl<'g> FieldTable<'g> {
    /// Maps a file.
    pub fn new<G: Grammar + ?Sized>(grammar: &G, shapes: &Shapes<'g>, file: &[u8]) -> Self {
        let mut table = FieldTable {
            spaces: grammar.map(file),
            fields: Vec::new(),
            slots: Vec::new(),
            kinds: ByKind::default(),
            dependents: Vec::new(),
            openers: NumberedMap::default(),
            pages: NumberedMap::default(),
            lengths: NumberedMap::default(),
            has_facts: false,
            of_space: NumberedMap::default(),
            strays: NumberedMap::default(),
        };
        let spaces = std::mem::take(&mut table.spaces);
        let order = grammar.byte_order(file);
        let root = grammar.root().and_then(|root| shapes.structure(root));
        table.pages.extend(root.and_then(|root| Some((spaces.first()?.id, root))));
        for (number, space) in spaces.iter().enumerate() {
            table.lengths.insert(space.id, space.length);
            // A space that no field opens cannot be written back.
            let opener = table.openers.get(&space.id).copied();
            let is_editable = number == 0 || opener.is_some();
            let kind = opener.map_or(usize::MAX, |opener| table.fields[opener].kind);
            let around = Around { order, page: table.pages.get(&space.id).copied(), element: None };
            let level = Level { parent: None, kind: (kind, "!"), space: space.id, is_editable, outermost: around };
            let first = table.fields.len();
            table.add(space.nodes.iter(), level, around, shapes);
            table.of_space.insert(space.id, first..table.fields.len());
            table.settle(space);
            table.join(space);
        }
        table.depend(&spaces);
        table.spaces = spaces;
        table
    }

    fn add(&mut self, nodes: Children<'_>, level: Level<'g>, around: Around<'g>, shapes: &Shapes<'g>) {
        let Level { parent, space, is_editable, .. } = level;
        let kind_around = shapes.kind(level.kind.0, &Name::new(level.kind.1));
        for node in nodes {
            let number = self.fields.len();
            let kind = shapes.kind(kind_around, node.shared_name());
            // The shape of a field is declared by the structure that it is part of.
            let around = match node.home() {
                Some(Home::Field(home)) => shapes.inside(home, level.outermost),
                Some(Home::Level) => level.outermost,
                None => around,
            };
            if let Some(opened) = node.opens().filter(|&opened| opened > space) {
                self.openers.entry(opened).or_insert(number);
                if let Some(page) = shapes.structure(node.type_name()) {
                    self.pages.entry(opened).or_insert(page);
                }
            }
            self.has_facts |= node.role() == Some(&Role::Fact);
            self.fields.push(Field {
                name: node.shared_name().clone(),
                id: node.id(),
                index: node.index(),
                space,
                start: node.start(),
                end: node.end(),
                parent,
                last: number + 1,
                role: node.role().cloned(),
                opens: node.opens(),
                is_piece: false,
                each: node.each(),
                alignment: node.alignment(),
                slot: None,
                kind,
            });
            if node.is_leaf() {
                if is_editable && node.start() < node.end() {
                    self.kinds.entry(kind).push(self.slots.len());
                    self.fields[number].slot = Some(self.slots.len());
                    self.slots.push(Slot { field: number, shape: shapes.of(node, around) });
                }
            } else {
                // The elements of a list have the kind of the list, so it does not matter whether the list has a field.
                let is_list = node.index().is_none() && node.children().all(|part| part.index().is_some());
                let kind = if is_list { level.kind } else { (kind, ".") };
                let inner = Level { parent: Some(number), kind, ..level };
                self.add(node.children(), inner, shapes.inside(node, around), shapes);
                self.fields[number].last = self.fields.len();
            }
        }
    }

    /// Records the pieces of a space that other fields join.
    fn join(&mut self, space: &Space) {
        for opener in self.fields_of(space.id) {
            if self.fields[opener].opens.is_some() {
                let pieces = self.pieces(space.nodes.node(self.fields[opener].id), opener);
                pieces.into_iter().flatten().for_each(|piece| self.fields[piece].is_piece = true);
            }
        }
    }

    /// The fields whose bytes make up a joined field; `None` for a piece without a field.
    pub fn pieces(&self, node: Node<'_>, opener: usize) -> Vec<Option<usize>> {
        let inside = opener..self.fields[opener].last;
        let slots: HashMap<(u64, u64), usize> = match node.pieces() {
            [] => HashMap::new(),
            _ => inside
                .filter(|&field| self.fields[field].last == field + 1)
                .map(|field| ((self.fields[field].start, self.fields[field].end), field))
                .collect(),
        };
        node.pieces().iter().map(|piece| slots.get(&(piece.start, piece.end)).copied()).collect()
    }

    /// Records the fields of a space that are stored outside their structures.
    fn settle(&mut self, space: &Space) {
        let of_space = self.fields_of(space.id);
        let home_of = |field: &Field| space.nodes.node(field.id).home();
        let strays: Vec<usize> = of_space.clone().filter(|&number| home_of(&self.fields[number]).is_some()).collect();
        if strays.is_empty() {
            return;
        }
        let numbers: HashMap<Id, usize> = of_space.map(|number| (self.fields[number].id, number)).collect();
        for number in strays {
            self.fields[number].parent = match home_of(&self.fields[number]) {
                Some(Home::Field(home)) => match numbers.get(&home.id()) {
                    Some(&home) => Some(home),
                    // If the map does not contain the structure, no recipe can name its parts.
                    None => continue,
                },
                _ => None,
            };
            self.strays.entry((space.id, self.fields[number].parent)).or_default().push(number);
        }
    }

    /// The fields that belong to a field, or to the top level of a space, but are stored elsewhere.
    pub fn strays(&self, space: u32, around: Option<usize>) -> &[usize] {
        self.strays.get(&(space, around)).map_or(&[], Vec::as_slice)
    }

    /// Records the numbers that describe other fields.
    fn depend(&mut self, spaces: &[Space]) {
        let links = Links::new(spaces);
        for number in 0..self.fields.len() {
            let Some(link) = self.fields[number].role.as_ref().and_then(|_| links.link(number)) else { continue };
            let subject = link.subject.map(|subject| Subject {
                field: subject.number,
                space: subject.space,
                bytes: subject.start..subject.end,
                is_run: subject.elements.is_some(),
            });
            let leads = links.leads_to(number).zip(link.value).and_then(|((space, to), value)| {
                let said = link.role.target()?.affine.apply(value)?;
                let from = u64::try_from(i128::from(to) - said).ok()?;
                let from_end = matches!(link.role, Role::Place { origin: Origin::After(_), .. });
                Some(Lead { space, to, from, from_end })
            });
            let (role, value, agrees, expected) = (link.role.clone(), link.value, link.agrees(), link.expected());
            self.dependents.push(Dependent { field: number, role, value, subject, leads, agrees, expected });
        }
    }

    /// The node of a field.
    pub fn node(&self, field: usize) -> Node<'_> {
        let Field { space, id, .. } = &self.fields[field];
        let space = self.spaces.iter().find(|of| of.id == *space);
        space.expect("a field stands in a space of the map").nodes.node(*id)
    }

    /// Returns whether the bytes of a space can be written back: true for the file and for spaces that a field opens.
    pub fn is_editable(&self, space: u32) -> bool {
        self.openers.contains_key(&space) || self.spaces.first().is_some_and(|first| first.id == space)
    }

    /// Returns the dependent number in this field, if there is one.
    pub fn dependent(&self, field: usize) -> Option<&Dependent> {
        let place = self.dependents.binary_search_by_key(&field, |dependent| dependent.field).ok()?;
        Some(&self.dependents[place])
    }

    /// Returns whether a number outside an element refers to the element's position or index, or to the position of one of its
    /// parts.
    pub fn is_led_to(&self, element: usize) -> bool {
        let within = element..self.fields[element].last;
        if self.is_indexed(element) {
            return true;
        }
        // The start of a space may be the position of a list or of its first element.
        let is_first = self.fields[element].start == 0 && element > 0 && self.fields[element - 1].start == 0;
        let may_be = |field: usize| within.contains(&field) || is_first && field + 1 == element;
        self.dependents.iter().any(|dependent| {
            let leads = matches!(dependent.role, Role::Place { .. }) && !within.contains(&dependent.field);
            leads && dependent.subject.as_ref().is_some_and(|subject| may_be(subject.field))
        })
    }

    /// Returns whether a number is an index into the list that an element belongs to.
    pub fn is_indexed(&self, element: usize) -> bool {
        let indices = self.dependents.iter().filter(|dependent| matches!(dependent.role, Role::IndexOf { .. }));
        let mut lists =
            indices.filter_map(|dependent| dependent.subject.as_ref()).map(|subject| subject.field).peekable();
        lists.peek().is_some() && self.list_of(element).is_some_and(|(list, _)| lists.any(|of| of == list))
    }

    /// Returns whether an element ends a run of elements and contains a number that counts or measures the run.
    pub fn states_run(&self, element: usize) -> bool {
        let first = self.dependents.partition_point(|dependent| dependent.field < element);
        let own = self.dependents[first..].iter().take_while(|dependent| dependent.field < self.fields[element].last);
        own.filter_map(|dependent| dependent.subject.as_ref()).any(|subject| subject.is_run)
    }

    /// The slot of a field.
    pub fn slot(&self, field: usize) -> Option<&Slot<'g>> {
        self.fields[field].slot.map(|slot| &self.slots[slot])
    }

    /// The field that numbers about an element's list refer to, and the elements of the list.
    pub fn list_of(&self, element: usize) -> Option<(usize, Vec<usize>)> {
        let field = &self.fields[element];
        field.index?;
        let is_of_list = |other: &usize| {
            let other = &self.fields[*other];
            other.index.is_some() && other.name == field.name
        };
        match field.parent {
            Some(parent) if self.fields[parent].index.is_none() && self.fields[parent].name == field.name => {
                Some((parent, self.parts(parent).filter(is_of_list).collect()))
            }
            parent => {
                let beside: Vec<usize> = match parent {
                    Some(parent) => self.parts(parent).filter(is_of_list).collect(),
                    None => self.level(field.space).filter(is_of_list).collect(),
                };
                beside.first().copied().map(|first| (first, beside))
            }
        }
    }

    /// The parts of a field.
    pub fn parts(&self, field: usize) -> impl Iterator<Item = usize> + '_ {
        self.siblings(field + 1, self.fields[field].last)
    }

    /// The fields of a space, each before its parts.
    pub fn fields_of(&self, space: u32) -> Range<usize> {
        self.of_space.get(&space).cloned().unwrap_or_default()
    }

    /// The fields at the top level of a space.
    pub fn level(&self, space: u32) -> impl Iterator<Item = usize> + '_ {
        let Range { start: first, end: last } = self.fields_of(space);
        self.siblings(first, last)
    }

    fn siblings(&self, first: usize, last: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = first;
        std::iter::from_fn(move || {
            let here = (at < last).then_some(at)?;
            at = self.fields[here].last;
            Some(here)
        })
    }
}

/// A level of the map.
#[derive(Clone, Copy)]
struct Level<'g> {
    parent: Option<usize>,
    /// The kind of the enclosing structure, and a value that distinguishes its parts from the parts of other structures.
    kind: (usize, &'static str),
    space: u32,
    is_editable: bool,
    /// The context of the top level.
    outermost: Around<'g>,
}
