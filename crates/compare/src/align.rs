//! Aligns two lists by finding equal elements and the gaps between them.
//!
//! The common beginning and end are removed first. For the rest, Myers' algorithm finds the fewest insertions and deletions, if a thousand
//! of them are enough. Otherwise it continues in smaller steps, each minimal on its own, so time and memory stay
//! proportional to the lists.

use std::ops::Range;

/// The maximum number of edits that the first step tries.
const MOST_EDITS: usize = 1000;

/// The maximum number of edits that each further step tries.
const FURTHER_EDITS: usize = 64;

/// The maximum number of comparisons per element in the first step.
const COMPARISONS: usize = 64;
/// The number of comparisons that the first step may always make, so short lists always get a minimal alignment.
const FREE_COMPARISONS: usize = 1 << 20;

/// The maximum number of separate gaps. Everything after them is one gap.
const MOST_GAPS: usize = 1 << 18;

/// Elements of the first list that are replaced by others in the second. One of the two ranges may be empty.
///
/// ```
/// use ndbytes_compare::align::{Gap, align};
///
/// // `c` became `x`, and `z` is new.
/// let gaps = align(b"abcde", b"abxdez").gaps;
/// assert_eq!(gaps, [Gap { a: 2..3, b: 2..3 }, Gap { a: 5..5, b: 5..6 }]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The elements of the first list.
    pub a: Range<usize>,
    /// The elements of the second list.
    pub b: Range<usize>,
}

/// How two lists match: between the gaps, corresponding elements are equal.
///
/// ```
/// use ndbytes_compare::align::align;
///
/// // `height` moved to the end: it is deleted in one place and inserted in another.
/// let alignment = align(&["id", "height", "age"], &["id", "age", "height"]);
/// assert!(alignment.is_minimal);
/// assert_eq!(alignment.gaps.iter().map(|gap| gap.a.len()).sum::<usize>(), 1);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// The gaps in increasing order, separated by equal elements.
    pub gaps: Vec<Gap>,
    /// True if no other alignment has fewer elements in gaps.
    pub is_minimal: bool,
}

/// Aligns two lists. If the lists are swapped, so are the ranges of the gaps.
///
/// ```
/// use ndbytes_compare::align::{Gap, align};
///
/// assert_eq!(align(&[1, 2, 3], &[1, 7, 2, 3]).gaps, [Gap { a: 1..1, b: 1..2 }]);
/// ```
pub fn align<T: Ord>(a: &[T], b: &[T]) -> Alignment {
    if (a.len(), a) <= (b.len(), b) {
        return align_ordered(a, b);
    }
    let mut alignment = align_ordered(b, a);
    alignment.gaps.iter_mut().for_each(|gap| std::mem::swap(&mut gap.a, &mut gap.b));
    alignment
}

/// Aligns two lists, the shorter one first, so that swapping the lists swaps the gaps.
fn align_ordered<T: PartialEq>(a: &[T], b: &[T]) -> Alignment {
    let equal = |pairs: &mut dyn Iterator<Item = (&T, &T)>| pairs.take_while(|(a, b)| a == b).count();
    let start = equal(&mut a.iter().zip(b));
    let rest = equal(&mut a[start..].iter().rev().zip(b[start..].iter().rev()));
    let (a, b) = (&a[start..a.len() - rest], &b[start..b.len() - rest]);
    let mut gaps = Gaps { found: Vec::new(), start, open: None };
    let mut at = (0, 0);
    let mut steps = 0;
    while at != (a.len(), b.len()) {
        if gaps.found.len() >= MOST_GAPS || at.0 == a.len() || at.1 == b.len() {
            gaps.add(at, (a.len(), b.len()));
            break;
        }
        let (rest_a, rest_b) = (&a[at.0..], &b[at.1..]);
        let step = match steps {
            0 => step(rest_a, rest_b, MOST_EDITS, COMPARISONS * (a.len() + b.len()) + FREE_COMPARISONS),
            _ => step(rest_a, rest_b, FURTHER_EDITS, usize::MAX),
        };
        steps += 1;
        for (from, to) in step.edits {
            gaps.add((at.0 + from.0, at.1 + from.1), (at.0 + to.0, at.1 + to.1));
        }
        at = (at.0 + step.end.0, at.1 + step.end.1);
    }
    Alignment { gaps: gaps.all(), is_minimal: steps <= 1 }
}

