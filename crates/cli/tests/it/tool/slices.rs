//! Slices in NumPy's syntax at the end of a path.

use crate::support::tool::{Ended, json_lines, run_in};
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use serde_json::json;
use std::fs;
use std::path::Path;

fn samples() -> std::path::PathBuf {
    project().join("samples")
}

fn cat(path: &str) -> Ended {
    run_in(&samples(), &["cat", path])
}

#[test]
fn a_slice_of_an_array_is_what_numpy_prints() {
    for (path, expected) in [
        ("temperatures.b2nd[6:8, :]", "[[151 176 201 226 251 276]\n [167 192 217 242 267 292]]\n"),
        ("temperatures.b2nd[-1]", "[132 157 182 207 232 257]\n"),
        ("temperatures.b2nd[8:5:-1, 0]", "[182 167 151]\n"),
        ("temperatures.b2nd[6, ..., ]", "[151 176 201 226 251 276]\n"),
        ("temperatures.b2nd[6, 1]", "176\n"),
        ("temperatures.b2nd[5:5]", "[]\n"),
        ("digits-idx1-ubyte[::5]", "[0 5]\n"),
        ("digits-idx1-ubyte[:]", "[0 1 2 3 4 5 6 7 8 9]\n"),
    ] {
        let ended = cat(path);
        assert_eq!((ended.status, &*ended.stdout), (0, expected), "{path}: {}", ended.stderr);
    }
}

