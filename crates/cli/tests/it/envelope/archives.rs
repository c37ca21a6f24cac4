//! The output of the tool about archives.

use crate::support::tool::{self, json_lines, run_in};
use ndbytes::archive::Archive;
use ndbytes::{Checker, GAP, Input, Limits, Verdict};
use ndbytes_testkit::archives::{
    LOADER_SCHEMA, MAP, SCHEMA, TRAIN_SCHEMA, address, check, explain, folder, model, rules_of, stream,
};
use ndbytes_testkit::zip::{Entry, zip};
use serde_json::Value;
use std::fs;

/// The address of an entry in `model.zip`, quoted for a shell.
fn address_of(entry: &str) -> String {
    format!("'model.zip!{}'", entry.replace('\\', "/"))
}

#[test]
fn the_tool_lists_streams() {
    let broken = zip(&[
        Entry::deflated(SCHEMA, &stream(b'a')),
        Entry::deflated("b\\Schema", &stream(b'b')).but(|entry| entry.crc ^= 1),
    ]);
    let folder = folder(&[("model.zip", &model()), ("broken.zip", &broken)]);
    let ended = run_in(folder.path(), &["info", "model.zip"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let last = ended.stdout.lines().last().unwrap();
    let words: Vec<_> = last.split_whitespace().collect();
    assert_eq!(words, ["IDV", "9", "rows,", "1", "column", "311", &address_of(MAP)]);
    assert_eq!(ended.stdout.lines().count(), 3 + 4, "{}", ended.stdout);

    let ended = run_in(folder.path(), &["info", "--json", "model.zip"]);
    let objects = json_lines(&ended.stdout);
    let paths: Vec<&str> = objects.iter().map(|object| object["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP].map(|name| format!("model.zip!{name}")));
    assert!(objects.iter().all(|object| object["format"] == "idv" && object["size"] == 311));
    // The address returns the same object.
    assert_eq!(json_lines(&run_in(folder.path(), &["info", "--json", paths[2]]).stdout), objects[2..3]);

    let ended = run_in(folder.path(), &["info", "--json", "broken.zip"]);
    assert_eq!(ended.status, 1);
    let objects = json_lines(&ended.stdout);
    assert_eq!((objects.len(), &objects[1]["finding"]["rule"]), (2, &Value::from("zip/crc")));
    let ended = run_in(folder.path(), &["info", "broken.zip"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stdout.contains("error[zip/crc]") && ended.stdout.contains("of the archive"), "{}", ended.stdout);
}

#[test]
fn the_tool_checks_streams() {
    let broken = zip(&[
        Entry::deflated(SCHEMA, &stream(b'a')),
        Entry::deflated("b\\Schema", &stream(b'b')).but(|entry| entry.crc ^= 1),
    ]);
    let text = zip(&[Entry::deflated("a.txt", b"text")]);
    let folder = folder(&[
        ("a.idv", &stream(b'a')),
        ("broken.zip", &broken),
        ("cut.zip", &broken[..300]),
        ("model.zip", &model()),
        ("text.zip", &text),
    ]);
    let ended = run_in(folder.path(), &["check", "--json", "--unknown", "error", "."]);
    assert_eq!(ended.status, 1);
    let found: Vec<(String, String, Option<String>)> = json_lines(&ended.stdout)
        .iter()
        .map(|object| {
            let rule = object["findings"][0]["rule"].as_str().map(str::to_owned);
            let path = object["path"].as_str().unwrap().trim_start_matches("./").trim_start_matches(".\\").to_owned();
            (path, object["verdict"].as_str().unwrap().to_owned(), rule)
        })
        .collect();
    let ok = |path: String| (path, "ok".to_owned(), None);
    let error = |path: &str, rule: &str| (path.to_owned(), "error".to_owned(), Some(rule.to_owned()));
    let mut expected = vec![
        ok("a.idv".into()),
        ok("broken.zip!Schema".into()),
        error("broken.zip!b\\Schema", "zip/crc"),
        error("cut.zip", "zip/bad-directory"),
    ];
    expected.extend([SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP].map(|name| ok(format!("model.zip!{name}"))));
    expected.push(error("text.zip", "unknown-format"));
    assert_eq!(found, expected);

    let ended = run_in(folder.path(), &["check", "model.zip"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "1 file with 4 members: 1 ok\n"));
    let ended = run_in(folder.path(), &["check", "broken.zip!b/Schema"]);
    assert_eq!(ended.status, 1);
    // The bytes of the archive are shown.
    assert!(
        ended.stdout.contains("error[zip/crc]") && ended.stdout.contains("^^^^^^^^^^^ expected"),
        "{}",
        ended.stdout
    );
    let ended = run_in(folder.path(), &["check", "--json", "broken.zip!b/Schema"]);
    assert_eq!(json_lines(&ended.stdout)[0]["findings"][0]["rule"], "zip/crc");
    assert_eq!(run_in(folder.path(), &["check", "model.zip!none"]).status, 2);
}

#[test]
fn the_tool_shows_bytes_of_a_stream() {
    let mut broken = stream(b'a');
    broken[303] = b'X';
    let folder = folder(&[("model.zip", &zip(&[Entry::deflated(SCHEMA, &broken)])), ("a.idv", &broken)]);
    let (entry, file) =
        (run_in(folder.path(), &["check", "model.zip!Schema"]), run_in(folder.path(), &["check", "a.idv"]));
    // A file can be repaired; an entry cannot.
    let findings = file.stdout.replace("to repair it, run: ndbytes fix a.idv --out DIRECTORY\n\n", "");
    assert_ne!(findings, file.stdout);
    assert_eq!(entry.stdout.replace("model.zip!Schema", "a.idv"), findings);
    assert!(file.stdout.contains("^^"), "{}", file.stdout);
    let (entry, file) =
        (run_in(folder.path(), &["explain", "model.zip!Schema"]), run_in(folder.path(), &["explain", "a.idv"]));
    assert_eq!(entry.stdout.replace("model.zip!Schema", "a.idv"), file.stdout);
}

#[test]
fn the_tool_asks_which_stream() {
    let folder = folder(&[("model.zip", &model())]);
    for arguments in [&["cat", "model.zip"][..], &["convert", "model.zip", "out.npy"]] {
        let ended = run_in(folder.path(), arguments);
        assert_eq!((ended.status, ended.stdout.as_str()), (2, ""), "{arguments:?}");
        let expected: Vec<String> =
            [SCHEMA, TRAIN_SCHEMA, LOADER_SCHEMA, MAP].iter().map(|name| format!("  {}", address_of(name))).collect();
        let lines: Vec<&str> = ended.stderr.lines().collect();
        assert_eq!(lines[0], "error: model.zip is an archive: name one of its members");
        assert_eq!(lines[1..], expected);
    }
    let ended = run_in(folder.path(), &["cat", "--json", &format!("model.zip!{MAP}")]);
    assert_eq!(ended.status, 0);
    assert!(ended.stdout.contains("\"rowCount\":9"), "{}", ended.stdout);
    let ended = run_in(folder.path(), &["explain", "--json", "model.zip!Schema"]);
    let object = &json_lines(&ended.stdout)[0];
    assert_eq!((&object["path"], &object["size"]), (&Value::from("model.zip!Schema"), &Value::from(311)));
    let ended = run_in(folder.path(), &["info", "model.zip!schema"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.starts_with("error: model.zip!schema: there is no entry \"schema\"\n  'model.zip!Schema'\n"));
}

#[test]
fn an_archive_is_judged_alike_from_a_path_a_slice_and_a_stream() {
    let mut broken = stream(b'b');
    broken.push(0);
    let archives = [
        model(),
        zip(&[Entry::deflated(SCHEMA, &stream(b'a')), Entry::deflated("b\\Schema", &broken)]),
        zip(&[Entry::deflated("a.txt", b"text")]),
        model()[..1000].to_vec(),
    ];
    for (bytes, verdict) in archives.iter().zip([Verdict::Ok, Verdict::Error, Verdict::Error, Verdict::Error]) {
        let folder = folder(&[("upload.bin", bytes)]);
        let report = check(&folder.path().join("upload.bin"));
        assert_eq!(report.verdict(), verdict);
        assert_eq!(report, ndbytes::check(folder.path().join("upload.bin"), &Limits::default()).unwrap());
        assert_eq!(report, Checker::new().check_slice(bytes).unwrap());
        assert_eq!(report, Checker::new().check_reader(&bytes[..]).unwrap());
        // The tool reports the same findings, under addresses.
        let from_file = json_lines(&run_in(folder.path(), &["check", "--json", "upload.bin"]).stdout);
        let ended = tool::run_with_input(&["check", "--json", "-"], bytes);
        assert_eq!(ended.status, i32::from(verdict == Verdict::Error));
        let from_pipe = json_lines(&ended.stdout);
        assert_eq!((from_file.len(), from_pipe.len()), (report.parts().count(), report.parts().count()));
        for ((part, file), mut pipe) in report.parts().zip(from_file).zip(from_pipe) {
            let name = part.member.map_or_else(String::new, |name| format!("!{name}"));
            assert_eq!(file["path"], format!("upload.bin{name}"));
            assert_eq!(pipe["path"], format!("-{name}"));
            assert_eq!(file["verdict"], part.verdict().to_string());
            assert_eq!(file["findings"].as_array().unwrap().len(), part.findings.len());
            pipe["path"] = file["path"].clone();
            assert_eq!(pipe, file);
        }
    }
}

#[test]
fn an_archive_in_a_pipe_is_refused_by_cat() {
    let ended = tool::run_with_input(&["cat", "-"], &model());
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    assert!(ended.stderr.starts_with("error: standard input is an archive: save it"), "{}", ended.stderr);
    let ended = tool::run_with_input(&["info", "-"], &model());
    assert_eq!((ended.status, ended.stdout.lines().count()), (0, 3 + 4), "{}", ended.stdout);
}

#[test]
fn explain_of_an_archive_reports_structure_and_members() {
    let mut broken = stream(b'b');
    broken.push(0);
    let bytes = zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')).but(|entry| entry.crc ^= 1),
        Entry::deflated("b\\Schema", &broken),
    ]);
    let bytes = [bytes, b"more".to_vec()].concat();
    let (report, _) = explain(&bytes, Limits::default());
    assert_eq!(report, Checker::new().check_slice(&bytes).unwrap());
    let rules = rules_of(&report);
    assert_eq!((rules[0], rules[rules.len() - 1]), ("zip/crc", "zip/trailing-bytes"));
    assert!(rules.iter().any(|rule| rule.starts_with("idv/")), "{rules:?}");

    let folder = folder(&[("a.zip", &bytes)]);
    let ended = run_in(folder.path(), &["explain", "a.zip"]);
    assert_eq!(ended.status, 1);
    for text in ["a.zip  zip archive", "a.zip!a\\Schema, crc32, bytes", " bytes not accounted for", "of the archive"] {
        assert!(ended.stdout.contains(text), "{text}: {}", ended.stdout);
    }
    let ended = run_in(folder.path(), &["explain", "--json", "a.zip"]);
    let object = &json_lines(&ended.stdout)[0];
    assert!(object["format"].is_null() && object["size"] == bytes.len());
    let mut own = object["spans"].as_array().unwrap().iter().filter(|span| span["space"] == 0);
    assert_eq!(own.next_back().unwrap()["path"], GAP);
    let ended = run_in(folder.path(), &["explain", "--html", "-", "a.zip"]);
    assert!(ended.stdout.contains("\"member\":\"a\\\\Schema\""), "{}", ended.stdout);
    let ended = tool::run_with_input(&["explain", "-"], &model());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.ends_with("every byte accounted for\n"));
}

#[test]
fn entry_names_are_never_paths() {
    let names: [&[u8]; 9] = [
        b"..\\..\\..\\..\\Schema",
        b"../../../../etc/Schema",
        b"/etc/Schema",
        b"C:\\Windows\\Schema",
        b"\x1b[31mred\n",
        "Gr\u{fc}n\u{301}".as_bytes(),
        b"Gr\xfcn",
        b"a!b",
        b" ",
    ];
    let entries: Vec<Entry> =
        names.iter().zip(b'a'..).map(|(name, column)| Entry::deflated(name, &stream(column))).collect();
    let folder = folder(&[("model.zip", &zip(&entries))]);
    let path = folder.path().join("model.zip");
    let archive = Archive::open(&path, Limits::default()).unwrap();
    assert_eq!(archive.members().len(), names.len());
    for ((found, name), column) in archive.members().iter().zip(names).zip(b'a'..) {
        let expected = str::from_utf8(name).map_or_else(|_| "Gr\u{fc}n".to_owned(), str::to_owned);
        assert_eq!(found.name(), expected);
        let input = Input::open(archive.address(found), Limits::default()).unwrap();
        assert_eq!(input.bytes().unwrap(), stream(column));
    }
    // Other programs may interpret these names as paths.
    let found = rules_of(&check(&path));
    assert!(found.iter().all(|rule| ["zip/unsafe-name", "zip/name-encoding"].contains(rule)), "{found:?}");
    assert_eq!(found.len(), 4 + 2);
    // Nothing was written, and nothing controls a terminal.
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    let ended = run_in(folder.path(), &["info", "model.zip"]);
    assert!(!ended.stdout.contains('\x1b') && ended.stdout.lines().count() == 3 + names.len(), "{}", ended.stdout);
    let ended = run_in(folder.path(), &["cat", "model.zip"]);
    assert!(!ended.stderr.contains('\x1b'), "{}", ended.stderr);
    // An empty name cannot be distinguished from a missing one, but can be requested.
    let nameless = zip(&[Entry::deflated("", &stream(b'z'))]);
    fs::write(&path, nameless).unwrap();
    assert_eq!(Input::open(address(&folder, "model.zip", ""), Limits::default()).unwrap().length(), 311);
}
