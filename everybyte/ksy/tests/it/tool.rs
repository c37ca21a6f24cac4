//! The program `everybyte`, as users run it.

use std::path::Path;
use std::process::{Command, Output};

const SPEC: &str = "meta: {id: note, title: A note, license: CC0-1.0, endian: le}\nseq:\n  - {id: length, type: u2}\n  - {id: text, type: str, size: length, encoding: UTF-8}\n";

/// Creates a folder with a specification and two files.
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
    let wanted = "a.note → b.note  note  4 → 7 bytes\n\nstructure\n  text: hi → hello   (at 0x2)\n  not shown: 1 offset or length that only follows from other changes (--all)\n";
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
    assert_eq!((status, &*err), (2, "error: lenght: `note` has no `lenght`; did you mean `length`?\n"));
}

#[test]
fn specifications_are_listed_and_their_faults_named() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["spec", "note.ksy"]);
    assert_eq!((status, &*out), (0, "note.ksy: note, A note, CC0-1.0\n"));
    std::fs::write(folder.path().join("bad.ksy"), SPEC.replace("size: length", "size: lenght")).unwrap();
    let (status, _, err) = run(folder.path(), &["spec", "bad.ksy"]);
    assert_eq!((status, &*err), (2, "error: bad.ksy:4:33: `note` has no `lenght`; did you mean `length`?\n"));
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
        (
            0,
            Some(
                "Explain, check, compare, edit and mutate files of any format that has a Kaitai Struct specification."
            )
        )
    );
}

#[test]
fn spec_check_and_spec_rust_read_specifications() {
    let folder = folder();
    let (status, out, _) = run(folder.path(), &["spec", "check", "note.ksy"]);
    assert_eq!((status, &*out), (0, "note.ksy: note, A note, CC0-1.0\n"));
    let (status, out, err) = run(folder.path(), &["spec", "rust", "note.ksy"]);
    assert_eq!((status, &*err), (0, ""));
    assert!(out.starts_with(
        "// Generated by `everybyte spec rust` from the specification `note`, A note, licence: CC0-1.0.\n"
    ));
    assert!(out.contains("    #[br(count = length)]\n    pub text: everybyte::text::Text,\n"), "{out}");
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
    for (option, enough, less) in [("--max-memory", "1M", "100"), ("--max-time", "3600", "0")] {
        assert_eq!(check(&[option, enough]).0, 0, "{option}");
        let (status, out, err) = check(&[option, less]);
        match option {
            "--max-memory" => {
                let words = "reading the file takes more than 100 bytes of memory";
                assert!(status == 1 && out.contains("limit: ") && out.contains(words), "{out}");
            }
            _ => assert!(status == 2 && err.contains(OVER), "{err}"),
        }
        for wrong in ["", "x", "-1", "1T2"] {
            let (status, _, err) = check(&[option, wrong]);
            assert!(
                status == 2 && err.starts_with(&format!("error: {option} takes a number")),
                "{option} {wrong}: {err}"
            );
        }
    }
}

/// The message for an exceeded time limit.
const OVER: &str = "error: the command takes longer than the time limit of 0ns";

#[test]
fn time_that_is_over_ends_each_command() {
    let folder = folder();
    for arguments in [
        &["explain", "--spec", "note.ksy", "a.note"][..],
        &["explain", "--html=-", "--spec", "note.ksy", "a.note"],
        &["check", "--spec", "note.ksy", "a.note"],
        &["diff", "--spec", "note.ksy", "a.note", "a.note"],
        &["value", "--spec", "note.ksy", "a.note", "1"],
        &["forge", "--spec", "note.ksy", "a.note", "mutants"],
        &["spec", "check", "note.ksy"],
        &["spec", "rust", "note.ksy"],
    ] {
        let (status, out, err) = run(folder.path(), &[arguments, &["--max-time", "0"]].concat());
        assert!(status == 2 && out.is_empty() && err.starts_with(OVER), "{arguments:?}: {status}, {out}, {err}");
    }
    assert!(!folder.path().join("mutants").exists());
}

