//! Compares ndbytes' LZ4 decoder with a simple one and with lz4_flex, and decodes its encoder's output with all three.

use crate::b2nd::{codecs, lz_input};
use ndbytes_codecs::lz::{SLACK, lz4};
use std::ops::Range;

/// Asserts that any stream decodes in the same way in all decoders, and that encoded bytes can be decoded.
pub fn examine(bytes: &[u8]) {
    let Some(input) = lz_input(bytes) else { return };
    decode(input.around, input.stream(), input.dictionary, input.length, input.needed);

    let source = &input.around[input.place.clone()];
    for encode in [lz4::encode, lz4::encode_high] {
        let mut encoded = vec![0xaa; 3];
        if !encode(source, input.level, &mut encoded) {
            assert_eq!(encoded, [0xaa; 3], "nothing is appended");
            continue;
        }
        assert_eq!(encoded[..3], [0xaa; 3]);
        assert!(encoded.len() - 3 < source.len(), "it is shorter");
        let plain = codecs::lz4(&encoded[3..], &[], source.len()).expect("what was encoded can be decoded");
        assert!(plain.obeys_ends && plain.bytes == source, "not the same bytes");
        decode(&encoded, 3..encoded.len(), &[], source.len(), source.len());
    }
}

/// Asserts that a block among other bytes decodes as in the other decoders, and no further than requested.
fn decode(around: &[u8], stream: Range<usize>, dictionary: &[u8], length: usize, needed: usize) {
    let plain = codecs::lz4(&around[stream.clone()], dictionary, length);
    compare_with_flex(&around[stream.clone()], dictionary, length, plain.as_ref());
    let expected = plain.filter(|plain| plain.obeys_ends).map(|plain| plain.bytes);
    let mut target = vec![0xaa; length + SLACK];
    let decoded = lz4::decode(around, stream.clone(), dictionary, &mut target, length, length);
    match &expected {
        Some(bytes) => {
            assert_eq!(decoded, Ok(length));
            assert!(target[..length] == *bytes, "not the same bytes");
        }
        None => assert!(decoded.is_err_and(|broken| broken.at <= stream.len()), "{decoded:?}"),
    }
    target.fill(0x55);
    let decoded = lz4::decode(around, stream.clone(), dictionary, &mut target, length, needed);
    if let Some(bytes) = &expected {
        assert!(decoded.is_ok_and(|decoded| (needed.min(length)..=length).contains(&decoded)), "{decoded:?}");
        assert!(target[..needed.min(length)] == bytes[..needed.min(length)], "not the same first bytes");
    }
    // The result is the same with nothing after the block, or with more room for the output.
    let alone = &around[stream];
    let mut target = vec![0xaa; length + 2 * SLACK];
    let decoded = lz4::decode(alone, 0..alone.len(), dictionary, &mut target, length, length);
    assert_eq!(decoded.ok(), expected.as_ref().map(|_| length));
    assert!(expected.is_none_or(|bytes| target[..length] == bytes), "not the same bytes");
    assert!(target[length + SLACK..].iter().all(|&byte| byte == 0xaa), "too far after the output");
}

/// Compares with lz4_flex, which does not check the distances from the end.
fn compare_with_flex(stream: &[u8], dictionary: &[u8], length: usize, plain: Option<&codecs::Lz4>) {
    let mut target = vec![0; length];
    let decoded = lz4_flex::block::decompress_into_with_dict(stream, &mut target, dictionary);
    assert_eq!(decoded.is_ok_and(|decoded| decoded == length), plain.is_some(), "lz4_flex is of another opinion");
    assert!(plain.is_none_or(|plain| plain.bytes == target), "lz4_flex decodes to something else");
}
