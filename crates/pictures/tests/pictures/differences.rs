//! Pictures of differences, compared with the numbers.

use crate::{bytes, decoded, floats};
use ndbytes::{Array, Input, Limits, Options};
use ndbytes_pictures::{
    Difference, Drawing, Error, Ink, Mark, Medium, Palette, Pixels, Region, difference, draw_difference,
};

const MEDIUM: Medium = Medium::DIFFERENCE;

type Place<'p> = (&'p [u64], &'p [Region]);

fn between(a: &[u8], b: &[u8], place: Place<'_>) -> Result<Difference, Error> {
    let read = |file| Array::read(Input::from_slice(file, Limits::default()), &Options::new()).unwrap();
    let (a, b) = (read(a), read(b));
    difference(&mut *a.items(), &mut *b.items(), place, MEDIUM.room(), Limits::default())
}

fn drawn(a: &[u8], b: &[u8], place: Place<'_>) -> Drawing {
    draw_difference(&between(a, b, place).unwrap(), "title", MEDIUM)
}

/// The planes of both files and of their difference, without the scales.
fn planes(drawing: &Drawing) -> Vec<&Pixels> {
    let mut found = Vec::new();
    for mark in drawing.marks() {
        if let Mark::Pixels(pixels) = mark
            && pixels.columns > 1
        {
            found.push(pixels);
        }
    }
    found
}

/// The colours at fractions of a scale with 255 steps.
fn colours(palette: Palette, shares: impl IntoIterator<Item = f64>) -> Vec<[u8; 4]> {
    let colour = |share: f64| palette.colour((share * 254.0).round() / 254.0);
    shares.into_iter().map(colour).map(|[red, green, blue]| [red, green, blue, 255]).collect()
}

fn edges(drawing: &Drawing) -> usize {
    drawing.marks().iter().filter(|mark| matches!(mark, Mark::Box(_, Ink::Error))).count()
}

#[test]
fn both_planes_have_one_scale_and_the_difference_one_around_zero() {
    let one: Vec<f64> = (0..30).map(f64::from).collect();
    let mut other = one.clone();
    (other[7], other[8]) = (60.0, -2.0);
    let drawing = drawn(&floats(&[5, 6], one.clone()), &floats(&[5, 6], other.clone()), (&[1, 1], &[]));
    let [a, b, apart] = planes(&drawing)[..] else { panic!("there are three planes") };
    let share = |value: &f64| (value + 2.0) / 62.0;
    assert_eq!(a.colours, colours(Palette::Gradient, one.iter().map(share)));
    assert_eq!(b.colours, colours(Palette::Gradient, other.iter().map(share)));
    let between = one.iter().zip(&other).map(|(one, other)| 0.5 + (other - one) / 53.0 / 2.0);
    assert_eq!(apart.colours, colours(Palette::Signs, between));
    // The same on the PNG, in the middle of each point.
    let (width, _, samples) = decoded(&drawing.to_png());
    for (place, colour) in apart.colours.iter().enumerate() {
        let middle = |start: usize, size: usize, number: usize, all: usize| {
            Drawing::png_margin() + start + (2 * number + 1) * size / (2 * all)
        };
        let at = middle(apart.y, apart.height, place / 6, 5) * width + middle(apart.x, apart.width, place % 6, 6);
        assert_eq!(samples[at * 3..][..3], colour[..3], "{place}");
    }
}

#[test]
fn a_single_difference_is_seen_in_a_large_plane_of_a_volume() {
    let one = vec![0.0; 3 * 700 * 900];
    let mut other = one.clone();
    other[2 * 630_000 + 123 * 900 + 456] = -1e-9;
    let region = vec![vec![(2, 3), (123, 124), (456, 457)]];
    let [a, b] = [one, other].map(|values| floats(&[3, 700, 900], values));
    let drawing = drawn(&a, &b, (&[2, 123, 456], &region));
    let apart = planes(&drawing)[2];
    let blue = colours(Palette::Signs, [0.0])[0];
    let seen: Vec<usize> = (0..apart.colours.len()).filter(|place| apart.colours[*place] == blue).collect();
    let [place] = seen[..] else { panic!("{seen:?}") };
    let holds = |cell: usize, cells: usize, all: usize, number: usize| {
        (cell * all / cells..(cell + 1) * all / cells).contains(&number)
    };
    assert!(holds(place / apart.columns, apart.rows, 700, 123));
    assert!(holds(place % apart.columns, apart.columns, 900, 456));
    assert_eq!(edges(&drawing), 4);
    let mean = "[2, :, :]; each point of A and B is the mean of about 9 items, \
        each point of B - A the largest difference";
    assert_eq!(drawing.caption()[1], mean);
    // On another plane there is neither the difference nor its box.
    let elsewhere = drawn(&a, &b, (&[0, 0, 0], &region));
    assert!(planes(&elsewhere)[2].colours.iter().all(|colour| *colour != blue));
    assert_eq!(edges(&elsewhere), 0);
}

#[test]
fn the_histogram_counts_all_items_that_differ() {
    let one = vec![5.0; 400];
    let other = (0..400).map(|place| 5.0 + f64::from(place % 4));
    let drawing = drawn(&floats(&[4, 10, 10], one), &floats(&[4, 10, 10], other), (&[0, 0, 1], &[]));
    let caption = drawing.caption().join("\n");
    assert!(caption.ends_with("B - A of all items that differ:\nmin 1  mean 2  max 3  std 0.8165"), "{caption}");
}

#[test]
fn equal_nans_and_infinities_have_nothing_between_them() {
    let one = [f64::NAN, f64::INFINITY, 1.0, 2.0];
    let other = [f64::NAN, f64::INFINITY, f64::NAN, 3.0];
    let drawing = drawn(&floats(&[2, 2], one), &floats(&[2, 2], other), (&[1, 1], &[]));
    let [zero, one] = [0.5, 1.0].map(|share| colours(Palette::Signs, [share])[0]);
    assert_eq!(planes(&drawing)[2].colours, [zero, zero, [214, 60, 60, 255], one]);
}

#[test]
fn lists_are_lines_and_images_in_colours_are_planes() {
    let drawing = drawn(&floats(&[50], (0..50).map(f64::from)), &floats(&[50], vec![3.0; 50]), (&[0], &[]));
    assert_eq!(drawing.marks().iter().filter(|mark| matches!(mark, Mark::Band(..))).count(), 3);
    let image = |red| bytes(&[8, 9, 3], (0..216).map(|place| if place == 30 { red } else { 7 }));
    let drawing = drawn(&image(7), &image(200), (&[1, 1, 0], &[]));
    let apart = planes(&drawing)[2];
    assert_eq!((apart.rows, apart.columns, apart.colours[10]), (8, 9, colours(Palette::Signs, [1.0])[0]));
}

#[test]
fn what_has_no_difference_to_draw_is_refused() {
    let refused = |a: Vec<u8>, b: Vec<u8>| match between(&a, &b, (&[], &[])) {
        Err(Error::Refused(why)) => why,
        other => panic!("{other:?}"),
    };
    let zeros = |shape: &[usize]| floats(shape, vec![0.0; shape.iter().product()]);
    let shapes = "the difference of arrays with different shapes cannot be drawn";
    assert_eq!(refused(zeros(&[2, 3]), zeros(&[3, 2])), shapes);
    assert_eq!(
        refused(zeros(&[0, 3]), zeros(&[0, 3])),
        "the items are not numbers, so their difference cannot be drawn"
    );
}
