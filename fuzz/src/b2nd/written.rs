//! Arrays that are written and read back.

use super::any_bytes::options;
use super::array;
use crate::arrangement::{Arrangement, bits, elements};
use crate::random::Random;
use crate::{bytes, scratch};
use arbitrary::Arbitrary;
use everybyte::Endian;
use half::f16;
use ndarray::ArrayViewD;
use ndbytes::b2nd::{B2ndElement, Codec, Filter, Writer};
use ndbytes::{Checker, Dtype, ElementKind, Error, ItemType, Result};
use num_complex::Complex;
use std::collections::BTreeSet;

/// Item types for arrays that are given as bytes.
const TYPES: [&str; 24] = [
    "|u1",
    "|i1",
    "<i2",
    ">u2",
    "<i4",
    "<u4",
    ">i8",
    "<u8",
    "<f2",
    "<f4",
    ">f4",
    "<f8",
    "<c8",
    "<f16",
    "|b1",
    "|S5",
    "<U3",
    "|V7",
    "|V300",
    "<M8[ns]",
    "[('a', '<i4'), ('b', '<f8', (2,))]",
    "('<i2', (3,))",
    "{'names': ['x', 'y'], 'formats': ['<u2', 'u1'], 'offsets': [4, 0], 'itemsize': 8}",
    "<U200",
];

/// Names of metalayers. The last ones are invalid.
const NAMES: [&str; 8] =
    ["a", "b", "é", "a name of one and thirty bytes.", "caterva", "b2o", "", "a name of two and thirty bytes.."];

/// The maximum number of bytes of an array, and of its chunks including padding.
const MOST_BYTES: usize = 16 << 10;
const MOST_STORED_BYTES: u64 = 4 << 20;

/// The same, but for the highest level of zstd, which takes microseconds per byte of a run.
const MOST_SLOW_BYTES: u64 = 256 << 10;

/// An array to be written.
#[derive(Debug, Arbitrary)]
pub struct ArraySample {
    arrangement: Arrangement,
    item: u8,
    is_even: bool,
    chunks: Option<Extents>,
    blocks: Option<Extents>,
    codec: u8,
    level: u8,
    filters: Vec<(u8, u8)>,
    metalayers: Vec<(u8, u8)>,
    attributes: Vec<(u8, u8)>,
}

/// The shape of chunks or blocks.
#[derive(Debug, Arbitrary)]
struct Extents {
    along: [u8; 5],
    wrong: u8,
}

impl Extents {
    fn extents(&self, axes: usize) -> Vec<usize> {
        let axes = if self.wrong == 77 { axes + 1 } else { axes };
        let extent = |&byte: &u8| match byte {
            254 => 1 << 20,
            255 => 1 << 31,
            byte => usize::from(byte % 12),
        };
        self.along.iter().cycle().take(axes).map(extent).collect()
    }
}

impl ArraySample {
    /// Asserts that an array is refused if and only if the format cannot express it. Otherwise, it is written, checked
    /// without findings, and read back.
    pub fn examine(&self, content: &[u8]) {
        match self.item {
            0..=7 => self.examine_typed::<i8>(content),
            8..=15 => self.examine_typed::<u16>(content),
            16..=23 => self.examine_typed::<f32>(content),
            24..=31 => self.examine_typed::<f64>(content),
            32..=39 => self.examine_typed::<Complex<f64>>(content),
            40..=43 => self.examine_typed::<f16>(content),
            44..=47 => self.examine_typed::<i128>(content),
            item => {
                let text = TYPES[usize::from(item) % TYPES.len()];
                let item_type: ItemType = text.parse().expect("NumPy knows it");
                let count: usize = self.shape().iter().product();
                let size = item_type.size() as usize;
                if count * size <= MOST_BYTES {
                    self.examine_bytes(&item_type, &self.content(content, count * size, size));
                }
            }
        }
    }

    fn shape(&self) -> &[usize] {
        &self.arrangement.shape.0
    }

    /// The bytes of the items, which are repetitions of one item for uniform arrays.
    fn content(&self, content: &[u8], length: usize, size: usize) -> Vec<u8> {
        let content = if self.is_even { &content[..content.len().min(size)] } else { content };
        elements(content, length)
    }

