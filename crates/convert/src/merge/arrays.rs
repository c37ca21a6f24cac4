//! Merging arrays.
//!
//! Rows along the first axis are aligned by hashes with secret keys, and copied from the version that the plan selects.
//! If a changed range has the same number of rows in all three versions, its items are merged one by one. If the types or the
//! other axes differ, an array is merged as a whole, which works only if one side left it unchanged.
//!
//! The merged array is made in memory, within [`Options::limits`]. If the result equals one of the versions, that file
//! is used as it is, with its encoding.

use super::conflict::Place;
use super::metadata::{self, Metadata};
use super::options::Options;
use super::outcome::Merged;
use super::plan::{Run, are_even, plan};
use super::tally::Tally;
use super::versions::{Version, Versions};
use super::write::{ATTRIBUTE, METALAYER, TRAILING, write};
use crate::arrays::items::swap;
use crate::arrays::view::is_alike;
use crate::error::{Error, Result};
use ndbytes::internals::memory;
use ndbytes::{Array, Debited, Item, ItemType, Items, Memory};
use ndbytes_compare::diff::{Datum, coordinates};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;

/// Merges arrays.
pub fn merge(arrays: Versions<&Array<'_>>, options: &Options, tally: &mut Tally<'_, '_>) -> Result<Merged> {
    let metadata = arrays.try_map(metadata_of)?;
    if let Some(what) = unlike(arrays) {
        return whole(arrays, metadata.each_ref(), what, options, tally);
    }
    let metadata = metadata::merge(metadata, tally);
    let mut merging = Merging::new(arrays, options)?;
    let rows = merging.rows(tally)?;
    let Merging { merged, .. } = merging;
    if !tally.is_not_ours {
        return Ok(Merged::Version(Version::Ours));
    }
    if !tally.is_not_theirs && arrays.theirs.format() == arrays.ours.format() {
        return Ok(Merged::Version(Version::Theirs));
    }
    let shape: Vec<usize> = match arrays.ours.shape().split_first() {
        Some((_, inner)) => [&[rows], inner].concat(),
        None => Vec::new(),
    };
    Ok(Merged::File(write(arrays.ours, &shape, &merged, &metadata, options)?))
}

/// Returns the metadata of an array by name, as bytes.
fn metadata_of(array: &Array<'_>) -> Result<Metadata<Vec<u8>>> {
    let mut all = Metadata::new();
    match array {
        Array::RawArray(array) => {
            all.insert(TRAILING.to_owned(), array.metadata()?.to_vec());
        }
        Array::B2nd(array) => {
            for name in array.metalayer_names() {
                all.insert(format!("{}{name}", METALAYER), array.metalayer(&name)?);
            }
            for name in array.attribute_names() {
                all.insert(format!("{}{name}", ATTRIBUTE), array.attribute(&name)?);
            }
        }
        _ => {}
    }
    Ok(all)
}

/// Returns why the items of the arrays cannot be merged one by one or row by row.
fn unlike(arrays: Versions<&Array<'_>>) -> Option<String> {
    let types = arrays.map(|array| array.item_type());
    if !is_alike(&types.ours, &types.base) || !is_alike(&types.ours, &types.theirs) {
        let Versions { base, ours, theirs } = types;
        return Some(format!("the items are {base} in base, {ours} in ours, {theirs} in theirs"));
    }
    let shapes = arrays.map(|array| array.shape().split_first().map(|(_, inner)| inner));
    if shapes.base != shapes.ours || shapes.base != shapes.theirs {
        let Versions { base, ours, theirs } = arrays.map(|array| array.shape());
        return Some(format!("the shape is {base:?} in base, {ours:?} in ours, {theirs:?} in theirs"));
    }
    None
}

/// Merges arrays if only one of them changed.
fn whole(
    arrays: Versions<&Array<'_>>,
    metadata: Versions<&Metadata<Vec<u8>>>,
    what: String,
    options: &Options,
    tally: &mut Tally<'_, '_>,
) -> Result<Merged> {
    let changed = Version::changed(|one, other| {
        let is_same = metadata.of(one) == metadata.of(other);
        Ok::<bool, Error>(is_same && is_same_array(arrays.of(one), arrays.of(other), options)?)
    });
    Ok(Merged::Version(changed?.unwrap_or_else(|| tally.conflict(Place::File(what), None))))
}

/// Returns whether two arrays have the same type, shape and items.
fn is_same_array(one: &Array<'_>, other: &Array<'_>, options: &Options) -> Result<bool> {
    let item_type = one.item_type();
    if !is_alike(&item_type, &other.item_type()) || one.shape() != other.shape() {
        return Ok(false);
    }
    let (mut one, mut other) = (Side::new(one, &item_type), Side::new(other, &item_type));
    let (all, mut start) = (one.items.count(), 0);
    while start < all && one.stride > 0 {
        options.limits.ensure_time()?;
        let count = one.items.piece().min(all - start);
        if one.read(start, count)? != other.read(start, count)? {
            return Ok(false);
        }
        start += count;
    }
    Ok(true)
}

