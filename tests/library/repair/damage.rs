//! Damages valid files in several ways. A repair must restore all values, restore the first ones with a note, or refuse.

use super::{items, limits};
use flate2::read::MultiGzDecoder;
use ndbytes::Input;
use ndbytes::archive::Archive;
use ndbytes::repair::{Options, Repair, repair};
use ndbytes_forge::{Forge, Kind};
use std::collections::BTreeMap;
use std::io::Read as _;

/// The number of files of each kind. One in [`one_in`] is damaged in each of the ways.
const FILES: u64 = 280;

type Damage = (&'static str, fn(&[u8], &mut Numbers) -> Vec<u8>);

static DAMAGES: &[Damage] = &[
    ("line ends, LF to CRLF", |bytes, _| line_ends(bytes)),
    ("line ends, CRLF to LF", |bytes, _| lost_line_ends(bytes)),
    ("Latin-1 to UTF-8", |bytes, _| text(bytes)),
    ("Latin-1 to UTF-8, and LF to CRLF", |bytes, _| line_ends(&text(bytes))),
    ("anything to UTF-8", |bytes, _| String::from_utf8_lossy(bytes).into_owned().into_bytes()),
    ("a cut", |bytes, numbers| bytes[..numbers.below(bytes.len())].to_vec()),
    ("another count", |bytes, numbers| other_number(bytes, numbers)),
    ("another type", |bytes, numbers| other_type(bytes, numbers)),
    ("words in the other order", |bytes, _| {
        let mut bytes = bytes.to_vec();
        let words = bytes.get(3).map_or(1, |axes| 1 + usize::from(*axes));
        bytes.as_chunks_mut::<4>().0.iter_mut().take(words).for_each(|word| word.reverse());
        bytes
    }),
    ("a bit of the header", |bytes, numbers| flipped(bytes, numbers, 96)),
    ("a bit", |bytes, numbers| flipped(bytes, numbers, usize::MAX)),
];

/// Returns `n` such that one in `n` files is damaged. `NDBYTES_ONE_IN=1` covers all.
fn one_in() -> u64 {
    std::env::var("NDBYTES_ONE_IN").ok().and_then(|text| text.parse().ok()).unwrap_or(8).max(1)
}

/// Pseudorandom numbers that are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn line_ends(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|&byte| if byte == b'\n' { vec![b'\r', b'\n'] } else { vec![byte] }).collect()
}

fn lost_line_ends(bytes: &[u8]) -> Vec<u8> {
    let is_lost = |at: usize| bytes[at..].starts_with(b"\r\n");
    (0..bytes.len()).filter(|&at| !is_lost(at)).map(|at| bytes[at]).collect()
}

fn text(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|&byte| char::from(byte)).collect::<String>().into_bytes()
}

fn flipped(bytes: &[u8], numbers: &mut Numbers, end: usize) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let at = numbers.below(bytes.len().min(end));
    bytes[at] ^= 1 << numbers.below(8);
    bytes
}

/// Replaces a number in the header with another small one.
fn other_number(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    // The numbers of IDX and RawArray begin here; in `.npy`, numbers are digits.
    let places = match bytes[..] {
        [0, 0, _, axes, ..] => (0..usize::from(axes)).map(|axis| 7 + 4 * axis).collect::<Vec<_>>(),
        [b'r', ..] => (3..8).map(|word| 8 * word).collect(),
        _ => (10..bytes.len().min(128)).filter(|&at| bytes[at].is_ascii_digit()).collect(),
    };
    let Some(&place) = places.get(numbers.below(places.len())).filter(|&&place| place < bytes.len()) else {
        return bytes;
    };
    bytes[place] = match bytes[place] {
        digit @ b'0'..=b'9' if bytes[0] == 0x93 => b'0' + (digit - b'0' + 1 + numbers.below(9) as u8) % 10,
        number => number.wrapping_add(1 + numbers.below(9) as u8),
    };
    bytes
}

fn other_type(bytes: &[u8], numbers: &mut Numbers) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    match bytes[..] {
        [0, 0, ..] => bytes[2] = [8, 9, 11, 12, 13, 14][numbers.below(6)],
        [b'r', ..] if bytes.len() > 25 => bytes[24] = [1, 2, 4, 8, 16][numbers.below(5)],
        _ => {
            let place =
                bytes.windows(2).take(60).position(|pair| matches!(pair, [b'i' | b'u' | b'f' | b'c', b'1'..=b'8']));
            if let Some(place) = place {
                bytes[place + 1] = b"1248"[numbers.below(4)];
            }
        }
    }
    bytes
}

/// Returns the values of an array or of each member of an archive, or the bytes of anything else.
fn values(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    if !bytes.starts_with(b"PK") {
        let mut content = Vec::new();
        if MultiGzDecoder::new(bytes).read_to_end(&mut content).is_err() {
            content = bytes.to_vec();
        }
        return BTreeMap::from([(String::new(), items(bytes).unwrap_or(content))]);
    }
    let archive = Archive::read(Input::from_slice(bytes, limits()), limits()).unwrap();
    let load = |member| archive.load(member).unwrap().bytes().unwrap().to_vec();
    archive.members().iter().map(|member| (member.name().to_owned(), load(member))).collect()
}

/// Asserts that a copy contains only content of the intact file, and that missing content is reported.
fn assert_kept(whole: &[u8], repair: &Repair<'_>, what: &dyn Fn() -> String) {
    let (whole, kept) = (values(whole), values(repair.bytes()));
    for (name, kept) in &kept {
        let all = whole.get(name).unwrap_or_else(|| panic!("{}: {name}", what()));
        assert!(all.starts_with(kept), "{}: {:?}", what(), repair.steps);
    }
    let names = repair.steps.iter().any(|step| step.given_up.is_some());
    assert!(kept == whole || names, "{}: not all is there: {:?}", what(), repair.steps);
}

#[test]
fn repairs_of_damaged_files_give_their_values_or_name_what_is_lost_or_refuse() {
    let (mut number, mut mended) = (0, BTreeMap::<&str, u64>::new());
    for kind in Kind::ALL {
        let mut forge = Forge::new(1000 + kind as u64);
        for file in 0..FILES / one_in() {
            let whole = forge.valid(kind).bytes;
            for (damage, change) in DAMAGES {
                number += 1;
                let damaged = change(&whole, &mut Numbers(number));
                let what = || format!("{kind} {file}, {damage}");
                let Ok(repair) = repair(&damaged, &Options::new().limits(limits())) else { continue };
                if repair.is_sound() && !repair.steps.is_empty() {
                    assert_kept(&whole, &repair, &what);
                    *mended.entry(damage).or_default() += 1;
                }
            }
        }
    }
    assert!(mended.len() > 4, "{mended:?}");
}
