//! The plan for a file: the shapes, the item type, and the recipe for chunks.

use super::shapes::{block_shape, chunk_shape, fill_chunk};
use crate::b2nd::geometry::Geometry;
use crate::b2nd::layer::{LARGEST_CHUNK, MOST_AXES};
use crate::blosc2::chunk::blocks::nan;
use crate::blosc2::chunk::header::LARGEST_BLOCK;
use crate::blosc2::frame;
use crate::blosc2::write::chunk::Recipe;
use crate::blosc2::write::filters::{Filter, Pipeline};
use crate::blosc2::write::inexpressible;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::ItemType;
use everybyte::Endian;
use ndbytes_schemas::b2nd::{ArrayLayer, DtypeText, InnerShape, Parts, Shape, Str32};
use ndbytes_schemas::blosc2::{AxesHead, Codec, Int32, Int64, Marker};

/// The settings of a writer.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The shapes of a chunk and of a block, if they are set.
    pub chunks: Option<Vec<u64>>,
    pub blocks: Option<Vec<u64>>,
    pub codec: Codec,
    pub level: u8,
    pub filters: Vec<Filter>,
    /// True if chunks with a [`Filter::Delta`] may have several blocks.
    pub has_delta_blocks: bool,
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            chunks: None,
            blocks: None,
            codec: Codec::ZSTD,
            level: 5,
            filters: vec![Filter::Shuffle],
            has_delta_blocks: false,
            limits: Limits::default(),
        }
    }
}

/// The plan for a file.
pub struct Plan {
    pub layer: ArrayLayer,
    pub geometry: Geometry,
    /// The recipe for the chunks.
    pub recipe: Recipe,
    /// The NaN of the item type. A chunk that contains only this value is not stored.
    pub nan: Option<&'static [u8]>,
    /// The limits, with a running clock.
    pub limits: Limits,
}

impl Plan {
    /// # Errors
    /// [`Error::Inexpressible`](crate::error::Error::Inexpressible).
    pub fn new(settings: &Settings, shape: &[u64], item_type: &ItemType) -> Result<Self> {
        let axes = shape.len();
        if axes > MOST_AXES.into() {
            return Err(inexpressible(format!("{axes} axes, which exceed the maximum of {MOST_AXES}")));
        }
        let text = item_type.to_string();
        // Types that NumPy does not have are refused.
        if !text.parse().is_ok_and(|read: ItemType| read.has_layout_of(item_type)) {
            return Err(inexpressible(format!("items of {text}, which NumPy does not know")));
        }
        let item_size = item_type.size();
        if item_size == 0 {
            return Err(inexpressible(format!("items without bytes ({text})")));
        }
        let (chunk, block) = extents(settings, shape, item_size)?;
        let layer = layer(shape, &chunk, &block, text)?;
        let geometry = Geometry::new(&layer, item_size);
        let too_large = |what: &str| inexpressible(format!("{what} with too many bytes: shape {shape:?}"));
        let Some(geometry) = geometry else { return Err(too_large("an array")) };
        if u128::from(geometry.block_items) * u128::from(item_size) > LARGEST_BLOCK.into() {
            return Err(too_large(&format!("blocks {block:?}")));
        }
        if u128::from(geometry.chunk_items) * u128::from(item_size) > LARGEST_CHUNK.into() {
            return Err(too_large(&format!("chunks {chunk:?}")));
        }
        if geometry.chunk_count > frame::MOST_CHUNKS {
            return Err(inexpressible(format!(
                "{} chunks, which exceed the maximum of {}",
                geometry.chunk_count,
                frame::MOST_CHUNKS
            )));
        }
        let recipe = Recipe {
            codec: settings.codec,
            level: settings.level,
            filters: Pipeline::new(&settings.filters, item_type)?,
            block_size: (geometry.block_items * item_size) as usize,
        };
        let has_nan = matches!(
            item_type,
            ItemType::Plain(Dtype { kind: ElementKind::F32 | ElementKind::F64, endian: Endian::Little })
        );
        Ok(Plan {
            layer,
            geometry,
            recipe,
            nan: has_nan.then(|| nan(item_size as usize)),
            limits: settings.limits.started(),
        })
    }

