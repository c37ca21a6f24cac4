//! Single elements whose type is known only at run time.

use super::datetime::TimeUnit;
use super::dtype::{Dtype, ElementKind};
use super::item_type::ItemType;
use super::long_double::LongDouble;
use everybyte::Endian;
use half::{bf16, f16};

/// One element of an array.
///
/// ```
/// use ndbytes::Scalar;
///
/// let surface = ndbytes::open("samples/surface.ra")?.into_array()?;
/// assert_eq!(surface.scalar(0)?, Scalar::F32(3.75));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Scalar {
    /// A value of [`ElementKind::Bool`] or [`ElementKind::Bit`].
    Bool(bool),
    /// Any signed integer.
    Int(i128),
    /// Any unsigned integer.
    Uint(u128),
    /// A value of [`ElementKind::F16`].
    F16(f16),
    /// A value of [`ElementKind::F32`] or [`ElementKind::Bf16`].
    F32(f32),
    /// A value of [`ElementKind::F64`].
    F64(f64),
    /// A value of [`ElementKind::Complex32`] or [`ElementKind::Complex64`].
    Complex64(f32, f32),
    /// A value of [`ElementKind::Complex128`].
    Complex128(f64, f64),
    /// A value of [`ElementKind::LongDouble`].
    LongDouble(LongDouble),
    /// A value of [`ElementKind::ComplexLongDouble`].
    ComplexLongDouble(LongDouble, LongDouble),
    /// A value of [`ElementKind::Bytes`], without trailing zeros.
    ByteString(Vec<u8>),
    /// A value of [`ElementKind::Str`], without trailing zeros, as UTF-32 units, which may not be valid characters.
    Str(Vec<u32>),
    /// A value of [`ElementKind::DateTime`], as a number of units since the beginning of 1970. The smallest integer is `NaT`.
    DateTime(i64, TimeUnit),
    /// A value of [`ElementKind::TimeDelta`], as a number of units. The smallest integer is `NaT`.
    TimeDelta(i64, TimeUnit),
    /// A value of [`ElementKind::Record`], as in the file.
    Bytes(Vec<u8>),
    /// A value of [`ItemType::Structure`], as its fields with their names.
    Structure(Vec<(String, Scalar)>),
    /// A value of [`ItemType::Subarray`], as its shape and its items in C order.
    Subarray(Vec<u64>, Vec<Scalar>),
}

impl Scalar {
    /// Reads one element from its bytes in a file.
    ///
    /// # Panics
    /// Panics if `bytes` does not have the size of the type. A bit takes one byte.
    pub fn from_bytes(bytes: &[u8], dtype: Dtype) -> Self {
        macro_rules! read {
            ($type:ty) => {{
                let bytes = *bytes.first_chunk().expect("an element has its bytes");
                if dtype.endian == Endian::Big { <$type>::from_be_bytes(bytes) } else { <$type>::from_le_bytes(bytes) }
            }};
        }
        match dtype.kind {
            ElementKind::Bool | ElementKind::Bit => Scalar::Bool(bytes[0] != 0),
            ElementKind::I8 => Scalar::Int(read!(i8).into()),
            ElementKind::I16 => Scalar::Int(read!(i16).into()),
            ElementKind::I32 => Scalar::Int(read!(i32).into()),
            ElementKind::I64 => Scalar::Int(read!(i64).into()),
            ElementKind::I128 => Scalar::Int(read!(i128)),
            ElementKind::U8 => Scalar::Uint(read!(u8).into()),
            ElementKind::U16 => Scalar::Uint(read!(u16).into()),
            ElementKind::U32 => Scalar::Uint(read!(u32).into()),
            ElementKind::U64 => Scalar::Uint(read!(u64).into()),
            ElementKind::U128 => Scalar::Uint(read!(u128)),
            ElementKind::F16 => Scalar::F16(f16::from_bits(read!(u16))),
            ElementKind::Bf16 => Scalar::F32(bf16::from_bits(read!(u16)).to_f32()),
            ElementKind::F32 => Scalar::F32(f32::from_bits(read!(u32))),
            ElementKind::F64 => Scalar::F64(f64::from_bits(read!(u64))),
            ElementKind::Complex32 => complex(bytes, Dtype { kind: ElementKind::F16, ..dtype }),
            ElementKind::Complex64 => complex(bytes, Dtype { kind: ElementKind::F32, ..dtype }),
            ElementKind::Complex128 => complex(bytes, Dtype { kind: ElementKind::F64, ..dtype }),
            ElementKind::ComplexLongDouble => complex(bytes, Dtype { kind: ElementKind::LongDouble, ..dtype }),
            ElementKind::LongDouble => {
                let bytes = *bytes.first_chunk().expect("an element has its bytes");
                Scalar::LongDouble(LongDouble::from_bytes(bytes, dtype.endian))
            }
            ElementKind::Bytes(_) => Scalar::ByteString(without_padding(bytes).to_vec()),
            ElementKind::Str(_) => Scalar::Str(text(bytes, dtype.endian)),
            ElementKind::DateTime(unit) => Scalar::DateTime(read!(i64), unit),
            ElementKind::TimeDelta(unit) => Scalar::TimeDelta(read!(i64), unit),
            ElementKind::Record(_) => Scalar::Bytes(bytes.to_vec()),
        }
    }

