//! The picture that suits a shape, and what is refused.

use crate::{bytes, floats, pictures};
use ndbytes_pictures::{Choice, Error, Kind, Medium, Paint, Picture, Protocol, draw};

fn name(pictures: &[Picture]) -> &'static str {
    match &pictures[0] {
        Picture::Grid(grid) if grid.shown > 1 => "sheet",
        Picture::Grid(_) => "image",
        Picture::Heat(_) => "heat",
        Picture::Line(_) => "line",
        _ => "histogram",
    }
}

#[test]
fn the_shape_and_the_type_choose_the_picture() {
    let choice = Choice::new(Medium::IMAGE.room());
    for (shape, of_bytes, of_floats) in [
        (&[20, 30][..], "image", "heat"),
        (&[3, 30], "heat", "heat"),
        (&[200, 10], "heat", "heat"),
        (&[20, 30, 3], "image", "heat"),
        (&[20, 30, 4], "image", "heat"),
        (&[7, 20, 30], "sheet", "heat"),
        (&[7, 20, 30, 1], "sheet", "heat"),
        (&[7, 20, 30, 3], "sheet", "heat"),
        (&[7, 2, 2], "heat", "heat"),
        (&[50], "line", "line"),
        (&[1, 50, 1], "line", "line"),
        (&[5, 3, 1], "heat", "heat"),
        (&[1], "line", "line"),
    ] {
        let items: usize = shape.iter().product();
        let chosen = |file: Vec<u8>| name(&pictures(&file, &choice).unwrap());
        assert_eq!(chosen(bytes(shape, (0..items).map(|place| place as u8))), of_bytes, "{shape:?}");
        assert_eq!(chosen(floats(shape, (0..items).map(|place| place as f64))), of_floats, "{shape:?}");
    }
}

#[test]
fn another_kind_is_drawn_if_it_is_wanted() {
    let choice = Choice::new(Medium::IMAGE.room());
    let file = bytes(&[7, 20, 30], (0..4200).map(|place| place as u8));
    for (kind, expected) in [
        (Kind::Image, "image"),
        (Kind::Sheet, "sheet"),
        (Kind::Heat, "heat"),
        (Kind::Line, "line"),
        (Kind::Histogram, "histogram"),
    ] {
        assert_eq!(name(&pictures(&file, &choice.kind(kind)).unwrap()), expected);
    }
    let list = floats(&[50], (0..50).map(f64::from));
    assert_eq!(name(&pictures(&list, &choice.kind(Kind::Heat)).unwrap()), "heat");
    for kind in [Kind::Image, Kind::Sheet] {
        let Err(Error::Refused(why)) = pictures(&list, &choice.kind(kind)) else { panic!("{kind:?}") };
        assert_eq!(why, "an image needs two axes with several items");
    }
    let Err(Error::Refused(why)) = pictures(&floats(&[0, 5], []), &choice) else { panic!("nothing is drawn") };
    assert_eq!(why, "the array is empty");
}

#[test]
fn the_first_planes_follow_each_other() {
    let file = floats(&[9, 5, 5], (0..225).map(f64::from));
    let planes = |choice: Choice| {
        let drawn = pictures(&file, &choice).unwrap();
        drawn
            .iter()
            .map(|picture| if let Picture::Heat(heat) = picture { heat.plane.clone() } else { panic!() })
            .collect()
    };
    let choice = Choice::new(Medium::letters(80).room());
    let spread: Vec<String> = planes(choice);
    assert_eq!(spread, ["[0, :, :]", "[2, :, :]", "[5, :, :]", "[8, :, :]"]);
    let first: Vec<String> = planes(choice.kind(Kind::Sheet).first(3));
    assert_eq!(first, ["[0, :, :]", "[1, :, :]", "[2, :, :]"]);
}

/// Extreme numbers of every type, and shapes with long and short axes, are drawn in every medium.
#[test]
fn any_numbers_of_any_shape_are_drawn_in_every_medium() {
    let (least, tiny) = (f64::MIN, f64::from_bits(1));
    let values = [
        vec![f64::NAN],
        vec![f64::INFINITY, f64::NEG_INFINITY],
        vec![least, f64::MAX],
        vec![tiny, 2.0 * tiny],
        vec![1e308, 1e308_f64.next_up()],
        vec![1.0, 1.0_f64.next_up()],
        vec![-0.0, 0.0],
        vec![1e-300, 1e300, f64::NAN, -1e300],
        vec![5.0],
    ];
    let shapes =
        [&[1][..], &[2], &[3], &[61], &[1, 1], &[1, 3, 1], &[2, 2], &[1000, 2], &[2, 1000], &[3, 2, 2], &[30, 5, 4]];
    let kinds = [None, Some(Kind::Heat), Some(Kind::Line), Some(Kind::Histogram)];
    for (values, shape) in values.iter().flat_map(|values| shapes.iter().map(move |shape| (values, shape))) {
        let file = floats(shape, values.iter().copied().cycle().take(shape.iter().product()));
        for medium in [Medium::IMAGE, Medium::letters(0), Medium::letters(80), Medium::letters(usize::MAX)] {
            for kind in kinds {
                let choice = Choice::new(medium.room());
                let choice = kind.map_or(choice, |kind| choice.kind(kind));
                let drawing = draw(&pictures(&file, &choice).unwrap(), "a title", medium);
                let (width, height) = drawing.size();
                assert!(width <= medium.width && height < 2000, "{shape:?} {values:?}: {width} × {height}");
                if medium.is_fine() {
                    assert!(
                        drawing.to_svg().ends_with("</svg>\n")
                            && !["=\"NaN", "=\"inf", "=\"-inf", "MNaN", "Minf"]
                                .iter()
                                .any(|wrong| drawing.to_svg().contains(wrong)),
                        "{shape:?} {values:?}"
                    );
                } else {
                    let text = drawing.to_text(Paint::Signs);
                    assert!(text.lines().all(|line| line.chars().count() <= medium.width), "{text}");
                }
            }
        }
    }
    let drawing =
        draw(&pictures(&floats(&[2], [0.0, f64::NAN]), &Choice::new(Medium::IMAGE.room())).unwrap(), "", Medium::IMAGE);
    assert!(
        [Protocol::Kitty, Protocol::Iterm, Protocol::Sixel].iter().all(|it| drawing.to_terminal(*it).ends_with('\n'))
    );
}
