//! Writing b2nd arrays through the public interface: what is written is read again, nothing is found against it, and
//! what the format cannot hold is refused.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "support/b2nd.rs"]
mod arrays;

use arrays::{Expected, Numbers, assert_holds};
use half::f16;
use ndarray::{Array, ArrayD, Axis, Dimension, IxDyn, Slice, arr0, arr1};
use ndbytes::b2nd::{self, B2ndElement, Codec, Filter, Writer};
use ndbytes::{Checker, Dtype, Error, ItemType, Result};
use num_complex::Complex;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

const CODECS: [Codec; 5] = [Codec::BLOSCLZ, Codec::LZ4, Codec::LZ4HC, Codec::ZLIB, Codec::ZSTD];

/// Types of items, of all kinds and of many sizes.
const TYPES: [&str; 20] = [
    "|b1",
    "|i1",
    "<u2",
    ">i4",
    "<f4",
    "<f8",
    ">f8",
    "<f16",
    "<c8",
    "<c32",
    "|S5",
    "|S300",
    "<U3",
    "<U100",
    "|V7",
    "<M8[25s]",
    "<m8[D]",
    "[('a', '<i4'), ('b', '>f8'), ('c', 'S3', (2,))]",
    "{'names': ['a', 'b'], 'formats': ['i1', '<f8'], 'offsets': [1, 8], 'itemsize': 24}",
    "[('large', 'S400')]",
];

/// What was refused, in the words of the error.
fn inexpressible<T>(result: Result<T>) -> String {
    match result {
        Err(Error::Inexpressible { format: "b2nd", what }) => what,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

fn assert_clean(path: &Path) {
    let findings = Checker::new().check(path).unwrap();
    assert!(findings.findings().is_empty(), "{}: {:?}", path.display(), findings.findings());
}

fn assert_slice_clean(bytes: &[u8]) {
    let report = Checker::new().check_slice(bytes).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
}

/// Writes an array, and reads it again in all ways.
fn round_trip(writer: &Writer, expected: &Expected, what: &str) -> Vec<u8> {
    let bytes = writer
        .bytes_to_vec(&expected.shape, &expected.item_type, expected.bytes())
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_slice_clean(&bytes);
    let array = b2nd::from_slice(&bytes).unwrap();
    assert_eq!(array.item_type(), &expected.item_type, "{what}");
    assert_eq!(array.dtype_text(), Some(expected.item_type.to_string()), "{what}");
    assert_holds(&array, expected, 10, what);
    bytes
}

fn bytes_of<T: B2ndElement, D: Dimension>(array: &ndarray::ArrayRef<T, D>) -> Vec<u8> {
    let items: Vec<T> = array.iter().copied().collect();
    bytemuck::cast_slice(&items).to_vec()
}

fn ramp(shape: &[usize]) -> ArrayD<f64> {
    let mut next = 0.0;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        next += 1.0;
        next
    })
}

