//! Items of every type, as NumPy prints them and as JSON according to `docs/src/json.md`.
//!
//! Tests the tool's own modules, so no format with such types is needed.

use crate::support::cli::{array_json, numpy_text};
use ndbytes::{Decoded, ItemType};
use serde_json::Value;

struct Frozen {
    record: Value,
    item_type: ItemType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

fn frozen() -> impl Iterator<Item = Frozen> {
    let path = ndbytes_testkit::frozen("numpy/arrays.json");
    let records: Vec<Value> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    records.into_iter().map(|record| {
        let digits = record["bytes"].as_str().unwrap();
        let byte = |place| u8::from_str_radix(&digits[2 * place..2 * place + 2], 16).unwrap();
        Frozen {
            item_type: record["dtype"].as_str().unwrap().parse().unwrap(),
            shape: serde_json::from_value(record["shape"].clone()).unwrap(),
            bytes: (0..digits.len() / 2).map(byte).collect(),
            record,
        }
    })
}

#[test]
fn arrays_print_as_in_numpy() {
    for Frozen { record, item_type, shape, bytes } in frozen() {
        let mut text = String::new();
        numpy_text::write_array(&mut text, &mut Decoded::new(&bytes, &item_type, &shape).unwrap()).unwrap();
        assert_eq!(text, record["text"].as_str().unwrap(), "{item_type} {shape:?}");
    }
}

#[test]
fn values_are_what_json_md_says() {
    for Frozen { record, item_type, shape, bytes } in frozen() {
        let mut json = b"[".to_vec();
        let mut items = Decoded::new(&bytes, &item_type, &shape).unwrap();
        array_json::values(&mut items, &mut json).unwrap().unwrap();
        json.push(b']');
        let Some(expected) = record["values"].as_array() else { continue };
        if expected.iter().any(|value| value == "beyond") {
            continue;
        }
        let values: Value = serde_json::from_slice(&json).unwrap();
        assert!(is_same(&values, &record["values"]), "{item_type}: {values} is not {}", record["values"]);
    }
}

/// Numbers are the same with or without a decimal point. This JSON reader is not exact to the last digit.
fn is_same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            let (near, far) = (one.as_f64().unwrap(), other.as_f64().unwrap());
            one == other || (near - far).abs() <= far.abs() * f64::EPSILON
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.keys().eq(other.keys()) && one.iter().all(|(name, value)| is_same(value, &other[name]))
        }
        (one, other) => one == other,
    }
}

/// These are values that NumPy refuses to print, or prints in a form that a terminal would execute.
#[test]
fn values_that_numpy_does_not_print_are_shown() {
    let text = |dtype: &str, bytes: &[u8]| {
        let (item_type, mut text) = (dtype.parse().unwrap(), String::new());
        numpy_text::write_array(&mut text, &mut Decoded::new(bytes, &item_type, &[]).unwrap()).unwrap();
        text
    };
    let units = ['\x1b', '\\', '\n'].map(|letter| u32::from(letter).to_le_bytes()).concat();
    assert_eq!(text("<U3", &units), "\\x1b\\\\n");
    assert_eq!(text("<U1", &0x11_0000_u32.to_le_bytes()), "\\U00110000");
    assert_eq!(text("<M8", &5_i64.to_le_bytes()), "5");
    // NumPy cannot count this far.
    assert_eq!(text("<M8[25s]", &i64::MAX.to_le_bytes()), "7306925617643-03-12T03:32:55");
    assert_eq!(text("<m8[25s]", &i64::MAX.to_le_bytes()), "230584300921369395175 seconds");
    // The processor treats a subnormal number with its first bit set as a normal one.
    assert_eq!(text("<f16", &(1_u128 << 63).to_le_bytes()), "3.3621031431120935063e-4932");
}

#[test]
fn a_subarray_as_the_type_of_all_items_is_more_axes() {
    let item_type: ItemType = "(('<i2', (2,)), (3,))".parse().unwrap();
    let bytes: Vec<u8> = (0..12_i16).flat_map(i16::to_le_bytes).collect();
    let mut text = String::new();
    numpy_text::write_array(&mut text, &mut Decoded::new(&bytes, &item_type, &[2]).unwrap()).unwrap();
    assert_eq!(text, "[[[ 0  1]\n  [ 2  3]\n  [ 4  5]]\n\n [[ 6  7]\n  [ 8  9]\n  [10 11]]]");
    let mut json = Vec::new();
    array_json::values(&mut Decoded::new(&bytes, &item_type, &[2]).unwrap(), &mut json).unwrap().unwrap();
    assert_eq!(json, b"[[0,1],[2,3],[4,5]],[[6,7],[8,9],[10,11]]");
}
