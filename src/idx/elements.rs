//! Writes the header and the elements of an array.

use crate::bytes::swap::swap_in_place;
use crate::error::{Error, Result};
use crate::types::dtype::Element;
use everybyte::{
    Endian,
    bytes::{Region, Zeros},
};
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::idx as layout;
use ndbytes_schemas::idx::ElementType;
use std::io::Write;

/// The number of elements that are swapped and written at once.
const PIECE: usize = 64 << 10;

/// A Rust type that corresponds to an IDX element type: `u8`, `i8`, `i16`, `i32`, `f32` or `f64`.
pub trait IdxElement: Element {
    /// The element type.
    const ELEMENT_TYPE: ElementType;
}

macro_rules! idx_elements {
    ($($element:ty => $element_type:ident),*) => {$(
        impl IdxElement for $element {
            const ELEMENT_TYPE: ElementType = ElementType::$element_type;
        }
    )*};
}

idx_elements!(u8 => U8, i8 => I8, i16 => I16, i32 => I32, f32 => F32, f64 => F64);

/// Returns the header of an array. The payload follows it.
pub(crate) fn header<T: IdxElement>(shape: &[usize]) -> Result<Vec<u8>> {
    header_of(T::ELEMENT_TYPE, shape)
}

/// Returns the header of an array whose element type is known at run time.
pub(crate) fn header_of(element_type: ElementType, shape: &[usize]) -> Result<Vec<u8>> {
    if shape.len() > usize::from(u8::MAX) {
        return Err(inexpressible(format!("{} axes, which exceed the maximum of 255", shape.len())));
    }
    let extent = |&extent: &usize| u32::try_from(extent).map_err(|_| inexpressible(format!("a dimension of {extent}")));
    let dims = shape.iter().map(extent).collect::<Result<_>>()?;
    let header = layout::Idx { zero: Zeros::default(), element_type, dims, payload: Region::default() };
    Ok(encode(&header, Endian::Big))
}

pub(crate) fn encode<T>(value: &T, endian: Endian) -> Vec<u8>
where
    T: for<'a> everybyte::BinWrite<Args<'a> = ()>,
{
    everybyte::write(value, endian).expect("its counts were checked")
}

pub(crate) fn inexpressible(what: impl Into<String>) -> Error {
    Error::Inexpressible { format: "IDX", what: what.into() }
}

/// Writes the elements of an array in logical order, as big-endian.
pub(crate) fn write_elements<T: IdxElement, D: Dimension>(
    to: &mut (impl Write + ?Sized),
    array: &ArrayRef<T, D>,
) -> Result<()> {
    if let Some(elements) = array.as_slice() {
        return write_slice(to, elements);
    }
    let mut elements = array.iter().copied();
    loop {
        let piece: Vec<T> = elements.by_ref().take(PIECE).collect();
        if piece.is_empty() {
            return Ok(());
        }
        write_slice(to, &piece)?;
    }
}

/// Writes elements as big-endian.
pub(crate) fn write_slice<T: IdxElement>(to: &mut (impl Write + ?Sized), elements: &[T]) -> Result<()> {
    let width = if cfg!(target_endian = "big") { 1 } else { T::KIND.swapped() };
    let mut buffer = Vec::new();
    for piece in elements.chunks(PIECE) {
        let bytes: &[u8] = bytemuck::cast_slice(piece);
        if width == 1 {
            to.write_all(bytes)?;
        } else {
            buffer.clear();
            buffer.extend_from_slice(bytes);
            swap_in_place(&mut buffer, width);
            to.write_all(&buffer)?;
        }
    }
    Ok(())
}
