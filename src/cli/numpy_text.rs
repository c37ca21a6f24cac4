//! Arrays as text, the way `print` shows a NumPy array.
//!
//! The rules are the defaults of [`numpy.printoptions`]: `linewidth=75`, `threshold=1000`, `edgeitems=3` and, for
//! floating-point numbers, those of the `float_format` module. Where versions of NumPy differ, this follows 2.3 and
//! later.
//!
//! [`numpy.printoptions`]: https://numpy.org/doc/stable/reference/generated/numpy.set_printoptions.html

use super::float_format::{FloatColumn, Real, pad};
use ndbytes::Scalar;
use std::fmt::{self, Write};

/// Columns a line may fill (`linewidth`: "the number of characters per line for the purpose of inserting line breaks").
const LINE_WIDTH: usize = 75;
/// Arrays of more elements are summarised (`threshold`).
const THRESHOLD: usize = 1000;
/// Elements kept at either end of each axis of a summary (`edgeitems`).
const EDGE_ITEMS: usize = 3;
/// Stands for the elements a summary leaves out.
const ELLIPSIS: &str = "...";

/// Writes an array as `print` of a NumPy array does, without the final line break.
///
/// Lines are broken at 75 columns, and an array of more than 1000 elements is summarised: of every axis longer than 6,
/// only 3 elements are shown at either end. An array without elements is `[]` whatever its shape, and one without
/// dimensions is its only element as [`scalar_text`] gives it.
///
/// `item(k)` must give the `k`-th element in C order of `shape`, the same whenever it is asked: it is called twice for
/// every element shown, once to find the common width and once to print, and never for the others. The elements should
/// all be of the same variant.
///
/// # Errors
///
/// Only those of `out`.
pub fn write_array(out: &mut impl Write, shape: &[usize], item: &mut dyn FnMut(usize) -> Scalar) -> fmt::Result {
    if shape.contains(&0) {
        return out.write_str("[]");
    }
    if shape.is_empty() {
        return out.write_str(&scalar_text(&item(0)));
    }

    let mut columns = Columns::new();
    let mut cursor = Cursor::new(shape);
    loop {
        columns.include(&item(cursor.offset));
        if cursor.advance().is_none() {
            break;
        }
    }

    let rank = shape.len();
    let last_axis = rank - 1;
    let mut lines = Lines::new(out, rank);
    let mut word = String::new();
    cursor = Cursor::new(shape);
    lines.open(0, rank);
    loop {
        word.clear();
        columns.push(&mut word, &item(cursor.offset));
        lines.push_word(&word)?;
        let Some(axis) = cursor.advance() else { break };
        if axis < last_axis {
            lines.close(last_axis - axis)?;
            if cursor.skipped(axis) {
                lines.push_skipped_rows(axis)?;
            }
            lines.open(axis + 1, last_axis - axis);
        } else if cursor.skipped(axis) {
            lines.push_word(ELLIPSIS)?;
        }
    }
    lines.close(rank)
}

/// One element on its own, as `str` of a NumPy scalar: floating-point numbers in the fewest digits that identify them.
pub fn scalar_text(item: &Scalar) -> String {
    match item {
        Scalar::Bool(true) => "True".to_owned(),
        Scalar::Bool(false) => "False".to_owned(),
        Scalar::Int(value) => value.to_string(),
        Scalar::Uint(value) => value.to_string(),
        Scalar::F16(value) => Real::from(*value).scalar(),
        Scalar::F32(value) => Real::from(*value).scalar(),
        Scalar::F64(value) => Real::from(*value).scalar(),
        Scalar::Complex64(real, imaginary) => complex_scalar((*real).into(), (*imaginary).into()),
        Scalar::Complex128(real, imaginary) => complex_scalar((*real).into(), (*imaginary).into()),
        Scalar::Bytes(bytes) => {
            let mut text = String::new();
            push_bytes(&mut text, bytes);
            text
        }
        other => format!("{other:?}"),
    }
}

