//! b2nd arrays that the library writes, and the content that python-blosc2 should find in them.

use ndbytes::ItemType;
use ndbytes::b2nd::{Codec, Filter, Writer};
use ndbytes_testkit::b2nd::Numbers;
use serde_json::{Value, json};
use std::fmt;
use std::path::{Path, PathBuf};

/// A written array.
pub struct Frame {
    pub path: PathBuf,
    dtype: String,
    pub shape: Vec<usize>,
    chunks: Vec<usize>,
    blocks: Vec<usize>,
    pub items: Vec<u8>,
    codec: Codec,
    level: u8,
    filters: Vec<Filter>,
    metalayers: Vec<(&'static str, Value)>,
    attributes: Vec<(&'static str, Value)>,
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Frame { dtype, shape, chunks, blocks, codec, level, filters, .. } = self;
        write!(f, "{dtype} {shape:?} {chunks:?} {blocks:?} {codec:?} {level} {filters:?}")
    }
}

impl Frame {
    /// The expected result.
    pub fn expected(&self) -> Value {
        let object = |pairs: &[(&str, Value)]| -> Value {
            pairs.iter().map(|(name, value)| (name.to_string(), value.clone())).collect()
        };
        json!({
            "path": self.path,
            "shape": self.shape,
            "dtype": self.dtype,
            "chunks": self.chunks,
            "blocks": self.blocks,
            "codec": self.codec.0,
            "level": self.level,
            "meta": object(&self.metalayers),
            "vlmeta": object(&self.attributes),
            "items": hex(&self.items),
        })
    }

    /// Describes the properties that differ.
    pub fn difference(&self, found: &Value) -> String {
        let expected = self.expected();
        let parts = expected.as_object().into_iter().flatten().filter(|(name, value)| found[*name] != **value);
        let parts: Vec<String> =
            parts.map(|(name, value)| format!("{name}: {:.300} for {value:.300}", found[name])).collect();
        format!("{} {}", parts.join("; "), found["refused"])
    }

    /// Returns whether C-Blosc2 can extend it. With a delta, or with three or more filters, it writes wrong blocks. An
    /// array without items has no first row.
    pub fn is_extensible(&self) -> bool {
        !self.shape.is_empty()
            && !self.items.is_empty()
            && self.filters.len() < 3
            && !self.filters.contains(&Filter::Delta)
    }

