//! Tables that are read.

use super::part::Part;
use crate::error::{Error, Result};
use crate::kind::Kind;
use arrow_array::RecordBatchReader;
use arrow_schema::SchemaRef;
use ndbytes::{Input, idv};
use ndbytes_arrow::{InputReader, ipc, parquet, table};
use std::io::BufReader;
use std::ops::Range;
use std::sync::Arc;

/// The bytes with which files begin. A stream begins with the mark of its first message.
const BEGINNINGS: [(Kind, &[u8]); 3] =
    [(Kind::Parquet, b"PAR1"), (Kind::Arrow, b"ARROW1"), (Kind::Arrows, &[0xff, 0xff, 0xff, 0xff])];

/// The most names that a message lists.
const MOST_NAMES: usize = 20;

/// A table that is converted, or columns and rows of one: IDV, Parquet, an Arrow file or an Arrow stream.
/// Clones share it.
#[derive(Debug, Clone)]
pub struct Table {
    name: String,
    content: Content,
    length: u64,
    columns: Option<Vec<String>>,
    rows: Option<Range<u64>>,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    Idv(Arc<idv::Table<'static>>),
    Other(Kind, Arc<Input<'static>>),
}

impl Table {
    /// The table of an IDV file of `length` bytes, with the name by which messages call it.
    pub fn idv(name: impl Into<String>, table: impl Into<Arc<idv::Table<'static>>>, length: u64) -> Self {
        Table { name: name.into(), content: Content::Idv(table.into()), length, columns: None, rows: None }
    }

    /// The table of a Parquet file, an Arrow file or an Arrow stream: of the kind that [`Table::kind_of`] tells.
    pub fn read(name: impl Into<String>, kind: Kind, input: Input<'static>) -> Self {
        let (name, length) = (name.into(), input.length());
        Table { name, content: Content::Other(kind, Arc::new(input)), length, columns: None, rows: None }
    }

    /// The kind of a file that begins as Parquet and Arrow do.
    pub fn kind_of(input: &Input<'_>) -> Option<Kind> {
        let head = input.head();
        BEGINNINGS.into_iter().find(|(_, beginning)| head.starts_with(beginning)).map(|(kind, _)| kind)
    }

    /// Chooses columns, in this order.
    #[must_use]
    pub fn columns<T: Into<String>>(self, columns: impl IntoIterator<Item = T>) -> Self {
        Table { columns: Some(columns.into_iter().map(Into::into).collect()), ..self }
    }

    /// Chooses rows that follow each other. Those that are not there are none.
    #[must_use]
    pub fn rows(self, rows: Range<u64>) -> Self {
        Table { rows: Some(rows), ..self }
    }

    /// The number of all rows. An Arrow stream is read for it.
    ///
    /// # Errors
    /// Those of reading it.
    pub fn count(&self) -> Result<u64> {
        let (kind, input) = match &self.content {
            Content::Idv(table) => return Ok(table.rows()),
            Content::Other(kind, input) => (*kind, input),
        };
        let mut rows = 0;
        for batch in self.reader(kind, InputReader::new(Arc::clone(input)))? {
            rows += batch.map_err(|error| Error::of_arrow(error, &self.name))?.num_rows() as u64;
        }
        Ok(rows)
    }

    /// The name by which messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of its file.
    pub fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn content(&self) -> &Content {
        &self.content
    }

    /// The names of the columns, if some are chosen.
    pub(super) fn chosen(&self) -> Option<&[String]> {
        self.columns.as_deref()
    }

    /// The rows that are chosen, among as many as there are.
    pub(super) fn range(&self, count: u64) -> Range<u64> {
        let rows = self.rows.clone().unwrap_or(0..count);
        let end = rows.end.min(count);
        rows.start.min(end)..end
    }

    /// Opens the table. `options` are those by which IDV becomes batches.
    pub(super) fn open(&self, options: &table::Options) -> Result<Opened<'_>> {
        match &self.content {
            Content::Idv(table) => {
                let options = match &self.columns {
                    Some(names) => {
                        let all = || table.columns().map(|column| column.name());
                        names.iter().try_for_each(|name| self.ensure_column(name, all()))?;
                        options.clone().columns(names)
                    }
                    None => options.clone(),
                };
                let batches = table::Table::new(Arc::clone(table), options);
                let batches = batches.map_err(|error| Error::of_table(error, &self.name))?;
                Ok(Opened { table: self, schema: batches.schema(), batches: Some(batches), projection: None })
            }
            Content::Other(kind, input) => {
                let schema = self.reader(*kind, InputReader::new(Arc::clone(input)))?.schema();
                let Some(names) = &self.columns else {
                    return Ok(Opened { table: self, schema, batches: None, projection: None });
                };
                let place = |name: &String| {
                    self.ensure_column(name, schema.fields().iter().map(|field| field.name().clone()))?;
                    schema.index_of(name).map_err(|error| Error::of_arrow(error, &self.name))
                };
                let places = names.iter().map(place).collect::<Result<Vec<usize>>>()?;
                let schema = schema.project(&places).map_err(|error| Error::of_arrow(error, &self.name))?;
                Ok(Opened { table: self, schema: Arc::new(schema), batches: None, projection: Some(places) })
            }
        }
    }

    /// Fails if there is no column of this name.
    fn ensure_column(&self, column: &str, names: impl Iterator<Item = String>) -> Result<()> {
        let names: Vec<String> = names.collect();
        match names.iter().any(|name| name == column) {
            true => Ok(()),
            false => Err(Error::NoColumn {
                name: self.name.clone(),
                column: column.to_owned(),
                names: names.into_iter().take(MOST_NAMES).collect(),
            }),
        }
    }

    fn reader(&self, kind: Kind, input: InputReader) -> Result<Box<dyn RecordBatchReader + Send>> {
        let read = || -> ndbytes_arrow::Result<Box<dyn RecordBatchReader + Send>> {
            Ok(match kind {
                Kind::Parquet => Box::new(parquet::read_from(input)?),
                Kind::Arrow => Box::new(ipc::read_file_from(BufReader::new(input))?),
                _ => Box::new(ipc::read_stream(BufReader::new(input))?),
            })
        };
        read().map_err(|error| Error::of_table(error, &self.name))
    }
}

/// A table whose schema is known.
pub struct Opened<'t> {
    pub table: &'t Table,
    /// The schema of the columns that are chosen.
    pub schema: SchemaRef,
    /// The table, if it is IDV.
    batches: Option<table::Table>,
    /// The places of the columns that are chosen, if it is not.
    projection: Option<Vec<usize>>,
}

