//! The parts of URLs.

use crate::registry::is_registered;
use std::io::{self, ErrorKind};

/// The schemes of web servers.
pub const WEB: [&str; 2] = ["http", "https"];

/// The schemes of object stores.
pub const CLOUD: [&str; 7] = ["s3", "s3a", "gs", "az", "azure", "abfs", "abfss"];

/// All schemes that are served.
pub const SCHEMES: [&str; 9] = ["http", "https", "s3", "s3a", "gs", "az", "azure", "abfs", "abfss"];

/// The characters of patterns.
pub const WILD: [char; 3] = ['*', '?', '['];

/// Returns whether a text is an URL, of whatever scheme.
pub fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Returns whether a text is an URL that this crate opens.
pub fn serves(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, _)| SCHEMES.contains(&scheme) || is_registered(scheme))
}

/// Returns whether an URL stands for the objects below a folder, or for those that fit a pattern. Web servers list no files.
pub fn names_several(url: &str) -> bool {
    let lists = url.split_once("://").is_some_and(|(scheme, _)| CLOUD.contains(&scheme) || is_registered(scheme));
    lists && (is_folder(url) || url.contains(WILD))
}

/// Returns whether an URL is that of a folder, or of a bucket.
fn is_folder(url: &str) -> bool {
    url.ends_with('/') || url.split_once("://").is_some_and(|(_, rest)| !rest.contains('/'))
}

/// An URL of an object store: the store, such as `s3://bucket/`, and the path in it.
pub fn divided(url: &str) -> io::Result<(String, &str)> {
    let (scheme, rest) = url.split_once("://").ok_or_else(|| unfit(format!("{url:?} is no URL")))?;
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    match authority.is_empty() {
        true => Err(unfit(format!("the URL {url:?} names no bucket: {scheme}://BUCKET/PATH is expected"))),
        false => Ok((format!("{scheme}://{authority}/"), path)),
    }
}

/// The error of an URL that cannot be opened, whatever is there.
pub fn unfit(why: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}
