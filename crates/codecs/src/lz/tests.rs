use super::{Broken, SLACK, What, blosclz, lz4};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// A decoder, with the dictionary before its output.
type Decode = fn(&[u8], std::ops::Range<usize>, &[u8], &mut [u8], usize, usize) -> Result<usize, Broken>;
/// A naive decoder, which returns the content if it has the given length.
type Plain = fn(&[u8], &[u8], usize) -> Option<Vec<u8>>;
type Codec = (Decode, Plain);

const BLOSCLZ: Codec = (
    |source, stream, _, target, length, needed| blosclz::decode(source, stream, target, length, needed),
    plain_blosclz,
);
const LZ4: Codec = (lz4::decode, plain_lz4);

/// Returns the further bytes of a length, and whether the stream continues after them.
fn plain_length(bytes: &mut impl Iterator<Item = u8>) -> Option<usize> {
    let mut sum = 0;
    loop {
        let byte = bytes.next()?;
        sum += usize::from(byte);
        if byte < 255 {
            return Some(sum);
        }
    }
}

fn plain_match(output: &mut Vec<u8>, distance: usize, run: usize) -> Option<()> {
    for _ in 0..run {
        output.push(output[output.len().checked_sub(distance).filter(|_| distance > 0)?]);
    }
    Some(())
}

fn plain_blosclz(stream: &[u8], _: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut output = Vec::new();
    let mut bytes = stream.iter().copied();
    let mut control = bytes.next()? & 31;
    loop {
        if control < 32 {
            for _ in 0..=control {
                output.push(bytes.next()?);
            }
        } else {
            let mut run = usize::from(control >> 5) + 2;
            if run == 9 {
                run += plain_length(&mut bytes)?;
            }
            let mut distance = usize::from(control & 31) << 8 | usize::from(bytes.next()?);
            distance += 1;
            if distance == 8192 {
                distance += usize::from(bytes.next()?) << 8;
                distance += usize::from(bytes.next()?);
            }
            if bytes.len() == 0 || run > length || distance > output.len() {
                return None;
            }
            plain_match(&mut output, distance, run)?;
        }
        match bytes.next() {
            _ if output.len() > length => return None,
            Some(next) => control = next,
            None => return (output.len() == length).then_some(output),
        }
    }
}

fn plain_lz4(stream: &[u8], dictionary: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut output = dictionary.to_vec();
    let full = dictionary.len() + length;
    let mut bytes = stream.iter().copied();
    loop {
        let token = usize::from(bytes.next()?);
        let more = if token >> 4 == 15 { plain_length(&mut bytes)? } else { 0 };
        for _ in 0..(token >> 4) + more {
            output.push(bytes.next()?);
        }
        if bytes.len() == 0 {
            return (output.len() == full).then(|| output.split_off(dictionary.len()));
        }
        let distance = usize::from(bytes.next()?) | usize::from(bytes.next()?) << 8;
        let more = if token & 15 == 15 { plain_length(&mut bytes)? } else { 0 };
        let run = (token & 15) + 4 + more;
        if output.len() + 12 > full || output.len() + run + 5 > full {
            return None;
        }
        plain_match(&mut output, distance, run)?;
    }
}

/// Decodes with and without bytes after the stream, completely and partly. All must agree with the naive decoder.
fn assert_agrees((decode, plain): Codec, stream: &[u8], dictionary: &[u8], length: usize) -> Result<usize, Broken> {
    let expected = plain(stream, dictionary, length);
    let outcomes = [0, 1, 40, SLACK, 200].map(|behind| {
        let source = [&[0xaa; 3], stream, &vec![0xbb; behind]].concat();
        let range = 3..3 + stream.len();
        let mut target = vec![0xcc; length + SLACK];
        let outcome = decode(&source, range.clone(), dictionary, &mut target, length, length);
        match (&outcome, &expected) {
            (Ok(decoded), Some(expected)) => assert!(*decoded == length && target[..length] == expected[..]),
            (Err(broken), None) => assert!(broken.at <= stream.len(), "{broken:?} of {}", stream.len()),
            _ => panic!("{outcome:?} for {stream:?}"),
        }
        for needed in [0, length / 3, length.saturating_sub(1)] {
            let mut target = vec![0xcc; length + SLACK];
            match (decode(&source, range.clone(), dictionary, &mut target, length, needed), &expected) {
                (Ok(decoded), Some(expected)) => {
                    assert!((needed..=length).contains(&decoded) && target[..decoded] == expected[..decoded]);
                }
                (Ok(decoded), None) => assert!((needed..=length).contains(&decoded)),
                (Err(broken), expected) => assert!(expected.is_none() && outcome == Err(broken)),
            }
        }
        outcome
    });
    assert_eq!(outcomes, [outcomes[0]; 5]);
    outcomes[0]
}

