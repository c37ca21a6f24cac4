//! The descriptions in the tool: its rules, its field reference, and its help. `cargo insta review` shows changes.
//!
//! `tests/snapshots.rs` has its output for every file in the corpus.

use crate::support::tool;
use ndbytes_testkit::snapshot::snapshot;

#[test]
fn the_rule_catalogue_is_as_before() {
    snapshot("rules", &tool::run(&["rules"]).stdout);
}

#[test]
fn the_field_reference_is_as_before() {
    for format in ["idx", "rawarray", "idv", "b2nd", "npy", "gzip", "zip"] {
        snapshot(&format!("schema__{format}"), &tool::run(&["schema", format]).stdout);
    }
}

#[test]
fn the_help_is_as_before() {
    let mut text = tool::run(&["--help"]).stdout;
    for command in ["info", "check", "explain", "cat", "show", "convert", "rules", "schema", "git"] {
        text += &format!("\n$ ndbytes {command} --help\n{}", tool::run(&[command, "--help"]).stdout);
    }
    snapshot("help", &text);
}
