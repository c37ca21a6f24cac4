//! Values of files, for those who ask for them by expressions.

use crate::read::{Context, Machine, Val};
use crate::resolve::Formula;
use everybyte::Name;
use std::fmt;

/// The most values of a list, with those of the lists inside it.
const MOST_VALUES: usize = 1 << 20;

/// A value of a file.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Datum {
    /// No value: `if` left it out, or it is not there.
    Nothing,
    /// An integer.
    Int(i128),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A text.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A value of an enumeration: its number, and its name, if it has one.
    Label(i128, Option<Name>),
    /// A list.
    List(Vec<Datum>),
    /// A structure, by the name of its type.
    Structure(Name),
    /// A stream.
    Io,
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Datum::Nothing => f.write_str("nothing"),
            Datum::Int(number) => write!(f, "{number}"),
            Datum::Float(number) => write!(f, "{number}"),
            Datum::Bool(is) => write!(f, "{is}"),
            Datum::Text(text) => write!(f, "\"{}\"", everybyte::escape(text)),
            Datum::Bytes(bytes) => write!(f, "{}", everybyte::Value::bytes(bytes)),
            Datum::Label(number, None) => write!(f, "{number}"),
            Datum::Label(number, Some(name)) => write!(f, "{number} ({name})"),
            Datum::List(list) => {
                f.write_str("[")?;
                for (place, datum) in list.iter().enumerate() {
                    write!(f, "{}{datum}", if place > 0 { ", " } else { "" })?;
                }
                f.write_str("]")
            }
            Datum::Structure(name) => write!(f, "a {name}"),
            Datum::Io => f.write_str("a stream"),
        }
    }
}

impl Machine<'_> {
    /// The value of an expression, as the outermost structure sees it; a sentence, if the file does not have it.
    pub(crate) fn datum_of(&mut self, formula: &Formula) -> Result<Datum, String> {
        let val = self.evaluate(formula, &Context::of(0)).map_err(|stop| stop.message.clone())?;
        let mut left = MOST_VALUES;
        self.datum(&val, &mut left).ok_or_else(|| format!("the list has more than {MOST_VALUES} values"))
    }

    fn datum(&self, val: &Val, left: &mut usize) -> Option<Datum> {
        *left = left.checked_sub(1)?;
        Some(match val {
            Val::Nothing => Datum::Nothing,
            Val::Int(number) => Datum::Int(*number),
            Val::Float(number) => Datum::Float(*number),
            Val::Bool(is) => Datum::Bool(*is),
            Val::Text(text) => Datum::Text(text.to_string()),
            Val::Bytes(bytes) => Datum::Bytes(self.bytes(bytes).to_vec()),
            Val::Label(number, value) => {
                let label = self.plan.enums[*number].labels.get(value);
                Datum::Label(*value, label.map(|label| label.name.clone()))
            }
            Val::List(list) => Datum::List(list.iter().map(|val| self.datum(&val, left)).collect::<Option<_>>()?),
            Val::Structure(it) => Datum::Structure(self.own(*it).name.clone()),
            Val::Io(_) => Datum::Io,
        })
    }
}
