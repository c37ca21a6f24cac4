//! Compares views with readers, for tests.

use super::viewed::{Viewed, view};
use crate::error::ParseError;
use crate::source::Source;
use crate::trace::read;
use binrw::{BinRead, Endian};
use std::mem::discriminant;

/// Compares the view of some bytes with the result of the reader. Either all fields or both errors must be equal. This
/// is meant for tests, because it reads everything.
///
/// ```
/// use everybyte::view::agreement;
/// use everybyte::{Endian, layout};
///
/// #[layout(view)]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// assert_eq!(agreement::<Pair>(b"\x01\x02\0", Endian::Little), Ok(()));
/// assert_eq!(agreement::<Pair>(b"\x01\x02", Endian::Little), Ok(()));
/// ```
///
/// # Errors
/// Returns how they differ, if they do.
pub fn agreement<T>(bytes: &[u8], endian: Endian) -> Result<(), String>
where
    T: Viewed<Args = ()> + for<'a> BinRead<Args<'a> = ()>,
{
    let value = read::<T>(Source::new(bytes), endian, ());
    let viewed = view::<T>(bytes, endian).and_then(|view| T::agrees(&view, value.as_ref().ok()));
    match (value, viewed) {
        (Ok(_), Ok(true)) => Ok(()),
        (Ok(_), Ok(false)) => Err("the view has other values than the reader".to_owned()),
        (Ok(_), Err(error)) => Err(format!("the reader reads it, and the view does not: {error}")),
        (Err(error), Ok(_)) => Err(format!("the view has all fields, and the reader does not: {error}")),
        (Err(read), Err(viewed)) if is_same(&read, &viewed) => Ok(()),
        (Err(read), Err(viewed)) => Err(format!("the reader says {read:?}, and the view {viewed:?}")),
    }
}

/// Returns whether two errors report the same problem with the same field. They may state different minimum numbers of bytes.
fn is_same(read: &ParseError, viewed: &ParseError) -> bool {
    let is_same_problem = discriminant(&read.problem) == discriminant(&viewed.problem);
    is_same_problem && (&read.path, read.offset) == (&viewed.path, viewed.offset)
}
