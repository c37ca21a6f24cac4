//! Files of several megabytes, most of which are between head and tail.

use ndarray::{Array2, ArrayD, IxDyn};
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values};
use ndbytes::rawarray::Order;
use ndbytes::schemas::idv::Compression;
use ndbytes::{b2nd, idv, idx, npy, rawarray};
use ndbytes_testkit::zip::{Entry, STORED, zip};
use std::io::Cursor;

/// The shape of an array: images of 32 × 32 bytes.
pub const SHAPE: [usize; 3] = [6000, 32, 32];

/// The number of rows in a table.
pub const ROWS: usize = 40_000;

/// Incompressible bytes that are the same on every machine.
pub fn noise() -> impl Iterator<Item = u8> {
    let mut state = 1_u64;
    std::iter::repeat_with(move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 32) as u8
    })
}

pub fn array() -> ArrayD<u8> {
    let count = SHAPE.iter().product();
    ArrayD::from_shape_vec(IxDyn(&SHAPE), noise().take(count).collect()).unwrap()
}

/// The file of each kind, by its name in the table of requests.
pub fn files() -> Vec<(&'static str, Vec<u8>)> {
    let array = array();
    let folder = tempfile::tempdir().unwrap();
    let written = |name: &str, write: &dyn Fn(&std::path::Path) -> ndbytes::Result<()>| {
        let path = folder.path().join(name);
        write(&path).unwrap();
        std::fs::read(&path).unwrap()
    };
    let table = table();
    vec![
        ("IDX", written("a.idx", &|path| idx::write(path, &array))),
        ("IDX inside gzip", written("a.idx.gz", &|path| idx::Writer::new().gzip(true).write(path, &array))),
        ("RawArray", written("a.ra", &|path| rawarray::write(path, &array, Order::C))),
        ("`.npy`", written("a.npy", &|path| npy::write(path, &array))),
        ("b2nd", field(&array)),
        ("IDV", table.clone()),
        (
            "IDV in a zip archive",
            zip(&[
                Entry::new("other", &noise().take(1 << 20).collect::<Vec<_>>(), STORED),
                Entry::new("model/Schema", &table, STORED),
            ]),
        ),
    ]
}

/// Writes an array in 48 chunks of 128 KiB.
pub fn field(array: &ArrayD<u8>) -> Vec<u8> {
    b2nd::Writer::new().chunks([125, 32, 32]).blocks([25, 32, 32]).codec(b2nd::Codec::LZ4).to_vec(array).unwrap()
}

/// Writes a table of six columns in blocks of 1,000 rows.
pub fn table() -> Vec<u8> {
    let vectors = |place: u32| ColumnType::vector(ItemType::F32, [8 + place]);
    let columns = (0..6).map(|place| {
        let names = (0..8 + place).map(|slot| format!("slot {slot}"));
        NewColumn::new(format!("column {place}"), vectors(place)).slot_names(names)
    });
    let writer = idv::Writer::new(columns).compression(Compression::DEFLATE).rows_per_block(1000);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    let mut noise = noise();
    let values = (0..6).map(|place| {
        let numbers = Array2::from_shape_simple_fn([ROWS, 8 + place], || f32::from(noise.next().unwrap()));
        Values::of_array(&numbers).unwrap()
    });
    writer.write(&values.collect::<Vec<_>>()).unwrap();
    writer.finish_sink().unwrap().into_inner()
}
