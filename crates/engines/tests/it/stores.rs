//! Files at URLs.

use crate::support::{error, project, rows, session};
#[cfg(feature = "cloud")]
use crate::support::{program, run};
use ndbytes::idv::{ColumnType, Compression, ItemType, NewColumn, Values, Writer};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// A web server that gives ranges, and keeps the requests.
struct Server {
    address: String,
    requests: Arc<Mutex<Vec<String>>>,
    bytes: Arc<AtomicUsize>,
}

impl Server {
    fn start(files: HashMap<String, Vec<u8>>, with_ranges: bool) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let address = listener.local_addr().expect("it has an address").to_string();
        let (requests, bytes) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicUsize::new(0)));
        let (files, kept, sent) = (Arc::new(files), requests.clone(), bytes.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                let (files, kept, sent) = (files.clone(), kept.clone(), sent.clone());
                std::thread::spawn(move || serve(stream, &files, with_ranges, &kept, &sent));
            }
        });
        Server { address, requests, bytes }
    }

    fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.requests.lock().expect("no server fails"))
    }
}

fn serve(
    stream: TcpStream,
    files: &HashMap<String, Vec<u8>>,
    with_ranges: bool,
    kept: &Mutex<Vec<String>>,
    sent: &AtomicUsize,
) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut stream = stream;
    loop {
        let (mut request, mut range) = (String::new(), None);
        if reader.read_line(&mut request).ok()? == 0 {
            return Some(());
        }
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            if let Some(value) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
                let (first, last) = value.trim().split_once('-')?;
                range = Some((first.parse::<usize>().ok()?, last.parse::<usize>().ok()?));
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let range = range.filter(|_| with_ranges);
        kept.lock().ok()?.push(format!("{} {range:?}", request.trim()));
        let path = request.split(' ').nth(1)?.to_owned();
        let answer = match (files.get(&path), range) {
            (None, _) => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
            (Some(file), Some((first, last))) => {
                let last = last.min(file.len() - 1);
                let body = &file[first..=last];
                let head = format!(
                    "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes {first}-{last}/{}\r\nContent-Length: {}\r\n\r\n",
                    file.len(),
                    body.len()
                );
                [head.as_bytes(), body].concat()
            }
            (Some(file), None) => {
                [format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", file.len()).as_bytes(), file].concat()
            }
        };
        sent.fetch_add(answer.len(), Ordering::Relaxed);
        stream.write_all(&answer).ok()?;
    }
}

/// A table that is longer than what is read of a file at once, by one column above all.
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

/// An array of 400,000 items, which is longer than what is read of a file at once.
fn large() -> Vec<u8> {
    let mut bytes = vec![0, 0, 0x0c, 1];
    bytes.extend(400_000_u32.to_be_bytes());
    bytes.extend((0..400_000_u32).flat_map(u32::to_be_bytes));
    bytes
}