/// The items of an array, in the byte order of our version.
struct Side<'a> {
    items: Box<dyn Items + 'a>,
    /// The type that the items are returned as.
    item_type: ItemType,
    stored: ItemType,
    stride: u64,
    buffer: Vec<u8>,
}

impl<'a> Side<'a> {
    /// A side, whose items are converted to the common type.
    fn new(array: &'a Array<'_>, item_type: &ItemType) -> Self {
        let (items, stored) = (array.items(), array.item_type());
        Side { items, item_type: item_type.clone(), stride: stored.stride(), stored, buffer: Vec::new() }
    }

    /// Items of this side in the common type.
    fn read(&mut self, start: u64, count: u64) -> ndbytes::Result<&[u8]> {
        let bytes = self.items.read(start, count)?;
        if self.stored == self.item_type {
            return Ok(bytes);
        }
        self.buffer.clear();
        self.buffer.extend_from_slice(bytes);
        swap(&mut self.buffer, &self.stored, &self.item_type);
        Ok(&self.buffer)
    }
}

/// A hash with two secret keys, so an attacker cannot make two rows with the same hash.
type Word = [u64; 2];

/// Three arrays whose items have one type, and whose shapes differ at most along the first axis.
struct Merging<'a> {
    sides: Versions<Side<'a>>,
    rows: Versions<usize>,
    item_type: ItemType,
    /// The length of each axis of our version.
    shape: Vec<u64>,
    /// The number of items in a row.
    row: u64,
    memory: Memory,
    _debited: Debited,
    options: &'a Options,
    merged: Vec<u8>,
}

impl<'a> Merging<'a> {
    /// Prepares a merge. The memory for the merged array and its file is charged first.
    fn new(arrays: Versions<&'a Array<'_>>, options: &'a Options) -> Result<Self> {
        let item_type = arrays.ours.item_type();
        let memory = Memory::new(options.limits);
        let sides = arrays.map(|array| Side::new(array, &item_type));
        // A merged array has at most as many rows as ours and theirs together, and its file is also in memory.
        let items = sides.ours.items.count().saturating_add(sides.theirs.items.count());
        let debited = memory.take(items.saturating_mul(sides.ours.stride).saturating_mul(2), "the merged array")?;
        let shape: Vec<u64> = arrays.ours.shape().iter().map(|&extent| extent as u64).collect();
        let row = shape.iter().skip(1).fold(1_u64, |row, &extent| row.saturating_mul(extent));
        let rows = arrays.map(|array| array.shape().first().copied().unwrap_or(1));
        Ok(Merging { sides, rows, item_type, shape, row, memory, _debited: debited, options, merged: Vec::new() })
    }

    /// Merges the rows and returns how many there are.
    fn rows(&mut self, tally: &mut Tally<'_, '_>) -> Result<usize> {
        let rows = self.rows;
        let all = [rows.base, rows.ours, rows.theirs].iter().fold(0_u64, |all, &rows| all.saturating_add(rows as u64));
        let room = self.memory.take(all.saturating_mul(size_of::<Word>() as u64), "a hash of each row");
        let _room = match room {
            Ok(room) => room,
            // Equal numbers of rows correspond one to one.
            Err(_) if rows.base == rows.ours && rows.base == rows.theirs => {
                self.even([0..rows.base, 0..rows.ours, 0..rows.theirs], tally)?;
                return Ok(rows.ours);
            }
            Err(error) => return Err(error.into()),
        };
        let keys = [RandomState::new(), RandomState::new()];
        let Versions { base, ours, theirs } = Versions::EACH.try_map(|version| self.hashes(version, &keys))?;
        self.runs(plan(&base, &ours, &theirs), tally)
    }

    /// Adds runs of rows and returns the number of rows.
    fn runs(&mut self, runs: Vec<Run>, tally: &mut Tally<'_, '_>) -> Result<usize> {
        let mut rows = 0;
        for run in runs {
            rows += match run {
                Run::Same(range) => self.copy(Version::Ours, range)?,
                Run::Ours(range) => {
                    tally.change(Version::Ours, range.len() as u64);
                    self.copy(Version::Ours, range)?
                }
                Run::Theirs(range) => {
                    tally.change(Version::Theirs, range.len() as u64);
                    self.copy(Version::Theirs, range)?
                }
                Run::Both { base, ours, theirs } if are_even(&base, &ours, &theirs) => {
                    let rows = ours.len();
                    self.even([base, ours, theirs], tally)?;
                    rows
                }
                Run::Both { base, ours, theirs } => {
                    let ranges = Versions { base, ours, theirs };
                    let version = tally.conflict(Place::Rows(ranges.clone()), None);
                    self.copy(version, ranges.of(version))?
                }
            };
        }
        Ok(rows)
    }