fn assert_holds(codec: Codec, stream: &[u8], output: &[u8]) {
    assert_eq!(codec.1(stream, &[], output.len()).as_deref(), Some(output));
    assert_eq!(assert_agrees(codec, stream, &[], output.len()), Ok(output.len()));
}

fn assert_broken(codec: Codec, stream: &[u8], length: usize, at: usize, what: What) {
    assert_eq!(assert_agrees(codec, stream, &[], length), Err(Broken { at, what }), "{stream:?}");
    assert!(!what.to_string().is_empty());
}

/// Returns bytes that repeat so rarely that no match is found in them.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 1u64;
    let next = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    (0..length).map(next).collect()
}

fn extended(length: usize) -> Vec<u8> {
    [&vec![255; length / 255][..], &[(length % 255) as u8]].concat()
}

/// Returns the blosclz tokens for literals.
fn literals(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(32).flat_map(|run| [&[run.len() as u8 - 1], run].concat()).collect()
}

/// Returns the blosclz token for a match.
fn repeat(length: usize, distance: usize) -> Vec<u8> {
    let near = distance.min(8192) - 1;
    let mut token = vec![((length.min(9) - 2) << 5 | near >> 8) as u8];
    if length >= 9 {
        token.extend(extended(length - 9));
    }
    token.push(near as u8);
    if distance >= 8192 {
        token.extend(((distance - 8192) as u16).to_be_bytes());
    }
    token
}

/// Returns the LZ4 sequence of literals and a match, or of literals alone if the length is 0.
fn sequence(literals: &[u8], length: usize, distance: u16) -> Vec<u8> {
    let (run, rest) = (literals.len(), length.saturating_sub(4));
    let mut bytes = vec![(run.min(15) << 4 | rest.min(15)) as u8];
    if run >= 15 {
        bytes.extend(extended(run - 15));
    }
    bytes.extend(literals);
    if length > 0 {
        bytes.extend(distance.to_le_bytes());
        if rest >= 15 {
            bytes.extend(extended(rest - 15));
        }
    }
    bytes
}

fn repeated(head: &[u8], length: usize, distance: usize, tail: &[u8]) -> Vec<u8> {
    let mut output = head.to_vec();
    plain_match(&mut output, distance, length).unwrap();
    output.extend(tail);
    output
}

/// Tests every near distance and some around the far ones, with every length at which something changes.
#[test]
fn every_distance_and_length() {
    let head = noise(73_727);
    for distance in (1..=70).chain([255, 256, 257, 1023, 1024, 8190, 8191, 8192, 8193, 8447, 8448, 65_535, 73_727]) {
        for length in (4..=40).chain([63, 64, 65, 127, 128, 129, 263, 264, 273, 274, 1023, 1024, 1025, 1100, 9000]) {
            let head = &head[..distance.max(33)];
            for tail in [12, 100] {
                let tail = noise(tail);
                let output = repeated(head, length, distance, &tail);
                assert_holds(BLOSCLZ, &[literals(head), repeat(length, distance), literals(&tail)].concat(), &output);
                if let Ok(distance) = u16::try_from(distance) {
                    assert_holds(LZ4, &[sequence(head, length, distance), sequence(&tail, 0, 0)].concat(), &output);
                }
            }
            if distance > 20 && length > 300 {
                break;
            }
        }
    }
}

#[test]
fn every_number_of_literals() {
    for count in (1..=300).chain([525, 526, 1024, 5000]) {
        let bytes = noise(count);
        assert_holds(BLOSCLZ, &literals(&bytes), &bytes);
        assert_holds(LZ4, &sequence(&bytes, 0, 0), &bytes);
        let output = repeated(&bytes, 4, 1, &bytes);
        assert_holds(BLOSCLZ, &[literals(&bytes), repeat(4, 1), literals(&bytes)].concat(), &output);
        if count >= 8 {
            assert_holds(LZ4, &[sequence(&bytes, 4, 1), sequence(&bytes, 0, 0)].concat(), &output);
        }
    }
    assert_holds(LZ4, &[0], &[]);
}

/// The upper bits of the first control byte have no meaning.
#[test]
fn first_control_byte() {
    for control in [1, 33, 225] {
        assert_holds(BLOSCLZ, &[control, 7, 8], &[7, 8]);
    }
}

