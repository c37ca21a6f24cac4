//! The addresses of remote files. They are URLs, which are opened by the stores that a program registers.
//!
//! This library does not access the network. To accept URLs wherever paths are accepted, a program registers stores for them once.
//! The tool `ndbytes` and the Python package do so with the `ndbytes-stores` crate.
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
use std::time::SystemTime;

/// A file listed by a store, with the metadata from the listing.
///
/// ```
/// use ndbytes::stores::{Listed, Stat};
///
/// let file = Listed::new("s3://bucket/a.npy").stat(Stat { length: 128, modified: None });
/// assert_eq!(file.stat.map(|stat| stat.length), Some(128));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listed {
    /// The URL.
    pub url: String,
    /// The length and modification time, if the listing has them.
    pub stat: Option<Stat>,
}

impl Listed {
    /// A file for which only the URL is known.
    pub fn new(url: impl Into<String>) -> Self {
        Listed { url: url.into(), stat: None }
    }

    /// Adds the metadata from the listing.
    #[must_use]
    pub fn stat(self, stat: Stat) -> Self {
        Listed { stat: Some(stat), ..self }
    }
}

/// Metadata about a file that is known without opening the file.
///
/// ```
/// use ndbytes::stores::Stat;
///
/// let metadata = std::fs::metadata("samples/surface.ra")?;
/// let stat = Stat { length: metadata.len(), modified: metadata.modified().ok() };
/// assert_eq!(stat.length, 160);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// The length in bytes.
    pub length: u64,
    /// The modification time, if it is known.
    pub modified: Option<SystemTime>,
}

/// Opens URLs.
pub trait Stores: Send + Sync {
    /// Returns whether URLs with this scheme, such as `https`, are supported.
    fn serves(&self, scheme: &str) -> bool;

    /// Opens the file at a URL. If the file does not exist, the error has the kind [`ErrorKind::NotFound`].
    ///
    /// # Errors
    /// Any error from the store.
    fn open(&self, url: &str, limits: Limits) -> io::Result<Box<dyn ReadRanges>>;

    /// Returns whether a URL names several files: a directory of a store, or a pattern.
    fn names_several(&self, _url: &str) -> bool {
        false
    }

    /// The files named by such a URL, sorted by URL. The list must stay within the memory limit.
    ///
    /// # Errors
    /// Any error from the store, including if it cannot list files.
    fn list(&self, _url: &str, _limits: Limits) -> io::Result<Vec<Listed>> {
        Err(io::Error::new(ErrorKind::Unsupported, "this store does not list files"))
    }

    /// Announces that a listed file will probably be opened next. Because its length is already known, fewer requests are needed.
    fn expect(&self, _file: &Listed) {}
}

/// The stores of this process.
static SERVED: RwLock<Option<Arc<dyn Stores>>> = RwLock::new(None);

/// Sets the stores that open the URLs of this process from now on. A later call replaces them.
pub fn serve(stores: Arc<dyn Stores>) {
    *SERVED.write().unwrap_or_else(PoisonError::into_inner) = Some(stores);
}

/// Returns the stores and the text of the path, if it is a URL that they support.
pub(crate) fn of(path: &Path) -> Option<(Arc<dyn Stores>, &str)> {
    let url = path.to_str()?;
    let scheme = scheme(url)?;
    let stores = SERVED.read().unwrap_or_else(PoisonError::into_inner).clone()?;
    stores.serves(scheme).then_some((stores, url))
}

/// Returns the scheme of a URL. `None` if the text is not a URL.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(scheme)
}

/// Returns the local path of a URL that begins with `file://`, if this process has stores.
pub(crate) fn local(path: &Path) -> Option<&Path> {
    let local = path.to_str()?.strip_prefix("file://")?;
    let is_served = SERVED.read().unwrap_or_else(PoisonError::into_inner).is_some();
    is_served.then_some(Path::new(local))
}

/// Returns the error for a URL with an unsupported scheme. `None` for any other path.
pub(crate) fn unserved(path: &Path) -> Option<io::Error> {
    let scheme = scheme(path.to_str()?)?;
    let stores = SERVED.read().unwrap_or_else(PoisonError::into_inner).clone()?;
    let why = || io::Error::new(ErrorKind::Unsupported, format!("{scheme}:// is not supported"));
    (!stores.serves(scheme)).then(why)
}

/// The files that a URL matches, sorted by URL.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if listing is not supported; any error from the store.
pub fn list(path: impl AsRef<Path>, limits: Limits) -> io::Result<Vec<Listed>> {
    match of(path.as_ref()) {
        Some((stores, url)) => stores.list(url, limits),
        None => Err(io::Error::new(ErrorKind::Unsupported, "listing is not supported")),
    }
}

/// Announces a listed file to the stores that will open it: see [`Stores::expect`]. A walk does this for each file that it finds.
pub fn expect(file: &Listed) {
    if let Some((stores, _)) = of(Path::new(&file.url)) {
        stores.expect(file);
    }
}

/// Returns whether a path is a URL that stores open.
pub fn is_url(path: impl AsRef<Path>) -> bool {
    of(path.as_ref()).is_some()
}

/// Returns whether a path is a URL that names several files.
pub fn names_several(path: impl AsRef<Path>) -> bool {
    of(path.as_ref()).is_some_and(|(stores, url)| stores.names_several(url))
}
