//! The type of a field in generated code, with its minimum size, which only layouts have.
//!
//! Generated code never names the field type `T` alone, but always `Field<T, { T::MIN_SIZE }>`. If `T` is not a layout, that is not
//! a valid type, and the compiler reports it once instead of reporting one error for each trait that the code needs.

use crate::label::Label;
use crate::reading;
use crate::reference::Layout;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::fmt::Debug;
use std::marker::PhantomData;

/// A field of type `T`. `MIN_SIZE` is its minimum size in a layout, or 0 for a value that is not in the file.
pub struct Field<T, const MIN_SIZE: u64>(PhantomData<T>);

/// A field that is read and written as its type specifies, and the type of its value.
pub trait Readable {
    type Value: Layout;
    type Args<'a>;

    fn read<R: Read + Seek>(reader: &mut R, endian: Endian, args: Self::Args<'_>) -> BinResult<Self::Value>;
}

impl<T: BinRead + Layout, const MIN_SIZE: u64> Readable for Field<T, MIN_SIZE> {
    type Value = T;
    type Args<'a> = T::Args<'a>;

    #[inline]
    fn read<R: Read + Seek>(reader: &mut R, endian: Endian, args: T::Args<'_>) -> BinResult<T> {
        T::read_options(reader, endian, args)
    }
}

/// A field that is written as its type specifies, and the type of its value.
pub trait Writable {
    type Value;
    type Args<'a>;

    fn write<W: Write + Seek>(
        value: &Self::Value,
        writer: &mut W,
        endian: Endian,
        args: Self::Args<'_>,
    ) -> BinResult<()>;
}

impl<T: BinWrite, const MIN_SIZE: u64> Writable for Field<T, MIN_SIZE> {
    type Value = T;
    type Args<'a> = T::Args<'a>;

    fn write<W: Write + Seek>(value: &T, writer: &mut W, endian: Endian, args: T::Args<'_>) -> BinResult<()> {
        value.write_options(writer, endian, args)
    }
}

/// The arguments of a type that needs no arguments.
#[diagnostic::on_unimplemented(
    message = "this field is read with arguments, and none are given",
    label = "its arguments are missing",
    note = "add `#[br(args {{ length: … }})]`, with the names of its parameters, or `#[br(args(…))]` if they have no names; a text has `#[br(count = …)]`"
)]
pub trait NoArguments {
    fn none() -> Self;
}

#[diagnostic::do_not_recommend]
impl<T: Default> NoArguments for T {
    fn none() -> Self {
        T::default()
    }
}

/// The traits that every value implements.
pub trait Held {
    type Value;

    fn debug(value: &Self::Value) -> &dyn Debug;

    fn cloned(value: &Self::Value) -> Self::Value;

    fn equal(value: &Self::Value, other: &Self::Value) -> bool;
}

impl<T: Debug + Clone + PartialEq, const MIN_SIZE: u64> Held for Field<T, MIN_SIZE> {
    type Value = T;

    fn debug(value: &T) -> &dyn Debug {
        value
    }

    fn cloned(value: &T) -> T {
        value.clone()
    }

    fn equal(value: &T, other: &T) -> bool {
        value == other
    }
}

/// Generates values of a field.
#[cfg(feature = "arbitrary")]
pub trait Made<'a> {
    type Value;

    fn made(unstructured: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self::Value>;
}

#[cfg(feature = "arbitrary")]
impl<'a, T: arbitrary::Arbitrary<'a>, const MIN_SIZE: u64> Made<'a> for Field<T, MIN_SIZE> {
    type Value = T;

    fn made(unstructured: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<T> {
        T::arbitrary(unstructured)
    }
}

/// The maximum number of nested values.
#[cfg(feature = "arbitrary")]
const MOST_LEVELS: u32 = 64;

#[cfg(feature = "arbitrary")]
thread_local! {
    static LEVEL: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

/// Generates a value that may contain other values of its type.
#[cfg(feature = "arbitrary")]
pub fn nested<'a, T>(
    unstructured: &mut arbitrary::Unstructured<'a>,
    make: impl FnOnce(&mut arbitrary::Unstructured<'a>) -> arbitrary::Result<T>,
) -> arbitrary::Result<T> {
    let level = LEVEL.get();
    if level >= MOST_LEVELS {
        return Err(arbitrary::Error::NotEnoughData);
    }
    LEVEL.set(level + 1);
    let made = make(unstructured);
    LEVEL.set(level);
    made
}

/// Generates a number below `count`, which selects an alternative.
#[cfg(feature = "arbitrary")]
pub fn alternative_of(unstructured: &mut arbitrary::Unstructured<'_>, count: u64) -> arbitrary::Result<u64> {
    let number: u32 = unstructured.arbitrary()?;
    Ok((u64::from(number) * count) >> 32)
}

/// Returns a parser for a field that is read as its type specifies.
pub fn field<'a, F: Readable, R: Read + Seek>(
    label: &'static Label,
) -> impl Fn(&mut R, Endian, F::Args<'a>) -> BinResult<F::Value> {
    move |reader, endian, args| reading::field(reader, (label, endian), move |reader| F::read(reader, endian, args))
}

/// Like `field`, but for a field without arguments.
pub fn bare<F: Readable, R: Read + Seek>(label: &'static Label) -> impl Fn(&mut R, Endian, ()) -> BinResult<F::Value>
where
    for<'a> F::Args<'a>: NoArguments,
{
    move |reader, endian, ()| match reading::is_plain::<F::Value>() {
        true => reading::nested(reader, |reader| F::read(reader, endian, NoArguments::none())),
        false => attended::<F, R>(reader, endian, label),
    }
}

#[cold]
#[inline(never)]
fn attended<F: Readable, R: Read + Seek>(reader: &mut R, endian: Endian, label: &'static Label) -> BinResult<F::Value>
where
    for<'a> F::Args<'a>: NoArguments,
{
    reading::repeated(reader, (label, endian), |reader| F::read(reader, endian, NoArguments::none()))
}

/// Writes a field as its type specifies.
pub fn written<F: Writable, W: Write + Seek>(
    value: &F::Value,
    writer: &mut W,
    endian: Endian,
    args: F::Args<'_>,
) -> BinResult<()> {
    F::write(value, writer, endian, args)
}

/// Returns a parser for a field with its own parser.
pub fn recorded<V: Layout, A, R: Read + Seek>(
    label: &'static Label,
    parse: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| reading::parsed(reader, (label, endian), |reader| parse(reader, endian, args))
}
