//! Writes `.idv` files.
//!
//! The header at the beginning of a file contains the offsets of the tables, which come after the blocks. The writer therefore
//! starts with an empty header, appends blocks as rows arrive, and finally writes the tables and rewrites the header, so a sink
//! must be seekable.
//!
//! All blocks of a column have the same number of rows, except the last one. If the caller does not set this number, it is chosen
//! when the first rows are known: see [`TableWriter::choose_rows_per_block`]. It does not depend on the portions in which rows are
//! passed, so equal tables become equal files.
//!
//! Values are checked before they are written. A value that ML.NET would read differently, or not at all, is an error.

pub mod encode;
mod late;

use super::values::Values;
use super::values::items::Items;
use super::values::texts::Texts;
use super::values::types::{ColumnType, ItemType};
use crate::bytes::atomic::AtomicFile;
use crate::bytes::threads;
use crate::error::{Error, Result};
use crate::idv::values::make::inexpressible;
use encode::{encode, ensure_expressible};
use everybyte::{
    BinWrite, Endian, Layout,
    bytes::{Region, Zeros},
    trace::length_of,
    varint::Leb128,
};
use ndbytes_codecs::deflate::deflated;
use ndbytes_schemas::idv as layout;
use ndbytes_schemas::idv::{Compression, NetString, Parameters, Version};
use rayon::prelude::*;
use std::collections::HashSet;
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The default maximum number of rows in a block.
const MOST_ROWS: usize = 8192;

/// The maximum number of bytes in the blocks of all columns together, from which the number of rows per block is chosen.
const MOST_BYTES: u64 = 80 << 20;

/// Writes tables with the given columns and options. The files have version 1.1.1.6, which ML.NET can read.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.idv");
/// use ndbytes::idv::{ColumnType, ItemType, KeyType, NewColumn, Values, Writer};
///
/// let label = NewColumn::new("Label", ColumnType::scalar(ItemType::Key(KeyType::new(2)))).key_values(["no", "yes"]);
/// let features = NewColumn::new("Features", ColumnType::vector(ItemType::F32, [2]));
/// let mut file = Writer::new([label, features]).create(&path)?;
/// file.write(&[Values::scalars(vec![1_u32, 2]), Values::dense(vec![0.5_f32, 1.5, 2.5, 3.5], 2)?])?;
/// file.finish()?;
///
/// let table = ndbytes::idv::open(&path)?;
/// assert_eq!(table.column("Features")?.read()?.to_dense::<f32>(&Default::default())?[[1, 0]], 2.5);
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Writer {
    columns: Vec<NewColumn>,
    compression: Compression,
    rows_per_block: Option<usize>,
}

/// A column to write.
///
/// ```
/// use ndbytes::idv::{self, ColumnType, ItemType, NewColumn, Values, Writer};
/// use std::io::Cursor;
///
/// let sizes = NewColumn::new("Sizes", ColumnType::vector(ItemType::F32, [2])).slot_names(["height", "width"]);
/// let mut table = Writer::new([sizes]).begin(Cursor::new(Vec::new()))?;
/// table.write(&[Values::dense(vec![31.5_f32, 2.75], 2)?])?;
///
/// let file = table.finish_sink()?.into_inner();
/// let names = idv::from_slice(&file)?.column("Sizes")?.slot_names()?.unwrap();
/// assert_eq!(names.items().texts().unwrap().get(1).unwrap().to_str(), Some("width"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct NewColumn {
    name: String,
    column_type: ColumnType,
    annotations: Vec<NewAnnotation>,
}

#[derive(Debug, Clone)]
struct NewAnnotation {
    kind: String,
    value_type: ColumnType,
    value: Values,
}

impl NewAnnotation {
    fn ensure_expressible(&self) -> Result<()> {
        if self.value.rows() != 1 {
            return Err(inexpressible(format!("an annotation of {} rows", self.value.rows())));
        }
        ensure_type(&self.value_type)?;
        ensure_expressible(&self.value, &self.value_type)
    }
}

impl NewColumn {
    /// Creates a column with a name and a type.
    pub fn new(name: impl Into<String>, column_type: ColumnType) -> Self {
        NewColumn { name: name.into(), column_type, annotations: Vec::new() }
    }

