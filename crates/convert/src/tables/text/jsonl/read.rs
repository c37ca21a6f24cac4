//! JSON Lines as record batches.

use super::column::{Column, Seen};
use super::parse::{Item, Line, Sink};
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::tables::text::batches::{BATCH, COLUMN, GROWTH, LONGEST, ReadOptions, batch, to_arrow, utf8};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use ndbytes::{Debited, Limits, Memory};
use std::collections::HashMap;
use std::sync::Arc;

/// The maximum number of cells in a batch. A key that occurs on only one line adds a missing cell to all others.
const CELLS: u64 = 4 << 20;

/// The number of bytes for a missing cell.
const CELL: u64 = 9;

/// Reads a JSON Lines file as record batches. Columns are in the order of their first occurrence. A row without a key
/// has a missing value. Lists of single values become vectors, and the keys of nested objects are joined: `a.b`.
///
/// ```
/// use ndbytes_convert::text::{ReadOptions, jsonl::Reader};
///
/// let reader = Reader::new(b"{\"a\": 1, \"v\": [1, 2.5]}\n{\"a\": 2, \"b\": {\"c\": \"x\"}}\n", &ReadOptions::new())?;
/// let names: Vec<&str> = reader.types().iter().map(|field| field.name().as_str()).collect();
/// assert_eq!(names, ["a", "v", "b.c"]);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<'t> {
    text: &'t str,
    at: usize,
    schema: SchemaRef,
    columns: Vec<Column>,
    places: HashMap<String, usize>,
    /// The number of cells in a row.
    width: u64,
    most_rows: usize,
    rows: u64,
    limits: Limits,
    memory: Memory,
    /// The memory of all columns.
    _columns: Debited,
}

impl<'t> Reader<'t> {
    /// Reads all values, and infers the columns and their types.
    ///
    /// # Errors
    /// [`Error::Malformed`](crate::Error::Malformed), with line and position, if the file is not UTF-8, if a line is
    /// not an object or has a duplicate key, or if a value does not fit its column. An error if the limits on memory or
    /// output are exceeded.
    pub fn new(bytes: &'t [u8], options: &ReadOptions) -> Result<Self> {
        let limits = options.limits.started();
        let memory = Memory::new(limits);
        let text = utf8(FileKind::Jsonl, bytes)?;
        let debited = memory.take(0, "the columns of a table")?;
        let mut looking = Looking { columns: Vec::new(), places: HashMap::new(), debited, row: 0, next: 0, options };
        let (mut at, mut line_number) = (0, 0_u64);
        while at < text.len() {
            limits.ensure_time()?;
            let line = line(text, &mut at);
            line_number += 1;
            if line.trim_ascii().is_empty() {
                continue;
            }
            if line.len() > LONGEST {
                let what = format!("has a line {line_number} of {} bytes, but at most {LONGEST} are read", line.len());
                return Err(malformed(what));
            }
            looking.row += 1;
            looking.next = 0;
            let mut line = Line::new(line);
            line.read(&mut looking)
                .map_err(|what| malformed(format!("{what}, in line {line_number} at byte {}", line.place())))?;
        }
        options.ensure_named(FileKind::Jsonl, looking.columns.iter().map(|column| column.name.as_str()))?;
        let columns: Vec<Column> = looking.columns.iter().map(|seen| seen.column(options.single)).collect();
        let width = columns.iter().map(Column::width).fold(0, u64::saturating_add);
        let cells = CELL.saturating_mul(width).saturating_mul(looking.row);
        options.limits.ensure_output("the cells of a table", cells)?;
        let schema = Arc::new(Schema::new(columns.iter().map(Column::field).collect::<Vec<_>>()));
        let Looking { places, debited, row: rows, .. } = looking;
        let most_rows = options.rows.max(1);
        let _columns = debited;
        Ok(Reader { text, at: 0, schema, columns, places, width, most_rows, rows, limits, memory, _columns })
    }

