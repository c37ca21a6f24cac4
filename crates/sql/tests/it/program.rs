//! The program `ndbytes-engine`.

use crate::support::{answer, program, project, run};
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
use std::process::Command;
use std::time::Duration;

#[test]
fn an_answer_is_a_text_table() {
    let path = project("samples/trees.idv");
    let shown = answer(&["sql", &format!(r#"SELECT "Name", "Evergreen" FROM idv('{path}') LIMIT 2"#)]);
    assert_eq!(shown, "Name  Evergreen\n----  ---------\npine  true\nfir   true\n");
}

#[test]
fn a_text_table_says_that_rows_are_left_out() {
    let path = project("samples/trees.idv");
    let shown = answer(&["sql", "--rows", "1", &format!(r#"SELECT "Name" FROM idv('{path}')"#)]);
    assert_eq!(shown, "Name\n----\npine\n(further rows are not shown: `--rows 0` shows all)\n");
}

#[test]
fn an_answer_is_csv_json_or_an_arrow_stream() {
    let path = project("samples/trees.idv");
    let query = format!(r#"SELECT "Name", "Evergreen" FROM idv('{path}') WHERE "Name" = 'oak'"#);
    assert_eq!(answer(&["sql", "--format", "csv", &query]), "Name,Evergreen\noak,false\n");
    assert_eq!(answer(&["sql", "--format", "json", &query]), "{\"Name\":\"oak\",\"Evergreen\":false}\n");
    let output = run(program().args(["sql", "--format", "arrow", &query]), Duration::from_secs(120));
    let stream =
        datafusion::arrow::ipc::reader::StreamReader::try_new(&output.stdout[..], None).expect("it is a stream");
    assert_eq!(stream.map(|batch| batch.expect("a batch is read").num_rows()).sum::<usize>(), 1);
}

#[test]
fn an_answer_is_a_parquet_file_that_is_a_table_again() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let (path, file) = (project("samples/trees.idv"), folder.path().join("trees.parquet"));
    let output = run(
        program().args(["sql", "--format", "parquet", &format!("SELECT * FROM idv('{path}')")]),
        Duration::from_secs(120),
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::write(&file, &output.stdout).expect("the file is written");
    let table = format!("trees={}", file.display());
    let query = r#"SELECT "Name", "Evergreen" FROM "#;
    let again = answer(&["sql", "--table", &table, &format!("{query} trees")]);
    assert_eq!(again, answer(&["sql", &format!("{query} idv('{path}')")]));
}

#[test]
fn a_plan_has_a_line_for_each_of_its_nodes() {
    let path = project("samples/temperatures.b2nd");
    let shown = answer(&["sql", &format!("EXPLAIN SELECT value FROM array('{path}') WHERE axis_0 = 5 AND value > 7")]);
    let lines: Vec<_> = shown.lines().collect();
    assert_eq!((lines[0], lines.contains(&"physical_plan")), ("logical_plan", true), "{shown}");
    let is_scan =
        |line: &&str| line.trim().starts_with("NdbytesExec: array(") && line.ends_with("wanted=[axis_0 in 5]");
    assert!(lines.iter().any(is_scan), "{shown}");
}

#[test]
fn an_answer_without_rows_has_its_columns() {
    assert_eq!(answer(&["sql", "--format", "csv", "SELECT 1 AS one WHERE false"]), "one\n");
    assert_eq!(answer(&["sql", "SELECT 1 AS one WHERE false"]), "one\n---\n");
}

#[test]
fn text_that_steers_a_terminal_is_escaped() {
    assert_eq!(answer(&["sql", "SELECT chr(27) || '[2J' AS a"]), "a\n---------\n\\u{1b}[2J\n");
}

#[test]
fn a_failure_is_a_sentence_and_status_2() {
    let cases: &[(&[&str], &str)] = &[
        (&["sql", "SELECT * FROM idv('/no/such.idv')"], "\"/no/such.idv\" does not exist"),
        (&["sql", "SELECT * FROM idv(7)"], "the arguments of idv() are texts, such as idv('path')"),
        (&["sql", "COPY (SELECT 1) TO '/tmp/never.csv'"], "DML not supported: COPY"),
        (&["sql", "--table", "m=/no/such.csv", "SELECT 1"], "/no/such.csv: no such file"),
        (&["sql", "--partitions", "0", "SELECT 1"], "a table must be split into at least one part"),
        (&["sql", "SELECT * FROM array('ftp://server/x.npy')"], "ftp:// is not supported"),
    ];
    for (arguments, expected) in cases {
        let output = run(program().args(*arguments), Duration::from_secs(60));
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.starts_with("error: ") && complaint.contains(expected), "{complaint}");
        assert!(output.stdout.is_empty());
    }
}

/// Creates a directory with the files that the pages mention: tables, uploads (one of them broken), and a list of paths.
fn staged() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder is made");
    for (name, column) in [("lake", "Colour"), ("sales", "Label")] {
        let place = folder.path().join(name);
        std::fs::create_dir(&place).expect("a folder is made");
        let columns = [NewColumn::new(column, ColumnType::scalar(ItemType::Bool))];
        let mut table = Writer::new(columns).create(place.join("a.idv")).expect("a table is made");
        table.write(&[Values::scalars(vec![true, false, true])]).expect("rows are written");
        table.finish().expect("the table is finished");
    }
    std::fs::copy(project("samples/temperatures.b2nd"), folder.path().join("grid.b2nd")).expect("the sample is copied");
    std::fs::create_dir(folder.path().join("uploads")).expect("a folder is made");
    let broken = folder.path().join("uploads/a-idx3-ubyte");
    std::fs::copy(project("samples/interrupted-idx3-ubyte"), broken).expect("the sample is copied");
    std::fs::write(folder.path().join("manifest.csv"), "path\nuploads/a-idx3-ubyte\n").expect("the list is written");
    folder
}

/// Cluster commands are an exception: `cluster` tests them with its own ports.
#[test]
fn commands_of_the_pages_run_word_for_word() {
    let folder = staged();
    let mut ran = 0;
    for page in ["docs/src/sql.md", "crates/sql/README.md"] {
        let text = std::fs::read_to_string(project(page)).expect("the page is there");
        let blocks = text.split("```sh\n").skip(1).map(|rest| rest.split("```").next().expect("a block ends"));
        for command in blocks.flat_map(|block| block.replace("\\\n", "").lines().map(str::to_owned).collect::<Vec<_>>())
        {
            assert!(command.starts_with("ndbytes-engine "), "{page}: {command}");
            if command.contains("scheduler") {
                continue;
            }
            let mut shell = Command::new("bash");
            let function = "ndbytes-engine() { \"$PROGRAM\" \"$@\"; }\n";
            shell.args(["-euc", &format!("{function}{command}")]).current_dir(folder.path());
            let output = run(shell.env("PROGRAM", env!("CARGO_BIN_EXE_ndbytes-engine")), Duration::from_secs(120));
            assert!(output.status.success(), "{page}: {command}: {}", String::from_utf8_lossy(&output.stderr));
            // A header, a rule, and at least one row.
            assert!(String::from_utf8_lossy(&output.stdout).lines().count() >= 3, "{page}: {command}");
            ran += 1;
        }
    }
    assert_eq!(ran, 6);
}