/// `(1+2j)`, or `2j` without a real part.
fn complex_scalar(real: Real, imaginary: Real) -> String {
    if real.is_positive_zero() {
        format!("{}j", imaginary.complex_part(false))
    } else {
        format!("({}{}j)", real.complex_part(false), imaginary.complex_part(true))
    }
}

fn push_bytes(text: &mut String, bytes: &[u8]) {
    *text += "b'";
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "\\x{byte:02X}");
    }
    text.push('\'');
}

/// What the elements of an array have in common when printed: first it is shown all of them, then it writes them.
struct Columns {
    integer_width: usize,
    real: FloatColumn,
    imaginary: FloatColumn,
}

impl Columns {
    fn new() -> Self {
        Columns { integer_width: 0, real: FloatColumn::new(false), imaginary: FloatColumn::new(true) }
    }

    fn include(&mut self, item: &Scalar) {
        match item {
            Scalar::Int(_) | Scalar::Uint(_) => self.integer_width = self.integer_width.max(scalar_text(item).len()),
            Scalar::F16(value) => self.real.include((*value).into()),
            Scalar::F32(value) => self.real.include((*value).into()),
            Scalar::F64(value) => self.real.include((*value).into()),
            Scalar::Complex64(real, imaginary) => {
                self.real.include((*real).into());
                self.imaginary.include((*imaginary).into());
            }
            Scalar::Complex128(real, imaginary) => {
                self.real.include((*real).into());
                self.imaginary.include((*imaginary).into());
            }
            _ => {}
        }
    }

    fn push(&self, text: &mut String, item: &Scalar) {
        match item {
            // Padded even if no element is false.
            Scalar::Bool(value) => *text += if *value { " True" } else { "False" },
            Scalar::Int(_) | Scalar::Uint(_) => {
                let digits = scalar_text(item);
                pad(text, self.integer_width.saturating_sub(digits.len()));
                *text += &digits;
            }
            Scalar::F16(value) => self.real.push(text, (*value).into()),
            Scalar::F32(value) => self.real.push(text, (*value).into()),
            Scalar::F64(value) => self.real.push(text, (*value).into()),
            Scalar::Complex64(real, imaginary) => self.push_complex(text, (*real).into(), (*imaginary).into()),
            Scalar::Complex128(real, imaginary) => self.push_complex(text, (*real).into(), (*imaginary).into()),
            Scalar::Bytes(bytes) => push_bytes(text, bytes),
            other => *text += &scalar_text(other),
        }
    }

    fn push_complex(&self, text: &mut String, real: Real, imaginary: Real) {
        self.real.push(text, real);
        self.imaginary.push(text, imaginary);
        // The unit belongs to the digits; the padding comes after it.
        let end = text.trim_end().len();
        text.insert(end, 'j');
    }
}

/// Walks through the elements that are shown, in C order.
struct Cursor {
    axes: Vec<Axis>,
    /// Index of the current element among all elements in C order.
    offset: usize,
}

struct Axis {
    position: usize,
    length: usize,
    /// How far apart neighbours on this axis are in C order.
    stride: usize,
    summarised: bool,
}

impl Cursor {
    /// Starts at the first element; no axis may be empty.
    fn new(shape: &[usize]) -> Self {
        // A product beyond `usize` is no real array, but must not end in a panic.
        let size = shape.iter().fold(1_usize, |size, &length| size.saturating_mul(length));
        let mut axes: Vec<Axis> = shape
            .iter()
            .map(|&length| Axis {
                position: 0,
                length,
                stride: 1,
                summarised: size > THRESHOLD && length > 2 * EDGE_ITEMS,
            })
            .collect();
        let mut stride = 1_usize;
        for axis in axes.iter_mut().rev() {
            axis.stride = stride;
            stride = stride.wrapping_mul(axis.length);
        }
        Cursor { axes, offset: 0 }
    }

