//! The pixels of arrays that are pictures.

use crate::types::dtype::ElementKind;
use crate::types::item_type::ItemType;

/// A picture as the last axes of an array hold it: lines, columns, and the samples of a pixel if there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pixels {
    /// Lines of pixels.
    pub height: usize,
    /// Pixels of a line.
    pub width: usize,
    /// Samples of a pixel: 3 or 4 of colours, else 1.
    pub channels: usize,
}

impl Pixels {
    /// The pixels of an array of this shape. A last axis of 3 or 4 after two others is that of colours, if the items are of
    /// `u1` or `u2`. `None` of an array with fewer than two axes.
    pub fn of(shape: &[usize], item_type: &ItemType) -> Option<Self> {
        let is_sample =
            matches!(item_type, ItemType::Plain(dtype) if matches!(dtype.kind, ElementKind::U8 | ElementKind::U16));
        match *shape {
            [.., height, width, channels @ (3 | 4)] if is_sample => Some(Pixels { height, width, channels }),
            [.., height, width] => Some(Pixels { height, width, channels: 1 }),
            _ => None,
        }
    }

    /// Returns whether the pixels are colours.
    pub fn are_colours(self) -> bool {
        self.channels > 1
    }

    /// The number of items of one picture. It saturates.
    pub fn items(self) -> u64 {
        (self.height as u64).saturating_mul(self.width as u64).saturating_mul(self.channels as u64)
    }
}
