//! Files at URLs: on web servers, and in object stores that a program registers.

mod http;
mod source;

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
    let Some(rest) = url.strip_prefix("http://") else {
        let scheme = url.split("://").next().unwrap_or_default();
        return Err(unfit(format!("no store is registered for {scheme}://, only http:// and file:// are built in")));
    };
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let path = Path::from_url_path(path).map_err(|error| unfit(error.to_string()))?;
    Ok((Arc::new(HttpStore::new(authority)), path))
}
