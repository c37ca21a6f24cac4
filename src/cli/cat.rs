//! `ndbytes cat`

use super::numpy_text::{scalar_text, write_array};
use super::{Context, Outcome, complain, open, report, table_json, table_text};
use ndbytes::{Array, Error, Format, Input, Reference, Rule, Scalar, Severity, detect, idv};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

/// Print the values: an array as NumPy would, a table row by row. Of many, the first and the last ones.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object, with all values.
    #[arg(long)]
    json: bool,
    /// Read a table although it breaks this rule, such as `idv/trailing-bytes`. May be given several times.
    #[arg(long, value_name = "RULE", value_parser = parse_tolerable)]
    tolerate: Vec<&'static Rule>,
    /// The file; `-` is standard input.
    path: PathBuf,
}

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let path = &arguments.path;
    let input = match open(path, context.limits) {
        Ok(input) => input,
        Err(error) => return refuse(&error, arguments, context),
    };
    if detect(input.head(), input.length()) == Some(Format::Idv) {
        return table(input, arguments, context);
    }
    if !arguments.tolerate.is_empty() {
        complain("--tolerate is for tables, and this file holds none");
        return Ok(Outcome::Unreadable);
    }
    let array = Array::read(input, context.limits);
    let array = match array.and_then(|array| array.bytes().map(|_| ()).map(|()| array)) {
        Ok(array) => array,
        Err(error) => return refuse(&error, arguments, context),
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

fn table(input: Input<'_>, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let options = arguments.tolerate.iter().fold(idv::Options::new(), |options, rule| options.tolerate(rule));
    let printed = match options.limits(context.limits).read(input) {
        Ok(table) if arguments.json => table_json::print(&table, context.out)?,
        Ok(table) => table_text::print(&table, context.out)?,
        Err(error) => Err(error),
    };
    match printed {
        Ok(()) => Ok(Outcome::Clean),
        Err(Error::Invalid(mut finding)) => {
            if is_tolerable(finding.rule) {
                let option = format!("`--tolerate {}` reads the table all the same", finding.rule.id);
                finding.help = Some(finding.help.map_or(option.clone(), |help| format!("{help}; {option}")));
            }
            refuse(&Error::Invalid(finding), arguments, context)
        }
        Err(error) => refuse(&error, arguments, context),
    }
}

/// Reports why there are no values, or no more of them. What is printed for machines has nothing else in it.
fn refuse(error: &Error, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let limits = context.limits;
    context.out.flush()?;
    match arguments.json {
        true => report(error, &arguments.path, &mut Context { limits, out: &mut anstream::stderr() }),
        false => report(error, &arguments.path, context),
    }
}

/// A rule that tables can be read without.
fn parse_tolerable(name: &str) -> Result<&'static Rule, String> {
    let rule = ndbytes::rules().find(|rule| rule.id == name || rule.id.strip_prefix("idv/") == Some(name));
    match rule {
        Some(rule) if is_tolerable(rule) => Ok(rule),
        Some(rule) if !rule.id.starts_with("idv/") => Err("only rules of tables can be tolerated, `idv/…`".into()),
        Some(rule) if rule.severity != Some(Severity::Error) => Err("this is no error, and stops nobody".into()),
        Some(_) => Err("nothing can be read from a file that breaks this rule".into()),
        None => {
            let tolerable = ndbytes::rules().filter(|rule| is_tolerable(rule)).map(|rule| rule.id);
            Err(format!("there is no such rule; tolerable are {}", tolerable.collect::<Vec<_>>().join(", ")))
        }
    }
}

fn is_tolerable(rule: &Rule) -> bool {
    rule.id.starts_with("idv/") && rule.severity == Some(Severity::Error) && rule.reference == Reference::Accepts
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
        scalar => write!(out, "{}", scalar_text(scalar)),
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
