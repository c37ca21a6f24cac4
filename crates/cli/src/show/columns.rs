//! Formats items of any type, on their own and in the columns of a printed NumPy array.
//!
//! Crates that lay out tables align cells by width. NumPy, however, aligns numbers at the decimal point, and the digits
//! of each number depend on all others in the array.

use crate::show::float_format::{FloatColumn, pad};
use crate::show::real::Real;
use ndbytes::{ElementKind, Item, ItemType, Scalar, TimeUnit, quoted};
use std::fmt::Write;

/// Subarrays with more items are summarised (`threshold` in `numpy.printoptions`).
pub const THRESHOLD: usize = 1000;
/// The number of items that a summary shows at each end of an axis (`edgeitems`).
pub const EDGE_ITEMS: usize = 3;
/// The placeholder for the items that a summary omits.
pub const ELLIPSIS: &str = "...";

/// The text of an undefined point in time or duration.
const NOT_A_TIME: &str = "NaT";

/// Returns the text of a single item, like `str` of a NumPy scalar: floating-point numbers in the fewest digits that
/// identify them. In texts, nonprintable characters are escaped, so they cannot control the terminal.
pub fn item_text(item: Item<'_>) -> String {
    let ItemType::Plain(_) = item.item_type() else {
        let mut column = Column::of(item.item_type(), Place::Alone);
        column.include(item);
        let mut text = String::new();
        column.push(&mut text, item);
        return text;
    };
    scalar_text(&item.scalar())
}

/// Formats a plain value on its own.
fn scalar_text(scalar: &Scalar) -> String {
    match scalar {
        Scalar::Bool(true) => "True".to_owned(),
        Scalar::Bool(false) => "False".to_owned(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Uint(value) => value.to_string(),
        Scalar::F16(value) => Real::from(*value).scalar(),
        Scalar::F32(value) => Real::from(*value).scalar(),
        Scalar::F64(value) => Real::from(*value).scalar(),
        Scalar::LongDouble(value) => Real::from(*value).scalar(),
        Scalar::Complex64(real, imaginary) => complex_scalar((*real).into(), (*imaginary).into()),
        Scalar::Complex128(real, imaginary) => complex_scalar((*real).into(), (*imaginary).into()),
        Scalar::ComplexLongDouble(real, imaginary) => complex_scalar((*real).into(), (*imaginary).into()),
        Scalar::Bytes(bytes) => raw_text(bytes),
        Scalar::ByteString(bytes) => bytes_text(bytes),
        Scalar::Str(units) => units.iter().map(|&unit| harmless(unit)).collect(),
        Scalar::DateTime(steps, unit) => point_text(*steps, *unit),
        Scalar::TimeDelta(i64::MIN, _) => NOT_A_TIME.to_owned(),
        Scalar::TimeDelta(steps, unit) => {
            format!("{} {}", i128::from(*steps) * i128::from(unit.count), unit.unit.words())
        }
        Scalar::Structure(_) | Scalar::Subarray(..) => unreachable!("these are not plain values"),
    }
}

/// Formats `(1+2j)`, or `2j` without a real part.
fn complex_scalar(real: Real, imaginary: Real) -> String {
    if real.is_positive_zero() {
        format!("{}j", imaginary.complex_part(false))
    } else {
        format!("({}{}j)", real.complex_part(false), imaginary.complex_part(true))
    }
}

/// `b'\x01\xAB'`.
fn raw_text(bytes: &[u8]) -> String {
    let mut text = String::from("b'");
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02X}");
    }
    text + "'"
}

/// Formats bytes like Python's `repr`: `b'ab\x00'`.
fn bytes_text(bytes: &[u8]) -> String {
    // Bytes beyond ASCII would be printable as characters.
    let mut text = String::from("b");
    let ascii = quoted(bytes.iter().map(|&byte| if byte < 0x80 { byte.into() } else { u32::from(b'.') }));
    let quote = &ascii[..1];
    text.push_str(quote);
    for &byte in bytes {
        match byte {
            0x80.. => text.push_str(&format!("\\x{byte:02x}")),
            byte if quote.as_bytes() == [byte] => text.extend(['\\', char::from(byte)]),
            b'\'' | b'"' => text.push(char::from(byte)),
            byte => {
                let letter = quoted(std::iter::once(byte.into()));
                text.push_str(&letter[1..letter.len() - 1]);
            }
        }
    }
    text + quote
}

