//! Inputs: a path, a slice, a stream or a source of ranges. All four behave the same way.
//!
//! Reading, checking and mapping are implemented once, on top of [`Input`]. Its methods obtain the bytes of a range in different
//! ways:
//!
//! * `range` borrows them. This maps a file, and may fetch all bytes of a source.
//! * `read_at` and `owned` never lend a mapping. Code that reads a byte twice uses them, because another process may change a
//!   mapped file in between.
//! * `seen` does whichever is cheaper for a single pass.
//!
//! An input also carries the findings about the archive or the gzip file that contained it, and the budget that all
//! work on it is charged to.

use super::folder::Folder;
use super::limits::Debit;
use super::limits::{Budget, Limits};
use super::memory::{self, AlignedBytes, Mapped};
use super::pages::Paged;
use super::positioned::fill_at;
use crate::bytes::declared::DeclaredTensor;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::foreign::BEGINNING;
use everybyte::Source;
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The number of bytes that are read when a file is opened: enough for the header of nearly every file, and for the whole of a
/// small one. It is the block size of most file systems, so fewer bytes would save nothing. A longer header requires a second read.
pub(crate) const HEAD: usize = BEGINNING;

/// The maximum length of a header. Without it, a file could claim millions of axes at no cost. 1 MiB is our own choice, which
/// allows about 131,000 axes in RawArray. A longer header is refused regardless of the budget.
pub(crate) const LONGEST_HEADER: usize = 1 << 20;

/// The maximum number of bytes of a file or a stream that are read at a time. The clock is checked in between, and even a slow disk
/// delivers 16 MiB in a fraction of a second.
pub(super) const STEP_MAX: usize = 16 << 20;

/// An open file, or the bytes of a file in memory. To check, describe and read a file, open it only once, so that all three see the
/// same bytes.
///
/// ```
/// use ndbytes::{Array, Checker, Input, Limits, Options};
///
/// let input = Input::open("samples/surface.ra", Limits::default())?;
/// assert!(Checker::new().check_input(input.again(Limits::default())?)?.findings().is_empty());
/// let array = Array::read(input, &Options::new())?;
/// assert_eq!(array.shape(), [4, 6]);
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub struct Input<'a> {
    path: Option<PathBuf>,
    length: u64,
    data: Data<'a>,
    budget: Budget,
    /// The findings about the archive entry that it comes from; `None` for any other input.
    entry: Option<Vec<Finding>>,
    /// The directory of the file, if its chunks are separate files.
    folder: Option<Arc<Folder>>,
    /// The findings about the gzip file that it was decompressed from; `None` for any other input.
    around: Option<Vec<Finding>>,
    /// The type and shape of the tensor with these bytes; `None` for any other input.
    declared: Option<Arc<DeclaredTensor>>,
}

/// Where the bytes of an input are.
pub(super) enum Data<'a> {
    Slice(&'a [u8]),
    Memory(AlignedBytes),
    /// The input starts at offset `start`.
    File {
        file: File,
        start: u64,
        head: AlignedBytes,
        map: OnceLock<Mapped>,
    },
    /// The input starts at offset `start`. `whole` has all of its bytes, once they have been requested in one piece.
    Source {
        source: Arc<Paged>,
        start: u64,
        head: AlignedBytes,
        whole: OnceLock<AlignedBytes>,
    },
}

impl fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Input")
            .field("path", &self.path)
            .field("length", &self.length)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}