#[test]
fn the_defaults_are_those_of_python_blosc2() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let array = Array::from_shape_fn((700, 900), |(row, column)| (row * column) as f32);
    b2nd::write(&path, &array).unwrap();
    assert_clean(&path);
    let written = b2nd::open(&path).unwrap();
    assert_eq!((written.codec(), written.level(), written.filters()), (Codec::ZSTD, 5, vec!["shuffle"]));
    assert_eq!((written.frame_version(), written.is_sparse(), written.dtype_text().unwrap()), (2, false, "<f4".into()));
    assert_eq!(written.to_array::<f32>().unwrap(), array.into_dyn());
    assert!(written.stored_bytes() < 700 * 900 * 4);
    assert!(written.attribute_names().is_empty() && written.metalayer_names().is_empty());
    // Nothing is left beside it.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_element_type_is_written() {
    fn check<T: B2ndElement + PartialEq + std::fmt::Debug>(dtype: &str, values: [T; 3]) {
        let array = arr1(&values).broadcast((50, 3)).unwrap().to_owned();
        let bytes = Writer::new().chunks([20, 2]).blocks([6, 2]).to_vec(&array).unwrap();
        assert_slice_clean(&bytes);
        let written = b2nd::from_slice(&bytes).unwrap();
        assert_eq!(written.dtype_text().as_deref(), Some(dtype));
        assert_eq!(written.to_bytes().unwrap(), bytes_of(&array), "{dtype}");
    }
    check("|i1", [1_i8, -1, i8::MIN]);
    check("|u1", [1_u8, 2, 255]);
    check("|b1", [true, false, true]);
    if cfg!(target_endian = "big") {
        return;
    }
    check("<i2", [1_i16, -1, i16::MIN]);
    check("<u2", [1_u16, 2, u16::MAX]);
    check("<i4", [1_i32, -1, i32::MIN]);
    check("<u4", [1_u32, 2, u32::MAX]);
    check("<i8", [1_i64, -1, i64::MIN]);
    check("<u8", [1_u64, 2, u64::MAX]);
    check("<f2", [f16::ONE, f16::NEG_ZERO, f16::MAX]);
    check("<f4", [1.5_f32, -0.0, f32::MAX]);
    check("<f8", [1.5_f64, -0.0, f64::MAX]);
    check("<c8", [Complex::new(1.0_f32, 2.0), Complex::new(0.0, -0.0), Complex::new(3.0, 4.0)]);
    check("<c16", [Complex::new(1.0_f64, 2.0), Complex::new(0.0, -0.0), Complex::new(3.0, 4.0)]);
}

#[test]
fn types_that_numpy_has_not_are_refused() {
    let writer = Writer::new();
    let refused = [
        inexpressible(writer.to_vec(&arr1(&[1_i128]))),
        inexpressible(writer.to_vec(&arr1(&[1_u128]))),
        inexpressible(writer.to_vec(&arr1(&[half::bf16::ONE]))),
        inexpressible(writer.to_vec(&arr1(&[Complex::new(f16::ONE, f16::ONE)]))),
    ];
    assert!(refused.iter().all(|what| what.ends_with("which NumPy does not know")), "{refused:?}");
    let nothing = ItemType::from("|V0".parse::<Dtype>().unwrap());
    assert_eq!(inexpressible(writer.bytes_to_vec(&[3], &nothing, &[])), "items without bytes (|V0)");
}

#[test]
fn every_kind_of_item_is_written() {
    let mut numbers = Numbers::new("items");
    for text in TYPES {
        let item_type: ItemType = text.parse().unwrap();
        for shape in [vec![], vec![37], vec![6, 11], vec![3, 2, 5, 1, 2]] {
            let length = shape.iter().product::<usize>() * item_type.size() as usize;
            let bytes = (0..length).map(|_| numbers.below(7) as u8).collect();
            let expected = Expected::new(item_type.clone(), shape, bytes);
            for codec in CODECS {
                round_trip(&Writer::new().codec(codec), &expected, &format!("{text} {:?} {codec:?}", expected.shape));
            }
        }
    }
}

#[test]
fn arrays_in_any_order_in_memory_are_written_in_c_order() {
    let mut array = ramp(&[4, 5, 6]);
    array.swap_axes(0, 2);
    array.slice_axis_inplace(Axis(1), Slice::new(0, None, -2));
    let bytes = Writer::new().chunks([3, 2, 3]).blocks([2, 2, 2]).to_vec(&array).unwrap();
    assert_slice_clean(&bytes);
    assert_eq!(b2nd::from_slice(&bytes).unwrap().to_array::<f64>().unwrap(), array);
}

#[test]
fn arrays_of_any_number_of_axes_are_written() {
    for axes in 0..=16 {
        let array = ramp(&vec![2; axes]);
        let blocks = vec![1; axes];
        for writer in [Writer::new(), Writer::new().blocks(&blocks), Writer::new().chunks(&blocks)] {
            let bytes = writer.to_vec(&array).unwrap();
            assert_slice_clean(&bytes);
            assert_eq!(b2nd::from_slice(&bytes).unwrap().to_array::<f64>().unwrap(), array, "{axes}");
        }
    }
    let what = inexpressible(Writer::new().to_vec(&ramp(&[1; 17])));
    assert_eq!(what, "17 axes: 16 are the most");
}