    /// Goes to the next element shown and returns the outermost axis that moved; `None` after the last element.
    fn advance(&mut self) -> Option<usize> {
        for (index, axis) in self.axes.iter_mut().enumerate().rev() {
            let old = axis.position;
            if old + 1 == axis.length {
                axis.position = 0;
                self.offset = self.offset.wrapping_sub(old.wrapping_mul(axis.stride));
                continue;
            }
            let at_gap = axis.summarised && old + 1 == EDGE_ITEMS;
            axis.position = if at_gap { axis.length - EDGE_ITEMS } else { old + 1 };
            self.offset = self.offset.wrapping_add((axis.position - old).wrapping_mul(axis.stride));
            return Some(index);
        }
        None
    }

    /// Whether the last move on this axis passed over the elements a summary leaves out.
    fn skipped(&self, axis: usize) -> bool {
        let axis = &self.axes[axis];
        axis.summarised && axis.position == axis.length - EDGE_ITEMS
    }
}

/// Lays words out in lines and brackets.
struct Lines<'a, W> {
    out: &'a mut W,
    rank: usize,
    /// The line being filled: held back because a line that is broken loses the padding at its end.
    line: String,
    /// Whether the next word is the first of its line, and so not separated.
    at_start: bool,
}

impl<'a, W: Write> Lines<'a, W> {
    fn new(out: &'a mut W, rank: usize) -> Self {
        Lines { out, rank, line: String::new(), at_start: true }
    }

    /// Starts a row: `indent` brackets that stay open leave their width blank, then `count` new ones follow.
    fn open(&mut self, indent: usize, count: usize) {
        pad(&mut self.line, indent);
        self.line.extend(std::iter::repeat_n('[', count));
        self.at_start = true;
    }

    /// Adds an element to the row, on a new line if it does not fit.
    fn push_word(&mut self, word: &str) -> fmt::Result {
        // Every line leaves room for all brackets to be closed.
        let limit = LINE_WIDTH.saturating_sub(self.rank);
        if !self.at_start {
            if self.line.len() + 1 + word.len() > limit {
                self.out.write_str(self.line.trim_end())?;
                self.out.write_char('\n')?;
                self.line.clear();
                pad(&mut self.line, self.rank);
            } else {
                self.line.push(' ');
            }
        }
        self.line += word;
        self.at_start = false;
        Ok(())
    }

    /// Ends a row with `count` brackets, and its line with as many breaks unless it is the last.
    fn close(&mut self, count: usize) -> fmt::Result {
        self.line.extend(std::iter::repeat_n(']', count));
        let breaks = if count < self.rank { count } else { 0 };
        self.finish_line(breaks)
    }

    /// The line that stands for the rows left out on `axis`.
    fn push_skipped_rows(&mut self, axis: usize) -> fmt::Result {
        pad(&mut self.line, axis + 1);
        self.line += ELLIPSIS;
        self.finish_line(self.rank - 1 - axis)
    }

    fn finish_line(&mut self, breaks: usize) -> fmt::Result {
        self.line.extend(std::iter::repeat_n('\n', breaks));
        self.out.write_str(&self.line)?;
        self.line.clear();
        Ok(())
    }
}

/// Expectations are what NumPy 2.4.6 prints, unless a test says otherwise.
#[cfg(test)]
mod tests {
    use super::*;

    fn text(shape: &[usize], item: &mut dyn FnMut(usize) -> Scalar) -> String {
        let mut text = String::new();
        write_array(&mut text, shape, item).expect("strings can be written to");
        text
    }

    fn row<T: Copy>(values: &[T], item: impl Fn(T) -> Scalar) -> String {
        text(&[values.len()], &mut |k| item(values[k]))
    }

    #[test]
    fn doubles() {
        assert_eq!(row(&[1.0, 2.5, -3.125], Scalar::F64), "[ 1.     2.5   -3.125]");
        assert_eq!(row(&[1.0 / 3.0, 0.5], Scalar::F64), "[0.33333333 0.5       ]");
        assert_eq!(row(&[f64::NAN, f64::NEG_INFINITY, -0.0, 1.0], Scalar::F64), "[ nan -inf  -0.   1.]");
    }