/// Standard input whose other end stays open, but writes nothing.
#[cfg(target_os = "linux")]
#[test]
fn input_that_does_not_come_is_waited_for_no_longer_than_the_time() {
    use std::process::{Command, Stdio};
    let folder = folder();
    for arguments in
        [&["check", "--spec", "note.ksy", "/dev/stdin"][..], &["diff", "--spec", "note.ksy", "a.note", "/dev/stdin"]]
    {
        let mut asked = Command::new(env!("CARGO_BIN_EXE_everybyte"));
        asked.args(arguments).args(["--max-time", "0.05"]).current_dir(folder.path());
        let mut child = asked.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let held = child.stdin.take();
        let ended = child.wait_with_output().unwrap();
        drop(held);
        let err = String::from_utf8_lossy(&ended.stderr);
        assert!(
            ended.status.code() == Some(2) && err.contains("takes longer than the time limit of 50ms"),
            "{arguments:?}: {err}"
        );
    }
}

#[test]
fn set_and_fix_make_the_length_the_sum_and_the_code_of_a_specification_follow() {
    let folder = folder();
    let spec = "meta: {id: sum, endian: be}\nseq:\n  - {id: kind, type: u1, enum: kinds}\n  - {id: length, type: u2}\n  - {id: text, type: str, size: length - 2, encoding: UTF-8}\n  - {id: sum, type: u4, -check: crc32(text)}\nenums:\n  kinds: {1: rose, 2: tulip}\n";
    std::fs::write(folder.path().join("sum.ksy"), spec).unwrap();
    let whole = b"\x01\x00\x04hi\xd8\x93\x2a\xac";
    std::fs::write(folder.path().join("a"), whole).unwrap();
    std::fs::write(folder.path().join("b"), b"\x01\x00\x04hi\0\0\0\0").unwrap();
    let run = |arguments: &[&str]| run(folder.path(), &[&["--spec", "sum.ksy"], arguments].concat());
    let (status, out, err) = run(&["set", "a", "text=hi!", "kind=tulip", "--out", "made"]);
    assert_eq!((status, &*out, &*err), (0, "made: every byte accounted for\n", ""));
    assert_eq!(std::fs::read(folder.path().join("made")).unwrap(), b"\x02\x00\x05hi!\x41\xd3\x83\x3a");
    assert_eq!(run(&["fix", "b", "--out", "fixed"]).0, 0);
    assert_eq!(std::fs::read(folder.path().join("fixed")).unwrap(), whole);
    for (value, message) in [
        (
            "kind=lily",
            "error: a: `kind` takes a number, such as 12 or 0xff, or one of rose, tulip; `lily` is not one\n",
        ),
        ("kind=256", "error: a: `kind` has no room for 256: it takes 0 to 255\n"),
        ("kind=-1", "error: a: `kind` has no room for -1: it takes 0 to 255\n"),
        ("kinds=1", "error: a: the file has no field `kinds`; `explain` lists its fields\n"),
    ] {
        assert_eq!(run(&["set", "a", value, "--out", "none"]), (2, String::new(), message.to_owned()));
    }
    let (status, _, err) = run(&["set", "a", "length=3", "--out", "none"]);
    assert!(status == 2 && err.starts_with("error: a: "), "{err}");
    assert!(run(&["set", "a", "kind=2", "--out", "made"]).2.starts_with("error: made: "));
    assert!(!folder.path().join("none").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_disk_that_is_full_gets_nothing_of_an_edited_file() {
    let folder = folder();
    let names = || {
        let names = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect::<std::collections::BTreeSet<String>>()
    };
    let before = names();
    // This shell limits files to 1 KiB, as if the disk were full.
    let limited = |signal: &str, letters: usize| {
        let text = format!("text={}", "b".repeat(letters));
        let mut command = Command::new("bash");
        command.args([
            "-c",
            &format!("ulimit -f 1; exec env --{signal}-signal=XFSZ \"$0\" \"$@\""),
            env!("CARGO_BIN_EXE_everybyte"),
        ]);
        command.args(["set", "--spec", "note.ksy", "a.note", &text, "--out", "made"]).current_dir(folder.path());
        command.output().unwrap()
    };
    let full = limited("ignore", 2000);
    let said = String::from_utf8(full.stderr).unwrap();
    assert!(full.status.code() == Some(2) && said.starts_with("error: made: ") && said.lines().count() == 1, "{said}");
    assert_eq!(names(), before);
    // A killed process leaves no file with that name, and its leftovers do not get in the way.
    assert_eq!(limited("default", 2000).status.code(), None);
    assert!(!names().contains("made"));
    assert_eq!(limited("ignore", 20).status.code(), Some(0));
    assert_eq!(std::fs::read(folder.path().join("made")).unwrap().len(), 22);
}
