//! Opens a path: a file, the directory of a sparse frame, an entry of an archive, or a URL.

pub mod folder;

use crate::bytes::atomic;
use crate::bytes::folder::Folder;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::bytes::stores::{self, Stores};
use crate::bytes::waiting;
use crate::error::{Error, Result};
use crate::zip::{choice_of_folder as store_as_file, open_address, open_address_with, store};
use std::io;
use std::path::Path;

impl Input<'static> {
    /// Opens a file. Its first bytes are read immediately; the rest is read or mapped on request. A file that is not regular (a
    /// pipe or a device) is read as a stream. If the file does not exist, the path may be the address of an entry in a zip archive,
    /// [`model.zip!path\to\Schema`](crate::archive), which is unpacked into memory. If the path is a URL, it is opened by the
    /// [`stores`] of this process, if there are any.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be read; [`Error::Archive`] if it is the directory of a store. For an entry, also
    /// [`Error::NoEntry`], [`Error::Invalid`] and [`Error::Limit`].
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        Input::find(path, limits)?.ok_or_else(|| store_as_file(path, limits))
    }

    /// Opens a file, or returns `None` if the path is the directory of a store.
    pub(crate) fn find(path: &Path, limits: Limits) -> Result<Option<Self>> {
        if let Some((stores, url)) = stores::of(path) {
            return open_url(&*stores, url, limits).map(Some);
        }
        if let Some(local) = stores::local(path) {
            return Input::find(local, limits);
        }
        let at_path = |source| Error::io(path, source);
        let file = match recovering(path, || waiting::open(path, limits.time.is_some())) {
            Ok(file) => file,
            Err(error) => {
                let failed = || Err(at_path(stores::unserved(path).unwrap_or(error)));
                return open_address(path, limits).unwrap_or_else(failed).map(Some);
            }
        };
        match Input::from_file(file, path, limits) {
            Err(Error::Io { source, .. }) if source.kind() == io::ErrorKind::IsADirectory => {
                match open_sparse_frame(path, limits)? {
                    Some(frame) => Ok(Some(frame)),
                    None if store::is_store(path) => Ok(None),
                    None => Err(at_path(source)),
                }
            }
            input => input.map(Some),
        }
    }
}

/// Opens the file at a URL. If there is no such file, the URL may be the address of an entry in an archive.
fn open_url(stores: &dyn Stores, url: &str, limits: Limits) -> Result<Input<'static>> {
    let limits = limits.started();
    let open = |url: &str| {
        let source = stores.open(url, limits).map_err(|error| Error::io(Path::new(url), error))?;
        Input::at_url(source, Path::new(url), limits)
    };
    match open(url) {
        Err(error @ Error::Io { .. }) => {
            open_address_with(Path::new(url), limits, |_| true, |file| open(file.to_str().unwrap_or_default()))
                .filter(|opened| !matches!(opened, Err(Error::Io { .. })))
                .unwrap_or(Err(error))
        }
        opened => opened,
    }
}

/// Opens the directory of a sparse frame; `None` if it is another directory.
fn open_sparse_frame(path: &Path, limits: Limits) -> Result<Option<Input<'static>>> {
    let folder = recovering(path, || Folder::open(path)).map_err(|source| Error::io(path, source))?;
    let frame = folder::open_frame_file(&folder, limits)?;
    Ok(frame.map(|frame| frame.in_folder(path, folder)))
}

/// Opens a path. If there is nothing at the path, restores a directory that a killed writer had moved aside, and tries again.
fn recovering<T>(path: &Path, open: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match open() {
        Err(error) if error.kind() == io::ErrorKind::NotFound && atomic::recover(path) => open(),
        opened => opened,
    }
}
