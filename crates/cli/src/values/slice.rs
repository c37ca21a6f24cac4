//! Slices in the syntax of NumPy: `[6:12, :]`, `[::-1]`, `[..., 0]`.
//!
//! A slice is part of the path: `x.b2nd[6:12, :]`. A slice may contain only digits, colons, dots and signs, so `a[b].idx` is a
//! plain name. The text is parsed without the array; indices are resolved against its shape later, with errors that name the axis.

use crate::axes::Axis;
use crate::show::style::counted;
use ndbytes::Error;
use ndbytes::ndarray::SliceInfoElem;
use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

/// A slice, as the user wrote it.
#[derive(Debug, Clone, PartialEq)]
pub struct Slice(Vec<Part>);

/// The selection along an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Index(i64),
    Range {
        start: Option<i64>,
        end: Option<i64>,
        step: i64,
    },
    /// All axes that are not covered by the other parts.
    Ellipsis,
}

/// The selected items of an array, or rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen(Vec<Axis>);

/// Splits `x.b2nd[6:12, :]` into the path and the text of the slice without its brackets.
pub fn split(text: &str) -> Option<(&str, &str)> {
    let (path, slice) = text.strip_suffix(']')?.rsplit_once('[')?;
    let is_slice = slice.chars().all(|letter| letter.is_ascii_digit() || " \t:,.-+".contains(letter));
    (is_slice && !path.is_empty()).then_some((path, slice))
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = Vec::new();
        let inside = text.trim().strip_suffix(',').unwrap_or(text.trim());
        for (axis, part) in inside.split(',').enumerate() {
            parts.push(part.trim().parse().map_err(|what| format!("part {} of the slice [{text}] {what}", axis + 1))?);
        }
        if parts.iter().filter(|part| **part == Part::Ellipsis).count() > 1 {
            return Err(format!("the slice [{text}] has `...` more than once"));
        }
        Ok(Slice(parts))
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = |text: &str| match text.trim() {
            "" => Ok(None),
            text => {
                text.parse::<i64>().map(Some).map_err(|_| format!("contains \"{text}\", which is not a 64-bit integer"))
            }
        };
        let parts: Vec<&str> = text.split(':').collect();
        match parts[..] {
            ["..."] => Ok(Part::Ellipsis),
            [index] => number(index)?.map(Part::Index).ok_or_else(|| "is empty".into()),
            [start, end] => Ok(Part::Range { start: number(start)?, end: number(end)?, step: 1 }),
            [start, end, step] => match number(step)?.unwrap_or(1) {
                0 => Err("has the step 0".into()),
                step => Ok(Part::Range { start: number(start)?, end: number(end)?, step }),
            },
            _ => Err("has more than two colons".into()),
        }
    }
}

impl Slice {
    /// Returns the items that the slice selects from an array of this shape, by the rules of NumPy.
    pub fn choose(&self, shape: &[usize]) -> Result<Chosen, String> {
        let named = self.0.iter().filter(|part| **part != Part::Ellipsis).count();
        if named > shape.len() {
            let (given, axes) = (counted_axes(named), counted_axes(shape.len()));
            return Err(format!("the slice has {given}, but the values have {axes}"));
        }
        let all = Part::Range { start: None, end: None, step: 1 };
        let others = || std::iter::repeat_n(all, shape.len() - named);
        let mut parts = Vec::new();
        for part in &self.0 {
            if *part == Part::Ellipsis { parts.extend(others()) } else { parts.push(*part) }
        }
        if !self.0.contains(&Part::Ellipsis) {
            parts.extend(others());
        }
        let axes = parts.iter().zip(shape).enumerate();
        axes.map(|(axis, (part, &extent))| part.along(axis, extent as u64)).collect::<Result<_, _>>().map(Chosen)
    }
}

fn counted_axes(number: usize) -> String {
    if number == 1 { "1 axis".into() } else { format!("{number} axes") }
}

