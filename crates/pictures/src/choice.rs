//! The picture that suits an array.

use crate::colours::Palette;
use crate::images::Images;
use crate::numbers::quantities;
use crate::picture::Picture;
use crate::planes::{Look, Planes, Scaling};
use crate::room::Room;
use crate::survey::survey;
use ndbytes::{ItemType, Items, Limits};

/// The planes that are drawn if the first ones are wanted.
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
    /// The number of values in ranges.
    Histogram,
}

/// The picture that is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    kind: Option<Kind>,
    scaling: Scaling,
    first: Option<usize>,
    room: Room,
}

/// The reason why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The values cannot be read.
    #[error(transparent)]
    Values(#[from] ndbytes::Error),
    /// The values make no picture, or none of this kind.
    #[error("{0}")]
    Refused(String),
}

impl Choice {
    /// The picture that the shape and the type suggest.
    pub fn new(room: Room) -> Self {
        Choice { kind: None, scaling: Scaling::default(), first: None, room }
    }

    /// A picture of this kind.
    #[must_use]
    pub fn kind(self, kind: Kind) -> Self {
        Choice { kind: Some(kind), ..self }
    }

    /// The first images or planes, as many as that if there is room, instead of planes between the first and the last.
    #[must_use]
    pub fn first(self, number: usize) -> Self {
        Choice { first: Some(number.max(1)), ..self }
    }

    /// How real numbers of a plane become colours.
    #[must_use]
    pub fn scaling(self, scaling: Scaling) -> Self {
        Choice { scaling, ..self }
    }
}

/// Returns whether items of a type are drawn.
pub fn is_drawn(item_type: &ItemType) -> bool {
    item_type.stride() > 0 && !quantities(item_type).is_empty()
}

/// The pictures of an array: images, planes or a line, by its shape, its type and what is wanted.
///
/// # Errors
/// [`Error::Refused`] if the items are no numbers, if there are none, or if the shape does not suit the kind.
pub fn choose(items: &mut dyn Items, choice: &Choice, limits: Limits) -> Result<Vec<Picture>, Error> {
    let refused = |what: &str| Err(Error::Refused(what.into()));
    let (item_type, shape) = (items.item_type().clone(), items.shape().to_vec());
    if !is_drawn(&item_type) {
        return refused(&format!("items of type {item_type} are not drawn, only numbers, booleans and times"));
    }
    if items.count() == 0 {
        return refused("there are no items to draw");
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
            pictures.push(Picture::Grid(images.grid(items, Room { images: 1, ..room }, limits)?));
        }
        (None | Some(Kind::Heat | Kind::Sheet | Kind::Image), _, Some(planes)) => {
            let room = if kind == Some(Kind::Image) { Room { planes: 1, ..room } } else { room };
            let palette = if kind == Some(Kind::Image) { Palette::Greys } else { Palette::Gradient };
            pictures
                .extend(planes.heats(items, Look { palette, ..look }, room, limits)?.into_iter().map(Picture::Heat));
        }
        (Some(Kind::Image | Kind::Sheet), _, None) => {
            return refused("an image has two axes with several items, lines and columns");
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
