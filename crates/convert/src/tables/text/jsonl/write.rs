//! Record batches as JSON Lines.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::tables::text::batches::in_column;
use crate::tables::text::cell::{self, Cell, How};
use crate::tables::text::lines::Lines;
use crate::tables::text::ticks::Ticks;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use ndbytes::Limits;
use std::collections::HashSet;
use std::io::Write;

/// The maximum depth of nested lists and objects.
const MOST_NESTED: usize = 64;

/// Writes record batches as JSON Lines.
///
/// ```
/// use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
/// use ndbytes_convert::text::jsonl::Writer;
/// use std::sync::Arc;
///
/// let names: ArrayRef = Arc::new(StringArray::from(vec![Some("a"), None]));
/// let sizes: ArrayRef = Arc::new(Float64Array::from(vec![0.1, f64::INFINITY]));
/// let batch = RecordBatch::try_from_iter([("Name", names), ("Size", sizes)])?;
/// let mut file = Writer::new(Vec::new(), &batch.schema(), Default::default())?;
/// file.write(&batch)?;
/// assert_eq!(file.finish()?, b"{\"Name\":\"a\",\"Size\":0.1}\n{\"Name\":null,\"Size\":\"Infinity\"}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    lines: Lines<W>,
    /// The names of the columns as JSON, with a colon.
    keys: Vec<String>,
    /// How each column is converted to text.
    hows: Vec<How>,
}

impl<W: Write> Writer<W> {
    /// Starts a file.
    ///
    /// # Errors
    /// [`Error::Refused`] if JSON cannot hold a column, or if two columns have the same name.
    pub fn new(sink: W, schema: &Schema, limits: Limits) -> Result<Self> {
        let kind = FileKind::Jsonl;
        let (mut keys, mut hows, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for field in schema.fields() {
            let how = How { plain_nan: false, ticks: Ticks::of(field) };
            ensure(field.data_type(), how, 0).map_err(|what| in_column(kind, field, &what))?;
            if !seen.insert(field.name()) {
                return Err(Error::Refused { kind, what: format!("two columns with the name {:?}", field.name()) });
            }
            keys.push(key(field));
            hows.push(how);
        }
        Ok(Writer { lines: Lines::new(sink, limits), keys, hows })
    }

    /// Writes the rows of a batch with the same schema.
    ///
    /// # Errors
    /// [`Error::Refused`] for a value that JSON cannot hold; an error if it exceeds the limit on output; any error of
    /// the sink.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let (mut lines, mut text) = (String::new(), String::new());
        for row in 0..batch.num_rows() {
            lines.push('{');
            for (place, (column, key)) in batch.columns().iter().zip(&self.keys).enumerate() {
                if place > 0 {
                    lines.push(',');
                }
                lines.push_str(key);
                let pushed = push(column, row, self.hows[place], &mut text, &mut lines);
                pushed.map_err(|what| in_column(FileKind::Jsonl, batch.schema().field(place), &what))?;
            }
            lines.push_str("}\n");
            self.lines.put_gathered(&mut lines)?;
        }
        self.lines.put(&lines)
    }

    /// Completes the file and returns the sink.
    ///
    /// # Errors
    /// Any error of the sink.
    pub fn finish(self) -> Result<W> {
        self.lines.finish()
    }
}

/// Writes a name as an object key, followed by a colon.
fn key(field: &Field) -> String {
    quoted(field.name()) + ":"
}

/// Refuses types that JSON cannot hold.
///
/// # Errors
/// Returns a clause that names the type.
pub fn ensure(data_type: &DataType, how: How, depth: usize) -> Result<(), String> {
    if depth > MOST_NESTED {
        return Err(format!("has over {MOST_NESTED} lists and structures within one another"));
    }
    match data_type {
        data_type if cell::is_item(data_type, how.ticks) => Ok(()),
        DataType::FixedSizeList(child, _) | DataType::List(child) | DataType::LargeList(child) => {
            ensure(child.data_type(), how, depth + 1)
        }
        DataType::Struct(fields) => fields.iter().try_for_each(|field| ensure(field.data_type(), how, depth + 1)),
        other => Err(format!("has the type {other}")),
    }
}

/// Appends a value.
///
/// # Errors
/// Returns a clause about the value that cannot be written.
pub fn push(array: &dyn Array, row: usize, how: How, text: &mut String, lines: &mut String) -> Result<(), String> {
    if let DataType::Struct(fields) = array.data_type()
        && !array.is_null(row)
        && !cell::is_time_with_offset(array.data_type(), how.ticks)
    {
        lines.push('{');
        for (place, (field, child)) in fields.iter().zip(array.as_struct().columns()).enumerate() {
            if place > 0 {
                lines.push(',');
            }
            lines.push_str(&key(field));
            push(child, row, how, text, lines)?;
        }
        lines.push('}');
        return Ok(());
    }
    if let Some((items, first, end)) = list(array, row) {
        lines.push('[');
        for item in first..end {
            if item > first {
                lines.push(',');
            }
            push(items, item, how, text, lines)?;
        }
        lines.push(']');
        return Ok(());
    }
    if array.is_null(row) {
        lines.push_str("null");
        return Ok(());
    }
    text.clear();
    match cell::put(array, row, how, text)? {
        Cell::Missing => lines.push_str("null"),
        Cell::Bare => lines.push_str(text),
        Cell::Word | Cell::Text => quote(text, lines),
    }
    Ok(())
}

/// Returns the items of a list: the array that contains them, and their range. `None` for anything but a list.
fn list(array: &dyn Array, row: usize) -> Option<(&dyn Array, usize, usize)> {
    match array.data_type() {
        _ if array.is_null(row) => None,
        DataType::FixedSizeList(..) => {
            let list = array.as_fixed_size_list();
            let first = row * list.value_length() as usize;
            Some((&**list.values(), first, first + list.value_length() as usize))
        }
        DataType::List(_) => {
            let list = array.as_list::<i32>();
            Some((&**list.values(), list.value_offsets()[row] as usize, list.value_offsets()[row + 1] as usize))
        }
        DataType::LargeList(_) => {
            let list = array.as_list::<i64>();
            Some((&**list.values(), list.value_offsets()[row] as usize, list.value_offsets()[row + 1] as usize))
        }
        _ => None,
    }
}

/// Returns a text in quotes.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    quote(text, &mut quoted);
    quoted
}

/// Appends a text in quotes.
fn quote(text: &str, lines: &mut String) {
    lines.push('"');
    let mut start = 0;
    for (place, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"".to_owned(),
            b'\\' => "\\\\".to_owned(),
            b'\n' => "\\n".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'\t' => "\\t".to_owned(),
            0..0x20 | 0x7f => format!("\\u{byte:04x}"),
            _ => continue,
        };
        lines.push_str(&text[start..place]);
        lines.push_str(&escape);
        start = place + 1;
    }
    lines.push_str(&text[start..]);
    lines.push('"');
}
