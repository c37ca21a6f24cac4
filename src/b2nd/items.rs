//! The items of an array, one after another.

use super::array::Array;
use crate::arrays::any::AnyArray;
use crate::arrays::items::{Items, demand};
use crate::arrays::npy;
use crate::arrays::selection::{Selection, boxes};
use crate::arrays::sink::Sink;
use crate::bytes::input::Input;
use crate::bytes::limits::{Budget, Debit, Limits};
use crate::bytes::memory;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::types::dtype::Dtype;
use crate::types::item_type::ItemType;
use crate::types::scalar::Scalar;
use std::borrow::Cow;

/// The maximum number of bytes that are decoded at once if all items are requested in order.
const LARGEST_PIECE: u64 = 64 << 20;

/// The items of an array in C order, decoded on demand.
pub struct ArrayItems<'r, 'a> {
    array: &'r Array<'a>,
    selection: Selection,
    /// The number of selected items along each axis of the array.
    counts: Vec<usize>,
    buffer: Vec<u8>,
    /// True if the rest of the file is checked when the last item is read.
    is_judged: bool,
}

impl<'a> Array<'a> {
    /// Reads the items in order.
    pub(crate) fn items(&self) -> ArrayItems<'_, 'a> {
        self.selected(Selection::all(self.shape()))
    }

    /// The selected items, in order.
    fn selected(&self, selection: Selection) -> ArrayItems<'_, 'a> {
        let counts = selection.picks.iter().map(|pick| pick.count as usize).collect();
        let is_judged = selection.is_whole(self.shape());
        ArrayItems { array: self, selection, counts, buffer: Vec::new(), is_judged }
    }
}

impl Items for ArrayItems<'_, '_> {
    fn item_type(&self) -> &ItemType {
        self.array.item_type()
    }

    fn shape(&self) -> &[usize] {
        &self.selection.shape
    }

    fn read(&mut self, start: u64, count: u64) -> Result<&[u8]> {
        demand(start, count, self.count())?;
        let (what, needed) = ("items", count.saturating_mul(self.array.item_type().size()));
        Debit::new(self.array.input().budget()).take(needed, what)?;
        if !memory::set_length(&mut self.buffer, needed as usize) {
            return Err(Error::Limit { what, needed, left: 0 });
        }
        let mut rest = &mut self.buffer[..];
        let item_size = self.array.item_type().size();
        for part in boxes(&self.counts, start..start + count) {
            let picks = self.selection.picks.iter().zip(&part.picks).map(|(whole, part)| whole.within(*part));
            let selection = Selection { picks: picks.collect(), shape: Vec::new() };
            let here;
            (here, rest) = rest.split_at_mut((selection.count() * item_size) as usize);
            self.array.items_into(&selection, here)?;
        }
        if self.is_judged && start + count == self.count() {
            self.array.ensure_rest()?;
        }
        Ok(&self.buffer)
    }

    /// The number of items in complete rows of chunks or, if those are too long, in complete rows of blocks, so that no block is
    /// decoded twice.
    fn piece(&self) -> u64 {
        let mut inner = self.array.item_type().size().max(1);
        let mut best = (LARGEST_PIECE / inner).max(1);
        let axes = self.counts.iter().zip(&self.selection.picks);
        let axes = axes.zip(self.array.chunk_shape()).zip(self.array.block_shape());
        let mut items = 1;
        for (((&extent, pick), chunk), block) in axes.rev() {
            for rows in [block, chunk] {
                let rows = (rows as u64 / pick.step.unsigned_abs()).min(extent as u64).max(1);
                if inner.saturating_mul(rows) <= LARGEST_PIECE {
                    best = items * rows;
                }
            }
            inner = inner.saturating_mul(extent as u64);
            items = items.saturating_mul(extent as u64).max(1);
            if inner > LARGEST_PIECE {
                break;
            }
        }
        best
    }
}

impl AnyArray for Array<'_> {
    fn format(&self) -> Format {
        Format::B2nd
    }

    fn shape(&self) -> &[usize] {
        self.shape()
    }

    fn is_fortran_order(&self) -> bool {
        false
    }

    fn warnings(&self) -> &[Finding] {
        self.warnings()
    }

    fn tolerated(&self) -> &[Finding] {
        self.tolerated()
    }

    fn dtype(&self) -> Dtype {
        self.dtype()
    }

    fn item_type(&self) -> ItemType {
        self.item_type().clone()
    }

    fn items(&self) -> Box<dyn Items + '_> {
        Box::new(self.items())
    }

    fn select(&self, selection: Selection) -> Box<dyn Items + '_> {
        Box::new(self.selected(selection))
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>> {
        self.to_bytes().map(Cow::Owned)
    }

    fn scalar(&self, index: u64) -> Result<Scalar> {
        let mut items = ArrayItems { is_judged: false, ..self.items() };
        Ok(Scalar::from_item(items.read(index, 1)?, self.item_type()))
    }

    fn write_npy(&self, to: &mut dyn Sink, limits: &Limits) -> Result<()> {
        npy::write_items(to, &mut self.items(), false, limits)
    }

    fn budget(&self) -> &Budget {
        self.input().budget()
    }

    fn plain(&self) -> Option<(&Input<'_>, u64)> {
        None
    }
}
