//! A specification for the generator: the types that a file consists of, and what each captures from enclosing types.
//!
//! Kaitai Struct expressions reach into any structure around them, through `_parent` and `_root`. A Rust layout only
//! sees its own fields and parameters. So each value that a type uses from outside becomes a parameter, and the types
//! in between pass it on. That may make them capture more, so captures are collected until nothing changes.
//!
//! What Rust cannot express is recorded, not guessed, and all such places are reported together.

use super::code::Is;
use super::names::{Names, camel};
use crate::declared::Declared;
use crate::place::{At, LocatedError};
use crate::resolve::{Content, Field, Formula, Plan, Property, Term};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

/// The maximum depth of nested values that are written inline.
pub const DEPTH: u32 = 50;

/// The maximum number of values that a type captures from enclosing structures.
const MOST_CAPTURES: usize = 64;

/// An enclosing structure, as seen from one inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Up {
    Root,
    /// The parent, applied this many more times.
    Parents(usize),
}

/// A value of an enclosing structure that a type takes as a parameter: nested fields, each identified by type and slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    pub up: Up,
    pub path: Vec<(usize, usize)>,
}

/// The types of a specification and their names in Rust.
pub struct Model<'s> {
    pub declared: &'s Declared,
    pub plan: &'s Plan,
    /// The types in a file, each before the types inside it.
    pub reached: Vec<usize>,
    pub type_names: HashMap<usize, String>,
    pub captures: HashMap<usize, Vec<Capture>>,
    /// The types that contain themselves, with a number for each group of types that contain each other.
    pub circles: HashMap<usize, usize>,
    /// Like `circles`, but for types that contain themselves without a list in between.
    pub direct_circles: HashMap<usize, usize>,
    pub names: RefCell<Names>,
    /// Memoized kinds of values that types capture from enclosing ones.
    pub kinds: RefCell<HashMap<(usize, usize), Result<Is, String>>>,
    /// Memoized minimum sizes of types; 0 while one is being computed.
    pub least: RefCell<HashMap<usize, u64>>,
    /// The current depth of nested values that are written inline.
    pub depth: Cell<u32>,
    /// True while only the kind of a value is requested, wherever it is used.
    pub wants_kind: Cell<bool>,
    pub flaws: RefCell<Vec<LocatedError>>,
}

impl<'s> Model<'s> {
    /// Creates the model of a specification, with the types that are reachable from the root.
    pub fn new(declared: &'s Declared, plan: &'s Plan) -> Self {
        let mut model = Model {
            declared,
            plan,
            reached: Vec::new(),
            type_names: HashMap::new(),
            captures: HashMap::new(),
            circles: HashMap::new(),
            direct_circles: HashMap::new(),
            names: RefCell::default(),
            kinds: RefCell::default(),
            least: RefCell::default(),
            depth: Cell::new(0),
            wants_kind: Cell::new(false),
            flaws: RefCell::default(),
        };
        model.reach();
        model.name();
        model.find_captures();
        model
    }

    /// Records something that the generator cannot express. Everything recorded is reported together.
    pub fn refuse(&self, at: At, message: impl Into<String>) {
        self.flaws.borrow_mut().push(LocatedError { at, message: message.into() });
    }

    /// Finds the types in a file.
    fn reach(&mut self) {
        let mut seen = HashSet::from([0]);
        let mut next = 0;
        self.reached.push(0);
        while let Some(&number) = self.reached.get(next) {
            next += 1;
            let own = &self.plan.types[number];
            for field in own.fields.iter().take(own.sequence) {
                for (inner, _) in structures(&field.content) {
                    if seen.insert(inner) {
                        self.reached.push(inner);
                    }
                }
            }
        }
    }

    /// Names the types. If several share a name, each is prefixed with the name of its surrounding type.
    fn name(&mut self) {
        let plain = |number: usize| camel(&self.plan.types[number].name);
        let mut counts: HashMap<String, usize> = HashMap::new();
        self.reached.iter().for_each(|&number| *counts.entry(plain(number)).or_default() += 1);
        for &number in &self.reached {
            let outer = self.declared.types[number].outer.filter(|_| counts[&plain(number)] > 1);
            let wanted = outer.map_or_else(String::new, &plain) + &plain(number);
            let name = self.names.get_mut().fresh(&wanted);
            self.type_names.insert(number, name);
        }
    }

