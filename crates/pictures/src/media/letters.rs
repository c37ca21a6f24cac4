//! Drawings as text: two coloured pixels per character or, without colours, characters of different weight.
//!
//! The character ▀ has a foreground and a background: two square dots, one above the other. That doubles the
//! resolution. Without colours, ten ASCII characters represent levels of brightness.

use super::paint::columns;
use crate::colours::{NO_NUMBER, Rgb};
use crate::drawing::{Drawing, Ink, Mark, over};
use std::fmt::Write;

/// How text shows colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Paint {
    /// As ASCII characters.
    #[default]
    Signs,
    /// As one of 256 colours.
    Indexed,
    /// As red, green and blue.
    Direct,
}

/// Characters for brightness, from dark to bright.
const SIGNS: &[u8; 10] = b" .:-=+*#%@";

/// The first of the 24 greys of a terminal.
const FIRST_GREY: u8 = 232;

/// The first colour of a terminal's colour cube, which has these levels of red, green and blue.
const FIRST_COLOUR: u8 = 16;
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Half of a character.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Dot {
    Colour(Rgb),
    NoNumber,
    Ink(Ink),
}

/// A character, or its upper and its lower half.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Cell {
    Letter(char, Ink),
    Halves(Option<Dot>, Option<Dot>),
}

/// Cells of a page of text.
struct Page {
    columns: usize,
    rows: Vec<Vec<Cell>>,
}

impl Drawing {
    /// Returns the drawing as lines of text, with colour changes unless `paint` is `Paint::Signs`.
    pub fn to_text(&self, paint: Paint) -> String {
        let (columns, height) = (self.medium().width, self.size().1);
        let empty = Cell::Halves(None, None);
        let mut page = Page { columns, rows: vec![vec![empty; columns]; height.div_ceil(2)] };
        for mark in self.marks() {
            page.add(mark);
        }
        page.rows.iter().map(|row| line(row, paint) + "\n").collect()
    }
}

impl Page {
    fn add(&mut self, mark: &Mark) {
        match mark {
            // Terminals are dark, most of them.
            Mark::Pixels(pixels) => {
                for (x, y, colour) in pixels.points() {
                    let colour = over(colour, [0; 3]);
                    let is_none = pixels.are_numbers && colour == NO_NUMBER;
                    self.dot(x as i64, y as i64, if is_none { Dot::NoNumber } else { Dot::Colour(colour) });
                }
            }
            Mark::Box([x, y, width, height], ink) => {
                let end = |start: f64, extent: f64| ((start + extent).round() as i64).max(start.round() as i64 + 1);
                for column in x.round() as i64..end(*x, *width) {
                    (y.round() as i64..end(*y, *height)).for_each(|row| self.dot(column, row, Dot::Ink(*ink)));
                }
            }
            Mark::Band(spans, ink) => {
                for (x, top, bottom) in columns(spans) {
                    (top.round() as i64..=bottom.round() as i64).for_each(|y| self.dot(x, y, Dot::Ink(*ink)));
                }
            }
            Mark::Text { x, y, text, ink } => {
                for (place, letter) in text.chars().enumerate() {
                    let (column, row) = (x.round() as usize + place, (y / 2.0).floor() as usize);
                    if let Some(cell) = self.rows.get_mut(row).and_then(|row| row.get_mut(column)) {
                        *cell = Cell::Letter(letter, *ink);
                    }
                }
            }
        }
    }

    fn dot(&mut self, x: i64, y: i64, dot: Dot) {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        let Some(row) = self.rows.get_mut(y / 2).filter(|_| x < self.columns) else { return };
        let (upper, lower) = match row[x] {
            Cell::Halves(upper, lower) => (upper, lower),
            Cell::Letter(..) => (None, None),
        };
        row[x] = if y % 2 == 0 { Cell::Halves(Some(dot), lower) } else { Cell::Halves(upper, Some(dot)) };
    }
}

