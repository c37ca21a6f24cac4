//! Locates and reads blocks, and determines their expected content.

use super::decode;
use super::stream::{Scratch, Stored};
use super::target::{Content, Target};
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::idv::judge::lookup::can_become;
use crate::idv::paths::column_path;
use crate::idv::rules::{CORRUPT_STREAM, SHORT_BLOCK, SHORT_STREAM, UNENDED_STREAM};
use crate::idv::structure::Structure;
use crate::idv::values::Values;
use ndbytes_schemas::idv::BlockEntry;
use std::ops::Range;

/// `row 3`, `rows 3 to 5`.
pub(crate) fn rows_text(rows: &Range<u64>) -> String {
    match rows.end - rows.start {
        1 => format!("row {}", rows.start),
        _ => format!("rows {} to {}", rows.start, rows.end.saturating_sub(1)),
    }
}

/// Returns the path of a block.
pub(crate) fn block_path(column: usize, block: usize) -> String {
    format!("{}.block[{block}]", column_path(column))
}

/// Returns the path of an annotation's block.
pub(crate) fn annotation_path(column: usize, annotation: usize) -> String {
    format!("{}.annotation[{annotation}]", column_path(column))
}

/// Returns the stored bytes of a block, or `None` if it is not inside the file or cannot have its declared length.
pub(crate) fn block_stored(structure: &Structure, column: usize, block: usize) -> Option<Stored> {
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

/// Returns the stored bytes of an annotation's block, or `None` if it is not inside the file or its compression is unknown.
pub(crate) fn annotation_stored(structure: &Structure, column: usize, annotation: usize) -> Option<Stored> {
    let parts = &structure.columns[column];
    let entry = &parts.annotations[annotation].entry;
    entry.compression.name()?;
    let length = entry.stored_length.value();
    let place = structure.place(entry.offset, length).filter(|_| length > 0)?;
    Some(Stored { place, compression: entry.compression, length: None, space: parts.space_of_annotation(annotation) })
}

impl Target<'_> {
    /// Reads the values if possible, and collects findings about them.
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

    /// Appends the values to those of the previous rows. Returns whether it succeeded.
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

    /// Appends the values of a decompressed block. Returns whether it succeeded.
    pub fn decode(
        &self,
        content: Content<'_>,
        stored: &Stored,
        debit: &Debit<'_>,
        values: &mut Values,
        findings: &mut Vec<Finding>,
    ) -> Result<bool> {
        // The length of an annotation is not known until now, and neither is whether its stream breaks before its end.
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
