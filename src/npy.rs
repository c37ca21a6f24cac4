//! NumPy's `.npy` files: what `export` writes.

use crate::elements::Elements;
use crate::item_type::push_shape;
use crate::swap::swap_in_place;
use crate::{Dtype, Error, ItemType, Items, Kind, Result, Structure, quoted};
use ndbytes_schemas::Endian;
use std::io::Write;

/// Bytes that are copied in one go.
const PIECE: u64 = 1 << 20;

/// NumPy's limit on the number of axes.
const NUMPY_AXES: usize = 64;

/// Writes an array as `.npy`: version 1.0 of the format, or 2.0 where the header is too long for it.
///
/// The elements stay as they are in the file, byte order included. What NumPy has no type for becomes what it can
/// hold: 128-bit integers and half-precision complex numbers are structures of their parts, brain floats are two raw
/// bytes (as `ml_dtypes` stores them), bits are booleans.
pub(crate) fn write(mut to: impl Write, elements: &Elements<'_>, shape: &[u64], fortran_order: bool) -> Result<()> {
    to.write_all(&header(&descr(elements.dtype), shape, fortran_order)?)?;
    let is_swapped = is_swapped(elements.dtype);
    let length = elements.byte_length();
    let mut piece = vec![0; length.min(PIECE) as usize];
    for start in (0..length).step_by(PIECE as usize) {
        piece.truncate((length - start) as usize);
        elements.copy_bytes(start, &mut piece, if is_swapped { 2 } else { 1 })?;
        to.write_all(&piece)?;
    }
    Ok(to.flush()?)
}

/// Writes items of any type as `.npy`, in C order.
pub(crate) fn write_items(to: &mut dyn Write, items: &mut dyn Items) -> Result<()> {
    let mut shape: Vec<u64> = items.shape().iter().map(|&extent| extent as u64).collect();
    let mut item_type = items.item_type();
    // NumPy has no arrays of subarrays: it has arrays of more axes.
    while let ItemType::Subarray(subarray) = item_type {
        shape.extend(subarray.shape());
        item_type = subarray.item_type();
    }
    to.write_all(&header(&literal(item_type)?, &shape, false)?)?;
    let is_swapped = matches!(item_type, ItemType::Plain(dtype) if is_swapped(*dtype));
    let (count, piece) = (items.count(), items.piece());
    let mut start = 0;
    while start < count {
        let asked = piece.min(count - start);
        let bytes = items.read(start, asked)?;
        if is_swapped {
            let mut bytes = bytes.to_vec();
            swap_in_place(&mut bytes, 2);
            to.write_all(&bytes)?;
        } else {
            to.write_all(bytes)?;
        }
        start += asked;
    }
    Ok(to.flush()?)
}

/// NumPy knows raw bytes by no order: those of brain floats are always little-endian.
fn is_swapped(dtype: Dtype) -> bool {
    dtype.kind == Kind::Bf16 && dtype.endian == Endian::Big
}

/// Magic, version, length and dictionary, padded so that the elements begin at a multiple of 64.
fn header(descr: &str, shape: &[u64], fortran_order: bool) -> Result<Vec<u8>> {
    if shape.len() > NUMPY_AXES {
        return Err(inexpressible(format!("{} axes: 64 are the most", shape.len())));
    }
    let order = if fortran_order { "True" } else { "False" };
    let mut text = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': ");
    push_shape(&mut text, shape);
    text.push_str(", }");

    // Versions 1 and 2 are in Latin-1, and differ in how long they may be; version 3 is in UTF-8.
    let latin: Option<Vec<u8>> = text.chars().map(|letter| u8::try_from(letter).ok()).collect();
    let version = if latin.is_none() { 3 } else { 1 };
    let dictionary = latin.unwrap_or_else(|| text.into_bytes());
    let padded = |fixed: usize| (fixed + dictionary.len() + 1).next_multiple_of(64) - fixed;
    let mut header = b"\x93NUMPY".to_vec();
    let length = match u16::try_from(padded(10)) {
        Ok(length) if version == 1 => {
            header.extend([1, 0]);
            header.extend(length.to_le_bytes());
            usize::from(length)
        }
        _ => {
            header.extend([version.max(2), 0]);
            header.extend((padded(12) as u32).to_le_bytes());
            padded(12)
        }
    };
    header.extend(&dictionary);
    header.extend(std::iter::repeat_n(b' ', length - dictionary.len() - 1));
    header.push(b'\n');
    Ok(header)
}

fn inexpressible(what: String) -> Error {
    Error::Inexpressible { format: "NumPy", what }
}

/// The type of items as a Python literal: of structures, the list of fields with what is between them.
fn literal(item_type: &ItemType) -> Result<String> {
    match item_type {
        ItemType::Plain(dtype) => Ok(descr(*dtype)),
        ItemType::Structure(structure) => fields(structure),
        ItemType::Subarray(subarray) => {
            let mut text = format!("({}, ", literal(subarray.item_type())?);
            push_shape(&mut text, subarray.shape());
            Ok(text + ")")
        }
    }
}

fn fields(structure: &Structure) -> Result<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut end = 0;
    let gap = |bytes: u64| format!("('', '|V{bytes}')");
    for field in structure.fields() {
        if field.offset < end {
            return Err(inexpressible("fields that overlap, or that are not in the order of their offsets".into()));
        }
        let is_raw = matches!(field.item_type, ItemType::Plain(Dtype { kind: Kind::Record(_), .. }));
        if is_raw && field.name.is_empty() {
            return Err(inexpressible("raw bytes as a field without a name".into()));
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

/// A plain type as a Python literal.
fn descr(dtype: Dtype) -> String {
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
        Kind::I128 => high("i8"),
        Kind::U128 => high("u8"),
        Kind::Complex32 => parts([("re", "f2"), ("im", "f2")]),
        Kind::Bf16 => "'<V2'".into(),
        Kind::Bit => "'|b1'".into(),
        _ => format!("'{}'", dtype.descr()),
    }
}
