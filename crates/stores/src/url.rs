//! The parts of URLs.

use crate::registry::is_registered;
use std::io::{self, ErrorKind};

/// The schemes of web servers.
pub const WEB: [&str; 2] = ["http", "https"];

/// The schemes of object stores.
pub const CLOUD: [&str; 7] = ["s3", "s3a", "gs", "az", "azure", "abfs", "abfss"];

/// All supported schemes.
pub const SCHEMES: [&str; 9] = ["http", "https", "s3", "s3a", "gs", "az", "azure", "abfs", "abfss"];

/// The special characters of patterns.
pub const WILD: [char; 3] = ['*', '?', '['];

/// Returns whether a text is a URL, with any scheme.
pub fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Returns whether a text is a URL that this crate opens.
pub fn serves(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| SCHEMES.contains(&scheme) || is_registered(scheme))
}

/// Returns whether a URL refers to a directory of objects, or is a pattern. Web servers do not list files.
pub fn names_several(url: &str) -> bool {
    let lists = url.split_once("://").is_some_and(|(scheme, _)| CLOUD.contains(&scheme) || is_registered(scheme));
    lists && (is_folder(url) || url.contains(WILD))
}

/// Returns whether a URL refers to a directory or a bucket.
fn is_folder(url: &str) -> bool {
    url.ends_with('/') || url.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'))
}

/// Splits a URL of an object store: the store, such as `s3://bucket/`, and the path in it.
pub fn divided(url: &str) -> io::Result<(String, &str)> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| unfit(format!("{url:?} is not a URL")))?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    match authority.is_empty() {
        true => Err(unfit(format!("the URL {url:?} has no bucket: expected {scheme}://BUCKET/PATH"))),
        false => Ok((format!("{scheme}://{authority}/"), path)),
    }
}

/// Returns the error for a URL that can never be opened.
pub fn unfit(why: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}
