//! Writes an array as a file of any kind.

use super::fit::Fit;
use super::items::As;
use super::metadata::b2nd_writer;
use super::part::ArraySource;
use super::view::{Order, View};
use super::widen::Widened;
use crate::error::Result;
use crate::kind::FileKind;
use crate::options::Options;
use crate::target::Target;
use ndbytes::everybyte::Endian;
use ndbytes::{Array, Dtype, Error, ItemType, Items, Limits, idx, npy, rawarray};
use std::io::{self, Cursor, Seek, SeekFrom, Write};

/// Writes an array.
pub fn write(view: &View<'_>, fit: &Fit, kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<()> {
    let limits = &options.limits;
    match kind {
        FileKind::Idx | FileKind::IdxGzip => {
            let (writer, mut items) =
                (idx::Writer::new().gzip(kind == FileKind::IdxGzip), items_as(view, fit, Order::C)?);
            match target {
                Target::File(path) => writer.write_items(path, &mut *items, limits)?,
                Target::Stream(stream) => writer.write_items_to(stream, &mut *items, limits)?,
            }
        }
        FileKind::RawArray => {
            let mut items = items_as(view, fit, Order::Fortran)?;
            let writer = match view.only().and_then(ArraySource::array) {
                Some(Array::RawArray(array)) => rawarray::Writer::new().metadata(array.metadata()?),
                _ => rawarray::Writer::new(),
            };
            match target {
                Target::File(path) => writer.write_items(path, &mut *items, limits)?,
                Target::Stream(stream) => writer.write_items_to(stream, &mut *items, limits)?,
            }
        }
        FileKind::Npy => match target {
            Target::File(path) => {
                let (writer, mut items) = npy(view, fit)?;
                writer.write_items(path, &mut *items, limits)?;
            }
            Target::Stream(stream) => write_npy_to(view, fit, stream, options)?,
        },
        #[cfg(feature = "png")]
        FileKind::Png => super::png::write(view, target, options)?,
        #[cfg(not(feature = "png"))]
        FileKind::Png => {}
        // Their container writes them.
        FileKind::Npz | FileKind::Safetensors | FileKind::Gguf | FileKind::Zarr | FileKind::ZarrZip => {}
        // They cannot hold an array.
        FileKind::Idv | FileKind::Parquet | FileKind::Arrow | FileKind::Arrows | FileKind::Csv | FileKind::Jsonl => {}
        FileKind::B2nd => write_b2nd(view, fit, target, limits)?,
    }
    Ok(())
}

/// Returns a writer for `.npy`, and the items in the order of the file, which is the stored order if possible. Items
/// that are arrays add their axes at the end, which only C order allows.
fn npy<'v>(view: &'v View<'v>, fit: &Fit) -> Result<(npy::Writer, Box<dyn Items + 'v>)> {
    let order = match view.item_type() {
        ItemType::Subarray(_) => Order::C,
        _ => view.stored_order(),
    };
    Ok((npy::Writer::new().fortran_order(order == Order::Fortran), items_as(view, fit, order)?))
}

/// Writes an array as `.npy` to a stream.
pub fn write_npy_to(view: &View<'_>, fit: &Fit, to: &mut dyn Write, options: &Options<'_>) -> Result<()> {
    let (writer, mut items) = npy(view, fit)?;
    Ok(writer.write_items_to(to, &mut *items, &options.limits)?)
}

/// Returns the items in the form of the target.
pub fn items_as<'v>(view: &'v View<'v>, fit: &Fit, order: Order) -> Result<Box<dyn Items + 'v>> {
    let items = view.items(order)?;
    Ok(match fit.widening {
        Some(widening) => Box::new(Widened::new(items, widening)),
        None if fit.item_type != *items.item_type() => Box::new(As::new(items, fit.item_type.clone(), None)),
        None => items,
    })
}

/// Writes plain items in C order, with the least significant byte of each number first.
pub fn write_little_endian(view: &View<'_>, fit: &Fit, to: &mut dyn Write) -> Result<()> {
    let mut items = items_as(view, fit, Order::C)?;
    let (piece, count) = (items.piece(), items.count());
    let mut start = 0;
    while start < count {
        let asked = piece.min(count - start);
        let bytes = items.read(start, asked)?;
        match fit.item_type.dtype() {
            Dtype { endian: Endian::Big, kind } if kind.swapped() > 1 => {
                let mut bytes = bytes.to_vec();
                bytes.chunks_exact_mut(kind.swapped() as usize).for_each(<[u8]>::reverse);
                to.write_all(&bytes)?;
            }
            _ => to.write_all(bytes)?,
        }
        start += asked;
    }
    Ok(())
}

/// Writes b2nd, with the chunk and block shapes of the source if there is only one and it is chunked.
fn write_b2nd(view: &View<'_>, fit: &Fit, target: Target<'_>, limits: &Limits) -> Result<()> {
    limits.ensure_output("the items of the b2nd file", view.length())?;
    let writer = b2nd_writer(view.only())?;
    let read = |ranges: &[std::ops::Range<usize>], buffer: &mut [u8]| view.read_box(ranges, buffer);
    let (shape, item_type) = (view.shape(), &fit.item_type);
    let stream = match target {
        Target::File(path) => return Ok(writer.write_boxes(path, shape, item_type, read)?),
        Target::Stream(stream) => stream,
    };
    // The header is written last, so a stream receives the file only once it is complete.
    let mut held = Held { bytes: Cursor::new(Vec::new()), most: limits.memory, needed: None };
    let written = writer.write_boxes_to(&mut held, shape, item_type, read);
    if let Some(needed) = held.needed {
        let what = "the b2nd file, which is written to a stream only once complete";
        return Err(Error::Limit { what, needed, left: limits.memory }.into());
    }
    written?;
    stream.write_all(held.bytes.get_ref())?;
    Ok(stream.flush()?)
}

/// An in-memory file of limited length.
struct Held {
    bytes: Cursor<Vec<u8>>,
    most: u64,
    /// The length that exceeds the limit, once it is reached.
    needed: Option<u64>,
}

impl Write for Held {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let end = self.bytes.position() + bytes.len() as u64;
        if end > self.most {
            self.needed = Some(end);
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.bytes.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Held {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(target)
    }
}
