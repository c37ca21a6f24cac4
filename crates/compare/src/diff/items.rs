//! Items of arrays as values in a difference.

use super::datum::{Datum, MOST_PARTS};
use ndbytes::{Item, ItemType, LongDouble, Scalar};

/// The maximum number of plain values of one item that are kept.
const MOST_VALUES: usize = 256;

impl Datum {
    /// An item of an array, cut to a limited number of parts.
    pub fn of(item: Item<'_>) -> Self {
        nested(item, &mut { MOST_VALUES })
    }
}

/// Returns nested values. The parts that are kept count towards `room`.
fn nested(item: Item<'_>, room: &mut usize) -> Datum {
    match item.item_type() {
        ItemType::Plain(_) => {
            *room = room.saturating_sub(1);
            plain(&item.scalar())
        }
        ItemType::Structure(structure) => {
            let mut fields = Vec::new();
            for (field, value) in item.fields() {
                if fields.len() == MOST_PARTS || *room == 0 {
                    let left = structure.fields().len() - fields.len();
                    fields.push((String::new(), Datum::More(left as u64)));
                    break;
                }
                fields.push((field.name.clone(), nested(value, room)));
            }
            Datum::Fields(fields)
        }
        ItemType::Subarray(_) => {
            let (mut parts, items) = (Vec::new(), item.items());
            let count = items.len();
            for part in items {
                if parts.len() == MOST_PARTS || *room == 0 {
                    parts.push(Datum::More((count - parts.len()) as u64));
                    break;
                }
                parts.push(nested(part, room));
            }
            Datum::List(parts)
        }
    }
}

/// Returns an 80-bit float as a decimal number, since neither a JSON number nor an `f64` can hold all of its bits.
fn long(value: LongDouble) -> Datum {
    match (value.is_nan(), value.is_infinite()) {
        (true, _) => Datum::F64(f64::NAN),
        (_, true) => Datum::F64(if value.is_sign_negative() { f64::NEG_INFINITY } else { f64::INFINITY }),
        _ => Datum::Decimal(format!("{value:e}")),
    }
}

/// Returns a scalar without fields.
fn plain(scalar: &Scalar) -> Datum {
    match scalar {
        Scalar::Bool(value) => Datum::Bool(*value),
        Scalar::Int(value) => Datum::Int(*value),
        Scalar::Uint(value) => Datum::Uint(*value),
        Scalar::F16(value) => Datum::F16(*value),
        Scalar::F32(value) => Datum::F32(*value),
        Scalar::F64(value) => Datum::F64(*value),
        Scalar::LongDouble(value) => long(*value),
        Scalar::Complex64(re, im) => Datum::List(vec![Datum::F32(*re), Datum::F32(*im)]),
        Scalar::Complex128(re, im) => Datum::List(vec![Datum::F64(*re), Datum::F64(*im)]),
        Scalar::ComplexLongDouble(re, im) => Datum::List(vec![long(*re), long(*im)]),
        // Each byte is the character with that code, as in the JSON output of `cat`.
        Scalar::ByteString(bytes) => Datum::utf32(bytes.iter().map(|&byte| byte.into())),
        Scalar::Str(units) => Datum::utf32(units.iter().copied()),
        Scalar::DateTime(i64::MIN, _) | Scalar::TimeDelta(i64::MIN, _) => Datum::Missing,
        Scalar::DateTime(steps, unit) => unit.point(*steps).map_or_else(|| Datum::Int((*steps).into()), Datum::Words),
        Scalar::TimeDelta(steps, _) => Datum::Int((*steps).into()),
        Scalar::Bytes(bytes) => Datum::bytes(bytes),
        Scalar::Structure(_) | Scalar::Subarray(..) => unreachable!("these are not plain values"),
    }
}
