//! The cost of the steps that decode a Zarr chunk: each codec, chains of codecs, axis orders, and nested shards. Each
//! is measured at two sizes, with the codecs that the reader itself lists. The table is on the book's page "Costs".

use crate::ALONE;
use crate::table::{Row, ensure, tool};
use flate2::Compression;
use flate2::write::ZlibEncoder;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::Path;

/// The length of the smaller chunk in bytes. The other is twice as long.
const BYTES: usize = 256 << 10;

/// The maximum memory per byte of the larger chunk.
const MOST: f64 = 8.0;

/// Makes a store in a directory, in which something has a size or twice that.
type Make = Box<dyn Fn(&Path, usize)>;

/// A step: what grows, and how to make a store in which it has a size or twice that.
struct Step {
    name: String,
    grows: &'static str,
    make: Make,
}

/// Bytes that do not compress well.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 7_u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    (0..length).map(|_| next()).collect()
}

fn bytes() -> Value {
    json!({"name": "bytes", "configuration": {"endian": "little"}})
}

/// A store of one chunk.
fn store(folder: &Path, shape: &[usize], codecs: &[Value], chunk: &[u8]) {
    let node = json!({
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": "uint8", "fill_value": 0, "codecs": codecs,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
        "chunk_key_encoding": {"name": "v2"},
    });
    fs::create_dir_all(folder).unwrap();
    fs::write(folder.join("zarr.json"), node.to_string()).unwrap();
    fs::write(folder.join(vec!["0"; shape.len()].join(".")), chunk).unwrap();
}

/// Runs a conversion and returns the peak and the total of its allocations.
fn convert(arguments: &[&str], from: &Path, to: &Path) -> [u64; 2] {
    let first = ["convert", "--force"].iter().chain(arguments).map(Into::into);
    tool(first.chain([from.into(), to.into()]))
}

/// The checksum, bit by bit.
fn crc32c(bytes: &[u8]) -> [u8; 4] {
    let sum = bytes.iter().fold(!0_u32, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| sum >> 1 ^ if sum & 1 == 1 { 0x82f6_3b78 } else { 0 })
    });
    (!sum).to_le_bytes()
}

fn summed(bytes: &[u8]) -> Vec<u8> {
    [bytes, &crc32c(bytes)].concat()
}

/// The decoded length, and an LZ4 block that is one run of literals.
fn lz4(bytes: &[u8]) -> Vec<u8> {
    let mut block = [&(bytes.len() as u32).to_le_bytes()[..], &[0xf0]].concat();
    let mut rest = bytes.len() - 15;
    while rest >= 255 {
        block.push(255);
        rest -= 255;
    }
    block.push(rest as u8);
    [block, bytes.to_vec()].concat()
}

/// Bytes encoded with a codec that the reader lists. A new codec fails here until its cost is measured.
fn encoded(codec: &str, bytes: &[u8], folder: &Path) -> Vec<u8> {
    match codec {
        "gzip" | "zstd" | "blosc" => {
            store(&folder.join("plain.zarr"), &[bytes.len()], &[self::bytes()], bytes);
            convert(&[], &folder.join("plain.zarr"), &folder.join("plain.npy"));
            let _ = fs::remove_dir_all(folder.join("made.zarr"));
            convert(&["--codec", codec], &folder.join("plain.npy"), &folder.join("made.zarr"));
            fs::read(folder.join("made.zarr/c/0")).unwrap()
        }
        "numcodecs.zlib" => {
            let mut to = ZlibEncoder::new(Vec::new(), Compression::default());
            to.write_all(bytes).unwrap();
            to.finish().unwrap()
        }
        "numcodecs.lz4" => lz4(bytes),
        "crc32c" => summed(bytes),
        other => panic!("what does the codec {other} cost?"),
    }
}

fn codec(name: String) -> Step {
    let id = name.clone();
    let make = move |folder: &Path, size: usize| {
        let chunk = encoded(&id, &noise(BYTES * size), folder);
        store(&folder.join("x.zarr"), &[BYTES * size], &[bytes(), json!({"name": id, "configuration": {}})], &chunk);
    };
    Step { name: format!("`{name}`"), grows: "bytes", make: Box::new(make) }
}

