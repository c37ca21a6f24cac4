//! Pictures of arrays.

use super::picture::{Picture, note};
use ndbytes::{Array, Limits};
use ndbytes_pictures::{Choice, Room, Scaling, choose, is_drawn};

pub fn pictures(array: &Array<'_>, limits: Limits) -> Vec<Picture> {
    let order = if array.is_fortran_order() { "F" } else { "C" };
    let item_type = array.item_type();
    let dtype = crate::strings::shown(&item_type.to_string(), 120);
    let mut items = array.items();
    let shape = items.shape().iter().take(32).copied().collect();
    let mut pictures = vec![Picture::Array { shape, dtype, order }];
    if items.count() > 0 && is_drawn(&item_type) {
        // Few cells are looked at without a pointer: ranks tell them apart, whatever their numbers.
        let choice = Choice::new(Room::PAGE).scaling(Scaling::Rank);
        match choose(&mut *items, &choice, limits) {
            Ok(drawn) => pictures.extend(drawn.into_iter().map(Box::new).map(Picture::Drawn)),
            Err(error) => pictures.push(note(&error)),
        }
    }
    pictures
}
