//! Infers the type of a column from all of its values.
//!
//! A guess starts without a class and only ever becomes more general: integers and floats combine to floats, and anything else to
//! text. The flags record values that a class cannot hold, such as an integer that no double represents. A JSON column
//! with an unquoted number cannot become text, because writing it back would add quotes. That is an error instead.

use super::scalar::Scalar;
use super::times::Time;
use arrow_schema::{DataType, TimeUnit};

/// The values of a column so far.
#[derive(Debug, Clone, Default)]
pub struct Guess {
    class: Option<Class>,
    /// Some integer is below 0.
    negative: bool,
    /// Some integer is beyond 63 bits.
    beyond: bool,
    /// Some integer cannot be represented exactly as a 64-bit float.
    inexact: bool,
    /// Some time is not a multiple of a microsecond.
    fine: bool,
    /// Some time does not fit in 64 bits of nanoseconds.
    far: bool,
    /// Some value has the syntax of a number or a boolean, so the column cannot be text.
    bare: bool,
}

/// The type that values suggest, from the most specific one to text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Class {
    Bool,
    Int,
    Float,
    Date,
    Point,
    Zoned,
    Span,
    Text,
}

/// The type of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    /// Booleans.
    Bool,
    /// 64-bit integers, possibly with the meaning of times.
    Int(DataType),
    /// Unsigned 64-bit integers.
    Uint,
    /// 64-bit floats.
    Float,
    /// 32-bit floats.
    Single,
    /// Times with an offset.
    Zoned,
    /// Texts.
    Text,
}

impl Guess {
    /// Creates the guess for a text column.
    pub fn text() -> Self {
        Guess { class: Some(Class::Text), ..Guess::default() }
    }

    /// Takes a value into account. `is_bare` is true for a value that is not a quoted text. Returns false if no type
    /// can hold both this value and the earlier ones.
    pub fn see(&mut self, scalar: &Scalar, is_bare: bool) -> bool {
        let class = self.take(scalar);
        self.bare |= is_bare;
        let joined = match (self.class, class) {
            (None, class) => Some(class),
            (Some(seen), class) if seen == class => Some(seen),
            (Some(Class::Int | Class::Float), Class::Int | Class::Float) => Some(Class::Float),
            _ => None,
        };
        let holds = |class: &Class| match class {
            Class::Int => !(self.negative && self.beyond),
            Class::Float => !self.inexact,
            Class::Zoned => !self.fine,
            Class::Point | Class::Span => !(self.fine && self.far),
            Class::Bool | Class::Date | Class::Text => true,
        };
        match joined.filter(holds) {
            Some(class) => self.class = Some(class),
            None if self.bare => return false,
            None => self.class = Some(Class::Text),
        }
        true
    }

    /// Returns the class of a value and sets the flags for it.
    fn take(&mut self, scalar: &Scalar) -> Class {
        match *scalar {
            Scalar::Bool(_) => Class::Bool,
            Scalar::Int(number) => {
                self.negative |= number < 0;
                self.beyond |= number > i64::MAX.into();
                self.inexact |= number as f64 as i128 != number;
                Class::Int
            }
            Scalar::Float(_) => Class::Float,
            Scalar::Time(Time::Date(_)) => Class::Date,
            Scalar::Time(Time::Point(nanoseconds)) => self.take_time(nanoseconds, Class::Point),
            Scalar::Time(Time::Span(nanoseconds)) => self.take_time(nanoseconds, Class::Span),
            Scalar::Time(Time::Zoned(nanoseconds, _)) => self.take_time(nanoseconds, Class::Zoned),
            Scalar::Text => Class::Text,
        }
    }

    /// Takes a time into account: whether it needs nanoseconds, and whether it is out of their range.
    fn take_time(&mut self, nanoseconds: i128, class: Class) -> Class {
        self.fine |= nanoseconds % 1000 != 0;
        self.far |= i64::try_from(nanoseconds).is_err();
        if i64::try_from(nanoseconds / 1000).is_err() { Class::Text } else { class }
    }

    /// Returns a description of the earlier values, for messages.
    pub fn words(&self) -> &'static str {
        match self.class {
            None => "missing values",
            Some(Class::Bool) => "booleans",
            Some(Class::Int | Class::Float) => "numbers",
            Some(Class::Date | Class::Point | Class::Zoned | Class::Span) => "times",
            Some(Class::Text) => "texts",
        }
    }

    /// Returns the type that holds all values. A column without values is text.
    pub fn resolve(&self, single: bool) -> Type {
        let unit = if self.fine { TimeUnit::Nanosecond } else { TimeUnit::Microsecond };
        match self.class {
            Some(Class::Bool) => Type::Bool,
            Some(Class::Int) if self.beyond => Type::Uint,
            Some(Class::Int) => Type::Int(DataType::Int64),
            Some(Class::Float) if single => Type::Single,
            Some(Class::Float) => Type::Float,
            Some(Class::Date) => Type::Int(DataType::Date32),
            Some(Class::Point) => Type::Int(DataType::Timestamp(unit, None)),
            Some(Class::Span) => Type::Int(DataType::Duration(unit)),
            Some(Class::Zoned) => Type::Zoned,
            Some(Class::Text) | None => Type::Text,
        }
    }
}
