//! Turns rows into batches.
//!
//! All three tables are built from one: `files`, whose columns `findings` and `columns` are lists. The other two
//! tables are these lists, unnested. Rows of an earlier run can therefore be reused for any table, and no rule about
//! their content is stated twice.

use super::examine::{Content, Examined};
use super::known::Known;
use super::options::Options;
use super::row::{FileRow, FindingRow, verdict_word};
use super::schema::{Table, column_fields, finding_fields, item_field};
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, ListArray, RecordBatch, StringArray, StructArray, TimestampNanosecondArray,
    UInt32Array, UInt64Array,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};
use arrow_select::interleave::interleave_record_batch;
use arrow_select::take::take;
use ndbytes::ColumnInfo;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// Collects rows about files until there are enough for a batch.
///
/// ```
/// use ndbytes_arrow::lake::{Examiner, Options, Rows, Table};
/// use std::path::Path;
///
/// let options = Options::new();
/// let examiner = Examiner::new(Table::Files, &options);
/// let mut rows = Rows::new(Table::Files, &options);
/// for name in ["surface.ra", "trees.idv"] {
///     rows.push(examiner.examine(&Path::new("../../samples").join(name)));
/// }
/// assert!(!rows.is_full()); // a batch has 8192 rows, or 16 MiB
/// assert_eq!(rows.take_all()?.num_rows(), 2);
/// # Ok::<(), arrow_schema::ArrowError>(())
/// ```
#[derive(Debug)]
pub struct Rows<'k> {
    table: Table,
    options: Options,
    known: Option<&'k Known>,
    waiting: VecDeque<Waiting>,
    bytes: usize,
}

/// A row of the `files` table, from which the rows of the other tables follow.
#[derive(Debug)]
enum Waiting {
    Fresh(Box<FileRow>),
    /// A row from an earlier run. Unlike a row about a member, a row about a file has a time.
    Known {
        row: usize,
        mtime: Option<i64>,
    },
}

impl<'k> Rows<'k> {
    /// Creates an empty collection of rows for a table.
    pub fn new(table: Table, options: &Options) -> Self {
        Rows { table, options: *options, known: None, waiting: VecDeque::new(), bytes: 0 }
    }

    /// Sets the rows of an earlier run: see [`Examiner::known`](super::Examiner::known).
    #[must_use]
    pub fn known(self, known: &'k Known) -> Self {
        Rows { known: Some(known), ..self }
    }

    /// Adds the rows about a file.
    pub fn push(&mut self, examined: Examined) {
        match examined.content {
            Content::Fresh(rows) => {
                self.bytes += rows.iter().map(FileRow::held).sum::<usize>();
                self.waiting.extend(rows.into_iter().map(|row| Waiting::Fresh(Box::new(row))));
            }
            Content::Known { rows, mtime } => {
                let last = rows.end - 1;
                self.bytes += self.known.map_or(0, |known| rows.clone().map(|row| known.held(row)).sum());
                let row = |row| Waiting::Known { row, mtime: mtime.filter(|_| row == last) };
                self.waiting.extend(rows.map(row));
            }
        }
    }

    /// Returns the approximate size of the waiting rows in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns whether there are enough rows for a batch: see [`Options::rows`] and [`Options::bytes`].
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= self.options.rows || self.bytes >= self.options.bytes
    }

    /// Returns whether no rows are waiting.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Creates a batch of the first rows, up to its maximum size.
    ///
    /// # Errors
    /// Any error from Arrow.
    pub fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let (mut count, mut bytes) = (0, 0);
        while count < self.options.rows.min(self.waiting.len()) && bytes < self.options.bytes {
            bytes += self.held(&self.waiting[count]);
            count += 1;
        }
        self.bytes = self.bytes.saturating_sub(bytes);
        let rows: Vec<_> = self.waiting.drain(..count).collect();
        self.batch(&rows)
    }

    /// Creates one batch of all rows.
    ///
    /// # Errors
    /// Any error from Arrow.
    pub fn take_all(&mut self) -> Result<RecordBatch, ArrowError> {
        self.bytes = 0;
        let rows: Vec<_> = self.waiting.drain(..).collect();
        self.batch(&rows)
    }

    fn held(&self, row: &Waiting) -> usize {
        match row {
            Waiting::Fresh(row) => row.held(),
            Waiting::Known { row, .. } => self.known.map_or(0, |known| known.held(*row)),
        }
    }

    fn batch(&self, rows: &[Waiting]) -> Result<RecordBatch, ArrowError> {
        let fresh = rows.iter().filter_map(|row| match row {
            Waiting::Fresh(row) => Some(&**row),
            Waiting::Known { .. } => None,
        });
        let files = files(&fresh.collect::<Vec<_>>())?;
        let files = match self.known {
            Some(known) if files.num_rows() < rows.len() => merge(&files, rows, known)?,
            _ => files,
        };
        match self.table {
            Table::Files => Ok(files),
            Table::Findings => unnest(&files, "findings", Table::Findings),
            Table::Columns => unnest(&files, "columns", Table::Columns),
        }
    }
}

