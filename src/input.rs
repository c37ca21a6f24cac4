//! Where bytes come from: a path, a slice, a stream. All three behave the same.

use crate::limits::Budget;
use crate::memory::{self, AlignedBytes};
use crate::{Error, Finding, Limits, Result, archive, b2nd};
use memmap2::Mmap;
use ndbytes_schemas::{Endian, ParseError, Problem, Source};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How much of a file is read when it is opened. Holds the header of nearly every file, and all of a small one.
pub(crate) const HEAD: usize = 4096;

/// No header is longer: a file could claim millions of axes at no cost of its own.
pub(crate) const LONGEST_HEADER: usize = 1 << 20;

/// How much is read at first of a table whose length is not known.
const TABLE: u64 = 64 << 10;

/// How much of a stream is read at a time at first; doubles up to [`STEP_MAX`].
const STEP: usize = 64 << 10;
const STEP_MAX: usize = 16 << 20;

/// A file that was opened, or the bytes of one.
pub struct Input<'a> {
    path: Option<PathBuf>,
    length: u64,
    data: Data<'a>,
    budget: Budget,
    /// What was found on the way to an entry of an archive; none of anything else.
    entry: Option<Vec<Finding>>,
    /// The folder that the file stands in, if its chunks are files beside it.
    folder: Option<PathBuf>,
}

enum Data<'a> {
    Slice(&'a [u8]),
    Memory(AlignedBytes),
    File { file: File, head: AlignedBytes, map: OnceLock<Mmap> },
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input").field("path", &self.path).field("length", &self.length).finish_non_exhaustive()
    }
}

