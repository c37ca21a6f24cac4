//! The shape and payload of an array, for several formats.

use everybyte::forge::Choices;

/// The number of bytes by which a file may grow in one step.
pub(super) const GROWTH: u64 = 64 << 10;

/// An array without its header.
#[derive(Debug, Clone)]
pub(super) struct Grid {
    /// The dimensions, in the order of the file.
    pub dims: Vec<u64>,
    /// The length of one item in bytes.
    pub item: u64,
    /// The items.
    pub payload: Vec<u8>,
}

impl Grid {
    /// Performs an operation on dimensions or payload; returns `None` if it does not apply to the array. A dimension is
    /// at most `most_extent`, and the payload grows by at most the limit for one step.
    pub fn operate(&mut self, operation: &str, most_extent: u64, choices: &mut Choices<'_>) -> Option<()> {
        let most = self.payload.len() as u64 + GROWTH;
        let axis = choices.index(self.dims.len());
        match operation {
            "resize" => {
                let extent = self.dims.get_mut(axis)?;
                let before = *extent;
                let others =
                    [before.saturating_add(1), before.saturating_sub(1), before.saturating_mul(2), before / 2, 1, 3];
                *extent = *choices.pick(&others);
                if *extent == before {
                    *extent = before.saturating_add(1);
                }
            }
            "reshape" => self.reshape(axis, choices)?,
            "swap-axes" => {
                let other = choices.index(self.dims.len());
                if self.dims.get(axis)? == self.dims.get(other)? {
                    return None;
                }
                self.dims.swap(axis, other);
            }
            "add-axis" => {
                let at = choices.index(self.dims.len() + 1);
                self.dims.insert(at, choices.from_to(1, 3));
            }
            "remove-axis" => {
                if self.dims.len() < 2 {
                    return None;
                }
                self.dims.remove(axis);
            }
            "empty" => {
                let extent = self.dims.get_mut(axis).filter(|extent| **extent > 0)?;
                *extent = 0;
            }
            "elements" => {
                let at = choices.index(self.payload.len());
                let length = choices.from_to(1, self.item.clamp(1, 64)) as usize;
                let run = self.payload.get_mut(at..)?;
                run.iter_mut().take(length).for_each(|byte| *byte = choices.below(256) as u8);
            }
            _ => return None,
        }
        if self.dims.iter().any(|extent| *extent > most_extent) {
            return None;
        }
        self.fit(most)
    }

    /// Splits a dimension into two, or joins two. The number of items stays the same.
    fn reshape(&mut self, axis: usize, choices: &mut Choices<'_>) -> Option<()> {
        let extent = *self.dims.get(axis)?;
        let divisors: Vec<u64> = (2..=extent.min(64)).filter(|part| extent.is_multiple_of(*part)).collect();
        if self.dims.len() > 1 && (divisors.is_empty() || choices.one_in(2)) {
            let removed = self.dims.remove(axis);
            let other = choices.index(self.dims.len());
            let joined = self.dims.get_mut(other)?;
            *joined = joined.checked_mul(removed)?;
            return Some(());
        }
        let part = if divisors.is_empty() { 1 } else { *choices.pick(&divisors) };
        *self.dims.get_mut(axis)? = extent / part;
        self.dims.insert(axis, part);
        Some(())
    }

    /// Removes items from the end of the longest axis; returns false if there is at most one item.
    pub fn shrink(&mut self) -> bool {
        let Some(longest) = self.dims.iter_mut().max().filter(|extent| **extent > 1 && !self.payload.is_empty()) else {
            return false;
        };
        *longest = longest.div_ceil(2);
        self.fit(self.payload.len() as u64).is_some()
    }

    /// Adjusts the payload to the dimensions; returns `None` if it would be longer than `most`.
    pub fn fit(&mut self, most: u64) -> Option<()> {
        let length = length(&self.dims, self.item).filter(|length| *length <= most)?;
        self.payload = resized(&self.payload, length as usize);
        Some(())
    }
}

/// Returns the length of all items in bytes; `None` if the product of the nonzero dimensions exceeds 63 bits.
pub(super) fn length(dims: &[u64], item: u64) -> Option<u64> {
    let mut nonzero = dims.iter().filter(|extent| **extent > 0);
    let product = nonzero.try_fold(item.max(1), |bytes, extent| bytes.checked_mul(*extent));
    let product = product.filter(|bytes| i64::try_from(*bytes).is_ok())?;
    Some(if dims.contains(&0) || item == 0 { 0 } else { product })
}

/// Returns the first bytes of a payload, repeated if necessary.
pub(super) fn resized(payload: &[u8], length: usize) -> Vec<u8> {
    match payload {
        [] => vec![0; length],
        payload => payload.iter().copied().cycle().take(length).collect(),
    }
}

/// Chooses dimensions of an array whose items take at most about `room` bytes. Occasionally, one of them is zero.
pub(super) fn extents(choices: &mut Choices<'_>, axes: u64, item: u64, room: u64) -> Vec<u64> {
    let mut items = (room / item.max(1)).max(1);
    let empty = if axes > 0 && choices.one_in(16) { Some(choices.below(axes)) } else { None };
    let mut dims = Vec::new();
    for axis in 0..axes {
        let extent = match empty {
            Some(empty) if empty == axis => 0,
            // Without items, dimensions may be large.
            Some(_) if axis < 2 && choices.one_in(4) => choices.from_to(1, 1 << 20),
            _ => {
                let most = items.min(1 << choices.below(8));
                choices.from_to(1, most)
            }
        };
        items /= extent.clamp(1, items);
        items = items.max(1);
        dims.push(extent);
    }
    dims
}

/// Chooses the number of axes: usually few, and at most `most`.
pub(super) fn axes(choices: &mut Choices<'_>, most: u64) -> u64 {
    if choices.one_in(32) { choices.from_to(5, most) } else { choices.from_to(1, 4) }
}

/// Chooses the maximum length of the items in a valid file of at most `size` bytes, usually far below that.
pub(super) fn room(choices: &mut Choices<'_>, size: usize) -> u64 {
    let size = (size as u64).max(64);
    if choices.one_in(16) { size } else { size.min(16 << choices.below(6)) }
}
