//! Bit fields inside an integer. Each is a `Specifier` from `modular_bitfield`, positioned by `#[layout(bits = N)]`.
//!
//! Only the types of `modular_bitfield` are used, not its structures, because they store bytes in a fixed order, whereas a file may
//! use either order. Here the integer is read in the byte order of its structure, and each run is a shift and a mask. Bits that
//! match no value of an enum are an error when the integer is read, so the getters cannot fail later.

use crate::bits::{Named, Specifier};
use crate::error::Problem;
use crate::reference::{Bits, Book};
use binrw::io::{Read, Seek};
use binrw::{BinRead, BinResult, Endian};
use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;

/// A run of up to 64 bits. Implemented for every `Specifier` whose bits fit into a `u64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot stand in a bit field",
    label = "not a run of bits",
    note = "use `bool`, an unsigned integer, or one of `everybyte::bits::{{B1, …, B64}}`, or derive `everybyte::bits::Specifier` for it"
)]
pub trait Run {
    /// The width of the run in bits.
    const WIDTH: u32;

    /// The value of the run.
    type Value;

    /// The value with these bits; `None` if there is no such value. Bits above the width are zero.
    fn of_bits(bits: u64) -> Option<Self::Value>;

    /// The bits of a value; `None` if it has too many bits.
    fn bits(value: Self::Value) -> Option<u64>;
}

#[diagnostic::do_not_recommend]
impl<S: Specifier> Run for S
where
    S::Bytes: TryFrom<u64> + TryInto<u64>,
{
    const WIDTH: u32 = S::BITS as u32;
    type Value = S::InOut;

    #[inline]
    fn of_bits(bits: u64) -> Option<S::InOut> {
        S::from_bytes(bits.try_into().ok()?).ok()
    }

    #[inline]
    fn bits(value: S::InOut) -> Option<u64> {
        S::into_bytes(value).ok()?.try_into().ok()
    }
}

const fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// Extracts the bits of a bit field.
#[inline]
pub const fn bits_at(raw: u64, first: u32, width: u32) -> u64 {
    raw >> first & mask(width)
}

/// The value of a bit field.
///
/// # Panics
/// Panics if its bits match no value.
#[inline]
pub fn run_at<R: Run>(raw: u64, first: u32) -> R::Value {
    R::of_bits(bits_at(raw, first, R::WIDTH)).expect("the bits stand for a value")
}

/// The integer with a different value in a bit field.
///
/// # Panics
/// Panics if the value has more bits than the bit field.
#[inline]
pub fn with_run<R: Run>(raw: u64, first: u32, value: R::Value) -> u64 {
    let bits = R::bits(value).filter(|&bits| bits <= mask(R::WIDTH)).expect("the value has more bits than its field");
    raw & !(mask(R::WIDTH) << first) | bits << first
}

/// The name of a bit field and the reason why its bits are invalid; `None` if they are valid.
pub fn refused_run<R: Run>(raw: u64, first: u32, name: &'static str) -> Option<String> {
    let bits = bits_at(raw, first, R::WIDTH);
    R::of_bits(bits).is_none().then(|| format!("the bits of `{name}` are {bits:#x}, which stands for no value"))
}

/// Reads an integer that consists of bit fields.
pub fn read_runs<T, R: Read + Seek>(
    reader: &mut R,
    endian: Endian,
    refused: impl FnOnce(&T) -> Option<String>,
) -> BinResult<T>
where
    T: for<'a> BinRead<Args<'a> = ()>,
{
    let raw = T::read_options(reader, endian, ())?;
    match refused(&raw) {
        None => Ok(raw),
        Some(message) => {
            Err(binrw::Error::Custom { pos: reader.stream_position()?, err: Box::new(Problem::Invalid(message)) })
        }
    }
}

/// A bit field as shown by `Debug`: its value, or its bits if they match no value.
pub struct ShownRun<V>(Result<V, u64>);

impl<V> ShownRun<V> {
    /// Reads the bit field at a position of an integer.
    pub fn of<R: Run<Value = V>>(raw: u64, first: u32) -> Self {
        let bits = bits_at(raw, first, R::WIDTH);
        ShownRun(R::of_bits(bits).ok_or(bits))
    }
}

impl<V: Debug> Debug for ShownRun<V> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Ok(value) => value.fmt(f),
            Err(bits) => write!(f, "{bits:#x}"),
        }
    }
}

/// The names of a bit field's numbers. The names come from a code if `R` is [`Named`], which selects one of the
/// traits below.
pub struct NamesOf<R>(PhantomData<R>);

impl<R> Default for NamesOf<R> {
    fn default() -> Self {
        NamesOf(PhantomData)
    }
}

/// Selected for a code.
pub trait RunOfCodes {
    fn type_name(&self) -> &'static str;
    fn meaning(&self, bits: u64) -> &'static str;
    fn describe(&self, book: &mut Book);
}

impl<R: Named> RunOfCodes for NamesOf<R> {
    fn type_name(&self) -> &'static str {
        R::type_name()
    }

    fn meaning(&self, bits: u64) -> &'static str {
        R::meaning(bits)
    }

    fn describe(&self, book: &mut Book) {
        R::describe(book);
    }
}

/// Selected for a number or for a type whose names are unknown to everybyte.
pub trait RunOfNumbers {
    fn type_name(&self) -> &'static str {
        ""
    }

    fn meaning(&self, _bits: u64) -> &'static str {
        ""
    }

    fn describe(&self, _book: &mut Book) {}
}

impl<R> RunOfNumbers for &NamesOf<R> {}

/// A bit field whose position is not set yet. `codes` contains the names of its type and of its number.
pub fn run<R: Run>(name: &'static str, value: u64, doc: &'static str, codes: (&'static str, &'static str)) -> Bits {
    let (type_name, meaning) = codes;
    Bits {
        name: name.into(),
        first: 0,
        width: R::WIDTH,
        value,
        meaning: meaning.into(),
        type_name: type_name.into(),
        doc: doc.into(),
    }
}
