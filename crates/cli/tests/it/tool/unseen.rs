//! Characters that are invisible or change the order of others are escaped wherever the tool prints them, whether in
//! paths, names, values or patterns.

use crate::support::tool::{json_lines, run_in};
use ndbytes::everybyte::escape;
use ndbytes::idv::{self, ColumnType, ItemType, NewColumn};
use std::fs;

/// A character of each kind, and its escape.
const LETTERS: [(char, &str); 8] = [
    ('\u{1b}', "\\u{1b}"),
    ('\u{7}', "\\u{7}"),
    ('\u{9b}', "\\u{9b}"),
    ('\u{202e}', "\\u{202e}"),
    ('\u{2066}', "\\u{2066}"),
    ('\u{200b}', "\\u{200b}"),
    ('\u{feff}', "\\u{feff}"),
    ('\n', "\\n"),
];

#[test]
fn letters_are_escaped_in_one_way() {
    for (letter, shown) in LETTERS {
        assert_eq!(escape(&format!("a{letter}é\"\\")), format!("a{shown}é\"\\"));
    }
}

#[test]
#[cfg(unix)]
fn paths_names_and_arguments_are_shown_in_one_way() {
    let folder = tempfile::tempdir().unwrap();
    for (letter, shown) in LETTERS {
        let (name, shown_name) = (format!("a{letter}b.idv"), format!("a{shown}b.idv"));
        let column = format!("c{letter}d");
        fs::write(folder.path().join(&name), table(&[&column])).unwrap();
        for command in ["info", "explain", "check", "cat"] {
            let ended = run_in(folder.path(), &[command, &name]);
            let text = ended.stdout + &ended.stderr;
            assert!(!text.contains(letter) || letter == '\n', "{command}: {text:?}");
            if ["info", "explain"].contains(&command) {
                assert!(text.contains(&shown_name), "{command}: {text}");
                assert!(text.contains(&format!("c{shown}d")), "{command}: {text}");
            }
            let json = run_in(folder.path(), &[command, "--json", &name]).stdout;
            assert!(!json.trim_end().contains(letter) || letter == '\n' && command == "cat", "{command}: {json:?}");
            if command != "cat" {
                assert_eq!(json_lines(&json)[0]["path"], name.as_str(), "{command}");
            }
        }
        fs::remove_file(folder.path().join(&name)).unwrap();
        for arguments in [&["rules", &name][..], &["explain", &name], &["explain", &format!("idx/{name}")]] {
            let ended = run_in(folder.path(), arguments);
            assert!(ended.stderr.contains(&shown_name), "{arguments:?}: {}", ended.stderr);
            assert_eq!(ended.stderr.matches('\n').count(), 1, "{arguments:?}: {}", ended.stderr);
        }
    }
}

#[test]
fn findings_of_the_library_are_one_harmless_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("twice.idv");
    for (letter, shown) in LETTERS {
        let column = format!("c{letter}d");
        // Writers refuse two columns with the same name.
        let other = format!("c{letter}e");
        let mut bytes = table(&[&column, &other]);
        let place = bytes.windows(other.len()).position(|window| window == other.as_bytes()).unwrap();
        bytes[place..place + column.len()].copy_from_slice(column.as_bytes());
        fs::write(&path, bytes).unwrap();
        let report = ndbytes::check(&path, &ndbytes::Limits::default()).unwrap();
        let texts: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
        assert!(texts.iter().any(|text| text.contains("idv/duplicate-name")), "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains(letter)), "{shown}: {texts:?}");
    }
}

/// A table without rows.
fn table(columns: &[&str]) -> Vec<u8> {
    let columns = columns.iter().map(|name| NewColumn::new(*name, ColumnType::scalar(ItemType::I32)));
    let table = idv::Writer::new(columns).begin(std::io::Cursor::new(Vec::new())).unwrap();
    table.finish_sink().unwrap().into_inner()
}
