//! Fields without nodes of their own: their parts are those of the structure around them.

use super::limited::{Limited, within};
use super::lists::Text;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::glance;
use crate::label::Label;
use crate::name::Name;
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use crate::value::Value;
use binrw::io::{Read, Seek};
use binrw::{BinResult, Endian, VecArgs};

/// How a field without a node stands in its structure.
#[derive(Debug, Clone, Copy)]
pub struct Inline {
    /// True if it is the only field: a value without parts is that of the structure.
    pub is_alone: bool,
    /// True if it is read by a parser of its own.
    pub is_parsed: bool,
}

/// A field that has no node of its own. What is wrong with its value is said by the structure around it.
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
        if !glance::is_on() || (how.is_alone && V::NATURE.is_sequential && !how.is_parsed) {
            return parse(reader);
        }
        glance::merged(reader, how.is_alone, parse)
    }
}

/// The same for a field that takes this many bytes.
pub fn sized_inline<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    how: Inline,
    size: Option<u64>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    inline(label, Inline { is_parsed: true, ..how }, within(label, size, parse))
}

/// The same for a text whose number of bytes the file declares.
pub fn inline_counted<F: Text, R: Read + Seek>(
    label: &'static Label,
    how: Inline,
) -> impl Fn(&mut R, Endian, VecArgs<()>) -> BinResult<F::Value> {
    inline(label, how, |reader: &mut R, _, args: VecArgs<()>| F::read_bytes(reader, args.count))
}

/// The value of an alternative that leaves it to its field. A structure has none: its name is shown.
pub fn value_or_name(value: &impl Layout, name: &'static str) -> Value {
    match value.value() {
        Value::None => Value::Name(Name::new(name)),
        value => value,
    }
}