impl Input<'static> {
    /// Returns the frame file of a directory, as the input that represents the directory.
    pub(crate) fn in_folder(self, path: &Path, folder: Folder) -> Self {
        Input { path: Some(path.to_owned()), folder: Some(Arc::new(folder)), ..self }
    }

    /// Returns an unpacked entry of an archive, with the findings about its container.
    pub(crate) fn entry(address: PathBuf, bytes: AlignedBytes, budget: Budget, findings: Vec<Finding>) -> Self {
        let length = bytes.as_slice().len() as u64;
        Input { entry: Some(findings), ..Input::new(Some(address), Data::Memory(bytes), length, budget) }
    }

    /// Returns a part of a file as a separate input: an entry of an archive that is stored uncompressed. `None` if the file is in memory.
    pub(crate) fn part(
        file: &Input<'_>,
        place: Range<u64>,
        address: &Path,
        budget: Budget,
        findings: &[Finding],
    ) -> Result<Option<Self>> {
        let length = place.end - place.start;
        let mut head = [0; HEAD];
        let head = &mut head[..length.min(HEAD as u64) as usize];
        if matches!(&file.data, Data::Slice(_) | Data::Memory(_)) {
            return Ok(None);
        }
        file.read_at(head, place.start)?;
        let Some(data) = file.shared(place.start, head)? else { return Ok(None) };
        let input = Input::new(Some(address.to_owned()), data, length, budget);
        Ok(Some(Input { entry: Some(findings.to_vec()), ..input }))
    }
}

impl Input<'static> {
    /// Returns the bytes of a tensor, with the findings about its container. The bytes are copied if the file is in memory.
    pub(crate) fn tensor(
        file: &Input<'_>,
        place: Range<u64>,
        address: PathBuf,
        budget: Budget,
        declared: Arc<DeclaredTensor>,
        findings: &[Finding],
    ) -> Result<Self> {
        let is_in_memory = matches!(&file.data, Data::Slice(_) | Data::Memory(_));
        if !is_in_memory {
            let part = Input::part(file, place, &address, budget, findings)?.expect("it is not in memory");
            return Ok(Input { declared: Some(declared), ..part });
        }
        let (what, needed) = ("a tensor", place.end - place.start);
        budget.take(needed, what)?;
        let zeros = usize::try_from(needed).ok().and_then(AlignedBytes::zeros);
        let mut bytes = zeros.ok_or(Error::Limit { what, needed, left: 0 })?;
        file.read_at(bytes.as_mut_slice(), place.start)?;
        let input = Input::entry(address, bytes, budget, findings.to_vec());
        Ok(Input { declared: Some(declared), ..input })
    }
}

impl<'a> Input<'a> {
    /// Creates an input from bytes that are neither an entry of an archive nor in a separate directory.
    pub(super) fn new(path: Option<PathBuf>, data: Data<'a>, length: u64, budget: Budget) -> Self {
        Input { path, length, data, budget, entry: None, folder: None, around: None, declared: None }
    }

    /// Uses bytes in memory.
    pub fn from_slice(bytes: &'a [u8], limits: Limits) -> Self {
        let length = bytes.len() as u64;
        Input::new(None, Data::Slice(bytes), length, limits.budget(length))
    }

