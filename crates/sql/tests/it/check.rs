//! Tests of `findings()` and `ndbytes_check()`.

use crate::support::{break_inside, corpus, error, project, rows, session, write_table};

#[tokio::test]
async fn findings_are_those_of_the_library() {
    let folder = corpus("npy");
    let mut expected = Vec::new();
    for path in walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter().filter_map(Result::ok) {
        if path.file_type().is_file() {
            let report = ndbytes::check(path.path(), &ndbytes::Limits::default()).expect("a stored file is read");
            let of = |finding: &ndbytes::Finding| {
                let severity = if finding.severity == ndbytes::Severity::Error { "error" } else { "warning" };
                format!("{}|{}|{severity}|{}", path.path().display(), finding.rule.id, finding.offset)
            };
            // Files in unknown formats that are found in a directory have no rows.
            expected.extend(report.findings().iter().filter(|_| !report.is_foreign()).map(of));
        }
    }
    expected.sort();
    let query = format!("SELECT path, rule, severity, \"offset\" FROM findings('{folder}')");
    let mut found = rows(&session(3), &query).await;
    found.sort();
    assert!(!expected.is_empty());
    assert_eq!(found, expected);
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_a_row() {
    let query = "SELECT unnest(ndbytes_check(p))['rule'] FROM (VALUES ('/no/such/file')) AS m(p)";
    assert_eq!(rows(&session(1), query).await, ["unreadable"]);
}

#[tokio::test]
async fn no_path_has_no_findings() {
    let query = "SELECT ndbytes_check(p) IS NULL FROM (VALUES (arrow_cast(NULL, 'Utf8'))) AS m(p)";
    assert_eq!(rows(&session(1), query).await, ["true"]);
}

#[tokio::test]
async fn the_paths_of_a_manifest_are_checked() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let manifest = folder.path().join("manifest.csv");
    let good = project("samples/temperatures.b2nd");
    let bad = project("Cargo.toml");
    std::fs::write(&manifest, format!("path,owner\n{good},ann\n{bad},bob\n{bad},cid\n"))
        .expect("the manifest is written");
    let session = session(2);
    let options = datafusion::prelude::CsvReadOptions::new();
    let manifest = manifest.to_str().expect("the path is text");
    session.register_csv("manifest", manifest, options).await.expect("the manifest is a table");
    let query =
        "SELECT owner, f['rule'] FROM (SELECT owner, unnest(ndbytes_check(path)) AS f FROM manifest) ORDER BY owner";
    assert_eq!(rows(&session, query).await, ["bob|unknown-format", "cid|unknown-format"]);
}

#[tokio::test]
async fn files_are_rows_with_what_they_hold() {
    let session = session(2);
    let query = format!(
        "SELECT regexp_replace(path, '.*/', ''), format, \"rows\" FROM files('{}') ORDER BY 1",
        project("samples")
    );
    let found = rows(&session, &query).await;
    assert!(found.contains(&"trees.idv|idv|4".to_owned()), "{found:#?}");
    assert!(found.contains(&"temperatures.b2nd|b2nd|-".to_owned()), "{found:#?}");
    let query = format!("SELECT name, type FROM columns('{}') ORDER BY place", project("samples/trees.idv"));
    let names: Vec<_> = rows(&session, &query).await;
    assert_eq!(names.len(), 4);
    assert!(names[0].starts_with("Name|"), "{names:#?}");
}

#[tokio::test]
async fn what_is_named_is_judged_and_an_error_names_its_file() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let path = folder.path().to_str().expect("the path is text");
    std::fs::write(folder.path().join("notes.txt"), "notes").expect("the file is written");
    std::fs::copy(project("samples/surface.ra"), folder.path().join("misnamed.npy")).expect("the file is copied");
    let session = session(2);
    let query = format!("SELECT count(*) FROM findings('{path}') WHERE path LIKE '%notes.txt'");
    assert_eq!(rows(&session, &query).await, ["0"]);
    let named = format!("SELECT regexp_replace(path, '.*/', ''), verdict FROM files('{path}/notes.txt')");
    assert_eq!(rows(&session, &named).await, ["notes.txt|error"]);
    let said = error(&session, &format!("SELECT * FROM array('{path}/misnamed.npy')")).await;
    assert!(said.contains("misnamed.npy: ") && said.contains("misnamed"), "{said}");
    std::fs::create_dir(folder.path().join("empty")).expect("the folder is made");
    for (path, why) in [("empty", "contains no files"), ("gone", "does not exist")] {
        let said = error(&session, &format!("SELECT * FROM files('{}/{path}')", folder.path().display())).await;
        assert!(said.contains(why), "{said}");
    }
}

#[tokio::test]
async fn a_verdict_is_null_where_only_the_structure_was_read() {
    let folder = tempfile::tempdir().expect("a folder is made");
    break_inside(&write_table(folder.path(), "values.idv", 0, 20_000));
    write_table(folder.path(), "good.idv", 0, 10);
    std::fs::copy(corpus("idv/bad/columns-offset-in-header.idv"), folder.path().join("header.idv"))
        .expect("the file is copied");
    let of = |depth: &str| {
        let place = folder.path().display();
        format!("SELECT regexp_replace(path, '.*/', ''), verdict FROM files('{place}', '{depth}') ORDER BY 1")
    };
    let session = session(2);
    let payload = rows(&session, &of("payload")).await;
    assert_eq!(payload, ["good.idv|ok", "header.idv|error", "values.idv|error"]);
    let structure = rows(&session, &of("structure")).await;
    assert_eq!(structure, ["good.idv|-", "header.idv|error", "values.idv|-"]);
}