    /// Adds an annotation of any kind to the column, with a value of any type. `value` must be a single row.
    #[must_use]
    pub fn annotation(mut self, kind: impl Into<String>, value_type: ColumnType, value: Values) -> Self {
        self.annotations.push(NewAnnotation { kind: kind.into(), value_type, value });
        self
    }

    /// Names the slots of a column of vectors.
    #[must_use]
    pub fn slot_names<T: AsRef<str>>(self, names: impl IntoIterator<Item = T>) -> Self {
        self.texts("SlotNames", names)
    }

    /// Names the categories of a key column. The first name belongs to the raw value 1.
    #[must_use]
    pub fn key_values<T: AsRef<str>>(self, values: impl IntoIterator<Item = T>) -> Self {
        self.texts("KeyValues", values)
    }

    fn texts<T: AsRef<str>>(self, kind: &str, texts: impl IntoIterator<Item = T>) -> Self {
        let texts: Texts = texts.into_iter().collect();
        let count = texts.len() as u32;
        let value = Values::single_vector(Items::Text(texts));
        self.annotation(kind, ColumnType::vector(ItemType::Text, [count]), value)
    }
}

impl Writer {
    /// Creates a writer of tables with these columns, compressed with deflate.
    pub fn new(columns: impl IntoIterator<Item = NewColumn>) -> Self {
        Writer { columns: columns.into_iter().collect(), compression: Compression::DEFLATE, rows_per_block: None }
    }

    /// Sets the compression of blocks: [`Compression::NONE`] or [`Compression::DEFLATE`]. Annotations are compressed if that makes them
    /// smaller.
    #[must_use]
    pub fn compression(self, compression: Compression) -> Self {
        Writer { compression, ..self }
    }

    /// Sets the number of rows per block. By default, a block has as many rows as fit in 80 MiB, but at most 8192.
    #[must_use]
    pub fn rows_per_block(self, rows: usize) -> Self {
        Writer { rows_per_block: Some(rows), ..self }
    }

    /// Starts a file. The file does not get its name until it is finished.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if a column has no name or a duplicate name, or if its type or an annotation cannot be
    /// written; [`Error::Io`].
    pub fn create(self, path: impl AsRef<Path>) -> Result<TableWriter<NewFile>> {
        let path = path.as_ref();
        let mut writer = self.begin(NewFile(AtomicFile::create(path)?))?;
        writer.path = Some(path.to_owned());
        Ok(writer)
    }

    /// Starts a file in memory, or in any other sink. It must start at the first byte of the sink, because offsets are relative to
    /// that byte.
    ///
    /// # Errors
    /// As for [`Writer::create`].
    pub fn begin<W: Write + Seek>(self, sink: W) -> Result<TableWriter<W>> {
        self.ensure_expressible()?;
        let columns = self.columns.iter();
        let pending = columns.map(|column| Values::new(column.column_type.item, column.column_type.dims.is_some()));
        let mut writer = TableWriter {
            pending: pending.collect(),
            lookups: self.columns.iter().map(|_| layout::Lookup { blocks: Vec::new() }).collect(),
            rows_per_block: self.rows_per_block.map(|rows| rows.min(i32::MAX as usize)),
            writer: self,
            sink,
            path: None,
            position: 0,
            rows: 0,
            is_broken: false,
        };
        // The header is rewritten when its content is known.
        let header = writer.header(0, 0, 0);
        writer.put(&header)?;
        Ok(writer)
    }

    fn ensure_expressible(&self) -> Result<()> {
        let refuse = |what: String| Err(inexpressible(what));
        if !matches!(self.compression, Compression::NONE | Compression::DEFLATE) {
            return refuse("blocks with compression other than none and deflate, which ML.NET would not read".into());
        }
        if self.rows_per_block == Some(0) {
            return refuse("blocks without rows".into());
        }
        if i32::try_from(self.columns.len()).is_err() {
            return refuse("over 2^31 - 1 columns".into());
        }
        let mut names = HashSet::new();
        for column in &self.columns {
            let name = &column.name;
            if name.is_empty() {
                return refuse("a column without a name".into());
            }
            if !names.insert(name) {
                return refuse(format!("two columns named {name:?}, one of which would be hidden"));
            }
            ensure_type(&column.column_type)?;
            let mut kinds = HashSet::new();
            for annotation in &column.annotations {
                let kind = &annotation.kind;
                if kind.is_empty() || !kinds.insert(kind) {
                    return refuse(format!("two annotations {kind:?} of a column, or one without a kind"));
                }
                annotation.ensure_expressible()?;
            }
        }
        Ok(())
    }
}

