//! Pictures, compared with the numbers that they show.

mod choices;
mod differences;
mod graphics;
mod numbers;
mod texts;

use ndbytes::{Array, Error as ReadError, Input, Limits, Options};
use ndbytes_pictures::{Choice, Drawing, Error, Medium, Picture, choose, draw};

/// An IDX file of 64-bit floats.
fn floats(shape: &[usize], values: impl IntoIterator<Item = f64>) -> Vec<u8> {
    let values = values.into_iter().flat_map(f64::to_be_bytes).collect();
    idx(0x0e, shape, values)
}

/// An IDX file of bytes.
fn bytes(shape: &[usize], values: impl IntoIterator<Item = u8>) -> Vec<u8> {
    idx(0x08, shape, values.into_iter().collect())
}

fn idx(kind: u8, shape: &[usize], values: Vec<u8>) -> Vec<u8> {
    let sides = shape.iter().flat_map(|&side| u32::try_from(side).unwrap().to_be_bytes());
    [0, 0, kind, u8::try_from(shape.len()).unwrap()].into_iter().chain(sides).chain(values).collect()
}

/// The pictures of a file.
fn pictures(file: &[u8], choice: &Choice) -> Result<Vec<Picture>, Error> {
    let read =
        || -> Result<Array<'_>, ReadError> { Array::read(Input::from_slice(file, Limits::default()), &Options::new()) };
    choose(&mut *read().unwrap().items(), choice, Limits::default())
}

/// The drawing of a file.
fn drawing(file: &[u8], choice: &Choice, medium: Medium) -> Drawing {
    draw(&pictures(file, choice).unwrap(), "title", medium)
}

/// The size and the samples of a PNG, and the number of samples per pixel.
fn decoded(png: &[u8]) -> (usize, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut samples).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
    (info.width as usize, info.height as usize, samples)
}
