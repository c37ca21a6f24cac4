//! Variable-length integers.
//!
//! A value keeps the number of bytes that it was read from. Most encodings can write a small number in more bytes than
//! necessary, and some writers do, to reserve room for a larger number. Without the length, such a file could not be
//! written back unchanged.

use crate::coding::{Coding, LONGEST};
use crate::reference::{Layout, Nature};
use crate::terms::Form;
use crate::value::Value;
use binrw::io::{Read, Seek, Write};
use binrw::{BinRead, BinResult, BinWrite, Endian};
use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// A kind of variable-length number.
pub trait VarintKind: 'static {
    /// Its encoding.
    const CODING: Coding;

    /// `u64`, or `i64` if there is a sign.
    type Value: Copy + Into<i128> + TryFrom<i128>;
}

/// A variable-length number of at most ten bytes. It keeps its length in bytes, because zero, for example, can also
/// be written as `80 00`.
///
/// ```
/// use everybyte::varint::Vlq;
///
/// let ticks = Vlq::from(200_u64);
/// assert_eq!((ticks.value(), ticks.is_overlong()), (200, false));
/// ```
pub struct Varint<K> {
    /// The number in two's complement.
    bits: u64,
    length: u8,
    kind: PhantomData<fn() -> K>,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $Name:ident = $Kind:ident: $coding:ident of $integer:ty;)*) => {$(
        #[doc = concat!("The kind of a [`", stringify!($Name), "`].")]
        #[derive(Debug, Clone, Copy)]
        pub enum $Kind {}

        impl VarintKind for $Kind {
            const CODING: Coding = Coding::$coding;
            type Value = $integer;
        }

        $(#[$doc])*
        pub type $Name = Varint<$Kind>;

        impl From<$integer> for $Name {
            fn from(value: $integer) -> Self {
                Varint::new(value)
            }
        }
    )*};
}

kinds! {
    /// An unsigned LEB128 number: seven bits per byte, lowest first.
    Leb128 = UnsignedGroups: Leb128 of u64;
    /// A signed LEB128 number, in two's complement.
    Sleb128 = SignedGroups: Sleb128 of i64;
    /// A signed number as in protobuf and Avro, with the sign in the lowest bit.
    Zigzag = ZigzagGroups: Zigzag of i64;
    /// A number as in MIDI: seven bits per byte, highest first.
    Vlq = HighestFirst: Vlq of u64;
    /// An offset in a Git pack, which has exactly one encoding.
    GitOffset = OneForm: Git of u64;
    /// An EBML size of at most eight bytes. A number of all ones means an unknown size. Numbers of 2^56 - 1 and above cannot be
    /// encoded and are written as an unknown size.
    EbmlSize = Marked: Ebml of u64;
}

impl<K: VarintKind> Varint<K> {
    /// Creates a number that takes the minimum number of bytes.
    pub fn new(value: K::Value) -> Self {
        let value: i128 = value.into();
        let value = value.min(K::CODING.range().1);
        Varint { bits: value as u64, length: K::CODING.shortest(value) as u8, kind: PhantomData }.within()
    }

    /// Like [`new`](Self::new), but with a length that the encoding allows.
    fn within(self) -> Self {
        Varint { length: if K::CODING == Coding::Ebml { self.length.min(8) } else { self.length }, ..self }
    }

    /// The value, with the sign that the encoding implies.
    fn number(&self) -> i128 {
        if K::CODING.is_signed() { (self.bits as i64).into() } else { self.bits.into() }
    }

    /// The number.
    pub fn value(self) -> K::Value {
        K::Value::try_from(self.number()).unwrap_or_else(|_| unreachable!("it was made of such a number"))
    }

    /// The number of bytes that it takes.
    pub fn length(self) -> u64 {
        self.length.into()
    }

    /// Returns whether fewer bytes would suffice.
    pub fn is_overlong(self) -> bool {
        // Most numbers have one byte, and no encoding has a shorter form.
        self.length > 1 && usize::from(self.length) > K::CODING.shortest(self.number())
    }

    /// Returns whether it is EBML's unknown size.
    pub fn is_unknown(self) -> bool {
        K::CODING == Coding::Ebml && self.bits == (1 << (7 * self.length)) - 1
    }
}

