//! Declarations that `#[layout]` refuses, and its messages: every misuse has a message at the invalid token.

#[path = "../refused.rs"]
mod table;

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use table::refused;

/// Returns the folder that the declarations are written to, one file each. It is inside the package so that trybuild keeps the
/// lines of the messages. Git ignores it.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("refused")
}

/// `TRYBUILD=overwrite` updates the messages in the table.
#[test]
#[ignore = "compiles a crate for each declaration: weekly"]
fn misuses_are_refused_with_a_helpful_message() {
    let _ = fs::remove_dir_all(folder());
    fs::create_dir(folder()).unwrap();
    for case in refused() {
        let file = folder().join(case.name).with_extension("rs");
        fs::write(&file, format!("{}\n", case.source)).unwrap();
        let message = case.message.replace(&format!("{}.rs:", case.name), &format!("refused/{}.rs:", case.name));
        fs::write(file.with_extension("stderr"), format!("{message}\n")).unwrap();
    }
    let cases = trybuild::TestCases::new();
    cases.pass("pass.rs");
    cases.compile_fail("refused/*.rs");
    // They are compiled here.
    drop(cases);
    if std::env::var_os("TRYBUILD").is_some_and(|how| how == "overwrite") {
        fs::write(folder().with_extension("txt"), updated()).unwrap();
    }
}

/// Returns the table with the messages that trybuild wrote.
fn updated() -> String {
    let (head, _) = include_str!("../refused.txt").split_once("\n=== ").unwrap();
    let mut text = head.trim_end().to_owned();
    for case in refused() {
        let message = fs::read_to_string(folder().join(case.name).with_extension("stderr")).unwrap();
        let message = message.trim_end().replace("refused/", "");
        write!(text, "\n\n=== {}\n{}\n--- error\n{message}", case.name, case.source).unwrap();
    }
    text + "\n"
}
