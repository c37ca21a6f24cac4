//! The lists of a file.

use super::by_kind::ByKind;
use super::field_table::FieldTable;
use crate::hash::NumberedMap;
use crate::nodes::Index;

/// The lists of a file whose elements have separate fields, grouped by the kind of the elements.
pub type Lists = ByKind<Vec<Vec<usize>>>;

/// Collects the lists of a file.
pub fn lists(table: &FieldTable<'_>) -> Lists {
    let mut lists = Lists::default();
    let mut known: NumberedMap<(u32, Option<usize>, &str), (usize, usize)> = NumberedMap::default();
    for (number, field) in table.fields.iter().enumerate() {
        let is_editable = field.start < field.end && table.is_editable(field.space);
        if !is_editable || !matches!(field.index, Some(Index::One(_))) {
            continue;
        }
        let next = (field.kind, lists.get(field.kind).map_or(0, Vec::len));
        let (kind, list) = *known.entry((field.space, field.parent, &*field.name)).or_insert(next);
        if kind == field.kind {
            let of_kind = lists.entry(field.kind);
            if list == of_kind.len() {
                of_kind.push(Vec::new());
            }
            of_kind[list].push(number);
        }
    }
    lists
}