#[test]
fn empty_arrays_can_be_extended() {
    for shape in [&[0][..], &[0, 100], &[5, 0], &[0, 0], &[3, 0, 4]] {
        let bytes = Writer::new().to_vec(&ramp(shape)).unwrap();
        assert_slice_clean(&bytes);
        let array = b2nd::from_slice(&bytes).unwrap();
        assert_eq!((array.shape(), array.chunk_count(), array.stored_bytes()), (shape, 0, 0));
        assert!(array.chunk_shape().iter().chain(&array.block_shape()).all(|&extent| extent > 0), "{shape:?}");
        assert_eq!(array.to_array::<f64>().unwrap(), ramp(shape));
    }
    // As python-blosc2 writes them.
    let bytes = Writer::new().chunks([0, 100]).blocks([0, 50]).to_vec(&ramp(&[0, 100])).unwrap();
    assert_slice_clean(&bytes);
    let array = b2nd::from_slice(&bytes).unwrap();
    assert_eq!((array.frame_version(), array.chunk_shape(), array.block_shape()), (3, vec![0, 100], vec![0, 50]));
}

#[test]
fn chunks_of_one_value_take_next_to_nothing() {
    let stored = |array: &ArrayD<f64>, chunk: [usize; 2]| {
        let bytes = Writer::new().chunks(chunk).blocks([10, 10]).to_vec(array).unwrap();
        assert_slice_clean(&bytes);
        let written = b2nd::from_slice(&bytes).unwrap();
        assert_eq!(written.to_bytes().unwrap(), bytes_of(array));
        written.stored_bytes()
    };
    let full = |value: f64| ArrayD::from_elem(IxDyn(&[100, 60]), value);
    assert_eq!(stored(&full(0.0), [50, 60]), 0);
    assert_eq!(stored(&full(f64::NAN), [50, 60]), 0);
    // A header and the value.
    assert_eq!(stored(&full(-0.0), [50, 60]), 2 * (32 + 8));
    assert_eq!(stored(&full(1.5), [20, 30]), 10 * (32 + 8));
    // Zero beyond the array, so that what is added to it later begins as zeros.
    assert_eq!(stored(&full(0.0), [70, 40]), 0);
    assert!(stored(&full(1.5), [70, 40]) > 4 * (32 + 8));
    assert!(stored(&full(f64::NAN), [70, 60]) > 0);
    // One item is not shorter than itself.
    assert_eq!(
        Writer::new().to_vec(&arr0(1.5)).unwrap().len(),
        Writer::new().level(0).to_vec(&arr0(1.5)).unwrap().len()
    );
}

#[test]
fn what_does_not_become_less_is_stored() {
    let mut numbers = Numbers::new("noise");
    let noise: Vec<u8> = (0..40_000).map(|_| numbers.below(256) as u8).collect();
    let expected = Expected::new("<u4".parse().unwrap(), vec![100, 100], noise);
    for codec in CODECS {
        for writer in [Writer::new(), Writer::new().level(0), Writer::new().chunks([30, 40]).blocks([10, 40])] {
            let bytes = round_trip(&writer.codec(codec), &expected, "noise");
            let array = b2nd::from_slice(&bytes).unwrap();
            let whole: u64 = array.chunk_shape().iter().map(|&extent| extent as u64).product::<u64>() * 4 + 32;
            assert!(array.stored_bytes() <= whole * array.chunk_count(), "{codec:?}");
        }
    }
    // At level 0, zeros are stored as well.
    let zeros = Writer::new().level(0).to_vec(&ArrayD::<f64>::zeros(IxDyn(&[1000]))).unwrap();
    assert_eq!(b2nd::from_slice(&zeros).unwrap().stored_bytes(), 8032);
}

