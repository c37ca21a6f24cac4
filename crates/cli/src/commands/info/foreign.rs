//! Describes the arrays or the table in files and stores without rules.

use super::lines::{Line, print_heads};
use crate::context::{Context, Outcome};
use crate::show::json;
use crate::show::style::{FAINT, HEADING, counted, grouped, shape};
use crate::show::text::{self, WIDEST, cut, named, width};
use crate::values::foreign::{Foreign, failure};
use crate::values::open::Failure;
use ndbytes_compare::digest::{self, Digest};
use ndbytes_convert::door::NamedArray;
use ndbytes_convert::{ShownColumn, TableSource};
use serde::Serialize;
use std::io;
use std::path::Path;

/// The maximum number of listed columns.
const MOST_COLUMNS: usize = 1000;

/// The description of an array or a table, as JSON.
#[derive(Serialize)]
struct Object<'o> {
    path: String,
    format: &'static str,
    size: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    array: Option<ArrayObject<'o>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

/// An array in JSON.
#[derive(Serialize)]
struct ArrayObject<'o> {
    dtype: String,
    shape: &'o [usize],
    order: &'static str,
}

/// A table in JSON.
#[derive(Serialize)]
struct TableObject {
    rows: u64,
    columns: Vec<ColumnObject>,
}

/// A column in JSON.
#[derive(Serialize)]
struct ColumnObject {
    name: String,
    r#type: String,
}

/// Prints the description. The flags request JSON and digests.
pub fn tell(foreign: &Foreign, path: &Path, flags: [bool; 2], context: &mut Context<'_>) -> io::Result<Outcome> {
    if foreign.slice.is_some() {
        let words = "this command does not accept slices; `ndbytes convert` writes a slice to a file";
        return Failure::Words(words.to_owned()).refuse(path, context);
    }
    let told = match foreign.table() {
        Some(table) => table_of(foreign, table, path, flags, context)?,
        None => match foreign.arrays() {
            Ok(arrays) => arrays_of(foreign, &arrays, path, flags, context)?,
            Err(failure) => Err(failure),
        },
    };
    match told {
        Ok(()) => Ok(Outcome::Clean),
        Err(failure) => failure.refuse(path, context),
    }
}

/// Returns the digest of the values, if requested. The same values have the same digest in every format.
fn digest_of(array: &NamedArray<'_>, is_wanted: bool, context: &Context<'_>) -> Result<Option<Digest>, Failure> {
    if !is_wanted {
        return Ok(None);
    }
    let input = array.to_native(context.limits).map_err(failure)?;
    Ok(Some(digest::values(&input, &context.limits)?))
}

/// Describes the arrays of a third-party file.
fn arrays_of(
    foreign: &Foreign,
    arrays: &[NamedArray<'_>],
    path: &Path,
    [as_json, has_digest]: [bool; 2],
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    let (kind, is_one) = (foreign.kind(), arrays.len() == 1);
    if !as_json && !is_one {
        let number = counted(arrays.len() as u64, "array");
        writeln!(context.out, "{HEADING}{}{HEADING:#}  {kind}  {number}\n", text::path(path))?;
        print_heads(has_digest, context)?;
    }
    for array in arrays {
        let source = array.source();
        let digest = match digest_of(array, has_digest, context) {
            Ok(digest) => digest,
            Err(failure) => return Ok(Err(failure)),
        };
        let address = if is_one { path.to_owned() } else { foreign.address(array) };
        let (dtype, size) = (source.item_type().to_string(), source.length());
        let extents: Vec<u64> = source.shape().iter().map(|&extent| extent as u64).collect();
        if as_json {
            let array = Some(ArrayObject { dtype, shape: source.shape(), order: "C" });
            let (path, digest) = (address.display().to_string(), digest.map(|digest| digest.to_string()));
            let object = Object { path, format: kind.name(), size, array, table: None, digest };
            json::line(context.out.machine(), &object)?;
        } else if is_one {
            print_head(path, foreign, size, context)?;
            let digest = digest.map(|digest| digest.to_string()).unwrap_or_default();
            for (name, value) in [("dtype", dtype), ("shape", shape(&extents)), ("digest", digest)] {
                print_row(name, &value, context)?;
            }
        } else {
            let holds = Ok(format!("{} of {dtype}", shape(&extents)));
            Line { path: &address, format: kind.title(), size, holds, digest }.print(has_digest, context)?;
        }
    }
    Ok(Ok(()))
}

/// Describes the table of a third-party file.
fn table_of(
    foreign: &Foreign,
    table: &TableSource,
    path: &Path,
    [as_json, has_digest]: [bool; 2],
    context: &mut Context<'_>,
) -> io::Result<Result<(), Failure>> {
    if has_digest {
        let words = format!("`--digest` is not for {}: its values have no digest of ours", foreign.kind());
        return Ok(Err(Failure::Words(words)));
    }
    let described = table.shown_columns(context.limits).and_then(|columns| Ok((table.count()?, columns)));
    let (rows, columns) = match described {
        Ok(described) => described,
        Err(error) => return Ok(Err(failure(error))),
    };
    if as_json {
        let columns = columns.into_iter().map(|it| ColumnObject { name: it.name, r#type: it.type_name }).collect();
        let (path, format) = (path.display().to_string(), foreign.kind().name());
        let table = Some(TableObject { rows, columns });
        let object = Object {
            path,
            format,
            size: foreign.table().map_or(0, TableSource::length),
            array: None,
            table,
            digest: None,
        };
        return json::line(context.out.machine(), &object).map(Ok);
    }
    print_head(path, foreign, table.length(), context)?;
    print_row("rows", &grouped(rows), context)?;
    print_row("columns", &grouped(columns.len() as u64), context)?;
    print_columns(&columns, context).map(Ok)
}

/// Prints the heading of a description.
fn print_head(path: &Path, foreign: &Foreign, size: u64, context: &mut Context<'_>) -> io::Result<()> {
    writeln!(context.out, "{HEADING}{}{HEADING:#}", text::path(path))?;
    print_row("format", foreign.kind().title(), context)?;
    print_row("size", &counted(size, "byte"), context)
}

/// Prints a row, unless its value is empty.
fn print_row(name: &str, value: &str, context: &mut Context<'_>) -> io::Result<()> {
    if value.is_empty() { Ok(()) } else { writeln!(context.out, "  {name:<12} {}", cut(value, WIDEST)) }
}

/// Prints the first columns as a table of two aligned columns.
fn print_columns(columns: &[ShownColumn], context: &mut Context<'_>) -> io::Result<()> {
    let listed = &columns[..columns.len().min(MOST_COLUMNS)];
    let names: Vec<String> = listed.iter().map(|column| named(&column.name, WIDEST)).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0).max("column".len());
    let padded = |name: &str| format!("{name}{}", " ".repeat(widest.saturating_sub(width(name))));
    if listed.is_empty() {
        return Ok(());
    }
    writeln!(context.out, "\n{FAINT}  {:>4}  {}  type{FAINT:#}", "#", padded("column"))?;
    for (place, (column, name)) in listed.iter().zip(&names).enumerate() {
        let type_name = cut(&text::readable(&column.type_name), WIDEST);
        writeln!(context.out, "  {place:>4}  {}  {type_name}", padded(name))?;
    }
    match columns.len() - listed.len() {
        0 => Ok(()),
        more => {
            writeln!(context.out, "  {FAINT}… and {}; --json lists them{FAINT:#}", counted(more as u64, "more column"))
        }
    }
}
