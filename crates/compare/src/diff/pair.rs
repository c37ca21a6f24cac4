//! Two arrays whose items can be compared: what the comparisons of values share.

use super::compare::Plan;
use super::options::Options;
use super::reader::Reader;
use super::tally::{SIDES, Tally};
use super::values::Values;
use super::verdict::Verdict;
use ndbytes::{Array, Error, ItemType, Result};

/// One of the arrays, and what is known about its file.
#[derive(Clone, Copy)]
pub(super) struct Side<'s, 'a> {
    pub array: &'s Array<'a>,
    /// True if the file is missing items along the first axis.
    pub is_cut: bool,
    /// True if offsets in its content are those in the file.
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

/// The shape of an array.
pub(super) fn shape(array: &Array<'_>) -> Vec<u64> {
    array.shape().iter().map(|&extent| extent as u64).collect()
}

/// The number of items of a shape.
pub(super) fn count(shape: &[u64]) -> u64 {
    if shape.contains(&0) { 0 } else { shape.iter().fold(1, |count, extent| count.saturating_mul(*extent)) }
}

/// The dimensions of a shape, as text.
pub(super) fn extents(shape: &[u64]) -> String {
    match shape {
        [] => "scalar".into(),
        _ => shape.iter().map(u64::to_string).collect::<Vec<_>>().join("×"),
    }
}

impl<'s, 'a> Pair<'s, 'a> {
    pub fn new(a: Side<'s, 'a>, b: Side<'s, 'a>, options: &'s Options) -> Self {
        let types = [a, b].map(|side| side.array.item_type());
        Pair { a, b, types, options, same_until: 0 }
    }

    /// A tally of items of this shape, with both files' items in one byte order if that is all that differs.
    pub fn tally(&self, shape: &[u64]) -> Tally<'s> {
        let types = self.compared_types();
        let plan = Plan::new(&types[0], &types[1]).expect("the types were compared before");
        Tally::new(plan, types, shape, self.options)
    }

    /// The types of the items that are compared: those of the second file in the first one's byte order, if that is all
    /// that differs.
    pub fn compared_types(&self) -> [ItemType; 2] {
        match self.swap() {
            1 => self.types.clone(),
            _ => [self.types[0].clone(), self.types[0].clone()],
        }
    }

    /// Bytes of a run of the second file's items that is reversed, to give the first one's byte order.
    pub fn swap(&self) -> u64 {
        match &self.types {
            [ItemType::Plain(a), ItemType::Plain(b)] if a.kind == b.kind && a.endian != b.endian => a.kind.swapped(),
            _ => 1,
        }
    }

    /// Compares items from one on to another one. Returns the number of those that cannot be read.
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

    pub fn ensure_time(&self) -> Result<()> {
        self.options.limits.ensure_time()
    }
}

/// Items that cannot be read.
#[derive(Debug, Default)]
pub(super) struct Missing {
    pub items: u64,
    /// The first reason, and the side it is on.
    pub reason: Option<(usize, String)>,
}

impl Missing {
    pub fn add(&mut self, items: u64, side: usize, reason: String) {
        self.items += items;
        self.reason.get_or_insert((side, reason));
    }
}

/// Says which items could not be compared.
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
