//! Lists of values. Numbers of one kind are packed, and so are structures.

use super::value::Val;

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

/// The ends of elements: of those that are equally long, the first end and the number.
#[derive(Debug, Clone, Default)]
pub struct Ends {
    count: usize,
    first: usize,
    each: usize,
    /// All ends, where the elements have different lengths.
    all: Vec<usize>,
}

impl Ends {
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn get(&self, place: usize) -> Option<usize> {
        match self.all.is_empty() {
            true => (place < self.count).then(|| self.first + place * self.each),
            false => self.all.get(place).copied(),
        }
    }

    /// Adds an element whose end nobody asks for, such as a run of bits: it takes no memory.
    pub fn skip(&mut self) -> usize {
        self.count += 1;
        0
    }

    /// Adds an end; returns the bytes of memory that this takes.
    pub fn push(&mut self, end: usize) -> usize {
        let before = (self.count, self.all.len());
        match self.count {
            0 => self.first = end,
            1 if end >= self.first => self.each = end - self.first,
            _ if self.all.is_empty() && end == self.first + self.count * self.each => {}
            _ => {
                if self.all.is_empty() {
                    self.all = (0..self.count).map(|place| self.first + place * self.each).collect();
                }
                self.all.push(end);
            }
        }
        self.count += 1;
        (self.all.len() - before.1) * size_of::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::{Ends, List};
    use crate::read::Val;

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

    #[test]
    fn ends_are_what_was_added_whether_they_are_evenly_spaced_or_not() {
        for ends in [&[3, 6, 9][..], &[3, 3, 3], &[3, 6, 8, 20], &[5, 2], &[4]] {
            let mut found = Ends::default();
            let taken: usize = ends.iter().map(|&end| found.push(end)).sum();
            let all: Vec<usize> = (0..found.len()).filter_map(|place| found.get(place)).collect();
            assert_eq!(all, ends);
            assert_eq!(taken, found.all.len() * size_of::<usize>());
        }
    }
}
