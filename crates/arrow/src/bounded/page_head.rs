//! The heads of Parquet's pages.

use super::thrift::{Item, Structures};

/// The maximum number of bytes of a head. Writers put the minimum and the maximum into it, and these may be long strings.
pub(crate) const LONGEST: u64 = 16 << 20;

/// The length of most heads in bytes.
pub(crate) const USUAL: u64 = 256;

/// The claims of the head of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageHead {
    pub kind: PageKind,
    /// The length of the head in bytes.
    pub length: u64,
    /// The length of the page in bytes after it is unpacked.
    pub size: u64,
    /// The length of the page in the file, in bytes.
    pub stored: u64,
    /// The number of values, including nulls and ends of lists.
    pub values: u32,
    pub encoding: i64,
}

/// The kinds of pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PageKind {
    /// A page without values.
    Other,
    Dictionary,
    /// The encodings of the definition levels and of the repetition levels.
    First {
        definition: i64,
        repetition: i64,
    },
    Second {
        nulls: u32,
        rows: u32,
        definition: u32,
        repetition: u32,
        is_compressed: bool,
    },
}

/// The field numbers in a head.
mod field {
    pub const KIND: &[u8] = &[1];
    pub const SIZE: &[u8] = &[2];
    pub const STORED: &[u8] = &[3];
    pub const FIRST: u8 = 5;
    pub const DICTIONARY: u8 = 7;
    pub const SECOND: u8 = 8;
}

impl PageHead {
    /// Reads the head at the start of the bytes; `None` if there is none.
    pub fn read(bytes: &[u8]) -> Option<PageHead> {
        let mut rest = Structures::new(bytes);
        let (mut kind, mut size, mut stored) = (None, None, None);
        // The fields of the three structures; a header has one of these.
        let mut numbers = [None; 9];
        let mut inner = None;
        let mut are_several = false;
        rest.next(&mut |path, item| {
            let number = match item {
                Item::Number(number) => number,
                Item::Truth(truth) => i64::from(truth),
                Item::List(_) | Item::Structure => return,
            };
            match path {
                field::KIND => kind = Some(number),
                field::SIZE => size = u64::try_from(number).ok(),
                field::STORED => stored = u64::try_from(number).ok(),
                &[outer @ (field::FIRST | field::DICTIONARY | field::SECOND), place] => {
                    are_several |= inner.is_some_and(|inner| inner != outer);
                    inner = Some(outer);
                    if let Some(slot) = numbers.get_mut(usize::from(place)) {
                        *slot = Some(number);
                    }
                }
                _ => {}
            }
        })?;
        let length = (bytes.len() - rest.bytes.len()) as u64;
        let (size, stored) = (size?, stored?);
        let count = |place: usize| numbers[place].and_then(|number| u32::try_from(number).ok());
        let (kind, values, encoding) = match (kind?, inner) {
            _ if are_several => return None,
            (0, Some(field::FIRST)) => {
                (PageKind::First { definition: numbers[3]?, repetition: numbers[4]? }, count(1)?, numbers[2]?)
            }
            (2, Some(field::DICTIONARY)) => (PageKind::Dictionary, count(1)?, numbers[2]?),
            (3, Some(field::SECOND)) => {
                let is_compressed = numbers[7].is_none_or(|is| is != 0);
                let (nulls, rows, definition, repetition) = (count(2)?, count(3)?, count(5)?, count(6)?);
                let kind = PageKind::Second { nulls, rows, definition, repetition, is_compressed };
                (kind, count(1)?, numbers[4]?)
            }
            (1, None) => (PageKind::Other, 0, 0),
            _ => return None,
        };
        Some(PageHead { kind, length, size, stored, values, encoding })
    }
}
