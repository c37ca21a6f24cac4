//! Written values are read back bit for bit, and values that IDX cannot hold are refused.

use ndarray::{ArrayD, IxDyn, arr0, arr1, arr2};
use ndbytes::everybyte::Endian;
use ndbytes::idx::{self, IdxElement, StreamWriter};
use ndbytes::{Decoded, Dtype, Error, ItemType, Limits, Result};
use ndbytes_testkit::cases::{Case, bits, cases, folder, names};
use proptest::prelude::*;
use std::fmt::Debug;
use std::fs;

fn idx_comes_back<T: IdxElement + Debug>(case: &Case) {
    let array = case.array::<T>();
    let view = case.look(&array);
    let assert_same = |file: &idx::Idx<'_>| {
        assert_eq!(file.shape(), view.shape());
        assert_eq!(bits(&file.to_array::<T>().unwrap()), bits(&view));
        assert!(file.tolerated().is_empty());
        assert_eq!(file.dtype(), Dtype { kind: T::KIND, endian: Endian::Big });
    };

    let mut plain = Vec::new();
    idx::Writer::new().write_to(&mut plain, &view).unwrap();
    assert_same(&idx::from_slice(&plain).unwrap());
    assert_same(&idx::from_reader(&plain[..]).unwrap());
    let header = 4 + 4 * view.ndim();
    assert_eq!(plain.len(), header + view.len() * size_of::<T>());
    for (element, bytes) in view.iter().zip(plain[header..].chunks_exact(size_of::<T>())) {
        let mut native = bytemuck::bytes_of(element).to_vec();
        if cfg!(target_endian = "little") {
            native.reverse();
        }
        assert_eq!(native, bytes, "elements are big-endian");
    }

    let mut compressed = Vec::new();
    idx::Writer::new().gzip(true).write_to(&mut compressed, &view).unwrap();
    assert_same(&idx::from_slice(&compressed).unwrap());
    let mut again = Vec::new();
    idx::Writer::new().gzip(true).write_to(&mut again, &view).unwrap();
    assert_eq!(compressed, again, "the same array gives the same bytes");
    let mut inflated = Vec::new();
    std::io::copy(&mut flate2::read::GzDecoder::new(&compressed[..]), &mut inflated).unwrap();
    assert_eq!(inflated, plain, "what other programs inflate is the plain file");
}

fn idx_comes_back_from_files<T: IdxElement + Debug>(case: &Case) {
    let folder = folder();
    let (array, path) = (case.array::<T>(), folder.path().join("a.idx"));
    let view = case.look(&array);
    idx::write(&path, &view).unwrap();
    let mut plain = Vec::new();
    idx::Writer::new().write_to(&mut plain, &view).unwrap();
    assert_eq!(fs::read(&path).unwrap(), plain);
    let file = idx::open(&path).unwrap();
    assert_eq!((file.shape(), bits(&file.to_array::<T>().unwrap())), (view.shape(), bits(&view)));

    // Writing item by item produces the same file.
    let item_shape = &view.shape()[1..];
    if item_shape.iter().product::<usize>() > 0 {
        let path = folder.path().join("b.idx");
        let mut writer = StreamWriter::<T>::create(&path, item_shape).unwrap();
        for item in view.outer_iter() {
            writer.push(&item).unwrap();
        }
        assert!(!path.exists(), "the file appears when it is whole");
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), plain);

        let mut writer = StreamWriter::<T>::create(&path, item_shape).unwrap();
        writer.push_slice(&view.iter().copied().collect::<Vec<_>>()).unwrap();
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), plain);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn idx_arrays_come_back_to_the_bit(case in cases(1..6)) {
        idx_comes_back::<u8>(&case);
        idx_comes_back::<i8>(&case);
        idx_comes_back::<i16>(&case);
        idx_comes_back::<i32>(&case);
        idx_comes_back::<f32>(&case);
        idx_comes_back::<f64>(&case);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn idx_files_come_back_to_the_bit(case in cases(1..5)) {
        idx_comes_back_from_files::<u8>(&case);
        idx_comes_back_from_files::<i8>(&case);
        idx_comes_back_from_files::<i16>(&case);
        idx_comes_back_from_files::<i32>(&case);
        idx_comes_back_from_files::<f32>(&case);
        idx_comes_back_from_files::<f64>(&case);
    }
}

