//! Hostile archives: truncated ones, changed ones, and ones that are too large or have too many entries.

use super::{MEMORY, contents, examine, open_within};
use ndbytes::archive as rules;
use ndbytes::{Checker, Error, Input, Limits, Profile, Verdict};
use ndbytes_testkit::allocations::peak_of;
use ndbytes_testkit::archives::{SCHEMA, address, check, folder, prefixed, rules_in, rules_of, stream};
use ndbytes_testkit::zip::{Entry, STORED, finish, zip};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn an_archive_of_65536_entries_is_read_within_the_limits() {
    let one = Entry::deflated(SCHEMA, &stream(b'a'));
    let (mut entries, mut directory) = (Vec::new(), Vec::new());
    for number in 0..65_535_u32 {
        let empty = Entry::new(number.to_le_bytes(), b"", STORED);
        directory.extend(empty.record(entries.len() as u32));
        entries.extend(empty.own());
    }
    directory.extend(one.record(entries.len() as u32));
    entries.extend(one.own());
    let bytes = finish(entries, &directory, 65_536);
    assert_eq!(contents(&bytes), [(SCHEMA.to_owned(), Ok(stream(b'a')))]);
    // They are searched only if that fits within the memory limit.
    let little = open_within(&bytes, Limits::default().memory(1 << 20)).unwrap_err();
    assert!(matches!(little, Error::Limit { .. }), "{little}");
    let folder = folder(&[("model.zip", &bytes)]);
    let report = Checker::new().limits(Limits::default().memory(1 << 20)).check(folder.path().join("model.zip"));
    assert_eq!(rules_of(&report.unwrap()), ["limit-exceeded"]);
}

#[test]
fn unpacked_entries_are_held_to_memory_and_output() {
    let mut long = stream(b'a');
    long.resize(1 << 20, 0x5A);
    let bytes = zip(&[Entry::deflated(SCHEMA, &long), Entry::deflated("x\\Schema", &stream(b'a'))]);
    let folder = folder(&[("model.zip", &bytes)]);
    let limits = Limits::default().memory(100_000);
    let checker = Checker::new().limits(limits);
    let report = checker.check(folder.path().join("model.zip")).unwrap();
    let found: Vec<_> = report.parts().map(|part| rules_in(part.findings)).collect();
    assert_eq!(found, [vec!["limit-exceeded"], vec![]]);
    let alone = address(&folder, "model.zip", SCHEMA);
    assert!(matches!(Input::open(&alone, limits), Err(Error::Limit { needed: 1_048_576, .. })));
    assert_eq!(rules_of(&checker.check(&alone).unwrap()), ["limit-exceeded"]);
    assert_eq!(Input::open(&alone, limits.memory(2 << 20)).unwrap().length(), 1 << 20);

    // Each member fits into memory, but all of them together exceed the output limit.
    let limits = limits.memory(2 << 20).output((1 << 20) + 1000);
    let report = Checker::new().limits(limits).check(folder.path().join("model.zip")).unwrap();
    assert_eq!(rules_of(&report), ["idv/trailing-bytes"]);
    let bytes = zip(&[Entry::deflated(SCHEMA, &long), Entry::deflated("x\\Schema", &long)]);
    let report = Checker::new().limits(limits).check_slice(&bytes).unwrap();
    let found: Vec<_> = report.parts().map(|part| rules_in(part.findings)).collect();
    assert_eq!(found, [vec!["idv/trailing-bytes"], vec!["limit-exceeded"]]);
}

/// A deflate stream can compress zeros a thousandfold. NumPy writes and reads such members.
#[test]
fn members_that_are_packed_tight_are_read_within_the_limits() {
    let zeros = [&[0, 0, 8, 1, 1, 0x20, 0, 0][..], &vec![0; 0x0120_0000]].concat();
    let bytes = zip(&[Entry::deflated("zeros-idx1-ubyte", &zeros)]);
    assert!(bytes.len() * 900 < zeros.len(), "{} bytes", bytes.len());
    for profile in [Profile::Strict, Profile::Reference] {
        let report = Checker::new().profile(profile).check_slice(&bytes).unwrap();
        assert_eq!(rules_of(&report), [""; 0]);
    }
    let little = Limits::default().memory(16 << 20);
    assert_eq!(rules_of(&Checker::new().limits(little).check_slice(&bytes).unwrap()), ["limit-exceeded"]);
}

