//! The number of lines in the examples: of declarations, and of code written by hand.

use std::fmt::Write;
use std::path::Path;

/// The lines of one example.
struct Lines {
    all: usize,
    /// The lines of functions and of `impl` blocks.
    by_hand: usize,
}

/// Counts the lines of code before the tests, except for imports and `main`.
fn lines(text: &str) -> Lines {
    let text = text.split("\n#[cfg(test)]").next().unwrap_or(text);
    let (mut lines, mut item) = (Lines { all: 0, by_hand: 0 }, "");
    for line in text.lines() {
        let code = line.trim();
        if code.is_empty() || code.starts_with("//") {
            continue;
        }
        if !line.starts_with([' ', '}', ')']) {
            item = line;
        }
        if item.starts_with("use ") || item.starts_with("fn main()") {
            continue;
        }
        lines.all += 1;
        lines.by_hand += usize::from(["impl ", "fn "].iter().any(|start| item.starts_with(start)));
    }
    lines
}

/// Returns the table of `examples/README.md`.
fn table(names: &[&str]) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let mut table = String::from("| example | lines of code | by hand |\n|---|---:|---:|\n");
    let (mut all, mut by_hand) = (0, 0);
    for name in names {
        let of = lines(&std::fs::read_to_string(folder.join(name).with_extension("rs")).unwrap());
        (all, by_hand) = (all + of.all, by_hand + of.by_hand);
        writeln!(table, "| `{name}` | {} | {} |", of.all, of.by_hand).unwrap();
    }
    writeln!(table, "| all | {all} | {by_hand} ({:.1} %) |", 100.0 * by_hand as f64 / all as f64).unwrap();
    table
}

#[test]
fn the_table_of_lines_is_true() {
    let names: Vec<&str> = super::every().iter().map(|format| format.name).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("| example | lines").unwrap();
    let after = rest.split_once("\n\n").map_or("", |(_, after)| after);
    let expected = format!("{before}{}\n{after}", table(&names));
    if std::env::var_os("UPDATE_GENERATED").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        assert_eq!(text, expected, "UPDATE_GENERATED=1 writes the table anew");
    }
}
