//! Checks the dictionary of a header and everything after it.
//!
//! The header is a Python literal, which NumPy evaluates with `ast.literal_eval`. The rules are therefore based on what NumPy
//! accepts, not on what it writes: unusual spellings that it loads are warnings, and all others are errors. If a header is refused,
//! it is parsed again with a [`Leniency`] that accepts common mistakes of other writers, so that the finding can state what the
//! author probably meant. Only a repair uses a header that was read this way.

use super::descr::described_as;
use super::header::{Dictionary, LONGEST, NoDictionary, Text};
use super::names::Why;
use super::rules;
use crate::findings::finding::Finding;
use crate::findings::general::LIMIT_EXCEEDED;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::{abridged, bytes, counted};
use crate::types::dtype::NUMPY_AXES;
use crate::types::item_type::leniency::Leniency;
use crate::types::item_type::{ItemType, Literal, Value, push_shape};
use ndbytes_schemas::npy::Npy;
use std::ops::Range;

/// The maximum number of items without bytes, which a file can declare at no cost. 1 Mi is our own choice. A larger number is
/// refused as `limit-exceeded`.
const MOST_EMPTY: u64 = 1 << 20;

/// The path of the text of the header.
const TEXT: &str = "header.text";

/// The array that a header describes.
#[derive(Debug, Clone)]
pub(crate) struct Array {
    pub item_type: ItemType,
    /// The length of each axis.
    pub shape: Vec<u64>,
    /// True if the first axis varies fastest.
    pub is_fortran_order: bool,
    /// The number of items.
    pub count: u64,
}

impl Array {
    /// The total length of all items in bytes.
    pub fn length(&self) -> u64 {
        self.count * self.item_type.size()
    }

    /// The axis that varies slowest; `None` if there are no axes.
    pub fn slowest_axis(&self) -> Option<usize> {
        if self.is_fortran_order { self.shape.len().checked_sub(1) } else { (!self.shape.is_empty()).then_some(0) }
    }

    /// The length in bytes of all items at one index of that axis; `None` if there are none.
    pub fn row(&self) -> Option<u64> {
        let slowest = self.slowest_axis()?;
        let others = self.shape.iter().enumerate().filter(|(axis, _)| *axis != slowest);
        let row = others.map(|(_, extent)| *extent).try_fold(self.item_type.size(), u64::checked_mul)?;
        (row > 0).then_some(row)
    }
}

/// The number of arrays in a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Several {
    /// The number of complete arrays at the beginning of the file.
    pub count: u64,
    /// True if the last of these arrays ends where the file does.
    pub is_all: bool,
}

/// The outcome of checking a header.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    /// The array; `None` if an error prevents reading it.
    pub array: Option<Array>,
    pub findings: Vec<Finding>,
}

/// Checks the header of a file.
pub(crate) fn judge_header(header: &Npy) -> Judged {
    let mut judge = Judge { header, findings: Vec::new(), leniency: Leniency::strict() };
    let array = judge.array();
    let mut findings = judge.findings;
    if array.is_none()
        && let Some(first) = findings.iter_mut().find(|finding| finding.is_error())
        && let Some((array, spellings)) = read_leniently(header)
    {
        let (length, present) = (array.length(), header.payload.present);
        let fits = match length == present {
            true => "the file fits exactly".into(),
            false => format!("its items take {}, but {} follow", bytes(length), bytes(present)),
        };
        let (item_type, shape) = (abridged(array.item_type.to_string()), tuple(&array.shape));
        first.help = Some(format!("{spellings}: read as {item_type} in the shape {shape}, {fits}"));
    }
    Judged { array, findings }
}

/// Returns the array that a header describes in spellings that NumPy does not load, and a description of these spellings. `None` if
/// there are none, or if some have no clear meaning.
pub(crate) fn read_leniently(header: &Npy) -> Option<(Array, String)> {
    let mut judge = Judge { header, findings: Vec::new(), leniency: Leniency::lenient() };
    let array = judge.array()?;
    let spellings = judge.leniency.seen().join("; ");
    (!spellings.is_empty()).then_some((array, spellings))
}

const FURTHER_KEYS: &str = "the dictionary has a key more";
const NUMBER: &str = "`fortran_order` is a number";
const LIST: &str = "`shape` is a list";
const INTEGER: &str = "`shape` is a number";
const SUBARRAY: &str = "the items are arrays, whose axes belong to `shape`";

struct Judge<'h> {
    header: &'h Npy,
    findings: Vec<Finding>,
    leniency: Leniency,
}

