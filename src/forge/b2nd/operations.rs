//! Mutations that leave a frame in order around what they change: most others die in an offset.

use super::draft::{self, Draft, IndexForm, Layer, Place};
use super::stored::Chunk;
use crate::random::Random;
use everybyte::{BinWrite, Endian, Source, length_of, read, write};
use ndbytes_schemas::b2nd::ArrayLayer;
use ndbytes_schemas::blosc2::{ChunkHeader, Header, Int32, Name};

/// How many bytes more a part may have after a mutation.
const GROWTH: usize = 32;

/// Names of metalayers.
const NAMES: [&str; 8] =
    ["b2nd", "caterva", "b2o", "LazyArray", "vlarray", "x", "", "a name of one and thirty bytes.."];

/// Types of items, and bytes of one.
const DTYPES: [(&str, i32); 12] = [
    ("|u1", 1),
    ("<i2", 2),
    (">f4", 4),
    ("<f4", 4),
    ("<f8", 8),
    ("|S5", 5),
    ("<U3", 12),
    ("<M8[ns]", 8),
    ("<c16", 16),
    ("[('a', '<i4'), ('b', '<f8', (2,))]", 20),
    ("|V300", 300),
    ("('<i2', (3,))", 6),
];

/// The fuzzer's own mutation of so many bytes in a longer buffer.
type Plain = fn(&mut [u8], usize, usize) -> usize;

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
        draft.agree();
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
        match self.random.below(20) {
            0 => self.header(draft),
            1 | 2 => self.shapes(draft),
            3 => self.dtype(draft),
            4 => self.layers(&mut draft.layers),
            5 => self.layers(&mut draft.attributes),
            6 => self.attribute(draft),
            7 => draft.index = IndexForm::any(&mut self.random),
            8 => self.entry(draft),
            9 => {
                let copy = draft.chunks.get(self.random.below(draft.chunks.len() as u64) as usize).cloned();
                draft.chunks.extend(copy);
            }
            10 if self.random.one_in(4) => draft.trailer_version = self.random.below(3) as u8,
            10 => draft.rest = self.bytes(std::mem::take(&mut draft.rest)),
            change => {
                let chosen = self.random.below(draft.chunks.len() as u64) as usize;
                let Some(chunk) = draft.chunks.get_mut(chosen) else { return };
                match change {
                    11 | 12 => self.chunk_header(chunk),
                    13 => self.special(chunk),
                    14 | 15 => {
                        if let Some(recoded) = Chunk::recode(chunk, &mut self.random) {
                            *chunk = recoded.put_together();
                        }
                    }
                    16.. => self.inside(chunk),
                    _ => *chunk = self.bytes(std::mem::take(chunk)),
                }
            }
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
    fn structure<T: for<'a> BinWrite<Args<'a> = ()>>(&mut self, value: &T, endian: Endian) -> Vec<u8> {
        let written = write(value, endian).expect("what was read or made can be written");
        self.bytes(written)
    }

    fn one<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.random.below(of.len() as u64) as usize]
    }

    fn header(&mut self, draft: &mut Draft) {
        let changed = self.structure(&draft.header, Endian::Big);
        if let Ok(changed) = read::<Header>(Source::new(&changed), Endian::Big, ()) {
            let metalayers = draft.header.metalayers.clone();
            draft.header = Header { metalayers, ..changed };
        }
    }

    /// Changes the metalayer that makes an array of the frame.
    fn with_layer(&mut self, draft: &mut Draft, change: impl FnOnce(&mut Self, &mut ArrayLayer)) {
        let Some((place, mut layer)) = draft.array_layer() else { return };
        change(self, &mut layer);
        draft.layers[place].content = write(&layer, Endian::Big).expect("what was read can be written");
    }

    fn shapes(&mut self, draft: &mut Draft) {
        self.with_layer(draft, |this, layer| {
            let mut axes = draft::axes(layer);
            let chosen = this.random.below(axes.len() as u64) as usize;
            match this.random.below(6) {
                0 if axes.len() < 17 => {
                    let block = this.random.below(3) as i64 + 1;
                    axes.insert(chosen, [this.random.below(4) as i64, block + this.random.below(3) as i64, block]);
                }
                1 if axes.len() > 1 => drop(axes.remove(chosen)),
                2 => axes.reverse(),
                _ => {
                    let extent = if this.random.one_in(8) {
                        this.random.next() as i64 >> 8
                    } else {
                        this.random.below(9) as i64
                    };
                    let which = this.random.below(3) as usize;
                    if let Some(axis) = axes.get_mut(chosen) {
                        axis[which] = extent;
                    }
                }
            }
            let dtype = layer.dtype.take();
            *layer =
                ArrayLayer { dtype, parts: layer.parts, version: layer.version, ..draft::array_layer(&axes, None) };
        });
    }

    fn dtype(&mut self, draft: &mut Draft) {
        let (text, size) = self.one(&DTYPES);
        self.with_layer(draft, |_, layer| *layer = draft::array_layer(&draft::axes(layer), Some(text)));
        if !self.random.one_in(4) {
            draft.header.typesize = Int32(size);
            let typesize = u8::try_from(size).unwrap_or(1);
            draft.chunks.iter_mut().filter_map(|chunk| chunk.get_mut(3)).for_each(|place| *place = typesize);
        }
    }

    fn layers(&mut self, layers: &mut Vec<Layer>) {
        let chosen = self.random.below(layers.len() as u64 + 1) as usize;
        let name = self.one(&NAMES).as_bytes();
        let Some(layer) = layers.get_mut(chosen) else {
            return layers.push(Layer::new(&name[..name.len().min(31)], b"\x81\xa4kind\xa1x".to_vec()));
        };
        match self.random.below(4) {
            0 => drop(layers.remove(chosen)),
            1 => layer.name = Name::new(&name[..name.len().min(31)]).unwrap_or_default(),
            _ => layer.content = self.bytes(std::mem::take(&mut layer.content)),
        }
    }

    /// Adds an attribute.
    fn attribute(&mut self, draft: &mut Draft) {
        let content = [&b"\x93\x01\xa1x\xc0"[..], b"\xc4\x01x", b"", &[0x91; 80]][self.random.below(4) as usize];
        let mut chunk = draft::stored_chunk(1, content.len().max(1), content);
        if let Some(recoded) = Chunk::recode(&chunk, &mut self.random) {
            chunk = recoded.put_together();
        }
        let name = self.one(&NAMES).as_bytes();
        draft.attributes.push(Layer::new(&name[..name.len().min(31)], chunk));
    }

    fn entry(&mut self, draft: &mut Draft) {
        let chunks = draft.chunks.len() as u64;
        let place = match self.random.below(8) {
            0 => Place::Other(self.random.next() as i64),
            1 => Place::Other(self.random.below(64) as i64),
            kind @ 2..=4 => Place::Other(i64::MIN | 1 << (54 + kind)),
            _ => Place::Chunk(self.random.below(chunks) as usize),
        };
        let chosen = self.random.below(draft.entries.len() as u64 + 1) as usize;
        match draft.entries.get_mut(chosen) {
            Some(entry) => *entry = place,
            None => draft.entries.push(place),
        }
    }

    fn chunk_header(&mut self, chunk: &mut [u8]) {
        let Ok(header) = read::<ChunkHeader>(Source::new(chunk), Endian::Little, ()) else { return };
        let length = length_of(&header, Endian::Little) as usize;
        let changed = self.structure(&header, Endian::Little);
        if changed.len() == length {
            chunk[..length].copy_from_slice(&changed);
        }
    }

    /// Makes all items of a chunk the same.
    fn special(&mut self, chunk: &mut Vec<u8>) {
        let Ok(header) = read::<ChunkHeader>(Source::new(chunk), Endian::Little, ()) else { return };
        let kind = self.random.below(6) as u8;
        let value: Vec<u8> = match kind {
            3 => (0..header.typesize).map(|_| self.random.next() as u8).collect(),
            _ => vec![],
        };
        *chunk = draft::special_chunk(header.typesize, header.nbytes, kind, &value);
    }

    /// Changes a stream of a chunk, or something around it.
    fn inside(&mut self, chunk: &mut Vec<u8>) {
        let Some(mut parts) = Chunk::take_apart(chunk) else { return *chunk = self.bytes(std::mem::take(chunk)) };
        let number = self.random.below(parts.blocks.len() as u64) as usize;
        match self.random.below(10) {
            0 => parts.order.reverse(),
            1 => drop(parts.order.pop()),
            2 => parts.dictionary = parts.dictionary.map(|dictionary| self.bytes(dictionary)),
            change => {
                let Some(block) = parts.blocks.get_mut(number) else { return };
                let chosen = self.random.below(block.streams.len() as u64) as usize;
                match (change, block.streams.get_mut(chosen)) {
                    (3, _) => block.rest = self.bytes(std::mem::take(&mut block.rest)),
                    (4, Some(stream)) => {
                        stream.length = Some(self.random.below(600) as i32 - 300);
                        stream.token = stream.length.filter(|&length| length < 0).map(|_| 1);
                    }
                    (5, Some(stream)) => stream.length = None,
                    (_, Some(stream)) => stream.data = self.bytes(std::mem::take(&mut stream.data)),
                    (_, None) => {}
                }
            }
        }
        *chunk = parts.put_together();
    }
}
