//! The values of a file that is being read, and the reasons why reading stops.
//!
//! A list of a million bytes would take tens of megabytes as a list of values. Lists are therefore packed by kind, and
//! change to a wider form when a value does not fit. Texts, bytes and lists are shared, not copied, and bytes of the
//! file are only positions in it.

use crate::place::At;
use std::sync::Arc;

/// A value.
#[derive(Debug, Clone)]
pub enum Val {
    /// No value: `if` excluded it, or it does not exist.
    Nothing,
    Int(i128),
    Float(f64),
    Bool(bool),
    Text(Arc<str>),
    Bytes(Bytes),
    /// A number with an enumeration.
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
    /// Numbers with an enumeration.
    Label(u32),
}

impl Kind {
    /// Returns a number as a value of this kind.
    fn val(self, number: i128) -> Val {
        match self {
            Kind::Int => Val::Int(number),
            Kind::Bool => Val::Bool(number != 0),
            Kind::Label(of) => Val::Label(of as usize, number),
        }
    }
}

/// Returns a value as a number of a kind; `None` if it is not a number of at most 64 bits.
fn packed(val: &Val) -> Option<(Kind, i64)> {
    match val {
        Val::Int(number) => Some((Kind::Int, i64::try_from(*number).ok()?)),
        Val::Bool(is) => Some((Kind::Bool, i64::from(*is))),
        Val::Label(of, number) => Some((Kind::Label(u32::try_from(*of).ok()?), i64::try_from(*number).ok()?)),
        _ => None,
    }
}

impl List {
    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        match self {
            List::Empty => 0,
            List::Narrow(_, list) => list.len(),
            List::Wide(_, list) => list.len(),
            List::Structures(list) => list.len(),
            List::Any(list) => list.len(),
        }
    }

    /// Returns the memory of an element in bytes.
    pub fn each(&self) -> usize {
        match self {
            List::Empty | List::Narrow(..) => 1,
            List::Wide(..) => 8,
            List::Structures(_) => 4,
            List::Any(_) => size_of::<Val>(),
        }
    }

    /// Returns an element.
    pub fn get(&self, place: usize) -> Option<Val> {
        match self {
            List::Empty => None,
            List::Narrow(kind, list) => list.get(place).map(|&number| kind.val(number.into())),
            List::Wide(kind, list) => list.get(place).map(|&number| kind.val(number.into())),
            List::Structures(list) => list.get(place).map(|&number| Val::Structure(number)),
            List::Any(list) => list.get(place).cloned(),
        }
    }

    /// Returns all elements.
    pub fn iter(&self) -> impl Iterator<Item = Val> {
        (0..self.len()).filter_map(|place| self.get(place))
    }

    /// Returns the first element.
    pub fn first(&self) -> Option<Val> {
        self.get(0)
    }

    /// Returns the last element.
    pub fn last(&self) -> Option<Val> {
        self.get(self.len().checked_sub(1)?)
    }

    /// Returns whether the list can keep its form when a value is added.
    pub fn suits(&self, val: &Val) -> bool {
        match (self, packed(val)) {
            (List::Narrow(kind, _), Some((of, number))) => *kind == of && u8::try_from(number).is_ok(),
            (List::Wide(kind, _), Some((of, _))) => *kind == of,
            (List::Structures(_), None) => matches!(val, Val::Structure(_)),
            (List::Any(_), _) => true,
            _ => false,
        }
    }

    /// Adds a value and changes the form of the list if necessary.
    pub fn push(&mut self, val: Val) {
        if !self.suits(&val) {
            *self = std::mem::take(self).for_next(&val);
        }
        match (self, packed(&val), &val) {
            (List::Narrow(_, list), Some((_, number)), _) => add(list, number as u8),
            (List::Wide(_, list), Some((_, number)), _) => add(list, number),
            (List::Structures(list), _, Val::Structure(number)) => add(list, *number),
            (List::Any(list), ..) => add(list, val),
            _ => {}
        }
    }

    /// Returns the same list in a form that suits another value.
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

    /// Returns integers of 0 to 255 as bytes; `None` if there are other elements. Lists of such integers are always narrow.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            List::Empty => Some(&[]),
            List::Narrow(Kind::Int, bytes) => Some(bytes),
            _ => None,
        }
    }
}

/// Makes room for more elements: an eighth more than there are, whereas a vector would double its capacity. Only the
/// elements are debited, so the capacity must not be much larger.
#[expect(clippy::disallowed_methods, reason = "the caller debits the elements, and this bounds the room beside them")]
pub fn grow<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        let further = if list.len() < 64 { list.len() / 2 } else { list.len() / 8 };
        list.reserve_exact(more.max(further));
    }
}

/// Adds an element.
fn add<T>(list: &mut Vec<T>, element: T) {
    grow(list, 1);
    list.push(element);
}

impl FromIterator<Val> for List {
    fn from_iter<T: IntoIterator<Item = Val>>(vals: T) -> Self {
        let mut list = List::default();
        vals.into_iter().for_each(|val| list.push(val));
        list
    }
}

/// Bytes: of a space, from the elements of a list, or owned.
#[derive(Debug, Clone)]
pub enum Bytes {
    In { space: u32, start: usize, end: usize },
    Listed(Arc<List>),
    Own(Arc<[u8]>),
}

/// The reason why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The bytes end too early.
    End,
    /// Bytes differ from the constant bytes.
    Contents,
    NotEqual,
    TooSmall,
    TooLarge,
    NotAnyOf,
    NotInEnum,
    NotExpr,
    /// Bytes are not text, a text is not a number, or packed bytes cannot be unpacked.
    Conversion,
    /// No byte order was chosen.
    Undecided,
    /// A checksum is wrong.
    Sum,
    /// A value depends on a field that could not be read.
    Unread,
    /// A limit on memory or time was exceeded.
    Limit,
    Other,
}

/// A fault in a file, its position, and the part of the specification that detects it.
#[derive(Debug, Clone)]
pub struct Fault {
    pub cause: Cause,
    pub message: String,
    /// The position in the specification; the field's, if nothing more precise is known.
    pub at: Option<At>,
    /// The position in the file, once it is known.
    pub place: Option<Place>,
}

/// A position in the file.
#[derive(Debug, Clone)]
pub struct Place {
    /// The structure, the slot and the element.
    pub structure: u32,
    pub slot: usize,
    pub element: Option<usize>,
    pub space: u32,
    pub start: usize,
    pub end: usize,
    /// Whether it is an instance that nothing else needs.
    pub is_instance: bool,
}

/// The result of reading. Faults are boxed, since they are large and rare.
pub type Read<T> = Result<T, Box<Fault>>;

/// Returns a fault whose position is not known yet.
pub fn fault<T>(cause: Cause, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Fault { cause, message: message.into(), at: None, place: None }))
}

/// Returns at most eight bytes as an integer.
pub fn unsigned(bytes: &[u8], is_little: bool) -> u64 {
    let next = |number: u64, &byte: &u8| number << 8 | u64::from(byte);
    if is_little { bytes.iter().rev().fold(0, next) } else { bytes.iter().fold(0, next) }
}

/// Returns the first sixteen bytes as they appear in a message.
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
        assert_eq!(bytes.bytes(), Some(&[0, 1, 2, 3][..]));
        for other in [Val::Int(256), Val::Int(-1), Val::Int(1 << 70), Val::Bool(true)] {
            let list: List = [Val::Int(1), other, Val::Int(2)].into_iter().collect();
            assert_eq!(list.bytes(), None, "{list:?}");
        }
    }
}
