//! Tables: opening, what is in them, reading columns.

use super::batches::Batches;
use super::blocks::{Target, annotation_path, annotation_stored, block_path, block_stored};
use super::stream::{Scratch, Stored};
use super::structure::{ColumnParts, Structure, examine_structure};
use super::types::ColumnType;
use super::values::Values;
use crate::finding::admit;
use crate::input::Input;
use crate::limits::{Budget, Debit};
use crate::{Error, Finding, Limits, Reference, Result, Rule};
use ndbytes_schemas::idv as layout;
use rayon::prelude::*;
use std::collections::HashMap;
use std::io::Read;
use std::ops::Range;
use std::path::Path;
use std::sync::OnceLock;

/// Pairs of blocks that are decoded side by side before their values are put together.
const BATCH: usize = 8;

/// The most bytes that room is made for before they are read.
const MOST_ROOM: u64 = 64 << 20;

/// Opens an `.idv` file. Its tables are read and checked; blocks are when their values are asked for.
///
/// # Errors
/// [`Error::Invalid`] if the file breaks a rule of severity error, [`Error::Io`], [`Error::Limit`].
pub fn open(path: impl AsRef<Path>) -> Result<Table<'static>> {
    Options::new().open(path)
}

/// Reads a table from memory, without a copy.
///
/// # Errors
/// As for [`open`].
pub fn from_slice(bytes: &[u8]) -> Result<Table<'_>> {
    Options::new().from_slice(bytes)
}

/// Reads a table from a stream, to its end.
///
/// # Errors
/// As for [`open`].
pub fn from_reader(reader: impl Read) -> Result<Table<'static>> {
    Options::new().from_reader(reader)
}

/// How to read `.idv` files.
#[derive(Debug, Clone, Default)]
pub struct Options {
    limits: Limits,
    tolerated: Vec<&'static Rule>,
}

impl Options {
    /// Strict, within the default limits.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets what a file may cost.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }

    /// Reads files that break a rule, where ML.NET reads on too: [`TRAILING_BYTES`](super::TRAILING_BYTES) or
    /// [`LONG_STREAM`](super::LONG_STREAM), for example. A rule without which nothing can be read is not tolerated by this. What was
    /// tolerated in the tables of the file is told by [`Table::tolerated`]; a check tells what there is in blocks.
    #[must_use]
    pub fn tolerate(mut self, rule: &'static Rule) -> Self {
        self.tolerated.push(rule);
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Table<'static>> {
        self.read(Input::open(path, self.limits)?)
    }

    /// Reads a table from memory, without a copy.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn from_slice<'a>(&self, bytes: &'a [u8]) -> Result<Table<'a>> {
        self.read(Input::from_slice(bytes, self.limits))
    }

    /// Reads a table from a stream.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn from_reader(&self, reader: impl Read) -> Result<Table<'static>> {
        self.read(Input::from_reader(reader, self.limits)?)
    }

    /// Reads something that was opened.
    ///
    /// # Errors
    /// As for [`open`].
    pub fn read<'a>(&self, input: Input<'a>) -> Result<Table<'a>> {
        let examined = examine_structure(input)?;
        if let Some(limit) = examined.limit {
            return Err(limit);
        }
        let (tolerated, _) = admit(examined.findings, |finding| self.is_passed_over(finding))?;
        let structure = examined.structure.expect("tables that cannot be read are an error that nobody tolerates");
        Ok(Table { input: examined.input, structure, options: self.clone(), tolerated, names: OnceLock::new() })
    }

    fn is_passed_over(&self, finding: &Finding) -> bool {
        finding.reference == Reference::Accepts && self.tolerated.contains(&finding.rule)
    }

    /// Passes over a finding in a block, or fails with it.
    fn admit(&self, finding: Finding) -> Result<()> {
        if finding.is_error() && !self.is_passed_over(&finding) { Err(finding.into()) } else { Ok(()) }
    }
}

/// A table that was opened.
#[derive(Debug)]
pub struct Table<'a> {
    input: Input<'a>,
    structure: Structure,
    options: Options,
    tolerated: Vec<Finding>,
    /// The columns that are not hidden, by name; the places of those that cannot be read where no other has the name.
    names: OnceLock<HashMap<String, usize>>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct Column<'t> {
    input: &'t Input<'t>,
    structure: &'t Structure,
    options: &'t Options,
    index: usize,
}

/// Something that is said about a column: slot names, key values, or whatever else.
#[derive(Debug, Clone, Copy)]
pub struct Annotation<'t> {
    column: Column<'t>,
    index: usize,
}

