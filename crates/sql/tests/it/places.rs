//! Tests of `_file` and `_row`, of tables with other columns, and of files that cannot be read.

use crate::support::{break_inside, error, noisy_array, project, rows, session, write_table};
use ndbytes::idv::{ColumnType, ItemType, NewColumn, Values, Writer};
use std::path::Path;

#[tokio::test]
async fn rows_say_where_they_stand_if_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder is made");
    write_table(folder.path(), "a.idv", 0, 1500);
    write_table(folder.path(), "b.idv", 1500, 500);
    let (session, place) = (session(3), folder.path().display());
    let of = format!("idv('{place}', filename => true)");
    let query = format!(
        r#"SELECT regexp_replace(_file, '.*/', ''), count(*), min(_row), max(_row), max("Id" - _row)
        FROM {of} GROUP BY 1 ORDER BY 1"#
    );
    assert_eq!(rows(&session, &query).await, ["a.idv|1500|0|1499|0", "b.idv|500|0|499|1500"]);
    let first = format!("SELECT * FROM idv('{place}') WHERE \"Id\" = 3");
    assert_eq!(rows(&session, &first).await, ["3|[3.0, 0.5]|red"]);
    let missing = error(&session, &format!("SELECT _file FROM idv('{place}')")).await;
    assert!(missing.contains("_file"), "{missing}");
}

#[tokio::test]
async fn a_column_of_the_file_is_never_hidden_by_one_that_says_where() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let path = folder.path().join("a.idv");
    let columns = [NewColumn::new("_row", ColumnType::scalar(ItemType::I64))];
    let mut file = Writer::new(columns).create(&path).expect("a table is made");
    file.write(&[Values::scalars(vec![7_i64])]).expect("rows are written");
    file.finish().expect("the table is finished");
    let (session, path) = (session(1), path.display());
    assert_eq!(rows(&session, &format!("SELECT _row FROM idv('{path}') WHERE _row = 7")).await, ["7"]);
    let refused = error(&session, &format!("SELECT * FROM idv('{path}', filename => true)")).await;
    assert!(refused.contains("\"_row\" of their own"), "{refused}");
}

#[tokio::test]
async fn arrays_of_a_folder_are_one_table() {
    let folder = tempfile::tempdir().expect("a folder is made");
    noisy_array(folder.path(), "a.npy", &[2, 3]);
    noisy_array(folder.path(), "b.npy", &[4, 5]);
    let (session, place) = (session(3), folder.path().display());
    for of in [place.to_string(), format!("{place}/*.npy")] {
        let query = format!(
            "SELECT regexp_replace(_file, '.*/', ''), count(*), sum(axis_1), max(_row)
            FROM array('{of}', filename => true) WHERE axis_0 > 0 GROUP BY 1 ORDER BY 1"
        );
        assert_eq!(rows(&session, &query).await, ["a.npy|3|3|5", "b.npy|15|30|19"]);
    }
    noisy_array(folder.path(), "c.npy", &[4]);
    let other = error(&session, &format!("SELECT * FROM array('{place}')")).await;
    assert!(other.contains("c.npy") && other.contains("has 1 indices"), "{other}");
}

/// A table of one column.
fn one_column(path: &Path, name: &str, values: Values, item: ItemType) {
    let mut file = Writer::new([NewColumn::new(name, ColumnType::scalar(item))]).create(path).expect("a table is made");
    file.write(&[values]).expect("rows are written");
    file.finish().expect("the table is finished");
}

#[tokio::test]
async fn tables_with_other_columns_are_one_by_name() {
    let folder = tempfile::tempdir().expect("a folder is made");
    write_table(folder.path(), "a.idv", 0, 3);
    one_column(&folder.path().join("b.idv"), "New", Values::scalars(vec![true, false]), ItemType::Bool);
    one_column(&folder.path().join("c.idv"), "Id", Values::scalars(vec![70_i64]), ItemType::I64);
    let place = folder.path().display();
    let session = session(2);
    // Columns are missing from both other files, which are opened in parallel, but the error always names the first one.
    for _ in 0..20 {
        let refused = error(&session, &format!("SELECT * FROM idv('{place}')")).await;
        assert!(refused.contains("b.idv"), "{refused}");
    }
    let query = format!("SELECT * FROM idv('{place}', union_by_name => true) ORDER BY \"Id\", \"New\"");
    let expected =
        ["0|[0.0, 0.5]|-|-", "1|[1.0, 0.5]|green|-", "2|[2.0, 0.5]|blue|-", "70|-|-|-", "-|-|-|false", "-|-|-|true"];
    assert_eq!(rows(&session, &query).await, expected);
    one_column(&folder.path().join("d.idv"), "Id", Values::scalars(vec![1.5_f32]), ItemType::F32);
    let refused = error(&session, &format!("SELECT * FROM idv('{place}', union_by_name => true)")).await;
    assert!(refused.contains("d.idv") && refused.contains("Float32"), "{refused}");
}

