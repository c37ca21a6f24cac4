//! Seals that an attacker may have written.

use super::{run, samples, sealed};
use ndbytes::{Error, Limits};
use ndbytes_compare::seal::{HEAD, Seal, is_seal};
use std::fs;
use std::path::Path;

const DIGEST: &str = "af1349b9f5f9a1a6a0404dea36dcc949";

/// Returns the error for a seal with this text.
fn refusal(text: &[u8]) -> String {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x.seal");
    fs::write(&path, text).unwrap();
    match Seal::open(&path, Limits::default()) {
        Ok(_) => String::new(),
        Err(error @ Error::Seal { .. }) => error.to_string(),
        Err(error) => panic!("{error}"),
    }
}

/// The same, but for lines after the first one, in which `D` stands for a digest.
fn refusal_of(lines: &str) -> String {
    refusal(format!("{HEAD}{}", lines.replace('D', DIGEST)).as_bytes())
}

#[test]
fn seals_that_break_a_rule_are_refused_in_a_sentence() {
    let line = |line: u64, what: &str| format!("line {line} of the seal is not valid: {what}");
    let path = "a file needs a canonical path that stays in the directory of the seal";
    let number = "a length or an offset must be a number of at most 64 bits, without leading zeros";
    let cases = [
        ("file 0 D a\n", String::new()),
        ("file 3 D a\n  0 1 D x\n  1 2 D y z\n", String::new()),
        ("file 0 D a\r\n", String::new()),
        ("file 0 D ../a\n", line(2, path)),
        ("file 0 D /etc/passwd\n", line(2, path)),
        ("file 0 D a/../../b\n", line(2, path)),
        ("file 0 D %2E%2E/b\n", line(2, path)),
        ("file 0 D \n", line(2, path)),
        ("file 0 D\n", line(2, path)),
        ("file -1 D a\n", line(2, number)),
        ("file +1 D a\n", line(2, number)),
        ("file 01 D a\n", line(2, number)),
        ("file  D a\n", line(2, number)),
        ("file 18446744073709551616 D a\n", line(2, number)),
        ("file 0 Da a\n", line(2, "a digest must have 32 lower-case hexadecimal digits")),
        ("file 0 xyz a\n", line(2, "a digest must have 32 lower-case hexadecimal digits")),
        ("file 0 D a\nfile 0 D a\n", line(3, "the file a is listed twice")),
        ("file 0 D b\nfile 0 D a\n", line(3, "the file a is listed after b, but files must be sorted")),
        ("  0 1 D x\n", line(2, "a part precedes the first file")),
        ("file 1 D a\n", line(3, "the parts of the file before end at byte 0, but it has 1 bytes")),
        (
            "file 2 D a\n  0 1 D x\nfile 0 D b\n",
            line(4, "the parts of the file before end at byte 1, but it has 2 bytes"),
        ),
        ("file 2 D a\n  1 1 D x\n", line(3, "a part begins at byte 1, but the part before it ends at byte 0")),
        (
            "file 2 D a\n  0 2 D x\n  1 1 D y\n",
            line(4, "a part begins at byte 1, but the part before it ends at byte 2"),
        ),
        ("file 2 D a\n  0 3 D x\n", line(3, "a part ends at byte 3, but the file has 2")),
        ("file 2 D a\n  0 0 D x\n", line(3, "a part needs at least one byte")),
        ("file 2 D a\n  18446744073709551615 1 D x\n", line(3, "a part ends beyond the maximum file size")),
        ("file 2 D a\n  0 2 D \n", line(3, "a part needs a name")),
        ("file 2 D a\n  0 2 D\n", line(3, "a part needs a name")),
        ("comment\n", line(2, "a line must begin with `file`, or with two spaces")),
        ("\n", line(2, "a line must begin with `file`, or with two spaces")),
        ("file 0 D a", line(2, "the seal is truncated: the line does not end with a line feed")),
    ];
    for (lines, expected) in cases {
        assert_eq!(refusal_of(lines), expected, "{lines:?}");
    }
}

#[test]
fn seals_of_another_form_and_other_files_are_told_apart() {
    assert!(refusal(b"").ends_with("it must be `ndbytes seal 1`: this is not a seal"));
    assert!(refusal(b"\x93NUMPY").ends_with("this is not a seal"));
    let form = "line 1 of the seal is not valid: this version supports only form 1";
    assert_eq!(refusal(b"ndbytes seal 2\n"), form);
    assert_eq!(refusal(b"ndbytes seal 1 x\n"), form);
    assert!(is_seal(b"ndbytes seal 2\n") && !is_seal(b"ndbytes"));
    assert_eq!(refusal(HEAD.as_bytes()), "");
}

#[test]
fn lines_that_are_long_or_not_text_are_refused() {
    let long = [HEAD.as_bytes(), &vec![b'a'; 1 << 20]].concat();
    assert_eq!(refusal(&long), "line 2 of the seal is not valid: a line has more than 65536 bytes, the maximum");
    let other = [HEAD.as_bytes(), b"file 0 \xFF\n"].concat();
    assert_eq!(refusal(&other), "line 2 of the seal is not valid: it is not UTF-8");
}

