//! `cat --json` of arrays. `docs/src/json.md` describes it.

use crate::show::json;
use ndbytes::internals::shortest_half;
use ndbytes::{Item, ItemType, Items, LongDouble, Result, Scalar};
use std::fmt;
use std::io::{self, Write};

/// The items of an array to print: all, or a selection.
pub struct Printed<'a> {
    /// The name of the format in JSON.
    pub format: &'a str,
    /// The item type of the complete array.
    pub item_type: ItemType,
    /// Whether the first axis varies fastest in the file.
    pub is_fortran_order: bool,
    /// The items.
    pub items: &'a mut dyn Items,
    /// The text of the slice that selected them.
    pub slice: Option<String>,
    /// The path as given by the user.
    pub path: &'a str,
}

/// Prints every element in one flat list, in C order, since JSON readers do not accept deeply nested lists.
pub fn print(printed: Printed<'_>, out: &mut dyn Write) -> io::Result<Result<()>> {
    let Printed { format, item_type, is_fortran_order, items, slice, path } = printed;
    let order = if is_fortran_order { "F" } else { "C" };
    let extents = items.shape().iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    write!(out, "{{\"path\":")?;
    json::value(out, path)?;
    write!(out, ",\"format\":\"{}\",\"shape\":[{extents}],\"dtype\":", format)?;
    json::value(out, &item_type.to_string())?;
    write!(out, ",\"order\":\"{order}\"")?;
    if let Some(slice) = slice {
        write!(out, ",\"slice\":")?;
        json::value(out, &slice)?;
    }
    write!(out, ",\"values\":[")?;
    if let Err(error) = values(items, out)? {
        return Ok(Err(error));
    }
    writeln!(out, "]}}").map(Ok)
}

/// Prints the values, separated by commas.
pub fn values(items: &mut dyn Items, out: &mut dyn Write) -> io::Result<Result<()>> {
    let item_type = items.item_type().clone();
    let (count, piece) = (items.count(), items.piece());
    let mut start = 0;
    while start < count {
        let asked = piece.min(count - start);
        let bytes = match items.read(start, asked) {
            Ok(bytes) => bytes,
            Err(error) => return Ok(Err(error)),
        };
        for place in 0..asked as usize {
            write!(out, "{}", if start == 0 && place == 0 { "" } else { "," })?;
            item(Item::at(bytes, place, &item_type), out)?;
        }
        start += asked;
    }
    Ok(Ok(()))
}

/// Writes an item. A structure becomes an object, and a subarray a list.
fn item(value: Item<'_>, out: &mut dyn Write) -> io::Result<()> {
    match value.item_type() {
        ItemType::Plain(_) => scalar(&value.scalar(), out),
        ItemType::Structure(_) => {
            write!(out, "{{")?;
            for (place, (field, value)) in value.fields().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                write!(out, "{comma}")?;
                json::value(out, &field.name)?;
                write!(out, ":")?;
                item(value, out)?;
            }
            write!(out, "}}")
        }
        ItemType::Subarray(subarray) => list(value, subarray.shape(), 0, out),
    }
}

/// Writes the items of a subarray, beginning with this one, as nested lists.
fn list(subarray: Item<'_>, shape: &[u64], first: u64, out: &mut dyn Write) -> io::Result<()> {
    let Some((&extent, inner)) = shape.split_first() else {
        let ItemType::Subarray(array) = subarray.item_type() else { unreachable!("only subarrays come here") };
        return item(Item::at(subarray.bytes(), first as usize, array.item_type()), out);
    };
    let stride: u64 = if inner.contains(&0) { 0 } else { inner.iter().product() };
    write!(out, "[")?;
    for place in 0..extent {
        write!(out, "{}", if place == 0 { "" } else { "," })?;
        list(subarray, inner, first + place * stride, out)?;
    }
    write!(out, "]")
}

/// Writes numbers as numbers. Values that JSON cannot represent as numbers become text.
fn scalar(scalar: &Scalar, out: &mut dyn Write) -> io::Result<()> {
    match scalar {
        Scalar::Bool(value) => write!(out, "{value}"),
        Scalar::Int(value) => write!(out, "{value}"),
        Scalar::Uint(value) => write!(out, "{value}"),
        Scalar::F16(value) => float(value.to_f64(), &shortest_half(*value), out),
        Scalar::F32(value) => float((*value).into(), value, out),
        Scalar::F64(value) => float(*value, value, out),
        Scalar::LongDouble(value) => long(*value, out),
        Scalar::Complex64(re, im) => pair(out, |out| float((*re).into(), re, out), |out| float((*im).into(), im, out)),
        Scalar::Complex128(re, im) => pair(out, |out| float(*re, re, out), |out| float(*im, im, out)),
        Scalar::ComplexLongDouble(re, im) => pair(out, |out| long(*re, out), |out| long(*im, out)),
        Scalar::ByteString(bytes) => {
            let text: String = bytes.iter().map(|&byte| char::from(byte)).collect();
            json::value(out, &text)
        }
        Scalar::Str(units) => match units.iter().map(|&unit| char::from_u32(unit)).collect::<Option<String>>() {
            Some(text) => json::value(out, &text),
            None => json::value(out, units),
        },
        Scalar::DateTime(i64::MIN, _) | Scalar::TimeDelta(i64::MIN, _) => write!(out, "null"),
        Scalar::DateTime(steps, unit) => match unit.point(*steps) {
            Some(text) => write!(out, "\"{text}\""),
            None => write!(out, "{steps}"),
        },
        Scalar::TimeDelta(steps, _) => write!(out, "{steps}"),
        Scalar::Bytes(bytes) => {
            write!(out, "\"")?;
            bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
            write!(out, "\"")
        }
        Scalar::Structure(_) | Scalar::Subarray(..) => unreachable!("these are not plain values"),
    }
}

/// Writes a complex number.
fn pair(
    out: &mut dyn Write,
    re: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    im: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    write!(out, "[")?;
    re(out)?;
    write!(out, ",")?;
    im(out)?;
    write!(out, "]")
}

/// Writes a float. `shown` is the number in its own width, so it has no more digits than it needs.
fn float(value: f64, shown: &dyn fmt::Debug, out: &mut dyn Write) -> io::Result<()> {
    match value {
        value if value.is_nan() => write!(out, "\"nan\""),
        f64::INFINITY => write!(out, "\"inf\""),
        f64::NEG_INFINITY => write!(out, "\"-inf\""),
        _ => write!(out, "{shown:?}"),
    }
}

/// Writes an 80-bit float with all of its digits. JSON has no NaN and no infinity, so they are strings.
fn long(value: LongDouble, out: &mut dyn Write) -> io::Result<()> {
    match (value.is_nan(), value.is_infinite()) {
        (true, _) => write!(out, "\"nan\""),
        (_, true) => write!(out, "\"{value}\""),
        _ => write!(out, "{value:e}"),
    }
}
