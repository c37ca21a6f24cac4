//! Arrays, and their items.

use super::geometry::Geometry;
use super::layer::{Layer, array_metalayer};
use super::read::shared::Shared;
use super::read::{Workers, read};
use super::unread::judge_unread;
use crate::arrays::selection::Selection;
use crate::blosc2::SuperChunk;
use crate::bytes::input::Input;
use crate::bytes::limits::{Debit, extents};
use crate::bytes::memory;
use crate::bytes::swap::swap_in_place;
use crate::error::{Error, Result};
use crate::findings::collect::{Findings, admit};
use crate::findings::finding::Finding;
use crate::types::dtype::{Dtype, Element};
use crate::types::item_type::ItemType;
use crate::types::scalar::Scalar;
use ndarray::{ArrayD, IxDyn, SliceInfoElem};
use ndbytes_schemas::blosc2::Codec;

/// An array whose items are decoded when they are requested, block by block.
///
/// ```
/// use ndarray::s;
///
/// let hours = ndbytes::b2nd::open("samples/temperatures.b2nd")?;
/// let noon = hours.slice::<i16>(s![12..;24, 0])?;             // of seven days, at the first place
/// assert_eq!((noon.len(), hours.get::<i16>(&[0, 0])?), (7, 90));
/// assert_eq!(hours.attribute_value("unit")?.as_str(), Some("0.1 °C"));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Array<'a> {
    container: SuperChunk<'a>,
    layer: Layer,
    shape: Vec<usize>,
    workers: Workers,
}

impl<'a> Array<'a> {
    pub(crate) fn new(container: SuperChunk<'a>, layer: Layer) -> Result<Self> {
        let shape = extents(layer.geometry.axes.iter().map(|axis| axis.extent))?;
        Ok(Array { container, layer, shape, workers: Workers::default() })
    }

