//! Reads and checks all tables of a file.
//!
//! An IDV file is a graph of offsets: the header points to the table of columns, and each column to its lookup table of blocks, its
//! slot names and its annotations. Nothing in the format prevents columns from sharing a table, and a table may be anywhere. A file
//! of a kilobyte could therefore make a reader parse the same table thousands of times, so [`Examiner::count_table`] limits the
//! total length of all tables to a multiple of the length of the file.
//!
//! Every part that is read is recorded as a section. At the end, [`Sections`] finds overlapping parts and unclaimed bytes.

use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, hashed};
use crate::bytes::parse::SOURCE_TABLE;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::quoted;
use crate::idv::entries::{Entries, entries};
use crate::idv::judge::names::{codec_fields, not_utf8, overlong};
use crate::idv::paths::{COLUMNS, column_path};
use crate::idv::rules;
use crate::idv::sections::{Part, Sections};
use crate::idv::structure::{ColumnParts, Structure, lookup_place, place};
use crate::idv::values::types::{Understood, understand};
use binrw::args;
use everybyte::{BinRead, Layout};
use ndbytes_schemas::idv::{Column, Compression, Header, Lookup, Tail};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The maximum total length of all tables if columns share them: a multiple of the file's length, plus a number of bytes.
const SHARED: u64 = 4;
const SHARED_MARGIN: u64 = 1 << 20;

/// The number of tables that a column can have: a lookup table, a table of annotations, and slot names.
const PARTS_OF_A_COLUMN: usize = 3;

/// The tables of a file that could be read.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub structure: Option<Structure>,
    pub findings: Vec<Finding>,
    /// The limit that ended the examination early, if any.
    pub limit: Option<Error>,
}

/// Reads and checks all tables.
pub(crate) fn examine_structure(input: Input<'_>) -> Result<Examined<'_>> {
    let mut examiner = Examiner {
        input: &input,
        findings: Findings::default(),
        sections: Sections::default(),
        tables: 0,
        failure: None,
    };
    let (structure, limit) = match examiner.structure() {
        Err(error @ (Error::Limit { .. } | Error::Time { .. })) => (None, Some(error)),
        structure => (structure?, None),
    };
    if let Some(failure) = examiner.failure {
        return Err(failure);
    }
    let findings = examiner.findings.into_vec();
    Ok(Examined { input, structure, findings, limit })
}

pub(crate) struct Examiner<'i> {
    pub input: &'i Input<'i>,
    pub findings: Findings,
    pub sections: Sections,
    /// The total length of all tables that were read for columns, in bytes.
    tables: u64,
    /// The first error that occurred when the position of a finding was determined, which requires reading the file.
    failure: Option<Error>,
}

impl<'i> Examiner<'i> {
    /// Counts a table that was read, because shared tables must not be read without limit.
    pub(crate) fn count_table(&mut self, bytes: u64) -> Result<()> {
        let most = self.input.length().saturating_mul(SHARED).saturating_add(SHARED_MARGIN);
        self.tables = self.tables.saturating_add(bytes);
        match self.tables > most {
            true => Err(Error::Limit { what: "tables that columns share", needed: self.tables, left: most }),
            false => Ok(()),
        }
    }

    fn structure(&mut self) -> Result<Option<Structure>> {
        let Some(header) = self.header()? else { return Ok(None) };
        let Some(Entries { entries: columns, place: table, listed }) = self.columns(&header)? else { return Ok(None) };
        self.sections.make_room(PARTS_OF_A_COLUMN * columns.len(), self.input.budget())?;
        // Two hash tables, which are not used at the same time, contain the name of each column.
        let names = hashed::<(&[u8], usize)>(columns.len());
        let types: u64 = columns.iter().map(|(entry, _)| entry.codec.heap()).sum();
        self.input.budget().take(types, "the table of columns")?;
        let mut parts = self.input.budget().list(columns.len() as u64, "the table of columns")?;
        let mut spaces = 1_u64;
        let (mut columns, mut prepared) = (columns.into_iter(), 0);
        loop {
            if prepared == 0 {
                prepared = self.prepare(&header, columns.as_slice())?;
            }
            prepared -= 1;
            let (index, Some((entry, place))) = (parts.len(), columns.next()) else { break };
            let first_space = spaces.min(u32::MAX.into()) as u32;
            let column = self.column(&header, index, entry, place, first_space)?;
            spaces += (column.annotations.len() + column.lookup.blocks.len()) as u64;
            parts.push(column);
        }
        drop(listed);
        let named = Debit::new(self.input.budget());
        named.take(names, "the names of columns")?;
        hide(&mut parts);
        self.judge_columns(&header, &parts);
        drop(named);
        let header_end = Header::SIZE.expect("the header has a fixed length");
        self.sections.add(0..header_end, Part::Header);
        self.sections.add(table, Part::Columns);
        let tail = header.tail_offset as u64;
        let tail_end = tail + Tail::SIZE.expect("the tail has a fixed length");
        self.sections.add(tail..tail_end, Part::Tail);
        let sections = std::mem::take(&mut self.sections);
        let sections = sections.judge(tail_end, self.input.length(), &mut self.findings);
        Ok(Some(Structure { header, columns: parts, sections }))
    }

