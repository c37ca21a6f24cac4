//! Each cell matches the output of the other commands.

use super::support::{Row, check};
use crate::support::tool::{json_lines, run};
use arrow_schema::{DataType, Field};
use ndbytes::Checker;
use ndbytes_arrow::lake::Table;
use ndbytes_testkit::corpus;
use ndbytes_testkit::project;
use serde_json::{Value, json};
use std::fs;

/// The directories of the corpus: `--unknown error` covers each file in them.
const FOLDERS: [&str; 6] = ["b2nd", "idv", "idx", "npy", "rawarray", "zip"];

fn table(name: &str, arguments: &[&str]) -> Vec<Row> {
    let named = [&["--table", name], arguments, &FOLDERS].concat();
    check(&corpus::root(), b"", &named).rows()
}

/// The objects that `check --json` prints.
fn reports(arguments: &[&str]) -> Vec<Value> {
    json_lines(&run(&[&["check", "--json"], arguments, &FOLDERS].concat()).stdout)
}

#[test]
fn findings_are_those_of_check_json_cell_by_cell() {
    for arguments in [&[][..], &["--profile", "reference", "--unknown", "error"], &["--depth", "structure"]] {
        let rows = table("findings", arguments);
        let mut expected = Vec::new();
        for report in reports(arguments) {
            for finding in report["findings"].as_array().unwrap() {
                let mut row = finding.as_object().unwrap().clone();
                // The path of a row names the member.
                row.remove("member");
                // Tables from earlier versions have no column of remedies, but can still be used.
                row.remove("remedy");
                row.extend(["path", "format"].map(|key| (key.to_owned(), report[key].clone())));
                expected.push(row);
            }
        }
        assert!(rows.len() > 500, "{}", rows.len());
        assert_eq!(rows.len(), expected.len(), "{arguments:?}");
        for (row, expected) in rows.iter().zip(&expected) {
            assert_eq!(row, expected, "{arguments:?}");
        }
    }
}

#[test]
fn the_reaction_of_the_reference_reader_is_the_checkers() {
    for sample in corpus::samples().into_iter().step_by(5) {
        let rows = check(&corpus::root(), b"", &[sample.path.to_str().unwrap()]).rows();
        let report = Checker::new().check(&sample.path).unwrap();
        let expected: Vec<_> = report.findings().iter().map(|it| json!(it.reference.word())).collect();
        assert_eq!(rows.iter().map(|row| row["reference"].clone()).collect::<Vec<_>>(), expected, "{sample}");
    }
}

#[test]
fn files_are_the_reports_of_check_json() {
    let (rows, reports) = (table("files", &[]), reports(&[]));
    // An archive has its own row even if only its members have a report.
    let mut reports = reports.into_iter().peekable();
    for row in &rows {
        let path = row["path"].as_str().unwrap();
        let Some(report) = reports.next_if(|report| report["path"] == *path) else {
            assert!(rows.iter().any(|it| it["path"].as_str().unwrap().starts_with(&format!("{path}!"))), "{path}");
            assert_eq!((&row["verdict"], &row["findings"]), (&json!("ok"), &json!([])), "{path}");
            continue;
        };
        for key in ["format", "verdict"] {
            assert_eq!(row[key], report[key], "{path}");
        }
        let mut reported = report["findings"].clone();
        // The path of a row names the member.
        for finding in reported.as_array_mut().unwrap() {
            let finding = finding.as_object_mut().unwrap();
            finding.remove("member");
            finding.remove("remedy");
        }
        assert_eq!(row["findings"], reported, "{path}");
        let errors = report["findings"].as_array().unwrap().iter();
        let error = errors.filter(|it| it["severity"] == "error").map(|it| &it["message"]).next();
        assert_eq!(&row["error"], error.unwrap_or(&Value::Null), "{path}");
        assert_eq!(row["member"], path.split_once('!').map_or(Value::Null, |(_, name)| json!(name)), "{path}");
        assert_eq!(
            (&row["digest"], row["mtime"].is_null()),
            (&Value::Null, !corpus::root().join(path).is_file()),
            "{path}"
        );
    }
    assert_eq!(reports.next(), None);
}

#[test]
fn files_and_columns_are_what_info_json_says() {
    let (files, columns) = (table("files", &[]), table("columns", &[]));
    let mut from_files = Vec::new();
    for row in &files {
        let path = row["path"].as_str().unwrap();
        for (place, column) in row["columns"].as_array().into_iter().flatten().enumerate() {
            let mut column = column.as_object().unwrap().clone();
            column.extend([("path".to_owned(), json!(path)), ("place".to_owned(), json!(place))]);
            from_files.push(column);
        }
        let ended = run(&["info", "--json", path]);
        // An archive of one member is described as its member.
        let info = json_lines(&ended.stdout).pop().filter(|_| row["format"] != Value::Null);
        let Some(info) = info.filter(|info| info.get("size").is_some()) else {
            assert!(
                ["version", "dtype", "order", "shape", "rows", "columns"].iter().all(|key| row[*key].is_null()),
                "{path}"
            );
            continue;
        };
        assert_eq!((&row["version"], &row["size"]), (&info["version"], &info["size"]), "{path}");
        for key in ["dtype", "order", "shape"] {
            assert_eq!(row[key], info["array"][key], "{path}");
        }
        assert_eq!(row["rows"], info["table"]["rows"], "{path}");
        let mut expected = info["table"]["columns"].clone();
        expected
            .as_array_mut()
            .into_iter()
            .flatten()
            .for_each(|it| drop(it.as_object_mut().unwrap().remove("annotations")));
        assert_eq!(row["columns"], expected, "{path}");
    }
    assert!(columns.len() > 200, "{}", columns.len());
    assert_eq!(columns, from_files);
}

#[test]
fn digests_are_those_of_the_bytes() {
    for row in table("files", &["--digest"]) {
        let path = row["path"].as_str().unwrap();
        let bytes = fs::read(corpus::root().join(path)).ok();
        let digest = bytes.map(|bytes| blake3::hash(&bytes).to_hex()[..32].to_owned());
        assert_eq!(row["digest"], json!(digest), "{path}");
    }
}

#[test]
fn the_page_shows_the_columns_of_each_table() {
    let page = fs::read_to_string(project().join("docs/src/lakes.md")).unwrap();
    for table in Table::ALL {
        let section = page.split(&format!("### {}\n", table.name())).nth(1).unwrap().split("\n#").next().unwrap();
        let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
        let shown: Vec<_> = rows.map(|row| row.split(" | ").take(2).collect::<Vec<_>>().join(" ")).collect();
        let expected: Vec<_> =
            table.schema().fields().iter().map(|it| format!("{}` {}", it.name(), kind(it))).collect();
        assert_eq!(shown, expected, "{}", table.name());
    }
}

/// The type of a column, as written on the page.
fn kind(field: &Field) -> String {
    let kind = match field.data_type() {
        DataType::List(item) if matches!(item.data_type(), DataType::Struct(_)) => "List(Struct)".to_owned(),
        DataType::List(item) => format!("List({})", item.data_type()),
        DataType::Timestamp(_, zone) => format!("Timestamp(ns, {})", zone.as_deref().unwrap()),
        other => other.to_string(),
    };
    kind + if field.is_nullable() { "?" } else { "" }
}
