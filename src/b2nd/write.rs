//! Writing b2nd arrays.

use super::assemble::Around;
use super::filter::Filter;
use super::inexpressible;
use super::metadata::{Contents, is_reserved, msgpack};
use super::plan::Plan;
use super::sinks::{is_of_frame, write_folder, write_frame};
use crate::atomic::{AtomicFile, AtomicFolder};
use crate::input::NATIVE;
use crate::{Dtype, Element, Error, ItemType, Kind, Result};
use bytemuck::NoUninit;
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::b2nd::Codec;
use std::borrow::Cow;
use std::io::Cursor;
use std::path::Path;

/// A Rust type that items can be written from: every [`Element`], and `bool`. Of these, NumPy has no `i128`, `u128`,
/// `bf16` and `Complex<f16>`; arrays of them are refused.
pub trait B2ndElement: NoUninit + sealed::Sealed {
    /// What it stands for in a file.
    const KIND: Kind;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: Element> sealed::Sealed for T {}
impl<T: Element> B2ndElement for T {
    const KIND: Kind = T::KIND;
}
impl sealed::Sealed for bool {}
impl B2ndElement for bool {
    const KIND: Kind = Kind::Bool;
}

/// Writes an array to a file, atomically, as [`Writer::new`] has it.
///
/// # Errors
/// As for [`Writer::write`].
pub fn write<T: B2ndElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// How to write b2nd arrays.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("a.b2nd");
/// use ndarray::Array;
/// use ndbytes::b2nd::{self, Codec, Filter, Writer};
///
/// let array = Array::from_shape_fn((300, 400), |(row, column)| (row * column) as f64);
/// Writer::new()
///     .chunks([100, 400])
///     .blocks([20, 100])
///     .codec(Codec::LZ4)
///     .filters([Filter::Bitshuffle])
///     .attribute("unit", &"kelvin".into())?
///     .write(&path, &array)?;
///
/// let written = b2nd::open(&path)?;
/// assert_eq!(written.get::<f64>(&[7, 6])?, 42.0);
/// assert_eq!(written.attribute_value("unit")?.as_str(), Some("kelvin"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Chunks and blocks
///
/// Where they are not given, a chunk is the array, cut in half again and again until it has no more than 4 MiB: along
/// the longest axis each time, where an item of the last axis counts as an eighth of one. A block is cut out of a chunk
/// in the same way and has no more than 128 KiB, which fits the second-level cache of a processor. Then chunks that the
/// array has several of become whole multiples of blocks. An axis without items counts as an endless one, since what is
/// empty is there to be extended. The result depends on nothing but the shape and the size of an item.
///
/// # What is stored
///
/// A chunk of zeros, or of NaN, takes 8 bytes of the index, and one of any other value that all its items have 32 bytes
/// more than an item. Chunks that do not become smaller are stored as they are, and so are all at level 0. What chunks
/// have beyond the array is zero. The same array and the same writer make the same bytes, however many threads the
/// current rayon pool has.
#[derive(Debug, Clone)]
pub struct Writer {
    pub(super) chunks: Option<Vec<u64>>,
    pub(super) blocks: Option<Vec<u64>>,
    pub(super) codec: Codec,
    pub(super) level: u8,
    pub(super) filters: Vec<Filter>,
    metalayers: Contents,
    attributes: Contents,
    is_sparse: bool,
}

impl Default for Writer {
    fn default() -> Self {
        Writer::new()
    }
}

impl Writer {
    /// Files as python-blosc2 writes them: bytes shuffled, zstd at level 5, contiguous.
    pub fn new() -> Self {
        Writer {
            chunks: None,
            blocks: None,
            codec: Codec::ZSTD,
            level: 5,
            filters: vec![Filter::Shuffle],
            metalayers: Contents::default(),
            attributes: Contents::default(),
            is_sparse: false,
        }
    }

    /// Sets how many items a chunk has along each axis.
    #[must_use]
    pub fn chunks(self, extents: impl AsRef<[usize]>) -> Self {
        Writer { chunks: Some(wide(extents.as_ref())), ..self }
    }