    /// Announces that the tables of columns will be read. Returns the number of columns that were prepared, which is at least one.
    fn prepare(&self, header: &Header, columns: &[(Column, Range<u64>)]) -> Result<usize> {
        let tail = header.tail_offset as u64;
        let tables = columns.iter().flat_map(|(entry, _)| {
            let annotations = entry.annotations_offset.and_then(|offset| place(offset, 0, tail));
            let annotations = annotations.map(|place| place.start..tail.min(place.start + SOURCE_TABLE));
            [lookup_place(header, entry), annotations].map(Option::unwrap_or_default)
        });
        Ok((self.input.prepare(tables)? / 2).max(1))
    }

    /// The entries of the table of columns, with their positions.
    fn columns(&mut self, header: &Header) -> Result<Option<Entries<'i, Column>>> {
        let count = header.column_count as u64;
        if count == 0 {
            // If there are no columns, ML.NET assumes that blocks have the maximum number of rows.
            if header.row_count as u64 > (i32::MAX as u64).pow(2) {
                let message = "the rows do not fit into the maximum number of blocks";
                let finding = self.header_field(&rules::TOO_MANY_BLOCKS, "row_count", message);
                self.findings.push(finding);
            }
            let offset = u64::try_from(header.columns_offset).unwrap_or(0);
            let listed = Debit::new(self.input.budget());
            return Ok(Some(Entries { entries: Vec::new(), place: offset..offset, listed }));
        }
        let (offset, version) = (header.columns_offset as u64, header.version);
        let what = "the table of columns";
        match entries::<Column>(self.input, offset, COLUMNS, what, |_| Ok(count), args! { version })? {
            Ok(table) => Ok(Some(table)),
            Err(error) => {
                let message = format!("the table of columns cannot be read: {}", error.problem);
                self.findings.push(Finding::unreadable(&rules::UNREADABLE_COLUMNS, &error, message));
                Ok(None)
            }
        }
    }

    fn column(
        &mut self,
        header: &Header,
        index: usize,
        entry: Column,
        place: Range<u64>,
        first_space: u32,
    ) -> Result<ColumnParts> {
        let Understood { column_type, stored, known_to_reference, findings } = understand(&entry.codec, header.version);
        let mut column = ColumnParts {
            column_type,
            stored,
            seen_by_reference: known_to_reference
                && matches!(entry.compression, Compression::NONE | Compression::DEFLATE),
            is_hidden: false,
            rows_per_block: 0,
            lookup: Lookup { blocks: Vec::new() },
            lookup_place: 0..0,
            annotations: Vec::new(),
            annotations_place: 0..0,
            slot_names: None,
            first_space,
            entry,
            place,
        };
        for finding in findings {
            self.in_column(header, index, &column, finding.rule, |_| finding);
        }
        self.judge_entry(header, index, &column);
        self.lookup(header, index, &mut column)?;
        self.annotations(header, index, &mut column)?;
        self.slot_names(header, index, &mut column)?;
        Ok(column)
    }

    /// Adds a finding about a field in the entry of a column.
    pub(crate) fn in_column(
        &mut self,
        header: &Header,
        index: usize,
        column: &ColumnParts,
        rule: &'static Rule,
        finding: impl FnOnce(Finding) -> Finding,
    ) {
        let (place, version) = (&column.place, header.version);
        self.push_placed::<Column, Column>(rule, place, args! { version }, &column_path(index), finding);
    }

    /// Adds a finding about a field of the structure at a position. It points to the bytes of the field or, if there is not enough
    /// memory to find them, to those of the structure.
    pub(crate) fn push_placed<'a, T, E>(
        &mut self,
        rule: &'static Rule,
        place: &Range<u64>,
        args: T::Args<'a>,
        path: &str,
        finding: impl FnOnce(Finding) -> Finding,
    ) where
        T: BinRead<Args<'a>: Clone> + Layout,
        E: Layout,
    {
        let (input, failure) = (self.input, &mut self.failure);
        self.findings.push_with(rule, || {
            let whole = Finding::new(rule, "", place.clone(), "");
            let (offset, length) = (whole.offset, whole.length);
            let finding = Finding { offset, length, ..finding(whole) };
            let placed = match input.trace_at::<T, E>(place, args) {
                Ok(Some(root)) => finding.placed_by(&root),
                Ok(None) | Err(Error::Limit { .. } | Error::Time { .. }) => finding,
                Err(error) => {
                    failure.get_or_insert(error);
                    finding
                }
            };
            placed.within(path)
        });
    }

    fn judge_entry(&mut self, header: &Header, index: usize, column: &ColumnParts) {
        let entry = &column.entry;
        let seen = seen(column.seen_by_reference);
        if entry.name.lossy().is_empty() {
            self.in_column(header, index, column, &rules::EMPTY_NAME, |finding| {
                seen(Finding { field: "name".into(), message: "the column has no name".into(), ..finding })
            });
        }
        let mut texts = vec![("name".to_owned(), &entry.name)];
        let mut numbers = vec![("rows_per_block".to_owned(), entry.rows_per_block)];
        codec_fields(&entry.codec, "codec", &mut texts, &mut numbers);
        if let Some(field) = not_utf8(&texts) {
            self.in_column(header, index, column, &rules::BAD_UTF8, |finding| Finding {
                field,
                message: "a name is not UTF-8".into(),
                ..finding
            });
        }
        if let Some(field) = overlong(&texts, &numbers) {
            self.in_column(header, index, column, &rules::OVERLONG_LEB128, |finding| Finding {
                field,
                message: "a number is longer than necessary".into(),
                ..finding
            });
        }
        let rule = match entry.compression {
            Compression::NONE | Compression::DEFLATE => return,
            Compression::ZLIB => &rules::ZLIB,
            _ => &rules::UNKNOWN_COMPRESSION,
        };
        let message = match entry.compression.name() {
            Some(name) => format!("the column is compressed as {name}, which ML.NET does not read"),
            None => format!("the compression {} is not defined", entry.compression.0),
        };
        self.in_column(header, index, column, rule, |finding| Finding {
            field: "compression".into(),
            message,
            ..finding
        });
    }

    /// Checks the relations between columns.
    fn judge_columns(&mut self, header: &Header, columns: &[ColumnParts]) {
        let mut last: HashMap<&[u8], usize> = HashMap::new();
        let first = columns.first().map(|column| column.rows_per_block);
        for (index, column) in columns.iter().enumerate() {
            if let Some(hidden) = last.insert(column.entry.name.bytes(), index).filter(|_| column.seen_by_reference) {
                let name = column.entry.name.lossy();
                let message = format!("this column hides column {hidden}, because both are named {}", quoted(&name));
                self.in_column(header, index, column, &rules::DUPLICATE_NAME, |finding| Finding {
                    field: "name".into(),
                    message,
                    ..finding
                });
            }
            if first.is_some_and(|first| first != column.rows_per_block) {
                let expected = first.unwrap_or_default();
                self.in_column(header, index, column, &rules::MIXED_ROWS_PER_BLOCK, |finding| {
                    let message = "the columns have different numbers of rows per block".into();
                    let finding = Finding { field: "rows_per_block".into(), message, ..finding };
                    finding.expected(expected).found(column.rows_per_block)
                });
            }
        }
    }
}

/// Marks the columns that are hidden by others.
fn hide(columns: &mut [ColumnParts]) {
    let mut names = HashSet::new();
    for column in columns.iter_mut().rev() {
        column.is_hidden = names.contains(column.entry.name.bytes());
        if column.is_readable() {
            names.insert(column.entry.name.bytes());
        }
    }
}

/// Adjusts ML.NET's reaction to findings in a column or an annotation: if ML.NET skips that part, it accepts the file.
pub(crate) fn seen(is_seen: bool) -> impl Fn(Finding) -> Finding {
    move |finding| if is_seen { finding } else { finding.with_reference(Reference::Accepts) }
}
