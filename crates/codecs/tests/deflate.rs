//! Deflate streams, inflated at once and piece by piece, and the ways in which they end.

use ndbytes_codecs::deflate::{Inflating, Outcome, Step, ZlibEncoder, deflated, is_zlib, most_inflated};

/// Bytes that compress, but not well.
fn data() -> Vec<u8> {
    (0..5000_u32).map(|at| (at * at / 7 % 64) as u8).collect()
}

#[test]
fn the_first_two_bytes_tell_a_zlib_stream() {
    for begin in [[0x78, 0x01], [0x78, 0x5e], [0x78, 0x9c], [0x78, 0xda]] {
        assert!(is_zlib(&begin) && is_zlib(&[&begin[..], b"more"].concat()), "{begin:x?}");
    }
    let others: [&[u8]; 6] = [b"", b"\x78", b"\x78\x00", b"\x78\x9d", b"\x1f\x8b", b"\x58\x85"];
    assert!(others.iter().all(|begin| !is_zlib(begin)));
}

#[test]
fn a_stream_makes_at_most_1032_bytes_of_one_and_258_more() {
    assert_eq!([0, 1, 10].map(most_inflated), [258, 1290, 10_578]);
    assert_eq!(most_inflated(u64::MAX), u64::MAX);
    let zeros = vec![0; 1 << 20];
    assert!(most_inflated(deflated(&zeros).unwrap().len() as u64) >= zeros.len() as u64);
}

#[test]
fn a_whole_stream_is_inflated_to_its_end() {
    let (data, mut target) = (data(), [0; 5000]);
    let stream = deflated(&data).unwrap();
    let mut inflating = Inflating::new(false);
    for _ in 0..2 {
        let found = inflating.whole(&[&stream[..], b"rest"].concat(), &mut target);
        assert_eq!((found.outcome, found.consumed, found.written), (Outcome::Ended, stream.len(), 5000));
        assert!(found.filled_at <= stream.len() && target[..] == data[..]);
        target.fill(0);
    }
    let more = Inflating::new(false).whole(&stream, &mut [0; 6000]);
    assert_eq!((more.outcome, more.filled_at, more.written), (Outcome::Ended, stream.len(), 5000));
}

#[test]
fn a_stream_that_does_not_fit_its_target_is_told_from_one_that_breaks() {
    let stream = deflated(&data()).unwrap();
    let whole = |stream: &[u8], length| Inflating::new(false).whole(stream, &mut vec![0; length]);
    assert_eq!((whole(&stream, 4999).outcome, whole(&stream, 4999).written), (Outcome::Full, 4999));
    assert_eq!(whole(&stream, 0).outcome, Outcome::Full);
    let cut = whole(&stream[..stream.len() / 2], 5000);
    assert_eq!((cut.outcome, cut.consumed), (Outcome::Unended, stream.len() / 2));
    assert!(cut.written > 0 && cut.written < 5000 && cut.filled_at == cut.consumed);
    // A stored block of two bytes, and one of an undefined type.
    let broken = b"\x00\x02\x00\xfd\xffab\x07";
    assert!(matches!(whole(broken, 3).outcome, Outcome::Corrupt(_)));
    // The target is full before the flaw is reached.
    let full = whole(b"\x07", 0);
    assert_eq!((full.outcome, full.filled_at, full.written), (Outcome::FullThenCorrupt, 0, 0));
}

#[test]
fn a_stream_goes_on_with_its_next_piece() {
    let (data, mut made, mut target) = (data(), Vec::<u8>::new(), [0; 300]);
    let stream = deflated(&data).unwrap();
    let mut inflating = Inflating::new(false);
    loop {
        let (consumed, written) = (inflating.consumed() as usize, inflating.written() as usize);
        let piece = &stream[consumed..(consumed + 50).min(stream.len())];
        let step = inflating.step(piece, &mut target);
        made.extend(&target[..inflating.written() as usize - written]);
        match step {
            Step::Went => {}
            step => break assert_eq!(step, Step::Ended),
        }
    }
    assert_eq!((made == data, inflating.consumed(), inflating.written()), (true, stream.len() as u64, 5000));
    inflating.reset();
    assert_eq!((inflating.consumed(), inflating.written()), (0, 0));
    assert_eq!(inflating.step(b"", &mut target), Step::Starved);
    assert_eq!(inflating.step(&stream, &mut []), Step::Beyond);
    inflating.reset();
    assert!(matches!(inflating.step(b"\x07", &mut target), Step::Corrupt(_)));
}

#[test]
fn zlib_streams_are_those_of_their_level_and_fit_or_are_refused() {
    let (data, mut encoder) = (data(), ZlibEncoder::default());
    for level in [1, 9, 9, 1] {
        let (mut stream, mut alone) = (vec![0; 6000], vec![0; 6000]);
        let length = encoder.encode(level, &data, &mut stream).unwrap();
        assert_eq!(ZlibEncoder::default().encode(level, &data, &mut alone), Some(length));
        assert!(stream == alone && is_zlib(&stream), "{level}");
        let mut back = vec![0; 5000];
        let found = Inflating::new(true).whole(&stream[..length], &mut back);
        assert_eq!((found.outcome, found.consumed, back == data), (Outcome::Ended, length, true));
        assert_eq!(encoder.encode(level, &data, &mut stream[..length - 1]), None);
    }
    let length = |level| ZlibEncoder::default().encode(level, &data, &mut [0; 6000]).unwrap();
    assert!(length(9) < length(1));
}
