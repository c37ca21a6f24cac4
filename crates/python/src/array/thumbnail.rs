//! A small picture of an array for a notebook, with the statistics of what it shows.

use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Array, Limits};
use ndbytes_cli::stats_json::StatsObject;
use ndbytes_pictures::{Choice, Medium, choose, draw};

/// The maximum number of bytes that are read for a picture: a notebook should wait less than a second.
const MOST_BYTES: u64 = 32 << 20;

/// The maximum number of images in a picture.
const MOST_IMAGES: usize = 24;

/// The size of a picture between the cells of a notebook.
const MEDIUM: Medium = Medium { width: 480, height: 280, letter: (8, 16) };

/// A small picture of an array.
pub struct Thumbnail {
    /// The index of the part that it shows, such as `0, :4096`. It is empty for the whole array.
    pub part: String,
    /// The picture as PNG, or why there is none.
    pub picture: Result<Vec<u8>, String>,
    /// The statistics of the part as JSON, or why there are none.
    pub statistics: Result<String, String>,
}

/// Draws an array, or the first part of it that is small enough.
///
/// # Errors
/// Any error of selecting the part.
pub fn thumbnail(array: &Array<'_>, limits: Limits) -> ndbytes::Result<Thumbnail> {
    let (selection, part) = first_part(array.shape(), array.item_type().stride());
    let mut items = array.select(&selection)?;
    let (item_type, shape) = (items.item_type().to_string(), items.shape().to_vec());
    let choice = Choice::new(MEDIUM.room()).first(MOST_IMAGES);
    let picture = match choose(&mut *items, &choice, limits) {
        Ok(pictures) => Ok(draw(&pictures, &format!("{item_type} {shape:?}"), MEDIUM).to_png()),
        Err(error) => Err(error.to_string()),
    };
    let mut items = array.select(&selection)?;
    let statistics =
        StatsObject::of_items(&mut *items).map(|object| object.to_json()).map_err(|error| error.to_string());
    Ok(Thumbnail { part, picture, statistics })
}

/// Returns the first part of an array that takes at most [`MOST_BYTES`], and its index.
fn first_part(shape: &[usize], stride: u64) -> (Vec<SliceInfoElem>, String) {
    let mut bytes = shape.iter().fold(stride, |bytes, &length| bytes.saturating_mul(length as u64));
    let (mut selection, mut words) = (Vec::new(), Vec::new());
    for (axis, &length) in shape.iter().enumerate() {
        // The product may have been too large to count.
        let rest = shape[axis + 1..].iter().fold(stride, |bytes, &length| bytes.saturating_mul(length as u64));
        let whole = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
        if bytes <= MOST_BYTES {
            selection.push(whole);
        } else if rest > MOST_BYTES {
            (bytes, selection) = (rest, [selection, vec![SliceInfoElem::Index(0)]].concat());
            words.push("0".to_owned());
        } else {
            let count = (MOST_BYTES / rest.max(1)).max(1).min(length as u64);
            selection.push(SliceInfoElem::Slice { start: 0, end: Some(count as isize), step: 1 });
            words.push(format!(":{count}"));
            bytes = 0;
        }
    }
    (selection, words.join(", "))
}
