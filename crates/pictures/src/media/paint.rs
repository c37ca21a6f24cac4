//! Drawings as pixels.

use crate::colours::Rgb;
use crate::drawing::{Drawing, Ink, MARGIN, Mark, Pixels, over};
use noto_sans_mono_bitmap::{FontWeight, RasterHeight, get_raster};
use png::{BitDepth, ColorType, Encoder};

const PAPER: Rgb = [255, 255, 255];

/// Half the thickness of a line.
const HALF: f64 = 0.7;

/// A painted drawing.
#[derive(Debug)]
pub struct Painting {
    pub width: usize,
    pub height: usize,
    pub points: Vec<Rgb>,
}

impl Drawing {
    /// Returns the drawing as an RGB PNG.
    pub fn to_png(&self) -> Vec<u8> {
        let painting = self.painted();
        encoded((painting.width, painting.height), painting.points.as_flattened(), ColorType::Rgb)
    }

    /// Returns the position of the drawing's origin on its PNG.
    pub fn png_margin() -> usize {
        MARGIN
    }

    pub(super) fn painted(&self) -> Painting {
        let (width, height) = self.outer_size();
        let mut painting = Painting { width, height, points: vec![PAPER; width * height] };
        for mark in self.marks() {
            match mark {
                Mark::Pixels(pixels) => painting.pixels(pixels),
                Mark::Box([x, y, width, height], ink) => painting.fill([*x, *y, x + width, y + height], *ink),
                Mark::Band(spans, ink) => painting.band(spans, *ink),
                Mark::Text { x, y, text, ink } => painting.text((*x, *y), text, *ink),
            }
        }
        painting
    }
}

/// Encodes 8-bit samples as PNG.
pub fn encoded((width, height): (usize, usize), samples: &[u8], colour: ColorType) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(colour);
    encoder.set_depth(BitDepth::Eight);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(samples));
    written.expect("a drawing has a size, and a list takes all bytes");
    bytes
}

fn rgb(ink: Ink) -> Rgb {
    match ink {
        Ink::Text => [28, 31, 36],
        Ink::Faint => [91, 100, 112],
        Ink::Rule => [217, 220, 225],
        Ink::Accent => [42, 111, 151],
        Ink::Error => [198, 47, 47],
    }
}

impl Painting {
    /// Paints a point that is only partly covered.
    fn point(&mut self, x: i64, y: i64, colour: Rgb, share: f64) {
        let place = |at: i64, most: usize| usize::try_from(at + MARGIN as i64).ok().filter(|&at| at < most);
        if let (Some(x), Some(y)) = (place(x, self.width), place(y, self.height)) {
            let point = &mut self.points[y * self.width + x];
            let alpha = (share.clamp(0.0, 1.0) * 255.0).round() as u8;
            *point = over([colour[0], colour[1], colour[2], alpha], *point);
        }
    }

    fn pixels(&mut self, pixels: &Pixels) {
        for (x, y, colour) in pixels.points() {
            let place = (y + MARGIN) * self.width + x + MARGIN;
            if x + MARGIN < self.width && y + MARGIN < self.height {
                self.points[place] = over(colour, PAPER);
            }
        }
    }

    /// Fills a rectangle; points at the left and the right edge are filled completely.
    fn fill(&mut self, [left, top, right, bottom]: [f64; 4], ink: Ink) {
        for x in left.round() as i64..(right.round() as i64).max(left.round() as i64 + 1) {
            for y in top.round() as i64..(bottom.round() as i64).max(top.round() as i64 + 1) {
                self.point(x, y, rgb(ink), 1.0);
            }
        }
    }

    fn band(&mut self, spans: &[[f64; 3]], ink: Ink) {
        for (x, top, bottom) in columns(spans) {
            let (top, bottom) = (top - HALF, bottom + HALF);
            for y in top.floor() as i64..=bottom.floor() as i64 {
                let share = (bottom.min(y as f64 + 1.0) - top.max(y as f64)).max(0.0);
                self.point(x, y, rgb(ink), share);
            }
        }
    }

    fn text(&mut self, (x, y): (f64, f64), text: &str, ink: Ink) {
        let mut left = x.round() as i64;
        for letter in text.chars() {
            let raster = |letter| get_raster(letter, FontWeight::Regular, RasterHeight::Size16);
            let Some(glyph) = raster(plain(letter)).or_else(|| raster('?')) else { continue };
            for (row, line) in glyph.rows().enumerate() {
                for (column, &strength) in line.iter().enumerate() {
                    let (x, y) = (left + column as i64, y.round() as i64 + row as i64);
                    self.point(x, y, rgb(ink), f64::from(strength) / 255.0);
                }
            }
            left += 8;
        }
    }
}

/// Returns the ASCII character to draw for one that is not in the font.
fn plain(letter: char) -> char {
    match letter {
        '−' | '–' => '-',
        '…' => '.',
        '→' => '>',
        letter => letter,
    }
}

/// Returns the columns of points that a band covers, with their upper and lower edges. Neighbouring columns touch.
pub fn columns(spans: &[[f64; 3]]) -> Vec<(i64, f64, f64)> {
    let mut columns: Vec<(i64, f64, f64)> = Vec::new();
    let mut add = |x: i64, top: f64, bottom: f64| match columns.last_mut() {
        Some(last) if last.0 == x => *last = (x, last.1.min(top), last.2.max(bottom)),
        _ => columns.push((x, top, bottom)),
    };
    for (place, &[x, top, bottom]) in spans.iter().enumerate() {
        if let Some(&[before, upper, lower]) = place.checked_sub(1).and_then(|before| spans.get(before)) {
            for between in before.round() as i64 + 1..x.round() as i64 {
                let share = (between as f64 - before) / (x - before);
                add(between, upper + (top - upper) * share, lower + (bottom - lower) * share);
            }
        }
        add(x.round() as i64, top, bottom);
    }
    for place in 1..columns.len() {
        let (before, here) = (columns[place - 1], columns[place]);
        // A steep line has no gaps: both columns go on to the middle between them.
        if here.1 > before.2 {
            let middle = before.2 / 2.0 + here.1 / 2.0;
            (columns[place - 1].2, columns[place].1) = (middle, middle);
        } else if here.2 < before.1 {
            let middle = before.1 / 2.0 + here.2 / 2.0;
            (columns[place - 1].1, columns[place].2) = (middle, middle);
        }
    }
    columns
}
