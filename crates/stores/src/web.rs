//! Files on web servers, and the HTTP client for them and for object stores.
//!
//! Web servers and object stores share one client per process, and thus timeouts, certificates and bounds. An answer
//! that is not a range has at most 16 MiB. At most five redirects are followed. The final address is remembered for
//! later ranges until it stops working, because such addresses may be valid for only minutes.

use crate::answer::{Answer, Facts, collected, ensure_asked, refused};
use crate::runtime::{OfProcess, Sentence};
use crate::url::unfit;
use async_trait::async_trait;
use futures_util::StreamExt;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::header::{CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderName, LAST_MODIFIED, LOCATION, RANGE, USER_AGENT};
use hyper::{Method, Request, Response, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector as Tcp;
use hyper_util::client::legacy::{Client, Error as Unanswered};
use hyper_util::rt::TokioExecutor;
use ndbytes::internals::without_query;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse, HttpResponseBody,
    HttpService,
};
use object_store::{ClientOptions, Error, GetRange, Result};
use rustls::{ClientConfig, RootCertStore};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use url::Url;

/// The maximum time for establishing a connection.
const CONNECTED: Duration = Duration::from_secs(10);

/// The maximum number of redirects to follow.
const MOST_MOVES: usize = 5;

/// The maximum length of an answer that is not a range: lists of objects, and error messages.
const LONGEST: u64 = 16 << 20;

const AGENT: &str = concat!("ndbytes/", env!("CARGO_PKG_VERSION"));

type Web = Client<HttpsConnector<Tcp>, HttpRequestBody>;

/// The clients of a process: one without encryption, and one with the certificates that the system trusts.
static PLAIN: OfProcess<Web> = OfProcess::new();
static ENCRYPTED: OfProcess<Web> = OfProcess::new();

/// Returns the client for an address.
fn client(uri: &Uri) -> io::Result<Web> {
    let provider = || Arc::new(rustls::crypto::ring::default_provider());
    let connected = |config: ClientConfig| {
        let mut tcp = Tcp::new();
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECTED));
        let connector = HttpsConnectorBuilder::new().with_tls_config(config).https_or_http().enable_http1();
        Client::builder(TokioExecutor::new()).build(connector.wrap_connector(tcp))
    };
    if uri.scheme_str() == Some("http") {
        return PLAIN.get(|| {
            let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
            let config = config.map_err(io::Error::other)?.with_root_certificates(RootCertStore::empty());
            Ok(connected(config.with_no_client_auth()))
        });
    }
    ENCRYPTED.get(|| {
        let config = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
        let config = hyper_rustls::ConfigBuilderExt::with_native_roots(config.map_err(io::Error::other)?)?;
        Ok(connected(config.with_no_client_auth()))
    })
}

/// A file on a web server.
#[derive(Debug)]
pub struct WebFile {
    address: Uri,
    /// The address that its server has redirected to.
    moved: Mutex<Option<Uri>>,
}

impl WebFile {
    /// Returns the file at a URL.
    pub fn at(url: &str) -> io::Result<Self> {
        let parsed = Url::parse(url)
            .map_err(|error| unfit(format!("{:?} is not a URL: {error}", without_query(Path::new(url)))))?;
        if !parsed.username().is_empty() || parsed.password().is_some() {
            return Err(unfit(
                "URLs with a user name or password are not supported: use options or environment variables".to_owned(),
            ));
        }
        let address = &parsed[..url::Position::AfterQuery];
        let address = address
            .parse()
            .map_err(|error| unfit(format!("{:?} is not a URL: {error}", without_query(Path::new(url)))))?;
        Ok(WebFile { address, moved: Mutex::new(None) })
    }

