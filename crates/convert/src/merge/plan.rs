//! Three-way merge of lists, from a common base and two versions.
//!
//! Both versions are aligned with the base, which yields two lists of gaps. Gaps that overlap become one change. A
//! change of one side is applied, the same change of both sides is applied once, and anything else is a conflict.
//!
//! Two changes that merely touch are the hard case. If one replaces elements one by one, both can be applied. If both
//! insert or delete at the same place, the order of the results is unknown, and guessing could produce a file that
//! neither side wanted. So this is a conflict.

use ndbytes_compare::align::{Gap, align};
use std::ops::Range;

/// A run of elements of the merged list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Run {
    /// Elements of ours that neither side changed, or that both changed in the same way.
    Same(Range<usize>),
    /// Elements that only our version changed. Empty for those that it deleted.
    Ours(Range<usize>),
    /// Elements that only their version changed. Empty for those that it deleted.
    Theirs(Range<usize>),
    /// Both sides changed the same elements in different ways. There is a range for each of the three lists.
    Both {
        /// The range in the common base.
        base: Range<usize>,
        /// The range in our list.
        ours: Range<usize>,
        /// The range in their list.
        theirs: Range<usize>,
    },
}

/// Merges two versions of a list. The runs are in the order of the merged list.
///
/// Adjacent changes are separate if one of them keeps the number of elements. Otherwise, their order is not known, and they count as one
/// change that both made.
pub fn plan<T: Ord>(base: &[T], ours: &[T], theirs: &[T]) -> Vec<Run> {
    let mut merging =
        Merging { sides: [Side::new(gaps(base, ours)), Side::new(gaps(base, theirs))], base: 0, runs: Vec::new() };
    while let Some(change) = merging.next_change() {
        merging.add(change, [base, ours, theirs]);
    }
    merging.unchanged(base.len());
    merging.runs
}

/// Returns the elements that differ. Lists of the same length are compared element by element, unless insertions and deletions explain the
/// difference with fewer elements.
fn gaps<T: Ord>(base: &[T], other: &[T]) -> Vec<Gap> {
    let aligned = align(base, other).gaps;
    if base.len() != other.len() {
        return aligned;
    }
    let mut in_place: Vec<Gap> = Vec::new();
    for place in (0..base.len()).filter(|&place| base[place] != other[place]) {
        match in_place.last_mut().filter(|gap| gap.a.end == place) {
            Some(gap) => (gap.a.end, gap.b.end) = (place + 1, place + 1),
            None => in_place.push(Gap { a: place..place + 1, b: place..place + 1 }),
        }
    }
    let differing = |gaps: &[Gap]| gaps.iter().map(|gap| gap.a.len().max(gap.b.len())).sum::<usize>();
    if differing(&aligned) < differing(&in_place) { aligned } else { in_place }
}

/// The remaining gaps of one list, and the position of the elements after the last one.
struct Side {
    gaps: std::iter::Peekable<std::vec::IntoIter<Gap>>,
    /// The element of the list that corresponds to the element `base` of the base list.
    at: usize,
}

impl Side {
    /// The changes of a version, in order.
    fn new(gaps: Vec<Gap>) -> Self {
        Side { gaps: gaps.into_iter().peekable(), at: 0 }
    }
}

/// A change: gaps of one or both lists that belong together.
struct Change {
    base: Range<usize>,
    /// Which of the two lists have a gap there.
    is_changed: [bool; 2],
    /// The elements of both lists.
    sides: [Range<usize>; 2],
}

/// A merge in progress.
struct Merging {
    sides: [Side; 2],
    /// The number of elements of the base list that are done.
    base: usize,
    runs: Vec<Run>,
}

