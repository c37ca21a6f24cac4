//! The pictures of an array, independent of the medium.

use crate::images::Grid;
use crate::planes::Heat;
use crate::survey::{Line, Numbers};
use serde::Serialize;

/// Something to draw, independent of the medium.
#[allow(clippy::large_enum_variant, reason = "an array has few pictures")]
#[derive(Debug, Serialize)]
#[serde(tag = "picture", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Picture {
    /// Images, side by side.
    Grid(Grid),
    /// A plane of numbers as colours.
    Heat(Heat),
    /// A list of numbers as a line.
    Line(Line),
    /// The statistics of numbers, with a histogram.
    Numbers(Numbers),
}
