//! Objects in a store with S3's protocol.

use crate::web::{large, words};
use ndbytes::stores::{Listed, Stat};
use ndbytes::{Input, Limits, Options, ReadRanges};
use ndbytes_stores::Options as StoreOptions;
use ndbytes_testkit::project;
use ndbytes_testkit::stores::{Asked, Server, honest, part};

fn bucket() -> Vec<(&'static str, Vec<u8>)> {
    let sample = |name: &str| std::fs::read(project().join("samples").join(name)).unwrap();
    vec![
        ("/bucket/lake/a.idv", sample("trees.idv")),
        ("/bucket/lake/b%20c.idv", sample("trees.idv")),
        ("/bucket/lake/deep/x.b2nd", sample("temperatures.b2nd")),
        ("/bucket/lake/.git/x", Vec::new()),
        ("/bucket/large.idx", large()),
        ("/bucket/empty", Vec::new()),
    ]
}

fn options(server: &Server) -> StoreOptions {
    let mut options = StoreOptions::new();
    let endpoint = format!("http://{}", server.address);
    for (key, value) in [
        ("aws_endpoint_url", endpoint.as_str()),
        ("AWS_ACCESS_KEY_ID", "key"),
        ("aws_secret_access_key", "secret"),
        ("region", "eu-west-1"),
    ] {
        options.set(key, value).unwrap();
    }
    options
}

/// Runs a closure with the options for this server.
fn within<T>(server: &Server, work: impl FnOnce() -> T) -> T {
    ndbytes_stores::serve();
    ndbytes_stores::with(options(server), work)
}

#[test]
fn an_object_is_opened_with_two_signed_requests_at_once() {
    let server = Server::start(bucket());
    let input = within(&server, || Input::open("s3://bucket/large.idx", Limits::default())).unwrap();
    let requests = server.requests();
    assert_eq!(requests.len(), 2, "{requests:#?}");
    assert!(requests.iter().all(|asked| asked.authorization.as_ref().is_some_and(|it| it.contains("Credential=key/"))));
    // An opened file keeps its options.
    let array = Options::new().read(input).unwrap().into_array().unwrap();
    assert_eq!(array.to_array::<i32>().unwrap()[399_999], 399_999);
}

#[test]
fn objects_without_bytes_or_with_spaces_are_opened() {
    let server = Server::start(bucket());
    let length = |url| within(&server, || Input::open(url, Limits::default())).unwrap().length();
    assert_eq!((length("s3://bucket/empty"), length("s3://bucket/lake/b c.idv")), (0, 777));
}

#[test]
fn folders_and_patterns_are_listed() {
    let server = Server::start(bucket());
    let list = |url| -> Vec<String> {
        let listed = within(&server, || ndbytes::stores::list(url, Limits::default())).unwrap();
        listed.into_iter().map(|file| file.url).collect()
    };
    assert_eq!(list("s3://bucket/lake/*.idv"), ["s3://bucket/lake/a.idv", "s3://bucket/lake/b c.idv"]);
    assert_eq!(list("s3://bucket/lake/?.idv"), ["s3://bucket/lake/a.idv"]);
    assert_eq!(list("s3://bucket/lake/**/*.b2nd"), ["s3://bucket/lake/deep/x.b2nd"]);
    assert_eq!(list("s3://bucket").len(), 6);
    let none: [&str; 0] = [];
    assert_eq!(list("s3://bucket/none/"), none);
    for (url, several) in [("s3://bucket/lake/", true), ("s3://bucket/lake/a.idv", false), ("https://host/a/", false)] {
        assert_eq!(ndbytes::stores::names_several(url), several, "{url}");
    }
}

#[test]
fn a_list_says_how_long_a_file_is_and_when_it_was_changed() {
    let server = Server::start(bucket());
    let listed = within(&server, || ndbytes::stores::list("s3://bucket/lake/a*.idv", Limits::default()));
    let stat = listed.unwrap()[0].stat.unwrap();
    let since_1970 = stat.modified.unwrap().duration_since(std::time::UNIX_EPOCH).unwrap();
    assert_eq!((stat.length, since_1970.as_secs()), (777, 1_793_491_200));
}

