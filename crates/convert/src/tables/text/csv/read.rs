//! CSV as record batches.
//!
//! The text is read twice. The first pass examines every value and finds the narrowest type that holds all of them; the
//! second builds the batches. Guessing from the first 100,000 rows, as many readers do, fails on row 100,001.
//!
//! Whether quotes have a meaning depends on the file: some programs quote only texts, and others quote every field.
//! Both guesses are kept until an unquoted field decides.

use super::fields::{Field, Fields, malformed};
use super::write::needs_quotes;
use crate::error::Result;
use crate::kind::FileKind;
use crate::tables::text::batches::{BATCH, COLUMN, GROWTH, ReadOptions, batch, to_arrow, utf8};
use crate::tables::text::build::{self, Items};
use crate::tables::text::guess::Guess;
use crate::tables::text::scalar::Scalar;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Schema, SchemaRef};
use ndbytes::{Debited, Limits, Memory};
use std::collections::HashSet;
use std::sync::Arc;

/// Reads a CSV file as record batches.
///
/// A column gets a type that preserves all of its values; if there is none, it contains text. A quoted value is text,
/// unless all fields are quoted, including the header. Columns `x[0]`, `x[1]` and so on become vectors.
///
/// ```
/// use ndbytes_convert::text::{ReadOptions, csv::Reader};
///
/// let reader = Reader::new(b"name,zip,size\r\n\"a, b\",01234,1.5\r\n", &ReadOptions::new())?;
/// let types: Vec<String> = reader.types().iter().map(|field| field.data_type().to_string()).collect();
/// assert_eq!(types, ["Utf8", "Utf8", "Float64"]);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<'t> {
    fields: Fields<'t>,
    schema: SchemaRef,
    columns: Vec<Column>,
    /// The number of fields in a row.
    width: usize,
    quotes_tell: bool,
    most_rows: usize,
    rows: u64,
    limits: Limits,
    memory: Memory,
    /// The memory of all columns.
    _columns: Debited,
}

/// A column of the table: either a column of the file, or several columns that are the slots of a vector.
#[derive(Debug)]
struct Column {
    name: String,
    slots: Option<usize>,
    items: Items,
}

/// A column before its type is known.
struct Heading {
    name: String,
    slots: Option<usize>,
    /// The guess if quotes distinguish text from other values.
    told: Guess,
    /// The guess if quotes have no meaning.
    untold: Guess,
    is_text: bool,
}

impl Heading {
    /// Creates a column without values. Text columns need no inference.
    fn new(name: String, slots: Option<usize>, is_text: bool) -> Self {
        let guess = if is_text { Guess::text() } else { Guess::default() };
        Heading { name, slots, told: guess.clone(), untold: guess, is_text }
    }

    /// Examines a field. Quotes may have no meaning until a field without quotes occurs.
    fn see(&mut self, field: &Field<'_>, quotes_tell: bool) {
        let guesses = [(&mut self.told, true), (&mut self.untold, false)];
        for (guess, told) in guesses.into_iter().take(2 - usize::from(quotes_tell)).filter(|_| !self.is_text) {
            if let Some(scalar) = scalar(field, told) {
                guess.see(&scalar, false);
            }
        }
    }

    /// The column with its inferred type. `quotes_tell` is true if quotes distinguish text from numbers in this file.
    fn column(self, quotes_tell: bool, single: bool) -> Column {
        let guess = if quotes_tell { self.told } else { self.untold };
        Column { name: self.name, slots: self.slots, items: Items::new(guess.resolve(single)) }
    }
}

impl<'t> Reader<'t> {
    /// Reads all values, and infers the types of the columns.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), with the line, if the file is not UTF-8 or has no header line.
    /// Also if two columns have the same name, if a row differs in length from the header, or if quotes are not
    /// balanced. An error if the memory limit is exceeded.
    pub fn new(bytes: &'t [u8], options: &ReadOptions) -> Result<Self> {
        let limits = options.limits.started();
        let memory = Memory::new(limits);
        let mut debited = memory.take(0, "the columns of a table")?;
        let mut fields = Fields::new(utf8(FileKind::Csv, bytes)?);
        if fields.is_end() {
            return Err(malformed("is empty: a header line must name the columns".into()));
        }
        let (names, mut quotes_tell) = header(&mut fields, &mut debited)?;
        let width = names.len();
        let mut headings: Vec<Heading> = Vec::new();
        for (name, slots) in grouped(names) {
            let is_text = options.is_text(&name);
            headings.push(Heading::new(name, slots, is_text));
        }
        options.ensure_named(FileKind::Csv, headings.iter().map(|heading| heading.name.as_str()))?;
        let first = fields.clone();
        let mut rows = 0;
        while !fields.is_end() {
            if width > 1 && fields.pass_empty_line() {
                continue;
            }
            limits.ensure_time()?;
            rows += 1;
            let mut row = Row { fields: &mut fields, width, done: 0 };
            for heading in &mut headings {
                for _ in 0..heading.slots.unwrap_or(1) {
                    let field = row.next()?;
                    quotes_tell |= !field.quoted;
                    heading.see(&field, quotes_tell);
                }
            }
        }
        let columns: Vec<_> = headings.into_iter().map(|heading| heading.column(quotes_tell, options.single)).collect();
        let types: Vec<_> = columns.iter().map(Column::field).collect();
        let schema = Arc::new(Schema::new(types));
        let most_rows = options.rows.max(1);
        let (fields, _columns) = (first, debited);
        Ok(Reader { fields, schema, columns, width, quotes_tell, most_rows, rows, limits, memory, _columns })
    }

