//! Fields without nodes of their own: their parts are those of the structure around them.

use super::limited::{Limited, within};
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::label::Label;
use crate::name::Name;
use crate::reference::Layout;
use crate::value::Value;
use binrw::io::{Read, Seek};
use binrw::{BinResult, Endian};

/// A field that has no node of its own. What is wrong with its value is said by the structure around it.
pub fn inline<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    parse: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| {
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            let made = generator::field(reader, (label, endian), true, |reader| parse(reader, endian, args))?;
            return made.ok_or_else(|| binrw::io::Error::from(binrw::io::ErrorKind::InvalidData).into());
        }
        let _ = label;
        parse(reader, endian, args)
    }
}

/// The same for a field that takes this many bytes.
pub fn sized_inline<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    size: Option<u64>,
    parse: impl Fn(&mut Limited<'_>, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    inline(label, within(label, size, parse))
}

/// The value of an alternative that leaves it to its field. A structure has none: its name is shown.
pub fn value_or_name(value: &impl Layout, name: &'static str) -> Value {
    match value.value() {
        Value::None => Value::Name(Name::new(name)),
        value => value,
    }
}
