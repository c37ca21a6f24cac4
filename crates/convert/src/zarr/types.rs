//! The data types of Zarr, as item types.

use super::read_error::Result;
use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ElementKind, ItemType, Structure, Subarray};
use serde_json::{Value, json};

/// The data types of Zarr 3 that consist only of a name.
const NAMES: [(&str, ElementKind); 16] = [
    ("bool", ElementKind::Bool),
    ("int8", ElementKind::I8),
    ("int16", ElementKind::I16),
    ("int32", ElementKind::I32),
    ("int64", ElementKind::I64),
    ("uint8", ElementKind::U8),
    ("uint16", ElementKind::U16),
    ("uint32", ElementKind::U32),
    ("uint64", ElementKind::U64),
    ("float16", ElementKind::F16),
    ("bfloat16", ElementKind::Bf16),
    ("float32", ElementKind::F32),
    ("float64", ElementKind::F64),
    ("complex_float16", ElementKind::Complex32),
    ("complex64", ElementKind::Complex64),
    ("complex128", ElementKind::Complex128),
];

/// The maximum number of bytes in an item, which is also NumPy's.
const LONGEST: u64 = i32::MAX as u64;

/// The maximum nesting of structures.
const DEEPEST: usize = 32;

/// Returns the item type of a Zarr 3 data type in this byte order.
pub fn of_v3(stated: &Value, endian: Endian) -> Result<ItemType> {
    v3_at(stated, endian, 0)
}

fn v3_at(stated: &Value, endian: Endian, depth: usize) -> Result<ItemType> {
    let unknown = || format!("the data type {} is not one that ndbytes reads", shown(stated));
    let plain = |kind: ElementKind| {
        let endian = if kind.swapped() == 1 { Endian::Little } else { endian };
        ItemType::Plain(Dtype::new(kind, endian))
    };
    let name = stated.as_str().or_else(|| stated.get("name")?.as_str()).ok_or_else(unknown)?;
    if let Some((_, kind)) = NAMES.iter().find(|(known, _)| *known == name) {
        return Ok(plain(*kind));
    }
    let configuration = stated.get("configuration").unwrap_or(&Value::Null);
    let number = |key: &str| configuration.get(key).and_then(Value::as_u64);
    let length = || number("length_bytes").filter(|length| (1..=LONGEST).contains(length)).ok_or_else(unknown);
    let kind = match name {
        "fixed_length_utf32" if length()?.is_multiple_of(4) => ElementKind::Str(length()? / 4),
        "null_terminated_bytes" => ElementKind::Bytes(length()?),
        "raw_bytes" => ElementKind::Record(length()?),
        "numpy.datetime64" | "numpy.timedelta64" => {
            let unit = configuration.get("unit").and_then(Value::as_str).ok_or_else(unknown)?;
            let letter = if name == "numpy.datetime64" { 'M' } else { 'm' };
            let text = match (unit, number("scale_factor").unwrap_or(1)) {
                ("generic", _) => format!("{letter}8"),
                (unit, 1) => format!("{letter}8[{unit}]"),
                (unit, scale) => format!("{letter}8[{scale}{unit}]"),
            };
            text.parse::<Dtype>().map_err(|_| unknown())?.kind
        }
        "structured" | "struct" if depth < DEEPEST => {
            let fields = configuration.get("fields").and_then(Value::as_array).ok_or_else(unknown)?;
            let field = |field: &Value| {
                let (name, item_type) = (field.get(0).or(field.get("name")), field.get(1).or(field.get("data_type")));
                let (name, item_type) = name.and_then(Value::as_str).zip(item_type).ok_or_else(unknown)?;
                Ok((name.to_owned(), v3_at(item_type, endian, depth + 1)?))
            };
            return structure(fields.iter().map(field).collect::<Result<_>>()?);
        }
        // Raw bits, whose number must be a multiple of eight.
        _ => match name.strip_prefix('r').and_then(|bits| bits.parse::<u64>().ok()) {
            Some(bits) if bits > 0 && bits.is_multiple_of(8) && bits / 8 <= LONGEST => ElementKind::Record(bits / 8),
            _ => return Err(unknown().into()),
        },
    };
    Ok(plain(kind))
}

/// Returns the item type of a Zarr 2 data type: NumPy's name, or a list of fields.
pub fn of_v2(stated: &Value) -> Result<ItemType> {
    v2_at(stated, 0)
}

fn v2_at(stated: &Value, depth: usize) -> Result<ItemType> {
    let unknown = || format!("the data type {} is not one that ndbytes reads", shown(stated));
    let fields = match stated {
        Value::String(name) => {
            let dtype: Dtype = name.parse().map_err(|_| unknown())?;
            return Ok(ItemType::Plain(dtype));
        }
        Value::Array(fields) if depth < DEEPEST => fields,
        _ => return Err(unknown().into()),
    };
    let field = |field: &Value| {
        let (name, item_type) = field.get(0).and_then(Value::as_str).zip(field.get(1)).ok_or_else(unknown)?;
        let item_type = v2_at(item_type, depth + 1)?;
        let item_type = match field.get(2).map(|shape| shape.as_array().map_or(vec![shape], |all| all.iter().collect()))
        {
            None => item_type,
            Some(shape) => {
                let shape: Option<Vec<u64>> = shape.into_iter().map(Value::as_u64).collect();
                let subarray = Subarray::new(item_type, shape.ok_or_else(unknown)?);
                ItemType::Subarray(subarray.map_err(|problem| problem.to_string())?)
            }
        };
        Ok((name.to_owned(), item_type))
    };
    structure(fields.iter().map(field).collect::<Result<_>>()?)
}

fn structure(fields: Vec<(String, ItemType)>) -> Result<ItemType> {
    Ok(ItemType::Structure(Structure::packed(fields).map_err(|problem| problem.to_string())?))
}

/// Returns a JSON value for use in a sentence.
pub fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text,
    }
}

/// Returns the Zarr 3 data type for an item type, or `None` if there is none.
pub fn v3_of(item_type: &ItemType) -> Option<Value> {
    let ItemType::Plain(dtype) = item_type else { return None };
    if let Some((name, _)) = NAMES.iter().find(|(_, kind)| *kind == dtype.kind && *kind != ElementKind::Complex32) {
        return Some(json!(name));
    }
    let of_length = |name: &str, length: u64| {
        (length > 0).then(|| json!({"name": name, "configuration": {"length_bytes": length}}))
    };
    let of_unit = |name: &str, unit: ndbytes::TimeUnit| json!({"name": name, "configuration": {"unit": unit.unit.name(), "scale_factor": unit.count}});
    match dtype.kind {
        ElementKind::Bit => Some(json!("bool")),
        ElementKind::Str(characters) => of_length("fixed_length_utf32", characters * 4),
        ElementKind::Bytes(bytes) => of_length("null_terminated_bytes", bytes),
        ElementKind::Record(bytes) => of_length("raw_bytes", bytes),
        ElementKind::DateTime(unit) => Some(of_unit("numpy.datetime64", unit)),
        ElementKind::TimeDelta(unit) => Some(of_unit("numpy.timedelta64", unit)),
        _ => None,
    }
}
