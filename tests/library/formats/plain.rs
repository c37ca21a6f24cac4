//! Tests for both IDX and RawArray: large arrays, views, and budgets.

use crate::formats::idx::both_ways;
use ndarray::{ArrayD, Axis, IxDyn, arr1, arr2};
use ndbytes::idx;
use ndbytes::rawarray::{self, Order};
use ndbytes::{Checker, Error, Limits, NoView, Profile, Result, Verdict};
use ndbytes_testkit::cases::{assert_clean, folder, rule};
use std::fs;

#[test]
fn large_arrays_are_written_and_read_in_pieces() {
    // The array is longer than any piece, long enough for several threads, and in an order that requires gathering.
    let array = ArrayD::from_shape_fn(IxDyn(&[3, 700, 1200]), |at| (at[0] * 840_000 + at[1] * 1200 + at[2]) as i32);
    let view = array.view().reversed_axes();
    let folder = folder();
    let path = folder.path().join("large.idx");
    idx::write(&path, &view).unwrap();
    assert_eq!(idx::open(&path).unwrap().to_array::<i32>().unwrap(), view);
    let file = idx::open(&path).unwrap();
    assert_eq!(file.item::<i32>(1199).unwrap(), view.index_axis(Axis(0), 1199));
    let path = folder.path().join("large.idx.gz");
    idx::Writer::new().gzip(true).write(&path, &view).unwrap();
    assert_eq!(idx::open(&path).unwrap().to_array::<i32>().unwrap(), view);
    let path = folder.path().join("large.ra");
    rawarray::Writer::new().lz4(true).write(&path, &view, Order::C).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().to_array::<i32>(Order::C).unwrap(), view);
}

#[test]
fn views_say_why_there_are_none() {
    let reason = |result: Result<()>| match result {
        Err(Error::NoView(reason)) => Some(reason),
        Err(error) => panic!("{error}"),
        Ok(()) => None,
    };
    let (plain, _) = both_ways(&arr1(&[1_i16, 2]));
    let swapped = cfg!(target_endian = "little").then_some(NoView::ByteOrder);
    assert_eq!(reason(idx::from_slice(&plain).unwrap().view::<i16>().map(drop)), swapped);
    assert_eq!(reason(idx::from_slice(&plain).unwrap().items::<i16>().map(drop)), swapped);

    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::write(&path, &arr1(&[1.5_f64, 2.5]), Order::C).unwrap();
    let native = cfg!(target_endian = "big").then_some(NoView::ByteOrder);
    assert_eq!(reason(rawarray::open(&path).unwrap().view::<f64>(Order::C).map(drop)), native);
    // The bytes are tried at every alignment. Unaligned ones cannot be viewed, but can be read.
    let bytes = fs::read(&path).unwrap();
    let mut room = vec![0_u64; bytes.len() / 8 + 2];
    for shift in 0..8 {
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut room);
        room[shift..shift + bytes.len()].copy_from_slice(&bytes);
        let file = rawarray::from_slice(&room[shift..shift + bytes.len()]).unwrap();
        let expected = native.or((shift > 0).then_some(NoView::Alignment));
        assert_eq!(reason(file.view::<f64>(Order::C).map(drop)), expected);
        assert_eq!(file.to_array::<f64>(Order::C).unwrap(), arr1(&[1.5, 2.5]).into_dyn());
    }
    // Decoded elements are in their own memory, and can be viewed.
    rawarray::Writer::new().lz4(true).write(&path, &arr1(&[1.5_f64; 9]), Order::C).unwrap();
    assert_eq!(reason(rawarray::open(&path).unwrap().view::<f64>(Order::C).map(drop)), native);
}

#[test]
fn decompressed_arrays_are_held_to_the_limits() {
    let (_, compressed) = both_ways(&ArrayD::<u8>::zeros(IxDyn(&[1 << 20])));
    let tight = idx::Options::new().limits(Limits::default().memory(1 << 16));
    assert_eq!(rule(tight.from_slice(&compressed).unwrap_err()), "limit-exceeded");
    let enough = idx::Options::new().limits(Limits::default().memory(1 << 21));
    assert_eq!(enough.from_slice(&compressed).unwrap().shape(), [1 << 20]);
    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::Writer::new().lz4(true).write(&path, &ArrayD::<u8>::zeros(IxDyn(&[1 << 20])), Order::C).unwrap();
    let tight = rawarray::Options::new().limits(Limits::default().memory(1 << 16));
    assert_eq!(rule(tight.open(&path).unwrap_err()), "limit-exceeded");
}

#[test]
fn truth_values_read_again_are_within_the_limits_each_time() {
    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::write(&path, &arr1(&[true; 1000]), Order::C).unwrap();
    let file = rawarray::Options::new().limits(Limits::default().memory(2000)).open(&path).unwrap();
    for _ in 0..100 {
        assert_eq!(file.to_bool_array(Order::C).unwrap().len(), 1000);
    }
}

#[test]
fn written_files_have_no_findings() {
    let array = arr2(&[[1_u16, 2], [3, 4]]);
    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::write(&path, &array, Order::Fortran).unwrap();
    assert_clean(&fs::read(&path).unwrap(), Profile::Strict, &[]);
    assert_clean(&fs::read(&path).unwrap(), Profile::Reference, &[]);
    let (plain, compressed) = both_ways(&arr2(&[[1_i16, 2], [3, 4]]));
    assert_clean(&plain, Profile::Reference, &[]);
    assert_clean(&compressed, Profile::Strict, &[]);
    assert_eq!(Checker::new().check(&path).unwrap().verdict(), Verdict::Ok);
}
