//! Arrays, and their items.

use super::attributes;
use super::chunk::PLUGIN;
use super::frame::Frame;
use super::items::ArrayItems;
use super::layer::{Layer, array_metalayer};
use super::read::{Workers, read};
use super::selection::Selection;
use super::worker::Shared;
use crate::input::Input;
use crate::limits::Debit;
use crate::memory;
use crate::swap::swap_in_place;
use crate::{Dtype, Element, Error, Finding, ItemType, Result, Rule, Scalar};
use ndarray::{ArrayD, IxDyn, SliceInfoElem};
use ndbytes_schemas::b2nd::Codec;

/// An array whose items are decoded when they are asked for, block by block.
#[derive(Debug)]
pub struct Array<'a> {
    input: Input<'a>,
    frame: Frame,
    layer: Layer,
    shape: Vec<usize>,
    passed_over: Vec<Finding>,
    warnings: Vec<Finding>,
    tolerated: Vec<&'static Rule>,
    workers: Workers,
}

impl<'a> Array<'a> {
    pub(super) fn new(
        input: Input<'a>,
        frame: Frame,
        layer: Layer,
        passed_over: Vec<Finding>,
        warnings: Vec<Finding>,
        tolerated: Vec<&'static Rule>,
    ) -> Self {
        let shape = layer.geometry.axes.iter().map(|axis| axis.extent as usize).collect();
        Array { input, frame, layer, shape, passed_over, warnings, tolerated, workers: Workers::default() }
    }

    /// Version of the frame.
    pub fn frame_version(&self) -> u8 {
        self.frame.header.flags.version()
    }

    /// Extent of each axis; the last one varies fastest.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// Extent of a chunk along each axis.
    pub fn chunk_shape(&self) -> Vec<usize> {
        self.layer.geometry.axes.iter().map(|axis| axis.chunk as usize).collect()
    }

    /// Extent of a block along each axis.
    pub fn block_shape(&self) -> Vec<usize> {
        self.layer.geometry.axes.iter().map(|axis| axis.block as usize).collect()
    }

    /// Number of items.
    pub fn len(&self) -> u64 {
        self.layer.geometry.items
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of chunks.
    pub fn chunk_count(&self) -> u64 {
        self.frame.index.len()
    }

    /// What the items are. Items whose type the file does not say, or says wrongly, are so many raw bytes.
    pub fn item_type(&self) -> &ItemType {
        &self.layer.item_type
    }

    /// What the items are, where that is one number or the like; structures are so many raw bytes.
    pub fn dtype(&self) -> Dtype {
        self.layer.item_type.dtype()
    }

    /// The item type as the file says it, in NumPy's words; none in files of caterva.
    pub fn dtype_text(&self) -> Option<String> {
        let text = self.layer.layer.dtype.as_ref()?;
        Some(String::from_utf8_lossy(&text.text.bytes).into_owned())
    }

    /// The codec that the writer was told to use; each chunk has its own.
    pub fn codec(&self) -> Codec {
        match self.frame.header.compression.codec() {
            PLUGIN => self.frame.header.user_codec,
            codec => Codec(codec),
        }
    }

    /// The level of compression, 0 to 9, that the writer was told to use.
    pub fn level(&self) -> u8 {
        self.frame.header.compression.level()
    }

    /// The filters that the writer was told to apply, in this order; each chunk has its own.
    pub fn filters(&self) -> Vec<&'static str> {
        let filters = self.frame.header.filters.0.into_iter().filter(|&id| id != 0);
        filters.map(|id| ndbytes_schemas::b2nd::filter_name(id).unwrap_or("not defined")).collect()
    }

    /// Whether each chunk is a file of its own.
    pub fn is_sparse(&self) -> bool {
        self.frame.is_sparse()
    }

    /// Bytes of all chunks as they are stored.
    pub fn stored_bytes(&self) -> u64 {
        self.frame.header.cbytes.0 as u64
    }

    /// The names of the metalayers in the header, but for the one that makes the array.
    pub fn metalayer_names(&self) -> Vec<String> {
        let layers = &self.frame.header.metalayers;
        let ours = array_metalayer(&self.frame);
        let entries = layers.directory.entries.iter().zip(&layers.contents);
        let others = entries.filter(|(_, content)| Some(content.bytes.range()) != ours);
        others.map(|(entry, _)| entry.name.lossy().into_owned()).collect()
    }

    /// The content of a metalayer in the header: msgpack, if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`], [`Error::Io`].
    pub fn metalayer(&self, name: &str) -> Result<Vec<u8>> {
        let place = super::layer::metalayer(&self.frame, name.as_bytes())
            .ok_or_else(|| Error::NoMetalayer { name: name.to_owned() })?;
        self.input.copied(&place)
    }

    /// The names of the attributes: the metalayers in the trailer, which python-blosc2 calls `vlmeta`.
    pub fn attribute_names(&self) -> Vec<String> {
        let attributes = self.frame.trailer.iter().map(|trailer| &trailer.attributes);
        let entries = attributes.flat_map(|layers| layers.directory.entries.iter().zip(&layers.contents));
        entries.map(|(entry, _)| entry.name.lossy().into_owned()).collect()
    }

