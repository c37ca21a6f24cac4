//! Items of every type, in arrays of every shape.

use super::{CODECS, TYPES, assert_clean, assert_slice_clean, bytes_of, inexpressible, ramp, round_trip};
use half::f16;
use ndarray::{Array, ArrayD, Axis, IxDyn, Slice, arr0, arr1};
use ndbytes::b2nd::{self, B2ndElement, Codec, Writer};
use ndbytes::{Dtype, ItemType};
use ndbytes_testkit::b2nd::{Expected, Numbers};
use num_complex::Complex;
use std::fs;

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
    // Nothing is left next to it.
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
fn types_that_numpy_lacks_are_refused() {
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
    assert_eq!(what, "17 axes, which exceed the maximum of 16");
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
    // This is how python-blosc2 writes them.
    let bytes = Writer::new().chunks([0, 100]).blocks([0, 50]).to_vec(&ramp(&[0, 100])).unwrap();
    assert_slice_clean(&bytes);
    let array = b2nd::from_slice(&bytes).unwrap();
    assert_eq!((array.frame_version(), array.chunk_shape(), array.block_shape()), (3, vec![0, 100], vec![0, 50]));
}

#[test]
fn chunks_of_one_value_are_stored_as_that_value() {
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
    // Items beyond the array are zero, so that later additions start as zeros.
    assert_eq!(stored(&full(0.0), [70, 40]), 0);
    assert!(stored(&full(1.5), [70, 40]) > 4 * (32 + 8));
    assert!(stored(&full(f64::NAN), [70, 60]) > 0);
    // A single item cannot become shorter.
    assert_eq!(
        Writer::new().to_vec(&arr0(1.5)).unwrap().len(),
        Writer::new().level(0).to_vec(&arr0(1.5)).unwrap().len()
    );
}

#[test]
fn incompressible_chunks_are_stored() {
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
    // At level 0, even zeros are stored.
    let zeros = Writer::new().level(0).to_vec(&ArrayD::<f64>::zeros(IxDyn(&[1000]))).unwrap();
    assert_eq!(b2nd::from_slice(&zeros).unwrap().stored_bytes(), 8032);
}
