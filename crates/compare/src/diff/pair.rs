//! Two arrays whose items can be compared, as used by all comparisons of values.

use super::compare::Plan;
use super::options::Options;
use super::reader::Reader;
use super::tally::{SIDES, Tally};
use super::values::Values;
use super::verdict::Verdict;
use ndbytes::{Array, Error, ItemType, Result};

/// One of the arrays, and the properties of its file.
#[derive(Clone, Copy)]
pub(super) struct Side<'s, 'a> {
    pub array: &'s Array<'a>,
    /// Whether the file is missing items along the first axis.
    pub is_cut: bool,
    /// Whether offsets in its content are offsets in the file.
    pub is_plain: bool,
}

/// Two arrays whose items can be compared.
pub(super) struct Pair<'s, 'a> {
    pub a: Side<'s, 'a>,
    pub b: Side<'s, 'a>,
    pub types: [ItemType; 2],
    pub options: &'s Options,
    /// The first byte that differs between the files.
    pub same_until: u64,
}

/// Returns the shape of an array.
pub(super) fn shape(array: &Array<'_>) -> Vec<u64> {
    array.shape().iter().map(|&extent| extent as u64).collect()
}

/// Returns the number of items in a shape.
pub(super) fn count(shape: &[u64]) -> u64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |count, extent| count.saturating_mul(*extent)) }
}

/// Returns the dimensions of a shape, as text.
pub(super) fn extents(shape: &[u64]) -> String {
    match shape {
        [] => "scalar".into(),
        _ => shape.iter().map(u64::to_string).collect::<Vec<_>>().join("×"),
    }
}

impl<'s, 'a> Pair<'s, 'a> {
    /// Pairs two sides whose item types can be compared.
    pub fn new(a: Side<'s, 'a>, b: Side<'s, 'a>, options: &'s Options) -> Self {
        let types = [a, b].map(|side| side.array.item_type());
        Pair { a, b, types, options, same_until: 0 }
    }

    /// Returns a tally of items of this shape. If the files' items differ only in byte order, they are compared in one order.
    pub fn tally(&self, shape: &[u64]) -> Tally<'s> {
        let types = self.compared_types();
        let plan = Plan::new(&types[0], &types[1]).expect("the types were compared before");
        Tally::new(plan, types, shape, self.options)
    }

    /// Returns the types of the compared items. If they differ only in byte order, both have the first one's.
    pub fn compared_types(&self) -> [ItemType; 2] {
        match self.swap() {
            1 => self.types.clone(),
            _ => [self.types[0].clone(), self.types[0].clone()],
        }
    }

    /// Returns the number of bytes in each run that is reversed in the second file's items, to get the first one's byte order.
    pub fn swap(&self) -> u64 {
        match &self.types {
            [ItemType::Plain(a), ItemType::Plain(b)] if a.kind == b.kind && a.endian != b.endian => a.kind.swapped(),
            _ => 1,
        }
    }

    /// Compares the items of a range. Returns how many of them cannot be read.
    pub fn stream(&self, tally: &mut Tally<'_>, [a, b]: [&mut Reader<'_>; 2], from: u64, to: u64) -> Result<Missing> {
        let piece = a.piece().max(b.piece());
        let (mut start, mut missing) = (from, Missing::default());
        if self.types.iter().all(|item_type| item_type.stride() == 0) {
            tally.values.compared += to - from;
            return Ok(missing);
        }
        while start < to {
            self.ensure_time()?;
            let asked = piece.min(to - start);
            match (a.read(start, asked), b.read(start, asked)) {
                (Ok(a), Ok(b)) => tally.run(start, a, b),
                (Err(Error::Invalid(finding)), _) => missing.add(asked, 0, finding.message),
                (_, Err(Error::Invalid(finding))) => missing.add(asked, 1, finding.message),
                (Err(error), _) | (_, Err(error)) => return Err(error),
            }
            start += asked;
        }
        Ok(missing)
    }

    /// Fails if the time limit has passed. Called once per piece, since reading the clock for each item would cost more
    /// than comparing.
    pub fn ensure_time(&self) -> Result<()> {
        self.options.limits.ensure_time()
    }
}

/// Records items that cannot be read.
#[derive(Debug, Default)]
pub(super) struct Missing {
    pub items: u64,
    /// The first reason and the side that it applies to.
    pub reason: Option<(usize, String)>,
}

impl Missing {
    /// Counts items that cannot be read. The first reason is kept.
    pub fn add(&mut self, items: u64, side: usize, reason: String) {
        self.items += items;
        self.reason.get_or_insert((side, reason));
    }
}

/// Reports which items could not be compared.
pub(super) fn told(mut values: Values, missing: Missing, of: u64) -> Values {
    let Some((side, reason)) = missing.reason else { return values };
    let equal = if values.different == 0 { ", all equal" } else { "" };
    let note = format!("{} of {of} items can be read in both files{equal}", of - missing.items);
    values.notes.push(everybyte::escape(&format!("{note}; in the {} file, {reason}", SIDES[side])));
    if matches!(values.verdict, Verdict::SameValues | Verdict::SameWithinTolerance | Verdict::TypeDiffers) {
        values.verdict = Verdict::Incomplete;
    }
    values
}
