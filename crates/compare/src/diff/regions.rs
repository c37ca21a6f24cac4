//! The regions in which two arrays differ, as a few boxes.
//!
//! A list of the first ten differences does not show whether one corner of an image changed or every pixel. Boxes do.
//! Each differing item falls into a box, stretches a nearby one, or begins a new one. If there is a fifth box, the two
//! nearest ones are joined. So the cost per item is constant, and the boxes never miss an item.

use super::places::coordinates;
use std::ops::Range;

/// The maximum number of boxes.
const MOST: usize = 4;

/// Differences are close if their distance is at most the length of the axis, divided by this number.
const NEAR: u64 = 32;

/// A range on each axis.
pub(super) type Box = Vec<Range<u64>>;

/// Boxes that contain all positions so far, in the order of their first positions.
pub(super) struct Regions {
    shape: Vec<u64>,
    boxes: Vec<Box>,
}

impl Regions {
    /// Creates an empty set of regions for an array of this shape.
    pub fn new(shape: &[u64]) -> Self {
        Regions { shape: shape.to_vec(), boxes: Vec::new() }
    }

    /// Adds an item, given by its index in C order.
    pub fn add(&mut self, index: u64) {
        if self.boxes.iter().any(|region| self.has(region, index)) {
            return;
        }
        self.add_box(coordinates(&self.shape, index).into_iter().map(|place| place..place + 1).collect());
    }

    /// Adds all items of a box.
    pub fn add_box(&mut self, new: Box) {
        if self.boxes.iter().any(|old| holds(old, &new)) {
            return;
        }
        if let Some(place) = self.boxes.iter().position(|old| self.are_near(old, &new)) {
            self.boxes[place] = around(&self.boxes[place], &new);
            return;
        }
        self.boxes.push(new);
        if self.boxes.len() > MOST {
            self.join_nearest();
        }
    }

    /// Returns the boxes. No two of them are near each other. Empty if there is one box and it is the whole array.
    pub fn finish(mut self) -> Vec<Box> {
        while let Some((one, other)) =
            self.pairs().find(|&(one, other)| self.are_near(&self.boxes[one], &self.boxes[other]))
        {
            self.join(one, other);
        }
        let is_whole = |of: &Box| of.iter().zip(&self.shape).all(|(range, extent)| range.end - range.start == *extent);
        if self.boxes.iter().any(is_whole) { Vec::new() } else { self.boxes }
    }

    /// Returns whether an item is in a box. This must be cheap, since most items are in one box.
    fn has(&self, region: &Box, index: u64) -> bool {
        let mut left = index;
        region.iter().zip(&self.shape).rev().all(|(range, extent)| {
            let place = left % extent.max(&1);
            left /= extent.max(&1);
            range.contains(&place)
        })
    }

    /// Returns whether two boxes are so close along every axis that a single box around both describes them equally well.
    fn are_near(&self, one: &Box, other: &Box) -> bool {
        one.iter().zip(other).zip(&self.shape).all(|((one, other), extent)| {
            let apart = one.start.max(other.start).saturating_sub(one.end.min(other.end));
            apart <= extent / NEAR
        })
    }

    /// Returns the indices of all pairs of boxes. There are only a few.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let number = self.boxes.len();
        (0..number).flat_map(move |one| (one + 1..number).map(move |other| (one, other)))
    }

    /// Replaces two boxes with one around both.
    fn join(&mut self, one: usize, other: usize) {
        let removed = self.boxes.remove(other);
        self.boxes[one] = around(&self.boxes[one], &removed);
    }

    /// Joins the two boxes whose union adds the fewest items.
    fn join_nearest(&mut self) {
        let more = |&(one, other): &(usize, usize)| {
            let (one, other) = (&self.boxes[one], &self.boxes[other]);
            volume(&around(one, other)) - volume(one) - volume(other)
        };
        let best = self.pairs().min_by(|one, other| more(one).total_cmp(&more(other)));
        if let Some((one, other)) = best {
            self.join(one, other);
        }
    }
}

/// Returns whether a box lies inside another one.
fn holds(outer: &Box, inner: &Box) -> bool {
    outer.iter().zip(inner).all(|(outer, inner)| outer.start <= inner.start && inner.end <= outer.end)
}

/// Returns the smallest box around two boxes.
fn around(one: &Box, other: &Box) -> Box {
    one.iter().zip(other).map(|(one, other)| one.start.min(other.start)..one.end.max(other.end)).collect()
}

/// Returns the number of items in a box, as a float, since the product of the lengths may exceed 64 bits.
fn volume(of: &Box) -> f64 {
    of.iter().map(|range| (range.end - range.start) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(shape: &[u64], places: &[[u64; 2]]) -> Vec<Vec<(u64, u64)>> {
        let mut regions = Regions::new(shape);
        places.iter().for_each(|place| regions.add(place[0] * shape[1] + place[1]));
        let of = |of: Box| of.into_iter().map(|range| (range.start, range.end)).collect();
        regions.finish().into_iter().map(of).collect()
    }

    #[test]
    fn regions_are_the_boxes_of_places_that_are_near() {
        let patch = (200..260).flat_map(|row| (300..380).map(move |column| [row, column]));
        let places: Vec<[u64; 2]> = std::iter::once([10, 10]).chain(patch).collect();
        assert_eq!(found(&[600, 800], &places), [[(10, 11), (10, 11)], [(200, 260), (300, 380)]]);
    }

    #[test]
    fn places_all_over_are_one_box_and_the_whole_array_is_none() {
        let scattered: Vec<[u64; 2]> =
            (0..500).map(|place| [place * 7919 % 90 + 5, place * 104_729 % 90 + 5]).collect();
        assert_eq!(found(&[100, 100], &scattered), [[(5, 95), (5, 95)]]);
        assert!(found(&[2, 2], &[[0, 0], [1, 1], [0, 1], [1, 0]]).is_empty());
    }

    #[test]
    fn regions_are_at_most_four_and_hold_every_place() {
        let corners: Vec<[u64; 2]> = (0..6).map(|place| [place * 180, place * 190]).collect();
        let boxes = found(&[1000, 1000], &corners);
        assert_eq!(boxes.len(), 4);
        for [row, column] in corners {
            let is_in =
                |of: &Vec<(u64, u64)>| (of[0].0..of[0].1).contains(&row) && (of[1].0..of[1].1).contains(&column);
            assert_eq!(boxes.iter().filter(|of| is_in(of)).count(), 1);
        }
    }
}