/// Merges fresh and known rows in order.
fn merge(fresh: &RecordBatch, rows: &[Waiting], known: &Known) -> Result<RecordBatch, ArrowError> {
    let (mut batches, mut places) = (vec![fresh], HashMap::new());
    let (mut indices, mut next) = (Vec::new(), 0);
    for row in rows {
        indices.push(match row {
            Waiting::Fresh(_) => {
                next += 1;
                (0, next - 1)
            }
            Waiting::Known { row, .. } => {
                let (batch, place) = known.place(*row);
                let of_batch = *places.entry(batch).or_insert_with(|| {
                    batches.push(known.batch(batch));
                    batches.len() - 1
                });
                (of_batch, place)
            }
        });
    }
    let merged = interleave_record_batch(&batches, &indices)?;
    let (schema, mut columns) = (Table::Files.schema(), merged.columns().to_vec());
    let column = schema.index_of("mtime")?;
    let times = columns[column].as_primitive::<arrow_array::types::TimestampNanosecondType>();
    let time = |(place, row): (usize, &Waiting)| match row {
        Waiting::Known { mtime, .. } => *mtime,
        Waiting::Fresh(_) => times.is_valid(place).then(|| times.value(place)),
    };
    columns[column] =
        Arc::new(rows.iter().enumerate().map(time).collect::<TimestampNanosecondArray>().with_timezone("UTC"));
    RecordBatch::try_new(schema, columns)
}

/// Returns the items of a list in the `files` table, as rows of a separate table.
fn unnest(files: &RecordBatch, list: &str, table: Table) -> Result<RecordBatch, ArrowError> {
    let schema = files.schema();
    let lists = files.column(schema.index_of(list)?).as_list::<i32>();
    let (mut rows, mut places) = (Vec::new(), Vec::new());
    let offsets = lists.value_offsets();
    for row in (0..lists.len()).filter(|row| lists.is_valid(*row)) {
        let (start, end) = (offsets[row], offsets[row + 1]);
        rows.extend((start..end).map(|_| row as u32));
        places.extend((start..end).map(|item| (item - start) as u32));
    }
    let rows = UInt32Array::from(rows);
    let of_file = |name: &str| take(files.column(schema.index_of(name)?), &rows, None);
    let mut columns = vec![of_file("path")?];
    columns.push(match table {
        Table::Columns => Arc::new(UInt32Array::from(places)),
        _ => of_file("format")?,
    });
    let (first, last) = (offsets[0] as usize, offsets[lists.len()] as usize);
    let items = lists.values().slice(first, last - first);
    columns.extend(items.as_struct().columns().iter().cloned());
    RecordBatch::try_new(table.schema(), columns)
}