impl Table<'_> {
    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.structure.rows()
    }

    /// The version of the format.
    pub fn version(&self) -> layout::Version {
        self.structure.header.version
    }

    /// The lowest version whose readers can read the file.
    pub fn compatible_version(&self) -> layout::Version {
        self.structure.header.compatible_version
    }

    /// All columns in the order of the file, hidden ones and those that cannot be read too.
    pub fn columns(&self) -> impl ExactSizeIterator<Item = Column<'_>> {
        (0..self.structure.columns.len()).map(|index| self.at(index))
    }

    /// The column of a name that can be read: the last of them, if there are several.
    ///
    /// # Errors
    /// [`Error::NoColumn`] if there is none, [`Error::UnreadableColumn`] if its codec or compression is not known.
    pub fn column(&self, name: &str) -> Result<Column<'_>> {
        let names = self.names.get_or_init(|| {
            // Of two with the same name, the later one stays.
            let unreadable = self.columns().filter(|column| !column.is_readable());
            let columns = unreadable.chain(self.columns().filter(Column::is_readable));
            columns.map(|column| (column.name(), column.index())).collect()
        });
        match names.get(name).map(|&index| self.at(index)) {
            Some(column) if column.is_readable() => Ok(column),
            Some(_) => Err(Error::UnreadableColumn { name: name.to_owned() }),
            None => Err(Error::NoColumn { name: name.to_owned() }),
        }
    }

    /// Reads some columns from the first row to the last, a few blocks at a time, in memory for these.
    ///
    /// # Errors
    /// As for [`Table::column`].
    pub fn batches(&self, columns: &[&str]) -> Result<Batches<'_>> {
        let columns = columns.iter().map(|name| self.column(name)).collect::<Result<Vec<_>>>()?;
        Ok(Batches::new(columns))
    }

    /// What the options tolerated in the tables of the file.
    pub fn tolerated(&self) -> &[Finding] {
        &self.tolerated
    }

    fn at(&self, index: usize) -> Column<'_> {
        Column { input: &self.input, structure: &self.structure, options: &self.options, index }
    }
}

