//! The footer of a Parquet file, whose elements are counted before it becomes a structure in memory.
//!
//! A footer of a few kilobytes can describe millions of columns, and each becomes a structure of kilobytes in memory.
//! Here, the Thrift elements are only counted, and nothing is built; each has a cost, and the sum must fit the budget.
//! The nesting of groups is also bounded, because readers recurse for each level.

use super::thrift::{Item, Structures};
use super::{ensure, granted};
use crate::error::{Error, Result};
use ndbytes::Limits;
use parquet::file::reader::ChunkReader;

/// The first and last bytes of a file.
const MARK: &[u8; 4] = b"PAR1";

/// The number of bytes after the footer: its length, and the mark.
const END: u64 = 8;

/// The maximum memory for parts of the footer and the readers built from them.
mod memory {
    /// A column or a group of the schema.
    pub const ELEMENT: u64 = 4096;
    /// A column of a row group.
    pub const CHUNK: u64 = 1024;
    /// A row group.
    pub const GROUP: u64 = 256;
    /// Another element of a list.
    pub const OTHER: u64 = 64;
}

/// The maximum depth of nested groups. Readers recurse for each level.
const DEEPEST: usize = 64;

/// The paths of lists, and of properties of schema elements.
mod field {
    pub const SCHEMA: &[u8] = &[2];
    pub const CHILDREN: &[u8] = &[2, 5];
    pub const GROUPS: &[u8] = &[4];
    pub const CHUNKS: &[u8] = &[4, 1];
}

/// Checks the footer of a file. Returns the remaining memory for its values.
pub(super) fn judge(source: &impl ChunkReader, limits: &Limits) -> Result<u64> {
    let most = granted(limits, source.len());
    let needed = memory_of(source, most)?;
    Ok(most - needed.min(most))
}

/// Returns the bytes of the footer.
pub(crate) fn bytes(source: &impl ChunkReader) -> Result<bytes::Bytes> {
    let broken = |words: &str| Error::Broken(words.to_owned());
    let read = |place: u64, length: u64| {
        let length = usize::try_from(length).map_err(|error| broken(&error.to_string()))?;
        source.get_bytes(place, length).map_err(|error| broken(&error.to_string()))
    };
    let end = source.len().checked_sub(END).ok_or_else(|| broken("it is shorter than the end of a Parquet file"))?;
    let tail = read(end, END)?;
    let length = tail.first_chunk::<4>().map_or(0, |length| u64::from(u32::from_le_bytes(*length)));
    if !tail.ends_with(MARK) {
        return Err(broken("it does not end with \"PAR1\": it may be truncated"));
    }
    let start = end
        .checked_sub(length)
        .ok_or_else(|| Error::Broken(format!("its footer claims {length} bytes, but only {end} precede its end")))?;
    read(start, length)
}

fn memory_of(source: &impl ChunkReader, most: u64) -> Result<u64> {
    let footer = bytes(source)?;
    let mut needed = 2 * footer.len() as u64;
    let mut schema = Depth::default();
    let mut is_too_deep = false;
    let mut visit = |path: &[u8], item: Item| match (path, item) {
        (field::SCHEMA, Item::Structure) => is_too_deep |= !schema.enter(),
        (field::CHILDREN, Item::Number(children)) => schema.children = children,
        (_, Item::List(count)) => {
            let of_each = match path {
                field::SCHEMA => memory::ELEMENT,
                field::GROUPS => memory::GROUP,
                field::CHUNKS => memory::CHUNK,
                _ => memory::OTHER,
            };
            needed = needed.saturating_add((count as u64).saturating_mul(of_each));
        }
        _ => {}
    };
    let mut structures = Structures::new(&footer);
    let read = structures.next(&mut visit);
    is_too_deep |= !schema.enter();
    if read.is_none() {
        return Err(Error::Broken("its footer is not that of a Parquet file".into()));
    }
    if is_too_deep {
        return Err(Error::Broken(format!("its columns are nested in more than {DEEPEST} groups")));
    }
    ensure(needed, most, || "the footer, which describes the columns".into())?;
    Ok(needed)
}

/// The depth of an element of a flattened schema.
#[derive(Default)]
struct Depth {
    /// The number of children still to come, for each group around the next element.
    open: Vec<i64>,
    /// The number of children of the last element.
    children: i64,
}

impl Depth {
    /// Begins the next element. Returns false if it is too deep.
    fn enter(&mut self) -> bool {
        let children = std::mem::take(&mut self.children);
        if children > 0 {
            self.open.push(children);
        }
        while self.open.last().is_some_and(|left| *left == 0) {
            self.open.pop();
        }
        if let Some(left) = self.open.last_mut() {
            *left -= 1;
        }
        self.open.len() <= DEEPEST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_that_of_the_groups_around_an_element() {
        let mut depth = Depth::default();
        let mut depths = Vec::new();
        // a { b { c, d }, e }, f
        for children in [2, 2, 0, 0, 0, 0] {
            assert!(depth.enter());
            depths.push(depth.open.len());
            depth.children = children;
        }
        assert_eq!(depths, [0, 1, 2, 2, 1, 0]);
    }
}
