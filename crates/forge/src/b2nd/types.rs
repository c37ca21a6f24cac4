//! The item types of generated files.

use everybyte::forge::Choices;

/// An item type.
#[derive(Debug)]
pub struct Type {
    /// The text in a file; `None` if it has none.
    pub text: Option<&'static str>,
    /// The size of an item in bytes.
    pub size: i32,
    /// Its name in ndbytes.
    pub name: &'static str,
}

/// The pattern of the items of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    /// Each item is slightly greater than the previous one.
    Counted,
    /// A few items, repeated.
    Repeated,
    /// Any bytes.
    Any,
    /// Mostly zeros.
    Few,
}

const fn of(text: &'static str, size: i32, name: &'static str) -> Type {
    Type { text: Some(text), size, name }
}

/// All types; small ones are likely.
pub static TYPES: [Type; 34] = [
    of("|u1", 1, "|u1"),
    of("|i1", 1, "|i1"),
    of("|b1", 1, "|b1"),
    of("<u2", 2, "<u2"),
    of(">u2", 2, ">u2"),
    of("<i2", 2, "<i2"),
    of("<f2", 2, "<f2"),
    of(">f2", 2, ">f2"),
    of("<i4", 4, "<i4"),
    of(">i4", 4, ">i4"),
    of("<u4", 4, "<u4"),
    of("<f4", 4, "<f4"),
    of(">f4", 4, ">f4"),
    of("<f4", 4, "<f4"),
    of("<i8", 8, "<i8"),
    of(">i8", 8, ">i8"),
    of("<u8", 8, "<u8"),
    of("<f8", 8, "<f8"),
    of(">f8", 8, ">f8"),
    of("<c8", 8, "<c8"),
    of("<c16", 16, "<c16"),
    of(">c16", 16, ">c16"),
    of("|S1", 1, "|S1"),
    of("|S5", 5, "|S5"),
    of("<U1", 4, "<U1"),
    of("<U3", 12, "<U3"),
    of("|V3", 3, "|V3"),
    of("|V300", 300, "|V300"),
    of("<M8[ns]", 8, "<M8[ns]"),
    of("<m8[D]", 8, "<m8[D]"),
    of("[('a', '<i4'), ('b', '<f8', (2,))]", 20, "[('a', '<i4'), ('b', '<f8', (2,))]"),
    of("[('x', '|u1'), ('y', '<i2')]", 3, "[('x', 'u1'), ('y', '<i2')]"),
    Type { text: None, size: 1, name: "|V1" },
    Type { text: None, size: 6, name: "|V6" },
];

impl Type {
    /// Returns an item whose bytes are not all zero.
    pub fn value(&self, choices: &mut Choices<'_>, least: u8) -> Vec<u8> {
        let mut item = self.values(choices, ItemKind::Any, self.size as usize);
        if let Some(first) = item.first_mut().filter(|first| **first == 0) {
            *first = least;
        }
        item
    }

    /// Items of this size.
    pub fn values(&self, choices: &mut Choices<'_>, kind: ItemKind, length: usize) -> Vec<u8> {
        let size = self.size as usize;
        let mut bytes = match kind {
            ItemKind::Any => choices.bytes(length),
            ItemKind::Few => {
                (0..length).map(|_| if choices.one_in(9) { choices.below(256) as u8 } else { 0 }).collect()
            }
            ItemKind::Repeated => {
                let unit = size * choices.from_to(1, 3) as usize;
                let items = choices.bytes(unit);
                items.into_iter().cycle().take(length).collect()
            }
            ItemKind::Counted => {
                let step = choices.from_to(1, 9);
                let start = choices.below(1000);
                let item = |number: usize| {
                    let value = (start + number as u64 * step).to_le_bytes();
                    (0..size).map(move |byte| value.get(byte).copied().unwrap_or(0))
                };
                (0..length.div_ceil(size)).flat_map(item).take(length).collect()
            }
        };
        match self.text {
            Some("|b1") => bytes.iter_mut().for_each(|byte| *byte &= 1),
            // Valid characters.
            Some("<U1" | "<U3") => bytes.iter_mut().enumerate().for_each(|(at, byte)| {
                *byte = if at % 4 == 0 { *byte & 0x7f } else { 0 };
            }),
            _ => {}
        }
        bytes
    }
}