    /// Asserts that the memory layout of an array does not matter.
    fn examine_typed<T: B2ndElement + bytemuck::Pod>(&self, content: &[u8]) {
        if self.shape().iter().product::<usize>() * size_of::<T>() > MOST_BYTES {
            return;
        }
        let memory = self.arrangement.memory::<T>(content);
        let view: ArrayViewD<'_, T> = self.arrangement.view(&memory);
        let item_type = ItemType::Plain(Dtype { kind: T::KIND, endian: Endian::Little });
        if let Some(written) = self.examine_bytes(&item_type, &bits(&view)) {
            let again = self.writer().and_then(|writer| writer.to_vec(&view));
            assert!(again.ok() == written, "of an array, other bytes are written than of its bytes: {self:?}");
        }
    }

    /// Writes the file, if that is possible; `None` if it would be too large.
    fn examine_bytes(&self, item_type: &ItemType, items: &[u8]) -> Option<Option<Vec<u8>>> {
        let is_legal = self.is_legal(item_type);
        if is_legal != Some(false) && self.stored_bytes(item_type.size()) > self.most_stored_bytes() {
            return None;
        }
        let write = |writer: Writer| writer.bytes_to_vec(self.shape(), item_type, items);
        let file = match self.writer().and_then(write) {
            Ok(file) => file,
            Err(error @ Error::Inexpressible { .. }) => {
                assert_ne!(is_legal, Some(true), "this can be written, but {error}: {self:?}");
                return Some(None);
            }
            Err(error) => panic!("{error}"),
        };
        assert_ne!(is_legal, Some(false), "this cannot be written");
        assert!(self.writer().and_then(write).is_ok_and(|again| again == file), "the same array gives the same bytes");
        let mut random = Random::of(&file);
        let report = match random.one_in(4) {
            true => bytes::examine(&file),
            false => super::any_bytes::check(&file, ndbytes::Depth::Payload),
        };
        assert!(report.findings().iter().all(is_asked_for), "{report:?}");
        let read = options().from_slice(&file).expect("what was written can be read");
        self.compare(&read, item_type, items, &mut random);
        if random.one_in(8) {
            self.examine_sparse(item_type, items, &mut random);
        }
        Some(Some(file))
    }

    /// Writes the same array to a directory.
    fn examine_sparse(&self, item_type: &ItemType, items: &[u8], random: &mut Random) {
        let folder = scratch::folder();
        let _ = std::fs::remove_dir_all(&folder);
        let writer = self.writer().expect("it was written before").sparse(true);
        assert!(matches!(writer.bytes_to_vec(self.shape(), item_type, items), Err(Error::Inexpressible { .. })));
        writer.write_bytes(&folder, self.shape(), item_type, items).expect("scratch files can be written");
        let report = Checker::new().limits(crate::bounds::limits()).check(&folder).expect("it was written");
        assert!(report.findings().iter().all(is_asked_for), "{report:?}");
        let read = options().open(&folder).expect("what was written can be read");
        assert!(read.is_sparse());
        self.compare(&read, item_type, items, random);
    }

    /// Asserts that the written values are read back.
    fn compare(&self, read: &ndbytes::b2nd::Array<'_>, item_type: &ItemType, items: &[u8], random: &mut Random) {
        let shape = self.shape();
        assert_eq!((read.shape(), read.item_type()), (shape, item_type));
        let (codec, level) = (self.codec(), self.level());
        assert_eq!((read.codec(), read.level()), (codec, level));
        for (given, read) in [(&self.chunks, read.chunk_shape()), (&self.blocks, read.block_shape())] {
            assert!(given.as_ref().is_none_or(|given| given.extents(shape.len()) == read));
        }
        let found = array::examine(read, random).expect("what was written can be read");
        assert!(self.are_kept(item_type, items, &found), "other items: {self:?}");
        assert_eq!(read.metalayer_names().len(), self.metalayers.len());
        for (name, content) in self.metalayers.iter().map(named) {
            assert_eq!(read.metalayer(name).expect("it was written"), content);
        }
        assert_eq!(read.attribute_names().len(), self.attributes.len());
        for (name, content) in self.attributes.iter().map(named) {
            assert_eq!(read.attribute(name).expect("it was written"), content);
        }
    }

    fn codec(&self) -> Codec {
        [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD][usize::from(self.codec) % 5]
    }

    fn level(&self) -> u8 {
        if self.level > 250 { self.level } else { self.level % 10 }
    }