    /// The length of a chunk in bytes.
    pub fn chunk_size(&self) -> usize {
        self.geometry.chunk_items as usize * self.recipe.filters.item_size()
    }
}

/// Returns the lengths of chunks and blocks along each axis, either as set or by default.
fn extents(settings: &Settings, shape: &[u64], item_size: u64) -> Result<(Vec<u64>, Vec<u64>)> {
    for (given, what) in [(&settings.chunks, "chunks"), (&settings.blocks, "blocks")] {
        let Some(given) = given else { continue };
        if given.len() != shape.len() {
            let axes = shape.len();
            return Err(inexpressible(format!("{what} of {} axes in an array of {axes}", given.len())));
        }
        for (axis, (&given, &extent)) in given.iter().zip(shape).enumerate() {
            // If the array has no items, chunks need no length.
            if given == 0 && extent > 0 || i32::try_from(given).is_err() {
                return Err(inexpressible(format!("{what} of {given} items along axis {axis}")));
            }
        }
    }
    let is_one_block = settings.filters.contains(&Filter::Delta) && !settings.has_delta_blocks;
    let (chunk, block) = match (&settings.chunks, &settings.blocks) {
        (Some(chunk), Some(block)) => (chunk.clone(), block.clone()),
        (Some(given), None) | (None, Some(given)) if is_one_block => (given.clone(), given.clone()),
        (Some(chunk), None) => (chunk.clone(), block_shape(chunk, item_size)),
        (None, Some(block)) => {
            let mut chunk = chunk_shape(shape, item_size, Some(block));
            for (chunk, _) in chunk.iter_mut().zip(block).filter(|(_, block)| **block == 0) {
                *chunk = 0;
            }
            (chunk, block.clone())
        }
        (None, None) if is_one_block => {
            let chunk = chunk_shape(shape, item_size, None);
            (chunk.clone(), chunk)
        }
        (None, None) => {
            let mut chunk = chunk_shape(shape, item_size, None);
            let block = block_shape(&chunk, item_size);
            fill_chunk(shape, &mut chunk, &block);
            (chunk, block)
        }
    };
    for (axis, (&chunk, &block)) in chunk.iter().zip(&block).enumerate() {
        if block > chunk || block == 0 && chunk > 0 {
            return Err(inexpressible(format!("blocks of {block} items along axis {axis} in chunks of {chunk}")));
        }
    }
    if is_one_block && chunk != block {
        let what = "chunks of several blocks with the filter Delta, unless `Writer::delta_blocks` asks for them: \
                    C-Blosc2 reads parts of them wrong";
        return Err(inexpressible(what.into()));
    }
    Ok((chunk, block))
}

/// Returns the metalayer that describes the array. The lengths of chunks and blocks must fit 32 bits.
fn layer(shape: &[u64], chunk: &[u64], block: &[u64], text: String) -> Result<ArrayLayer> {
    let ndim = shape.len() as u8;
    let head = AxesHead::new(ndim);
    let inner = |extents: &[u64]| -> Result<InnerShape> {
        let extents = extents.iter().map(|&extent| i32::try_from(extent).map(Int32));
        let extents: Result<Vec<Int32>, _> = extents.collect();
        let extents = extents.map_err(|_| inexpressible("chunks of over 2^31 - 1 items along an axis".into()))?;
        Ok(InnerShape { head, extents })
    };
    let extents = shape.iter().map(|&extent| i64::try_from(extent).map(Int64));
    let extents: Result<Vec<Int64>, _> = extents.collect();
    let extents = extents.map_err(|_| inexpressible("over 2^63 - 1 items along an axis".into()))?;
    Ok(ArrayLayer {
        parts: Parts::WITH_DTYPE,
        version: 0,
        ndim,
        shape: Shape { head, extents },
        chunk_shape: inner(chunk)?,
        block_shape: inner(block)?,
        dtype: Some(DtypeText { format: 0, text: Str32 { head: Marker, bytes: text.into_bytes() } }),
    })
}