#[test]
fn levels_and_filters_are_written() {
    let expected = Expected::new("<i4".parse().unwrap(), vec![90, 70], bytes_of(&ramp(&[90, 35])));
    let filters: [&[Filter]; 12] = [
        &[],
        &[Filter::Shuffle],
        &[Filter::ShuffleBy(2)],
        &[Filter::Bitshuffle],
        &[Filter::Delta],
        &[Filter::Delta, Filter::Shuffle],
        &[Filter::Delta, Filter::Bitshuffle],
        &[Filter::Shuffle, Filter::Bytedelta],
        &[Filter::ShuffleBy(8), Filter::BytedeltaBy(8)],
        &[Filter::Bytedelta],
        &[Filter::Delta, Filter::Bytedelta, Filter::Bitshuffle],
        &[
            Filter::Delta,
            Filter::Shuffle,
            Filter::Bitshuffle,
            Filter::Shuffle,
            Filter::Bytedelta,
            Filter::BytedeltaBy(3),
        ],
    ];
    for codec in CODECS {
        for (number, filters) in filters.into_iter().enumerate() {
            // All levels with one filter, and the others with another one each.
            for level in if number == 1 { 0..=9 } else { number as u8 % 10..=number as u8 % 10 } {
                let writer = Writer::new().chunks([40, 33]).blocks([9, 17]).codec(codec).level(level).filters(filters);
                let bytes = round_trip(&writer, &expected, &format!("{codec:?} {level} {filters:?}"));
                let array = b2nd::from_slice(&bytes).unwrap();
                assert_eq!((array.codec(), array.level(), array.filters().len()), (codec, level, filters.len()));
            }
        }
    }
}

#[test]
fn truncated_numbers_keep_their_highest_bits() {
    let floats = Array::from_iter((0..5000).map(|number| f64::from(number).sqrt()));
    for filters in [&[Filter::TruncPrec(10)][..], &[Filter::TruncPrec(10), Filter::Delta, Filter::Shuffle]] {
        let writer = Writer::new().chunks([2000]).blocks([300]).filters(filters);
        let bytes = writer.to_vec(&floats).unwrap();
        assert_slice_clean(&bytes);
        let read = b2nd::from_slice(&bytes).unwrap().to_array::<f64>().unwrap();
        let kept = |float: &f64| f64::from_bits(float.to_bits() & (u64::MAX << 42));
        assert!(read.iter().zip(&floats).all(|(read, float)| *read == kept(float)), "{filters:?}");
    }
    let integers = Array::from_iter((0..5000_i32).map(|number| number * -77_777));
    let bytes = Writer::new().filters([Filter::IntTrunc(20), Filter::Bitshuffle]).to_vec(&integers).unwrap();
    let read = b2nd::from_slice(&bytes).unwrap().to_array::<i32>().unwrap();
    assert!(read.iter().zip(&integers).all(|(read, integer)| *read == integer & (-1 << 12)));
    // Chunks of one value lose as much as others.
    let even = ArrayD::from_elem(vec![27, 33], 0x1234_5678_i32);
    let bytes = Writer::new().filters([Filter::IntTrunc(15)]).to_vec(&even).unwrap();
    assert_eq!(b2nd::from_slice(&bytes).unwrap().get::<i32>(&[3, 5]).unwrap(), 0x1234_0000);
}

