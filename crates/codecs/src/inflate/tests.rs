use super::{InflateError, Inflated, Inflater, inflate_pair};
use flate2::write::DeflateEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use proptest::collection::vec;
use proptest::prelude::*;
use std::io::Write;

type Outcome = Result<Inflated, InflateError>;

fn inflate(input: &[u8], length: usize) -> (Outcome, Vec<u8>) {
    let mut output = vec![0xaa; length];
    let outcome = Inflater::new().inflate(input, &mut output);
    (outcome, output)
}

fn deflate(data: &[u8], level: u32) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(level));
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// Returns the result of zlib for an input: the verdict (none if more is needed), the number of bytes consumed, and the output.
fn reference(input: &[u8]) -> (Option<bool>, usize, Vec<u8>) {
    let mut output = vec![0; input.len() * 1100 + 1000];
    let mut decompress = Decompress::new(false);
    let verdict = match decompress.decompress(input, &mut output, FlushDecompress::Finish) {
        Ok(Status::StreamEnd) => Some(true),
        Ok(_) => None,
        Err(_) => Some(false),
    };
    assert!((decompress.total_out() as usize) < output.len());
    output.truncate(decompress.total_out() as usize);
    (verdict, decompress.total_in() as usize, output)
}

/// Asserts that the result is the same as zlib's for an output of this length.
fn assert_agrees(input: &[u8], length: usize) {
    let (ours, output) = inflate(input, length);
    let (theirs, consumed, expected) = reference(input);
    let written = match (ours, theirs) {
        (Ok(inflated), Some(true)) => {
            assert_eq!(inflated, Inflated { consumed, written: expected.len() });
            inflated.written
        }
        (Err(InflateError::Truncated { written }), None) => written,
        (Err(InflateError::Corrupt { written, consumed }), Some(false)) => {
            assert!(consumed <= input.len());
            written
        }
        (Err(InflateError::TooLong {}), _) => {
            assert!(expected.len() >= length, "{} of {length}", expected.len());
            assert_eq!(output, expected[..length]);
            return;
        }
        // zlib reads all code lengths before it reports that the code for them is missing.
        (Err(InflateError::Corrupt { written, .. }), None) => {
            assert_eq!(reference(&[input, &[0; 100]].concat()).0, Some(false));
            written
        }
        _ => panic!("{ours:?} but {theirs:?}"),
    };
    assert_eq!(output[..written], expected);
}

/// Bits, written as deflate packs them.
#[derive(Default, Clone)]
struct Bits {
    bytes: Vec<u8>,
    count: usize,
}

impl Bits {
    /// Appends a number, its lowest bit first.
    fn number(mut self, value: usize, bits: usize) -> Self {
        for bit in 0..bits {
            if self.count.is_multiple_of(8) {
                self.bytes.push(0);
            }
            *self.bytes.last_mut().unwrap() |= (value >> bit & 1) as u8 * (1 << (self.count % 8));
            self.count += 1;
        }
        self
    }

    /// Appends a code, its highest bit first.
    fn code(self, code: usize, bits: usize) -> Self {
        (0..bits).rev().fold(self, |written, bit| written.number(code >> bit & 1, 1))
    }

    /// Begins the last block, of this kind.
    fn block(self, kind: usize) -> Self {
        self.number(1, 1).number(kind, 2)
    }

    fn fixed_literal(self, symbol: usize) -> Self {
        match symbol {
            0..144 => self.code(0x30 + symbol, 8),
            144..256 => self.code(0x190 + symbol - 144, 9),
            256..280 => self.code(symbol - 256, 7),
            _ => self.code(0xc0 + symbol - 280, 8),
        }
    }

