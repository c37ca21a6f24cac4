//! Differences of the values of two arrays of different shapes.
//!
//! In three cases, "the shapes differ" would say too little:
//!
//! * One axis has a different length. The rows along it are hashed, aligned ([`align()`]), and listed as inserted,
//!   deleted and changed.
//! * The number of items is the same. Then they may be the same items in the same order, or with the axes reversed.
//! * A file is truncated. Then its complete items are compared, and the bytes of the truncated one.
//!
//! A row has two hashes, with random keys. With a fixed hash, someone could make a file whose changed rows look
//! unchanged.

use super::compare::Plan;
use super::datum::{Datum, MOST_PARTS};
use super::pair::{Missing, Pair, Side, count, extents, shape, told};
use super::reader::Reader;
use super::tally::{SIDES, Tally};
use super::values::{Row, RowChange, Rows, Values};
use super::verdict::Verdict;
use crate::align::{Gap, align};
use everybyte::escape;
use ndbytes::{Error, Item, Result};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;

/// The maximum number of runs of changed items that are read if a row is not a single run.
const MOST_RUNS: u64 = 1 << 16;

/// The maximum number of bytes of a truncated item that are compared.
const LARGEST_TAIL: u64 = 64 << 20;

/// Compares two arrays whose shapes differ.
///
/// # Errors
/// The same as for [`Pair::values`].
pub(super) fn other_shape(pair: &Pair<'_, '_>, one: &[u64], other: &[u64]) -> Result<Values> {
    let axes: Vec<usize> = (0..one.len().max(other.len())).filter(|&axis| one.get(axis) != other.get(axis)).collect();
    if (pair.a.is_cut || pair.b.is_cut) && one.len() == other.len() && axes == [0] {
        return cut(pair, one, other);
    }
    let shapes = format!("{} → {}", extents(one), extents(other));
    if let ([axis], true) = (&axes[..], one.len() == other.len()) {
        return along(pair, *axis, one, other);
    }
    if count(one) == count(other) {
        let is_turned =
            pair.a.array.is_fortran_order() != pair.b.array.is_fortran_order() && one.iter().eq(other.iter().rev());
        let (mut values, how) = match same_items(pair, count(one), is_turned)? {
            Some(values) if is_turned => (values, "the same items with the axes reversed"),
            Some(values) => (values, "the same items in the same order"),
            None => {
                return Ok(Values::incomparable(format!("the shapes differ, {shapes}, and so do the items")));
            }
        };
        values.notes.insert(0, format!("shape {shapes}: {how}"));
        values.verdict = Verdict::SameItemsOtherShape;
        return Ok(values);
    }
    Ok(Values::incomparable(format!("the shapes differ along more than one axis: {shapes}")))
}

/// Compares all items in order; `None` if some differ. An array in C order and one in Fortran order are compared in
/// storage order if the axes are reversed.
fn same_items(pair: &Pair<'_, '_>, items: u64, is_turned: bool) -> Result<Option<Values>> {
    let reader = |array| if is_turned { Reader::stored(array) } else { Ok(Reader::new(array)) };
    let (mut a, mut b) = (reader(pair.a.array)?, reader(pair.b.array)?.swapped(pair.swap()));
    let piece = a.piece().max(b.piece());
    let mut tally = pair.tally(&[items]);
    let mut start = 0;
    while start < items && tally.values.different == 0 {
        let end = items.min(start + piece);
        let missing = pair.stream(&mut tally, [&mut a, &mut b], start, end)?;
        if missing.items > 0 {
            return Ok(None);
        }
        start = end;
    }
    Ok((tally.values.different == 0).then(|| tally.finish()))
}