#[test]
fn a_file_that_grew_since_it_was_listed_is_opened_as_it_is_now() {
    let server = Server::start(bucket());
    let length = within(&server, || {
        let stat = Stat { length: 700, modified: None };
        ndbytes::stores::expect(&Listed::new("s3://bucket/lake/a.idv").stat(stat));
        Input::open("s3://bucket/lake/a.idv", Limits::default()).unwrap().length()
    });
    assert_eq!((length, server.requests().len()), (777, 3));
}

#[test]
fn names_that_take_more_memory_than_is_granted_are_refused() {
    let server = Server::start(bucket());
    let error = within(&server, || ndbytes::stores::list("s3://bucket/", Limits::default().memory(100))).unwrap_err();
    assert!(error.to_string().contains("exceed the memory limit of 100 bytes"), "{error}");
}

#[test]
fn a_missing_object_is_not_found_and_its_store_says_no_more() {
    let server = Server::start(bucket());
    let error = within(&server, || Input::open("s3://bucket/none", Limits::default())).unwrap_err();
    assert!(words(&error).contains("s3://bucket/none: no such file"));
}

/// The answer of a server that lies.
type Lie = fn(&Asked, &[u8]) -> Vec<u8>;

#[test]
fn a_store_that_lies_is_refused() {
    let lies: [Lie; 3] = [
        // The server sends bytes from another offset.
        |asked, file| {
            let range = asked.range.clone().unwrap();
            part("Last-Modified: Sun, 01 Nov 2026 00:00:00 GMT\r\n", range.start + 1, file.len() + 1, &file[range])
        },
        // The server sends more bytes than announced.
        |asked, file| {
            let (range, size) = (asked.range.clone().unwrap(), file.len());
            let head = format!(
                "HTTP/1.1 206 P\r\nLast-Modified: Sun, 01 Nov 2026 00:00:00 GMT\r\nContent-Range: bytes {}-{}/{size}\r\n\r\n",
                range.start,
                range.end - 1
            );
            [head.as_bytes(), &file[range], &[0; 100]].concat()
        },
        // The server sends the whole object instead of a part.
        |_, file| ndbytes_testkit::stores::whole(file),
    ];
    for lie in lies {
        let server = Server::answering(bucket(), move |number, asked, file| match (file, &asked.range) {
            (Some(file), Some(_)) => lie(asked, file),
            _ => honest(number, asked, file),
        });
        let opened = within(&server, || Input::open("s3://bucket/large.idx", Limits::default()));
        let error = opened.map(|input| input.length()).unwrap_err();
        assert!(matches!(error, ndbytes::Error::Io { .. }), "{error}");
    }
}

#[test]
fn an_url_without_a_bucket_and_an_unknown_option_are_refused() {
    let error = ndbytes_stores::open("s3:///x", StoreOptions::new(), Limits::default()).err().unwrap();
    assert!(error.to_string().contains("has no bucket"), "{error}");
    let error = StoreOptions::new().set("colour", "blue").unwrap_err();
    assert!(error.to_string().contains("\"colour\" is not an option of S3"), "{error}");
}

#[test]
fn values_of_options_are_not_shown() {
    let mut options = StoreOptions::new();
    options.set("aws_secret_access_key", "hunter2").unwrap();
    assert_eq!(format!("{options:?}"), "{\"aws_secret_access_key\"}");
}

#[test]
fn a_source_is_read_by_threads_at_once() {
    let server = Server::start(bucket());
    let source = ndbytes_stores::open("s3://bucket/large.idx", options(&server), Limits::default()).unwrap();
    let ranges: Vec<_> = (0..100).map(|part| part * 16_000..part * 16_000 + 10).collect();
    let file = large();
    let parts = source.read_ranges(&ranges).unwrap();
    assert!(ranges.iter().zip(parts).all(|(range, part)| part == file[range.start as usize..range.end as usize]));
}
