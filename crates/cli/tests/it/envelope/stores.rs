//! Stores of python-blosc2, as archives (`.b2z`) and as directories (`.b2d`), and arrays in other archives.

use crate::support::tool::{Ended, json_lines, run_in};
use ndbytes::archive::Archive;
use ndbytes::b2nd::Writer;
use ndbytes::{Array, Checker, Depth, Error, Format, Input, Limits, Profile, Report, Severity, Verdict};
use ndbytes_testkit::allocations::peak_of;
use ndbytes_testkit::corpus;
use ndbytes_testkit::zip::{DEFLATED, Entry, STORED, zip};
use serde_json::Value;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The members of the frozen store in directory order, and whether they are arrays.
const MEMBERS: [(&str, bool); 4] =
    [("embed.b2e", false), ("group/deeper/zeros.b2nd", true), ("group/squares.b2nd", true), ("group/text.b2f", false)];

/// The members of the frozen store that are not arrays, and their kinds.
const OBJECTS: [(&str, &str); 4] = [
    ("batches.b2b", "a BatchArray of python-blosc2"),
    ("embed.b2e", "the embedded part of a TreeStore of python-blosc2"),
    ("group/text.b2f", "a super-chunk"),
    ("words.b2f", "an ObjectArray of python-blosc2"),
];

fn stores() -> PathBuf {
    ndbytes_testkit::frozen("b2nd/stores")
}

/// The address of a member in the archive, and in the directory.
fn addresses(name: &str) -> [PathBuf; 2] {
    [stores().join(format!("tree.b2z!{name}")), stores().join("tree.b2d").join(name)]
}

fn check(path: impl AsRef<Path>) -> Report {
    Checker::new().check(path).unwrap()
}

fn rules_of(report: &Report) -> Vec<&'static str> {
    report.findings().iter().map(|finding| finding.rule.id).collect()
}

fn open(path: &Path) -> ndbytes::Result<Array<'static>> {
    ndbytes::open(path)?.into_array()
}

fn run(arguments: &[&str]) -> Ended {
    run_in(&stores(), arguments)
}

/// Names with slashes, as in addresses.
fn names<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let mut names: Vec<String> = names.into_iter().map(|name| name.replace('\\', "/")).collect();
    names.sort();
    names
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() { copy_folder(&entry.path(), &target) } else { drop(fs::copy(entry.path(), target)) }
    }
}

#[test]
fn a_healthy_store_is_ok() {
    let expected: Vec<String> = MEMBERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    for store in ["tree.b2z", "tree.b2d"] {
        let report = check(stores().join(store));
        assert_eq!(report.verdict(), Verdict::Ok, "{store}: {:?}", report.findings());
        assert!(report.parts().all(|part| part.format == Some(Format::B2nd)));
        assert_eq!(names(report.parts().map(|part| part.member.unwrap())), expected, "{store}");
        let ended = run(&["check", "--deny-warnings", store]);
        // The directory is walked file by file.
        let sum = if store == "tree.b2z" { "1 file with 4 members: 1 ok\n" } else { "4 files: 4 ok\n" };
        assert_eq!((ended.status, ended.stdout.as_str()), (0, sum), "{store}: {}", ended.stderr);
    }
    let bytes = fs::read(stores().join("tree.b2z")).unwrap();
    assert_eq!(Checker::new().check_slice(&bytes).unwrap(), check(stores().join("tree.b2z")));
    let ended = run(&["check", "--json", "."]);
    let paths: Vec<String> =
        json_lines(&ended.stdout).iter().map(|line| line["path"].as_str().unwrap().to_owned()).collect();
    assert_eq!((ended.status, paths.len()), (0, 2 * MEMBERS.len() + 2 * OBJECTS.len() + 1), "{paths:?}");
    assert!(paths.iter().any(|path| path.ends_with("tree.b2z!group/squares.b2nd")), "{paths:?}");
}

