//! Blocks: where they stand, what they are to become, and reading them.

use super::decode::{self, Content};
use super::lookup::can_become;
use super::rules::{CORRUPT_STREAM, SHORT_BLOCK, SHORT_STREAM, UNENDED_STREAM};
use super::stream::{Scratch, Stored};
use super::structure::{AnnotationParts, Structure, column_path};
use super::types::ColumnType;
use super::values::Values;
use crate::input::Input;
use crate::limits::Debit;
use crate::{Finding, Result};
use ndbytes_schemas::idv::{BlockEntry, Items};
use std::ops::Range;

/// `row 3`, `rows 3 to 5`.
pub(super) fn rows_text(rows: &Range<u64>) -> String {
    match rows.end - rows.start {
        1 => format!("row {}", rows.start),
        _ => format!("rows {} to {}", rows.start, rows.end.saturating_sub(1)),
    }
}

/// The path of a block.
pub(super) fn block_path(column: usize, block: usize) -> String {
    format!("{}.block[{block}]", column_path(column))
}

/// The path of an annotation's block.
pub(super) fn annotation_path(column: usize, annotation: usize) -> String {
    format!("{}.annotation[{annotation}]", column_path(column))
}

/// Where a block stands; nothing if it does not stand in the file, or cannot be as long as it is declared to be.
pub(super) fn block_stored(structure: &Structure, column: usize, block: usize) -> Option<Stored> {
    let parts = &structure.columns[column];
    let BlockEntry { offset, stored_length, length } = parts.lookup.blocks[block];
    let length = u64::try_from(length).ok()?;
    let place = structure.place(offset, u64::try_from(stored_length).ok()?)?;
    let compression = parts.entry.compression;
    if !can_become(&place, compression, length) {
        return None;
    }
    Some(Stored { place, compression, length: Some(length), space: parts.space_of(block) })
}

/// Where the block of an annotation stands; nothing if it does not stand in the file, or if its compression is not known.
pub(super) fn annotation_stored(structure: &Structure, column: usize, annotation: usize) -> Option<Stored> {
    let parts = &structure.columns[column];
    let entry = &parts.annotations[annotation].entry;
    entry.compression.name()?;
    let length = entry.stored_length.value();
    let place = structure.place(entry.offset, length).filter(|_| length > 0)?;
    Some(Stored { place, compression: entry.compression, length: None, space: parts.space_of_annotation(annotation) })
}

/// What the bytes of a block are to become.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target<'c> {
    pub column_type: &'c ColumnType,
    pub stored: Items,
    pub rows: u64,
    pub nullable: bool,
}

impl<'c> Target<'c> {
    pub fn of_block(structure: &'c Structure, column: usize, block: usize) -> Option<Self> {
        let parts = &structure.columns[column];
        let Range { start, end } = parts.rows_of(block, structure.rows());
        let (column_type, stored) = (parts.column_type.as_ref()?, parts.stored?);
        Some(Target { column_type, stored, rows: end - start, nullable: structure.is_nullable() })
    }

    /// An annotation is a single row.
    pub fn of_annotation(structure: &Structure, annotation: &'c AnnotationParts) -> Option<Self> {
        let (column_type, stored) = (annotation.column_type.as_ref()?, annotation.stored?);
        Some(Target { column_type, stored, rows: 1, nullable: structure.is_nullable() })
    }

    /// The values, if they can be read, and whatever was found.
    pub fn read(
        &self,
        input: &Input<'_>,
        stored: &Stored,
        scratch: &mut Scratch<'_>,
        debit: &Debit<'_>,
    ) -> Result<(Option<Values>, Vec<Finding>)> {
        let mut values = Values::new(self.column_type.item, self.stored.vectors);
        let (read, findings) = self.read_into(input, stored, scratch, debit, &mut values)?;
        Ok((read.then_some(values), findings))
    }

    /// Appends the values to those of the rows before, and says whether that was possible.
    pub fn read_into(
        &self,
        input: &Input<'_>,
        stored: &Stored,
        scratch: &mut Scratch<'_>,
        debit: &Debit<'_>,
        values: &mut Values,
    ) -> Result<(bool, Vec<Finding>)> {
        let mut findings = Vec::new();
        let content = match scratch.load(input, stored, &mut findings)? {
            Ok(content) => content,
            Err(finding) => {
                findings.push(*finding);
                return Ok((false, findings));
            }
        };
        let read = self.decode(content, stored, debit, values, &mut findings)?;
        Ok((read, findings))
    }

    /// Appends the values of a block that was decompressed, and says whether that was possible.
    pub fn decode(
        &self,
        content: Content<'_>,
        stored: &Stored,
        debit: &Debit<'_>,
        values: &mut Values,
        findings: &mut Vec<Finding>,
    ) -> Result<bool> {
        // How long an annotation has to be shows only now: whether its broken stream is broken before its end.
        let broken =
            |found: &&mut Finding| stored.length.is_none() && [&CORRUPT_STREAM, &UNENDED_STREAM].contains(&found.rule);
        match decode::decode(content, self, debit, values, findings)? {
            Ok(()) => {
                if let Some(broken) = findings.iter_mut().find(broken) {
                    broken.rule = &UNENDED_STREAM;
                    broken.reference = UNENDED_STREAM.reference;
                }
                Ok(true)
            }
            Err(finding) => {
                match findings.iter_mut().find(broken).filter(|_| *finding.rule == SHORT_BLOCK) {
                    Some(broken) if *broken.rule == UNENDED_STREAM => {
                        let message = "the stream ends before the value does";
                        let place = broken.offset..broken.offset + broken.length;
                        *broken = Finding::new(&SHORT_STREAM, "", place, message);
                    }
                    Some(_) => {}
                    None => findings.push(*finding),
                }
                Ok(false)
            }
        }
    }
}
