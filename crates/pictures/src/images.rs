//! Arrays that are images.

use crate::picture_budget::{PictureBudget, fitted};
use crate::raster::Raster;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ndbytes::{ElementKind, Error, ItemType, Items, Limits, Pixels};
use serde::{Serialize, Serializer};
use std::ops::RangeInclusive;

/// The side lengths for which bytes are treated as images by default: for several images, and for a single one.
const SIDES: RangeInclusive<usize> = 4..=4096;
const SIDES_ALONE: RangeInclusive<usize> = 8..=1 << 20;

/// The maximum ratio of the sides of such an image.
const LONGEST: usize = 8;

/// The first items of an array of images.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Grid {
    /// The width of each image in the grid.
    pub width: usize,
    /// The height of each image in the grid.
    pub height: usize,
    /// The width of the images in the array.
    pub columns: usize,
    /// The height of the images in the array.
    pub rows: usize,
    /// The number of samples in a pixel: 1, or 3 or 4 for colours.
    pub channels: usize,
    /// Whether a pixel shows one pixel of several. Otherwise, it is their mean.
    pub is_sample: bool,
    /// The number of images in the grid.
    pub shown: usize,
    /// The number of images in the array.
    pub items: u64,
    /// The samples of the images, in order.
    #[serde(serialize_with = "as_base64")]
    pub pixels: Vec<u8>,
}

/// Serializes bytes as base64.
pub fn as_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// The images of an array.
#[derive(Debug, Clone, Copy)]
pub struct Images {
    pixels: Pixels,
    /// Their number.
    pub count: u64,
    /// The maximum of a sample.
    full: f64,
}

impl Images {
    /// Interprets items as images, whatever they look like. Returns `None` if they have too few axes, or are not
    /// samples.
    pub fn of(items: &dyn Items) -> Option<Self> {
        let item_type = items.item_type();
        let ItemType::Plain(dtype) = item_type else { return None };
        let full = match dtype.kind {
            ElementKind::U8 => 255.0,
            ElementKind::U16 => 65535.0,
            ElementKind::Bool | ElementKind::Bit => 1.0,
            _ => return None,
        };
        // A last axis of one item after images says that they are grey.
        let shape = match items.shape() {
            [outer @ .., 1] if outer.len() > 2 => outer,
            shape => shape,
        };
        let pixels = Pixels::of(shape, item_type)?;
        let count = items.count().checked_div(pixels.items())?;
        Some(Images { pixels, count, full })
    }

    /// Returns whether the items look like images: colours, or bytes with side lengths that are typical of images.
    pub fn are_evident(self) -> bool {
        let Images { pixels: Pixels { height, width, .. }, count, full } = self;
        let are = |sides: RangeInclusive<usize>| sides.contains(&height) && sides.contains(&width);
        let is_long = height / LONGEST > width || width / LONGEST > height;
        self.pixels.are_colours() || full == 255.0 && if count == 1 { are(SIDES_ALONE) && !is_long } else { are(SIDES) }
    }

    /// Returns the first images, up to the number that fits.
    pub fn grid(self, items: &mut dyn Items, room: PictureBudget, limits: Limits) -> Result<Grid, Error> {
        let Pixels { height, width, channels, .. } = self.pixels;
        let most = if self.count == 1 || room.images == 1 { room.alone } else { room.among };
        let stride = items.item_type().stride();
        let raster = Raster::new((height, width, channels), fitted((height, width), most), stride, room.plane_bytes);
        let each = raster.height * raster.width * channels;
        let shown = self.count.min(room.images.min((room.samples / each.max(1)).max(1)) as u64);
        let mut pixels = Vec::new();
        for item in 0..shown {
            let cells = raster.cells(items, item * self.pixels.items(), limits)?;
            pixels.extend(cells.iter().map(|cell| (cell.mean.0 / self.full * 255.0).round() as u8));
        }
        let (columns, rows) = (width, height);
        let Raster { width, height, is_sample, .. } = raster;
        let (shown, items) = (shown as usize, self.count);
        Ok(Grid { width, height, columns, rows, channels, is_sample, shown, items, pixels })
    }
}
