//! Fields without their own nodes. Their parts belong to the enclosing structure.
//!
//! The layout determines how Rust groups fields; `inline` keeps the grouping out of the map, whose paths users see.
//! Alternatives are the difficult case: an inline enum that rejects a variant must drop that variant's parts, but keep
//! the earlier parts of the structure. That is what the base of a frame is for.

use super::limited::{Limited, within};
use super::lists::Text;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::label::Label;
use crate::name::Name;
use crate::peek;
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use crate::value::Value;
use binrw::io::{Read, Seek};
use binrw::{BinResult, Endian, VecArgs};

/// The position of a field without a node inside its structure.
#[derive(Debug, Clone, Copy)]
pub struct Inline {
    /// True if it is the only field. If it has no parts, its value is also the value of the structure.
    pub is_alone: bool,
    /// True if it has its own parser.
    pub is_parsed: bool,
}

/// Returns a parser for a field without its own node. The enclosing structure reports problems with its value.
pub fn inline<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    how: Inline,
    parse: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| {
        let parse = |reader: &mut R| match V::NATURE.deepens || how.is_parsed {
            true => reading::deeper(|| parse(reader, endian, args)),
            false => parse(reader, endian, args),
        };
        let parse = |reader: &mut R| recorder::among(|| parse(reader));
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            let made = generator::field(reader, (label, endian), true, parse)?;
            return made.ok_or_else(|| binrw::io::Error::from(binrw::io::ErrorKind::InvalidData).into());
        }
        let _ = label;
        if !peek::is_on() || (how.is_alone && V::NATURE.is_sequential && !how.is_parsed) {
            return parse(reader);
        }
        peek::merged(reader, how.is_alone, parse)
    }
}

/// Like `inline`, but for a field that takes this many bytes.
pub fn sized_inline<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    how: Inline,
    size: Option<u64>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    inline(label, Inline { is_parsed: true, ..how }, within(label, size, parse))
}

/// Like `inline`, but for text whose length in bytes the file states.
pub fn inline_counted<F: Text, R: Read + Seek>(
    label: &'static Label,
    how: Inline,
) -> impl Fn(&mut R, Endian, VecArgs<()>) -> BinResult<F::Value> {
    inline(label, how, |reader: &mut R, _, args: VecArgs<()>| F::read_bytes(reader, args.count))
}

/// The value of an alternative that takes it from its field. A structure has no value, so its name is shown.
pub fn value_or_name(value: &impl Layout, name: &'static str) -> Value {
    match value.value() {
        Value::None => Value::Name(Name::new(name)),
        value => value,
    }
}
