//! Arrays of a store, and their items.
//!
//! A selection is cut into boxes, and a box into runs along each axis. The reader collects the stored bytes of every
//! chunk with items in the runs. Once they would decode to 64 MiB, they are decoded in parallel, and their items are
//! copied to the output. Chunks without a file have the fill value.
//!
//! Sharded chunks contain an index and further chunks. The index is read first, and then only those inner chunks that
//! are needed, unless the shard itself is compressed.

use super::codecs::chain::{self, Chain, Packing};
use super::grid::{Run, copy, each_chunk, fill};
use super::meta::described::Described;
use super::read_error::{ReadError, Result};
use super::store::{Bytes, ZarrStore, within};
use crate::memory::room;
use ndbytes::internals::{Selection, boxes};
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Error, ItemType, threads};
use rayon::prelude::*;
use std::path::PathBuf;

/// The maximum number of bytes of chunks, stored and decoded, to keep in memory at once, unless a single chunk is larger.
const MOST: u64 = 64 << 20;

/// The overhead of a chunk in bytes.
const COST: u64 = 1 << 10;

/// An array of a Zarr store.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("surface.zarr");
/// use ndbytes::{Limits, ndarray::s};
/// use ndbytes_convert::{ZarrArray, ZarrStore};
/// # use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
/// # let surface = ndbytes::open("../../samples/surface.ra")?.into_array()?;
/// # let sources = [Source::Array(ArraySource::new("surface", &surface))];
/// # convert(&sources, FileKind::Zarr, Target::File(&path), &Options::new())?;
///
/// let store = ZarrStore::folder(&path, Limits::default());
/// let array = ZarrArray::open(&store, "")?; // the root is an array
/// assert_eq!((array.shape(), array.item_type().to_string()), (&[4, 6][..], "<f4".to_owned()));
/// // Only the chunks of the first row are read.
/// assert_eq!(array.select(s![0, ..].as_ref())?.count(), 6);
/// # Ok::<(), ndbytes_convert::Error>(())
/// ```
#[derive(Debug)]
pub struct ZarrArray<'s> {
    store: &'s ZarrStore,
    path: String,
    described: Described,
    shape: Vec<usize>,
}

impl<'s> ZarrArray<'s> {
    /// Opens the array at a path. The empty path is the root of the store.
    ///
    /// # Errors
    /// [`Error::Io`] if it does not exist, or if its metadata cannot be read.
    pub fn open(store: &'s ZarrStore, path: &str) -> ndbytes::Result<Self> {
        let described = store.described(path)?;
        let shape: Option<Vec<usize>> = described.shape.iter().map(|&extent| usize::try_from(extent).ok()).collect();
        let too_long =
            || ReadError::from("a dimension of the array is too long for this machine").at(store.path_of(path));
        Ok(ZarrArray { store, path: path.to_owned(), shape: shape.ok_or_else(too_long)?, described })
    }

    /// The shape.
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The type of the items.
    pub fn item_type(&self) -> &ItemType {
        &self.described.item_type
    }

    pub(crate) fn described(&self) -> &Described {
        &self.described
    }

    /// Selects items like [`ndbytes::Array::select`].
    ///
    /// # Errors
    /// As for [`ndbytes::Array::select`].
    pub fn select(&self, slices: &[SliceInfoElem]) -> ndbytes::Result<Box<dyn ndbytes::Items + '_>> {
        let selection = Selection::new(&self.shape, slices)?;
        let counts = selection.picks.iter().map(|pick| pick.count as usize).collect();
        Ok(Box::new(ZarrItems { array: self, selection, counts, buffer: Vec::new() }))
    }

    fn items(&self) -> chain::Items<'_> {
        chain::Items { fill: &self.described.fill, limits: self.store.limits() }
    }

    /// Reads the items of a box.
    fn read(&self, runs: &[Run], shape: &[u64], out: &mut [u8]) -> Result<(), Error> {
        let Described { chunk, chain, keys, .. } = &self.described;
        let mut batch = Batch { items: self.items(), leaves: Vec::new(), bytes: 0, held: 0, out, shape };
        each_chunk(runs, chunk, |place, runs| {
            let key = within(&self.path, &keys.name(place));
            let path = self.store.path_of(&key);
            let taken = match self.store.get(&key) {
                Ok(Some(bytes)) => batch.take(&path, chain, chunk, bytes, runs),
                Ok(None) => {
                    fill((batch.out, batch.shape), &runs, batch.items.fill);
                    batch.items.limits.ensure_time().map_err(ReadError::Error)
                }
                Err(flaw) => Err(flaw),
            };
            taken.map_err(|flaw| flaw.at(path.clone()))
        })?;
        batch.flush()
    }
}

/// Chunks that are decoded in parallel.
struct Batch<'b, 'c> {
    items: chain::Items<'b>,
    leaves: Vec<Leaf<'c>>,
    /// The number of bytes that the leaves take.
    bytes: u64,
    /// The size of the shards that contain the next leaf, in bytes.
    held: u64,
    out: &'b mut [u8],
    shape: &'b [u64],
}

/// A chunk that is decoded completely.
struct Leaf<'c> {
    path: PathBuf,
    chain: &'c Chain,
    shape: &'c [u64],
    stored: Vec<u8>,
    runs: Vec<Run>,
}

