//! Chunks along the axes of an array and copies between boxes of items.
//!
//! An array is a grid of chunks of the same shape. Chunks at the end of an axis are stored completely, and extend
//! beyond the array. A selection is one [`Run`] per axis. Reading and writing must answer the same two questions: which
//! chunks does a box touch, and where do their items go?

use ndbytes::internals::memory;

/// Items along an axis: `count` items, starting at `place`, `step` apart. They are copied to consecutive indices from `to` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    pub place: u64,
    pub step: i64,
    pub count: u64,
    pub to: u64,
}

impl Run {
    /// Returns a run of all items of an axis, which does not move them.
    pub fn all(extent: u64) -> Self {
        Run { place: 0, step: 1, count: extent, to: 0 }
    }

    /// Skips `done` items, and returns the following items that are in one chunk of this length, with the chunk's
    /// number. Their indices are relative to its beginning.
    fn part(self, chunk: u64, done: u64) -> (u64, Run) {
        let place = self.place.wrapping_add_signed(self.step.wrapping_mul(done as i64));
        let (number, within) = (place / chunk, place % chunk);
        let room = if self.step < 0 { within } else { chunk - 1 - within };
        let count = (room / self.step.unsigned_abs().max(1) + 1).min(self.count - done);
        (number, Run { place: within, step: self.step, count, to: self.to + done })
    }

    fn is_all(self, from: u64, to: u64) -> bool {
        self == Run::all(from) && from == to
    }
}

/// Calls a function with the position of each chunk that has items of the runs, and with those items.
pub fn each_chunk<E>(
    runs: &[Run],
    chunk: &[u64],
    mut take: impl FnMut(&[u64], Vec<Run>) -> Result<(), E>,
) -> Result<(), E> {
    if runs.iter().any(|run| run.count == 0) {
        return Ok(());
    }
    // Only the current part of each axis is kept, since the parts of all chunks could take too much memory.
    let mut parts: Vec<(u64, Run)> = runs.iter().zip(chunk).map(|(run, &chunk)| run.part(chunk, 0)).collect();
    loop {
        let (place, here): (Vec<u64>, Vec<Run>) = parts.iter().copied().unzip();
        let ends: Vec<u64> = here.iter().zip(runs).map(|(here, run)| here.to - run.to + here.count).collect();
        take(&place, here)?;
        let Some(axis) = (0..runs.len()).rev().find(|&axis| ends[axis] < runs[axis].count) else { return Ok(()) };
        parts[axis] = runs[axis].part(chunk[axis], ends[axis]);
        for axis in axis + 1..runs.len() {
            parts[axis] = runs[axis].part(chunk[axis], 0);
        }
    }
}

/// Copies the items of runs from one box to another whose items have the same size.
pub fn copy(from: (&[u8], &[u64]), to: (&mut [u8], &[u64]), runs: &[Run], item: usize) {
    let ((from, from_shape), (to, to_shape)) = (from, to);
    let (mut item, mut axes) = (item, runs.len());
    // Rows that are complete on both sides are treated as items, with one axis fewer.
    while axes > 1 && runs[axes - 1].is_all(from_shape[axes - 1], to_shape[axes - 1]) {
        axes -= 1;
        item *= from_shape[axes] as usize;
    }
    rows(&runs[..axes], (&from_shape[..axes], 0), (&to_shape[..axes], 0), &mut |source, target, step, count| {
        let source = source as usize * item;
        let target = target as usize * item..(target as usize + count) * item;
        if step == 1 {
            to[target].copy_from_slice(&from[source..source + count * item]);
            return;
        }
        for (number, place) in to[target].chunks_exact_mut(item).enumerate() {
            let source = source.wrapping_add_signed(step.wrapping_mul(number as isize).wrapping_mul(item as isize));
            place.copy_from_slice(&from[source..source + item]);
        }
    });
}

/// Fills the items of runs with one value.
pub fn fill(to: (&mut [u8], &[u64]), runs: &[Run], value: &[u8]) {
    let (to, shape) = to;
    let item = value.len();
    rows(runs, (shape, 0), (shape, 0), &mut |_, target, _, count| {
        let target = &mut to[target as usize * item..(target as usize + count) * item];
        repeat(target, value);
    });
}

/// Fills bytes with repetitions of a value.
pub fn repeat(bytes: &mut [u8], value: &[u8]) {
    match value {
        [first, rest @ ..] if rest.iter().all(|byte| byte == first) => bytes.fill(*first),
        [] => {}
        _ => bytes.chunks_exact_mut(value.len()).for_each(|place| place.copy_from_slice(value)),
    }
}