#[test]
fn arrays_in_a_store_are_read_by_their_address() {
    let squares: Vec<u8> = (0..60_i32).flat_map(|number| (number * number).to_le_bytes()).collect();
    for address in addresses("group/squares.b2nd") {
        let array = open(&address).unwrap();
        assert_eq!((array.shape(), array.dtype().descr()), (&[6, 10][..], "<i4".to_owned()), "{}", address.display());
        assert_eq!(*array.bytes().unwrap(), squares);
        let report = check(&address);
        assert_eq!((report.format, report.verdict()), (Some(Format::B2nd), Verdict::Ok));
        let map = Checker::new().byte_map(Input::open(&address, Limits::default()).unwrap()).unwrap();
        assert_eq!(map.format, Some(Format::B2nd));
        let address = address.to_str().unwrap();
        let ended = run(&["cat", "--json", address]);
        assert_eq!(json_lines(&ended.stdout)[0]["values"][59], 59 * 59, "{}", ended.stderr);
        assert_eq!(
            json_lines(&run(&["info", "--json", address]).stdout)[0]["array"]["shape"],
            serde_json::json!([6, 10])
        );
        assert_eq!(run(&["explain", address]).status, 0);
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out.npy");
        assert_eq!(run(&["convert", address, out.to_str().unwrap()]).status, 0);
        assert!(fs::read(out).unwrap().ends_with(&squares));
    }
    for address in addresses("group/deeper/zeros.b2nd") {
        assert_eq!(*open(&address).unwrap().bytes().unwrap(), [0; 4 * 5 * 8]);
    }
}

#[test]
fn members_of_a_store_are_listed() {
    for (store, mark) in [("tree.b2z", '!'), ("tree.b2d", '/')] {
        let archive = Archive::open(stores().join(store), Limits::default()).unwrap();
        assert_eq!(names(archive.members().iter().map(|member| member.name())), MEMBERS.map(|(name, _)| name));
        for member in archive.members() {
            let input = archive.load(member).unwrap();
            assert_eq!(input.length(), member.length());
            assert_eq!(input.length(), Input::open(archive.address(member), Limits::default()).unwrap().length());
        }

        let ended = run(&["info", "--json", store]);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        for object in json_lines(&ended.stdout) {
            let path = object["path"].as_str().unwrap().replace('\\', "/");
            let name = path.strip_prefix(&format!("{store}{mark}")).unwrap();
            let (_, is_array) = MEMBERS.into_iter().find(|(known, _)| *known == name).unwrap();
            assert_eq!(object["array"].is_object(), is_array, "{object}");
            assert_eq!(object["details"]["no array"].is_string(), !is_array, "{object}");
            assert_eq!((&object["format"], &object["table"]), (&Value::from("b2nd"), &Value::Null));
        }
        let ended = run(&["info", store]);
        assert_eq!((ended.status, ended.stdout.lines().count()), (0, 3 + MEMBERS.len()), "{}", ended.stdout);
        assert!(ended.stdout.contains("6 × 10 of <i4"), "{}", ended.stdout);

        // For other commands, the user must name one array.
        let is_archive = mark == '!';
        let refused = [&["cat", store][..], &["convert", store, "out.npy"], &["explain", store]];
        for arguments in &refused[..if is_archive { 2 } else { 3 }] {
            let ended = run(arguments);
            assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{arguments:?}");
            let expected = format!("error: {store} is an archive: name one of its members\n");
            assert!(ended.stderr.starts_with(&expected), "{}", ended.stderr);
            assert_eq!(ended.stderr.lines().count(), 1 + MEMBERS.len());
        }
        if is_archive {
            let ended = run(&["explain", store]);
            assert!(ended.stdout.ends_with("\nevery byte accounted for\n"), "{}", ended.stdout);
        }
        let error = open(&stores().join(store)).unwrap_err();
        assert!(matches!(&error, Error::Archive { members, more: 0 } if members.len() == MEMBERS.len()), "{error}");
    }
}

#[test]
fn frames_without_arrays_are_accepted_only_in_stores() {
    let folder = tempfile::tempdir().unwrap();
    for (name, _) in MEMBERS.into_iter().filter(|(_, is_array)| !is_array) {
        for address in addresses(name) {
            assert_eq!(check(&address).verdict(), Verdict::Ok, "{}", address.display());
            let rule = open(&address).unwrap_err().finding().unwrap().rule.id;
            assert_eq!(rule, "b2nd/no-array", "{}", address.display());
        }
        // On its own, nothing can read it as an array.
        let alone = folder.path().join("alone.b2frame");
        fs::copy(stores().join("tree.b2d").join(name), &alone).unwrap();
        assert_eq!(rules_of(&check(&alone)), ["b2nd/no-array"], "{name}");
        let info = ndbytes::info(Input::open(&alone, Limits::default()).unwrap(), &Limits::default());
        assert_eq!(info.unwrap_err().finding().unwrap().rule.id, "b2nd/no-array", "{name}");
    }
}

