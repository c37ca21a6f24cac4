//! Files on web servers, by requests for ranges.

use async_trait::async_trait;
use bytes::Bytes;
use chrono::DateTime;
use futures::stream::{self, BoxStream, StreamExt};
use http_body_util::{BodyExt, Empty, Limited};
use hyper::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderName, LAST_MODIFIED, RANGE};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{Client, ResponseFuture};
use hyper_util::rt::TokioExecutor;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use std::fmt;
use std::ops::Range;
use std::time::Duration;

const STORE: &str = "http";

/// The time that a server may take to answer, and to send what was requested.
const PATIENCE: Duration = Duration::from_secs(60);

/// A web server whose files are read. Nothing is written or listed.
#[derive(Debug)]
pub struct HttpStore {
    authority: String,
    client: Web,
}

/// The ways to a web server.
#[derive(Debug)]
enum Web {
    Http(Client<HttpConnector, Empty<Bytes>>),
    #[cfg(feature = "cloud")]
    Https(Client<hyper_rustls::HttpsConnector<HttpConnector>, Empty<Bytes>>),
}

impl Web {
    fn scheme(&self) -> &'static str {
        match self {
            Web::Http(_) => "http",
            #[cfg(feature = "cloud")]
            Web::Https(_) => "https",
        }
    }

    fn request(&self, request: Request<Empty<Bytes>>) -> ResponseFuture {
        match self {
            Web::Http(client) => client.request(request),
            #[cfg(feature = "cloud")]
            Web::Https(client) => client.request(request),
        }
    }
}

impl HttpStore {
    pub fn new(authority: &str) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        HttpStore { authority: authority.to_owned(), client: Web::Http(client) }
    }

    /// A server whose certificate one of those that the system trusts has signed.
    #[cfg(feature = "cloud")]
    pub fn with_tls(authority: &str) -> std::io::Result<Self> {
        let connector = hyper_rustls::HttpsConnectorBuilder::new()
            .with_provider_and_native_roots(rustls::crypto::ring::default_provider())?
            .https_only()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Ok(HttpStore { authority: authority.to_owned(), client: Web::Https(client) })
    }

    async fn get(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        let path = location.as_ref();
        let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Generic { store: STORE, source };
        let uri: Uri = format!("{}://{}/{}", self.client.scheme(), self.authority, encoded(path))
            .parse()
            .map_err(|error: hyper::http::uri::InvalidUri| failed(error.into()))?;
        let method = if options.head { Method::HEAD } else { Method::GET };
        let mut request = Request::builder().method(method).uri(uri);
        if let Some(range) = &options.range {
            request = request.header(RANGE, words(range));
        }
        let request = request.body(Empty::new()).map_err(|error| failed(error.into()))?;
        let answer = self.client.request(request).await.map_err(|error| failed(error.into()))?;
        match answer.status() {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT => {}
            StatusCode::NOT_FOUND => {
                let source = format!("{} has no such file", self.authority).into();
                return Err(Error::NotFound { path: path.to_owned(), source });
            }
            status => return Err(failed(format!("the server answered {status}").into())),
        }
        let asked = options.range.as_ref().filter(|_| !options.head);
        let (range, size) = extent(&answer, asked.is_some()).map_err(|why| failed(why.into()))?;
        if let Some(asked) = asked {
            ensure_asked(asked, &range, size).map_err(|why| failed(why.into()))?;
        }
        let header = |name| text(&answer, name).map(str::to_owned);
        let meta = ObjectMeta {
            location: location.clone(),
            last_modified: DateTime::UNIX_EPOCH,
            size,
            e_tag: header(ETAG),
            // Servers without ETags often say when the file was changed.
            version: header(LAST_MODIFIED),
        };
        let bytes = match options.head {
            true => Bytes::new(),
            false => {
                // More than was asked for is never kept.
                let most = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
                Limited::new(answer.into_body(), most).collect().await.map_err(failed)?.to_bytes()
            }
        };
        let payload = GetResultPayload::Stream(stream::once(async move { Ok(bytes) }).boxed());
        Ok(GetResult { payload, meta, range, attributes: Default::default() })
    }
}

