//! Record batches as CSV.

use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::tables::text::batches::{in_column, item_type};
use crate::tables::text::cell::{self, Cell, How};
use crate::tables::text::lines::Lines;
use crate::tables::text::scalar::Scalar;
use crate::tables::text::ticks::Ticks;
use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use ndbytes::{Limits, Memory};
use ndbytes_arrow::metadata;
use std::collections::HashSet;
use std::io::Write;

/// The memory per heading in bytes.
const HEADING: u64 = 128;

/// Writes record batches as CSV. Lines end with a line feed.
///
/// ```
/// use arrow_array::{ArrayRef, Float32Array, RecordBatch, StringArray};
/// use ndbytes_convert::text::csv::Writer;
/// use std::sync::Arc;
///
/// let names: ArrayRef = Arc::new(StringArray::from(vec![Some("a, b"), Some(""), None]));
/// let sizes: ArrayRef = Arc::new(Float32Array::from(vec![0.1, 1e10, f32::NAN]));
/// let batch = RecordBatch::try_from_iter([("Name", names), ("Size", sizes)])?;
/// let mut file = Writer::new(Vec::new(), &batch.schema(), Default::default())?;
/// file.write(&batch)?;
/// assert_eq!(file.finish()?, b"Name,Size\n\"a, b\",0.1\n\"\",10000000000.0\n,NaN\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W: Write> {
    lines: Lines<W>,
    /// The number of slots of each column, or `None` if it has no vectors.
    slots: Vec<Option<usize>>,
    /// How each column is converted to text.
    hows: Vec<How>,
}

impl<W: Write> Writer<W> {
    /// Writes the header line.
    ///
    /// # Errors
    /// [`Error::Refused`] if CSV cannot hold a column, if two columns would have the same heading, or if there are none; any error of the
    /// sink.
    pub fn new(sink: W, schema: &Schema, limits: Limits) -> Result<Self> {
        let kind = FileKind::Csv;
        let memory = Memory::new(limits);
        let mut debited = memory.take(0, "the headings of columns")?;
        let (mut slots, mut hows, mut headings, mut seen) = (Vec::new(), Vec::new(), Vec::new(), HashSet::new());
        for field in schema.fields() {
            let count = slot_count(field)?;
            debited
                .grow((HEADING + field.name().len() as u64) * (count.unwrap_or(1) as u64), "the headings of columns")?;
            let names = slot_names(field);
            for slot in 0..count.unwrap_or(1) {
                let heading = match (count, &names) {
                    (None, _) => field.name().clone(),
                    (Some(_), Some(names)) => format!("{}[{}]", field.name(), names[slot]),
                    (Some(_), None) => format!("{}[{slot}]", field.name()),
                };
                if !seen.insert(heading.clone()) {
                    return Err(Error::Refused { kind, what: format!("two columns with the heading {heading:?}") });
                }
                headings.push(heading);
            }
            slots.push(count);
            hows.push(How { plain_nan: true, ticks: Ticks::of(field) });
        }
        if headings.is_empty() {
            return Err(Error::without_columns(kind));
        }
        let mut line = String::new();
        for (place, heading) in headings.iter().enumerate() {
            if place > 0 {
                line.push(',');
            }
            if needs_quotes(heading) || heading.is_empty() { quote(heading, &mut line) } else { line.push_str(heading) }
        }
        line.push('\n');
        let mut lines = Lines::new(sink, limits);
        lines.put(&line)?;
        Ok(Writer { lines, slots, hows })
    }

