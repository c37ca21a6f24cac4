//! Addresses of files somewhere else: URLs, which a program may let stores serve.
//!
//! This library opens no network. A program that wants URLs wherever a path is taken names who opens them, once. The tool `ndbytes`
//! and the Python package do, with the crate `ndbytes-stores`.
//!
//! ```
//! use ndbytes::stores::{self, Stores};
//! use ndbytes::{Limits, ReadRanges};
//! use std::{io, ops::Range, sync::Arc};
//!
//! /// One file, at `example://digits`.
//! struct Example(&'static [u8]);
//!
//! impl ReadRanges for Example {
//!     fn length(&self) -> io::Result<u64> {
//!         Ok(self.0.len() as u64)
//!     }
//!
//!     fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
//!         Ok(ranges.iter().map(|range| self.0[range.start as usize..range.end as usize].to_vec()).collect())
//!     }
//! }
//!
//! impl Stores for Example {
//!     fn serves(&self, scheme: &str) -> bool {
//!         scheme == "example"
//!     }
//!
//!     fn open(&self, url: &str, _: Limits) -> io::Result<Box<dyn ReadRanges>> {
//!         match url {
//!             "example://digits" => Ok(Box::new(Example(self.0))),
//!             _ => Err(io::ErrorKind::NotFound.into()),
//!         }
//!     }
//! }
//!
//! stores::serve(Arc::new(Example(&[0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3])));
//! assert_eq!(ndbytes::open("example://digits")?.into_array()?.shape(), [3]);
//! # Ok::<(), ndbytes::Error>(())
//! ```

use super::limits::Limits;
use super::source::ReadRanges;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

/// Whoever opens URLs.
pub trait Stores: Send + Sync {
    /// Returns whether URLs of a scheme, such as `https`, are opened.
    fn serves(&self, scheme: &str) -> bool;

    /// Opens the file at an URL. A file that is not there is an error of kind [`ErrorKind::NotFound`].
    ///
    /// # Errors
    /// Any that the store has.
    fn open(&self, url: &str, limits: Limits) -> io::Result<Box<dyn ReadRanges>>;

    /// Returns whether an URL stands for several files: a folder of a store, or a pattern.
    fn names_several(&self, _url: &str) -> bool {
        false
    }

    /// The URLs of the files that such an URL stands for, in order. They take no more than the memory that is granted.
    ///
    /// # Errors
    /// Any that the store has; if it lists no files.
    fn list(&self, _url: &str, _limits: Limits) -> io::Result<Vec<String>> {
        Err(io::Error::new(ErrorKind::Unsupported, "the files of this store cannot be listed"))
    }
}

/// Those of this process.
static SERVED: RwLock<Option<Arc<dyn Stores>>> = RwLock::new(None);

/// Has the paths of this process that are URLs opened by stores, from now on. The last ones count.
pub fn serve(stores: Arc<dyn Stores>) {
    *SERVED.write().unwrap_or_else(PoisonError::into_inner) = Some(stores);
}

/// The stores that open a path, and its text, if it is an URL that they serve.
pub(crate) fn of(path: &Path) -> Option<(Arc<dyn Stores>, &str)> {
    let url = path.to_str()?;
    let scheme = scheme(url)?;
    let stores = SERVED.read().unwrap_or_else(PoisonError::into_inner).clone()?;
    stores.serves(scheme).then_some((stores, url))
}

/// The scheme of an URL. `None` if the text is none.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

/// The local path of an URL that begins with `file://`, if this process has stores.
pub(crate) fn local(path: &Path) -> Option<&Path> {
    let local = path.to_str()?.strip_prefix("file://")?;
    let is_served = SERVED.read().unwrap_or_else(PoisonError::into_inner).is_some();
    is_served.then_some(Path::new(local))
}

/// The reason why a path is not opened that is an URL of a scheme which nobody serves. `None` of any other path.
pub(crate) fn unserved(path: &Path) -> Option<io::Error> {
    let scheme = scheme(path.to_str()?)?;
    let stores = SERVED.read().unwrap_or_else(PoisonError::into_inner).clone()?;
    let why = || io::Error::new(ErrorKind::Unsupported, format!("no store serves {scheme}://"));
    (!stores.serves(scheme)).then(why)
}

/// The URLs of the files that an URL stands for, in order.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if no store lists it; any that the store has.
pub fn list(path: impl AsRef<Path>, limits: Limits) -> io::Result<Vec<String>> {
    match of(path.as_ref()) {
        Some((stores, url)) => stores.list(url, limits),
        None => Err(io::Error::new(ErrorKind::Unsupported, "no store lists it")),
    }
}

/// Returns whether a path is an URL that is opened by stores.
pub fn is_url(path: impl AsRef<Path>) -> bool {
    of(path.as_ref()).is_some()
}

/// Returns whether a path is an URL that stands for several files.
pub fn names_several(path: impl AsRef<Path>) -> bool {
    of(path.as_ref()).is_some_and(|(stores, url)| stores.names_several(url))
}