    /// Appends a match with fixed codes.
    fn fixed_match(self, length: usize, distance: usize) -> Self {
        let extra = |symbol: usize| if symbol < 265 || symbol == 285 { 0 } else { (symbol - 261) / 4 };
        let mut base = 3;
        let mut symbol = 257;
        while length < 258 && length >= base + (1 << extra(symbol)) {
            base += 1 << extra(symbol);
            symbol += 1;
        }
        let written = match length {
            258 => self.fixed_literal(285),
            _ => self.fixed_literal(symbol).number(length - base, extra(symbol)),
        };
        let extra = |symbol: usize| (symbol / 2).saturating_sub(1);
        let (mut base, mut symbol) = (1, 0);
        while distance >= base + (1 << extra(symbol)) {
            base += 1 << extra(symbol);
            symbol += 1;
        }
        written.code(symbol, 5).number(distance - base, extra(symbol))
    }

    /// Appends the head of a dynamic block, whose codes for lengths are 0 to 15 with four bits each.
    fn dynamic(self, literals: &[usize], distances: &[usize]) -> Self {
        let head = self.block(2).number(literals.len() - 257, 5).number(distances.len() - 1, 5).number(15, 4);
        let head = (0..19).fold(head, |head, index| head.number(if index < 3 { 0 } else { 4 }, 3));
        literals.iter().chain(distances).fold(head, |head, &length| head.code(length, 4))
    }
}

fn written(outcome: Outcome) -> usize {
    outcome.unwrap().written
}

fn assert_corrupt(bits: Bits) {
    let input = [bits.bytes, vec![0; 20]].concat();
    let (outcome, _) = inflate(&input, 40_000);
    assert!(matches!(outcome, Err(InflateError::Corrupt { .. })), "{outcome:?}");
    assert_agrees(&input, 40_000);
}

#[test]
fn empty_streams() {
    assert_eq!(inflate(&[], 0).0, Err(InflateError::Truncated { written: 0 }));
    assert_eq!(inflate(&[3, 0], 0).0, Ok(Inflated { consumed: 2, written: 0 }));
    assert_eq!(inflate(&[3, 0, 9], 5).0, Ok(Inflated { consumed: 2, written: 0 }));
    assert_eq!(inflate(&[0, 0, 0, 255, 255, 1, 0, 0, 255, 255], 0).0, Ok(Inflated { consumed: 10, written: 0 }));
}

#[test]
fn all_kinds_of_blocks() {
    let mut both = Bits::default().number(0, 3);
    both.bytes.extend([3, 0, !3, !0, b'a', b'b', b'c']);
    both.count = both.bytes.len() * 8;
    let mut literals = [0; 257];
    (literals[b'x' as usize], literals[b'y' as usize], literals[256]) = (1, 2, 2);
    let both = both.number(0, 1).number(1, 2).fixed_literal(0xe9).fixed_match(3, 2).fixed_literal(256);
    let both = both.dynamic(&literals, &[0]).code(0, 1).code(2, 2).code(3, 2);
    let (outcome, output) = inflate(&both.bytes, 9);
    assert_eq!(outcome, Ok(Inflated { consumed: both.bytes.len(), written: 9 }));
    assert_eq!(output, b"abc\xe9c\xe9cxy");
    assert_agrees(&both.bytes, 9);
}

#[test]
fn stored_blocks() {
    let stored = [1, 3, 0, !3, !0, b'a', b'b', b'c'];
    assert_eq!(inflate(&stored, 3), (Ok(Inflated { consumed: 8, written: 3 }), b"abc".to_vec()));
    assert_eq!(inflate(&stored, 2), (Err(InflateError::TooLong {}), b"ab".to_vec()));
    assert_eq!(inflate(&stored[..7], 3).0, Err(InflateError::Truncated { written: 2 }));
    assert_eq!(inflate(&stored[..3], 3).0, Err(InflateError::Truncated { written: 0 }));
    assert_corrupt(Bits { bytes: vec![1, 3, 0, !3, 0], count: 40 });
}

