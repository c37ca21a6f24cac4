//! A local web server with several files, which lists them according to S3's protocol.
//!
//! Tests of stores must not depend on a network. The server is honest unless a test provides its own answers, such as
//! wrong ranges, redirects, or a file that changes between two requests.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request: its method, its target, and the requested range, if the target is a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    pub method: String,
    pub target: String,
    pub range: Option<Range<usize>>,
    /// The value of the header `Authorization`.
    pub authorization: Option<String>,
}

/// A function that makes an answer from the number of the request, the request, and its file.
pub type Answer = dyn Fn(usize, &Asked, Option<&[u8]>) -> Vec<u8> + Send + Sync;

/// The server. It answers until the test ends.
pub struct Server {
    pub address: SocketAddr,
    requests: Arc<Mutex<Vec<Asked>>>,
    bytes: Arc<AtomicUsize>,
}

impl Server {
    /// Starts a server of files, given by their targets in requests.
    pub fn start<'f>(files: impl IntoIterator<Item = (&'f str, Vec<u8>)>) -> Self {
        Server::answering(files, honest)
    }

    /// Starts a server with custom answers.
    pub fn answering<'f>(
        files: impl IntoIterator<Item = (&'f str, Vec<u8>)>,
        answer: impl Fn(usize, &Asked, Option<&[u8]>) -> Vec<u8> + Send + Sync + 'static,
    ) -> Self {
        let files: BTreeMap<String, Vec<u8>> =
            files.into_iter().map(|(target, file)| (target.to_owned(), file)).collect();
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let (address, requests, bytes) = (listener.local_addr().unwrap(), Arc::default(), Arc::default());
        let served = Arc::new(Served { files, answer: Box::new(answer), count: AtomicUsize::new(0) });
        let (log, sent) = (Arc::clone(&requests), Arc::clone(&bytes));
        thread::spawn(move || {
            for stream in listener.incoming().filter_map(Result::ok) {
                let (served, log, sent) = (served.clone(), Arc::clone(&log), Arc::clone(&sent));
                thread::spawn(move || serve(stream, &served, &log, &sent));
            }
        });
        Server { address, requests, bytes }
    }

    /// The URL of a file.
    pub fn url(&self, target: &str) -> String {
        format!("http://{}{target}", self.address)
    }

    /// Returns the requests since the last call.
    pub fn requests(&self) -> Vec<Asked> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }

    /// Returns the total length of the answers since the last call.
    pub fn bytes(&self) -> usize {
        self.bytes.swap(0, Ordering::Relaxed)
    }
}

struct Served {
    files: BTreeMap<String, Vec<u8>>,
    answer: Box<Answer>,
    count: AtomicUsize,
}

fn serve(mut stream: TcpStream, served: &Served, log: &Mutex<Vec<Asked>>, sent: &AtomicUsize) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut request = String::new();
        if reader.read_line(&mut request).ok()? == 0 {
            return Some(());
        }
        let mut words = request.split(' ').map(str::to_owned);
        let (method, target) = (words.next()?, words.next()?);
        let file = served.files.get(&target);
        let (mut range, mut authorization) = (None, None);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            match name.to_ascii_lowercase().as_str() {
                "range" => range = wanted(value, file.map_or(0, Vec::len)),
                "authorization" => authorization = Some(value.to_owned()),
                _ => {}
            }
        }
        let asked = Asked { method, target, range, authorization };
        log.lock().ok()?.push(asked.clone());
        let listed = file.is_none().then(|| list(&asked.target, served)).flatten();
        let number = served.count.fetch_add(1, Ordering::Relaxed);
        let answer = match listed {
            Some(list) => whole(list.as_bytes()),
            None => (served.answer)(number, &asked, file.map(Vec::as_slice)),
        };
        sent.fetch_add(answer.len(), Ordering::Relaxed);
        stream.write_all(&answer).ok()?;
    }
}

/// The bytes that a `Range` header requests.
fn wanted(value: &str, length: usize) -> Option<Range<usize>> {
    match value.strip_prefix("bytes=")?.split_once('-')? {
        ("", suffix) => Some(length.saturating_sub(suffix.parse().ok()?)..length),
        (first, "") => Some(first.parse().ok()?..length),
        (first, last) => Some(first.parse().ok()?..length.min(last.parse::<usize>().ok()? + 1)),
    }
}

/// The answer of an honest server.
pub fn honest(_: usize, asked: &Asked, file: Option<&[u8]>) -> Vec<u8> {
    match (file, &asked.range) {
        (None, _) => b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".to_vec(),
        (Some(file), _) if asked.method == "HEAD" => {
            format!("HTTP/1.1 200 OK\r\n{DATE}Content-Length: {}\r\n\r\n", file.len()).into_bytes()
        }
        (Some(file), Some(range)) if range.start >= range.end => format!(
            "HTTP/1.1 416 Range Not Satisfiable\r\nContent-Range: bytes */{}\r\nContent-Length: 0\r\n\r\n",
            file.len()
        )
        .into_bytes(),
        (Some(file), Some(range)) => part(DATE, range.start, file.len(), &file[range.clone()]),
        (Some(file), None) => whole(file),
    }
}

/// The time of the last change, which stores must state.
const DATE: &str = "Last-Modified: Sun, 01 Nov 2026 00:00:00 GMT\r\n";

/// An answer with a whole file.
pub fn whole(file: &[u8]) -> Vec<u8> {
    [format!("HTTP/1.1 200 OK\r\n{DATE}Content-Length: {}\r\n\r\n", file.len()).as_bytes(), file].concat()
}

/// An answer that claims to have the bytes of a file from `first` on.
pub fn part(headers: &str, first: usize, size: usize, body: &[u8]) -> Vec<u8> {
    let (last, length) = (first + body.len() - 1, body.len());
    let head = format!(
        "HTTP/1.1 206 Partial Content\r\n{headers}Content-Range: bytes {first}-{last}/{size}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// The list of the objects in a bucket with a key prefix, in S3's format.
fn list(target: &str, served: &Served) -> Option<String> {
    let (bucket, query) = target.split_once('?')?;
    if !query.contains("list-type=2") {
        return None;
    }
    let prefix = query.split('&').find_map(|pair| pair.strip_prefix("prefix=")).unwrap_or_default().replace("%2F", "/");
    let bucket = format!("{}/", bucket.trim_end_matches('/'));
    let keys = served.files.iter().filter_map(|(target, file)| Some((target.strip_prefix(&bucket)?, file)));
    let keys = keys.filter(|(key, _)| key.starts_with(&prefix)).map(|(key, file)| {
        format!(
            "<Contents><Key>{}</Key><LastModified>2026-11-01T00:00:00Z</LastModified><Size>{}</Size></Contents>",
            key.replace("%20", " "),
            file.len()
        )
    });
    Some(format!("<ListBucketResult><IsTruncated>false</IsTruncated>{}</ListBucketResult>", keys.collect::<String>()))
}