/// The value of a header for a range.
fn words(range: &GetRange) -> String {
    match range {
        GetRange::Bounded(range) => format!("bytes={}-{}", range.start, range.end.saturating_sub(1)),
        GetRange::Offset(start) => format!("bytes={start}-"),
        GetRange::Suffix(length) => format!("bytes=-{length}"),
    }
}

/// Refuses an answer that has other bytes than those that were requested.
fn ensure_asked(asked: &GetRange, given: &Range<u64>, size: u64) -> std::result::Result<(), String> {
    let expected = match asked {
        GetRange::Bounded(range) => range.start..range.end.min(size),
        GetRange::Offset(start) => *start..size,
        GetRange::Suffix(length) => size.saturating_sub(*length)..size,
    };
    if *given == expected {
        return Ok(());
    }
    Err(format!(
        "the server was asked for bytes {} to {} of {size}, but answers with bytes {} to {}",
        expected.start, expected.end, given.start, given.end
    ))
}

/// The text of a header.
fn text<B>(answer: &Response<B>, name: HeaderName) -> Option<&str> {
    answer.headers().get(name).and_then(|value| value.to_str().ok())
}

/// The bytes that an answer gives, and the length of the file.
fn extent<B>(answer: &Response<B>, ranged: bool) -> std::result::Result<(Range<u64>, u64), String> {
    if answer.status() == StatusCode::PARTIAL_CONTENT {
        let parts = text(answer, CONTENT_RANGE).and_then(|text| {
            let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
            let (first, last) = range.split_once('-')?;
            Some((first.parse().ok()?..last.parse::<u64>().ok()?.checked_add(1)?, size.parse().ok()?))
        });
        return match parts {
            Some((range, size)) if range.start < range.end && range.end <= size => Ok((range, size)),
            _ => Err("the server does not say which range it gives".to_owned()),
        };
    }
    let length = text(answer, CONTENT_LENGTH).and_then(|length| length.parse().ok());
    match length {
        // What came is the whole file: it would be read again for every range.
        Some(_) if ranged => Err("the server does not give ranges of files".to_owned()),
        Some(length) => Ok((0..length, length)),
        None => Err("the server does not say how long the file is".to_owned()),
    }
}

/// A path as it stands in an URL.
fn encoded(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-_.~!$&'()*+,;=:@".contains(&byte);
    path.bytes().map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

fn unsupported<T>(what: &str) -> Result<T> {
    Err(Error::NotSupported { source: format!("files on web servers cannot be {what}").into() })
}

impl fmt::Display for HttpStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.client.scheme(), self.authority)
    }
}

#[async_trait]
impl ObjectStore for HttpStore {
    async fn put_opts(&self, _: &Path, _: PutPayload, _: PutOptions) -> Result<PutResult> {
        unsupported("written")
    }

    async fn put_multipart_opts(&self, _: &Path, _: PutMultipartOptions) -> Result<Box<dyn MultipartUpload>> {
        unsupported("written")
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        match tokio::time::timeout(PATIENCE, self.get(location, options)).await {
            Ok(answer) => answer,
            Err(error) => Err(Error::Generic { store: STORE, source: error.into() }),
        }
    }

    fn delete_stream(&self, _: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        stream::once(async { unsupported("deleted") }).boxed()
    }

    fn list(&self, _: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        stream::once(async { unsupported("listed") }).boxed()
    }

    async fn list_with_delimiter(&self, _: Option<&Path>) -> Result<ListResult> {
        unsupported("listed")
    }

    async fn copy_opts(&self, _: &Path, _: &Path, _: CopyOptions) -> Result<()> {
        unsupported("copied")
    }
}
