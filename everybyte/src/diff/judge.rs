//! Decides whether changed numbers merely follow from other changes.
//!
//! An insertion changes every offset after it and the length and checksum of everything that contains it. Users want
//! to see only the insertion. So an offset counts as a consequence if it points to the same field in both files, a
//! length or a count if it agrees with its subject in both files, and a checksum if its subject differs. A number
//! that disagrees with its subject is reported, since that is damage, not a consequence.
//!
//! Elements that share a field have no entry that an offset could point to, so [`Shared`] finds the shared field by
//! its bytes.

use crate::diff::comparison::{Comparison, Raw};
use crate::diff::structure::Kind;
use crate::diff::tree::{Element, ROOT, Tree};
use crate::links::{Link, Subject};
use crate::nodes::Index;
use crate::role::Role;
use std::collections::HashSet;

/// The fields of a tree that several elements share. In the map, such elements have no separate fields that a number could refer
/// to.
#[derive(Default)]
struct Shared<'m> {
    /// The space, start, end and entry of fields, in order.
    places: Vec<(u32, u64, u64, usize)>,
    names: HashSet<&'m str>,
}

impl<'m> Shared<'m> {
    fn new(tree: &Tree<'m>) -> Self {
        let mut shared = Shared::default();
        for (number, entry) in tree.entries.iter().enumerate() {
            let is_shared = match entry.step.element {
                Element::From(_) => true,
                Element::No => entry.is_payload() && !entry.opens,
                Element::One(_) | Element::Key(_) => false,
            };
            if let Some(node) = entry.node.filter(|node| is_shared && node.is_leaf()) {
                shared.places.push((entry.space, node.start(), node.end(), number));
                shared.names.insert(singular(node.name()));
            }
        }
        shared.places.sort_unstable();
        shared
    }

    /// The field that contains an offset.
    fn around(&self, (space, offset): (u32, u64)) -> Option<usize> {
        let next = self.places.partition_point(|&(of, start, ..)| (of, start) <= (space, offset));
        let &(of, _, end, entry) = self.places.get(next.checked_sub(1)?)?;
        (of == space && offset < end).then_some(entry)
    }
}

/// Returns the name of an element: its own or one derived from its list's name.
fn singular(name: &str) -> &str {
    name.strip_suffix('s').unwrap_or(name)
}

impl Comparison<'_, '_> {
    /// Judges the numbers that refer to other fields.
    pub fn judge(&mut self) {
        let shared = self.trees.map(Shared::new);
        for (a, b) in std::mem::take(&mut self.numbers) {
            let links = [(0, a), (1, b)].map(|(side, entry)| {
                let tree = self.trees[side];
                tree.links.link(tree.entries[entry].number)
            });
            match links {
                [Some(link_a), Some(link_b)] => self.number([a, b], [link_a, link_b], &shared),
                // Several numbers in one field are not distinguished.
                _ if self.differs[a] => self.follow([a, b]),
                _ => {}
            }
        }
    }

    /// Judges a pair of numbers whose links are known.
    fn number(&mut self, sides: [usize; 2], links: [Link<'_>; 2], shared: &[Shared<'_>; 2]) {
        let [a, b] = &links;
        if a.role.name() != b.role.name() {
            return self.change(Kind::Changed, sides);
        }
        let is_equal = a.value == b.value && a.value.is_some();
        let agree = [a.agrees(), b.agrees()];
        // True if a number agrees with its subject, or if its subject is a shared field.
        let is_hidden = |side: usize, path: &str| match links[side].subject {
            Some(_) => agree[side] == Some(true),
            None => shared[side].names.contains(singular(path.trim_end_matches('!'))),
        };
        let follows = match &a.role {
            Role::Place { .. } => return self.place(sides, links, is_equal, shared),
            Role::Extent { .. } | Role::Counts { .. } if agree == [Some(true); 2] => true,
            Role::Extent { target } if is_hidden(0, &target.path) && is_hidden(1, &target.path) => true,
            Role::Extent { .. } | Role::Counts { .. } => agree[0] == agree[1] && self.subjects_differ([a, b]),
            Role::CopyOf { .. } => agree == [Some(true); 2],
            Role::CheckOf { .. } => self.subjects_differ([a, b]),
            Role::IndexOf { .. } | Role::Writer | Role::Fact | Role::Payload | Role::Steady => false,
        };
        if is_equal && !matches!(a.role, Role::CheckOf { .. }) {
            // The number is equal, but its type differs.
            self.change(Kind::Changed, sides);
        } else if follows {
            self.follow(sides);
        } else {
            self.change(Kind::Changed, sides);
        }
    }

