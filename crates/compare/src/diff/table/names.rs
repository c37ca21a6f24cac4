//! The names of categories, by which keys are compared.
//!
//! A key is a number that is meaningless without its dictionary. Two files may list the same categories in another
//! order. Both dictionaries are therefore numbered together, and keys are compared by these numbers. If the
//! dictionaries are the same, which is the common case, stored keys are compared directly.

use ndbytes::idv::{Column, Table, Value, Values};
use ndbytes::internals::{grown, hashed};
use ndbytes::{Error, Result};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The categories of two columns of keys. A category has the same number in both if it has the same name.
pub(super) struct Names {
    dictionaries: [Dictionary; 2],
    /// Whether stored keys can be compared.
    pub are_same: bool,
}

/// The categories of one column.
struct Dictionary {
    /// The number of each category; empty if the dictionaries are the same.
    numbers: Vec<u64>,
    /// Their names: a single vector.
    names: Values,
}

/// One of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    A = 0,
    B = 1,
}

/// The number of the first category without a name.
const NAMELESS: u64 = 1 << 32;

impl Names {
    /// Compares the dictionaries of two key columns and records how they differ. Returns `None` if one of them is missing.
    pub fn of(
        tables: [&Table<'_>; 2],
        [a, b]: [&Column<'_>; 2],
        name: &str,
        notes: &mut Vec<String>,
    ) -> Result<Option<Names>> {
        let (Some(names_a), Some(names_b)) = (dictionary(a)?, dictionary(b)?) else { return Ok(None) };
        for (table, names) in tables.into_iter().zip([&names_a, &names_b]) {
            let texts = names.items().texts().map_or(0, |texts| texts.memory());
            let items = names.items().len() as u64 * names.items().item_size();
            table.debit(usize::try_from(items + texts).unwrap_or(usize::MAX), "the names of categories")?;
        }
        if names_a.is_identical(&names_b) {
            let dictionaries = [names_a, names_b].map(|names| Dictionary { numbers: Vec::new(), names });
            return Ok(Some(Names { dictionaries, are_same: true }));
        }
        for (table, names) in tables.into_iter().zip([&names_a, &names_b]) {
            let entry = hashed::<(Cow<'_, [u8]>, u64)>(1) + hashed::<u64>(1) + grown::<u64>(1);
            table.debit(names.items().len().saturating_mul(entry as usize), "the names of categories")?;
        }
        let mut known: HashMap<Cow<'_, [u8]>, u64> = HashMap::new();
        let (mut numbers_a, mut numbers_b): (Vec<u64>, Vec<u64>) = (Vec::new(), Vec::new());
        for (numbers, names) in [(&mut numbers_a, &names_a), (&mut numbers_b, &names_b)] {
            for name in names.vector(0).into_iter().flat_map(|names| names.stored()) {
                let next = known.len() as u64;
                numbers.push(*known.entry(bytes(name)).or_insert(next));
            }
        }
        let distinct = |numbers: &[u64]| numbers.iter().copied().collect::<HashSet<u64>>().len();
        let (count_a, count_b, count) = (distinct(&numbers_a), distinct(&numbers_b), known.len());
        notes.push(match (count - count_b, count - count_a) {
            (0, 0) => format!("column {name}: the same categories in another order; keys are compared by their names"),
            (gone, new) => format!(
                "column {name}: {} → {} categories, {new} new, {gone} gone; keys are compared by their names",
                numbers_a.len(),
                numbers_b.len()
            ),
        });
        drop(known);
        let dictionaries =
            [Dictionary { numbers: numbers_a, names: names_a }, Dictionary { numbers: numbers_b, names: names_b }];
        Ok(Some(Names { dictionaries, are_same: false }))
    }

    /// Returns the number of a key's category; 0 is the missing key.
    pub fn number(&self, side: Side, key: u64) -> u64 {
        let Some(category) = key.checked_sub(1).filter(|_| !self.are_same) else { return key };
        let numbers = &self.dictionaries[side as usize].numbers;
        let number = usize::try_from(category).ok().and_then(|category| numbers.get(category));
        number.map_or(category.saturating_add(NAMELESS), |number| number + 1)
    }

    /// Returns the name of a key's category.
    pub fn name(&self, side: Side, key: u64) -> Option<Value<'_>> {
        let names = self.dictionaries[side as usize].names.vector(0)?;
        names.get(usize::try_from(key.checked_sub(1)?).ok()?)
    }
}

/// Returns the names of the categories of a column, if they exist and are stored one by one.
fn dictionary(column: &Column<'_>) -> Result<Option<Values>> {
    match column.key_values() {
        Ok(names) => Ok(names.filter(|names| names.vector(0).is_some_and(|names| names.indices().is_none()))),
        Err(Error::Invalid(_) | Error::UnreadableColumn { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns bytes that distinguish names.
fn bytes(name: Value<'_>) -> Cow<'_, [u8]> {
    match name {
        Value::Text(text) => text.as_bytes().into(),
        other => format!("{other:?}").into_bytes().into(),
    }
}
