//! Tests of `idv()`: tables of IDV files.

use crate::support::{corpus, error, project, rows, session, write_table};
use datafusion::prelude::SessionContext;

/// Three files of one table, and a session.
fn tables() -> (tempfile::TempDir, String, SessionContext) {
    let folder = tempfile::tempdir().expect("a folder is made");
    for (name, first, count) in [("a.idv", 0, 2500), ("b.idv", 2500, 1), ("c.idv", 2501, 4000)] {
        write_table(folder.path(), name, first, count);
    }
    let pattern = folder.path().join("*.idv").to_str().expect("the path is text").to_owned();
    (folder, pattern, session(3))
}

#[tokio::test]
async fn several_files_are_one_table() {
    let (_folder, pattern, session) = tables();
    let query = format!(r#"SELECT count(*), min("Id"), max("Id"), sum("Id"), sum("Pair"[1]) FROM idv('{pattern}')"#);
    assert_eq!(rows(&session, &query).await, ["6501|0|6500|21128250|21128250.0"]);
}

#[tokio::test]
async fn a_folder_is_the_table_of_its_files() {
    let (folder, _, session) = tables();
    let query = format!(r#"SELECT count("Id") FROM idv('{}')"#, folder.path().display());
    assert_eq!(rows(&session, &query).await, ["6501"]);
}

#[tokio::test]
async fn keys_are_text_and_the_missing_key_is_null() {
    let (_folder, pattern, session) = tables();
    let query = format!(r#"SELECT "Colour", count(*) FROM idv('{pattern}') GROUP BY 1 ORDER BY 1"#);
    let expected = |remainder: u64| (0..6501_u64).filter(|id| id % 7 != 0 && id % 3 == remainder).count();
    let missing = (0..6501).filter(|id| id % 7 == 0).count();
    let expected = [
        format!("blue|{}", expected(2)),
        format!("green|{}", expected(1)),
        format!("red|{}", expected(0)),
        format!("-|{missing}"),
    ];
    assert_eq!(rows(&session, &query).await, expected);
}

#[tokio::test]
async fn keys_are_numbers_if_that_is_asked_for() {
    let (_folder, pattern, session) = tables();
    let query =
        format!(r#"SELECT "Colour" FROM idv('{pattern}', 'keys=raw') WHERE "Id" IN (0, 1, 2, 3) ORDER BY "Id""#);
    assert_eq!(rows(&session, &query).await, ["-", "2", "3", "1"]);
}

#[tokio::test]
async fn the_number_of_rows_needs_no_scan() {
    let (_folder, pattern, session) = tables();
    let plan = rows(&session, &format!("EXPLAIN SELECT count(*) FROM idv('{pattern}')")).await.join("\n");
    assert!(!plan.contains("NdbytesExec") && plan.contains("6501"), "{plan}");
}

#[tokio::test]
async fn a_table_is_cut_at_whole_blocks() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let path = write_table(folder.path(), "a.idv", 0, 20_000);
    let session = session(3);
    let plan = rows(&session, &format!(r#"EXPLAIN SELECT "Id" FROM idv('{}') WHERE "Id" > 5"#, path.display())).await;
    let plan = plan.join("\n");
    // The files have nine, nine and two blocks of 1,000 rows.
    assert!(plan.contains("partitions=3, partition_sizes=[1, 1, 1]"), "{plan}");
    let query = format!(r#"SELECT count("Id"), count(DISTINCT "Id") FROM idv('{}')"#, path.display());
    assert_eq!(rows(&session, &query).await, ["20000|20000"]);
}

#[tokio::test]
async fn a_limit_stops_before_later_files() {
    let (folder, pattern, _) = tables();
    let session = session(1);
    let query = format!(r#"SELECT "Id" FROM idv('{pattern}') LIMIT 3"#);
    let plan = rows(&session, &format!("EXPLAIN {query}")).await.join("\n");
    assert!(plan.contains("limit=3"), "{plan}");
    // The plan is made while all files exist, but the second file is gone when it runs.
    let frame = session.sql(&query).await.expect("the query is planned");
    let plan = frame.create_physical_plan().await.expect("the plan is made");
    std::fs::remove_file(folder.path().join("b.idv")).expect("the file is removed");
    let batches = datafusion::physical_plan::collect(plan, session.task_ctx()).await.expect("the limit comes first");
    assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 3);
}

#[tokio::test]
async fn a_file_with_other_columns_is_refused_by_name() {
    let (folder, pattern, session) = tables();
    std::fs::copy(project("samples/trees.idv"), folder.path().join("d.idv")).expect("the file is copied");
    let error = error(&session, &format!(r#"SELECT "Id" FROM idv('{pattern}')"#)).await;
    assert!(error.contains("d.idv") && error.contains("Id"), "{error}");
}

#[tokio::test]
async fn a_broken_file_is_refused_with_its_rule() {
    let path = corpus("idv/bad/columns-offset-in-header.idv");
    let error = error(&session(1), &format!("SELECT * FROM idv('{path}')")).await;
    assert!(error.contains("header"), "{error}");
}

#[tokio::test]
async fn every_stored_table_is_answered_or_refused() {
    let session = session(2);
    let mut answered = 0;
    for folder in [corpus("idv"), project("tests/frozen/idv")] {
        for path in walkdir::WalkDir::new(folder).into_iter().filter_map(Result::ok) {
            let path = path.path().to_string_lossy().into_owned();
            if path.ends_with(".idv") && !path.contains('\'') {
                let answer =
                    async { session.sql(&format!("SELECT * FROM idv('{path}')")).await?.collect().await }.await;
                answered += usize::from(answer.is_ok());
            }
        }
    }
    assert!(answered > 20, "{answered}");
}

#[tokio::test]
async fn an_option_that_is_not_known_is_refused_with_those_that_are() {
    let path = project("samples/trees.idv");
    let session = session(1);
    let unknown = error(&session, &format!("SELECT * FROM idv('{path}', 'keys=blue')")).await;
    assert!(unknown.contains("dictionary, text, raw"), "{unknown}");
    let unknown = error(&session, &format!("SELECT * FROM idv('{path}', 'colour=blue')")).await;
    assert!(unknown.contains("keys, times, sparse, text"), "{unknown}");
    let missing = error(&session, "SELECT * FROM idv('/no/such/*.idv')").await;
    assert!(missing.contains("no file matches"), "{missing}");
}
