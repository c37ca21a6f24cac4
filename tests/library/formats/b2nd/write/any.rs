//! Arbitrary arrays, written in arbitrary ways.

use super::{CODECS, TYPES, assert_slice_clean, pool, round_trip};
use ndbytes::b2nd::{self, Codec, Filter, Writer};
use ndbytes::{Error, ItemType};
use ndbytes_testkit::b2nd::{Expected, Numbers};
use proptest::prelude::*;

/// A way to write an array, and its items.
#[derive(Debug, Clone)]
struct Case {
    item: &'static str,
    /// The lengths of array, chunk and block along each axis.
    axes: Vec<(usize, usize, usize)>,
    is_cut: (bool, bool),
    codec: Codec,
    level: u8,
    filters: Vec<Filter>,
    /// The number of different bytes, and the length of runs of equal bytes.
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
        let mut writer = Writer::new().codec(self.codec).level(self.level).filters(&self.filters).delta_blocks(true);
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
    fn any_array_is_read_as_it_was_written(case in cases()) {
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
    fn any_settings_are_written_or_refused_without_a_panic(
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
