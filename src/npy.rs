//! NumPy's `.npy` files: what `export` writes.

use crate::elements::Elements;
use crate::{Dtype, Error, Kind, Result};
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
    if shape.len() > NUMPY_AXES {
        return Err(Error::Inexpressible { format: "NumPy", what: format!("{} axes: 64 are the most", shape.len()) });
    }
    let extents: String = shape.iter().map(|extent| format!("{extent}, ")).collect();
    let extents = if shape.len() == 1 { extents.trim_end() } else { extents.trim_end_matches(", ") };
    let (descr, order) = (descr(elements.dtype), if fortran_order { "True" } else { "False" });
    let dictionary = format!("{{'descr': {descr}, 'fortran_order': {order}, 'shape': ({extents}), }}");
    to.write_all(&header(&dictionary))?;

    // NumPy knows raw bytes by no order: those of brain floats are always little-endian.
    let swapped = elements.dtype.kind == Kind::Bf16 && elements.dtype.endian == Endian::Big;
    let length = elements.byte_length();
    let mut piece = vec![0; length.min(PIECE) as usize];
    for start in (0..length).step_by(PIECE as usize) {
        piece.truncate((length - start) as usize);
        elements.copy_bytes(start, &mut piece, if swapped { 2 } else { 1 })?;
        to.write_all(&piece)?;
    }
    Ok(to.flush()?)
}

/// Magic, version, length and dictionary, padded so that the elements begin at a multiple of 64.
fn header(dictionary: &str) -> Vec<u8> {
    let padded = |fixed: usize| (fixed + dictionary.len() + 1).next_multiple_of(64) - fixed;
    let mut header = b"\x93NUMPY".to_vec();
    let length = match u16::try_from(padded(10)) {
        Ok(length) => {
            header.extend([1, 0]);
            header.extend(length.to_le_bytes());
            usize::from(length)
        }
        Err(_) => {
            header.extend([2, 0]);
            header.extend((padded(12) as u32).to_le_bytes());
            padded(12)
        }
    };
    header.extend(dictionary.as_bytes());
    header.extend(std::iter::repeat_n(b' ', length - dictionary.len() - 1));
    header.push(b'\n');
    header
}

/// The type as a Python literal.
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
