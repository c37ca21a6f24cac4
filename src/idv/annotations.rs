//! Judging what is said about columns.

use super::names::{codec_fields, not_utf8, overlong};
use super::rules;
use super::sections::Part;
use super::structure::{AnnotationParts, ColumnParts, Examiner, column_path, place, seen};
use super::types::{Understood, understand};
use crate::finding::bytes;
use crate::{Finding, Result, Rule};
use binrw::args;
use ndbytes_schemas::idv::{Annotation, Annotations, Compression, Header, SlotNames, Version};
use ndbytes_schemas::{Endian, Layout, Source, read_next, trace};
use std::collections::HashSet;
use std::ops::Range;

/// Where a table of annotations stands.
struct AnnotationTable {
    path: String,
    place: Range<u64>,
    tail: u64,
}

impl Examiner<'_> {
    pub(super) fn annotations(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> Result<()> {
        let Some(offset) = column.entry.annotations_offset.filter(|&offset| offset != 0) else { return Ok(()) };
        let tail = header.tail_offset as u64;
        let seen = seen(column);
        let Some(place) = place(offset, 0, tail) else {
            self.in_column(header, index, column, &rules::ANNOTATIONS_OFFSET, |finding| {
                let message = "the table of annotations does not stand between header and tail".into();
                let finding = Finding { field: "annotations_offset".into(), message, ..finding };
                // ML.NET looks at the offset even where it leaves the column out.
                finding.expected(format!("0, or {} to {tail}", Header::MIN_SIZE)).found(offset)
            });
            self.sections.incomplete();
            return Ok(());
        };
        let path = format!("{}.annotations", column_path(index));
        let most = (self.input.length() - place.start) / Annotation::MIN_SIZE;
        let parsed = |count: u64| count.min(most).saturating_mul(size_of::<AnnotationParts>() as u64);
        let read = |mut source: Source<'_>| {
            let annotations = read_next::<Annotations>(&mut source, Endian::Little, ())?;
            Ok((annotations, source.position()))
        };
        let (annotations, end) = match self.input.parse_at(place.start, read)? {
            Ok(read) => read,
            Err(error) => {
                let message = format!("the table of annotations cannot be read: {}", error.problem);
                let finding = Finding::unreadable(&rules::UNREADABLE_ANNOTATIONS, &error, message);
                self.findings.push(seen(finding.within(&path)));
                self.sections.incomplete();
                return Ok(());
            }
        };
        self.input.budget().take(parsed(annotations.entries.len() as u64), "annotations")?;
        self.count_table(end - place.start)?;
        column.annotations_place = place.start..end;
        self.sections.add(column.annotations_place.clone(), Part::Annotations(index));
        let table = AnnotationTable { path, place: column.annotations_place.clone(), tail };
        if annotations.entries.is_empty() {
            let message = "the table of annotations has no entry";
            self.in_table(&table, &rules::ANNOTATION_COUNT, "count", |finding| {
                seen(Finding { message: message.into(), ..finding })
            });
        }
        if annotations.count.is_overlong() {
            self.in_table(&table, &rules::OVERLONG_LEB128, "count", |finding| Finding {
                message: "a number takes more bytes than it needs".into(),
                ..finding
            });
        }
        let mut kinds = HashSet::new();
        for (number, entry) in annotations.entries.into_iter().enumerate() {
            if !kinds.insert(entry.kind.bytes().to_vec()) {
                self.in_table(&table, &rules::DUPLICATE_ANNOTATION, &format!("entries[{number}].kind"), |finding| {
                    let message = format!("there is another annotation {:?} of the same column", entry.kind.lossy());
                    seen(Finding { message, ..finding })
                });
            }
            let parts = self.annotation(header.version, &table, number, entry, &seen);
            if let Some(block) = self.annotation_block(&table, number, &parts.entry, &seen) {
                self.sections.add(block, Part::AnnotationBlock(index, number));
            }
            column.annotations.push(parts);
        }
        Ok(())
    }

    fn annotation(
        &mut self,
        version: Version,
        table: &AnnotationTable,
        number: usize,
        entry: Annotation,
        seen: &dyn Fn(Finding) -> Finding,
    ) -> AnnotationParts {
        let at = format!("entries[{number}]");
        if entry.kind.lossy().is_empty() {
            self.in_table(table, &rules::ANNOTATION_KIND, &format!("{at}.kind"), |finding| {
                seen(Finding { message: "an annotation does not say what it is".into(), ..finding })
            });
        }
        let mut texts = vec![("kind".to_owned(), &entry.kind)];
        let mut numbers = vec![("stored_length".to_owned(), entry.stored_length)];
        codec_fields(&entry.codec, "codec", &mut texts, &mut numbers);
        if let Some(field) = not_utf8(&texts) {
            self.in_table(table, &rules::BAD_UTF8, &format!("{at}.{field}"), |finding| Finding {
                message: "a name is not UTF-8".into(),
                ..finding
            });
        }
        if let Some(field) = overlong(&texts, &numbers) {
            self.in_table(table, &rules::OVERLONG_LEB128, &format!("{at}.{field}"), |finding| Finding {
                message: "a number takes more bytes than it needs".into(),
                ..finding
            });
        }
        let Understood { column_type, stored, findings, .. } = understand(&entry.codec, version);
        for finding in findings {
            // Inside annotations, ML.NET fails on what it does not know.
            let rule = match finding.rule {
                rule if *rule == rules::UNKNOWN_CODEC || *rule == rules::OLD_ROW_ID => &rules::UNKNOWN_ANNOTATION,
                rule => rule,
            };
            self.in_table(table, rule, &format!("{at}.{}", finding.field), |placed| {
                let Finding { message, expected, found, help, .. } = finding;
                seen(Finding { message, expected, found, help, ..placed })
            });
        }
        if !matches!(entry.compression, Compression::NONE | Compression::DEFLATE) {
            self.in_table(table, &rules::UNKNOWN_ANNOTATION, &format!("{at}.compression"), |finding| {
                let message = format!("the compression {} is not one that ML.NET knows", entry.compression.0);
                seen(Finding { message, ..finding })
            });
        }
        AnnotationParts { entry, column_type, stored }
    }

    /// The range of an annotation's block.
    fn annotation_block(
        &mut self,
        table: &AnnotationTable,
        number: usize,
        entry: &Annotation,
        seen: &dyn Fn(Finding) -> Finding,
    ) -> Option<Range<u64>> {
        let length = entry.stored_length.value();
        let block = place(entry.offset, length, table.tail).filter(|_| length > 0);
        if block.is_none() {
            let field = if length == 0 { "stored_length" } else { "offset" };
            self.in_table(table, &rules::ANNOTATION_BLOCK, &format!("entries[{number}].{field}"), |finding| {
                let offset = entry.offset;
                let message = format!("a block of {} at {offset} is not between header and tail", bytes(length));
                let message = if length == 0 { "the block of an annotation is empty".into() } else { message };
                seen(Finding { message, ..finding })
            });
            self.sections.incomplete();
        }
        block
    }

    /// Finds something about a field of a table of annotations.
    fn in_table(
        &mut self,
        table: &AnnotationTable,
        rule: &'static Rule,
        field: &str,
        finding: impl FnOnce(Finding) -> Finding,
    ) {
        let input = self.input;
        self.findings.push_with(rule, || {
            let finding = finding(Finding::new(rule, field, table.place.clone(), ""));
            let traced =
                input.parse_at(table.place.start, |source| Ok(trace::<Annotations>(source, Endian::Little, ()).1));
            match traced {
                Ok(Ok(root)) => finding.placed_by(&root),
                _ => finding,
            }
            .within(&table.path)
        });
    }

    /// The slot names that version 1.1.1.3 had in the place of annotations.
    pub(super) fn slot_names(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> Result<()> {
        let (Some(offset), Some(extent)) = (column.entry.slot_names_offset, &column.entry.slot_names) else {
            return Ok(());
        };
        let count = u32::try_from(extent.count).ok();
        let place =
            u64::try_from(extent.length).ok().and_then(|length| place(offset, length, header.tail_offset as u64));
        let names = match (place, count) {
            (Some(place), Some(count)) => {
                let read = |mut source: Source<'_>| {
                    let names = read_next::<SlotNames>(&mut source, Endian::Little, args! { count })?;
                    Ok((names, source.position()))
                };
                match self.input.parse_at(place.start, read)? {
                    Ok((names, end)) if end == place.end => Some((names, place)),
                    _ => None,
                }
            }
            _ => None,
        };
        match names {
            Some((names, place)) => {
                self.input.budget().take(64 * names.slots.len() as u64, "slot names")?;
                self.sections.add(place.clone(), Part::SlotNames(index));
                column.slot_names = Some((names, place));
            }
            None => {
                self.in_column(header, index, column, &rules::SLOT_NAMES, |finding| {
                    let message = "the slot names do not stand where they are declared to".into();
                    Finding { field: "slot_names_offset".into(), message, ..finding }
                });
                self.sections.incomplete();
            }
        }
        Ok(())
    }
}
