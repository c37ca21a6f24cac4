//! Values while a file is read, and what stops reading.

use crate::place::At;
use std::sync::Arc;

/// A value.
#[derive(Debug, Clone)]
pub enum Val {
    /// No value: `if` left it out, or it is not there.
    Nothing,
    Int(i128),
    Float(f64),
    Bool(bool),
    Text(Arc<str>),
    Bytes(Bytes),
    /// A number of an enumeration.
    Label(usize, i128),
    List(Arc<List>),
    /// A structure, by its number.
    Structure(u32),
    /// A stream, by its number.
    Io(u32),
}

/// The elements of a list.
#[derive(Debug, Clone, Default)]
pub enum List {
    #[default]
    Empty,
    /// Numbers of 0 to 255.
    Narrow(Kind, Vec<u8>),
    Wide(Kind, Vec<i64>),
    /// Structures, by their numbers.
    Structures(Vec<u32>),
    Any(Vec<Val>),
}

/// The kind of packed numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Int,
    Bool,
    /// Numbers of an enumeration.
    Label(u32),
}

impl Kind {
    fn val(self, number: i128) -> Val {
        match self {
            Kind::Int => Val::Int(number),
            Kind::Bool => Val::Bool(number != 0),
            Kind::Label(of) => Val::Label(of as usize, number),
        }
    }
}

/// A value as a number of a kind; `None` if it is no number of at most 64 bits.
fn packed(val: &Val) -> Option<(Kind, i64)> {
    match val {
        Val::Int(number) => Some((Kind::Int, i64::try_from(*number).ok()?)),
        Val::Bool(is) => Some((Kind::Bool, i64::from(*is))),
        Val::Label(of, number) => Some((Kind::Label(u32::try_from(*of).ok()?), i64::try_from(*number).ok()?)),
        _ => None,
    }
}

impl List {
    pub fn len(&self) -> usize {
        match self {
            List::Empty => 0,
            List::Narrow(_, list) => list.len(),
            List::Wide(_, list) => list.len(),
            List::Structures(list) => list.len(),
            List::Any(list) => list.len(),
        }
    }

    /// The bytes of memory of an element.
    pub fn each(&self) -> usize {
        match self {
            List::Empty | List::Narrow(..) => 1,
            List::Wide(..) => 8,
            List::Structures(_) => 4,
            List::Any(_) => size_of::<Val>(),
        }
    }