    #[test]
    fn exponents() {
        assert_eq!(row(&[1e10, -1.5e-7, 0.0], Scalar::F64), "[ 1.0e+10 -1.5e-07  0.0e+00]");
        assert_eq!(row(&[1e100, 1e-5], Scalar::F64), "[1.e+100 1.e-005]");
        assert_eq!(row(&[99_999_999.0], Scalar::F64), "[99999999.]");
        assert_eq!(row(&[1e8], Scalar::F64), "[1.e+08]");
        assert_eq!(row(&[f64::NAN, -1e9], Scalar::F64), "[    nan -1.e+09]");
    }

    #[test]
    fn singles() {
        let values = [0.1, 1.0 / 3.0, 16777.0];
        assert_eq!(row(&values, Scalar::F32), "[1.0000000e-01 3.3333334e-01 1.6777000e+04]");
        assert_eq!(row(&[1e6, 1.5], Scalar::F32), "[1.0e+06 1.5e+00]");
        // The smallest single is shown with digits far beyond its precision.
        let values = [6.051_262_6e14, 5e-9, 1e-45];
        assert_eq!(row(&values, Scalar::F32), "[6.0512626e+14 5.0000000e-09 1.4012985e-45]");
    }

    #[test]
    fn halves() {
        let values = [0.1, 999.5, 1.0 / 3.0].map(half::f16::from_f64);
        assert_eq!(row(&values, Scalar::F16), "[9.998e-02 9.995e+02 3.333e-01]");
        assert_eq!(row(&[65504.0, 0.1].map(half::f16::from_f64), Scalar::F16), "[6.55e+04 1.00e-01]");
        assert_eq!(scalar_text(&Scalar::F16(half::f16::from_f64(0.015_625))), "0.01563");
    }

    #[test]
    fn integers() {
        assert_eq!(row(&[u128::from(u64::MAX), 0], Scalar::Uint), "[18446744073709551615                    0]");
        let values = [1, -20, 300, 4];
        assert_eq!(text(&[2, 2], &mut |k| Scalar::Int(values[k])), "[[  1 -20]\n [300   4]]");
    }

    #[test]
    fn booleans() {
        assert_eq!(row(&[true, false], Scalar::Bool), "[ True False]");
        assert_eq!(row(&[true], Scalar::Bool), "[ True]");
    }

    #[test]
    fn complex_numbers() {
        let values = [(1.0, 2.0), (-0.5, -10.25), (f64::NAN, f64::INFINITY)];
        assert_eq!(row(&values, |(re, im)| Scalar::Complex128(re, im)), "[ 1.  +2.j   -0.5-10.25j  nan  +infj]");
        let values = [(1.0, 1e-5), (1e7, -2.0)];
        assert_eq!(row(&values, |(re, im)| Scalar::Complex64(re, im)), "[1.e+00+1.e-05j 1.e+07-2.e+00j]");
    }

    #[test]
    fn raw_records() {
        assert_eq!(row(&[[1, 0xab], *b"AB"], |b| Scalar::Bytes(b.to_vec())), r"[b'\x01\xAB' b'\x41\x42']");
    }

    #[test]
    fn real_scalars() {
        let doubles = [1.0, -0.0, 1e15, 1e16, 1e-4, 9.9e-5, f64::NAN].map(|x| scalar_text(&Scalar::F64(x)));
        assert_eq!(doubles, ["1.0", "-0.0", "1000000000000000.0", "1e+16", "0.0001", "9.9e-05", "nan"]);
        // The last one lies halfway between two shortest texts.
        let singles = [0.1, 1e6, 1_234_567.0, 320_124.0 + 0.125].map(|x| scalar_text(&Scalar::F32(x)));
        assert_eq!(singles, ["0.1", "1e+06", "1.234567e+06", "320124.12"]);
    }

