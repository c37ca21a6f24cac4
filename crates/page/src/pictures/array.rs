//! Pictures of arrays.

use super::images::grid;
use super::numbers::quantities;
use super::picture::{Picture, note};
use super::plane::heat;
use super::survey::survey;
use ndbytes::{Array, Error, Items, Limits};

pub fn pictures(array: &Array<'_>, limits: Limits) -> Vec<Picture> {
    let order = if array.is_fortran_order() { "F" } else { "C" };
    let item_type = array.item_type();
    let dtype = crate::strings::shown(&item_type.to_string(), 120);
    let mut items = array.items();
    let shape = items.shape().to_vec();
    let mut pictures = vec![Picture::Array { shape: shape.iter().take(32).copied().collect(), dtype, order }];
    if items.count() > 0 && item_type.stride() > 0 && !quantities(&item_type).is_empty() {
        match drawn(&mut *items, &shape, limits) {
            Ok(drawn) => pictures.extend(drawn),
            Err(error) => pictures.push(note(&error)),
        }
    }
    pictures
}

/// The data as images, a plane or a line, and their statistics.
fn drawn(items: &mut dyn Items, shape: &[usize], limits: Limits) -> Result<Vec<Picture>, Error> {
    let mut pictures = Vec::new();
    let is_plane = matches!(shape, [.., rows, columns] if *rows > 1 && *columns > 1);
    match grid(items, limits)? {
        Some(grid) => pictures.push(Picture::Grid(grid)),
        None if is_plane => pictures.extend(heat(items, limits)?.into_iter().map(Picture::Heat)),
        None => {}
    }
    let is_line = shape.iter().filter(|&&extent| extent > 1).count() == 1;
    let wanted = if is_line { quantities(items.item_type()) } else { &[] };
    let (lines, numbers) = survey(items, wanted, limits)?;
    pictures.extend(lines.into_iter().map(Picture::Line));
    pictures.extend(numbers.into_iter().map(Picture::Numbers));
    Ok(pictures)
}
