//! An opened IDX file: elements, items, and buffers.

use super::both_ways;
use ndarray::{ArrayD, Axis, IxDyn, arr1, arr2, arr3};
use ndbytes::idx;
use ndbytes::{ElementKind, Error, Result};

#[test]
fn another_type_is_refused_by_name() {
    let (plain, _) = both_ways(&arr1(&[1_i32, 2]));
    let file = idx::from_slice(&plain).unwrap();
    let wrong = |result: Result<()>, kind: ElementKind| match result {
        Err(Error::WrongType { requested, stored }) => {
            assert_eq!((requested.kind, stored.kind), (kind, ElementKind::I32))
        }
        other => panic!("{other:?}"),
    };
    wrong(file.view::<f32>().map(drop), ElementKind::F32);
    wrong(file.to_array::<i16>().map(drop), ElementKind::I16);
    wrong(file.read_into::<u8>(&mut [0; 8]), ElementKind::U8);
    wrong(file.item::<i8>(0).map(drop), ElementKind::I8);
    wrong(file.items::<f64>().map(drop), ElementKind::F64);
    let error = file.to_array::<f32>().unwrap_err();
    assert_eq!(error.to_string(), "the elements are i32 (big-endian), not f32 (big-endian)");
}

#[test]
fn a_buffer_has_to_have_the_right_length() {
    let (plain, _) = both_ways(&arr2(&[[1_i32, 2], [3, 4]]));
    let file = idx::from_slice(&plain).unwrap();
    for given in [0, 3, 5] {
        let mut buffer = vec![9; given];
        let error = file.read_into::<i32>(&mut buffer).unwrap_err();
        assert!(matches!(error, Error::BufferLength { needed: 4, given: found } if found == given as u64), "{error}");
        assert_eq!(buffer, vec![9; given], "nothing is written");
    }
    let mut buffer = [0; 4];
    file.read_into::<i32>(&mut buffer).unwrap();
    assert_eq!(buffer, [1, 2, 3, 4]);
}

#[test]
fn items_are_the_parts_along_the_first_axis() {
    let array = arr3(&[[[1_u8, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]);
    let (plain, _) = both_ways(&array);
    let file = idx::from_slice(&plain).unwrap();
    let items = file.items::<u8>().unwrap();
    assert_eq!((items.len(), items.shape(), items.iter().len()), (2, &[2, 3][..], 2));
    assert_eq!(items.get(1), Some(&[7, 8, 9, 10, 11, 12][..]));
    assert_eq!((items.get(2), items.get(usize::MAX)), (None, None));
    assert_eq!(items.iter().collect::<Vec<_>>(), [&[1, 2, 3, 4, 5, 6][..], &[7, 8, 9, 10, 11, 12]]);
    assert_eq!(file.item::<u8>(1).unwrap(), array.index_axis(Axis(0), 1).into_dyn());
    for index in [2, usize::MAX] {
        let error = file.item::<u8>(index).unwrap_err();
        assert!(matches!(error, Error::OutOfRange { length: 2, .. }), "{error}");
    }
    // Items without elements are still items.
    let (plain, _) = both_ways(&ArrayD::<u8>::zeros(IxDyn(&[3, 0])));
    let file = idx::from_slice(&plain).unwrap();
    assert_eq!((file.items::<u8>().unwrap().len(), file.items::<u8>().unwrap().get(2)), (3, Some(&[][..])));
    assert_eq!(file.item::<u8>(2).unwrap().shape(), [0]);
}

#[test]
fn help_about_text_is_the_same_for_a_slice_and_a_file() {
    let path = tempfile::NamedTempFile::new().unwrap();
    // A non-ASCII character among the first bytes, which every input has in memory, or after them.
    for at in [100, 5000] {
        let mut bytes = [&[0, 0, 8, 1, 0, 0, 0x13, 0][..], &[b'a'; 5100]].concat();
        bytes[at..at + 2].copy_from_slice("é".as_bytes());
        std::fs::write(path.path(), &bytes).unwrap();
        let checker = ndbytes::Checker::new();
        let (slice, file) = (checker.check_slice(&bytes).unwrap(), checker.check(path.path()).unwrap());
        assert_eq!(slice, file);
        let [finding] = slice.findings() else { panic!("{slice:?}") };
        let help = "the bytes are UTF-8 of Latin-1 characters: the file seems to have been saved as text, with two bytes for each byte from 80 on";
        assert_eq!(finding.help.as_deref(), Some(help));
    }
}
