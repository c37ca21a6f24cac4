//! Named contents that are written to a header or a trailer.

use super::inexpressible;
use crate::blosc2::metalayers::MOST;
use crate::blosc2::objects::OTHER_OBJECTS;
use crate::error::Result;
use everybyte::{Endian, bytes::Bytes, trace::length_of};
use ndbytes_schemas::b2nd::{METALAYER, OLD_METALAYER};
use ndbytes_schemas::blosc2::{Content, Directory, Entry, Int32, LONGEST_NAME, Marker, Metalayers, Name, Uint16};

/// The maximum number of bytes in the content of an attribute or a metalayer, which is the length of the largest block.
const LARGEST: usize = crate::blosc2::chunk::header::LARGEST_BLOCK as usize;

/// Named contents, in order.
#[derive(Debug, Clone, Default)]
pub struct Contents(Vec<(Name, Vec<u8>)>);

impl Contents {
    /// Adds a name with its content. `what` is the kind of content, and `taken` is the number of entries that are already used.
    ///
    /// # Errors
    /// [`Error::Inexpressible`](crate::error::Error::Inexpressible).
    pub fn push(&mut self, what: &str, taken: usize, name: &str, content: Vec<u8>) -> Result<()> {
        let named = Name::new(name.as_bytes()).filter(|_| !name.is_empty());
        let Some(named) = named else {
            return Err(inexpressible(format!("{what} of the name {name:?}: names have 1 to {LONGEST_NAME} bytes")));
        };
        if self.0.iter().any(|(other, _)| *other == named) {
            return Err(inexpressible(format!("a second {what} of the name {name:?}")));
        }
        let most = MOST - taken;
        if self.0.len() >= most {
            return Err(inexpressible(format!("over {most} {what}s: {name:?}")));
        }
        if content.is_empty() || content.len() > LARGEST {
            return Err(inexpressible(format!("{} bytes as the {what} {name:?}: 1 to {LARGEST}", content.len())));
        }
        self.0.push((named, content));
        Ok(())
    }

    /// Inserts a name with its content before all others. The name must be valid.
    pub fn push_front(&mut self, name: &[u8], content: Vec<u8>) {
        self.0.extend(Name::new(name).map(|name| (name, content)));
        self.0.rotate_right(1);
    }

    /// Returns whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The contents without their names, in order.
    pub fn contents(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|(_, content)| &content[..])
    }

    /// Returns the same names with changed contents.
    pub fn try_map(&self, change: impl Fn(&[u8]) -> Result<Vec<u8>>) -> Result<Self> {
        let changed = self.0.iter().map(|(name, content)| Ok((name.clone(), change(content)?)));
        changed.collect::<Result<_>>().map(Contents)
    }

    /// The directory of names and offsets. It must be written at `start`, relative to the byte that offsets are relative to. Its
    /// declared length exceeds the length of the names by `counted` bytes.
    pub fn layout(&self, start: u64, counted: u64) -> Result<Metalayers> {
        let entries = self.0.iter().map(|(name, _)| Entry { name: name.clone(), offset: Int32(0) });
        let contents =
            self.0.iter().map(|(_, content)| Content { head: Marker, bytes: Bytes::new(content.len() as u64) });
        let directory = Directory { length: Uint16(0), entries: entries.collect() };
        let mut layers = Metalayers { head: Marker, directory, contents: Vec::new() };
        let names = counted + length_of(&layers.directory, Endian::Big);
        layers.directory.length = Uint16(names as u16);
        layers.contents = contents.collect();
        let all: u64 = layers.contents.iter().map(|content| length_of(content, Endian::Big)).sum();
        let mut offset = start + length_of(&layers, Endian::Big) - all;
        for (entry, content) in layers.directory.entries.iter_mut().zip(&layers.contents) {
            let stands = i32::try_from(offset);
            entry.offset = Int32(stands.map_err(|_| inexpressible("metalayers of over 2^31 - 1 bytes".into()))?);
            offset += length_of(content, Endian::Big);
        }
        Ok(layers)
    }
}

/// Returns whether a metalayer with this name would turn a file into an object other than its array.
pub fn is_reserved(name: &str) -> bool {
    let name = name.as_bytes();
    name == METALAYER || name == OLD_METALAYER || OTHER_OBJECTS.iter().any(|other| name == other.metalayer)
}

/// Encodes a msgpack value.
pub fn msgpack(value: &rmpv::Value) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let written = rmpv::encode::write_value(&mut bytes, value);
    written.map_err(|error| inexpressible(format!("a value that is not msgpack: {error}")))?;
    Ok(bytes)
}
