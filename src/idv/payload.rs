//! Checks the content of blocks.
//!
//! Every block is decompressed, decoded and dropped. Blocks that share bytes could make this work endless, because a file of a
//! megabyte may list the same block many thousands of times. The declared lengths are therefore added up, and the check ends when
//! the sum exceeds what the whole file could expand to if no bytes were shared.

use super::judge::examiner::seen;
use super::read::blocks::{annotation_path, annotation_stored, block_path, block_stored, rows_text};
use super::read::stream::{Scratch, Stored};
use super::read::target::Target;
use super::rules;
use super::structure::{AnnotationParts, ColumnParts, Structure};
use super::values::Values;
use super::values::types::{ColumnType, ItemType};
use crate::bytes::input::Input;
use crate::bytes::limits::Debit;
use crate::bytes::threads;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::general::LIMIT_EXCEEDED;
use crate::findings::words::quoted;
use ndbytes_codecs::deflate::most_inflated;
use rayon::prelude::*;
use std::ops::Range;

/// The number of blocks that are checked at a time, before their findings are collected.
const BATCH: usize = 256;

/// A block or an annotation to be decompressed and decoded.
#[derive(Debug, Clone, Copy)]
enum Job {
    Annotation(usize, usize),
    Block(usize, usize),
}

/// Checks all annotations and, on request, the blocks of columns.
pub(crate) fn examine_payload(
    input: &Input<'_>,
    structure: &Structure,
    is_wanted: impl Fn(&ColumnParts) -> bool,
    findings: &mut Findings,
) -> Result<()> {
    let columns = || structure.columns.iter().enumerate();
    let annotations = columns().flat_map(|(column, parts)| {
        (0..parts.annotations.len()).map(move |annotation| Job::Annotation(column, annotation))
    });
    let blocks = columns()
        .filter(|(_, parts)| parts.is_readable() && is_wanted(parts))
        .flat_map(|(column, parts)| (0..parts.lookup.blocks.len()).map(move |block| Job::Block(column, block)));
    // If no bytes are shared, the content of all blocks is at most what the whole file can expand to.
    let most = most_inflated(input.length());
    let (mut total, mut is_too_much) = (0_u64, false);
    let mut jobs = annotations
        .chain(blocks)
        .take_while(|job| {
            total = total.saturating_add(job.most_bytes(structure));
            is_too_much = total > most;
            !is_too_much
        })
        .peekable();
    threads::ready();
    while jobs.peek().is_some() {
        let batch: Vec<Job> = jobs.by_ref().take(BATCH).collect();
        let judge = |examiner: &mut Examiner<'_>, job: &Job| examiner.judge(job);
        let mut rest = &batch[..];
        while !rest.is_empty() {
            let prepared = input.prepare(rest.iter().map(|job| job.place(structure)))?;
            let (now, later) = rest.split_at(prepared.min(rest.len()));
            let found = match now {
                [job] => vec![judge(&mut Examiner::new(input, structure), job)],
                jobs => jobs.par_iter().map_init(|| Examiner::new(input, structure), judge).collect(),
            };
            for found in found {
                findings.extend(found?);
            }
            rest = later;
        }
    }
    drop(jobs);
    if is_too_much {
        let message = format!("the blocks share bytes and expand to over {most} bytes: the rest is not checked");
        findings.push(Finding::new(&LIMIT_EXCEEDED, "", 0..0, message));
    }
    Ok(())
}

impl Job {
    /// The range of the stored bytes; empty if they cannot be read.
    fn place(&self, structure: &Structure) -> Range<u64> {
        let stored = match *self {
            Job::Annotation(column, annotation) => annotation_stored(structure, column, annotation),
            Job::Block(column, block) => block_stored(structure, column, block),
        };
        stored.map(|stored| stored.place).unwrap_or_default()
    }

