//! Files at URLs. The tests of `ndbytes-stores` cover misbehaving servers.

use crate::support::{error, program, project, rows, run, session};
use ndbytes::idv::{ColumnType, Compression, ItemType, NewColumn, Values, Writer};
use ndbytes_engine::stores::object_store::memory::InMemory;
use ndbytes_engine::stores::object_store::path::Path;
use ndbytes_engine::stores::object_store::{ObjectStore, ObjectStoreExt};
use ndbytes_testkit::stores::{Asked, Server, honest};
use std::sync::Arc;
use std::time::Duration;

/// A table that is too long to be read at once, mainly because of one column.
fn wide_table() -> Vec<u8> {
    let folder = tempfile::tempdir().expect("a folder is made");
    let path = folder.path().join("wide.idv");
    let columns = [
        NewColumn::new("Id", ColumnType::scalar(ItemType::I64)),
        NewColumn::new("Wide", ColumnType::vector(ItemType::F32, [64])),
    ];
    let mut file = Writer::new(columns).compression(Compression::NONE).create(&path).expect("a table is made");
    let wide = Values::dense(vec![0.5_f32; 64 * 20_000], 64).expect("rows have 64 items");
    file.write(&[Values::scalars((0..20_000_i64).collect::<Vec<_>>()), wide]).expect("rows are written");
    file.finish().expect("the table is finished");
    std::fs::read(&path).expect("the table is read")
}