/// Formats a character for a text without quotes.
fn harmless(unit: u32) -> String {
    if let Some(letter @ ('\\' | '\'' | '"')) = char::from_u32(unit) {
        return letter.to_string();
    }
    let letter = quoted(std::iter::once(unit));
    letter[1..letter.len() - 1].to_owned()
}

/// Formats a point in time. Generic steps are not points in time, and NumPy also refuses to print them.
fn point_text(steps: i64, unit: TimeUnit) -> String {
    match steps {
        i64::MIN => NOT_A_TIME.to_owned(),
        steps => unit.point(steps).unwrap_or_else(|| steps.to_string()),
    }
}

/// The context of the items.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// In a structure that is printed on its own.
    Alone,
    /// In an array, or in a subarray.
    Array,
    /// In a subarray of a structure that is printed on its own. Floating-point numbers are formatted like single ones.
    AloneArray,
}

/// The shared layout of an array's printed items, which depends on all of them.
pub enum Column {
    /// Texts and raw bytes, which are not aligned.
    Words,
    Bools(Place),
    Integers {
        width: usize,
    },
    /// Numbers, each in the fewest digits.
    ExactReals,
    Reals(FloatColumn),
    Complex(Box<(FloatColumn, FloatColumn)>),
    Times(Times),
    Structure(Vec<Column>),
    Subarray(Box<Column>),
}

/// Points in time or durations.
#[derive(Default)]
pub struct Times {
    /// The first and the last time, and the lengths of their texts.
    extremes: Option<[(i64, usize); 2]>,
    /// The length of the text of an undefined time, if there is one.
    nothing: usize,
}

impl Column {
    /// Creates the column of an item type, before any item.
    pub fn of(item_type: &ItemType, place: Place) -> Self {
        let kind = match item_type {
            ItemType::Plain(dtype) => dtype.kind,
            ItemType::Structure(structure) => {
                let fields = structure.fields().iter().map(|field| Column::of(&field.item_type, place));
                return Column::Structure(fields.collect());
            }
            ItemType::Subarray(subarray) => {
                let place = if place == Place::Array { Place::Array } else { Place::AloneArray };
                return Column::Subarray(Column::of(subarray.item_type(), place).into());
            }
        };
        let is_exact = place != Place::Array;
        match kind {
            ElementKind::Bool | ElementKind::Bit => Column::Bools(place),
            ElementKind::F16 | ElementKind::F32 | ElementKind::F64 | ElementKind::Bf16 | ElementKind::LongDouble
                if is_exact =>
            {
                Column::ExactReals
            }
            ElementKind::F16 | ElementKind::F32 | ElementKind::F64 | ElementKind::Bf16 | ElementKind::LongDouble => {
                Column::Reals(FloatColumn::new(false))
            }
            ElementKind::Complex32
            | ElementKind::Complex64
            | ElementKind::Complex128
            | ElementKind::ComplexLongDouble => {
                Column::Complex(Box::new((FloatColumn::new(false), FloatColumn::new(true))))
            }
            ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => Column::Times(Times::default()),
            ElementKind::Bytes(_) | ElementKind::Str(_) | ElementKind::Record(_) => Column::Words,
            _ => Column::Integers { width: 0 },
        }
    }

    /// Makes room for an item.
    pub fn include(&mut self, item: Item<'_>) {
        match self {
            Column::Words | Column::Bools(_) | Column::ExactReals => {}
            Column::Integers { width } => *width = (*width).max(scalar_text(&item.scalar()).len()),
            Column::Reals(column) => column.include(real(&item.scalar())),
            Column::Complex(parts) => {
                let (real, imaginary) = complex(&item.scalar());
                parts.0.include(real);
                parts.1.include(imaginary);
            }
            Column::Times(times) => times.include(&item.scalar()),
            Column::Structure(columns) => {
                columns.iter_mut().zip(item.fields()).for_each(|(column, (_, field))| column.include(field));
            }
            Column::Subarray(column) => item.items().for_each(|item| column.include(item)),
        }
    }

