//! Pictures of arrays.

use super::histogram::histogram;
use super::numbers::{are_numbers, numbers};
use super::{Picture, note};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ndbytes::{Array, Error, ItemType, Items, Kind};

/// The items of a grid, and the bytes that all of them take at most.
const GRID: usize = 25;
const GRID_BYTES: usize = 40 << 10;

/// The sides of an image that a grid shows.
const SIDES: std::ops::RangeInclusive<usize> = 4..=160;

/// The rows and columns of a heat map.
const HEAT: (usize, usize) = (96, 160);

/// The values that a distribution is made of, and the places that they are read from.
const SAMPLE: u64 = 16 << 10;
const PLACES: u64 = 16;

/// The runs of a line.
const RUNS: usize = 480;

/// The bins of a distribution.
const BINS: usize = 64;

/// Items that are read at once at most.
const AT_ONCE: u64 = 16 << 10;

pub fn pictures(array: &Array<'_>) -> Result<Vec<Picture>, Error> {
    let order = if array.is_fortran_order() { "F" } else { "C" };
    let item_type = array.item_type();
    let dtype = crate::strings::shown(&item_type.to_string(), 120);
    let mut items = array.items();
    let shape = items.shape().to_vec();
    let mut pictures = vec![Picture::Array { shape: shape.iter().take(32).copied().collect(), dtype, order }];
    if items.count() == 0 || !are_numbers(&item_type) || item_type.stride() == 0 {
        return Ok(pictures);
    }
    let drawn = data(&mut *items, &shape, &item_type).and_then(|picture| {
        let (values, all) = (sample(&mut *items, &item_type)?, items.count());
        let line = (shape.iter().filter(|&&extent| extent > 1).count() <= 1 && all > 1).then(|| line(&values, all));
        let distribution = histogram(&values, all, BINS).map(Picture::Histogram);
        Ok(picture.into_iter().chain(line).chain(distribution).collect::<Vec<_>>())
    });
    match drawn {
        Ok(drawn) => pictures.extend(drawn),
        Err(error) => pictures.push(note(&error)),
    }
    Ok(pictures)
}

/// A grid of images, or one plane; `None` of an array with one axis.
fn data(items: &mut dyn Items, shape: &[usize], item_type: &ItemType) -> Result<Option<Picture>, Error> {
    let is_byte = matches!(item_type.dtype().kind, Kind::U8);
    match *shape {
        [count, height, width] if is_byte && is_image(height, width) && count > 1 => {
            grid(items, count, (height, width, 1)).map(Some)
        }
        [count, height, width, channels @ (1 | 3 | 4)] if is_byte && is_image(height, width) => {
            grid(items, count, (height, width, channels)).map(Some)
        }
        [.., rows, columns] if rows > 1 && columns > 1 => heat(items, shape, item_type).map(Some),
        _ => Ok(None),
    }
}

fn is_image(height: usize, width: usize) -> bool {
    SIDES.contains(&height) && SIDES.contains(&width)
}

fn grid(items: &mut dyn Items, count: usize, size: (usize, usize, usize)) -> Result<Picture, Error> {
    let (height, width, channels) = size;
    let each = height * width * channels;
    let shown = count.min(GRID).min((GRID_BYTES / each).max(1));
    let mut pixels = Vec::new();
    for item in 0..shown {
        pixels.extend(items.read((item * each) as u64, each as u64)?);
    }
    Ok(Picture::Grid { width, height, channels, shown, items: count, pixels: STANDARD.encode(&pixels) })
}

/// The first plane of the last two axes, or rows and columns that are spread evenly over it.
fn heat(items: &mut dyn Items, shape: &[usize], item_type: &ItemType) -> Result<Picture, Error> {
    let (outer, plane) = shape.split_at(shape.len() - 2);
    let (rows, columns) = (plane[0], plane[1]);
    let (height, width) = (rows.min(HEAT.0), columns.min(HEAT.1));
    let mut values = Vec::new();
    for y in 0..height {
        let start = spread(y, height, rows) as u64 * columns as u64;
        if columns as u64 <= AT_ONCE {
            let row = numbers(items.read(start, columns as u64)?, item_type);
            values.extend((0..width).map(|x| row[spread(x, width, columns)]));
        } else {
            for x in 0..width {
                values.extend(numbers(items.read(start + spread(x, width, columns) as u64, 1)?, item_type));
            }
        }
    }
    let (ranks, scale) = ranked(&values);
    let zeros = "0, ".repeat(outer.len().min(30));
    let plane = format!("[{zeros}:, :]");
    Ok(Picture::Heat { width, height, rows, columns, plane, ranks: STANDARD.encode(&ranks), scale })
}

/// The place of one of `count` samples among `all`.
fn spread(sample: usize, count: usize, all: usize) -> usize {
    (sample as u128 * all as u128 / count as u128) as usize
}

/// The rank of each value as a byte, and the values at eighths of the way; 255 is no number.
fn ranked(values: &[f64]) -> (Vec<u8>, Vec<f64>) {
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let Some(last) = sorted.len().checked_sub(1) else { return (vec![255; values.len()], Vec::new()) };
    let rank = |value: &f64| match value {
        value if value.is_nan() => 255,
        // Equal values have the middle of their ranks.
        value => {
            let (below, through) =
                (sorted.partition_point(|other| other < value), sorted.partition_point(|other| other <= value));
            ((below + through).min(2 * last + 1) * 254 / (2 * last + 1).max(1)) as u8
        }
    };
    let scale = (0..=8).map(|eighth| sorted[last * eighth / 8]).collect();
    (values.iter().map(rank).collect(), scale)
}

/// All values, or some from places that are spread evenly.
fn sample(items: &mut dyn Items, item_type: &ItemType) -> Result<Vec<f64>, Error> {
    let all = items.count();
    if all <= SAMPLE {
        return Ok(numbers(items.read(0, all)?, item_type));
    }
    let each = SAMPLE / PLACES;
    let mut values = Vec::new();
    for place in 0..PLACES {
        let start = (u128::from(all - each) * u128::from(place) / u128::from(PLACES - 1)) as u64;
        values.extend(numbers(items.read(start, each)?, item_type));
    }
    Ok(values)
}

fn line(values: &[f64], items: u64) -> Picture {
    let count = values.len().min(RUNS);
    let runs = (0..count).map(|run| {
        let values = &values[spread(run, count, values.len())..spread(run + 1, count, values.len())];
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        finite().reduce(f64::min).zip(finite().reduce(f64::max))
    });
    Picture::Line { items, sampled: items > values.len() as u64, runs: runs.collect() }
}