impl<'t> Column<'t> {
    fn parts(&self) -> &'t ColumnParts {
        &self.structure.columns[self.index]
    }

    /// The column's place among all columns of the file.
    pub fn index(&self) -> usize {
        self.index
    }

    /// The name; what is not UTF-8 in it becomes U+FFFD.
    pub fn name(&self) -> String {
        self.parts().entry.name.lossy().into_owned()
    }

    /// The type of the values; none if the codec is not known.
    pub fn column_type(&self) -> Option<&'t ColumnType> {
        self.parts().column_type.as_ref()
    }

    /// The name of the codec.
    pub fn codec(&self) -> String {
        self.parts().entry.codec.name.lossy().into_owned()
    }

    /// How the blocks are compressed.
    pub fn compression(&self) -> layout::Compression {
        self.parts().entry.compression
    }

    /// Whether a later column that can be read has the same name.
    pub fn is_hidden(&self) -> bool {
        self.parts().is_hidden
    }

    /// Whether codec and compression are known.
    pub fn is_readable(&self) -> bool {
        self.parts().is_readable()
    }

    /// The number of rows.
    pub fn rows(&self) -> u64 {
        self.structure.rows()
    }

    /// The number of blocks.
    pub fn block_count(&self) -> usize {
        self.parts().lookup.blocks.len()
    }

    /// The rows of a block.
    pub fn rows_of_block(&self, block: usize) -> Range<u64> {
        self.parts().rows_of(block, self.rows())
    }

    /// Bytes that the blocks take in the file.
    pub fn stored_bytes(&self) -> u64 {
        self.parts().lookup.blocks.iter().map(|block| u64::try_from(block.stored_length).unwrap_or(0)).sum()
    }

    /// What is said about the column.
    pub fn annotations(&self) -> impl ExactSizeIterator<Item = Annotation<'t>> + use<'t> {
        let column = *self;
        (0..self.parts().annotations.len()).map(move |index| Annotation { column, index })
    }

    /// What is said about the column under a name, such as `SlotNames` or `KeyValues`.
    pub fn annotation(&self, kind: &str) -> Option<Annotation<'t>> {
        self.annotations().find(|annotation| annotation.kind() == kind)
    }

    /// The names of the slots of a column of vectors, each with its place; a slot that is not there has none. Files of
    /// version 1.1.1.3 have them in the place of annotations.
    ///
    /// # Errors
    /// As for [`Annotation::read`].
    pub fn slot_names(&self) -> Result<Option<Values>> {
        if let Some((names, _)) = &self.parts().slot_names {
            return Ok(Some(Values::of_slot_names(names)));
        }
        self.annotation("SlotNames").map(|annotation| annotation.read()).transpose()
    }

    /// What the categories of a column of keys stand for: the first item is that of the raw value 1.
    ///
    /// # Errors
    /// As for [`Annotation::read`].
    pub fn key_values(&self) -> Result<Option<Values>> {
        self.annotation("KeyValues").map(|annotation| annotation.read()).transpose()
    }

    /// All values. Blocks are read, decompressed and decoded side by side in the threads of the current rayon pool.
    ///
    /// # Errors
    /// [`Error::UnreadableColumn`] if codec or compression are not known, [`Error::Invalid`] if a block breaks a rule of
    /// severity error that is not tolerated, [`Error::Io`], [`Error::Limit`].
    pub fn read(&self) -> Result<Values> {
        self.read_rows(0..self.rows())
    }

    /// The values of some rows. Only the blocks that hold them are read.
    ///
    /// # Errors
    /// As for [`Column::read`], and [`Error::OutOfRange`] if there are not as many rows.
    pub fn read_rows(&self, rows: Range<u64>) -> Result<Values> {
        if rows.end > self.rows() || rows.start > rows.end {
            return Err(Error::OutOfRange { index: rows.end, length: self.rows() });
        }
        let column_type = self.readable_type()?;
        let budget = self.budget();
        let mut values = Values::new(column_type.item, column_type.dims.is_some());
        if rows.is_empty() {
            return Ok(values);
        }
        let per_block = self.parts().rows_per_block;
        let blocks = (rows.start / per_block) as usize..((rows.end - 1) / per_block + 1) as usize;
        if blocks.end > self.block_count() {
            return Err(self.unreadable());
        }
        if let Some(dense) = super::dense::read(self, blocks.clone(), &budget)? {
            values = dense;
        } else {
            self.read_blocks(blocks.clone(), &budget, &mut values)?;
        }
        let first = self.rows_of_block(blocks.start).start;
        let (skipped, wanted) = ((rows.start - first) as usize, (rows.end - rows.start) as usize);
        if skipped > 0 || wanted < values.rows() {
            values = values.slice(skipped..skipped + wanted);
        }
        Ok(values)
    }

    /// The values of a block.
    ///
    /// # Errors
    /// As for [`Column::read`], and [`Error::OutOfRange`] if there are not as many blocks.
    pub fn read_block(&self, block: usize) -> Result<Values> {
        let column_type = self.readable_type()?;
        let mut values = Values::new(column_type.item, column_type.dims.is_some());
        let budget = self.budget();
        self.read_block_into(block, &mut Scratch::new(&budget), &Debit::new(&budget), &mut values)?;
        Ok(values)
    }

    /// Appends the values of a block.
    pub(super) fn read_block_into(
        &self,
        block: usize,
        scratch: &mut Scratch<'_>,
        debit: &Debit<'_>,
        values: &mut Values,
    ) -> Result<()> {
        let (stored, target) = self.block(block)?;
        let (_, findings) = target.read_into(self.input, &stored, scratch, debit, values)?;
        findings.into_iter().try_for_each(|finding| self.admit(block, finding))
    }

    /// Appends the values of one block, or of two that follow each other.
    pub(super) fn read_pair_into(
        &self,
        blocks: Range<usize>,
        scratch: &mut Scratch<'_>,
        debit: &Debit<'_>,
        values: &mut Values,
    ) -> Result<()> {
        if blocks.len() == 2 && self.compression() == layout::Compression::DEFLATE {
            let pair = [self.block(blocks.start)?, self.block(blocks.start + 1)?];
            if let Some(contents) = scratch.load_pair(self.input, [&pair[0].0, &pair[1].0])? {
                for (block, (content, (stored, target))) in blocks.zip(contents.into_iter().zip(&pair)) {
                    let mut findings = Vec::new();
                    target.decode(content, stored, debit, values, &mut findings)?;
                    findings.into_iter().try_for_each(|finding| self.admit(block, finding))?;
                }
                return Ok(());
            }
        }
        blocks.into_iter().try_for_each(|block| self.read_block_into(block, scratch, debit, values))
    }

    /// Where a block stands, and what it is to become.
    pub(super) fn block(&self, block: usize) -> Result<(Stored, Target<'t>)> {
        let count = self.block_count();
        if block >= count {
            return Err(Error::OutOfRange { index: block as u64, length: count as u64 });
        }
        let stored = block_stored(self.structure, self.index, block).ok_or_else(|| self.unreadable())?;
        let target = Target::of_block(self.structure, self.index, block).ok_or_else(|| self.unreadable())?;
        Ok((stored, target))
    }

    /// Passes over a finding in a block, or fails with it.
    pub(super) fn admit(&self, block: usize, finding: Finding) -> Result<()> {
        self.options.admit(finding.within(&block_path(self.index, block)))
    }

    pub(super) fn input(&self) -> &'t Input<'t> {
        self.input
    }

    pub(super) fn readable_type(&self) -> Result<&'t ColumnType> {
        self.column_type().filter(|_| self.is_readable()).ok_or_else(|| self.unreadable())
    }

    fn unreadable(&self) -> Error {
        Error::UnreadableColumn { name: self.name() }
    }

    pub(super) fn budget(&self) -> Budget {
        self.options.limits.budget(self.input.length())
    }

    /// Makes room for the values of some blocks: what they are declared to come to, if that is not much.
    fn make_room(&self, blocks: &Range<usize>, budget: &Budget, values: &mut Values) {
        let lengths = blocks.clone().map(|block| u64::try_from(self.parts().lookup.blocks[block].length).unwrap_or(0));
        let bytes: u64 = lengths.sum();
        let rows = self.rows_of_block(blocks.end - 1).end - self.rows_of_block(blocks.start).start;
        if self.parts().column_type.as_ref().is_none_or(|column_type| column_type.dims.is_some()) || bytes > MOST_ROOM {
            return;
        }
        // Only looks whether it could be had: what is used of it is debited block by block.
        if Debit::new(budget).take(bytes.saturating_add(8 * rows), "the values of a column").is_ok() {
            values.make_room(bytes, rows);
        }
    }

    /// Reads blocks of any kind, some side by side, and puts their values together.
    fn read_blocks(&self, blocks: Range<usize>, budget: &Budget, values: &mut Values) -> Result<()> {
        let kept = Debit::new(budget);
        self.make_room(&blocks, budget, values);
        let pairs: Vec<Range<usize>> =
            blocks.clone().step_by(2).map(|block| block..(block + 2).min(blocks.end)).collect();
        if pairs.len() == 1 || rayon::current_num_threads() == 1 {
            let mut scratch = Scratch::new(budget);
            for pair in pairs {
                self.read_pair_into(pair, &mut scratch, &kept, values)?;
            }
            kept.keep();
            return Ok(());
        }
        let column_type = self.readable_type()?;
        for batch in pairs.chunks(BATCH) {
            let read = |scratch: &mut Scratch<'_>, pair: &Range<usize>| {
                let mut values = Values::new(column_type.item, column_type.dims.is_some());
                let debit = Debit::new(budget);
                self.read_pair_into(pair.clone(), scratch, &debit, &mut values).map(|()| debit.keep()).map(|()| values)
            };
            let parts: Vec<Result<Values>> = batch.par_iter().map_init(|| Scratch::new(budget), read).collect();
            for part in parts {
                values.append(part?);
            }
        }
        kept.keep();
        Ok(())
    }
}

