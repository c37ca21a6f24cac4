//! The tables of a file, read and judged without a look at the blocks.

use super::names::{codec_fields, not_utf8, overlong};
use super::rules;
use super::sections::{Part, Sections};
use super::types::{ColumnType, Understood, understand};
use crate::finding::Findings;
use crate::input::Input;
use crate::{Error, Finding, Reference, Result, Rule};
use binrw::args;
use ndbytes_schemas::idv::{Annotation, Column, Compression, Header, Items, Lookup, SlotNames, Tail, Version};
use ndbytes_schemas::{Endian, Layout, read_next, trace};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// How many times the length of the file all tables together may have, if columns share them, and how many bytes over that.
const SHARED: u64 = 4;
const SHARED_MARGIN: u64 = 1 << 20;

/// A file, as far as its tables could be read.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub structure: Option<Structure>,
    pub findings: Vec<Finding>,
    /// What ended the examination before its time.
    pub limit: Option<Error>,
}

/// All tables of a file.
#[derive(Debug)]
pub(crate) struct Structure {
    pub header: Header,
    pub columns: Vec<ColumnParts>,
    pub sections: Sections,
}

/// A column, and what belongs to it.
#[derive(Debug)]
pub(crate) struct ColumnParts {
    pub entry: Column,
    /// The entry's bytes in the table of columns.
    pub place: Range<u64>,
    /// None if the codec is not known.
    pub column_type: Option<ColumnType>,
    pub stored: Option<Items>,
    /// Whether ML.NET reads the column at all.
    pub seen_by_reference: bool,
    /// Whether a later column that can be read has the same name.
    pub is_hidden: bool,
    /// Rows of each block but the last.
    pub rows_per_block: u64,
    pub lookup: Lookup,
    pub lookup_place: Range<u64>,
    pub annotations: Vec<AnnotationParts>,
    pub annotations_place: Range<u64>,
    pub slot_names: Option<(SlotNames, Range<u64>)>,
    /// The space of what the first annotation's block decompresses to; those of the others, and of the column's blocks,
    /// follow.
    pub first_space: u32,
}

/// An annotation, and what its codec comes to.
#[derive(Debug)]
pub(crate) struct AnnotationParts {
    pub entry: Annotation,
    pub column_type: Option<ColumnType>,
    pub stored: Option<Items>,
}

impl Structure {
    pub fn rows(&self) -> u64 {
        u64::try_from(self.header.row_count).unwrap_or(0)
    }

    /// The range of something that has to stand between header and tail.
    pub fn place(&self, offset: i64, length: u64) -> Option<Range<u64>> {
        place(offset, length, self.header.tail_offset as u64)
    }

    /// Whether numbers, times and texts can be missing, as up to version 1.1.1.5.
    pub fn is_nullable(&self) -> bool {
        self.header.version <= Version::V5
    }
}

impl ColumnParts {
    /// Whether its values can be read.
    pub fn is_readable(&self) -> bool {
        self.column_type.is_some() && self.entry.compression.name().is_some()
    }

    /// The rows of a block.
    pub fn rows_of(&self, block: usize, rows: u64) -> Range<u64> {
        let start = (block as u64 * self.rows_per_block).min(rows);
        start..start.saturating_add(self.rows_per_block).min(rows)
    }

    /// The space of what a block decompresses to, or 0 if it is not compressed.
    pub fn space_of(&self, block: usize) -> u32 {
        if self.entry.compression == Compression::NONE {
            return 0;
        }
        (u64::from(self.first_space) + (self.annotations.len() + block) as u64) as u32
    }

    pub fn space_of_annotation(&self, annotation: usize) -> u32 {
        if self.annotations[annotation].entry.compression == Compression::NONE {
            return 0;
        }
        (u64::from(self.first_space) + annotation as u64) as u32
    }
}

/// The path of a column.
pub(crate) fn column_path(index: usize) -> String {
    format!("columns[{index}]")
}

/// Reads and judges all tables.
pub(crate) fn examine_structure(input: Input<'_>) -> Result<Examined<'_>> {
    let mut examiner =
        Examiner { input: &input, findings: Findings::default(), sections: Sections::default(), tables: 0 };
    let (structure, limit) = match examiner.structure() {
        Err(error @ Error::Limit { .. }) => (None, Some(error)),
        structure => (structure?, None),
    };
    let findings = examiner.findings.into_vec();
    Ok(Examined { input, structure, findings, limit })
}

pub(super) struct Examiner<'i> {
    pub input: &'i Input<'i>,
    pub findings: Findings,
    pub sections: Sections,
    /// Bytes of all tables that were read for columns.
    tables: u64,
}

