//! Compares this library with the reference reader of RawArray, the crate `rawarray` 0.1.4. Each reads the other's files, and the
//! crate's errors are shown next to the behaviour of this library. Profile `reference` must match the crate.

use ::rawarray::{RawArray, RawArrayFile, RawArrayType};
use half::{bf16, f16};
use ndarray::{Array1, Array2, Array3, ArrayD, IxDyn};
use ndbytes::rawarray::{self, Order, RawArrayElement};
use ndbytes::{Checker, Element, Error, Format, Profile, Rule, Verdict};
use num_complex::Complex;

use ndbytes_testkit::corpus;
use std::cell::Cell;
use std::fmt::{self, Debug};
use std::fs;
use std::hint::black_box;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use tempfile::TempDir;

thread_local! {
    static SILENT: Cell<bool> = const { Cell::new(false) };
}

/// Runs a closure that may panic, and returns the panic message if it did. Nothing is printed.
fn caught<R>(run: impl FnOnce() -> R) -> Result<R, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !SILENT.get() {
                usual(info);
            }
        }));
    });
    SILENT.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    SILENT.set(false);
    result.map_err(|payload| match payload.downcast::<String>() {
        Ok(message) => *message,
        Err(payload) => payload.downcast_ref::<&str>().copied().unwrap_or("a panic without words").into(),
    })
}

/// Reads a file with the crate. A panic counts as an error.
fn crate_read<T: RawArrayType>(path: &Path) -> Result<RawArray<T>, String> {
    caught(|| RawArray::<T>::read(path)).and_then(|result| result.map_err(|error| error.to_string()))
}

/// A file in its own directory.
fn file() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    (folder, path)
}

/// A file of little-endian words, followed by bytes.
fn words(words: &[u64], data: &[u8]) -> Vec<u8> {
    let words = words.iter().flat_map(|word| word.to_le_bytes());
    b"rawarray".iter().copied().chain(words).chain(data.iter().copied()).collect()
}

/// The rule for which this library refuses a file.
fn refused(bytes: &[u8]) -> &'static Rule {
    let error = rawarray::from_slice(bytes).expect_err("the file is malformed");
    error.finding().unwrap_or_else(|| panic!("no rule: {error}")).rule
}

/// Some values of a type.
trait Samples: Sized {
    fn samples() -> Vec<Self>;
}

macro_rules! samples {
    ($($type:ty => $values:expr),* $(,)?) => {$(
        impl Samples for $type {
            fn samples() -> Vec<Self> {
                $values.to_vec()
            }
        }
    )*};
}