impl Part {
    fn along(self, axis: usize, extent: u64) -> Result<Axis, String> {
        match self {
            Part::Index(index) => {
                let place = if index < 0 { extent.checked_add_signed(index) } else { Some(index as u64) };
                match place.filter(|&place| place < extent) {
                    Some(start) => Ok(Axis { start, step: 1, count: 1, is_dropped: true }),
                    None => {
                        let items = counted(extent, "item");
                        Err(format!("axis {axis} has {items}, so item {index} does not exist"))
                    }
                }
            }
            Part::Range { start, end, step } => Ok(range(extent as i128, start, end, step)),
            Part::Ellipsis => Ok(Axis::all(extent)),
        }
    }
}

/// Follows the rules of Python's `slice.indices`.
fn range(extent: i128, start: Option<i64>, end: Option<i64>, step: i64) -> Axis {
    // A range with a negative step may end before the first item.
    let (least, most) = if step < 0 { (-1, extent - 1) } else { (0, extent) };
    let bound = |bound: i64| {
        let bound = i128::from(bound);
        (if bound < 0 { bound + extent } else { bound }).clamp(least, most)
    };
    let (first, last) = if step < 0 { (most, least) } else { (least, most) };
    let (start, end) = (start.map_or(first, bound), end.map_or(last, bound));
    let span = if step < 0 { start - end } else { end - start }.max(0) as u64;
    let count = span.div_ceil(step.unsigned_abs());
    Axis { start: if count == 0 { 0 } else { start as u64 }, step, count, is_dropped: false }
}

impl Chosen {
    /// Selects all items of an array of this shape.
    pub fn all(shape: &[usize]) -> Self {
        Chosen(shape.iter().map(|&extent| Axis::all(extent as u64)).collect())
    }

    /// Returns the selection in ndarray's form.
    pub fn elements(&self) -> Vec<SliceInfoElem> {
        self.0.iter().map(Axis::element).collect()
    }

    /// Returns the items along each axis.
    pub fn axes(&self) -> impl Iterator<Item = Axis> + '_ {
        self.0.iter().copied()
    }

    /// Returns the first axis of the result, if there is one.
    pub fn rows(&self) -> Option<&Axis> {
        self.0.iter().find(|axis| !axis.is_dropped)
    }

    fn with_rows(&self, change: impl FnOnce(usize, &Axis) -> Result<Axis, String>) -> Result<Self, String> {
        let mut chosen = self.clone();
        if let Some(place) = self.0.iter().position(|axis| !axis.is_dropped) {
            chosen.0[place] = change(place, &self.0[place])?;
        }
        Ok(chosen)
    }

    /// Selects the first items along the first axis.
    pub fn head(&self, number: u64) -> Self {
        self.with_rows(|_, axis| Ok(axis.first(number))).expect("the first items are always there")
    }

    /// Selects the last items along the first axis.
    pub fn tail(&self, number: u64) -> Self {
        self.with_rows(|_, axis| Ok(axis.last(number))).expect("the last items are always there")
    }

    /// Selects one item along the first axis and drops the axis.
    pub fn item(&self, item: i64) -> Result<Self, String> {
        if self.rows().is_none() {
            return Err("there is only one value, so no item can be chosen".into());
        }
        self.with_rows(|place, axis| {
            let one = Part::Index(item).along(place, axis.count)?;
            Ok(Axis { start: axis.place(one.start), ..one })
        })
    }
}