#[test]
fn a_file_on_a_web_server_is_opened_with_two_requests() {
    let bytes = wide_table();
    let server = Server::start(HashMap::from([("/a%20b/wide.idv".to_owned(), bytes)]), true);
    let url = format!("http://{}/a%20b/wide.idv", server.address);
    let input = ndbytes_engine::stores::open(&url, ndbytes::Limits::default()).expect("the file is opened");
    let table = ndbytes::idv::Options::new().read(input).expect("the table is opened");
    assert_eq!((table.rows(), table.columns().count()), (20_000, 2));
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{requests:#?}");
    assert!(server.bytes.load(Ordering::Relaxed) < 100_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_structure_of_a_file_on_a_web_server_is_checked_with_three_requests() {
    let bytes = wide_table();
    for function in ["findings", "files"] {
        let server = Server::start(HashMap::from([("/wide.idv".to_owned(), bytes.clone())]), true);
        let query = format!("SELECT count(*) FROM {function}('http://{}/wide.idv', 'structure')", server.address);
        let expected = if function == "files" { "1" } else { "0" };
        assert_eq!(rows(&session(1), &query).await, [expected]);
        let requests = server.requests();
        assert!(requests.len() <= 3, "{requests:#?}");
        assert!(server.bytes.load(Ordering::Relaxed) < 100_000);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rows_of_a_table_on_a_web_server_are_counted_with_two_requests() {
    let server = Server::start(HashMap::from([("/wide.idv".to_owned(), wide_table())]), true);
    let query = format!("SELECT count(*) FROM idv('http://{}/wide.idv')", server.address);
    assert_eq!(rows(&session(2), &query).await, ["20000"]);
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{requests:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn items_that_are_not_wanted_are_not_read() {
    let server = Server::start(HashMap::from([("/x.idx".to_owned(), large())]), true);
    let query = format!("SELECT value FROM array('http://{}/x.idx') WHERE axis_0 = 300000", server.address);
    assert_eq!(rows(&session(2), &query).await, ["300000"]);
    let sent = server.bytes.load(Ordering::Relaxed);
    assert!(sent < 800_000, "{sent} of 1,600,008 bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_array_on_a_web_server_is_an_array() {
    let server = Server::start(HashMap::from([("/x.idx".to_owned(), large())]), true);
    let query = format!("SELECT count(*), sum(value) FROM array('http://{}/x.idx')", server.address);
    assert_eq!(rows(&session(2), &query).await, ["400000|79999800000"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_on_a_web_server_is_a_table() {
    let bytes = std::fs::read(project("samples/trees.idv")).expect("the sample is read");
    let server = Server::start(HashMap::from([("/trees.idv".to_owned(), bytes)]), true);
    let query = format!(r#"SELECT "Name" FROM idv('http://{}/trees.idv') LIMIT 1"#, server.address);
    assert_eq!(rows(&session(1), &query).await, ["pine"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_that_are_not_wanted_are_not_read() {
    let bytes = wide_table();
    let length = bytes.len();
    let server = Server::start(HashMap::from([("/wide.idv".to_owned(), bytes)]), true);
    let query = format!(r#"SELECT sum("Id") FROM idv('http://{}/wide.idv')"#, server.address);
    assert_eq!(rows(&session(1), &query).await, ["199990000"]);
    let sent = server.bytes.load(Ordering::Relaxed);
    assert!(length > 5_000_000 && sent < 1_000_000, "{sent} of {length} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_without_ranges_or_without_the_file_is_refused() {
    let server = Server::start(HashMap::from([("/x.idx".to_owned(), large())]), false);
    let session = session(1);
    let refused = error(&session, &format!("SELECT * FROM array('http://{}/x.idx')", server.address)).await;
    assert!(refused.contains("does not give ranges"), "{refused}");
    let missing = error(&session, &format!("SELECT * FROM array('http://{}/y.idx')", server.address)).await;
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

/// How a server lies: an answer made of the number of the request, the range that was requested, and the file.
type Lie = fn(usize, std::ops::RangeInclusive<usize>, &[u8]) -> Vec<u8>;

/// An honest answer, with more headers.
fn honest(headers: &str, range: std::ops::RangeInclusive<usize>, file: &[u8]) -> Vec<u8> {
    answer(headers, *range.start(), file.len(), &file[range])
}

/// An answer that says it has a file's bytes from `first` on.
fn answer(headers: &str, first: usize, size: usize, body: &[u8]) -> Vec<u8> {
    let (last, length) = (first + body.len() - 1, body.len());
    let head = format!(
        "HTTP/1.1 206 Partial Content\r\n{headers}Content-Range: bytes {first}-{last}/{size}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// The error that reading an array from a lying server ends with.
fn refusal(lie: Lie) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}/x.idx", listener.local_addr().expect("it has an address"));
    std::thread::spawn(move || {
        let (file, asked) = (large(), AtomicUsize::new(0));
        for stream in listener.incoming().filter_map(Result::ok) {
            lie_to(stream, lie, &file, &asked);
        }
    });
    let limits = ndbytes::Limits::default().time(std::time::Duration::from_secs(2));
    let options = ndbytes::Options::new().limits(limits);
    let array = ndbytes_engine::stores::open(&url, limits).and_then(|input| ndbytes::Array::read(input, &options));
    let read = array.and_then(|array| array.bytes().map(|bytes| bytes.len()));
    let error = read.expect_err("a lie is refused");
    let sources = std::iter::successors(Some(&error as &dyn std::error::Error), |error| error.source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

fn lie_to(mut stream: TcpStream, lie: Lie, file: &[u8], asked: &AtomicUsize) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut range = None;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return Some(());
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("range: bytes=") {
            let (first, last) = value.trim().split_once('-')?;
            range = Some(first.parse().ok()?..=last.parse::<usize>().ok()?.min(file.len() - 1));
        }
        if line.trim().is_empty() {
            stream.write_all(&lie(asked.fetch_add(1, Ordering::Relaxed), range.take()?, file)).ok()?;
        }
    }
}

#[test]
fn an_answer_with_another_start_is_refused() {
    let refused = refusal(|request, range, file| match request {
        0 => honest("", range, file),
        _ => answer("", range.start() - 1000, file.len(), &file[range.start() - 1000..=range.end() - 1000]),
    });
    assert!(refused.contains("but answers with bytes"), "{refused}");
}

#[test]
fn an_answer_with_more_than_was_asked_for_is_refused_before_it_is_read() {
    let refused = refusal(|_, _, file| {
        let claimed = 3_usize << 30;
        let head = format!("HTTP/1.1 206 P\r\nContent-Range: bytes 0-{}/{claimed}\r\n", claimed - 1);
        [format!("{head}Content-Length: {claimed}\r\n\r\n").as_bytes(), file].concat()
    });
    assert!(refused.contains("was asked for bytes 0 to 4096 of 3221225472"), "{refused}");
}

#[test]
fn a_file_that_changes_between_two_requests_is_refused_by_its_etag() {
    let refused = refusal(|request, range, file| honest(&format!("ETag: \"{request}\"\r\n"), range, file));
    assert!(refused.contains("the file changed between two requests: its ETag was \"0\" and is \"1\""), "{refused}");
}

#[test]
fn a_file_that_changes_between_two_requests_is_refused_by_its_time() {
    let refused = refusal(|request, range, file| {
        honest(&format!("Last-Modified: Wed, 0{} Nov 2026 00:00:00 GMT\r\n", request + 1), range, file)
    });
    assert!(refused.contains("its version was Wed, 01 Nov"), "{refused}");
}

#[test]
fn a_file_that_grows_between_two_requests_is_refused() {
    let refused = refusal(|request, range, file| answer("", *range.start(), file.len() + request, &file[range]));
    assert!(refused.contains("its length was 1600008 and is 1600009"), "{refused}");
}

#[test]
fn a_body_that_ends_early_is_refused() {
    let refused = refusal(|request, range, file| {
        let mut whole = honest("", range, file);
        // What the server says is longer than what it sends, before it waits.
        whole.truncate(if request == 0 { whole.len() } else { whole.len() - 5 });
        whole
    });
    assert!(refused.contains("the requests took longer than 2s"), "{refused}");
}

#[test]
fn a_redirection_is_refused() {
    let refused =
        refusal(|_, _, _| b"HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n".to_vec());
    assert!(refused.contains("the server answered 302"), "{refused}");
}

/// The objects of a bucket, as a server of S3's protocol gives them: by path, and in a list of those below `lake/`.
#[cfg(feature = "cloud")]
fn bucket() -> Server {
    let sample = |name: &str| std::fs::read(project(name)).expect("the sample is read");
    let mut files = HashMap::from([
        ("/bucket/lake/a.idv".to_owned(), sample("samples/trees.idv")),
        ("/bucket/lake/b%20c.idv".to_owned(), sample("samples/trees.idv")),
        ("/bucket/lake/x.b2nd".to_owned(), sample("samples/temperatures.b2nd")),
    ]);
    let entry = |key: &str| {
        format!("<Contents><Key>{key}</Key><LastModified>2026-11-01T00:00:00Z</LastModified><Size>1</Size></Contents>")
    };
    let list = ["lake/a.idv", "lake/b c.idv", "lake/x.b2nd"].map(entry).concat();
    let list = format!("<ListBucketResult><IsTruncated>false</IsTruncated>{list}</ListBucketResult>");
    files.insert("/bucket?list-type=2&prefix=lake%2F".to_owned(), list.into_bytes());
    Server::start(files, true)
}

/// The answer of the program to a query about the bucket, as CSV without its head.
#[cfg(feature = "cloud")]
fn ask(server: &Server, query: &str) -> Result<String, String> {
    let endpoint = format!("http://{}", server.address);
    let mut command = program();
    command.args(["sql", "--format", "csv", "--store-option", "aws_region=eu-west-1", query]);
    command.env("AWS_ENDPOINT_URL", endpoint).env("AWS_ACCESS_KEY_ID", "key").env("AWS_SECRET_ACCESS_KEY", "secret");
    let output = run(&mut command, std::time::Duration::from_secs(120));
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).lines().skip(1).collect::<Vec<_>>().join("\n")),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}

#[cfg(feature = "cloud")]
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

#[cfg(feature = "cloud")]
#[test]
fn an_option_that_no_store_has_is_refused() {
    for (option, expected) in [("colour=blue", "\"colour\" is no option of S3"), ("colour", "given as KEY=VALUE")] {
        let mut command = program();
        let output =
            run(command.args(["sql", "--store-option", option, "SELECT 1"]), std::time::Duration::from_secs(60));
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && complaint.contains(expected), "{complaint}");
    }
}

/// The server speaks no TLS: its answer is none of a server at `https://`.
#[cfg(feature = "cloud")]
#[test]
fn a_server_without_tls_is_refused_at_an_url_that_needs_it() {
    let server = Server::start(HashMap::from([("/x.idx".to_owned(), large())]), true);
    let url = format!("https://{}/x.idx", server.address);
    let refused = ndbytes_engine::stores::open(&url, ndbytes::Limits::default()).expect_err("it is refused");
    assert!(refused.to_string().contains("x.idx") && server.requests().is_empty(), "{refused}");
}