    /// Writes the rows of a batch with the same schema.
    ///
    /// # Errors
    /// [`Error::Refused`] for a value that CSV cannot hold; an error if it exceeds the limit on output; any error of
    /// the sink.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        let (mut lines, mut text) = (String::new(), String::new());
        for row in 0..batch.num_rows() {
            let start = lines.len();
            for (place, column) in batch.columns().iter().enumerate() {
                let how = self.hows[place];
                match self.slots[place] {
                    None => push(column, row, how, &mut text, &mut lines)
                        .map_err(|what| self.refuse(batch, place, &what))?,
                    Some(count) => {
                        let list = column.as_fixed_size_list();
                        let first = row * list.value_length() as usize;
                        for slot in 0..count {
                            if list.is_null(row) {
                                lines.push(',');
                                continue;
                            }
                            push(list.values(), first + slot, how, &mut text, &mut lines)
                                .map_err(|what| self.refuse(batch, place, &what))?;
                        }
                    }
                }
            }
            debug_assert!(lines.len() > start, "every column ends with a comma");
            lines.pop();
            if lines.len() == start {
                let what = format!(
                    "a missing value in row {row} of its batch, as a table of one column: its line is empty, \
                                    which others take for no row; JSON Lines holds it"
                );
                return Err(Error::Refused { kind: FileKind::Csv, what });
            }
            lines.push('\n');
            self.lines.put_gathered(&mut lines)?;
        }
        self.lines.put(&lines)
    }

    /// Returns the error for a value that CSV cannot hold.
    fn refuse(&self, batch: &RecordBatch, place: usize, what: &str) -> Error {
        in_column(FileKind::Csv, batch.schema().field(place), what)
    }

    /// Completes the file and returns the sink.
    ///
    /// # Errors
    /// Any error of the sink.
    pub fn finish(self) -> Result<W> {
        self.lines.finish()
    }
}

/// Appends a field and a comma.
fn push(array: &dyn Array, row: usize, how: How, text: &mut String, lines: &mut String) -> Result<(), String> {
    text.clear();
    match cell::put(array, row, how, text)? {
        Cell::Missing => {}
        Cell::Bare | Cell::Word => lines.push_str(text),
        // Without quotes, it would be read as missing or as another type.
        Cell::Text if needs_quotes(text) || text.is_empty() || Scalar::of_field(text) != Scalar::Text => {
            quote(text, lines)
        }
        Cell::Text => lines.push_str(text),
    }
    lines.push(',');
    Ok(())
}

/// Returns whether a text needs quotes. A byte order mark does, since it could be mistaken for the file's.
pub fn needs_quotes(text: &str) -> bool {
    text.contains([',', '"', '\n', '\r']) || text.starts_with('\u{feff}')
}

/// Writes a quoted field. Quotes inside are doubled, as RFC 4180 requires.
fn quote(text: &str, lines: &mut String) {
    lines.push('"');
    for (place, part) in text.split('"').enumerate() {
        if place > 0 {
            lines.push_str("\"\"");
        }
        lines.push_str(part);
    }
    lines.push('"');
}

/// Returns the number of slots in a column of vectors, or `None` for a column of items.
fn slot_count(field: &Field) -> Result<Option<usize>> {
    let refuse = |what: &str| Err(in_column(FileKind::Csv, field, what));
    let ticks = Ticks::of(field);
    match field.data_type() {
        data_type if cell::is_item(data_type, ticks) => Ok(None),
        DataType::FixedSizeList(child, size) if cell::is_item(child.data_type(), ticks) => {
            Ok(Some(usize::try_from(*size).unwrap_or(0)))
        }
        DataType::List(_) | DataType::LargeList(_) => refuse("has vectors of variable size: use JSON Lines"),
        other if matches!(item_type(other), DataType::Struct(_)) => refuse("has structured values: use JSON Lines"),
        other => refuse(&format!("has the type {other}")),
    }
}

/// Returns the names of all slots of a column, if they can be headings: each slot must have a name, and names must be unique.
pub fn slot_names(field: &Field) -> Option<Vec<String>> {
    let DataType::FixedSizeList(_, size) = field.data_type() else { return None };
    let text = field.metadata().get(&format!("{}SlotNames", metadata::ANNOTATION))?;
    let json: serde_json::Value = serde_json::from_str(text).ok()?;
    if json.get("indices").is_some() {
        return None;
    }
    let names = json.get("value")?.as_array()?.iter().map(|name| name.as_str().map(str::to_owned));
    let names: Vec<String> = names.collect::<Option<_>>()?;
    let distinct: HashSet<&String> = names.iter().filter(|name| !name.is_empty()).collect();
    (names.len() == usize::try_from(*size).ok()? && distinct.len() == names.len()).then_some(names)
}
