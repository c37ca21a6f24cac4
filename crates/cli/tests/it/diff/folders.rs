//! `ndbytes diff OLD/ NEW/`.

use crate::support::tool::{self, Ended};
use ndbytes_testkit::project;
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A directory with `old` and `new`: one file for each outcome.
pub fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    let idx = |items: &[f64]| -> Vec<u8> {
        let payload = items.iter().flat_map(|item| item.to_be_bytes());
        [0, 0, 14, 1].into_iter().chain((items.len() as u32).to_be_bytes()).chain(payload).collect()
    };
    let sample = fs::read(project().join("samples/surface.ra")).unwrap();
    for (name, old, new) in [
        ("b/field", Some(idx(&[1.0, 2.0, 3.0])), Some(idx(&[1.0, 2.5, 3.0]))),
        ("b/noise", Some(idx(&[1.0, 2.0])), Some(idx(&[1.0, 2.0 + 1e-9]))),
        ("cut", Some(idx(&[1.0, 2.0])), Some(idx(&[1.0, 2.0])[..20].to_vec())),
        ("gone", Some(idx(&[1.0])), None),
        ("notes.txt", Some(b"hello".to_vec()), Some(b"hellO".to_vec())),
        ("surface.ra", Some(sample.clone()), Some(sample)),
        ("young", None, Some(idx(&[1.0]))),
    ] {
        for (side, bytes) in [("old", old), ("new", new)] {
            if let Some(bytes) = bytes {
                put(&format!("{side}/{name}"), &bytes);
            }
        }
    }
    folder
}

fn run(folder: &Path, arguments: &[&str]) -> Ended {
    tool::run_in(folder, &[&["diff"], arguments].concat())
}

#[test]
fn each_file_has_a_line_and_totals_follow() {
    let folder = folder();
    let ended = run(folder.path(), &["--atol", "1e-6", "old", "new/"]);
    let expected = "\
differs                b/field: 1 of 3; largest |Δ| 0.5 at [1]
same within tolerance  b/noise: 1 of 2 differ, all within it; largest |Δ| 1e-9 at [1]
cannot be compared     cut: values: 1 of 2 items are whole in the second file, all equal; 4 bytes of the second are equal too
only in old            gone
differs                notes.txt: the first byte that differs is at 0x4
same                   surface.ra
only in new/           young
7 files. same: 1, same within tolerance: 1, differs: 2, cannot be compared: 1, only in old: 1, only in new/: 1
1 file of no known format: compared by bytes
";
    assert_eq!((ended.status, &*ended.stdout, &*ended.stderr), (1, expected, ""));
}

#[test]
fn the_exit_status_of_folders_is_that_of_files() {
    let folder = folder();
    let status = |arguments: &[&str]| run(folder.path(), arguments).status;
    assert_eq!(status(&["old", "old"]), 0);
    assert_eq!(status(&["--exit-zero", "old", "new"]), 0);
    assert_eq!(status(&["--glob", "surface.*", "old", "new"]), 0);
    assert_eq!(status(&["--unknown", "skip", "--glob", "*.txt", "old", "new"]), 0);
    assert_eq!(status(&["--glob", "*.txt", "old", "new"]), 1);
    for (arguments, reason) in [
        (&["old", "new/cut"][..], "old is a directory, but the other path is not"),
        (&["--picture", "p.png", "old", "new"], "`--picture` draws two arrays"),
        (&["--glob", "*", "old/cut", "new/cut"], "work only with two directories"),
        (&["--glob", "[", "old", "new"], "the glob [ is not valid"),
        (&["old", "nowhere"], "old is a directory, but the other path is not"),
    ] {
        let ended = run(folder.path(), arguments);
        assert!(ended.status == 2 && ended.stderr.contains(reason), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn the_walk_is_that_of_check() {
    let folder = folder();
    fs::create_dir(folder.path().join("old/.git")).unwrap();
    fs::write(folder.path().join("old/.git/x"), b"x").unwrap();
    let ended = run(folder.path(), &["old", "new"]);
    assert!(!ended.stdout.contains(".git"), "{}", ended.stdout);
    assert_eq!(ended.stderr, "note: skipped: in old: 1 .git\n");
}

#[test]
fn stores_are_compared_by_their_members() {
    let folder = tempfile::tempdir().unwrap();
    for side in ["a.b2d", "b.b2d"] {
        fs::create_dir(folder.path().join(side)).unwrap();
        let array = project().join("samples/temperatures.b2nd");
        fs::copy(array, folder.path().join(side).join("embed.b2e")).unwrap();
        fs::copy(project().join("samples/temperatures.b2nd"), folder.path().join(side).join("x.b2nd")).unwrap();
    }
    let ended = run(folder.path(), &["a.b2d", "b.b2d"]);
    assert!(ended.stdout.starts_with("first → second  archive"), "{}", ended.stdout);
}

#[test]
fn the_page_begins_with_the_table_and_loads_nothing() {
    let folder = folder();
    fs::write(folder.path().join("new/<img src=x>\u{202e}\"'&"), [0, 0, 8, 1, 0, 0, 0, 0]).unwrap();
    let ended = run(folder.path(), &["--html", "-", "old", "new"]);
    let page = &ended.stdout;
    assert_eq!((ended.status, page.matches("<tr>").count(), page.matches("<section ").count()), (1, 8, 3));
    assert!(page.contains("script-src 'none'") && !page.contains("<script"), "{page}");
    assert!(page.contains("<bdi>&lt;img src=x&gt;\\u{202e}&quot;'&amp;</bdi>"), "{page}");
    let link = page.find("<a href=\"#at").expect("a file with differences has a link to them");
    let place: String = page[link + 12..].chars().take_while(char::is_ascii_digit).collect();
    assert!(page.contains(&format!("<section id=\"at{place}\">")), "{place}");
    assert_eq!(page.matches("src=\"data:image/svg+xml;base64,").count(), 2);
    let saved = run(folder.path(), &["--html", "old/cut", "old", "new"]);
    assert!(saved.status == 2 && saved.stderr.contains("never replaced"), "{}", saved.stderr);
}

#[test]
fn the_page_of_many_files_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    for side in ["old", "new"] {
        fs::create_dir(folder.path().join(side)).unwrap();
    }
    let name = "n".repeat(200);
    for number in 0..6000 {
        fs::write(folder.path().join(format!("old/{name}{number}")), b"x").unwrap();
    }
    let ended = run(folder.path(), &["--html", "-", "old", "new"]);
    assert!(ended.stdout.len() < 2 << 20, "{}", ended.stdout.len());
    assert!(ended.stdout.contains("files more: omitted from the table."));
}

#[test]
fn json_has_every_file_and_the_totals() {
    let folder = folder();
    let ended = run(folder.path(), &["--json", "old", "new"]);
    let object: Value = serde_json::from_str(&ended.stdout).unwrap();
    let outcomes: Vec<_> = object["files"].as_array().unwrap().iter().map(|file| file["outcome"].clone()).collect();
    let expected = ["differs", "differs", "cannot be compared", "only in A", "differs", "same", "only in B"];
    assert_eq!(outcomes, expected);
    assert_eq!((object["totals"]["files"].as_u64(), object["totals"]["unknown"].as_u64()), (Some(7), Some(1)));
    let cut = run(folder.path(), &["--json", "--max-time", "0", "old", "new"]);
    let object: Value = serde_json::from_str(&cut.stdout).unwrap();
    assert_eq!((cut.status, object["totals"]["files"].as_u64()), (2, Some(0)));
}
