//! Builds files by assigning a position to every part and writing all offsets.

use super::file_parts::{AnnotationParts, AnnotationTableParts, ColumnParts, FileParts, Order, Part, SlotNamesParts};
use everybyte::{BinWrite, Endian, Layout, trace::length_of, varint::Leb128, write};
use ndbytes_schemas::idv::{
    Annotation, Annotations, BlockEntry, Column, Columns, Header, Lookup, SlotNamesExtent, Tail,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// An assembled file, with the positions of its parts.
#[derive(Debug)]
pub(super) struct Assembled {
    pub file: Vec<u8>,
    pub places: BTreeMap<Part, Range<usize>>,
}

impl Assembled {
    /// Returns the offset of a part, or the end of the file if there is no such part.
    pub fn start(&self, part: Part) -> usize {
        self.places.get(&part).map_or(self.file.len(), |place| place.start)
    }
}

impl FileParts {
    /// Builds the file.
    pub fn put_together(&self) -> Vec<u8> {
        self.assemble().file
    }

    /// Builds the file and returns the positions of its parts.
    pub fn assemble(&self) -> Assembled {
        let (parts, mut places) = (self.parts(), BTreeMap::new());
        // Offsets have a fixed width, so lengths are known before the offsets are.
        let mut columns = Columns { columns: self.columns.iter().map(|column| column.entry.clone()).collect() };
        self.place(&mut columns, &places);
        let mut end = Header::MIN_SIZE as usize;
        for &part in &parts {
            let start = end;
            end = end.saturating_add(self.length(part, &columns));
            places.insert(part, start..end);
        }
        self.place(&mut columns, &places);
        let mut file = vec![0; Header::MIN_SIZE as usize];
        for &part in &parts {
            self.put(part, &columns, &places, &mut file);
        }
        file.extend(&self.rest);
        let header = Header {
            columns_offset: offset(&places, Part::Columns).unwrap_or(self.header.columns_offset),
            tail_offset: offset(&places, Part::Tail).unwrap_or(self.header.tail_offset),
            column_count: i32::try_from(self.columns.len()).unwrap_or(i32::MAX),
            ..self.header.clone()
        };
        let header = bytes_of(&header);
        if let Some(place) = file.get_mut(..header.len()) {
            place.copy_from_slice(&header);
        }
        Assembled { file, places }
    }

    /// Returns all parts in their order.
    fn parts(&self) -> Vec<Part> {
        let usual = self.usual_parts();
        let Order::Kept(kept) = &self.order else { return usual };
        let there: BTreeSet<Part> = usual.iter().copied().collect();
        let mut placed = BTreeSet::new();
        let mut parts: Vec<Part> =
            kept.iter().copied().filter(|part| there.contains(part) && placed.insert(*part)).collect();
        // New parts come before the table of columns and the tail.
        let new = usual.into_iter().filter(|part| !placed.contains(part));
        let last = parts.iter().position(|part| matches!(part, Part::Columns | Part::Tail)).unwrap_or(parts.len());
        let new: Vec<Part> = new.collect();
        parts.splice(last..last, new);
        parts
    }

    /// Returns all parts in the order in which ML.NET writes them.
    pub fn usual_parts(&self) -> Vec<Part> {
        let columns = || self.columns.iter().enumerate();
        let most = self.columns.iter().map(|column| column.blocks.len()).max().unwrap_or(0);
        let mut parts = Vec::new();
        for block in 0..most {
            let has_bytes = |column: &ColumnParts| column.blocks.get(block).is_some_and(|block| block.lie.is_none());
            parts.extend(
                columns().filter(|(_, column)| has_bytes(column)).map(|(column, _)| Part::Block(column, block)),
            );
        }
        let has_lookup = |column: &ColumnParts| !column.is_lookup_lost;
        parts.extend(columns().filter(|(_, column)| has_lookup(column)).map(|(column, _)| Part::Lookup(column)));
        for (index, column) in columns() {
            if self.header.version.has_annotations()
                && let AnnotationTableParts::Table { entries, .. } = &column.annotations
            {
                let kept = entries.iter().enumerate().filter(|(_, entry)| !entry.is_lost);
                parts.extend(kept.map(|(number, _)| Part::AnnotationBlock(index, number)));
                parts.push(Part::Annotations(index));
            }
            if self.header.version.has_slot_names() && matches!(column.slot_names, SlotNamesParts::Names(_)) {
                parts.push(Part::SlotNames(index));
            }
        }
        parts.push(Part::Columns);
        if !self.is_tail_lost {
            parts.push(Part::Tail);
        }
        parts
    }

    /// Sets the offsets of everything that the table of columns refers to.
    fn place(&self, table: &mut Columns, places: &BTreeMap<Part, Range<usize>>) {
        for (index, (column, entry)) in self.columns.iter().zip(&mut table.columns).enumerate() {
            self.place_column(index, column, entry, places);
        }
    }

    fn place_column(
        &self,
        index: usize,
        column: &ColumnParts,
        entry: &mut Column,
        places: &BTreeMap<Part, Range<usize>>,
    ) {
        let version = self.header.version;
        entry.lookup_offset = match column.is_lookup_lost {
            true => entry.lookup_offset,
            false => offset(places, Part::Lookup(index)).unwrap_or(0),
        };
        entry.annotations_offset = version.has_annotations().then(|| match column.annotations {
            AnnotationTableParts::None => 0,
            AnnotationTableParts::Table { .. } => offset(places, Part::Annotations(index)).unwrap_or(0),
            AnnotationTableParts::Lost => column.entry.annotations_offset.unwrap_or(0),
        });
        let (names_offset, extent) = match &column.slot_names {
            SlotNamesParts::None => (Some(0), None),
            SlotNamesParts::Names(names) => {
                let length = i64::try_from(length_of(names, Endian::Little)).unwrap_or(i64::MAX);
                let count = i32::try_from(names.slots.len()).unwrap_or(i32::MAX);
                // Any offset will do while the positions are unknown, since only its presence affects the length.
                let offset = offset(places, Part::SlotNames(index)).unwrap_or(1);
                (Some(offset), Some(SlotNamesExtent { length, count }))
            }
            SlotNamesParts::Lost => (entry.slot_names_offset, entry.slot_names.take()),
        };
        entry.slot_names_offset = names_offset.filter(|_| version.has_slot_names());
        entry.slot_names = extent.filter(|_| version.has_slot_names());
    }

    /// Returns the length of a part in bytes, which is needed before any offset is known.
    fn length(&self, part: Part, columns: &Columns) -> usize {
        let length = match part {
            Part::Block(column, block) => return self.columns[column].blocks[block].bytes.len(),
            Part::AnnotationBlock(column, number) => return self.columns[column].annotations()[number].bytes.len(),
            Part::Lookup(column) => self.columns[column].blocks.len() as u64 * BlockEntry::MIN_SIZE,
            Part::Annotations(column) => length_of(&self.annotation_table(column, &BTreeMap::new()), Endian::Little),
            Part::SlotNames(column) => match &self.columns[column].slot_names {
                SlotNamesParts::Names(names) => length_of(names, Endian::Little),
                SlotNamesParts::None | SlotNamesParts::Lost => 0,
            },
            Part::Columns => length_of(columns, Endian::Little),
            Part::Tail => Tail::MIN_SIZE,
        };
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    /// Appends a part.
    fn put(&self, part: Part, columns: &Columns, places: &BTreeMap<Part, Range<usize>>, file: &mut Vec<u8>) {
        match part {
            Part::Block(column, block) => file.extend(&self.columns[column].blocks[block].bytes),
            Part::AnnotationBlock(column, number) => file.extend(&self.columns[column].annotations()[number].bytes),
            Part::Lookup(column) => file.extend(bytes_of(&self.lookup(column, places))),
            Part::Annotations(column) => file.extend(bytes_of(&self.annotation_table(column, places))),
            Part::SlotNames(column) => {
                if let SlotNamesParts::Names(names) = &self.columns[column].slot_names {
                    file.extend(bytes_of(names));
                }
            }
            Part::Columns => file.extend(bytes_of(columns)),
            Part::Tail => file.extend(bytes_of(&Tail {})),
        }
    }

    /// Builds the lookup table of a column. Recorded wrong offsets replace the true ones.
    fn lookup(&self, column: usize, places: &BTreeMap<Part, Range<usize>>) -> Lookup {
        let blocks = self.columns[column].blocks.iter().enumerate().map(|(number, block)| {
            let (offset, stored_length) = block.lie.unwrap_or_else(|| {
                let offset = offset(places, Part::Block(column, number)).unwrap_or(0);
                (offset, i32::try_from(block.bytes.len()).unwrap_or(i32::MAX))
            });
            BlockEntry { offset, stored_length, length: block.length }
        });
        Lookup { blocks: blocks.collect() }
    }

    /// Builds the table of a column's annotations.
    fn annotation_table(&self, column: usize, places: &BTreeMap<Part, Range<usize>>) -> Annotations {
        let AnnotationTableParts::Table { count, entries } = &self.columns[column].annotations else {
            return Annotations { count: Leb128::new(0), entries: Vec::new() };
        };
        let count = counted(*count, entries.len());
        let entries = entries.iter().enumerate().map(|(number, annotation)| {
            let AnnotationParts { entry, bytes, is_lost } = annotation;
            if *is_lost {
                return entry.clone();
            }
            let offset = offset(places, Part::AnnotationBlock(column, number)).unwrap_or(0);
            Annotation { offset, stored_length: counted(entry.stored_length, bytes.len()), ..entry.clone() }
        });
        Annotations { count, entries: entries.collect() }
    }
}

/// Returns a number that may be overlong, but has the correct value.
fn counted(number: Leb128, truth: usize) -> Leb128 {
    if number.value() == truth as u64 { number } else { Leb128::new(truth as u64) }
}

/// Returns the offset of a part.
fn offset(places: &BTreeMap<Part, Range<usize>>, part: Part) -> Option<i64> {
    places.get(&part).and_then(|place| i64::try_from(place.start).ok())
}

/// Returns the bytes of a structure, or no bytes if it has more elements than can be stated.
pub(super) fn bytes_of<T: for<'a> BinWrite<Args<'a> = ()>>(value: &T) -> Vec<u8> {
    write(value, Endian::Little).unwrap_or_default()
}
