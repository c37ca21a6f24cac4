//! Keys, by which recipes name fields.
//!
//! A key is matched against the map from left to right, level by level. No table of all keys is built, because most
//! recipes name one field of a large map. [`key`](FieldTable::key) is the inverse. It appends `@offset` if the path
//! alone would find another field, as it does for gaps, which all have the same name.

use super::field_table::FieldTable;
use crate::keys::keys;
use crate::name::Name;
use crate::nodes::{Children, Index, Node};
use std::ops::Range;

/// The target of a key: a field, one of several elements that share a field, or a bit field.
#[derive(Debug, Clone, PartialEq)]
pub struct Spot {
    /// The field.
    pub field: usize,
    /// The bytes of the field or element.
    pub bytes: Range<u64>,
    /// The lowest bit of a bit field and its width.
    pub bits: Option<(u32, u32)>,
}

/// The maximum number of fields that are searched for a key with `?`.
const MOST: usize = 1 << 16;

impl FieldTable<'_> {
    /// The fields that a key names; several if it contains `?`.
    pub fn find(&self, key: &str) -> Vec<Spot> {
        let (path, at) = match key.rsplit_once('@') {
            Some((path, at)) if at.parse::<u64>().is_ok() => (path, at.parse().ok()),
            _ => (key, None),
        };
        let mut search = Search { table: self, at, is_any: path.contains("[?]"), found: Vec::new() };
        if let Some(space) = self.spaces.first() {
            search.level(space.nodes.iter(), &mut self.level(space.id), path, true);
            search.strays((space.id, None), path, true);
        }
        search.found
    }

    /// The key of a field, which is unique.
    pub fn key(&self, field: usize) -> String {
        let mut key = String::new();
        self.path(field, &mut key);
        // All gaps have the same name, and so do fields that occur twice in a broken file.
        if self.find(&key).first().map(|spot| spot.field) != Some(field) {
            key += &format!("@{}", self.fields[field].start);
        }
        key
    }

    /// The exact key of the field that a key with `?` names.
    pub fn key_of(&self, spot: &Spot) -> String {
        let field = &self.fields[spot.field];
        if let Some((first, _)) = spot.bits {
            let node = self.node(spot.field);
            let name =
                node.bits().into_iter().find(|bits| bits.first == first).map_or(Name::default(), |bits| bits.name);
            return format!("{}.{name}", self.key(spot.field));
        }
        match (field.index, field.each) {
            (Some(Index::Range(from, _)), Some(each)) if spot.bytes != field.bytes() && each > 0 => {
                let mut key = self.key(spot.field);
                key.truncate(key.rfind('[').unwrap_or(key.len()));
                format!("{key}[{}]", from + (spot.bytes.start - field.start) / each)
            }
            _ => self.key(spot.field),
        }
    }

    fn path(&self, field: usize, path: &mut String) {
        let found = &self.fields[field];
        match found.parent {
            Some(parent) => self.path(parent, path),
            None => {
                if let Some(&opener) = self.openers.get(&found.space) {
                    self.path(opener, path);
                    path.push('!');
                }
            }
        }
        step(&found.name, found.index, path);
    }
}

/// Adds the step of a field to the path of its parents.
fn step(name: &str, index: Option<Index>, path: &mut String) {
    let begins = path.is_empty() || path.ends_with('!');
    match index {
        Some(Index::One(index)) => *path += &format!("{}[{index}]", if begins { name } else { "" }),
        Some(Index::Range(first, end)) => *path += &format!("{}[{first}..{end}]", if begins { name } else { "" }),
        None => *path += &format!("{}{name}", if begins { "" } else { "." }),
    }
}

struct Search<'s, 'g> {
    table: &'s FieldTable<'g>,
    /// The offset of the field, if the key states one.
    at: Option<u64>,
    is_any: bool,
    found: Vec<Spot>,
}

impl Search<'_, '_> {
    /// Searches a level, given its nodes and the numbers of their fields.
    fn level(&mut self, nodes: Children<'_>, numbers: &mut dyn Iterator<Item = usize>, path: &str, begins: bool) {
        let named = path.contains("[\"").then(|| keys(nodes.clone(), usize::MAX));
        for (node, field) in nodes.zip(numbers) {
            if self.is_done() {
                return;
            }
            if node.home().is_none() {
                let key = named.as_ref().and_then(|keys| keys.of(node)).or(node.key());
                self.one((node, field), (path, begins), key);
            }
        }
    }