impl Input<'static> {
    /// Opens a file. Its first bytes are read; the rest is read or mapped when it is asked for. What is not a regular
    /// file (a pipe, a device) is read as a stream. Where there is no such file, the path may be the address of an entry
    /// of a zip archive, [`model.zip!path\to\Schema`](crate::archive), which is unpacked into memory.
    pub fn open(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        let path = path.as_ref();
        let at_path = |source| Error::io(path, source);
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) => return archive::open_address(path, limits).unwrap_or_else(|| Err(at_path(error))),
        };
        let mut head = [0; HEAD];
        let filled = fill_at(&file, &mut head, 0);
        // What ends inside its head is known in whole: many small files are opened faster without asking about them.
        if let Ok(length @ 1..HEAD) = filled {
            let data = Data::Memory(AlignedBytes::from(&head[..length]));
            let length = length as u64;
            return Ok(Input::new(Some(path.to_owned()), data, length, limits.budget(length)));
        }
        let metadata = file.metadata().map_err(at_path)?;
        if metadata.is_dir() {
            return match b2nd::is_sparse_frame(path) {
                true => {
                    let frame = Input::open(path.join(b2nd::FRAME_FILE), limits)?;
                    Ok(Input { path: Some(path.to_owned()), folder: Some(path.to_owned()), ..frame })
                }
                false => Err(at_path(io::ErrorKind::IsADirectory.into())),
            };
        }
        let length = metadata.len();
        // Some files of the system are regular and have content, but no length.
        let filled = if metadata.is_file() { filled.map_err(at_path)? } else { 0 };
        if !metadata.is_file() || (filled as u64) > length {
            return Input::from_reader(file, limits).map_err(|error| error.at(path));
        }
        if (filled as u64) < length.min(HEAD as u64) {
            return Err(at_path(io::ErrorKind::UnexpectedEof.into()));
        }
        let data = Data::File { file, head: AlignedBytes::from(&head[..filled]), map: OnceLock::new() };
        Ok(Input::new(Some(path.to_owned()), data, length, limits.budget(length)))
    }

    /// An entry of an archive that was unpacked, and what was found on the way.
    pub(crate) fn entry(address: PathBuf, bytes: AlignedBytes, budget: Budget, findings: Vec<Finding>) -> Self {
        let length = bytes.as_slice().len() as u64;
        Input { entry: Some(findings), ..Input::new(Some(address), Data::Memory(bytes), length, budget) }
    }

    /// Reads a stream to its end, in steps, within the budget for memory.
    pub fn from_reader(mut reader: impl Read, limits: Limits) -> Result<Self> {
        let budget = limits.budget(0);
        let (mut bytes, mut filled, mut step) = (AlignedBytes::default(), 0, STEP);
        loop {
            budget.take(step as u64, "the bytes of a stream")?;
            if !bytes.resize(filled + step) {
                return Err(Error::Limit { what: "the bytes of a stream", needed: (filled + step) as u64, left: 0 });
            }
            while filled < bytes.as_slice().len() {
                match reader.read(&mut bytes.as_mut_slice()[filled..]) {
                    Ok(0) => {
                        bytes.resize(filled);
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
}

impl<'a> Input<'a> {
    /// Bytes that are neither an entry of an archive nor in a folder of their own.
    fn new(path: Option<PathBuf>, data: Data<'a>, length: u64, budget: Budget) -> Self {
        Input { path, length, data, budget, entry: None, folder: None }
    }

    /// Takes bytes that are in memory.
    pub fn from_slice(bytes: &'a [u8], limits: Limits) -> Self {
        let length = bytes.len() as u64;
        Input::new(None, Data::Slice(bytes), length, limits.budget(length))
    }

    /// The same input with other bytes: what its compressed content came to.
    pub(crate) fn replaced(self, bytes: AlignedBytes) -> Input<'static> {
        let length = bytes.as_slice().len() as u64;
        let input = Input::new(self.path, Data::Memory(bytes), length, self.budget);
        Input { entry: self.entry, folder: self.folder, ..input }
    }

    /// Bytes in all.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The path of a file that can be opened again; none of a stream or a slice.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The folder that the file stands in, if it was opened as one: its chunks are files beside it.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Whether it is an entry of an archive.
    pub(crate) fn is_entry(&self) -> bool {
        self.entry.is_some()
    }

    /// What was found on the way to it.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        self.entry.as_mut().map(std::mem::take).unwrap_or_default()
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.budget
    }

    /// The first bytes: all of a small input, at least 4 KiB of any other.
    pub fn head(&self) -> &[u8] {
        match &self.data {
            Data::Slice(bytes) => bytes,
            Data::Memory(bytes) => bytes.as_slice(),
            Data::File { head, .. } => head.as_slice(),
        }
    }

    /// All bytes. A file larger than its head is mapped.
    pub fn bytes(&self) -> Result<&[u8]> {
        match &self.data {
            Data::Slice(bytes) => Ok(bytes),
            Data::Memory(bytes) => Ok(bytes.as_slice()),
            Data::File { head, .. } if head.as_slice().len() as u64 == self.length => Ok(head.as_slice()),
            Data::File { file, map, .. } => {
                let map = match map.get() {
                    Some(map) => map,
                    None => {
                        let mapped = memory::map(file).map_err(|error| self.io(error))?;
                        map.get_or_init(|| mapped)
                    }
                };
                // A file that has shrunk since it was opened maps shorter.
                let length = usize::try_from(self.length).unwrap_or(usize::MAX);
                map.get(..length).ok_or_else(|| self.io(io::ErrorKind::UnexpectedEof.into()))
            }
        }
    }

    /// Some of the bytes, without a copy.
    pub fn range(&self, range: Range<u64>) -> Result<&[u8]> {
        let bytes = if range.end <= self.head().len() as u64 { self.head() } else { self.bytes()? };
        let range =
            usize::try_from(range.start).unwrap_or(usize::MAX)..usize::try_from(range.end).unwrap_or(usize::MAX);
        bytes.get(range).ok_or_else(|| self.io(io::ErrorKind::UnexpectedEof.into()))
    }

    /// Whether the bytes are in memory already, or mapped.
    pub(crate) fn is_in_memory(&self) -> bool {
        match &self.data {
            Data::File { map, head, .. } => map.get().is_some() || head.as_slice().len() as u64 == self.length,
            _ => true,
        }
    }

    /// Some of the bytes of a file, mapped for a while; none of what is no file, cannot be mapped, or is no longer there:
    /// to look at lost pages would end the process, to read them is an error.
    pub(crate) fn window(&self, range: Range<u64>) -> Option<Mmap> {
        match &self.data {
            Data::File { file, .. } if file.metadata().is_ok_and(|now| range.end <= now.len()) => {
                memory::map_window(file, range.start, (range.end - range.start) as usize).ok()
            }
            _ => None,
        }
    }

    /// Copies bytes from an offset on. A file is read, not mapped, so that only the buffer takes memory.
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        match &self.data {
            Data::File { file, .. } if !self.is_in_memory() => match fill_at(file, buffer, offset) {
                Ok(filled) if filled == buffer.len() => Ok(()),
                Ok(_) => Err(self.io(io::ErrorKind::UnexpectedEof.into())),
                Err(error) => Err(self.io(error)),
            },
            _ => {
                let bytes = self.range(offset..offset.saturating_add(buffer.len() as u64))?;
                buffer.copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Some of the bytes, in memory of their own.
    pub(crate) fn copied(&self, range: &Range<u64>) -> Result<Vec<u8>> {
        let needed = range.end - range.start;
        let limit = Error::Limit { what: "a part of the file", needed, left: 0 };
        let mut bytes = memory::zeros(needed as usize).ok_or(limit)?;
        self.read_at(&mut bytes, range.start)?;
        Ok(bytes)
    }

    /// Where layouts are read from: the head, as far as a header may reach, with the length of the whole.
    pub fn source(&self) -> Source<'_> {
        let head = self.head();
        Source::prefix(&head[..head.len().min(LONGEST_HEADER)], self.length)
    }

    /// Runs a parse on the head and, where that does not hold the structure, on as much as a header may take. What is
    /// still [`Problem::Unavailable`] then is beyond the limit.
    pub(crate) fn parse<T>(
        &self,
        parse: impl Fn(Source<'_>) -> Result<T, Box<ParseError>>,
    ) -> Result<Result<T, Box<ParseError>>> {
        match parse(self.source()) {
            Err(error) if error.problem == Problem::Unavailable => {
                Ok(parse(Source::prefix(&self.longest_header()?, self.length)))
            }
            result => Ok(result),
        }
    }

    /// Runs a parse of a table that stands anywhere and says itself how long it is, on more and more of the bytes from
    /// `offset` on. Debits the bytes that are copied for it while it runs.
    pub(crate) fn parse_at<T>(
        &self,
        offset: u64,
        parse: impl Fn(Source<'_>) -> Result<T, Box<ParseError>>,
    ) -> Result<Result<T, Box<ParseError>>> {
        if self.is_in_memory() {
            return Ok(parse(Source::new(self.bytes()?).at(offset)));
        }
        let left = self.length.saturating_sub(offset);
        let mut wanted = TABLE.min(left);
        loop {
            self.budget.take(wanted, "a table")?;
            let mut bytes = AlignedBytes::zeros(wanted as usize).ok_or(Error::Limit {
                what: "a table",
                needed: wanted,
                left: 0,
            })?;
            self.read_at(bytes.as_mut_slice(), offset)?;
            let result = parse(Source::window(bytes.as_slice(), offset, self.length));
            self.budget.give_back(wanted);
            match result {
                Err(error) if error.problem == Problem::Unavailable && wanted < left => {
                    wanted = wanted.saturating_mul(4).min(left);
                }
                result => return Ok(result),
            }
        }
    }

    /// As many of the first bytes as a header may take.
    pub(crate) fn longest_header(&self) -> Result<Vec<u8>> {
        let mut header = vec![0; self.length.min(LONGEST_HEADER as u64) as usize];
        self.read_at(&mut header, 0)?;
        Ok(header)
    }

    fn io(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}

/// Native byte order, as the layouts name it.
pub(crate) const NATIVE: Endian = if cfg!(target_endian = "big") { Endian::Big } else { Endian::Little };

/// Reads from an offset on until the buffer is full or the file ends; says how many bytes that were.
fn fill_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match read_at(file, &mut buffer[filled..], offset + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
