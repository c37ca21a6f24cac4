//! The writer of NumPy's `.npy` files.

use super::elements::Elements;
use super::items::Items;
use super::sink::{Sink, Stream, begin, length, write_swapped};
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::types::dtype::{Dtype, ElementKind, LONGEST, NUMPY_AXES};
use crate::types::item_type::{ItemType, Structure, push_shape, quoted};
use everybyte::{
    Endian,
    bytes::{Region, Rest},
};
use ndbytes_schemas::npy::{Header, Npy, Text};
use std::io::Write;

/// The number of bytes that are copied at once.
const PIECE: u64 = 1 << 20;

/// The number of bytes before the text of a header whose length has 16 bits.
const SHORT: usize = Npy::MAGIC.len() + 4;
const LONG: usize = Npy::MAGIC.len() + 6;

/// What messages call the file.
const FILE: &str = "the .npy file";

/// Writes an array as `.npy`, in version 1.0 of the format, or in version 2.0 if the header is too long.
///
/// Elements keep their byte order. Types that NumPy does not have are converted to others. 128-bit integers and half-precision
/// complex numbers become structures of their parts. Brain floats become two raw bytes each (as `ml_dtypes` stores them), and bits
/// become booleans.
pub(crate) fn write(
    to: &mut dyn Sink,
    elements: &Elements<'_>,
    item_type: &ItemType,
    shape: &[u64],
    fortran_order: bool,
    limits: &Limits,
) -> Result<()> {
    let length = elements.byte_length();
    begin(to, FILE, &header(&literal(item_type)?, shape, fortran_order)?, length, limits)?;
    let is_swapped = is_swapped(elements.dtype);
    let mut piece = vec![0; length.min(PIECE) as usize];
    for start in (0..length).step_by(PIECE as usize) {
        piece.truncate((length - start).min(PIECE) as usize);
        elements.copy_bytes(start, &mut piece, if is_swapped { 2 } else { 1 })?;
        to.write_all(&piece)?;
    }
    Ok(to.flush()?)
}

impl dyn Items + '_ {
    /// Writes the items as NumPy's `.npy`, in C order. If the type of all items is a subarray, its axes are added to the shape.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for more than 64 axes, and for structures whose fields overlap or are not ordered by
    /// offset, which `.npy` cannot express. [`Error::Invalid`] with the `limit-exceeded` rule if their total length
    /// exceeds [`Limits::output`]. [`Error::Io`]. Otherwise, as for [`Items::read`].
    pub fn write_npy(&mut self, to: impl Write, limits: &Limits) -> Result<()> {
        write_items(&mut Stream(to), self, false, limits)
    }
}

/// Writes items of any type as `.npy`. For Fortran order, pass the items of the transposed array.
pub(crate) fn write_items(
    to: &mut dyn Sink,
    items: &mut dyn Items,
    fortran_order: bool,
    limits: &Limits,
) -> Result<()> {
    let mut shape: Vec<u64> = items.shape().iter().map(|&extent| extent as u64).collect();
    let mut item_type = items.item_type();
    if fortran_order {
        shape.reverse();
        if let ItemType::Subarray(_) = item_type {
            return Err(inexpressible("subarrays in Fortran order".into()));
        }
    }
    // Instead of arrays of subarrays, NumPy has arrays with more axes.
    while let ItemType::Subarray(subarray) = item_type {
        shape.extend(subarray.shape());
        item_type = subarray.item_type();
    }
    let is_swapped = matches!(item_type, ItemType::Plain(dtype) if is_swapped(*dtype));
    let header = header(&literal(item_type)?, &shape, fortran_order)?;
    begin(to, FILE, &header, length(items), limits)?;
    write_swapped(to, items, if is_swapped { 2 } else { 1 }, limits)
}

/// To NumPy, brain floats are raw bytes without a byte order, so they are always written little-endian.
pub(crate) fn is_swapped(dtype: Dtype) -> bool {
    dtype.kind == ElementKind::Bf16 && dtype.endian == Endian::Big
}