fn line(row: &[Cell], paint: Paint) -> String {
    let used = row.iter().rposition(|cell| *cell != Cell::Halves(None, None)).map_or(0, |last| last + 1);
    let (mut line, mut style) = (String::new(), String::new());
    for &cell in &row[..used] {
        let (letter, wanted) = match paint {
            Paint::Signs => (sign(cell), String::new()),
            _ => letter(cell, paint),
        };
        if wanted != style {
            let reset = if style.is_empty() { "" } else { "\u{1b}[0m" };
            let _ = write!(line, "{reset}{wanted}");
            style = wanted;
        }
        line.push(letter);
    }
    if style.is_empty() { line.trim_end().to_owned() } else { line + "\u{1b}[0m" }
}

/// Writes a character, and the colour change before it.
fn letter(cell: Cell, paint: Paint) -> (char, String) {
    match cell {
        Cell::Letter(letter, Ink::Faint) => (letter, "\u{1b}[90m".into()),
        Cell::Letter(letter, _) => (letter, String::new()),
        Cell::Halves(None, None) => (' ', String::new()),
        Cell::Halves(Some(upper), None) => ('▀', colour(upper, 38, paint)),
        Cell::Halves(None, Some(lower)) => ('▄', colour(lower, 38, paint)),
        Cell::Halves(Some(upper), Some(lower)) if upper == lower && matches!(upper, Dot::Ink(_)) => {
            ('█', colour(upper, 38, paint))
        }
        Cell::Halves(Some(upper), Some(lower)) => ('▀', colour(upper, 38, paint) + &colour(lower, 48, paint)),
    }
}

/// Writes the change to a colour: 38 for the character, 48 for its background.
fn colour(dot: Dot, ground: u8, paint: Paint) -> String {
    let rgb = match dot {
        Dot::Colour(rgb) => rgb,
        _ => NO_NUMBER,
    };
    let index = match dot {
        Dot::Colour(_) | Dot::NoNumber if paint == Paint::Direct => {
            let [red, green, blue] = rgb;
            return format!("\u{1b}[{ground};2;{red};{green};{blue}m");
        }
        Dot::Colour(_) | Dot::NoNumber => indexed(rgb),
        // The colours that every terminal has: cyan, red, and a grey.
        Dot::Ink(Ink::Accent | Ink::Text) => 6,
        Dot::Ink(Ink::Error) => 1,
        Dot::Ink(Ink::Faint | Ink::Rule) => 8,
    };
    format!("\u{1b}[{ground};5;{index}m")
}

/// Returns the terminal colour that is closest to another one.
fn indexed([red, green, blue]: Rgb) -> u8 {
    if red == green && green == blue {
        return FIRST_GREY + (u16::from(red) * 23 / 255) as u8;
    }
    let level = |part: u8| (0..6).min_by_key(|&level| LEVELS[usize::from(level)].abs_diff(part)).unwrap_or(0);
    FIRST_COLOUR + 36 * level(red) + 6 * level(green) + level(blue)
}

/// Returns the ASCII character for a cell: for colours, by perceived brightness. Lines have their own characters.
fn sign(cell: Cell) -> char {
    let is_wrong = |dot: Option<Dot>| matches!(dot, Some(Dot::NoNumber | Dot::Ink(Ink::Error)));
    let bright = |dot: Option<Dot>| match dot {
        Some(Dot::Colour([red, green, blue])) => {
            (usize::from(red) * 299 + usize::from(green) * 587 + usize::from(blue) * 114) / 1000
        }
        Some(_) => 255,
        None => 0,
    };
    match cell {
        Cell::Letter(letter, _) => letter,
        Cell::Halves(upper, lower) if is_wrong(upper) || is_wrong(lower) => '!',
        Cell::Halves(Some(Dot::Ink(_)), None) => '\'',
        Cell::Halves(None, Some(Dot::Ink(_))) => '.',
        Cell::Halves(Some(Dot::Ink(_)), Some(Dot::Ink(_))) => '|',
        Cell::Halves(upper, lower) => char::from(SIGNS[(bright(upper) + bright(lower)) / 2 * (SIGNS.len() - 1) / 255]),
    }
}
