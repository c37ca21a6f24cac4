//! Images in a terminal: two pixels a letter, in grey or in colours, or signs of different weight where there are none.

use crate::show::printer::Printer;
use anstyle::{Ansi256Color, Color, Style};
use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ElementKind, ItemType, Items, Pixels, Result};
use std::io;

/// The width of output that has no terminal.
const WIDTH: usize = 80;

/// Columns between two images.
const SPACE: usize = 2;

/// The samples of the largest image that is read.
const MOST_SAMPLES: u64 = 1 << 26;

/// Signs for brightness, from dark to bright.
const SIGNS: &[u8; 10] = b" .:-=+*#%@";

/// The greys of terminals: 24 of them, from this colour on.
const FIRST_GREY: u8 = 232;

/// The colours of terminals: a cube with these levels of red, green and blue, from this colour on.
const FIRST_COLOUR: u8 = 16;
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// Red, green and blue.
type Pixel = [u8; 3];

/// An image that was made smaller.
struct Image {
    width: usize,
    /// Lines of pixels; their number is even.
    lines: Vec<Vec<Pixel>>,
}

/// The pixels of images, and the type of their samples. `None` if items are no samples.
fn samples(items: &dyn Items) -> Option<(Option<Pixels>, Dtype)> {
    let item_type = items.item_type();
    let ItemType::Plain(dtype) = item_type else { return None };
    let are_samples = matches!(dtype.kind, ElementKind::U8 | ElementKind::U16 | ElementKind::Bool | ElementKind::Bit);
    are_samples.then(|| (Pixels::of(items.shape(), item_type), *dtype))
}

/// The reason why items are no images, if they are none.
pub fn refusal(items: &dyn Items) -> Option<String> {
    match samples(items) {
        None => {
            let name = items.item_type();
            Some(format!("`--images` shows items of type u1, u2 or boolean, and these are {name}"))
        }
        Some((None, _)) => Some("`--images` shows items of two axes, lines and columns".into()),
        Some((Some(pixels), _)) if pixels.items() > MOST_SAMPLES => {
            let Pixels { height, width, .. } = pixels;
            Some(format!("an image of {height} × {width} is too large to be shown"))
        }
        Some(_) => None,
    }
}

/// Prints the first images, side by side as far as there is room: [`Pixels`] says which axes they have.
///
/// # Errors
/// Inner: the error of reading values. Outer: the error of printing.
pub fn print(
    items: &mut dyn Items,
    number: u64,
    terminal: Option<usize>,
    out: &mut Printer<'_>,
) -> io::Result<Result<()>> {
    let Some((Some(pixels), dtype)) = samples(items) else { return Ok(Ok(())) };
    let (each, columns) = (pixels.items(), pixels.width);
    if each == 0 {
        return Ok(Ok(()));
    }
    let (room, count) = (terminal.unwrap_or(WIDTH).max(1), (items.count() / each).min(number));
    let scale = columns.div_ceil(room);
    let width = columns.div_ceil(scale);
    let beside = ((room + SPACE) / (width + SPACE)).max(1) as u64;
    let mut first = 0;
    while first < count {
        let mut images = Vec::new();
        for image in first..count.min(first + beside) {
            match items.read(image * each, each) {
                Ok(bytes) => images.push(shrunk(bytes, pixels, dtype, scale)),
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
fn shrunk(bytes: &[u8], pixels: Pixels, dtype: Dtype, scale: usize) -> Image {
    let Pixels { width: columns, channels, .. } = pixels;
    let size = dtype.kind.size() as usize;
    let lines: Vec<&[u8]> = bytes.chunks(columns * channels * size).collect();
    let mut small: Vec<Vec<Pixel>> = Vec::new();
    for band in lines.chunks(scale) {
        let mean = |left: usize, channel: usize| {
            let square = band.iter().flat_map(|line| {
                let pixels = left..columns.min(left + scale);
                pixels.map(|pixel| sample(&line[(pixel * channels + channel) * size..], dtype))
            });
            let (sum, count) = square.fold((0, 0), |(sum, count), sample| (sum + sample, count + 1));
            (sum / count) as u8
        };
        let pixel = |left: usize| match channels {
            1 => [mean(left, 0); 3],
            3 => [0, 1, 2].map(|channel| mean(left, channel)),
            // On black, which is what most terminals are.
            _ => [0, 1, 2].map(|channel| (u16::from(mean(left, channel)) * u16::from(mean(left, 3)) / 255) as u8),
        };
        small.push((0..columns).step_by(scale).map(pixel).collect());
    }
    let width = columns.div_ceil(scale);
    if !small.len().is_multiple_of(2) {
        small.push(vec![[0; 3]; width]);
    }
    Image { width, lines: small }
}

/// A sample as a number up to 255.
fn sample(bytes: &[u8], dtype: Dtype) -> u64 {
    let first = u64::from(bytes[0]);
    match (dtype.kind, dtype.endian) {
        (ElementKind::U16, Endian::Big) => first,
        (ElementKind::U16, Endian::Little) => bytes[1].into(),
        (ElementKind::U8, _) => first,
        _ => {
            if first == 0 {
                0
            } else {
                255
            }
        }
    }
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

/// The colour of a terminal that is nearest to a pixel.
fn colour([red, green, blue]: Pixel) -> Color {
    let code = if red == green && green == blue {
        FIRST_GREY + (u16::from(red) * 23 / 255) as u8
    } else {
        let level = |part: u8| (0..6).min_by_key(|&level| LEVELS[usize::from(level)].abs_diff(part)).unwrap_or(0);
        FIRST_COLOUR + 36 * level(red) + 6 * level(green) + level(blue)
    };
    Color::Ansi256(Ansi256Color(code))
}

/// The upper pixel is the letter, the lower one its background.
fn push_halves<'p>(text: &mut String, pairs: impl Iterator<Item = (&'p Pixel, &'p Pixel)>) {
    let mut last = None;
    for (upper, lower) in pairs {
        let style = Style::new().fg_color(Some(colour(*upper))).bg_color(Some(colour(*lower)));
        if last != Some(style) {
            *text += &style.render().to_string();
            last = Some(style);
        }
        text.push('▀');
    }
    *text += &Style::new().bold().render_reset().to_string();
}

/// Signs by brightness: of colours, as the eye takes them.
fn push_signs<'p>(text: &mut String, pairs: impl Iterator<Item = (&'p Pixel, &'p Pixel)>) {
    let sign = |pixel: usize| char::from(SIGNS[pixel * (SIGNS.len() - 1) / 255]);
    let bright = |[red, green, blue]: &Pixel| {
        (usize::from(*red) * 299 + usize::from(*green) * 587 + usize::from(*blue) * 114) / 1000
    };
    text.extend(pairs.map(|(upper, lower)| sign((bright(upper) + bright(lower)) / 2)));
}