/// The magic, version, length and dictionary, padded so that the elements begin at a multiple of 64.
pub(crate) fn header(descr: &str, shape: &[u64], fortran_order: bool) -> Result<Vec<u8>> {
    if shape.len() > NUMPY_AXES {
        return Err(inexpressible(format!("{} axes, which exceed the maximum of 64", shape.len())));
    }
    let order = if fortran_order { "True" } else { "False" };
    let mut text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': ");
    push_shape(&mut text, shape);
    text.push_str(", }");

    // Versions 1 and 2 use Latin-1 and differ in the maximum header length; version 3 uses UTF-8.
    let latin: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
    let version = if latin.is_none() { 3 } else { 1 };
    let mut text = latin.unwrap_or_else(|| text.into_bytes());
    // Spaces and a newline follow, so that the elements begin at a multiple of 64.
    let padded = |fixed: usize| (fixed + text.len() + 1).next_multiple_of(64) - fixed;
    let (short, long) = (padded(SHORT), padded(LONG));
    let is_short = version == 1 && u16::try_from(short).is_ok();
    let length = if is_short { short } else { long };
    text.extend(std::iter::repeat_n(b' ', length - 1 - text.len()));
    text.push(b'\n');
    let (major, header) = match version {
        3 => (3, Header::Unicode { text: Text(text) }),
        _ if is_short => (1, Header::Short { text: Text(text) }),
        _ => (2, Header::Long { text: Text(text) }),
    };
    let file = Npy { major, minor: 0, header, payload: Region::default(), trailing: Rest::default() };
    everybyte::write(&file, Endian::Little).map_err(|_| inexpressible("a header over 4 GiB".into()))
}

/// Returns the error for a type that `.npy` files cannot describe.
fn inexpressible(what: String) -> Error {
    Error::Inexpressible { format: "NumPy", what }
}

/// Returns the type of items as a Python literal. A structure is a list of its fields and of the gaps between them.
pub(crate) fn literal(item_type: &ItemType) -> Result<String> {
    match item_type {
        // An empty array can declare items of any size, but NumPy's types have a maximum size.
        ItemType::Plain(dtype) if dtype.kind.size() > LONGEST => {
            Err(inexpressible(format!("items of {} bytes, which exceed the maximum of {LONGEST}", dtype.kind.size())))
        }
        ItemType::Plain(dtype) => Ok(descr(*dtype)),
        ItemType::Structure(structure) => fields(structure),
        ItemType::Subarray(subarray) => {
            let mut text = format!("({}, ", literal(subarray.item_type())?);
            push_shape(&mut text, subarray.shape());
            Ok(text + ")")
        }
    }
}

/// Returns the fields of a structure as a Python literal. Gaps become unnamed fields of type void, as in files that NumPy writes.
fn fields(structure: &Structure) -> Result<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut end = 0;
    let gap = |bytes: u64| format!("('', '|V{bytes}')");
    for field in structure.fields() {
        if field.offset < end {
            return Err(inexpressible("fields that overlap, or that are not in the order of their offsets".into()));
        }
        // NumPy treats such fields as gaps.
        let is_gap = matches!(
            field.item_type,
            ItemType::Plain(Dtype { kind: ElementKind::Record(_), .. }) | ItemType::Subarray(_)
        );
        if is_gap && field.name.is_empty() && field.title.is_none() {
            return Err(inexpressible("raw bytes or a subarray as a field without a name".into()));
        }
        parts.extend((field.offset > end).then(|| gap(field.offset - end)));
        let name = quoted(field.name.chars().map(u32::from));
        let name = match &field.title {
            Some(title) => format!("({}, {name})", quoted(title.chars().map(u32::from))),
            None => name,
        };
        let (item_type, shape) = match &field.item_type {
            ItemType::Subarray(subarray) => (subarray.item_type(), Some(subarray.shape())),
            item_type => (item_type, None),
        };
        let mut part = format!("({name}, {}", literal(item_type)?);
        if let Some(shape) = shape {
            part.push_str(", ");
            push_shape(&mut part, shape);
        }
        parts.push(part + ")");
        end = field.offset + field.item_type.size();
    }
    parts.extend((structure.size() > end).then(|| gap(structure.size() - end)));
    Ok(format!("[{}]", parts.join(", ")))
}

/// Returns a plain type as a Python literal.
pub(crate) fn descr(dtype: Dtype) -> String {
    let parts = |parts: [(&str, &str); 2]| {
        let order = if dtype.endian == Endian::Big { '>' } else { '<' };
        let [first, second] = parts.map(|(name, code)| format!("('{name}', '{order}{code}')"));
        format!("[{first}, {second}]")
    };
    let high = |high| match dtype.endian {
        Endian::Big => parts([("hi", high), ("lo", "u8")]),
        Endian::Little => parts([("lo", "u8"), ("hi", high)]),
    };
    match dtype.kind {
        ElementKind::I128 => high("i8"),
        ElementKind::U128 => high("u8"),
        ElementKind::Complex32 => parts([("re", "f2"), ("im", "f2")]),
        ElementKind::Bf16 => "'<V2'".into(),
        ElementKind::Bit => "'|b1'".into(),
        _ => format!("'{}'", dtype.descr()),
    }
}
