//! Arrays are merged item by item, or row by row if the first axis has changed.

use super::{bytes, conflicts, merged, open};
use ndarray::{Array2, ArrayD, Axis, IxDyn, arr1, arr2, concatenate};
use ndbytes::b2nd::{Codec, Filter};
use ndbytes::{b2nd, idx, npy, rawarray};
use ndbytes_convert::merge::{Merged, Options, Version, Versions, merge};
use ndbytes_testkit::tables::made::mix;

/// A way to write an array of floating-point numbers.
type Writing = fn(&ArrayD<f32>) -> Vec<u8>;

/// The formats of arrays, each with its writer.
const FORMATS: [(&str, Writing); 5] = [
    ("IDX", |array| idx::Writer::new().to_vec(array).unwrap()),
    ("RawArray", |array| rawarray(array, b"note")),
    (".npy", |array| npy::Writer::new().to_vec(array).unwrap()),
    (".npy in Fortran order", |array| npy::Writer::new().fortran_order(true).to_vec(array).unwrap()),
    ("b2nd", |array| {
        let writer = b2nd::Writer::new().chunks([2, 3]).blocks([1, 3]);
        writer.attribute("unit", &"K".into()).unwrap().to_vec(array).unwrap()
    }),
];

/// A RawArray file with the axes of the array.
fn rawarray(array: &ArrayD<f32>, metadata: &[u8]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    rawarray::Writer::new().metadata(metadata).write(&path, array, rawarray::Order::Fortran).unwrap();
    std::fs::read(path).unwrap()
}

fn numbers(rows: usize, columns: usize) -> ArrayD<f32> {
    Array2::from_shape_fn((rows, columns), |(row, column)| (row * columns + column) as f32).into_dyn()
}

#[test]
fn changes_of_different_items_are_merged_in_every_format() {
    let base = numbers(4, 3);
    let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
    (ours[[0, 0]], both[[0, 0]]) = (-1.0, -1.0);
    (theirs[[0, 1]], both[[0, 1]]) = (-2.0, -2.0);
    (theirs[[3, 2]], both[[3, 2]]) = (-3.0, -3.0);
    for (name, write) in FORMATS {
        let found = merged(&write(&base), &write(&ours), &write(&theirs), None);
        assert_eq!(bytes(&found), write(&both), "{name}");
        assert_eq!((found.from_ours, found.from_theirs, found.conflict_count), (1, 2, 0), "{name}");
    }
}

#[test]
fn inserted_deleted_and_changed_rows_are_merged_in_every_format() {
    let base = numbers(5, 3);
    let mut ours = base.clone();
    ours[[0, 1]] = -1.0;
    let row = numbers(1, 3).mapv(|number| number + 100.0);
    let with = concatenate(Axis(0), &[base.view(), row.view()]).unwrap();
    let theirs = with.select(Axis(0), &[0, 1, 3, 4, 5]);
    let longer = with.select(Axis(0), &[0, 1, 2, 3, 4, 5]);
    for (name, write) in FORMATS {
        // One row is new, so the shape differs.
        let mut expected = longer.clone();
        expected[[0, 1]] = -1.0;
        let found = merged(&write(&base), &write(&ours), &write(&longer), None);
        assert_eq!(bytes(&found), write(&expected), "{name}");
        assert_eq!((found.from_ours, found.from_theirs), (1, 1), "{name}");
        let shorter = ours.select(Axis(0), &[0, 1, 2, 3]);
        let found = merged(&write(&base), &write(&shorter), &write(&longer), None);
        assert_eq!(conflicts(&found), ["row 4: ours has no rows after row 3 instead, theirs rows 4 to 5"], "{name}");
        // One row is deleted and one is new, so the shape is the same.
        let mut expected = theirs.clone();
        expected[[0, 1]] = -1.0;
        let found = merged(&write(&base), &write(&theirs), &write(&ours), None);
        assert_eq!(bytes(&found), write(&expected), "{name}");
    }
}

#[test]
fn different_changes_of_one_item_are_a_conflict_that_can_be_decided() {
    let write = FORMATS[2].1;
    let base = numbers(2, 3);
    let (mut ours, mut theirs) = (base.clone(), base.clone());
    (ours[[0, 0]], ours[[1, 2]]) = (7.0, -1.0);
    theirs[[1, 2]] = -2.0;
    let found = merged(&write(&base), &write(&ours), &write(&theirs), None);
    assert_eq!(found.merged, None);
    assert_eq!(conflicts(&found), ["item [1, 2]: 5.0 became -1.0 in ours, -2.0 in theirs"]);

    let found = merged(&write(&base), &write(&ours), &write(&theirs), Some(Version::Ours));
    assert_eq!(found.merged, Some(Merged::Version(Version::Ours)));
    let found = merged(&write(&base), &write(&ours), &write(&theirs), Some(Version::Theirs));
    let mut expected = ours.clone();
    expected[[1, 2]] = -2.0;
    assert_eq!(bytes(&found), write(&expected));
    let found = merged(&write(&base), &write(&ours), &write(&theirs), Some(Version::Base));
    expected[[1, 2]] = 5.0;
    assert_eq!(bytes(&found), write(&expected));
}