    /// Sets how many items a block has along each axis: no more than a chunk.
    #[must_use]
    pub fn blocks(self, extents: impl AsRef<[usize]>) -> Self {
        Writer { blocks: Some(wide(extents.as_ref())), ..self }
    }

    /// Chooses the codec: [`Codec::BLOSCLZ`], [`Codec::LZ4`], [`Codec::LZ4HC`], [`Codec::ZLIB`] or [`Codec::ZSTD`].
    #[must_use]
    pub fn codec(self, codec: Codec) -> Self {
        Writer { codec, ..self }
    }

    /// Sets the level of compression: from 0, not at all, to 9. zstd in Rust alone (the feature `ruzstd`) has no other
    /// than one.
    #[must_use]
    pub fn level(self, level: u8) -> Self {
        Writer { level, ..self }
    }

    /// Sets what is done to the bytes of a block before they are compressed, in this order: six filters at the most.
    /// C-Blosc2 (3.3.5) reads them all, but where it adds chunks to a file with three or more it makes wrong ones.
    #[must_use]
    pub fn filters(self, filters: impl AsRef<[Filter]>) -> Self {
        Writer { filters: filters.as_ref().to_vec(), ..self }
    }

    /// Makes a folder of the file, in which every chunk is a file of its own: what is called a sparse frame.
    #[must_use]
    pub fn sparse(self, sparse: bool) -> Self {
        Writer { is_sparse: sparse, ..self }
    }

    /// Adds a metalayer to the header, where python-blosc2 finds it as `schunk.meta[name]`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for a name that has not 1 to 31 bytes, that is given twice, or that would make
    /// something else of the file than its array (such as `b2nd`); for more than 15 metalayers; for a value that
    /// msgpack has not.
    pub fn metalayer(self, name: &str, value: &rmpv::Value) -> Result<Self> {
        self.metalayer_bytes(name, msgpack(value)?)
    }

    /// Adds a metalayer of any bytes; python-blosc2 reads no others than msgpack.
    ///
    /// # Errors
    /// As for [`Writer::metalayer`]; also if there are no bytes.
    pub fn metalayer_bytes(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        if is_reserved(name) {
            let what = format!("a metalayer of the name {name:?}, which has a meaning of its own");
            return Err(inexpressible(what));
        }
        // One place is taken by the array's own.
        self.metalayers.push("metalayer", 1, name, bytes.into())?;
        Ok(self)
    }

    /// Adds an attribute, which stands compressed in the trailer; python-blosc2 finds it as `schunk.vlmeta[name]`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for a name that has not 1 to 31 bytes or is given twice, for more than 16 attributes,
    /// for a value that msgpack has not.
    pub fn attribute(self, name: &str, value: &rmpv::Value) -> Result<Self> {
        self.attribute_bytes(name, msgpack(value)?)
    }

    /// Adds an attribute of any bytes; python-blosc2 reads no others than msgpack.
    ///
    /// # Errors
    /// As for [`Writer::attribute`]; also if there are no bytes.
    pub fn attribute_bytes(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        self.attributes.push("attribute", 0, name, bytes.into())?;
        Ok(self)
    }

    /// Writes an array to a file, or a folder if it is to be [sparse](Writer::sparse). Until everything is written,
    /// what is there stays as it is. A folder is replaced only if it holds nothing but a sparse frame. An array that is
    /// not in C order in memory is copied first.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for types that NumPy has not, for more than 16 axes, for chunks and blocks that do not
    /// fit the array or each other or are too large (2^31 - 33 bytes a chunk, 536,866,816 a block), for codecs, levels
    /// and filters that there are not or that do not fit the items; [`Error::Io`]; [`Error::Limit`] if there is no
    /// memory.
    pub fn write<T: B2ndElement, D: Dimension>(&self, path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
        let (shape, items) = (wide(array.shape()), items(array));
        self.write_items(path.as_ref(), &shape, &item_type::<T>(), bytemuck::cast_slice(&items))
    }