    /// Reads one item of any type from its bytes. For a structure or subarray, this takes about 50 bytes of memory per value, plus
    /// the names. To read one value at a time, use [`Item`](crate::arrays::items::Item).
    ///
    /// # Panics
    /// Panics if `bytes` does not have the size of the type.
    pub fn from_item(bytes: &[u8], item_type: &ItemType) -> Self {
        match item_type {
            ItemType::Plain(dtype) => Scalar::from_bytes(bytes, *dtype),
            ItemType::Structure(structure) => {
                let fields = structure.fields().iter().map(|field| {
                    let (start, size) = (field.offset as usize, field.item_type.size() as usize);
                    (field.name.clone(), Scalar::from_item(&bytes[start..start + size], &field.item_type))
                });
                Scalar::Structure(fields.collect())
            }
            ItemType::Subarray(subarray) => {
                let (item, size) = (subarray.item_type(), subarray.item_type().size() as usize);
                let items = (0..subarray.count() as usize)
                    .map(|place| Scalar::from_item(&bytes[place * size..(place + 1) * size], item));
                Scalar::Subarray(subarray.shape().to_vec(), items.collect())
            }
        }
    }
}

/// Reads a complex number with two parts of this type.
fn complex(bytes: &[u8], part: Dtype) -> Scalar {
    let size = part.kind.size() as usize;
    match (Scalar::from_bytes(&bytes[..size], part), Scalar::from_bytes(&bytes[size..2 * size], part)) {
        (Scalar::F16(re), Scalar::F16(im)) => Scalar::Complex64(re.to_f32(), im.to_f32()),
        (Scalar::F32(re), Scalar::F32(im)) => Scalar::Complex64(re, im),
        (Scalar::F64(re), Scalar::F64(im)) => Scalar::Complex128(re, im),
        (Scalar::LongDouble(re), Scalar::LongDouble(im)) => Scalar::ComplexLongDouble(re, im),
        _ => unreachable!("both parts of a complex number are floats of one type"),
    }
}

/// Returns the UTF-32 units of a string, without trailing zeros.
fn text(bytes: &[u8], endian: Endian) -> Vec<u32> {
    let units = bytes.chunks_exact(4).map(|unit| match part_of(unit) {
        unit if endian == Endian::Big => u32::from_be_bytes(unit),
        unit => u32::from_le_bytes(unit),
    });
    let mut units: Vec<u32> = units.collect();
    units.truncate(without_padding(&units).len());
    units
}

fn part_of(unit: &[u8]) -> [u8; 4] {
    *unit.first_chunk().expect("chunks are of this size")
}

fn without_padding<T: PartialEq + Default>(units: &[T]) -> &[T] {
    let end = units.iter().rposition(|unit| *unit != T::default()).map_or(0, |last| last + 1);
    &units[..end]
}
