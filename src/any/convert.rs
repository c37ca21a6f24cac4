//! Converts values to another numeric type.

use super::array::Array;
use crate::bytes::limits::Debit;
use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::types::dtype::{Dtype, Element, ElementKind};
use everybyte::Endian;
use half::{bf16, f16};
use ndarray::{ArrayD, IxDyn, ShapeBuilder};
use std::fmt::Debug;

/// A numeric type that values can be converted to: integers of up to 64 bits, `f32` and `f64`.
///
/// ```
/// let labels = ndbytes::open("samples/digits-idx1-ubyte")?.into_array()?; // of `u8`
/// assert_eq!(labels.to_array_as::<f32>()?[7], 7.0);
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub trait Number: Element {
    /// The value as this type; `None` if it does not fit.
    #[doc(hidden)]
    fn from_integer(value: i128) -> Option<Self>;

    /// The value as this type, rounded to the nearest; `None` for integers.
    #[doc(hidden)]
    fn from_float(value: f64) -> Option<Self>;
}

macro_rules! integers {
    ($($number:ty),*) => {$(
        impl Number for $number {
            fn from_integer(value: i128) -> Option<Self> {
                value.try_into().ok()
            }

            fn from_float(_: f64) -> Option<Self> {
                None
            }
        }
    )*};
}

macro_rules! floats {
    ($($number:ty),*) => {$(
        impl Number for $number {
            fn from_integer(value: i128) -> Option<Self> {
                Some(value as $number)
            }

            fn from_float(value: f64) -> Option<Self> {
                Some(value as $number)
            }
        }
    )*};
}

integers!(i8, i16, i32, i64, u8, u16, u32, u64);
floats!(f32, f64);

impl Array<'_> {
    /// Copies the array to memory as `T`, regardless of the stored number type. Values that become integers must fit; values that
    /// become floats are rounded to the nearest. Booleans become 0 and 1.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the elements are not numbers, or are floats and `T` is an integer. [`Error::Unfit`] if a
    /// value does not fit. [`Error::Limit`] if the converted array exceeds [`Limits::memory`](crate::Limits::memory).
    /// Otherwise, as for [`Array::to_array`].
    pub fn to_array_as<T: Number>(&self) -> Result<ArrayD<T>> {
        let (stored, requested) = (self.dtype(), Dtype::new(T::KIND, Endian::NATIVE));
        let is_float =
            matches!(stored.kind, ElementKind::F16 | ElementKind::Bf16 | ElementKind::F32 | ElementKind::F64);
        if is_float && T::from_float(0.0).is_none() {
            return Err(Error::WrongType { requested, stored });
        }
        match stored.kind {
            kind if kind == T::KIND => self.to_array(),
            ElementKind::I8 => self.each::<i8, T>(|value| T::from_integer(value.into())),
            ElementKind::I16 => self.each::<i16, T>(|value| T::from_integer(value.into())),
            ElementKind::I32 => self.each::<i32, T>(|value| T::from_integer(value.into())),
            ElementKind::I64 => self.each::<i64, T>(|value| T::from_integer(value.into())),
            ElementKind::I128 => self.each::<i128, T>(T::from_integer),
            ElementKind::U8 => self.each::<u8, T>(|value| T::from_integer(value.into())),
            ElementKind::U16 => self.each::<u16, T>(|value| T::from_integer(value.into())),
            ElementKind::U32 => self.each::<u32, T>(|value| T::from_integer(value.into())),
            ElementKind::U64 => self.each::<u64, T>(|value| T::from_integer(value.into())),
            ElementKind::U128 => self.each::<u128, T>(|value| T::from_integer(value.try_into().ok()?)),
            ElementKind::F16 => self.each::<f16, T>(|value| T::from_float(value.into())),
            ElementKind::Bf16 => self.each::<bf16, T>(|value| T::from_float(value.into())),
            ElementKind::F32 => self.each::<f32, T>(|value| T::from_float(value.into())),
            ElementKind::F64 => self.each::<f64, T>(T::from_float),
            ElementKind::Bool | ElementKind::Bit => {
                self.converted(&self.bytes()?, |byte: u8| T::from_integer((byte != 0).into()))
            }
            _ => Err(Error::WrongType { requested, stored }),
        }
    }

    /// Converts each element. An error names the first element that the target type cannot represent.
    fn each<S: Element + Debug, T: Number>(&self, convert: impl Fn(S) -> Option<T>) -> Result<ArrayD<T>> {
        let array = self.to_array()?;
        self.converted(array.as_slice_memory_order().expect("the array was just filled"), convert)
    }

    /// Converts elements in array order.
    fn converted<S: Copy + Debug, T: Number>(
        &self,
        stored: &[S],
        convert: impl Fn(S) -> Option<T>,
    ) -> Result<ArrayD<T>> {
        let (what, needed) = ("the converted array", (stored.len() as u64).saturating_mul(size_of::<T>() as u64));
        // The debit ends here, because the result belongs to the caller.
        Debit::new(self.inner().budget()).take(needed, what)?;
        let mut converted = memory::zeros(stored.len()).ok_or(Error::Limit { what, needed, left: 0 })?;
        for (place, &value) in converted.iter_mut().zip(stored) {
            let requested = Dtype::new(T::KIND, Endian::NATIVE);
            *place = convert(value).ok_or_else(|| Error::Unfit { value: format!("{value:?}"), requested })?;
        }
        let shape = IxDyn(self.shape()).set_f(self.is_fortran_order());
        Ok(ArrayD::from_shape_vec(shape, converted).expect("as many elements as the shape has"))
    }
}
