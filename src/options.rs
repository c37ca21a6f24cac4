//! Options for opening files, which are the same for all formats.
//!
//! The type parameter of [`OpenOptions`] is the handle to open, so the same methods work for every format, and the result is a
//! handle of that type. `K` is always the handle with the lifetime `'static`. [`Handle::Of`] is the same handle with the lifetime
//! of the bytes, which may be borrowed.

use crate::bytes::input::Input;
use crate::bytes::limits::{Limits, told};
use crate::bytes::source::ReadRanges;
use crate::error::{Error, Result};
use crate::findings::rule::Rule;
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use everybyte::Endian;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

/// Options for opening files. Every format has an alias of this type, such as [`idx::Options`](crate::idx::Options), whose `open`
/// returns the handle of that format. [`ndbytes::Options`](crate::Options) opens files of any format.
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

/// The settings of options for any kind of handle.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub(crate) limits: Limits,
    pub(crate) tolerated: Vec<&'static Rule>,
    pub(crate) byte_order: Option<Endian>,
    pub(crate) void_as: Option<Dtype>,
    pub(crate) is_mapped: bool,
    pub(crate) is_raw: bool,
}

impl Settings {
    /// Returns whether a rule is tolerated.
    pub(crate) fn tolerates(&self, rule: &Rule) -> bool {
        self.tolerated.contains(&rule)
    }

    /// Returns the type of the items in a file. For raw bytes, this is the type that the caller states, if any.
    ///
    /// # Errors
    /// [`Error::WrongType`] if that type has a different size.
    pub(crate) fn typed(&self, stored: ItemType) -> Result<ItemType> {
        match (self.void_as, &stored) {
            (Some(requested), &ItemType::Plain(stored @ Dtype { kind: ElementKind::Record(size), .. })) => {
                match size == requested.kind.size() && requested.kind.is_number() {
                    true => Ok(requested.into()),
                    false => Err(Error::WrongType { requested, stored }),
                }
            }
            _ => Ok(stored),
        }
    }
}

/// A handle that [`OpenOptions`] can open.
///
/// ```
/// use ndbytes::{Handle, Limits, OpenOptions, Result, idx, rawarray};
///
/// /// Opens a file of one format, with little memory.
/// fn open_small<K: Handle>(path: &str) -> Result<K::Of<'static>> {
///     OpenOptions::<K>::new().limits(Limits::default().memory(1 << 20)).open(path)
/// }
///
/// let labels = open_small::<idx::Idx<'static>>("samples/digits-idx1-ubyte")?;
/// let surface = open_small::<rawarray::RawArray<'static>>("samples/surface.ra")?;
/// assert_eq!((labels.shape(), surface.dims()), (&[10][..], &[4, 6][..]));
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub trait Handle {
    /// The handle for an input that may be borrowed.
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
    /// Creates strict options with the default limits.
    pub fn new() -> Self {
        OpenOptions::default()
    }

    /// Sets the limits on the cost of reading a file.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Also reads files that break the rule, if possible: see [`Rule::is_tolerable`]. The handle's `tolerated()` lists the
    /// tolerated violations. Tolerating a violation never changes a value.
    #[must_use]
    pub fn tolerate(mut self, rule: &'static Rule) -> Self {
        self.settings.tolerated.push(rule);
        self
    }

    /// Reads the elements of an IDX file in this byte order. IDX is big-endian, but some writers use the byte order of the machine,
    /// which the file does not record. Other formats state their byte order, so they are not affected.
    #[must_use]
    pub fn byte_order(mut self, order: Endian) -> Self {
        self.settings.byte_order = Some(order);
        self
    }

    /// Reads items of raw bytes, NumPy's `void`, as numbers of this type. ml_dtypes saves bfloat16 this way. Items of other types are not
    /// affected.
    ///
    /// ```
    /// use ndbytes::everybyte::Endian;
    /// use ndbytes::{Dtype, ElementKind, npy};
    /// # let mut file = b"\x93NUMPY\x01\0\x38\0{'descr': '<V2', 'fortran_order': False, 'shape': (2,)}\n".to_vec();
    /// # file.extend([0x80, 0x3f, 0, 0x40]);
    ///
    /// let bfloat16 = Dtype::new(ElementKind::Bf16, Endian::Little);
    /// let array = npy::Options::new().void_as(bfloat16).from_slice(&file)?;
    /// assert_eq!(array.to_array::<ndbytes::half::bf16>()?.map(|value| value.to_f32()).as_slice(), Some(&[1.0, 2.0][..]));
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    #[must_use]
    pub fn void_as(mut self, dtype: Dtype) -> Self {
        self.settings.void_as = Some(dtype);
        self
    }

    /// Maps the file when it is opened, so that reading small pieces at random positions is faster. Accessed pages count as memory
    /// of the process. If another process truncates a mapped file, the system may kill this process. Chunk files of a sparse frame
    /// are never mapped, and neither are slices, streams and sources.
    #[must_use]
    pub fn mapped(mut self) -> Self {
        self.settings.is_mapped = true;
        self
    }

    /// Refuses files compressed with gzip.
    #[must_use]
    pub fn raw(mut self, raw: bool) -> Self {
        self.settings.is_raw = raw;
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    /// [`Error::Invalid`](crate::Error::Invalid) if the file breaks a rule of severity error that is not tolerated;
    /// [`Error::Limit`](crate::Error::Limit); [`Error::Io`](crate::Error::Io).
    pub fn open(&self, path: impl AsRef<Path>) -> Result<K::Of<'static>> {
        let input = Input::open(path, self.settings.limits)?;
        if self.settings.is_mapped {
            input.bytes()?;
        }
        self.take(input)
    }

    /// Reads a file from memory, without a copy.
    ///
    /// ```
    /// # let body = std::fs::read("samples/surface.ra").unwrap();
    /// use ndbytes::{File, Limits, Options};
    ///
    /// // The body of a request from an untrusted sender.
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

    /// Opens a file through a source of ranges, such as one on a web server or in an object store. Each operation reads only the
    /// bytes that it needs. A view borrows its elements, so it reads all bytes into memory.
    ///
    /// # Errors
    /// As for [`OpenOptions::open`].
    #[allow(clippy::wrong_self_convention, reason = "the options say how to read from a source")]
    pub fn from_source(&self, source: impl ReadRanges + 'static) -> Result<K::Of<'static>> {
        self.take(Input::from_source(source, self.settings.limits)?)
    }

    /// Reads an open input.
    ///
    /// # Errors
    /// As for [`OpenOptions::open`].
    pub fn read<'a>(&self, input: Input<'a>) -> Result<K::Of<'a>> {
        self.take(input.within(self.settings.limits))
    }

    /// Reads an input whose clock is running.
    fn take<'a>(&self, input: Input<'a>) -> Result<K::Of<'a>> {
        let deadline = input.budget().deadline();
        K::read_with(input, &self.settings).map_err(|error| told(deadline, error))
    }
}