#[tokio::test]
async fn a_folder_with_broken_files_is_answered_as_it_is_asked() {
    let folder = tempfile::tempdir().expect("a folder is made");
    write_table(folder.path(), "a.idv", 0, 3000);
    break_inside(&write_table(folder.path(), "b.idv", 3000, 20_000));
    write_table(folder.path(), "c.idv", 23_000, 10);
    let place = folder.path().display().to_string();
    let session = session(3);
    let query = |options: &str| {
        format!(
            r#"SELECT count(*), count("Id"), count("Pair") FROM (SELECT "Id", "Pair" FROM idv('{place}'{options}))"#
        )
    };
    for options in ["", ", on_error => 'fail'", ", 'on_error=fail'"] {
        let failed = error(&session, &query(options)).await;
        assert!(failed.contains("b.idv: the stream does not decode (idv/corrupt-stream, "), "{failed}");
    }
    let counts =
        |row: &[String]| -> Vec<u64> { row[0].split('|').map(|count| count.parse().expect("a count")).collect() };
    let nulls = counts(&rows(&session, &query(", on_error => 'null'")).await);
    let skipped = counts(&rows(&session, &query(", on_error => 'skip'")).await);
    // Only rows in unreadable blocks are lost.
    assert!(nulls[0] == 23_010 && nulls[1] < 23_010 && nulls[1] > 20_000, "{nulls:?}");
    assert!(skipped == [nulls[1]; 3], "{skipped:?}");

    // A file that is not a table at all.
    std::fs::write(folder.path().join("0.txt"), "no table").expect("the file is written");
    let failed = error(&session, &query("")).await;
    assert!(failed.contains("0.txt"), "{failed}");
    assert_eq!(counts(&rows(&session, &query(", on_error => 'skip'")).await), skipped);
    let named = format!(
        r#"SELECT DISTINCT regexp_replace(_file, '.*/', '') FROM idv('{place}', on_error => 'null', filename => true)
        WHERE "Id" IS NULL ORDER BY 1"#
    );
    assert_eq!(rows(&session, &named).await, ["0.txt", "b.idv"]);
    let count = format!("SELECT count(*) FROM idv('{place}', on_error => 'null')");
    assert_eq!(rows(&session, &count).await, ["23011"]);
}

#[tokio::test]
async fn a_folder_with_broken_arrays_is_answered_as_it_is_asked() {
    let folder = tempfile::tempdir().expect("a folder is made");
    std::fs::copy(project("samples/temperatures.b2nd"), folder.path().join("a.b2nd")).expect("the sample is copied");
    std::fs::copy(project("samples/temperatures.b2nd"), folder.path().join("b.b2nd")).expect("the sample is copied");
    break_inside(&folder.path().join("b.b2nd"));
    let (session, place) = (session(2), folder.path().display());
    let query = |options: &str| format!("SELECT value, axis_0, _file FROM array('{place}', filename => true{options})");
    let failed = error(&session, &query("")).await;
    assert!(failed.contains("b.b2nd: stream ") && failed.contains("(b2nd/broken-stream, "), "{failed}");
    let skipped = rows(&session, &query(", on_error => 'skip'")).await;
    let nulls = rows(&session, &query(", on_error => 'null'")).await;
    let broken: Vec<_> = nulls.iter().filter(|row| row.starts_with("-|")).collect();
    assert!(!broken.is_empty() && broken.iter().all(|row| row.ends_with("b.b2nd")), "{broken:?}");
    assert_eq!(skipped.len() + broken.len(), nulls.len());
    let healthy = skipped.iter().filter(|row| row.ends_with("a.b2nd")).count();
    assert_eq!(healthy, 1008);
}

#[tokio::test]
async fn an_option_of_another_function_or_value_is_refused() {
    let (session, path) = (session(1), project("samples/temperatures.b2nd"));
    let cases = [
        ("array", "on_error => 'ignore'", "\"ignore\" is not a value of on_error: fail, skip, null"),
        ("array", "keys => 'raw'", "\"keys\" is not an option of array(): expected on_error, filename"),
        ("files", "on_error => 'skip'", "files() has no option \"on_error\""),
        ("array", "filename => 1 + 1", "is not a value"),
        ("array", "filename => true, 'filename=true'", "the option filename is given twice"),
    ];
    for (function, argument, expected) in cases {
        let refused = error(&session, &format!("SELECT * FROM {function}('{path}', {argument})")).await;
        assert!(refused.contains(expected), "{refused}");
    }
}
