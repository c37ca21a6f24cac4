//! Arithmetic in the expressions of a declaration: a result that no integer holds is an error of the field, not a panic.

use crate::error::Problem;
use crate::label::Label;
use crate::reading;
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek};
use binrw::{BinResult, Endian};
use std::borrow::Borrow;
use std::cell::Cell;
use std::iter::{Product, Sum};

/// The operators of integers that may have no result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
}

impl Operator {
    /// As an author writes it.
    fn sign(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
            Operator::ShiftLeft => "<<",
            Operator::ShiftRight => ">>",
        }
    }

    /// The words for an operation without a result.
    fn reason(self, left: Whole, right: Whole, bounds: Bounds) -> String {
        let (sign, Bounds { name, bits, .. }) = (self.sign(), bounds);
        match self {
            Operator::Divide | Operator::Remainder if right.magnitude == 0 => {
                format!("{left} {sign} {right} divides by zero")
            }
            Operator::ShiftLeft | Operator::ShiftRight => {
                format!("{left} {sign} {right} shifts by all {bits} bits of {name}, or by more")
            }
            _ => format!("{left} {sign} {right} is out of the range of {name}"),
        }
    }
}

/// A whole number of any integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whole {
    is_negative: bool,
    magnitude: u128,
}

impl Whole {
    const fn signed(value: i128) -> Self {
        Whole { is_negative: value < 0, magnitude: value.unsigned_abs() }
    }

    const fn unsigned(value: u128) -> Self {
        Whole { is_negative: false, magnitude: value }
    }

    fn minus(self) -> Self {
        Whole { is_negative: !self.is_negative && self.magnitude > 0, ..self }
    }

    fn plus(self, other: Self) -> Option<Self> {
        if self.is_negative == other.is_negative {
            return Some(Whole { magnitude: self.magnitude.checked_add(other.magnitude)?, ..self });
        }
        let (large, small) = if self.magnitude >= other.magnitude { (self, other) } else { (other, self) };
        let magnitude = large.magnitude - small.magnitude;
        Some(Whole { is_negative: large.is_negative && magnitude > 0, magnitude })
    }

    fn times(self, other: Self) -> Option<Self> {
        let magnitude = self.magnitude.checked_mul(other.magnitude)?;
        Some(Whole { is_negative: self.is_negative != other.is_negative && magnitude > 0, magnitude })
    }

    fn over(self, other: Self) -> Option<Self> {
        let magnitude = self.magnitude.checked_div(other.magnitude)?;
        Some(Whole { is_negative: self.is_negative != other.is_negative && magnitude > 0, magnitude })
    }
}

impl std::fmt::Display for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negative { "-" } else { "" }, self.magnitude)
    }
}

/// The bounds of an integer type.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    name: &'static str,
    bits: u32,
    is_signed: bool,
}

impl Bounds {
    fn hold(self, number: Whole) -> bool {
        let most = u128::MAX >> (128 - self.bits + u32::from(self.is_signed));
        match number.is_negative {
            true => self.is_signed && number.magnitude <= most + 1,
            false => number.magnitude <= most,
        }
    }
}

/// A number in an expression.
#[diagnostic::on_unimplemented(
    message = "the arithmetic of a declaration is that of integers and floats, not of `{Self}`",
    label = "not a number",
    note = "put other arithmetic into a function"
)]
pub trait Operand {
    /// The value and the bounds of an integer; `None` of a float.
    fn integer(&self) -> Option<(Whole, Bounds)>;
}

impl<T: Operand + ?Sized> Operand for &T {
    #[inline]
    fn integer(&self) -> Option<(Whole, Bounds)> {
        T::integer(self)
    }
}

macro_rules! operands {
    ($($integer:ident as $wide:ident => $make:ident),* $(,)?) => {$(
        impl Operand for $integer {
            #[inline]
            fn integer(&self) -> Option<(Whole, Bounds)> {
                let bounds = Bounds {
                    name: stringify!($integer),
                    bits: $integer::BITS,
                    is_signed: $integer::MIN != 0,
                };
                Some((Whole::$make(*self as $wide), bounds))
            }
        }
    )*};
}

operands! {
    u8 as u128 => unsigned, u16 as u128 => unsigned, u32 as u128 => unsigned, u64 as u128 => unsigned,
    u128 as u128 => unsigned, usize as u128 => unsigned,
    i8 as i128 => signed, i16 as i128 => signed, i32 as i128 => signed, i64 as i128 => signed,
    i128 as i128 => signed, isize as i128 => signed,
}

impl Operand for f32 {
    fn integer(&self) -> Option<(Whole, Bounds)> {
        None
    }
}

impl Operand for f64 {
    fn integer(&self) -> Option<(Whole, Bounds)> {
        None
    }
}

/// The arithmetic of one field: whether all of its results can be held.
#[derive(Default)]
pub struct Arithmetic(Cell<Option<Box<Problem>>>);

impl Arithmetic {
    /// Nothing was computed so far.
    pub fn new() -> Self {
        Arithmetic::default()
    }