/// Names the column whose content cannot be expressed.
fn in_column(error: Error, name: &str) -> Error {
    match error {
        Error::Inexpressible { format, what } => {
            Error::Inexpressible { format, what: format!("{what}, in the column {name:?}") }
        }
        error => error,
    }
}

fn ensure_type(column_type: &ColumnType) -> Result<()> {
    if let ItemType::Key(key) = column_type.item
        && (!matches!(key.width, 1 | 2 | 4 | 8) || key.count == 0 || key.count > key.most() || key.min != 0)
    {
        return Err(inexpressible(format!("a key of {} bytes with {} categories", key.width, key.count)));
    }
    let dims = column_type.dims.iter().flatten();
    let size = dims.clone().try_fold(1_i32, |size, &dim| size.checked_mul(i32::try_from(dim).ok()?));
    if size.is_none() || column_type.dims.as_ref().is_some_and(Vec::is_empty) {
        return Err(inexpressible(format!("vectors of the dimensions {:?}", column_type.dims)));
    }
    Ok(())
}

/// Returns the codec that current versions of ML.NET write for a type.
fn codec(column_type: &ColumnType) -> layout::Codec {
    let item = match column_type.item {
        ItemType::Key(key) => {
            let number = Box::new(plain_codec(key.item().codec_name()));
            parametric(column_type.item.codec_name(), Parameters::Key { key: layout::Key { number, count: key.count } })
        }
        item => plain_codec(item.codec_name()),
    };
    let Some(dims) = &column_type.dims else { return item };
    let dims = dims.iter().map(|&dim| dim as i32).collect();
    parametric("VBuffer", Parameters::Vector { vector: layout::VectorOf { item: Box::new(item), dims } })
}

fn plain_codec(name: &str) -> layout::Codec {
    parametric(name, Parameters::Other { bytes: Region::default() })
}

fn parametric(name: &str, parameters: Parameters) -> layout::Codec {
    let parameters_length = Leb128::new(parameters.length());
    layout::Codec { name: NetString::new(name), parameters_length, parameters, excess: Region::default() }
}

/// Writes a table block by block.
///
/// ```
/// use ndbytes::idv::{self, ColumnType, ItemType, NewColumn, Values, Writer};
/// use std::io::Cursor;
///
/// let count = NewColumn::new("Count", ColumnType::scalar(ItemType::I32));
/// let mut table = Writer::new([count]).begin(Cursor::new(Vec::new()))?;
/// for start in [0_i32, 3] {
///     table.write(&[Values::scalars(vec![start, start + 1, start + 2])])?; // portions of any length
/// }
/// let file = table.finish_sink()?.into_inner();
/// assert_eq!(idv::from_slice(&file)?.rows(), 6);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// Rows are collected until they fill a block. Then the blocks of all columns are encoded and compressed in parallel, and are
/// written. Memory is therefore limited to one block per column, regardless of the length of the table. Without
/// [`TableWriter::finish`], no file appears.
#[derive(Debug)]
pub struct TableWriter<W: Write + Seek> {
    writer: Writer,
    sink: W,
    path: Option<PathBuf>,
    position: u64,
    /// Rows that are not written yet.
    pending: Vec<Values>,
    /// The number of rows per block, which is known after the first block.
    rows_per_block: Option<usize>,
    lookups: Vec<layout::Lookup>,
    rows: u64,
    /// True if a write has failed.
    is_broken: bool,
}

/// A file that does not get its name until it is finished.
///
/// ```
/// use ndbytes::idv::{ColumnType, ItemType, NewColumn, Writer};
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("counts.idv");
///
/// let table = Writer::new([NewColumn::new("Count", ColumnType::scalar(ItemType::I32))]).create(&path)?;
/// assert!(!path.exists());
/// table.finish()?;
/// assert!(path.exists());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct NewFile(AtomicFile);

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, target: SeekFrom) -> std::io::Result<u64> {
        self.0.seek(target)
    }
}

impl TableWriter<NewFile> {
    /// Writes the remaining rows and gives the file its name.
    ///
    /// # Errors
    /// As for [`TableWriter::write`].
    pub fn finish(self) -> Result<()> {
        let path = self.path.clone().unwrap_or_default();
        let NewFile(file) = self.finish_sink()?;
        file.commit().map_err(|error| error.at(&path))
    }
}