impl Examiner<'_> {
    /// Counts a table that was read: columns that share tables must not have them read any number of times.
    pub(super) fn count_table(&mut self, bytes: u64) -> Result<()> {
        let most = self.input.length().saturating_mul(SHARED).saturating_add(SHARED_MARGIN);
        self.tables = self.tables.saturating_add(bytes);
        match self.tables > most {
            true => Err(Error::Limit { what: "tables that columns share", needed: self.tables, left: most }),
            false => Ok(()),
        }
    }

    fn structure(&mut self) -> Result<Option<Structure>> {
        let Some(header) = self.header()? else { return Ok(None) };
        let Some((columns, table)) = self.columns(&header)? else { return Ok(None) };
        let mut parts = Vec::new();
        let mut spaces = 1_u64;
        for (index, (entry, place)) in columns.into_iter().enumerate() {
            let first_space = spaces.min(u32::MAX.into()) as u32;
            let column = self.column(&header, index, entry, place, first_space)?;
            spaces += (column.annotations.len() + column.lookup.blocks.len()) as u64;
            parts.push(column);
        }
        hide(&mut parts);
        self.judge_columns(&header, &parts);
        let header_end = Header::SIZE.expect("a header has always the same length");
        self.sections.add(0..header_end, Part::Header);
        self.sections.add(table, Part::Columns);
        let tail = header.tail_offset as u64;
        let tail_end = tail + Tail::SIZE.expect("a tail has always the same length");
        self.sections.add(tail..tail_end, Part::Tail);
        let sections = std::mem::take(&mut self.sections);
        let sections = sections.judge(tail_end, self.input.length(), &mut self.findings);
        Ok(Some(Structure { header, columns: parts, sections }))
    }

    /// The entries of the table of columns, and where they stand.
    #[allow(clippy::type_complexity)]
    fn columns(&mut self, header: &Header) -> Result<Option<(Vec<(Column, Range<u64>)>, Range<u64>)>> {
        let count = header.column_count as u64;
        if count == 0 {
            // Without columns, ML.NET counts in blocks of as many rows as a block can have.
            if header.row_count as u64 > (i32::MAX as u64).pow(2) {
                let message = "there are too many rows for any number of blocks";
                let finding = self.header_field(&rules::TOO_MANY_BLOCKS, "row_count", message);
                self.findings.push(finding);
            }
            let offset = u64::try_from(header.columns_offset).unwrap_or(0);
            return Ok(Some((Vec::new(), offset..offset)));
        }
        let offset = header.columns_offset as u64;
        let most = self.input.length().saturating_sub(offset) / Column::MIN_SIZE;
        let parsed = size_of::<(Column, Range<u64>)>() as u64;
        self.input.budget().take(count.min(most).saturating_mul(parsed), "the table of columns")?;
        let version = header.version;
        let read = self.input.parse_at(offset, |mut source| {
            let mut columns = Vec::new();
            while (columns.len() as u64) < count {
                let start = source.position();
                let column =
                    read_next::<Column>(&mut source, Endian::Little, args! { version }).map_err(|mut error| {
                        error.path = format!("{}.{}", column_path(columns.len()), error.path);
                        error
                    })?;
                columns.push((column, start..source.position()));
            }
            Ok((columns, offset..source.position()))
        })?;
        match read {
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

    /// Finds something about a field of a column's entry.
    pub(super) fn in_column(
        &mut self,
        header: &Header,
        index: usize,
        column: &ColumnParts,
        rule: &'static Rule,
        finding: impl FnOnce(Finding) -> Finding,
    ) {
        let input = self.input;
        self.findings.push_with(rule, || {
            let finding = finding(Finding::new(rule, "", 0..0, ""));
            let version = header.version;
            let traced = input.parse_at(column.place.start, |source| {
                Ok(trace::<Column>(source, Endian::Little, args! { version }).1)
            });
            let placed = match traced {
                Ok(Ok(root)) => finding.placed_by(&root),
                _ => Finding { offset: column.place.start, length: column.place.end - column.place.start, ..finding },
            };
            placed.within(&column_path(index))
        });
    }

    fn judge_entry(&mut self, header: &Header, index: usize, column: &ColumnParts) {
        let entry = &column.entry;
        let seen = seen(column);
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
                message: "a number takes more bytes than it needs".into(),
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

    /// What has to hold between columns.
    fn judge_columns(&mut self, header: &Header, columns: &[ColumnParts]) {
        let mut last: HashMap<&[u8], usize> = HashMap::new();
        let first = columns.first().map(|column| column.rows_per_block);
        for (index, column) in columns.iter().enumerate() {
            if let Some(hidden) = last.insert(column.entry.name.bytes(), index).filter(|_| column.seen_by_reference) {
                let name = column.entry.name.lossy();
                let message = format!("column {hidden} is hidden by this one, since both are named {name:?}");
                self.in_column(header, index, column, &rules::DUPLICATE_NAME, |finding| Finding {
                    field: "name".into(),
                    message,
                    ..finding
                });
            }
            if first.is_some_and(|first| first != column.rows_per_block) {
                let expected = first.unwrap_or_default();
                self.in_column(header, index, column, &rules::MIXED_ROWS_PER_BLOCK, |finding| {
                    let message = "the columns have different numbers of rows in their blocks".into();
                    let finding = Finding { field: "rows_per_block".into(), message, ..finding };
                    finding.expected(expected).found(column.rows_per_block)
                });
            }
        }
    }
}

/// The range of something that has to stand between header and tail.
pub(super) fn place(offset: i64, length: u64, tail: u64) -> Option<Range<u64>> {
    let start = u64::try_from(offset).ok().filter(|&start| start >= Header::MIN_SIZE)?;
    let end = start.checked_add(length).filter(|&end| end <= tail)?;
    Some(start..end)
}

/// Notes which columns are hidden by others.
fn hide(columns: &mut [ColumnParts]) {
    let mut names = HashSet::new();
    for column in columns.iter_mut().rev() {
        column.is_hidden = names.contains(column.entry.name.bytes());
        if column.is_readable() {
            names.insert(column.entry.name.bytes());
        }
    }
}

/// What ML.NET does about findings in a column: nothing where it leaves the column out.
pub(crate) fn seen(column: &ColumnParts) -> impl Fn(Finding) -> Finding + use<> {
    let is_seen = column.seen_by_reference;
    move |finding| if is_seen { finding } else { finding.with_reference(Reference::Accepts) }
}