/// Compares the items that a truncated file still has.
fn cut(pair: &Pair<'_, '_>, one: &[u64], other: &[u64]) -> Result<Values> {
    let (whole, all) = (one[0].min(other[0]), one[0].max(other[0]));
    let shape: Vec<u64> = [&[whole], &one[1..]].concat();
    let mut tally = pair.tally(&shape);
    let (mut a, mut b) = (Reader::new(pair.a.array), Reader::new(pair.b.array).swapped(pair.swap()));
    tally.offset = b.offset().filter(|_| pair.b.is_plain);
    let missing = pair.stream(&mut tally, [&mut a, &mut b], 0, count(&shape))?;
    let mut values = told(tally.finish(), missing, count(&shape));
    let side = usize::from(other[0] < one[0]);
    let equal = match values.different {
        0 if whole == 0 => String::new(),
        0 => ", all equal".into(),
        different => format!(", {different} values differ"),
    };
    let mut note = format!("{whole} of {all} items are whole in the {} file{equal}", SIDES[side]);
    if values.different == 0
        && let Some(bytes) = tail(pair, side, whole, &one[1..])?
    {
        note += &format!("; {bytes} bytes of the {} are equal too", ordinal(whole + 1));
    }
    values.notes.insert(0, note);
    if values.different == 0 {
        values.verdict = Verdict::Incomplete;
    }
    Ok(values)
}

/// Returns the number of bytes in the truncated item, if they equal the bytes in the other file.
fn tail(pair: &Pair<'_, '_>, side: usize, whole: u64, item: &[u64]) -> Result<Option<u64>> {
    let sides = [pair.a, pair.b];
    let place = |side: Side<'_, '_>| side.array.plain_input().map(|(input, start)| (input.length(), start));
    let (Some((length, start)), Some(_)) = (place(sides[side]), place(sides[1 - side])) else { return Ok(None) };
    let stride = pair.types[0].stride();
    let size = count(item).saturating_mul(stride);
    let from = start.saturating_add(whole.saturating_mul(size));
    let left = length.saturating_sub(from).min(size);
    if pair.types[0] != pair.types[1] || left == 0 || left > LARGEST_TAIL {
        return Ok(None);
    }
    let mut bytes = [vec![0; left as usize], vec![0; left as usize]];
    for (bytes, side) in bytes.iter_mut().zip(sides) {
        let Some((input, start)) = side.array.plain_input() else { return Ok(None) };
        input.read_at(bytes, start + whole * size)?;
    }
    Ok((bytes[0] == bytes[1]).then_some(left))
}

/// Returns an ordinal: a word for a small number, otherwise digits.
fn ordinal(number: u64) -> String {
    const WORDS: [&str; 10] =
        ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
    let word = number.checked_sub(1).and_then(|place| WORDS.get(usize::try_from(place).ok()?));
    word.map_or_else(|| format!("item {number}"), |word| (*word).to_owned())
}

/// The hash of a row with two secret keys, so an attacker cannot make two rows with the same hash.
type RowHash = [u64; 2];

/// The memory for a row while it is hashed, in bytes.
const HASHED_ROW: u64 = 192;
/// The memory for a row that is hashed after the others: one hash for each file.
const HASHED_IN_TURN: u64 = 2 * size_of::<RowHash>() as u64;

/// The positions of the rows along an axis: row `n` consists of `outer` runs of `inner` items.
#[derive(Clone, Copy)]
struct Layout {
    outer: u64,
    extent: u64,
    inner: u64,
}

impl Layout {
    /// The layout of rows along an axis of a shape.
    fn new(shape: &[u64], axis: usize) -> Self {
        Layout { outer: count(&shape[..axis]), extent: shape[axis], inner: count(&shape[axis + 1..]) }
    }

    /// The first item of a run.
    fn start(self, outer: u64, row: u64) -> u64 {
        (outer * self.extent + row) * self.inner
    }

    /// The number of items per row.
    fn items(self) -> u64 {
        self.outer.saturating_mul(self.inner)
    }
}

