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

/// A Rust type that items can be written from: every [`Element`], and `bool`. NumPy does not have `i128`, `u128`, `bf16` and
/// `Complex<f16>`; arrays of these are refused.
pub trait B2ndElement: NoUninit + sealed::Sealed {
    /// The kind of element that it stands for in a file.
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

/// Writes an array to a file, atomically, as [`Writer::new`] has it.
///
/// # Errors
/// As for [`Writer::write`].
pub fn write<T: B2ndElement, D: Dimension>(path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
    Writer::new().write(path, array)
}

/// A writer of b2nd arrays, with its options.
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
/// If they are not given, a chunk is the array, cut in half again and again until it has no more than 4 MiB. It is cut
/// along the longest axis each time, where an item of the last axis counts as an eighth of one. A block is cut out of a
/// chunk in the same way. It has no more than 128 KiB, which fits the second-level cache of a processor. Then chunks
/// that the array has several of become whole multiples of blocks. An axis without items counts as an endless one,
/// since an empty array is there to be extended. The result depends only on the shape and the size of an item. With
/// [`Filter::Delta`], a chunk is one block: see [`Writer::delta_blocks`].
///
/// # What is stored
///
/// A chunk of zeros, or of NaN, takes 8 bytes of the index. A chunk whose items all have another value takes 32 bytes
/// more than an item. Chunks that do not become smaller are stored uncompressed, and so are all chunks at level 0. The
/// padding of chunks is zero. The same array and the same writer make the same bytes, however many threads the current
/// rayon pool has.
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
    /// Files as python-blosc2 writes them: bytes shuffled, zstd at level 5, contiguous.
    pub fn new() -> Self {
        Writer {
            settings: Settings::default(),
            metalayers: Contents::default(),
            attributes: Contents::default(),
            is_sparse: false,
        }
    }

    /// The chunks, blocks, codec, level and filters that an array was written with, as far as this writer has them. Filters that
    /// change values are left out, and so are metalayers and attributes.
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

    /// Sets the number of items of a chunk along each axis.
    #[must_use]
    pub fn chunks(self, extents: impl AsRef<[usize]>) -> Self {
        Writer { settings: Settings { chunks: Some(wide(extents.as_ref())), ..self.settings }, ..self }
    }

    /// Sets the number of items of a block along each axis: no more than a chunk has.
    #[must_use]
    pub fn blocks(self, extents: impl AsRef<[usize]>) -> Self {
        Writer { settings: Settings { blocks: Some(wide(extents.as_ref())), ..self.settings }, ..self }
    }

