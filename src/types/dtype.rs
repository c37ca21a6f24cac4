//! Element types that are known at run time ([`Dtype`]) or at compile time ([`Element`]).

use super::datetime::TimeUnit;
use bytemuck::Pod;
use everybyte::Endian;
use half::{bf16, f16};
use num_complex::Complex;
use std::fmt;
use std::str::FromStr;

/// The maximum number of axes in a NumPy array, and in a subarray: `NPY_MAXDIMS` of NumPy 2. Files and type names with more axes
/// are refused, or reported if the format allows more.
pub(crate) const NUMPY_AXES: usize = 64;

/// The maximum size in bytes of an element in NumPy, which stores this size in a C `int`. A larger type is treated as unknown.
pub(crate) const LONGEST: u64 = i32::MAX as u64;

/// The type of an element, without its byte order.
///
/// ```
/// use ndbytes::ElementKind;
///
/// let sizes = [ElementKind::F32, ElementKind::Complex64, ElementKind::Str(5)].map(ElementKind::size);
/// assert_eq!(sizes, [4, 8, 20]);
/// assert_eq!(ElementKind::Complex64.swapped(), 4); // each part is swapped separately
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ElementKind {
    /// One byte, 0 or 1.
    Bool,
    /// One bit.
    Bit,
    /// Signed 8-bit integer.
    I8,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Signed 64-bit integer.
    I64,
    /// Signed 128-bit integer.
    I128,
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer.
    U16,
    /// Unsigned 32-bit integer.
    U32,
    /// Unsigned 64-bit integer.
    U64,
    /// Unsigned 128-bit integer.
    U128,
    /// A 16-bit IEEE 754 number.
    F16,
    /// The upper half of a 32-bit IEEE 754 number.
    Bf16,
    /// A 32-bit IEEE 754 number.
    F32,
    /// A 64-bit IEEE 754 number.
    F64,
    /// Two [`ElementKind::F16`] values: the real and the imaginary part.
    Complex32,
    /// Two [`ElementKind::F32`] values.
    Complex64,
    /// Two [`ElementKind::F64`] values.
    Complex128,
    /// An 80-bit x87 number in 16 bytes, with 6 bytes of padding at the end: NumPy's `longdouble` on x86-64.
    LongDouble,
    /// Two [`ElementKind::LongDouble`] values.
    ComplexLongDouble,
    /// Bytes of up to this length, padded with zeros: NumPy's `bytes_`.
    Bytes(u64),
    /// Strings of up to this many characters, 4 bytes each, padded with zeros: NumPy's `str_`.
    Str(u64),
    /// A point in time, counted from the beginning of 1970: NumPy's `datetime64`.
    DateTime(TimeUnit),
    /// A duration: NumPy's `timedelta64`.
    TimeDelta(TimeUnit),
    /// This many bytes whose meaning the file does not state.
    Record(u64),
}

impl ElementKind {
    /// The size of an element in bytes; 0 for [`ElementKind::Bit`].
    pub const fn size(self) -> u64 {
        match self {
            ElementKind::Bit => 0,
            ElementKind::Bool | ElementKind::I8 | ElementKind::U8 => 1,
            ElementKind::I16 | ElementKind::U16 | ElementKind::F16 | ElementKind::Bf16 => 2,
            ElementKind::I32 | ElementKind::U32 | ElementKind::F32 | ElementKind::Complex32 => 4,
            ElementKind::I64 | ElementKind::U64 | ElementKind::F64 | ElementKind::Complex64 => 8,
            ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => 8,
            ElementKind::I128 | ElementKind::U128 | ElementKind::Complex128 | ElementKind::LongDouble => 16,
            ElementKind::ComplexLongDouble => 32,
            ElementKind::Str(characters) => characters.saturating_mul(4),
            ElementKind::Bytes(bytes) | ElementKind::Record(bytes) => bytes,
        }
    }

    /// Returns whether every bit pattern is a number: an integer, a float, or a complex number.
    pub(crate) const fn is_number(self) -> bool {
        !matches!(
            self,
            ElementKind::Bool
                | ElementKind::Bit
                | ElementKind::Bytes(_)
                | ElementKind::Str(_)
                | ElementKind::DateTime(_)
                | ElementKind::TimeDelta(_)
                | ElementKind::Record(_)
        )
    }

    /// The size of the units that are reversed when the byte order changes. The parts of a complex number are separate units.
    pub const fn swapped(self) -> u64 {
        match self {
            ElementKind::Complex32
            | ElementKind::Complex64
            | ElementKind::Complex128
            | ElementKind::ComplexLongDouble => self.size() / 2,
            ElementKind::Record(_) | ElementKind::Bytes(_) | ElementKind::Bit => 1,
            ElementKind::Str(_) => 4,
            _ => self.size(),
        }
    }

    /// Returns NumPy's alignment in aligned structures (on x86-64), in bytes.
    pub(crate) const fn alignment(self) -> u64 {
        match self {
            ElementKind::Str(_) => 4,
            kind => kind.swapped(),
        }
    }