#[test]
fn broken_blosclz() {
    let far = [literals(&[0; 32]), repeat(8192, 1), repeat(20, 8192)].concat();
    for (stream, length, at, what) in [
        (vec![], 10, 0, What::Cut),
        (vec![3], 4, 1, What::LiteralsBeyondStream),
        (vec![3, 1, 2, 3], 4, 1, What::LiteralsBeyondStream),
        (vec![3, 1, 2, 3, 4], 3, 0, What::LiteralsBeyondOutput),
        (vec![3, 1, 2, 3, 4], 5, 5, What::TooShort),
        // A match token at the end of the stream is invalid.
        (vec![0, 1, 32, 0], 4, 4, What::Cut),
        (vec![0, 1, 32, 0, 0], 5, 5, What::LiteralsBeyondStream),
        (vec![0, 1, 32, 0, 0, 1], 4, 4, What::LiteralsBeyondOutput),
        (vec![0, 1, 32, 0, 0, 1], 3, 2, What::MatchBeyondOutput),
        (vec![0, 1, 32, 1, 0, 1], 5, 2, What::MatchBeforeOutput),
        (vec![0, 1, 224, 255, 255], 5000, 5, What::Cut),
        (vec![0, 1, 224, 255, 255, 0], 5000, 6, What::Cut),
        (vec![0, 1, 224, 255, 255, 0, 0, 0, 9], 400, 2, What::MatchBeyondOutput),
        ([far.clone(), vec![0, 9]].concat(), 32 + 8192 + 20, 32 + 1 + 35 + 5, What::LiteralsBeyondOutput),
        (far.clone(), 32 + 8192 + 20, far.len(), What::Cut),
        (far[..far.len() - 1].to_vec(), 32 + 8192 + 20, far.len() - 1, What::Cut),
    ] {
        assert_broken(BLOSCLZ, &stream, length, at, what);
    }
}

#[test]
fn broken_lz4() {
    let head = noise(20);
    let stream = |length, distance, tail| [sequence(&head, length, distance), sequence(&noise(tail), 0, 0)].concat();
    for (stream, length, at, what) in [
        (vec![], 10, 0, What::Cut),
        (vec![0], 1, 1, What::TooShort),
        (vec![0x30, 1, 2], 3, 1, What::LiteralsBeyondStream),
        (vec![0x30, 1, 2, 3], 2, 0, What::LiteralsBeyondOutput),
        (vec![0xf0, 255, 255], 2000, 3, What::Cut),
        (vec![0x10, 1, 1], 10, 3, What::Cut),
        (stream(8, 0, 8), 36, 0, What::NoDistance),
        (stream(8, 21, 8), 36, 0, What::MatchBeforeOutput),
        // The last match begins 12 bytes before the end, and ends 5 before it.
        (stream(4, 1, 7), 31, 0, What::MatchBeyondOutput),
        (stream(8, 1, 4), 32, 29, What::Cut),
        (stream(9, 1, 4), 33, 29, What::Cut),
        (
            [sequence(&head, 9, 1), sequence(&[], 5, 1), sequence(&[1; 5], 0, 0)].concat(),
            39,
            24,
            What::MatchBeyondOutput,
        ),
        ([&sequence(&head, 274, 1)[..25], &[255; 9]].concat(), 900, 25 + 9, What::Cut),
        (stream(8, 1, 9), 36, 24, What::LiteralsBeyondOutput),
        (stream(8, 1, 7), 36, 24 + 8, What::TooShort),
    ] {
        assert_broken(LZ4, &stream, length, at, what);
    }
    assert_holds(LZ4, &stream(8, 1, 5), &repeated(&head, 8, 1, &noise(5)));
}

/// Lengths that exceed the memory are refused like others, without allocating.
#[test]
fn runaway_lengths() {
    for behind in [&[][..], &[0; 20]] {
        let bytes = [&vec![255; 100_000], behind].concat();
        assert!(assert_agrees(BLOSCLZ, &[&[0, 1, 224][..], &bytes].concat(), &[], 500).is_err());
        assert!(assert_agrees(LZ4, &[&[0x1f, 1, 1, 0][..], &bytes].concat(), &[], 500).is_err());
        assert!(assert_agrees(LZ4, &[&[0xf0][..], &bytes].concat(), &[], 500).is_err());
    }
}

#[test]
fn dictionaries() {
    let (dictionary, head, tail) = (noise(70_000), noise(10), noise(100));
    for back in [1, 4, 5, 30, 31, 65_525] {
        for length in [4, 18, 19, 30, 31, 40, 300] {
            let before = dictionary[dictionary.len() - back..].to_vec();
            let output = repeated(&[before, head.clone()].concat(), length, back + 10, &tail).split_off(back);
            let stream = [sequence(&head, length, back as u16 + 10), sequence(&tail, 0, 0)].concat();
            for size in [back, dictionary.len()] {
                let dictionary = &dictionary[dictionary.len() - size..];
                assert_eq!(plain_lz4(&stream, dictionary, output.len()).as_ref(), Some(&output));
                assert_eq!(assert_agrees(LZ4, &stream, dictionary, output.len()), Ok(output.len()));
            }
            let broken = assert_agrees(LZ4, &stream, &dictionary[..back - 1], output.len());
            assert_eq!(broken, Err(Broken { at: 0, what: What::MatchBeforeOutput }));
        }
    }
}

