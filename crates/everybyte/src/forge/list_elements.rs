//! The lists of a file.

use super::field_table::FieldTable;
use crate::node::Index;
use std::collections::{BTreeMap, HashMap};

/// The lists of a file, by the kind of their elements: the elements that have fields of their own.
pub type Lists = BTreeMap<usize, Vec<Vec<usize>>>;

/// Gathers the lists of a file.
pub fn lists(table: &FieldTable<'_>) -> Lists {
    let mut lists: Lists = BTreeMap::new();
    let mut known: HashMap<(u32, Option<usize>, &str), (usize, usize)> = HashMap::new();
    for (number, field) in table.fields.iter().enumerate() {
        let is_editable = field.start < field.end && table.is_editable(field.space);
        if !is_editable || !matches!(field.index, Some(Index::One(_))) {
            continue;
        }
        let of_kind = lists.entry(field.kind).or_default();
        let next = (field.kind, of_kind.len());
        let (kind, list) = *known.entry((field.space, field.parent, field.name)).or_insert(next);
        if kind == field.kind {
            if list == of_kind.len() {
                of_kind.push(Vec::new());
            }
            of_kind[list].push(number);
        }
    }
    lists.retain(|_, lists| !lists.is_empty());
    lists
}
