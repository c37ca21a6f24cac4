//! Values that are their own view: codes, bits, three-byte numbers and variable-length numbers.

use super::frame::Frame;
use crate::error::{ParseError, Problem};
use crate::fields::{I24, I48, Numeral, Placed, U24, U48, Varint, VarintKind, Zeros};
use crate::reference::Layout;
use crate::trace::read;
use binrw::BinRead;

/// Reads the value at the beginning of a frame, as its reader would.
#[inline]
pub fn value<T>(frame: Frame<'_>) -> Result<T, Box<ParseError>>
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let mut source = frame.source();
    match T::read_options(&mut source, frame.endian(), ()) {
        Ok(value) => Ok(value),
        Err(_) => Err(refused::<T>(frame)),
    }
}

/// The number of bytes of such a value.
#[inline]
pub fn value_length<T>(frame: Frame<'_>) -> Result<usize, Box<ParseError>>
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    if let Some(length) = T::SIZE.and_then(|size| frame.holds(size)) {
        return Ok(length);
    }
    let mut source = frame.source();
    if T::read_options(&mut source, frame.endian(), ()).is_err() {
        return Err(refused::<T>(frame));
    }
    Ok(usize::try_from(source.position()).unwrap_or(usize::MAX).saturating_sub(frame.start()))
}

/// Returns why a value cannot be read.
#[cold]
#[inline(never)]
fn refused<T>(frame: Frame<'_>) -> Box<ParseError>
where
    T: Layout + for<'a> BinRead<Args<'a> = ()>,
{
    let (bytes, length) = (frame.bytes(), usize::try_from(T::MIN_SIZE).unwrap_or(usize::MAX));
    match read::<T>(frame.source(), frame.endian(), ()).err().map(|error| error.problem) {
        Some(Problem::UnknownCode { .. }) => {
            let found = bytes.get(..length).unwrap_or_default().to_vec();
            frame.refused(T::MIN_SIZE, Problem::UnknownCode { found })
        }
        None | Some(Problem::End { .. }) => frame.short(T::MIN_SIZE.max(bytes.len() as u64 + 1)),
        Some(problem) => frame.refused(T::MIN_SIZE, problem),
    }
}

/// Implements [`Viewed`] for types whose view is the value.
#[doc(hidden)]
#[macro_export]
macro_rules! __viewed_values {
    ($([$($parameter:tt)*] $value:ty;)*) => {$(
        impl<$($parameter)*> $crate::view::Viewed for $value {
            type View<'a> = Self;
            type Args = ();

            #[inline]
            fn at(frame: $crate::view::Frame<'_>, (): ()) -> ::core::result::Result<Self, ::std::boxed::Box<$crate::ParseError>> {
                $crate::view::value(frame)
            }

            #[inline]
            fn length(
                frame: $crate::view::Frame<'_>,
                (): (),
            ) -> ::core::result::Result<usize, ::std::boxed::Box<$crate::ParseError>> {
                $crate::view::value_length::<Self>(frame)
            }

            fn agrees(
                view: &Self,
                value: ::core::option::Option<&Self>,
            ) -> ::core::result::Result<bool, ::std::boxed::Box<$crate::ParseError>> {
                ::core::result::Result::Ok(value.is_none_or(|value| value == view))
            }
        }
    )*};
}

__viewed_values! {
    [] U24;
    [] U48;
    [] I24;
    [] I48;
    [const N: usize] Zeros<N>;
    [K: VarintKind] Varint<K>;
    [const BASE: u32, const N: usize, P: Placed] Numeral<BASE, N, P>;
}
