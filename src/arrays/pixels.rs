//! The pixels of arrays that represent pictures.

use crate::types::dtype::ElementKind;
use crate::types::item_type::ItemType;

/// A picture in the last axes of an array: its height, its width and, if there are several per pixel, its samples.
///
/// ```
/// use ndbytes::Pixels;
///
/// let digits = ndbytes::open("samples/digits-idx3-ubyte.gz")?.into_array()?;
/// let pixels = Pixels::of(digits.shape(), &digits.item_type()).unwrap();
/// assert_eq!((pixels.height, pixels.width, pixels.are_colours()), (28, 28, false));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pixels {
    /// The number of rows of pixels.
    pub height: usize,
    /// The number of pixels per row.
    pub width: usize,
    /// The number of samples per pixel: 3 or 4 for colours, otherwise 1.
    pub channels: usize,
}

impl Pixels {
    /// The pixels of an array of this shape. If the items are `u1` or `u2`, a last axis of length 3 or 4 after two other axes
    /// contains the colour channels. `None` for an array with fewer than two axes.
    pub fn of(shape: &[usize], item_type: &ItemType) -> Option<Self> {
        let is_sample =
            matches!(item_type, ItemType::Plain(dtype) if matches!(dtype.kind, ElementKind::U8 | ElementKind::U16));
        match *shape {
            [.., height, width, channels @ (3 | 4)] if is_sample => Some(Pixels { height, width, channels }),
            [.., height, width] => Some(Pixels { height, width, channels: 1 }),
            _ => None,
        }
    }

    /// Returns whether the picture has colours.
    pub fn are_colours(self) -> bool {
        self.channels > 1
    }

    /// The number of items per picture. Saturates on overflow.
    pub fn items(self) -> u64 {
        (self.height as u64).saturating_mul(self.width as u64).saturating_mul(self.channels as u64)
    }
}
