//! Arithmetic in the expressions of a declaration. A result that does not fit is an error in the field, not a panic.
//!
//! `#[layout]` rewrites each operator of an expression. The rewritten form first calls [`Arithmetic::has_result`],
//! which computes the result with signed 128-bit integers. The operation is performed only if the type of the operands
//! can represent the result. Types are inferred as before, since the operation itself remains in the code. Operands
//! that are not integers always have a result.
//!
//! The first operation without a result is recorded, and the expression continues with an arbitrary value. The hook
//! around the field then turns the record into an error. Lazy evaluation is essential, because the arguments of an
//! absent field may have no result.

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

/// The integer operators that can fail.
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
    /// The operator as written in the declaration.
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

    /// The message for an operation without a result.
    fn reason(self, left: Integer, right: Integer, bounds: Bounds) -> String {
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

/// An integer of any type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Integer {
    is_negative: bool,
    magnitude: u128,
}

impl Integer {
    const fn signed(value: i128) -> Self {
        Integer { is_negative: value < 0, magnitude: value.unsigned_abs() }
    }

    const fn unsigned(value: u128) -> Self {
        Integer { is_negative: false, magnitude: value }
    }

    fn minus(self) -> Self {
        Integer { is_negative: !self.is_negative && self.magnitude > 0, ..self }
    }

    fn plus(self, other: Self) -> Option<Self> {
        if self.is_negative == other.is_negative {
            return Some(Integer { magnitude: self.magnitude.checked_add(other.magnitude)?, ..self });
        }
        let (large, small) = if self.magnitude >= other.magnitude { (self, other) } else { (other, self) };
        let magnitude = large.magnitude - small.magnitude;
        Some(Integer { is_negative: large.is_negative && magnitude > 0, magnitude })
    }

    fn times(self, other: Self) -> Option<Self> {
        let magnitude = self.magnitude.checked_mul(other.magnitude)?;
        Some(Integer { is_negative: self.is_negative != other.is_negative && magnitude > 0, magnitude })
    }

    fn over(self, other: Self) -> Option<Self> {
        let magnitude = self.magnitude.checked_div(other.magnitude)?;
        Some(Integer { is_negative: self.is_negative != other.is_negative && magnitude > 0, magnitude })
    }
}

impl std::fmt::Display for Integer {
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
    fn hold(self, number: Integer) -> bool {
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
    /// The value and the bounds of an integer; `None` for a float.
    fn integer(&self) -> Option<(Integer, Bounds)>;
}

impl<T: Operand + ?Sized> Operand for &T {
    #[inline]
    fn integer(&self) -> Option<(Integer, Bounds)> {
        T::integer(self)
    }
}

macro_rules! operands {
    ($($integer:ident as $wide:ident => $make:ident),* $(,)?) => {$(
        impl Operand for $integer {
            #[inline]
            fn integer(&self) -> Option<(Integer, Bounds)> {
                let bounds = Bounds {
                    name: stringify!($integer),
                    bits: $integer::BITS,
                    is_signed: $integer::MIN != 0,
                };
                Some((Integer::$make(*self as $wide), bounds))
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
    fn integer(&self) -> Option<(Integer, Bounds)> {
        None
    }
}

impl Operand for f64 {
    fn integer(&self) -> Option<(Integer, Bounds)> {
        None
    }
}

/// The arithmetic of one field, which records whether any result overflowed.
#[derive(Default)]
pub struct Arithmetic(Cell<Option<Box<Problem>>>);

impl Arithmetic {
    /// Creates the state before any computation.
    pub fn new() -> Self {
        Arithmetic::default()
    }

    /// Returns whether an operation has a result. `text` is the operation as declared.
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
            // If the quotient does not fit, the remainder is not computed either.
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

    /// The sum or product of numbers, up to the first one for which the operation fails.
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

    /// Returns whether the negated number can be represented.
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

    /// The error for an expression that has no result.
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

    /// Returns whether the condition of an alternative holds.
    #[inline]
    pub fn guard(&self, alternative: &'static str, holds: bool) -> BinResult<bool> {
        let Some(problem) = self.0.take() else { return Ok(holds) };
        recorder::note(Some(alternative), &problem);
        Err(error(problem))
    }

    /// Converts a number of elements. `text` is the expression as declared.
    #[inline]
    pub fn count<T: TryInto<usize>>(&self, count: T, text: &'static str) -> usize {
        count.try_into().unwrap_or_else(|_| {
            let words = format!("`{text}` is not a number of elements: it is negative, or exceeds memory");
            self.0.set(Some(Box::new(Problem::Invalid(words))));
            0
        })
    }

    /// The value of an expression that is needed when its field is written.
    #[inline]
    pub fn written<T>(&self, value: T) -> BinResult<T> {
        self.problem().map_or(Ok(value), Err)
    }

    /// The result of a function that maps the written value.
    pub fn mapped<T>(&self, value: T) -> Result<T, Problem> {
        self.0.take().map_or(Ok(value), |problem| Err(*problem))
    }

    /// The value of an expression, or the problem if it cannot be computed.
    pub fn judged<T>(&self, value: T) -> Result<T, String> {
        self.0.take().map_or(Ok(value), |problem| Err(problem.to_string()))
    }

    /// Runs after a mapped field. Fails if an expression in its declaration has no result.
    pub fn held(&self) -> BinResult<bool> {
        self.written(true)
    }
}

fn error(problem: Box<Problem>) -> binrw::Error {
    binrw::Error::Custom { pos: 0, err: problem }
}

/// Returns the error of a field that cannot be read because an expression in its declaration has no result.
#[cold]
fn absent(field: &'static str, error: binrw::Error) -> binrw::Error {
    if recorder::is_on() {
        recorder::add_failed(field);
    }
    error
}

/// Returns a parser for a field with computed arguments, count, size or parser. These are checked when the field is read, because
/// the arguments of an absent field may have no result.
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