    /// Returns the side of a version.
    fn side(&mut self, version: Version) -> &mut Side<'a> {
        match version {
            Version::Base => &mut self.sides.base,
            Version::Ours => &mut self.sides.ours,
            Version::Theirs => &mut self.sides.theirs,
        }
    }

    /// Calls a function with items piece by piece.
    fn pieces(&mut self, version: Version, items: Range<u64>, mut each: impl FnMut(&[u8])) -> Result<()> {
        let limits = self.options.limits;
        let side = self.side(version);
        let mut start = items.start;
        while start < items.end && side.stride > 0 {
            limits.ensure_time()?;
            let count = side.items.piece().min(items.end - start);
            each(side.read(start, count)?);
            start += count;
        }
        Ok(())
    }

    /// Returns the items of some rows.
    fn items_of(&self, rows: &Range<usize>) -> Range<u64> {
        rows.start as u64 * self.row..rows.end as u64 * self.row
    }

    /// Copies rows of a version and returns their number.
    fn copy(&mut self, version: Version, rows: Range<usize>) -> Result<usize> {
        let items = self.items_of(&rows);
        let mut merged = std::mem::take(&mut self.merged);
        self.pieces(version, items, |bytes| merged.extend_from_slice(bytes))?;
        self.merged = merged;
        Ok(rows.len())
    }

    /// Returns the hash of every row.
    fn hashes(&mut self, version: Version, keys: &[RandomState; 2]) -> Result<Vec<Word>> {
        let rows = self.rows.of(version);
        let (stride, row) = (self.side(version).stride, self.row);
        let new = || keys.each_ref().map(BuildHasher::build_hasher);
        // Rows without bytes are all equal, so their hashes are zeros.
        let no_room =
            Error::Library(ndbytes::Error::Limit { what: "a hash of each row", needed: rows as u64, left: 0 });
        let mut hashes: Vec<Word> = memory::zeros(rows).ok_or(no_room)?;
        let (mut hashers, mut done, mut at) = (new(), 0, 0);
        self.pieces(version, 0..rows as u64 * row, |mut bytes| {
            while !bytes.is_empty() {
                let left = ((row - done) * stride) as usize;
                let (part, rest) = bytes.split_at(left.min(bytes.len()));
                hashers.iter_mut().for_each(|hasher| hasher.write(part));
                done += part.len() as u64 / stride;
                if done == row {
                    hashes[at] = std::mem::replace(&mut hashers, new()).map(|hasher| hasher.finish());
                    (done, at) = (0, at + 1);
                }
                bytes = rest;
            }
        })?;
        Ok(hashes)
    }

    /// Merges corresponding rows, item by item.
    fn even(&mut self, [base, ours, theirs]: [Range<usize>; 3], tally: &mut Tally<'_, '_>) -> Result<()> {
        let starts = [base, ours, theirs].map(|rows| self.items_of(&rows));
        let all = starts[1].end - starts[1].start;
        let [base, ours, theirs] = starts.map(|items| items.start);
        let Versions { base: old, ours: mine, theirs: other } = &mut self.sides;
        let stride = mine.stride;
        let mut done = 0;
        while done < all && stride > 0 {
            self.options.limits.ensure_time()?;
            let count = mine.items.piece().min(all - done);
            let old = old.read(base + done, count)?;
            let (mine, other) = (mine.read(ours + done, count)?, other.read(theirs + done, count)?);
            if mine == other {
                self.merged.extend_from_slice(mine);
            } else {
                let items = old.chunks_exact(stride as usize).zip(mine.chunks_exact(stride as usize));
                for (place, ((old, mine), other)) in items.zip(other.chunks_exact(stride as usize)).enumerate() {
                    let values = Versions { base: old, ours: mine, theirs: other };
                    let version = match values.changed() {
                        Some(version) if mine == other => version,
                        Some(version) => {
                            // If the value equals the base's, the item is unchanged.
                            if values.of(version) != old {
                                tally.change(version, 1);
                            }
                            version
                        }
                        None => {
                            let shown = values.map(|item| Datum::of(Item::new(item, &self.item_type)));
                            let index = coordinates(&self.shape, ours + done + place as u64);
                            tally.conflict(Place::Item(index), Some(shown))
                        }
                    };
                    self.merged.extend_from_slice(values.of(version));
                }
            }
            done += count;
        }
        Ok(())
    }
}
