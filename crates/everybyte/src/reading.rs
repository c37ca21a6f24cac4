//! Fields and elements as they are read: with nodes of their own, glanced at, or made up.

use crate::depth;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::glance;
use crate::label::Label;
#[cfg(feature = "arbitrary")]
use crate::label::Show;
use crate::mode::{self, GLANCED_AT, JUDGED, RECORDED, TRACKED};
use crate::recorder;
use crate::reference::Layout;
use binrw::io::Seek;
use binrw::{BinResult, Endian};

/// The modes in which more happens to a field of this type than that it is read.
const fn concerns<V: Layout>(is_sequential: bool) -> u8 {
    let judged = if V::NATURE.is_sound { 0 } else { JUDGED | GLANCED_AT };
    let tracked = if is_sequential { 0 } else { GLANCED_AT };
    RECORDED | TRACKED | judged | tracked
}

/// Returns whether nothing happens to a field of this type, beside that it is read.
#[inline]
pub fn is_plain<V: Layout>() -> bool {
    !mode::has(const { concerns::<V>(V::NATURE.is_sequential) })
}

/// Reads a value, which may hold others of its type.
#[inline]
pub fn nested<V: Layout, R>(reader: &mut R, read: impl FnOnce(&mut R) -> BinResult<V>) -> BinResult<V> {
    if V::NATURE.deepens { deeper(|| read(reader)) } else { read(reader) }
}

/// Reads what may hold a structure of the type that it stands in.
pub fn deeper<T>(read: impl FnOnce() -> BinResult<T>) -> BinResult<T> {
    match depth::enter() {
        Ok(_level) => read(),
        Err(problem) => {
            // An alternative without a node drops its error.
            recorder::note(None, &problem);
            Err(depth::error(problem))
        }
    }
}

/// Reads a field the way its type says.
#[inline]
pub fn field<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&'static Label, Endian),
    read: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    match is_plain::<V>() {
        true => nested(reader, read),
        false => attended(reader, (label, endian), read),
    }
}

/// Reads a field that something happens to.
#[cold]
#[inline(never)]
pub fn attended<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&'static Label, Endian),
    read: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let read = |reader: &mut R| nested(reader, read);
    match mode::has(RECORDED) {
        true => traced(reader, (label, endian), read),
        false => unrecorded(reader, V::NATURE.is_sequential, read),
    }
}

/// The same for a field that can be read more than once: it is made up until it can be read.
pub fn repeated<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&'static Label, Endian),
    read: impl Fn(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    #[cfg(feature = "arbitrary")]
    if mode::has(RECORDED) && generator::is_on() {
        return generator::again(|is_last| {
            let read = |reader: &mut R| recorder::field(reader, label, |reader| nested(reader, &read));
            generator::field(reader, (label, endian), is_last, read)
        });
    }
    attended(reader, (label, endian), read)
}

/// Reads a field by a parser of its own. It may leave bytes out, and it may go deeper whatever its type.
pub fn parsed<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&'static Label, Endian),
    parse: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    let parse = |reader: &mut R| deeper(|| parse(reader));
    match mode::has(const { concerns::<V>(false) }) {
        false => parse(reader),
        true if mode::has(RECORDED) => traced(reader, (label, endian), parse),
        true => unrecorded(reader, false, parse),
    }
}

/// Reads a field under a node of its own. The bytes are made up for it, if a file is being made.
fn traced<V: Layout, R: Seek>(
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

/// Reads a field without a node of its own.
fn unrecorded<V: Layout, R: Seek>(
    reader: &mut R,
    is_sequential: bool,
    read: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<V> {
    glance::placed(reader, |reader| {
        let start = reader.stream_position()?;
        let value = match is_sequential || !glance::is_on() {
            true => read(reader)?,
            false => glance::tracked(reader, read)?.0,
        };
        recorder::judge(&value, start..reader.stream_position()?);
        Ok(value)
    })
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
        let label = Label {
            name,
            doc: "",
            role: None,
            is_key: false,
            sum: None,
            codec: None,
            show: Show::PLAIN,
            hints: &[],
            examples: &[],
        };
        return generator::again(|is_last| {
            let read = |reader: &mut R| recorder::element(reader, name, index, &read);
            generator::field(reader, (&label, endian), is_last, read)
        });
    }
    let _ = endian;
    recorder::element(reader, name, index, read)
}

/// Reads an element of a list without a node of its own.
#[inline]
pub fn plain_element<V: Layout, R: Seek>(reader: &mut R, read: impl FnOnce(&mut R) -> BinResult<V>) -> BinResult<V> {
    match needs_each::<V>() {
        false => read(reader),
        true => unrecorded(reader, V::NATURE.is_sequential, read),
    }
}

/// Returns whether something happens to the elements of a list, though they have no nodes.
#[inline]
pub fn needs_each<V: Layout>() -> bool {
    mode::has(const { concerns::<V>(V::NATURE.is_sequential) & !RECORDED })
}