/// A small archive with each kind of stream.
fn small() -> Vec<u8> {
    zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("a.txt", b"text"),
        Entry::new("b\\TrainSchema", &stream(b'b'), STORED),
        Entry::deflated("c\\Schema.idv", &prefixed(&stream(b'c'))).but(|entry| entry.is_large = true),
    ])
}

#[test]
fn an_archive_cut_at_any_length_is_refused() {
    let bytes = small();
    for length in 0..bytes.len() {
        let (found, peak) = examine(&bytes[..length], MEMORY);
        let error = found.unwrap_err();
        assert_eq!(error.finding().unwrap().rule, &rules::BAD_DIRECTORY, "{length}: {error}");
        assert!(peak < MEMORY, "{length}: {peak} bytes were allocated");
    }
    let folder = folder(&[]);
    for length in (0..bytes.len()).step_by(97).chain([4, bytes.len() - 1]) {
        let path = folder.path().join("model.zip");
        fs::write(&path, &bytes[..length]).unwrap();
        let expected = if length < 4 { "unknown-format" } else { "zip/bad-directory" };
        assert_eq!(rules_of(&check(&path)), [expected], "{length}");
    }
}

#[test]
fn an_archive_with_any_bit_turned_is_refused_or_unchanged() {
    let bytes = small();
    let whole = contents(&bytes);
    let mut unnoticed = 0;
    for place in 0..bytes.len() {
        for bit in 0..8 {
            let mut turned = bytes.clone();
            turned[place] ^= 1 << bit;
            let (found, peak) = examine(&turned, MEMORY);
            assert!(peak < 3 * MEMORY, "{place}.{bit}: {peak} bytes were allocated");
            let Ok(found) = found else { continue };
            if found.verdict() == Verdict::Ok {
                // A change without a finding makes no difference.
                assert_eq!(contents(&turned), whole, "{place}.{bit}");
                unnoticed += 1;
            }
        }
    }
    // Times, versions, attributes, repetitions in the entries' headers, and the entry that is not a stream.
    assert!(unnoticed < bytes.len() * 8 / 4, "{unnoticed} of {} bits", bytes.len() * 8);
}

#[test]
fn an_archive_with_any_field_at_its_limits_allocates_little() {
    let bytes = small();
    for place in 0..bytes.len() - 3 {
        for value in [0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, u32::MAX] {
            let mut changed = bytes.clone();
            changed[place..place + 4].copy_from_slice(&value.to_le_bytes());
            let (_, peak) = examine(&changed, MEMORY);
            assert!(peak < 3 * MEMORY, "{place}, {value}: {peak} bytes were allocated");
        }
    }
}

