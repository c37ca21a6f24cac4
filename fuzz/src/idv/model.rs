//! A plain model of values, for comparisons.

use ndbytes::idv::{Value, Values};

/// One value of a column, or of an annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// A single item.
    Item(Item),
    /// A vector: its length, the indices of its stored items if it does not store all of them, and the items.
    Vector { length: usize, indices: Option<Vec<u32>>, items: Vec<Item> },
}

/// One item, with floating-point numbers as bits and texts as UTF-16 units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    Null,
    Int(i64),
    Uint(u64),
    RowId(u128),
    F32(u32),
    F64(u64),
    Bool(bool),
    DateTimeOffset { ticks: i64, minutes: i16 },
    Text(Vec<u16>),
}

impl Row {
    /// The items that are stored.
    pub fn items(&self) -> &[Item] {
        match self {
            Row::Item(item) => std::slice::from_ref(item),
            Row::Vector { items, .. } => items,
        }
    }
}

/// The maximum number of rows and items to examine one by one.
const SMALL: usize = 4 << 10;

/// Returns whether values are few enough to be examined one by one.
pub fn is_small(values: &Values) -> bool {
    values.rows() + values.items().len() <= SMALL
}

/// The rows of values, each read in every way.
pub fn rows(values: &Values) -> Vec<Row> {
    assert_eq!(values.iter().len(), values.rows());
    assert!(values.get(values.rows()).is_none() && values.vector(values.rows()).is_none());
    let mut stored = 0;
    let rows: Vec<Row> = (0..values.rows())
        .map(|row| {
            let value = values.get(row).expect("there is such a row");
            let Value::Vector(vector) = value else {
                assert!(!values.are_vectors() && values.vector(row).is_none());
                stored += 1;
                return Row::Item(item(value));
            };
            let items: Vec<Item> = vector.stored().map(item).collect();
            stored += items.len();
            let row = Row::Vector { length: vector.len(), indices: vector.indices().map(<[u32]>::to_vec), items };
            assert!(vector.get(vector.len()).is_none());
            for place in places(vector.len()) {
                let item = item(vector.get(place).expect("there is such a place"));
                assert_eq!(Some(&item), at(&row, place, &item));
            }
            row
        })
        .collect();
    assert_eq!(stored, values.items().len(), "every item belongs to a row");
    let nulls = rows.iter().flat_map(Row::items).enumerate().filter(|(_, item)| **item == Item::Null);
    assert!(nulls.map(|(place, _)| place).eq(values.nulls().iter()));
    assert_eq!(values.nulls().iter().count(), values.nulls().len());
    rows
}

/// Some indices of a vector.
fn places(length: usize) -> impl Iterator<Item = usize> {
    [0, 1, length / 2, length.wrapping_sub(1)].into_iter().filter(move |&place| place < length)
}

/// Returns the item at an index of a vector, or `found` if no item is stored there and `found` is a default.
fn at<'r>(row: &'r Row, place: usize, found: &'r Item) -> Option<&'r Item> {
    let Row::Vector { indices, items, .. } = row else { return None };
    let Some(indices) = indices else { return items.get(place) };
    match indices.iter().position(|&index| index as usize == place) {
        Some(stored) => items.get(stored),
        None => is_default(found).then_some(found),
    }
}

/// Returns whether an item is a default, which sparse vectors omit.
pub fn is_default(item: &Item) -> bool {
    match item {
        Item::Null => false,
        Item::Int(number) => *number == 0,
        Item::Uint(number) => *number == 0,
        Item::RowId(number) => *number == 0,
        Item::F32(bits) => *bits == 0,
        Item::F64(bits) => *bits == 0,
        Item::Bool(truth) => !truth,
        Item::DateTimeOffset { ticks, minutes } => (*ticks, *minutes) == (0, 0),
        Item::Text(units) => units.is_empty(),
    }
}

/// Converts an item to the model.
pub fn item(value: Value<'_>) -> Item {
    match value {
        Value::Null => Item::Null,
        Value::Int(number) => Item::Int(number),
        Value::Uint(number) => Item::Uint(number),
        Value::RowId(number) => Item::RowId(number),
        Value::F32(number) => Item::F32(number.to_bits()),
        Value::F64(number) => Item::F64(number.to_bits()),
        Value::Bool(truth) => Item::Bool(truth),
        Value::DateTimeOffset(time) => Item::DateTimeOffset { ticks: time.ticks, minutes: time.offset_minutes },
        Value::Text(text) => {
            let units: Vec<u16> = text.utf16().collect();
            assert_eq!(text.to_string_lossy(), String::from_utf16_lossy(&units));
            assert_eq!(text.to_str().map(str::to_owned), String::from_utf16(&units).ok());
            Item::Text(units)
        }
        other => panic!("{other:?} inside a vector"),
    }
}
