//! LEB128 numbers: RawArray's own fast decoder agrees with the layout.

use ndbytes::everybyte::{
    Endian, Source,
    bytes::{Region, Rest},
    trace::read_next,
    varint::Leb128,
    write,
};
use ndbytes::rawarray::{self, Order};
use ndbytes::schemas::rawarray::{Eltype, Flags, RawArray};
use proptest::prelude::*;

/// Encodes a number in more bytes than it needs.
fn encoded((number, more): (u64, usize)) -> Vec<u8> {
    let mut bytes = write(&Leb128::new(number), Endian::Little).unwrap();
    // The layout accepts at most ten bytes.
    for _ in 0..more.min(10 - bytes.len()) {
        *bytes.last_mut().unwrap() |= 0x80;
        bytes.push(0);
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn encoded_numbers_are_those_of_the_layout(
        numbers in prop::collection::vec((0_u32..64, any::<u64>(), 0_usize..4), 1..20),
    ) {
        let numbers = numbers.into_iter().map(|(shift, number, more)| encoded((number >> shift, more)));
        let data: Vec<Vec<u8>> = numbers.collect();
        let count = data.len() as u64;
        let header = RawArray {
            flags: Flags::new().with_encoded(true),
            eltype: Eltype::Unsigned,
            elbyte: 8,
            size: 8 * count,
            dims: vec![count],
            data: Region::default(),
            metadata: Rest::default(),
        };
        let data = data.concat();
        let file = [write(&header, Endian::Little).unwrap(), data.clone()].concat();
        let mut source = Source::new(&data);
        let expected: Vec<u64> = (0..count)
            .map(|_| read_next::<Leb128>(&mut source, Endian::Little, ()).unwrap().value())
            .collect();
        prop_assert_eq!(source.position(), data.len() as u64);
        let array = rawarray::from_slice(&file).unwrap();
        prop_assert_eq!(array.to_array::<u64>(Order::Fortran).unwrap().into_raw_vec_and_offset().0, expected);
        prop_assert_eq!(array.metadata().unwrap().len(), 0);
    }
}