impl<W: Write + Seek> TableWriter<W> {
    /// Appends rows: the values of every column, in column order.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if the number of columns differs, or if they have different numbers of rows. Also if values do not
    /// have the type of their column or cannot be written. In these cases, the table is unchanged. [`Error::Io`]. After a write
    /// error, no more rows can be written.
    pub fn write(&mut self, columns: &[Values]) -> Result<()> {
        self.ensure_whole()?;
        let announced = &self.writer.columns;
        if columns.len() != announced.len() {
            return Err(inexpressible(format!("{} columns, since {} were announced", columns.len(), announced.len())));
        }
        let rows = columns.first().map_or(0, Values::rows);
        for (values, column) in columns.iter().zip(announced) {
            if values.rows() != rows {
                return Err(inexpressible("columns of different numbers of rows".into()));
            }
            ensure_expressible(values, &column.column_type).map_err(|error| in_column(error, &column.name))?;
        }
        let mut start = 0;
        while start < rows {
            let most = self.rows_per_block.unwrap_or(MOST_ROWS);
            let room = most - self.pending.first().map_or(0, Values::rows);
            let taken = room.min(rows - start);
            for (pending, values) in self.pending.iter_mut().zip(columns) {
                pending.append(values.slice(start..start + taken));
            }
            start += taken;
            if self.rows_per_block.is_none() {
                self.choose_rows_per_block();
            }
            while let Some(rows) = self.rows_per_block.filter(|&rows| self.pending[0].rows() >= rows) {
                let written = self.write_block(rows);
                self.is_broken |= written.is_err();
                written?;
            }
        }
        Ok(())
    }

    /// Appends rows to a table without columns, which has only a number of rows.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if the table has columns, or if the rows do not fit in 2^31 - 1 blocks of 2^31 - 1 rows.
    pub fn write_empty_rows(&mut self, rows: u64) -> Result<()> {
        let total = self.rows.checked_add(rows).filter(|&total| total <= (i32::MAX as u64).pow(2));
        match total {
            Some(total) if self.writer.columns.is_empty() => self.rows = total,
            _ => return Err(inexpressible(format!("{rows} rows without values"))),
        }
        Ok(())
    }

    /// Chooses the smallest number of rows that fills a block, regardless of the portions in which they are passed.
    ///
    /// The number depends on the first 80 MiB of rows, not on the first call to [`TableWriter::write`]. Otherwise, the division of
    /// a table into portions would affect the file. The size of the values grows with their number, so bisection finds the number
    /// of rows.
    fn choose_rows_per_block(&mut self) {
        let pending = self.pending.first().map_or(0, Values::rows);
        let bytes = |rows: usize| self.pending.iter().map(|values| values.slice(0..rows).memory()).sum::<u64>();
        if bytes(pending) >= MOST_BYTES {
            let (mut below, mut enough) = (0, pending);
            while enough - below > 1 {
                let middle = usize::midpoint(below, enough);
                *if bytes(middle) >= MOST_BYTES { &mut enough } else { &mut below } = middle;
            }
            self.rows_per_block = Some(enough);
        } else if pending == MOST_ROWS {
            self.rows_per_block = Some(pending);
        }
    }

    /// Writes a block of every column from the first pending rows.
    fn write_block(&mut self, rows: usize) -> Result<()> {
        let compression = self.writer.compression;
        let jobs: Vec<(&Values, &NewColumn)> = self.pending.iter().zip(&self.writer.columns).collect();
        threads::ready();
        let encoded = jobs.par_iter().map(|(values, column)| {
            let first = (values.rows() != rows).then(|| values.slice(0..rows));
            let bytes = encode(first.as_ref().unwrap_or(values), &column.column_type)?;
            let length = bytes.len();
            Ok((if compression == Compression::NONE { bytes } else { deflated(&bytes)? }, length))
        });
        for (place, encoded) in encoded.collect::<Vec<Result<(Vec<u8>, usize)>>>().into_iter().enumerate() {
            let (bytes, length) = encoded?;
            let stored_length = i32::try_from(bytes.len());
            let stored_length = stored_length.map_err(|_| inexpressible("a block of over 2^31 - 1 bytes".into()))?;
            let entry = layout::BlockEntry { offset: self.position as i64, stored_length, length: length as i32 };
            self.lookups[place].blocks.push(entry);
            self.put_bytes(&bytes)?;
        }
        for pending in &mut self.pending {
            *pending = pending.slice(rows..pending.rows());
        }
        self.rows += rows as u64;
        Ok(())
    }