samples! {
    i8 => [i8::MIN, -1, 0, 1, 2, i8::MAX],
    i16 => [i16::MIN, -1, 0, 1, 258, i16::MAX],
    i32 => [i32::MIN, -1, 0, 1, 0x0102_0304, i32::MAX],
    i64 => [i64::MIN, -1, 0, 1, 2, i64::MAX],
    i128 => [i128::MIN, -1, 0, 1, 2, i128::MAX],
    u8 => [0, 1, 2, 3, 4, u8::MAX],
    u16 => [0, 1, 258, 3, 4, u16::MAX],
    u32 => [0, 1, 0x0102_0304, 3, 4, u32::MAX],
    u64 => [0, 1, 2, 3, 4, u64::MAX],
    u128 => [0, 1, 2, 3, 4, u128::MAX],
    f16 => [1.5, -0.0, 65504.0, 6e-8, f32::INFINITY, -2.0].map(f16::from_f32),
    bf16 => [1.5, -0.0, 3e38, 1e-40, f32::INFINITY, -2.0].map(bf16::from_f32),
    f32 => [1.5, -0.0, f32::MAX, 1e-45, f32::INFINITY, -2.0],
    f64 => [1.5, -0.0, f64::MAX, 5e-324, f64::INFINITY, -2.0],
    Complex<f32> => [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|k| Complex::new(k, -1.0 / (k + 1.0))),
    Complex<f64> => [0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(|k| Complex::new(k, -1.0 / (k + 1.0))),
}

/// Runs a function for every type that the crate supports.
macro_rules! for_every_type {
    ($function:ident) => {
        for_every_type!($function: i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f16 bf16 f32 f64 (Complex<f32>) (Complex<f64>));
    };
    ($function:ident: $($type:tt)*) => {$(
        $function::<for_every_type!(@ $type)>();
    )*};
    (@ ($type:ty)) => { $type };
    (@ $type:ty) => { $type };
}

#[test]
fn the_crate_reads_what_we_write() {
    for_every_type!(the_crate_reads_what_we_write_of);
}

fn the_crate_reads_what_we_write_of<T>()
where
    T: RawArrayElement + RawArrayType + Samples + PartialEq,
{
    let (_folder, path) = file();
    let values = T::samples();
    let matrix = Array2::from_shape_vec((2, 3), values.clone()).unwrap();
    let column_major: Vec<T> = matrix.t().iter().copied().collect();

    rawarray::write(&path, &matrix, Order::Fortran).unwrap();
    let read = crate_read::<T>(&path).unwrap();
    assert_eq!((read.dims(), read.data()), (vec![2, 3], column_major.clone()));
    assert_eq!((read.eltype(), read.elbyte(), read.flags()), (T::ELTYPE as u64, size_of::<T>() as u64, 0));

    rawarray::write(&path, &matrix, Order::C).unwrap();
    let read = crate_read::<T>(&path).unwrap();
    assert_eq!((read.dims(), read.data()), (vec![3, 2], values.clone()));

    rawarray::write(&path, &Array3::from_shape_vec((1, 6, 1), values.clone()).unwrap(), Order::Fortran).unwrap();
    assert_eq!(crate_read::<T>(&path).unwrap().dims(), [1, 6, 1]);

    rawarray::write(&path, &ArrayD::from_elem(IxDyn(&[]), values[5]), Order::Fortran).unwrap();
    let read = crate_read::<T>(&path).unwrap();
    assert_eq!((read.dims(), read.data()), (vec![], vec![values[5]]));

    rawarray::write(&path, &Array2::<T>::from_shape_vec((0, 3), Vec::new()).unwrap(), Order::Fortran).unwrap();
    let read = crate_read::<T>(&path).unwrap();
    // Its empty vector is not aligned, so accessing the elements, even if there are none, would be undefined behaviour.
    assert_eq!((read.dims(), read.data_as_ref().len()), (vec![0, 3], 0));
}

#[test]
fn we_read_what_the_crate_writes() {
    for_every_type!(we_read_what_the_crate_writes_of);
}

fn we_read_what_the_crate_writes_of<T>()
where
    T: Element + RawArrayElement + RawArrayType + Samples + PartialEq,
{
    let (_folder, path) = file();
    let values = T::samples();
    RawArray::from(values.clone()).write(&path).unwrap();
    let ours = rawarray::open(&path).unwrap();
    assert_eq!(ours.to_array::<T>(Order::Fortran).unwrap(), Array1::from(values.clone()).into_dyn());
    assert_eq!((ours.warnings(), ours.metadata().unwrap()), (&[][..], &[][..]));
    for profile in [Profile::Strict, Profile::Reference] {
        assert_eq!(Checker::new().profile(profile).check(&path).unwrap().findings(), []);
    }

    // A reshaped array with the same number of axes is written correctly.
    rawarray::write(&path, &Array2::from_shape_vec((2, 3), values.clone()).unwrap(), Order::C).unwrap();
    let mut reshaped = crate_read::<T>(&path).unwrap();
    reshaped.reshape(vec![6, 1]);
    reshaped.write(&path).unwrap();
    let ours = rawarray::open(&path).unwrap();
    assert_eq!(ours.dims(), [6, 1]);
    assert!(ours.to_array::<T>(Order::Fortran).unwrap().iter().eq(&values));

    RawArray::from(Vec::<T>::new()).write(&path).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().dims(), [0]);
}

#[test]
fn a_reshape_corrupts_the_crates_files() {
    let (_folder, path) = file();
    let mut reshaped = RawArray::from(vec![1.0_f32, 2.0, 3.0, 4.0]);
    reshaped.reshape(vec![2, 2]);
    reshaped.write(&path).unwrap();
    // The number of axes remains 1, so the second dimension counts as an element.
    let message = crate_read::<f32>(&path).unwrap_err();
    assert!(message.contains(ASSERTION), "{message}");
    let error = rawarray::open(&path).unwrap_err();
    let finding = error.finding().unwrap();
    assert_eq!((finding.rule, finding.field.as_str()), (&rawarray::SIZE_MISMATCH, "size"));
    assert_eq!((finding.expected.as_deref(), finding.found.as_deref()), (Some("8"), Some("16")));
}

