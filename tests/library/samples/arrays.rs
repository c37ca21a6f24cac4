//! IDX and RawArray arrays, and the maps of all samples.

use super::b2nd_files;
use crate::samples::expected::{readable, refused};
use ndbytes::rawarray::Order;
use ndbytes::{Array, Checker, ElementKind, File, Input, Limits, Scalar, Verdict, idx, rawarray};
use ndbytes_testkit::samples;
use ndbytes_testkit::tables;
use num_complex::Complex;
use std::collections::BTreeSet;

#[test]
#[ignore = "needs ../shared/data"]
fn every_sample_is_expected() {
    let folder = samples();
    let expected: BTreeSet<String> = readable().map(|(path, _)| path).chain(refused().map(|(path, _)| path)).collect();
    let mut found = BTreeSet::new();
    for part in ["idx/conformance", "idx/found", "rawarray/found", "rawarray/made", "rawarray/synthetic"] {
        for entry in folder.join(part).read_dir().unwrap() {
            found.insert(format!("{part}/{}", entry.unwrap().file_name().into_string().unwrap()));
        }
    }
    assert_eq!(found, expected);
}

#[test]
#[ignore = "needs ../shared/data"]
fn samples_hold_what_they_should() {
    let folder = samples();
    for (path, (_, shape, descr, expected)) in readable() {
        let array = ndbytes::open(folder.join(&path))
            .and_then(File::into_array)
            .unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!((array.shape(), array.dtype().descr().as_str()), (shape, descr), "{path}");
        if let Some(expected) = expected {
            let found = total(&array);
            for (found, expected) in [(found.0, expected.0), (found.1, expected.1)] {
                // NumPy adds in another order, and some of the sums above have less precision.
                let close = found == expected || (found - expected).abs() <= 1e-6 * expected.abs();
                assert!(close, "{path}: {found} is not {expected}");
            }
        }
        let report = ndbytes::check(folder.join(&path), &Limits::default()).unwrap();
        assert_ne!(report.verdict(), Verdict::Error, "{path}: {:?}", report.findings());
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn broken_samples_are_refused_with_a_reason() {
    let folder = samples();
    for (path, (_, rule, word)) in refused() {
        let error = ndbytes::open(folder.join(&path)).and_then(File::into_array).expect_err(&path);
        let finding = error.finding().unwrap_or_else(|| panic!("{path}: {error}"));
        assert_eq!(finding.rule.id, rule, "{path}");
        let help = finding.help.as_deref().unwrap_or_default();
        assert!(finding.message.contains(word) || help.contains(word), "{path}: {finding} {help}");
        let report = ndbytes::check(folder.join(&path), &Limits::default()).unwrap();
        assert!(report.findings().contains(finding), "{path}: {:?}", report.findings());
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn maps_of_samples_cover_every_byte() {
    let folder = samples();
    let arrays = readable().map(|(path, _)| path).chain(refused().map(|(path, _)| path)).map(|path| folder.join(path));
    let tables = ["made", "found", "conformance"].map(|part| tables::files(folder.join("idv").join(part), ".idv"));
    let chunked = ["made", "old", "found", "unsupported"].iter().flat_map(|part| b2nd_files(&folder, part));
    for path in arrays.chain(tables.into_iter().flatten()).chain(chunked.map(|(_, path)| path)) {
        let input = Input::open(&path, Limits::default()).unwrap();
        let path = path.display();
        let map = Checker::new().byte_map(input).unwrap();
        let spans = map.spans();
        for space in &map.spaces {
            let end = spans.iter().filter(|span| span.space == space.id).fold(0, |position, span| {
                assert_eq!(span.node.start(), position, "{path}, {}: {}", space.title, span.path);
                span.node.end()
            });
            assert_eq!(end, space.length, "{path}, {}", space.title);
        }
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn labels_are_those_of_the_data_sets() {
    let folder = samples();
    let found = folder.join("idx/found");
    for (name, first) in [
        ("t10k-labels-idx1-ubyte.gz", [7, 2, 1, 0, 4, 1, 4, 9, 5, 9]),
        ("train-labels-idx1-ubyte.gz", [5, 0, 4, 1, 9, 2, 1, 3, 1, 4]),
        ("fashion-t10k-labels-idx1-ubyte.gz", [9, 2, 1, 1, 6, 1, 4, 6, 5, 7]),
    ] {
        let labels = idx::open(found.join(name)).unwrap();
        assert_eq!(labels.view::<u8>().unwrap().as_slice().unwrap()[..10], first, "{name}");
    }
    let extended = idx::open(found.join("qmnist-test-labels-idx2-int.gz")).unwrap();
    assert_eq!(extended.item::<i32>(0).unwrap().as_slice().unwrap(), [7, 4, 2578, 69, 37, 279_260, 0, 0]);

    // The first test image is a seven, so there is ink in the middle, and none along the upper edge.
    let images = idx::open(found.join("t10k-images-idx3-ubyte.gz")).unwrap();
    let seven = images.items::<u8>().unwrap().get(0).unwrap();
    assert!(seven[..28].iter().all(|&ink| ink == 0) && seven.contains(&255));
}

#[test]
#[ignore = "needs ../shared/data"]
fn the_authors_test_file_follows_its_formula() {
    let folder = samples();
    for name in ["found/test.ra", "made/test_ra_plus_META.ra"] {
        let file = rawarray::open(folder.join("rawarray").join(name)).unwrap();
        let array = file.to_array::<Complex<f32>>(Order::Fortran).unwrap();
        // Element k, counted in file order, is k - i/k.
        for (k, value) in array.t().iter().enumerate() {
            assert_eq!(*value, Complex::new(k as f32, -1.0 / k as f32), "{name}, element {k}");
        }
        assert_eq!(array[[1, 2]].re, 7.0, "{name}");
    }
    let shepp_logan = rawarray::open(folder.join("rawarray/found/shepplogan.ra")).unwrap();
    let least = shepp_logan.view::<f64>(Order::Fortran).unwrap().iter().copied().fold(f64::INFINITY, f64::min);
    assert_eq!(least, 2f64.powi(-23));
}

#[test]
#[ignore = "needs ../shared/data"]
fn compressed_samples_equal_their_plain_twins() {
    let folder = samples();
    let found = folder.join("rawarray/found");
    for name in ["mnist_8", "cifar_airplane"] {
        let plain = rawarray::open(found.join(format!("{name}.ra"))).unwrap();
        let compressed = rawarray::open(found.join(format!("{name}_z.ra"))).unwrap();
        assert!(compressed.header().flags.encoded() && !plain.header().flags.encoded());
        assert_eq!(compressed.bytes().unwrap(), plain.bytes().unwrap(), "{name}");
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn small_samples_have_these_values() {
    let folder = samples();
    let array = |path: &str| ndbytes::open(folder.join(path)).unwrap().into_array().unwrap();
    let scalars = |path: &str| {
        let array = array(path);
        let count = array.shape().iter().product::<usize>() as u64;
        (0..count).map(|index| array.scalar(index).unwrap()).collect::<Vec<_>>()
    };
    let ints = |values: &[i128]| values.iter().copied().map(Scalar::Int).collect::<Vec<_>>();
    let uints = |values: &[u128]| values.iter().copied().map(Scalar::Uint).collect::<Vec<_>>();

    assert_eq!(scalars("idx/conformance/v04_i16_2d.idx"), ints(&[1, -2, 32767, -32768, 258, 5]));
    let floats = [1.5, -2.25, 0.0, f64::NEG_INFINITY, std::f64::consts::PI, 5e-324].map(Scalar::F64);
    assert_eq!(scalars("idx/conformance/v07_f64_2d.idx"), floats);
    assert_eq!(scalars("idx/found/jspaaks-int32.2d.idx"), ints(&[i32::MIN.into(), -1, 0, 0, 1, i32::MAX.into()]));
    assert_eq!(scalars("idx/found/jspaaks-uint8.1d.idx"), uints(&[0, 1, 15, 16, 127, 255]));

    assert_eq!(scalars("rawarray/made/rust014_u128.ra"), uints(&[0, 1, u128::MAX]));
    assert_eq!(scalars("rawarray/made/rust014_i64.ra"), ints(&[i64::MIN.into(), -1, 0, 1, i64::MAX.into()]));
    assert_eq!(scalars("rawarray/made/rust014_bf16.ra")[..3], [0.0, 1.0, -2.5].map(Scalar::F32));
    assert_eq!(scalars("rawarray/synthetic/jl_leb128_u16_2x3.ra"), uints(&[0, 1, 127, 128, 300, 65535]));
    assert_eq!(scalars("rawarray/synthetic/jl_leb128_i64_3x3.ra"), ints(&[-95, -71, 43, 9, -2, 57, -76, 60, 14]));
    for path in ["rawarray/synthetic/be_host_c.ra", "rawarray/synthetic/be_host_julia.ra"] {
        assert_eq!(scalars(path), ints(&[1, -2]), "{path}");
    }
    let bools = [true, false, true, true, false].map(Scalar::Bool);
    assert_eq!(scalars("rawarray/synthetic/jl_bool_bytes_5.ra"), bools);
    assert_eq!(scalars("rawarray/found/randf64.ra")[0], Scalar::F64(0.9658894948127752));
}

/// The sum of all elements: its real part and its imaginary part.
fn total(array: &Array<'_>) -> (f64, f64) {
    let bytes = array.bytes().unwrap();
    if array.dtype().kind == ElementKind::U8 {
        return (bytes.iter().map(|&byte| u64::from(byte)).sum::<u64>() as f64, 0.0);
    }
    let (mut whole, mut real, mut imaginary) = (0_i128, 0.0, 0.0);
    for element in bytes.chunks(array.dtype().kind.size().max(1) as usize) {
        match Scalar::from_bytes(element, array.dtype()) {
            Scalar::Bool(value) => whole += i128::from(value),
            Scalar::Int(value) => whole += value,
            Scalar::Uint(value) => whole += i128::try_from(value).unwrap(),
            Scalar::F16(value) => real += value.to_f64(),
            Scalar::F32(value) => real += f64::from(value),
            Scalar::F64(value) => real += value,
            Scalar::Complex64(re, im) => {
                real += f64::from(re);
                imaginary += f64::from(im);
            }
            Scalar::Complex128(re, im) => {
                real += re;
                imaginary += im;
            }
            other => panic!("{other:?} has no sum"),
        }
    }
    (whole as f64 + real, imaginary)
}
