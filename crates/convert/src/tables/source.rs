//! Tables that are read.
//!
//! A source can be opened repeatedly: a conversion reads a table once to choose types that hold all values, and again
//! to write it. Binary tables stay on disk. Text is read into memory first, because it is parsed twice, and a file that
//! changed between the passes would no longer fit the types found in the first.

use super::part::Part;
use super::text::{ReadOptions, csv, jsonl};
use crate::error::{Error, Result};
use crate::kind::FileKind;
use arrow_array::RecordBatchReader;
use arrow_schema::SchemaRef;
use ndbytes::{Debited, Input, Limits, Memory, idv};
use ndbytes_arrow::ctable::CTable;
use ndbytes_arrow::{InputReader, ipc, parquet, table};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The signatures of files. A stream begins with the marker of its first message.
const BEGINNINGS: [(FileKind, &[u8]); 3] =
    [(FileKind::Parquet, b"PAR1"), (FileKind::Arrow, b"ARROW1"), (FileKind::Arrows, &[0xff, 0xff, 0xff, 0xff])];

/// The maximum number of names that a message lists.
const MOST_NAMES: usize = 20;

/// A table to convert, or some of its columns and rows.
///
/// ```
/// use ndbytes_convert::{FileKind, Options, Source, TableSource, Target, convert};
///
/// let trees = TableSource::idv("trees", ndbytes::idv::open("../../samples/trees.idv")?, 777);
/// let part = trees.columns(["Name"]).rows(0..2);
/// let mut lines = Vec::new();
/// convert(&[Source::Table(part)], FileKind::Jsonl, Target::Stream(&mut lines), &Options::new())?;
/// assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count(), 2);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
///
/// It is IDV, Parquet, an Arrow file or stream, CSV, JSON Lines, or a python-blosc2 table. Clones share it.
#[derive(Debug, Clone)]
pub struct TableSource {
    name: String,
    /// The address for error messages, if it differs from the name.
    address: Option<String>,
    content: Content,
    length: u64,
    columns: Option<Vec<String>>,
    rows: Option<Range<u64>>,
}

