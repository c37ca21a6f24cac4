//! Fill values: the value of items that are not stored, from JSON and as JSON.
//!
//! JSON has no NaN, no bit patterns and no bytes. Zarr writes them as strings: `"NaN"`, `"0x7fc00000"`, or base64. The two versions
//! do so in different ways, and readers differ in what they accept; this module accepts all of these spellings.

use super::base64;
use super::read_error::Result;
use super::types::shown;
use ndbytes::everybyte::Endian;
use ndbytes::half::{bf16, f16};
use ndbytes::internals::swap_in_place;
use ndbytes::{Dtype, ElementKind, ItemType};
use serde_json::{Value, json};

/// The maximum number of bytes in an item, because its fill value is kept in memory.
const LONGEST: u64 = 1 << 20;

/// Converts a fill value to the bytes of an item. For `None` and `null`, readers may choose a value: zeros or, as in
/// zarr-python, `NaT`.
pub fn bytes(stated: Option<&Value>, item_type: &ItemType) -> Result<Vec<u8>> {
    let size = item_type.size();
    if size > LONGEST {
        return Err(format!("an item of the array has {size} bytes, but at most {LONGEST} are read").into());
    }
    let size = size as usize;
    let stated = match stated {
        None | Some(Value::Null) => return bytes(Some(&usual(item_type)), item_type),
        Some(stated) => stated,
    };
    let invalid = || format!("the fill value {} is not one of items of {item_type}", shown(stated));
    let value = match item_type {
        ItemType::Plain(dtype) => plain(stated, *dtype),
        _ => raw(stated, size),
    };
    let value = value.filter(|value| value.len() <= size).ok_or_else(invalid)?;
    let mut bytes = vec![0; size];
    bytes[..value.len()].copy_from_slice(&value);
    if let ItemType::Plain(dtype) = item_type
        && dtype.endian == Endian::Big
    {
        swap_in_place(&mut bytes, dtype.kind.swapped());
    }
    Ok(bytes)
}

/// Returns the default fill value of items.
fn usual(item_type: &ItemType) -> Value {
    match item_type.dtype().kind {
        ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => json!("NaT"),
        ElementKind::Bool => json!(false),
        ElementKind::Str(_) | ElementKind::Bytes(_) | ElementKind::Record(_) => json!(""),
        _ => json!(0),
    }
}

/// Parses base64, or a list of bytes. The number 0 means zeros in old files.
fn raw(stated: &Value, size: usize) -> Option<Vec<u8>> {
    match stated {
        Value::String(text) => base64::decode(text),
        Value::Array(list) => list.iter().map(|byte| byte.as_u64().and_then(|byte| u8::try_from(byte).ok())).collect(),
        Value::Number(number) if number.as_u64() == Some(0) => Some(vec![0; size]),
        _ => None,
    }
}

/// Returns the bytes of a plain value, with the least significant byte first.
fn plain(stated: &Value, dtype: Dtype) -> Option<Vec<u8>> {
    let signed = || stated.as_i64().or_else(|| whole(stated)).map(i64::to_le_bytes);
    let unsigned = || stated.as_u64().or_else(|| whole(stated)?.try_into().ok()).map(u64::to_le_bytes);
    let size = dtype.kind.size() as usize;
    match dtype.kind {
        ElementKind::Bool => match stated {
            Value::Bool(value) => Some(vec![u8::from(*value)]),
            _ => stated.as_u64().filter(|&number| number < 2).map(|number| vec![number as u8]),
        },
        ElementKind::I8 | ElementKind::I16 | ElementKind::I32 | ElementKind::I64 => {
            let bytes = signed()?;
            // The remaining bytes repeat the sign.
            let sign = if bytes[size - 1] & 0x80 == 0 { 0 } else { 0xff };
            bytes[size..].iter().all(|&byte| byte == sign).then(|| bytes[..size].to_vec())
        }
        ElementKind::U8 | ElementKind::U16 | ElementKind::U32 | ElementKind::U64 => {
            let bytes = unsigned()?;
            bytes[size..].iter().all(|&byte| byte == 0).then(|| bytes[..size].to_vec())
        }
        ElementKind::F16 | ElementKind::Bf16 | ElementKind::F32 | ElementKind::F64 => float(stated, dtype.kind),
        ElementKind::Complex32 => parts(stated, ElementKind::F16),
        ElementKind::Complex64 => parts(stated, ElementKind::F32),
        ElementKind::Complex128 => parts(stated, ElementKind::F64),
        ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => match stated.as_str() {
            Some("NaT") => Some(i64::MIN.to_le_bytes().to_vec()),
            _ => signed().map(Vec::from),
        },
        ElementKind::Str(_) => match stated {
            Value::String(text) => Some(text.chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect()),
            _ => raw(stated, size),
        },
        _ => raw(stated, size),
    }
}

/// Parses an integer that is written as `1.0`.
fn whole(stated: &Value) -> Option<i64> {
    stated.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 9e15).map(|number| number as i64)
}

fn parts(stated: &Value, part: ElementKind) -> Option<Vec<u8>> {
    match stated {
        Value::Array(parts) => match &parts[..] {
            [re, im] => Some([float(re, part)?, float(im, part)?].concat()),
            _ => None,
        },
        re => Some([float(re, part)?, vec![0; part.size() as usize]].concat()),
    }
}