#[test]
fn filters_that_do_not_fit_are_refused() {
    let refuse = |dtype: &str, filters: &[Filter]| {
        let item_type: ItemType = dtype.parse().unwrap();
        inexpressible(Writer::new().filters(filters).bytes_to_vec(&[0], &item_type, &[]))
    };
    refuse("<f8", &[Filter::Shuffle; 7]);
    refuse("<f8", &[Filter::ShuffleBy(0)]);
    refuse("<f8", &[Filter::ShuffleBy(128)]);
    refuse("<f8", &[Filter::BytedeltaBy(0)]);
    refuse("|S128", &[Filter::Bytedelta]);
    refuse("<f8", &[Filter::TruncPrec(0)]);
    refuse("<f8", &[Filter::TruncPrec(53)]);
    refuse("<f4", &[Filter::TruncPrec(24)]);
    refuse(">f4", &[Filter::TruncPrec(10)]);
    refuse("<i4", &[Filter::TruncPrec(10)]);
    refuse("<c8", &[Filter::TruncPrec(10)]);
    refuse("<f8", &[Filter::IntTrunc(10)]);
    refuse("|i1", &[Filter::IntTrunc(9)]);
    refuse("<i4", &[Filter::Shuffle, Filter::IntTrunc(9)]);
    refuse("<i4", &[Filter::Delta, Filter::Delta]);
    refuse("<i4", &[Filter::Shuffle, Filter::Delta]);
}

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let array = ramp(&[10, 20]);
    let refuse = |writer: Writer| inexpressible(writer.to_vec(&array));
    refuse(Writer::new().chunks([10]));
    refuse(Writer::new().blocks([1, 2, 3]));
    refuse(Writer::new().chunks([0, 20]));
    refuse(Writer::new().blocks([0, 20]));
    refuse(Writer::new().chunks([5, 5]).blocks([5, 6]));
    refuse(Writer::new().chunks([5, 5]).blocks([0, 5]));
    refuse(Writer::new().chunks([1 << 31, 1]));
    refuse(Writer::new().chunks([1 << 16, 1 << 15]));
    refuse(Writer::new().chunks([1 << 30, 1 << 30]));
    refuse(Writer::new().blocks([usize::MAX, 1]));
    refuse(Writer::new().chunks([1 << 14, 1 << 13]).blocks([1 << 13, 1 << 13]));
    refuse(Writer::new().level(10));
    refuse(Writer::new().codec(Codec(3)));
    refuse(Writer::new().codec(Codec(35)));
    let double: ItemType = "<f8".parse().unwrap();
    for (shape, bytes) in [(&[3][..], 23), (&[3], 25), (&[], 0), (&[usize::MAX, 2], 8), (&[usize::MAX, 0], 8)] {
        inexpressible(Writer::new().bytes_to_vec(shape, &double, &vec![0; bytes]));
    }
    let large = ItemType::from("|V536866817".parse::<Dtype>().unwrap());
    inexpressible(Writer::new().bytes_to_vec(&[0], &large, &[]));
    // What does not fit the array may fit the format: chunks that reach beyond it.
    let bytes = Writer::new().chunks([300, 30]).blocks([30, 30]).to_vec(&array).unwrap();
    assert_slice_clean(&bytes);
    assert_eq!(b2nd::from_slice(&bytes).unwrap().to_array::<f64>().unwrap(), array);
}

#[test]
fn metalayers_and_attributes_are_written() {
    let value = rmpv::Value::Map(vec![
        ("unit".into(), "K".into()),
        ("range".into(), rmpv::Value::Array(vec![1.into(), 2.5.into()])),
    ]);
    let long = rmpv::Value::from("x".repeat(5_000_000));
    let name = "n".repeat(31);
    let writer = Writer::new()
        .metalayer("first", &value)
        .and_then(|writer| writer.metalayer_bytes(&name, [0xc1, 0xff]))
        .and_then(|writer| writer.attribute("description", &value))
        .and_then(|writer| writer.attribute("long", &long))
        .and_then(|writer| writer.attribute_bytes("\u{e9}", [7]))
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (path, sparse) in [("a.b2nd", false), ("folder.b2nd", true)] {
        let path = folder.path().join(path);
        writer.clone().sparse(sparse).write(&path, &ramp(&[10, 20])).unwrap();
        assert_clean(&path);
        let array = b2nd::open(&path).unwrap();
        assert_eq!(array.metalayer_names(), ["first", &name]);
        assert_eq!(array.metalayer_value("first").unwrap(), value);
        assert_eq!(array.metalayer(&name).unwrap(), [0xc1, 0xff]);
        assert_eq!(array.attribute_names(), ["description", "long", "\u{e9}"]);
        assert_eq!(array.attribute_value("description").unwrap(), value);
        assert_eq!(array.attribute_value("long").unwrap(), long);
        assert_eq!(array.attribute("\u{e9}").unwrap(), [7]);
        assert!(fs::metadata(if sparse { path.join("chunks.b2frame") } else { path }).unwrap().len() < 20_000);
    }
}

