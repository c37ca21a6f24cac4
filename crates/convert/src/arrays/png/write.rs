//! Writing PNG.

use super::picture::{Picture, is_scaled};
use super::scale::Range;
use crate::arrays::view::View;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::memory::room;
use crate::options::{Options, Sheet};
use crate::target::Target;
use ndbytes::everybyte::Endian;
use ndbytes::{AtomicFile, Dtype, ElementKind};
use png::{BitDepth, ColorType, Encoder, EncodingError};
use std::io::Write;
use std::ops;

/// The number of bytes of rows to read at once.
const TOGETHER: usize = 4 << 20;

/// Writes a picture.
pub fn write(view: &View<'_>, target: Target<'_>, options: &Options<'_>) -> Result<()> {
    match target {
        Target::Stream(stream) => write_to(view, stream, options),
        Target::File(path) => {
            let mut file = AtomicFile::create(path)?;
            write_to(view, &mut file, options)?;
            Ok(file.commit()?)
        }
    }
}

/// Writes a picture row by row. If it is scaled, a first pass over the items finds their range.
fn write_to(view: &View<'_>, to: &mut dyn Write, options: &Options<'_>) -> Result<()> {
    let (picture, dtype) = (Picture::of(view, options)?, view.item_type().dtype());
    let Sheet { rows, columns } = picture.sheet.unwrap_or(Sheet { rows: 1, columns: 1 });
    let mut range = Range::new();
    let is_scaled = is_scaled(view, options)?;
    let samples = (rows * picture.height) as u64 * (columns * picture.width * picture.channels) as u64;
    options
        .limits
        .ensure_output("the samples of the picture", samples.saturating_mul(dtype.kind.size().clamp(1, 2)))?;
    if is_scaled {
        picture.for_rows(view, options, &mut |row| {
            range.include(row, dtype);
            Ok(())
        })?;
    }
    let mut encoder = Encoder::new(&mut *to, (columns * picture.width) as u32, (rows * picture.height) as u32);
    encoder.set_color(
        [ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba][picture.channels - 1],
    );
    encoder.set_depth(match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => BitDepth::One,
        ElementKind::U16 => BitDepth::Sixteen,
        _ => BitDepth::Eight,
    });
    let mut writer = encoder.write_header().map_err(failed)?;
    let mut stream = writer.stream_writer().map_err(failed)?;
    let mut samples = Vec::new();
    picture.for_rows(view, options, &mut |row| {
        samples.clear();
        match is_scaled {
            true => range.scale(row, dtype, &mut samples),
            false => pack(row, dtype, &mut samples),
        }
        Ok(stream.write_all(&samples)?)
    })?;
    stream.finish().map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(to.flush()?)
}

/// The bytes of a PNG file with 8-bit samples.
pub fn file(samples: &[u8], (height, width, channels): (usize, usize, usize)) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color([ColorType::Grayscale, ColorType::GrayscaleAlpha, ColorType::Rgb, ColorType::Rgba][channels - 1]);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(failed)?;
    writer.write_image_data(samples).map_err(failed)?;
    writer.finish().map_err(failed)?;
    Ok(bytes)
}

/// Converts an error of the encoder. I/O errors keep their kind.
fn failed(error: EncodingError) -> Error {
    match error {
        EncodingError::IoError(error) => error.into(),
        other => Error::Refused { kind: FileKind::Png, what: format!("this picture: {other}") },
    }
}

/// Appends samples in PNG's format: big-endian, with one bit per boolean.
fn pack(row: &[u8], dtype: Dtype, to: &mut Vec<u8>) {
    match dtype.kind {
        ElementKind::Bool | ElementKind::Bit => to.extend(row.chunks(8).map(|eight| {
            let bits = eight.iter().enumerate();
            bits.fold(0, |byte, (place, &value)| byte | u8::from(value != 0) << (7 - place))
        })),
        ElementKind::U16 if dtype.endian == Endian::Little => {
            row.as_chunks().0.iter().for_each(|&[low, high]| to.extend([high, low]));
        }
        _ => to.extend_from_slice(row),
    }
}

impl Picture {
    /// Calls a function with the samples of each row of pixels.
    fn for_rows(self, view: &View<'_>, options: &Options<'_>, each: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let row = self.width * self.channels * view.item_type().stride() as usize;
        match self.sheet {
            None => self.for_rows_of_one(view, row, options, each),
            Some(sheet) => self.for_rows_of_sheet(view, sheet, row, options, each),
        }
    }

    /// Returns the ranges of some rows of pixels.
    fn ranges(
        self,
        view: &View<'_>,
        first: Option<ops::Range<usize>>,
        rows: ops::Range<usize>,
    ) -> Vec<ops::Range<usize>> {
        let inner = view.shape().iter().skip(usize::from(first.is_some()) + 1).map(|&extent| 0..extent);
        first.into_iter().chain([rows]).chain(inner).collect()
    }

    fn for_rows_of_one(
        self,
        view: &View<'_>,
        row: usize,
        options: &Options<'_>,
        each: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let (together, mut buffer) = ((TOGETHER / row).max(1), Vec::new());
        for first in (0..self.height).step_by(together) {
            let rows = first..self.height.min(first + together);
            room(&mut buffer, (rows.len() * row) as u64, &options.limits)?;
            view.read_box(&self.ranges(view, None, rows), &mut buffer)?;
            buffer.chunks(row).try_for_each(&mut *each)?;
        }
        Ok(())
    }

    /// Positions on the sheet without an item are zero.
    fn for_rows_of_sheet(
        self,
        view: &View<'_>,
        sheet: Sheet,
        row: usize,
        options: &Options<'_>,
        each: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let (items, mut buffer, mut line) = (view.shape()[0], Vec::new(), Vec::new());
        for first in (0..sheet.rows).map(|place| place.saturating_mul(sheet.columns)) {
            let wanted = first.min(items)..first.saturating_add(sheet.columns).min(items);
            let item = (self.height as u64).saturating_mul(row as u64);
            room(&mut buffer, item.saturating_mul(wanted.len() as u64), &options.limits)?;
            if !wanted.is_empty() {
                view.read_box(&self.ranges(view, Some(wanted), 0..self.height), &mut buffer)?;
            }
            for place in 0..self.height {
                room(&mut line, (row as u64).saturating_mul(sheet.columns as u64), &options.limits)?;
                line.fill(0);
                let items = buffer.chunks(self.height * row).map(|item| &item[place * row..(place + 1) * row]);
                line.chunks_mut(row).zip(items).for_each(|(to, from)| to.copy_from_slice(from));
                each(&line)?;
            }
        }
        Ok(())
    }
}
