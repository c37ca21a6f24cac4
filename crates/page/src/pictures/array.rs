//! Pictures of arrays.

use super::picture::{Drawn, Picture, note};
use ndbytes::{Array, Limits};
use ndbytes_pictures::{Choice, Medium, PictureBudget, Scaling, choose, draw, is_drawn};

pub fn pictures(array: &Array<'_>, limits: Limits) -> Vec<Picture> {
    let order = if array.is_fortran_order() { "F" } else { "C" };
    let item_type = array.item_type();
    let dtype = everybyte::page::shown(&item_type.to_string(), 120);
    let mut items = array.items();
    let shape = items.shape().iter().take(32).copied().collect();
    let mut pictures = vec![Picture::Array { shape, dtype, order }];
    if items.count() == 0 || !is_drawn(&item_type) {
        return pictures;
    }
    // A broken file has outliers; ranks still distinguish the other values.
    let choice = Choice::new(PictureBudget::PAGE).scaling(Scaling::Rank);
    match choose(&mut *items, &choice, limits) {
        Ok(chosen) => {
            let (mut drawn, mut numbers) = (Vec::new(), Vec::new());
            for picture in chosen {
                match picture {
                    ndbytes_pictures::Picture::Numbers(of) => numbers.push(Picture::Numbers(Box::new(of))),
                    other => drawn.push(other),
                }
            }
            if !drawn.is_empty() {
                pictures.push(Picture::Drawn(Drawn::new(&draw(&drawn, "", Medium::PAGE))));
            }
            pictures.extend(numbers);
        }
        Err(error) => pictures.push(note(&error)),
    }
    pictures
}
