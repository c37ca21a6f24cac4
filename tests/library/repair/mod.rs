//! Repaired copies are strictly valid. Nothing is invented, and nothing readable is lost.

mod archives;
mod damage;
mod evidence;
mod frames;
mod headers;

use ndbytes::repair::{Options, Repair, Step, mended_by, repair};
use ndbytes::{Array, Checker, Error, File, Limits, Verdict};
use ndbytes_forge::{Forge, Kind, Mutation};
use ndbytes_testkit::corpus;
use ndbytes_testkit::snapshot::snapshot;
use std::collections::BTreeSet;
use std::fmt::Write;

fn limits() -> Limits {
    Limits::default().memory(64 << 20)
}

/// Repairs a file and asserts the guarantees of every repair. `None` if a limit was reached.
fn repaired<'b>(bytes: &'b [u8], drops: bool, what: &dyn Fn() -> String) -> Option<Repair<'b>> {
    let repair = match repair(bytes, &Options::new().limits(limits()).dropping(drops)) {
        Ok(repair) => repair,
        Err(Error::Limit { .. }) => return None,
        Err(error) => panic!("{}: {error}", what()),
    };
    let report = Checker::new().limits(limits()).check_slice(repair.bytes()).unwrap();
    assert_eq!(report, repair.report, "{}", what());
    assert_eq!(repair.is_sound(), report.verdict() < Verdict::Error, "{}", what());
    if repair.steps.is_empty() {
        assert!(repair.bytes() == bytes, "{}: changed without a step", what());
    }
    // The remaining damage in a copy may break any rule.
    let is_told = |step: &Step| mended_by(step.rule).is_some() || step.done.ends_with("the lengths are right");
    assert!(repair.steps.iter().all(is_told), "{}: {:?}", what(), repair.steps);
    assert!(!repair.is_sound() || repair.refused.is_none(), "{}: {:?}", what(), repair.refused);
    Some(repair)
}

/// The bytes of the items of an array, tolerating everything possible.
fn items(bytes: &[u8]) -> Option<Vec<u8>> {
    let tolerant = ndbytes::rules().filter(|rule| rule.is_tolerable());
    let tolerant = tolerant.fold(ndbytes::Options::new().limits(limits()), ndbytes::Options::tolerate);
    match tolerant.from_slice(bytes) {
        Ok(File::Array(array)) => Array::bytes(&array).ok().map(|bytes| bytes.into_owned()),
        _ => None,
    }
}

/// Asserts that the readable part of a broken file is the same in the repaired copy, which may have more items. With a
/// wrong number of axes, a dimension was read as an item; after the header of another file, the file's own header was
/// read as items. If all bytes were changed, so were the items.
fn assert_nothing_lost(broken: &[u8], repair: &Repair<'_>, what: &dyn Fn() -> String) {
    let others = ["the number of axes", "the header before the file"];
    let is_other = |step: &Step| {
        others.iter().any(|other| step.done.starts_with(other)) || step.done.ends_with("the lengths are right")
    };
    if repair.steps.iter().any(is_other) {
        return;
    }
    let (Some(before), Some(after)) = (items(broken), items(repair.bytes())) else { return };
    assert!(after.starts_with(&before), "{}: {:?}", what(), repair.steps);
}

#[test]
fn repaired_files_of_the_corpus_are_sound_or_say_what_is_left() {
    let (mut said, mut mended) = (String::new(), BTreeSet::new());
    for sample in corpus::samples() {
        let told = || sample.to_string();
        if let Some(refused) = repaired(&sample.bytes, false, &told).and_then(|repair| repair.refused) {
            writeln!(said, "{sample}: refused\n  {}: {}", refused.rule.id, refused.reason).unwrap();
        }
        let Some(repair) = repaired(&sample.bytes, true, &told) else { continue };
        if repair.steps.is_empty() {
            continue;
        }
        mended.extend(repair.steps.iter().map(|step| step.rule.id));
        let end = if repair.is_sound() { "sound" } else { "errors are left" };
        writeln!(said, "{sample}: {end}").unwrap();
        for step in &repair.steps {
            writeln!(said, "  {}: {}", step.rule.id, step.done).unwrap();
            if let Some(given_up) = &step.given_up {
                writeln!(said, "    dropped: {given_up}").unwrap();
            }
        }
        if repair.is_sound() {
            assert_nothing_lost(&sample.bytes, &repair, &|| sample.to_string());
        }
    }
    snapshot("repair", &said);
    let promised: BTreeSet<&str> =
        ndbytes::rules().filter(|rule| mended_by(rule).is_some()).map(|rule| rule.id).collect();
    // These are repaired only with an option (see below), in files whose chunks are all stored (see `frames`), or next
    // to other entries (see `archives`).
    let elsewhere = BTreeSet::from([
        "idx/implausible-byte-order",
        "b2nd/index-entry",
        "b2nd/overlapping-chunks",
        "zip/crc",
        "zip/length",
    ]);
    assert_eq!(mended, &promised - &elsewhere, "each rule that is said to be mended is mended in a file of the corpus");
}