#[test]
fn metalayers_and_attributes_that_do_not_fit_are_refused() {
    let nil = rmpv::Value::Nil;
    for name in ["", &"n".repeat(32), "b2nd", "caterva", "LazyArray", "b2o", "proxy-source"] {
        inexpressible(Writer::new().metalayer(name, &nil));
    }
    for name in ["", &"n".repeat(32)] {
        inexpressible(Writer::new().attribute(name, &nil));
    }
    inexpressible(Writer::new().metalayer_bytes("a", []));
    inexpressible(Writer::new().attribute_bytes("a", []));
    let mut writer =
        Writer::new().metalayer("0", &nil).unwrap().attribute("0", &nil).unwrap().attribute("b2nd", &nil).unwrap();
    inexpressible(writer.clone().metalayer("0", &nil));
    inexpressible(writer.clone().attribute("0", &nil));
    for number in 1..15 {
        writer = writer.metalayer(&number.to_string(), &nil).unwrap().attribute(&number.to_string(), &nil).unwrap();
    }
    inexpressible(writer.clone().metalayer("15", &nil));
    inexpressible(writer.clone().attribute("15", &nil));
    let bytes = writer.to_vec(&ramp(&[3])).unwrap();
    assert_slice_clean(&bytes);
    let array = b2nd::from_slice(&bytes).unwrap();
    assert_eq!((array.metalayer_names().len(), array.attribute_names().len()), (15, 16));
    // What is in the header has to be read before anything else can be.
    let writer = Writer::new().metalayer_bytes("large", vec![0; 1 << 20]).unwrap();
    inexpressible(writer.to_vec(&ramp(&[3])));
    let writer = Writer::new().metalayer_bytes("large", vec![0; (1 << 20) - 1000]).and_then(|w| w.metalayer("b", &nil));
    assert_slice_clean(&writer.unwrap().to_vec(&ramp(&[3])).unwrap());
}

#[test]
fn long_attributes_are_written() {
    let mut numbers = Numbers::new("attributes");
    let noise: Vec<u8> = (0..300_000).map(|_| numbers.below(256) as u8).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let mut writer = Writer::new();
    for number in 0..4 {
        writer = writer.attribute_bytes(&number.to_string(), noise.clone()).unwrap();
    }
    writer.write(&path, &ramp(&[0])).unwrap();
    assert_clean(&path);
    let array = b2nd::open(&path).unwrap();
    assert!((0..4).all(|number: u8| array.attribute(&number.to_string()).unwrap() == noise));
}

#[test]
fn sparse_frames_are_folders() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let mut array = ramp(&[100, 20]);
    array.slice_axis_mut(Axis(0), Slice::from(40..60)).fill(0.0);
    let writer = Writer::new().chunks([20, 20]).blocks([5, 20]).sparse(true);
    writer.write(&path, &array).unwrap();
    assert_clean(&path);
    let written = b2nd::open(&path).unwrap();
    assert!(written.is_sparse());
    assert_eq!(written.to_array::<f64>().unwrap(), array);
    let mut names: Vec<String> =
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    // The zeros in the middle are no file.
    assert_eq!(names, ["00000000.chunk", "00000001.chunk", "00000003.chunk", "00000004.chunk", "chunks.b2frame"]);

    // Again, with fewer chunks: nothing of the old ones is left.
    writer.clone().chunks([100, 20]).write(path.join(""), &array).unwrap();
    assert_clean(&path);
    assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    assert!(writer.to_vec(&array).is_err());

    // What is something else stays, and nothing is left beside it.
    fs::write(path.join("notes.txt"), "mine").unwrap();
    assert!(matches!(writer.write(&path, &array), Err(Error::Io { .. })));
    assert_eq!(fs::read_dir(&path).unwrap().count(), 3);
    let file = folder.path().join("file");
    fs::write(&file, "mine").unwrap();
    assert!(matches!(writer.write(&file, &array), Err(Error::Io { .. })));
    assert!(matches!(Writer::new().write(&path, &array), Err(Error::Io { .. })));
    assert!(matches!(writer.write(folder.path().join("none/a"), &array), Err(Error::Io { .. })));
    assert!(writer.clone().level(10).write(folder.path().join("b"), &array).is_err());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    // An empty folder may become one.
    let empty = folder.path().join("empty");
    fs::create_dir(&empty).unwrap();
    writer.write(&empty, &array).unwrap();
    assert_clean(&empty);
}