type Encode = fn(&[u8], u8, &mut Vec<u8>) -> bool;
const ENCODERS: [(Encode, Codec); 3] = [(blosclz::encode, BLOSCLZ), (lz4::encode, LZ4), (lz4::encode_high, LZ4)];

/// Appends the encoded bytes; `None` if they are not shorter.
fn encoded(encode: Encode, source: &[u8], level: u8) -> Option<Vec<u8>> {
    let mut target = vec![1, 2, 3];
    let shorter = encode(source, level, &mut target);
    assert_eq!(target[..3], [1, 2, 3]);
    assert_eq!(shorter, target.len() > 3);
    let stream = target.split_off(3);
    assert!(stream.len() < source.len().max(1));
    shorter.then_some(stream)
}

#[test]
fn encoders() {
    for (encode, codec) in ENCODERS {
        for level in [0, 1, 5, 9, 200] {
            for length in [0, 1, 5, 12, 13, 100, 5000] {
                assert_eq!(encoded(encode, &noise(length), level), None);
            }
            let far = repeated(&noise(70_000), 3000, 70_000, &[]);
            let steps: Vec<u8> = (0..200_000u32).flat_map(|value| (value / 100).to_be_bytes()).collect();
            for (source, ratio) in [(&vec![7; 100_000], 100), (&steps, 20), (&far, 0)] {
                match encoded(encode, source, level) {
                    Some(stream) => {
                        assert_holds(codec, &stream, source);
                        assert!(stream.len() * ratio < source.len());
                    }
                    None => assert_eq!(ratio, 0),
                }
            }
        }
    }
    assert!(encoded(blosclz::encode, &repeated(&noise(70_000), 3000, 70_000, &[]), 9).is_some());
}

/// Returns bytes with repetitions near and far.
fn repetitive() -> impl Strategy<Value = Vec<u8>> {
    let piece = (vec(any::<u8>(), 0..20), any::<Index>(), prop_oneof![0..30usize, 0..3000usize]);
    vec(piece, 1..40).prop_map(|pieces| {
        pieces.into_iter().fold(vec![0], |mut output: Vec<u8>, (literals, distance, length)| {
            output.extend(literals);
            let distance = 1 + distance.index(output.len());
            plain_match(&mut output, distance, length).unwrap();
            output
        })
    })
}

proptest! {
    #[test]
    fn round_trips(source in repetitive(), level in 1..10u8) {
        for (encode, codec) in ENCODERS {
            if let Some(stream) = encoded(encode, &source, level) {
                assert_holds(codec, &stream, &source);
            }
        }
    }

    #[test]
    fn the_same_as_lz4_flex(source in repetitive(), dictionary in repetitive()) {
        if let Some(stream) = encoded(lz4::encode_high, &source, 5) {
            prop_assert_eq!(&lz4_flex::block::decompress(&stream, source.len()).unwrap(), &source);
        }
        assert_holds(LZ4, &lz4_flex::block::compress(&source), &source);
        let stream = lz4_flex::block::compress_with_dict(&source, &dictionary);
        prop_assert_eq!(assert_agrees(LZ4, &stream, &dictionary, source.len()), Ok(source.len()));
    }

    #[test]
    fn mutated(
        source in repetitive(),
        mutations in vec((any::<Index>(), any::<u8>(), 0..5), 1..4),
        change in prop_oneof![Just(0), -20..20isize],
    ) {
        for (encode, codec) in ENCODERS {
            let Some(mut stream) = encoded(encode, &source, 9) else { continue };
            for (index, byte, kind) in &mutations {
                let place = index.index(stream.len());
                match kind {
                    0 => stream.insert(place, *byte),
                    1 if stream.len() > 1 => drop(stream.remove(place)),
                    2 => stream.truncate(place + 1),
                    3 => stream[place] ^= 1 << (byte % 8),
                    _ => stream[place] = *byte,
                }
            }
            let length = source.len().saturating_add_signed(change);
            let outcome = assert_agrees(codec, &stream, &[], length);
            if codec == LZ4 && outcome.is_ok() {
                let theirs = lz4_flex::block::decompress(&stream, length).unwrap();
                prop_assert_eq!(plain_lz4(&stream, &[], length), Some(theirs));
            }
        }
    }
}
