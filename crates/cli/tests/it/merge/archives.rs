//! Archives, such as `.npz`, are merged member by member.

use crate::support::tool::run_in;
use ndarray::arr1;
use ndbytes::archive::Archive;
use ndbytes::{Limits, Options, npy};
use ndbytes_testkit::zip::{Entry, STORED, zip};
use std::fs;
use std::path::Path;

/// An archive of arrays of small integers.
fn archive(members: &[(&str, &[i16])]) -> Vec<u8> {
    let files: Vec<_> =
        members.iter().map(|(name, items)| (*name, npy::Writer::new().to_vec(&arr1(items)).unwrap())).collect();
    zip(&files.iter().map(|(name, bytes)| Entry::new(name, bytes, STORED)).collect::<Vec<_>>())
}

/// The members of an archive, and their items.
fn members(path: &Path) -> Vec<(String, Vec<i16>)> {
    let archive = Archive::open(path, Limits::default()).unwrap();
    let member = |member: &ndbytes::archive::Member| {
        let array = Options::new().read(archive.load(member).unwrap()).unwrap().into_array().unwrap();
        (member.name().to_owned(), array.to_array_of::<i16, ndarray::Ix1>().unwrap().to_vec())
    };
    archive.members().iter().map(member).collect()
}

fn named(members: &[(&str, &[i16])]) -> Vec<(String, Vec<i16>)> {
    members.iter().map(|(name, items)| (name.to_string(), items.to_vec())).collect()
}

/// Three archives in a directory.
fn folder(base: &[(&str, &[i16])], ours: &[(&str, &[i16])], theirs: &[(&str, &[i16])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, members) in [("base", base), ("ours", ours), ("theirs", theirs)] {
        fs::write(folder.path().join(format!("{name}.npz")), archive(members)).unwrap();
    }
    folder
}

const MERGE: [&str; 6] = ["merge", "base.npz", "ours.npz", "theirs.npz", "--out", "out.npz"];

#[test]
fn members_that_one_changed_added_or_removed_are_taken() {
    let folder = folder(
        &[("a.npy", &[1, 2]), ("b.npy", &[3]), ("both.npy", &[1, 2, 3, 4]), ("gone.npy", &[9])],
        &[("a.npy", &[7, 2]), ("b.npy", &[3]), ("both.npy", &[5, 2, 3, 4]), ("new.npy", &[1]), ("gone.npy", &[9])],
        &[("a.npy", &[1, 2]), ("b.npy", &[4]), ("both.npy", &[1, 2, 3, 6]), ("other.npy", &[2])],
    );
    let ended = run_in(folder.path(), &MERGE);
    assert_eq!((ended.status, ended.stderr.as_str()), (0, ""));
    assert_eq!(ended.stdout, "out.npz: merged, changed items, rows or members: 3 from ours, 4 from theirs\n");
    let expected: &[(&str, &[i16])] =
        &[("a.npy", &[7, 2]), ("b.npy", &[4]), ("both.npy", &[5, 2, 3, 6]), ("new.npy", &[1]), ("other.npy", &[2])];
    assert_eq!(members(&folder.path().join("out.npz")), named(expected));
    assert_eq!(run_in(folder.path(), &["check", "--deny-warnings", "out.npz"]).status, 0);
}

#[test]
fn conflicts_name_the_member_and_nothing_is_written() {
    let folder = folder(
        &[("a.npy", &[1, 2]), ("c.npy", &[0]), ("d.npy", &[0])],
        &[("a.npy", &[3, 2]), ("b.npy", &[1]), ("d.npy", &[5])],
        &[("a.npy", &[4, 2]), ("b.npy", &[2]), ("c.npy", &[8])],
    );
    let ended = run_in(folder.path(), &MERGE);
    assert_eq!((ended.status, ended.stdout.as_str()), (1, ""));
    let said = "out.npz: 4 conflicts, nothing is written\n\
                \x20 member \"a.npy\": item [0]: 1 became 3 in ours, 4 in theirs\n\
                \x20 member \"b.npy\": both sides added it with different content\n\
                \x20 member \"d.npy\": ours changed it, and theirs removed it\n\
                \x20 member \"c.npy\": theirs changed it, and ours removed it\n\
                `--conflicts` decides them: `ours`, `theirs`, `base` or `ask`\n";
    assert_eq!(ended.stderr, said);
    assert!(!folder.path().join("out.npz").exists());
    let expected: &[(&str, &[i16])] = &[("a.npy", &[4, 2]), ("b.npy", &[2]), ("c.npy", &[8])];
    let decided = run_in(folder.path(), &[&MERGE[..], &["--conflicts", "theirs"]].concat());
    assert!(decided.stdout.ends_with(": 4 conflicts decided\n"), "{}", decided.stdout);
    assert_eq!(members(&folder.path().join("out.npz")), named(expected));
}

#[test]
fn an_archive_with_other_files_is_refused() {
    let folder = folder(&[("a.npy", &[1])], &[("a.npy", &[2])], &[("a.npy", &[3])]);
    let array = npy::Writer::new().to_vec(&arr1(&[1_i16])).unwrap();
    let bytes = zip(&[Entry::new("a.npy", &array, STORED), Entry::new("notes.txt", b"hello", STORED)]);
    fs::write(folder.path().join("ours.npz"), bytes).unwrap();
    let ended = run_in(folder.path(), &MERGE);
    assert_eq!(ended.status, 2);
    assert!(
        ended.stderr.contains("out.npz: the archive contains files other than arrays and tables"),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_member_is_an_array_in_one_version_and_a_table_in_another() {
    let folder = folder(&[("a", &[1])], &[("a", &[2])], &[("a", &[3])]);
    let table = fs::read(ndbytes_testkit::project().join("samples/trees.idv")).unwrap();
    fs::write(folder.path().join("theirs.npz"), zip(&[Entry::new("a", &table, STORED)])).unwrap();
    let ended = run_in(folder.path(), &MERGE);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("an array and a table cannot be merged"), "{}", ended.stderr);
}