#[test]
fn a_file_that_cannot_be_written_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    b2nd::write(&path, &ramp(&[10])).unwrap();
    let before = fs::read(&path).unwrap();
    assert!(Writer::new().chunks([0]).write(&path, &ramp(&[10])).is_err());
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn large_arrays_are_cut_and_written_in_parallel() {
    // 18 MiB: several chunks of several blocks.
    let array = Array::from_shape_fn((1100, 2200), |(row, column)| ((row * row) ^ column) as f64);
    let writer = Writer::new().codec(Codec::LZ4);
    let one = pool(1).install(|| writer.to_vec(&array).unwrap());
    let three = pool(3).install(|| writer.to_vec(&array).unwrap());
    assert!(one == three, "the threads show");
    assert_slice_clean(&one);
    let written = b2nd::from_slice(&one).unwrap();
    assert!(written.chunk_count() > 4);
    for (extents, smallest, largest) in
        [(written.chunk_shape(), 1 << 20, 8 << 20), (written.block_shape(), 1 << 15, 1 << 18)]
    {
        let bytes = extents.iter().product::<usize>() * 8;
        assert!((smallest..=largest).contains(&bytes), "{extents:?}");
    }
    assert_eq!(written.to_array::<f64>().unwrap(), array.into_dyn());
}

