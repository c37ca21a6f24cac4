//! Every rule about archives, and findings about several entries.

use ndarray::arr1;
use ndbytes::archive::{self as rules, Opened};
use ndbytes::{Checker, Error, Finding, Input, Limits, Options, Profile, Rule, Severity, Verdict, npy};
use ndbytes_testkit::archives::{SCHEMA, address, folder, model, rules_of, stream};
use ndbytes_testkit::zip::{Entry, STORED, deflate, finish, zip};
use std::collections::BTreeSet;

/// The finding about an entry of this archive, which must be the same by its address and with the whole archive.
fn broken(bytes: &[u8], profile: Profile) -> ndbytes::Finding {
    let folder = folder(&[("model.zip", bytes)]);
    let checker = Checker::new().profile(profile);
    let report = checker.check(folder.path().join("model.zip")).unwrap();
    let alone = checker.check(address(&folder, "model.zip", "x\\Schema")).unwrap();
    let [finding] = report.findings() else { panic!("{:?}", report.findings()) };
    assert_eq!(rules_of(&alone), [finding.rule.id]);
    assert!(finding.offset <= bytes.len() as u64);
    finding.clone()
}

#[test]
fn rules_about_members_have_archives_that_break_them() {
    let good = || Entry::deflated("x\\Schema", &stream(b'a'));
    let with = |entry: Entry| zip(&[Entry::deflated(SCHEMA, &stream(b'b')), entry]);
    let first = Entry::deflated(SCHEMA, &stream(b'b')).own().len() as u32;
    let unended = {
        let mut data = deflate(&stream(b'a'));
        data.truncate(data.len() - 4);
        data
    };
    let cases: Vec<(&str, &Rule, Vec<u8>)> = vec![
        ("no directory", &rules::BAD_DIRECTORY, model()[..1000].to_vec()),
        ("another number of entries", &rules::BAD_DIRECTORY, {
            let mut bytes = with(good());
            let last = bytes.len() - 12;
            bytes[last] += 1;
            bytes
        }),
        ("a record with another signature", &rules::BAD_DIRECTORY, {
            let mut bytes = with(good());
            let record = bytes.len() - 22 - good().record(0).len();
            bytes[record + 2] = 3;
            bytes
        }),
        ("a record that is cut off", &rules::BAD_DIRECTORY, {
            let mut bytes = with(good());
            let comment = bytes.len() - 22 - good().record(0).len() + 32;
            bytes[comment] = 1;
            bytes
        }),
        ("too many entries", &rules::TOO_MANY_ENTRIES, {
            let one = good();
            finish(one.own(), &one.record(0).repeat(65_537), 65_537)
        }),
        ("no header", &rules::BAD_ENTRY, {
            let mut bytes = with(good());
            bytes[first as usize] = b'Q';
            bytes
        }),
        ("a header elsewhere", &rules::OVERLAP, with(good().but(|entry| entry.start = Some(first + 1)))),
        ("beyond the end", &rules::OVERLAP, with(good().but(|entry| entry.start = Some(1 << 20)))),
        ("another name", &rules::BAD_ENTRY, with(good().but(|entry| entry.own_name[0] = b'y'))),
        ("another method", &rules::BAD_ENTRY, with(good().but(|entry| entry.own_method = 0))),
        ("two records of one entry", &rules::OVERLAP, {
            let one = good();
            finish(one.own(), &one.record(0).repeat(2), 2)
        }),
        ("into the directory", &rules::OVERLAP, with(good().but(|entry| entry.packed += 1))),
        ("a longer name of its own", &rules::BAD_ENTRY, {
            with(good().but(|entry| {
                entry.own_name.extend(b"longer");
                entry.data.truncate(entry.data.len() - 6);
            }))
        }),
        ("encrypted", &rules::ENCRYPTED, with(good().but(|entry| entry.flags = 1))),
        ("strongly encrypted", &rules::ENCRYPTED, with(good().but(|entry| entry.flags = 0x41))),
        ("AES", &rules::ENCRYPTED, with(good().but(|entry| (entry.method, entry.own_method) = (99, 99)))),
        ("deflate64", &rules::METHOD, with(good().but(|entry| (entry.method, entry.own_method) = (9, 9)))),
        ("zstd", &rules::METHOD, with(good().but(|entry| (entry.method, entry.own_method) = (93, 93)))),
        ("garbage at first", &rules::CORRUPT_STREAM, with(good().but(|entry| entry.data[0] = 0xFF))),
        ("garbage at last", &rules::CORRUPT_STREAM, {
            with(good().but(|entry| entry.data.iter_mut().skip(40).for_each(|byte| *byte = 0xFF)))
        }),
        ("cut off", &rules::CORRUPT_STREAM, {
            with(good().but(|entry| (entry.packed, entry.data) = (unended.len() as u64, unended)))
        }),
        ("shorter", &rules::LENGTH, with(good().but(|entry| entry.length += 1))),
        ("longer", &rules::LENGTH, with(good().but(|entry| entry.length -= 1))),
        ("impossible", &rules::LENGTH, with(good().but(|entry| entry.length = 1 << 20))),
        ("stored, shorter", &rules::LENGTH, {
            with(Entry::new("x\\Schema", &stream(b'a'), STORED).but(|entry| entry.length += 1))
        }),
        ("stored, longer", &rules::LENGTH, {
            with(Entry::new("x\\Schema", &stream(b'a'), STORED).but(|entry| entry.length -= 1))
        }),
        ("bytes after the stream", &rules::LENGTH, {
            with(good().but(|entry| {
                entry.data.push(0);
                entry.packed += 1;
            }))
        }),
        ("another checksum", &rules::CRC, with(good().but(|entry| entry.crc ^= 1 << 31))),
        ("stored, another checksum", &rules::CRC, {
            with(Entry::new("x\\Schema", &stream(b'a'), STORED).but(|entry| entry.crc = 0))
        }),
        ("twice", &rules::DUPLICATE_NAME, zip(&[good(), good()])),
    ];
    for (what, rule, bytes) in &cases {
        let finding = broken(bytes, Profile::Strict);
        assert_eq!((finding.rule, Some(finding.severity)), (*rule, rule.severity), "{what}: {finding}");
        let accepted = broken(bytes, Profile::Reference).severity == Severity::Warning;
        let goes_by_directory =
            ["another name", "a longer name of its own", "another method", "deflate64"].contains(what);
        // Our limits do not exist in other readers.
        let is_ignored = rule.reactions.is_some_and(|reactions| reactions.dotnet == ndbytes::Reference::Accepts);
        let accepts = is_ignored || goes_by_directory;
        assert_eq!(accepted, accepts, "{what}");
    }
}

