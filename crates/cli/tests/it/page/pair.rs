//! The page of two files.

use super::browser::browser;
use super::files::hostile_names;
use super::island;
use crate::support::tool::run;
use ndbytes_testkit::project;
use std::fs;
use std::path::{Path, PathBuf};

/// Two of the files in `tests/pairs`.
pub const PAIRS: [(&str, &str); 7] = [
    ("idx/digits.idx", "idx/digits-item.idx"),
    ("idx/digits.idx", "idx/digits-gzip.idx.gz"),
    ("rawarray/surface.ra", "rawarray/surface-nan.ra"),
    ("npy/waves.npy", "npy/waves-f4.npy"),
    ("idv/trees.idv", "idv/trees-row.idv"),
    ("idv/trees.idv", "idv/trees-cut.idv"),
    ("b2nd/field.b2nd", "b2nd/field-column.b2nd"),
];

pub fn pair(name: &str) -> PathBuf {
    project().join("tests/pairs").join(name)
}

/// Writes the page of two files.
pub fn page_of(a: &Path, b: &Path, page: &Path) {
    let ended = run(&["diff", "--html", page.to_str().unwrap(), a.to_str().unwrap(), b.to_str().unwrap()]);
    assert!(page.is_file(), "{} and {}: {}", a.display(), b.display(), ended.stderr);
}

#[test]
fn a_page_of_two_files_has_their_verdict_and_says_nothing_of_their_folders() {
    let folder = tempfile::tempdir().unwrap();
    for (place, (a, b)) in PAIRS.into_iter().enumerate() {
        let page = folder.path().join(format!("{place}.html"));
        page_of(&pair(a), &pair(b), &page);
        let html = fs::read_to_string(&page).unwrap();
        let found: serde_json::Value = serde_json::from_str(
            &run(&["diff", "--json", pair(a).to_str().unwrap(), pair(b).to_str().unwrap()]).stdout,
        )
        .unwrap();
        assert_eq!(island(&html)["verdict"], found["verdict"], "{a} {b}");
        assert!(!html.contains(project().to_str().unwrap()), "{a} {b}");
    }
}

#[test]
fn a_page_of_no_file_and_a_file_shows_the_file_as_added() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    page_of(Path::new("/dev/null"), &pair("idx/digits.idx"), &page);
    let island = island(&fs::read_to_string(&page).unwrap());
    assert!(island["sides"][0].is_null() && island["names"][1] == "digits.idx");
}

#[test]
fn a_page_never_replaces_what_it_is_about() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["digits.idx", "digits-item.idx"].map(|name| {
        let copy = folder.path().join(name);
        fs::copy(pair("idx").join(name), &copy).unwrap();
        copy
    });
    let before = fs::read(&b).unwrap();
    for out in [&a, &b] {
        let ended =
            run(&["diff", "--html", out.to_str().unwrap(), "--force", a.to_str().unwrap(), b.to_str().unwrap()]);
        assert_eq!(ended.status, 2, "{}", ended.stderr);
    }
    assert_eq!(fs::read(&b).unwrap(), before);
}

#[test]
fn pages_of_two_files_load_nothing_complain_of_nothing_and_fit_at_any_width() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    for (a, b) in PAIRS {
        page_of(&pair(a), &pair(b), &page);
        let mut tab = browser.open(&page, 360);
        for width in [800, 1280, 360] {
            tab.resize(width);
            assert!(!tab.is_too_wide(), "{a} {b} at {width}");
        }
        assert_eq!(tab.complaints(&page), [0; 0], "{a} {b}");
    }
}

#[test]
fn only_what_differs_stands_open() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    page_of(&pair("idx/digits.idx"), &pair("idx/digits-row.idx"), &page);
    let mut tab = browser.open(&page, 1280);
    let rows = "[...document.querySelectorAll('.pairs .line .name bdi')].map(name => name.textContent)";
    assert_eq!(tab.ask(rows), serde_json::json!(["file", "dims[0]", "payload"]));
    // All fields are shown on request, except for the kinds that are filtered out.
    tab.point(".both .chip", true);
    assert!(tab.ask(rows).as_array().unwrap().len() > 5);
    tab.point(".both .chip", true);
    tab.point(".chips .chip.data", true);
    assert_eq!(tab.ask(rows), serde_json::json!(["file", "dims[0]"]));
}

#[test]
fn cells_that_a_row_has_moved_only_follow() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    page_of(&pair("idv/trees.idv"), &pair("idv/trees-row.idv"), &page);
    let mut tab = browser.open(&page, 1280);
    assert_eq!(tab.text(".values .sum"), "28 compared in the rows that both have: none differs");
    let rows = "[...document.querySelectorAll('.pairs .line .name bdi')].map(name => name.textContent)";
    assert_eq!(tab.ask(rows), serde_json::json!(["file", "header.row_count"]));
    tab.point(".chips .chip.follows", true);
    assert!(tab.ask(rows).as_array().unwrap().len() > 10);
}

#[test]
fn keys_walk_through_the_differences_and_both_files_follow() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    page_of(&pair("rawarray/surface.ra"), &pair("rawarray/surface-nan.ra"), &page);
    let mut tab = browser.open(&page, 1280);
    tab.press(&["n"]);
    assert_eq!(tab.ask("location.hash"), "#k=data");
    assert_eq!(tab.text(".pairs [aria-selected] .name bdi"), "data");
    let other =
        "[...document.querySelectorAll('.sides .pane')].map(pane => pane.querySelectorAll('.byte.other').length)";
    let counts = tab.ask(other);
    assert!(counts[0] == counts[1] && counts[0].as_u64().unwrap() > 0, "{counts}");
    tab.point(".sides .pane:last-child .byte[data-offset=\"24\"]", false);
    assert_eq!(tab.ask("document.querySelectorAll('.sides .byte.on').length"), 16);
}

#[test]
fn hostile_names_in_a_page_of_two_files_are_text() {
    let Some(mut browser) = browser() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [markup, ..] = hostile_names();
    let write = |name: &str, attribute: &str, content: &[u8]| {
        let path = folder.path().join(name);
        let writer = ndbytes::b2nd::Writer::new().attribute_bytes(attribute, content).unwrap();
        fs::write(&path, writer.to_vec(&ndbytes::ndarray::Array1::from_iter([1_u8, 2])).unwrap()).unwrap();
        path
    };
    let a = write("a.b2nd", &markup[..30], b"\xaa<img src=x");
    let b = write("b\u{202e}.b2nd", "y\u{202e}<b>", b"\xaa</script>!");
    let page = folder.path().join("page.html");
    page_of(&a, &b, &page);
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!((html.matches("<script").count(), html.matches("</script").count()), (2, 2));
    assert!(html.chars().all(|letter| letter == '\n' || !letter.is_control() && letter != '\u{202e}'));
    let mut tab = browser.open(&page, 360);
    assert_eq!(tab.ask("document.querySelectorAll('img:not(.drawing)').length"), 0);
    assert_eq!(tab.complaints(&page), [0; 0]);
    assert!(!tab.is_too_wide());
}
