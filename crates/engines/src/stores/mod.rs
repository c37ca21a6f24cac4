//! Files at URLs: on web servers, and in object stores that a program registers.

#[cfg(feature = "cloud")]
mod cloud;
mod http;
mod source;

#[cfg(feature = "cloud")]
pub use cloud::set_option;
use http::HttpStore;
use ndbytes::{Error, Input, Limits};
use object_store::ObjectStore;
use object_store::path::Path;
use source::{StoreReader, StoreSource};
use std::io::{self, Read};
use std::sync::{Arc, PoisonError, RwLock};

/// The stores by the beginnings of their URLs.
static STORES: RwLock<Vec<(String, Arc<dyn ObjectStore>)>> = RwLock::new(Vec::new());

/// Makes the objects of a store readable by URLs that begin with `prefix`, such as `s3://bucket/`. The last store of a prefix
/// counts. The store serves the whole process.
pub fn register(prefix: impl Into<String>, store: Arc<dyn ObjectStore>) {
    let mut stores = STORES.write().unwrap_or_else(PoisonError::into_inner);
    stores.push((prefix.into(), store));
}

/// Returns whether a path is an URL.
pub(crate) fn is_url(path: &str) -> bool {
    path.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    })
}

/// Opens a path, or an URL.
///
/// # Errors
/// As for [`Input::open`]; if no store serves the URL.
pub fn open(path: &str, limits: Limits) -> ndbytes::Result<Input<'static>> {
    if let Some(local) = path.strip_prefix("file://") {
        return Input::open(local, limits);
    }
    if !is_url(path) {
        return Input::open(path, limits);
    }
    let (store, object) = find(path).map_err(|error| at(path, error))?;
    Input::from_source(StoreSource::new(store, object, limits), limits).map_err(|error| match error {
        Error::Io { source, .. } => at(path, source),
        other => other,
    })
}

/// The bytes of an URL, from the first to the last one.
///
/// # Errors
/// As for [`open`].
pub(crate) fn reader(url: &str, limits: Limits) -> ndbytes::Result<Box<dyn Read>> {
    let stream = || -> io::Result<Box<dyn Read>> {
        if let Some(local) = url.strip_prefix("file://") {
            return Ok(Box::new(std::fs::File::open(local)?));
        }
        let (store, object) = find(url)?;
        Ok(Box::new(StoreReader::begin(StoreSource::new(store, object, limits))?))
    };
    stream().map_err(|error| at(url, error))
}

fn at(url: &str, source: io::Error) -> Error {
    Error::Io { path: Some(url.into()), source }
}

/// The store of an URL, and the object in it.
fn find(url: &str) -> io::Result<(Arc<dyn ObjectStore>, Path)> {
    let unfit = |why: String| io::Error::new(io::ErrorKind::Unsupported, why);
    let object = |path: &str| Path::parse(path).map_err(|error| unfit(error.to_string()));
    {
        let stores = STORES.read().unwrap_or_else(PoisonError::into_inner);
        let found = stores.iter().rev().find_map(|(prefix, store)| Some((url.strip_prefix(prefix.as_str())?, store)));
        if let Some((path, store)) = found {
            return Ok((store.clone(), object(path)?));
        }
    }
    let Some((scheme, rest)) = url.split_once("://") else { return Err(unfit(format!("{url:?} is no URL"))) };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let on_the_web = |path| Path::from_url_path(path).map_err(|error| unfit(error.to_string()));
    match scheme {
        "http" => Ok((Arc::new(HttpStore::new(authority)), on_the_web(path)?)),
        #[cfg(feature = "cloud")]
        "https" => Ok((Arc::new(HttpStore::with_tls(authority)?), on_the_web(path)?)),
        #[cfg(feature = "cloud")]
        scheme if cloud::SCHEMES.contains(&scheme) => {
            let base = format!("{scheme}://{authority}/");
            let store = cloud::open(&base)?;
            // Its connections serve the next objects, too.
            register(base, store.clone());
            Ok((store, object(path)?))
        }
        scheme => Err(unfit(format!("no store is registered for {scheme}://"))),
    }
}

/// Returns whether an URL stands for the objects that fit it, or for all below it: web servers cannot list theirs.
pub(crate) fn is_pattern(url: &str) -> bool {
    let is_listed = !["http://", "https://", "file://"].iter().any(|scheme| url.starts_with(scheme));
    is_listed && (url.ends_with('/') || url.contains(WILD))
}

/// The characters of patterns.
pub(crate) const WILD: [char; 3] = ['*', '?', '['];

/// The URLs of the objects that fit a pattern, or that are below a folder, sorted.
///
/// # Errors
/// If the store cannot be listed, or the pattern is none.
pub(crate) fn list(url: &str) -> io::Result<Vec<String>> {
    let wild = url.find(WILD).unwrap_or(url.len());
    let folder = url[..wild].rfind('/').map_or(url, |end| &url[..=end]);
    let (store, path) = find(folder)?;
    let base =
        &folder[..folder.len() - path.as_ref().len() - usize::from(folder.ends_with('/') && !path.as_ref().is_empty())];
    let pattern = match url.contains(WILD) {
        true => Some(glob::Pattern::new(url).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?),
        false => None,
    };
    let options = glob::MatchOptions { require_literal_separator: true, ..glob::MatchOptions::new() };
    let found = source::list(store, path)?.into_iter().map(|object| format!("{base}{object}"));
    let mut found: Vec<_> =
        found.filter(|url| pattern.as_ref().is_none_or(|it| it.matches_with(url, options))).collect();
    found.sort();
    Ok(found)
}