#[test]
fn large_arrays_are_read_whatever_the_blocks_have_of_a_row() {
    // 16 MiB and a few rows; rows that are no multiple of a line of the caches.
    let (rows, columns) = (2_u32 << 13, 1_u32 << 10 | 7);
    let array = Array::from_shape_fn((rows as usize, columns as usize), |(row, column)| ((row >> 3) ^ column) as u8);
    for width in [8, 64, 300, 700, 1031] {
        let writer = Writer::new().codec(Codec::LZ4).level(1).chunks([1 << 11, 1031]).blocks([1 << 8, width]);
        let bytes = writer.to_vec(&array).unwrap();
        let written = b2nd::from_slice(&bytes).unwrap();
        let mut items = vec![0; array.len() + 1];
        for (threads, skipped) in [(1, 0), (3, 1)] {
            let items = &mut items[skipped..array.len() + skipped];
            items.fill(0xaa);
            pool(threads).install(|| written.read_into::<u8>(items)).unwrap();
            assert!(items == array.as_slice().unwrap(), "blocks of {width} columns, {threads} threads");
        }
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

/// A way to write an array, and its items.
#[derive(Debug, Clone)]
struct Case {
    item: &'static str,
    /// Of each axis the extents of array, chunk and block.
    axes: Vec<(usize, usize, usize)>,
    is_cut: (bool, bool),
    codec: Codec,
    level: u8,
    filters: Vec<Filter>,
    /// How many different bytes there are, and how many in a row are the same.
    bytes: (usize, usize),
    seed: u64,
}

fn cases() -> impl Strategy<Value = Case> {
    let axis = prop_oneof![12 => 1..12_usize, 1 => Just(0)].prop_flat_map(|extent| {
        (Just(extent), 1..extent + 3).prop_flat_map(|(extent, chunk)| (Just(extent), Just(chunk), 1..=chunk))
    });
    let filter = prop_oneof![
        4 => Just(Filter::Shuffle),
        1 => (1..=127_u8).prop_map(Filter::ShuffleBy),
        2 => Just(Filter::Bitshuffle),
        1 => (1..=127_u8).prop_map(Filter::BytedeltaBy),
    ];
    let filters = (prop::option::of(Just(Filter::Delta)), prop::collection::vec(filter, 0..4))
        .prop_map(|(delta, filters)| delta.into_iter().chain(filters).collect());
    let codec = prop::sample::select(&CODECS[..]);
    let bytes = (prop::sample::select(&[1, 2, 256][..]), prop::sample::select(&[1, 8, 300][..]));
    let parts = (
        prop::sample::select(&TYPES[..]),
        prop::collection::vec(axis, 0..5),
        any::<(bool, bool)>(),
        codec,
        0..=9_u8,
        filters,
        bytes,
        any::<u64>(),
    );
    parts.prop_map(|(item, axes, is_cut, codec, level, filters, bytes, seed)| Case {
        item,
        axes,
        is_cut,
        codec,
        level,
        filters,
        bytes,
        seed,
    })
}

impl Case {
    fn expected(&self) -> Expected {
        let item_type: ItemType = self.item.parse().unwrap();
        let shape: Vec<usize> = self.axes.iter().map(|axis| axis.0).collect();
        let length = shape.iter().product::<usize>() * item_type.size() as usize;
        let mut numbers = Numbers::new(&self.seed.to_string());
        let (different, run) = self.bytes;
        let mut byte = 0;
        let bytes = (0..length).map(|place| {
            if place % run == 0 {
                byte = numbers.below(different) as u8;
            }
            byte
        });
        Expected::new(item_type, shape, bytes.collect())
    }

    fn writer(&self) -> Writer {
        let mut writer = Writer::new().codec(self.codec).level(self.level).filters(&self.filters);
        if self.is_cut.0 {
            writer = writer.chunks(self.axes.iter().map(|axis| axis.1).collect::<Vec<usize>>());
        }
        if self.is_cut.1 {
            writer = writer.blocks(self.axes.iter().map(|axis| axis.2).collect::<Vec<usize>>());
        }
        writer
    }
}

proptest! {
    #[test]
    fn what_is_written_is_read(case in cases()) {
        let (expected, writer) = (case.expected(), case.writer());
        let what = format!("{case:?}");
        let bytes = pool(1).install(|| round_trip(&writer, &expected, &what));
        let again = pool(2).install(|| writer.bytes_to_vec(&expected.shape, &expected.item_type, expected.bytes()));
        prop_assert!(bytes == again.unwrap(), "the threads show");
        let array = b2nd::from_slice(&bytes).unwrap();
        if case.is_cut.0 {
            prop_assert_eq!(array.chunk_shape(), case.axes.iter().map(|axis| axis.1).collect::<Vec<usize>>());
        }
        if case.is_cut.1 {
            prop_assert_eq!(array.block_shape(), case.axes.iter().map(|axis| axis.2).collect::<Vec<usize>>());
        }
    }

    #[test]
    fn nothing_that_is_asked_for_panics(
        shape in prop::collection::vec(prop_oneof![0..4_usize, any::<usize>()], 0..4),
        chunks in prop::option::of(prop::collection::vec(prop_oneof![0..4_usize, any::<usize>()], 0..4)),
        blocks in prop::option::of(prop::collection::vec(prop_oneof![0..4_usize, any::<usize>()], 0..4)),
        item in prop::sample::select(&TYPES[..]),
        (codec, level) in any::<(u8, u8)>(),
        filter in any::<u8>(),
        length in 0..100_usize,
    ) {
        let filters = [Filter::ShuffleBy(filter), Filter::BytedeltaBy(filter)];
        let writer = Writer::new().codec(Codec(codec % 8)).level(level % 12).filters(filters);
        let writer = match chunks { Some(chunks) => writer.chunks(chunks), None => writer };
        let writer = match blocks { Some(blocks) => writer.blocks(blocks), None => writer };
        let item_type: ItemType = item.parse().unwrap();
        match writer.bytes_to_vec(&shape, &item_type, &vec![7; length]) {
            Ok(bytes) => assert_slice_clean(&bytes),
            Err(Error::Inexpressible { format, what }) => prop_assert!(format == "b2nd" && !what.is_empty()),
            Err(error) => prop_assert!(false, "{}", error),
        }
    }
}
