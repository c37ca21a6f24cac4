//! Arrays, and their items.
//!
//! Opening an array reads its structure. Chunks are not read, checked or decoded until their items are requested, so an error in a
//! chunk is not reported until then. Reading the same array from several threads is safe: each call takes buffers from a pool or
//! allocates new ones.

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
    /// Creates an array from its parts, which must already have been checked.
    pub(crate) fn new(container: SuperChunk<'a>, layer: Layer) -> Result<Self> {
        let shape = extents(layer.geometry.axes.iter().map(|axis| axis.extent))?;
        Ok(Array { container, layer, shape, workers: Workers::default() })
    }

    /// The frame behind the array: its chunks, metalayers and attributes.
    pub fn container(&self) -> &SuperChunk<'a> {
        &self.container
    }

    /// The version of the frame.
    pub fn frame_version(&self) -> u8 {
        self.container.frame_version()
    }

    /// The length of each axis; the last one varies fastest.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The length of a chunk along each axis.
    pub fn chunk_shape(&self) -> Vec<usize> {
        self.layer.geometry.axes.iter().map(|axis| axis.chunk as usize).collect()
    }

    /// The length of a block along each axis.
    pub fn block_shape(&self) -> Vec<usize> {
        self.layer.geometry.axes.iter().map(|axis| axis.block as usize).collect()
    }

    /// The number of items.
    pub fn len(&self) -> u64 {
        self.layer.geometry.items
    }

    /// Returns whether the array has no items.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of chunks.
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

    /// The item type as stated in the file, in NumPy's notation; `None` in files written by caterva.
    pub fn dtype_text(&self) -> Option<String> {
        let text = self.layer.layer.dtype.as_ref()?;
        Some(String::from_utf8_lossy(&text.text.bytes).into_owned())
    }

    /// The codec that the writer was configured with; each chunk states its own.
    pub fn codec(&self) -> Codec {
        self.container.codec()
    }

    /// The compression level that the writer was configured with, 0 to 9.
    pub fn level(&self) -> u8 {
        self.container.level()
    }

    /// The filters that the writer was configured with, in order; each chunk states its own.
    pub fn filters(&self) -> Vec<&'static str> {
        self.container.filters()
    }

    /// Returns whether each chunk is a separate file.
    pub fn is_sparse(&self) -> bool {
        self.container.is_sparse()
    }

    /// The total size of all chunks as stored, in bytes.
    pub fn stored_bytes(&self) -> u64 {
        self.container.stored_bytes()
    }

    /// The names of the metalayers in the header, except the array's own.
    pub fn metalayer_names(&self) -> Vec<String> {
        let ours = array_metalayer(&self.container.frame);
        self.container.metalayers().filter(|(_, place)| Some(place) != ours.as_ref()).map(|(name, _)| name).collect()
    }

    /// The content of a metalayer in the header; msgpack if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`]; [`Error::Io`].
    pub fn metalayer(&self, name: &str) -> Result<Vec<u8>> {
        self.container.metalayer(name)
    }

    /// The names of the attributes: the metalayers in the trailer, called `vlmeta` in python-blosc2.
    pub fn attribute_names(&self) -> Vec<String> {
        self.container.attribute_names()
    }

    /// The decompressed content of an attribute; msgpack if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`]; [`Error::Invalid`] if it cannot be decompressed; [`Error::Limit`]; [`Error::Io`].
    pub fn attribute(&self, name: &str) -> Result<Vec<u8>> {
        self.container.attribute(name)
    }

    /// The attribute as a msgpack value.
    ///
    /// # Errors
    /// As for [`Array::attribute`]; also [`Error::NoMsgpack`] if it is not msgpack.
    pub fn attribute_value(&self, name: &str) -> Result<rmpv::Value> {
        self.container.attribute_value(name)
    }

    /// The metalayer in the header as a msgpack value.
    ///
    /// # Errors
    /// As for [`Array::metalayer`]; also [`Error::NoMsgpack`] if it is not msgpack.
    pub fn metalayer_value(&self, name: &str) -> Result<rmpv::Value> {
        self.container.metalayer_value(name)
    }

    /// The errors that were tolerated because of the options.
    pub fn tolerated(&self) -> &[Finding] {
        self.container.tolerated()
    }

    /// Warnings: findings that a correct writer would have avoided.
    pub fn warnings(&self) -> &[Finding] {
        self.container.warnings()
    }

    /// Reads all items. Fails if [`check`](crate::check) reports an error in any part of the file.
    ///
    /// # Errors
    /// [`Error::WrongType`] if the items have another type; [`Error::Invalid`] if the file breaks a rule; [`Error::Limit`];
    /// [`Error::Io`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        self.collect(&Selection::all(&self.shape))
    }

    /// Selects items as ndarray does with `s![]`: an index removes its axis; a range with a negative step starts at its end. Only
    /// the blocks that contain selected items are decoded, and only the parts of the file that they depend on are checked.
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::Selection`]; [`Error::OutOfRange`].
    pub fn slice<T: Element>(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<ArrayD<T>> {
        self.collect(&Selection::new(&self.shape, slices.as_ref())?)
    }

    /// Copies all items, in native byte order, with the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::BufferLength`].
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.fill(&Selection::all(&self.shape), buffer)
    }

    /// Copies some of the items, selected as in [`Array::slice`].
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

    /// One item, of any type.
    ///
    /// # Errors
    /// As for [`Array::slice`], except for the type.
    pub fn item(&self, index: &[usize]) -> Result<Scalar> {
        let bytes = self.collect_bytes(&Selection::item(&self.shape, index)?)?;
        Ok(Scalar::from_item(&bytes, &self.layer.item_type))
    }

    /// The bytes of all items in the file's byte order, with the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_array`], except for the type.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.collect_bytes(&Selection::all(&self.shape))
    }

    /// The bytes of some of the items, selected as in [`Array::slice`].
    ///
    /// # Errors
    /// As for [`Array::slice`], except for the type.
    pub fn slice_to_bytes(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<Vec<u8>> {
        self.collect_bytes(&Selection::new(&self.shape, slices.as_ref())?)
    }

    /// Fails unless the items have this type.
    fn demand<T: Element>(&self) -> Result<()> {
        let stored = self.dtype();
        match stored.kind == T::KIND {
            true => Ok(()),
            false => Err(Error::WrongType { requested: Dtype::new(T::KIND, stored.endian), stored }),
        }
    }

    /// Reads the selected items into a new array.
    fn collect<T: Element>(&self, selection: &Selection) -> Result<ArrayD<T>> {
        self.demand::<T>()?;
        let mut items = self.room::<T>(selection.count())?;
        self.fill(selection, &mut items)?;
        Ok(ArrayD::from_shape_vec(IxDyn(&selection.shape), items).expect("as many items as the shape has"))
    }

    /// Returns the division of the array into chunks and blocks.
    pub(crate) fn geometry(&self) -> &Geometry {
        &self.layer.geometry
    }

    /// Reads the bytes of selected items, in the byte order of the file.
    pub(super) fn collect_bytes(&self, selection: &Selection) -> Result<Vec<u8>> {
        let mut bytes = self.room::<u8>(selection.count().saturating_mul(self.container.frame.item_size()))?;
        self.bytes_into(selection, &mut bytes)?;
        Ok(bytes)
    }

    /// Allocates zeros for this number of items, after checking that they fit the budget.
    fn room<T: Element>(&self, count: u64) -> Result<Vec<T>> {
        let (what, needed) = ("the items", count.saturating_mul(size_of::<T>() as u64));
        // The result belongs to the caller: it must fit the budget, but does not stay charged.
        Debit::new(self.container.input.budget()).take(needed, what)?;
        let items = usize::try_from(count).ok().and_then(memory::zeros);
        items.ok_or(Error::Limit { what, needed, left: 0 })
    }

    /// Reads the selected items into the caller's buffer, in native byte order.
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

    /// Returns the input. It is meant for code that compares stored bytes.
    pub(crate) fn input(&self) -> &Input<'a> {
        &self.container.input
    }

    /// Reads the bytes of selected items. If all items are selected, also checks the bytes that belong to no item.
    pub(crate) fn bytes_into(&self, selection: &Selection, bytes: &mut [u8]) -> Result<()> {
        self.items_into(selection, bytes)?;
        if selection.is_whole(&self.shape) { self.ensure_rest() } else { Ok(()) }
    }

    /// Copies items and checks only the bytes that contain them.
    pub(super) fn items_into(&self, selection: &Selection, bytes: &mut [u8]) -> Result<()> {
        let Array { container: SuperChunk { input, frame, tolerated, .. }, layer, .. } = self;
        let shared =
            Shared { input, frame, geometry: &layer.geometry, tolerated, past_caches: false, is_prepared: false };
        input.placed(read(shared, &self.workers, selection, bytes))
    }

    /// Checks the parts that reading individual items does not check: attributes, and the bytes of blocks that contain only
    /// padding. Reading all items includes this check.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the file breaks a rule that is not tolerated; [`Error::Limit`]; [`Error::Io`].
    pub fn ensure_rest(&self) -> Result<()> {
        let Array { container: SuperChunk { input, frame, tolerated, .. }, layer, .. } = self;
        let mut findings = Findings::default();
        judge_unread(input, frame, &layer.geometry, &mut findings)?;
        let admitted = admit(findings.into_vec(), |finding| tolerated.contains(&finding.rule));
        input.placed(admitted.map(|_| ()).map_err(Into::into))
    }
}
