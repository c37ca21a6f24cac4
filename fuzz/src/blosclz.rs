//! Compares ndbytes' blosclz decoder with a simple one and decodes its encoder's output with both.

use crate::b2nd::{codecs, lz_input};
use ndbytes_codecs::lz::{SLACK, blosclz};

/// Asserts that any stream decodes in the same way in all decoders, and that encoded bytes can be decoded.
pub fn examine(bytes: &[u8]) {
    let Some(input) = lz_input(bytes) else { return };
    decode(input.around, input.stream(), input.length, input.needed);

    let mut encoded = vec![0xaa; 3];
    let source = &input.around[input.place.clone()];
    if !blosclz::encode(source, input.level, &mut encoded) {
        return assert_eq!(encoded, [0xaa; 3], "nothing is appended");
    }
    assert_eq!(encoded[..3], [0xaa; 3]);
    assert!(encoded.len() - 3 < source.len(), "it is shorter");
    assert_eq!(codecs::blosclz(&encoded[3..], source.len()).as_deref(), Some(source));
    decode(&encoded, 3..encoded.len(), source.len(), source.len());
}

/// Asserts that a stream among other bytes decodes as in the simple decoder, and no further than requested.
fn decode(around: &[u8], stream: std::ops::Range<usize>, length: usize, needed: usize) {
    let expected = codecs::blosclz(&around[stream.clone()], length);
    let mut target = vec![0xaa; length + SLACK];
    let decoded = blosclz::decode(around, stream.clone(), &mut target, length, length);
    match &expected {
        Some(bytes) => {
            assert_eq!(decoded, Ok(length));
            assert!(target[..length] == *bytes, "not the same bytes");
        }
        None => assert!(decoded.is_err_and(|broken| broken.at <= stream.len()), "{decoded:?}"),
    }
    target.fill(0x55);
    let decoded = blosclz::decode(around, stream.clone(), &mut target, length, needed);
    if let Some(bytes) = &expected {
        assert!(decoded.is_ok_and(|decoded| (needed.min(length)..=length).contains(&decoded)), "{decoded:?}");
        assert!(target[..needed.min(length)] == bytes[..needed.min(length)], "not the same first bytes");
    }
    // The result is the same with nothing after the stream, or with more room for the output.
    let alone = &around[stream];
    let mut target = vec![0xaa; length + 2 * SLACK];
    let decoded = blosclz::decode(alone, 0..alone.len(), &mut target, length, length);
    assert_eq!(decoded.ok(), expected.as_ref().map(|_| length));
    assert!(expected.is_none_or(|bytes| target[..length] == bytes), "not the same bytes");
    assert!(target[length + SLACK..].iter().all(|&byte| byte == 0xaa), "too far after the output");
}