#[test]
fn an_end_that_is_missing_is_told_from_a_full_output() {
    let stream = deflate(b"some bytes", 6);
    assert_eq!(inflate(&stream[..stream.len() - 1], 10).0, Err(InflateError::Truncated { written: 10 }));
    assert_eq!(inflate(&stream, 9), (Err(InflateError::TooLong {}), b"some byte".to_vec()));
    assert_eq!(written(inflate(&stream, 12).0), 10);
    let matched = Bits::default().block(1).fixed_literal(b'a'.into()).fixed_match(9, 1).fixed_literal(256);
    assert_eq!(inflate(&matched.bytes, 7), (Err(InflateError::TooLong {}), b"aaaaaaa".to_vec()));
}

#[test]
fn what_zlib_refuses() {
    let start = Bits::default;
    let a = b'a' as usize;
    assert_corrupt(start().block(3));
    assert_corrupt(start().block(1).fixed_literal(286));
    assert_corrupt(start().block(1).fixed_literal(287));
    // Reserved codes, after enough output for any distance.
    let far = (0..130).fold(start().block(1).fixed_literal(a), |far, _| far.fixed_match(258, 1));
    assert_corrupt(far.clone().fixed_literal(257).code(30, 5));
    assert_corrupt(far.fixed_literal(257).code(31, 5));
    assert_corrupt(start().block(1).fixed_literal(a).fixed_match(3, 2));
    // One symbol too many, though it has no code.
    let only_end = |symbols: usize| (0..symbols).map(|symbol| usize::from(symbol == 256)).collect::<Vec<_>>();
    assert_corrupt(start().dynamic(&only_end(287), &[0; 30]).code(0, 1));
    assert_corrupt(start().dynamic(&only_end(286), &[0; 31]).code(0, 1));
    let most = start().dynamic(&only_end(286), &[0; 30]).code(0, 1);
    assert_eq!(written(inflate(&most.bytes, 0).0), 0);
    // The code for code lengths has three codes of one bit, then one, then none.
    let head = start().block(2).number(0, 5).number(0, 5).number(0, 4);
    assert_corrupt(head.clone().number(1, 3).number(1, 3).number(1, 3).number(0, 3));
    assert_corrupt(head.clone().number(1, 3).number(0, 9));
    assert_corrupt(head.clone().number(0, 12));
    // A repetition with no length before it, and one that continues beyond the end.
    assert_corrupt(head.clone().number(1, 3).number(0, 6).number(1, 3).code(1, 1));
    let twice = head.number(0, 6).number(1, 3).number(1, 3).code(1, 1).number(127, 7).code(1, 1).number(127, 7);
    assert_corrupt(twice);

    let literals = |lengths: [usize; 3]| {
        let mut literals = [0; 257];
        (literals[a], literals[a + 1], literals[256]) = lengths.into();
        literals
    };
    assert_corrupt(start().dynamic(&literals([1, 1, 0]), &[0]));
    assert_corrupt(start().dynamic(&literals([1, 1, 1]), &[0]));
    assert_corrupt(start().dynamic(&literals([1, 0, 2]), &[0]));
    assert_corrupt(start().dynamic(&literals([0, 0, 2]), &[0]));
    assert_corrupt(start().dynamic(&literals([1, 2, 2]), &[1, 1, 1]));
    assert_corrupt(start().dynamic(&literals([1, 2, 2]), &[1, 2]));
    assert_corrupt(start().dynamic(&literals([1, 2, 2]), &[2]));
    // A bit that does not begin any code.
    assert_corrupt(start().dynamic(&literals([0, 0, 1]), &[0]).code(1, 1));
}