    /// Bounds the time that writing an array may take: see [`Limits::time`]. The other limits say nothing about it.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Writer { settings: Settings { limits, ..self.settings }, ..self }
    }

    /// Chooses the codec: [`Codec::BLOSCLZ`], [`Codec::LZ4`], [`Codec::LZ4HC`], [`Codec::ZLIB`] or [`Codec::ZSTD`].
    #[must_use]
    pub fn codec(self, codec: Codec) -> Self {
        Writer { settings: Settings { codec, ..self.settings }, ..self }
    }

    /// Sets the level of compression: from 0, not at all, to 9. The highest one of zstd takes about ten times as long as the one
    /// before it: microseconds for each byte of short runs. zstd in Rust alone (the feature `ruzstd`) has a single level.
    #[must_use]
    pub fn level(self, level: u8) -> Self {
        Writer { settings: Settings { level, ..self.settings }, ..self }
    }

    /// Sets the filters of a block before it is compressed, in this order: at most six. C-Blosc2 (3.3.5) reads them all,
    /// but if it adds chunks to a file with three or more, the new chunks are wrong.
    #[must_use]
    pub fn filters(self, filters: impl AsRef<[Filter]>) -> Self {
        Writer { settings: Settings { filters: filters.as_ref().to_vec(), ..self.settings }, ..self }
    }

    /// Lets chunks with a [`Filter::Delta`] have several blocks. Without this, a chunk is one block, and other blocks are
    /// refused: python-blosc2 4.14 reads such chunks right only as a whole. The rule `b2nd/delta-blocks` reports the
    /// measurements.
    #[must_use]
    pub fn delta_blocks(self, allowed: bool) -> Self {
        Writer { settings: Settings { has_delta_blocks: allowed, ..self.settings }, ..self }
    }

    /// Writes a sparse frame: a folder in which every chunk is a file of its own.
    #[must_use]
    pub fn sparse(self, sparse: bool) -> Self {
        Writer { is_sparse: sparse, ..self }
    }

    /// Adds a metalayer to the header, where python-blosc2 finds it as `schunk.meta[name]`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for a name that does not have 1 to 31 bytes, or that is given twice. So too for one
    /// that would turn the file into another object than its array (such as `b2nd`). For more than 15 metalayers. For a
    /// value that msgpack lacks.
    pub fn metalayer(self, name: &str, value: &rmpv::Value) -> Result<Self> {
        self.metalayer_bytes(name, msgpack(value)?)
    }

    /// Adds a metalayer of any bytes; python-blosc2 reads only msgpack.
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

    /// Adds an attribute, which is stored compressed in the trailer; python-blosc2 finds it as `schunk.vlmeta[name]`.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for a name that does not have 1 to 31 bytes or is given twice. So too for more than 16
    /// attributes, and for a value that msgpack does not have.
    pub fn attribute(self, name: &str, value: &rmpv::Value) -> Result<Self> {
        self.attribute_bytes(name, msgpack(value)?)
    }

    /// Adds an attribute of any bytes; python-blosc2 reads only msgpack.
    ///
    /// # Errors
    /// As for [`Writer::attribute`]; also if there are no bytes.
    pub fn attribute_bytes(mut self, name: &str, bytes: impl Into<Vec<u8>>) -> Result<Self> {
        self.attributes.push("attribute", 0, name, bytes.into())?;
        Ok(self)
    }

    /// Writes an array to a file, or a folder if it is to be [sparse](Writer::sparse). Until everything is written, the
    /// target stays unchanged; [`replace_file`](crate::bytes::atomic::replace_file) lists what is kept of it. A folder
    /// is replaced only if it holds nothing but a sparse frame. The two change places in one step. If the system has no
    /// such step, there are two. A reader or writer that finds no folder between them brings the old one back. Readers
    /// of the old folder can read it to its end; it is removed when it is closed. An array that is not in C order in
    /// memory is copied first.
    ///
    /// # Errors
    /// [`Error::Inexpressible`] for types NumPy does not have, and for more than 16 axes. So too for chunks and blocks
    /// that do not fit the array or each other. So too for larger ones than 2^31 - 33 bytes a chunk and 536,866,816 a
    /// block. So too for unknown codecs, levels or filters, and for filters that do not fit the items. [`Error::Io`].
    /// [`Error::Limit`] if there is no memory.
    pub fn write<T: B2ndElement, D: Dimension>(&self, path: impl AsRef<Path>, array: &ArrayRef<T, D>) -> Result<()> {
        let (shape, items) = (wide(array.shape()), items(array));
        let plan = self.plan_of(&shape, &item_type::<T>(), bytemuck::cast_slice(&items))?;
        self.write_planned(path.as_ref(), &plan, Source::Bytes(bytemuck::cast_slice(&items)))
    }

    /// Writes an array of items of any type from their bytes, the last axis varying fastest. Structures are named by their
    /// [`ItemType`].
    ///
    /// # Errors
    /// As for [`Writer::write`]; [`Error::Inexpressible`] too if the number of bytes does not match the shape.
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

    /// Writes an array of items of any type that is never in memory as a whole. `read` fills a buffer with the items of a
    /// box: a range of each axis, the last axis varying fastest. It is called box by box, with at most 64 MiB each, or a
    /// single chunk. The file is the one that [`Writer::write_bytes`] writes.
    ///
    /// # Errors
    /// As for [`Writer::write`]; any error of `read`.
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

    /// [`Writer::write_boxes`] to where one can go back: the header is written last.
    ///
    /// # Errors
    /// As for [`Writer::write_boxes`]; [`Error::Inexpressible`] too for a sparse frame, which is not a single file.
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

    /// The bytes of the file that [`Writer::write`] would write.
    ///
    /// # Errors
    /// As for [`Writer::write`]; [`Error::Inexpressible`] too for a sparse frame, which is not a single file.
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
        self.ensure_one_file()?;
        let plan = self.plan_of(shape, item_type, bytes)?;
        let mut sink = Cursor::new(Vec::new());
        write_frame(&plan, self.around(&plan)?, Source::Bytes(bytes), &mut sink)?;
        Ok(sink.into_inner())
    }

    fn ensure_one_file(&self) -> Result<()> {
        if self.is_sparse { Err(inexpressible("a sparse frame in a single file".into())) } else { Ok(()) }
    }

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

    fn plan(&self, shape: &[u64], item_type: &ItemType) -> Result<Plan> {
        let Settings { codec, level, .. } = self.settings;
        if !matches!(codec, Codec::BLOSCLZ | Codec::LZ4 | Codec::LZ4HC | Codec::ZLIB | Codec::ZSTD) {
            let name = codec.name().unwrap_or("not defined");
            return Err(inexpressible(format!("chunks of codec {} ({name}), a plugin", codec.0)));
        }
        if level > 9 {
            return Err(inexpressible(format!("level {level} of compression: 9 is the highest")));
        }
        Plan::new(&self.settings, shape, item_type)
    }
}

fn item_type<T: B2ndElement>() -> ItemType {
    ItemType::Plain(Dtype::new(T::KIND, Endian::NATIVE))
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