    #[test]
    fn complex_scalars() {
        let values = [(0.0, 1.0), (-0.0, 2.0), (1.0, -0.0), (1e16, 1.0), (f64::NAN, f64::INFINITY)];
        let texts = values.map(|(re, im)| scalar_text(&Scalar::Complex128(re, im)));
        assert_eq!(texts, ["1j", "(-0+2j)", "(1-0j)", "(1e+16+1j)", "(nan+infj)"]);
    }

    #[test]
    fn no_dimensions_and_no_elements() {
        assert_eq!(text(&[], &mut |_| Scalar::F64(1.5)), "1.5");
        for shape in [&[0][..], &[2, 0, 3], &[usize::MAX, usize::MAX, 0]] {
            assert_eq!(text(shape, &mut |_| unreachable!("there is no element")), "[]");
        }
    }

    #[test]
    fn three_dimensions() {
        assert_eq!(text(&[2, 2, 2], &mut |k| Scalar::Int(k as i128)), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
    }

    #[test]
    fn long_lines_are_broken() {
        assert_eq!(
            text(&[30], &mut |k| Scalar::F64(k as f64 + 0.5)),
            "[ 0.5  1.5  2.5  3.5  4.5  5.5  6.5  7.5  8.5  9.5 10.5 11.5 12.5 13.5\n \
             14.5 15.5 16.5 17.5 18.5 19.5 20.5 21.5 22.5 23.5 24.5 25.5 26.5 27.5\n \
             28.5 29.5]"
        );
    }

    #[test]
    fn summaries() {
        assert_eq!(text(&[1001], &mut |k| Scalar::Int(k as i128)), "[   0    1    2 ...  998  999 1000]");
        assert!(!text(&[1000], &mut |k| Scalar::Int(k as i128)).contains(ELLIPSIS));
        assert_eq!(
            text(&[7, 2, 100], &mut |k| Scalar::Int(k as i128)),
            "[[[   0    1    2 ...   97   98   99]\n  [ 100  101  102 ...  197  198  199]]\n\n \
             [[ 200  201  202 ...  297  298  299]\n  [ 300  301  302 ...  397  398  399]]\n\n \
             [[ 400  401  402 ...  497  498  499]\n  [ 500  501  502 ...  597  598  599]]\n\n ...\n\n \
             [[ 800  801  802 ...  897  898  899]\n  [ 900  901  902 ...  997  998  999]]\n\n \
             [[1000 1001 1002 ... 1097 1098 1099]\n  [1100 1101 1102 ... 1197 1198 1199]]\n\n \
             [[1200 1201 1202 ... 1297 1298 1299]\n  [1300 1301 1302 ... 1397 1398 1399]]]"
        );
    }

    #[test]
    fn only_shown_elements_are_read() {
        let mut calls = 0;
        let last = (1_usize << 50) - 1;
        let text = text(&[1 << 20, 1 << 30], &mut |k| {
            calls += 1;
            assert!(k <= last);
            Scalar::Bool(k == last)
        });
        assert_eq!(calls, 2 * 6 * 6);
        assert!(text.ends_with("[False False False ... False False  True]]"));
    }

    /// NumPy stops at 64 dimensions; the text follows the same rules.
    #[test]
    fn many_dimensions() {
        let mut shape = [1; 255];
        shape[254] = 2;
        let expected = format!("{}0\n{}1{}", "[".repeat(255), " ".repeat(255), "]".repeat(255));
        assert_eq!(text(&shape, &mut |k| Scalar::Uint(k as u128)), expected);
        shape[0] = 100_000;
        assert!(text(&shape, &mut |k| Scalar::Uint(k as u128)).ends_with(&"]".repeat(255)));
    }

    /// Not something NumPy can print: the shape of a damaged file must not end in a panic, nor must odd elements.
    #[test]
    fn nonsense_is_survived() {
        let items =
            [Scalar::Int(i128::MIN), Scalar::F64(1e300), Scalar::Bool(true), Scalar::Complex64(f32::NAN, 1e-45)];
        text(&[usize::MAX, usize::MAX], &mut |k| items[k % 4].clone());
    }
}