    /// Searches a field at which a path may begin, given its node, number and key.
    fn one(&mut self, (node, field): (Node<'_>, usize), (path, begins): (&str, bool), key: Option<&str>) {
        let name = if begins { path.strip_prefix(node.name()) } else { Some(path) };
        let rest = match node.index() {
            None => {
                if begins {
                    name
                } else {
                    path.strip_prefix('.').and_then(|path| path.strip_prefix(node.name()))
                }
            }
            Some(index) => match name.and_then(bracket) {
                Some((inner, rest)) => self.element(field, index, inner, rest, key),
                None => None,
            },
        };
        if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with(['.', '[', '!'])) {
            self.below(node, field, rest);
        }
    }

    /// The rest of a path after an index, if the index belongs to an element. Elements that share a field are recorded here.
    fn element<'p>(
        &mut self,
        field: usize,
        index: Index,
        inner: &str,
        rest: &'p str,
        key: Option<&str>,
    ) -> Option<&'p str> {
        match index {
            Index::One(index) => {
                let is_it = inner == "?" || inner.parse() == Ok(index) || key == Some(inner);
                is_it.then_some(rest)
            }
            Index::Range(first, end) => {
                if inner == format!("{first}..{end}") {
                    return Some(rest);
                }
                let each = self.table.fields[field].each?;
                let start = self.table.fields[field].start;
                let mut note = |index: u64| {
                    let from = start.saturating_add((index - first).saturating_mul(each));
                    let bytes = from..from.saturating_add(each);
                    if bytes.end <= self.table.fields[field].end && self.at.is_none_or(|at| at == from) {
                        self.found.push(Spot { field, bytes, bits: None });
                    }
                };
                match inner.parse::<u64>() {
                    Ok(index) if (first..end).contains(&index) && rest.is_empty() => note(index),
                    _ if inner == "?" && rest.is_empty() => (first..end.min(first + MOST as u64)).for_each(note),
                    _ => {}
                }
                None
            }
        }
    }

    /// Looks up the rest of a path inside a field.
    fn below(&mut self, node: Node<'_>, field: usize, rest: &str) {
        if rest.is_empty() {
            if self.at.is_none_or(|at| at == node.start()) {
                self.found.push(Spot { field, bytes: node.start()..node.end(), bits: None });
            }
            return;
        }
        if let Some(inner) = rest.strip_prefix('!') {
            let space = node.opens().and_then(|opened| self.table.spaces.iter().find(|space| space.id == opened));
            // Only spaces with higher numbers are searched, because a key that leads back would be searched forever.
            if let Some(space) = space.filter(|space| space.id > self.table.fields[field].space) {
                self.level(space.nodes.iter(), &mut self.table.level(space.id), inner, true);
                self.strays((space.id, None), inner, true);
            }
            return;
        }
        if node.is_leaf() && self.table.strays(self.table.fields[field].space, Some(field)).is_empty() {
            let run = rest.strip_prefix('.').and_then(|name| node.bits().into_iter().find(|bits| bits.name == name));
            if let Some(run) = run {
                let bits = Some((run.first, run.width));
                self.found.push(Spot { field, bytes: node.start()..node.end(), bits });
            }
            return;
        }
        self.level(node.children(), &mut self.table.parts(field), rest, false);
        self.strays((self.table.fields[field].space, Some(field)), rest, false);
    }

    /// Searches the fields that belong to a level but are stored elsewhere. None of them is an element.
    fn strays(&mut self, (space, around): (u32, Option<usize>), path: &str, begins: bool) {
        for &field in self.table.strays(space, around) {
            if self.is_done() {
                return;
            }
            self.one((self.table.node(field), field), (path, begins), None);
        }
    }

    fn is_done(&self) -> bool {
        !self.found.is_empty() && (!self.is_any || self.found.len() >= MOST)
    }
}

/// Returns the content of the bracket at the beginning of a path, and the rest of the path. Brackets in quotes are
/// text.
fn bracket(path: &str) -> Option<(&str, &str)> {
    let inner = path.strip_prefix('[')?;
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (place, letter) in inner.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ']' if !is_quoted => return Some((&inner[..place], &inner[place + 1..])),
            _ => {}
        }
    }
    None
}
