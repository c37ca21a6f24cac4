//! `ndbytes cat`

use super::numpy_text::{scalar_text, write_array};
use super::{Context, Outcome, open, report};
use ndbytes::{Array, Scalar};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the values of an array as NumPy would.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object with all values.
    #[arg(long)]
    json: bool,
    /// The file; `-` is standard input.
    path: PathBuf,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    let array = open(path, context.limits).and_then(|input| Array::read(input, context.limits));
    let array = match array.and_then(|array| array.bytes().map(|_| ()).map(|()| array)) {
        Ok(array) => array,
        Err(error) => return report(&error, path, context),
    };
    let strides = strides(&array);
    if arguments.json {
        print_json(&array, &path.display().to_string(), &strides, context.out)?;
        return Ok(Outcome::Clean);
    }
    let mut text = Text { out: context.out, error: None };
    let mut item = |index| scalar(&array, &strides, index);
    match write_array(&mut text, array.shape(), &mut item) {
        Ok(()) => writeln!(context.out)?,
        Err(fmt::Error) => return Err(text.error.unwrap_or_else(|| io::ErrorKind::Other.into())),
    }
    Ok(Outcome::Clean)
}

/// How far apart neighbours along each axis are stored, in elements.
fn strides(array: &Array<'_>) -> Vec<u64> {
    let mut stride = 1_u64;
    let mut strides: Vec<u64> = Vec::new();
    let mut next = |&extent: &usize| {
        let this = stride;
        stride = stride.wrapping_mul(extent as u64);
        this
    };
    if array.is_fortran_order() {
        strides.extend(array.shape().iter().map(&mut next));
    } else {
        strides.extend(array.shape().iter().rev().map(&mut next));
        strides.reverse();
    }
    strides
}

/// The element at an index that counts in C order, whatever order the array is stored in.
fn scalar(array: &Array<'_>, strides: &[u64], index: usize) -> Scalar {
    let stored = if array.is_fortran_order() {
        let mut left = index as u64;
        let axes = array.shape().iter().zip(strides).rev();
        axes.map(|(&extent, stride)| {
            let place = left % extent as u64;
            left /= extent as u64;
            place * stride
        })
        .sum()
    } else {
        index as u64
    };
    array.scalar(stored).expect("the index is in the array, whose bytes are at hand")
}

/// Every element in one flat list, in C order of the shape: nested lists of many axes are more than JSON readers take.
fn print_json(array: &Array<'_>, path: &str, strides: &[u64], out: &mut dyn Write) -> io::Result<()> {
    let (shape, order) = (array.shape(), if array.is_fortran_order() { "F" } else { "C" });
    let extents = shape.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    write!(out, "{{\"path\":{},\"format\":\"{}\",", serde_json::to_string(path)?, array.format())?;
    write!(out, "\"shape\":[{extents}],\"dtype\":\"{}\",\"order\":\"{order}\",", array.dtype().descr())?;
    write!(out, "\"values\":[")?;
    let count = if shape.contains(&0) { 0 } else { shape.iter().product() };
    for index in 0..count {
        if index > 0 {
            write!(out, ",")?;
        }
        write_json_scalar(&scalar(array, strides, index), out)?;
    }
    writeln!(out, "]}}")
}

/// Numbers as numbers; what JSON has no number for as text.
fn write_json_scalar(scalar: &Scalar, out: &mut dyn Write) -> io::Result<()> {
    match scalar {
        Scalar::Bool(value) => write!(out, "{value}"),
        Scalar::F16(value) => write_json_float(value.to_f64(), &value.to_f32(), out),
        Scalar::F32(value) => write_json_float((*value).into(), value, out),
        Scalar::F64(value) => write_json_float(*value, value, out),
        Scalar::Complex64(re, im) => {
            write!(out, "[")?;
            write_json_float((*re).into(), re, out)?;
            write!(out, ",")?;
            write_json_float((*im).into(), im, out)?;
            write!(out, "]")
        }
        Scalar::Complex128(re, im) => {
            write!(out, "[")?;
            write_json_float(*re, re, out)?;
            write!(out, ",")?;
            write_json_float(*im, im, out)?;
            write!(out, "]")
        }
        Scalar::Bytes(bytes) => {
            write!(out, "\"")?;
            bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
            write!(out, "\"")
        }
        Scalar::Int(_) | Scalar::Uint(_) => write!(out, "{}", scalar_text(scalar)),
    }
}

/// `shown` is the number in its own width, so that it gets no more digits than it needs.
fn write_json_float(value: f64, shown: &dyn fmt::Debug, out: &mut dyn Write) -> io::Result<()> {
    match value {
        value if value.is_nan() => write!(out, "\"nan\""),
        f64::INFINITY => write!(out, "\"inf\""),
        f64::NEG_INFINITY => write!(out, "\"-inf\""),
        _ => write!(out, "{shown:?}"),
    }
}

/// Lets text be written to a stream of bytes, and keeps the stream's error.
struct Text<'a> {
    out: &'a mut dyn Write,
    error: Option<io::Error>,
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
