//! Zarr: an array, or a group of arrays, as a directory or a zip archive.
//!
//! Arrays are written as Zarr 3. Items are read in slabs of whole chunks, at most 64 MiB at once, and the chunks of a
//! slab are encoded in parallel. A chunked source keeps its chunk shape if possible. Chunks that contain only the fill
//! value are not stored.
//!
//! A directory appears under its name only when it is complete. It replaces an existing directory only if that
//! directory is empty or a store.

use super::entry::Entry;
use super::zip::Archive;
use crate::arrays::attributes::{Kept, of_source};
use crate::arrays::part::ArraySource;
use crate::arrays::view::View;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::memory::room;
use crate::options::Options;
use crate::target::Target;
use crate::zarr::encode::{Encoder, Layout, turned_round};
use crate::zarr::files::is_of_store;
use crate::zarr::grid::{Run, copy, count, each_chunk, repeat};
use crate::zarr::read_error::ReadError;
use crate::zarr::store::{NODE, ensure_path, within};
use ndbytes::internals::{AtomicFolder, Axis, Geometry, MOST_ENTRIES, Names, Slabs, chunk_shape};
use ndbytes::{Array, AtomicFile, Limits, threads};
use rayon::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

/// The number of bytes of items to read at once, and of chunks to encode in parallel, unless a single one is larger.
const MOST: u64 = 64 << 20;

/// The maximum number of chunks that are encoded in parallel.
const MOST_CHUNKS: usize = 1 << 10;

/// A directory is replaced only if it is empty or contains nothing but a store, so no other data is lost.
const NAMES: Names = Names { main: NODE, is_one: is_of_store };

