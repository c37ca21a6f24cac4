//! Values of files, for callers that request them with expressions.

use crate::read::{Context, Machine, Val};
use crate::resolve::Formula;
use everybyte::map::Name;
use std::fmt;

/// The maximum number of values in a list, including those in nested lists.
const MOST_VALUES: usize = 1 << 20;

/// A value of a file, as [`Spec::values`](crate::Spec::values) returns it.
///
/// ```
/// use everybyte_ksy::{Datum, Spec};
///
/// let spec: Spec = "{meta: {id: rows}, seq: [{id: rows, type: u1, repeat: eos}]}".parse()?;
/// let values = spec.values(&[3, 4], &["rows", "rows.size > 1"])?;
/// assert_eq!(values[0], Ok(Datum::List(vec![Datum::Int(3), Datum::Int(4)])));
/// assert_eq!(values[1], Ok(Datum::Bool(true)));
/// # Ok::<(), everybyte_ksy::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Datum {
    /// No value: `if` excluded it, or it does not exist.
    Nothing,
    /// An integer.
    Int(i128),
    /// A number.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A string.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A value of an enumeration: its number, and its name, if it has one.
    Label(i128, Option<Name>),
    /// A list.
    List(Vec<Datum>),
    /// A structure, by type name.
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
            Datum::Bytes(bytes) => write!(f, "{}", everybyte::map::Value::bytes(bytes)),
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
    /// Returns the value of an expression, as seen from the outermost structure, or a message if the file does not contain it.
    pub(crate) fn datum_of(&mut self, formula: &Formula) -> Result<Datum, String> {
        let val = self.evaluate(formula, &Context::of(0)).map_err(|stop| stop.message.clone())?;
        let mut left = MOST_VALUES;
        self.datum(&val, &mut left).ok_or_else(|| format!("the list has more than {MOST_VALUES} values"))
    }

    /// Converts a value. `left` limits the number of values, since nested lists could have any number.
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
