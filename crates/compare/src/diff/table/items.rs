//! Two values of a table, and the distance between them.

use super::columns::How;
use super::names::Side;
use crate::diff::datum::Datum;
use crate::diff::options::Tolerance;
use crate::diff::outcome::{Outcome, reals};
use ndbytes::Scalar;
use ndbytes::idv::{Value, Vector};

/// Compares two items.
pub(super) fn compare(a: &Value<'_>, b: &Value<'_>, how: &How, tolerance: &Tolerance) -> Outcome {
    if let How::Numbers(types) = how {
        let is_same = types[0].kind == types[1].kind;
        if is_same && have_same_bits(a, b) {
            return Outcome::default();
        }
        if let (Some(a), Some(b)) = (scalar(a), scalar(b)) {
            return reals(&a, &b, *types, tolerance);
        }
    }
    let is_equal = match (a, b, how) {
        (Value::Uint(a), Value::Uint(b), How::Named(names)) => names.number(Side::A, *a) == names.number(Side::B, *b),
        _ => a == b,
    };
    if is_equal { Outcome::default() } else { Outcome::DIFFERENT }
}

/// Returns whether two values have the same bits, so NaN payloads and signs of zeros matter.
fn have_same_bits(a: &Value<'_>, b: &Value<'_>) -> bool {
    match (a, b) {
        (Value::F32(a), Value::F32(b)) => a.to_bits() == b.to_bits(),
        (Value::F64(a), Value::F64(b)) => a.to_bits() == b.to_bits(),
        (a, b) => a == b,
    }
}

/// Returns a value as a scalar, which is compared like items of arrays. `None` for texts and vectors.
fn scalar(value: &Value<'_>) -> Option<Scalar> {
    Some(match *value {
        Value::Int(number) => Scalar::Int(number.into()),
        Value::Uint(number) => Scalar::Uint(number.into()),
        Value::F32(number) => Scalar::F32(number),
        Value::F64(number) => Scalar::F64(number),
        Value::Bool(value) => Scalar::Bool(value),
        _ => return None,
    })
}

/// Returns a number as an integer.
pub(super) fn integral(number: f64) -> Option<i128> {
    // Minus zero is not an integer.
    let is_integral = number.trunc() == number && number.abs() < 2_f64.powi(100) && number.to_bits() != 1 << 63;
    is_integral.then_some(number as i128)
}

/// Returns the indices at which two vectors of the same length may differ (those that either vector stores), with both items.
pub(super) fn items<'v>(a: Vector<'v>, b: Vector<'v>) -> impl Iterator<Item = (usize, Value<'v>, Value<'v>)> {
    let places = |vector: Vector<'v>| {
        let stored = vector.stored().enumerate();
        stored.map(move |(place, item)| (vector.indices().map_or(place, |indices| indices[place] as usize), item))
    };
    let of_a = places(a).filter_map(move |(place, item)| Some((place, item, b.get(place)?)));
    // The items that the first vector stores are already included.
    let is_left_out = move |place: usize| a.indices().is_some_and(|kept| kept.binary_search(&(place as u32)).is_err());
    let of_b = places(b).filter(move |(place, _)| is_left_out(*place));
    of_a.chain(of_b.filter_map(move |(place, item)| Some((place, a.get(place)?, item))))
}

impl Datum {
    /// A value of a table, cut to a limited number of parts. A key is a number.
    pub fn of_value(value: &Value<'_>) -> Self {
        datum(value, None, Side::A)
    }
}

/// Returns a value for the list of differences. Keys are shown by the names of their categories.
pub(super) fn datum(value: &Value<'_>, how: Option<&How>, side: Side) -> Datum {
    match value {
        Value::Null => Datum::Missing,
        Value::Uint(key) => match how {
            Some(How::Named(_)) if *key == 0 => Datum::Missing,
            Some(How::Named(names)) => match names.name(side, *key) {
                Some(name) => datum(&name, None, side),
                None => Datum::Words(format!("#{key}")),
            },
            _ => Datum::Uint((*key).into()),
        },
        Value::Int(number) => Datum::Int((*number).into()),
        Value::RowId(id) => Datum::List(vec![Datum::Uint((*id as u64).into()), Datum::Uint(id >> 64)]),
        Value::F32(number) => Datum::F32(*number),
        Value::F64(number) => Datum::F64(*number),
        Value::Bool(value) => Datum::Bool(*value),
        Value::DateTimeOffset(time) => {
            Datum::List(vec![Datum::Int(time.ticks.into()), Datum::Int(time.offset_minutes.into())])
        }
        Value::Text(text) => Datum::utf16(text.utf16()),
        Value::Vector(vector) => match vector.indices() {
            None => Datum::list(vector.stored().map(|item| datum(&item, how, side))),
            Some(indices) => {
                let kept = indices.iter().zip(vector.stored()).take(crate::diff::datum::MOST_PARTS);
                Datum::Sparse(kept.map(|(&place, item)| (place.into(), datum(&item, how, side))).collect())
            }
        },
    }
}