/// The gaps found so far; adjacent edits form one gap.
struct Gaps {
    found: Vec<Gap>,
    /// The number of elements removed before the first one.
    start: usize,
    open: Option<Gap>,
}

/// The numbers of elements of the first and the second list before a position.
type Place = (usize, usize);

impl Gaps {
    /// Adds an edit, extending the open gap if it continues it.
    fn add(&mut self, from: Place, to: Place) {
        let (from, to) = ((self.start + from.0, self.start + from.1), (self.start + to.0, self.start + to.1));
        if let Some(gap) = self.open.as_mut().filter(|gap| (gap.a.end, gap.b.end) == from) {
            (gap.a.end, gap.b.end) = to;
            return;
        }
        self.found.extend(self.open.replace(Gap { a: from.0..to.0, b: from.1..to.1 }));
    }

    /// All gaps, including the open one.
    fn all(mut self) -> Vec<Gap> {
        self.found.extend(self.open);
        self.found
    }
}

/// The beginning of an alignment.
struct Step {
    /// Insertions and deletions in increasing order, each from its position to the next one.
    edits: Vec<(Place, Place)>,
    /// The position that the alignment has reached in both lists.
    end: Place,
}

/// Aligns the beginnings of two lists within a number of edits, after Myers (1986), "An O(ND) Difference Algorithm".
fn step<T: PartialEq>(a: &[T], b: &[T], most: usize, mut comparisons: usize) -> Step {
    // For each diagonal, the furthest element of `a` that the current number of edits reaches; see `place`.
    let mut furthest: Vec<usize> = Vec::new();
    let mut edits = 0;
    let end = loop {
        for diagonal in 0..=edits {
            let mut x = begin(&furthest, edits, diagonal).0;
            let mut y = x + edits - 2 * diagonal;
            while x < a.len() && y < b.len() && a[x] == b[y] {
                (x, y) = (x + 1, y + 1);
                comparisons = comparisons.saturating_sub(1);
            }
            furthest.push(x);
        }
        let ends = (0..=edits).map(|diagonal| (diagonal, place(&furthest, edits, diagonal)));
        let ends = ends.filter(|(_, at)| at.0 <= a.len() && at.1 <= b.len());
        // Among the positions that are equally far, choose the one that is most balanced between the lists.
        let best = ends.max_by_key(|(_, at)| (at.0 + at.1, std::cmp::Reverse(at.0.abs_diff(at.1))));
        let (diagonal, at) = best.expect("some edits lead to a place inside of the lists");
        if at == (a.len(), b.len()) || edits == most || comparisons == 0 {
            break (diagonal, at);
        }
        comparisons = comparisons.saturating_sub(edits);
        edits += 1;
    };
    Step { edits: way(&furthest, edits, end.0), end: end.1 }
}

/// Returns the position that a number of edits reaches on a diagonal. After `n` edits, diagonal `i` has `i` more
/// deletions than insertions, counted from `-n` in steps of two.
fn place(furthest: &[usize], edits: usize, diagonal: usize) -> Place {
    let x = furthest[edits * (edits + 1) / 2 + diagonal];
    (x, x + edits - 2 * diagonal)
}

/// Returns the element of `a` that the last edit on a diagonal leads to, and whether that edit is a deletion.
fn begin(furthest: &[usize], edits: usize, diagonal: usize) -> (usize, bool) {
    let Some(before) = edits.checked_sub(1) else { return (0, false) };
    let inserted = (diagonal < edits).then(|| place(furthest, before, diagonal).0);
    let deleted = (diagonal > 0).then(|| place(furthest, before, diagonal - 1).0 + 1);
    match (inserted, deleted) {
        (Some(inserted), Some(deleted)) if inserted >= deleted => (inserted, false),
        (_, Some(deleted)) => (deleted, true),
        (Some(inserted), None) => (inserted, false),
        (None, None) => (0, false),
    }
}

/// Returns the edits that lead to a diagonal, in increasing order.
fn way(furthest: &[usize], edits: usize, mut diagonal: usize) -> Vec<(Place, Place)> {
    let mut way = Vec::new();
    for edits in (1..=edits).rev() {
        let (x, deletes) = begin(furthest, edits, diagonal);
        let to = (x, x + edits - 2 * diagonal);
        way.push((if deletes { (to.0 - 1, to.1) } else { (to.0, to.1 - 1) }, to));
        diagonal -= usize::from(deletes);
    }
    way.reverse();
    way
}

