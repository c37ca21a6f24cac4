//! Images in a terminal: two pixels a letter, in grey, or signs of different weight where there are no colours.

use crate::show::printer::Printer;
use anstyle::{Ansi256Color, Color, Style};
use ndbytes::{Items, Result};
use std::io;

/// The width of output that has no terminal.
const WIDTH: usize = 80;

/// Columns between two images.
const SPACE: usize = 2;

/// The largest image that is read, in pixels.
const MOST_PIXELS: usize = 1 << 26;

/// Signs for brightness, from dark to bright.
const SIGNS: &[u8; 10] = b" .:-=+*#%@";

/// The greys of terminals: 24 of them, from this colour on.
const FIRST_GREY: u8 = 232;

/// An image that was made smaller.
struct Image {
    width: usize,
    /// Lines of pixels; their number is even.
    lines: Vec<Vec<u8>>,
}

/// The reason why items are no images, if they are none.
pub fn refusal(items: &dyn Items) -> Option<String> {
    let (name, shape) = (items.item_type().to_string(), items.shape());
    match shape {
        _ if name != "|u1" => Some(format!("`--images` shows items of type |u1, and these are {name}")),
        [] | [_] => Some("`--images` shows items of two axes, lines and columns".into()),
        [.., lines, columns] if lines.saturating_mul(*columns) > MOST_PIXELS => {
            Some(format!("an image of {lines} × {columns} is too large to be shown"))
        }
        _ => None,
    }
}

/// Prints the first images, side by side as far as there is room. The last two axes are lines and columns.
///
/// # Errors
/// Inner: the error of reading values. Outer: the error of printing.
pub fn print(
    items: &mut dyn Items,
    number: u64,
    terminal: Option<usize>,
    out: &mut Printer<'_>,
) -> io::Result<Result<()>> {
    let [.., lines, columns] = *items.shape() else { return Ok(Ok(())) };
    let pixels = (lines * columns) as u64;
    if pixels == 0 {
        return Ok(Ok(()));
    }
    let (room, count) = (terminal.unwrap_or(WIDTH).max(1), (items.count() / pixels).min(number));
    let scale = columns.div_ceil(room);
    let width = columns.div_ceil(scale);
    let beside = ((room + SPACE) / (width + SPACE)).max(1) as u64;
    let mut first = 0;
    while first < count {
        let mut images = Vec::new();
        for image in first..count.min(first + beside) {
            match items.read(image * pixels, pixels) {
                Ok(bytes) => images.push(shrunk(bytes, columns, scale)),
                Err(error) => return Ok(Err(error)),
            }
        }
        if first > 0 {
            writeln!(out)?;
        }
        print_row(&images, out)?;
        first += beside;
    }
    Ok(Ok(()))
}

/// The image with each square of `scale` × `scale` pixels as one, of their mean.
fn shrunk(bytes: &[u8], columns: usize, scale: usize) -> Image {
    let lines: Vec<&[u8]> = bytes.chunks(columns).collect();
    let mut small: Vec<Vec<u8>> = Vec::new();
    for band in lines.chunks(scale) {
        let pixel = |left: usize| {
            let square = band.iter().flat_map(|line| &line[left..columns.min(left + scale)]);
            let (sum, count) = square.fold((0_u64, 0), |(sum, count), &pixel| (sum + u64::from(pixel), count + 1));
            (sum / count) as u8
        };
        small.push((0..columns).step_by(scale).map(pixel).collect());
    }
    let width = columns.div_ceil(scale);
    if !small.len().is_multiple_of(2) {
        small.push(vec![0; width]);
    }
    Image { width, lines: small }
}

/// Prints images of one height side by side.
fn print_row(images: &[Image], out: &mut Printer<'_>) -> io::Result<()> {
    let height = images.first().map_or(0, |image| image.lines.len());
    for line in (0..height).step_by(2) {
        let mut text = String::new();
        for (place, image) in images.iter().enumerate() {
            let space = if place > 0 { SPACE } else { 0 };
            text.extend(std::iter::repeat_n(' ', space));
            let pairs = image.lines[line].iter().zip(&image.lines[line + 1]).take(image.width);
            if out.shows_colours() { push_halves(&mut text, pairs) } else { push_signs(&mut text, pairs) }
        }
        writeln!(out, "{}", text.trim_end())?;
    }
    Ok(())
}

/// The upper pixel is the letter, the lower one its background.
fn push_halves<'p>(text: &mut String, pairs: impl Iterator<Item = (&'p u8, &'p u8)>) {
    let grey = |pixel: &u8| Color::Ansi256(Ansi256Color(FIRST_GREY + (u16::from(*pixel) * 23 / 255) as u8));
    let mut last = None;
    for (upper, lower) in pairs {
        let style = Style::new().fg_color(Some(grey(upper))).bg_color(Some(grey(lower)));
        if last != Some(style) {
            *text += &style.render().to_string();
            last = Some(style);
        }
        text.push('▀');
    }
    *text += &Style::new().bold().render_reset().to_string();
}

fn push_signs<'p>(text: &mut String, pairs: impl Iterator<Item = (&'p u8, &'p u8)>) {
    let sign = |pixel: usize| char::from(SIGNS[pixel * (SIGNS.len() - 1) / 255]);
    text.extend(pairs.map(|(upper, lower)| sign((usize::from(*upper) + usize::from(*lower)) / 2)));
}
