//! Fields and elements that are read under nodes of their own, and made up if a file is being made.

#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::label::Label;
use crate::recorder;
use crate::reference::Layout;
use binrw::io::Seek;
use binrw::{BinResult, Endian};

/// Reads a field under a node of its own. The bytes are made up for it, if a file is being made.
pub fn traced<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&'static Label, Endian),
    read: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    #[cfg(feature = "arbitrary")]
    if generator::is_on() {
        let read = |reader: &mut R| recorder::field(reader, label, read);
        let made = generator::field(reader, (label, endian), true, read)?;
        return made.ok_or_else(|| binrw::io::Error::from(binrw::io::ErrorKind::InvalidData).into());
    }
    let _ = endian;
    recorder::field(reader, label, read)
}

/// The same for a field that can be read more than once: it is made up until it can be read.
pub fn repeated<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&'static Label, Endian),
    read: impl Fn(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    #[cfg(feature = "arbitrary")]
    if generator::is_on() {
        return generator::again(|is_last| {
            let read = |reader: &mut R| recorder::field(reader, label, &read);
            generator::field(reader, (label, endian), is_last, read)
        });
    }
    traced(reader, (label, endian), read)
}

/// Reads an element of a list under a node of its own. If a file is being made, it is made up until it can be read.
pub fn element<V: Layout, R: Seek>(
    reader: &mut R,
    (name, index): (&'static str, u64),
    endian: Endian,
    read: impl Fn(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    #[cfg(feature = "arbitrary")]
    if generator::is_on() {
        let label = Label { name, doc: "", role: None, is_key: false, sum: None, hints: &[] };
        return generator::again(|is_last| {
            let read = |reader: &mut R| recorder::element(reader, name, index, &read);
            generator::field(reader, (&label, endian), is_last, read)
        });
    }
    let _ = endian;
    recorder::element(reader, name, index, read)
}