    fn moved(&self) -> Option<Uri> {
        self.moved.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends a request to the server and follows redirects.
    async fn ask(&self, method: &Method, range: Option<&GetRange>) -> Result<Response<Incoming>> {
        if let Some(moved) = self.moved() {
            let answer = request(method, &moved, range).await?;
            // The target of a redirect may be valid for only a short time.
            if answer.status().is_success() {
                return Ok(answer);
            }
        }
        let mut address = self.address.clone();
        for moves in 0..=MOST_MOVES {
            let answer = request(method, &address, range).await?;
            if !answer.status().is_redirection() {
                if moves > 0 && answer.status().is_success() {
                    *self.moved.lock().unwrap_or_else(PoisonError::into_inner) = Some(address);
                }
                return Ok(answer);
            }
            address = next(&address, &answer)?;
        }
        Err(refused(format!("the server redirects more than {MOST_MOVES} times")))
    }

    /// Requests some of the bytes.
    pub async fn get(&self, asked: GetRange) -> Result<Answer> {
        let answer = self.successful(self.ask(&Method::GET, Some(&asked)).await?)?;
        let (range, size) = extent(&answer, true)?;
        ensure_asked(&asked, &range, size)?;
        let facts = facts(&answer, size);
        let parts = answer.into_body().into_data_stream();
        let parts = parts.map(|part| part.map_err(|error| refused(error.to_string())));
        Ok(Answer { facts, bytes: collected(parts.boxed(), &range).await? })
    }

    /// Requests properties of the file, as the server states them.
    pub async fn head(&self) -> Result<Facts> {
        let answer = self.successful(self.ask(&Method::HEAD, None).await?)?;
        let (_, size) = extent(&answer, false)?;
        Ok(facts(&answer, size))
    }

    fn successful(&self, answer: Response<Incoming>) -> Result<Response<Incoming>> {
        match answer.status() {
            StatusCode::OK | StatusCode::PARTIAL_CONTENT => Ok(answer),
            StatusCode::NOT_FOUND | StatusCode::GONE => {
                let server = self.address.authority().map_or_else(String::new, ToString::to_string);
                Err(Error::NotFound {
                    path: self.address.to_string(),
                    source: format!("{server} has no such file").into(),
                })
            }
            status => Err(refused(format!("the server answered {status}"))),
        }
    }
}

/// Sends a request.
async fn request(method: &Method, address: &Uri, range: Option<&GetRange>) -> Result<Response<Incoming>> {
    let failed = |source: Box<dyn std::error::Error + Send + Sync>| Error::Generic { store: "http", source };
    let mut request = Request::builder().method(method).uri(address).header(USER_AGENT, AGENT);
    if let Some(range) = range {
        request = request.header(RANGE, words(range));
    }
    let request = request.body(HttpRequestBody::empty()).map_err(|error| failed(error.into()))?;
    let client = client(address).map_err(|error| failed(error.into()))?;
    client.request(request).await.map_err(|error| failed(explained(error, address)))
}

/// Returns the error of a request. A failed connection is described in a sentence.
fn explained(error: Unanswered, address: &Uri) -> Box<dyn std::error::Error + Send + Sync> {
    let server = match (address.host(), address.port_u16()) {
        (Some(host), Some(port)) => format!("{host}:{port}"),
        (host, _) => host.unwrap_or("the server").to_owned(),
    };
    let sentence = if error.is_connect() { Sentence::of_connection(&error, &server) } else { None };
    sentence.map_or_else(|| error.into(), Into::into)
}

/// Returns the target of a redirect. A redirect must not lead from an encrypted address to an unencrypted one.
fn next(from: &Uri, answer: &Response<Incoming>) -> Result<Uri> {
    let location = text(answer, LOCATION).ok_or_else(|| refused("the server redirects without an address"))?;
    let base = Url::parse(&from.to_string()).map_err(|error| refused(error.to_string()))?;
    let to = base.join(location).map_err(|error| refused(format!("the server redirects to {location:?}: {error}")))?;
    match (base.scheme(), to.scheme()) {
        (_, "https") | ("http", "http") => {}
        (_, scheme) => return Err(refused(format!("the server redirects to {scheme}://, which is not supported"))),
    }
    let address = &to[..url::Position::AfterQuery];
    address.parse().map_err(|_| refused(format!("the server redirects to {address:?}, which is not a URL")))
}

/// Returns the value of the `Range` header.
fn words(range: &GetRange) -> String {
    match range {
        GetRange::Bounded(range) => format!("bytes={}-{}", range.start, range.end.saturating_sub(1)),
        GetRange::Offset(start) => format!("bytes={start}-"),
        GetRange::Suffix(length) => format!("bytes=-{length}"),
    }
}

/// Returns the text of a header.
fn text<B>(answer: &Response<B>, name: HeaderName) -> Option<&str> {
    answer.headers().get(name).and_then(|value| value.to_str().ok())
}

fn facts<B>(answer: &Response<B>, size: u64) -> Facts {
    let header = |name| text(answer, name).map(str::to_owned);
    Facts { size, e_tag: header(ETAG), version: None, changed: header(LAST_MODIFIED) }
}

/// Returns the range of bytes in an answer, and the length of the file.
fn extent<B>(answer: &Response<B>, is_ranged: bool) -> Result<(Range<u64>, u64)> {
    if answer.status() == StatusCode::PARTIAL_CONTENT {
        let parts = text(answer, CONTENT_RANGE).and_then(|text| {
            let (range, size) = text.strip_prefix("bytes ")?.split_once('/')?;
            let (first, last) = range.split_once('-')?;
            Some((first.parse().ok()?..last.parse::<u64>().ok()?.checked_add(1)?, size.parse().ok()?))
        });
        return match parts {
            Some((range, size)) if range.start < range.end && range.end <= size => Ok((range, size)),
            _ => Err(refused("the server does not state the range that it returns")),
        };
    }
    let length = text(answer, CONTENT_LENGTH).and_then(|length| length.parse().ok());
    match length {
        // The server sent the whole file, and would send it again for every range.
        Some(_) | None if is_ranged => {
            Err(refused("the server does not support range requests: download the file first"))
        }
        Some(length) => Ok((0..length, length)),
        None => Err(refused("the server does not state the length of the file")),
    }
}

/// Makes object stores use the client of this crate.
#[derive(Debug)]
pub struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> Result<HttpClient> {
        Ok(HttpClient::new(Service))
    }
}

#[derive(Debug)]
struct Service;

#[async_trait]
impl HttpService for Service {
    async fn call(&self, mut request: HttpRequest) -> std::result::Result<HttpResponse, HttpError> {
        let client = client(request.uri()).map_err(|error| HttpError::new(HttpErrorKind::Connect, error))?;
        request.headers_mut().insert(USER_AGENT, hyper::header::HeaderValue::from_static(AGENT));
        let most = asked_length(&request).unwrap_or(LONGEST).max(LONGEST);
        let address = request.uri().clone();
        let answer = client.request(request).await.map_err(|error| {
            let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
            HttpError::new_boxed(kind, explained(error, &address))
        })?;
        let (parts, body) = answer.into_parts();
        let body = Limited::new(body, usize::try_from(most).unwrap_or(usize::MAX));
        let body = body.map_err(|error| HttpError::new_boxed(HttpErrorKind::Interrupted, error));
        Ok(HttpResponse::from_parts(parts, HttpResponseBody::new(body)))
    }
}

/// Returns the number of bytes in a range request.
fn asked_length(request: &HttpRequest) -> Option<u64> {
    let range = request.headers().get(RANGE)?.to_str().ok()?.strip_prefix("bytes=")?;
    match range.split_once('-')? {
        ("", suffix) => suffix.parse().ok(),
        (first, last) => last.parse::<u64>().ok()?.checked_sub(first.parse().ok()?)?.checked_add(1),
    }
}
