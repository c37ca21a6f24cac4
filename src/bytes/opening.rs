//! Opens files, streams and sources as inputs.

use super::folder::{Folder, Instead};
use super::input::{Data, HEAD, Input, STEP_MAX};
use super::limits::Limits;
use super::memory::AlignedBytes;
use super::pages::{Opened, Paged, Sizes};
use super::positioned::fill_at;
use super::source::ReadRanges;
use super::waiting::Waiting;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::ErrorKind;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The number of bytes of a stream that are read first. It doubles up to [`STEP_MAX`].
const STEP: usize = 64 << 10;

impl Input<'static> {
    /// Opens a file in the directory of a sparse frame, or returns the kind of entry that is there instead. Because a directory may
    /// come from anyone, links are not followed, and anything other than a regular file is refused without waiting.
    #[doc(hidden)]
    pub fn of_folder(folder: &Folder, name: &str, limits: Limits) -> Result<Result<Input<'static>, Instead>> {
        let path = folder.path().join(name);
        let at_path = |error| Error::io(&path, error);
        let file = match folder.open_file(name) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Err(Instead::Nothing)),
            Err(_) if folder.is_link(name) => return Ok(Err(Instead::Link)),
            Err(error) if error.kind() == ErrorKind::InvalidInput => return Ok(Err(Instead::NoFile)),
            Err(error) => return Err(at_path(error)),
        };
        match file.metadata().map_err(at_path)?.is_file() {
            true => Input::from_file(file, &path, limits).map(Ok),
            false => Ok(Err(Instead::NoFile)),
        }
    }

    /// Uses a file that was opened at a path, even if the path refers to another file now.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the file cannot be read or is a directory.
    pub fn from_file(file: File, path: &Path, limits: Limits) -> Result<Self> {
        let at_path = |source| Error::io(path, source);
        let mut head = [0; HEAD];
        let filled = fill_at(&file, &mut head, 0);
        // A file that fits into its head has now been read completely. Without further system calls, many small files open faster.
        if let Ok(length @ 1..HEAD) = filled {
            let data = Data::Memory(AlignedBytes::copy_of(&head[..length])?);
            let length = length as u64;
            return Ok(Input::new(Some(path.to_owned()), data, length, limits.budget(length)));
        }
        let metadata = file.metadata().map_err(at_path)?;
        if metadata.is_dir() {
            return Err(at_path(io::ErrorKind::IsADirectory.into()));
        }
        let length = metadata.len();
        // Some system files are regular and have content, but report a length of 0.
        let filled = if metadata.is_file() { filled.map_err(at_path)? } else { 0 };
        if !metadata.is_file() || (filled as u64) > length {
            return Input::from_reader(Waiting::new(file), limits).map_err(|error| error.at(path));
        }
        if (filled as u64) < length.min(HEAD as u64) {
            return Err(at_path(io::ErrorKind::UnexpectedEof.into()));
        }
        let data = Data::File { file, start: 0, head: AlignedBytes::copy_of(&head[..filled])?, map: OnceLock::new() };
        Ok(Input::new(Some(path.to_owned()), data, length, limits.budget(length)))
    }

    /// Reads a stream to its end, in steps, within the limits on memory and time. The clock is checked after each read, so it stops a slow
    /// stream, but not a read that never returns.
    pub fn from_reader(mut reader: impl Read, limits: Limits) -> Result<Self> {
        let budget = limits.budget(0);
        let (mut bytes, mut filled, mut step) = (AlignedBytes::default(), 0, STEP);
        loop {
            budget.ensure_time()?;
            budget.take(step as u64, "the bytes of a stream")?;
            if !bytes.resize(filled + step) {
                return Err(Error::Limit { what: "the bytes of a stream", needed: (filled + step) as u64, left: 0 });
            }
            while filled < bytes.as_slice().len() {
                let read = reader.read(&mut bytes.as_mut_slice()[filled..]);
                budget.ensure_time()?;
                match read {
                    Ok(0) => {
                        bytes.shorten(filled);
                        return Ok(Input::new(None, Data::Memory(bytes), filled as u64, budget));
                    }
                    Ok(read) => filled += read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error.into()),
                }
            }
            step = (step * 2).min(STEP_MAX);
        }
    }
    /// Opens a file through a source of ranges. Its first and last bytes are read with one call, which is enough for a small file.
    /// Everything else is read on request. Views of arrays, [`Input::bytes`] and [`Input::range`] keep all bytes in memory.
    ///
    /// # Errors
    /// [`Error::Io`](crate::Error::Io) if the source cannot be read, or returns ranges whose lengths differ from those requested.
    /// The error names the range.
    pub fn from_source(source: impl ReadRanges + 'static, limits: Limits) -> Result<Self> {
        Input::in_pages(Box::new(source), limits, Sizes::with_head(HEAD as u64))
    }

    /// Opens the file at a URL by reading ranges of it.
    pub(crate) fn at_url(source: Box<dyn ReadRanges>, url: &Path, limits: Limits) -> Result<Self> {
        let input = Input::in_pages(source, limits, Sizes::with_head(HEAD as u64));
        input.map(|input| input.with_path(url)).map_err(|error| error.at(url))
    }

    /// Like `Input::from_source`, but with other sizes for the head, tail and pages, for tests with small files.
    #[doc(hidden)]
    pub fn from_source_in_pages(source: impl ReadRanges + 'static, limits: Limits, sizes: [u64; 3]) -> Result<Self> {
        let [head, tail, page] = sizes;
        Input::in_pages(Box::new(source), limits, Sizes { head, tail, page })
    }

    /// Opens a source of ranges. A small file is fetched at once.
    fn in_pages(source: Box<dyn ReadRanges>, limits: Limits, sizes: Sizes) -> Result<Self> {
        Ok(match Paged::open(source, limits, sizes)? {
            Opened::Whole(bytes) => {
                let length = bytes.as_slice().len() as u64;
                Input::new(None, Data::Memory(bytes), length, limits.budget(length))
            }
            Opened::Paged(paged) => {
                let (head, length) = (AlignedBytes::copy_of(paged.head.as_slice())?, paged.length);
                let data = Data::Source { source: Arc::new(paged), start: 0, head, whole: OnceLock::new() };
                Input::new(None, data, length, Paged::beside_pages(limits).budget(0))
            }
        })
    }
}
