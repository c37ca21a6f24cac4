//! The values of a file, in the form of recipes.

use ndbytes::idv::{self, ColumnType, ItemType, Value, Vector};
use ndbytes::rawarray::Order;
use ndbytes::{
    Dtype, ElementKind, Format, Item, Limits, LongDouble, Result, Scalar, b2nd, idx, npy, rawarray, safetensors,
};
use std::fmt::Write;
use std::path::Path;

/// A recipe's value in the form of this module, with floats as bit patterns, because a float can be written in many ways.
pub fn canonical(value: &str, descr: &str) -> String {
    let float = |value: &str, width: usize| match (value.starts_with("bits:"), width) {
        (true, _) => value.to_owned(),
        (_, 2) if descr.ends_with("bfloat16") => format!("bits:{:04x}", value.parse::<half::bf16>().unwrap().to_bits()),
        (_, 2) => format!("bits:{:04x}", value.parse::<half::f16>().unwrap().to_bits()),
        (_, 4) => format!("bits:{:08x}", value.parse::<f32>().unwrap().to_bits()),
        (_, _) => format!("bits:{:016x}", value.parse::<f64>().unwrap().to_bits()),
    };
    let width = match descr.trim_start_matches(['<', '>']) {
        "f2" | "bfloat16" | "complex32" => 2,
        "f4" | "c8" => 4,
        "f8" | "c16" => 8,
        _ => return value.to_owned(),
    };
    value.split(',').map(|part| float(part, width)).collect::<Vec<_>>().join(",")
}

/// The content of a file, as text.
pub struct FileValues {
    /// The dimensions, as stored in the file.
    pub shape: Vec<usize>,
    pub descr: String,
    /// The elements in file order.
    pub values: Vec<String>,
}

/// Reads a file through the library.
pub fn file_values(bytes: &[u8], format: Format, limits: Limits) -> Result<FileValues> {
    match format {
        Format::Idx => {
            let file = idx::Options::new().limits(limits).from_slice(bytes)?;
            let values = texts(file.bytes()?, file.dtype());
            Ok(FileValues { shape: file.shape().to_vec(), descr: file.dtype().descr(), values })
        }
        Format::RawArray => {
            let file = rawarray::Options::new().limits(limits).from_slice(bytes)?;
            assert_eq!(file.shape(Order::Fortran), file.dims());
            let values = texts(file.bytes()?, file.dtype());
            Ok(FileValues { shape: file.dims().to_vec(), descr: file.dtype().descr(), values })
        }
        Format::Npy => {
            let file = npy::Options::new().limits(limits).from_slice(bytes)?;
            let (bytes, item_type) = (file.bytes()?, file.item_type());
            let count: usize = file.shape().iter().product();
            let values = (0..count).map(|place| scalar_text(Item::at(bytes, place, item_type).scalar())).collect();
            Ok(FileValues { shape: file.shape().to_vec(), descr: item_type.to_string(), values })
        }
        Format::Safetensors | Format::Gguf => {
            let file = safetensors::Options::new().limits(limits).from_slice(bytes)?;
            let values = texts(file.bytes()?, file.dtype());
            Ok(FileValues { shape: file.shape().to_vec(), descr: file.dtype().descr(), values })
        }
        other => panic!("{other} has no values here"),
    }
}

/// Reads a b2nd array through the library, item by item.
pub fn array_values(path: &Path, limits: Limits) -> Result<FileValues> {
    let array = b2nd::Options::new().limits(limits).open(path)?;
    // If the items cannot be read at once, there is no point in reading them one by one.
    let bytes = array.to_bytes()?;
    for name in array.attribute_names() {
        array.attribute(&name)?;
    }
    let (shape, count) = (array.shape(), array.len());
    let index_of = |mut place: u64| {
        let mut index = vec![0; shape.len()];
        for (index, &extent) in index.iter_mut().zip(shape).rev() {
            *index = (place % extent as u64) as usize;
            place /= extent as u64;
        }
        index
    };
    let items = (0..count).map(|place| array.item(&index_of(place))).collect::<Result<Vec<_>>>()?;
    let size = array.item_type().size() as usize;
    let whole = (0..count as usize).map(|place| &bytes[place * size..(place + 1) * size]);
    for (item, bytes) in items.iter().zip(whole) {
        let expected = Scalar::from_item(bytes, array.item_type());
        assert_eq!(format!("{item:?}"), format!("{expected:?}"), "{}", path.display());
    }
    let values = items.into_iter().map(scalar_text).collect();
    Ok(FileValues { shape: shape.to_vec(), descr: array.item_type().to_string(), values })
}

