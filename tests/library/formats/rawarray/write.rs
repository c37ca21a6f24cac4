//! Written values are read back bit for bit, and values that RawArray cannot hold are refused.

use half::{bf16, f16};
use ndarray::arr1;
use ndbytes::everybyte::Endian;
use ndbytes::rawarray::{self, Order, RawArrayElement};
use ndbytes::{Dtype, Element, ElementKind, Error, Profile};
use ndbytes_testkit::cases::{Case, assert_clean, bits, cases, folder, names};
use num_complex::Complex;
use proptest::prelude::*;
use std::fmt::Debug;
use std::fs;

fn rawarray_comes_back<T: RawArrayElement + Element + Debug>(case: &Case) {
    let folder = folder();
    let array = case.array::<T>();
    let view = case.look(&array);
    let reversed: Vec<usize> = view.shape().iter().rev().copied().collect();
    let metadata: &[u8] = &case.bytes[..case.bytes.len() % 7];
    for (order, lz4) in [(Order::Fortran, false), (Order::C, false), (Order::Fortran, true), (Order::C, true)] {
        let path = folder.path().join("a.ra");
        rawarray::Writer::new().lz4(lz4).metadata(metadata).write(&path, &view, order).unwrap();
        let bytes = fs::read(&path).unwrap();
        for file in [rawarray::open(&path).unwrap(), rawarray::from_slice(&bytes).unwrap()] {
            let dims = if order == Order::Fortran { view.shape() } else { &reversed };
            assert_eq!((file.dims(), file.shape(order)), (dims, view.shape().to_vec()));
            assert_eq!(file.dtype(), Dtype { kind: T::KIND, endian: Endian::Little });
            assert_eq!(bits(&file.to_array::<T>(order).unwrap()), bits(&view));
            // The other order is the same array with reversed axes.
            let other = if order == Order::Fortran { Order::C } else { Order::Fortran };
            assert_eq!(bits(&file.to_array::<T>(other).unwrap().reversed_axes()), bits(&view));
            assert_eq!(file.metadata().unwrap(), metadata);
            assert_eq!(file.header().flags.encoded(), lz4 && file.header().size != file.bytes().unwrap().len() as u64);
        }
        let mut expected = Vec::new();
        // If a block would be as long as its content, the data remains plain.
        if rawarray::from_slice(&bytes).unwrap().header().flags.encoded() {
            expected.push("rawarray/encoded");
        }
        if view.ndim() == 0 {
            expected.insert(0, "rawarray/scalar");
        }
        if T::KIND == ElementKind::Complex32 {
            expected.insert(usize::from(view.ndim() == 0), "rawarray/disputed-type");
        }
        assert_clean(&bytes, Profile::Strict, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, ..ProptestConfig::default() })]

    #[test]
    fn rawarray_files_come_back_to_the_bit(case in cases(0..5)) {
        rawarray_comes_back::<i8>(&case);
        rawarray_comes_back::<i16>(&case);
        rawarray_comes_back::<i32>(&case);
        rawarray_comes_back::<i64>(&case);
        rawarray_comes_back::<i128>(&case);
        rawarray_comes_back::<u8>(&case);
        rawarray_comes_back::<u16>(&case);
        rawarray_comes_back::<u32>(&case);
        rawarray_comes_back::<u64>(&case);
        rawarray_comes_back::<u128>(&case);
        rawarray_comes_back::<f16>(&case);
        rawarray_comes_back::<bf16>(&case);
        rawarray_comes_back::<f32>(&case);
        rawarray_comes_back::<f64>(&case);
        rawarray_comes_back::<Complex<f16>>(&case);
        rawarray_comes_back::<Complex<f32>>(&case);
        rawarray_comes_back::<Complex<f64>>(&case);
    }

    #[test]
    fn truth_values_come_back(case in cases(0..5)) {
        let folder = folder();
        let path = folder.path().join("a.ra");
        let array = case.array::<u8>().mapv(|byte| byte & 1 == 1);
        let view = case.look(&array);
        for (order, lz4) in [(Order::Fortran, false), (Order::C, false), (Order::Fortran, true), (Order::C, true)] {
            rawarray::Writer::new().lz4(lz4).write(&path, &view, order).unwrap();
            let file = rawarray::open(&path).unwrap();
            prop_assert_eq!(file.to_bool_array(order).unwrap(), view.to_owned());
            prop_assert_eq!(file.dtype().kind, ElementKind::Bool);
        }
    }

    #[test]
    fn records_come_back(case in cases(1..4)) {
        #[repr(C, packed)]
        #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        struct Record {
            tag: u8,
            value: u32,
        }
        let folder = folder();
        let path = folder.path().join("a.ra");
        let array = case.array::<Record>();
        let view = case.look(&array);
        for (order, lz4) in [(Order::Fortran, false), (Order::C, true)] {
            rawarray::Writer::new().lz4(lz4).write_records(&path, &view, order).unwrap();
            let file = rawarray::open(&path).unwrap();
            prop_assert_eq!(file.dtype().kind, ElementKind::Record(5));
            prop_assert_eq!(bits(&file.view_records::<Record>(order).unwrap()), bits(&view));
            let wrong = file.view_records::<u32>(order);
            assert!(matches!(wrong, Err(Error::WrongType { .. })));
        }
    }
}

#[test]
fn lz4_blocks_of_every_length_come_back() {
    let folder = folder();
    let path = folder.path().join("a.ra");
    // These include blocks as long as their content, which would be ambiguous.
    for length in 0..40_usize {
        for repeated in [1, 2, 3, 5, 40] {
            let array: Vec<u8> = (0..length).map(|at| (at % repeated) as u8).collect();
            rawarray::Writer::new().lz4(true).write(&path, &arr1(&array), Order::C).unwrap();
            let file = rawarray::open(&path).unwrap();
            assert_eq!(file.bytes().unwrap(), array);
            assert!(!file.header().flags.encoded() || file.header().size != length as u64);
        }
    }
}

#[test]
fn records_without_bytes_are_refused() {
    let folder = folder();
    let path = folder.path().join("a.ra");
    let refused = rawarray::Writer::new().write_records(&path, &arr1(&[(), ()]), Order::C);
    assert!(matches!(refused, Err(Error::Inexpressible { format: "RawArray", .. })));
    assert!(names(&folder).is_empty());
}