/// An array of 400,000 items, which is more than is read from a file at once.
fn large() -> Vec<u8> {
    let mut bytes = vec![0, 0, 0x0c, 1];
    bytes.extend(400_000_u32.to_be_bytes());
    bytes.extend((0..400_000_u32).flat_map(u32::to_be_bytes));
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn the_structure_of_a_file_on_a_web_server_is_checked_with_three_requests() {
    let bytes = wide_table();
    for function in ["findings", "files"] {
        let server = Server::start([("/wide.idv", bytes.clone())]);
        let query = format!("SELECT count(*) FROM {function}('{}', 'structure')", server.url("/wide.idv"));
        let expected = if function == "files" { "1" } else { "0" };
        assert_eq!(rows(&session(1), &query).await, [expected]);
        let requests = server.requests();
        assert!(requests.len() <= 3, "{requests:#?}");
        assert!(server.bytes() < 100_000);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_of_a_table_on_a_web_server_are_counted_with_two_requests() {
    let server = Server::start([("/wide.idv", wide_table())]);
    let query = format!("SELECT count(*) FROM idv('{}')", server.url("/wide.idv"));
    assert_eq!(rows(&session(2), &query).await, ["20000"]);
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{requests:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn items_that_are_not_wanted_are_not_read() {
    let server = Server::start([("/x.idx", large())]);
    let query = format!("SELECT value FROM array('{}') WHERE axis_0 = 300000", server.url("/x.idx"));
    assert_eq!(rows(&session(2), &query).await, ["300000"]);
    let sent = server.bytes();
    assert!(sent < 800_000, "{sent} of 1,600,008 bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_array_on_a_web_server_is_an_array() {
    let server = Server::start([("/x.idx", large())]);
    let query = format!("SELECT count(*), sum(value) FROM array('{}')", server.url("/x.idx"));
    assert_eq!(rows(&session(2), &query).await, ["400000|79999800000"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_on_a_web_server_is_a_table() {
    let bytes = std::fs::read(project("samples/trees.idv")).expect("the sample is read");
    let server = Server::start([("/trees.idv", bytes)]);
    let query = format!(r#"SELECT "Name" FROM idv('{}') LIMIT 1"#, server.url("/trees.idv"));
    assert_eq!(rows(&session(1), &query).await, ["pine"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_that_are_not_wanted_are_not_read() {
    let bytes = wide_table();
    let length = bytes.len();
    let server = Server::start([("/wide.idv", bytes)]);
    let query = format!(r#"SELECT sum("Id") FROM idv('{}')"#, server.url("/wide.idv"));
    assert_eq!(rows(&session(1), &query).await, ["199990000"]);
    let sent = server.bytes();
    assert!(length > 5_000_000 && sent < 1_000_000, "{sent} of {length} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_ranges_or_without_the_file_is_refused() {
    let server = Server::answering([("/x.idx", large())], |number, asked, file| {
        honest(number, &Asked { range: None, ..asked.clone() }, file)
    });
    let session = session(1);
    let refused = error(&session, &format!("SELECT * FROM array('{}')", server.url("/x.idx"))).await;
    assert!(refused.contains("does not support range requests"), "{refused}");
    let missing = error(&session, &format!("SELECT * FROM array('{}')", server.url("/y.idx"))).await;
    assert!(missing.contains("no such file") && missing.contains("y.idx"), "{missing}");
}

#[tokio::test(flavor = "multi_thread")]
async fn objects_of_a_registered_store_are_files() {
    let store = Arc::new(InMemory::new());
    store.put(&Path::from("a/x.idx"), large().into()).await.expect("the object is stored");
    store.put(&Path::from("empty"), Vec::new().into()).await.expect("the object is stored");
    ndbytes_engine::stores::register("memory://bucket/", store as Arc<dyn ObjectStore>);
    let session = session(2);
    assert_eq!(rows(&session, "SELECT max(value) FROM array('memory://bucket/a/x.idx')").await, ["399999"]);
    let query = "SELECT unnest(ndbytes_check(p))['rule'] FROM (VALUES ('memory://bucket/empty'), ('memory://bucket/none')) AS m(p)";
    assert_eq!(rows(&session, query).await, ["unknown-format", "unreadable"]);
}

/// A server with the objects of a bucket, in S3's protocol.
fn bucket() -> Server {
    let sample = |name: &str| std::fs::read(project(name)).expect("the sample is read");
    Server::start([
        ("/bucket/lake/a.idv", sample("samples/trees.idv")),
        ("/bucket/lake/b%20c.idv", sample("samples/trees.idv")),
        ("/bucket/lake/x.b2nd", sample("samples/temperatures.b2nd")),
    ])
}

/// The answer of the program to a query about the bucket, as CSV without the header.
fn ask(server: &Server, query: &str) -> Result<String, String> {
    let endpoint = format!("http://{}", server.address);
    let mut command = program();
    command.args(["sql", "--format", "csv", "--store-option", "aws_region=eu-west-1", query]);
    command.env("AWS_ENDPOINT_URL", endpoint).env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "secret");
    let output = run(&mut command, Duration::from_secs(120));
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).lines().skip(1).collect::<Vec<_>>().join("\n")),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[test]
fn objects_of_s3_are_files_folders_and_patterns() {
    let server = bucket();
    let cases = [
        ("SELECT count(*) FROM idv('s3://bucket/lake/a.idv')", "4"),
        ("SELECT count(*) FROM idv('s3://bucket/lake/b c.idv')", "4"),
        (r#"SELECT count("Name") FROM idv('s3://bucket/lake/*.idv')"#, "8"),
        ("SELECT count(*) FROM idv('s3://bucket/lake/?.idv')", "4"),
        ("SELECT format, count(*) FROM files('s3://bucket/lake/') GROUP BY 1 ORDER BY 1", "b2nd,1\nidv,2"),
        (
            "SELECT path FROM files('s3://bucket/lake/', 'structure') WHERE path LIKE '%x.b2nd'",
            "s3://bucket/lake/x.b2nd",
        ),
        ("SELECT sum(axis_1) FROM array('s3://bucket/lake/*.b2nd') WHERE axis_0 = 5", "15"),
    ];
    for (query, expected) in cases {
        assert_eq!(ask(&server, query).as_deref(), Ok(expected), "{query}");
    }
    let missing = ask(&server, "SELECT * FROM idv('s3://bucket/lake/none.idv')").expect_err("the object is missing");
    assert!(missing.starts_with("error: s3://bucket/lake/none.idv: "), "{missing}");
    let none = ask(&server, "SELECT * FROM idv('s3://bucket/lake/*.npy')").expect_err("no object fits");
    assert!(none.contains("no file matches \"s3://bucket/lake/*.npy\""), "{none}");
}

#[test]
fn an_option_that_no_store_has_is_refused() {
    for (option, expected) in [("colour=blue", "\"colour\" is not an option of S3"), ("colour", "expected KEY=VALUE")] {
        let mut command = program();
        let output = run(command.args(["sql", "--store-option", option, "SELECT 1"]), Duration::from_secs(60));
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && complaint.contains(expected), "{complaint}");
    }
}
