//! The command `ndbytes diff`: arguments, exit status and output.

use crate::support::tool::{self, Ended};
use ndbytes_testkit::zip::{Entry, zip};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A directory with IDX files: `a` and `same`, `b` with one different item, `rows` with an additional row.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let idx = |dims: [u32; 2], items: &[u8]| {
        [&[0, 0, 8, 2][..], &dims[0].to_be_bytes(), &dims[1].to_be_bytes(), items].concat()
    };
    let a = idx([2, 3], &[1, 2, 3, 4, 5, 6]);
    for (name, bytes) in [
        ("a", a.clone()),
        ("same", a.clone()),
        ("b", idx([2, 3], &[1, 2, 3, 4, 5, 9])),
        ("rows", idx([3, 3], &[1, 2, 3, 7, 7, 7, 4, 5, 6])),
        ("cut", a[..a.len() - 1].to_vec()),
    ] {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    tool::run_in(folder, &[&["diff"], arguments].concat())
}

fn json(ended: &Ended) -> Value {
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{error}: {}", ended.stdout))
}

#[test]
fn the_exit_status_says_whether_the_files_are_equal() {
    let folder = folder();
    let status = |arguments: &[&str]| run(folder.path(), arguments).status;
    assert_eq!(status(&["a", "same"]), 0);
    assert_eq!(status(&["a", "b"]), 1);
    assert_eq!(status(&["--exit-zero", "a", "b"]), 0);
    // Different values do not make the structure different.
    assert_eq!(status(&["--structure-only", "a", "b"]), 0);
    assert_eq!(status(&["--structure-only", "a", "rows"]), 1);
    assert_eq!(status(&["--atol", "3", "a", "b"]), 0);
    assert_eq!(status(&["--atol", "2", "a", "b"]), 1);
    assert_eq!(status(&["a", "nothing"]), 2);
    assert_eq!(status(&["--exit-zero", "a", "nothing"]), 2);
    assert_eq!(status(&["--atol", "-1", "a", "b"]), 2);
    assert_eq!(status(&["a"]), 2);
}

#[test]
fn values_that_are_equal_in_another_encoding_are_equal_if_only_values_count() {
    let folder = folder();
    let wide =
        [&[0, 0, 11, 2, 0, 0, 0, 2, 0, 0, 0, 3][..], &[1, 2, 3, 4, 5, 6].map(|item| [0, item]).concat()].concat();
    fs::write(folder.path().join("wide"), wide).unwrap();
    let other_type = run(folder.path(), &["--values-only", "a", "wide"]);
    assert_eq!(other_type.status, 1);
    assert!(other_type.stdout.contains("\ntype differs, values equal\n"), "{}", other_type.stdout);
    let npy = folder.path().join("a.npy");
    assert_eq!(tool::run_in(folder.path(), &["convert", "a", "a.npy"]).status, 0, "{}", npy.display());
    assert_eq!(run(folder.path(), &["a", "a.npy"]).status, 1);
    assert_eq!(run(folder.path(), &["--values-only", "a", "a.npy"]).status, 0);
}

#[test]
fn the_text_says_what_differs_and_where() {
    let folder = folder();
    let ended = run(folder.path(), &["a", "b"]);
    assert_eq!(ended.stdout, "a → b  IDX  18 → 18 bytes\nvalues differ: 1 of 6\n\n  [1, 2]  6 → 9   at byte 0x11\n");
    let ended = run(folder.path(), &["--values-only", "a", "rows"]);
    let expected = "a → rows  IDX  18 → 21 bytes\n\
                    values differ: rows 2 → 3: 1 inserted, 0 deleted, 0 changed\n\n  + row 1: [7, 7, 7]\n";
    assert_eq!(ended.stdout, expected);
}

#[test]
fn the_json_has_the_keys_that_are_documented() {
    let folder = folder();
    let object = json(&run(folder.path(), &["--json", "a", "b"]));
    assert_eq!(object["a"], json!({"path": "a", "format": "idx", "gzip": false, "size": 18}));
    assert_eq!((&object["verdict"], &object["first_byte"]), (&json!("values differ"), &json!(17)));
    assert_eq!(object["values"]["first"][0]["index"], json!([1, 2]));
    let largest = &object["values"]["largest"]["absolute"];
    assert_eq!(*largest, json!({"index": [1, 2], "a": 6, "b": 9, "difference": 3}));
    assert_eq!(object["counts"]["values"], json!(1));
    let missing = json(&run(folder.path(), &["--json", "/dev/null", "b"]));
    assert_eq!((&missing["a"], &missing["verdict"]), (&Value::Null, &json!("one-sided")));
}