/// Nested chunks, with as many bytes on each level, followed by the index.
fn shards(levels: usize, inner: usize) -> (Value, Vec<u8>) {
    let (mut codecs, mut chunk, mut length) = (vec![bytes()], noise(BYTES), BYTES / inner);
    for level in 0..levels {
        let count = if level == 0 { inner } else { 1 };
        let part = chunk.len() / count;
        let index: Vec<u8> =
            (0..count).flat_map(|place| [place * part, part]).flat_map(|word| (word as u64).to_le_bytes()).collect();
        chunk = [chunk, summed(&index)].concat();
        codecs = vec![json!({"name": "sharding_indexed", "configuration": {
            "chunk_shape": [length], "codecs": codecs, "index_codecs": [bytes(), {"name": "crc32c"}],
        }})];
        length = BYTES;
    }
    (codecs.remove(0), chunk)
}

fn steps() -> Vec<Step> {
    let mut steps: Vec<Step> = ndbytes_convert::zarr_codecs().map(codec).collect();
    let mut add = |name: &str, grows, make: fn(&Path, usize)| {
        steps.push(Step { name: name.to_owned(), grows, make: Box::new(make) });
    };
    add("a chain of `crc32c`", "codecs", |folder, size| {
        let chunk = (0..8 * size).fold(noise(BYTES), |bytes, _| summed(&bytes));
        let codecs: Vec<Value> =
            [bytes()].into_iter().chain((0..8 * size).map(|_| json!({"name": "crc32c"}))).collect();
        store(&folder.join("x.zarr"), &[BYTES], &codecs, &chunk);
    });
    let turned = |axes: usize| {
        let order: Vec<usize> = (0..axes).rev().collect();
        [json!({"name": "transpose", "configuration": {"order": order}}), bytes()]
    };
    let make = move |folder: &Path, size: usize| {
        store(&folder.join("x.zarr"), &[16, 16, BYTES * size / 256], &turned(3), &noise(BYTES * size));
    };
    steps.push(Step { name: "`transpose`".into(), grows: "bytes", make: Box::new(make) });
    let make = move |folder: &Path, size: usize| {
        let shape: Vec<usize> = (0..16 * size)
            .map(|axis| match axis {
                0 | 1 => 4,
                2..16 => 2,
                _ => 1,
            })
            .collect();
        store(&folder.join("x.zarr"), &shape, &turned(16 * size), &noise(BYTES));
    };
    steps.push(Step { name: "`transpose`".into(), grows: "axes", make: Box::new(make) });
    for (name, grows, sizes) in
        [("a shard", "inner chunks", [[1, 256], [1, 512]]), ("shards in shards", "levels", [[4, 1], [8, 1]])]
    {
        let make = move |folder: &Path, size: usize| {
            let [levels, inner] = sizes[size - 1];
            let (codec, chunk) = shards(levels, inner);
            store(&folder.join("x.zarr"), &[BYTES], &[codec], &chunk);
        };
        steps.push(Step { name: name.into(), grows, make: Box::new(make) });
    }
    steps
}

fn measured() -> Vec<Row> {
    let row = |step: Step, beside: [u64; 2]| {
        let costs = [1, 2].map(|size| {
            let folder = tempfile::tempdir().unwrap();
            (step.make)(folder.path(), size);
            convert(&[], &folder.path().join("x.zarr"), &folder.path().join("x.npy"))
        });
        let bytes = if step.grows == "bytes" { BYTES * 2 } else { BYTES };
        Row::new((&step.name, step.grows), costs, beside, (bytes, MOST))
    };
    // Neither the constant cost of any conversion nor the one-time cost of the first is part of a step.
    let folder = tempfile::tempdir().unwrap();
    encoded("zstd", &noise(100), folder.path());
    // Each step makes a new file, so no file is replaced here either.
    let beside = convert(&[], &folder.path().join("plain.zarr"), &folder.path().join("beside.npy"));
    steps().into_iter().map(|step| row(step, beside)).collect()
}

#[test]
fn each_step_of_zarr_costs_in_proportion_to_what_grows() {
    let _alone = ALONE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    ensure(&measured(), "steps.rs");
}
