//! A drawing: marks at positions, independent of the medium that shows them.
//!
//! What is drawn is decided once, in marks: pixels, boxes, bands, texts. PNG, SVG, text and terminals then only paint
//! marks.

use crate::colours::Rgb;
use crate::picture_budget::PictureBudget;

/// The medium that a drawing is made for. Its units are pixels, or half characters: one column wide and half a line
/// high.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Medium {
    /// The maximum width.
    pub width: usize,
    /// The height of planes and lines.
    pub height: usize,
    /// The width and the height of a character.
    pub letter: (usize, usize),
}

impl Medium {
    /// A separate picture, or a picture in a terminal that shows pixels.
    pub const IMAGE: Medium = Medium { width: 800, height: 560, letter: (8, 16) };

    /// The picture of a difference: three planes side by side.
    pub const DIFFERENCE: Medium = Medium { width: 1120, height: 420, letter: (8, 16) };

    /// A picture on a page, among others.
    pub const PAGE: Medium = Medium { width: 560, height: 320, letter: (8, 16) };

    /// Returns the medium for a terminal with this number of columns that shows pixels.
    pub fn pixels(columns: usize) -> Self {
        Medium { width: (columns.saturating_mul(8)).clamp(400, 1600), ..Medium::IMAGE }
    }

    /// Returns the medium for a terminal with this number of columns that shows only characters.
    pub fn letters(columns: usize) -> Self {
        let width = columns.clamp(20, 400);
        Medium { width, height: (width * 3 / 5).clamp(24, 96), letter: (1, 2) }
    }

    /// Returns whether the units are pixels.
    pub fn is_fine(self) -> bool {
        self.letter.0 > 1
    }

    /// Returns the text that explains how a picture shows values that are not finite.
    pub(crate) fn no_number(self) -> &'static str {
        if self.is_fine() { "red: NaN or infinite" } else { "red or !: NaN or infinite" }
    }

    /// Returns the budget for pictures. All values are read.
    pub fn room(self) -> PictureBudget {
        let Medium { width, height, letter } = self;
        // Titles above and below, and ticks and a scale at the side.
        let plane = (height - 5 * letter.1, width - 20.min(width / 3 / letter.0) * letter.0);
        let (among, images, most_images) = match self.is_fine() {
            true => ((128, 128), 60, 1000),
            false => ((32, 32), (width / 13).max(4), usize::MAX),
        };
        PictureBudget {
            alone: (height - 3 * letter.1, width),
            among,
            images,
            most_images,
            samples: 4 << 20,
            plane,
            planes: if self.is_fine() { 12 } else { 4 },
            runs: (width - 10.min(width / 3 / letter.0) * letter.0) as u64,
            bytes: u64::MAX,
            plane_bytes: u64::MAX,
            has_numbers: false,
        }
    }
}

/// The margin on all sides of a PNG and of SVG.
pub const MARGIN: usize = 12;

/// The colour of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ink {
    /// The colour of words.
    Text,
    /// The colour of less important words.
    Faint,
    /// The colour of thin lines on the background of a plot.
    Rule,
    /// The colour of lines and bars.
    Accent,
    /// The colour of errors.
    Error,
}

/// Which end of a text is at its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A rectangle of colours, each filling an area of equal size.
#[derive(Debug, Clone, PartialEq)]
pub struct Pixels {
    /// The left edge.
    pub x: usize,
    /// The upper edge.
    pub y: usize,
    /// The width on the drawing.
    pub width: usize,
    /// The height on the drawing.
    pub height: usize,
    /// The number of colours in a row.
    pub columns: usize,
    /// The number of rows of colours.
    pub rows: usize,
    /// Whether the colours represent numbers. If so, one colour represents values that are not finite.
    pub are_numbers: bool,
    /// Red, green, blue and alpha, row by row.
    pub colours: Vec<[u8; 4]>,
}

impl Pixels {
    /// Returns the colour of each point of the drawing that the rectangle covers.
    pub fn points(&self) -> impl Iterator<Item = (usize, usize, [u8; 4])> + '_ {
        let at = |place: usize, size: usize, number: usize| place * number / size.max(1);
        (0..self.height).flat_map(move |y| {
            let row = at(y, self.height, self.rows) * self.columns;
            (0..self.width).map(move |x| (self.x + x, self.y + y, self.colours[row + at(x, self.width, self.columns)]))
        })
    }
}