#[test]
fn more_files_than_memory_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x.seal");
    let mut text = HEAD.to_owned();
    (0..10_000).for_each(|number| text += &format!("file 0 {DIGEST} {number:05}\n"));
    fs::write(&path, &text).unwrap();
    assert!(Seal::open(&path, Limits::default()).is_ok());
    let little = Seal::open(&path, Limits::default().memory(10_000));
    assert!(matches!(little, Err(Error::Limit { .. })), "{little:?}");
}

/// Whether a byte of a seal is replaced, cut off or doubled, there is an answer, and it never names a file outside the directory.
#[test]
fn any_damage_of_a_seal_ends_in_an_answer() {
    let place = samples(&["surface.ra", "trees.idv"]);
    sealed(&place);
    let data = place.path().join("data");
    let seal = fs::read(data.join("ndbytes.seal")).unwrap();
    let path = data.join("damaged.seal");
    let file = data.join("surface.ra");
    let answer = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        match Seal::open(&path, Limits::default()) {
            Ok(seal) => drop(seal.compare(&file).unwrap()),
            Err(error) => assert!(matches!(error, Error::Seal { .. }), "{error}"),
        }
    };
    for place in 0..seal.len() {
        answer(&seal[..place]);
        for byte in [0, b'\n', b' ', b'/', b'%', b'9', 0xFF] {
            let mut bytes = seal.clone();
            bytes[place] = byte;
            answer(&bytes);
        }
        answer(&[&seal[..place], &seal[place..place + 1], &seal[place..]].concat());
    }
}

#[test]
fn seal_that_contradicts_itself_is_told() {
    let place = samples(&["surface.ra"]);
    sealed(&place);
    let path = place.path().join("data/ndbytes.seal");
    let text = fs::read_to_string(&path).unwrap();
    let digest = text.lines().nth(1).unwrap().split(' ').nth(2).unwrap().to_owned();
    fs::write(&path, text.replace(&digest, DIGEST)).unwrap();
    let ended = run(&place, "check --sealed data");
    assert_eq!(ended.status, 1);
    let said = "the digest of the file differs from that in its seal, but the digests of its parts do not";
    assert!(ended.stdout.contains(said), "{}", ended.stdout);
}

#[test]
fn seals_that_cannot_be_read_end_with_two() {
    let place = samples(&["surface.ra"]);
    for (words, said) in [
        ("check --sealed data", "error: the seal data/ndbytes.seal does not exist: `ndbytes seal` writes it\n"),
        ("check --sealed=data/surface.ra data", "this is not a seal\n"),
        ("check --sealed data data", "error: name the seal of several paths: `--sealed=FILE`\n"),
        ("check --sealed -", "error: standard input has no seal\n"),
    ] {
        let ended = run(&place, words);
        assert_eq!((ended.status, &*ended.stdout), (2, ""), "{words}");
        assert!(ended.stderr.ends_with(said), "{words}: {}", ended.stderr);
    }
}

#[test]
fn files_that_are_no_seals_are_never_replaced() {
    let place = samples(&["surface.ra", "trees.idv"]);
    let data = place.path().join("data");
    fs::write(data.join("notes"), b"mine").unwrap();
    for out in ["data/notes", "data/trees.idv"] {
        let before = fs::read(place.path().join(out)).unwrap();
        let ended = run(&place, &format!("seal --out {out} data/surface.ra"));
        assert_eq!(ended.status, 2);
        assert_eq!(ended.stderr, format!("error: {out} exists and is not a seal, so it is not replaced\n"));
        assert_eq!(fs::read(place.path().join(out)).unwrap(), before);
    }
    // A seal, however, is replaced.
    sealed(&place);
    sealed(&place);
    assert!(names(&data).iter().all(|name| !name.contains("tmp")), "{:?}", names(&data));
}

#[test]
fn paths_outside_of_the_folder_of_a_seal_are_refused() {
    let place = samples(&["surface.ra"]);
    fs::create_dir(place.path().join("other")).unwrap();
    let ended = run(&place, "seal --out other/x.seal data");
    assert_eq!((ended.status, &*ended.stdout), (2, ""));
    assert_eq!(ended.stderr, "error: data is outside the directory of the seal other/x.seal\n");
    let ended = run(&place, "seal --out x.seal data data/surface.ra");
    let said = "error: data/surface.ra would be sealed twice: it is inside data, which is also named\n";
    assert_eq!((ended.status, &*ended.stderr), (2, said));
    for (words, said) in [
        ("seal -", "error: standard input cannot be sealed: a seal states the paths of files\n"),
        ("seal data other", "error: name the seal of several paths: `--out SEAL`\n"),
        ("seal --out - data", "error: a seal cannot be written to standard output: name a file\n"),
        ("seal other", "error: other/ndbytes.seal is not written: found no file in a known format\n"),
    ] {
        let ended = run(&place, words);
        assert_eq!((ended.status, &*ended.stdout, &*ended.stderr), (2, "", said), "{words}");
    }
    assert_eq!(names(place.path()), ["data", "other"]);
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