    /// Finds what types capture from enclosing ones, until nothing changes.
    fn find_captures(&mut self) {
        for &number in &self.reached {
            let mut found = Gathered::default();
            let own = &self.plan.types[number];
            for field in own.fields.iter().take(own.sequence) {
                formulas(field, &mut |formula| self.gather(&formula.term, &mut found));
            }
            found.captures.retain(|capture| number != 0 || capture.up != Up::Root);
            self.captures.insert(number, found.captures);
        }
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for &number in &self.reached {
                let own = &self.plan.types[number];
                let inner: Vec<usize> = own
                    .fields
                    .iter()
                    .take(own.sequence)
                    .flat_map(|field| structures(&field.content))
                    .map(|it| it.0)
                    .collect();
                for lifted in inner
                    .iter()
                    .flat_map(|inner| &self.captures[inner])
                    .filter_map(|it| self.lifted(number, it))
                    .collect::<Vec<_>>()
                {
                    let known = self.captures.entry(number).or_default();
                    if !known.contains(&lifted) && known.len() < MOST_CAPTURES {
                        known.push(lifted);
                        is_done = false;
                    }
                }
            }
        }
    }

    /// Returns the same value as seen from the enclosing structure; `None` if it is one of its own fields.
    fn lifted(&self, around: usize, capture: &Capture) -> Option<Capture> {
        let up = match capture.up {
            Up::Root if around == 0 => return None,
            Up::Root => Up::Root,
            Up::Parents(1) => return None,
            Up::Parents(count) => Up::Parents(count - 1),
        };
        Some(Capture { up, path: capture.path.clone() })
    }

    /// Adds the values of enclosing structures that an expression uses.
    fn gather(&self, term: &'s Term, found: &mut Gathered) {
        let Some((up, path)) = place_of(term) else {
            return parts(term).into_iter().for_each(|part| self.gather(part, found));
        };
        if let Some(up) = up {
            let capture = Capture { up, path };
            if found.captures.len() < MOST_CAPTURES && !found.captures.contains(&capture) {
                found.captures.push(capture);
            }
            return;
        }
        // A value of the structure itself may depend on others.
        let Some(&(number, slot)) = path.last() else { return };
        let Some(field) = self.plan.types[number].field(slot).filter(|field| field.value.is_some()) else { return };
        // Values that refer to each other more deeply than that are refused when they are written out.
        if found.depth < DEPTH && found.seen.insert((number, slot)) {
            let before = found.captures.len();
            found.depth += 1;
            field.value.iter().chain(&field.when).for_each(|formula| self.gather(&formula.term, found));
            found.depth -= 1;
            // A parameter that a nested structure takes from its surroundings is also a parameter of the structure around it.
            if path.len() > 1 {
                let own = found.captures.split_off(before);
                let lifted =
                    own.into_iter().filter(|it| it.up == Up::Root && !found.captures.contains(it)).collect::<Vec<_>>();
                found.captures.extend(lifted);
            }
        }
    }
}

/// The captured values that were found.
#[derive(Default)]
struct Gathered {
    captures: Vec<Capture>,
    /// The current depth of nested values that are examined.
    depth: u32,
    /// The values of the structure that were examined.
    seen: HashSet<(usize, usize)>,
}

/// The position of a value: the enclosing structure (`None` for the structure itself), and nested fields, each
/// identified by type and slot.
pub type Place = (Option<Up>, Vec<(usize, usize)>);

/// Returns the position of a nested field of a structure: the structure, if it is an enclosing one, and the path.
/// `None` for other expressions.
pub fn place_of(term: &Term) -> Option<Place> {
    let (mut term, mut path) = (term, Vec::new());
    while let Term::Slot { of, number, slot } = term {
        path.push((*number, *slot));
        term = of;
    }
    path.reverse();
    if path.is_empty() {
        return None;
    }
    let mut parents = 0;
    loop {
        match term {
            Term::Own if parents == 0 => return Some((None, path)),
            Term::Own => return Some((Some(Up::Parents(parents)), path)),
            Term::Property(_, Property::Root) => return Some((Some(Up::Root), path)),
            Term::Property(of, Property::Parent) => {
                parents += 1;
                term = of;
            }
            _ => return None,
        }
    }
}

/// Returns the structures that some content may be, with their arguments.
pub fn structures(content: &Content) -> Vec<(usize, &[Formula])> {
    match content {
        Content::Structure { number, arguments } => vec![(*number, &arguments[..])],
        Content::Switch { cases, default, .. } => {
            cases.iter().map(|(_, case)| case).chain([&**default]).flat_map(structures).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the expressions of a field that is read.
fn formulas<'f>(field: &'f Field, each: &mut impl FnMut(&'f Formula)) {
    use crate::resolve::{Repeat, Size, Valid};
    field.when.iter().for_each(&mut *each);
    match &field.repeat {
        Repeat::Count(formula) | Repeat::Until(formula) => each(formula),
        Repeat::Once | Repeat::ToEnd => {}
    }
    if let Size::Of(formula) = &field.size {
        each(formula);
    }
    match &field.valid {
        Some(Valid::Equal(formula) | Valid::Expr(formula)) => each(formula),
        Some(Valid::Range(min, max)) => min.iter().chain(max).for_each(&mut *each),
        Some(Valid::AnyOf(all)) => all.iter().for_each(&mut *each),
        Some(Valid::InEnum) | None => {}
    }
    if let Content::Switch { on, .. } = &field.content {
        each(on);
    }
    structures(&field.content).into_iter().flat_map(|(_, arguments)| arguments).for_each(each);
}

/// Returns the parts of an expression.
fn parts(term: &Term) -> Vec<&Term> {
    match term {
        Term::Format(parts) | Term::List(parts) => parts.iter().collect(),
        Term::Slot { of, .. } | Term::Named(of, _) | Term::Property(of, _) | Term::Decoded(of, _) => vec![of],
        Term::AsBytes(of) | Term::Not(of) | Term::Minus(of) | Term::Inverse(of) => vec![of],
        Term::Number(left, right) | Term::Element(left, right) | Term::Binary(_, left, right) => vec![left, right],
        Term::Substring(parts) => parts.iter().collect(),
        Term::If(condition, yes, no) => vec![condition, yes, no],
        Term::Int(_) | Term::Float(_) | Term::Bool(_) | Term::Text(_) | Term::Bytes(_) | Term::Label(..) => Vec::new(),
        Term::Own | Term::It | Term::Index => Vec::new(),
    }
}
