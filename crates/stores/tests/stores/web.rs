//! Files on web servers.

use ndbytes::archive::Archive;
use ndbytes::{Error, File, Input, Limits, Options};
use ndbytes_testkit::project;
use ndbytes_testkit::stores::{Server, honest};
use ndbytes_testkit::zip::{Entry, STORED, zip};

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(project().join("samples").join(name)).unwrap()
}

/// An array of 400,000 items, which is more than is read from a file at once.
pub fn large() -> Vec<u8> {
    let mut bytes = vec![0, 0, 0x0c, 1];
    bytes.extend(400_000_u32.to_be_bytes());
    bytes.extend((0..400_000_u32).flat_map(u32::to_be_bytes));
    bytes
}

/// Opens a URL like a path.
pub fn open(url: &str) -> Result<Input<'static>, Error> {
    ndbytes_stores::serve();
    Input::open(url, Limits::default())
}

/// An error with its causes.
pub fn words(error: &Error) -> String {
    let sources = std::iter::successors(Some(error as &dyn std::error::Error), |error| error.source());
    sources.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

#[test]
fn a_file_is_opened_with_two_requests_at_once() {
    let server = Server::start([("/a%20b/x.idx", large())]);
    let input = open(&server.url("/a%20b/x.idx")).unwrap();
    assert_eq!(input.length(), 1_600_008);
    let mut requests: Vec<_> = server.requests().into_iter().map(|asked| asked.range.unwrap()).collect();
    requests.sort_by_key(|range| range.start);
    assert_eq!(requests, [0..4096, 1_600_008 - 65_568..1_600_008]);
    let File::Array(array) = Options::new().read(input).unwrap() else { panic!("no array") };
    assert_eq!(array.to_array::<i32>().unwrap().iter().map(|&item| i64::from(item)).sum::<i64>(), 79_999_800_000);
}

#[test]
fn a_short_file_is_read_by_its_first_answer() {
    let server = Server::start([("/trees.idv", sample("trees.idv")), ("/empty", Vec::new())]);
    let File::Table(table) = Options::new().read(open(&server.url("/trees.idv")).unwrap()).unwrap() else {
        panic!("no table")
    };
    assert_eq!((table.rows(), server.requests().len()), (4, 2));
    assert_eq!(open(&server.url("/empty")).unwrap().length(), 0);
}

#[test]
fn a_path_with_spaces_and_a_query_is_sent_as_it_is() {
    let server = Server::start([("/a%20b.ra?key=1%2F2", sample("surface.ra"))]);
    assert_eq!(open(&server.url("/a b.ra?key=1%2F2#part")).unwrap().length(), 160);
}

#[test]
fn a_member_of_an_archive_is_addressed_as_in_a_file() {
    let archive = zip(&[Entry::new("g/surface.ra", &sample("surface.ra"), STORED)]);
    let server = Server::start([("/model.zip", archive)]);
    let address = server.url("/model.zip!g/surface.ra");
    assert_eq!(open(&address).unwrap().length(), 160);
    let archive = Archive::read(open(&server.url("/model.zip")).unwrap(), Limits::default()).unwrap();
    assert_eq!(archive.address(&archive.members()[0]).to_str(), Some(address.as_str()));
    let missing = open(&server.url("/model.zip!h")).unwrap_err();
    assert!(matches!(missing, Error::NoEntry { .. }), "{missing}");
}

#[test]
fn a_missing_file_is_not_found() {
    let server = Server::start([]);
    let error = open(&server.url("/x!y")).unwrap_err();
    assert!(matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound), "{error}");
    assert!(words(&error).contains("no such file"), "{}", words(&error));
}

#[test]
fn a_server_without_ranges_is_refused() {
    let server = Server::answering([("/x.idx", large())], |number, asked, file| {
        honest(number, &ndbytes_testkit::stores::Asked { range: None, ..asked.clone() }, file)
    });
    let error = open(&server.url("/x.idx")).unwrap_err();
    assert!(words(&error).contains("does not support range requests"), "{}", words(&error));
}

#[test]
fn a_server_without_ranges_from_the_end_is_asked_for_the_last_bytes() {
    let server = Server::answering([("/x.idx", large())], |number, asked, file| match &asked.range {
        Some(range) if range.end == 1_600_008 && number < 2 => {
            b"HTTP/1.1 501 Not Implemented\r\nContent-Length: 0\r\n\r\n".to_vec()
        }
        _ => honest(number, asked, file),
    });
    assert_eq!(open(&server.url("/x.idx")).unwrap().length(), 1_600_008);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn a_server_that_sends_on_is_followed() {
    let target = Server::start([("/real.idx", large())]);
    let location = target.url("/real.idx");
    let server = Server::answering([], move |_, _, _| moved(&location));
    let array = Options::new().read(open(&server.url("/x.idx")).unwrap()).unwrap().into_array().unwrap();
    assert_eq!(array.to_array::<i32>().unwrap().len(), 400_000);
    // Once the target is known, requests go directly to it.
    assert_eq!(server.requests().len(), 2);
}

fn moved(location: &str) -> Vec<u8> {
    format!("HTTP/1.1 302 Found\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n").into_bytes()
}

#[test]
fn a_server_that_sends_on_for_ever_or_elsewhere_is_refused() {
    for (location, said) in [
        ("/again", "redirects more than 5 times"),
        ("file:///etc/passwd", "redirects to file://, which is not supported"),
        ("ftp://example.com/", "redirects to ftp://, which is not supported"),
    ] {
        let server = Server::answering([], move |_, _, _| moved(location));
        let error = open(&server.url("/x.idx")).unwrap_err();
        assert!(words(&error).contains(said), "{}", words(&error));
    }
}

/// The server does not support TLS, so its answer is invalid for `https://`.
#[test]
fn a_server_without_tls_is_refused_at_an_url_that_needs_it() {
    let server = Server::start([("/x.idx", large())]);
    open(&server.url("/x.idx").replace("http://", "https://")).unwrap_err();
    assert_eq!(server.requests(), []);
}

#[test]
fn an_url_with_a_password_is_refused() {
    let server = Server::start([("/x.idx", large())]);
    let error = open(&server.url("/x.idx").replace("http://", "http://me:secret@")).unwrap_err();
    assert!(words(&error).contains("name or password are not supported"), "{}", words(&error));
    assert_eq!(server.requests(), []);
}

#[test]
fn a_scheme_that_nobody_serves_is_named() {
    let error = open("gopher://example.com/x.idx").unwrap_err();
    assert!(words(&error).contains("gopher:// is not supported"), "{}", words(&error));
}

#[test]
fn a_local_path_may_be_an_url() {
    let path = project().join("samples/surface.ra");
    assert_eq!(open(&format!("file://{}", path.display())).unwrap().length(), 160);
}

#[test]
fn nothing_is_written_to_a_store() {
    let server = Server::start([]);
    ndbytes_stores::serve();
    let error = ndbytes::AtomicFile::create(server.url("/x.idx")).unwrap_err();
    assert!(words(&error).contains("cannot write to a URL"), "{}", words(&error));
}
