//! Owned bytes and elements whose number another field states.
//!
//! All reads of counted bytes go through [`counted_bytes`], which compares the count with the rest of the space and
//! with the bytes at hand before it allocates memory.

use super::region::{bytes_left, ensure_at_hand};
use crate::error::Problem;
use crate::reference::Layout;
use binrw::BinResult;
use binrw::io::{Read, Seek};

/// A list whose length a number states.
#[diagnostic::on_unimplemented(
    message = "the elements of this field are not counted by everybyte",
    note = "say how the number is computed: `#[bw(try_calc = …)]`"
)]
pub trait Counted {
    /// The number of its elements.
    fn count(&self) -> u64;
}

impl<T> Counted for Vec<T> {
    fn count(&self) -> u64 {
        self.len() as u64
    }
}

impl<T: Counted> Counted for Option<T> {
    fn count(&self) -> u64 {
        self.as_ref().map_or(0, T::count)
    }
}

/// A type whose bytes are counted.
#[diagnostic::on_unimplemented(
    message = "`count` belongs to a `Vec` or a `Text`",
    label = "this is not counted",
    note = "the length of `Bytes` and of `Region` is an argument: `#[br(args {{ length: … }})]`"
)]
pub trait OfBytes: Layout + Sized {
    /// Creates a value with these bytes.
    fn of_bytes(bytes: Vec<u8>) -> Self;

    /// Returns `length` bytes for a generated file, for types in which arbitrary bytes are not valid.
    #[doc(hidden)]
    fn made_up(_length: usize, _choose: &mut dyn FnMut(u64) -> u64) -> Option<Vec<u8>> {
        None
    }
}

impl OfBytes for Vec<u8> {
    fn of_bytes(bytes: Vec<u8>) -> Self {
        bytes
    }
}

/// Reads bytes whose number the file declares, if the space is long enough.
pub(crate) fn counted_bytes<R: Read + Seek>(reader: &mut R, count: usize) -> BinResult<Vec<u8>> {
    let left = bytes_left(reader)?;
    if count as u64 > left {
        let err = Box::new(Problem::TooMany { count: count as u64, element: 1, left });
        return Err(binrw::Error::Custom { pos: reader.stream_position()?, err });
    }
    ensure_at_hand(reader, count as u64)?;
    let mut bytes = vec![0; count];
    reader.read_exact(&mut bytes)?;
    Ok(bytes)
}