#[test]
fn a_slice_may_be_longer_than_the_name_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({}), }}", "1, ".repeat(64));
    let length = u16::try_from(header.len()).unwrap().to_le_bytes();
    fs::write(folder.path().join("c.npy"), [b"\x93NUMPY\x01\0", &length[..], header.as_bytes(), b"\x07"].concat())
        .unwrap();
    let path = format!("c.npy[{}]", ["0:1:1"; 64].join(", "));
    assert!(path.len() > 255);
    for command in ["cat", "stats", "show"] {
        let ended = run_in(folder.path(), &[command, &path]);
        assert_eq!(ended.status, 0, "{command}: {}", ended.stderr);
    }
    let ended = run_in(folder.path(), &["diff", &path, "c.npy"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let ended = run_in(folder.path(), &["cat", &path.replace("c.npy", "d.npy")]);
    assert_eq!(ended.status, 2, "{}", ended.stdout);
}

#[test]
fn a_slice_of_a_table_is_some_of_its_rows() {
    let names = |path: &str| {
        let table = run_in(&samples(), &["cat", "--json", "--columns", "Name", path]).stdout;
        let table: serde_json::Value = serde_json::from_str(&table).unwrap();
        (table["rowCount"].clone(), table["slice"].clone(), table["rows"].clone())
    };
    assert_eq!(names("trees.idv[1:3]"), (json!(2), json!("1:3"), json!([["fir"], ["oak"]])));
    assert_eq!(names("trees.idv[::-3]"), (json!(2), json!("::-3"), json!([["beech"], ["pine"]])));
    assert_eq!(names("trees.idv[-1]"), (json!(1), json!("-1"), json!([["beech"]])));
    assert_eq!(names("trees.idv[9:]"), (json!(0), json!("9:"), json!([])));
    let text = cat("trees.idv[2:]").stdout;
    assert!(text.contains("\n2  oak ") && text.ends_with("2 rows of 4 × 4 columns\n"), "{text}");
}

#[test]
fn errors_are_sentences_with_the_axis() {
    for (path, expected) in [
        ("temperatures.b2nd[1200]", "axis 0 has 168 items, so item 1200 does not exist"),
        ("temperatures.b2nd[:, -7]", "axis 1 has 6 items, so item -7 does not exist"),
        ("temperatures.b2nd[1,2,3]", "the slice has 3 axes, but the values have 2 axes"),
        ("trees.idv[4]", "axis 0 has 4 items, so item 4 does not exist"),
        ("trees.idv[1, 2]", "the slice has 2 axes, but the values have 1 axis"),
        ("temperatures.b2nd[::0]", "has the step 0"),
        ("nothing-here[1:2]", "nothing-here"),
    ] {
        let ended = cat(path);
        assert_eq!((ended.status, &*ended.stdout), (2, ""), "{path}");
        assert!(ended.stderr.contains(expected), "{path}: {}", ended.stderr);
    }
}

#[test]
fn a_file_whose_name_looks_like_a_slice_comes_first() {
    let folder = tempfile::tempdir().unwrap();
    let labels = fs::read(samples().join("digits-idx1-ubyte")).unwrap();
    fs::write(folder.path().join("a[1:3]"), &labels).unwrap();
    fs::write(folder.path().join("a"), &labels).unwrap();
    let shown = |path: &str| run_in(folder.path(), &["cat", path]).stdout;
    assert_eq!(shown("a[1:3]"), "[0 1 2 3 4 5 6 7 8 9]\n");
    assert_eq!(shown("a[1:3][1:3]"), "[1 2]\n");
    assert_eq!(shown("a[1:4]"), "[1 2 3]\n");
}

#[test]
fn an_entry_of_an_archive_takes_a_slice() {
    let folder = tempfile::tempdir().unwrap();
    let labels = fs::read(samples().join("digits-idx1-ubyte")).unwrap();
    let archive = zip(&[Entry::deflated("a\\labels", &labels), Entry::deflated("b[2]", &labels)]);
    fs::write(folder.path().join("x.zip"), archive).unwrap();
    let shown = |path: &str| run_in(folder.path(), &["cat", path]).stdout;
    assert_eq!(shown("x.zip!a/labels[2:4]"), "[2 3]\n");
    assert_eq!(shown("x.zip!a\\labels[-2:]"), "[8 9]\n");
    assert_eq!(shown("x.zip!b[2]"), "[0 1 2 3 4 5 6 7 8 9]\n");
    assert_eq!(shown("x.zip!b[2][2]"), "2\n");
    // Printed paths can be pasted into a shell.
    let listed = run_in(folder.path(), &["info", "x.zip"]).stdout;
    assert!(listed.contains("  'x.zip!a/labels'\n") && listed.contains("  'x.zip!b[2]'\n"), "{listed}");
}

#[test]
fn only_the_slice_is_converted_and_summarised() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    let ended = run_in(&samples(), &["convert", "--lossy", "temperatures.b2nd[::-1, 1:3]", out.to_str().unwrap()]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let converted = &json_lines(&run_in(folder.path(), &["cat", "--json", "out.npy"]).stdout)[0];
    let sliced = &json_lines(&run_in(&samples(), &["cat", "--json", "temperatures.b2nd[::-1, 1:3]"]).stdout)[0];
    assert_eq!((&converted["shape"], &converted["values"]), (&json!([168, 2]), &sliced["values"]));
    let stats = &json_lines(&run_in(&samples(), &["stats", "--json", "temperatures.b2nd[6]"]).stdout)[0];
    let series = &stats["series"][0];
    assert_eq!((&series["values"], &series["min"], &series["max"]), (&json!(6), &json!(151), &json!(276)));
    assert_eq!((&stats["slice"], stats.get("chunks")), (&json!("6"), None));
}

#[test]
fn the_input_of_a_slice_is_never_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    fs::copy(project().join("samples/surface.ra"), &path).unwrap();
    let before = fs::read(&path).unwrap();
    let ended = run_in(folder.path(), &["convert", "--force", "a.ra[0]", "a.ra"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("is the input file, which is never replaced"), "{}", ended.stderr);
    assert_eq!(fs::read(Path::new(&path)).unwrap(), before);
}

#[test]
fn a_command_that_takes_whole_files_says_so_of_a_slice() {
    let path = "temperatures.b2nd[6:8]";
    for arguments in [&["textconv", path][..], &["info", path], &["explain", path]] {
        let ended = run_in(&samples(), arguments);
        assert_eq!(ended.status, 2, "{arguments:?}");
        let expected = "this command does not accept slices; `ndbytes convert` writes a slice to a file";
        assert!(ended.stderr.contains(expected), "{arguments:?}: {}", ended.stderr);
    }
    // Without the file, the slice is part of a name.
    let ended = run_in(&samples(), &["diff", "nothing-here[1:2]", "temperatures.b2nd"]);
    assert!(ended.status == 2 && !ended.stderr.contains("slice"), "{}", ended.stderr);
}
