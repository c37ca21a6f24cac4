//! The values in files, and the values that a reader must return.

use super::rows::{Item, Row};
use everybyte::forge::Choices;
use ndbytes::idv::{ColumnType, DateTimeOffset, ItemType, Items, KeyType, Texts, Values};
use ndbytes_schemas::idv::{Storage, Version};

/// The last tick of the year 9999.
pub(super) const LAST_TICK: i64 = 3_155_378_975_999_999_999;

/// The maximum number of minutes between a clock and UTC.
const MOST_MINUTES: i16 = 14 * 60;

/// The number of ticks in a minute.
const MINUTE: i64 = 600_000_000;

/// The maximum length of a vector of variable size.
const LONGEST_VECTOR: u64 = 6;

/// The maximum length of a vector that stores items.
const MOST_STORED: u32 = 256;

/// The maximum number of characters in a text.
const LONGEST_TEXT: u64 = 6;

/// The code of a missing boolean.
const MISSING_TRUTH: u128 = 2;

/// Characters for texts: of one to four bytes, and one that ends strings in other programs.
const CHARACTERS: [char; 10] = ['a', 'b', 'Z', '0', ' ', '\0', 'é', '€', '\u{1F600}', '\u{10FFFF}'];

/// Returns whether numbers, times and texts can be missing.
pub(super) fn can_be_missing(version: Version) -> bool {
    version <= Version::V5
}

/// Chooses a row for a column of a type.
pub(super) fn row(choices: &mut Choices<'_>, column_type: &ColumnType, version: Version) -> Row {
    let item = |choices: &mut Choices<'_>| self::item(choices, column_type.item, column_type.dims.is_some(), version);
    if column_type.dims.is_none() {
        return Row::Item(item(choices));
    }
    let length = column_type.vector_size().unwrap_or_else(|| choices.small(LONGEST_VECTOR) as u32);
    if length > MOST_STORED {
        return Row::Vector { length, indices: Some(Vec::new()), items: Vec::new() };
    }
    let indices = (length > 0 && choices.one_in(3)).then(|| {
        // At least one slot is left out.
        let left_out = choices.below(length.into()) as u32;
        (0..length).filter(|&place| place != left_out && choices.one_in(2)).collect::<Vec<u32>>()
    });
    let stored = indices.as_ref().map_or(length as usize, Vec::len);
    Row::Vector { length, indices, items: (0..stored).map(|_| item(choices)).collect() }
}

/// Splits a character at the boundary between two texts, as .NET does.
pub(super) fn split_texts(rows: &mut [Row]) {
    let mut texts: Vec<&mut Vec<u16>> = Vec::new();
    for item in rows.iter_mut().flat_map(Row::items_mut) {
        if let Item::Text(Some(text)) = item {
            texts.push(text);
        }
    }
    for second in 1..texts.len() {
        let (first, rest) = texts.split_at_mut(second);
        if let (Some(first), Some(second)) = (first.last_mut(), rest.first_mut())
            && second.first().is_some_and(|unit| (0xD800..0xDC00).contains(unit))
        {
            first.push(second.remove(0));
            return;
        }
    }
}

/// Chooses an item of a type.
pub(super) fn item(choices: &mut Choices<'_>, item: ItemType, in_vector: bool, version: Version) -> Item {
    let is_missing = can_be_missing(version) && choices.one_in(6);
    match item {
        ItemType::I8 => signed(choices, 8, is_missing),
        ItemType::I16 => signed(choices, 16, is_missing),
        ItemType::I32 => signed(choices, 32, is_missing),
        ItemType::I64 => signed(choices, 64, is_missing),
        ItemType::U8 => unsigned(choices, 8),
        ItemType::U16 => unsigned(choices, 16),
        ItemType::U32 => unsigned(choices, 32),
        ItemType::U64 => unsigned(choices, 64),
        ItemType::F32 => float(choices, 32, 0x7F80_0000, 23),
        ItemType::F64 => float(choices, 64, 0x7FF0_0000_0000_0000, 52),
        ItemType::RowId => Item::Number(u128::from(choices.any()) << 64 | u128::from(choices.any())),
        ItemType::Bool if is_missing => Item::Number(MISSING_TRUTH),
        ItemType::Bool => Item::Number(choices.below(2).into()),
        ItemType::Key(key) => Item::Number(choices.below(key.count.saturating_add(1)).into()),
        ItemType::Text if is_missing => Item::Text(None),
        ItemType::Text => Item::Text(Some(text(choices).encode_utf16().collect())),
        ItemType::TimeSpan => match signed(choices, 64, is_missing) {
            // The smallest number marks a missing value, but not in vectors.
            Item::Number(number) if number as i64 == i64::MIN && !can_be_missing(version) && !in_vector => {
                Item::Number(0)
            }
            item => item,
        },
        ItemType::DateTime if is_missing => Item::Number(u128::from(i64::MIN as u64)),
        ItemType::DateTime => Item::Number(ticks(choices, 0) as u128),
        ItemType::DateTimeOffset if is_missing => {
            // Older versions wrote one of these offsets. With an offset ahead of UTC, the time would be before the year 1.
            Item::Time(*choices.pick(&[0, i16::MIN, -60]), i64::MIN)
        }
        ItemType::DateTimeOffset => {
            let minutes = choices.below(2 * MOST_MINUTES as u64 + 1) as i16 - MOST_MINUTES;
            Item::Time(minutes, ticks(choices, i64::from(minutes) * MINUTE))
        }
    }
}

