//! Pictures of arrays. [`choose`] examines the shape and reads the values. [`draw`] arranges everything on a drawing. A [`Drawing`] is then
//! converted to PNG, SVG, text, or terminal graphics.
//!
//! ```
//! # let file = [0, 0, 8, 1, 0, 0, 0, 4, 1, 2, 3, 2];
//! use ndbytes::{Array, Input, Limits, Options};
//! use ndbytes_pictures::{Choice, Medium, choose, draw};
//!
//! let array = Array::read(Input::from_slice(&file, Limits::default()), &Options::new())?;
//! let medium = Medium::IMAGE;
//! let pictures = choose(&mut *array.items(), &Choice::new(medium.room()), Limits::default())?;
//! let svg = draw(&pictures, "four numbers", medium).to_svg();
//! assert!(svg.starts_with("<svg "));
//! # Ok::<(), ndbytes_pictures::Error>(())
//! ```

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod choice;
mod colours;
mod difference;
mod draw;
mod drawing;
mod images;
mod media;
mod numbers;
mod of_files;
mod picture;
mod picture_budget;
mod planes;
mod raster;
mod survey;
mod words;

pub use choice::{Choice, Error, Kind, choose, is_drawn};
pub use colours::{Palette, Rgb};
pub use difference::{Difference, Region, difference};
pub use draw::{draw, draw_difference};
pub use drawing::{Drawing, Ink, Mark, Medium, Pixels};
pub use images::Grid;
pub use media::{Paint, Protocol};
pub use numbers::Quantity;
pub use of_files::difference_of;
pub use picture::Picture;
pub use picture_budget::PictureBudget;
pub use planes::{Heat, Scaling};
pub use survey::{Line, Numbers};