impl Merging {
    /// Returns the gaps that come next.
    fn next_change(&mut self) -> Option<Change> {
        let place = |side: &mut Side| side.gaps.peek().map(|gap| (gap.a.start, gap.a.end));
        let [ours, theirs] = self.sides.each_mut().map(place);
        let start = [ours, theirs].into_iter().flatten().min()?.0;
        // An insertion before a changed element comes first.
        let order = if theirs.is_some_and(|theirs| ours.is_none_or(|ours| theirs < ours)) { [1, 0] } else { [0, 1] };
        self.unchanged(start);
        let mut change = Change {
            base: start..start,
            is_changed: [false; 2],
            sides: [self.sides[0].at..self.sides[0].at, self.sides[1].at..self.sides[1].at],
        };
        let mut are_kept = [true; 2];
        loop {
            let mut has_grown = false;
            for side in order {
                let other_keeps = change.is_changed[1 - side] && are_kept[1 - side];
                let end = change.base.end;
                let is_first = !change.is_changed[0] && !change.is_changed[1];
                let belongs = |gap: &Gap| {
                    let touches = gap.a.start == end;
                    let keeps = gap.a.len() == gap.b.len();
                    gap.a.start < end || touches && (is_first || !keeps && !other_keeps)
                };
                if let Some(gap) = self.sides[side].gaps.next_if(belongs) {
                    are_kept[side] &= gap.a.len() == gap.b.len();
                    change.is_changed[side] = true;
                    // Elements between two gaps of one list also belong to the change.
                    change.sides[side].end = gap.b.end;
                    self.reach(&mut change, side, gap.a.end);
                    has_grown = true;
                }
            }
            if !has_grown {
                return Some(change);
            }
        }
    }

    /// Extends a change to an element of the first list. The last gap of `side` ends at or before it.
    fn reach(&mut self, change: &mut Change, side: usize, end: usize) {
        if end < change.base.end {
            change.sides[side].end += change.base.end - end;
        } else {
            change.sides[1 - side].end += end - change.base.end;
            change.base.end = end;
        }
    }

    /// Adds a change.
    fn add(&mut self, change: Change, lists: [&[impl Ord]; 3]) {
        let Change { base, is_changed, sides: [ours, theirs] } = change;
        self.base = base.end;
        (self.sides[0].at, self.sides[1].at) = (ours.end, theirs.end);
        let [_, our_list, their_list] = lists;
        match is_changed {
            [_, false] => self.push(Run::Ours(ours)),
            [false, true] => self.push(Run::Theirs(theirs)),
            [true, true] if our_list[ours.clone()] == their_list[theirs.clone()] => self.push(Run::Same(ours)),
            [true, true] if base.len() == ours.len() && base.len() == theirs.len() => {
                for place in 0..base.len() {
                    self.one([base.start + place, ours.start + place, theirs.start + place], lists);
                }
            }
            [true, true] => self.push(Run::Both { base, ours, theirs }),
        }
    }

    /// Adds an element of all three lists.
    fn one(&mut self, [base, ours, theirs]: [usize; 3], [base_list, our_list, their_list]: [&[impl Ord]; 3]) {
        let (before, mine, other) = (&base_list[base], &our_list[ours], &their_list[theirs]);
        self.push(if mine == other {
            Run::Same(ours..ours + 1)
        } else if other == before {
            Run::Ours(ours..ours + 1)
        } else if mine == before {
            Run::Theirs(theirs..theirs + 1)
        } else {
            Run::Both { base: base..base + 1, ours: ours..ours + 1, theirs: theirs..theirs + 1 }
        });
    }

    /// Adds the elements that neither side changed, up to an element of the first list.
    fn unchanged(&mut self, end: usize) {
        let count = end - self.base;
        let start = self.sides[0].at;
        self.base = end;
        self.sides.iter_mut().for_each(|side| side.at += count);
        self.push(Run::Same(start..start + count));
    }

    /// Adds a run, or extends the last one if the new run continues it.
    fn push(&mut self, run: Run) {
        match (self.runs.last_mut(), run) {
            (_, Run::Same(range)) if range.is_empty() => {}
            (Some(Run::Same(last)), Run::Same(next))
            | (Some(Run::Ours(last)), Run::Ours(next))
            | (Some(Run::Theirs(last)), Run::Theirs(next))
                if last.end == next.start =>
            {
                last.end = next.end;
            }
            (
                Some(Run::Both { base, ours, theirs }),
                Run::Both { base: base_next, ours: ours_next, theirs: theirs_next },
            ) if (base.end, ours.end, theirs.end) == (base_next.start, ours_next.start, theirs_next.start)
                && are_even(base, ours, theirs)
                && are_even(&base_next, &ours_next, &theirs_next) =>
            {
                (base.end, ours.end, theirs.end) = (base_next.end, ours_next.end, theirs_next.end);
            }
            (_, run) => self.runs.push(run),
        }
    }
}