/// Returns rows of the `files` table.
fn files(rows: &[&FileRow]) -> Result<RecordBatch, ArrowError> {
    let facts = || rows.iter().map(|row| &row.facts);
    let shapes: Vec<_> = facts().map(|it| it.shape.as_deref()).collect();
    let columns: Vec<_> = facts().map(|it| it.columns.as_deref()).collect();
    let findings: Vec<_> = rows.iter().map(|row| Some(&*row.findings)).collect();
    let mtimes: TimestampNanosecondArray = rows.iter().map(|row| row.mtime).collect();
    RecordBatch::try_new(
        Table::Files.schema(),
        vec![
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.path))),
            texts(rows.iter().map(|row| row.member.as_deref())),
            texts(rows.iter().map(|row| row.format.as_deref())),
            numbers(rows.iter().map(|row| row.size)),
            Arc::new(mtimes.with_timezone("UTC")),
            texts(rows.iter().map(|row| row.digest.as_deref())),
            texts(rows.iter().map(|row| Some(verdict_word(row.verdict)))),
            texts(rows.iter().map(|row| row.error())),
            texts(facts().map(|it| it.version.as_deref())),
            texts(facts().map(|it| it.dtype.as_deref())),
            texts(facts().map(|it| it.order)),
            lists(&shapes, DataType::UInt64, |items| Arc::new(UInt64Array::from_iter_values(items.copied())))?,
            numbers(facts().map(|it| it.rows)),
            lists(&columns, DataType::Struct(column_fields()), |items| column_structs(&items.collect::<Vec<_>>()))?,
            lists(&findings, DataType::Struct(finding_fields()), |items| finding_structs(&items.collect::<Vec<_>>()))?,
        ],
    )
}

fn texts<'t>(values: impl Iterator<Item = Option<&'t str>>) -> ArrayRef {
    Arc::new(values.collect::<StringArray>())
}

fn numbers(values: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(values.collect::<UInt64Array>())
}

/// Returns a list for each row, with items that `items` converts to an array.
fn lists<'r, T>(
    rows: &[Option<&'r [T]>],
    item: DataType,
    items: impl FnOnce(&mut dyn Iterator<Item = &'r T>) -> ArrayRef,
) -> Result<ArrayRef, ArrowError> {
    let offsets = OffsetBuffer::from_lengths(rows.iter().map(|row| row.map_or(0, <[T]>::len)));
    let values = items(&mut rows.iter().flatten().flat_map(|row| row.iter()));
    let is_there: NullBuffer = rows.iter().map(Option::is_some).collect();
    let nulls = Some(is_there).filter(|nulls| nulls.null_count() > 0);
    Ok(Arc::new(ListArray::try_new(item_field(item), offsets, values, nulls)?))
}

/// Returns columns, with the fields of `column_fields` in their order.
fn column_structs(columns: &[&ColumnInfo]) -> ArrayRef {
    let flags = |flag: fn(&ColumnInfo) -> bool| -> ArrayRef {
        Arc::new(columns.iter().map(|it| Some(flag(it))).collect::<BooleanArray>())
    };
    let arrays = vec![
        texts(columns.iter().map(|it| Some(&*it.name))),
        texts(columns.iter().map(|it| Some(&*it.r#type))),
        numbers(columns.iter().map(|it| it.slots)),
        numbers(columns.iter().map(|it| it.categories)),
        flags(|it| it.readable),
        flags(|it| it.hidden),
        texts(columns.iter().map(|it| it.compression)),
        numbers(columns.iter().map(|it| Some(it.blocks))),
        numbers(columns.iter().map(|it| Some(it.stored_bytes))),
    ];
    Arc::new(StructArray::new(column_fields(), arrays, None))
}

/// Returns findings, with the fields of `finding_fields` in their order.
fn finding_structs(findings: &[&FindingRow]) -> ArrayRef {
    let arrays = vec![
        texts(findings.iter().map(|it| Some(it.rule))),
        texts(findings.iter().map(|it| Some(it.severity))),
        texts(findings.iter().map(|it| Some(&*it.field))),
        Arc::new(UInt32Array::from_iter_values(findings.iter().map(|it| it.space))),
        numbers(findings.iter().map(|it| Some(it.offset))),
        numbers(findings.iter().map(|it| Some(it.length))),
        texts(findings.iter().map(|it| Some(&*it.message))),
        texts(findings.iter().map(|it| it.expected.as_deref())),
        texts(findings.iter().map(|it| it.found.as_deref())),
        texts(findings.iter().map(|it| it.help.as_deref())),
        texts(findings.iter().map(|it| it.reference)),
    ];
    Arc::new(StructArray::new(finding_fields(), arrays, None))
}
