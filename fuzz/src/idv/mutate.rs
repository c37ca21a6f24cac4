//! Mutations that leave a file in order around what they change: most others die in an offset.

use super::block::deflate;
use super::draft::{self, Draft, DraftAnnotation, DraftColumn, Stored};
use super::{codecs, naive};
use crate::random::Random;
use binrw::args;
use everybyte::{BinWrite, Endian, Leb128, Source, read, write};
use ndbytes_schemas::idv::{Annotation, Column, Compression, Header, NetString, Slot, SlotNames, Version};

/// How many bytes more a part may have after a mutation.
const GROWTH: usize = 32;

/// The fuzzer's own mutation of so many bytes in a longer buffer.
type Plain = fn(&mut [u8], usize, usize) -> usize;

/// Kinds of annotations.
const KINDS: [&str; 4] = ["SlotNames", "KeyValues", "IsNormalized", "ScoreColumnKind"];

/// Changes a file, as a whole or a part of it; its new length.
pub fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32, plain: Plain) -> usize {
    let mut random = Random::new(seed.into());
    if random.one_in(4) {
        return plain(data, size, max_size);
    }
    let Some(mut draft) = Draft::take_apart(&data[..size]) else { return plain(data, size, max_size) };
    let mut mutation = Mutation { random, plain };
    for _ in 0..=mutation.random.below(3) {
        mutation.change(&mut draft);
    }
    if !mutation.random.one_in(8) {
        mend(&mut draft);
    }
    let file = draft.put_together();
    match data.get_mut(..file.len()).filter(|_| file.len() <= max_size) {
        Some(place) => {
            place.copy_from_slice(&file);
            file.len()
        }
        None => plain(data, size, max_size),
    }
}

struct Mutation {
    random: Random,
    plain: Plain,
}

impl Mutation {
    fn change(&mut self, draft: &mut Draft) {
        let count = draft.columns.len() as u64;
        let chosen = self.random.below(count) as usize;
        let change = self.random.below(20);
        match change {
            0 => self.header(&mut draft.header),
            1 => draft.header.row_count = self.random.below(40) as i64,
            2 => {
                let version = Version(Version::V6.0 - self.random.below(5));
                (draft.header.version, draft.header.compatible_version) = (version, version);
            }
            3 if self.random.one_in(4) => draft.tail_first = !draft.tail_first,
            3 => draft.rest = self.bytes(std::mem::take(&mut draft.rest)),
            4 if count > 0 => {
                let copy = draft.columns[chosen].clone();
                draft.columns.push(copy);
            }
            5 if count > 1 => drop(draft.columns.remove(chosen)),
            6 => draft.columns.push(self.column(draft.header.version)),
            _ => {}
        }
        let Some(column) = draft.columns.get_mut(chosen) else { return };
        match change {
            7 => self.annotation(column),
            8 | 9 => self.entry(column, draft.header.version),
            10 => column.entry.codec = self.codec(),
            11 => {
                let block = column.blocks.last().cloned().unwrap_or(Stored { bytes: vec![], length: 0 });
                column.blocks.push(block);
            }
            12 => drop(column.blocks.pop()),
            13 => self.recompress(column),
            14 => self.slot_names(column),
            15.. => self.block(column),
            _ => {}
        }
    }

    /// The fuzzer's mutation of some bytes.
    fn bytes(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        let length = bytes.len();
        bytes.resize(length + GROWTH, 0);
        let length = (self.plain)(&mut bytes, length, length + GROWTH);
        bytes.truncate(length);
        bytes
    }

    /// The fuzzer's mutation of what a structure is written to.
    fn structure<T: for<'a> BinWrite<Args<'a> = ()>>(&mut self, value: &T) -> Vec<u8> {
        let written = write(value, Endian::Little).expect("what was read or made can be written");
        self.bytes(written)
    }

    fn header(&mut self, header: &mut Header) {
        if let Ok(changed) = read(Source::new(&self.structure(header)), Endian::Little, ()) {
            *header = changed;
        }
    }

    fn entry(&mut self, column: &mut DraftColumn, version: Version) {
        let changed = self.structure(&column.entry);
        if let Ok(changed) = read::<Column>(Source::new(&changed), Endian::Little, args! { version }) {
            column.entry = changed;
        }
    }

    fn codec(&mut self) -> ndbytes_schemas::idv::Codec {
        let item = codecs::item(self.random.next() as u8, self.random.next() as u8);
        let size = self.random.below(4) as i32;
        match self.random.below(4) {
            0 => codecs::vector(item, vec![size]),
            1 => codecs::vector(item, vec![size, 2]),
            _ => item,
        }
    }