/// Something that is drawn.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Mark {
    /// Colours of an image, a plane or a scale.
    Pixels(Pixels),
    /// A filled rectangle: x, y, width, height.
    Box([f64; 4], Ink),
    /// A line whose thickness is the spread of the numbers in each run: x, the upper edge and the lower edge.
    Band(Vec<[f64; 3]>, Ink),
    /// A text.
    Text {
        /// The left edge.
        x: f64,
        /// The upper edge.
        y: f64,
        /// One line.
        text: String,
        /// Its colour.
        ink: Ink,
    },
}

/// Marks at positions. Later ones cover earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawing {
    medium: Medium,
    marks: Vec<Mark>,
    caption: Vec<String>,
    /// The vertical position of the next mark, from the top.
    pub(crate) y: usize,
    right: usize,
}

impl Drawing {
    pub(crate) fn new(medium: Medium) -> Self {
        Drawing { medium, marks: Vec::new(), caption: Vec::new(), y: 0, right: 1 }
    }

    /// Returns the medium that the drawing is made for.
    pub fn medium(&self) -> Medium {
        self.medium
    }

    /// Returns the marks, from back to front.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    /// Returns the width and the height, without a margin.
    pub fn size(&self) -> (usize, usize) {
        (self.right.min(self.medium.width), self.y.max(1))
    }

    /// Returns the title and the captions, for those who cannot see the drawing.
    pub fn caption(&self) -> &[String] {
        &self.caption
    }

    /// Returns the width and the height of the drawing as PNG and SVG.
    pub fn outer_size(&self) -> (usize, usize) {
        let (width, height) = self.size();
        (width + 2 * MARGIN, height + 2 * MARGIN)
    }

    /// Draws words on one or more lines.
    pub(crate) fn words(&mut self, words: &str, ink: Ink) {
        if !words.is_empty() {
            self.caption.push(words.to_owned());
        }
        let most = (self.medium.width / self.medium.letter.0).max(8);
        for line in lines(words, most) {
            self.text((0.0, self.y as f64), Anchor::Start, &line, ink);
            self.y += self.medium.letter.1;
        }
    }

    pub(crate) fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, text: &str, ink: Ink) {
        let width = (text.chars().count() * self.medium.letter.0) as f64;
        let left = match anchor {
            Anchor::Start => x,
            Anchor::Middle => x - width / 2.0,
            Anchor::End => x - width,
        };
        // Nothing leaves the drawing.
        let left = left.min(self.medium.width as f64 - width).max(0.0);
        self.right = self.right.max((left + width).ceil() as usize);
        self.marks.push(Mark::Text { x: left, y, text: text.to_owned(), ink });
    }

    pub(crate) fn pixels(&mut self, pixels: Pixels) {
        self.right = self.right.max(pixels.x + pixels.width);
        self.marks.push(Mark::Pixels(pixels));
    }

    pub(crate) fn mark(&mut self, mark: Mark) {
        self.marks.push(mark);
    }

    /// Records how far the marks extend to the right.
    pub(crate) fn reach(&mut self, right: usize) {
        self.right = self.right.max(right);
    }
}

/// Wraps words into lines of at most this many characters.
fn lines(words: &str, most: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in words.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        let line = lines.last_mut().expect("there is a line");
        if !line.is_empty() && line.chars().count() + 1 + rest.len() <= most {
            line.push(' ');
            line.extend(rest);
            continue;
        }
        if !line.is_empty() {
            lines.push(String::new());
        }
        while rest.len() > most {
            let after = rest.split_off(most);
            lines.last_mut().expect("there is a line").extend(rest);
            lines.push(String::new());
            rest = after;
        }
        lines.last_mut().expect("there is a line").extend(rest);
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// Blends a colour over another one, and returns the result without alpha.
pub fn over([red, green, blue, alpha]: [u8; 4], behind: Rgb) -> Rgb {
    let mix = |front: u8, behind: u8| {
        ((u32::from(front) * u32::from(alpha) + u32::from(behind) * (255 - u32::from(alpha)) + 127) / 255) as u8
    };
    [mix(red, behind[0]), mix(green, behind[1]), mix(blue, behind[2])]
}
