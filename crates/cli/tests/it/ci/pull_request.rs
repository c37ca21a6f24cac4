//! The report on a pull request, which compares binary array files of two commits in a real repository.

use super::put;
use crate::page::island;
use crate::support::tool::run_in;
use ndbytes_testkit::corpus;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

/// Runs git in a directory, without the user's configuration, and returns its output.
fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]);
    command.args(arguments).current_dir(folder).env("HOME", folder).env("GIT_CONFIG_NOSYSTEM", "1");
    let ended = command.output().unwrap();
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).unwrap().trim_end().to_owned()
}

/// Commits everything and returns the commit.
fn commit(folder: &Path) -> String {
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-q", "--allow-empty", "-m", "x"]);
    git(folder, &["rev-parse", "HEAD"])
}

fn repository() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    git(folder.path(), &["init", "-q", "-b", "main"]);
    folder
}

/// An IDX file of bytes, with one axis.
fn idx(values: &[u8]) -> Vec<u8> {
    let mut file = vec![0, 0, 8, 1];
    file.extend((values.len() as u32).to_be_bytes());
    file.extend(values);
    file
}

/// A .npy file of bytes, with one axis.
fn npy(values: &[u8]) -> Vec<u8> {
    let dict = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({},), }}", values.len());
    [b"\x93NUMPY\x01\0v\0", format!("{dict:117}\n").as_bytes(), values].concat()
}