impl Opened<'_> {
    /// The table, if it is IDV.
    pub fn idv(&self) -> Option<&idv::Table<'static>> {
        self.batches.as_ref().map(|batches| &**batches.table())
    }

    /// All batches of the rows that are chosen.
    pub fn batches(&self) -> Result<Part> {
        let table = self.table;
        if let Some(batches) = &self.batches {
            let rows = table.range(batches.rows());
            let made = batches.batches_of(rows.clone()).map_err(|error| Error::of_table(error, table.name()))?;
            return Ok(Part::new(Box::new(made), None, 0..rows.end - rows.start, None));
        }
        let Content::Other(kind, input) = &table.content else {
            return Err(ndbytes::Error::OutOfRange { index: 0, length: 0 }.into());
        };
        let input = InputReader::new(Arc::clone(input));
        let reader = table.reader(*kind, input.clone())?;
        Ok(Part::new(reader, self.projection.clone(), table.range(u64::MAX), Some(input)))
    }

    /// The bytes of the file that have been read, as far as progress counts them.
    pub fn read_of(&self, part: &Part) -> u64 {
        let length = self.table.length;
        match &self.batches {
            // Blocks are of one size, more or less.
            Some(batches) => {
                let all = u128::from(batches.rows().max(1));
                u64::try_from(u128::from(length) * u128::from(part.given()) / all).unwrap_or(length).min(length)
            }
            None => part.read().min(length),
        }
    }
}