#[test]
fn objects_in_a_store_are_named_and_no_errors() {
    for (store, mark) in [("objects.b2z", '!'), ("objects.b2d", '/')] {
        let report = check(stores().join(store));
        assert_eq!(report.verdict(), Verdict::Ok, "{store}: {:?}", report.findings());
        assert_eq!(report.parts().count(), OBJECTS.len());
        let ended = run(&["info", "--json", store]);
        assert_eq!((ended.status, json_lines(&ended.stdout).len()), (0, OBJECTS.len()), "{}", ended.stderr);
        for object in json_lines(&ended.stdout) {
            let path = object["path"].as_str().unwrap().replace('\\', "/");
            let name = path.strip_prefix(&format!("{store}{mark}")).unwrap();
            let (_, what) = OBJECTS.into_iter().find(|(known, _)| *known == name).unwrap();
            assert!(object["details"]["no array"].as_str().unwrap().contains(what), "{object}");
            // Requesting values returns the same message.
            let ended = run(&["cat", &path]);
            assert_eq!(ended.status, 1);
            assert!(ended.stderr.contains("error[b2nd/no-array]") && ended.stderr.contains(what), "{}", ended.stderr);
        }
        let listed = run(&["info", store]).stdout;
        assert!(OBJECTS.iter().all(|(_, what)| listed.contains(&what[..20.min(what.len())])), "{listed}");
    }
}

#[test]
fn lists_of_objects_are_judged_as_python_blosc2_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.b2z");
    let word: &[u8] = b"\xa3one";
    let batch: &[u8] = b"\x92\xa1a\xa1b";
    let cases: [(&[u8], &[u8], bool); 6] = [
        (word, b"\xa3two", true),
        (word, b"\xa3on\xff", false),
        (word, b"\xc1one", false),
        (batch, b"\x92\xa1a\xa1c", true),
        (batch, b"\x93\xa1a\xa1b", false),
        (batch, b"\x91\xa3abc", false),
    ];
    for (store, (from, to, is_read)) in
        ["objects.b2z", "embedded.b2z"].into_iter().flat_map(|store| cases.map(|case| (store, case)))
    {
        let mut bytes = fs::read(stores().join(store)).unwrap();
        let start = bytes.windows(from.len()).position(|window| window == from).unwrap();
        bytes[start..start + to.len()].copy_from_slice(to);
        fs::write(&path, bytes).unwrap();
        // The checksum is wrong as well, which this reader does not look at.
        let report = Checker::new().profile(Profile::Reference).check(&path).unwrap();
        let is_accepted = report.findings().iter().all(|finding| finding.severity != Severity::Error);
        assert_eq!(is_accepted, is_read, "{store}, {to:?}: {:?}", report.findings());
    }
}

#[test]
fn a_broken_member_of_a_store_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(stores().join("tree.b2z")).unwrap();
    let name = b"group/squares.b2nd";
    let start = bytes.windows(name.len()).position(|window| window == name).unwrap() + name.len();
    bytes[start + 12] ^= 0xFF;
    let report = Checker::new().check_slice(&bytes).unwrap();
    // python-blosc2 ignores the checksum, so the frame is judged as it is read.
    let found: Vec<_> = report.findings().iter().map(|finding| (finding.rule.id, finding.member.as_deref())).collect();
    assert_eq!(found, ["b2nd/header-length", "zip/crc"].map(|rule| (rule, Some("group/squares.b2nd"))));

    let store = folder.path().join("tree.b2d");
    copy_folder(&stores().join("tree.b2d"), &store);
    let squares = store.join("group/squares.b2nd");
    let whole = fs::read(&squares).unwrap();
    fs::write(&squares, &whole[..whole.len() - 9]).unwrap();
    let report = check(&store);
    assert_eq!(report.verdict(), Verdict::Error);
    assert!(report.findings().iter().all(|finding| finding.member.as_deref() == Some("group/squares.b2nd")));
    // A file with the name of a frame must be one.
    fs::write(&squares, b"not a frame at all").unwrap();
    assert_eq!(rules_of(&check(&store)), ["misnamed"]);
    assert_eq!(run_in(folder.path(), &["check", "tree.b2d"]).status, 1);
    // Other files are allowed.
    fs::remove_file(&squares).unwrap();
    fs::write(store.join("README.txt"), b"what this is").unwrap();
    assert_eq!(check(&store).verdict(), Verdict::Ok);
    assert_eq!(check(&store).parts().count(), MEMBERS.len() - 1);
}