    /// Appends an item.
    pub fn push(&self, text: &mut String, item: Item<'_>) {
        match self {
            Column::Words => text.push_str(&match item.scalar() {
                Scalar::Str(units) => quoted(units.iter().copied()),
                scalar => scalar_text(&scalar),
            }),
            // In an array, booleans are padded even if no element is false.
            Column::Bools(place) => match item.scalar() {
                Scalar::Bool(true) if *place != Place::Alone => text.push_str(" True"),
                scalar => text.push_str(&scalar_text(&scalar)),
            },
            Column::ExactReals => text.push_str(&scalar_text(&item.scalar())),
            Column::Integers { width } => push_right(text, &scalar_text(&item.scalar()), *width),
            Column::Reals(column) => column.push(text, real(&item.scalar())),
            Column::Complex(parts) => {
                let (real, imaginary) = complex(&item.scalar());
                parts.0.push(text, real);
                parts.1.push(text, imaginary);
                // The imaginary unit directly follows the digits; the padding comes after it.
                let end = text.trim_end().len();
                text.insert(end, 'j');
            }
            Column::Times(times) => push_right(text, &time_text(&item.scalar()), times.width()),
            Column::Structure(columns) => {
                text.push('(');
                for (place, (column, (_, field))) in columns.iter().zip(item.fields()).enumerate() {
                    text.push_str(if place == 0 { "" } else { ", " });
                    column.push(text, field);
                }
                text.push_str(if columns.len() == 1 { ",)" } else { ")" });
            }
            Column::Subarray(column) => {
                let ItemType::Subarray(subarray) = item.item_type() else { unreachable!("the column is of this type") };
                let shape: Vec<usize> = subarray.shape().iter().map(|&extent| extent as usize).collect();
                let is_summarised = subarray.count() as usize > THRESHOLD;
                let push = |text: &mut String, place| {
                    column.push(text, Item::at(item.bytes(), place, subarray.item_type()));
                };
                push_subarray(text, &shape, 0, is_summarised, &push);
            }
        }
    }
}

/// Appends a subarray that begins with this item, on one line.
fn push_subarray(
    text: &mut String,
    shape: &[usize],
    first: usize,
    is_summarised: bool,
    push: &dyn Fn(&mut String, usize),
) {
    let Some((&extent, inner)) = shape.split_first() else { return push(text, first) };
    let stride: usize = if inner.contains(&0) { 0 } else { inner.iter().product() };
    let skips = is_summarised && extent > 2 * EDGE_ITEMS;
    text.push('[');
    let mut place = 0;
    while place < extent {
        text.push_str(if place == 0 { "" } else { ", " });
        if skips && place == EDGE_ITEMS {
            text.push_str(ELLIPSIS);
            text.push_str(", ");
            place = extent - EDGE_ITEMS;
        }
        push_subarray(text, inner, first + place * stride, is_summarised, push);
        place += 1;
    }
    text.push(']');
}

/// Appends a right-aligned word.
fn push_right(text: &mut String, word: &str, width: usize) {
    pad(text, width.saturating_sub(word.len()));
    text.push_str(word);
}

/// Returns the number of a real scalar.
fn real(scalar: &Scalar) -> Real {
    match scalar {
        Scalar::F16(value) => (*value).into(),
        Scalar::F32(value) => (*value).into(),
        Scalar::F64(value) => (*value).into(),
        Scalar::LongDouble(value) => (*value).into(),
        other => unreachable!("{other:?} is not a real number"),
    }
}

/// Returns the parts of a complex scalar.
fn complex(scalar: &Scalar) -> (Real, Real) {
    match scalar {
        Scalar::Complex64(real, imaginary) => ((*real).into(), (*imaginary).into()),
        Scalar::Complex128(real, imaginary) => ((*real).into(), (*imaginary).into()),
        Scalar::ComplexLongDouble(real, imaginary) => ((*real).into(), (*imaginary).into()),
        other => unreachable!("{other:?} is not a complex number"),
    }
}

impl Times {
    /// Takes the width of a time into account. NaT has its own width.
    fn include(&mut self, scalar: &Scalar) {
        let (Scalar::DateTime(steps, _) | Scalar::TimeDelta(steps, _)) = *scalar else {
            unreachable!("{scalar:?} is not a time");
        };
        let length = || time_text(scalar).len();
        if steps == i64::MIN {
            self.nothing = length();
            return;
        }
        let [first, last] = self.extremes.get_or_insert_with(|| [(steps, length()); 2]);
        if steps < first.0 {
            *first = (steps, length());
        } else if steps > last.0 {
            *last = (steps, length());
        }
    }

    /// Returns the width. NumPy makes room for the first and the last time, not for the longest one.
    fn width(&self) -> usize {
        self.extremes.map_or(0, |[first, last]| first.1.max(last.1)).max(self.nothing)
    }
}

/// Formats a time. In arrays, points in time have quotes, even undefined ones.
fn time_text(scalar: &Scalar) -> String {
    match scalar {
        Scalar::TimeDelta(steps, _) if *steps != i64::MIN => steps.to_string(),
        scalar => format!("'{}'", scalar_text(scalar)),
    }
}