#[test]
fn the_crates_default_cannot_be_read() {
    let (_folder, path) = file();
    RawArray::<f32>::new().write(&path).unwrap();
    assert!(crate_read::<f32>(&path).unwrap_err().contains(ASSERTION));
    let error = rawarray::open(&path).unwrap_err();
    assert_eq!(error.finding().unwrap().rule, &rawarray::SIZE_MISMATCH);
}

/// The message of the crate's panics.
const END: &str = "unable to read a u64";
const ASSERTION: &str = "assertion";
const CAPACITY: &str = "capacity overflow";

#[test]
fn the_crate_panics_on_malformed_files() {
    let good = words(&[0, 3, 4, 12, 1, 3], &[0; 12]);
    let mut bad_magic = good.clone();
    bad_magic[0] = b'R';
    let cases = [
        ("an empty file", Vec::new(), END, &rawarray::BAD_MAGIC),
        ("another magic", bad_magic, ASSERTION, &rawarray::BAD_MAGIC),
        ("a short header", good[..30].to_vec(), END, &rawarray::TRUNCATED_HEADER),
        ("a short payload", good[..good.len() - 1].to_vec(), ASSERTION, &rawarray::TRUNCATED_PAYLOAD),
        ("a type that does not exist", words(&[0, 9, 4, 12, 1, 3], &[0; 12]), ASSERTION, &rawarray::UNKNOWN_TYPE),
        ("a width that does not exist", words(&[0, 3, 3, 9, 1, 3], &[0; 9]), ASSERTION, &rawarray::BAD_WIDTH),
        ("an impossible size", words(&[0, 3, 4, 16, 1, 3], &[0; 16]), ASSERTION, &rawarray::SIZE_MISMATCH),
        ("more axes than memory", words(&[0, 3, 4, 12, u64::MAX, 3], &[0; 12]), CAPACITY, &rawarray::TRUNCATED_HEADER),
        ("more bytes than memory", words(&[0, 3, 4, 1 << 63, 1, 1 << 61], &[]), CAPACITY, &rawarray::SIZE_OVERFLOW),
    ];
    let (_folder, path) = file();
    for (name, bytes, words, rule) in cases {
        fs::write(&path, &bytes).unwrap();
        // None of these is an `Err`, which would be in the inner result.
        let panicked = caught(|| RawArray::<f32>::read(&path).map(drop));
        assert!(matches!(&panicked, Err(message) if message.contains(words)), "{name}: {panicked:?}");
        assert_eq!(refused(&bytes), rule, "{name}");
    }
}

#[test]
fn another_element_type_is_a_panic_there() {
    let (_folder, path) = file();
    RawArray::from(vec![1_i64, 2]).write(&path).unwrap();
    let panicked = caught(|| RawArray::<f64>::read(&path).map(drop));
    assert!(matches!(&panicked, Err(message) if message.contains(ASSERTION)), "{panicked:?}");
    let ours = rawarray::open(&path).unwrap();
    assert!(matches!(ours.to_array::<f64>(Order::Fortran), Err(Error::WrongType { .. })));
    assert_eq!(ours.dtype().descr(), "<i8");
}

#[test]
fn metadata_is_a_panic_there() {
    let (_folder, path) = file();
    let values = Array1::from(vec![1.0_f32, 2.0]);
    rawarray::Writer::new().metadata("unit: m").write(&path, &values, Order::Fortran).unwrap();
    assert!(crate_read::<f32>(&path).unwrap_err().contains(ASSERTION));
    let ours = rawarray::open(&path).unwrap();
    assert_eq!(ours.metadata().unwrap(), b"unit: m");
    assert_eq!(ours.to_array::<f32>(Order::Fortran).unwrap(), values.into_dyn());
}

