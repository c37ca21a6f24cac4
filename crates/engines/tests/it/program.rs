//! The program `ndbytes-engine`.

use crate::support::{answer, program, project, run};
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
    assert_eq!(shown, "Name\n----\npine\n(further rows are not shown: `--rows 0` shows all of them)\n");
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
        (&["sql", "SELECT * FROM idv('/no/such.idv')"], "there is no file or folder \"/no/such.idv\""),
        (&["sql", "SELECT * FROM idv(7)"], "the arguments of idv() are texts, such as idv('path')"),
        (&["sql", "COPY (SELECT 1) TO '/tmp/never.csv'"], "DML not supported: COPY"),
        (&["sql", "--table", "m=/no/such.csv", "SELECT 1"], "/no/such.csv: no such file"),
        (&["sql", "--partitions", "0", "SELECT 1"], "a table is cut into one part at least"),
        (&["sql", "SELECT * FROM array('s3://bucket/x.npy')"], "no store is registered for s3://"),
    ];
    for (arguments, expected) in cases {
        let output = run(program().args(*arguments), Duration::from_secs(60));
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.starts_with("error: ") && complaint.contains(expected), "{complaint}");
        assert!(output.stdout.is_empty());
    }
}