#[test]
fn items_are_written_as_arrays_are() {
    let folder = folder();
    let path = folder.path().join("a.idx");
    let array = arr2(&[[1_i16, -2, 3], [4, 5, -600]]);
    for (gzip, descr) in [(false, "<i2"), (true, "<i2"), (false, ">i2")] {
        let item_type: ItemType = descr.parse().unwrap();
        let bytes: Vec<u8> = array
            .iter()
            .flat_map(|item| if descr == "<i2" { item.to_le_bytes() } else { item.to_be_bytes() })
            .collect();
        let mut items = Decoded::new(&bytes, &item_type, &[2, 3]).unwrap();
        let writer = idx::Writer::new().gzip(gzip);
        let (mut expected, mut written) = (Vec::new(), Vec::new());
        writer.write_to(&mut expected, &array).unwrap();
        writer.write_items_to(&mut written, &mut items, &Limits::default()).unwrap();
        writer.write_items(&path, &mut items, &Limits::default()).unwrap();
        assert_eq!(idx::from_slice(&written).unwrap().to_array::<i16>().unwrap(), array.clone().into_dyn());
        assert_eq!(fs::read(&path).unwrap(), written, "{descr}");
        // Items are compressed piece by piece, and arrays at once.
        assert!(gzip || written == expected, "{descr}");
        written.clear();
        let refused = writer.write_items_to(&mut written, &mut items, &Limits::default().output(23)).unwrap_err();
        assert_eq!(refused.finding().unwrap().rule.id, "limit-exceeded");
        assert!(written.is_empty(), "nothing is written of what is too long");
    }
}

#[test]
fn scalars_are_written_only_if_asked_for() {
    let mut bytes = Vec::new();
    let refused = idx::Writer::new().write_to(&mut bytes, &arr0(7_i16));
    assert!(matches!(refused, Err(Error::Inexpressible { format: "IDX", .. })));
    assert!(bytes.is_empty());
    idx::Writer::new().scalars(true).write_to(&mut bytes, &arr0(7_i16)).unwrap();
    assert_eq!(bytes, [0, 0, 0x0B, 0, 0, 7]);
    let file = idx::from_slice(&bytes).unwrap();
    assert_eq!(file.to_array::<i16>().unwrap(), arr0(7).into_dyn());
    assert_eq!(file.warnings()[0].rule.id, "idx/scalar");
    assert!(matches!(file.item::<i16>(0), Err(Error::OutOfRange { index: 0, length: 0 })));
}

#[test]
fn arrays_that_idx_cannot_hold_are_refused() {
    let inexpressible = |result: Result<()>, words: &str| match result {
        Err(Error::Inexpressible { format: "IDX", what }) => assert!(what.contains(words), "{what}"),
        other => panic!("{other:?}"),
    };
    let folder = folder();
    let path = folder.path().join("a.idx");
    let write = |shape: &[usize]| idx::write(&path, &ArrayD::<u8>::zeros(IxDyn(shape)));
    inexpressible(write(&[]), "without axes");
    inexpressible(write(&[1; 256]), "256 axes");
    inexpressible(write(&[1 << 32, 0]), "4294967296");
    inexpressible(StreamWriter::<u8>::create(&path, &[1; 255]).map(drop), "256 axes");
    inexpressible(StreamWriter::<u8>::create(&path, &[1 << 32]).map(drop), "4294967296");
    let mut writer = StreamWriter::<u8>::create(&path, &[2]).unwrap();
    inexpressible(writer.push(&arr1(&[1, 2, 3])), "[3]");
    inexpressible(writer.push(&arr2(&[[1, 2]])), "[1, 2]");
    assert!(matches!(writer.push_slice(&[1, 2, 3]), Err(Error::BufferLength { needed: 2, given: 3 })));
    drop(writer);
    assert!(names(&folder).is_empty(), "nothing is left of files that were not written");
    // This is the maximum of the format.
    write(&[1; 255]).unwrap();
    assert_eq!(idx::open(&path).unwrap().shape(), [1; 255]);
    write(&[(1 << 32) - 1, 0]).unwrap();
    assert_eq!(idx::open(&path).unwrap().shape(), [u32::MAX as usize, 0]);
}
