//! What others make of the same files: Kaitai Struct, NumPy, idx2numpy and a reader of RawArray in Python.
//!
//! `tests/peers/setup.sh` installs them into `target/peers`. These tests run where NDBYTES_PEERS=1 is set; then a peer
//! that is missing is a failure. Elsewhere they say that they are skipped.

#![cfg(feature = "cli")]

mod support;

use half::{bf16, f16};
use ndarray::{Array, ArrayD, IxDyn, ShapeBuilder};
use ndbytes::Format;
use ndbytes::idx::{self, IdxElement, StreamWriter};
use ndbytes::rawarray::{self, Order, RawArrayElement};
use num_complex::Complex;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::corpus;

#[test]
fn kaitai_struct_agrees_on_the_byte_map() {
    let Some(peers) = Peers::find("kaitai_struct_agrees_on_the_byte_map") else { return };
    let folder = tempfile::tempdir().unwrap();
    let compiled = peers.compile_ksy(folder.path());
    let files = corpus_files(|_, folder| folder == "ok");
    peers.check("kaitai/check.py", std::iter::once(compiled).chain(files));
}

#[test]
fn numpy_agrees_on_the_values() {
    let Some(peers) = Peers::find("numpy_agrees_on_the_values") else { return };
    peers.check("numpy_check.py", corpus_files(|_, folder| folder == "ok"));
}

#[test]
fn the_reference_profile_is_what_idx2numpy_does() {
    let Some(peers) = Peers::find("the_reference_profile_is_what_idx2numpy_does") else { return };
    peers.check("idx2numpy_check.py", corpus_files(|format, _| format == Format::Idx));
}

#[test]
fn peers_read_what_the_library_writes() {
    let Some(peers) = Peers::find("peers_read_what_the_library_writes") else { return };
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

/// The peers, where they are installed.
struct Peers {
    scripts: PathBuf,
    python: PathBuf,
    node_modules: PathBuf,
}

impl Peers {
    /// Nothing where the peers are not asked for; then the skipped test is named.
    fn find(test: &str) -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("NDBYTES_PEERS").is_none_or(|value| value != "1") {
            #[expect(clippy::explicit_write, reason = "the test harness keeps back what `eprintln!` prints")]
            writeln!(std::io::stderr(), "skipped: {test} (NDBYTES_PEERS=1 is not set)").unwrap();
            return None;
        }
        let installed = root.join("target/peers");
        let peers = Peers {
            scripts: root.join("tests/peers"),
            python: installed.join("venv/bin/python"),
            node_modules: installed.join("node/node_modules"),
        };
        for needed in [&peers.python, &peers.node_modules] {
            assert!(needed.exists(), "{} is missing: run tests/peers/setup.sh", needed.display());
        }
        Some(peers)
    }

    /// Runs one of the Python programs on the tool.
    fn check(&self, script: &str, arguments: impl IntoIterator<Item = PathBuf>) {
        let mut command = Command::new(&self.python);
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command.arg(self.scripts.join(script)).arg(env!("CARGO_BIN_EXE_ndbytes")).args(arguments);
        run(command, script);
    }

    /// Compiles the descriptions in Kaitai's language to Python; the folder with the parsers.
    fn compile_ksy(&self, folder: &Path) -> PathBuf {
        let compiled = folder.join("kaitai");
        let ksy = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas/ksy");
        let descriptions = fs::read_dir(ksy).unwrap().map(|entry| entry.unwrap().path());
        let mut command = Command::new("node");
        command.env("NODE_PATH", &self.node_modules).arg(self.scripts.join("kaitai/compile.js")).arg(&compiled);
        command.args(descriptions.filter(|path| path.extension().is_some_and(|extension| extension == "ksy")));
        run(command, "compile.js");
        compiled
    }
}

fn run(mut command: Command, name: &str) {
    let output = command.output().unwrap_or_else(|error| panic!("{name}: {error}"));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name}: {}\n{out}{err}", output.status);
}

fn corpus_files(wanted: impl Fn(Format, &str) -> bool) -> Vec<PathBuf> {
    corpus::samples()
        .into_iter()
        .filter(|sample| wanted(sample.format, sample.folder))
        .map(|sample| sample.path)
        .collect()
}

/// Shapes that writers have to get right.
const SHAPES: [&[usize]; 4] = [&[5], &[2, 3, 4], &[2, 0, 3], &[30, 40]];

/// Files that were written, and what went into them.
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

            // The axes the other way round: nothing stands in memory as it has to stand in the file.
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
            // In memory as it has to stand in the file.
            let fortran = Array::from_shape_vec(IxDyn(shape).f(), array.t().iter().copied().collect()).unwrap();
            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::write(path, &fortran, Order::Fortran).unwrap();

            let path = self.add("ra", shape, dtype, "F", &column_major);
            rawarray::Writer::new().lz4(true).metadata("made by a test").write(path, &array, Order::Fortran).unwrap();
        }
        // Long enough to become shorter.
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

    /// Notes what a file is going to hold; the path to write it to.
    fn add(&mut self, extension: &str, shape: &[usize], dtype: &str, order: &str, elements: &[u8]) -> PathBuf {
        let path = self.folder.join(format!("{}.{extension}", self.files.len()));
        let hex: String = elements.iter().map(|byte| format!("{byte:02x}")).collect();
        self.files.push(json!({
            "path": path, "shape": shape, "dtype": dtype, "order": order, "elements": hex,
        }));
        path
    }
}

/// An array of values that use all bits. The same every time.
fn array<T: Clone>(shape: &[usize], value: fn(u128) -> T) -> ArrayD<T> {
    let mut seed = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835_u128;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        seed = seed.wrapping_mul(0xDA94_2042_E4DD_58B5).wrapping_add(0x2545_F491_4F6C_DD1D);
        value(seed >> 32 ^ seed)
    })
}