/// Writes arrays: a single one, or several by name.
pub fn write(entries: &[Entry<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<()> {
    let plans =
        entries.iter().map(|entry| Plan::new(entry, entries.len() > 1, kind, options)).collect::<Result<_>>()?;
    let plans: Vec<Plan<'_>> = plans;
    ensure_apart(&plans, kind)?;
    match (kind, target) {
        (FileKind::Zarr, Target::File(path)) => {
            let mut folder = AtomicFolder::create(path, NAMES)?;
            write_to(&plans, options, &mut |key, bytes| Ok(folder.put(key, &[bytes])?))?;
            Ok(folder.commit()?)
        }
        (FileKind::Zarr, Target::Stream(_)) => {
            Err(Error::Refused { kind, what: "a directory on standard output: use zarr.zip".into() })
        }
        (_, Target::Stream(stream)) => write_zip(&plans, kind, stream, options),
        (_, Target::File(path)) => write_zip_file(&plans, kind, path, options),
    }
}

/// Writes a store as a zip archive, which appears under its name only when it is complete.
fn write_zip_file(plans: &[Plan<'_>], kind: FileKind, path: &Path, options: &Options<'_>) -> Result<()> {
    let mut file = AtomicFile::create(path)?;
    write_zip(plans, kind, &mut file, options)?;
    Ok(file.commit()?)
}

/// Writes a store as a zip archive to a stream, one entry per key.
fn write_zip(plans: &[Plan<'_>], kind: FileKind, to: &mut dyn std::io::Write, options: &Options<'_>) -> Result<()> {
    let mut archive = Archive::new(to);
    let mut count = 0;
    write_to(plans, options, &mut |key, bytes| {
        count += 1;
        if count > MOST_ENTRIES {
            return Err(Error::Refused { kind, what: format!("more than {MOST_ENTRIES} files in a zip archive") });
        }
        archive.entry(key, bytes.len() as u64, false, |to| Ok(to.write_all(bytes)?))
    })?;
    archive.finish()?;
    Ok(to.flush()?)
}

/// A function that stores the value of a key.
type Put<'p> = dyn FnMut(&str, &[u8]) -> Result<()> + 'p;

/// Writes the groups, the metadata of the arrays, and their chunks.
fn write_to(plans: &[Plan<'_>], options: &Options<'_>, put: &mut Put<'_>) -> Result<()> {
    let groups: BTreeSet<&str> = plans.iter().flat_map(|plan| around(&plan.path)).collect();
    for group in groups {
        put(&within(group, NODE), text(&json!({"zarr_format": 3, "node_type": "group", "attributes": {}})).as_bytes())?;
    }
    for plan in plans {
        put(&within(&plan.path, NODE), text(&plan.node).as_bytes())?;
        plan.write(options, put)?;
    }
    Ok(())
}

/// Returns a metadata document, as text.
fn text(node: &Value) -> String {
    format!("{node:#}\n")
}

/// Returns the paths of the groups around an array.
fn around(path: &str) -> Vec<&str> {
    if path.is_empty() {
        return Vec::new();
    }
    [""].into_iter().chain(path.match_indices('/').map(|(end, _)| &path[..end])).collect()
}

/// Refuses nested arrays and names that are not paths.
fn ensure_apart(plans: &[Plan<'_>], kind: FileKind) -> Result<()> {
    let paths: BTreeSet<&str> = plans.iter().map(|plan| &*plan.path).collect();
    for path in &paths {
        if ensure_path(path).is_err() || path.split('/').any(|name| name == NODE) {
            return Err(Error::Refused { kind, what: format!("an array named {path:?}, which is not a path") });
        }
        if let Some(array) = around(path).into_iter().find(|group| paths.contains(group)) {
            return Err(Error::Refused { kind, what: format!("the array {path:?} inside of the array {array:?}") });
        }
    }
    Ok(())
}

/// An array that is being written.
struct Plan<'v> {
    view: &'v View<'v>,
    path: String,
    layout: Layout,
    node: Value,
    limits: Limits,
}

impl<'v> Plan<'v> {
    /// Plans an array: its metadata, chunk shape and codecs.
    fn new(entry: &'v Entry<'v>, is_in_group: bool, kind: FileKind, options: &Options<'_>) -> Result<Self> {
        let Entry { name, view, fit } = entry;
        let only = view.only();
        let shape: Vec<u64> = view.shape().iter().map(|&extent| extent as u64).collect();
        let size = fit.item_type.size();
        let (chunk, inner) = divided(only, &shape, size, options);
        let bytes = count(&chunk).and_then(|items| items.checked_mul(size)).unwrap_or(u64::MAX);
        if bytes > options.limits.memory / 4 {
            let what = "a chunk of the Zarr array";
            return Err(ndbytes::Error::Limit { what, needed: bytes, left: options.limits.memory / 4 }.into());
        }
        if bytes > i32::MAX as u64 - 16 {
            return Err(Error::Refused { kind, what: format!("a chunk of {bytes} bytes") });
        }
        let fill = only.and_then(ArraySource::zarr).map(|array| array.described().fill.clone());
        let fill = fill.filter(|_| fit.item_type == *view.item_type()).unwrap_or_else(|| vec![0; size as usize]);
        let layout = Layout { shape, item_type: fit.item_type.clone(), chunk, inner, codec: options.zarr_codec, fill };
        let Kept { attributes, axes, .. } = only.map(of_source).transpose()?.unwrap_or_default();
        let node = layout.node(&attributes, axes.as_deref());
        let path = if is_in_group { name.clone() } else { String::new() };
        Ok(Plan { view, path, layout, node, limits: options.limits })
    }

    /// Writes the chunks, in batches that fit into memory.
    fn write(&self, options: &Options<'_>, put: &mut Put<'_>) -> Result<()> {
        let Layout { shape, chunk, fill, .. } = &self.layout;
        let size = fill.len();
        let axes = shape.iter().zip(chunk);
        let axes = axes.map(|(&extent, &chunk)| Axis { extent, chunk, block: chunk }).collect();
        let Some(geometry) = Geometry::of(axes, size as u64) else {
            return Err(
                ndbytes::Error::Limit { what: "the Zarr array", needed: u64::MAX, left: i64::MAX as u64 }.into()
            );
        };
        let mut slab = Vec::new();
        for ranges in Slabs::of(&geometry, size as u64, MOST.min(options.limits.memory / 4)) {
            let extents: Vec<u64> = ranges.iter().map(|range| range.end - range.start).collect();
            let Some(items) = count(&extents).filter(|&items| items > 0) else { continue };
            room(&mut slab, items * size as u64, &options.limits)?;
            let box_of: Vec<Range<usize>> = ranges.iter().map(|it| it.start as usize..it.end as usize).collect();
            self.view.read_box(&box_of, &mut slab)?;
            let runs: Vec<Run> = ranges
                .iter()
                .zip(&extents)
                .map(|(range, &count)| Run { place: range.start, step: 1, count, to: 0 })
                .collect();
            let mut batch = Batch { plan: self, slab: &slab, extents: &extents, chunks: Vec::new(), put };
            each_chunk(&runs, chunk, |place, runs| {
                options.limits.ensure_time()?;
                batch.take(place, runs)
            })?;
            batch.flush()?;
        }
        Ok(())
    }
}

/// Chunks of a slab that are encoded in parallel.
struct Batch<'b, 'p> {
    plan: &'b Plan<'b>,
    slab: &'b [u8],
    extents: &'b [u64],
    /// The name of each chunk, and its items in the slab.
    chunks: Vec<(String, Vec<Run>)>,
    put: &'b mut Put<'p>,
}

impl Batch<'_, '_> {
    /// Adds a chunk to the batch. A full batch is encoded in parallel.
    fn take(&mut self, place: &[u64], runs: Vec<Run>) -> Result<()> {
        let numbers: Vec<String> = place.iter().map(|number| format!("/{number}")).collect();
        self.chunks.push((within(&self.plan.path, &format!("c{}", numbers.concat())), turned_round(&runs)));
        let bytes = self.bytes().saturating_mul(self.chunks.len() as u64 + 1);
        if bytes > MOST || self.chunks.len() >= MOST_CHUNKS { self.flush() } else { Ok(()) }
    }

    /// The length of a chunk in bytes.
    fn bytes(&self) -> u64 {
        let Layout { chunk, fill, .. } = &self.plan.layout;
        count(chunk).unwrap_or(0) * fill.len() as u64
    }

    /// Encodes the chunks of the batch in parallel and writes them in order.
    fn flush(&mut self) -> Result<()> {
        let (layout, bytes, chunks) = (&self.plan.layout, self.bytes() as usize, std::mem::take(&mut self.chunks));
        let (slab, extents, limits) = (self.slab, self.extents, self.plan.limits);
        let encode = |state: &mut (Encoder, Vec<u8>), runs: &[Run]| {
            let (encoder, items) = state;
            room(items, bytes as u64, &limits).map_err(ReadError::from)?;
            repeat(items, &layout.fill);
            copy((slab, extents), (items, &layout.chunk), runs, layout.fill.len());
            layout.encode(items, encoder)
        };
        let encoded: Vec<Result<Option<Vec<u8>>, ReadError>> = match &chunks[..] {
            [(_, runs)] => vec![encode(&mut Default::default(), runs)],
            chunks => {
                threads::ready();
                chunks.par_iter().map_init(Default::default, |state, (_, runs)| encode(state, runs)).collect()
            }
        };
        for ((key, _), encoded) in chunks.iter().zip(encoded) {
            if let Some(bytes) = encoded.map_err(|flaw| flaw.at(key))? {
                (self.put)(key, &bytes)?;
            }
        }
        Ok(())
    }
}

/// Returns the shape of a chunk, and of its inner chunks if there are any. A chunked source keeps its shapes.
fn divided(
    only: Option<&ArraySource<'_>>,
    shape: &[u64],
    size: u64,
    options: &Options<'_>,
) -> (Vec<u64>, Option<Vec<u64>>) {
    let usual = || (chunk_shape(shape, size, None).into_iter().map(|extent| extent.max(1)).collect(), None);
    let Some((chunk, inner)) = only.filter(|part| part.is_whole()).and_then(of_source_chunks) else { return usual() };
    let is_divided = chunk != inner && chunk.iter().zip(&inner).all(|(chunk, inner)| chunk.is_multiple_of(*inner));
    // A chunk that extends beyond the array gets no more padding than necessary.
    let unit = if is_divided { inner.clone() } else { vec![1; chunk.len()] };
    let whole = shape.iter().zip(&unit).map(|(extent, &unit)| extent.max(&1).next_multiple_of(unit));
    let chunk: Vec<u64> = chunk.iter().zip(whole).map(|(&chunk, whole)| chunk.min(whole)).collect();
    match count(&chunk).and_then(|items| items.checked_mul(size)) {
        Some(bytes) if bytes <= options.limits.memory / 4 => {
            let inner = Some(inner).filter(|inner| is_divided && *inner != chunk);
            (chunk, inner)
        }
        _ => usual(),
    }
}

/// Returns the shape of the chunks of a source, and of the units that are decoded together.
fn of_source_chunks(part: &ArraySource<'_>) -> Option<(Vec<u64>, Vec<u64>)> {
    if let Some(array) = part.zarr() {
        let described = array.described();
        return Some((described.chunk.clone(), described.together().to_vec()));
    }
    let Some(Array::B2nd(array)) = part.array() else { return None };
    let wide = |extents: Vec<usize>| extents.into_iter().map(|extent| (extent as u64).max(1)).collect();
    Some((wide(array.chunk_shape()), wide(array.block_shape())))
}