impl Judge<'_> {
    /// The range of the header's text in the file.
    fn text(&self) -> Range<u64> {
        let end = self.header.payload.offset;
        end - self.header.header.text().len() as u64..end
    }

    fn find(&mut self, rule: &'static Rule, message: impl Into<String>) {
        self.findings.push(Finding::new(rule, TEXT, self.text(), message));
    }

    /// A finding at one byte of the text.
    fn find_at(&mut self, rule: &'static Rule, at: usize, message: impl Into<String>) {
        self.findings.push(self.finding_at(rule, at, message));
    }

    fn finding_at(&self, rule: &'static Rule, at: usize, message: impl Into<String>) -> Finding {
        let (start, end) = (self.text().start + at as u64, self.text().end);
        Finding::new(rule, TEXT, start.min(end)..(start + 1).min(end), message)
    }

    fn array(&mut self) -> Option<Array> {
        let Npy { major, minor, .. } = *self.header;
        if !matches!((major, minor), (1..=3, 0)) {
            let message = "this version of the format is not defined";
            let finding = Finding::new(&rules::VERSION, "major", 6..8, message);
            self.findings.push(finding.expected("1.0, 2.0 or 3.0").found(format!("{major}.{minor}")));
            return None;
        }
        let text = match Text::of(self.header) {
            Ok(text) => text,
            Err(at) => {
                self.find_at(&rules::ENCODING, at, "the header is not UTF-8");
                return None;
            }
        };
        let characters = text.characters();
        if characters > LONGEST {
            self.find(&rules::LONG_HEADER, format!("the header has {characters} characters"));
        }
        if !self.text().end.is_multiple_of(16) {
            let at = self.text().end;
            let message = "the elements do not begin at a multiple of 16 bytes";
            self.findings.push(Finding::new(&rules::ALIGNMENT, "payload", at..at, message).found(format!("byte {at}")));
        }
        let dictionary = match text.dictionary_as(&mut self.leniency) {
            Ok(dictionary) => dictionary,
            Err(NoDictionary::Syntax(at, why)) => {
                self.find_at(&rules::SYNTAX, at, format!("the header is not a dictionary of Python: {why}"));
                return None;
            }
            Err(NoDictionary::TooDeep(at, problem)) => {
                self.find_at(&LIMIT_EXCEEDED, at, format!("the header cannot be read: {problem}"));
                return None;
            }
        };
        self.judge_writing(&dictionary);
        let [(descr, at_descr), (order, at_order), (shape, at_shape)] = self.values(&dictionary, &text)?;
        let is_fortran_order = match order.value {
            Value::Bool(order) => Some(order),
            Value::Integer(order @ (0 | 1)) if self.leniency.takes(NUMBER) => Some(order == 1),
            _ => {
                self.find_at(&rules::FORTRAN_ORDER, at_order, "`fortran_order` is neither `True` nor `False`");
                None
            }
        };
        let item_type = self.item_type(descr, at_descr);
        let shape = self.shape(shape, at_shape, item_type.as_ref())?;
        let (item_type, is_fortran_order) = (item_type?, is_fortran_order?);
        let count = self.count(&shape, at_shape, &item_type)?;
        let array = Array { item_type, shape, is_fortran_order, count };
        self.judge_subarray(array, at_descr)
    }

    fn judge_writing(&mut self, dictionary: &Dictionary) {
        if let Some(at) = dictionary.first_long {
            self.find_at(&rules::LONG_INTEGER, at, "an integer has the suffix `L` of Python 2");
        }
        if !dictionary.is_as_written {
            self.find(&rules::STYLE, "the dictionary is not formatted as Python formats it");
        }
        if !dictionary.is_padded {
            self.find(&rules::PADDING, "the dictionary is not followed by only spaces and one newline");
        }
    }

    /// The values of the three keys, with their positions in the text.
    fn values<'d>(&mut self, dictionary: &'d Dictionary, text: &Text<'_>) -> Option<[(&'d Literal, usize); 3]> {
        let mut values = [None; 3];
        let mut twice = None;
        for (key, value) in &dictionary.entries {
            let place = match &key.value {
                Value::Text(name) => ["descr", "fortran_order", "shape"].iter().position(|known| known == name),
                _ => None,
            };
            let Some(place) = place else {
                if self.leniency.takes(FURTHER_KEYS) {
                    continue;
                }
                let at = text.place(key.position);
                let message = "the dictionary has keys other than `descr`, `fortran_order` and `shape`";
                self.find_at(&rules::KEYS, at, message);
                return None;
            };
            if values[place].replace(value).is_some() {
                twice = Some(key);
            }
        }
        if let Some(Literal { value: Value::Text(key), position }) = twice {
            let message = format!("the dictionary has the key `{key}` twice");
            self.find_at(&rules::DUPLICATE_KEY, text.place(*position), message);
        }
        let placed = |literal: &'d Literal| (literal, text.place(literal.position));
        match values {
            [Some(descr), Some(order), Some(shape)] => Some([descr, order, shape].map(placed)),
            _ => {
                self.find(&rules::KEYS, "the dictionary is missing one of `descr`, `fortran_order` and `shape`");
                None
            }
        }
    }

    fn item_type(&mut self, descr: &Literal, at: usize) -> Option<ItemType> {
        match described_as(descr, &mut self.leniency) {
            Ok(described) => {
                if !described.is_as_written {
                    self.find_at(
                        &rules::TYPE_NAME,
                        at,
                        "`descr` has a type name that NumPy accepts but does not write",
                    );
                }
                return Some(described.item_type);
            }
            Err(Why::Objects) => {
                let message = "the items are Python objects: they are stored as a pickle";
                let help = "loading a pickle runs code: ask for the data without objects";
                self.findings.push(self.finding_at(&rules::OBJECTS, at, message).help(help));
            }
            Err(Why::TooManyValues(problem)) => self.find_at(&LIMIT_EXCEEDED, at, problem.to_string()),
            // A name in the message may be as long as the header.
            Err(Why::Unknown(why)) => {
                self.find_at(&rules::DESCR, at, format!("`descr` is not a valid NumPy dtype: {}", abridged(why)))
            }
        }
        None
    }

    /// The lengths of the axes. Negative lengths are refused, but NumPy treats one of them as unknown if the product of all lengths
    /// wraps around.
    fn shape(&mut self, shape: &Literal, at: usize, item_type: Option<&ItemType>) -> Option<Vec<u64>> {
        let extents = match &shape.value {
            Value::Tuple(extents) => &extents[..],
            Value::List(extents) if self.leniency.takes(LIST) => &extents[..],
            Value::Integer(_) if self.leniency.takes(INTEGER) => std::slice::from_ref(shape),
            _ => {
                self.find_at(&rules::SHAPE, at, "`shape` is not a tuple");
                return None;
            }
        };
        let extents = extents.iter().map(|extent| match extent.value {
            Value::Integer(extent) => Some(extent),
            _ => None,
        });
        let Some(extents) = extents.collect::<Option<Vec<i128>>>() else {
            self.find_at(&rules::SHAPE, at, "a dimension in `shape` is not an integer");
            return None;
        };
        if extents.len() > NUMPY_AXES {
            self.find_at(
                &rules::SHAPE,
                at,
                format!("the {} axes of `shape` exceed the maximum of {NUMPY_AXES}", extents.len()),
            );
            return None;
        }
        if let Some(extent) = extents.iter().find(|extent| **extent < 0) {
            let finding = self.finding_at(&rules::SHAPE, at, "a dimension in `shape` is negative");
            let is_taken = item_type.is_some_and(|item_type| self.is_inferred(&extents, item_type));
            let reference = if is_taken { Reference::Accepts } else { Reference::Refuses };
            self.findings.push(finding.found(extent).with_reference(reference));
            return None;
        }
        Some(extents.into_iter().map(|extent| u64::try_from(extent).unwrap_or(u64::MAX)).collect())
    }

    /// Returns whether NumPy finds as many items as the product of the axis lengths, truncated to 64 bits, and can divide them
    /// among the axes that are not negative.
    fn is_inferred(&self, extents: &[i128], item_type: &ItemType) -> bool {
        let Ok(extents) = extents.iter().map(|&extent| i64::try_from(extent)).collect::<Result<Vec<_>, _>>() else {
            return false;
        };
        let known = extents.iter().filter(|&&extent| extent >= 0);
        let is_one_unknown = known.clone().count() + 1 == extents.len();
        let product = known.clone().try_fold(1_i64, |product, &extent| product.checked_mul(extent));
        let wrapped = extents.iter().fold(1_i64, |product, extent| product.wrapping_mul(*extent));
        match (u64::try_from(wrapped), product) {
            (Ok(count), Some(known @ 1..)) => {
                is_one_unknown && self.found(item_type, count) == Some(count) && count % known.unsigned_abs() == 0
            }
            _ => false,
        }
    }

    /// The number of items that NumPy finds when looking for `count`; for subarrays, the number of their items. `None`
    /// if the number is out of bounds.
    fn found(&self, item_type: &ItemType, count: u64) -> Option<u64> {
        let size = item_type.size();
        let whole = match self.header.payload.present.checked_div(size) {
            Some(items) => items.min(count),
            None => count,
        };
        match item_type {
            ItemType::Subarray(subarray) => whole.checked_mul(subarray.count()),
            _ => Some(whole),
        }
    }

    /// The number of items.
    fn count(&mut self, shape: &[u64], at: usize, item_type: &ItemType) -> Option<u64> {
        let nonzero = shape.iter().filter(|&&extent| extent > 0);
        let product = nonzero.clone().try_fold(item_type.size().max(1), |bytes, &extent| bytes.checked_mul(extent));
        let is_empty = shape.contains(&0);
        if product.is_none_or(|bytes| i64::try_from(bytes).is_err()) {
            let message = "the product of the axis lengths exceeds the maximum size of a file";
            let finding = self.finding_at(&rules::SIZE_OVERFLOW, at, message);
            // If there are no items, NumPy multiplies the lengths only if the item size is not zero.
            let fit = nonzero.clone().all(|&extent| i64::try_from(extent).is_ok());
            let is_taken = is_empty && item_type.size() == 0 && fit;
            let reference = if is_taken { Reference::Accepts } else { Reference::Refuses };
            self.findings.push(finding.with_reference(reference));
            return None;
        }
        let count = if is_empty { 0 } else { shape.iter().product() };
        if item_type.size() == 0 && count > MOST_EMPTY {
            let message = format!("there are {count} empty items, but at most {MOST_EMPTY} are read");
            self.find_at(&LIMIT_EXCEEDED, at, message);
            return None;
        }
        Some(count)
    }

    fn judge_subarray(&mut self, array: Array, at: usize) -> Option<Array> {
        let Array { item_type, count, .. } = &array;
        if !matches!(item_type, ItemType::Subarray(_)) {
            return Some(array);
        }
        if !array.is_fortran_order && self.leniency.takes(SUBARRAY) {
            return flattened(array);
        }
        let message = "the type of all items is a subarray, whose axes belong to `shape`";
        let finding = self.finding_at(&rules::SUBARRAY, at, message);
        let is_taken = self.found(item_type, *count) == Some(*count);
        let reference = if is_taken { Reference::Accepts } else { Reference::Refuses };
        self.findings.push(finding.with_reference(reference));
        None
    }
}

