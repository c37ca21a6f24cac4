//! Checks the annotations of columns.

use super::examiner::{Examiner, seen};
use super::names::{codec_fields, not_utf8, overlong};
use crate::bytes::limits::{Debit, hashed};
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::{bytes, quoted};
use crate::idv::entries::{Entries, entries};
use crate::idv::paths::column_path;
use crate::idv::rules;
use crate::idv::sections::Part;
use crate::idv::structure::{AnnotationParts, ColumnParts, place};
use crate::idv::values::types::{Understood, understand};
use everybyte::{Endian, Layout, Source, read, trace::read_next, varint::Leb128};
use ndbytes_schemas::idv::{Annotation, Annotations, Compression, Header, Slot, SlotNames, Version};
use std::cell::Cell;
use std::collections::HashSet;
use std::ops::Range;

/// A table of annotations.
struct AnnotationTable {
    path: String,
    /// The range of the table. Only its beginning is known until the entries are read.
    place: Range<u64>,
    tail: u64,
    version: Version,
    /// True unless ML.NET skips the column.
    is_seen: bool,
}

impl AnnotationTable {
    fn seen(&self, finding: Finding) -> Finding {
        seen(self.is_seen)(finding)
    }
}

impl<'i> Examiner<'i> {
    pub(crate) fn annotations(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> Result<()> {
        let Some(mut table) = self.annotation_table(header, index, column) else { return Ok(()) };
        let Some((entries, count)) = self.annotation_entries(&table)? else { return Ok(()) };
        let Entries { entries, place, listed: _listed } = entries;
        // The memory includes the types of vectors, which are copied from the codecs, and a table of the kinds.
        let types: u64 = entries.iter().map(|(entry, _)| entry.codec.heap()).sum();
        self.input.budget().take(types, "annotations")?;
        self.sections.make_room(entries.len(), self.input.budget())?;
        let kept = Debit::new(self.input.budget());
        kept.take(hashed::<&[u8]>(entries.len()), "annotations")?;
        column.annotations = self.input.budget().list(entries.len() as u64, "annotations")?;
        self.count_table(place.end - place.start)?;
        column.annotations_place = place.clone();
        self.sections.add(place.clone(), Part::Annotations(index));
        table.place = place;
        self.judge_annotation_count(&table, entries.len(), count);
        let mut kinds = HashSet::new();
        let repeated: Vec<bool> = entries.iter().map(|(entry, _)| !kinds.insert(entry.kind.bytes())).collect();
        drop((kinds, kept));
        for (number, (entry, _)) in entries.into_iter().enumerate() {
            if repeated[number] {
                self.in_table(&table, &rules::DUPLICATE_ANNOTATION, &format!("entries[{number}].kind"), |finding| {
                    let message =
                        format!("there is another annotation {} of the same column", quoted(&entry.kind.lossy()));
                    table.seen(Finding { message, ..finding })
                });
            }
            let parts = self.annotation(&table, number, entry);
            if let Some(block) = self.annotation_block(&table, number, &parts.entry) {
                self.sections.add(block, Part::AnnotationBlock(index, number));
            }
            column.annotations.push(parts);
        }
        Ok(())
    }

    /// The table of annotations of a column; `None` if there is none, or if its offset is invalid.
    fn annotation_table(&mut self, header: &Header, index: usize, column: &ColumnParts) -> Option<AnnotationTable> {
        let offset = column.entry.annotations_offset.filter(|&offset| offset != 0)?;
        let tail = header.tail_offset as u64;
        let Some(place) = place(offset, 0, tail) else {
            self.in_column(header, index, column, &rules::ANNOTATIONS_OFFSET, |finding| {
                let message = "the table of annotations is not between header and tail".into();
                let finding = Finding { field: "annotations_offset".into(), message, ..finding };
                // ML.NET checks the offset even if it skips the column.
                finding.expected(format!("0, or {} to {tail}", Header::MIN_SIZE)).found(offset)
            });
            self.sections.incomplete();
            return None;
        };
        let path = format!("{}.annotations", column_path(index));
        Some(AnnotationTable { path, place, tail, version: header.version, is_seen: column.seen_by_reference })
    }

    /// Reads the entries of a table of annotations and their number as stored in the file.
    fn annotation_entries(&mut self, table: &AnnotationTable) -> Result<Option<(Entries<'i, Annotation>, Leb128)>> {
        let count = Cell::new(Leb128::default());
        let begin = |source: &mut Source<'_>| {
            let table = *source;
            count.set(read_next(source, Endian::Little, ())?);
            let left = source.length().saturating_sub(source.position());
            match count.get().value().checked_mul(Annotation::MIN_SIZE) {
                Some(bytes) if bytes <= left => Ok(count.get().value()),
                // If the count is invalid, reading the whole table reports the error.
                _ => read::<Annotations>(table, Endian::Little, ()).map(|_| 0),
            }
        };
        match entries::<Annotation>(self.input, table.place.start, "entries", "annotations", begin, ())? {
            Ok(entries) => Ok(Some((entries, count.get()))),
            Err(error) => {
                let message = format!("the table of annotations cannot be read: {}", error.problem);
                let finding = Finding::unreadable(&rules::UNREADABLE_ANNOTATIONS, &error, message);
                self.findings.push(table.seen(finding.within(&table.path)));
                self.sections.incomplete();
                Ok(None)
            }
        }
    }

