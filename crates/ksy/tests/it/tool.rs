//! The program `everybyte`, as people use it.

use std::path::Path;
use std::process::{Command, Output};

const SPEC: &str = "meta: {id: note, title: A note, license: CC0-1.0, endian: le}\nseq:\n  - {id: length, type: u2}\n  - {id: text, type: str, size: length, encoding: UTF-8}\n";

/// A folder with a specification and two files.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("note.ksy", SPEC.as_bytes()),
        ("a.note", b"\x02\x00hi"),
        ("b.note", b"\x05\x00hello"),
        ("cut.note", b"\x05\x00hi"),
    ] {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let program = Command::new(env!("CARGO_BIN_EXE_everybyte")).args(arguments).current_dir(folder).output();
    let Output { status, stdout, stderr } = program.unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

#[test]
fn explain_shows_each_byte() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["explain", "--spec", "note.ksy", "a.note"]);
    let wanted = "a.note  note  4 bytes\n\noffset    bytes  field   value\n00000000  02 00  length  2\n00000002  68 69  text    \"hi\"\n\nevery byte accounted for\n";
    assert_eq!((status, &*out), (0, wanted));
}

#[test]
fn check_names_both_places() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["check", "--spec", "note.ksy", "a.note", "cut.note"]);
    let wanted = "a.note: every byte accounted for\ncut.note: truncated: text, at byte 2: 5 bytes are needed; 2 are left (note.ksy:4:5)\n";
    assert_eq!((status, &*out), (1, wanted));
}

#[test]
fn diff_shows_what_differs_and_what_follows() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["diff", "--spec", "note.ksy", "a.note", "b.note"]);
    let wanted = "a.note → b.note  note  4 → 7 bytes\n\nstructure\n  text: hi → hello   (at 0x2)\n  not shown: 1 offset or length that only follows (--all)\n";
    assert_eq!((status, &*out), (1, wanted));
}

#[test]
fn git_is_answered_as_it_asks() {
    let folder = folder();
    let (status, out, _) = run(
        folder.path(),
        &["git-diff", "--spec", "note.ksy", "x.note", "a.note", "0", "100644", "b.note", "0", "100644"],
    );
    assert_eq!(status, 0);
    assert!(out.contains("text: hi → hello"), "{out}");
    let (status, out, _) = run(
        folder.path(),
        &["git-diff", "--spec", "note.ksy", "x.note", "/dev/null", ".", ".", "b.note", "0", "100644"],
    );
    assert_eq!((status, &*out), (0, "x.note  note  added: 7 bytes\n"));
}

#[test]
fn values_are_printed_one_on_a_line() {
    let folder = folder();
    let (status, out, err) =
        run(folder.path(), &["value", "--spec", "note.ksy", "b.note", "length + 1", "text.reverse"]);
    assert_eq!((status, &*out, &*err), (0, "6\n\"olleh\"\n", ""));
    let (status, _, err) = run(folder.path(), &["value", "--spec", "note.ksy", "b.note", "lenght"]);
    assert_eq!((status, &*err), (2, "error: lenght: `note` has no `lenght`; it has `length`\n"));
}

#[test]
fn specifications_are_listed_and_their_faults_named() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["spec", "note.ksy"]);
    assert_eq!((status, &*out), (0, "note.ksy: note, A note, CC0-1.0\n"));
    std::fs::write(folder.path().join("bad.ksy"), SPEC.replace("size: length", "size: lenght")).unwrap();
    let (status, _, err) = run(folder.path(), &["spec", "bad.ksy"]);
    assert_eq!((status, &*err), (2, "error: bad.ksy:4:33: `note` has no `lenght`; it has `length`\n"));
}

#[test]
fn the_field_reference_and_the_forge_are_those_of_every_format() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["schema", "--spec", "note.ksy"]);
    assert_eq!((status, &*out), (0, "note  \n  length  u16   (extent of text)\n  text    text\n\n"));
    let (status, out, err) = run(
        folder.path(),
        &["forge", "--spec", "note.ksy", "--count", "3", "--repair", "everything", "a.note", "made"],
    );
    assert_eq!((status, &*err), (0, ""));
    assert_eq!(out.lines().count(), 3);
}

#[test]
fn a_command_without_a_specification_says_what_is_missing() {
    let folder = folder();
    let (status, _, err) = run(folder.path(), &["check", "a.note"]);
    assert_eq!((status, &*err), (2, "error: `check` needs --spec FORMAT.ksy\n"));
    let (status, out, _) = run(folder.path(), &["--help"]);
    assert_eq!(
        (status, out.lines().next()),
        (0, Some("Explains, checks, compares and mutates files of any format that has a Kaitai Struct specification."))
    );
}

#[test]
fn spec_check_and_spec_rust_read_specifications() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["spec", "check", "note.ksy"]);
    assert_eq!((status, &*out), (0, "note.ksy: note, A note, CC0-1.0\n"));
    let (status, out, err) = run(folder.path(), &["spec", "rust", "note.ksy"]);
    assert_eq!((status, &*err), (0, ""));
    assert!(
        out.starts_with("// Made by `everybyte spec rust` from the specification `note`, A note, licence: CC0-1.0.\n")
    );
    assert!(out.contains("    #[br(count = length)]\n    pub text: everybyte::Text,\n"), "{out}");
    let (status, _, err) = run(folder.path(), &["spec", "rust"]);
    assert_eq!(status, 2, "{err}");
}

#[test]
fn spec_rust_prints_nothing_but_reasons_if_a_layout_cannot_say_it() {
    let folder = folder();
    let text = format!("{SPEC}instances:\n  a: {{pos: 0, type: u1}}\n  b: {{pos: 1, type: u1}}\n");
    std::fs::write(folder.path().join("note.ksy"), text).unwrap();
    let (status, out, err) = run(folder.path(), &["spec", "rust", "note.ksy"]);
    let wanted = "error: note.ksy:6:3: `a` is read elsewhere in the file\nerror: note.ksy:7:3: `b` is read elsewhere in the file\n";
    assert_eq!((status, &*out, &*err), (2, "", wanted));
}

#[test]
fn memory_and_time_of_a_file_are_bounded_if_that_is_asked_for() {
    let folder = folder();
    let check = |options: &[&str]| run(folder.path(), &[&["check", "--spec", "note.ksy", "a.note"], options].concat());
    for (option, enough, less, words) in [
        ("--max-memory", "1M", "100", "what is read of the file takes more than 100 bytes of memory"),
        ("--max-time", "3600", "0", "reading the file takes longer than the 0ns that are granted"),
    ] {
        assert_eq!(check(&[option, enough]).0, 0, "{option}");
        let (status, out, _) = check(&[option, less]);
        assert!(status == 1 && out.contains("limit: ") && out.contains(words), "{option}: {out}");
        for wrong in ["", "x", "-1", "1T2"] {
            let (status, _, err) = check(&[option, wrong]);
            assert!(
                status == 2 && err.starts_with(&format!("error: {option} takes a number")),
                "{option} {wrong}: {err}"
            );
        }
    }
}