/// One item, in the form of recipes.
fn scalar_text(scalar: Scalar) -> String {
    let list = |items: Vec<String>| items.join(",");
    let long = |value: LongDouble| {
        let (sign_exponent, significand) = value.to_bits();
        format!("bits:{sign_exponent:04x}{significand:016x}")
    };
    match scalar {
        Scalar::Bool(value) => u8::from(value).to_string(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Uint(value) => value.to_string(),
        Scalar::F16(value) => format!("bits:{:04x}", value.to_bits()),
        Scalar::F32(value) => format!("bits:{:08x}", value.to_bits()),
        Scalar::F64(value) => format!("bits:{:016x}", value.to_bits()),
        Scalar::Complex64(re, im) => list([re, im].map(|part| format!("bits:{:08x}", part.to_bits())).to_vec()),
        Scalar::Complex128(re, im) => list([re, im].map(|part| format!("bits:{:016x}", part.to_bits())).to_vec()),
        Scalar::LongDouble(value) => long(value),
        Scalar::ComplexLongDouble(re, im) => list([re, im].map(long).to_vec()),
        Scalar::ByteString(bytes) => quoted(bytes.into_iter().map(u16::from)),
        Scalar::Str(units) => quoted(units.into_iter().map(|unit| u16::try_from(unit).expect("of the first plane"))),
        Scalar::DateTime(steps, _) | Scalar::TimeDelta(steps, _) => steps.to_string(),
        Scalar::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        Scalar::Structure(fields) => {
            format!("({})", list(fields.into_iter().map(|(_, field)| scalar_text(field)).collect()))
        }
        Scalar::Subarray(_, items) => format!("[{}]", list(items.into_iter().map(scalar_text).collect())),
    }
}

fn texts(bytes: &[u8], dtype: Dtype) -> Vec<String> {
    let size = dtype.kind.size().max(1) as usize;
    bytes.chunks(size).map(|element| text(element, dtype)).collect()
}

fn text(element: &[u8], dtype: Dtype) -> String {
    let part = |range: std::ops::Range<usize>, kind| text(&element[range], Dtype { kind, ..dtype });
    match dtype.kind {
        ElementKind::Complex32 => format!("{},{}", part(0..2, ElementKind::F16), part(2..4, ElementKind::F16)),
        ElementKind::Complex64 => format!("{},{}", part(0..4, ElementKind::F32), part(4..8, ElementKind::F32)),
        ElementKind::Complex128 => format!("{},{}", part(0..8, ElementKind::F64), part(8..16, ElementKind::F64)),
        _ => match Scalar::from_bytes(element, dtype) {
            Scalar::Bool(value) => u8::from(value).to_string(),
            Scalar::Int(value) => value.to_string(),
            Scalar::Uint(value) => value.to_string(),
            Scalar::F16(value) => format!("bits:{:04x}", value.to_bits()),
            Scalar::F32(value) if dtype.kind == ElementKind::Bf16 => format!("bits:{:04x}", value.to_bits() >> 16),
            Scalar::F32(value) => format!("bits:{:08x}", value.to_bits()),
            Scalar::F64(value) => format!("bits:{:016x}", value.to_bits()),
            Scalar::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            other => panic!("{other:?}"),
        },
    }
}

/// Reads a table through the library, into lines in the form of recipes.
pub fn table_lines(bytes: &[u8], limits: Limits) -> Result<Vec<String>> {
    let table = idv::Options::new().limits(limits).from_slice(bytes)?;
    let mut lines = vec![format!("rows: {}", table.rows())];
    let mut read = Vec::new();
    for column in table.columns() {
        let name = quoted(column.name().encode_utf16());
        let hidden = if column.is_hidden() { " hidden" } else { "" };
        let type_name = match column.column_type().filter(|_| column.is_readable()) {
            Some(column_type) => type_name(column_type),
            None => "unreadable".to_owned(),
        };
        lines.push(format!("column: {name} {type_name}{hidden}"));
        if column.annotation("SlotNames").is_none() {
            let names = column.slot_names()?;
            lines.extend(names.map(|names| format!("slots: {}", value_text(names.get(0).unwrap()))));
        }
        for annotation in column.annotations() {
            let value = match annotation.read() {
                Ok(values) => {
                    format!("{} = {}", type_name_of(annotation.value_type()), value_text(values.get(0).unwrap()))
                }
                Err(ndbytes::Error::UnreadableColumn { .. }) => "unreadable".to_owned(),
                Err(error) => return Err(error),
            };
            lines.push(format!("annotation: {} {value}", quoted(annotation.kind().encode_utf16())));
        }
        if column.is_readable() {
            read.push(column.read()?);
        }
    }
    for row in 0..read.first().map_or(0, idv::Values::rows) {
        let values: Vec<String> = read.iter().map(|values| value_text(values.get(row).unwrap())).collect();
        lines.push(format!("row: {}", values.join(" ")));
    }
    Ok(lines)
}

fn type_name_of(column_type: Option<&ColumnType>) -> String {
    column_type.map_or("unreadable".to_owned(), type_name)
}

fn type_name(column_type: &ColumnType) -> String {
    match column_type.item {
        ItemType::Key(key) if key.min > 0 => format!("{column_type} from {}", key.min),
        _ => column_type.to_string(),
    }
}

/// One value, in the form of recipes.
pub fn value_text(value: Value<'_>) -> String {
    match value {
        Value::Null => "null".into(),
        Value::Int(number) => number.to_string(),
        Value::Uint(number) => number.to_string(),
        Value::RowId(id) => format!("{}:{}", id as u64, id >> 64),
        Value::F32(number) if number.is_nan() => format!("bits:{:08x}", number.to_bits()),
        Value::F64(number) if number.is_nan() => format!("bits:{:016x}", number.to_bits()),
        Value::F32(number) => format!("{number:?}"),
        Value::F64(number) => format!("{number:?}"),
        Value::Bool(value) => value.to_string(),
        Value::DateTimeOffset(time) => format!("{}{:+}", time.ticks, time.offset_minutes),
        Value::Text(text) => quoted(text.utf16()),
        Value::Vector(vector) => vector_text(vector),
    }
}

fn vector_text(vector: Vector<'_>) -> String {
    let stored: Vec<String> = vector.stored().map(value_text).collect();
    match vector.indices() {
        None => {
            assert_eq!(stored.len(), vector.len());
            format!("[{}]", stored.join(" "))
        }
        Some(indices) => {
            assert_eq!(indices.len(), stored.len());
            let items: Vec<String> =
                indices.iter().zip(stored).map(|(index, item)| format!(" {index}={item}")).collect();
            format!("{{{}:{}}}", vector.len(), items.concat())
        }
    }
}

/// Quotes a text, with UTF-16 units outside ASCII as `\u` and four hexadecimal digits.
fn quoted(units: impl Iterator<Item = u16>) -> String {
    let mut text = String::from("\"");
    for unit in units {
        match u8::try_from(unit) {
            Ok(byte @ (b'"' | b'\\')) => text.extend(['\\', byte.into()]),
            Ok(byte @ b' '..=b'~') => text.push(byte.into()),
            _ => write!(text, "\\u{unit:04x}").unwrap(),
        }
    }
    text + "\""
}