#[test]
fn a_new_finding_can_be_denied() {
    let folder = folder();
    let bytes = fs::read(folder.path().join("a")).unwrap();
    fs::write(folder.path().join("trailing"), [&bytes[..], &[0]].concat()).unwrap();
    let ended = run(folder.path(), &["--values-only", "a", "trailing"]);
    assert!(ended.stdout.contains("\nfindings\n  + error idx/trailing-bytes"), "{}", ended.stdout);
    assert_eq!(ended.status, 0);
    assert_eq!(run(folder.path(), &["--values-only", "--deny-new", "a", "trailing"]).status, 1);
    assert_eq!(run(folder.path(), &["--values-only", "--deny-new", "trailing", "a"]).status, 0);
}

#[test]
fn git_calls_the_driver_with_its_own_arguments() {
    let folder = folder();
    let hash = "0".repeat(40);
    let arguments = ["data/x-idx2-ubyte", "a", &hash, "100644", "b", &hash, "100644"];
    let ended = run(folder.path(), &[&["--git-driver"], &arguments[..]].concat());
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(ended.stdout.starts_with("data/x-idx2-ubyte → data/x-idx2-ubyte  IDX"), "{}", ended.stdout);
    let renamed =
        run(folder.path(), &[&["--git-driver"], &arguments[..], &["data/y", "similarity index 90%"]].concat());
    assert!(renamed.stdout.starts_with("data/x-idx2-ubyte → data/y  IDX"), "{}", renamed.stdout);
    let added = ["data/x", "/dev/null", ".", ".", "b", &hash, "100644"];
    let added = run(folder.path(), &[&["--git-driver"], &added[..]].concat());
    assert!(added.stdout.starts_with("no file → data/x  IDX  18 bytes\nadded\n"), "{}", added.stdout);
    let unmerged = run(folder.path(), &["--git-driver", "data/x"]);
    assert_eq!((unmerged.status, unmerged.stdout.as_str()), (0, "data/x: unmerged\n"));
    // A difftool gets two paths.
    let tool = run(folder.path(), &["--git-driver", "a", "b"]);
    assert_eq!(tool.status, 0, "{}", tool.stderr);
    assert!(tool.stdout.starts_with("a → b  IDX"), "{}", tool.stdout);
    assert_eq!(run(folder.path(), &["--git-driver", "a", "b", "b"]).status, 2);
}

#[test]
fn a_hostile_name_does_not_reach_the_terminal() {
    let folder = folder();
    let name = "a\u{1b}[2J\u{202e}gpj";
    fs::copy(folder.path().join("b"), folder.path().join(name)).unwrap();
    let ended = tool::run_in(folder.path(), &["diff", "a", name]);
    assert_eq!(ended.status, 1);
    assert!(!ended.stdout.contains(['\u{1b}', '\u{202e}']), "{:?}", ended.stdout);
}

#[test]
fn members_of_archives_are_compared_by_name() {
    let folder = folder();
    let write = |name: &str, members: &[(&str, &str)]| {
        let entry =
            |(member, file): &(&str, &str)| Entry::deflated(member, &fs::read(folder.path().join(file)).unwrap());
        fs::write(folder.path().join(name), zip(&members.iter().map(entry).collect::<Vec<_>>())).unwrap();
    };
    write("one.zip", &[("x", "a"), ("y", "a"), ("gone", "a")]);
    write("other.zip", &[("new", "a"), ("y", "b"), ("x", "a")]);
    let ended = run(folder.path(), &["--values-only", "one.zip", "other.zip"]);
    assert_eq!(ended.status, 1);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines[1], "values differ: members: 1 identical, 1 renamed, 1 different");
    let expected =
        ["members", "  new: renamed, from gone", "  y: values differ: 1 of 6", "    [1, 2]  6 → 9   at byte 0x11"];
    assert_eq!(lines[lines.len() - 4..], expected);
    // Members with different values have not been renamed.
    write("third.zip", &[("new", "b"), ("y", "b"), ("x", "a")]);
    let ended = run(folder.path(), &["--values-only", "one.zip", "third.zip"]);
    assert_eq!(ended.status, 1);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines[1], "values differ: members: 1 identical, 1 different, 1 added, 1 removed");
    let expected = [
        "members",
        "  y: values differ: 1 of 6",
        "    [1, 2]  6 → 9   at byte 0x11",
        "  gone: removed",
        "  new: added",
    ];
    assert_eq!(lines[lines.len() - 5..], expected);
    assert_eq!(run(folder.path(), &["one.zip!x", "other.zip!x"]).status, 0);
}