/// Returns the same array, with the axes of its items added to its shape.
fn flattened(mut array: Array) -> Option<Array> {
    while let ItemType::Subarray(subarray) = array.item_type {
        array.shape.extend(subarray.shape());
        array.item_type = subarray.item_type().clone();
    }
    array.count = array.shape.iter().try_fold(1_u64, |count, &extent| count.checked_mul(extent))?;
    (array.shape.len() <= NUMPY_AXES).then_some(array)
}

/// Returns the shape of an array whose rows fill `present` bytes exactly, along the axis that varies slowest.
pub(crate) fn fitting_shape(array: &Array, present: u64) -> Option<Vec<u64>> {
    let slowest = array.slowest_axis()?;
    let row = array.row()?;
    let mut shape = array.shape.clone();
    shape[slowest] = present.checked_div(row).filter(|rows| rows * row == present)?;
    Some(shape)
}

/// Checks whether the items end where the file does.
pub(crate) fn judge_end(header: &Npy, array: &Array, several: Option<Several>, findings: &mut Vec<Finding>) {
    let (payload, trailing) = (header.payload, header.trailing);
    if payload.is_truncated() {
        let end = payload.range().end;
        let message = format!("the items are missing {}", bytes(payload.length - payload.present));
        let finding = Finding::new(&rules::TRUNCATED_PAYLOAD, "payload", end..end, message);
        findings.push(finding.expected(bytes(payload.length)).found(bytes(payload.present)));
    }
    if trailing.length > 0 {
        let after = format!("{} after the last of {}", bytes(trailing.length), counted(array.count, "item"));
        let finding =
            Finding::new(&rules::TRAILING_BYTES, "trailing", trailing.range(), format!("the file has {after}"));
        let present = payload.length.saturating_add(trailing.length);
        findings.push(finding.helped(match several {
            Some(Several { count: 1, .. }) => Some("another array begins there, which is cut or damaged".into()),
            Some(Several { count, is_all }) => {
                let (least, last) = (if is_all { "" } else { "at least " }, count - 1);
                Some(format!(
                    "{least}{count} arrays were saved to this file, of which NumPy loads the first: the others have the addresses \
                     `FILE!1` to `FILE!{last}`"
                ))
            }
            None => fitting_shape(array, present).map(|shape| format!("as {} the file fits exactly", tuple(&shape))),
        }));
    }
}

/// Formats a shape in NumPy's syntax.
pub(crate) fn tuple(shape: &[u64]) -> String {
    let mut text = String::new();
    push_shape(&mut text, shape);
    text
}