#[test]
fn known_and_unknown_flags_are_confused_there() {
    let (_folder, path) = file();
    let data = 1.0_f32.to_le_bytes();
    for known in [1, 2, 4] {
        fs::write(&path, words(&[known, 3, 4, 4, 1, 1], &data)).unwrap();
        let message = crate_read::<f32>(&path).unwrap_err();
        assert!(message.contains("Unknown flags"), "{message}");
    }
    let big_endian = words(&[1, 3, 4, 4, 1, 1], &1.0_f32.to_be_bytes());
    assert_eq!(rawarray::from_slice(&big_endian).unwrap().to_array::<f32>(Order::Fortran).unwrap()[[0]], 1.0);

    for unknown in [3, 63] {
        let bytes = words(&[1 << unknown, 3, 4, 4, 1, 1], &data);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(crate_read::<f32>(&path).unwrap().data(), [1.0]);
        assert_eq!(refused(&bytes), &rawarray::UNKNOWN_FLAGS);
    }
}

#[test]
fn extents_wrap_around_there() {
    let (_folder, path) = file();
    for dims in [&[1 << 32, 1 << 32][..], &[1 << 62]] {
        let bytes = words(&[&[0, 3, 4, 0, dims.len() as u64], dims].concat(), &[]);
        fs::write(&path, &bytes).unwrap();
        match crate_read::<f32>(&path) {
            Ok(read) => assert_eq!((read.dims(), read.data_as_ref().len()), (dims.to_vec(), 0)),
            // It fails only with checked arithmetic, as in a debug build.
            Err(message) => assert!(arithmetic_is_checked() && message == MULTIPLICATION, "{message}"),
        }
        assert_eq!(refused(&bytes), &rawarray::WRAPPING_DIMS);
    }
}

/// The message of checked arithmetic about an overflowing product.
const MULTIPLICATION: &str = "attempt to multiply with overflow";

fn arithmetic_is_checked() -> bool {
    caught(|| black_box(u64::MAX) * black_box(2)).is_err_and(|message| message == MULTIPLICATION)
}

#[test]
fn shapes_are_lost_there() {
    let (_folder, path) = file();
    let matrix = ArrayD::from_shape_vec(IxDyn(&[2, 3]), vec![1_u8, 2, 3, 4, 5, 6]).unwrap();
    RawArray::from(matrix.clone()).write(&path).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().dims(), [6]);
    let back: Array1<u8> = crate_read::<u8>(&path).unwrap().into();
    assert_eq!(back.shape(), [6]);

    rawarray::write(&path, &matrix, Order::C).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().to_array::<u8>(Order::C).unwrap(), matrix);
}

#[test]
fn slices_are_written_whole_there() {
    let (_folder, path) = file();
    let whole = Array1::from(vec![1_u8, 2, 3, 4, 5, 6]);
    let slice = whole.clone().slice_move(ndarray::s![1..3]).into_dyn();
    RawArray::from(slice.clone()).write(&path).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().to_array::<u8>(Order::C).unwrap(), whole.into_dyn());

    rawarray::write(&path, &slice, Order::C).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().to_array::<u8>(Order::C).unwrap(), slice);
}

#[test]
fn seeking_there_is_relative() {
    let (_folder, path) = file();
    rawarray::write(&path, &Array1::from(vec![7_u8]), Order::C).unwrap();
    let mut raw = RawArrayFile::valid_open(&path).unwrap();
    raw.seek(8).unwrap();
    raw.seek(16).unwrap();
    // Byte 16 is the class, which is 2; byte 24 is the width, which is 1.
    assert_eq!(raw.u64().unwrap(), 1);
    assert_eq!(rawarray::open(&path).unwrap().header().eltype as u64, 2);
}

/// A record of this many bytes, as a user of the crate would have to define it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Record<const BYTES: usize>([u8; BYTES]);

impl<const BYTES: usize> fmt::Display for Record<BYTES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<const BYTES: usize> RawArrayType for Record<BYTES> {}

