//! Arrays that are images.

use crate::raster::Raster;
use crate::room::{Room, fitted};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ndbytes::{ElementKind, Error, ItemType, Items, Limits, Pixels};
use serde::{Serialize, Serializer};
use std::ops::RangeInclusive;

/// The sides of bytes that look like images, where nobody asks for images: several, and one alone.
const SIDES: RangeInclusive<usize> = 4..=4096;
const SIDES_ALONE: RangeInclusive<usize> = 8..=1 << 20;

/// The largest proportion of the sides of such an image.
const LONGEST: usize = 8;

/// The first items of an array of images.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Grid {
    /// The size of each image here.
    pub width: usize,
    /// Lines of pixels.
    pub height: usize,
    /// The size of the images in the array.
    pub columns: usize,
    /// Lines of pixels in the array.
    pub rows: usize,
    /// The samples of a pixel: 1, or 3 or 4 of colours.
    pub channels: usize,
    /// True if a pixel stands for one of several. Else it is the mean of its pixels.
    pub is_sample: bool,
    /// The images that are here.
    pub shown: usize,
    /// The images of the array.
    pub items: u64,
    /// The samples of the images, one after the other.
    #[serde(serialize_with = "as_base64")]
    pub pixels: Vec<u8>,
}

/// Bytes as text.
pub fn as_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// The images of an array.
#[derive(Debug, Clone, Copy)]
pub struct Images {
    pixels: Pixels,
    /// The number of them.
    pub count: u64,
    /// The largest sample.
    full: f64,
}

impl Images {
    /// The images that items are, whatever they look like. `None` if they have too few axes, or are no samples.
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

    /// Returns whether the items look like images: colours, or bytes whose sides are those of images.
    pub fn are_evident(self) -> bool {
        let Images { pixels: Pixels { height, width, .. }, count, full } = self;
        let are = |sides: RangeInclusive<usize>| sides.contains(&height) && sides.contains(&width);
        let is_long = height / LONGEST > width || width / LONGEST > height;
        self.pixels.are_colours() || full == 255.0 && if count == 1 { are(SIDES_ALONE) && !is_long } else { are(SIDES) }
    }

    /// The first images, as many as there is room for.
    pub fn grid(self, items: &mut dyn Items, room: Room, limits: Limits) -> Result<Grid, Error> {
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
