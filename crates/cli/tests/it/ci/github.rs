//! GitHub Actions annotations, and the summary page of a step.

use super::{HOSTILE, folder, printed, put, run};
use std::fs;

/// The severities of the annotations, in order.
fn severities(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.strip_prefix("::")?.split(' ').next()).collect()
}

#[test]
fn annotations_come_with_the_worst_first() {
    let folder = folder(&[
        ("a.idx", "idx/ok/scalar-u8.idx"),
        ("b.idx", "idx/bad/trailing-one.idx"),
        ("c.idx", "idx/ok/scalar-u8.idx"),
        ("d.idx", "idx/bad/trailing-one.idx"),
    ]);
    let text = printed(folder.path(), &["check", "--format", "github", ".", "lost"]);
    assert_eq!(severities(&text), ["error", "error", "error", "warning", "warning"]);
    let first = text.lines().next().unwrap();
    assert!(first.starts_with("::error file=lost,title=unreadable::"), "{first}");
    let fewer = printed(folder.path(), &["check", "--format", "github", "--max-findings", "3", "."]);
    assert_eq!(severities(&fewer), ["error", "error", "warning"]);
}

#[test]
fn annotations_have_escapes() {
    let folder = folder(&[("a,b:c%d.idx", "idx/bad/trailing-one.idx")]);
    put(folder.path(), "table.idv", &super::hostile_table());
    let text = printed(folder.path(), &["check", "--format", "github", "."]);
    let message =
        "the content has 1 byte after the payload, byte 0xb; help: `cat --tolerate idx/trailing-bytes` ignores it";
    let line = format!("::error file=a%2Cb%3Ac%25d.idx,title=idx/trailing-bytes::{message}");
    assert_eq!(text.lines().next(), Some(&*line));
    // The hostile name is in the message, and its `%0A` does not end the line.
    let hostile = text.lines().find(|line| line.contains("idv/unknown-codec")).unwrap();
    assert!(hostile.contains("%250A") && !hostile.contains("%0A"), "{hostile}");
    assert!(hostile.contains(" at columns["), "{hostile}");
}

#[test]
fn the_page_of_a_step_is_a_table_without_markup_of_files() {
    let folder = folder(&[("a.idx", "idx/bad/trailing-one.idx")]);
    put(folder.path(), "table.idv", &super::hostile_table());
    let page = folder.path().join("page.md");
    put(folder.path(), "page.md", b"before\n");
    run(folder.path(), &["check", "--format", "github", "a.idx", "table.idv"], Some(&page));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.starts_with("before\n### ndbytes check\n\n"), "{text}");
    let rows: Vec<&str> =
        text.lines().filter(|line| line.starts_with("| error") || line.starts_with("| warning")).collect();
    assert_eq!(rows.len(), 2, "{text}");
    // Every character with a meaning in Markdown or HTML is an entity, in all four cells.
    for row in rows {
        assert_eq!(row.matches('|').count(), 5, "{row}");
        let bare = row.replace("<code>", "").replace("</code>", "");
        assert!(!bare.contains(['<', '>', '@', '`', '[', '\\']), "{row}");
    }
    assert!(text.contains("&#64;all") && HOSTILE.contains("@all"), "{text}");
    // Other output formats do not write the page.
    run(folder.path(), &["check", "a.idx"], Some(&page));
    assert_eq!(fs::read_to_string(&page).unwrap(), text);
}

#[test]
fn the_page_of_a_step_is_at_most_a_mebibyte() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..300 {
        put(folder.path(), &format!("{number:03}{}.idx", "&".repeat(200)), &[0, 0, 8, 1, 0, 0, 0, 1, 1, 1]);
    }
    let page = folder.path().join("page.md");
    let before = (1 << 20) - 100_000;
    fs::write(&page, "-".repeat(before)).unwrap();
    run(folder.path(), &["check", "--format", "github", "."], Some(&page));
    let text = fs::read_to_string(&page).unwrap();
    assert!(text.len() <= 1 << 20 && text.len() > (1 << 20) - 2_000, "{}", text.len());
    let rows = text.lines().filter(|line| line.starts_with("| error")).count();
    assert!(text.ends_with(&format!("\n{} more are not shown.\n", 300 - rows)), "{}", &text[text.len() - 200..]);
}