#[test]
fn standard_input_is_one_of_the_two_files_at_most() {
    let folder = folder();
    let ended = run(folder.path(), &["-", "-"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    assert_eq!(ended.stderr, "error: standard input can be read only once: one of the two files at most can be `-`\n");
}

#[test]
fn no_file_and_no_file_are_identical() {
    let folder = folder();
    let ended = run(folder.path(), &["/dev/null", "/dev/null"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (0, "no file → no file\nidentical\n"));
}

/// Two IDX files with 40 × 50 numbers, which differ inside a box, by amounts that depend on the position, and in one more number.
fn fields() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = |changed: bool| {
        let number = |place: usize| {
            let (row, column) = (place / 50, place % 50);
            let is_in_box = (20..26).contains(&row) && (30..38).contains(&column) || (row, column) == (2, 3);
            place as f32 + if changed && is_in_box { (row + column) as f32 } else { 0.0 }
        };
        let items = (0..2000).flat_map(|place| number(place).to_be_bytes());
        [0, 0, 13, 2, 0, 0, 0, 40, 0, 0, 0, 50].into_iter().chain(items).collect::<Vec<u8>>()
    };
    fs::write(folder.path().join("old"), file(false)).unwrap();
    fs::write(folder.path().join("new"), file(true)).unwrap();
    folder
}

#[test]
fn the_text_names_the_boxes_of_differences_that_are_not_all_listed() {
    let folder = fields();
    let text = run(folder.path(), &["old", "new"]).stdout;
    assert!(text.contains("\n  all differences lie in [2, 3] and [20:26, 30:38]\n"), "{text}");
    let near = run(folder.path(), &["--atol", "5", "old", "new"]).stdout;
    assert!(near.contains("\n  all differences beyond the tolerance lie in [20:26, 30:38]\n"), "{near}");
    let all = run(folder.path(), &["--all", "old", "new"]).stdout;
    assert!(!all.contains("all differences"), "{all}");
    let object = json(&run(folder.path(), &["--json", "old", "new"]));
    assert_eq!(object["values"]["regions"], json!([[[2, 3], [3, 4]], [[20, 26], [30, 38]]]));
}

#[test]
fn the_largest_differences_are_listed_first_if_that_is_asked_for() {
    let folder = fields();
    let object = json(&run(folder.path(), &["--json", "--sort", "abs", "--most", "3", "old", "new"]));
    let first: Vec<&Value> = object["values"]["first"].as_array().unwrap().iter().collect();
    let places: Vec<Value> = first.iter().map(|item| json!([item["index"], item["distance"]["absolute"]])).collect();
    assert_eq!(places, [json!([[25, 37], 62.0]), json!([[24, 37], 61.0]), json!([[25, 36], 61.0])]);
}

#[test]
fn slices_are_compared_by_their_values() {
    const ONLY_VALUES: &str = "a slice or a file in a format without rules has only values";
    let folder = fields();
    let ended = run(folder.path(), &["--most", "1", "old[20:, 30:]", "new[20:, 30:]"]);
    assert_eq!(ended.status, 1);
    let expected = "old[20:, 30:] → new[20:, 30:]  IDX  8,012 → 8,012 bytes\nvalues differ: 48 of 400\n\n  \
        [0, 0]  1030.0 → 1080.0   |Δ| 50, 409,600 ulp\n  … 47 differences more\n";
    assert!(ended.stdout.starts_with(expected), "{}", ended.stdout);
    assert_eq!(run(folder.path(), &["old[:2]", "new[:2]"]).status, 0);
    // A whole array and a reversed slice.
    assert_eq!(run(folder.path(), &["old", "old[::-1][:]"]).status, 2);
    assert_eq!(run(folder.path(), &["old", "old[::1]"]).status, 0);
    assert_eq!(run(folder.path(), &["old", "old[::-1]"]).status, 1);
    for (arguments, reason) in [
        (&["old[40]", "new"][..], "axis 0 has 40 items, so item 40 does not exist"),
        (&["--html", "p.html", "old[:2]", "new[:2]"], ONLY_VALUES),
        (&["--structure-only", "old[:2]", "new[:2]"], ONLY_VALUES),
        (&["--max-memory", "2K", "old[:]", "new[:]"], "the slice has 8,000 bytes, but at most 1,024 bytes are allowed"),
    ] {
        let ended = run(folder.path(), arguments);
        assert!(ended.status > 0 && ended.stderr.contains(reason), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn a_picture_of_the_difference_is_written_where_it_is_asked_for() {
    let folder = fields();
    for (name, head) in [("d.png", &b"\x89PNG"[..]), ("d.svg", b"<svg ")] {
        let ended = run(folder.path(), &["--picture", name, "old", "new"]);
        assert!(
            ended.status == 1 && ended.stderr.ends_with(&format!("wrote the picture {name}\n")),
            "{}",
            ended.stderr
        );
        assert!(fs::read(folder.path().join(name)).unwrap().starts_with(head));
    }
    let svg = fs::read_to_string(folder.path().join("d.svg")).unwrap();
    assert!(svg.contains("A: old  B: new  values differ: 49 of 2,000"), "{svg}");
    let page = run(folder.path(), &["--html", "-", "old", "new"]).stdout;
    assert!(page.contains("\"picture\":{\"svg\":\"\\u003csvg "), "the page begins with the drawing");
    fs::copy(folder.path().join("old"), folder.path().join("taken.png")).unwrap();
    let refused = run(folder.path(), &["--picture", "taken.png", "old", "new"]);
    assert!(refused.status == 2 && refused.stderr.contains("`--force` replaces it"), "{}", refused.stderr);
    let shapes = run(folder.path(), &["--picture", "x.png", "old", "new[:3]"]);
    assert!(shapes.status > 0 && shapes.stderr.contains("arrays with different shapes"), "{}", shapes.stderr);
    assert!(!folder.path().join("x.png").exists());
}

/// The members come from two training runs of a model. Its weights, and the version that wrote it, are in unknown formats.
#[test]
fn members_of_no_known_format_are_compared_by_their_bytes() {
    let folder = folder();
    let table = fs::read(folder.path().join("a")).unwrap();
    let write = |name: &str, version: &str, weights: &[u8], loader: &str| {
        let members =
            [("Schema", &table[..]), ("Version.txt", version.as_bytes()), ("Model.key", weights), (loader, b"x")];
        let entries: Vec<_> = members.iter().map(|(name, bytes)| Entry::new(name, bytes, 0)).collect();
        fs::write(folder.path().join(name), zip(&entries)).unwrap();
    };
    write("one.zip", "3.0.1\n", &[7; 100], "Transform_000");
    write("other.zip", "4.0.2\n", &[&[7; 49][..], &[8; 60]].concat(), "Transform_001");
    write("again.zip", "3.0.1\n", &[7; 100], "Transform_000");
    let ended = run(folder.path(), &["--values-only", "one.zip", "other.zip"]);
    assert_eq!(ended.status, 1);
    for line in [
        "values differ: members: 1 identical, 2 different, 1 added, 1 removed",
        "  Model.key: 100 → 109 bytes, which differ from 0x31 on",
        "  Transform_000: removed",
        "  Transform_001: added",
        "  Version.txt: \"3.0.1\" → \"4.0.2\"",
    ] {
        assert!(ended.stdout.lines().any(|found| found == line), "{line}\n{}", ended.stdout);
    }
    let members = json(&run(folder.path(), &["--json", "one.zip", "other.zip"]))["members"].clone();
    assert_eq!(members.as_array().unwrap().len(), 4);
    assert_eq!(run(folder.path(), &["one.zip", "again.zip"]).status, 0);
}

#[test]
fn archives_without_an_array_are_equal_if_their_members_are() {
    let folder = folder();
    let write = |name: &str, text: &str, comment: u16| {
        let entries = [Entry::new("notes.txt", text.as_bytes(), comment)];
        fs::write(folder.path().join(name), zip(&entries)).unwrap();
    };
    write("one.zip", "notes", 0);
    write("packed.zip", "notes", 8);
    write("other.zip", "other", 0);
    assert_eq!(run(folder.path(), &["--values-only", "one.zip", "packed.zip"]).status, 0);
    let ended = run(folder.path(), &["one.zip", "other.zip"]);
    assert!(ended.status == 1 && ended.stdout.contains("notes.txt: \"notes\" → \"other\""), "{}", ended.stdout);
}