    /// The array after it has been extended.
    pub fn extended(&self) -> Frame {
        let rows = (self.chunks[0] / 2).max(1);
        let row = self.items.len() / self.shape[0];
        let (mut shape, mut items, mut attributes) = (self.shape.clone(), self.items.clone(), self.attributes.clone());
        shape[0] += rows;
        items.extend(self.items[..row].repeat(rows));
        attributes.push(("extended", json!(rows)));
        Frame {
            path: self.path.clone(),
            dtype: self.dtype.clone(),
            shape,
            items,
            attributes,
            chunks: self.chunks.clone(),
            blocks: self.blocks.clone(),
            filters: self.filters.clone(),
            metalayers: self.metalayers.clone(),
            ..*self
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// How bytes are generated.
#[derive(Clone, Copy)]
enum Content {
    Zeros,
    Few,
    Noise,
    /// The same item everywhere.
    Same,
}

/// The arrays written so far.
struct Frames<'f> {
    folder: &'f Path,
    frames: Vec<Frame>,
}

/// Writes arrays of all kinds.
pub fn write_all(folder: &Path) -> Vec<Frame> {
    let mut frames = Frames { folder, frames: Vec::new() };
    let types = [
        "|b1",
        "|i1",
        "|u1",
        "<i2",
        "<u2",
        "<i4",
        "<u4",
        "<i8",
        "<u8",
        "<f2",
        "<f4",
        "<f8",
        "<f16",
        "<c8",
        "<c16",
        "<c32",
        ">i2",
        ">u4",
        ">f8",
        ">c16",
        "|S5",
        "|S300",
        "<U7",
        "<U100",
        ">U3",
        "|V10",
        "<M8[ns]",
        "<M8[25s]",
        "<m8[D]",
        "[('a', '<i4'), ('b', '<f8'), ('name', 'S5')]",
        "[('c', '<f4', (2, 3)), ('n', [('x', '>i2'), ('y', '<U3')])]",
        "{'names': ['a', 'b'], 'formats': ['<i4', '<f8'], 'offsets': [4, 16], 'itemsize': 32}",
        "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16, 'aligned': True}",
        "[('large', 'S400'), ('\\'quoted\\'', '<f8')]",
    ];
    for dtype in types {
        for (shape, content) in [(&[][..], Content::Few), (&[1000], Content::Few), (&[9, 7, 11], Content::Same)] {
            frames.add(dtype, shape, content, Settings::default());
        }
        frames.add(
            dtype,
            &[40, 30],
            Content::Few,
            Settings { chunks: &[17, 30], blocks: &[5, 8], ..Settings::default() },
        );
    }
    let cut = Settings { chunks: &[300, 70], blocks: &[40, 33], ..Settings::default() };
    for codec in [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD] {
        for level in 0..=9 {
            frames.add("<f4", &[500, 100], Content::Few, Settings { codec, level, ..cut });
        }
        for content in [Content::Zeros, Content::Noise, Content::Same] {
            frames.add("<i8", &[500, 100], content, Settings { codec, ..cut });
        }
        let filters: [&[Filter]; 10] = [
            &[],
            &[Filter::ShuffleBy(2)],
            &[Filter::Bitshuffle],
            &[Filter::Delta],
            &[Filter::Delta, Filter::Shuffle],
            &[Filter::Shuffle, Filter::Bytedelta],
            &[Filter::ShuffleBy(4), Filter::BytedeltaBy(4)],
            &[Filter::Bytedelta, Filter::Bitshuffle],
            &[Filter::Bitshuffle, Filter::Shuffle, Filter::Bytedelta],
            &[
                Filter::Delta,
                Filter::Shuffle,
                Filter::Shuffle,
                Filter::Bitshuffle,
                Filter::Bytedelta,
                Filter::Bitshuffle,
            ],
        ];
        for filters in filters {
            // Only whole chunks are read, since C-Blosc2 returns wrong items with a delta if only some blocks are read.
            frames.add("<u4", &[600, 140], Content::Few, Settings { codec, filters, ..cut });
        }
    }
    for axes in 1..=16 {
        frames.add("<i4", &vec![2; axes], Content::Few, Settings::default());
        frames.add("<i4", &vec![2; axes], Content::Few, Settings { blocks: &[1; 16][..axes], ..Settings::default() });
    }
    for shape in [&[0][..], &[0, 100], &[5, 0], &[0, 0, 3]] {
        frames.add("<f8", shape, Content::Few, Settings::default());
    }
    for (shape, content) in
        [(&[500, 100][..], Content::Few), (&[500, 100], Content::Zeros), (&[0, 3], Content::Few), (&[], Content::Few)]
    {
        frames.add("<f8", shape, content, Settings { is_sparse: true, ..Settings::default() });
    }
    frames.add("<f8", &[500, 100], Content::Few, Settings { is_sparse: true, ..cut });
    frames.add(
        "<f8",
        &[5000, 40],
        Content::Few,
        Settings { chunks: &[1, 40], blocks: &[1, 40], ..Settings::default() },
    );
    frames.add("<f8", &[1000, 1000], Content::Few, Settings::default());
    for is_sparse in [false, true] {
        frames.add("<f8", &[10], Content::Few, Settings { with_metadata: true, is_sparse, ..Settings::default() });
    }
    frames.frames
}

/// How an array is written.
#[derive(Clone, Copy)]
struct Settings<'s> {
    chunks: &'s [usize],
    blocks: &'s [usize],
    codec: Codec,
    level: u8,
    filters: &'s [Filter],
    is_sparse: bool,
    with_metadata: bool,
}

impl Default for Settings<'_> {
    fn default() -> Self {
        Settings {
            chunks: &[],
            blocks: &[],
            codec: Codec::ZSTD,
            level: 5,
            filters: &[Filter::Shuffle],
            is_sparse: false,
            with_metadata: false,
        }
    }
}

impl Frames<'_> {
    fn add(&mut self, dtype: &str, shape: &[usize], content: Content, settings: Settings<'_>) {
        let Settings { chunks, blocks, codec, level, filters, is_sparse, with_metadata } = settings;
        let item_type: ItemType = dtype.parse().unwrap();
        let item_size = item_type.size() as usize;
        let mut numbers = Numbers::new(dtype);
        let length = shape.iter().product::<usize>() * item_size;
        let items: Vec<u8> = match content {
            Content::Zeros => vec![0; length],
            // This includes booleans.
            Content::Few => (0..length).map(|_| numbers.below(2) as u8).collect(),
            Content::Noise => (0..length).map(|_| numbers.below(256) as u8).collect(),
            Content::Same => (0..length).map(|place| (place % item_size % 2) as u8).collect(),
        };
        let mut writer = Writer::new().codec(codec).level(level).filters(filters).delta_blocks(true).sparse(is_sparse);
        if !chunks.is_empty() {
            writer = writer.chunks(chunks);
        }
        if !blocks.is_empty() {
            writer = writer.blocks(blocks);
        }
        let (mut metalayers, mut attributes) = (Vec::new(), Vec::new());
        if with_metadata {
            let long = "long ".repeat(100_000);
            metalayers = vec![("unit", json!("K")), ("nested", json!({"a": [1, 2.5, null, true], "b": {}}))];
            attributes = vec![("long", json!(long)), ("list", json!([1, -1, "\u{1f600}"])), ("none", Value::Null)];
        }
        for (name, value) in &metalayers {
            writer = writer.metalayer(name, &msgpack(value)).unwrap();
        }
        for (name, value) in &attributes {
            writer = writer.attribute(name, &msgpack(value)).unwrap();
        }
        let path = self.folder.join(format!("{}.b2nd", self.frames.len()));
        writer.write_bytes(&path, shape, &item_type, &items).unwrap();
        let array = ndbytes::b2nd::open(&path).unwrap();
        self.frames.push(Frame {
            dtype: item_type.to_string(),
            shape: shape.to_vec(),
            chunks: array.chunk_shape(),
            blocks: array.block_shape(),
            items,
            codec,
            level,
            filters: filters.to_vec(),
            metalayers,
            attributes,
            path,
        });
    }
}

/// Converts a JSON value to msgpack.
fn msgpack(value: &Value) -> rmpv::Value {
    match value {
        Value::Null => rmpv::Value::Nil,
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => match number.as_i64() {
            Some(integer) => integer.into(),
            None => number.as_f64().unwrap().into(),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(values) => rmpv::Value::Array(values.iter().map(msgpack).collect()),
        Value::Object(map) => {
            rmpv::Value::Map(map.iter().map(|(key, value)| (key.as_str().into(), msgpack(value))).collect())
        }
    }
}
