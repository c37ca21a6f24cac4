//! The layout of everything that is drawn for an array.

mod axes;
mod bars;
mod difference;
mod grid;
mod heat;
mod line;

pub use difference::draw_difference;

use crate::drawing::{Drawing, Ink, Medium};
use crate::picture::Picture;
use crate::planes::Heat;

/// Draws pictures below a title.
pub fn draw(pictures: &[Picture], title: &str, medium: Medium) -> Drawing {
    let mut drawing = Drawing::new(medium);
    if !title.is_empty() {
        drawing.words(title, Ink::Text);
    }
    let heats = pictures.iter().filter_map(|picture| if let Picture::Heat(heat) = picture { Some(heat) } else { None });
    let heats: Vec<&Heat> = heats.collect();
    // Planes of one quantity have one scale.
    for heats in heats.chunk_by(|one, other| one.quantity == other.quantity) {
        heat::draw(heats, &mut drawing);
    }
    let is_alone = pictures.iter().all(|picture| matches!(picture, Picture::Numbers(_)));
    for picture in pictures {
        match picture {
            Picture::Grid(images) => grid::draw(images, &mut drawing),
            Picture::Line(line) => line::draw(line, &mut drawing),
            Picture::Numbers(numbers) => bars::draw(numbers, is_alone, &mut drawing),
            Picture::Heat(_) => {}
        }
    }
    drawing
}