/// Compares rows along the one axis whose lengths differ.
fn along(pair: &Pair<'_, '_>, axis: usize, one: &[u64], other: &[u64]) -> Result<Values> {
    let layouts = [Layout::new(one, axis), Layout::new(other, axis)];
    let row = if layouts[0].outer <= 1 { HASHED_IN_TURN } else { HASHED_ROW };
    let needed = one[axis].saturating_add(other[axis]).saturating_mul(row);
    if needed > pair.options.limits.memory {
        let reason = format!("the shapes differ, {} → {}; too many rows to align them", extents(one), extents(other));
        return Ok(Values::incomparable(reason));
    }
    let keys = [RandomState::new(), RandomState::new()];
    let mut hashes = Vec::new();
    for side in [0, 1] {
        match row_hashes(pair, side, layouts[side], &keys)? {
            Ok(rows) => hashes.push(rows),
            Err(reason) => {
                let reason = format!("the shapes differ, and in the {} file, {}", SIDES[side], escape(&reason));
                return Ok(Values::incomparable(reason));
            }
        }
    }
    let alignment = align(&hashes[0], &hashes[1]);
    let mut rows = Rows { axis: axis as u64, a: one[axis], b: other[axis], ..Rows::default() };
    let mut changed: Vec<(u64, u64)> = Vec::new();
    let (mut inserted, mut deleted) = (Vec::new(), Vec::new());
    for Gap { a, b } in &alignment.gaps {
        if a.len() == b.len() {
            changed.extend(a.clone().map(|row| row as u64).zip(b.clone().map(|row| row as u64)));
        } else {
            deleted.push(a.start as u64..a.end as u64);
            inserted.push(b.start as u64..b.end as u64);
        }
    }
    let length = |ranges: &[Range<u64>]| ranges.iter().map(|range| range.end - range.start).sum();
    (rows.inserted_count, rows.deleted_count) = (length(&inserted), length(&deleted));
    let mut values = changed_rows(pair, layouts, other, &changed, &mut rows)?;
    let equal = one[axis] - rows.deleted_count - changed.len() as u64;
    values.compared = values.compared.saturating_add(equal.saturating_mul(layouts[0].items()));
    for (side, ranges, list) in [(1, inserted, &mut rows.inserted), (0, deleted, &mut rows.deleted)] {
        for row in ranges.into_iter().flatten().take(pair.options.most) {
            list.push(Row::new(row, row_datum(pair, side, layouts[side], row)?));
        }
    }
    if !alignment.is_minimal {
        values.notes.push("the rows differ so much that another alignment may have fewer changes".into());
    }
    values.rows = Some(rows);
    values.verdict = Verdict::ValuesDiffer;
    Ok(values)
}

/// Returns the hash of every row. Inner error: the reason why an item cannot be read.
fn row_hashes(
    pair: &Pair<'_, '_>,
    side: usize,
    layout: Layout,
    keys: &[RandomState; 2],
) -> Result<Result<Vec<RowHash>, String>> {
    let array = [pair.a, pair.b][side].array;
    let swap = if side == 1 { pair.swap() } else { 1 };
    let mut reader = Reader::new(array).swapped(swap);
    let stride = pair.types[side].stride() as usize;
    // Items whose bytes are compared are hashed by their bytes.
    let tally_types = pair.compared_types();
    let plan = Plan::new(&tally_types[0], &tally_types[1]).expect("the types were compared before");
    let is_of_bytes = plan.is_of_bytes();
    // Contiguous rows end one after another; all others end with the array.
    let in_turn = layout.outer <= 1;
    let new = || [keys[0].build_hasher(), keys[1].build_hasher()];
    let mut hashers: Vec<[_; 2]> = (0..if in_turn { 1 } else { layout.extent }).map(|_| new()).collect();
    let mut hashes: Vec<RowHash> = Vec::new();
    let (all, mut start) = (if stride == 0 { 0 } else { count(&shape(array)) }, 0);
    while start < all {
        pair.ensure_time()?;
        let asked = reader.piece().min(all - start);
        let bytes = match reader.read(start, asked) {
            Ok(bytes) => bytes,
            Err(Error::Invalid(finding)) => return Ok(Err(finding.message)),
            Err(error) => return Err(error),
        };
        let mut done = 0;
        while done < asked {
            let at = start + done;
            let row = (at / layout.inner) % layout.extent;
            let run = (layout.inner - at % layout.inner).min(asked - done);
            let bytes = &bytes[done as usize * stride..(done + run) as usize * stride];
            for hasher in &mut hashers[if in_turn { 0 } else { row as usize }] {
                match is_of_bytes {
                    true => hasher.write(bytes),
                    false => bytes.chunks_exact(stride).for_each(|item| plan.hash(item, side, hasher)),
                }
            }
            done += run;
            if in_turn && (start + done).is_multiple_of(layout.inner) {
                hashes.push(std::mem::replace(&mut hashers[0], new()).map(|hasher| hasher.finish()));
            }
        }
        start += asked;
    }
    // Rows without items, or rows that end only at the end of the array.
    let left = layout.extent - hashes.len() as u64;
    let ended = hashers.into_iter().map(|pair| pair.map(|hasher| hasher.finish()));
    match in_turn {
        true => hashes.extend(std::iter::repeat_n([0, 0], left as usize)),
        false => hashes.extend(ended),
    }
    Ok(Ok(hashes))
}