#[test]
fn codes_of_one_bit_may_lack_the_other() {
    let only_end = [[0; 256].as_slice(), &[1]].concat();
    assert_eq!(written(inflate(&Bits::default().dynamic(&only_end, &[0]).code(0, 1).bytes, 0).0), 0);

    let mut literals = [0; 258];
    (literals[0], literals[256], literals[257]) = (1, 2, 2);
    for distances in [[1].as_slice(), &[0, 0, 1]] {
        let stream = (0..3).fold(Bits::default().dynamic(&literals, distances), |stream, _| stream.code(0, 1));
        let good = stream.clone().code(3, 2).code(0, 1).code(2, 2);
        assert_eq!(written(inflate(&good.bytes, 6).0), 6);
        assert_agrees(&good.bytes, 6);
        assert_corrupt(stream.code(3, 2).code(1, 1));
    }
    // A match, although there are no codes for distances.
    assert_corrupt(Bits::default().dynamic(&literals, &[0]).code(0, 1).code(3, 2));
}

#[test]
fn every_distance_with_every_length() {
    let lengths = (3..40).chain([63, 64, 65, 127, 128, 129, 200, 256, 257, 258]);
    for (length, distance) in lengths.flat_map(|length| (1..70).map(move |distance| (length, distance))) {
        let mut expected: Vec<u8> = (0..distance as u8).collect();
        let stream = expected.iter().fold(Bits::default().block(1), |stream, &byte| stream.fixed_literal(byte.into()));
        let mut stream = stream.fixed_match(length, distance);
        (0..length).for_each(|at| expected.push(expected[at]));
        // Without room after it, the careful loop copies the match; with room, the fast one.
        assert_eq!(inflate(&stream.clone().fixed_literal(256).bytes, expected.len()).1, expected);
        for byte in 0..100 {
            stream = stream.fixed_literal(byte);
            expected.push(byte as u8);
        }
        assert_eq!(inflate(&stream.fixed_literal(256).bytes, expected.len()).1, expected);
    }
}

#[test]
fn the_longest_codes() {
    // Frequencies that are Fibonacci numbers make codes as long as possible.
    let mut data = Vec::new();
    let (mut now, mut next) = (1, 1);
    for byte in 0..22 {
        data.extend((0..now).map(|_| byte));
        (now, next) = (next, now + next);
    }
    let length = data.len();
    let shuffled: Vec<u8> = (0..length).map(|index| data[index * 7919 % length]).collect();
    for level in [1, 6, 9] {
        let stream = deflate(&shuffled, level);
        assert!(inflate(&stream, length).1 == shuffled);
        assert_agrees(&stream, length);
    }
}

#[test]
fn the_most_bits_for_a_match_before_the_end() {
    // One symbol for every length of a code, and two for the longest.
    let (mut literals, mut distances) = ([0; 285], [0; 30]);
    (0..13).for_each(|symbol| literals[symbol] = symbol + 1);
    (literals[256], literals[283], literals[284]) = (14, 15, 15);
    (0..14).for_each(|symbol| distances[symbol] = symbol + 1);
    (distances[28], distances[29]) = (15, 15);
    let length = |bits: Bits| bits.code(0x7fff, 15).number(30, 5);
    let filled =
        (0..130).fold(Bits::default().dynamic(&literals, &distances).code(0, 1), |filled, _| length(filled).code(0, 1));
    for (shift, behind) in (0..8).flat_map(|shift| (0..8).map(move |behind| (shift, behind))) {
        let shifted = (0..shift).fold(filled.clone(), |stream, _| stream.code(0, 1)).code(0x1ffe, 13);
        let far = length(shifted).code(0x7fff, 15).number(0x1ff0, 13);
        let stream = (0..behind).fold(far, |stream, _| stream.code(0x3fe, 10)).code(0x3ffe, 14);
        let zeros = |count| std::iter::repeat_n(0, count);
        let expected: Vec<u8> = zeros(1 + 130 * 257 + shift).chain([12]).chain(zeros(257)).collect();
        let expected = [expected, vec![9; behind]].concat();
        for surplus in 0..20 {
            let input = [stream.bytes.clone(), vec![0xff; surplus]].concat();
            let (outcome, output) = inflate(&input, expected.len() + 100);
            assert_eq!(outcome, Ok(Inflated { consumed: stream.bytes.len(), written: expected.len() }));
            assert!(output[..expected.len()] == expected);
        }
    }
}

