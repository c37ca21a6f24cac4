//! `explain FILE PART` explains one field of a file, and everything below it.

use crate::support::tool::{Ended, json_lines, run};
use ndbytes_testkit::project;
use serde_json::Value;

fn explain(arguments: &[&str]) -> Ended {
    let path = project().join("samples/trees.idv");
    let mut all = vec!["explain", path.to_str().unwrap()];
    all.extend(arguments);
    run(&all)
}

fn spans(part: &[&str]) -> Vec<Value> {
    let object = json_lines(&explain(&[part, &["--json"]].concat()).stdout).remove(0);
    object["spans"].as_array().unwrap().clone()
}

#[test]
fn a_part_is_a_field_with_all_below_it() {
    let all = spans(&[]);
    let part = spans(&["columns[2]"]);
    let is_of_part = |span: &&Value| span["path"].as_str().unwrap().starts_with("columns[2]");
    let own: Vec<&Value> = part.iter().filter(|span| span["space"] == 0).collect();
    assert_eq!(own, all.iter().filter(is_of_part).collect::<Vec<_>>());
    // There are only the spaces that the column opens.
    let opened: Vec<&Value> = own.iter().map(|span| &span["opens"]).filter(|opens| !opens.is_null()).collect();
    assert!(!opened.is_empty());
    for span in part.iter().filter(|span| span["space"] != 0) {
        assert!(opened.contains(&&span["space"]), "{span}");
    }
    for space in opened {
        let below = |spans: &[Value]| spans.iter().filter(|span| span["space"] == *space).count();
        assert_eq!(below(&part), below(&all));
    }
}

#[test]
fn the_key_of_a_field_means_the_same_part_as_its_path() {
    assert_eq!(spans(&["columns[\"Features\"]"]), spans(&["columns[2]"]));
    assert_eq!(spans(&["columns[2].name"]).len(), 1);
}

#[test]
fn the_spaces_of_json_are_those_of_the_part() {
    let object = json_lines(&explain(&["columns[2].name", "--json"]).stdout).remove(0);
    assert_eq!(object["spaces"].as_array().unwrap().len(), 1);
}

#[test]
fn a_part_that_the_file_does_not_have_is_refused_with_what_it_has() {
    let ended = explain(&["column[2]"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    let expected = "error: no field has the path or key column[2]; the fields are header, columns, tail, ";
    assert!(ended.stderr.starts_with(expected), "{}", ended.stderr);
}

#[test]
fn numbers_that_point_are_shown_in_hexadecimal_too() {
    let text = explain(&["header"]).stdout;
    let line = text.lines().find(|line| line.contains("header.columns_offset")).unwrap();
    let place = json_lines(&explain(&["header.columns_offset", "--json"]).stdout)[0]["spans"][0]["value"].clone();
    let place = place.as_u64().unwrap();
    assert!(line.contains(&format!("  {place} ({place:#x})")), "{line}");
    let count = text.lines().find(|line| line.contains("header.column_count")).unwrap();
    assert!(!count.contains("(0x"), "{count}");
}

#[test]
fn findings_about_other_parts_are_counted() {
    let part = run(&["explain", "idx/bad/trailing-one.idx", "dims"]);
    assert!(part.stdout.ends_with("1 finding about the rest of the file\n"), "{}", part.stdout);
}