    /// The maximum number of bytes to check.
    fn most_bytes(&self, structure: &Structure) -> u64 {
        match *self {
            Job::Annotation(column, annotation) => annotation_stored(structure, column, annotation)
                .map_or(0, |stored| most_inflated(stored.place.end - stored.place.start)),
            Job::Block(column, block) => {
                block_stored(structure, column, block).and_then(|stored| stored.length).unwrap_or(0)
            }
        }
    }
}

/// Checks blocks in sequence, reusing memory.
struct Examiner<'s> {
    input: &'s Input<'s>,
    structure: &'s Structure,
    scratch: Scratch<'s>,
}

impl<'s> Examiner<'s> {
    fn new(input: &'s Input<'s>, structure: &'s Structure) -> Self {
        Examiner { input, structure, scratch: Scratch::new(input.budget()) }
    }

    fn judge(&mut self, job: &Job) -> Result<Vec<Finding>> {
        self.input.budget().ensure_time()?;
        let mut findings = Vec::new();
        let judged = match *job {
            Job::Annotation(column, annotation) => self.annotation(column, annotation, &mut findings),
            Job::Block(column, block) => self.block(column, block, &mut findings),
        };
        match judged {
            Ok(()) => Ok(findings),
            Err(error @ (Error::Limit { .. } | Error::Time { .. })) => {
                findings.push(Finding::limit(&error));
                Ok(findings)
            }
            Err(error) => Err(error),
        }
    }

    fn block(&mut self, column: usize, block: usize, findings: &mut Vec<Finding>) -> Result<()> {
        let parts = &self.structure.columns[column];
        let (Some(stored), Some(target)) =
            (block_stored(self.structure, column, block), Target::of_block(self.structure, column, block))
        else {
            return Ok(());
        };
        let debit = Debit::new(self.input.budget());
        let (values, mut found) = target.read(self.input, &stored, &mut self.scratch, &debit)?;
        if let (None, Some(broken)) = (values, found.last_mut()) {
            let rows = parts.rows_of(block, self.structure.rows());
            let name = parts.entry.name.lossy();
            let lost = format!("{} of the column {} cannot be read", rows_text(&rows), quoted(&name));
            let help = broken.help.take().map_or(lost.clone(), |help| format!("{help}; {lost}"));
            broken.help = Some(help);
        }
        let (path, seen) = (block_path(column, block), seen(parts.seen_by_reference));
        findings.extend(found.into_iter().map(|finding| seen(finding.within(&path))));
        Ok(())
    }

    fn annotation(&mut self, column: usize, annotation: usize, findings: &mut Vec<Finding>) -> Result<()> {
        let parts = &self.structure.columns[column];
        let entry = &parts.annotations[annotation];
        let Some(stored) = annotation_stored(self.structure, column, annotation) else { return Ok(()) };
        let Some(target) = Target::of_annotation(self.structure, entry) else { return Ok(()) };
        let debit = Debit::new(self.input.budget());
        let (values, mut found) = target.read(self.input, &stored, &mut self.scratch, &debit)?;
        if let (Some(values), Some(column_type)) = (&values, &parts.column_type) {
            found.extend(judge_annotation(entry, values, column_type, &stored));
        }
        let (path, seen) =
            (annotation_path(column, annotation), seen(parts.seen_by_reference && entry.seen_by_reference));
        findings.extend(found.into_iter().map(|finding| seen(finding.within(&path))));
        Ok(())
    }
}

/// Checks whether an annotation matches its column.
fn judge_annotation(
    annotation: &AnnotationParts,
    values: &Values,
    column: &ColumnType,
    stored: &Stored,
) -> Option<Finding> {
    let given = values.vector(0)?.len() as u64;
    let (rule, expected, what) = match (annotation.entry.kind.bytes(), column.item) {
        (b"SlotNames", _) => (&rules::SLOT_NAME_COUNT, u64::from(column.vector_size()?), "slots"),
        (b"KeyValues", ItemType::Key(key)) => (&rules::KEY_VALUE_COUNT, key.count, "categories"),
        _ => return None,
    };
    let message = format!("there are {given} names for {expected} {what}");
    (given != expected).then(|| Finding::new(rule, "", stored.place.clone(), message).expected(expected).found(given))
}