    pub fn get(&self, place: usize) -> Option<Val> {
        match self {
            List::Empty => None,
            List::Narrow(kind, list) => list.get(place).map(|&number| kind.val(number.into())),
            List::Wide(kind, list) => list.get(place).map(|&number| kind.val(number.into())),
            List::Structures(list) => list.get(place).map(|&number| Val::Structure(number)),
            List::Any(list) => list.get(place).cloned(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = Val> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    pub fn first(&self) -> Option<Val> {
        self.get(0)
    }

    pub fn last(&self) -> Option<Val> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Returns whether the list keeps its form when a value is added.
    pub fn suits(&self, val: &Val) -> bool {
        match (self, packed(val)) {
            (List::Narrow(kind, _), Some((of, number))) => *kind == of && u8::try_from(number).is_ok(),
            (List::Wide(kind, _), Some((of, _))) => *kind == of,
            (List::Structures(_), None) => matches!(val, Val::Structure(_)),
            (List::Any(_), _) => true,
            _ => false,
        }
    }

    /// Adds a value, for which the list takes another form if it has to.
    pub fn push(&mut self, val: Val) {
        if !self.suits(&val) {
            *self = std::mem::take(self).for_next(&val);
        }
        match (self, packed(&val), &val) {
            (List::Narrow(_, list), Some((_, number)), _) => list.push(number as u8),
            (List::Wide(_, list), Some((_, number)), _) => list.push(number),
            (List::Structures(list), _, Val::Structure(number)) => list.push(*number),
            (List::Any(list), ..) => list.push(val),
            _ => {}
        }
    }

    /// The same list in a form that suits a further value.
    fn for_next(self, val: &Val) -> List {
        match (self, packed(val), val) {
            (List::Empty, Some((kind, number)), _) if u8::try_from(number).is_ok() => List::Narrow(kind, Vec::new()),
            (List::Empty, Some((kind, _)), _) => List::Wide(kind, Vec::new()),
            (List::Empty, _, Val::Structure(_)) => List::Structures(Vec::new()),
            (List::Narrow(kind, list), Some((of, _)), _) if kind == of => {
                List::Wide(kind, list.into_iter().map(i64::from).collect())
            }
            (list, ..) => List::Any(list.iter().collect()),
        }
    }

    /// The bytes that integers of 0 to 255 are; `None` if an element is none.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        if let List::Narrow(Kind::Int, bytes) = self {
            return Some(bytes.clone());
        }
        let byte = |val: Val| match val {
            Val::Int(number) => u8::try_from(number).ok(),
            _ => None,
        };
        self.iter().map(byte).collect()
    }
}

impl FromIterator<Val> for List {
    fn from_iter<T: IntoIterator<Item = Val>>(vals: T) -> Self {
        let mut list = List::default();
        vals.into_iter().for_each(|val| list.push(val));
        list
    }
}

/// Bytes: those of a space, or bytes of their own.
#[derive(Debug, Clone)]
pub enum Bytes {
    In { space: u32, start: usize, end: usize },
    Own(Arc<[u8]>),
}

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The bytes end too early.
    End,
    /// Other bytes than those that always stand there.
    Contents,
    NotEqual,
    TooSmall,
    TooLarge,
    NotAnyOf,
    NotInEnum,
    NotExpr,
    /// Bytes are no text, a text is no number, packed bytes cannot be unpacked.
    Conversion,
    /// No byte order was chosen.
    Undecided,
    /// A checksum is wrong.
    Sum,
    /// A bound of memory or time.
    Limit,
    Other,
}

/// A fault of a file, where it is, and the part of the specification that finds it.
#[derive(Debug, Clone)]
pub struct Fault {
    pub cause: Cause,
    pub message: String,
    /// The place in the specification; that of the field, if nothing is more precise.
    pub at: Option<At>,
    /// The place in the file, once it is known.
    pub place: Option<Place>,
}

/// A place in the file.
#[derive(Debug, Clone)]
pub struct Place {
    /// The structure, the slot and the element.
    pub structure: u32,
    pub slot: usize,
    pub element: Option<usize>,
    pub space: u32,
    pub start: usize,
    pub end: usize,
    /// True if an instance was to be read, which nothing else needs.
    pub is_instance: bool,
}

pub type Read<T> = Result<T, Box<Fault>>;

/// A fault whose place is not known yet.
pub fn fault<T>(cause: Cause, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Fault { cause, message: message.into(), at: None, place: None }))
}

/// The integer that bytes are, at most eight.
pub fn unsigned(bytes: &[u8], is_little: bool) -> u64 {
    let next = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    if is_little { bytes.iter().rev().fold(0, next) } else { bytes.iter().fold(0, next) }
}

/// Bytes in a sentence, the first sixteen of them.
pub fn hex(bytes: &[u8]) -> String {
    let shown: Vec<String> = bytes.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{}{}", shown.join(" "), if bytes.len() > 16 { " …" } else { "" })
}

#[cfg(test)]
mod tests {
    use super::{List, Val};

    #[test]
    fn a_list_gives_what_was_added_in_whichever_form() {
        let vals = [Val::Int(1), Val::Int(255), Val::Int(256), Val::Int(-1), Val::Int(1 << 70), Val::Bool(true)];
        for count in 0..=vals.len() {
            let list: List = vals[..count].iter().cloned().collect();
            let shown: Vec<String> = list.iter().map(|val| format!("{val:?}")).collect();
            let wanted: Vec<String> = vals[..count].iter().map(|val| format!("{val:?}")).collect();
            assert_eq!(shown, wanted);
        }
        let bytes: List = (0..4).map(Val::Int).collect();
        assert!(matches!(bytes, List::Narrow(..)));
        assert_eq!(bytes.bytes(), Some(vec![0, 1, 2, 3]));
    }
}
