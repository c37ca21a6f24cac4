//! Values that are read in place: numbers, arrays and boxes.

use super::frame::{Frame, element, element_of};
use super::viewed::Viewed;
use crate::error::ParseError;
use crate::reference::Layout;
use binrw::Endian;

macro_rules! numbers {
    ($($number:ident)*) => {$(
        impl Viewed for $number {
            type View<'a> = $number;
            type Args = ();

            #[inline]
            fn at(frame: Frame<'_>, (): ()) -> Result<$number, Box<ParseError>> {
                let bytes = *frame.first()?;
                Ok(match frame.endian() {
                    Endian::Little => $number::from_le_bytes(bytes),
                    Endian::Big => $number::from_be_bytes(bytes),
                })
            }

            #[inline]
            fn length(frame: Frame<'_>, (): ()) -> Result<usize, Box<ParseError>> {
                frame.fixed(size_of::<$number>())
            }

            fn agrees(view: &$number, value: Option<&$number>) -> Result<bool, Box<ParseError>> {
                // NaNs are equal if their bits are equal.
                Ok(value.is_none_or(|value| value.to_le_bytes() == view.to_le_bytes()))
            }
        }
    )*};
}

numbers!(u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64);

impl<T: Viewed, const N: usize> Viewed for [T; N]
where
    for<'a> T::View<'a>: Sized,
{
    type View<'a> = [T::View<'a>; N];
    type Args = T::Args;

    #[inline]
    fn at<'a>(frame: Frame<'a>, args: T::Args) -> Result<[T::View<'a>; N], Box<ParseError>> {
        if T::IS_BYTE {
            // This is a single value.
            frame.fixed(N)?;
        }
        let (mut rest, mut failed) = (frame, None);
        let views = std::array::from_fn(|index| {
            if failed.is_some() {
                return None;
            }
            let here = rest;
            let viewed = T::length(here, args).and_then(|length| {
                rest = rest.past(length);
                T::at(here, args)
            });
            viewed.map_err(|error| failed = Some(element_of::<T>(error, here, index))).ok()
        });
        match failed {
            Some(error) => Err(error),
            None => Ok(views.map(|view| view.unwrap_or_else(|| unreachable!("no element has failed")))),
        }
    }

    #[inline]
    fn length(frame: Frame<'_>, args: T::Args) -> Result<usize, Box<ParseError>> {
        if let Some(length) = <Self as Layout>::SIZE.and_then(|size| frame.holds(size)) {
            return Ok(length);
        }
        if T::IS_BYTE {
            return frame.fixed(N);
        }
        let (mut rest, mut length) = (frame, 0);
        for index in 0..N {
            let taken = T::length(rest, args).map_err(|error| element_of::<T>(error, rest, index))?;
            (rest, length) = (rest.past(taken), length + taken);
        }
        Ok(length)
    }

    fn agrees(view: &[T::View<'_>; N], value: Option<&Self>) -> Result<bool, Box<ParseError>> {
        let mut agree = true;
        for (index, view) in view.iter().enumerate() {
            agree &= T::agrees(view, value.map(|value| &value[index])).map_err(|error| element(error, index))?;
        }
        Ok(agree)
    }
}

impl<T: Viewed> Viewed for Box<T> {
    type View<'a> = T::View<'a>;
    type Args = T::Args;

    #[inline]
    fn at<'a>(frame: Frame<'a>, args: T::Args) -> Result<T::View<'a>, Box<ParseError>> {
        T::at(frame, args)
    }

    #[inline]
    fn length(frame: Frame<'_>, args: T::Args) -> Result<usize, Box<ParseError>> {
        T::length(frame, args)
    }

    fn agrees(view: &T::View<'_>, value: Option<&Self>) -> Result<bool, Box<ParseError>> {
        T::agrees(view, value.map(Box::as_ref))
    }
}