    /// Writes an array of items of any type out of their bytes, the last axis varying fastest. Structures are named by
    /// their [`ItemType`].
    ///
    /// # Errors
    /// As for [`Writer::write`]; [`Error::Inexpressible`] too if there are not as many bytes as the shape comes to.
    pub fn write_bytes(
        &self,
        path: impl AsRef<Path>,
        shape: &[usize],
        item_type: &ItemType,
        bytes: &[u8],
    ) -> Result<()> {
        self.write_items(path.as_ref(), &wide(shape), item_type, bytes)
    }

    /// The bytes of the file that [`Writer::write`] would write.
    ///
    /// # Errors
    /// As for [`Writer::write`]; [`Error::Inexpressible`] too for a sparse frame, which is no single file.
    pub fn to_vec<T: B2ndElement, D: Dimension>(&self, array: &ArrayRef<T, D>) -> Result<Vec<u8>> {
        let (shape, items) = (wide(array.shape()), items(array));
        self.items_to_vec(&shape, &item_type::<T>(), bytemuck::cast_slice(&items))
    }

    /// The bytes of the file that [`Writer::write_bytes`] would write.
    ///
    /// # Errors
    /// As for [`Writer::write_bytes`] and [`Writer::to_vec`].
    pub fn bytes_to_vec(&self, shape: &[usize], item_type: &ItemType, bytes: &[u8]) -> Result<Vec<u8>> {
        self.items_to_vec(&wide(shape), item_type, bytes)
    }

    fn items_to_vec(&self, shape: &[u64], item_type: &ItemType, bytes: &[u8]) -> Result<Vec<u8>> {
        if self.is_sparse {
            return Err(inexpressible("a sparse frame in a single file".into()));
        }
        let plan = self.plan(shape, item_type, bytes)?;
        let mut sink = Cursor::new(Vec::new());
        write_frame(self.around(&plan)?, bytes, &mut sink)?;
        Ok(sink.into_inner())
    }

    fn write_items(&self, path: &Path, shape: &[u64], item_type: &ItemType, bytes: &[u8]) -> Result<()> {
        let plan = self.plan(shape, item_type, bytes)?;
        if self.is_sparse {
            let mut folder = AtomicFolder::create(path, is_of_frame)?;
            write_folder(self.around(&plan)?, bytes, &mut folder).map_err(|error: Error| error.at(path))?;
            return folder.commit();
        }
        let mut file = AtomicFile::create(path)?;
        write_frame(self.around(&plan)?, bytes, &mut file).map_err(|error| error.at(path))?;
        file.commit()
    }

    fn around<'p>(&self, plan: &'p Plan) -> Result<Around<'p>> {
        Around::new(plan, &self.metalayers, &self.attributes, self.is_sparse)
    }

    fn plan(&self, shape: &[u64], item_type: &ItemType, bytes: &[u8]) -> Result<Plan> {
        if !matches!(self.codec, Codec::BLOSCLZ | Codec::LZ4 | Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD) {
            let name = self.codec.name().unwrap_or("not defined");
            return Err(inexpressible(format!("chunks of codec {} ({name}), a plugin", self.codec.0)));
        }
        if self.level > 9 {
            return Err(inexpressible(format!("level {} of compression: 9 is the highest", self.level)));
        }
        let plan = Plan::new(self, shape, item_type)?;
        let needed = plan.geometry.items * item_type.size();
        if bytes.len() as u64 != needed {
            return Err(inexpressible(format!("{} bytes as an array of {shape:?}: it has {needed}", bytes.len())));
        }
        Ok(plan)
    }
}

fn item_type<T: B2ndElement>() -> ItemType {
    ItemType::Plain(Dtype::new(T::KIND, NATIVE))
}

/// The items, the last axis varying fastest.
fn items<T: B2ndElement, D: Dimension>(array: &ArrayRef<T, D>) -> Cow<'_, [T]> {
    match array.as_slice() {
        Some(items) => Cow::Borrowed(items),
        None => Cow::Owned(array.iter().copied().collect()),
    }
}

fn wide(extents: &[usize]) -> Vec<u64> {
    extents.iter().map(|&extent| extent as u64).collect()
}