#[test]
fn a_file_that_one_side_alone_changed_is_that_file() {
    for (name, write) in FORMATS {
        let (base, mut other) = (numbers(3, 3), numbers(3, 3));
        other[[2, 2]] = 0.5;
        let (base, changed, longer) = (write(&base), write(&other), write(&numbers(4, 3)));
        for changed in [&changed, &longer, &write(&numbers(3, 4))] {
            let found = merged(&base, changed, &base, None);
            assert_eq!(found.merged, Some(Merged::Version(Version::Ours)), "{name}");
            let found = merged(&base, &base, changed, None);
            assert_eq!(found.merged, Some(Merged::Version(Version::Theirs)), "{name}");
            let found = merged(&base, changed, changed, None);
            assert_eq!(found.merged, Some(Merged::Version(Version::Ours)), "{name}");
        }
    }
}

#[test]
fn a_type_that_one_side_changed_beside_items_of_the_other_is_a_conflict() {
    let base = idx::Writer::new().to_vec(&arr1(&[1_u8, 2, 3])).unwrap();
    let wider = idx::Writer::new().to_vec(&arr1(&[1_i16, 2, 3])).unwrap();
    let changed = idx::Writer::new().to_vec(&arr1(&[1_u8, 2, 9])).unwrap();
    let found = merged(&base, &wider, &changed, None);
    assert_eq!(conflicts(&found), ["the items are |u1 in base, >i2 in ours, |u1 in theirs"]);
    assert_eq!(merged(&base, &wider, &changed, Some(Version::Theirs)).merged, Some(Merged::Version(Version::Theirs)));
}

#[test]
fn the_byte_order_of_theirs_is_no_difference() {
    let [base, ours] = [[1.0, 2.0], [5.0, 2.0]].map(|items| npy::Writer::new().to_vec(&arr1::<f64>(&items)).unwrap());
    let theirs = String::from_utf8_lossy(&base[..128]).replace("'<f8'", "'>f8'").into_bytes();
    let mut theirs: Vec<u8> = [&base[..8], &theirs[theirs.len() - 120..]].concat();
    theirs.extend([1.0_f64, 8.0].iter().flat_map(|item| item.to_be_bytes()));
    let found = merged(&base, &ours, &theirs, None);
    assert_eq!(bytes(&found), npy::Writer::new().to_vec(&arr1::<f64>(&[5.0, 8.0])).unwrap());
}

#[test]
fn nans_are_merged_by_their_bits() {
    let write = |items: [f32; 3]| npy::Writer::new().to_vec(&arr1(&items)).unwrap();
    let (quiet, other) = (f32::NAN, f32::from_bits(0x7FC0_0001));
    let found = merged(&write([quiet, 1.0, -0.0]), &write([quiet, 2.0, -0.0]), &write([quiet, 1.0, 0.0]), None);
    assert_eq!(bytes(&found), write([quiet, 2.0, 0.0]));
    let found = merged(&write([quiet, 1.0, 0.0]), &write([other, 1.0, 0.0]), &write([1.0, 1.0, 0.0]), None);
    assert_eq!(found.conflict_count, 1);
}

#[test]
fn b2nd_keeps_chunks_codec_and_filters_of_ours_and_attributes_are_merged_by_name() {
    let file = |items: [[i32; 4]; 2], attributes: &[(&str, i32)]| {
        let writer = b2nd::Writer::new().chunks([1, 4]).blocks([1, 2]).codec(Codec::LZ4).level(9);
        let writer = writer.filters([Filter::Bitshuffle]);
        let add = |writer: b2nd::Writer, (name, value): &(&str, i32)| writer.attribute(name, &(*value).into()).unwrap();
        attributes.iter().fold(writer, add).to_vec(&arr2(&items)).unwrap()
    };
    let base = file([[1, 2, 3, 4], [5, 6, 7, 8]], &[("a", 1), ("b", 1), ("c", 1)]);
    let ours = file([[0, 2, 3, 4], [5, 6, 7, 8]], &[("a", 2), ("b", 1), ("c", 1)]);
    let theirs = file([[1, 2, 3, 4], [5, 6, 7, 9]], &[("a", 1), ("c", 1), ("d", 5)]);
    let found = merged(&base, &ours, &theirs, None);
    assert_eq!(bytes(&found), file([[0, 2, 3, 4], [5, 6, 7, 9]], &[("a", 2), ("c", 1), ("d", 5)]));

    let other = file([[1, 2, 3, 4], [5, 6, 7, 9]], &[("a", 3), ("b", 1), ("c", 1)]);
    assert_eq!(conflicts(&merged(&base, &ours, &other, None)), ["attribute a: both sides changed it"]);
    // A change of only an attribute is a change.
    let noted = file([[1, 2, 3, 4], [5, 6, 7, 8]], &[("a", 1), ("b", 1), ("c", 1), ("d", 5)]);
    let found = merged(&base, &ours, &noted, None);
    assert_eq!(bytes(&found), file([[0, 2, 3, 4], [5, 6, 7, 8]], &[("a", 2), ("b", 1), ("c", 1), ("d", 5)]));
}