    /// The name and NumPy's letter. Kinds that NumPy does not have get letters that NumPy does not use.
    fn names(self) -> (&'static str, char) {
        match self {
            ElementKind::Bool => ("bool", 'b'),
            ElementKind::Bit => ("bit", '\0'),
            ElementKind::I8 => ("i8", 'i'),
            ElementKind::I16 => ("i16", 'i'),
            ElementKind::I32 => ("i32", 'i'),
            ElementKind::I64 => ("i64", 'i'),
            ElementKind::I128 => ("i128", 'i'),
            ElementKind::U8 => ("u8", 'u'),
            ElementKind::U16 => ("u16", 'u'),
            ElementKind::U32 => ("u32", 'u'),
            ElementKind::U64 => ("u64", 'u'),
            ElementKind::U128 => ("u128", 'u'),
            ElementKind::F16 => ("f16", 'f'),
            ElementKind::Bf16 => ("bfloat16", '\0'),
            ElementKind::F32 => ("f32", 'f'),
            ElementKind::F64 => ("f64", 'f'),
            ElementKind::Complex32 => ("complex32", '\0'),
            ElementKind::Complex64 => ("complex64", 'c'),
            ElementKind::Complex128 => ("complex128", 'c'),
            ElementKind::LongDouble => ("long double", 'f'),
            ElementKind::ComplexLongDouble => ("complex long double", 'c'),
            ElementKind::Bytes(_) => ("text", 'S'),
            ElementKind::Str(_) => ("text", 'U'),
            ElementKind::DateTime(_) => ("datetime64", 'M'),
            ElementKind::TimeDelta(_) => ("timedelta64", 'm'),
            ElementKind::Record(_) => ("record", 'V'),
        }
    }
}

impl fmt::Display for ElementKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().0)?;
        match self {
            ElementKind::Record(bytes) | ElementKind::Bytes(bytes) => write!(f, " of {bytes} bytes"),
            ElementKind::Str(characters) => write!(f, " of {characters} characters"),
            ElementKind::DateTime(unit) | ElementKind::TimeDelta(unit) => unit.fmt(f),
            _ => Ok(()),
        }
    }
}

/// The type of an element and its byte order.
///
/// ```
/// use ndbytes::{Dtype, ElementKind};
///
/// let dtype: Dtype = "<f4".parse()?;
/// assert_eq!((dtype.kind, dtype.descr().as_str()), (ElementKind::F32, "<f4"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dtype {
    /// The type of the element.
    pub kind: ElementKind,
    /// The byte order; meaningless if [`ElementKind::swapped`] is 1.
    pub endian: Endian,
}

impl Dtype {
    /// Creates the type of elements of this kind, in this byte order.
    pub fn new(kind: ElementKind, endian: Endian) -> Self {
        Dtype { kind, endian }
    }

    /// Returns whether the byte order differs from this machine's.
    pub fn is_swapped(&self) -> bool {
        self.kind.swapped() > 1 && self.endian != everybyte::Endian::NATIVE
    }

    /// NumPy's name for the type, such as `<f4` or `|u1`. Kinds that NumPy does not have get similar names: `<i16` and `<u16` (16
    /// bytes), `bfloat16`, `complex32` and `bit`. The names of big-endian types start with `>`.
    pub fn descr(&self) -> String {
        let (name, letter) = self.kind.names();
        match (letter, self.endian) {
            ('\0', Endian::Big) if self.kind.swapped() > 1 => format!(">{name}"),
            ('\0', _) => name.to_owned(),
            (letter, endian) => {
                let order = if self.kind.swapped() == 1 {
                    '|'
                } else if endian == Endian::Big {
                    '>'
                } else {
                    '<'
                };
                match self.kind {
                    ElementKind::Str(characters) => format!("{order}{letter}{characters}"),
                    ElementKind::DateTime(unit) | ElementKind::TimeDelta(unit) => format!("{order}{letter}8{unit}"),
                    kind => format!("{order}{letter}{}", kind.size()),
                }
            }
        }
    }
}

/// The error for a string that is not the name of a plain NumPy type, or names a type without bytes of its own (Python objects).
///
/// ```
/// use ndbytes::{Dtype, UnknownDtype};
///
/// assert_eq!("<f5".parse::<Dtype>(), Err(UnknownDtype));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not NumPy's name of an element type, such as '<f4', '|S5' or '<M8[ns]'")]
pub struct UnknownDtype;

impl FromStr for Dtype {
    type Err = UnknownDtype;