    /// The types of the columns.
    pub fn types(&self) -> &arrow_schema::Fields {
        self.schema.fields()
    }

    /// The number of rows in the file.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Reads the next batch; `None` at the end.
    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        let (start, mut rows) = (self.fields.at(), 0);
        let mut debited = self.memory.take(0, "the rows of a batch")?;
        while !self.fields.is_end() && rows < self.most_rows && (self.fields.at() - start) as u64 <= BATCH {
            if self.width > 1 && self.fields.pass_empty_line() {
                continue;
            }
            self.limits.ensure_time()?;
            let before = self.fields.at();
            let mut row = Row { fields: &mut self.fields, width: self.width, done: 0 };
            for column in &mut self.columns {
                for _ in 0..column.slots.unwrap_or(1) {
                    let field = row.next()?;
                    match scalar(&field, self.quotes_tell) {
                        None => column.items.push_missing(),
                        Some(scalar) => {
                            let pushed = column.items.push(scalar, &field.text);
                            pushed.ok_or_else(|| malformed("has changed while it was read".into()))?;
                        }
                    }
                }
            }
            rows += 1;
            debited.grow(GROWTH * (self.fields.at() - before) as u64, "the rows of a batch")?;
        }
        if rows == 0 {
            return Ok(None);
        }
        batch(FileKind::Csv, &self.schema, self.columns.iter_mut().map(Column::take).collect(), rows).map(Some)
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().map_err(to_arrow).transpose()
    }
}

impl RecordBatchReader for Reader<'_> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

impl Column {
    /// Returns the field of the column in the schema.
    fn field(&self) -> arrow_schema::Field {
        let field = self.items.field(&self.name);
        match self.slots {
            None => field,
            Some(slots) => {
                let data_type = DataType::FixedSizeList(Arc::new(self.items.field("item")), slots as i32);
                arrow_schema::Field::new(&self.name, data_type, true)
            }
        }
    }

    /// Returns the values that were read since the last call.
    fn take(&mut self) -> Result<arrow_array::ArrayRef, ArrowError> {
        let child = self.items.field("item");
        let items = self.items.take()?;
        match self.slots {
            None => Ok(items),
            Some(slots) => build::fixed(items, slots as i32, child, None),
        }
    }
}

/// A row that is being read.
struct Row<'f, 't> {
    fields: &'f mut Fields<'t>,
    width: usize,
    done: usize,
}

impl<'t> Row<'_, 't> {
    /// Reads the next field; there is one per column.
    fn next(&mut self) -> Result<Field<'t>> {
        let line = self.fields.line();
        let field = self.fields.next()?;
        self.done += 1;
        let fault = match (field.is_last, self.done == self.width) {
            (true, false) => format!("ends after field {}", self.done),
            (false, true) => format!("has more than {} fields", self.done),
            _ => return Ok(field),
        };
        Err(malformed(format!("has a row in line {line} that {fault}, but its header has {} columns", self.width)))
    }
}

/// Returns the value of a field, or `None` if it is missing.
fn scalar(field: &Field<'_>, quotes_tell: bool) -> Option<Scalar> {
    match (field.quoted, quotes_tell) {
        (false, _) | (true, false) if field.text.is_empty() => None,
        (true, true) => Some(Scalar::Text),
        _ => Some(Scalar::of_field(&field.text)),
    }
}

/// Returns the names of the columns, and whether quotes distinguish text from other values. They may not if all names
/// are quoted although one of them does not need quotes, since all fields of the file may then be quoted.
fn header(fields: &mut Fields<'_>, debited: &mut Debited) -> Result<(Vec<String>, bool)> {
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    let (mut all_quoted, mut some_needless) = (true, false);
    loop {
        let field = fields.next()?;
        debited.grow(COLUMN + 4 * field.text.len() as u64, "the columns of a table")?;
        all_quoted &= field.quoted;
        some_needless |= !field.text.is_empty() && !needs_quotes(&field.text);
        // A column of row names often has no heading.
        let name = match field.text.is_empty() {
            true => format!("column {}", names.len() + 1),
            false => field.text.into_owned(),
        };
        if !seen.insert(name.clone()) {
            return Err(malformed(format!("has two columns named {name:?}")));
        }
        names.push(name);
        if field.is_last {
            return Ok((names, !(all_quoted && some_needless)));
        }
    }
}

/// Returns the columns of the table. Columns `x[0]`, `x[1]` and so on are the slots of a vector `x`, if no other column
/// has that name.
fn grouped(names: Vec<String>) -> Vec<(String, Option<usize>)> {
    let all: HashSet<&str> = names.iter().map(String::as_str).collect();
    let mut columns: Vec<(String, Option<usize>)> = Vec::new();
    let mut vectors = HashSet::new();
    for name in &names {
        let slot = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
        let slot = slot.filter(|(vector, _)| !vector.is_empty() && !all.contains(vector));
        if let (Some((vector, slot)), Some((last, Some(count)))) = (slot, columns.last_mut())
            && last == vector
            && *slot == count.to_string()
        {
            *count += 1;
            continue;
        }
        match slot {
            Some((vector, "0")) if vectors.insert(vector.to_owned()) => columns.push((vector.to_owned(), Some(1))),
            _ => columns.push((name.clone(), None)),
        }
    }
    columns
}