    /// An offset counts as derived if it points to the same field, or if both targets are in only one file and are
    /// reported there.
    fn place(&mut self, sides: [usize; 2], links: [Link<'_>; 2], is_equal: bool, shared: &[Shared<'_>; 2]) {
        let targets = [0, 1].map(|side| links[side].subject.map(|it| self.trees[side].entry_of(it.number)));
        let is_matched = [
            targets[0].is_some_and(|target| self.alignment.of_a[target].is_some()),
            targets[1].is_some_and(|target| self.alignment.of_b[target].is_some()),
        ];
        let is_shared = [0, 1].map(|side| {
            let tree = self.trees[side];
            let offset = tree.links.leads_to(tree.entries[sides[side]].number);
            targets[side].is_none() && offset.and_then(|offset| shared[side].around(offset)).is_some()
        });
        let is_none = |side: usize| links[side].value == Some(0) || links[side].subject.is_some();
        let follows = match targets {
            [Some(a), Some(b)] => {
                self.is_same([a, b]) || is_matched == [false; 2] || self.is_by_index(sides[0]) && self.has_grown([a, b])
            }
            [None, None] => is_equal || is_shared == [true; 2],
            [Some(_), None] | [None, Some(_)] if is_shared != [false; 2] => true,
            [Some(_), None] => !is_matched[0] && (is_equal || is_none(1)),
            [None, Some(_)] => !is_matched[1] && (is_equal || is_none(0)),
        };
        match follows {
            true if is_equal => {}
            true => self.follow(sides),
            false if targets == [None, None] => self.change(Kind::Changed, sides),
            false => {
                let sides = sides.map(Some);
                self.raws.push(Raw { kind: Kind::PointsElsewhere, sides, bits: None, about: targets, different: 0 });
            }
        }
    }

    /// Returns whether two offsets point to the same field. The first element of a list counts as the list.
    fn is_same(&self, targets: [usize; 2]) -> bool {
        let [a, b] = [0, 1].map(|side| {
            let (tree, target) = (self.trees[side], targets[side]);
            let entry = &tree.entries[target];
            let begins = |entry: usize| tree.entries[entry].node.map(|node| node.start());
            let is_alias = |list: usize, element: usize| {
                let [list_name, name] = [list, element].map(|entry| tree.entries[entry].step.name);
                let is_first = match begins(list) {
                    None => tree.entries[element].node.is_some_and(|node| node.index() == Some(Index::One(0))),
                    start => start == begins(element),
                };
                is_first && list_name == name && list != ROOT && tree.entries[element].step.element != Element::No
            };
            let list = Some(entry.parent).filter(|&list| is_alias(list, target));
            let first = entry.children.first().copied().filter(|&element| is_alias(target, element));
            [Some(target), list, first]
        });
        let mut pairs = a.into_iter().flatten().flat_map(|a| b.into_iter().flatten().map(move |b| (a, b)));
        pairs.any(|(a, b)| self.alignment.of_a[a] == Some(b))
    }

    /// Returns whether a number is an element of a list without keys, whose indices are not meaningful.
    fn is_by_index(&self, number: usize) -> bool {
        let tree = self.trees[0];
        let mut elements = tree.outwards(number).map(|entry| tree.entries[entry].step.element);
        matches!(elements.find(|&element| element != Element::No), Some(Element::One(_)))
    }

    /// Returns whether two fields are elements of a list that gained or lost elements.
    fn has_grown(&self, targets: [usize; 2]) -> bool {
        let [a, b] = [0, 1].map(|side| &self.trees[side].entries[targets[side]]);
        let is_one = a.step.name == b.step.name && self.alignment.of_a[a.parent] == Some(b.parent);
        is_one && self.grown.contains(&(a.parent, a.step.name))
    }

    /// Returns whether the fields that two numbers refer to differ.
    fn subjects_differ(&self, links: [&Link<'_>; 2]) -> bool {
        let [a, b] = links.map(|link| link.subject);
        let (Some(a), Some(b)) = (a, b) else { return a.is_some() != b.is_some() };
        let length = |subject: Subject<'_>| subject.end - subject.start;
        if length(a) != length(b) {
            return true;
        }
        let tree = self.trees[0];
        let mut entry = tree.entry_of(a.number);
        let is_content = links[0].role.target().is_some_and(|target| target.path.ends_with('!'));
        if is_content && let Some(content) = tree.outwards(entry).find(|&entry| tree.entries[entry].step.is_content) {
            entry = tree.entries[content].parent;
        }
        let (around, name) = (tree.entries[entry].parent, tree.entries[entry].step.name);
        // The first element represents the list.
        let is_first = tree.entries[entry].node.is_some_and(|node| node.index() == Some(Index::One(0)));
        let is_list = is_first && self.lists.contains(&(around, name));
        let is_wider = !is_content && length(a) != a.node.end() - a.node.start();
        is_list || self.differs[if is_wider { around } else { entry }]
    }
}
