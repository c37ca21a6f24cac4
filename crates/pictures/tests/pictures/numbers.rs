//! Colours, lines and bars match the numbers.

use crate::{bytes, decoded, drawing, floats, pictures};
use ndbytes::{Array, Input, ItemType, Items, Limits, Options};
use ndbytes_pictures::{Choice, Drawing, Kind, Mark, Medium, Palette, Picture, Pixels, Scaling, choose};

const MEDIUM: Medium = Medium::IMAGE;

fn choice() -> Choice {
    Choice::new(MEDIUM.room())
}

/// The rectangles of colours on a drawing.
fn pixels<'d>(drawing: &'d Drawing) -> Vec<&'d Pixels> {
    let of = |mark: &'d Mark| if let Mark::Pixels(pixels) = mark { Some(pixels) } else { None };
    drawing.marks().iter().filter_map(of).collect()
}

/// The colours of a PNG in the middle of each cell.
fn middles(drawing: &Drawing, pixels: &Pixels) -> Vec<[u8; 3]> {
    let (width, _, samples) = decoded(&drawing.to_png());
    let middle = |start: usize, size: usize, number: usize, cells: usize| {
        Drawing::png_margin() + start + (2 * number + 1) * size / (2 * cells)
    };
    let places = (0..pixels.rows).flat_map(|row| (0..pixels.columns).map(move |column| (row, column)));
    let colour = |(row, column)| {
        let x = middle(pixels.x, pixels.width, column, pixels.columns);
        let y = middle(pixels.y, pixels.height, row, pixels.rows);
        samples[(y * width + x) * 3..][..3].try_into().unwrap()
    };
    places.map(colour).collect()
}

#[test]
fn a_point_of_a_heat_map_has_the_colour_of_its_value() {
    let values: Vec<f64> = (0..42).map(|place| f64::from(place * place % 17) - 3.0).collect();
    let (least, greatest) = (-3.0, 13.0);
    let drawing = drawing(&floats(&[6, 7], values.clone()), &choice(), MEDIUM);
    let plane = pixels(&drawing)[0];
    assert_eq!((plane.rows, plane.columns), (6, 7));
    let shade = |value: &f64| ((value - least) / (greatest - least) * 254.0_f64).round() / 254.0;
    let expected: Vec<[u8; 3]> = values.iter().map(|value| Palette::Gradient.colour(shade(value))).collect();
    assert_eq!(middles(&drawing, plane), expected);
}

#[test]
fn a_cell_of_a_larger_plane_has_the_mean_of_its_items() {
    // Rows and columns that are no multiples of the cells. The mean of a plane of sums is the sum of two means.
    let (rows, columns) = (1003, 1501);
    let values = (0..rows * columns).map(|place| (place / columns) as f64 + (place % columns) as f64 / 10.0);
    let drawn = pictures(&floats(&[rows, columns], values), &choice()).unwrap();
    let [Picture::Heat(heat)] = &drawn[..] else { panic!("{drawn:?}") };
    assert!(!heat.is_sample && heat.width < columns && heat.height < rows);
    let mean = |place: usize, cells: usize, all: usize| {
        let (start, end) = (place * all / cells, (place + 1) * all / cells);
        (start + end - 1) as f64 / 2.0
    };
    let value = |row: usize, column: usize| mean(row, heat.height, rows) + mean(column, heat.width, columns) / 10.0;
    let (least, greatest) = (value(0, 0), value(heat.height - 1, heat.width - 1));
    let scale = heat.scale.unwrap();
    assert!((scale[0] - least).abs() < 1e-6 && (scale[2] - greatest).abs() < 1e-6, "{scale:?}");
    for (row, column) in [(0, 0), (7, 300), (heat.height - 1, 0), (heat.height / 2, heat.width / 3)] {
        let share = (value(row, column) - least) / (greatest - least) * 254.0;
        let shade = f64::from(heat.shades[row * heat.width + column]);
        assert!((shade - share).abs() < 0.51, "{row} {column}: {shade} {share}");
    }
}

#[test]
fn a_line_is_the_envelope_of_all_items() {
    for items in [2, 719, 720, 721, 20_000, 300_001] {
        let mut values: Vec<f64> = (0..items).map(|place| (place as f64 / 500.0).sin()).collect();
        values[items / 3] = 40.0;
        values[items / 2] = f64::NAN;
        let drawn = pictures(&floats(&[items], values.clone()), &choice()).unwrap();
        let Picture::Line(line) = &drawn[0] else { panic!("{drawn:?}") };
        let runs = line.runs.len();
        assert!(!line.is_sample && runs == items.min(MEDIUM.room().runs as usize));
        for (place, run) in line.runs.iter().enumerate() {
            let part = &values[place * items / runs..(place + 1) * items / runs];
            let finite = || part.iter().copied().filter(|value| value.is_finite());
            assert_eq!(*run, finite().reduce(f64::min).zip(finite().reduce(f64::max)), "run {place} of {items}");
            assert_eq!(line.broken.contains(&place), part.iter().any(|value| value.is_nan()), "run {place}");
        }
    }
}