/// Returns the comment, the data of the pages, and the number of files, as a workflow reads them.
fn compare(folder: &Path, base: &str, head: &str) -> (String, Vec<Value>, String) {
    let out = tempfile::tempdir().unwrap();
    let ended =
        run_in(folder, &["diff", "--exit-zero", "--git-range", base, head, "--out", out.path().to_str().unwrap()]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let comment = fs::read_to_string(out.path().join("comment.md")).unwrap();
    assert!(comment.starts_with("<!-- ndbytes -->\n"), "{comment}");
    let count = fs::read_dir(out.path().join("pages")).unwrap().count();
    let page = |number| fs::read_to_string(out.path().join(format!("pages/{number}.html"))).unwrap();
    let pages: Vec<Value> = (1..=count).map(|number| island(&page(number))).collect();
    let files = fs::read_to_string(out.path().join("files")).unwrap();
    // Each compared file has a page.
    assert_eq!(files, format!("{}\n", pages.len()), "{}", ended.stderr);
    (comment, pages, files)
}

/// The lines that name the compared files.
fn titles(comment: &str) -> Vec<&str> {
    let unfolded = comment.lines().map(|line| line.replacen("<details open>", "<details>", 1));
    assert!(unfolded.filter(|line| line.starts_with("<details>")).count() == comment.matches("</details>").count());
    let titles = comment.lines().filter_map(|line| line.split_once("><summary><code>").map(|(_, title)| title));
    titles.map(|title| title.split("  ").next().unwrap()).collect()
}

#[test]
fn a_comment_shows_added_changed_renamed_and_removed_files() {
    let folder = repository();
    let folder = folder.path();
    put(folder, "changed.idx", &idx(&[1, 2, 3]));
    put(folder, "same.idx", &idx(&[1]));
    put(folder, "removed.idx", &idx(&[4]));
    put(folder, "before.idx", &idx(&[5; 200]));
    put(folder, "notes.txt", b"before");
    let base = commit(folder);
    put(folder, "changed.idx", &idx(&[1, 7, 3]));
    fs::remove_file(folder.join("removed.idx")).unwrap();
    fs::rename(folder.join("before.idx"), folder.join("after.idx")).unwrap();
    put(folder, "sub dir/added.idx", &idx(&[6]));
    put(folder, "notes.txt", b"after");
    let head = commit(folder);
    let (comment, pages, outputs) = compare(folder, &base, &head);
    let expected = [
        "a/before.idx → b/after.idx",
        "a/changed.idx → b/changed.idx",
        "a/removed.idx → no file",
        "no file → b/sub dir/added.idx",
    ];
    assert_eq!(titles(&comment), expected, "{comment}");
    assert!(comment.contains("\nCompared: 4. Different: 3.\n") && outputs == "4\n", "{outputs}{comment}");
    assert!(
        comment.contains("</code>: values differ: 1 of 3</summary>\n") && comment.contains("[1]  2 → 7"),
        "{comment}"
    );
    // The table comes first, with differing files before equal ones.
    let rows: Vec<_> = comment.lines().filter(|line| line.starts_with("| <code>")).collect();
    let expected = [
        "| <code>changed.idx</code> | values differ: 1 of 3 |",
        "| <code>a/removed.idx → no file</code> | removed |",
        "| <code>no file → b/sub dir/added.idx</code> | added |",
        "| <code>a/before.idx → b/after.idx</code> | identical |",
    ];
    assert_eq!(rows, expected, "{comment}");
    // The first file that differs is unfolded.
    assert_eq!(comment.matches("<details open>").count(), 1, "{comment}");
    assert!(comment.contains("<details open><summary><code>a/changed.idx"), "{comment}");
    let shown: Vec<_> = pages.iter().map(|page| (page["title"].as_str(), page["verdict"].as_str())).collect();
    let expected = [
        (Some("before.idx → after.idx"), Some("identical")),
        (Some("changed.idx"), Some("values differ")),
        (Some("removed.idx → no file"), Some("one-sided")),
        (Some("no file → added.idx"), Some("one-sided")),
    ];
    assert_eq!(shown, expected);
}

#[test]
fn the_contract_of_the_proposed_commit_says_what_is_tolerated() {
    let folder = repository();
    let folder = folder.path();
    put(folder, "data/a.idx", &idx(&[1, 2, 3]));
    put(folder, "b.idx", &idx(&[1, 2, 3]));
    let base = commit(folder);
    put(folder, "data/a.idx", &idx(&[1, 2, 4]));
    put(folder, "b.idx", &idx(&[1, 2, 4]));
    put(folder, ".ndbytes.toml", b"[files.\"data/*.idx\"]\ntolerance = { atol = 1 }\n");
    let head = commit(folder);
    let (comment, ..) = compare(folder, &base, &head);
    assert!(comment.contains("\nCompared: 2. Different: 1.\n"), "{comment}");
    assert!(comment.contains("</code>: same within tolerance: 1 of 3 differ, all within it</summary>"), "{comment}");
}

#[test]
fn what_others_changed_meanwhile_is_not_compared() {
    let folder = repository();
    let folder = folder.path();
    put(folder, "a.idx", &idx(&[1]));
    put(folder, "b.idx", &idx(&[1]));
    commit(folder);
    git(folder, &["checkout", "-q", "-b", "branch"]);
    put(folder, "b.idx", &idx(&[2]));
    let head = commit(folder);
    git(folder, &["checkout", "-q", "main"]);
    put(folder, "a.idx", &idx(&[9]));
    let base = commit(folder);
    assert_eq!(titles(&compare(folder, &base, &head).0), ["a/b.idx → b/b.idx"]);
}

#[test]
fn a_sparse_frame_is_compared_once() {
    let frame = corpus::folders().into_iter().find(|sample| sample.folder == "ok").expect("a sparse frame");
    let folder = repository();
    let folder = folder.path();
    let base = commit(folder);
    for entry in fs::read_dir(&frame.path).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
        put(folder, &format!("x/frame.b2nd/{name}"), &fs::read(&entry).unwrap());
    }
    let head = commit(folder);
    let (comment, _, outputs) = compare(folder, &base, &head);
    assert_eq!(titles(&comment), ["no file → b/x/frame.b2nd"], "{comment}");
    assert_eq!(outputs, "1\n");
}

#[test]
fn names_and_values_are_no_markup_in_a_comment() {
    let folder = repository();
    let folder = folder.path();
    let base = commit(folder);
    put(folder, "<b>&\u{202e}\n@all.idx", &idx(&[1]));
    put(folder, "table.idv", &super::hostile_table());
    let head = commit(folder);
    let (comment, ..) = compare(folder, &base, &head);
    assert_eq!(titles(&comment).len(), 2, "{comment}");
    for markup in ["<img", "<b>", "\u{202e}", "\u{1b}", "\u{7}"] {
        assert!(!comment.contains(markup), "{markup:?}: {comment}");
    }
    // All remaining elements come from the tool.
    assert_eq!(comment.matches('<').count(), 1 + 2 * 8 + 2 * 2, "{comment}");
}