/// The verdict of the crate on a file, read as the type in its header.
fn crate_verdict(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fn read<T: RawArrayType>(path: &Path) -> Result<(), String> {
        crate_read::<T>(path).map(drop)
    }
    // The crate's types are Rust types, so each width of records is a separate type.
    macro_rules! record {
        ($path:ident, $width:ident: $($bytes:literal)*) => {
            match $width {
                $(Some($bytes) => read::<Record<$bytes>>($path),)*
                _ => read::<f32>($path),
            }
        };
    }
    match (word(bytes, 2), word(bytes, 3)) {
        (Some(0), width) => record!(path, width: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20),
        (Some(1), Some(1)) => read::<i8>(path),
        (Some(1), Some(2)) => read::<i16>(path),
        (Some(1), Some(4)) => read::<i32>(path),
        (Some(1), Some(8)) => read::<i64>(path),
        (Some(1), Some(16)) => read::<i128>(path),
        (Some(2), Some(1)) => read::<u8>(path),
        (Some(2), Some(2)) => read::<u16>(path),
        (Some(2), Some(4)) => read::<u32>(path),
        (Some(2), Some(8)) => read::<u64>(path),
        (Some(2), Some(16)) => read::<u128>(path),
        (Some(3), Some(2)) => read::<f16>(path),
        (Some(3), Some(8)) => read::<f64>(path),
        (Some(4), Some(8)) => read::<Complex<f32>>(path),
        (Some(4), Some(16)) => read::<Complex<f64>>(path),
        (Some(5), Some(2)) => read::<bf16>(path),
        // Any other combination is refused, whatever the requested type.
        _ => read::<f32>(path),
    }
}

/// A word of the header.
fn word(bytes: &[u8], index: usize) -> Option<u64> {
    bytes.as_chunks().0.get(index).copied().map(u64::from_le_bytes)
}

/// The maximum allocation, because a failed one ends the process.
const MEMORY: u64 = 1 << 30;

/// Returns whether the crate would allocate the claimed size before it detects the error.
fn is_greedy(bytes: &[u8]) -> bool {
    let greedy = |bytes: u64| (MEMORY..=i64::MAX as u64).contains(&bytes);
    let (Some(flags), Some(size), Some(ndims)) = (word(bytes, 1), word(bytes, 4), word(bytes, 5)) else { return false };
    if !bytes.starts_with(b"rawarray") || flags & 7 != 0 {
        return false;
    }
    if greedy(ndims.saturating_mul(8)) {
        return true;
    }
    let dims: Vec<Option<u64>> = (0..ndims.min(1000) as usize).map(|axis| word(bytes, 6 + axis)).collect();
    let product = dims.into_iter().try_fold(1_u64, |product, dim| Some(product.wrapping_mul(dim?)));
    greedy(size) && product.zip(word(bytes, 3)).is_some_and(|(count, width)| count.wrapping_mul(width) == size)
}

/// Files of the corpus for which the crate would allocate the claimed size. It is not run on them.
const GREEDY: [&str; 2] = ["bomb-1-tib", "bomb-below-2-63"];

/// Files on which the crate has a verdict only with wrapping arithmetic, as in a release build.
const WRAPPING: [&str; 7] =
    ["overflow", "wrap-2-32-2-32", "wrap-2-62-f32", "wrap-cut", "wrap-metadata", "wrap-then-zero", "wrap-to-four"];

/// Returns whether the crate reads a file, or `None` if it is not run or if its answer depends on how it is built.
pub(super) fn answer(path: &Path) -> Option<bool> {
    let bytes = fs::read(path).unwrap();
    if is_greedy(&bytes) {
        return None;
    }
    match crate_verdict(path, &bytes) {
        Err(message) if message == MULTIPLICATION => None,
        verdict => Some(verdict.is_ok()),
    }
}

#[test]
fn the_reference_profile_is_what_the_crate_does() {
    let checker = Checker::new().profile(Profile::Reference);
    let (mut greedy, mut wrapping) = (Vec::new(), Vec::new());
    for sample in corpus::samples().into_iter().filter(|sample| sample.format == Some(Format::RawArray)) {
        let report = checker.check_slice(&sample.bytes).unwrap();
        if is_greedy(&sample.bytes) {
            greedy.push(sample.name.clone());
            assert_eq!(report.verdict(), Verdict::Error, "{sample}");
            continue;
        }
        let verdict = crate_verdict(&sample.path, &sample.bytes);
        if verdict.as_ref().is_err_and(|message| message == MULTIPLICATION) {
            wrapping.push(sample.name.clone());
            continue;
        }
        assert_eq!(report.verdict() == Verdict::Error, verdict.is_err(), "{sample}: {verdict:?}");
    }
    assert_eq!(greedy, GREEDY);
    assert_eq!(wrapping, if arithmetic_is_checked() { &WRAPPING[..] } else { &[] });
}
