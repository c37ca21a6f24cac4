//! The division of items into leaves, which are hashed in parallel.
//!
//! The leaves make the digest independent of how a file is divided, because an array with chunks of any shape is read
//! in C order and cut at the same items. They also make it fast, because leaves are hashed in parallel, and they let
//! [`snapshot`](crate::snapshot) fold large arrays without reading them again.
//!
//! A leaf never extends beyond the end of its axis, so appending rows to an array changes only the last leaf.

use super::canonical;
use ndbytes::{ItemType, threads};
use rayon::prelude::*;

/// A leaf has at least this many bytes, unless there are fewer in total.
const LEAF: u64 = 64 << 10;

/// Items of at least this many bytes are shared among the threads of the current rayon pool.
const PARALLEL: usize = 1 << 20;

/// The number of items in each leaf: `each`, starting anew after every `period` items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaves {
    pub each: u64,
    pub period: u64,
}

impl Leaves {
    /// Returns the leaves of an array whose items take `size` bytes; see the [module](super).
    pub fn of(shape: &[u64], size: u64) -> Self {
        let total =
            if shape.contains(&0) { 0 } else { shape.iter().fold(1, |count: u64, &it| count.saturating_mul(it)) };
        // The items in one step along the axis, beginning with the first axis.
        let (mut step, mut period) = (total.max(1), total.max(1));
        for &extent in shape {
            period = step;
            step /= extent.max(1);
            if step.saturating_mul(size) <= LEAF {
                break;
            }
        }
        let steps = LEAF.div_ceil(step.saturating_mul(size).max(1)).next_power_of_two();
        Leaves { each: step.saturating_mul(steps).clamp(1, period), period }
    }

    /// Returns the number of items from `item` to the end of its leaf.
    pub fn rest(self, item: u64) -> u64 {
        let within = item % self.period;
        (self.each - within % self.each).min(self.period - within)
    }
}

/// The hash of a leaf, and its note.
pub(crate) type Noted<N> = ([u8; 32], N);

/// Consecutive items, cut into leaves.
pub(crate) struct Cutter<'t, N> {
    leaves: Leaves,
    item_type: &'t ItemType,
    /// The number of items so far.
    items: u64,
    /// The beginning of an incomplete leaf.
    begun: Vec<u8>,
    note: &'t (dyn Fn(&[u8]) -> N + Sync),
}

impl<'t, N: Send> Cutter<'t, N> {
    /// Creates a cutter. `note` is called once per leaf, with the bytes that are hashed.
    pub fn new(leaves: Leaves, item_type: &'t ItemType, note: &'t (dyn Fn(&[u8]) -> N + Sync)) -> Self {
        Cutter { leaves, item_type, items: 0, begun: Vec::new(), note }
    }

    /// Adds further items and returns the leaves that end in them.
    pub fn push(&mut self, mut bytes: &[u8]) -> Vec<Noted<N>> {
        let stride = self.item_type.stride().max(1) as usize;
        let mut noted = Vec::new();
        let mut whole = Vec::new();
        let all = bytes.len();
        while !bytes.is_empty() {
            let wanted = self.leaves.rest(self.items);
            let count = wanted.min((bytes.len() / stride) as u64);
            let (head, rest) = bytes.split_at(count as usize * stride);
            (bytes, self.items) = (rest, self.items + count);
            match (self.begun.is_empty(), count == wanted) {
                (true, true) => whole.push(head),
                (_, false) => self.begun.extend_from_slice(head),
                (false, true) => {
                    self.begun.extend_from_slice(head);
                    let leaf = std::mem::take(&mut self.begun);
                    noted.push(self.leaf(&leaf));
                }
            }
        }
        let this = &*self;
        // Large items are copied one at a time, if at all.
        if all < PARALLEL || stride > PARALLEL {
            noted.extend(whole.into_iter().map(|leaf| this.leaf(leaf)));
        } else {
            threads::ready();
            noted.par_extend(whole.into_par_iter().map(|leaf| this.leaf(leaf)));
        }
        noted
    }

    /// Hashes a leaf in canonical form: little-endian, without padding. Items that are stored in that form are hashed
    /// in place.
    fn leaf(&self, bytes: &[u8]) -> Noted<N> {
        let mut copy = Vec::new();
        let bytes = if canonical::is_stored_so(self.item_type) {
            bytes
        } else {
            canonical::append(bytes, self.item_type, &mut copy);
            &copy
        };
        (*blake3::hash(bytes).as_bytes(), (self.note)(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::Leaves;

    #[test]
    fn leaves_are_runs_of_whole_steps_along_the_first_axis_that_is_fine_enough() {
        for (shape, size, each, period) in [
            (&[60_000, 28, 28][..], 1, 128 * 784, 60_000 * 784),
            (&[10, 1000, 1000], 8, 16 * 1000, 1_000_000),
            (&[1, 1 << 20], 4, 1 << 14, 1 << 20),
            (&[7], 4, 7, 7),
            (&[], 4, 1, 1),
            (&[0, 5], 4, 1, 1),
            (&[3], 1 << 20, 1, 3),
        ] {
            assert_eq!(Leaves::of(shape, size), Leaves { each, period }, "{shape:?} of {size} bytes");
        }
    }

    #[test]
    fn a_leaf_ends_where_the_step_around_it_does() {
        let leaves = Leaves { each: 4, period: 10 };
        assert_eq!([0, 3, 4, 8, 9, 10].map(|item| leaves.rest(item)), [4, 1, 4, 2, 1, 4]);
    }
}
