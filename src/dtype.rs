//! Element types, known at run time ([`Dtype`]) or at compile time ([`Element`]).

use bytemuck::Pod;
use half::{bf16, f16};
use ndbytes_schemas::Endian;
use num_complex::Complex;
use std::fmt;

/// What one element is, apart from its byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
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
    /// IEEE 754 number of 16 bits.
    F16,
    /// The upper half of an IEEE 754 number of 32 bits.
    Bf16,
    /// IEEE 754 number of 32 bits.
    F32,
    /// IEEE 754 number of 64 bits.
    F64,
    /// Two [`Kind::F16`]: real and imaginary part.
    Complex32,
    /// Two [`Kind::F32`].
    Complex64,
    /// Two [`Kind::F64`].
    Complex128,
    /// So many bytes whose meaning the file does not give.
    Record(u64),
}

impl Kind {
    /// Bytes of one element; 0 for [`Kind::Bit`].
    pub const fn size(self) -> u64 {
        match self {
            Kind::Bit => 0,
            Kind::Bool | Kind::I8 | Kind::U8 => 1,
            Kind::I16 | Kind::U16 | Kind::F16 | Kind::Bf16 => 2,
            Kind::I32 | Kind::U32 | Kind::F32 | Kind::Complex32 => 4,
            Kind::I64 | Kind::U64 | Kind::F64 | Kind::Complex64 => 8,
            Kind::I128 | Kind::U128 | Kind::Complex128 => 16,
            Kind::Record(bytes) => bytes,
        }
    }

    /// Bytes that change places when the byte order changes: the parts of a complex number each on their own.
    pub const fn swapped(self) -> u64 {
        match self {
            Kind::Complex32 | Kind::Complex64 | Kind::Complex128 => self.size() / 2,
            Kind::Record(_) | Kind::Bit => 1,
            _ => self.size(),
        }
    }

    /// Name and NumPy's letter. The kinds that NumPy lacks have a letter of none.
    fn names(self) -> (&'static str, char) {
        match self {
            Kind::Bool => ("bool", 'b'),
            Kind::Bit => ("bit", '\0'),
            Kind::I8 => ("i8", 'i'),
            Kind::I16 => ("i16", 'i'),
            Kind::I32 => ("i32", 'i'),
            Kind::I64 => ("i64", 'i'),
            Kind::I128 => ("i128", 'i'),
            Kind::U8 => ("u8", 'u'),
            Kind::U16 => ("u16", 'u'),
            Kind::U32 => ("u32", 'u'),
            Kind::U64 => ("u64", 'u'),
            Kind::U128 => ("u128", 'u'),
            Kind::F16 => ("f16", 'f'),
            Kind::Bf16 => ("bfloat16", '\0'),
            Kind::F32 => ("f32", 'f'),
            Kind::F64 => ("f64", 'f'),
            Kind::Complex32 => ("complex32", '\0'),
            Kind::Complex64 => ("complex64", 'c'),
            Kind::Complex128 => ("complex128", 'c'),
            Kind::Record(_) => ("record", 'V'),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.names().0)?;
        if let Kind::Record(bytes) = self { write!(f, " of {bytes} bytes") } else { Ok(()) }
    }
}

/// What one element is, and the order of its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dtype {
    /// What the element is.
    pub kind: Kind,
    /// The order of its bytes; without meaning where [`Kind::swapped`] is 1.
    pub endian: Endian,
}

impl Dtype {
    pub(crate) fn new(kind: Kind, endian: Endian) -> Self {
        Dtype { kind, endian }
    }

    /// Whether the bytes are in another order than this machine's.
    pub fn is_swapped(&self) -> bool {
        self.kind.swapped() > 1 && self.endian != crate::input::NATIVE
    }

    /// NumPy's name for the type, such as `<f4` or `|u1`. Kinds that NumPy lacks have names of the same shape:
    /// `<i16` and `<u16` (16 bytes), `bfloat16`, `complex32`, `bit`, with `>` before them if big-endian.
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
                format!("{order}{letter}{}", self.kind.size())
            }
        }
    }
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

/// A Rust type that elements can be read into and written from.
pub trait Element: Pod + Send + Sync + sealed::Sealed {
    /// What it stands for in a file.
    const KIND: Kind;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($element:ty => $kind:ident),* $(,)?) => {$(
        impl sealed::Sealed for $element {}
        impl Element for $element {
            const KIND: Kind = Kind::$kind;
        }
    )*};
}

elements! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, u128 => U128,
    f16 => F16, bf16 => Bf16, f32 => F32, f64 => F64,
    Complex<f16> => Complex32, Complex<f32> => Complex64, Complex<f64> => Complex128,
}