    /// The types of the columns.
    pub fn types(&self) -> &arrow_schema::Fields {
        self.schema.fields()
    }

    /// The number of rows of the whole file.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        let (start, mut rows) = (self.at, 0);
        let most_rows = (CELLS / self.width.max(1)).clamp(1, self.most_rows as u64) as usize;
        let mut debited = self.memory.take(0, "the rows of a batch")?;
        while self.at < self.text.len() && rows < most_rows && (self.at - start) as u64 <= BATCH {
            self.limits.ensure_time()?;
            let line = line(self.text, &mut self.at);
            if line.trim_ascii().is_empty() {
                continue;
            }
            let bytes = GROWTH * line.len() as u64 + 2 * CELL * self.width;
            debited.grow(bytes, "the rows of a batch")?;
            let mut reading = Reading { columns: &mut self.columns, places: &self.places, next: 0 };
            Line::new(line).read(&mut reading).map_err(malformed)?;
            rows += 1;
            for column in &mut self.columns {
                if column.len() < rows {
                    column.push_missing();
                }
            }
        }
        if rows == 0 {
            return Ok(None);
        }
        batch(FileKind::Jsonl, &self.schema, self.columns.iter_mut().map(Column::take).collect(), rows).map(Some)
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

/// Returns the next line without its line feed.
fn line<'t>(text: &'t str, at: &mut usize) -> &'t str {
    let rest = &text[*at..];
    let end = rest.find('\n').unwrap_or(rest.len());
    *at = (*at + end + 1).min(text.len());
    &rest[..end]
}

fn malformed(what: String) -> Error {
    Error::Malformed { kind: FileKind::Jsonl, what }
}

/// The columns during type inference.
struct Looking<'o> {
    columns: Vec<Seen>,
    places: HashMap<String, usize>,
    debited: Debited,
    row: u64,
    /// The column that is most likely to come next.
    next: usize,
    options: &'o ReadOptions,
}

impl Sink for Looking<'_> {
    fn item(&mut self, column: usize, item: &Item<'_>) -> Result<(), String> {
        self.columns[column].see(item)
    }

    fn begin(&mut self, column: usize) -> Result<(), String> {
        self.columns[column].begin()
    }

    fn end(&mut self, column: usize) {
        self.columns[column].end();
    }

    fn column(&mut self, name: &str) -> Result<usize, String> {
        let place = match self.columns.get(self.next).filter(|column| column.name == name) {
            Some(_) => self.next,
            None => match self.places.get(name) {
                Some(&place) => place,
                None => {
                    let debited = self.debited.grow(COLUMN + 4 * name.len() as u64, "the columns of a table");
                    debited.map_err(|error| format!("has too many keys: {error}"))?;
                    self.places.insert(name.to_owned(), self.columns.len());
                    self.columns.push(Seen::new(name, self.options.is_text(name)));
                    self.columns.len() - 1
                }
            },
        };
        let column = &mut self.columns[place];
        if column.row == self.row {
            return Err(format!("has the key {name:?} twice"));
        }
        column.row = self.row;
        self.next = place + 1;
        Ok(place)
    }
}

/// The columns while values are read.
struct Reading<'r> {
    columns: &'r mut [Column],
    places: &'r HashMap<String, usize>,
    next: usize,
}

impl Sink for Reading<'_> {
    fn item(&mut self, column: usize, item: &Item<'_>) -> Result<(), String> {
        self.columns[column].push(item).ok_or_else(changed)
    }

    fn begin(&mut self, column: usize) -> Result<(), String> {
        self.columns[column].begin();
        Ok(())
    }

    fn end(&mut self, column: usize) {
        self.columns[column].end();
    }

    fn column(&mut self, name: &str) -> Result<usize, String> {
        let place = match self.columns.get(self.next).filter(|column| column.name() == name) {
            Some(_) => self.next,
            None => *self.places.get(name).ok_or_else(changed)?,
        };
        self.next = place + 1;
        Ok(place)
    }
}

fn changed() -> String {
    "has changed while it was read".into()
}
