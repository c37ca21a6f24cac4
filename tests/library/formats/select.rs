//! Selections from arrays in any format, as in ndarray.

use ndarray::{Array3, Order as IndexOrder, SliceInfo, SliceInfoElem, s};
use ndbytes::{Error, b2nd, idx, npy, rawarray};
use std::path::{Path, PathBuf};

/// The same array in files of all formats, in both orders.
fn files(folder: &Path, array: &Array3<i32>) -> Vec<PathBuf> {
    let paths = ["a.idx", "a.ra", "a.b2nd", "c.npy", "f.npy"].map(|name| folder.join(name));
    idx::write(&paths[0], array).unwrap();
    rawarray::write(&paths[1], array, rawarray::Order::Fortran).unwrap();
    b2nd::Writer::new().chunks([3, 4, 5]).blocks([2, 2, 3]).write(&paths[2], array).unwrap();
    npy::write(&paths[3], array).unwrap();
    npy::Writer::new().fortran_order(true).write(&paths[4], array).unwrap();
    paths.into()
}

#[test]
fn selected_items_are_those_of_ndarray_in_every_format() {
    let array = Array3::from_shape_fn((7, 9, 8), |(x, y, z)| (100 * x + 10 * y + z) as i32);
    let folder = tempfile::tempdir().unwrap();
    let selections: [Vec<SliceInfoElem>; 9] = [
        s![.., .., ..].as_ref().to_vec(),
        s![2..5, .., ..].as_ref().to_vec(),
        s![3, .., ..].as_ref().to_vec(),
        s![.., 4, -1].as_ref().to_vec(),
        s![..;-2, 1..8;3, ..;-1].as_ref().to_vec(),
        s![1..1, .., ..].as_ref().to_vec(),
        s![-1, -1, -1].as_ref().to_vec(),
        s![6.., 3..4, 2..7;4].as_ref().to_vec(),
        s![0, .., 3..4].as_ref().to_vec(),
    ];
    for path in files(folder.path(), &array) {
        let file = ndbytes::open(&path).unwrap().into_array().unwrap();
        for slices in &selections {
            // RawArray's first axis always varies fastest, whatever wrote the file.
            let whole = file.to_array::<i32>().unwrap();
            let slice = SliceInfo::<_, ndarray::IxDyn, ndarray::IxDyn>::try_from(slices.clone()).unwrap();
            let expected = whole.slice(slice);
            let mut items = file.select(slices).unwrap();
            assert_eq!(items.shape(), expected.shape(), "{path:?} {slices:?}");
            let swap = file.dtype().is_swapped();
            let numbers = |bytes: &[u8]| {
                let each = bytes.chunks_exact(4).map(|number| i32::from_ne_bytes(number.try_into().unwrap()));
                each.map(|number| if swap { number.swap_bytes() } else { number }).collect::<Vec<_>>()
            };
            let flat = expected.to_shape((expected.len(), IndexOrder::RowMajor)).unwrap().to_vec();
            let count = items.count();
            assert_eq!(numbers(items.read(0, count).unwrap()), flat, "{path:?} {slices:?}");
            // Reading in pieces yields the same items.
            let pieces =
                (0..count).step_by(5).flat_map(|start| numbers(items.read(start, 5.min(count - start)).unwrap()));
            assert_eq!(pieces.collect::<Vec<_>>(), flat, "{path:?} {slices:?}");
            assert!(matches!(items.read(count, 1), Err(Error::OutOfRange { .. })));
        }
        let error = |slices: &[SliceInfoElem]| file.select(slices).err().unwrap();
        assert!(matches!(error(s![.., ..].as_ref()), Error::Selection { given: 2, axes: 3 }));
        assert!(matches!(error(s![9, .., ..].as_ref()), Error::OutOfRange { index: 9, .. }));
    }
}