#[test]
fn a_large_store_is_refused_within_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("embed.b2e"), b"").unwrap();
    for number in 0..3_000 {
        fs::write(folder.path().join(format!("{number}.txt")), b"").unwrap();
    }
    let little = Limits::default().memory(1 << 20);
    assert!(matches!(Archive::open(folder.path(), little), Err(Error::Limit { .. })));
    assert_eq!(rules_of(&Checker::new().limits(little).check(folder.path()).unwrap()), ["limit-exceeded"]);
    assert!(Archive::open(folder.path(), Limits::default()).unwrap().members().is_empty());
}

/// A store with an uncompressed array that is much larger than the memory limit.
fn large_store(folder: &Path) -> (PathBuf, Vec<u8>) {
    let array = ndarray::Array1::from_shape_fn(1 << 20, |place| (place as u32).wrapping_mul(2_654_435_761));
    let frame = Writer::new().chunks([1 << 12]).blocks([1 << 10]).to_vec(&array).unwrap();
    let embedded = fs::read(stores().join("tree.b2d/embed.b2e")).unwrap();
    let bytes = zip(&[Entry::new("large.b2nd", &frame, STORED), Entry::new("embed.b2e", &embedded, STORED)]);
    let store = folder.join("large.b2z");
    fs::write(&store, &bytes).unwrap();
    (store, bytes)
}

#[test]
fn stored_frames_are_read_in_place() {
    let folder = tempfile::tempdir().unwrap();
    let (store, bytes) = large_store(folder.path());
    let little = Limits::default().memory(64 << 10);
    let address = folder.path().join("large.b2z!large.b2nd");
    let array = || ndbytes::b2nd::Options::new().limits(little);
    let expected: Vec<u32> = (70_000..70_010_u32).map(|place| place.wrapping_mul(2_654_435_761)).collect();
    let (read, peak) = peak_of(|| array().open(&address).unwrap().slice::<u32>(ndarray::s![70_000..70_010]).unwrap());
    assert_eq!(read.iter().copied().collect::<Vec<u32>>(), expected);
    assert!(peak < 1 << 20, "{peak} bytes were allocated for a slice of {}", bytes.len());
    let mapped = array().mapped().open(&address).unwrap().slice::<u32>(ndarray::s![70_000..70_010]).unwrap();
    assert_eq!(mapped, read);
    let (report, peak) = peak_of(|| Checker::new().limits(little).depth(Depth::Structure).check(&store).unwrap());
    assert_eq!((report.verdict(), report.parts().count()), (Verdict::Ok, 2), "{:?}", report.findings());
    assert!(peak < 1 << 20, "{peak} bytes were allocated for the structure of {}", bytes.len());
    // The result from memory is the same.
    assert_eq!(Checker::new().check_slice(&bytes).unwrap(), check(&store));
}

#[test]
fn stored_frames_are_checked_against_crc_and_length() {
    let folder = tempfile::tempdir().unwrap();
    let (store, bytes) = large_store(folder.path());
    let rules = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut changed = bytes.clone();
        change(&mut changed);
        fs::write(&store, &changed).unwrap();
        let report = check(&store);
        assert_eq!(report, Checker::new().check_slice(&changed).unwrap());
        rules_of(&report)
    };
    let record = bytes.windows(4).position(|window| window == b"PK\x01\x02").unwrap();
    assert_eq!(rules(&|bytes| bytes[1 << 20] ^= 1), ["zip/crc"]);
    assert_eq!(rules(&|bytes| bytes[record + 24] ^= 1), ["zip/length", "zip/header-mismatch"]);
    let shorter = |bytes: &mut Vec<u8>| {
        let packed: &mut [u8; 4] = bytes[record + 20..].first_chunk_mut().unwrap();
        *packed = (u32::from_le_bytes(*packed) - 1).to_le_bytes();
    };
    assert_eq!(rules(&shorter), ["zip/length", "zip/header-mismatch", "zip/unclaimed-bytes"]);
    // The store is truncated while it is open.
    fs::write(&store, &bytes).unwrap();
    let archive = Archive::open(&store, Limits::default()).unwrap();
    let input = archive.load(&archive.members()[0]).unwrap();
    fs::OpenOptions::new().write(true).open(&store).unwrap().set_len(10_000).unwrap();
    let is_cut = |error: &Error| matches!(error, Error::Io { source, .. } if source.kind() == ErrorKind::UnexpectedEof);
    assert!(is_cut(&input.bytes().unwrap_err()));
    assert!(is_cut(&input.read_at(&mut [0; 10], 100_000).unwrap_err()));
    assert!(is_cut(&archive.load(&archive.members()[0]).unwrap_err()));
}

