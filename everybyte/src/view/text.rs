//! Borrowed texts and bytes.

use super::frame::Frame;
use super::viewed::Viewed;
use crate::error::ParseError;
use crate::fields::{
    Align, AlignArgs, Bytes, ClosedIn, Encoding, Ended, NulString, Padded, Padding, Region, RegionArgs, Rest, Text,
    Unpadded, Utf8, decoded,
};
use std::borrow::Cow;
use std::fmt;
use std::io::BufRead;
use std::marker::PhantomData;

/// A text borrowed from the bytes of a file; [`Text`] is the owned form.
///
/// ```
/// use everybyte::{Endian, text::{Padded, Text, Utf8}, view::view};
///
/// let name = view::<Text<Utf8, Padded<4, b' '>>>(b"CH  ", Endian::Little)?;
/// assert_eq!((name.text().as_deref(), name.bytes()), (Some("CH"), &b"CH  "[..]));
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub struct TextView<'a, E = Utf8, P = Unpadded> {
    bytes: &'a [u8],
    kind: PhantomData<fn() -> (E, P)>,
}

impl<'a, E: Encoding, P: Padding> TextView<'a, E, P> {
    fn new(bytes: &'a [u8]) -> Self {
        TextView { bytes, kind: PhantomData }
    }

    /// The text without its padding, borrowed if it is UTF-8; `None` if its bytes are not valid text.
    pub fn text(&self) -> Option<Cow<'a, str>> {
        decoded::<E, P>(self.bytes)
    }

    /// The bytes in the file, including padding.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl<E, P> Clone for TextView<'_, E, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E, P> Copy for TextView<'_, E, P> {}

impl<E, P> fmt::Debug for TextView<'_, E, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self.bytes))
    }
}

/// A type whose bytes are counted by a number or that takes all remaining bytes.
///
/// ```
/// use everybyte::{text::Text, view::OfBytesViewed};
///
/// assert_eq!(<Text as OfBytesViewed>::of(b"abc").text().as_deref(), Some("abc"));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no view of counted bytes",
    label = "this cannot be viewed",
    note = "a view counts the bytes of a `Vec<u8>` and of a `Text`, and the elements of a `Vec`"
)]
pub trait OfBytesViewed {
    /// The type of its view.
    type View<'a>: Clone;

    /// Creates the view of some bytes.
    fn of<'a>(bytes: &'a [u8]) -> Self::View<'a>;

    /// Returns whether the bytes equal the bytes of a value.
    fn agree(view: &Self::View<'_>, value: Option<&Self>) -> bool;
}

impl OfBytesViewed for Vec<u8> {
    type View<'a> = &'a [u8];

    #[inline]
    fn of(bytes: &[u8]) -> &[u8] {
        bytes
    }

    fn agree(view: &&[u8], value: Option<&Self>) -> bool {
        value.is_none_or(|value| value == view)
    }
}

impl<E: Encoding, P: Padding> OfBytesViewed for Text<E, P> {
    type View<'a> = TextView<'a, E, P>;

    fn of<'a>(bytes: &'a [u8]) -> TextView<'a, E, P> {
        TextView::new(bytes)
    }

    fn agree(view: &TextView<'_, E, P>, value: Option<&Self>) -> bool {
        value.is_none_or(|value| value.bytes() == view.bytes && value.text() == view.text())
    }
}

/// Returns the length up to and including the first occurrence of a byte.
fn ended(frame: Frame<'_>, byte: u8) -> Result<usize, Box<ParseError>> {
    // `skip_until` searches many bytes at a time.
    let mut rest = frame.bytes();
    let length = rest.skip_until(byte).unwrap_or(0);
    let is_ended = length > 0 && frame.bytes()[length - 1] == byte;
    if is_ended { Ok(length) } else { Err(frame.short(length as u64 + 1)) }
}

macro_rules! texts {
    ($($padding:ident [$($parameter:tt)*] [$($argument:ident),*] |$frame:ident| $length:expr;)*) => {$(
        impl<E: Encoding, $($parameter)*> Viewed for Text<E, $padding<$($argument),*>> {
            type View<'a> = TextView<'a, E, $padding<$($argument),*>>;
            type Args = ();

            fn at<'a>(frame: Frame<'a>, (): ()) -> Result<Self::View<'a>, Box<ParseError>> {
                Self::length(frame, ()).map(|length| TextView::new(&frame.bytes()[..length]))
            }

            fn length($frame: Frame<'_>, (): ()) -> Result<usize, Box<ParseError>> {
                $length
            }

            fn agrees(view: &Self::View<'_>, value: Option<&Self>) -> Result<bool, Box<ParseError>> {
                Ok(Self::agree(view, value))
            }
        }
    )*};
}

texts! {
    Ended [const BYTE: u8] [BYTE] |frame| ended(frame, BYTE);
    Padded [const N: usize, const BYTE: u8] [N, BYTE] |frame| frame.fixed(N);
    ClosedIn [const N: usize, const BYTE: u8] [N, BYTE] |frame| frame.fixed(N);
}

impl Viewed for NulString {
    type View<'a> = &'a [u8];
    type Args = ();

    fn at(frame: Frame<'_>, (): ()) -> Result<&[u8], Box<ParseError>> {
        ended(frame, 0).map(|length| &frame.bytes()[..length - 1])
    }

    fn length(frame: Frame<'_>, (): ()) -> Result<usize, Box<ParseError>> {
        ended(frame, 0)
    }

    fn agrees(view: &&[u8], value: Option<&Self>) -> Result<bool, Box<ParseError>> {
        Ok(value.is_none_or(|value| value.bytes() == *view))
    }
}

macro_rules! located {
    ($($of:ident($args:ty) |$frame:ident, $arguments:ident| $bytes:expr, |$value:ident| $length:expr;)*) => {$(
        impl Viewed for $of {
            type View<'a> = &'a [u8];
            type Args = $args;

            #[inline]
            fn at<'a>($frame: Frame<'a>, $arguments: $args) -> Result<&'a [u8], Box<ParseError>> {
                $bytes
            }

            #[inline]
            fn length(frame: Frame<'_>, args: $args) -> Result<usize, Box<ParseError>> {
                Self::at(frame, args).map(<[u8]>::len)
            }

            fn agrees(view: &&[u8], value: Option<&Self>) -> Result<bool, Box<ParseError>> {
                Ok(value.is_none_or(|$value| $length == view.len() as u64))
            }
        }
    )*};
}

located! {
    Bytes(RegionArgs) |frame, args| frame.counted(args.length), |value| value.length;
    Region(RegionArgs) |frame, args| frame.counted(args.length.min(frame.bytes().len() as u64)), |value| value.present;
    Rest(()) |frame, _args| Ok(frame.bytes()), |value| value.length;
}

impl<const N: u64, const BYTE: u8> Viewed for Align<N, BYTE> {
    type View<'a> = &'a [u8];
    type Args = AlignArgs;

    fn at<'a>(frame: Frame<'a>, args: AlignArgs) -> Result<&'a [u8], Box<ParseError>> {
        let needed = Self::alignment(args.from, args.to).needed(frame.start() as u64);
        frame.counted(needed).map_err(|_| frame.short(needed))
    }

    fn length(frame: Frame<'_>, args: AlignArgs) -> Result<usize, Box<ParseError>> {
        Self::at(frame, args).map(<[u8]>::len)
    }

    fn agrees(view: &&[u8], value: Option<&Self>) -> Result<bool, Box<ParseError>> {
        let other = view.iter().any(|&byte| byte != BYTE).then_some(*view);
        Ok(value.is_none_or(|value| value.other_bytes() == other))
    }
}
