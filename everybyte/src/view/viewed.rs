//! The trait for layouts with views.

use super::frame::Frame;
use crate::error::ParseError;
use crate::format::Format;
use crate::reference::Layout;
use binrw::Endian;

/// A layout whose fields can be read in place. Implemented by `#[layout(view)]`.
///
/// ```
/// use everybyte::{Format, layout, view::Viewed};
///
/// #[layout(view)]
/// #[brw(big)]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// impl Format for Pair {
///     const NAME: &'static str = "pair";
/// }
///
/// assert_eq!(Pair::view(b"\x01\0\x02")?.b()?, 2);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no view",
    label = "this cannot be viewed",
    note = "declare it with `#[layout(view)]`, or `#[layout(…, view)]`; the section on views in everybyte's guide lists what a view cannot do"
)]
pub trait Viewed: Layout {
    /// The type that gives access to its fields: a view of a structure, or the value itself if it is a number.
    type View<'a>: Clone;

    /// The arguments that its reader needs.
    #[doc(hidden)]
    type Args: Copy;

    /// The view at the beginning of a frame.
    #[doc(hidden)]
    fn at<'a>(frame: Frame<'a>, args: Self::Args) -> Result<Self::View<'a>, Box<ParseError>>;

    /// The number of bytes that it takes.
    #[doc(hidden)]
    fn length(frame: Frame<'_>, args: Self::Args) -> Result<usize, Box<ParseError>>;

    /// Visits all fields. Returns whether they equal the fields of a value, if there is one.
    #[doc(hidden)]
    fn agrees(view: &Self::View<'_>, value: Option<&Self>) -> Result<bool, Box<ParseError>>;

    /// Views a file. Only fixed bytes at the beginning are checked, if there are any.
    ///
    /// # Errors
    /// Fails if these bytes differ.
    fn view(file: &[u8]) -> Result<Self::View<'_>, Box<ParseError>>
    where
        Self: Format + Viewed<Args = ()>,
    {
        view::<Self>(file, Self::BYTE_ORDER.of(file))
    }
}

/// Views a structure at the beginning of some bytes. The byte order applies to integers whose layouts do not state one.
///
/// ```
/// use everybyte::{Endian, layout, view::view};
///
/// #[layout(view)]
/// struct Pair {
///     a: u8,
///     b: u16,
/// }
///
/// assert_eq!(view::<Pair>(b"\x01\x02\0", Endian::Little)?.b()?, 2);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
///
/// # Errors
/// Fails if the layout begins with fixed bytes and they differ.
pub fn view<T: Viewed<Args = ()>>(bytes: &[u8], endian: Endian) -> Result<T::View<'_>, Box<ParseError>> {
    T::at(Frame::new(bytes, endian), ())
}