/// Returns the bytes of a float, given as a number, a word, or its bits as `0x…`.
fn float(stated: &Value, kind: ElementKind) -> Option<Vec<u8>> {
    let size = kind.size() as usize;
    if let Some(digits) = stated.as_str().and_then(|text| text.strip_prefix("0x")) {
        let bits = u64::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 2 * size)?;
        return Some(bits.to_le_bytes()[..size].to_vec());
    }
    let number = match stated.as_str() {
        Some("NaN") => f64::NAN,
        Some("Infinity") => f64::INFINITY,
        Some("-Infinity") => f64::NEG_INFINITY,
        Some(_) => return None,
        None => stated.as_f64()?,
    };
    Some(match kind {
        ElementKind::F16 => f16::from_f64(number).to_le_bytes().to_vec(),
        ElementKind::Bf16 => bf16::from_f64(number).to_le_bytes().to_vec(),
        ElementKind::F32 => (number as f32).to_le_bytes().to_vec(),
        _ => number.to_le_bytes().to_vec(),
    })
}

/// Returns the Zarr 3 fill value for the bytes of an item.
pub fn value(item: &[u8], item_type: &ItemType) -> Value {
    let ItemType::Plain(dtype) = item_type else { return json!(base64::encode(item)) };
    let mut item = item.to_vec();
    if dtype.endian == Endian::Big {
        swap_in_place(&mut item, dtype.kind.swapped());
    }
    let mut wide = [0; 8];
    let length = item.len().min(8);
    wide[..length].copy_from_slice(&item[..length]);
    let number = u64::from_le_bytes(wide);
    let half = item.len() / 2;
    match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => json!(item != [0]),
        ElementKind::I8 => json!(number as i8),
        ElementKind::I16 => json!(number as i16),
        ElementKind::I32 => json!(number as i32),
        ElementKind::I64 | ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => json!(number as i64),
        ElementKind::U8 | ElementKind::U16 | ElementKind::U32 | ElementKind::U64 => json!(number),
        ElementKind::F16 | ElementKind::Bf16 | ElementKind::F32 | ElementKind::F64 => float_value(&item, dtype.kind),
        ElementKind::Complex64 | ElementKind::Complex128 => {
            let part = if half == 4 { ElementKind::F32 } else { ElementKind::F64 };
            json!([float_value(&item[..half], part), float_value(&item[half..], part)])
        }
        ElementKind::Str(_) => {
            let letters = item.as_chunks::<4>().0.iter().map(|letter| u32::from_le_bytes(*letter));
            let text: Option<String> = letters.map(char::from_u32).collect();
            json!(text.unwrap_or_default().trim_end_matches('\0'))
        }
        _ => json!(base64::encode(&item)),
    }
}

fn float_value(item: &[u8], kind: ElementKind) -> Value {
    let number = match (kind, item) {
        (ElementKind::F16, &[a, b]) => f16::from_le_bytes([a, b]).to_f64(),
        (ElementKind::Bf16, &[a, b]) => bf16::from_le_bytes([a, b]).to_f64(),
        (ElementKind::F32, &[a, b, c, d]) => f32::from_le_bytes([a, b, c, d]).into(),
        (_, item) => f64::from_le_bytes(item.first_chunk().copied().unwrap_or_default()),
    };
    let words = [("NaN", f64::NAN), ("Infinity", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY)];
    let of_word = |word: &str| float(&json!(word), kind).is_some_and(|bytes| bytes == item);
    match words.into_iter().find(|(word, _)| of_word(word)) {
        Some((word, _)) => json!(word),
        None if number.is_finite() => json!(number),
        // A NaN with other bits.
        None => json!(format!("0x{}", item.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_values_come_back_to_the_bit() {
        for (item_type, item) in [
            ("|b1", vec![1]),
            ("|i1", vec![0x80]),
            (">i4", vec![0xff, 0xff, 0xff, 0xfe]),
            ("<u8", vec![0xff; 8]),
            ("<f2", vec![1, 0x7e]),
            ("<f4", 1e-45_f32.to_le_bytes().to_vec()),
            (">f8", 0xfff8_0000_0000_0001_u64.to_be_bytes().to_vec()),
            ("<f8", (-0.0_f64).to_le_bytes().to_vec()),
            ("<f8", f64::NEG_INFINITY.to_le_bytes().to_vec()),
            ("<c8", [1.5_f32.to_le_bytes(), f32::NAN.to_le_bytes()].concat()),
            ("<U2", vec![0x3c, 0xf4, 1, 0, 0, 0, 0, 0]),
            ("|S3", b"ab\0".to_vec()),
            ("|V3", vec![1, 2, 3]),
            ("<M8[10s]", i64::MIN.to_le_bytes().to_vec()),
        ] {
            let item_type: ItemType = item_type.parse().unwrap();
            let stated = value(&item, &item_type);
            assert_eq!(bytes(Some(&stated), &item_type).unwrap(), item, "{item_type} {stated}");
        }
    }

    #[test]
    fn fill_value_is_refused_if_the_type_has_no_such_value() {
        for (item_type, stated) in [
            ("|u1", json!(256)),
            ("|u1", json!(-1)),
            ("|i1", json!(128)),
            ("<f4", json!("0x7f")),
            ("<f4", json!("nan")),
            ("|b1", json!(2)),
            ("<c8", json!([1])),
            ("|S1", json!("YWI=")),
            ("<i8", json!(1.5)),
        ] {
            let flaw = bytes(Some(&stated), &item_type.parse().unwrap());
            assert!(flaw.is_err(), "{item_type} {stated}");
        }
    }
}
