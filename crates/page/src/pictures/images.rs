//! Arrays that are pictures.

use super::raster::Raster;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ndbytes::{ElementKind, Error, Items, Limits, Pixels};
use serde::Serialize;

/// The items of a grid, and the bytes that all of them take at most.
const GRID: usize = 25;
const GRID_BYTES: usize = 64 << 10;

/// The sides of a grey image that a grid shows. Others are shown as planes.
const SIDES: std::ops::RangeInclusive<usize> = 4..=160;

/// The rows and columns of one picture in colours, and of one of several.
const ALONE: (usize, usize) = (120, 160);
const AMONG: (usize, usize) = (64, 64);

/// The first items of an array of images, each as bytes in Base64, one after the other.
#[derive(Debug, Serialize)]
pub struct Grid {
    pub width: usize,
    pub height: usize,
    /// The size of the images in the array.
    pub columns: usize,
    pub rows: usize,
    pub channels: usize,
    /// True if a pixel stands for one of several. Else it is the mean of its pixels.
    pub is_sample: bool,
    pub shown: usize,
    pub items: u64,
    pub pixels: String,
}

/// The images of an array: colours, or bytes in three axes or more. `None` of other arrays.
pub fn grid(items: &mut dyn Items, limits: Limits) -> Result<Option<Grid>, Error> {
    let Some((pixels, room)) = images(items) else { return Ok(None) };
    let Pixels { height, width, channels, .. } = pixels;
    let count = items.count() / pixels.items();
    let raster = Raster::new((height, width, channels), room, items.item_type().stride());
    let each = raster.height * raster.width * channels;
    let shown = count.min(GRID.min((GRID_BYTES / each).max(1)) as u64);
    // Samples of 16 bits, too, have their full range.
    let scale = if items.item_type().dtype().kind == ElementKind::U16 { 257.0 } else { 1.0 };
    let mut bytes = Vec::new();
    for item in 0..shown {
        let cells = raster.cells(items, item * pixels.items(), limits)?;
        bytes.extend(cells.iter().map(|cell| (cell.mean.0 / scale).round() as u8));
    }
    Ok(Some(Grid {
        width: raster.width,
        height: raster.height,
        columns: width,
        rows: height,
        channels,
        is_sample: raster.is_sample,
        shown: shown as usize,
        items: count,
        pixels: STANDARD.encode(&bytes),
    }))
}

/// The pixels of the images, and the room for each.
fn images(items: &dyn Items) -> Option<(Pixels, (usize, usize))> {
    let (shape, item_type) = (items.shape(), items.item_type());
    // A last axis of one item after images says that they are grey.
    let shape = match shape {
        [outer @ .., 1] if outer.len() > 2 => outer,
        shape => shape,
    };
    let pixels = Pixels::of(shape, item_type)?;
    let is_alone = items.count() == pixels.items();
    match pixels.are_colours() {
        true if is_alone => Some((pixels, ALONE)),
        true => Some((pixels, AMONG)),
        false if is_alone || item_type.dtype().kind != ElementKind::U8 => None,
        false => (SIDES.contains(&pixels.height) && SIDES.contains(&pixels.width))
            .then_some((pixels, (pixels.height, pixels.width))),
    }
}