/// Returns whether three ranges have the same length, so that their elements correspond.
pub fn are_even(base: &Range<usize>, ours: &Range<usize>, theirs: &Range<usize>) -> bool {
    base.len() == ours.len() && base.len() == theirs.len()
}

#[cfg(test)]
mod tests {
    use super::{Run, plan};

    /// The merged list; a conflict is written as `<ours|theirs>`.
    fn merged(base: &str, ours: &str, theirs: &str) -> String {
        let [base, ours, theirs] = [base, ours, theirs].map(|text| text.chars().collect::<Vec<_>>());
        let text = |list: &[char]| list.iter().collect::<String>();
        let runs = plan(&base, &ours, &theirs).into_iter().map(|run| match run {
            Run::Same(range) | Run::Ours(range) => text(&ours[range]),
            Run::Theirs(range) => text(&theirs[range]),
            Run::Both { ours: mine, theirs: other, .. } => format!("<{}|{}>", text(&ours[mine]), text(&theirs[other])),
        });
        runs.collect()
    }

    #[test]
    fn changes_of_different_elements_are_merged() {
        assert_eq!(merged("abcdef", "Xbcdef", "abcdeY"), "XbcdeY");
        assert_eq!(merged("abcdef", "aXcdef", "abYdef"), "aXYdef");
        assert_eq!(merged("abcdef", "abcdefXY", "Zabcdef"), "ZabcdefXY");
        assert_eq!(merged("abcdef", "acdef", "abcdf"), "acdf");
        assert_eq!(merged("abcdef", "abXcdef", "abYdef"), "abXYdef");
        assert_eq!(merged("abcdef", "abYdef", "abXcdef"), "abXYdef");
    }

    #[test]
    fn the_same_change_of_both_is_no_conflict() {
        assert_eq!(merged("abc", "aXc", "aXc"), "aXc");
        assert_eq!(merged("abc", "abcd", "abcd"), "abcd");
        assert_eq!(merged("abc", "ac", "ac"), "ac");
        assert_eq!(merged("abcd", "aXYd", "aXZd"), "aX<Y|Z>d");
    }

    #[test]
    fn different_changes_of_one_element_are_a_conflict() {
        assert_eq!(merged("abc", "aXc", "aYc"), "a<X|Y>c");
        assert_eq!(merged("abc", "abcX", "abcY"), "abc<X|Y>");
        assert_eq!(merged("abc", "ac", "aYc"), "a<|Y>c");
        assert_eq!(merged("", "X", "Y"), "<X|Y>");
        // The order of rows that both appended is not known.
        assert_eq!(merged("ab", "aXY", "abZ"), "a<XY|bZ>");
    }

    #[test]
    fn elements_of_lists_of_one_length_are_moved_only_if_fewer_differ_then() {
        // The first element was deleted, and one appended.
        assert_eq!(merged("abcdef", "bcdefg", "abcdXf"), "bcdXfg");
        // Two elements were swapped.
        assert_eq!(merged("abcdef", "bacdef", "abXdef"), "baXdef");
    }

    #[test]
    fn a_list_that_one_side_alone_changed_is_the_one_of_that_side() {
        let lists = ["", "a", "ab", "ba", "abc", "cab", "aabb", "abab", "bbbb"];
        for base in lists {
            for changed in lists {
                assert_eq!(merged(base, changed, base), changed, "{base} {changed}");
                assert_eq!(merged(base, base, changed), changed, "{base} {changed}");
                assert_eq!(merged(base, changed, changed), changed, "{base} {changed}");
            }
        }
    }

    #[test]
    fn every_element_of_our_list_and_of_theirs_that_is_new_stands_in_the_merged_one() {
        let lists = ["xy", "axy", "xay", "xya", "ay", "xa", "a", "xyab", "yx"];
        for ours in lists {
            for theirs in lists.map(str::to_uppercase) {
                let theirs = theirs.replace('X', "x").replace('Y', "y");
                let merged = merged("xy", ours, &theirs);
                for letter in ours.chars().chain(theirs.chars()).filter(|letter| !"xy".contains(*letter)) {
                    assert!(merged.contains(letter), "{ours} {theirs} {merged}");
                }
            }
        }
    }
}
