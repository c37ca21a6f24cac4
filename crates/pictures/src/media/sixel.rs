//! Sixel: bands of six rows, each with a line of characters for every colour in it.

use super::paint::Painting;
use crate::colours::Rgb;
use std::collections::BTreeMap;

/// The maximum number of colours in a terminal's palette.
const COLOURS: usize = 256;

/// Encodes a painting as sixels.
pub fn sixel(painting: &Painting) -> String {
    let (width, height) = (painting.width, painting.height);
    let (palette, places) = indexed(&painting.points);
    // Points are square, and those that no colour covers stay as they are.
    let mut text = format!("\u{1b}P0;1q\"1;1;{width};{height}");
    for (place, colour) in palette.iter().enumerate() {
        let [red, green, blue] = colour.map(|part| (u32::from(part) * 100 + 127) / 255);
        text += &format!("#{place};2;{red};{green};{blue}");
    }
    for band in places.chunks(6 * width) {
        let mut lines: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
        for (row, line) in band.chunks(width).enumerate() {
            for (column, &place) in line.iter().enumerate() {
                lines.entry(place).or_insert_with(|| vec![0; width])[column] |= 1 << row;
            }
        }
        let lines: Vec<String> = lines.iter().map(|(place, line)| format!("#{place}{}", runs(line))).collect();
        text += &lines.join("$");
        text.push('-');
    }
    text + "\u{1b}\\"
}

/// Returns the colours of some points, and the index of each point's colour. Similar colours are merged if there are
/// too many.
fn indexed(points: &[Rgb]) -> (Vec<Rgb>, Vec<u8>) {
    // Of each part of a colour, so many bits count: 3 bits of red and green and 2 of blue make 256 colours at most.
    for lost in [0, 1, 2, 3, 4, 5] {
        let masks = [lost, lost, if lost == 5 { 6 } else { lost }].map(|bits: u32| u8::MAX << bits);
        let key = |rgb: &Rgb| [rgb[0] & masks[0], rgb[1] & masks[1], rgb[2] & masks[2]];
        let mut places: BTreeMap<Rgb, usize> = BTreeMap::new();
        for point in points {
            let next = places.len();
            places.entry(key(point)).or_insert(next);
            if places.len() > COLOURS {
                break;
            }
        }
        if places.len() > COLOURS {
            continue;
        }
        let mut sums = vec![([0_u64; 3], 0_u64); places.len()];
        let indices: Vec<u8> = points.iter().map(|point| places[&key(point)] as u8).collect();
        for (point, &index) in points.iter().zip(&indices) {
            let (sum, count) = &mut sums[usize::from(index)];
            (0..3).for_each(|part| sum[part] += u64::from(point[part]));
            *count += 1;
        }
        let palette = sums.iter().map(|(sum, count)| sum.map(|sum| (sum / (*count).max(1)) as u8)).collect();
        return (palette, indices);
    }
    unreachable!("8 bits have no more than 256 values")
}

/// Writes six rows as characters. Equal characters are run-length encoded.
fn runs(line: &[u8]) -> String {
    let used = line.iter().rposition(|&bits| bits != 0).map_or(0, |last| last + 1);
    let mut text = String::new();
    for run in line[..used].chunk_by(|one, other| one == other) {
        let sign = char::from(b'?' + run[0]);
        if run.len() > 3 {
            text += &format!("!{}{sign}", run.len());
        } else {
            text.extend(std::iter::repeat_n(sign, run.len()));
        }
    }
    text
}