#[test]
fn findings_of_an_archive_name_their_members() {
    let mut broken = stream(b'b');
    broken.push(0);
    let bytes = zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("b\\Schema", &broken),
        Entry::deflated("c\\Schema", &stream(b'c')).but(|entry| entry.crc ^= 1),
    ]);
    let report = Checker::new().check_slice(&bytes).unwrap();
    let members: BTreeSet<&str> = report.findings().iter().map(|finding| finding.member.as_deref().unwrap()).collect();
    assert_eq!(members, BTreeSet::from(["b\\Schema", "c\\Schema"]));
    let last = report.findings().last().unwrap();
    assert!(last.to_string().contains("(c\\Schema, crc32, byte "), "{last}");
    let of_parts: Vec<Finding> = report.parts().flat_map(|part| part.findings.to_vec()).collect();
    assert_eq!(of_parts, report.findings());
    let verdicts: Vec<Verdict> = report.parts().map(|part| part.verdict()).collect();
    assert_eq!(verdicts, [Verdict::Ok, Verdict::Error, Verdict::Error]);
    assert_eq!((report.format, report.size), (None, bytes.len() as u64));
}

#[test]
fn store_whose_small_leaves_are_missing_or_compressed_is_refused_by_its_reader() {
    let frame = std::fs::read(ndbytes_testkit::project().join("samples/temperatures.b2nd")).unwrap();
    let names: [&[&str]; 2] = [&["a.b2nd"], &["a.b2nd", "embed.b2e"]];
    for names in names {
        let entries: Vec<Entry> = names.iter().map(|name| Entry::deflated(name, &frame)).collect();
        let folder = folder(&[("store.b2z", &zip(&entries))]);
        let check = |profile| Checker::new().profile(profile).check(folder.path().join("store.b2z")).unwrap();
        assert!(check(Profile::Strict).findings().is_empty(), "{names:?}");
        let report = check(Profile::Reference);
        let [finding] = report.findings() else { panic!("{names:?}: {:?}", report.findings()) };
        assert_eq!((finding.rule, finding.severity), (&rules::STORE, Severity::Error), "{names:?}");
    }
}

#[test]
fn entries_that_share_bytes_are_found_beside_an_entry_that_is_not_in_its_place() {
    let array = npy::Writer::new().to_vec(&arr1(&[1_u8, 2])).unwrap();
    let mut bytes = zip(&[Entry::deflated("a.npy", &array)]);
    let record = bytes.windows(4).position(|magic| magic == b"PK\x01\x02").unwrap();
    // The directory declares more bytes than precede it, and the entry's own header declares a longer name.
    bytes[record + 20..record + 24].copy_from_slice(&1000_u32.to_le_bytes());
    bytes[26..28].copy_from_slice(&u16::MAX.to_le_bytes());
    let report = Checker::new().check_slice(&bytes).unwrap();
    let found: Vec<&str> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(found, ["zip/bad-entry", "zip/overlap"]);
    let Error::Invalid(finding) = Options::new().from_slice(&bytes).unwrap_err() else { panic!() };
    assert_eq!(finding.rule.id, "zip/overlap");
}

#[test]
fn an_open_archive_is_checked_as_its_file_is() {
    let array = npy::Writer::new().to_vec(&arr1(&[1_u8, 2])).unwrap();
    let mut bytes = zip(&[Entry::deflated("a.npy", &array)]);
    let disk = bytes.len() - 16;
    bytes[disk] = 1;
    let checker = Checker::new().profile(Profile::Reference);
    let report = checker.check_slice(&bytes).unwrap();
    assert_eq!(report.findings()[0].rule.id, "zip/multi-disk");
    let input = Input::from_slice(&bytes, Limits::default());
    match Opened::from_input(input, Limits::default()) {
        Ok(Opened::Archive(archive)) => assert_eq!(checker.check_archive(&archive).unwrap(), report),
        other => panic!("{other:?}"),
    }
}