    /// The frame that the array is made of: its chunks, metalayers and attributes.
    pub fn container(&self) -> &SuperChunk<'a> {
        &self.container
    }

    /// Version of the frame.
    pub fn frame_version(&self) -> u8 {
        self.container.frame_version()
    }

    /// Length of each axis; the last one varies fastest.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Length of a chunk along each axis.
    pub fn chunk_shape(&self) -> Vec<usize> {
        self.layer.geometry.axes.iter().map(|axis| axis.chunk as usize).collect()
    }

    /// Length of a block along each axis.
    pub fn block_shape(&self) -> Vec<usize> {
        self.layer.geometry.axes.iter().map(|axis| axis.block as usize).collect()
    }

    /// Number of items.
    pub fn len(&self) -> u64 {
        self.layer.geometry.items
    }

    /// Returns whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> u64 {
        self.container.chunk_count()
    }

    /// The type of the items. If the file does not state a valid type, items are raw bytes of their size.
    pub fn item_type(&self) -> &ItemType {
        &self.layer.item_type
    }

    /// The plain type of the items; structures are raw bytes of their size.
    pub fn dtype(&self) -> Dtype {
        self.layer.item_type.dtype()
    }

    /// The item type as the file states it, in NumPy's words, or `None` in files of caterva.
    pub fn dtype_text(&self) -> Option<String> {
        let text = self.layer.layer.dtype.as_ref()?;
        Some(String::from_utf8_lossy(&text.text.bytes).into_owned())
    }

    /// The codec that the writer was configured with; each chunk has its own.
    pub fn codec(&self) -> Codec {
        self.container.codec()
    }

    /// The level of compression, 0 to 9, that the writer was configured with.
    pub fn level(&self) -> u8 {
        self.container.level()
    }

    /// The filters that the writer was configured with, in this order; each chunk has its own.
    pub fn filters(&self) -> Vec<&'static str> {
        self.container.filters()
    }

    /// Returns whether each chunk is a file of its own.
    pub fn is_sparse(&self) -> bool {
        self.container.is_sparse()
    }

    /// Stored bytes of all chunks.
    pub fn stored_bytes(&self) -> u64 {
        self.container.stored_bytes()
    }

    /// The names of the metalayers in the header, without the one of the array.
    pub fn metalayer_names(&self) -> Vec<String> {
        let ours = array_metalayer(&self.container.frame);
        self.container.metalayers().filter(|(_, place)| Some(place) != ours.as_ref()).map(|(name, _)| name).collect()
    }

    /// The content of a metalayer in the header: msgpack, if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`], [`Error::Io`].
    pub fn metalayer(&self, name: &str) -> Result<Vec<u8>> {
        self.container.metalayer(name)
    }

    /// The names of the attributes: the metalayers in the trailer, which python-blosc2 calls `vlmeta`.
    pub fn attribute_names(&self) -> Vec<String> {
        self.container.attribute_names()
    }

    /// The content of an attribute, decompressed: msgpack, if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`], [`Error::Invalid`] if it cannot be decompressed, [`Error::Limit`], [`Error::Io`].
    pub fn attribute(&self, name: &str) -> Result<Vec<u8>> {
        self.container.attribute(name)
    }

    /// The attribute as a value of msgpack.
    ///
    /// # Errors
    /// As for [`Array::attribute`]; [`Error::NoMsgpack`] if it is not msgpack.
    pub fn attribute_value(&self, name: &str) -> Result<rmpv::Value> {
        self.container.attribute_value(name)
    }

    /// The metalayer in the header as a value of msgpack.
    ///
    /// # Errors
    /// As for [`Array::metalayer`]; [`Error::NoMsgpack`] if it is not msgpack.
    pub fn metalayer_value(&self, name: &str) -> Result<rmpv::Value> {
        self.container.metalayer_value(name)
    }

    /// The errors that were tolerated, because the options said so.
    pub fn tolerated(&self) -> &[Finding] {
        self.container.tolerated()
    }

    /// The warnings: findings that a correct writer would have avoided.
    pub fn warnings(&self) -> &[Finding] {
        self.container.warnings()
    }

    /// All items. A file that [`check`](crate::check) calls an error is refused, whichever part of it is broken.
    ///
    /// # Errors
    /// [`Error::WrongType`] if they are of another type, [`Error::Invalid`] if the file breaks a rule, [`Error::Limit`],
    /// [`Error::Io`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        self.collect(&Selection::all(&self.shape))
    }

    /// Some of the items, selected as ndarray does with `s![]`: an index removes its axis, a range with a negative step
    /// starts at its end. Only the blocks that hold selected items are decoded, and only what they need is checked.
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::Selection`], [`Error::OutOfRange`].
    pub fn slice<T: Element>(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<ArrayD<T>> {
        self.collect(&Selection::new(&self.shape, slices.as_ref())?)
    }

    /// Copies all items, in native byte order, the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::BufferLength`].
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.fill(&Selection::all(&self.shape), buffer)
    }

    /// Copies some of the items, as [`Array::slice`] selects them.
    ///
    /// # Errors
    /// As for [`Array::slice`]; [`Error::BufferLength`].
    pub fn slice_into<T: Element>(&self, slices: impl AsRef<[SliceInfoElem]>, buffer: &mut [T]) -> Result<()> {
        self.fill(&Selection::new(&self.shape, slices.as_ref())?, buffer)
    }

    /// One item.
    ///
    /// # Errors
    /// As for [`Array::slice`].
    pub fn get<T: Element>(&self, index: &[usize]) -> Result<T> {
        let mut item = [T::zeroed()];
        self.fill(&Selection::item(&self.shape, index)?, &mut item)?;
        Ok(item[0])
    }

    /// One item of any type.
    ///
    /// # Errors
    /// As for [`Array::slice`], but for the type.
    pub fn item(&self, index: &[usize]) -> Result<Scalar> {
        let bytes = self.collect_bytes(&Selection::item(&self.shape, index)?)?;
        Ok(Scalar::from_item(&bytes, &self.layer.item_type))
    }

    /// The bytes of all items in the file's byte order, the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_array`], but for the type.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.collect_bytes(&Selection::all(&self.shape))
    }

    /// The bytes of some of the items, as [`Array::slice`] selects them.
    ///
    /// # Errors
    /// As for [`Array::slice`], but for the type.
    pub fn slice_to_bytes(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<Vec<u8>> {
        self.collect_bytes(&Selection::new(&self.shape, slices.as_ref())?)
    }

    fn demand<T: Element>(&self) -> Result<()> {
        let stored = self.dtype();
        match stored.kind == T::KIND {
            true => Ok(()),
            false => Err(Error::WrongType { requested: Dtype::new(T::KIND, stored.endian), stored }),
        }
    }

    fn collect<T: Element>(&self, selection: &Selection) -> Result<ArrayD<T>> {
        self.demand::<T>()?;
        let mut items = self.room::<T>(selection.count())?;
        self.fill(selection, &mut items)?;
        Ok(ArrayD::from_shape_vec(IxDyn(&selection.shape), items).expect("as many items as the shape has"))
    }

    pub(crate) fn geometry(&self) -> &Geometry {
        &self.layer.geometry
    }

    pub(super) fn collect_bytes(&self, selection: &Selection) -> Result<Vec<u8>> {
        let mut bytes = self.room::<u8>(selection.count().saturating_mul(self.container.frame.item_size()))?;
        self.bytes_into(selection, &mut bytes)?;
        Ok(bytes)
    }

    /// Zeros, as many as the budget has room for.
    fn room<T: Element>(&self, count: u64) -> Result<Vec<T>> {
        let (what, needed) = ("the items", count.saturating_mul(size_of::<T>() as u64));
        // They belong to the caller: it is each time that they have to be within the limits.
        Debit::new(self.container.input.budget()).take(needed, what)?;
        let items = usize::try_from(count).ok().and_then(memory::zeros);
        items.ok_or(Error::Limit { what, needed, left: 0 })
    }

    fn fill<T: Element>(&self, selection: &Selection, buffer: &mut [T]) -> Result<()> {
        self.demand::<T>()?;
        if buffer.len() as u64 != selection.count() {
            return Err(Error::BufferLength { needed: selection.count(), given: buffer.len() as u64 });
        }
        let bytes = bytemuck::cast_slice_mut(buffer);
        self.bytes_into(selection, bytes)?;
        let dtype = self.dtype();
        if dtype.is_swapped() {
            swap_in_place(bytes, dtype.kind.swapped());
        }
        Ok(())
    }

    pub(crate) fn input(&self) -> &Input<'a> {
        &self.container.input
    }

    pub(crate) fn bytes_into(&self, selection: &Selection, bytes: &mut [u8]) -> Result<()> {
        self.items_into(selection, bytes)?;
        if selection.is_whole(&self.shape) { self.ensure_rest() } else { Ok(()) }
    }

    /// Copies items, and judges what holds them alone.
    pub(super) fn items_into(&self, selection: &Selection, bytes: &mut [u8]) -> Result<()> {
        let Array { container: SuperChunk { input, frame, tolerated, .. }, layer, .. } = self;
        let shared =
            Shared { input, frame, geometry: &layer.geometry, tolerated, past_caches: false, is_prepared: false };
        input.placed(read(shared, &self.workers, selection, bytes))
    }

    /// Refuses a file for what no read of some of its items looks at: attributes, and the bytes of blocks that only padding
    /// needs. A read of all items does so by itself.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the file breaks a rule that is not tolerated, [`Error::Limit`], [`Error::Io`].
    pub fn ensure_rest(&self) -> Result<()> {
        let Array { container: SuperChunk { input, frame, tolerated, .. }, layer, .. } = self;
        let mut findings = Findings::default();
        judge_unread(input, frame, &layer.geometry, &mut findings)?;
        let admitted = admit(findings.into_vec(), |finding| tolerated.contains(&finding.rule));
        input.placed(admitted.map(|_| ()).map_err(Into::into))
    }
}
