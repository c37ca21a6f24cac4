//! Reads back the files that the library and the tool write: shape, type and bytes, for every format, number of axes,
//! order and type.

use crate::support::{self, Values, run_in};
use ndbytes::everybyte::Endian;
use ndbytes::{Array, Dtype, ElementKind, ItemType, Items, Limits, Result, b2nd, idx, npy, rawarray};
use ndbytes_convert::FileKind;
use std::fs;
use std::path::Path;

/// The number of arrays that the gate writes: each type with 0 to 8 axes. `NDBYTES_ARRAYS` sets another number for a longer run.
const ARRAYS: u64 = 9 * TYPES;

/// Kinds of elements of several bytes, which are written and read in both byte orders. NumPy has no names for the first four.
const ORDERED: [ElementKind; 18] = [
    ElementKind::U128,
    ElementKind::I128,
    ElementKind::Bf16,
    ElementKind::Complex32,
    ElementKind::U16,
    ElementKind::U32,
    ElementKind::U64,
    ElementKind::I16,
    ElementKind::I32,
    ElementKind::I64,
    ElementKind::F16,
    ElementKind::F32,
    ElementKind::F64,
    ElementKind::LongDouble,
    ElementKind::Complex64,
    ElementKind::Complex128,
    ElementKind::ComplexLongDouble,
    ElementKind::Str(2),
];

/// The number of types that NumPy does not have: four kinds in both byte orders. Its formats store their items under other types.
const LACKED: u64 = 8;

/// The other item types, by their NumPy names: times, raw bytes, elements without bytes, subarrays in both orders, and
/// structures that are nested, aligned and padded.
const OTHERS: [&str; 20] = [
    "<M8[ns]",
    ">M8[ns]",
    "<m8[25s]",
    ">m8[25s]",
    ">M8",
    "<U1",
    "|u1",
    "|i1",
    "|b1",
    "|S3",
    "|V5",
    "|S0",
    "[('a', '<i4'), ('b', '>u2')]",
    "[('s', [('a', '<i2'), ('b', '|u1')]), ('t', '<f8')]",
    "[('s', [('a', '>i2'), ('b', '|u1')]), ('t', '>f8')]",
    "[('s', '<i2', (2, 3)), ('t', '|S2')]",
    "[('s', '>c8', (2, 3)), ('t', '>U1'), ('u', '>M8[D]')]",
    "('>i4', (3,))",
    "('<f2', (2, 1))",
    "{'names': ['a', 'b'], 'formats': ['|u1', '<i8'], 'offsets': [0, 8], 'itemsize': 24, 'aligned': True}",
];

/// The number of types.
const TYPES: u64 = (2 * ORDERED.len() + OTHERS.len()) as u64;

/// The type with this number.
fn item_type(number: u64) -> ItemType {
    let number = (number % TYPES) as usize;
    match number.checked_sub(2 * ORDERED.len()) {
        Some(other) => OTHERS[other].parse().unwrap_or_else(|error| panic!("{}: {error}", OTHERS[other])),
        None => ItemType::Plain(Dtype::new(ORDERED[number / 2], [Endian::Little, Endian::Big][number % 2])),
    }
}

/// A pseudorandom sequence that is the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }
}

/// An array in memory that was not read from a file.
struct Made {
    item_type: ItemType,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

impl Items for Made {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        let stride = self.item_type.stride();
        Ok(&self.bytes[(start * stride) as usize..((start + count) * stride) as usize])
    }
}

impl Made {
    /// The array with this number. Consecutive numbers cover all types, with 0 to 8 axes.
    fn new(number: u64) -> Self {
        let random = &mut Random(number);
        random.next();
        let item_type = item_type(number);
        let axes = (number / TYPES) % 9;
        let shape: Vec<usize> =
            (0..axes).map(|_| if random.below(20) == 0 { 0 } else { 1 + random.below(4) }).collect();
        let items: usize = shape.iter().product();
        // Other bytes are not valid booleans in RawArray.
        let most = if item_type.to_string() == "|b1" { 1 } else { u8::MAX };
        let bytes = (0..items * item_type.stride() as usize).map(|_| random.next() as u8 & most).collect();
        Made { item_type, shape, bytes }
    }

    /// The array with its axes reversed, whose C order is the Fortran order of this one.
    fn transposed(&self) -> Made {
        let stride = self.item_type.stride() as usize;
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let items: usize = self.shape.iter().product();
        for number in 0..items {
            // The first axis varies fastest.
            let (mut left, mut place) = (number, 0);
            let steps = (0..self.shape.len()).map(|axis| self.shape[axis + 1..].iter().product::<usize>());
            for (extent, step) in self.shape.iter().zip(steps) {
                place += left % extent * step;
                left /= extent;
            }
            bytes.extend(&self.bytes[place * stride..(place + 1) * stride]);
        }
        Made { item_type: self.item_type.clone(), shape: self.shape.iter().rev().copied().collect(), bytes }
    }

    fn what(&self) -> String {
        format!("{} of {:?}", self.item_type, self.shape)
    }

    fn values(&self) -> Values {
        Values::new(self.item_type.clone(), self.shape.clone(), self.bytes.clone())
    }

    /// Writes a file with the library's own writer. Returns `None` if the format does not support such arrays.
    fn write(&mut self, kind: FileKind, path: &Path) -> Option<()> {
        let limits = Limits::default();
        let written = match kind {
            FileKind::Idx => idx::Writer::new().write_items(path, self, &limits),
            // RawArray stores items in Fortran order.
            FileKind::RawArray => rawarray::Writer::new().write_items(path, &mut self.transposed(), &limits),
            FileKind::Npy => npy::Writer::new().write_items(path, self, &limits),
            _ => b2nd::Writer::new().write_bytes(path, &self.shape, &self.item_type, &self.bytes),
        };
        match written {
            Ok(()) => Some(()),
            Err(ndbytes::Error::Inexpressible { .. }) => None,
            Err(error) => panic!("{kind}: {}: {error}", self.what()),
        }
    }
}

