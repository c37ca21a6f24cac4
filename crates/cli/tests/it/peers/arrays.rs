//! Kaitai Struct, NumPy, idx2numpy, and a reader of RawArray in Python.

use super::{Peers, corpus_files, has_plain_elements};
use half::{bf16, f16};
use ndarray::{Array, ArrayD, IxDyn, ShapeBuilder};
use ndbytes::Format;
use ndbytes::idx::{self, IdxElement, StreamWriter};
use ndbytes::rawarray::{self, Order, RawArrayElement};
use num_complex::Complex;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn kaitai_struct_agrees_on_the_byte_map() {
    let peers = Peers::find();
    let folder = tempfile::tempdir().unwrap();
    let compiled = peers.compile_ksy(folder.path());
    // The others do not have a Kaitai description yet.
    let files = corpus_files(|format, folder| has_plain_elements(format) && folder == "ok");
    peers.check("kaitai/check.py", std::iter::once(compiled).chain(files));
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn numpy_agrees_on_the_values() {
    let peers = Peers::find();
    // The tables are tested with ML.NET, and the chunks with python-blosc2.
    peers.check("numpy_check.py", corpus_files(|format, folder| has_plain_elements(format) && folder == "ok"));
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn the_reference_profile_is_what_idx2numpy_does() {
    let peers = Peers::find();
    peers.check("idx2numpy_check.py", corpus_files(|format, _| format == Format::Idx));
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn peers_read_what_the_library_writes() {
    let peers = Peers::find();
    let folder = tempfile::tempdir().unwrap();
    let mut written = Written { folder: folder.path(), files: Vec::new() };
    written.idx();
    written.rawarray();
    let manifest = folder.path().join("manifest.json");
    fs::write(&manifest, serde_json::to_vec(&written.files).unwrap()).unwrap();
    peers.check("written_check.py", [manifest]);

    let files = || written.files.iter().map(|file| PathBuf::from(file["path"].as_str().unwrap()));
    peers.check("numpy_check.py", files());
    let compiled = peers.compile_ksy(folder.path());
    peers.check("kaitai/check.py", std::iter::once(compiled).chain(files()));
}

/// Shapes that writers must handle correctly.
const SHAPES: [&[usize]; 4] = [&[5], &[2, 3, 4], &[2, 0, 3], &[30, 40]];

/// Written files, and their expected content.
struct Written<'a> {
    folder: &'a Path,
    files: Vec<Value>,
}

impl Written<'_> {
    fn idx(&mut self) {
        self.idx_of::<u8>("|u1", |seed| seed as u8, |value| value.to_be_bytes().to_vec());
        self.idx_of::<i8>("|i1", |seed| seed as i8, |value| value.to_be_bytes().to_vec());
        self.idx_of::<i16>(">i2", |seed| seed as i16, |value| value.to_be_bytes().to_vec());
        self.idx_of::<i32>(">i4", |seed| seed as i32, |value| value.to_be_bytes().to_vec());
        self.idx_of::<f32>(">f4", |seed| f32::from_bits(seed as u32), |value| value.to_bits().to_be_bytes().to_vec());
        self.idx_of::<f64>(">f8", |seed| f64::from_bits(seed as u64), |value| value.to_bits().to_be_bytes().to_vec());
    }

    fn idx_of<T: IdxElement>(&mut self, dtype: &str, value: fn(u128) -> T, bytes: fn(&T) -> Vec<u8>) {
        for shape in SHAPES {
            let array = array(shape, value);
            let expected = |array: &ArrayD<T>| array.iter().flat_map(bytes).collect::<Vec<u8>>();
            let path = self.add("idx", shape, dtype, "C", &expected(&array));
            idx::write(path, &array).unwrap();

            let path = self.add("idx.gz", shape, dtype, "C", &expected(&array));
            idx::Writer::new().gzip(true).write(path, &array).unwrap();

            // The axes are reversed, so the memory layout differs from the file's.
            let transposed = array.t().to_owned();
            let path = self.add("idx", transposed.shape(), dtype, "C", &expected(&transposed));
            idx::write(path, &array.t()).unwrap();

            if shape.len() > 1 && !shape[1..].contains(&0) {
                let path = self.add("idx", shape, dtype, "C", &expected(&array));
                let mut stream = StreamWriter::<T>::create(path, &shape[1..]).unwrap();
                for item in array.outer_iter() {
                    stream.push(&item).unwrap();
                }
                stream.finish().unwrap();
            }
        }
        let scalar = array(&[], value);
        let path = self.add("idx", &[], dtype, "C", &bytes(scalar.first().unwrap()));
        idx::Writer::new().scalars(true).write(path, &scalar).unwrap();
    }

    fn rawarray(&mut self) {
        macro_rules! integers {
            ($($type:ty => $dtype:literal),*) => {$(
                self.rawarray_of::<$type>($dtype, |seed| seed as $type, |value| value.to_le_bytes().to_vec());
            )*};
        }
        macro_rules! floats {
            ($($type:ty, $bits:ty, $dtype:literal, $complex_dtype:literal);*) => {$(
                self.rawarray_of::<$type>($dtype, |seed| <$type>::from_bits(seed as $bits), |value| {
                    value.to_bits().to_le_bytes().to_vec()
                });
                self.rawarray_of::<Complex<$type>>(
                    $complex_dtype,
                    |seed| Complex::new(<$type>::from_bits(seed as $bits), <$type>::from_bits((seed >> 64) as $bits)),
                    |value| [value.re.to_bits().to_le_bytes(), value.im.to_bits().to_le_bytes()].concat(),
                );
            )*};
        }
        integers!(i8 => "|i1", i16 => "<i2", i32 => "<i4", i64 => "<i8", i128 => "<i16");
        integers!(u8 => "|u1", u16 => "<u2", u32 => "<u4", u64 => "<u8", u128 => "<u16");
        floats!(f16, u16, "<f2", "complex32"; f32, u32, "<f4", "<c8"; f64, u64, "<f8", "<c16");
        let bf16_bytes = |value: &bf16| value.to_bits().to_le_bytes().to_vec();
        self.rawarray_of::<bf16>("bfloat16", |seed| bf16::from_bits(seed as u16), bf16_bytes);
        self.rawarray_of::<bool>("|b1", |seed| seed & 1 == 1, |value| vec![u8::from(*value)]);
        self.records();
    }

    fn rawarray_of<T: RawArrayElement>(&mut self, dtype: &str, value: fn(u128) -> T, bytes: fn(&T) -> Vec<u8>) {
        for shape in SHAPES.into_iter().chain([&[][..]]) {
            let array = array(shape, value);
            let row_major = array.iter().flat_map(bytes).collect::<Vec<u8>>();
            let column_major = array.t().iter().flat_map(bytes).collect::<Vec<u8>>();
            let reversed: Vec<usize> = shape.iter().rev().copied().collect();

            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::write(path, &array, Order::Fortran).unwrap();
            let path = self.add("ra", &reversed, dtype, "F", &row_major);
            rawarray::write(path, &array, Order::C).unwrap();
            // The memory layout is the same as the file's.
            let fortran = Array::from_shape_vec(IxDyn(shape).f(), array.t().iter().copied().collect()).unwrap();
            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::write(path, &fortran, Order::Fortran).unwrap();

            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::Writer::new().lz4(true).metadata("made by a test").write(path, &array, Order::Fortran).unwrap();
        }
        // The array is long enough for compression to pay off.
        let path = self.add("ra", &[100, 7], dtype, "F", &bytes(&value(1)).repeat(700));
        let same = ArrayD::from_elem(IxDyn(&[100, 7]), value(1));
        rawarray::Writer::new().lz4(true).write(path, &same, Order::Fortran).unwrap();
    }

    fn records(&mut self) {
        let array = array(&[2, 3], |seed| <[u8; 12]>::try_from(&seed.to_le_bytes()[..12]).unwrap());
        let row_major: Vec<u8> = array.iter().copied().flatten().collect();
        let path = self.add("ra", &[3, 2], "|V12", "F", &row_major);
        rawarray::Writer::new().write_records(path, &array, Order::C).unwrap();
    }

    /// Records the expected content of a file and returns the path to write it to.
    fn add(&mut self, extension: &str, shape: &[usize], dtype: &str, order: &str, elements: &[u8]) -> PathBuf {
        let path = self.folder.join(format!("{}.{extension}", self.files.len()));
        let hex: String = elements.iter().map(|byte| format!("{byte:02x}")).collect();
        self.files.push(json!({
            "path": path, "shape": shape, "dtype": dtype, "order": order, "elements": hex,
        }));
        path
    }
}

/// A reproducible array with values that use all bits.
fn array<T: Clone>(shape: &[usize], value: fn(u128) -> T) -> ArrayD<T> {
    let mut seed = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835_u128;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        seed = seed.wrapping_mul(0xDA94_2042_E4DD_58B5).wrapping_add(0x2545_F491_4F6C_DD1D);
        value(seed >> 32 ^ seed)
    })
}
