//! Colours of numbers.

use serde::Serialize;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The colour of values that are not finite.
pub const NO_NUMBER: Rgb = [214, 60, 60];

const GRADIENT: &[Rgb] = &[[44, 27, 84], [52, 78, 140], [33, 130, 141], [76, 176, 110], [186, 211, 66], [253, 231, 96]];

/// The colours of angles: angles that are a full turn apart have the same colour.
const WHEEL: &[Rgb] = &[[226, 217, 226], [96, 129, 189], [47, 20, 54], [178, 84, 82], [226, 217, 226]];

const GREYS: &[Rgb] = &[[0, 0, 0], [255, 255, 255]];

/// The colours of differences: zero is light, and each sign has its own colour.
const SIGNS: &[Rgb] = &[[24, 76, 150], [120, 168, 214], [242, 242, 240], [224, 140, 100], [158, 34, 42]];

/// The colours for shades.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Palette {
    /// From dark blue to yellow.
    Gradient,
    /// A colour wheel, for angles.
    Wheel,
    /// From black to white.
    Greys,
    /// From blue over light grey to red.
    Signs,
}

impl Palette {
    /// Returns the colour for a fraction from 0 to 1.
    pub fn colour(self, share: f64) -> Rgb {
        let list = match self {
            Palette::Gradient => GRADIENT,
            Palette::Wheel => WHEEL,
            Palette::Greys => GREYS,
            Palette::Signs => SIGNS,
        };
        let place = share.clamp(0.0, 1.0) * (list.len() - 1) as f64;
        let first = (place as usize).min(list.len() - 2);
        let part = place - first as f64;
        [0, 1, 2].map(|channel| {
            let (low, high) = (f64::from(list[first][channel]), f64::from(list[first + 1][channel]));
            (low + (high - low) * part).round() as u8
        })
    }
}
