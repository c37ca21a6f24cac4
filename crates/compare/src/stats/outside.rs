//! The values of an array that are outside a range: the first one, its position, and the total count.

use super::items::{MOST_SERIES, each_piece, parts, series};
use super::long::Long;
use super::numbers::Float;
use super::real::Real;
use ndbytes::{Dtype, ElementKind, ItemType, Items, Result, Scalar};
use std::ops::Range;

/// The values of a series that are outside a range.
///
/// ```
/// # let file = [0, 0, 8, 1, 0, 0, 0, 4, 1, 200, 3, 201];
/// # use ndbytes::{Array, Input, Limits, Options};
/// use ndbytes_compare::stats;
///
/// let array = Array::read(Input::from_slice(&file, Limits::default()), &Options::new())?; // 1, 200, 3, 201
/// let outside = stats::outside(&mut *array.items(), [0.0, 100.0])?.remove(0).finite.unwrap();
/// assert_eq!((outside.count, outside.item, &*outside.value), (2, 1, "200"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outside {
    /// The number of values outside the range.
    pub count: u64,
    /// The index of the item with the first one, in C order.
    pub item: u64,
    /// The bytes of the first one within its item.
    pub bytes: Range<u64>,
    /// The first one as text.
    pub value: String,
}

/// The values of a series that are outside a range, by kind.
///
/// ```
/// # let numbers = [0.5_f32, f32::NAN].map(f32::to_be_bytes).concat();
/// # let file = [&[0, 0, 13, 1, 0, 0, 0, 2][..], &numbers].concat();
/// # use ndbytes::{Array, Input, Limits, Options};
/// use ndbytes_compare::stats;
///
/// let array = Array::read(Input::from_slice(&file, Limits::default()), &Options::new())?; // 0.5, NaN
/// let outside = stats::outside(&mut *array.items(), [0.0, 1.0])?.remove(0);
/// assert_eq!(outside.finite, None);
/// assert_eq!(outside.nan.unwrap().item, 1);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct AllOutside {
    /// Finite numbers below or above the range.
    pub finite: Option<Outside>,
    /// NaN values.
    pub nan: Option<Outside>,
    /// Infinite values of either sign.
    pub infinite: Option<Outside>,
}

/// The values outside a range (both ends included), for each series of [`items`](super::items()). Texts, times and raw
/// bytes are not numbers, so they are never outside.
///
/// # Errors
/// Any error while reading the items.
pub fn outside(items: &mut dyn Items, [least, most]: [f64; 2]) -> Result<Vec<AllOutside>> {
    let item_type = items.item_type().clone();
    let mut all = vec![AllOutside::default(); series(&item_type, MOST_SERIES)];
    let stride = item_type.stride() as usize;
    if stride == 0 {
        return Ok(all);
    }
    each_piece(items, |span, bytes| {
        for (place, item) in span.zip(bytes.chunks_exact(stride)) {
            numbers(item, 0, &item_type, 0, &mut |series, bytes, number| {
                let found = match number {
                    Number::Finite(number) if number >= least && number <= most => return,
                    Number::Finite(_) => &mut all[series].finite,
                    Number::Nan => &mut all[series].nan,
                    Number::Infinite(_) => &mut all[series].infinite,
                };
                let first = || Outside {
                    count: 0,
                    item: place,
                    bytes: bytes.start as u64..bytes.end as u64,
                    value: number.text(),
                };
                found.get_or_insert_with(first).count += 1;
            });
        }
        Ok(())
    })?;
    Ok(all)
}

/// A number of any type.
#[derive(Debug, Clone, Copy)]
enum Number {
    Finite(Real),
    Nan,
    Infinite(f64),
}

impl Number {
    fn text(self) -> String {
        match self {
            Number::Finite(number) => number.to_string(),
            Number::Nan => "NaN".to_owned(),
            Number::Infinite(number) => number.to_string(),
        }
    }

    fn float<F: Float>(number: F, real: Real) -> Self {
        match real.to_f64() {
            _ if number.is_nan() => Number::Nan,
            // A finite long double may be outside the range of doubles.
            near if number.is_infinite() => Number::Infinite(near),
            _ => Number::Finite(real),
        }
    }

    /// The number of an element; `None` for a text, a time or raw bytes.
    fn of(bytes: &[u8], dtype: Dtype) -> Option<Self> {
        use ElementKind::{Bytes, DateTime, Record, Str, TimeDelta};
        if matches!(dtype.kind, Bytes(_) | Str(_) | DateTime(_) | TimeDelta(_) | Record(_)) {
            return None;
        }
        Some(match Scalar::from_bytes(bytes, dtype) {
            Scalar::Bool(value) => Number::Finite(Real::Int(value.into())),
            Scalar::Int(number) => Number::Finite(Real::Int(number)),
            Scalar::Uint(number) => Number::Finite(Real::Uint(number)),
            Scalar::F16(number) => Number::float(f64::from(number), Real::F16(number)),
            Scalar::F32(number) => Number::float(f64::from(number), Real::F32(number)),
            Scalar::F64(number) => Number::float(number, Real::F64(number)),
            Scalar::LongDouble(number) => Number::float(Long(number), Real::Long(number)),
            _ => return None,
        })
    }
}

/// Passes on the numbers of one item with their series and their bytes in it. Returns the number of series up to its end.
fn numbers(
    item: &[u8],
    start: usize,
    item_type: &ItemType,
    first: usize,
    take: &mut dyn FnMut(usize, Range<usize>, Number),
) -> usize {
    if first >= MOST_SERIES {
        return first;
    }
    match item_type {
        ItemType::Plain(dtype) => {
            let (part, number) = parts(*dtype).map_or((*dtype, 1), |part| (part, 2));
            let size = ItemType::Plain(part).stride() as usize;
            let end = (first + number).min(MOST_SERIES);
            for (place, series) in (first..end).enumerate() {
                let bytes = start + place * size..start + (place + 1) * size;
                if let Some(number) = Number::of(&item[bytes.clone()], part) {
                    take(series, bytes, number);
                }
            }
            end
        }
        ItemType::Subarray(subarray) => {
            let inner = subarray.item_type();
            let size = inner.size() as usize;
            // A count of items without bytes may be arbitrarily large.
            let count = if size == 0 { 0 } else { subarray.count() as usize };
            for place in 0..count {
                numbers(item, start + place * size, inner, first, take);
            }
            first + series(inner, MOST_SERIES - first)
        }
        ItemType::Structure(structure) => structure
            .fields()
            .iter()
            .fold(first, |first, field| numbers(item, start + field.offset as usize, &field.item_type, first, take)),
    }
}