#[test]
fn a_comment_is_short_enough_for_github() {
    let folder = repository();
    let folder = folder.path();
    let base = commit(folder);
    for number in 0..30 {
        put(folder, &format!("{number:02}{}.idx", "&".repeat(200)), &idx(&[1; 200]));
    }
    let head = commit(folder);
    let (comment, ..) = compare(folder, &base, &head);
    assert!(comment.len() < 65_536, "{}", comment.len());
    let left = 30 - titles(&comment).len();
    let said = comment.contains(&format!("Not shown here: {left}. "));
    assert!(said || left == 0, "{left}: {comment}");
}

/// The text of a file is cut after a few thousand bytes; in one of the files, the cut falls into a three-byte
/// character, whatever the offset.
#[test]
fn a_comment_is_cut_between_letters() {
    let folder = repository();
    let folder = folder.path();
    let texts = |letter: char, shift: usize| {
        let item: Vec<u8> =
            "a".repeat(shift).chars().chain(vec![letter; 900]).flat_map(|it| (it as u32).to_le_bytes()).collect();
        let dict = format!("{{'descr': '<U{}', 'fortran_order': False, 'shape': (30,), }}", item.len() / 4);
        [b"\x93NUMPY\x01\0v\0", format!("{dict:117}\n").as_bytes(), &item.repeat(30)].concat()
    };
    (0..3).for_each(|shift| put(folder, &format!("{shift}.npy"), &texts('\u{20ac}', shift)));
    let base = commit(folder);
    (0..3).for_each(|shift| put(folder, &format!("{shift}.npy"), &texts('\u{20ad}', shift)));
    let head = commit(folder);
    let (comment, ..) = compare(folder, &base, &head);
    assert_eq!(titles(&comment), ["a/0.npy → b/0.npy", "a/1.npy → b/1.npy", "a/2.npy → b/2.npy"]);
    assert!(comment.contains('\u{20ac}') && !comment.contains('\u{fffd}'), "{comment}");
}

#[test]
fn a_change_of_other_files_needs_no_comment() {
    let folder = repository();
    let base = commit(folder.path());
    put(folder.path(), "notes.txt", b"x");
    let head = commit(folder.path());
    let (comment, _, outputs) = compare(folder.path(), &base, &head);
    assert!(comment.ends_with("\nNo binary array file has changed.\n") && outputs == "0\n", "{comment}");
}

/// Names with a special meaning to git, to a shell, in Markdown or in HTML, and names with line breaks.
#[test]
fn names_are_taken_literally_whatever_they_are() {
    let folder = repository();
    let folder = folder.path();
    let base = commit(folder);
    let names = [
        ":error::x.npy",
        "::error::x.npy",
        ":(glob)**.npy",
        "-x.npy",
        "--help.npy",
        "dir\n/x.npy",
        "a b/ c .npy",
        "*.npy",
        "[a].npy",
        "\"q\".npy",
        "$(true).npy",
        "`x`.npy",
        "**bold**.npy",
        "![x](y).npy",
        "[x](https:\\\\e.org).npy",
        "~~x~~.npy",
        "@all.npy",
        "#1.npy",
        "a\tb.npy",
        "<b>.npy",
        "a|b.npy",
        "é.npy",
        "www.e.org.npy",
        "_x_.npy",
        "a\\b.npy",
        "'.npy",
        "%0A::error::.npy",
        "\r.npy",
        "\u{202e}x.npy",
        "a → b.npy",
        "a  b.npy",
    ];
    let file = fs::read(corpus::root().join("npy/ok/bool.npy")).unwrap();
    for name in names {
        put(folder, name, &file);
    }
    let head = commit(folder);
    let (comment, pages, _) = compare(folder, &base, &head);
    assert_eq!(pages.len(), names.len(), "{comment}");
    let rows: Vec<_> = comment.lines().filter(|line| line.starts_with("| <code>")).collect();
    assert_eq!(rows.len(), names.len(), "{comment}");
    assert!(rows.iter().all(|row| row.ends_with("</code> | added |")), "{comment}");
    let table = rows.concat().replace("| <code>", "").replace("</code> | added |", "");
    for markup in ["*", "_", "`", "[", "]", "!", "~", "@", "<", "|", "\\", "www.", "\r", "\t", "\u{202e}"] {
        assert!(!table.contains(markup), "{markup}: {table}");
    }
}