    /// Returns whether an operation has a result. The text is the operation as declared.
    #[inline]
    pub fn has_result<A: Operand, B: Operand>(
        &self,
        operator: Operator,
        left: &A,
        right: &B,
        text: &'static str,
    ) -> bool {
        let (Some((left, bounds)), Some((right, _))) = (left.integer(), right.integer()) else { return true };
        let result = match operator {
            Operator::Add => left.plus(right),
            Operator::Subtract => left.plus(right.minus()),
            Operator::Multiply => left.times(right),
            // The remainder of a quotient that does not fit is not computed either.
            Operator::Divide | Operator::Remainder => left.over(right),
            Operator::ShiftLeft | Operator::ShiftRight => {
                Some(left).filter(|_| !right.is_negative && right.magnitude < u128::from(bounds.bits))
            }
        };
        let has_result = result.is_some_and(|result| bounds.hold(result));
        if !has_result {
            self.fail(text, &operator.reason(left, right, bounds));
        }
        has_result
    }

    /// The sum or the product of numbers; that of those before, if the operator has no result for one of them.
    pub fn folded<T, I>(&self, operator: Operator, numbers: I, text: &'static str) -> T
    where
        T: Operand + Copy + Sum + Product,
        I: IntoIterator<Item: Borrow<T>>,
    {
        let none: [T; 0] = [];
        let is_sum = operator == Operator::Add;
        let mut all: T = if is_sum { none.into_iter().sum() } else { none.into_iter().product() };
        for number in numbers {
            let pair = [all, *number.borrow()];
            if !self.has_result(operator, &pair[0], &pair[1], text) {
                break;
            }
            all = if is_sum { pair.into_iter().sum() } else { pair.into_iter().product() };
        }
        all
    }

    /// Returns whether the number with the other sign can be held.
    #[inline]
    pub fn has_opposite<A: Operand>(&self, number: &A, text: &'static str) -> bool {
        let Some((number, bounds)) = number.integer() else { return true };
        let has_opposite = bounds.hold(number.minus());
        if !has_opposite {
            self.fail(text, &format!("-({number}) is out of the range of {}", bounds.name));
        }
        has_opposite
    }

    #[cold]
    fn fail(&self, text: &str, reason: &str) {
        let words = format!("`{text}` has no result: {reason}");
        self.0.set(Some(Box::new(Problem::Invalid(words))));
    }

    /// The error of an expression that has no result.
    fn problem(&self) -> Option<binrw::Error> {
        self.0.take().map(|problem| {
            recorder::note(None, &problem);
            error(problem)
        })
    }

    /// The value of an expression that is needed before its field is read.
    #[inline]
    pub fn read<T>(&self, field: &'static str, value: T) -> BinResult<T> {
        self.problem().map_or(Ok(value), |error| Err(absent(field, error)))
    }

    /// The condition of an alternative.
    #[inline]
    pub fn guard(&self, alternative: &'static str, holds: bool) -> BinResult<bool> {
        let Some(problem) = self.0.take() else { return Ok(holds) };
        recorder::note(Some(alternative), &problem);
        Err(error(problem))
    }

    /// A number of elements. The text is the expression as declared.
    #[inline]
    pub fn count<T: TryInto<usize>>(&self, count: T, text: &'static str) -> usize {
        count.try_into().unwrap_or_else(|_| {
            let words = format!("`{text}` is no number of elements: it is negative, or larger than memory");
            self.0.set(Some(Box::new(Problem::Invalid(words))));
            0
        })
    }

    /// The value of an expression that is needed when its field is written.
    #[inline]
    pub fn written<T>(&self, value: T) -> BinResult<T> {
        self.problem().map_or(Ok(value), Err)
    }

    /// The value of a function that maps what is written.
    pub fn mapped<T>(&self, value: T) -> Result<T, Problem> {
        self.0.take().map_or(Ok(value), |problem| Err(*problem))
    }

    /// The value of an expression, or the problem if it cannot be computed.
    pub fn judged<T>(&self, value: T) -> Result<T, String> {
        self.0.take().map_or(Ok(value), |problem| Err(problem.to_string()))
    }

    /// Stands after a field that a function maps.
    pub fn held(&self) -> BinResult<bool> {
        self.written(true)
    }
}

fn error(problem: Box<Problem>) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: problem }
}

/// The error of a field that cannot be read, since an expression about it has no result.
#[cold]
fn absent(field: &'static str, error: binrw::Error) -> binrw::Error {
    if recorder::is_on() {
        recorder::add_failed(field);
    }
    error
}

/// A field whose arguments, count, size or parser are computed. They are looked at when the field is read: one that is absent may have
/// arguments without a result.
pub fn computed<V: Layout, A, R: Read + Seek>(
    arithmetic: &Arithmetic,
    label: &'static Label,
    read: impl Fn(&mut R, Endian, A) -> BinResult<V>,
) -> impl Fn(&mut R, Endian, A) -> BinResult<V> {
    move |reader, endian, args| {
        if let Some(error) = arithmetic.problem() {
            let error = Cell::new(Some(error));
            let fail = |_: &mut R| Err(error.take().unwrap_or(binrw::Error::NoVariantMatch { pos: 0 }));
            return reading::field(reader, (label, endian), fail);
        }
        let value = read(reader, endian, args)?;
        match arithmetic.problem() {
            None => Ok(value),
            Some(error) => {
                if recorder::is_on() {
                    recorder::set_last_child_complete(false);
                }
                Err(error)
            }
        }
    }
}