#[test]
fn an_inflater_serves_many_streams() {
    let mut inflater = Inflater::new();
    let text = b"to be or not to be, that is the question".repeat(20);
    for level in [1, 0, 6, 9, 1] {
        for data in [&text[..], &text[..5], &[]] {
            let mut output = vec![0; data.len()];
            assert_eq!(written(inflater.inflate(&deflate(data, level), &mut output)), data.len());
            assert_eq!(output, data);
        }
    }
}

/// Returns bytes of one to four kinds of texture, so that there are literals and matches of all sizes.
fn data(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let run = prop_oneof![
        vec(any::<u8>(), 1..most / 4),
        vec(0..4u8, 1..most / 4),
        (vec(any::<u8>(), 1..40), 1..most / 160).prop_map(|(bytes, times)| bytes.repeat(times)),
        vec(any::<u16>(), 1..most / 16)
            .prop_map(|values| { values.iter().flat_map(|&value| (f32::from(value) / 7.0).to_le_bytes()).collect() }),
    ];
    vec(run, 0..4).prop_map(|runs: Vec<Vec<u8>>| runs.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn comes_back(data in data(100_000), level in 0..10u32, surplus in vec(any::<u8>(), 0..20)) {
        let stream = deflate(&data, level);
        let (outcome, output) = inflate(&[&stream[..], &surplus].concat(), data.len());
        prop_assert_eq!(outcome, Ok(Inflated { consumed: stream.len(), written: data.len() }));
        prop_assert!(output == data);
    }

    #[test]
    fn pairs_come_back(a in data(100_000), b in data(100_000), levels in (0..10u32, 0..10u32), missing in 0..3usize) {
        let (first, second) = (deflate(&a, levels.0), deflate(&b, levels.1));
        let cut = &second[..second.len() - missing.min(second.len())];
        let (mut output_a, mut output_b) = (vec![0; a.len()], vec![0; b.len()]);
        let mut inflaters = [Inflater::new(), Inflater::new()];
        let outcomes = inflate_pair(&mut inflaters, [&first, cut], [&mut output_a, &mut output_b]);
        prop_assert_eq!(outcomes[0], Ok(Inflated { consumed: first.len(), written: a.len() }));
        prop_assert!(output_a == a);
        let (alone, output) = inflate(cut, b.len());
        prop_assert_eq!(outcomes[1], alone);
        if let Ok(Inflated { written, .. }) | Err(InflateError::Truncated { written }) = alone {
            prop_assert!(output_b[..written] == b[..written]);
            prop_assert!(output[..written] == b[..written]);
        }
    }

    #[test]
    fn truncated_anywhere(data in data(1200), level in 0..10u32) {
        let stream = deflate(&data, level);
        for length in 0..stream.len() {
            let (outcome, output) = inflate(&stream[..length], data.len());
            let Err(InflateError::Truncated { written }) = outcome else { panic!("{outcome:?}") };
            prop_assert_eq!(&output[..written], &data[..written]);
            assert_agrees(&stream[..length], data.len());
        }
    }

    #[test]
    fn flipped_bits(data in data(3000), level in 0..10u32, flips in vec(any::<proptest::sample::Index>(), 1..4)) {
        let mut stream = deflate(&data, level);
        for flip in flips {
            let bit = flip.index(stream.len() * 8);
            stream[bit / 8] ^= 1 << (bit % 8);
            assert_agrees(&stream, data.len());
        }
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..300), kind in 0..4u8, length in 0..5000usize) {
        let mut bytes = bytes;
        if let Some(first) = bytes.first_mut() {
            *first = *first & !6 | kind << 1;
        }
        assert_agrees(&bytes, length);
    }
}