#[test]
fn a_line_on_paper_reaches_the_least_and_the_greatest_of_each_column() {
    let values: Vec<f64> = (0..5000).map(|place| f64::from(place * 7919 % 1009)).collect();
    let drawing = drawing(&floats(&[5000], values.clone()), &choice(), MEDIUM);
    let bands =
        drawing.marks().iter().filter_map(|mark| if let Mark::Band(spans, _) = mark { Some(spans) } else { None });
    let spans: Vec<[f64; 3]> = bands.flatten().copied().collect();
    let (runs, top, bottom) = (spans.len(), spans.iter().map(|span| span[1]), spans.iter().map(|span| span[2]));
    let (top, bottom) = (top.reduce(f64::min).unwrap(), bottom.reduce(f64::max).unwrap());
    let number = |y: f64| (bottom - y) / (bottom - top) * 1008.0;
    for (place, span) in spans.iter().enumerate() {
        let part = &values[place * 5000 / runs..(place + 1) * 5000 / runs];
        let ends = [part.iter().copied().reduce(f64::min), part.iter().copied().reduce(f64::max)].map(Option::unwrap);
        assert!((number(span[2]) - ends[0]).abs() < 1e-6 && (number(span[1]) - ends[1]).abs() < 1e-6, "{place}");
    }
    // On the PNG, the column of each run is painted from its upper to its lower edge.
    let (width, _, samples) = decoded(&drawing.to_png());
    for &[x, top, bottom] in &spans {
        for y in top.ceil() as usize..bottom.floor() as usize {
            let at = ((y + Drawing::png_margin()) * width + x.round() as usize + Drawing::png_margin()) * 3;
            assert_eq!(samples[at..at + 3], [42, 111, 151], "{x} {y}");
        }
    }
}

#[test]
fn images_are_painted_sample_by_sample() {
    let samples: Vec<u8> = (0..16 * 20 * 3).map(|place| (place * 37 % 251) as u8).collect();
    let drawing = drawing(&bytes(&[16, 20, 3], samples.clone()), &choice(), MEDIUM);
    let colours: Vec<[u8; 3]> = samples.chunks(3).map(|pixel| pixel.try_into().unwrap()).collect();
    assert_eq!(middles(&drawing, pixels(&drawing)[0]), colours);
    let sheet = crate::drawing(&bytes(&[5, 8, 8], samples.iter().copied().take(320)), &choice(), MEDIUM);
    for (place, pixels) in pixels(&sheet).into_iter().enumerate() {
        let greys: Vec<[u8; 3]> = samples[place * 64..][..64].iter().map(|&grey| [grey; 3]).collect();
        assert_eq!(middles(&sheet, pixels), greys, "image {place}");
    }
}

#[test]
fn bars_are_as_high_as_their_counts() {
    let values = (0..100_usize).flat_map(|value| std::iter::repeat_n((value % 10) as f64, 1 + value % 10));
    let file = floats(&[550], values);
    let drawing = drawing(&file, &choice().kind(Kind::Histogram), MEDIUM);
    let bars = drawing.marks().iter().filter_map(|mark| match mark {
        Mark::Box([_, _, width, height], ndbytes_pictures::Ink::Accent) if *width > 0.0 => Some(*height),
        _ => None,
    });
    let heights: Vec<f64> = bars.collect();
    assert_eq!(heights.len(), 10);
    for (place, height) in heights.iter().enumerate() {
        assert!((height / heights[9] - (place + 1) as f64 / 10.0).abs() < 1e-9, "{heights:?}");
    }
}

#[test]
fn planes_of_a_volume_have_one_scale() {
    let values = (0..20 * 6 * 8).map(|place| f64::from(place / 48));
    let drawn = pictures(&floats(&[20, 6, 8], values), &choice()).unwrap();
    let heats: Vec<_> =
        drawn.iter().map(|picture| if let Picture::Heat(heat) = picture { heat } else { panic!() }).collect();
    assert_eq!((heats.len(), &*heats[0].plane, &*heats[11].plane), (12, "[0, :, :]", "[19, :, :]"));
    for heat in heats {
        let plane: f64 = heat.plane[1..].split(',').next().unwrap().parse().unwrap();
        assert_eq!((heat.scale, heat.planes), (Some([0.0, heat.scale.unwrap()[1], 19.0]), 20));
        assert_eq!(heat.shades, [(plane / 19.0 * 254.0).round() as u8; 48]);
    }
}

#[test]
fn ranks_tell_numbers_apart_beside_an_outlier() {
    let values = (0..64).map(|place| if place == 63 { 1e9 } else { f64::from(place) });
    let file = floats(&[8, 8], values);
    let shades = |scaling| {
        let drawn = pictures(&file, &choice().scaling(scaling)).unwrap();
        let [Picture::Heat(heat)] = &drawn[..] else { panic!("{drawn:?}") };
        heat.shades.clone()
    };
    assert_eq!(shades(Scaling::Linear)[..63], [0; 63]);
    assert_eq!(
        shades(Scaling::Rank),
        (0..64).map(|rank| (f64::from(rank) / 63.0 * 254.0).round() as u8).collect::<Vec<_>>()
    );
}

/// Items that are best read one plane at a time, and the number of reads.
struct Counted<'a>(Box<dyn Items + 'a>, usize);

impl Items for Counted<'_> {
    fn item_type(&self) -> &ItemType {
        self.0.item_type()
    }

    fn shape(&self) -> &[usize] {
        self.0.shape()
    }

    fn read(&mut self, start: u64, count: u64) -> ndbytes::Result<&[u8]> {
        self.1 += 1;
        self.0.read(start, count)
    }

    fn piece(&self) -> u64 {
        self.shape()[1..].iter().product::<usize>() as u64
    }
}

#[test]
fn rows_in_the_same_chunks_are_read_together() {
    let file = floats(&[5, 300, 40], (0..5 * 300 * 40).map(f64::from));
    let array = Array::read(Input::from_slice(&file, Limits::default()), &Options::new()).unwrap();
    let mut items = Counted(array.items(), 0);
    let drawn = choose(&mut items, &choice(), Limits::default()).unwrap();
    assert_eq!((drawn.len(), items.1), (5, 5), "a read a plane");
}
