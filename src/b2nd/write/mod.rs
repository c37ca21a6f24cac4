//! Writing b2nd arrays.

pub mod frame;
pub mod gather;
pub mod plan;
pub mod shapes;
pub mod sinks;
pub mod slabs;

use crate::b2nd::array::Array;
use crate::blosc2::write::contents::{Contents, is_reserved, msgpack};
use crate::blosc2::write::filters::Filter;
use crate::blosc2::write::inexpressible;
use crate::bytes::atomic::{AtomicFile, AtomicFolder};
use crate::bytes::limits::Limits;
use crate::error::{Error, Result};
use crate::types::dtype::{Dtype, Element, ElementKind};
use crate::types::item_type::ItemType;
use bytemuck::NoUninit;
use everybyte::Endian;
use frame::Around;
use ndarray::{ArrayRef, Dimension};
use ndbytes_schemas::blosc2::Codec;
use plan::{Plan, Settings};
use sinks::{FRAME_NAMES, Source, write_folder, write_frame};
use std::borrow::Cow;
use std::io::{Cursor, Seek, Write};
use std::ops::Range;
use std::path::Path;

/// A Rust type that can be written: every [`Element`], and `bool`. NumPy does not have `i128`, `u128`, `bf16` or `Complex<f16>`, so
/// arrays of these are refused.
///
/// ```
/// use ndbytes::b2nd::{self, B2ndElement};
/// use ndbytes::{ElementKind, Result};
///
/// /// A small array of one value.
/// fn constant<T: B2ndElement>(value: T) -> Result<Vec<u8>> {
///     b2nd::Writer::new().to_vec(&ndarray::Array1::from_elem(1000, value))
/// }
///
/// assert_eq!(b2nd::from_slice(&constant(true)?)?.dtype().kind, ElementKind::Bool);
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub trait B2ndElement: NoUninit + sealed::Sealed {
    /// The element type of files that corresponds to this Rust type.
    const KIND: ElementKind;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: Element> sealed::Sealed for T {}
impl<T: Element> B2ndElement for T {
    const KIND: ElementKind = T::KIND;
}
impl sealed::Sealed for bool {}
impl B2ndElement for bool {
    const KIND: ElementKind = ElementKind::Bool;
}

/// Writes an array to a file atomically, with the options of [`Writer::new`].
///
/// # Errors
/// As for [`Writer::write`].
pub fn write<T: B2ndElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// Writes b2nd arrays with the given options.
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
/// By default, the shape of a chunk is that of the array, halved repeatedly along its longest axis until it has at most 4 MiB.
/// Here, eight items along the last axis count as one. The shape of a block is derived from that of a chunk in the same way, with
/// at most 128 KiB, which fits in a processor's second-level cache. If the array has several chunks, they are then extended to
/// multiples of the block shape. An axis without items counts as infinitely long, because an empty array is meant to be extended.
/// The result depends only on the shape and the item size. With [`Filter::Delta`], a chunk is one block: see
/// [`Writer::delta_blocks`].
///
/// # What is stored
///
/// A chunk of only zeros or NaN takes 8 bytes in the index. A chunk whose items all have another value takes the size
/// of an item plus 32 bytes. Chunks that do not become smaller are stored uncompressed, and so are all chunks at level
/// 0. The padding of chunks is zero. The same array and options always produce the same bytes, regardless of the number of threads
///    in the current rayon pool.
#[derive(Debug, Clone)]
pub struct Writer {
    settings: Settings,
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
    /// Creates a writer with settings like python-blosc2's defaults: byte shuffle, zstd at level 5, and a contiguous frame.
    pub fn new() -> Self {
        Writer {
            settings: Settings::default(),
            metalayers: Contents::default(),
            attributes: Contents::default(),
            is_sparse: false,
        }
    }

    /// Uses the chunks, blocks, codec, level and filters of an array, as far as this writer supports them. Metalayers and
    /// attributes are left out, as are filters that change values.
    pub fn like(array: &Array<'_>) -> Self {
        let writer = Writer::new()
            .chunks(array.chunk_shape())
            .blocks(array.block_shape())
            .level(array.level())
            .filters(array.container().writers_filters());
        let is_written =
            matches!(array.codec(), Codec::BLOSCLZ | Codec::LZ4 | Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD);
        if is_written { writer.codec(array.codec()) } else { writer }
    }

    /// Sets the length of a chunk along each axis.
    #[must_use]
    pub fn chunks(self, extents: impl AsRef<[usize]>) -> Self {
        Writer { settings: Settings { chunks: Some(wide(extents.as_ref())), ..self.settings }, ..self }
    }

    /// Sets the length of a block along each axis, which must not exceed that of a chunk.
    #[must_use]
    pub fn blocks(self, extents: impl AsRef<[usize]>) -> Self {
        Writer { settings: Settings { blocks: Some(wide(extents.as_ref())), ..self.settings }, ..self }
    }

    /// Limits the time for writing an array: see [`Limits::time`]. The other limits have no effect.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Writer { settings: Settings { limits, ..self.settings }, ..self }
    }

    /// Sets the codec: [`Codec::BLOSCLZ`], [`Codec::LZ4`], [`Codec::LZ4HC`], [`Codec::ZLIB`] or [`Codec::ZSTD`].
    #[must_use]
    pub fn codec(self, codec: Codec) -> Self {
        Writer { settings: Settings { codec, ..self.settings }, ..self }
    }

    /// Sets the compression level, from 0 (none) to 9. The highest level of zstd takes about ten times as long as the one below it:
    /// for short runs, microseconds per byte. The pure-Rust zstd (feature `ruzstd`) has a single level.
    #[must_use]
    pub fn level(self, level: u8) -> Self {
        Writer { settings: Settings { level, ..self.settings }, ..self }
    }

    /// Sets the filters (at most six) that are applied, in this order, to a block before compression. C-Blosc2 (3.3.5) can read
    /// them all, but if it adds chunks to a file with three or more filters, the new chunks are incorrect.
    #[must_use]
    pub fn filters(self, filters: impl AsRef<[Filter]>) -> Self {
        Writer { settings: Settings { filters: filters.as_ref().to_vec(), ..self.settings }, ..self }
    }

    /// Allows chunks with a [`Filter::Delta`] to have several blocks. By default, such a chunk is one block, and other block shapes
    /// are refused: python-blosc2 4.14 reads such chunks correctly only as a whole. The rule `b2nd/delta-blocks` has the details.
    #[must_use]
    pub fn delta_blocks(self, allowed: bool) -> Self {
        Writer { settings: Settings { has_delta_blocks: allowed, ..self.settings }, ..self }
    }

    /// Writes a sparse frame: a directory in which every chunk is a separate file.
    #[must_use]
    pub fn sparse(self, sparse: bool) -> Self {
        Writer { is_sparse: sparse, ..self }
    }

    /// Adds a metalayer to the header, which python-blosc2 shows as `schunk.meta[name]`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if the name does not have 1 to 31 bytes, is already used, or would turn the file into another kind
    /// of object (such as `b2nd`). Also for more than 15 metalayers, and for a value that msgpack cannot represent.
    pub fn metalayer(self, name: &str, value: &rmpv::Value) -> Result<Self> {
        self.metalayer_bytes(name, msgpack(value)?)
    }

    /// Adds a metalayer with any bytes, but python-blosc2 reads only msgpack.
    ///
    /// # Errors
    /// As for [`Writer::metalayer`]; also if `bytes` is empty.
    pub fn metalayer_bytes(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        if is_reserved(name) {
            let what = format!("a metalayer named {name:?}, which is reserved");
            return Err(inexpressible(what));
        }
        // The array's own metalayer already uses one entry.
        self.metalayers.push("metalayer", 1, name, bytes.into())?;
        Ok(self)
    }

    /// Adds an attribute, which is compressed and stored in the trailer. python-blosc2 shows it as `schunk.vlmeta[name]`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] if the name does not have 1 to 31 bytes or is already used. Also for more than 16
    /// attributes, and for a value that msgpack cannot represent.
    pub fn attribute(self, name: &str, value: &rmpv::Value) -> Result<Self> {
        self.attribute_bytes(name, msgpack(value)?)
    }

    /// Adds an attribute with any bytes, but python-blosc2 reads only msgpack.
    ///
    /// # Errors
    /// As for [`Writer::attribute`]; also if `bytes` is empty.
    pub fn attribute_bytes(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        self.attributes.push("attribute", 0, name, bytes.into())?;
        Ok(self)
    }

    /// Writes an array to a file, or to a directory if it is [sparse](Writer::sparse). The target does not change until everything
    /// is written. [`replace_file`](crate::bytes::atomic::replace_file) lists the properties of the target that are kept. A
    /// directory is replaced only if it contains nothing but a sparse frame. The old and the new directory are exchanged in a
    /// single step or, if the system does not support that, in two. A reader or writer that finds no directory in between restores
    /// the old one. Readers of the old directory can continue to its end, because it is not removed until they close it. An array
    /// that is not in C order in memory is copied first.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for types that NumPy does not have, and for more than 16 axes. Also for chunks and blocks that do not fit
    /// the array or each other, or that exceed 2^31 - 33 bytes per chunk or 536,866,816 per block. Also for unknown codecs, levels or
    /// filters, and for filters that do not fit the items. [`Error::Io`]. [`Error::Limit`] if the memory limit is reached.
    pub fn write<T: B2ndElement, D: Dimension>(&self, path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
        let (shape, items) = (wide(array.shape()), items(array));
        let plan = self.plan_of(&shape, &item_type::<T>(), bytemuck::cast_slice(&items))?;
        self.write_planned(path.as_ref(), &plan, Source::Bytes(bytemuck::cast_slice(&items)))
    }

    /// Writes an array from the bytes of its items, which may have any type, with the last axis varying fastest. Structures are described
    /// by an [`ItemType`].
    ///
    /// # Errors
    /// As for [`Writer::write`]; also [`Error::Inexpressible`] if the number of bytes does not match the shape.
    pub fn write_bytes(
        &self,
        path: impl AsRef<Path>,
        shape: &[usize],
        item_type: &ItemType,
        bytes: &[u8],
    ) -> Result<()> {
        let plan = self.plan_of(&wide(shape), item_type, bytes)?;
        self.write_planned(path.as_ref(), &plan, Source::Bytes(bytes))
    }

    /// Writes an array with items of any type, piece by piece, without keeping all of it in memory. `read` fills a buffer with the
    /// items of a box (a range of each axis), with the last axis varying fastest. It is called once per box of at most 64 MiB, or
    /// of a single chunk. The result is the same as with [`Writer::write_bytes`].
    ///
    /// # Errors
    /// As for [`Writer::write`]; any error returned by `read`.
    pub fn write_boxes(
        &self,
        path: impl AsRef<Path>,
        shape: &[usize],
        item_type: &ItemType,
        mut read: impl FnMut(&[Range<usize>], &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let plan = self.plan(&wide(shape), item_type)?;
        self.write_planned(path.as_ref(), &plan, Source::Boxes(&mut read))
    }

    /// Like [`Writer::write_boxes`], but writes to any seekable output. The header is written last.
    ///
    /// # Errors
    /// As for [`Writer::write_boxes`]; also [`Error::Inexpressible`] for a sparse frame, which is not a single file.
    pub fn write_boxes_to(
        &self,
        mut to: impl Write + Seek + Send,
        shape: &[usize],
        item_type: &ItemType,
        mut read: impl FnMut(&[Range<usize>], &mut [u8]) -> Result<()>,
    ) -> Result<()> {
        self.ensure_one_file()?;
        let plan = self.plan(&wide(shape), item_type)?;
        write_frame(&plan, self.around(&plan)?, Source::Boxes(&mut read), &mut to)
    }

    /// Returns the bytes of the file that [`Writer::write`] would write.
    ///
    /// # Errors
    /// As for [`Writer::write`]; also [`Error::Inexpressible`] for a sparse frame, which is not a single file.
    pub fn to_vec<T: B2ndElement, D: Dimension>(&self, array: &ArrayRef<T, D>) -> Result<Vec<u8>> {
        let (shape, items) = (wide(array.shape()), items(array));
        self.items_to_vec(&shape, &item_type::<T>(), bytemuck::cast_slice(&items))
    }

    /// Returns the bytes of the file that [`Writer::write_bytes`] would write.
    ///
    /// # Errors
    /// As for [`Writer::write_bytes`] and [`Writer::to_vec`].
    pub fn bytes_to_vec(&self, shape: &[usize], item_type: &ItemType, bytes: &[u8]) -> Result<Vec<u8>> {
        self.items_to_vec(&wide(shape), item_type, bytes)
    }

    /// Writes an array to memory, from the bytes of its items.
    fn items_to_vec(&self, shape: &[u64], item_type: &ItemType, bytes: &[u8]) -> Result<Vec<u8>> {
        self.ensure_one_file()?;
        let plan = self.plan_of(shape, item_type, bytes)?;
        let mut sink = Cursor::new(Vec::new());
        write_frame(&plan, self.around(&plan)?, Source::Bytes(bytes), &mut sink)?;
        Ok(sink.into_inner())
    }

    /// Fails for a sparse frame, which is a directory.
    fn ensure_one_file(&self) -> Result<()> {
        if self.is_sparse { Err(inexpressible("a sparse frame in a single file".into())) } else { Ok(()) }
    }

    /// Writes a file or a directory under a temporary name, and renames it when it is complete.
    fn write_planned(&self, path: &Path, plan: &Plan, items: Source<'_>) -> Result<()> {
        if self.is_sparse {
            let mut folder = AtomicFolder::create(path, FRAME_NAMES)?;
            write_folder(plan, self.around(plan)?, items, &mut folder).map_err(|error: Error| error.at(path))?;
            return folder.commit();
        }
        let mut file = AtomicFile::create(path)?;
        write_frame(plan, self.around(plan)?, items, &mut file).map_err(|error| error.at(path))?;
        file.commit()
    }

    /// The parts of the frame around the chunks.
    fn around<'p>(&self, plan: &'p Plan) -> Result<Around<'p>> {
        Around::new(plan, &self.metalayers, &self.attributes, self.is_sparse)
    }

    /// The plan for an array whose items have these bytes.
    fn plan_of(&self, shape: &[u64], item_type: &ItemType, bytes: &[u8]) -> Result<Plan> {
        let plan = self.plan(shape, item_type)?;
        let needed = plan.geometry.items * item_type.size();
        if bytes.len() as u64 != needed {
            return Err(inexpressible(format!("{} bytes as an array of {shape:?}: it has {needed}", bytes.len())));
        }
        Ok(plan)
    }

    /// Plans a file: validates the settings, and chooses the shapes that are not set.
    fn plan(&self, shape: &[u64], item_type: &ItemType) -> Result<Plan> {
        let Settings { codec, level, .. } = self.settings;
        if !matches!(codec, Codec::BLOSCLZ | Codec::LZ4 | Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD) {
            let name = codec.name().unwrap_or("not defined");
            return Err(inexpressible(format!("chunks of codec {} ({name}), a plugin", codec.0)));
        }
        if level > 9 {
            return Err(inexpressible(format!("compression level {level}: the maximum is 9")));
        }
        Plan::new(&self.settings, shape, item_type)
    }
}

/// Returns the item type of an element in native byte order.
fn item_type<T: B2ndElement>() -> ItemType {
    ItemType::Plain(Dtype::new(T::KIND, Endian::NATIVE))
}

/// Returns the items, with the last axis varying fastest.
fn items<T: B2ndElement, D: Dimension>(array: &ArrayRef<T, D>) -> Cow<'_, [T]> {
    match array.as_slice() {
        Some(items) => Cow::Borrowed(items),
        None => Cow::Owned(array.iter().copied().collect()),
    }
}

/// Converts axis lengths to 64-bit numbers.
fn wide(extents: &[usize]) -> Vec<u64> {
    extents.iter().map(|&extent| extent as u64).collect()
}