/// The reader behind a table.
#[derive(Debug, Clone)]
pub(super) enum Content {
    Idv(Arc<idv::Table<'static>>),
    Other(FileKind, Arc<Input<'static>>, Limits),
    Text(FileKind, Arc<Text>),
    /// A python-blosc2 table.
    Store(Arc<CTable>),
}

/// A text file in memory, so it cannot change while it is read.
#[derive(Debug)]
pub(super) struct Text {
    bytes: Vec<u8>,
    /// The limits that remain for its columns.
    limits: Limits,
    _debited: Debited,
}

impl TableSource {
    /// The table of an IDV file of `length` bytes, with a name for messages.
    pub fn idv(name: impl Into<String>, table: impl Into<Arc<idv::Table<'static>>>, length: u64) -> Self {
        TableSource {
            name: name.into(),
            address: None,
            content: Content::Idv(table.into()),
            length,
            columns: None,
            rows: None,
        }
    }

    /// The python-blosc2 table in a store of `length` bytes.
    pub fn store(name: impl Into<String>, table: impl Into<Arc<CTable>>, length: u64) -> Self {
        TableSource {
            name: name.into(),
            address: None,
            content: Content::Store(table.into()),
            length,
            columns: None,
            rows: None,
        }
    }

    /// The table of a Parquet file, an Arrow file or an Arrow stream, as detected by [`TableSource::kind_of`].
    pub fn read(name: impl Into<String>, kind: FileKind, input: Input<'static>, limits: Limits) -> Self {
        let (name, length) = (name.into(), input.length());
        TableSource {
            name,
            address: None,
            content: Content::Other(kind, Arc::new(input), limits),
            length,
            columns: None,
            rows: None,
        }
    }

    /// The table of a CSV or JSON Lines file, which is read into memory.
    ///
    /// # Errors
    /// [`Error::Refused`] if it is of another kind; an error if it exceeds the memory limit; any error while reading
    /// the file.
    pub fn text(name: impl Into<String>, kind: FileKind, input: &Input<'_>, limits: Limits) -> Result<Self> {
        if !kind.is_lines() {
            return Err(Error::Refused { kind, what: "the lines of a table, which are CSV or JSON Lines".into() });
        }
        let (name, length) = (name.into(), input.length());
        let (what, limits) = ("a table of lines", limits.started());
        let debited = Memory::new(limits).take(length, what)?;
        let size =
            usize::try_from(length).map_err(|_| ndbytes::Error::Limit { what, needed: length, left: limits.memory })?;
        let mut bytes = vec![0; size];
        input.read_at(&mut bytes, 0)?;
        let mut left = limits;
        left.memory = left.memory.saturating_sub(length);
        let text = Arc::new(Text { bytes, limits: left, _debited: debited });
        Ok(TableSource { name, address: None, content: Content::Text(kind, text), length, columns: None, rows: None })
    }

    /// The kind of a file that begins like Parquet or Arrow.
    pub fn kind_of(input: &Input<'_>) -> Option<FileKind> {
        let head = input.head();
        BEGINNINGS.into_iter().find(|(_, beginning)| head.starts_with(beginning)).map(|(kind, _)| kind)
    }

    /// Sets the address for error messages: a path.
    #[must_use]
    pub fn at(self, address: impl Into<String>) -> Self {
        TableSource { address: Some(address.into()), ..self }
    }

    /// Selects columns, in this order.
    #[must_use]
    pub fn columns<T: Into<String>>(self, columns: impl IntoIterator<Item = T>) -> Self {
        TableSource { columns: Some(columns.into_iter().map(Into::into).collect()), ..self }
    }

    /// Selects consecutive rows. Rows beyond the end are ignored.
    #[must_use]
    pub fn rows(self, rows: Range<u64>) -> Self {
        TableSource { rows: Some(rows), ..self }
    }

    /// The total number of rows. Parquet states it; an Arrow file, an Arrow stream or a text file is read completely.
    ///
    /// # Errors
    /// Any error while reading it.
    pub fn count(&self) -> Result<u64> {
        let (kind, input, limits) = match &self.content {
            Content::Idv(table) => return Ok(table.rows()),
            Content::Text(kind, text) => return Ok(self.lines(*kind, text)?.1),
            Content::Store(table) => return table.rows().map_err(|error| Error::of_table(error, self.address())),
            Content::Other(kind, input, limits) => (*kind, input, limits),
        };
        let reader = InputReader::new(Arc::clone(input));
        if kind == FileKind::Parquet {
            return parquet::rows_of(reader, limits).map_err(|error| Error::of_table(error, self.address()));
        }
        let mut rows = 0;
        for batch in self.reader(kind, reader, None, limits)? {
            input.ensure_time()?;
            rows += batch.map_err(|error| Error::of_arrow(error, self.address()))?.num_rows() as u64;
        }
        Ok(rows)
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the address that errors use for it.
    pub(super) fn address(&self) -> &str {
        self.address.as_deref().unwrap_or(&self.name)
    }

    /// The length of its file in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The reader behind the table.
    pub(super) fn content(&self) -> &Content {
        &self.content
    }

    /// The names of the columns, if some are selected.
    pub(super) fn chosen(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    /// The selected rows, limited to those that exist.
    pub(super) fn range(&self, count: u64) -> Range<u64> {
        let rows = self.rows.clone().unwrap_or(0..count);
        let end = rows.end.min(count);
        rows.start.min(end)..end
    }

    /// Opens the table. `options` are for converting IDV to batches.
    pub(super) fn open(&self, options: &table::Options) -> Result<Opened<'_>> {
        match &self.content {
            Content::Idv(table) => {
                let options = match &self.columns {
                    Some(names) => {
                        self.places(names, table.columns().map(|column| column.name()))?;
                        options.clone().columns(names)
                    }
                    None => options.clone(),
                };
                let batches = table::ArrowTable::new(Arc::clone(table), options);
                let batches = batches.map_err(|error| Error::of_table(error, self.address()))?;
                Ok(Opened { table: self, schema: batches.schema(), rows: Rows::Idv(batches) })
            }
            Content::Text(kind, text) => {
                let (reader, count) = self.lines(*kind, text)?;
                let (schema, places) = self.projected(&reader.schema())?;
                Ok(Opened {
                    table: self,
                    schema,
                    rows: Rows::Text { kind: *kind, text, reader: Some(reader), count, places },
                })
            }
            Content::Store(table) => {
                let names = self.columns.as_deref();
                if let Some(names) = names {
                    self.places(names, table.names().map(str::to_owned))?;
                }
                let reader = table.batches(names).map_err(|error| Error::of_table(error, self.address()))?;
                let schema = reader.schema();
                Ok(Opened { table: self, schema, rows: Rows::Store(table) })
            }
            Content::Other(kind, input, limits) => {
                let whole = self.reader(*kind, InputReader::new(Arc::clone(input)), None, limits)?.schema();
                let (schema, places) = self.projected(&whole)?;
                Ok(Opened { table: self, schema, rows: Rows::Other { kind: *kind, input, limits, places } })
            }
        }
    }

    /// Returns the schema of the selected columns, and their indices.
    fn projected(&self, whole: &SchemaRef) -> Result<(SchemaRef, Option<Vec<usize>>)> {
        let Some(names) = &self.columns else { return Ok((Arc::clone(whole), None)) };
        let places = self.places(names, whole.fields().iter().map(|field| field.name().clone()))?;
        let schema = whole.project(&places).map_err(|error| Error::of_arrow(error, self.address()))?;
        Ok((Arc::new(schema), Some(places)))
    }

    /// Returns the indices of columns among all columns. If several have the same name, the first one is used.
    fn places(&self, wanted: &[String], all: impl Iterator<Item = String>) -> Result<Vec<usize>> {
        let names: Vec<String> = all.collect();
        let mut places = HashMap::new();
        for (place, name) in names.iter().enumerate() {
            places.entry(name).or_insert(place);
        }
        let unknown = |column: &String| Error::NoColumn {
            name: self.name.clone(),
            column: column.clone(),
            names: names.iter().take(MOST_NAMES).cloned().collect(),
        };
        wanted.iter().map(|column| places.get(column).copied().ok_or_else(|| unknown(column))).collect()
    }

    /// Returns a reader of all columns, or of those at the given increasing indices.
    fn reader(
        &self,
        kind: FileKind,
        input: InputReader,
        places: Option<&[usize]>,
        limits: &Limits,
    ) -> Result<Box<dyn RecordBatchReader + Send>> {
        let read = || -> ndbytes_arrow::Result<Box<dyn RecordBatchReader + Send>> {
            Ok(match kind {
                FileKind::Parquet => Box::new(parquet::read_from(input, places, limits)?),
                FileKind::Arrow => Box::new(ipc::read_file_from(input, places, limits)?),
                _ => Box::new(ipc::read_stream_from(input, places, limits)?),
            })
        };
        read().map_err(|error| Error::of_table(error, self.address()))
    }

    /// Returns the reader of lines, and the number of rows.
    fn lines<'t>(&self, kind: FileKind, text: &'t Text) -> Result<(Lines<'t>, u64)> {
        let options = ReadOptions::new().limits(text.limits);
        let named = |error| match error {
            Error::Malformed { kind, what } => Error::Malformed { kind, what: format!("{what} ({})", self.address()) },
            error => error,
        };
        if kind == FileKind::Csv {
            let reader = csv::Reader::new(&text.bytes, &options).map_err(named)?;
            let rows = reader.rows();
            return Ok((Box::new(reader), rows));
        }
        let reader = jsonl::Reader::new(&text.bytes, &options).map_err(named)?;
        let rows = reader.rows();
        Ok((Box::new(reader), rows))
    }
}

/// A reader of lines of text, which it borrows.
type Lines<'t> = Box<dyn RecordBatchReader + Send + 't>;

/// A table whose schema is known.
pub struct Opened<'t> {
    pub table: &'t TableSource,
    /// The schema of the selected columns.
    pub schema: SchemaRef,
    rows: Rows<'t>,
}

/// The rows of a table, and the indices of the selected columns, or `None` for all.
enum Rows<'t> {
    Idv(table::ArrowTable),
    Text { kind: FileKind, text: &'t Text, reader: Option<Lines<'t>>, count: u64, places: Option<Vec<usize>> },
    Other { kind: FileKind, input: &'t Arc<Input<'static>>, limits: &'t Limits, places: Option<Vec<usize>> },
    Store(&'t Arc<CTable>),
}

impl<'t> Opened<'t> {
    /// The table, if it is IDV.
    pub fn idv(&self) -> Option<&idv::Table<'static>> {
        match &self.rows {
            Rows::Idv(batches) => Some(batches.table()),
            _ => None,
        }
    }

    /// Returns all batches of the selected rows.
    pub fn batches(&mut self) -> Result<Part<'t>> {
        let table = self.table;
        match &mut self.rows {
            Rows::Idv(batches) => {
                let rows = table.range(batches.rows());
                if table.columns.is_none() && rows == (0..batches.rows()) {
                    batches.table().ensure_rest()?;
                }
                let made = batches.batches_of(rows.clone()).map_err(|error| Error::of_table(error, table.address()))?;
                Ok(Part::new(Box::new(made), None, 0..rows.end - rows.start, None))
            }
            Rows::Text { kind, text, reader, count, places } => {
                // Use the reader that inferred the types, unless it has already been used.
                let reader = match reader.take() {
                    Some(reader) => reader,
                    None => table.lines(*kind, text)?.0,
                };
                Ok(Part::new(reader, places.clone(), table.range(*count), None))
            }
            Rows::Store(store) => {
                let made = store.batches(table.chosen()).map_err(|error| Error::of_table(error, table.address()))?;
                Ok(Part::new(Box::new(made), None, table.range(u64::MAX), None))
            }
            Rows::Other { kind, input, limits, places } => {
                let input = InputReader::new(Arc::clone(input));
                // Columns are read in file order, and then rearranged.
                let mut read = places.clone();
                if let Some(read) = &mut read {
                    read.sort_unstable();
                    read.dedup();
                }
                let reader = table.reader(*kind, input.clone(), read.as_deref(), limits)?;
                let among = |place: &usize| read.as_ref()?.binary_search(place).ok();
                let places = places.as_ref().map(|places| places.iter().filter_map(among).collect());
                Ok(Part::new(reader, places, table.range(u64::MAX), Some(input)))
            }
        }
    }

    /// Returns the memory limit for writing a batch, in bytes: the half that the reader does not use.
    pub fn for_a_batch(&self, limits: &Limits) -> u64 {
        limits.memory.saturating_add(self.table.length) / 2
    }

    /// Returns the number of bytes of the file read so far, for progress.
    pub fn read_of(&self, part: &Part<'_>) -> u64 {
        let length = self.table.length;
        let count = match &self.rows {
            Rows::Idv(batches) => batches.rows(),
            Rows::Text { count, .. } => *count,
            Rows::Other { .. } => return part.read().min(length),
            // The number of rows that were not deleted is known only at the end.
            Rows::Store(_) => return 0,
        };
        // This assumes that all rows have about the same size.
        let read = u128::from(length) * u128::from(part.given()) / u128::from(count.max(1));
        u64::try_from(read).unwrap_or(length).min(length)
    }
}