    /// Returns the same input with different bytes: its decompressed content.
    pub(crate) fn replaced(self, bytes: AlignedBytes) -> Input<'static> {
        let length = bytes.as_slice().len() as u64;
        let input = Input::new(self.path, Data::Memory(bytes), length, self.budget);
        Input { entry: self.entry, folder: self.folder, ..input }
    }

    /// Returns the same input, as the content of a gzip file about which there are findings.
    pub(crate) fn unpacked(self, around: Vec<Finding>) -> Self {
        Input { around: Some(around), ..self }
    }

    /// Returns whether it was decompressed from a gzip file.
    #[doc(hidden)]
    pub fn is_unpacked(&self) -> bool {
        self.around.is_some()
    }

    /// Removes and returns the findings about the gzip file that it was decompressed from; `None` for any other input.
    pub(crate) fn take_around(&mut self) -> Option<Vec<Finding>> {
        self.around.as_mut().map(std::mem::take)
    }

    /// If this input was decompressed, records in an error that it is in the content of a gzip file.
    pub(crate) fn placed<T>(&self, result: Result<T>) -> Result<T> {
        result.map_err(|error| match error {
            Error::Invalid(finding) if self.is_unpacked() => finding.inside_gzip().into(),
            error => error,
        })
    }

    /// Returns the same input, which can be opened again at a path.
    pub(super) fn with_path(self, path: &Path) -> Self {
        Input { path: Some(path.to_owned()), ..self }
    }

    /// Returns the same input with a declared length. Only its first bytes exist, and the others must not be requested.
    pub(crate) fn promising(self, length: u64) -> Self {
        Input { length, ..self }
    }

    /// Another handle for the same bytes, with a separate budget. The path is not looked up again.
    ///
    /// # Errors
    /// [`Error::Io`] if the system does not provide another handle for the file.
    pub fn again(&self, limits: Limits) -> Result<Input<'_>> {
        let data = match self.shared(0, self.held())? {
            Some(data) => data,
            None => Data::Slice(self.bytes()?),
        };
        let input = Input::new(self.path.clone(), data, self.length, self.fresh_budget(limits));
        let (entry, folder, around) = (self.entry.clone(), self.folder.clone(), self.around.clone());
        Ok(Input { entry, folder, around, declared: self.declared.clone(), ..input })
    }

    /// Another handle for the bytes from an offset on, which begin with `head`. `None` if they are in memory.
    fn shared(&self, offset: u64, head: &[u8]) -> Result<Option<Data<'static>>> {
        Ok(Some(match &self.data {
            Data::Slice(_) | Data::Memory(_) => return Ok(None),
            Data::File { file, start, .. } => Data::File {
                file: file.try_clone().map_err(|source| self.io(source))?,
                start: start + offset,
                head: AlignedBytes::copy_of(head)?,
                map: OnceLock::new(),
            },
            Data::Source { source, start, .. } => Data::Source {
                source: source.clone(),
                start: start + offset,
                head: AlignedBytes::copy_of(head)?,
                whole: OnceLock::new(),
            },
        }))
    }

    /// Returns a new budget for the same bytes, without restarting the clock.
    pub(crate) fn fresh_budget(&self, limits: Limits) -> Budget {
        match &self.data {
            Data::Source { .. } => self.budget.renewed(Paged::beside_pages(limits), 0),
            _ => self.budget.renewed(limits, self.granted()),
        }
    }

    /// The same input without a time limit, for work on other files.
    #[doc(hidden)]
    pub fn unclocked(mut self) -> Self {
        self.budget.never_end();
        self
    }

    /// Returns the same input, with another input's deadline.
    pub(crate) fn clocked_as(mut self, other: &Input<'_>) -> Self {
        self.budget.end_as(&other.budget);
        self
    }

    /// Returns the same input, with its time also limited by these limits.
    pub(crate) fn within(mut self, limits: Limits) -> Self {
        self.budget.end_with(limits);
        self
    }

    /// Returns the memory that the length adds to the limit. The length of a source is only a claim.
    pub(crate) fn granted(&self) -> u64 {
        if self.is_source() { 0 } else { self.length }
    }

    /// Returns whether the bytes are requested from a source on demand.
    #[doc(hidden)]
    pub fn is_source(&self) -> bool {
        matches!(&self.data, Data::Source { .. }) && !self.is_in_memory()
    }

    /// The length in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The path of a file that can be opened again; `None` for a stream or a slice.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The directory of the file, if it was opened as a directory with its chunks as separate files.
    #[doc(hidden)]
    pub fn folder(&self) -> Option<&Folder> {
        self.folder.as_deref()
    }

    /// Returns whether it is an entry of an archive.
    pub(crate) fn is_entry(&self) -> bool {
        self.entry.is_some()
    }

    /// Removes and returns the findings about its container.
    pub(crate) fn take_findings(&mut self) -> Vec<Finding> {
        self.entry.as_mut().map(std::mem::take).unwrap_or_default()
    }
    /// The budget that all work on this input is charged to.
    #[doc(hidden)]
    pub fn budget(&self) -> &Budget {
        &self.budget
    }

    /// Fails if the time for this input is up. Call it between steps that do not read from the input.
    ///
    /// # Errors
    /// [`Error::Time`].
    pub fn ensure_time(&self) -> Result<()> {
        self.budget.ensure_time()
    }

    /// Returns the type and the shape of the tensor with these bytes; `None` for any other input.
    pub(crate) fn declared(&self) -> Option<&Arc<DeclaredTensor>> {
        self.declared.as_ref()
    }

    /// The first bytes, at most 4 KiB. They are the same for a file, a stream and a slice, so decisions based on them are also the
    /// same. For a tensor, they are empty, because its bytes are not a signature.
    pub fn head(&self) -> &[u8] {
        if self.declared.is_some() {
            return &[];
        }
        let held = self.held();
        &held[..held.len().min(HEAD)]
    }

    /// Returns the first bytes that are in memory, which include at least the head.
    pub(super) fn held(&self) -> &[u8] {
        match &self.data {
            Data::Slice(bytes) => bytes,
            Data::Memory(bytes) => bytes.as_slice(),
            Data::File { head, .. } | Data::Source { head, .. } => head.as_slice(),
        }
    }

    /// All bytes. A file that is larger than its head is mapped. A source is read completely, and charged to the budget.
    pub fn bytes(&self) -> Result<&[u8]> {
        self.budget.ensure_time()?;
        match &self.data {
            Data::Slice(bytes) => Ok(bytes),
            Data::Memory(bytes) => Ok(bytes.as_slice()),
            Data::File { head, .. } | Data::Source { head, .. } if head.as_slice().len() as u64 == self.length => {
                Ok(head.as_slice())
            }
            Data::Source { whole, .. } => {
                if let Some(whole) = whole.get() {
                    return Ok(whole.as_slice());
                }
                let what = "the bytes of a source";
                self.budget.take(self.length, what)?;
                let zeros = usize::try_from(self.length).ok().and_then(AlignedBytes::zeros);
                let mut bytes = zeros.ok_or(Error::Limit { what, needed: self.length, left: 0 })?;
                self.read_at(bytes.as_mut_slice(), 0)?;
                Ok(whole.get_or_init(|| bytes).as_slice())
            }
            Data::File { file, start, map, .. } => {
                let map = match (map.get(), start) {
                    (Some(map), _) => map,
                    (None, 0) => {
                        let mapped = memory::map(file).map_err(|error| self.io(error))?;
                        map.get_or_init(|| mapped)
                    }
                    (None, _) => {
                        let mapped = self.window(0..self.length);
                        let mapped = mapped.ok_or_else(|| self.io(io::ErrorKind::UnexpectedEof.into()))?;
                        map.get_or_init(|| mapped)
                    }
                };
                // If a file has shrunk since it was opened, the mapping is shorter.
                let length = usize::try_from(self.length).unwrap_or(usize::MAX);
                map.get(..length).ok_or_else(|| self.io(io::ErrorKind::UnexpectedEof.into()))
            }
        }
    }

    /// Some of the bytes, without a copy.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Time`]; for a source, [`Error::Limit`].
    pub fn range(&self, range: Range<u64>) -> Result<&[u8]> {
        self.budget.ensure_time()?;
        if let Data::Source { source, start, .. } = &self.data
            && self.holds(&range)
            && let Some(bytes) = source.held(&(start + range.start..start + range.end))
        {
            return Ok(bytes);
        }
        let bytes = if range.end <= self.held().len() as u64 { self.held() } else { self.bytes()? };
        let range =
            usize::try_from(range.start).unwrap_or(usize::MAX)..usize::try_from(range.end).unwrap_or(usize::MAX);
        bytes.get(range).ok_or_else(|| self.io(io::ErrorKind::UnexpectedEof.into()))
    }

    /// Returns whether the bytes are in memory that no other process can change. Only such bytes may be decoded in place.
    pub(crate) fn is_in_memory(&self) -> bool {
        match &self.data {
            Data::File { head, .. } => head.as_slice().len() as u64 == self.length,
            Data::Source { head, whole, .. } => head.as_slice().len() as u64 == self.length || whole.get().is_some(),
            Data::Slice(_) | Data::Memory(_) => true,
        }
    }

    /// Returns whether the bytes can be copied without a system call, because they are in memory or mapped.
    pub(crate) fn is_at_hand(&self) -> bool {
        self.is_in_memory() || matches!(&self.data, Data::File { map, .. } if map.get().is_some())
    }

    /// Returns some of the bytes of a file, temporarily mapped. `None` if the input is not a file, cannot be mapped, or has shrunk.
    /// Accessing lost pages of a mapping would end the process, whereas reading them from the file is an error.
    pub(crate) fn window(&self, range: Range<u64>) -> Option<Mapped> {
        match &self.data {
            Data::File { file, start, .. } if file.metadata().is_ok_and(|now| start + range.end <= now.len()) => {
                let length = usize::try_from(range.end - range.start).ok()?;
                memory::map_window(file, start + range.start, length).ok()
            }
            _ => None,
        }
    }

    /// Copies bytes from an offset. If a file is not mapped yet, it is read, so only the buffer takes memory.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Time`].
    pub fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        self.budget.ensure_time()?;
        match &self.data {
            // An empty read succeeds at any offset.
            Data::File { .. } | Data::Source { .. } if buffer.is_empty() => Ok(()),
            // If the input is a part of a file, it may end before the file does.
            Data::File { .. } | Data::Source { .. } if offset.saturating_add(buffer.len() as u64) > self.length => {
                Err(self.io(io::ErrorKind::UnexpectedEof.into()))
            }
            Data::Source { source, start, .. } if !self.is_in_memory() => {
                source.read(buffer, start + offset, &self.budget).map_err(|error| self.named(error))
            }
            Data::File { file, start, .. } if !self.is_at_hand() => self.read_file(file, buffer, start + offset),
            _ => {
                let bytes = self.range(offset..offset.saturating_add(buffer.len() as u64))?;
                buffer.copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Copies bytes of a file in steps.
    fn read_file(&self, file: &File, buffer: &mut [u8], mut offset: u64) -> Result<()> {
        for step in buffer.chunks_mut(STEP_MAX) {
            self.budget.ensure_time()?;
            match fill_at(file, step, offset) {
                Ok(filled) if filled == step.len() => offset += filled as u64,
                Ok(_) => return Err(self.io(io::ErrorKind::UnexpectedEof.into())),
                Err(error) => return Err(self.io(error)),
            }
        }
        Ok(())
    }

    /// Returns the pages of a source and the offset of the input in the source. `None` if the input is not in a source.
    pub(super) fn paged(&self) -> Option<(&Paged, u64)> {
        match &self.data {
            Data::Source { source, start, .. } if !self.is_in_memory() => Some((source, *start)),
            _ => None,
        }
    }

    /// Returns whether all bytes of a range are in the input.
    pub(super) fn holds(&self, range: &Range<u64>) -> bool {
        range.start <= range.end && range.end <= self.length
    }

    /// Adds the path of the input to an error.
    pub(super) fn named(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => error.at(path),
            None => error,
        }
    }

    /// Returns a copy of some of the bytes.
    pub(crate) fn copied(&self, range: &Range<u64>) -> Result<Vec<u8>> {
        let needed = range.end - range.start;
        let limit = Error::Limit { what: "a part of the file", needed, left: 0 };
        let mut bytes = usize::try_from(needed).ok().and_then(memory::zeros).ok_or(limit)?;
        self.read_at(&mut bytes, range.start)?;
        Ok(bytes)
    }

    /// Returns some of the bytes, in memory that no other process can change. Bytes of a file are copied and debited.
    pub(crate) fn owned(&self, range: Range<u64>, debit: &Debit<'_>) -> Result<Cow<'_, [u8]>> {
        if self.is_in_memory() {
            return self.range(range).map(Cow::Borrowed);
        }
        debit.take(range.end.saturating_sub(range.start), "the bytes of a file")?;
        self.copied(&range).map(Cow::Owned)
    }

    /// Some of the bytes, for a single pass. A file is mapped. Bytes of a source are copied, and the copy is charged to the budget.
    #[doc(hidden)]
    pub fn seen(&self, range: Range<u64>, debit: &Debit<'_>) -> Result<Cow<'_, [u8]>> {
        match &self.data {
            Data::Source { .. } => self.owned(range, debit),
            _ => self.range(range).map(Cow::Borrowed),
        }
    }

    /// The source for reading layouts: the first bytes, which contain any header, and the total length.
    pub fn source(&self) -> Source<'_> {
        let head = self.held();
        Source::prefix(&head[..head.len().min(LONGEST_HEADER)], self.length)
    }

    /// The reason why the input cannot be read.
    pub(crate) fn io(&self, source: io::Error) -> Error {
        Error::Io { path: self.path.clone(), source }
    }
}