/// Formats the slice in NumPy's notation.
impl fmt::Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, part) in self.0.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { ", " })?;
            match *part {
                Part::Index(index) => write!(f, "{index}")?,
                Part::Ellipsis => f.write_str("...")?,
                Part::Range { start, end, step } => {
                    let number = |number: Option<i64>| number.map_or(String::new(), |number| number.to_string());
                    write!(f, "{}:{}", number(start), number(end))?;
                    if step != 1 {
                        write!(f, ":{step}")?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Splits a path into the part before its slice and the text of the slice. A file whose name is the complete text takes
/// precedence.
pub fn before_slice<'n>(named: &'n Path, error: &Error) -> Option<(&'n Path, &'n str)> {
    let is_absent = match error {
        Error::NoEntry { .. } => true,
        // A slice may be too long for a file name, or have characters that file names cannot have. Servers may refuse
        // to report that a file does not exist.
        Error::Io { source, .. } => {
            matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename)
                || ndbytes::stores::is_url(named)
        }
        _ => false,
    };
    let (path, slice) = named.to_str().and_then(split).filter(|_| is_absent)?;
    Some((Path::new(path), slice))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(slice: &str, shape: &[usize]) -> Result<Vec<Vec<u64>>, String> {
        let Chosen(axes) = slice.parse::<Slice>()?.choose(shape)?;
        Ok(axes.iter().map(|axis| (0..axis.count).map(|wanted| axis.place(wanted)).collect()).collect())
    }

    /// The expected results are from Python's `list(range(10))[…]`.
    #[test]
    fn ranges_are_those_of_python() {
        for (slice, expected) in [
            ("2:5", &[2, 3, 4][..]),
            (":3", &[0, 1, 2]),
            ("8:", &[8, 9]),
            ("-3:", &[7, 8, 9]),
            (":-8", &[0, 1]),
            ("::4", &[0, 4, 8]),
            ("::-3", &[9, 6, 3, 0]),
            ("7:2:-2", &[7, 5, 3]),
            ("100:7:-1", &[9, 8]),
            ("5:2", &[]),
            ("20:30", &[]),
            ("-100:2", &[0, 1]),
            ("2:-100:-1", &[2, 1, 0]),
            ("1::9223372036854775807", &[1]),
            ("::-9223372036854775808", &[9]),
        ] {
            assert_eq!(chosen(slice, &[10]).unwrap(), [expected], "{slice}");
        }
        assert_eq!(chosen("::-1", &[0]).unwrap(), [Vec::<u64>::new()]);
    }

    #[test]
    fn ellipsis_and_missing_parts_are_whole_axes() {
        assert_eq!(chosen("..., 1", &[2, 3]).unwrap(), [vec![0, 1], vec![1]]);
        assert_eq!(chosen("-1", &[2, 3]).unwrap(), [vec![1], vec![0, 1, 2]]);
        assert_eq!(chosen("0, ..., 0", &[2, 3]).unwrap(), [vec![0], vec![0]]);
        assert_eq!(chosen("...", &[]).unwrap(), Vec::<Vec<u64>>::new());
    }

    #[test]
    fn errors_name_the_axis() {
        for (slice, expected) in [
            ("1200", "axis 0 has 168 items, so item 1200 does not exist"),
            (":, -7", "axis 1 has 6 items, so item -7 does not exist"),
            ("1, 2, 3", "the slice has 3 axes, but the values have 2 axes"),
            ("::0", "part 1 of the slice [::0] has the step 0"),
            ("1,,2", "part 2 of the slice [1,,2] is empty"),
            ("1:2:3:4", "part 1 of the slice [1:2:3:4] has more than two colons"),
            ("...,...", "the slice [...,...] has `...` more than once"),
            ("..", "part 1 of the slice [..] contains \"..\", which is not a 64-bit integer"),
            (
                "99999999999999999999",
                "part 1 of the slice [99999999999999999999] contains \"99999999999999999999\", which is not a 64-bit integer",
            ),
        ] {
            assert_eq!(chosen(slice, &[168, 6]).unwrap_err(), expected, "{slice}");
        }
    }

    #[test]
    fn first_and_last_items_are_of_the_first_axis_that_is_left() {
        let whole = "3, 2:8:2".parse::<Slice>().unwrap().choose(&[5, 9]).unwrap();
        let rows = |chosen: &Chosen| {
            let axis = *chosen.rows().unwrap();
            (0..axis.count).map(|wanted| axis.place(wanted)).collect::<Vec<_>>()
        };
        assert_eq!(
            [rows(&whole.head(2)), rows(&whole.tail(2)), rows(&whole.tail(9))],
            [vec![2, 4], vec![4, 6], vec![2, 4, 6]]
        );
        assert_eq!(whole.item(-1).unwrap().rows(), None);
        assert_eq!(whole.item(3).unwrap_err(), "axis 1 has 3 items, so item 3 does not exist");
    }

    #[test]
    fn a_path_ends_where_its_slice_begins() {
        assert_eq!(split("a[1].idx[2:3, :]"), Some(("a[1].idx", "2:3, :")));
        assert_eq!([split("a[b].idx"), split("a[b]"), split("[1]"), split("a]")], [None; 4]);
    }
}
