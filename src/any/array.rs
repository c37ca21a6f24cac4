//! Arrays whose format and element type are known only at run time.

use super::named::with_name;
use super::rooms::{known_format, refusal};
use crate::arrays::any::AnyArray;
use crate::arrays::items::Items;
use crate::arrays::selection::Selection;
use crate::arrays::sink::Stream;
use crate::b2nd;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::limits::{Deadline, Limits};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::idx::Idx;
use crate::npy::Npy;
use crate::options::{Handle, OpenOptions, Settings};
use crate::rawarray::{Order, RawArray};
use crate::types::dtype::{Dtype, Element};
use crate::types::item_type::ItemType;
use crate::types::scalar::Scalar;
use ndarray::{ArrayD, Dimension, SliceInfoElem};
use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

/// Declares the formats that hold one array: one line a format, with the type that reads its files. Where the handle is large, a
/// box holds it.
macro_rules! arrays {
    ($(#[$about:meta])* Array {
        $($(#[$doc:meta])* $([$condition:meta])? $format:ident($handle:ty) = $($reader:ident)::+ $(, $order:expr)?;)+
    }) => {
        $(#[$about])*
        #[derive(Debug)]
        #[non_exhaustive]
        pub enum Array<'a> {
            $($(#[$doc])* $(#[cfg($condition)])? $format($handle),)+
        }

        /// Reads the array of a file that is not inside gzip.
        pub(super) fn read_known<'a>(input: Input<'a>, settings: &Settings) -> Result<Array<'a>> {
            match known_format(&input) {
                $($(#[cfg($condition)])? Some(Format::$format) => {
                    <$($reader)::+<'static>>::read_with(input, settings).map(|array| Array::$format(array.into()))
                })+
                Some(format) => Err(Error::NoArray { format }),
                None => Err(refusal(&input)),
            }
        }

        impl<'a> Array<'a> {
            /// The array in memory of its own, in native byte order, in the shape as stored: in Fortran order where the first
            /// axis varies fastest.
            ///
            /// # Errors
            /// [`Error::WrongType`] if the elements are not `T`, [`Error::Limit`], [`Error::Io`]; of b2nd, as for
            /// [`b2nd::Array::to_array`].
            pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
                match self {
                    $($(#[cfg($condition)])? Array::$format(array) => array.to_array($($order)?),)+
                }
            }

            pub(crate) fn inner(&self) -> &(dyn AnyArray + 'a) {
                match self {
                    $($(#[cfg($condition)])? Array::$format(array) => {
                        let array: &$($reader)::+<'a> = array;
                        array
                    })+
                }
            }
        }
    };
}

arrays! {
    /// An array of any format that ndbytes reads.
    ///
    /// # Read a slice
    ///
    /// Only what holds selected elements is read and decoded:
    ///
    /// ```
    /// use ndarray::s;
    /// use ndbytes::Item;
    ///
    /// let array = ndbytes::open("samples/temperatures.b2nd")?.into_array()?;
    /// let mut morning = array.select(s![6..12, 0])?;
    /// let item_type = morning.item_type().clone();
    /// let bytes = morning.read(0, 6)?;
    /// println!("at 7 o'clock: {:?}", Item::at(bytes, 1, &item_type).scalar());
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    ///
    /// # Read all of it
    ///
    /// ```
    /// use ndarray::Ix3;
    ///
    /// let digits = ndbytes::open("samples/digits-idx3-ubyte.gz")?.into_array()?;
    /// let digits = digits.to_array_of::<u8, Ix3>()?;
    /// assert_eq!(digits.dim(), (10, 28, 28));
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    ///
    /// A handle of one format can do more: it lends views without a copy, or decodes a slice at once.
    Array {
        /// The array of an IDX file.
        Idx(Idx<'a>) = Idx;
        /// The array of a RawArray file.
        RawArray(RawArray<'a>) = RawArray, Order::Fortran;
        /// The array of a b2nd file, or folder.
        B2nd(Box<b2nd::Array<'a>>) = b2nd::Array;
        /// The array of a `.npy` file.
        Npy(Npy<'a>) = Npy;
        /// The array of the format of the tests.
        [test] Toy(crate::toy::Toy<'a>) = crate::toy::Toy;
    }
}

/// Reads the array of a file.
fn read_as<'a>(input: Input<'a>, settings: &Settings) -> Result<Array<'a>> {
    with_name(input, settings, |input| read_known(input, settings))
}

impl<'a> Array<'a> {
    /// Reads the array of something that was opened.
    ///
    /// # Errors
    /// As for [`open`](crate::open); [`Error::NoArray`] if it holds a table.
    pub fn read<K>(input: Input<'a>, options: &OpenOptions<K>) -> Result<Self> {
        let input = input.within(options.settings.limits);
        let deadline = input.budget().deadline();
        read_as(input, &options.settings).map_err(|error| Deadline::told(deadline, error))
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        self.inner().warnings()
    }

    /// The errors that were tolerated, because the options said so.
    pub fn tolerated(&self) -> &[Finding] {
        self.inner().tolerated()
    }

    /// [`Array::to_array`] with a fixed number of axes, such as [`ndarray::Ix2`](type@ndarray::Ix2).
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::WrongAxes`] if the array has another number of axes.
    pub fn to_array_of<T: Element, D: Dimension>(&self) -> Result<ndarray::Array<T, D>> {
        let (requested, stored) = (D::NDIM.unwrap_or(self.shape().len()), self.shape().len());
        if requested != stored {
            return Err(Error::WrongAxes { requested, stored });
        }
        Ok(self.to_array()?.into_dimensionality().expect("the number of axes is right"))
    }

    /// The format of the file.
    pub fn format(&self) -> Format {
        self.inner().format()
    }

    /// Length of each axis, as stored.
    pub fn shape(&self) -> &[usize] {
        self.inner().shape()
    }

    /// Returns whether the first axis varies fastest (Fortran order) rather than the last (C order).
    pub fn is_fortran_order(&self) -> bool {
        self.inner().is_fortran_order()
    }

    /// The type of the elements and the order of their bytes; elements with fields are raw bytes of their size.
    pub fn dtype(&self) -> Dtype {
        self.inner().dtype()
    }

    /// The type of the elements, which may have fields.
    pub fn item_type(&self) -> ItemType {
        self.inner().item_type()
    }

    /// The elements in C order of the shape, whatever the order in the file.
    pub fn items(&self) -> Box<dyn Items + '_> {
        self.inner().items()
    }

    /// Some of the elements, selected as ndarray does with `s![]`, in C order of the selection. An index removes its
    /// axis, a range with a negative step starts at its end. Only what holds selected elements is decoded.
    ///
    /// # Errors
    /// [`Error::Selection`] if the number of axes differs, [`Error::OutOfRange`].
    pub fn select(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<Box<dyn Items + '_>> {
        Ok(self.inner().select(Selection::new(self.shape(), slices.as_ref())?))
    }

    /// The bytes of all elements, decoded, in the order in which they are stored (b2nd: in C order); a bit is a byte.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped; for b2nd, as for [`b2nd::Array::to_bytes`].
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        self.inner().bytes()
    }

    /// One element, counted in the order in which they are stored (b2nd: in C order).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer, [`Error::Io`] if the file cannot be mapped; for b2nd, as for
    /// [`b2nd::Array::item`].
    pub fn scalar(&self, index: u64) -> Result<Scalar> {
        self.inner().scalar(index)
    }

    /// Writes the array as NumPy's `.npy`: same shape, order, element type and values. NumPy does not have 128-bit integers,
    /// half-precision complex numbers and brain floats: those become structures of their parts, or raw bytes.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for more than 64 axes, and for fields that overlap. [`Error::Invalid`] with the rule
    /// `limit-exceeded` if its length is over [`Limits::output`]. [`Error::Io`]. For b2nd, as for
    /// [`b2nd::Array::to_bytes`]. An array that is refused for its type or its length leaves no output.
    pub fn write_npy(&self, to: impl Write, limits: &Limits) -> Result<()> {
        self.inner().write_npy(&mut Stream(to), limits)
    }

    /// Writes the array to a `.npy` file that appears whole or not at all, as with
    /// [`replace_file`](crate::bytes::atomic::replace_file). Runs of zeros longer than a block of the disk take no room, if
    /// the file system supports that.
    ///
    /// # Errors
    /// As for [`Array::write_npy`]; also [`Error::Io`] if the disk has no room for it.
    pub fn export(&self, path: impl AsRef<Path>, limits: &Limits) -> Result<()> {
        crate::bytes::atomic::write_file(path.as_ref(), |file| self.inner().write_npy(file, limits))
    }

    /// The input in which the items stand one after the other as they are, and the first byte of the first one. `None`
    /// if they are encoded.
    #[doc(hidden)]
    pub fn plain_input(&self) -> Option<(&Input<'_>, u64)> {
        self.inner().plain()
    }

    /// The account of the array's budget.
    #[doc(hidden)]
    pub fn debit(&self) -> Debit<'_> {
        Debit::new(self.inner().budget())
    }
}