impl<'t> Annotation<'t> {
    /// What it is, such as `SlotNames` or `KeyValues`.
    pub fn kind(&self) -> String {
        self.parts().entry.kind.lossy().into_owned()
    }

    /// The type of the value; none if the codec is not known.
    pub fn value_type(&self) -> Option<&'t ColumnType> {
        self.parts().column_type.as_ref()
    }

    /// The name of the codec.
    pub fn codec(&self) -> String {
        self.parts().entry.codec.name.lossy().into_owned()
    }

    fn parts(&self) -> &'t super::structure::AnnotationParts {
        &self.column.parts().annotations[self.index]
    }

    /// The value: a single row.
    ///
    /// # Errors
    /// [`Error::UnreadableColumn`] if its codec or compression are not known, [`Error::Invalid`] if its block breaks a
    /// rule of severity error that is not tolerated, [`Error::Io`], [`Error::Limit`].
    pub fn read(&self) -> Result<Values> {
        let Column { input, structure, options, index } = self.column;
        let unreadable = || Error::UnreadableColumn { name: format!("{}.{}", self.column.name(), self.kind()) };
        let stored = annotation_stored(structure, index, self.index).ok_or_else(unreadable)?;
        let target = Target::of_annotation(structure, self.parts()).ok_or_else(unreadable)?;
        let budget = self.column.budget();
        let (values, findings) = target.read(input, &stored, &mut Scratch::new(&budget), &Debit::new(&budget))?;
        let path = annotation_path(index, self.index);
        findings.into_iter().try_for_each(|finding| options.admit(finding.within(&path)))?;
        values.ok_or_else(unreadable)
    }
}