/// Compares the items of corresponding rows. Rows whose items turn out to be equal are not changed.
fn changed_rows(
    pair: &Pair<'_, '_>,
    [one, other]: [Layout; 2],
    shape: &[u64],
    changed: &[(u64, u64)],
    rows: &mut Rows,
) -> Result<Values> {
    let mut tally = pair.tally(shape);
    let (mut a, mut b) = (Reader::new(pair.a.array), Reader::new(pair.b.array).swapped(pair.swap()));
    tally.offset = b.offset().filter(|_| pair.b.is_plain);
    if one.outer > 1 && one.outer.saturating_mul(changed.len() as u64) > MOST_RUNS {
        rows.changed_count = changed.len() as u64;
        tally.values.notes.push("there are too many changed rows to compare their items one by one".into());
        return Ok(tally.finish());
    }
    let mut missing = Missing::default();
    let piece = a.piece().max(b.piece());
    for &(from, to) in changed {
        pair.ensure_time()?;
        let before = (tally.values.different, tally.values.within);
        for outer in 0..one.outer {
            let (a_start, b_start) = (one.start(outer, from), other.start(outer, to));
            let mut done = 0;
            while done < one.inner {
                let asked = piece.min(one.inner - done);
                run(&mut tally, (&mut a, a_start + done), (&mut b, b_start + done), asked, &mut missing)?;
                done += asked;
            }
        }
        if (tally.values.different, tally.values.within) != before {
            rows.changed_count += 1;
            if rows.changed.len() < pair.options.most {
                rows.changed.push(RowChange::new(from, to, Vec::new()));
            }
        }
    }
    Ok(told(tally.finish(), missing, count(shape)))
}

/// Compares a run of items of both sides, piece by piece.
fn run(
    tally: &mut Tally<'_>,
    (a, a_start): (&mut Reader<'_>, u64),
    (b, b_start): (&mut Reader<'_>, u64),
    items: u64,
    missing: &mut Missing,
) -> Result<()> {
    match (a.read(a_start, items), b.read(b_start, items)) {
        (Ok(a), Ok(b)) => tally.run(b_start, a, b),
        (Err(Error::Invalid(finding)), _) => missing.add(items, 0, finding.message),
        (_, Err(Error::Invalid(finding))) => missing.add(items, 1, finding.message),
        (Err(error), _) | (_, Err(error)) => return Err(error),
    }
    Ok(())
}

/// Returns the first items of a row.
fn row_datum(pair: &Pair<'_, '_>, side: usize, layout: Layout, row: u64) -> Result<Datum> {
    let item_type = &pair.types[side];
    let mut reader = Reader::new([pair.a, pair.b][side].array);
    let shown = layout.items().min(MOST_PARTS as u64);
    let mut parts = Vec::new();
    while (parts.len() as u64) < shown {
        let place = parts.len() as u64;
        let asked = (layout.inner - place % layout.inner).min(shown - place);
        let start = layout.start(place / layout.inner, row) + place % layout.inner;
        let bytes = reader.read(start, asked)?;
        parts.extend((0..asked as usize).map(|place| Datum::of(Item::at(bytes, place, item_type))));
    }
    let left = layout.items() - shown;
    parts.extend((left > 0).then_some(Datum::More(left)));
    Ok(Datum::List(parts))
}