    /// A column without blocks.
    fn column(&mut self, version: Version) -> DraftColumn {
        let name = NetString::new(["x", "y", "Label", "Features"][self.random.below(4) as usize]);
        let entry = Column {
            name,
            codec: self.codec(),
            compression: Compression(self.random.below(3) as u8),
            rows_per_block: Leb128::new(1),
            lookup_offset: 0,
            slot_names_offset: version.has_slot_names().then_some(0),
            slot_names: None,
            annotations_offset: version.has_annotations().then_some(0),
        };
        DraftColumn { entry, blocks: vec![], annotations: vec![], slot_names: None }
    }

    /// Adds an annotation, or changes one.
    fn annotation(&mut self, column: &mut DraftColumn) {
        let chosen = self.random.below(column.annotations.len() as u64 + 1) as usize;
        let Some(annotation) = column.annotations.get_mut(chosen) else {
            let bytes = column.blocks.first().map_or(vec![0; 16], |block| block.bytes.clone());
            let kind = NetString::new(KINDS[self.random.below(KINDS.len() as u64) as usize]);
            let (codec, compression) = (self.codec(), column.entry.compression);
            let entry = Annotation { kind, codec, compression, offset: 0, stored_length: Leb128::new(0) };
            column.annotations.push(DraftAnnotation { entry, bytes });
            return;
        };
        if self.random.one_in(3) {
            if let Ok(changed) = read(Source::new(&self.structure(&annotation.entry)), Endian::Little, ()) {
                annotation.entry = changed;
            }
        } else {
            annotation.bytes = self.content(&annotation.bytes, annotation.entry.compression).0;
        }
    }

    fn block(&mut self, column: &mut DraftColumn) {
        let chosen = self.random.below(column.blocks.len() as u64) as usize;
        let Some(block) = column.blocks.get_mut(chosen) else { return };
        if self.random.one_in(8) {
            block.length = block.length.wrapping_add(self.random.below(7) as i32 - 3);
            return;
        }
        let (bytes, length) = self.content(&block.bytes, column.entry.compression);
        (block.bytes, block.length) = (bytes, length.unwrap_or(block.length));
    }

    /// Changes a stored block, as a rule before it is compressed; then its new length is known.
    fn content(&mut self, stored: &[u8], compression: Compression) -> (Vec<u8>, Option<i32>) {
        match naive::decompress(stored, compression).flatten() {
            Some(content) if !self.random.one_in(5) => {
                let content = self.bytes(content);
                let length = content.len() as i32;
                (compress(content, compression), Some(length))
            }
            _ => (self.bytes(stored.to_vec()), None),
        }
    }

    /// Gives a column another compression, and its blocks too.
    fn recompress(&mut self, column: &mut DraftColumn) {
        let before = column.entry.compression;
        let compression = if before == Compression::NONE { Compression::DEFLATE } else { Compression::NONE };
        column.entry.compression = compression;
        for block in &mut column.blocks {
            if let Some(content) = naive::decompress(&block.bytes, before).flatten() {
                block.length = content.len() as i32;
                block.bytes = compress(content, compression);
            }
        }
    }

    /// Names slots, as version 1.1.1.3 did.
    fn slot_names(&mut self, column: &mut DraftColumn) {
        let index = self.random.below(5) as i32;
        let slot = Slot { index, name: NetString::new("slot") };
        column.slot_names.get_or_insert(SlotNames { slots: vec![] }).slots.push(slot);
    }
}

fn compress(content: Vec<u8>, compression: Compression) -> Vec<u8> {
    if compression == Compression::DEFLATE { deflate(&content) } else { content }
}

/// Makes columns agree on their rows.
fn mend(draft: &mut Draft) {
    let Some(first) = draft.columns.first() else { return };
    let (count, rows_per_block) = (first.blocks.len(), first.entry.rows_per_block);
    for column in &mut draft.columns {
        column.entry.rows_per_block = rows_per_block;
        let last = column.blocks.last().cloned().unwrap_or(Stored { bytes: vec![], length: 0 });
        column.blocks.resize(count, last);
    }
    let per_block = rows_per_block.value();
    if draft::block_count(draft.header.row_count, per_block) != Some(count as u64) {
        draft.header.row_count = i64::try_from((count as u64).saturating_mul(per_block)).unwrap_or(i64::MAX);
    }
}