    fn filters(&self) -> Vec<Filter> {
        let filter = |&(kind, parameter): &(u8, u8)| match kind % 8 {
            0 => Filter::Shuffle,
            1 => Filter::ShuffleBy(parameter),
            2 => Filter::Bitshuffle,
            3 => Filter::Delta,
            4 => Filter::Bytedelta,
            5 => Filter::BytedeltaBy(parameter),
            6 => Filter::TruncPrec(parameter % 64),
            _ => Filter::IntTrunc(parameter % 80),
        };
        self.filters.iter().take(7).map(filter).collect()
    }

    fn writer(&self) -> Result<Writer> {
        let axes = self.shape().len();
        let mut writer = Writer::new().codec(self.codec()).level(self.level()).filters(self.filters());
        writer = writer.delta_blocks(true);
        if let Some(chunks) = &self.chunks {
            writer = writer.chunks(chunks.extents(axes));
        }
        if let Some(blocks) = &self.blocks {
            writer = writer.blocks(blocks.extents(axes));
        }
        for (name, content) in self.metalayers.iter().map(named) {
            writer = writer.metalayer_bytes(name, content)?;
        }
        for (name, content) in self.attributes.iter().map(named) {
            writer = writer.attribute_bytes(name, content)?;
        }
        Ok(writer)
    }

    /// Returns whether the format can express the array; `None` if that depends on the writer's choices.
    fn is_legal(&self, item_type: &ItemType) -> Option<bool> {
        let kind = item_type.dtype().kind;
        let are_names_legal = are_names(&self.metalayers, 15, 4) && are_names(&self.attributes, 16, 6);
        if !are_names_legal || self.level() > 9 || self.shape().len() > 16 || kind == ElementKind::I128 {
            return Some(false);
        }
        if !self.are_filters_legal(item_type) {
            return Some(false);
        }
        let axes = self.shape().len();
        let given = |given: &Option<Extents>| given.as_ref().map(|given| given.extents(axes));
        let (chunks, blocks) = (given(&self.chunks), given(&self.blocks));
        for extents in [&chunks, &blocks].into_iter().flatten() {
            let fit =
                extents.iter().zip(self.shape()).all(|(&given, &extent)| given < 1 << 31 && (given > 0 || extent == 0));
            if extents.len() != axes || !fit {
                return Some(false);
            }
        }
        if let (Some(chunks), Some(blocks)) = (&chunks, &blocks) {
            let mut pairs = chunks.iter().zip(blocks);
            if pairs.any(|(&chunk, &block)| block > chunk || block == 0 && chunk > 0) {
                return Some(false);
            }
        }
        let size = u128::from(item_type.size());
        let product =
            |extents: &[usize]| extents.iter().fold(size, |bytes, &extent| bytes.saturating_mul(extent as u128));
        let largest_block = blocks.as_ref().map_or(0, |blocks| product(blocks));
        if largest_block > 536_866_816 {
            return Some(false);
        }
        match (&chunks, &blocks) {
            (None, None) => Some(true),
            (None, Some(blocks)) => (product(blocks) <= MOST_BYTES as u128).then_some(true),
            (Some(chunks), None) => match product(chunks) {
                // The last blocks may extend beyond the chunk.
                bytes if bytes <= 1 << 20 => Some(true),
                bytes => (bytes > i32::MAX as u128 - 32).then_some(false),
            },
            (Some(chunks), Some(blocks)) => {
                let pairs = chunks.iter().zip(blocks);
                let padded: Vec<usize> = pairs.map(|(chunk, block)| chunk.next_multiple_of((*block).max(1))).collect();
                Some(product(&padded) <= i32::MAX as u128 - 32)
            }
        }
    }

    fn most_stored_bytes(&self) -> u64 {
        let is_slow = self.codec() == Codec::ZSTD && self.level() == 9;
        if is_slow { MOST_SLOW_BYTES } else { MOST_STORED_BYTES }
    }

    /// The maximum number of bytes in all chunks with a given shape.
    fn stored_bytes(&self, size: u64) -> u64 {
        let extents = self.chunks.as_ref().or(self.blocks.as_ref()).map(|given| given.extents(self.shape().len()));
        let axes = extents.iter().flatten().zip(self.shape());
        // Blocks may extend beyond a chunk, by less than its length.
        axes.fold(size, |bytes, (&chunk, &extent)| {
            let chunks = extent.checked_div(chunk).map_or(0, |chunks| chunks as u64 + 1);
            bytes.saturating_mul(2 * chunk as u64).saturating_mul(chunks.max(1))
        })
    }

