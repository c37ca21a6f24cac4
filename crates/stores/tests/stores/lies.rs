//! Servers whose answers do not match the requests.

use crate::web::{large, words};
use ndbytes::{Array, Input, Limits, Options};
use ndbytes_testkit::stores::{Asked, Server, honest, part};
use std::ops::Range;
use std::time::Duration;

/// How a server lies: a function that makes an answer from the number of the request, the requested range, and the file.
type Lie = fn(usize, Range<usize>, &[u8]) -> Vec<u8>;

/// Returns the error of reading an array from a lying server, without a time limit.
fn refusal(lie: Lie) -> String {
    refusal_within(lie, Duration::from_secs(3600))
}

fn refusal_within(lie: Lie, time: Duration) -> String {
    let server =
        Server::answering([("/x.idx", large())], move |number, asked: &Asked, file| match asked.range.clone() {
            Some(range) if !range.is_empty() => lie(number, range, file.unwrap()),
            _ => honest(number, asked, file),
        });
    ndbytes_stores::serve();
    let limits = Limits::default().time(time);
    let array =
        Input::open(server.url("/x.idx"), limits).and_then(|it| Array::read(it, &Options::new().limits(limits)));
    let read = array.and_then(|array| array.bytes().map(|bytes| bytes.len()));
    words(&read.expect_err("a lie is refused"))
}

fn honestly(headers: &str, range: Range<usize>, file: &[u8]) -> Vec<u8> {
    part(headers, range.start, file.len(), &file[range])
}

#[test]
fn an_answer_with_another_start_is_refused() {
    let refused = refusal(|_, range, file| match range.start {
        0 => honestly("", range, file),
        _ => part("", range.start - 1000, file.len(), &file[range.start - 1000..range.end - 1000]),
    });
    assert!(refused.contains("but the server returned bytes"), "{refused}");
}

#[test]
fn an_answer_with_more_than_was_requested_is_refused_before_it_is_read() {
    let refused = refusal(|_, _, file| {
        let claimed = 3_usize << 30;
        let head = format!("HTTP/1.1 206 P\r\nContent-Range: bytes 0-{}/{claimed}\r\n", claimed - 1);
        [format!("{head}Content-Length: {claimed}\r\n\r\n").as_bytes(), file].concat()
    });
    assert!(refused.contains("requested bytes 0 to 4096 of 3221225472, but the server"), "{refused}");
}

#[test]
fn an_answer_that_goes_on_is_refused() {
    let refused = refusal(|_, range, file| {
        let head =
            format!("HTTP/1.1 206 P\r\nContent-Range: bytes {}-{}/{}\r\n\r\n", range.start, range.end - 1, file.len());
        [head.as_bytes(), &file[range], &[0; 1 << 20]].concat()
    });
    assert!(refused.contains("the answer has more than its stated 4096 bytes"), "{refused}");
}

#[test]
fn a_file_that_changes_between_two_requests_is_refused_by_its_etag() {
    let refused = refusal(|request, range, file| honestly(&format!("ETag: \"{}\"\r\n", request.min(2)), range, file));
    assert!(refused.contains("the file changed between two requests: its ETag was"), "{refused}");
}

#[test]
fn a_file_that_changes_between_two_requests_is_refused_by_its_time() {
    let refused = refusal(|request, range, file| {
        honestly(&format!("Last-Modified: Wed, 0{} Nov 2026 00:00:00 GMT\r\n", request + 1), range, file)
    });
    assert!(refused.contains("its time of change was Wed, 0"), "{refused}");
}

#[test]
fn a_file_that_grows_between_two_requests_is_refused() {
    let refused = refusal(|request, range, file| match request {
        0 | 1 => honestly("", range, file),
        _ => part("", range.start, file.len() + 1, &file[range]),
    });
    assert!(refused.contains("its length was 1600008 and is 1600009"), "{refused}");
}

#[test]
fn a_body_that_ends_early_is_refused() {
    let lie: Lie = |request, range, file| {
        let mut whole = honestly("", range, file);
        // The server announces more bytes, and waits.
        whole.truncate(if request < 2 { whole.len() } else { whole.len() - 5 });
        whole
    };
    let refused = refusal_within(lie, Duration::from_secs(2));
    assert!(refused.contains("the requests took longer than"), "{refused}");
}

#[test]
fn an_answer_without_a_range_is_refused() {
    let refused = refusal(|_, _, _| b"HTTP/1.1 206 Partial Content\r\nContent-Length: 3\r\n\r\nabc".to_vec());
    assert!(refused.contains("does not state the range that it returns"), "{refused}");
}

#[test]
fn an_error_of_the_server_is_named() {
    let refused = refusal(|_, _, _| b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n".to_vec());
    assert!(refused.contains("the server answered 503"), "{refused}");
}
