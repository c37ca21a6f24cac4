//! How files are opened: one type for all formats.

use crate::bytes::input::Input;
use crate::bytes::limits::{Deadline, Limits};
use crate::bytes::source::ReadRanges;
use crate::error::Result;
use crate::findings::rule::Rule;
use everybyte::Endian;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

/// How to open files. Every format has an alias of this type, such as [`idx::Options`](crate::idx::Options), whose `open`
/// returns that format's handle; [`ndbytes::Options`](crate::Options) opens a file of any format.
///
/// # Read a file in spite of a flaw
///
/// ```
/// # let file = [0, 0, 8, 1, 0, 0, 0, 3, 1, 2, 3, 0xFF];
/// use ndbytes::{Limits, Options, idx};
///
/// let options = Options::new().limits(Limits::default().memory(64 << 20)).tolerate(&idx::TRAILING_BYTES);
/// let file = options.from_slice(&file)?;
/// assert_eq!(file.tolerated()[0].rule, &idx::TRAILING_BYTES);
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub struct OpenOptions<K> {
    pub(crate) settings: Settings,
    kind: PhantomData<fn() -> K>,
}

/// The settings that options hold, whatever they open.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub(crate) limits: Limits,
    pub(crate) tolerated: Vec<&'static Rule>,
    pub(crate) byte_order: Option<Endian>,
    pub(crate) is_mapped: bool,
    pub(crate) is_raw: bool,
}

impl Settings {
    /// Returns whether a rule is tolerated.
    pub(crate) fn tolerates(&self, rule: &Rule) -> bool {
        self.tolerated.contains(&rule)
    }
}

/// A handle of a file, as [`OpenOptions`] open it.
pub trait Handle {
    /// The handle of an input that may be borrowed.
    type Of<'a>;

    #[doc(hidden)]
    fn read_with<'a>(input: Input<'a>, settings: &Settings) -> Result<Self::Of<'a>>;
}

impl<K> Clone for OpenOptions<K> {
    fn clone(&self) -> Self {
        OpenOptions { settings: self.settings.clone(), kind: PhantomData }
    }
}

impl<K> std::fmt::Debug for OpenOptions<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(f)
    }
}

impl<K> Default for OpenOptions<K> {
    fn default() -> Self {
        OpenOptions { settings: Settings::default(), kind: PhantomData }
    }
}

impl<K: Handle> OpenOptions<K> {
    /// Strict, within the default limits.
    pub fn new() -> Self {
        OpenOptions::default()
    }

    /// Sets what a file may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Reads files that break the rule nevertheless, where that is possible: see [`Rule::is_tolerable`]. The handle's
    /// `tolerated()` lists what was tolerated. No value becomes another by it.
    #[must_use]
    pub fn tolerate(mut self, rule: &'static Rule) -> Self {
        self.settings.tolerated.push(rule);
        self
    }

    /// Reads the elements of an IDX file in this order of bytes. IDX is big-endian, and a file does not record that its
    /// writer used the order of its machine. Other formats state their order, so that nothing changes in them.
    #[must_use]
    pub fn byte_order(mut self, order: Endian) -> Self {
        self.settings.byte_order = Some(order);
        self
    }

    /// Maps the file when it is opened: small pieces at random places are read faster. What was looked at counts as memory
    /// of the process. If another process truncates the file meanwhile, the system ends this one. Chunk files of a sparse
    /// frame are always read, never mapped. So are slices, streams and sources.
    #[must_use]
    pub fn mapped(mut self) -> Self {
        self.settings.is_mapped = true;
        self
    }

    /// Refuses a file inside gzip.
    #[must_use]
    pub fn raw(mut self, raw: bool) -> Self {
        self.settings.is_raw = raw;
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the file breaks a rule of severity error that is not tolerated,
    /// [`Error::Limit`](crate::Error::Limit), [`Error::Io`](crate::Error::Io).
    pub fn open(&self, path: impl AsRef<Path>) -> Result<K::Of<'static>> {
        let input = Input::open(path, self.settings.limits)?;
        if self.settings.is_mapped {
            input.bytes()?;
        }
        self.take(input)
    }

    /// Reads a file that is in memory, without a copy.
    ///
    /// ```
    /// # let body = std::fs::read("samples/surface.ra").unwrap();
    /// use ndbytes::{File, Limits, Options};
    ///
    /// // The body of a request, whose sender nobody trusts.
    /// let options = Options::new().limits(Limits::default().memory(64 << 20));
    /// let File::Array(array) = options.from_slice(&body)? else { panic!("a table was sent") };
    /// assert_eq!((array.shape(), array.to_array::<f32>()?[[0, 0]]), (&[4, 6][..], 3.75));
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`OpenOptions::open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a slice")]
    pub fn from_slice<'a>(&self, bytes: &'a [u8]) -> Result<K::Of<'a>> {
        self.take(Input::from_slice(bytes, self.settings.limits))
    }

    /// Reads a stream to its end.
    ///
    /// # Errors
    /// As for [`OpenOptions::open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a stream")]
    pub fn from_reader(&self, reader: impl Read) -> Result<K::Of<'static>> {
        self.take(Input::from_reader(reader, self.settings.limits)?)
    }

    /// Opens a file by way of its ranges: on a web server, in an object store. What is asked of it reads the bytes that it
    /// needs. A view, which borrows its elements, reads all bytes into memory.
    ///
    /// # Errors
    /// As for [`OpenOptions::open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a source")]
    pub fn from_source(&self, source: impl ReadRanges + 'static) -> Result<K::Of<'static>> {
        self.take(Input::from_source(source, self.settings.limits)?)
    }

    /// Reads something that was opened.
    ///
    /// # Errors
    /// As for [`OpenOptions::open`].
    pub fn read<'a>(&self, input: Input<'a>) -> Result<K::Of<'a>> {
        self.take(input.within(self.settings.limits))
    }

    /// Reads an input whose clock runs.
    fn take<'a>(&self, input: Input<'a>) -> Result<K::Of<'a>> {
        let deadline = input.budget().deadline();
        K::read_with(input, &self.settings).map_err(|error| Deadline::told(deadline, error))
    }
}