#[cfg(unix)]
#[test]
fn links_to_folders_are_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("tree.b2d");
    copy_folder(&stores().join("tree.b2d"), &store);
    std::os::unix::fs::symlink(&store, store.join("group/again")).unwrap();
    assert_eq!(check(&store).parts().count(), MEMBERS.len());
}

#[test]
fn arrays_in_any_archive_are_listed() {
    let idx = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3];
    let raw = fs::read(corpus::root().join("rawarray/ok/bf16.ra")).unwrap();
    let b2nd = fs::read(stores().join("tree.b2d/group/squares.b2nd")).unwrap();
    // This content begins like IDX, and has the right length.
    let chance = [&[0, 0, 8, 2][..], &[7; 100]].concat();
    for method in [STORED, DEFLATED] {
        let bytes = zip(&[
            Entry::new("train-labels", &idx, method),
            Entry::new("cut-idx1-ubyte", &idx[..10], method),
            Entry::new("weights.bin", &chance, method),
            Entry::new("notes.txt", b"no array", method),
            Entry::new("picture.ra", &raw, method),
            Entry::new("field", &b2nd, method),
        ]);
        let report = Checker::new().check_slice(&bytes).unwrap();
        let found: Vec<_> = report.parts().map(|part| (part.member.unwrap(), part.format, part.verdict())).collect();
        assert_eq!(
            found,
            [
                ("train-labels", Some(Format::Idx), Verdict::Ok),
                ("cut-idx1-ubyte", Some(Format::Idx), Verdict::Error),
                ("picture.ra", Some(Format::RawArray), Verdict::Ok),
                ("field", Some(Format::B2nd), Verdict::Ok),
            ]
        );
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("data.zip"), &bytes).unwrap();
        let labels = open(&folder.path().join("data.zip!train-labels")).unwrap();
        assert_eq!(*labels.bytes().unwrap(), [1, 2, 3]);
    }
}

/// An empty file next to another file is enough to make a directory look like a store.
#[test]
fn file_beside_an_object_does_not_silence_its_finding() {
    let folder = tempfile::tempdir().unwrap();
    let refused = ndbytes_testkit::frozen("b2nd/refused");
    let rules = |name: &str| {
        let report = check(folder.path().join(name));
        report.findings().iter().map(|finding| finding.rule.id).collect::<Vec<_>>()
    };
    let objects = [("lazyexpr.b2nd", "b2nd/other-object"), ("mk_tensor.b2nd", "b2nd/no-array")];
    for (name, _) in objects {
        fs::copy(refused.join(name), folder.path().join(name)).unwrap();
    }
    let before = objects.map(|(name, _)| rules(name));
    fs::write(folder.path().join("embed.b2e"), b"").unwrap();
    for ((name, rule), before) in objects.into_iter().zip(before) {
        assert_eq!(rules(name), before);
        assert!(before.contains(&rule), "{name}: {before:?}");
        assert!(matches!(open(&folder.path().join(name)), Err(Error::Invalid(finding)) if finding.rule.id == rule));
    }
    // In an archive, a frame need not be an array, but a member that looks like a frame must be one.
    let entries = objects.map(|(name, _)| Entry::deflated(name, &fs::read(refused.join(name)).unwrap()));
    let path = folder.path().join("x.zip");
    fs::write(&path, zip(&entries)).unwrap();
    let found: Vec<_> = check(&path).findings().iter().map(|it| (it.rule.id, it.member.clone().unwrap())).collect();
    assert_eq!(
        found.iter().map(|(rule, name)| (*rule, &**name)).collect::<Vec<_>>(),
        [("b2nd/other-object", "lazyexpr.b2nd")]
    );
}