    /// Parses NumPy's name for a plain type: the name that [`Dtype::descr`] returns, or the long name that `str(dtype)` returns,
    /// such as `float64` or `datetime64[ns]`. The byte order is `<` or `>`. `=`, `|` and a missing byte order mean little-endian.
    /// The supported one-letter names are `?`, `S`, `U`, `V`, `M` and `m`. An element takes at most 2,147,483,647 bytes, as in
    /// NumPy.
    fn from_str(text: &str) -> Result<Self, UnknownDtype> {
        if let Some(kind) = long_name(text) {
            return Ok(Dtype { kind, endian: Endian::Little });
        }
        let (endian, rest) = match text.as_bytes().first() {
            Some(b'>') => (Endian::Big, &text[1..]),
            Some(b'<' | b'=' | b'|') => (Endian::Little, &text[1..]),
            _ => (Endian::Little, text),
        };
        let kind = short_name(rest).filter(|kind| kind.size() <= LONGEST).ok_or(UnknownDtype)?;
        // Types without a byte order are all treated as little-endian, so that they are equal.
        let endian = if kind.swapped() == 1 { Endian::Little } else { endian };
        Ok(Dtype { kind, endian })
    }
}

fn short_name(text: &str) -> Option<ElementKind> {
    let letter = text.chars().next()?;
    let rest = &text[letter.len_utf8()..];
    if let 'M' | 'm' = letter {
        let unit = match rest {
            "" => TimeUnit::GENERIC,
            rest => rest.strip_prefix('8')?.parse().ok()?,
        };
        return Some(if letter == 'M' { ElementKind::DateTime(unit) } else { ElementKind::TimeDelta(unit) });
    }
    let size = match rest {
        "" => None,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => Some(digits.parse::<u64>().ok()?),
        _ => return None,
    };
    Some(match (letter, size) {
        ('?', None) | ('b', Some(1)) => ElementKind::Bool,
        ('i', Some(1)) => ElementKind::I8,
        ('i', Some(2)) => ElementKind::I16,
        ('i', Some(4)) => ElementKind::I32,
        ('i', Some(8)) => ElementKind::I64,
        ('u', Some(1)) => ElementKind::U8,
        ('u', Some(2)) => ElementKind::U16,
        ('u', Some(4)) => ElementKind::U32,
        ('u', Some(8)) => ElementKind::U64,
        ('f', Some(2)) => ElementKind::F16,
        ('f', Some(4)) => ElementKind::F32,
        ('f', Some(8)) => ElementKind::F64,
        ('f', Some(16)) => ElementKind::LongDouble,
        ('c', Some(8)) => ElementKind::Complex64,
        ('c', Some(16)) => ElementKind::Complex128,
        ('c', Some(32)) => ElementKind::ComplexLongDouble,
        ('S', size) => ElementKind::Bytes(size.unwrap_or(0)),
        ('U', size) => ElementKind::Str(size.unwrap_or(0)),
        ('V', size) => ElementKind::Record(size.unwrap_or(0)),
        _ => return None,
    })
}

/// Returns the kind for a name that `str(dtype)` returns for types in native byte order.
fn long_name(text: &str) -> Option<ElementKind> {
    Some(match text {
        "bool" => ElementKind::Bool,
        "int8" => ElementKind::I8,
        "int16" => ElementKind::I16,
        "int32" => ElementKind::I32,
        "int64" => ElementKind::I64,
        "uint8" => ElementKind::U8,
        "uint16" => ElementKind::U16,
        "uint32" => ElementKind::U32,
        "uint64" => ElementKind::U64,
        "float16" => ElementKind::F16,
        "float32" => ElementKind::F32,
        "float64" => ElementKind::F64,
        "float128" => ElementKind::LongDouble,
        "complex64" => ElementKind::Complex64,
        "complex128" => ElementKind::Complex128,
        "complex256" => ElementKind::ComplexLongDouble,
        text => {
            let (unit, kind): (_, fn(TimeUnit) -> ElementKind) = match text.strip_prefix("datetime64") {
                Some(unit) => (unit, ElementKind::DateTime),
                None => (text.strip_prefix("timedelta64")?, ElementKind::TimeDelta),
            };
            kind(unit.parse().ok()?)
        }
    })
}

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.kind)?;
        match self.kind.swapped() {
            1 => Ok(()),
            _ if self.endian == Endian::Big => f.write_str(" (big-endian)"),
            _ => f.write_str(" (little-endian)"),
        }
    }
}

/// A Rust type for elements that are read or written.
///
/// ```
/// use ndbytes::{Element, Result};
///
/// /// The sum of the elements of a file, whatever its format.
/// fn total<T: Element + Into<f64>>(path: &str) -> Result<f64> {
///     Ok(ndbytes::read::<T>(path)?.iter().map(|&element| element.into()).sum())
/// }
///
/// assert_eq!(total::<u8>("samples/digits-idx1-ubyte")?, 45.0); // the labels 0 to 9
/// assert!(total::<u16>("samples/digits-idx1-ubyte").is_err()); // another type
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub trait Element: Pod + Send + Sync + sealed::Sealed {
    /// The element type of files that corresponds to this Rust type.
    const KIND: ElementKind;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($element:ty => $kind:ident),* $(,)?) => {$(
        impl sealed::Sealed for $element {}
        impl Element for $element {
            const KIND: ElementKind = ElementKind::$kind;
        }
    )*};
}

elements! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128,
    f16 => F16, bf16 => Bf16, f32 => F32, f64 => F64,
    Complex<f16> => Complex32, Complex<f32> => Complex64, Complex<f64> => Complex128,
}