/// Returns whether a format supports arrays of this type and shape.
fn holds(kind: FileKind, made: &Made) -> bool {
    use ElementKind as K;
    let name = made.item_type.to_string();
    let plain = name.trim_start_matches(['<', '>', '|']);
    match kind {
        FileKind::Idx => !made.shape.is_empty() && ["u1", "i1", "i2", "i4", "f4", "f8"].contains(&plain),
        FileKind::RawArray => match &made.item_type {
            ItemType::Plain(dtype) => !matches!(
                dtype.kind,
                K::LongDouble | K::ComplexLongDouble | K::Bytes(_) | K::Str(_) | K::DateTime(_) | K::TimeDelta(_)
            ),
            _ => false,
        },
        FileKind::B2nd => made.item_type.stride() > 0,
        _ => true,
    }
}

/// The bytes of plain items in the byte order that a format prescribes, as they are at the end of the file.
fn in_order(made: &Made, is_big: bool) -> Vec<u8> {
    let mut bytes = made.bytes.clone();
    let ItemType::Plain(dtype) = &made.item_type else { panic!("{} is not plain", made.what()) };
    let width = dtype.kind.swapped() as usize;
    if width > 1 && (dtype.endian == Endian::Big) != is_big {
        bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
    }
    bytes
}

/// Writes an array in each format, and compares the values read back, and the bytes of the file, with the original.
fn assert_written(number: u64, folder: &Path) {
    let mut made = Made::new(number);
    let what = made.what();
    let is_lacked = number % TYPES < LACKED;
    let kinds = [FileKind::Idx, FileKind::RawArray, FileKind::Npy, FileKind::B2nd];
    for kind in kinds.into_iter().take(if is_lacked { 2 } else { 4 }) {
        let path = folder.join(format!("a.{}", kind.name()));
        let is_written = made.write(kind, &path).is_some();
        assert_eq!(is_written, holds(kind, &made), "{kind}: {what}");
        if !is_written {
            continue;
        }
        let array: Array<'_> = ndbytes::open(&path).unwrap().into_array().unwrap();
        assert_eq!(Values::of(&array), made.values(), "{kind}: {what}");
        let report = ndbytes::Checker::new().check(&path).unwrap();
        assert!(report.verdict() < ndbytes::Verdict::Error, "{kind}: {what}: {:?}", report.findings());
        let file = fs::read(&path).unwrap();
        match kind {
            FileKind::Npy => assert!(file.ends_with(&made.bytes), "{what}"),
            FileKind::Idx => assert!(file.ends_with(&in_order(&made, true)), "{what}"),
            FileKind::RawArray => {
                assert!(file.ends_with(&in_order(&made.transposed(), false)), "{what}");
                let dims = file[48..].chunks_exact(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()) as usize);
                assert!(dims.take(made.shape.len()).eq(made.shape.iter().copied()), "{what}");
            }
            _ => {}
        }
    }
}

/// Converts the array to a kind and back with the tool, from both orders. The result must equal the first file.
fn assert_converted(number: u64, folder: &Path) {
    let mut made = Made::new(number);
    made.write(FileKind::Npy, &folder.join("it.npy")).expect(".npy has every type");
    let first = fs::read(folder.join("it.npy")).unwrap();
    for kind in [FileKind::RawArray, FileKind::B2nd, FileKind::Npz].into_iter().filter(|kind| holds(*kind, &made)) {
        let there = format!("there.{}", kind.name());
        let ended = run_in(folder, &["convert", "--force", "it.npy", &there]);
        assert_eq!(ended.status, 0, "{kind}: {}: {}", made.what(), ended.stderr);
        let address = if kind == FileKind::Npz { format!("{there}!it.npy") } else { there.clone() };
        let ended = run_in(folder, &["convert", "--force", &address, "back.npy"]);
        assert_eq!(ended.status, 0, "{kind}: {}: {}", made.what(), ended.stderr);
        let back = fs::read(folder.join("back.npy")).unwrap();
        assert_eq!(Values::of(&support::array(&back)), made.values(), "{kind}: {}", made.what());
        if kind != FileKind::RawArray {
            assert!(back == first, "{kind}: {}: the file that comes back is another", made.what());
        }
    }
}

#[test]
fn arrays_that_the_library_writes_are_read_back_for_every_type_and_number_of_axes() {
    let folder = tempfile::tempdir().unwrap();
    (0..ARRAYS).for_each(|number| assert_written(number, folder.path()));
}

#[test]
fn arrays_that_the_tool_converts_come_back_for_every_number_of_axes() {
    let folder = tempfile::tempdir().unwrap();
    // Each has a different number of axes and a different type, among those that NumPy supports.
    let number = |axes: u64| axes * TYPES + LACKED + (7 * axes + 1) % (TYPES - LACKED);
    (0..9).for_each(|axes| assert_converted(number(axes), folder.path()));
}

#[test]
#[ignore = "takes minutes: NDBYTES_ARRAYS=20000 cargo test --test convert -- --ignored written::"]
fn many_arrays_that_are_written_are_read_back() {
    let count = std::env::var("NDBYTES_ARRAYS").map_or(ARRAYS * 10, |count| count.parse().expect("a number"));
    let folder = tempfile::tempdir().unwrap();
    (0..count).for_each(|number| assert_written(number, folder.path()));
    let numbers = (0..count / 20).filter(|number| number % TYPES >= LACKED);
    numbers.for_each(|number| assert_converted(number, folder.path()));
}