    /// Writes the remaining rows and returns the sink.
    ///
    /// # Errors
    /// As for [`TableWriter::write`].
    pub fn finish_sink(mut self) -> Result<W> {
        self.ensure_whole()?;
        let pending = self.pending.first().map_or(0, Values::rows);
        if pending > 0 {
            self.rows_per_block.get_or_insert(pending);
            self.write_block(pending)?;
        }
        let mut entries = Vec::new();
        for lookup in std::mem::take(&mut self.lookups) {
            entries.push(self.position);
            self.put(&lookup)?;
        }
        let columns = std::mem::take(&mut self.writer.columns);
        let rows_per_block = (self.rows_per_block.unwrap_or(1) as u64).clamp(1, self.rows.max(1));
        let mut table = layout::Columns { columns: Vec::new() };
        for (column, lookup_offset) in columns.iter().zip(entries) {
            let annotations_offset = self.annotations(column)?;
            table.columns.push(layout::Column {
                name: NetString::new(column.name.as_str()),
                codec: codec(&column.column_type),
                compression: self.writer.compression,
                rows_per_block: Leb128::new(rows_per_block),
                lookup_offset: lookup_offset as i64,
                slot_names_offset: None,
                slot_names: None,
                annotations_offset: Some(annotations_offset),
            });
        }
        let columns_offset = self.position;
        self.put(&table)?;
        let tail_offset = self.position;
        self.put(&layout::Tail {})?;
        let header = self.header(columns_offset, tail_offset, columns.len());
        self.sink.seek(SeekFrom::Start(0))?;
        self.put(&header)?;
        self.sink.flush()?;
        Ok(self.sink)
    }

    /// Writes the annotations of a column. Returns the offset of their table, or 0.
    fn annotations(&mut self, column: &NewColumn) -> Result<i64> {
        if column.annotations.is_empty() {
            return Ok(0);
        }
        let count = Leb128::new(column.annotations.len() as u64);
        let mut table = layout::Annotations { count, entries: Vec::new() };
        for annotation in &column.annotations {
            let plain = encode(&annotation.value, &annotation.value_type)?;
            let deflated = deflated(&plain)?;
            let smaller = self.writer.compression == Compression::DEFLATE && deflated.len() < plain.len();
            let bytes = if smaller { deflated } else { plain };
            table.entries.push(layout::Annotation {
                kind: NetString::new(annotation.kind.as_str()),
                codec: codec(&annotation.value_type),
                compression: if smaller { Compression::DEFLATE } else { Compression::NONE },
                offset: self.position as i64,
                stored_length: Leb128::new(bytes.len() as u64),
            });
            self.put_bytes(&bytes)?;
        }
        let offset = self.position as i64;
        self.put(&table)?;
        Ok(offset)
    }

    fn header(&self, columns_offset: u64, tail_offset: u64, columns: usize) -> layout::Header {
        layout::Header {
            version: Version::V6,
            compatible_version: Version::V6,
            columns_offset: columns_offset as i64,
            tail_offset: tail_offset as i64,
            row_count: self.rows as i64,
            column_count: columns as i32,
            reserved: Zeros::default(),
        }
    }

    fn put<T: Layout + for<'a> BinWrite<Args<'a> = ()>>(&mut self, value: &T) -> Result<()> {
        let bytes = everybyte::write(value, Endian::Little).expect("what was checked can be written");
        debug_assert_eq!(bytes.len() as u64, length_of(value, Endian::Little));
        self.put_bytes(&bytes)
    }

    /// Fails if an earlier write has failed.
    fn ensure_whole(&self) -> Result<()> {
        match self.is_broken {
            true => Err(std::io::Error::other("an earlier part of the file could not be written").into()),
            false => Ok(()),
        }
    }

    fn put_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.ensure_whole()?;
        let written = self.sink.write_all(bytes).map_err(Error::from);
        self.position += bytes.len() as u64;
        self.is_broken |= written.is_err();
        match &self.path {
            Some(path) => written.map_err(|error| error.at(path)),
            None => written,
        }
    }
}