/// Names that an attacker might try on the action: options, commands, path magic, line breaks, markup, and other
/// writing directions.
const TRIED: [&[u8]; 32] = [
    b"![x](http:evil.example/p.png).npy",
    b"[approved](http:evil.example) **bold**.npy",
    b"a|b.npy",
    b"`id`.npy",
    b"$(touch PWNED).npy",
    b"-rf.npy",
    b"--help.npy",
    b"new\nline.npy",
    b"::error::x.npy",
    b"<img src=x>.npy",
    b"@octocat #1.npy",
    b"'; touch PWNED; '.npy",
    "a \u{2192} b.npy".as_bytes(),
    b"two  spaces.npy",
    b"%0A::set-output name=x::y.npy",
    b"\xff\xfe.npy",
    b"esc\x1b[31m.npy",
    "\u{202e}bidi.npy".as_bytes(),
    b"www.evil.example.npy",
    b"x[0].npy",
    b"x.zip!y.npy",
    b"dir\n/x.npy",
    b"-->.npy",
    b"</code><h1>x.npy",
    b"\\[esc.npy",
    b"~~~.npy",
    b"===.npy",
    b"---.npy",
    b"# head.npy",
    b"x.npy\n.npy",
    b"&lt;b.npy",
    b"__init__.npy",
];

#[test]
fn each_change_of_files_with_hostile_names_is_shown() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = repository();
    let folder = folder.path();
    let write = |value: u8| {
        for name in TRIED {
            let path = folder.join(OsStr::from_bytes(name));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, npy(&[1, 2, value])).unwrap();
        }
        commit(folder)
    };
    let (base, head) = (write(3), write(7));
    let (comment, pages, outputs) = compare(folder, &base, &head);
    assert_eq!((pages.len(), &*outputs), (TRIED.len(), "32\n"), "{comment}");
    assert!(comment.contains("\nCompared: 32. Different: 32.\n"), "{comment}");
    let rows: Vec<_> = comment.lines().filter(|line| line.starts_with("| <code>")).collect();
    assert_eq!(rows.len(), TRIED.len(), "{comment}");
    assert!(rows.iter().all(|row| row.ends_with("</code> | values differ: 1 of 3 |")), "{comment}");
    assert!(pages.iter().all(|page| page["verdict"] == "values differ"), "{comment}");
    let table = rows.concat().replace("| <code>", "").replace("</code> | values differ: 1 of 3 |", "");
    for markup in ["*", "_", "`", "[", "]", "!", "~", "@", "<", "|", "\\", "www.", "\u{1b}", "\u{202e}"] {
        assert!(!table.contains(markup), "{markup}: {table}");
    }
    // No name was executed as a command.
    assert_eq!(git(folder, &["status", "--porcelain"]), "");
}

/// One file's text is cut inside a two-byte character. Links are not followed.
#[test]
fn a_file_that_cannot_be_compared_is_told_and_ends_nothing() {
    let folder = repository();
    let folder = folder.path();
    for name in ["a.idx", "link.idx"] {
        put(folder, name, &idx(&[1]));
    }
    let long: String = "é".repeat(100);
    for place in 0..2 {
        put(folder, &format!("{}{long}/{long}.csv.npy", "x".repeat(place)), b"no array");
    }
    let base = commit(folder);
    put(folder, "a.idx", b"no array any more");
    fs::remove_file(folder.join("link.idx")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("link.idx")).unwrap();
    for place in 0..2 {
        put(folder, &format!("{}{long}/{long}.csv.npy", "x".repeat(place)), "é".repeat(9000 + place).as_bytes());
    }
    put(folder, ".ndbytes.toml", b"broken = [");
    let head = commit(folder);
    let (comment, ..) = compare(folder, &base, &head);
    assert!(comment.contains("| <code>a.idx</code> |"), "{comment}");
    assert!(!comment.contains("root:"), "{comment}");
    assert!(comment.starts_with("<!-- ndbytes -->\n### Binary array files\n\nCompared: "), "{comment}");
}

#[test]
fn what_is_no_commit_is_refused() {
    let folder = repository();
    let head = commit(folder.path());
    for range in [["nowhere", head.as_str()], [head.as_str(), "--output=x"], ["HEAD:x", "HEAD"]] {
        let ended = run_in(folder.path(), &[&["diff", "--out", "out", "--git-range"], &range[..]].concat());
        assert!(ended.status == 2 && !folder.path().join("out").exists(), "{range:?}: {}", ended.stderr);
    }
    let ended = run_in(folder.path(), &["diff", "--git-range", "HEAD", "HEAD"]);
    assert!(ended.status == 2 && ended.stderr.contains("--out"), "{}", ended.stderr);
}
