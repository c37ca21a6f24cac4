use super::*;
use proptest::collection::vec;
use proptest::prelude::*;

/// Returns irregular bytes, different for each seed.
fn bytes(length: usize, seed: usize) -> Vec<u8> {
    let mut state = seed as u64 + 1;
    let next = |_| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 56) as u8
    };
    (0..length).map(next).collect()
}

fn hex(digits: &str) -> Vec<u8> {
    digits.as_bytes().chunks(2).map(|pair| u8::from_str_radix(str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

/// Returns widths: fewer under Miri, which is slow, and checks memory rather than results.
fn widths() -> impl Iterator<Item = usize> {
    let all = (1..=40).chain([63, 64, 65, 255, 256, 300]);
    all.filter(|width| !cfg!(miri) || [1, 2, 3, 4, 8, 16, 17].contains(width))
}

/// Numbers of elements just below and above everything that is processed at once.
const COUNTS: &[usize] = if cfg!(miri) {
    &[0, 1, 9, 33]
} else {
    &[0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100, 127, 129, 257, 520, 1031]
};

// The obviously correct versions.

fn plain_shuffle(width: usize, source: &[u8]) -> Vec<u8> {
    let count = source.len() / width;
    let mut out = source.to_vec();
    for element in 0..count {
        for byte in 0..width {
            out[byte * count + element] = source[element * width + byte];
        }
    }
    out
}

fn plain_bitshuffle(typesize: usize, source: &[u8]) -> Vec<u8> {
    let count = source.len() / typesize / 8 * 8;
    let mut out = source.to_vec();
    out[..count * typesize].fill(0);
    for element in 0..count {
        for bit in 0..8 * typesize {
            let value = source[element * typesize + bit / 8] >> (bit % 8) & 1;
            out[bit * (count / 8) + element / 8] |= value << (element % 8);
        }
    }
    out
}

fn plain_word(typesize: usize) -> usize {
    match typesize {
        1 | 2 | 4 | 8 => typesize,
        _ if typesize.is_multiple_of(8) => 8,
        _ => 1,
    }
}

fn plain_delta(typesize: usize, source: &[u8], reference: Option<&[u8]>) -> Vec<u8> {
    let word = plain_word(typesize);
    let mut out = source.to_vec();
    for index in 0..source.len() / word * word {
        match reference {
            Some(reference) => out[index] ^= reference[index],
            None if index >= word => out[index] ^= source[index - word],
            None => {}
        }
    }
    out
}

fn plain_unbytedelta(width: usize, restarts: bool, source: &[u8]) -> Vec<u8> {
    let count = source.len() / width;
    let mut out = source.to_vec();
    for plane in 0..width {
        let mut sum = 0u8;
        for index in 0..count {
            if restarts && count >= 16 && index == count - count % 16 {
                sum = 0;
            }
            sum = sum.wrapping_add(source[plane * count + index]);
            out[plane * count + index] = sum;
        }
    }
    out
}

#[test]
fn shuffle_is_the_plain_one() {
    for width in widths() {
        for &count in COUNTS {
            for tail in [0, 1, width - 1] {
                let source = bytes(count * width + tail, width);
                let mut out = vec![0xaa; source.len()];
                shuffle(width, &source, &mut out);
                assert_eq!(out, plain_shuffle(width, &source), "width {width}, {count} elements, tail {tail}");
                let mut back = vec![0xaa; source.len()];
                unshuffle(width, &out, &mut back);
                assert_eq!(back, source, "width {width}, {count} elements, tail {tail}");
            }
        }
    }
}

#[test]
fn planes_may_be_the_same_and_lie_anywhere() {
    for width in widths() {
        for &count in COUNTS {
            let (source, zeros) = (bytes(count * width + 3, width), vec![0; count]);
            let planes: Vec<&[u8]> = (0..width)
                .map(|plane| if plane % 3 == 1 { &zeros[..] } else { &source[plane * count + 3..][..count] })
                .collect();
            let mut out = vec![0xaa; count * width];
            interleave(&planes, &mut out);
            for (index, byte) in out.iter().enumerate() {
                assert_eq!(*byte, planes[index % width][index / width], "width {width}, {count} elements");
            }
        }
    }
    interleave(&[], &mut []);
}

#[test]
fn only_what_is_there_is_touched() {
    for width in widths() {
        for count in [0, 5, 16, 40] {
            let planes = vec![&[1; 40][..count]; width];
            let mut out = vec![0xaa; count * width + 50];
            interleave(&planes, &mut out);
            assert_eq!(out[..count * width], vec![1; count * width], "width {width}");
            assert_eq!(out[count * width..], [0xaa; 50], "width {width}");
        }
    }
}

#[test]
fn what_does_not_fit_together_does_no_harm() {
    let source = bytes(700, 0);
    let mut out = vec![0xaa; 650];
    for width in (0..20).chain([701, usize::MAX]) {
        unshuffle(width, &source, &mut out);
        shuffle(width, &source, &mut out);
        bitunshuffle(width, &source, &mut out);
        bitshuffle(width, &source, &mut out);
        undelta_first(width, &mut out);
        delta_first(width, &mut out);
        undelta(width, &mut out, &source[..100]);
        delta(width, &mut out, &source);
        unbytedelta(width, true, &mut out);
        bytedelta(width, &mut out);
        // Planes of different lengths, too few planes, and an output that is too short.
        let planes: Vec<&[u8]> = (0..width.min(30)).map(|plane| &source[..plane * 20]).collect();
        interleave(&planes, &mut out);
        let planes = vec![&source[..]; width.min(30)];
        interleave(&planes, &mut out);
    }
}

#[test]
fn bitshuffle_is_the_plain_one() {
    for typesize in widths() {
        for count in COUNTS.iter().copied().filter(|count| count * typesize < 100_000) {
            for tail in [0, typesize - 1] {
                let source = bytes(count * typesize + tail, typesize);
                let mut out = vec![0xaa; source.len()];
                bitshuffle(typesize, &source, &mut out);
                assert_eq!(out, plain_bitshuffle(typesize, &source), "{count} of {typesize} bytes, tail {tail}");
                let mut back = vec![0xaa; source.len()];
                bitunshuffle(typesize, &out, &mut back);
                assert_eq!(back, source, "{count} of {typesize} bytes, tail {tail}");
            }
        }
    }
}

#[test]
fn delta_is_the_plain_one() {
    for typesize in widths() {
        for length in (0..70).chain([100, 127, 128, 129, 1000, 1001, 1023]) {
            let (source, reference) = (bytes(length, typesize), bytes(length, 999));
            let mut block = source.clone();
            delta_first(typesize, &mut block);
            assert_eq!(block, plain_delta(typesize, &source, None), "{length} bytes, type of {typesize}");
            undelta_first(typesize, &mut block);
            assert_eq!(block, source, "{length} bytes, type of {typesize}");
            delta(typesize, &mut block, &reference);
            assert_eq!(block, plain_delta(typesize, &source, Some(&reference)), "{length} bytes, type of {typesize}");
            undelta(typesize, &mut block, &reference);
            assert_eq!(block, source, "{length} bytes, type of {typesize}");
        }
    }
}

#[test]
fn bytedelta_is_the_plain_one() {
    for width in widths() {
        for &count in COUNTS {
            let source = bytes(count * width + width / 2, width);
            for restarts in [false, true] {
                let mut block = source.clone();
                unbytedelta(width, restarts, &mut block);
                assert_eq!(block, plain_unbytedelta(width, restarts, &source), "width {width}, {count} each");
            }
            let mut block = source.clone();
            bytedelta(width, &mut block);
            assert_eq!(plain_unbytedelta(width, false, &block), source, "width {width}, {count} each");
        }
    }
}

#[test]
fn truncation_takes_what_the_library_takes() {
    type Truncate = fn(usize, i8, &mut [u8]) -> bool;
    let floats = |typesize| [(4, 23), (8, 52)].into_iter().find(|(size, _)| *size == typesize);
    let integers = |typesize| [(1, 8), (2, 16), (4, 32), (8, 64)].into_iter().find(|(size, _)| *size == typesize);
    for parameter in i8::MIN..=i8::MAX {
        for typesize in 0..20 {
            let cases: [(Truncate, _); 2] =
                [(truncate_floats, floats(typesize)), (truncate_integers, integers(typesize))];
            for (truncate, kind) in cases {
                let zeroed = kind.and_then(|(_, bits)| match i32::from(parameter) {
                    keep @ 1.. if keep <= bits => Some(bits - keep),
                    zero @ ..=-1 if -zero < bits => Some(-zero),
                    _ => None,
                });
                let mut block = vec![0xff; 3 * typesize + typesize / 2];
                assert_eq!(truncate(typesize, parameter, &mut block), zeroed.is_some(), "{parameter}, {typesize}");
                for (index, byte) in block.iter().enumerate() {
                    let position = if index < 3 * typesize { 8 * (index % typesize) as i32 } else { 64 };
                    let zeros = (zeroed.unwrap_or(0) - position).clamp(0, 8);
                    assert_eq!(*byte, (0xff << zeros) as u8, "{parameter}, {typesize}, byte {index}");
                }
            }
        }
    }
}

/// Compares with the bytes that python-blosc2 4.14.1 stores.
#[test]
fn the_library_does_the_same() {
    let in_both = |plain: &str, filtered: &str, forward: &dyn Fn(&[u8]) -> Vec<u8>, back: &dyn Fn(&[u8]) -> Vec<u8>| {
        assert_eq!(forward(&hex(plain)), hex(filtered));
        assert_eq!(back(&hex(filtered)), hex(plain));
    };
    let between = |filter: fn(usize, &[u8], &mut [u8]), width: usize| {
        move |bytes: &[u8]| {
            let mut out = vec![0xaa; bytes.len()];
            filter(width, bytes, &mut out);
            out
        }
    };
    let in_place = |filter: fn(usize, &mut [u8]), width: usize| {
        move |bytes: &[u8]| {
            let mut block = bytes.to_vec();
            filter(width, &mut block);
            block
        }
    };
    in_both(
        "e8030000e9030000ea030000eb030000ec030000ed030000ee030000ef030000f0030000f1030000f2030000f3030000",
        "e8e9eaebecedeeeff0f1f2f3030303030303030303030303000000000000000000000000000000000000000000000000",
        &between(shuffle, 4),
        &between(unshuffle, 4),
    );
    in_both(
        "fa00fd0000010301060109010c010f011201150118011b011e012101240127012a012d0130013301360139013c013f01\
         4201450148014b01",
        "aaaaaa999999d2d2d2e31ce3031ffc03e0ff030000030000fcffff000000000000000000000000000000000000000000\
         4201450148014b01",
        &between(bitshuffle, 2),
        &between(bitunshuffle, 2),
    );
    in_both(
        "00000000000000007011010070110100e0220200e02202005034030050340300c0450400c04504003057050030570500",
        "000000000000000070110100000000009033030000000000b0160100000000009071070000000000f012010000000000",
        &in_place(delta_first, 4),
        &in_place(undelta_first, 4),
    );
    in_both(
        "fa00fa00fa00fa0003010301030103010c010c010c010c01150115011501150\
         11e011e011e011e01270127012701270130013001300130013901390139013901",
        "fa06fa06fa06fa0603fe02fe02fe02fe0bf50bf50bf50bf514ec14ec14ec14e\
         c1ee31de31de31de326da26da26da26da2fd12fd12fd12fd138c838c838c838c8",
        &in_place(bytedelta, 2),
        &in_place(|width, block| unbytedelta(width, false, block), 2),
    );
    let truncated = |truncate: fn(usize, i8, &mut [u8]) -> bool, typesize, parameter, plain: &str, filtered: &str| {
        let mut block = hex(plain);
        assert!(truncate(typesize, parameter, &mut block));
        assert_eq!(block, hex(filtered));
    };
    truncated(
        truncate_floats,
        4,
        5,
        "000040c06666e6bf9a9919bf9a99193f6666e63f00004040",
        "000040c00000e4bf000018bf0000183f0000e43f00004040",
    );
    truncated(
        truncate_floats,
        8,
        -45,
        "dbb66ddbb66ddbbf922449922449c2bf922449922449c23fdbb66ddbb66ddb3f",
        "000000000060dbbf000000000040c2bf000000000040c23f000000000060db3f",
    );
    truncated(truncate_integers, 2, -4, "44fd71fe9effcb00f8012503", "40fd70fe90ffc000f0012003");
    truncated(truncate_integers, 4, 20, "a8e4fffff645bc0044a7780192083502", "00e0ffff0040bc0000a0780100003502");
}

proptest! {
    #[test]
    fn there_and_back(source in vec(any::<u8>(), 0..3000), reference in vec(any::<u8>(), 3000), width in 1usize..300) {
        let mut between = vec![0xaa; source.len()];
        let mut back = vec![0xaa; source.len()];
        shuffle(width, &source, &mut between);
        unshuffle(width, &between, &mut back);
        prop_assert_eq!(&back, &source);
        bitshuffle(width, &source, &mut between);
        bitunshuffle(width, &between, &mut back);
        prop_assert_eq!(&back, &source);
        delta_first(width, &mut back);
        undelta_first(width, &mut back);
        prop_assert_eq!(&back, &source);
        delta(width, &mut back, &reference);
        undelta(width, &mut back, &reference);
        prop_assert_eq!(&back, &source);
        bytedelta(width, &mut back);
        unbytedelta(width, false, &mut back);
        prop_assert_eq!(&back, &source);
    }
}
