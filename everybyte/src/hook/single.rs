//! Single values: fixed bytes, and values for which some bytes are invalid.

use crate::error::Problem;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::reference::Layout;
use crate::terms::Form;
use crate::trace::write;
use binrw::io::{Read, Seek};
use binrw::{BinRead, BinResult, BinWrite, Endian};

/// Reads one of several allowed values. If the value is not among them, the error names the first allowed value.
#[inline]
pub fn one_of<V, R: Read + Seek>(reader: &mut R, endian: Endian, expected: &[V]) -> BinResult<V>
where
    V: PartialEq + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    let pos = reader.stream_position()?;
    #[cfg(feature = "arbitrary")]
    if generator::is_on()
        && let Some(first) = expected.first()
    {
        generator::put(pos, &write(first, endian)?);
    }
    let found = V::read_options(reader, endian, ())?;
    match expected.contains(&found) {
        true => Ok(found),
        false => Err(unexpected(pos, endian, expected.first(), &found)),
    }
}

#[cold]
fn unexpected<V>(pos: u64, endian: Endian, expected: Option<&V>, found: &V) -> binrw::Error
where
    V: for<'a> BinWrite<Args<'a> = ()>,
{
    let expected = expected.map(|expected| bytes(expected, Some(endian))).unwrap_or_default();
    binrw::Error::Custom { pos, err: Box::new(Problem::WrongMagic { expected, found: bytes(found, Some(endian)) }) }
}

/// The bytes of a value. The byte order matters only if the declaration states it.
pub fn bytes<V>(value: &V, endian: Option<Endian>) -> Vec<u8>
where
    V: for<'a> BinWrite<Args<'a> = ()>,
{
    write(value, endian.unwrap_or(Endian::Little)).unwrap_or_default()
}

/// The form of a value in this byte order. Only numbers have a byte order.
pub fn ordered_form<T: Layout>(order: Endian) -> Form {
    ordered(order, T::form())
}

/// Returns the form with this order for numbers of several bytes, including numbers in elements and structures.
fn ordered(order: Endian, form: Form) -> Form {
    match form {
        Form::List(element) => Form::List(Box::new(ordered(order, *element))),
        Form::Array(count, element) => Form::Array(count, Box::new(ordered(order, *element))),
        Form::Integer { size: 2.., .. } | Form::Float { .. } | Form::Page(..) => Form::Ordered(order, Box::new(form)),
        form => form,
    }
}

/// The form of a value that follows fixed bytes, if a single form can describe both.
pub fn single_form<T: Layout>(magic: &[u8], order: Option<Endian>, is_one_of: bool) -> Form {
    let form = order.map_or_else(T::form, ordered_form::<T>);
    match *magic {
        [] if !is_one_of => form,
        [mark] if !is_one_of && T::IS_NUMBER => Form::Marked(mark, Box::new(form)),
        _ => Form::Opaque(T::SIZE.map(|size| size + magic.len() as u64)),
    }
}