/// Calls a function with the first item of each row on both sides, the step between items, and their number.
fn rows(
    runs: &[Run],
    (from, source): (&[u64], u64),
    (to, target): (&[u64], u64),
    take: &mut impl FnMut(u64, u64, isize, usize),
) {
    let ([run, inner @ ..], [from_extent, from @ ..], [to_extent, to @ ..]) = (runs, from, to) else {
        return take(source, target, 1, 1);
    };
    let (source, target) = (source.wrapping_mul(*from_extent), target.wrapping_mul(*to_extent));
    if inner.is_empty() {
        return take(source.wrapping_add(run.place), target + run.to, run.step as isize, run.count as usize);
    }
    for number in 0..run.count {
        let place = run.place.wrapping_add_signed(run.step.wrapping_mul(number as i64));
        rows(inner, (from, source.wrapping_add(place)), (to, target + run.to + number), take);
    }
}

/// Returns the items of a box whose axes were stored in another order: axis `i` of the stored items is axis `order[i]`.
pub fn turned(stored: &[u8], shape: &[u64], order: &[usize], item: usize) -> Vec<u8> {
    let mut strides = vec![0_usize; shape.len()];
    let mut stride = item;
    for &axis in order.iter().rev() {
        strides[axis] = stride;
        stride *= shape[axis] as usize;
    }
    let mut out = memory::with_room(stored.len());
    let Some((&last, outer)) = shape.split_last() else { return stored.to_vec() };
    if shape.contains(&0) {
        return out;
    }
    let mut at = vec![0; outer.len()];
    loop {
        let mut place: usize = at.iter().zip(&strides).map(|(&at, stride): (&u64, _)| at as usize * stride).sum();
        for _ in 0..last {
            out.extend_from_slice(&stored[place..place + item]);
            place += strides[outer.len()];
        }
        let Some(axis) = (0..outer.len()).rev().find(|&axis| at[axis] + 1 < outer[axis]) else { return out };
        at[axis] += 1;
        at[axis + 1..].fill(0);
    }
}

/// The number of items of a box; `None` if it overflows.
pub fn count(shape: &[u64]) -> Option<u64> {
    if shape.contains(&0) { Some(0) } else { shape.iter().try_fold(1_u64, |count, &extent| count.checked_mul(extent)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndbytes::ndarray::{ArrayD, IxDyn};
    use std::ops::Range;

    /// Returns the runs that copy ranges to the beginning of another box.
    fn runs_of(ranges: &[Range<u64>]) -> Vec<Run> {
        let run = |range: &Range<u64>| Run { place: range.start, step: 1, count: range.end - range.start, to: 0 };
        ranges.iter().map(run).collect()
    }

    #[test]
    fn boxes_are_put_together_from_chunks_with_any_step() {
        let shape = [7_u64, 5];
        let whole = ArrayD::from_shape_fn(IxDyn(&[7, 5]), |at| (at[0] * 5 + at[1]) as u8);
        for (start, step, count) in [(0, 1, 7), (6, -1, 7), (1, 3, 2), (5, -2, 3), (2, 1, 0)] {
            for chunk in [[1, 1], [2, 3], [7, 5], [4, 8]] {
                let runs = [Run { place: start, step, count, to: 0 }, Run { place: 1, step: 2, count: 2, to: 0 }];
                let mut found = vec![0; count as usize * 2];
                each_chunk::<()>(&runs, &chunk, |place, runs| {
                    let ranges: Vec<_> = place
                        .iter()
                        .zip(&chunk)
                        .zip(&shape)
                        .map(|((at, chunk), &extent)| at * chunk..((at + 1) * chunk).min(extent))
                        .collect();
                    let mut bytes = vec![0; (chunk[0] * chunk[1]) as usize];
                    copy((whole.as_slice().unwrap(), &shape), (&mut bytes, &chunk), &runs_of(&ranges), 1);
                    copy((&bytes, &chunk), (&mut found, &[count, 2]), &runs, 1);
                    Ok(())
                })
                .unwrap();
                let expected: Vec<u8> = (0..count as i64)
                    .flat_map(|number| [1, 3].map(|column| whole[[(start as i64 + step * number) as usize, column]]))
                    .collect();
                assert_eq!(found, expected, "{start} {step} {count} {chunk:?}");
            }
        }
    }

    #[test]
    fn axes_are_turned_back() {
        let array = ArrayD::from_shape_fn(IxDyn(&[2, 3, 4]), |at| (at[0] * 12 + at[1] * 4 + at[2]) as u8);
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0], [2, 0, 1]] {
            let stored: Vec<u8> = array.view().permuted_axes(IxDyn(&order)).iter().copied().collect();
            assert_eq!(turned(&stored, &[2, 3, 4], &order, 1), array.as_slice().unwrap(), "{order:?}");
        }
    }
}
