//! Writes whole files: `WHAT/PLACE`.
//!
//! Reading the data to write is not timed. A file from ndbytes is on disk once it has its name. In an in-memory file
//! system, there is no disk to wait for.

use super::bench::{Bench, Outcome, timed};
use blosc2_pure_rs::b2nd::{B2ndMeta, b2nd_from_cbuffer, b2nd_to_cframe};
use blosc2_pure_rs::compress::{CParams, DParams};
use ndarray::{ArrayD, Ix2};
use ndbytes::b2nd::{self, Codec};
use ndbytes::idv::{Compression, NewColumn, Values};
use ndbytes::{idv, idx, npy, rawarray};
use std::fs::{self, File};
use std::path::Path;

/// The content that was written last, by its name.
pub type Last = Option<(String, Content)>;

/// The content to write.
pub enum Content {
    Bytes(ArrayD<u8>),
    Floats(ArrayD<f32>),
    OfCrate(::rawarray::RawArray<f32>),
    Doubles(ArrayD<f64>),
    Table(Vec<NewColumn>, Vec<Values>),
}

impl Content {
    fn read(bench: &Bench, what: &str) -> Outcome<Self> {
        Ok(match what.split('-').next() {
            Some("idx") => Content::Bytes(idx::open(bench.path("u8.idx"))?.to_array()?),
            Some("rawarray_crate") => {
                let array: ArrayD<f32> = idx::open(bench.path("f32-be.idx"))?.to_array()?;
                Content::OfCrate(array.into())
            }
            Some("npy" | "rawarray") => Content::Floats(idx::open(bench.path("f32-be.idx"))?.to_array()?),
            Some("b2nd" | "b2nd_pure") => Content::Doubles(b2nd::open(bench.path("b2nd/f8-zstd.b2nd"))?.to_array()?),
            _ => {
                let table = idv::open(bench.path("bench_none.idv"))?;
                let described = table.columns().map(|column| described(&column)).collect::<Outcome<_>>()?;
                let values = table.columns().map(|column| column.read()).collect::<Result<_, _>>()?;
                Content::Table(described, values)
            }
        })
    }
}

/// A column in the form that the writer needs, with its annotations.
fn described(column: &idv::Column<'_>) -> Outcome<NewColumn> {
    let column_type = column.column_type().ok_or("a column of an unknown type")?;
    let mut described = NewColumn::new(column.name(), column_type.clone());
    for annotation in column.annotations() {
        let value_type = annotation.value_type().ok_or("an annotation of an unknown type")?;
        described = described.annotation(annotation.kind(), value_type.clone(), annotation.read()?);
    }
    Ok(described)
}

/// Returns the nanoseconds for writing a file, and its size.
pub fn time(bench: &Bench, last: &mut Last, what: &str, place: &str) -> Outcome<(f64, u64)> {
    let (_, content) = match last {
        Some(last) if last.0 == what => last,
        other => other.insert((what.to_owned(), Content::read(bench, what)?)),
    };
    let is_synced = place != "memory";
    let path = if is_synced { bench.path("written") } else { bench.memory() };
    let time = match content {
        Content::Bytes(array) => timed(|| Ok(idx::write(&path, array)?)),
        Content::Floats(array) => match what {
            "npy" => timed(|| Ok(npy::write(&path, array)?)),
            _ => timed(|| Ok(rawarray::write(&path, array, rawarray::Order::C)?)),
        },
        Content::OfCrate(array) => timed(|| {
            array.write(&path)?;
            synced(&path, is_synced)
        }),
        Content::Doubles(array) if what.starts_with("b2nd_pure-") => {
            let bytes = bytemuck::cast_slice(array.as_slice().ok_or("an array in another order")?);
            timed(|| {
                pure(bytes, array.shape(), codec_of(what), &path)?;
                synced(&path, is_synced)
            })
        }
        Content::Doubles(array) => {
            let writer = b2nd::Writer::new().codec(codec_of(what)).level(5).chunks([512, 1024]).blocks([64, 256]);
            let array = array.view().into_dimensionality::<Ix2>()?;
            timed(|| Ok(writer.write(&path, &array)?))
        }
        Content::Table(columns, values) => {
            let compression = if what == "idv-none" { Compression::NONE } else { Compression::DEFLATE };
            timed(|| {
                let writer = idv::Writer::new(columns.clone()).compression(compression).rows_per_block(8192);
                let mut file = writer.create(&path)?;
                file.write(values)?;
                Ok(file.finish()?)
            })
        }
    };
    let size = fs::metadata(&path)?.len();
    fs::remove_file(&path)?;
    Ok((time?, size))
}

/// The codec at the end of a name.
fn codec_of(what: &str) -> Codec {
    match what.rsplit('-').next() {
        Some("zstd") => Codec::ZSTD,
        Some("lz4") => Codec::LZ4,
        Some("zlib") => Codec::ZLIB,
        _ => Codec::BLOSCLZ,
    }
}

/// Waits until a peer's file is on the disk.
fn synced(path: &Path, is_wanted: bool) -> Outcome<()> {
    if is_wanted {
        File::open(path)?.sync_all()?;
    }
    Ok(())
}

/// Writes an array of numbers with the crate blosc2-pure-rs.
fn pure(bytes: &[u8], shape: &[usize], codec: Codec, path: &Path) -> Outcome<()> {
    let shape = shape.iter().map(|&extent| extent as i64).collect();
    let meta = B2ndMeta::new(shape, vec![512, 1024], vec![64, 256], "<f8", 0)?;
    let nthreads = rayon::current_num_threads() as i16;
    let written = CParams { compcode: codec.0, clevel: 5, typesize: 8, nthreads, ..CParams::default() };
    let array = b2nd_from_cbuffer(meta, bytes, written, DParams::default())?;
    Ok(fs::write(path, b2nd_to_cframe(&array))?)
}