    fn are_filters_legal(&self, item_type: &ItemType) -> bool {
        let dtype = item_type.dtype();
        let is_swapped = dtype.endian == Endian::Big && dtype.kind.swapped() > 1;
        let filters = self.filters();
        let mut before = filters.iter();
        let is_truncation = |filter: &Filter| matches!(filter, Filter::TruncPrec(_) | Filter::IntTrunc(_));
        let first_other = before.position(|filter| !is_truncation(filter)).unwrap_or(filters.len());
        filters.len() <= 6
            && !filters[first_other..].iter().any(is_truncation)
            && !filters[first_other..].iter().skip(1).any(|filter| *filter == Filter::Delta)
            && filters.iter().all(|filter| match (*filter, dtype.kind) {
                (Filter::ShuffleBy(width) | Filter::BytedeltaBy(width), _) => (1..=127).contains(&width),
                (Filter::Bytedelta, _) => item_type.size() <= 127,
                (Filter::TruncPrec(bits), ElementKind::F32) => (1..=23).contains(&bits) && !is_swapped,
                (Filter::TruncPrec(bits), ElementKind::F64) => (1..=52).contains(&bits) && !is_swapped,
                (Filter::IntTrunc(bits), kind) => {
                    let is_integer = integer_bits(kind).is_some_and(|most| (1..=most).contains(&bits));
                    is_integer && !is_swapped
                }
                (Filter::TruncPrec(_), _) => false,
                _ => true,
            })
    }

    /// Returns whether these are the items, either truncated or, in a stored chunk, in full.
    fn are_kept(&self, item_type: &ItemType, items: &[u8], found: &[u8]) -> bool {
        if self.level() == 0 || found == items {
            return found == items;
        }
        let size = item_type.size() as usize;
        let truncated = self.truncated(item_type, items);
        let possible = items.chunks(size).zip(truncated.chunks(size));
        let are_possible = found.chunks(size).zip(possible).all(|(one, (full, less))| one == less || one == full);
        found.len() == items.len() && are_possible
    }

    /// The items as read back from a compressed chunk, in which truncation loses bits.
    fn truncated(&self, item_type: &ItemType, items: &[u8]) -> Vec<u8> {
        let mut items = items.to_vec();
        let kind = item_type.dtype().kind;
        for filter in self.filters() {
            let dropped = match filter {
                Filter::TruncPrec(bits) if kind == ElementKind::F32 => 23 - bits,
                Filter::TruncPrec(bits) => 52 - bits,
                Filter::IntTrunc(bits) => integer_bits(kind).unwrap_or(bits) - bits,
                _ => 0,
            };
            for item in items.chunks_mut(item_type.size() as usize).filter(|_| dropped > 0) {
                for bit in 0..dropped {
                    item[usize::from(bit / 8)] &= !(1 << (bit % 8));
                }
            }
        }
        items
    }
}

/// Returns whether a finding is about something that the writer does only on request.
fn is_asked_for(finding: &ndbytes::Finding) -> bool {
    finding.rule.id == "b2nd/delta-blocks"
}

fn integer_bits(kind: ElementKind) -> Option<u8> {
    Some(match kind {
        ElementKind::I8 | ElementKind::U8 => 8,
        ElementKind::I16 | ElementKind::U16 => 16,
        ElementKind::I32 | ElementKind::U32 => 32,
        ElementKind::I64 | ElementKind::U64 => 64,
        _ => return None,
    })
}

/// Returns a name, and content.
fn named(&(name, length): &(u8, u8)) -> (&'static str, Vec<u8>) {
    (NAMES[usize::from(name) % NAMES.len()], (0..length).map(|byte| byte % 7 + 0x90).collect())
}

/// Returns whether all names are valid and distinct (only the first `possible` are valid), and whether there are at most `most`.
fn are_names(layers: &[(u8, u8)], most: usize, possible: usize) -> bool {
    let mut seen = BTreeSet::new();
    layers.len() <= most
        && layers.iter().all(|layer| {
            let (name, content) = named(layer);
            NAMES[..possible].contains(&name) && seen.insert(name) && !content.is_empty()
        })
}