impl<'c> Batch<'_, 'c> {
    /// Accepts a chunk or, if chunks are sharded, its inner chunks.
    fn take(
        &mut self,
        path: &PathBuf,
        chain: &'c Chain,
        shape: &'c [u64],
        mut bytes: Bytes<'_>,
        runs: Vec<Run>,
    ) -> Result<()> {
        let (length, limits) = (bytes.length(), self.items.limits);
        let Some(shards) = chain.shards() else {
            let decoded = self.items.bytes(shape);
            if decoded > limits.memory / 4 {
                let what = "a chunk of the Zarr array";
                return Err(Error::Limit { what, needed: decoded.saturating_mul(4), left: limits.memory }.into());
            }
            let needed = decoded.saturating_add(length).saturating_add(COST);
            if self.bytes.saturating_add(needed) > MOST.min(limits.memory / 4) {
                self.flush().map_err(ReadError::Error)?;
            }
            self.bytes = self.bytes.saturating_add(needed);
            let stored = bytes.all(limits)?;
            self.leaves.push(Leaf { path: path.clone(), chain, shape, stored, runs });
            return Ok(());
        };
        let start = shards.index_start(shape, length)?;
        let index = bytes.read(start, shards.index_length(shape), limits)?;
        let index = shards.index(&index, length, limits)?;
        let (counts, mut read, held) = (shards.counts(shape), 0, bytes.held());
        self.held += held;
        let taken = each_chunk(&runs, &shards.chunk, |place, runs| match index.entry(place, &counts)? {
            Some((start, length)) => {
                read = index.with(read, length)?;
                let inner = bytes.part(start, length, limits)?;
                self.take(path, &shards.chain, &shards.chunk, inner, runs)
            }
            None => {
                fill((self.out, self.shape), &runs, self.items.fill);
                Ok(())
            }
        });
        self.held -= held;
        taken
    }

    /// Decodes the accepted chunks and copies their items to their positions.
    fn flush(&mut self) -> Result<(), Error> {
        let leaves = std::mem::take(&mut self.leaves);
        let stored = leaves.iter().map(|leaf| leaf.stored.len() as u64).sum::<u64>();
        let items = self.items.beside(self.held + self.out.len() as u64 + stored);
        self.bytes = 0;
        let decode = |leaf: &Leaf<'_>| leaf.chain.decode(&leaf.stored, leaf.shape, items);
        // Shards that are unpacked as a whole need more memory than their items, so only one is decoded at a time.
        let are_whole = leaves.iter().any(|leaf| matches!(leaf.chain.packing, Packing::Shards(_)));
        let decoded: Vec<Result<Vec<u8>>> = match &leaves[..] {
            leaves if are_whole || leaves.len() == 1 => leaves.iter().map(decode).collect(),
            leaves => {
                threads::ready();
                leaves.par_iter().map(decode).collect()
            }
        };
        for (leaf, decoded) in leaves.into_iter().zip(decoded) {
            let decoded = decoded.map_err(|flaw| flaw.at(leaf.path))?;
            copy((&decoded, leaf.shape), (self.out, self.shape), &leaf.runs, items.size());
        }
        Ok(())
    }
}

/// Some of the items of an array, in order.
struct ZarrItems<'r, 's> {
    array: &'r ZarrArray<'s>,
    selection: Selection,
    /// The selected items along each axis of the array.
    counts: Vec<usize>,
    buffer: Vec<u8>,
}

impl ndbytes::Items for ZarrItems<'_, '_> {
    fn item_type(&self) -> &ItemType {
        self.array.item_type()
    }

    fn shape(&self) -> &[usize] {
        &self.selection.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8], Error> {
        let length = self.selection.count();
        let end = start.checked_add(count).filter(|&end| end <= length);
        let end = end.ok_or(Error::OutOfRange { index: start.saturating_add(count), length })?;
        let size = self.array.item_type().size();
        room(&mut self.buffer, count.saturating_mul(size), &self.array.store.limits())?;
        let mut rest = &mut self.buffer[..];
        for part in boxes(&self.counts, start..end) {
            let runs: Vec<Run> = self
                .selection
                .picks
                .iter()
                .zip(&part.picks)
                .map(|(whole, part)| {
                    let pick = whole.within(*part);
                    Run { place: pick.start, step: pick.step, count: pick.count, to: 0 }
                })
                .collect();
            let shape: Vec<u64> = runs.iter().map(|run| run.count).collect();
            let here;
            (here, rest) = rest.split_at_mut((part.count() * size) as usize);
            self.array.read(&runs, &shape, here)?;
        }
        Ok(&self.buffer)
    }

    /// Returns the number of items in complete rows of chunks, so that no chunk is decoded twice. A row that is too
    /// long gets more memory.
    fn piece(&self) -> u64 {
        let limit = self.array.store.limits().memory / 4;
        match self.rows(MOST.min(limit)) {
            (items, true) => items,
            _ => self.rows(limit).0,
        }
    }
}

impl ZarrItems<'_, '_> {
    /// Returns the number of rows that fit into this many bytes, and whether they are complete decoding units.
    fn rows(&self, most: u64) -> (u64, bool) {
        let Described { item_type, .. } = &self.array.described;
        // The content of a zip archive is unpacked completely, even if only a part is needed.
        let together = match self.array.store.is_zip_archive() {
            true => &self.array.described.chunk[..],
            false => self.array.described.together(),
        };
        let mut items = 1_u64;
        for (pick, &together) in self.selection.picks.iter().zip(together).rev() {
            let room = (most / item_type.size().saturating_mul(items)).max(1);
            if pick.count <= room {
                items = items.saturating_mul(pick.count).max(1);
                continue;
            }
            let together = (together / pick.step.unsigned_abs()).max(1);
            let is_whole = room >= together;
            return (items * if is_whole { room - room % together } else { room }, is_whole);
        }
        (items, true)
    }
}
