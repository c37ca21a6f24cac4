//! Codecs, levels and filters.

use super::{CODECS, assert_slice_clean, bytes_of, inexpressible, ramp, round_trip};
use ndarray::{Array, ArrayD};
use ndbytes::b2nd::{self, Filter, Writer};
use ndbytes::{Checker, ItemType};
use ndbytes_testkit::b2nd::Expected;

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
            // All levels with one filter, and one level for each of the others.
            for level in if number == 1 { 0..=9 } else { number as u8 % 10..=number as u8 % 10 } {
                let writer = Writer::new().codec(codec).level(level).filters(filters);
                let writer = writer.chunks([40, 33]).blocks([9, 17]).delta_blocks(true);
                let bytes = round_trip(&writer, &expected, &format!("{codec:?} {level} {filters:?}"));
                let array = b2nd::from_slice(&bytes).unwrap();
                assert_eq!((array.codec(), array.level(), array.filters().len()), (codec, level, filters.len()));
            }
        }
    }
}

#[test]
fn delta_goes_over_several_blocks_only_where_that_is_asked_for() {
    let array = ramp(&[90, 70]);
    let writer = Writer::new().filters([Filter::Delta, Filter::Shuffle]);
    let rules = |bytes: &[u8]| -> Vec<&str> {
        let report = Checker::new().check_slice(bytes).unwrap();
        report.findings().iter().map(|finding| finding.rule.id).collect()
    };
    for writer in [writer.clone(), writer.clone().chunks([40, 33]), writer.clone().blocks([40, 33])] {
        let bytes = writer.to_vec(&array).unwrap();
        let read = b2nd::from_slice(&bytes).unwrap();
        assert_eq!(read.chunk_shape(), read.block_shape());
        assert_eq!(read.to_array::<f64>().unwrap(), array);
        assert!(rules(&bytes).is_empty());
    }
    let cut = writer.chunks([40, 33]).blocks([20, 33]);
    let what = inexpressible(cut.to_vec(&array));
    assert!(what.contains("`Writer::delta_blocks`"), "{what}");
    let bytes = cut.clone().delta_blocks(true).to_vec(&array).unwrap();
    assert_eq!(rules(&bytes), ["b2nd/delta-blocks"]);
    assert_eq!(b2nd::from_slice(&bytes).unwrap().block_shape(), [20, 33]);
    // Without the filter, there are no findings.
    assert!(rules(&cut.filters([Filter::Shuffle]).to_vec(&array).unwrap()).is_empty());
}

#[test]
fn truncated_numbers_keep_their_highest_bits() {
    let floats = Array::from_iter((0..5000).map(|number| f64::from(number).sqrt()));
    for filters in [&[Filter::TruncPrec(10)][..], &[Filter::TruncPrec(10), Filter::Delta, Filter::Shuffle]] {
        let writer = Writer::new().chunks([2000]).blocks([300]).filters(filters).delta_blocks(true);
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
    // Chunks of one value lose as many bits as others.
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