#[test]
fn metadata_of_rawarray_are_merged_as_a_whole() {
    let file = |items: [f32; 2], note: &[u8]| rawarray(&arr1(&items).into_dyn(), note);
    let found = merged(&file([1.0, 2.0], b"old"), &file([9.0, 2.0], b"old"), &file([1.0, 2.0], b"new"), None);
    assert_eq!(bytes(&found), file([9.0, 2.0], b"new"));
    let found = merged(&file([1.0, 2.0], b"old"), &file([9.0, 2.0], b"mine"), &file([1.0, 2.0], b"new"), None);
    assert_eq!(conflicts(&found), ["metadata after the elements: both sides changed it"]);
}

#[test]
fn a_merged_file_is_inside_gzip_on_request() {
    let file = |items: [u8; 3]| idx::Writer::new().to_vec(&arr1(&items)).unwrap();
    let bytes = Versions { base: file([1, 2, 3]), ours: file([7, 2, 3]), theirs: file([1, 2, 9]) };
    let files = bytes.each_ref().map(|bytes| open(bytes));
    let found = merge(files.each_ref(), &Options::new().gzip(true), &mut |_| None).unwrap();
    let Some(Merged::File(packed)) = found.merged else { panic!("{found:?}") };
    assert!(ndbytes::is_gzip(&packed));
    assert_eq!(open(&packed).into_array().unwrap().to_array::<u8>().unwrap(), arr1(&[7, 2, 9]).into_dyn());
}

#[test]
fn arrays_that_need_more_memory_than_there_is_are_refused() {
    let file = npy::Writer::new().to_vec(&numbers(100, 100)).unwrap();
    let files = Versions { base: &file, ours: &file, theirs: &file }.map(|bytes| open(bytes));
    let options = Options::new().limits(ndbytes::Limits::default().memory(1 << 12));
    let refused = merge(files.each_ref(), &options, &mut |_| None).unwrap_err();
    assert!(refused.to_string().contains("the merged array"), "{refused}");
}

/// Pseudorandom numbers from a seed.
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, end: usize) -> usize {
        self.0 = mix(self.0);
        (self.0 % end as u64) as usize
    }
}

/// The items with a few changes.
fn edited(items: &[u8], seeded: &mut Seeded) -> Vec<u8> {
    let mut edited = items.to_vec();
    for _ in 0..seeded.below(6) {
        edited[seeded.below(items.len())] = seeded.below(256) as u8;
    }
    edited
}

#[test]
fn merging_is_the_same_from_both_sides_and_holds_every_change() {
    let mut counts = [0; 2];
    for seed in 0..300 {
        let mut seeded = Seeded(seed);
        let shape: Vec<usize> = (0..1 + seeded.below(3)).map(|_| 1 + seeded.below(5)).collect();
        let items: usize = shape.iter().product();
        let base: Vec<u8> = (0..items).map(|item| item as u8).collect();
        let (mine, other) = (edited(&base, &mut seeded), edited(&base, &mut seeded));
        let expected: Option<Vec<u8>> = (0..items)
            .map(|item| match (base[item], mine[item], other[item]) {
                (base, mine, other) if other == base || mine == other => Some(mine),
                (base, mine, other) if mine == base => Some(other),
                _ => None,
            })
            .collect();
        let file = |items: &[u8]| {
            let array = ArrayD::from_shape_vec(IxDyn(&shape), items.to_vec()).unwrap();
            b2nd::Writer::new().to_vec(&array).unwrap()
        };
        for (ours, theirs) in [(&mine, &other), (&other, &mine)] {
            let found = merged(&file(&base), &file(ours), &file(theirs), None);
            assert_eq!(found.conflict_count == 0, expected.is_some(), "{seed}");
            let merged = found.merged.map(|merged| match merged {
                Merged::File(bytes) => bytes,
                Merged::Version(Version::Ours) => file(ours),
                Merged::Version(_) => file(theirs),
            });
            assert_eq!(merged, expected.as_ref().map(|items| file(items)), "{seed}");
        }
        counts[usize::from(expected.is_some())] += 1;
    }
    assert!(counts[0] > 20 && counts[1] > 100, "{counts:?}");
}