/// Returns ticks in the years 1 to 9999, both in UTC and on a clock that is ahead of UTC.
fn ticks(choices: &mut Choices<'_>, ahead: i64) -> i64 {
    let (first, last) = (ahead.max(0), LAST_TICK + ahead.min(0));
    match choices.below(4) {
        0 => first,
        1 => last,
        _ => first + choices.below((last - first) as u64 + 1) as i64,
    }
}

fn mask(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

fn unsigned(choices: &mut Choices<'_>, bits: u32) -> Item {
    Item::Number(match choices.below(4) {
        0 | 1 => choices.below(256).into(),
        2 => u128::from(choices.any()) & mask(bits),
        _ => mask(bits),
    })
}

fn signed(choices: &mut Choices<'_>, bits: u32, is_missing: bool) -> Item {
    let least = 1 << (bits - 1);
    Item::Number(match choices.below(4) {
        _ if is_missing => least,
        0 => choices.below(128).into(),
        1 => choices.below(128).wrapping_neg() as i64 as i128 as u128 & mask(bits),
        2 => u128::from(choices.any()) & mask(bits),
        _ => least - 1,
    })
}

/// Returns the bits of a floating-point number with `bits` bits, `fraction` of them in its fraction.
fn float(choices: &mut Choices<'_>, bits: u32, infinity: u64, fraction: u32) -> Item {
    let number = match choices.below(6) {
        0 => 0,
        // A power of two, whose fraction is zero.
        1 => (infinity >> 1 & infinity) + (choices.below(8) << fraction),
        2 => infinity,
        3 => infinity | 1 << (fraction - 1) | choices.below(16),
        4 => 1 << (bits - 1),
        _ => choices.any() & mask(bits) as u64,
    };
    Item::Number(number.into())
}

/// Chooses a text of a few characters.
pub(super) fn text(choices: &mut Choices<'_>) -> String {
    let length = choices.small(LONGEST_TEXT);
    (0..length).map(|_| *choices.pick(&CHARACTERS)).collect()
}

/// Returns the values that a reader must find.
pub(super) fn values(rows: &[Row], column_type: &ColumnType, storage: Storage, version: Version) -> Values {
    let is_missing = |item: &Item| is_missing(item, column_type.item, storage, version);
    let of = |items: &[Item]| self::items(items, column_type.item);
    let stored: Vec<&Item> = rows.iter().flat_map(|row| row.items()).collect();
    let mut values = match column_type.dims {
        None => {
            let items: Vec<Item> = stored.iter().map(|&item| item.clone()).collect();
            Values::scalars(of(&items))
        }
        Some(_) => {
            let mut values = Values::vectors(column_type.item);
            for row in rows {
                let Row::Vector { length, indices, items } = row else { continue };
                let pushed = match indices {
                    None => values.push_vector(of(items)),
                    Some(indices) => values.push_sparse_vector(*length as usize, indices, of(items)),
                };
                debug_assert!(pushed.is_ok(), "{pushed:?}");
            }
            values
        }
    };
    let missing = stored.iter().enumerate().filter(|(_, item)| is_missing(item));
    missing.for_each(|(place, _)| values.nulls.insert(place));
    values
}

/// Returns whether readers treat an item as missing.
fn is_missing(item: &Item, item_type: ItemType, storage: Storage, version: Version) -> bool {
    match item {
        Item::Text(text) => text.is_none(),
        Item::Number(number) if storage == Storage::BitPairs => *number == MISSING_TRUTH,
        _ if !can_be_missing(version) => false,
        Item::Time(_, ticks) => *ticks == i64::MIN,
        Item::Number(number) => match item_type {
            ItemType::I8 => *number == 1 << 7,
            ItemType::I16 => *number == 1 << 15,
            ItemType::I32 => *number == 1 << 31,
            ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => *number == 1 << 63,
            _ => false,
        },
    }
}

/// Returns items in the representation of the library.
fn items(items: &[Item], item_type: ItemType) -> Items {
    fn number(item: &Item) -> u128 {
        if let Item::Number(number) = item { *number } else { 0 }
    }
    macro_rules! all {
        ($number:ty) => {
            items.iter().map(|item| number(item) as $number).collect::<Vec<$number>>().into()
        };
    }
    match item_type {
        ItemType::I8 => all!(i8),
        ItemType::I16 => all!(i16),
        ItemType::I32 => all!(i32),
        ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => all!(i64),
        ItemType::U8 | ItemType::Key(KeyType { width: 1, .. }) => all!(u8),
        ItemType::U16 | ItemType::Key(KeyType { width: 2, .. }) => all!(u16),
        ItemType::U32 | ItemType::Key(KeyType { width: 4, .. }) => all!(u32),
        ItemType::U64 | ItemType::Key(_) => all!(u64),
        ItemType::RowId => all!(u128),
        ItemType::F32 => items.iter().map(|item| f32::from_bits(number(item) as u32)).collect::<Vec<_>>().into(),
        ItemType::F64 => items.iter().map(|item| f64::from_bits(number(item) as u64)).collect::<Vec<_>>().into(),
        ItemType::Bool => items.iter().map(|item| number(item) == 1).collect::<Vec<_>>().into(),
        ItemType::DateTimeOffset => {
            let time = |item: &Item| match *item {
                Item::Time(minutes, ticks) => DateTimeOffset {
                    ticks: if ticks == i64::MIN { 0 } else { ticks },
                    offset_minutes: if minutes == i16::MIN { 0 } else { minutes },
                },
                Item::Number(_) | Item::Text(_) => DateTimeOffset::default(),
            };
            items.iter().map(time).collect::<Vec<_>>().into()
        }
        ItemType::Text => {
            let mut texts = Texts::default();
            for item in items {
                texts.push_utf16(if let Item::Text(Some(text)) = item { text } else { &[] });
            }
            texts.into()
        }
    }
}
