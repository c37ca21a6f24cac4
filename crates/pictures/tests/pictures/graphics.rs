//! Terminal graphics contain the picture, and SVG is as harmless as text.

use crate::{bytes, decoded, drawing, floats};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ndbytes_pictures::{Choice, Drawing, Kind, Medium, Protocol, draw};
use std::collections::BTreeMap;

fn sample() -> Drawing {
    let file = floats(&[9, 12], (0..108).map(|place| f64::from(place * 31 % 47)));
    drawing(&file, &Choice::new(Medium::IMAGE.room()), Medium::IMAGE)
}

#[test]
fn kitty_gets_the_png_in_messages_of_4096_bytes() {
    let drawing = sample();
    let text = drawing.to_terminal(Protocol::Kitty);
    let messages: Vec<&str> = text.trim_end().split_terminator("\u{1b}\\").collect();
    let mut png = String::new();
    for (place, message) in messages.iter().enumerate() {
        let (keys, data) = message.strip_prefix("\u{1b}_G").unwrap().split_once(';').unwrap();
        let more = if place + 1 < messages.len() { "m=1" } else { "m=0" };
        assert_eq!(keys, if place == 0 { format!("a=T,f=100,{more}") } else { more.to_owned() });
        assert!(data.len() <= 4096);
        png += data;
    }
    assert_eq!(STANDARD.decode(png).unwrap(), drawing.to_png());
}

#[test]
fn iterm_gets_the_png_as_a_file() {
    let drawing = sample();
    let text = drawing.to_terminal(Protocol::Iterm);
    let (keys, data) = text.strip_prefix("\u{1b}]1337;File=").unwrap().split_once(':').unwrap();
    assert_eq!(keys, format!("inline=1;size={}", drawing.to_png().len()));
    assert_eq!(STANDARD.decode(data.strip_suffix("\u{7}\n").unwrap()).unwrap(), drawing.to_png());
}

/// The points of a sixel picture, by the rules of the VT340.
fn sixels(text: &str) -> (usize, Vec<[u8; 3]>) {
    let body = text.strip_prefix("\u{1b}P0;1q").unwrap().strip_suffix("\u{1b}\\\n").unwrap();
    let body = body.strip_prefix("\"1;1;").unwrap();
    let end = body.find('#').unwrap();
    let (width, height) = body[..end].split_once(';').unwrap();
    let (width, height): (usize, usize) = (width.parse().unwrap(), height.parse().unwrap());
    let (mut points, mut palette) = (vec![[0; 3]; width * height], BTreeMap::new());
    let (mut x, mut y, mut colour, mut times) = (0, 0, 0, 1);
    let mut rest = &body[end..];
    let number = |text: &mut &str| {
        let end = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
        let (digits, after) = text.split_at(end);
        *text = after;
        digits.parse::<usize>().unwrap()
    };
    while let Some(letter) = rest.chars().next() {
        rest = &rest[1..];
        match letter {
            '#' => {
                colour = number(&mut rest);
                if rest.starts_with(';') {
                    let parts: Vec<usize> = (0..4)
                        .map(|_| {
                            rest = &rest[1..];
                            number(&mut rest)
                        })
                        .collect();
                    assert_eq!(parts[0], 2);
                    palette.insert(colour, [parts[1], parts[2], parts[3]].map(|part| ((part * 255 + 50) / 100) as u8));
                }
            }
            '!' => times = number(&mut rest),
            '$' => x = 0,
            '-' => (x, y) = (0, y + 6),
            sign => {
                let bits = sign as u8 - b'?';
                for column in x..x + times {
                    for row in (0..6).filter(|row| bits & 1 << row != 0) {
                        points[(y + row) * width + column] = palette[&colour];
                    }
                }
                (x, times) = (x + times, 1);
            }
        }
    }
    (width, points)
}

#[test]
fn sixels_are_the_points_of_the_png() {
    // A plane in colours, and an image with more colours than a terminal keeps.
    let image = (0..40 * 50).flat_map(|place| [place % 256, place / 8 % 256, place * 7 % 256].map(|part| part as u8));
    let image =
        drawing(&bytes(&[40, 50, 3], image), &Choice::new(Medium::IMAGE.room()).kind(Kind::Image), Medium::IMAGE);
    for (drawing, most) in [(sample(), 20), (image, 48)] {
        let (width, _, samples) = decoded(&drawing.to_png());
        let (columns, points) = sixels(&drawing.to_terminal(Protocol::Sixel));
        assert_eq!((columns, points.len() * 3), (width, samples.len()));
        let apart = points.as_flattened().iter().zip(&samples).map(|(one, other)| one.abs_diff(*other)).max();
        assert!(apart.unwrap() <= most, "{apart:?}");
    }
}

#[test]
fn svg_writes_hostile_titles_as_text() {
    let svg = draw(&[], "</style><script>alert(1)</script> & \u{1b}[2J \u{ffff}", Medium::IMAGE).to_svg();
    assert!(svg.contains("&lt;/style&gt;&lt;script&gt;alert(1)&lt;/script&gt;"), "{svg}");
    assert!(!svg.contains(['\u{1b}', '\u{ffff}']) && svg.matches('<').count() == svg.matches('>').count(), "{svg}");
}
