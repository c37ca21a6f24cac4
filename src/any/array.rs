//! Arrays whose format and element type are known only at run time.
//!
//! [`Array`] is an enum rather than a trait object, so callers can match on the format and use methods that only one of the handles
//! has. Most of its methods go through [`AnyArray`], which every handle implements. `arrays!` lists the formats once.

use super::drivers::{known_format, refusal};
use super::named::with_name;
use crate::arrays::any::AnyArray;
use crate::arrays::items::Items;
use crate::arrays::selection::Selection;
use crate::arrays::sink::Stream;
use crate::b2nd;
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::limits::{Limits, told};
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::idx::Idx;
use crate::models::open::Tensor;
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

/// Declares the formats that contain one array: one line per format, with the type that reads its files. Large handles are boxed.
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
            /// Copies the array to memory, in native byte order and in the stored order: Fortran order if the first axis varies fastest.
            ///
            /// # Errors
            /// [`Error::WrongType`] if the elements are not `T`; [`Error::Limit`]; [`Error::Io`]. For b2nd, as for
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
    /// Only the parts that contain selected elements are read and decoded:
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
    /// The handles of individual formats can do more, such as lend views without a copy or decode a slice in one call.
    Array {
        /// The array of an IDX file.
        Idx(Idx<'a>) = Idx;
        /// The array of a RawArray file.
        RawArray(RawArray<'a>) = RawArray, Order::Fortran;
        /// The array of a b2nd file or directory.
        B2nd(Box<b2nd::Array<'a>>) = b2nd::Array;
        /// The array of a `.npy` file.
        Npy(Npy<'a>) = Npy;
        /// A tensor of a safetensors file: the only one, or the one that the address names.
        Safetensors(Box<Tensor<'a>>) = Tensor;
        /// A tensor of a GGUF file: the only one, or the one that the address names.
        Gguf(Box<Tensor<'a>>) = Tensor;
        /// The array of the format used in tests.
        [test] Toy(crate::toy::Toy<'a>) = crate::toy::Toy;
    }
}

/// Reads the array of a file.
fn read_as<'a>(input: Input<'a>, settings: &Settings) -> Result<Array<'a>> {
    with_name(input, settings, |input| read_known(input, settings))
}

impl<'a> Array<'a> {
    /// Reads the array of an open input.
    ///
    /// # Errors
    /// As for [`open`](crate::open); [`Error::NoArray`] if it contains a table.
    pub fn read<K>(input: Input<'a>, options: &OpenOptions<K>) -> Result<Self> {
        let input = input.within(options.settings.limits);
        let deadline = input.budget().deadline();
        read_as(input, &options.settings).map_err(|error| told(deadline, error))
    }

    /// Warnings: findings that did not prevent reading.
    pub fn warnings(&self) -> &[Finding] {
        self.inner().warnings()
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        self.inner().tolerated()
    }

    /// [`Array::to_array`] with a fixed number of axes, such as [`ndarray::Ix2`](type@ndarray::Ix2).
    ///
    /// # Errors
    /// As for [`Array::to_array`]; also [`Error::WrongAxes`] if the array has a different number of axes.
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

    /// The length of each axis, as stored.
    pub fn shape(&self) -> &[usize] {
        self.inner().shape()
    }

    /// Returns whether the first axis varies fastest (Fortran order) rather than the last (C order).
    pub fn is_fortran_order(&self) -> bool {
        self.inner().is_fortran_order()
    }

    /// The type and byte order of the elements; elements with fields are raw bytes of their size.
    pub fn dtype(&self) -> Dtype {
        self.inner().dtype()
    }

    /// The type of the elements, which may have fields.
    pub fn item_type(&self) -> ItemType {
        self.inner().item_type()
    }

    /// The elements in C order of the shape, regardless of their order in the file.
    pub fn items(&self) -> Box<dyn Items + '_> {
        self.inner().items()
    }

    /// Selects elements as ndarray does with `s![]`, in C order of the selection. An index removes its axis; a range
    /// with a negative step starts at its end. Only the parts that contain selected elements are decoded.
    ///
    /// # Errors
    /// [`Error::Selection`] if the number of axes differs; [`Error::OutOfRange`].
    pub fn select(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<Box<dyn Items + '_>> {
        Ok(self.inner().select(Selection::new(self.shape(), slices.as_ref())?))
    }

    /// The decoded bytes of all elements, in the order in which they are stored (b2nd: in C order). A bit becomes a byte.
    ///
    /// # Errors
    /// [`Error::Io`] if the file cannot be mapped; for b2nd, as for [`b2nd::Array::to_bytes`].
    pub fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        self.inner().bytes()
    }

    /// One element, given its index in the stored order (b2nd: in C order).
    ///
    /// # Errors
    /// [`Error::OutOfRange`] if there are fewer; [`Error::Io`] if the file cannot be mapped. For b2nd, as for
    /// [`b2nd::Array::item`].
    pub fn scalar(&self, index: u64) -> Result<Scalar> {
        self.inner().scalar(index)
    }

    /// Writes the array as NumPy's `.npy`, with the same shape, order, element type and values. NumPy does not have 128-bit
    /// integers, half-precision complex numbers or bfloat16. The first two become structures of their parts, and bfloat16 becomes
    /// raw bytes.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for more than 64 axes, and for overlapping fields. [`Error::Invalid`] with the
    /// `limit-exceeded` rule if the output would exceed [`Limits::output`]. [`Error::Io`]. For b2nd, as for
    /// [`b2nd::Array::to_bytes`]. If an array is refused because of its type or length, nothing is written.
    pub fn write_npy(&self, to: impl Write, limits: &Limits) -> Result<()> {
        self.inner().write_npy(&mut Stream(to), limits)
    }

    /// Writes the array to a `.npy` file that appears completely or not at all, like
    /// [`replace_file`](crate::bytes::atomic::replace_file). Runs of zeros longer than a disk block take no space if the file
    /// system supports sparse files.
    ///
    /// # Errors
    /// As for [`Array::write_npy`]; also [`Error::Io`] if there is not enough space on the disk.
    pub fn export(&self, path: impl AsRef<Path>, limits: &Limits) -> Result<()> {
        crate::bytes::atomic::write_file(path.as_ref(), |file| self.inner().write_npy(file, limits))
    }

    /// The input that stores the items consecutively and unencoded, and the offset of the first one. `None` if they are encoded.
    #[doc(hidden)]
    pub fn plain_input(&self) -> Option<(&Input<'_>, u64)> {
        self.inner().plain()
    }

    /// The debit for the array's memory.
    #[doc(hidden)]
    pub fn debit(&self) -> Debit<'_> {
        Debit::new(self.inner().budget())
    }
}
