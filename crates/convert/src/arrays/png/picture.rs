//! The picture for an array.

use super::scale::is_number;
use crate::arrays::view::View;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::options::{Options, Sheet};
use ndbytes::{ElementKind, ItemType, Pixels};

/// The maximum width or height of a picture.
const LARGEST: usize = i32::MAX as usize;

/// The picture for an array.
#[derive(Debug, Clone, Copy)]
pub struct Picture {
    /// The height of one item in pixels.
    pub height: usize,
    pub width: usize,
    /// The number of samples in a pixel.
    pub channels: usize,
    pub sheet: Option<Sheet>,
}

impl Picture {
    /// The picture of an array: grey or colour, and a sheet if there are several items.
    pub fn of(view: &View<'_>, options: &Options<'_>) -> Result<Self> {
        let refused = |what: String| Error::Refused { kind: FileKind::Png, what };
        let shape = view.shape();
        let are_colours = Pixels::of(shape, view.item_type()).is_some_and(Pixels::are_colours);
        if are_colours && shape.len() == 3 && options.sheet.is_some() {
            return Err(refused("a sheet of one colour picture".into()));
        }
        let (item, sheet) = match (options.sheet, shape.split_first()) {
            (Some(sheet), Some((_, item))) => (item, Some(sheet)),
            _ => (shape, None),
        };
        let (height, width, channels) = match *item {
            [height, width] => (height, width, 1),
            [height, width, channels @ 1..=4] => (height, width, channels),
            _ => {
                let what = format!("an array of shape {shape:?}, only one item of it or a sheet of its first items");
                return Err(refused(what));
            }
        };
        let times = |extent: usize, number: usize| extent.checked_mul(number).filter(|all| (1..=LARGEST).contains(all));
        let Sheet { rows, columns } = sheet.unwrap_or(Sheet { rows: 1, columns: 1 });
        if times(height, rows).is_none() || times(width, columns).is_none() {
            return Err(refused(format!("a picture of {height} × {width} pixels, {rows} × {columns} times")));
        }
        Ok(Picture { height, width, channels, sheet })
    }
}

/// Returns whether the values must be scaled to become samples.
///
/// # Errors
/// [`Error::Refused`] if the array is not a picture.
pub fn is_scaled(view: &View<'_>, options: &Options<'_>) -> Result<bool> {
    let picture = Picture::of(view, options)?;
    let refused = |what: String| Err(Error::Refused { kind: FileKind::Png, what });
    let ItemType::Plain(dtype) = view.item_type() else { return refused(format!("items of {}", view.item_type())) };
    match dtype.kind {
        ElementKind::U8 | ElementKind::U16 => Ok(false),
        ElementKind::Bool | ElementKind::Bit if picture.channels == 1 => Ok(false),
        ElementKind::Bool | ElementKind::Bit => refused("colours of booleans".into()),
        kind if is_number(kind) => Ok(true),
        kind => refused(format!("items of {kind}")),
    }
}
