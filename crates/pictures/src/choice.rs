//! The picture that suits an array.

use crate::colours::Palette;
use crate::images::Images;
use crate::numbers::quantities;
use crate::picture::Picture;
use crate::picture_budget::PictureBudget;
use crate::planes::{Look, Planes, Scaling};
use crate::survey::survey;
use ndbytes::{ItemType, Items, Limits};

/// The number of planes that are drawn if the first ones are requested.
const FIRST_PLANES: usize = 25;

/// The kind of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The first image of an array.
    Image,
    /// Images, side by side.
    Sheet,
    /// Planes of numbers as colours.
    Heat,
    /// All numbers as one line.
    Line,
    /// How many values are in each range.
    Histogram,
}

/// The requested picture.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    kind: Option<Kind>,
    scaling: Scaling,
    first: Option<usize>,
    room: PictureBudget,
}

/// The reason why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The values cannot be read.
    #[error(transparent)]
    Values(#[from] ndbytes::Error),
    /// The values cannot be drawn, or not as this kind.
    #[error("{0}")]
    Refused(String),
}

impl Choice {
    /// Creates a choice that follows the shape and the type.
    pub fn new(room: PictureBudget) -> Self {
        Choice { kind: None, scaling: Scaling::default(), first: None, room }
    }

    /// Requests a picture of this kind.
    #[must_use]
    pub fn kind(self, kind: Kind) -> Self {
        Choice { kind: Some(kind), ..self }
    }

    /// Shows the first images or planes, up to this number, instead of a selection between the first and the last.
    #[must_use]
    pub fn first(self, number: usize) -> Self {
        Choice { first: Some(number.max(1)), ..self }
    }

    /// Sets how the real numbers of a plane become colours.
    #[must_use]
    pub fn scaling(self, scaling: Scaling) -> Self {
        Choice { scaling, ..self }
    }
}

/// Returns whether items of a type can be drawn.
pub fn is_drawn(item_type: &ItemType) -> bool {
    item_type.stride() > 0 && !quantities(item_type).is_empty()
}

/// Returns the pictures of an array: images, planes or a line, depending on its shape, its type and the request.
///
/// # Errors
/// [`Error::Refused`] if the items are not numbers, if there are none, or if the shape does not fit the kind.
pub fn choose(items: &mut dyn Items, choice: &Choice, limits: Limits) -> Result<Vec<Picture>, Error> {
    let refused = |what: &str| Err(Error::Refused(what.into()));
    let (item_type, shape) = (items.item_type().clone(), items.shape().to_vec());
    if !is_drawn(&item_type) {
        return refused(&format!("items of type {item_type} cannot be drawn: only numbers, booleans and times"));
    }
    if items.count() == 0 {
        return refused("the array is empty");
    }
    let Choice { kind, scaling, first, mut room } = *choice;
    if let Some(number) = first {
        (room.images, room.planes) = (number.min(room.most_images), number.min(FIRST_PLANES));
    }
    let look = Look { scaling, palette: Palette::Gradient, are_first: first.is_some() };
    let (images, planes) = (Images::of(items), Planes::of(&shape));
    let mut pictures = Vec::new();
    match (kind, images, planes) {
        (None | Some(Kind::Sheet), Some(images), _) if kind.is_some() || images.are_evident() => {
            pictures.push(Picture::Grid(images.grid(items, room, limits)?));
        }
        (Some(Kind::Image), Some(images), _) => {
            pictures.push(Picture::Grid(images.grid(items, PictureBudget { images: 1, ..room }, limits)?));
        }
        (None | Some(Kind::Heat | Kind::Sheet | Kind::Image), _, Some(planes)) => {
            let room = if kind == Some(Kind::Image) { PictureBudget { planes: 1, ..room } } else { room };
            let palette = if kind == Some(Kind::Image) { Palette::Greys } else { Palette::Gradient };
            pictures
                .extend(planes.heats(items, Look { palette, ..look }, room, limits)?.into_iter().map(Picture::Heat));
        }
        (Some(Kind::Image | Kind::Sheet), _, None) => {
            return refused("an image needs two axes with several items");
        }
        (Some(Kind::Heat), _, None) => {
            let row = Planes::of_list(&shape, items.count());
            let heats = row.heats(items, look, room, limits)?;
            pictures.extend(heats.into_iter().map(Picture::Heat));
        }
        _ => {}
    }
    let is_line = kind == Some(Kind::Line) || kind.is_none() && pictures.is_empty();
    if is_line || room.has_numbers || kind == Some(Kind::Histogram) {
        let (lines, numbers) = survey(items, if is_line { quantities(&item_type) } else { &[] }, room, limits)?;
        pictures.extend(lines.into_iter().map(Picture::Line));
        pictures.extend(numbers.into_iter().map(Picture::Numbers));
    }
    Ok(pictures)
}