    /// The content of an attribute, decompressed: msgpack, if python-blosc2 wrote it.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`], [`Error::Invalid`] if it cannot be decompressed, [`Error::Limit`], [`Error::Io`].
    pub fn attribute(&self, name: &str) -> Result<Vec<u8>> {
        let mut entries = self.frame.trailer.iter().flat_map(|trailer| &trailer.attributes.directory.entries);
        let none = || Error::NoMetalayer { name: name.to_owned() };
        let number = entries.position(|entry| entry.name.bytes() == name.as_bytes()).ok_or_else(none)?;
        attributes::decoded(&self.input, &self.frame, number)?.ok_or_else(none)
    }

    /// The attribute as a value of msgpack.
    ///
    /// # Errors
    /// As for [`Array::attribute`]; [`Error::NoMsgpack`] if it is none.
    pub fn attribute_value(&self, name: &str) -> Result<rmpv::Value> {
        attributes::value(&self.attribute(name)?, name, self.input.budget())
    }

    /// The metalayer in the header as a value of msgpack.
    ///
    /// # Errors
    /// As for [`Array::metalayer`]; [`Error::NoMsgpack`] if it is none.
    pub fn metalayer_value(&self, name: &str) -> Result<rmpv::Value> {
        attributes::value(&self.metalayer(name)?, name, self.input.budget())
    }

    /// The errors that were tolerated, because the options said so.
    pub fn tolerated(&self) -> &[Finding] {
        &self.passed_over
    }

    /// What a correct writer would not have written.
    pub fn warnings(&self) -> &[Finding] {
        &self.warnings
    }

    /// All items.
    ///
    /// # Errors
    /// [`Error::WrongType`] if they are of another type, [`Error::Invalid`] if a chunk breaks a rule, [`Error::Limit`],
    /// [`Error::Io`].
    pub fn to_array<T: Element>(&self) -> Result<ArrayD<T>> {
        self.collect(&Selection::all(&self.layer.geometry.axes))
    }

    /// Some of the items, selected as ndarray does with `s![]`: an index takes its axis away, a range with a negative
    /// step is walked through from its end. Only the blocks that have some of them are decoded, and nothing but what
    /// they need is checked.
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::Selection`], [`Error::OutOfRange`].
    pub fn slice<T: Element>(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<ArrayD<T>> {
        self.collect(&Selection::new(&self.layer.geometry.axes, slices.as_ref())?)
    }

    /// Copies all items, in native byte order, the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_array`]; [`Error::BufferLength`].
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.fill(&Selection::all(&self.layer.geometry.axes), buffer)
    }

    /// Copies some of the items, as [`Array::slice`] selects them.
    ///
    /// # Errors
    /// As for [`Array::slice`]; [`Error::BufferLength`].
    pub fn slice_into<T: Element>(&self, slices: impl AsRef<[SliceInfoElem]>, buffer: &mut [T]) -> Result<()> {
        self.fill(&Selection::new(&self.layer.geometry.axes, slices.as_ref())?, buffer)
    }

    /// One item.
    ///
    /// # Errors
    /// As for [`Array::slice`].
    pub fn get<T: Element>(&self, index: &[usize]) -> Result<T> {
        let mut item = [T::zeroed()];
        self.fill(&Selection::item(&self.layer.geometry.axes, index)?, &mut item)?;
        Ok(item[0])
    }

    /// One item of any type.
    ///
    /// # Errors
    /// As for [`Array::slice`], but for the type.
    pub fn item(&self, index: &[usize]) -> Result<Scalar> {
        let bytes = self.collect_bytes(&Selection::item(&self.layer.geometry.axes, index)?)?;
        Ok(Scalar::from_item(&bytes, &self.layer.item_type))
    }

    /// The bytes of all items as they are stored, the last axis varying fastest.
    ///
    /// # Errors
    /// As for [`Array::to_array`], but for the type.
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.collect_bytes(&Selection::all(&self.layer.geometry.axes))
    }

    /// The bytes of some of the items, as [`Array::slice`] selects them.
    ///
    /// # Errors
    /// As for [`Array::slice`], but for the type.
    pub fn slice_to_bytes(&self, slices: impl AsRef<[SliceInfoElem]>) -> Result<Vec<u8>> {
        self.collect_bytes(&Selection::new(&self.layer.geometry.axes, slices.as_ref())?)
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

    fn collect_bytes(&self, selection: &Selection) -> Result<Vec<u8>> {
        let mut bytes = self.room::<u8>(selection.count().saturating_mul(self.frame.item_size()))?;
        self.bytes_into(selection, &mut bytes)?;
        Ok(bytes)
    }

    /// Zeros, as many as the budget has room for.
    fn room<T: Element>(&self, count: u64) -> Result<Vec<T>> {
        let (what, needed) = ("the items", count.saturating_mul(size_of::<T>() as u64));
        // They belong to the caller: it is each time that they have to be within the limits.
        Debit::new(self.input.budget()).take(needed, what)?;
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

    pub(super) fn input(&self) -> &Input<'a> {
        &self.input
    }

    /// The items one after the other.
    pub(crate) fn items(&self) -> ArrayItems<'_, 'a> {
        ArrayItems::new(self)
    }

    pub(super) fn bytes_into(&self, selection: &Selection, bytes: &mut [u8]) -> Result<()> {
        let Array { input, frame, layer, tolerated, .. } = self;
        let shared = Shared { input, frame, geometry: &layer.geometry, tolerated, past_caches: false };
        read(shared, &self.workers, selection, bytes)
    }
}
