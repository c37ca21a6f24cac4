//! Thrift's compact encoding, which the heads of Parquet use.
//!
//! Only what Parquet's heads need is read: structures, numbers, strings, and lists of these. Anything else that could be
//! interpreted in two ways is refused, so that another reader cannot see more in the same bytes.
//!
//! The reader of the `parquet` crate builds structures in memory from what it reads, without a limit on them. This one builds none,
//! so elements can be counted with it first, which protects the other reader.

/// The maximum nesting of structures.
const DEEPEST: usize = 16;

/// The fields of a head, in the order of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// An integer.
    Number(i64),
    /// A boolean.
    Truth(bool),
    /// A list with this number of elements, which follow.
    List(usize),
    /// A structure that is an element of a list; its fields follow.
    Structure,
}

/// A reader of structures. After each structure, `bytes` contains the bytes that follow it.
#[derive(Debug)]
pub(crate) struct Structures<'b> {
    pub bytes: &'b [u8],
    path: Vec<u8>,
}

/// The kinds of values.
mod kind {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I16: u8 = 4;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const STRUCTURE: u8 = 12;
}

impl<'b> Structures<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Structures { bytes, path: Vec::new() }
    }

    /// Reads a structure. `visit` receives the path of each item: the numbers of the fields that it is in. Elements of a list have
    /// the path of their list. Returns `None` if the bytes are not such a structure.
    pub fn next(&mut self, visit: &mut dyn FnMut(&[u8], Item)) -> Option<()> {
        self.path.clear();
        self.structure(visit)
    }

    fn structure(&mut self, visit: &mut dyn FnMut(&[u8], Item)) -> Option<()> {
        if self.path.len() > DEEPEST {
            return None;
        }
        self.path.push(0);
        loop {
            let head = self.byte()?;
            if head == 0 {
                self.path.pop();
                return Some(());
            }
            // Field numbers that do not ascend are written in another form.
            let (step, kind) = (head >> 4, head & 15);
            let field = self.path.last_mut()?;
            *field = field.checked_add(step).filter(|_| step > 0)?;
            match kind {
                kind::TRUE | kind::FALSE => visit(&self.path, Item::Truth(kind == kind::TRUE)),
                kind => self.value(kind, visit)?,
            }
        }
    }

    fn value(&mut self, kind: u8, visit: &mut dyn FnMut(&[u8], Item)) -> Option<()> {
        match kind {
            kind::BYTE => self.byte().map(drop),
            kind::I16 | kind::I32 | kind::I64 => {
                let number = self.number()?;
                // The sign is in the last bit.
                visit(&self.path, Item::Number((number >> 1) as i64 ^ -((number & 1) as i64)));
                Some(())
            }
            kind::DOUBLE => self.skip(8),
            kind::BINARY => {
                let length = self.number()?;
                self.skip(length)
            }
            kind::STRUCTURE => self.structure(visit),
            kind::LIST => {
                let head = self.byte()?;
                let (count, kind) = (head >> 4, head & 15);
                let count = if count == 15 { self.number()? } else { u64::from(count) };
                // Each element takes at least one byte.
                let count = usize::try_from(count).ok().filter(|count| *count <= self.bytes.len())?;
                visit(&self.path, Item::List(count));
                let is_plain = !matches!(kind, kind::LIST | kind::TRUE | kind::FALSE);
                (0..count).try_for_each(|_| {
                    if kind == kind::STRUCTURE {
                        visit(&self.path, Item::Structure);
                    }
                    if is_plain { self.value(kind, visit) } else { None }
                })
            }
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn skip(&mut self, length: u64) -> Option<()> {
        self.bytes = self.bytes.get(usize::try_from(length).ok()?..)?;
        Some(())
    }

    /// Reads an unsigned number: seven bits per byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        let last = self.byte().filter(|last| *last <= 1)?;
        Some(number | u64::from(last) << 63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(bytes: &[u8]) -> Option<Vec<(Vec<u8>, Item)>> {
        let mut items = Vec::new();
        Structures::new(bytes).next(&mut |path, item| items.push((path.to_vec(), item))).map(|()| items)
    }

    #[test]
    fn items_come_with_the_numbers_of_their_fields() {
        // 1: i32 -1; 3: [{2: i64 150}]; 4: true; 5: "a"
        let bytes = [0x15, 1, 0x29, 0x1c, 0x26, 0xac, 2, 0, 0x11, 0x18, 1, b'a', 0];
        let number = |path: &[u8], number| (path.to_vec(), Item::Number(number));
        let structure = (vec![3], Item::Structure);
        let list = [(vec![3], Item::List(1)), structure, number(&[3, 2], 150)];
        let expected = [&[number(&[1], -1)][..], &list, &[(vec![4], Item::Truth(true))]].concat();
        assert_eq!(items(&bytes), Some(expected));
        assert!((0..bytes.len()).all(|end| items(&bytes[..end]).is_none()), "each part of it breaks off");
    }

    #[test]
    fn what_could_be_meant_in_two_ways_is_refused() {
        assert_eq!(items(&[0x05, 2, 2, 0]), None, "a field whose number is written in full");
        assert_eq!(items(&[0x19, 0x21, 1, 1, 0]), None, "a list of truths");
        assert_eq!(items(&[0x1b, 0, 0]), None, "a map");
        assert_eq!(items(&[0x19, 0xf5, 0xff, 0xff, 3, 0]), None, "a list longer than the bytes");
        assert_eq!(items(&[0x1c; 64]), None, "structures without end");
    }
}