#[test]
fn bombs_are_refused_before_they_are_unpacked() {
    let granted = 64 << 20;
    let check = |what: &str, bytes: &[u8], expected: &str| {
        let (found, peak) = examine(bytes, granted);
        match found {
            Ok(found) => assert_eq!(rules_of(&found), [expected], "{what}"),
            Err(error) => assert_eq!(error.finding().map(|finding| finding.rule.id), Some(expected), "{what}: {error}"),
        }
        assert!(peak < granted, "{what}: {peak} bytes were allocated");
    };
    let mut content = stream(b'a');
    content.resize(65 << 20, 0);
    let bomb = Entry::deflated("x\\Schema", &content);
    check("a bomb", &zip(std::slice::from_ref(&bomb)), "limit-exceeded");
    check("a bomb that says it is none", &zip(&[bomb.clone().but(|entry| entry.length = 311)]), "zip/length");
    let one = Entry::deflated("x\\Schema", &stream(b'a'));
    let claims = |length| zip(&[one.clone().but(|entry| (entry.is_large, entry.length) = (true, length))]);
    check("more than the memory of any machine", &claims(1 << 62), "zip/length");
    check("all that a number can hold", &claims(u64::MAX), "zip/length");
    check("one entry, many records", &finish(bomb.own(), &bomb.record(0).repeat(65_535), 65_535), "zip/overlap");
    check("a million records", &finish(one.own(), &one.record(0).repeat(1_000_000), 1_000_000), "zip/too-many-entries");
    check(
        "a million records, and one announced",
        &finish(one.own(), &one.record(0).repeat(1_000_000), 1),
        "zip/too-many-entries",
    );
    check("as many records as can be said", &finish(one.own(), &one.record(0), u64::MAX), "zip/too-many-entries");
    // Each entry quotes the header of the next one, and continues like it.
    let (mut data, mut quoting) = (bomb.data.clone(), Vec::new());
    for number in (0..200).rev() {
        let entry = bomb.clone().but(|entry| {
            (entry.name, entry.data) = (format!("{number:03}\\Schema").into_bytes(), data.clone());
            (entry.own_name, entry.packed) = (entry.name.clone(), data.len() as u64);
        });
        let own = entry.own();
        let length = (own.len() - data.len()) as u16;
        data = [&[0], &length.to_le_bytes()[..], &(!length).to_le_bytes(), &own].concat();
        quoting.push((entry, own));
    }
    let (_, whole) = quoting.last().unwrap().clone();
    let directory: Vec<u8> =
        quoting.iter().rev().flat_map(|(entry, own)| entry.record((whole.len() - own.len()) as u32)).collect();
    check("entries that quote each other", &finish(whole, &directory, 200), "zip/overlap");
    // Empty deflate blocks are long to read but have no content.
    let idle = one.clone().but(|entry| {
        entry.data = [[0, 0, 0, 0xFF, 0xFF].repeat(1 << 20), entry.data.clone()].concat();
        entry.packed = entry.data.len() as u64;
    });
    assert_eq!(contents(&zip(&[idle])), [], "what begins with nothing is no stream");
}

#[test]
fn findings_in_an_archive_are_held_within_the_limits() {
    // Everything is wrong in these entries, and each has its own findings.
    let mut broken = stream(b'b');
    broken[16] = 9; // the lowest version that can read it
    broken[40..52].fill(0xFF); // rows and columns
    let entries: Vec<Entry> =
        (0..20_000).map(|number| Entry::new(format!("{number}\\Schema"), &broken, STORED)).collect();
    let bytes = zip(&entries);
    // This is slightly more memory than the directory needs.
    let granted = 24 << 20;
    let (report, peak) = examine(&bytes, granted);
    let report = report.unwrap();
    let (parts, last) = (report.parts().count(), report.findings().last().unwrap());
    assert_eq!((last.rule.id, &last.member), ("limit-exceeded", &None), "{parts}");
    assert!((1000..20_000).contains(&parts), "{parts} members were looked at");
    assert!(peak < granted + bytes.len() as u64 + MEMORY, "{peak} bytes were allocated");
}

#[test]
fn headers_that_claim_the_bytes_of_others_are_not_read_into_them() {
    let (mut entries, mut directory) = (Vec::new(), Vec::new());
    for number in 0..20_000_u32 {
        let empty = Entry::new(format!("{number}"), b"", STORED);
        directory.extend(empty.record(entries.len() as u32));
        let mut own = empty.own();
        own[28..30].fill(0xFF); // bytes of the extra fields
        entries.extend(own);
    }
    let bytes = finish(entries, &directory, 20_000);
    let (report, peak) = peak_of(|| Checker::new().check_slice(&bytes).unwrap());
    let rules: BTreeSet<&str> = rules_of(&report).into_iter().collect();
    assert_eq!(rules, BTreeSet::from(["unknown-format", "zip/bad-entry"]));
    // Each entry takes a few hundred bytes, although its header claims 65,535.
    let granted = 20_000 * 1024;
    assert!(peak < granted, "{peak} bytes were allocated");
}