    /// Checks the number of entries and the form in which it is stored (`stated`).
    fn judge_annotation_count(&mut self, table: &AnnotationTable, number: usize, stated: Leb128) {
        if number == 0 {
            let message = "the table of annotations has no entry";
            self.in_table(table, &rules::ANNOTATION_COUNT, "count", |finding| {
                table.seen(Finding { message: message.into(), ..finding })
            });
        }
        if stated.is_overlong() {
            self.in_table(table, &rules::OVERLONG_LEB128, "count", |finding| Finding {
                message: "a number is longer than necessary".into(),
                ..finding
            });
        }
    }

    fn annotation(&mut self, table: &AnnotationTable, number: usize, entry: Annotation) -> AnnotationParts {
        let at = format!("entries[{number}]");
        if entry.kind.lossy().is_empty() {
            self.in_table(table, &rules::ANNOTATION_KIND, &format!("{at}.kind"), |finding| {
                table.seen(Finding { message: "an annotation has no kind".into(), ..finding })
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
                message: "a number is longer than necessary".into(),
                ..finding
            });
        }
        let Understood { column_type, stored, known_to_reference, findings } = understand(&entry.codec, table.version);
        for finding in findings {
            // ML.NET skips annotations with unknown codecs.
            let rule = match finding.rule {
                rule if *rule == rules::UNKNOWN_CODEC || *rule == rules::OLD_ROW_ID => &rules::UNKNOWN_ANNOTATION,
                rule => rule,
            };
            self.in_table(table, rule, &format!("{at}.{}", finding.field), |placed| {
                let Finding { message, expected, found, help, .. } = finding;
                let is_inner = *rule == rules::UNKNOWN_INNER_CODEC;
                let reference = if is_inner { Reference::Unforeseen } else { placed.reference };
                table.seen(Finding { message, expected, found, help, reference, ..placed })
            });
        }
        let is_compression_known = matches!(entry.compression, Compression::NONE | Compression::DEFLATE);
        if !is_compression_known {
            self.in_table(table, &rules::UNKNOWN_ANNOTATION, &format!("{at}.compression"), |finding| {
                let message = format!("the compression {} is unknown to ML.NET", entry.compression.0);
                table.seen(Finding { message, ..finding })
            });
        }
        let seen_by_reference = known_to_reference && is_compression_known;
        AnnotationParts { entry, column_type, stored, seen_by_reference }
    }

    /// The range of an annotation's block.
    fn annotation_block(&mut self, table: &AnnotationTable, number: usize, entry: &Annotation) -> Option<Range<u64>> {
        let length = entry.stored_length.value();
        let block = place(entry.offset, length, table.tail).filter(|_| length > 0);
        if block.is_none() {
            let field = if length == 0 { "stored_length" } else { "offset" };
            self.in_table(table, &rules::ANNOTATION_BLOCK, &format!("entries[{number}].{field}"), |finding| {
                let offset = entry.offset;
                let message = format!("a block of {} at {offset} is not between header and tail", bytes(length));
                let message = if length == 0 { "the block of an annotation is empty".into() } else { message };
                table.seen(Finding { message, ..finding })
            });
            self.sections.incomplete();
        }
        block
    }

    /// Adds a finding about a field in a table of annotations.
    fn in_table(
        &mut self,
        table: &AnnotationTable,
        rule: &'static Rule,
        field: &str,
        finding: impl FnOnce(Finding) -> Finding,
    ) {
        self.push_placed::<Annotations, Annotation>(rule, &table.place, (), &table.path, |whole| {
            finding(Finding { field: field.into(), ..whole })
        });
    }

    /// Reads the slot names, which version 1.1.1.3 had instead of annotations.
    pub(crate) fn slot_names(&mut self, header: &Header, index: usize, column: &mut ColumnParts) -> Result<()> {
        let (Some(offset), Some(extent)) = (column.entry.slot_names_offset, &column.entry.slot_names) else {
            return Ok(());
        };
        let count = u64::try_from(extent.count).ok();
        let place =
            u64::try_from(extent.length).ok().and_then(|length| place(offset, length, header.tail_offset as u64));
        let names = match (place, count) {
            (Some(place), Some(count)) => {
                match entries::<Slot>(self.input, place.start, "slots", "slot names", |_| Ok(count), ())? {
                    Ok(names) if names.place.end == place.end => {
                        // The slots are in a separate list, because one collected in place would keep the capacity of the entries.
                        let mut slots = self.input.budget().list(names.entries.len() as u64, "slot names")?;
                        slots.extend(names.entries.into_iter().map(|(slot, _)| slot));
                        Some((SlotNames { slots }, place))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        match names {
            Some((names, place)) => {
                self.sections.add(place.clone(), Part::SlotNames(index));
                column.slot_names = Some((names, place));
            }
            None => {
                self.in_column(header, index, column, &rules::SLOT_NAMES, |finding| {
                    let message = "the slot names are not where they are declared".into();
                    Finding { field: "slot_names_offset".into(), message, ..finding }
                });
                self.sections.incomplete();
            }
        }
        Ok(())
    }
}
