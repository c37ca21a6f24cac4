//! The values of a file, as recipes write them.

use ndbytes::rawarray::Order;
use ndbytes::{Dtype, Format, Kind, Limits, Result, Scalar, idx, rawarray};

/// A recipe's value as this module writes it: floats as their bit pattern, since text can stand for one in many ways.
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

/// What a file holds, in words.
pub struct FileValues {
    /// Extents as the file stores them.
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
        other => panic!("{other} has no values here"),
    }
}

fn texts(bytes: &[u8], dtype: Dtype) -> Vec<String> {
    let size = dtype.kind.size().max(1) as usize;
    bytes.chunks(size).map(|element| text(element, dtype)).collect()
}

fn text(element: &[u8], dtype: Dtype) -> String {
    let part = |range: std::ops::Range<usize>, kind| text(&element[range], Dtype { kind, ..dtype });
    match dtype.kind {
        Kind::Complex32 => format!("{},{}", part(0..2, Kind::F16), part(2..4, Kind::F16)),
        Kind::Complex64 => format!("{},{}", part(0..4, Kind::F32), part(4..8, Kind::F32)),
        Kind::Complex128 => format!("{},{}", part(0..8, Kind::F64), part(8..16, Kind::F64)),
        _ => match Scalar::from_bytes(element, dtype) {
            Scalar::Bool(value) => u8::from(value).to_string(),
            Scalar::Int(value) => value.to_string(),
            Scalar::Uint(value) => value.to_string(),
            Scalar::F16(value) => format!("bits:{:04x}", value.to_bits()),
            Scalar::F32(value) if dtype.kind == Kind::Bf16 => format!("bits:{:04x}", value.to_bits() >> 16),
            Scalar::F32(value) => format!("bits:{:08x}", value.to_bits()),
            Scalar::F64(value) => format!("bits:{:016x}", value.to_bits()),
            Scalar::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            other => panic!("{other:?}"),
        },
    }
}
