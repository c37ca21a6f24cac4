//! The guarantees for the differences of any two files.

use crate::bounds::limits;
use crate::random::Random;
use crate::tool::{assert_harmless, assert_json};
use ndbytes::{Error, Input};
use ndbytes_compare::diff::{Diff, Options, Tolerance, Values, Verdict, diff};

/// The bound on the output about two files: a multiple of their lengths, plus a constant.
const TIMES: usize = 64;
const BESIDES: usize = 64 << 10;

/// The maximum number of listed differences.
const MOST: usize = 5;

/// Compares bytes with themselves, and with mutants of them.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let (options, has_key) = chosen(&mut random);
    let same = compare(bytes, bytes, &options, has_key).expect("there is no limit on time, and no key");
    assert_eq!(same.verdict, Verdict::Identical);
    assert!(same.is_equal(), "{same:?}");
    let other = mutated(bytes, &mut random);
    let (options, has_key) = chosen(&mut random);
    let (Some(found), Some(mirrored)) =
        (compare(bytes, &other, &options, has_key), compare(&other, bytes, &options, has_key))
    else {
        return;
    };
    assert_eq!(found.verdict == Verdict::Identical, bytes == other, "{found:?}");
    assert_eq!(found.verdict, mirrored.verdict, "{found:?} {mirrored:?}");
    assert_eq!(found.is_equal(), mirrored.is_equal(), "{found:?} {mirrored:?}");
    if let (Some(values), Some(others)) = (&found.values, &mirrored.values) {
        assert_mirrored(values, others);
        assert_consistent(values);
    }
    report(&found, bytes.len() + other.len());
}

/// Compares two files; `None` if a table does not have the column to align its rows.
fn compare(a: &[u8], b: &[u8], options: &Options, has_key: bool) -> Option<Diff> {
    let [a, b] = [a, b].map(|bytes| Input::from_slice(bytes, limits()));
    match diff(&a, &b, options) {
        Ok(found) => Some(found),
        Err(Error::NoColumn { .. }) if has_key => None,
        Err(error) => panic!("what a file contains is no error: {error}"),
    }
}

/// Chooses options and returns whether they name a key column.
fn chosen(random: &mut Random) -> (Options, bool) {
    let options = Options::new().limits(limits()).most(MOST).all(random.one_in(2));
    let has_key = random.one_in(8);
    let options = if has_key { options.key("a") } else { options };
    let options = match random.below(6) {
        0 => options.tolerance(Tolerance::exact().absolute(0.5)),
        1 => options.tolerance(Tolerance::exact().relative(1e-3)),
        2 => options.tolerance(Tolerance::exact().ulp(3)),
        3 => options.tolerance(Tolerance::exact().bits(true)),
        _ => options,
    };
    (options, has_key)
}

/// Returns the bytes after a few edits, or unchanged.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..random.below(4) {
        let length = bytes.len() as u64;
        let at = random.below(length) as usize;
        let end = at + random.below((length - at as u64).min(64) + 1) as usize;
        match random.below(6) {
            0 | 1 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            2 if at < bytes.len() => bytes[at] = random.next() as u8,
            3 => drop(bytes.drain(at..end)),
            4 => {
                let piece = bytes[at..end].to_vec();
                let place = random.below(length + 1) as usize;
                bytes.splice(place..place, piece);
            }
            _ => bytes.truncate(end),
        }
    }
    bytes
}

/// Asserts that counts do not depend on which file is first.
fn assert_mirrored(values: &Values, others: &Values) {
    let counts = |values: &Values| (values.verdict, values.compared, values.within, values.sign_of_zero);
    assert_eq!(counts(values), counts(others), "{values:?} {others:?}");
    assert_eq!(values.different, others.different, "{values:?} {others:?}");
    assert_eq!((values.nan.a_only, values.nan.b_only), (others.nan.b_only, others.nan.a_only), "{values:?} {others:?}");
    assert_eq!(values.first.len(), others.first.len(), "{values:?} {others:?}");
}

/// Asserts that lists and counts agree.
fn assert_consistent(values: &Values) {
    assert!(values.different + values.within <= values.compared.max(values.different), "{values:?}");
    assert!(values.first.len() <= MOST && values.first.len() as u64 <= values.different, "{values:?}");
    assert!(values.columns.len() <= MOST, "{values:?}");
    match values.verdict {
        Verdict::Identical => panic!("{values:?}"),
        Verdict::SameValues | Verdict::TypeDiffers | Verdict::SameWithinTolerance => {
            assert_eq!((values.different, &values.rows), (0, &None), "{values:?}");
            assert_eq!(values.within > 0, values.verdict == Verdict::SameWithinTolerance, "{values:?}");
        }
        _ => {}
    }
    if let Some(rows) = &values.rows {
        assert_eq!(rows.a + rows.inserted_count, rows.b + rows.deleted_count, "{rows:?}");
        assert!(rows.inserted.len().max(rows.deleted.len()).max(rows.changed.len()) <= MOST, "{rows:?}");
        assert!(rows.inserted.iter().all(|row| row.row < rows.b), "{rows:?}");
        assert!(rows.deleted.iter().all(|row| row.row < rows.a), "{rows:?}");
    }
}

/// Asserts that a report cannot control a terminal, and that its length is bounded. Escapes in JSON are up to the tool.
fn report(found: &Diff, length: usize) {
    let text = found.to_string();
    assert!(text.len() <= TIMES * length + BESIDES, "{} bytes about {length}", text.len());
    assert_harmless(&text, "the report");
    let json = serde_json::to_string(found).expect("differences are JSON");
    assert_json(&json, "the JSON");
}
