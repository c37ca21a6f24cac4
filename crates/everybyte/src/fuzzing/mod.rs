//! Properties of any bytes and any value of a format, for fuzz targets and tests. Feature `arbitrary`.
//!
//! A fuzz target of cargo-fuzz is one line: `fuzz_target!(|file: &[u8]| everybyte::fuzzing::bytes::<MyFormat>(file));`, or
//! `fuzz_target!(|value: MyFormat| everybyte::fuzzing::value(&value));`. A test without a fuzzer calls [`values`].

mod mended;

use crate::finding::{Finding, Severity};
use crate::format::{Format, check, explain, rewrite};
use crate::generator;
use crate::map::spans;
use crate::trace::{write, write_over};
use arbitrary::{Arbitrary, Unstructured};
use binrw::io::Cursor;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The times that one file is made up.
const FILES: u32 = 4096;

/// The times that one file is made up, however many fields that takes.
const LEAST_FILES: u32 = 128;

/// The fields of all trials after which a file is not made up once more.
const MOST_FIELDS: u32 = 1 << 17;

/// The files with errors that are made up before the first of them is taken.
const WRONG_FILES: usize = 16;

/// Bytes out of which [`values`] makes one value.
const BYTES_OF_A_VALUE: usize = 512;

/// Examines a file of any bytes.
///
/// # Panics
/// If the map leaves out a byte or has one twice, or if [`check`] finds something else than [`explain`] does. Also if a file that
/// was written back differs when it is written once more.
pub fn bytes<F: Format>(file: &[u8]) {
    let explained = explain::<F>(file);
    assert_eq!(check::<F>(file), explained.findings, "a check finds something else than an explanation does");
    for space in &explained.spaces {
        let mut reached = 0;
        for span in spans(std::slice::from_ref(space)) {
            assert_eq!(span.node.start(), reached, "{} does not begin where the field before it ends", span.path);
            reached = span.node.end();
        }
        assert_eq!(reached, space.length, "the fields of {} do not reach its end", space.title);
    }
    if let Ok(written) = rewrite::<F>(file) {
        let again = rewrite::<F>(&written).expect("what was written can be read");
        assert!(written == again, "what was written is written differently when it is read");
    }
}

/// Writes any value, and examines the file.
///
/// # Panics
/// As [`bytes`].
pub fn value<F: Format>(value: &F) {
    // A value that cannot be written, such as a list that is longer than its count can say, is refused with an error.
    if let Ok(file) = write(value, F::BYTE_ORDER.of(&[])) {
        bytes::<F>(&file);
    }
}

/// Examines some values, always the same ones, and as many files that [`file()`] makes out of the declaration, whole and cut.
///
/// # Panics
/// As [`bytes`], and if fewer than nine of ten of those files are valid. Then the format has rules that the declaration does
/// not say, and the test would try broken files alone. [`any_values`] does not ask for that.
pub fn values<F: Format + for<'a> Arbitrary<'a>>(count: u64) {
    let valid = any_values::<F>(count);
    let is_enough = valid * 10 >= count * 9;
    assert!(
        is_enough,
        "only {valid} of {count} files that were made are valid; of the others, {}",
        reasons::<F>(count)
    );
}

/// The first errors of files that are not valid, in words: the most frequent ones first.
fn reasons<F: Format>(count: u64) -> String {
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 1..=count {
        let error = match file::<F>(seed) {
            Some(file) => check::<F>(&file).into_iter().find(|finding| finding.severity == Severity::Error),
            None => {
                *found.entry("cannot be made".to_owned()).or_default() += 1;
                continue;
            }
        };
        if let Some(Finding { rule, path, .. }) = error {
            *found.entry(format!("have `{rule}` at `{path}`")).or_default() += 1;
        }
    }
    let mut found: Vec<(String, u64)> = found.into_iter().collect();
    found.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
    let words: Vec<String> = found.iter().take(5).map(|(words, times)| format!("{times} {words}")).collect();
    words.join(", ")
}

/// The same, however many of the files are valid. Returns their number.
///
/// # Panics
/// As [`bytes`].
pub fn any_values<F: Format + for<'a> Arbitrary<'a>>(count: u64) -> u64 {
    let mut valid = 0;
    for seed in 1..=count {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let random: Vec<u8> = (0..BYTES_OF_A_VALUE)
            .map(|_| {
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state as u8
            })
            .collect();
        bytes::<F>(&random);
        if let Ok(made) = F::arbitrary(&mut Unstructured::new(&random)) {
            value(&made);
        }
        if let Some(file) = file::<F>(seed) {
            bytes::<F>(&file);
            bytes::<F>(&file[..file.len() / 2]);
            valid += u64::from(is_valid::<F>(&file));
        }
    }
    valid
}

/// Returns whether a file has no errors.
fn is_valid<F: Format>(file: &[u8]) -> bool {
    check::<F>(file).iter().all(|finding| finding.severity == Severity::Warning)
}

/// A file that the declaration of a format makes up. Lengths, counts, conditions and alternatives agree, codes are defined, and
/// checksums are right. Assertions and rules of single fields hold. A file in which [`check`] finds errors nonetheless is made up
/// anew, up to 16 times. The same seed gives the same file. `None` if a declaration cannot be met by trying.
///
/// ```
/// use everybyte::{Format, Text, check, fuzzing, layout};
///
/// #[layout]
/// struct Note {
///     #[br(assert(version == 7))]
///     version: u8,
///     #[br(temp)]
///     length: u8,
///     #[br(count = length)]
///     text: Text,
/// }
///
/// impl Format for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let note = fuzzing::file::<Note>(1).unwrap();
/// assert_eq!(check::<Note>(&note), []);
/// ```
pub fn file<F: Format>(seed: u64) -> Option<Vec<u8>> {
    let (endian, facts) = (F::BYTE_ORDER.of(&[]), Rc::new(generator::Facts::of(&F::book())));
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let (mut wrong, mut fields) = (Vec::new(), 0);
    for tries in 0..FILES {
        if tries >= LEAST_FILES && fields > MOST_FIELDS {
            break;
        }
        let made = generator::made(&facts, random, |source| F::read_options(source, endian, ()));
        (random, fields) = (made.next, fields + made.fields);
        let Ok(value) = made.value else { continue };
        let mut file = Cursor::new(made.bytes);
        // Numbers that follow from others are computed. Bytes that the value does not have stay as they were made up.
        if write_over(&value, &mut file, 0, endian, true).is_ok() && F::BYTE_ORDER.of(file.get_ref()) == endian {
            let file = mended::joined::<F>(file.into_inner(), &made.joins).map(mended::summed::<F>);
            match file {
                Some(file) if is_valid::<F>(&file) => return Some(file),
                file => wrong.extend(file),
            }
            if wrong.len() >= WRONG_FILES {
                break;
            }
        }
    }
    wrong.into_iter().next()
}