#[cfg(test)]
mod tests {
    use super::{Alignment, Gap, MOST_EDITS, align, align_ordered};

    /// Returns all lists of up to `length` elements, each with one of three values.
    fn lists(length: usize) -> Vec<Vec<u8>> {
        let mut all = vec![Vec::new()];
        for at in 0.. {
            if all[at].len() == length {
                return all;
            }
            for element in 0..3 {
                all.push([&all[at][..], &[element]].concat());
            }
        }
        unreachable!("the lists grow")
    }

    /// Returns the maximum number of elements that can be matched in order.
    fn longest_common<T: PartialEq>(a: &[T], b: &[T]) -> usize {
        let mut row = vec![0; b.len() + 1];
        for x in a {
            let before = row.clone();
            for (place, y) in b.iter().enumerate() {
                row[place + 1] = if x == y { before[place] + 1 } else { before[place + 1].max(row[place]) };
            }
        }
        row[b.len()]
    }

    /// Checks that elements between the gaps are equal, and that the gaps do not touch. Returns the number of matched
    /// elements.
    fn matched<T: PartialEq>(a: &[T], b: &[T], alignment: &Alignment) -> usize {
        let (mut x, mut y, mut matched) = (0, 0, 0);
        let end = Gap { a: a.len()..a.len(), b: b.len()..b.len() };
        for gap in alignment.gaps.iter().chain([&end]) {
            assert!(a[x..gap.a.start] == b[y..gap.b.start]);
            assert!(matched == 0 && x == 0 || gap.a.start > x || *gap == end);
            matched += gap.a.start - x;
            (x, y) = (gap.a.end, gap.b.end);
        }
        matched
    }

    #[test]
    fn short_lists_are_aligned_with_the_fewest_edits() {
        let lists = lists(5);
        for a in &lists {
            for b in &lists {
                let alignment = align(a, b);
                assert!(alignment.is_minimal);
                assert_eq!(matched(a, b, &alignment), longest_common(a, b), "{a:?} {b:?}");
                let exchanged = align(b, a).gaps.into_iter().map(|Gap { a, b }| Gap { a: b, b: a });
                assert!(exchanged.eq(alignment.gaps), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn an_inserted_element_is_a_gap_of_its_own() {
        let alignment = align(b"abcdef", b"abXcdef");
        assert_eq!(alignment.gaps, [Gap { a: 2..2, b: 2..3 }]);
    }

    #[test]
    fn more_changes_than_the_bound_are_aligned_in_steps() {
        let a: Vec<u32> = (0..20_000).collect();
        let mut b: Vec<u32> = a.iter().map(|&x| if x % 10 == 7 { x + 100_000 } else { x }).collect();
        b.insert(5_000, 77_777);
        assert!(a.len() / 10 > MOST_EDITS);
        let alignment = align(&a, &b);
        assert!(!alignment.is_minimal);
        assert_eq!(matched(&a, &b, &alignment), 18_000);
        assert_eq!(alignment.gaps.len(), 2001);
    }

    #[test]
    fn lists_without_a_common_element_are_one_gap() {
        let (a, b): (Vec<u32>, Vec<u32>) = ((0..30_000).collect(), (50_000..70_000).collect());
        assert_eq!(align(&a, &b).gaps, [Gap { a: 0..30_000, b: 0..20_000 }]);
    }

    #[test]
    fn repetitive_lists_take_comparisons_in_proportion_to_their_lengths() {
        use std::cell::Cell;
        thread_local!(static COMPARED: Cell<u64> = const { Cell::new(0) });
        struct Counted(u32);
        impl PartialEq for Counted {
            fn eq(&self, other: &Self) -> bool {
                COMPARED.set(COMPARED.get() + 1);
                self.0 == other.0
            }
        }
        let list = |seed: u32, count: u32| {
            let mixed = move |x: u32| x.wrapping_mul(seed).rotate_left(13).wrapping_mul(0x9E37_79B9) >> 31;
            (0..count).map(|x| Counted(mixed(x))).collect::<Vec<_>>()
        };
        let (a, b) = (list(0x85EB_CA6B, 100_000), list(0xC2B2_AE35, 100_000));
        align_ordered(&a, &b);
        let compared = COMPARED.get();
        assert!(compared < 300 * 200_000, "{compared} comparisons");
    }
}