#[test]
fn repaired_mutants_are_sound_or_unchanged_and_keep_what_was_readable() {
    for kind in Kind::ALL {
        let mut forge = Forge::new(71 + kind as u64);
        for _ in 0..300 {
            let valid = forge.valid(kind).bytes;
            let mutant =
                forge.mutate(&valid, &Mutation { count: 1..=2, max_len: valid.len() + 64, ..Mutation::default() });
            let what = || format!("{kind}: {}", mutant.recipe);
            for drops in [false, true] {
                if let Some(repair) = repaired(&mutant.bytes, drops, &what).filter(Repair::is_sound) {
                    assert_nothing_lost(&mutant.bytes, &repair, &what);
                }
            }
        }
    }
}

/// Returns whether a step states that chunks are in file order, because there is no index.
fn gives_up_order(repair: &Repair<'_>) -> bool {
    let mut given_up = repair.steps.iter().filter_map(|step| step.given_up.as_deref());
    given_up.any(|given_up| given_up.starts_with("the order of the chunks"))
}

/// Asserts that the values of a repaired copy are the first ones of the intact file or, without the order of chunks,
/// some of its values.
fn assert_kept(whole: &[u8], kept: &[u8], repair: &Repair<'_>, what: &dyn Fn() -> String) {
    if !gives_up_order(repair) {
        assert!(whole.starts_with(kept), "{}: {:?}", what(), repair.steps);
        return;
    }
    let count = |bytes: &[u8]| {
        bytes.iter().fold([0_usize; 256], |mut counts, &byte| {
            counts[usize::from(byte)] += 1;
            counts
        })
    };
    let of_file = count(whole).into_iter().zip(count(kept));
    assert!(of_file.into_iter().all(|(whole, kept)| kept <= whole), "{}: {:?}", what(), repair.steps);
}

#[test]
fn cut_files_keep_their_whole_items() {
    for sample in corpus::samples().into_iter().filter(|sample| sample.folder == "ok") {
        for length in (0..sample.bytes.len()).step_by(sample.bytes.len() / 40 + 1) {
            let (cut, what) = (&sample.bytes[..length], || format!("{sample}, {length} bytes"));
            let Some(repair) = repaired(cut, false, &what).filter(Repair::is_sound) else { continue };
            if let (Some(whole), Some(kept)) = (items(&sample.bytes), items(repair.bytes())) {
                assert_kept(&whole, &kept, &repair, &what);
            }
        }
    }
}

#[test]
fn swapped_elements_are_mended_on_request_alone() {
    let swapped = [&[0, 0, 0x0C, 1, 0, 0, 0, 4][..], &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]].concat();
    let left = repair(&swapped, &Options::new()).unwrap();
    assert!(left.steps.is_empty() && left.bytes() == swapped);
    let mended = repair(&swapped, &Options::new().byte_order(ndbytes::everybyte::Endian::Little)).unwrap();
    assert_eq!(mended.steps.len(), 1);
    assert_eq!(mended.steps[0].rule.id, "idx/implausible-byte-order");
    assert_eq!(mended.bytes()[8..], [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4]);
}

#[test]
fn copies_beyond_the_memory_are_refused() {
    let cut = [&[0, 0, 8, 1, 0, 0x40, 0, 0][..], &vec![7; 1 << 20]].concat();
    let error = repair(&cut, &Options::new().limits(Limits::default().memory(1 << 20))).unwrap_err();
    assert!(matches!(error, Error::Limit { what: "a repaired copy", needed: 2_097_168, left: 1_048_576 }), "{error}");
}