impl<K> Clone for Varint<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Varint<K> {}

impl<K> PartialEq for Varint<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.bits, self.length) == (other.bits, other.length)
    }
}

impl<K> Eq for Varint<K> {}

impl<K> Hash for Varint<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.bits, self.length).hash(state);
    }
}

impl<K: VarintKind> fmt::Debug for Varint<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Varint").field("value", &self.number()).field("length", &self.length).finish()
    }
}

impl<K: VarintKind> Default for Varint<K> {
    fn default() -> Self {
        Varint { bits: 0, length: 1, kind: PhantomData }
    }
}

impl<K: VarintKind> BinRead for Varint<K> {
    type Args<'a> = ();

    fn read_options<R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<Self> {
        let (mut bytes, mut length) = ([0; LONGEST], 0);
        loop {
            reader.read_exact(&mut bytes[length..=length])?;
            length += 1;
            // Most numbers have one byte.
            if length == 1 && bytes[0] < 0x80 && matches!(K::CODING, Coding::Leb128 | Coding::Vlq | Coding::Git) {
                return Ok(Varint { bits: bytes[0].into(), length: 1, kind: PhantomData });
            }
            if K::CODING.is_whole(&bytes[..length]) {
                break;
            }
            if length == LONGEST {
                return Err(too_long(reader, LONGEST as u64));
            }
        }
        match K::CODING.decode(&bytes[..length]) {
            Some(value) => Ok(Varint { bits: value as u64, length: length as u8, kind: PhantomData }),
            None => Err(wide(reader.stream_position()? - length as u64)),
        }
    }
}

/// Returns the error for a number that is too long. The rest of its bytes are read to find its end.
#[cold]
fn too_long<R: Read + Seek>(reader: &mut R, read: u64) -> binrw::Error {
    let mut length = read;
    loop {
        let mut byte = [0];
        if let Err(error) = reader.read_exact(&mut byte) {
            return error.into();
        }
        length += 1;
        if byte[0] < 0x80 {
            break;
        }
    }
    match reader.stream_position() {
        Ok(position) => wide(position - length),
        Err(error) => error.into(),
    }
}

/// Returns the error for a number of more than 64 bits.
fn wide(pos: u64) -> binrw::Error {
    binrw::Error::AssertFail { pos, message: "the number has over 64 bits".into() }
}

impl<K: VarintKind> BinWrite for Varint<K> {
    type Args<'a> = ();

    fn write_options<W: Write + Seek>(&self, writer: &mut W, _: Endian, (): ()) -> BinResult<()> {
        let bytes = K::CODING.encode(self.number(), self.length.into());
        Ok(writer.write_all(&bytes.unwrap_or_default())?)
    }
}

impl<K: VarintKind> Layout for Varint<K> {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = None;
    const IS_NUMBER: bool = true;
    const NATURE: Nature = Nature::VALUE;

    fn type_name() -> String {
        K::CODING.name().into()
    }

    fn form() -> Form {
        Form::Varint(K::CODING)
    }

    fn value(&self) -> Value {
        if K::CODING.is_signed() { Value::Int(self.number()) } else { Value::Uint(self.bits.into()) }
    }

    fn meaning(&self) -> Cow<'static, str> {
        match self.is_overlong() {
            _ if self.is_unknown() => "a size that is not known".into(),
            true => format!("in {} bytes, where {} would do", self.length, K::CODING.shortest(self.number())).into(),
            false => "".into(),
        }
    }
}

#[cfg(feature = "arbitrary")]
impl<K: VarintKind> arbitrary::Arbitrary<'_> for Varint<K> {
    fn arbitrary(unstructured: &mut arbitrary::Unstructured<'_>) -> arbitrary::Result<Self> {
        let bits: u64 = unstructured.arbitrary()?;
        let places = unstructured.int_in_range(0..=63)?;
        let number = if K::CODING.is_signed() { (bits as i64 >> places).into() } else { i128::from(bits >> places) };
        let number = number.min(K::CODING.range().1);
        let least = K::CODING.shortest(number);
        let most = if K::CODING == Coding::Git { least } else { LONGEST };
        let length = unstructured.int_in_range(least..=most)? as u8;
        Ok(Varint { bits: number as u64, length, kind: PhantomData }.within())
    }
}
