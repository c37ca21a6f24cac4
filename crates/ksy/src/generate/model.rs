//! A specification as the generator sees it: the types that a file consists of, and what each takes from those around it.

use super::code::Is;
use super::names::{Names, camel};
use crate::declared::Declared;
use crate::place::{At, Flaw};
use crate::resolve::{Content, Field, Formula, Plan, Property, Term};
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};

/// The most values that are written out inside each other.
pub const DEPTH: u32 = 50;

/// The most values that a type takes from the structures around it.
const MOST_CAPTURES: usize = 64;

/// The place of a structure, as one inside it sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Up {
    Root,
    /// The parent of the parent, as often.
    Parents(usize),
}

/// A value of a structure around, which a type takes as a parameter: fields of fields, each a type and a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    pub up: Up,
    pub path: Vec<(usize, usize)>,
}

/// The types of a specification, and the names that they get.
pub struct Model<'s> {
    pub declared: &'s Declared,
    pub plan: &'s Plan,
    /// The types that stand in a file, each before those inside it.
    pub reached: Vec<usize>,
    pub type_names: HashMap<usize, String>,
    pub captures: HashMap<usize, Vec<Capture>>,
    /// The types that contain themselves, with a number for those that contain each other.
    pub circles: HashMap<usize, usize>,
    /// The same for those that contain themselves without a list between.
    pub direct_circles: HashMap<usize, usize>,
    pub names: RefCell<Names>,
    /// The kinds of values that types take from those around them, as far as they were asked for.
    pub kinds: RefCell<HashMap<(usize, usize), Result<Is, String>>>,
    /// The fewest bytes of types, as far as they were asked for; 0 while they are added up.
    pub least: RefCell<HashMap<usize, u64>>,
    /// The values that are being written out inside each other.
    pub depth: Cell<u32>,
    /// True while only the kind of a value is asked for, wherever it is used.
    pub wants_kind: Cell<bool>,
    pub flaws: RefCell<Vec<Flaw>>,
}

impl<'s> Model<'s> {
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

    pub fn refuse(&self, at: At, message: impl Into<String>) {
        self.flaws.borrow_mut().push(Flaw { at, message: message.into() });
    }

    /// Finds the types that stand in a file.
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

    /// Names the types. Those that share a name have that of the type around them before it.
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

    /// Finds what types take from those around them, until nothing is added.
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

    /// The same value as the structure around sees it; `None` if it is a field of its own.
    fn lifted(&self, around: usize, capture: &Capture) -> Option<Capture> {
        let up = match capture.up {
            Up::Root if around == 0 => return None,
            Up::Root => Up::Root,
            Up::Parents(1) => return None,
            Up::Parents(count) => Up::Parents(count - 1),
        };
        Some(Capture { up, path: capture.path.clone() })
    }

    /// Adds the values of structures around that an expression is made of.
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
        // A value of the structure itself may be made of others.
        let Some(&(number, slot)) = path.last() else { return };
        let Some(field) = self.plan.types[number].field(slot).filter(|field| field.value.is_some()) else { return };
        // Values that refer to each other deeper than that are refused when they are written out.
        if found.depth < DEPTH && found.seen.insert((number, slot)) {
            let before = found.captures.len();
            found.depth += 1;
            field.value.iter().chain(&field.when).for_each(|formula| self.gather(&formula.term, found));
            found.depth -= 1;
            // What another structure takes from around it, the structure around that one has or takes, too.
            if path.len() > 1 {
                let own = found.captures.split_off(before);
                let lifted =
                    own.into_iter().filter(|it| it.up == Up::Root && !found.captures.contains(it)).collect::<Vec<_>>();
                found.captures.extend(lifted);
            }
        }
    }
}

/// The values of structures around that were found.
#[derive(Default)]
struct Gathered {
    captures: Vec<Capture>,
    /// The values that are being looked into, one inside the other.
    depth: u32,
    /// The values of the structure that were looked into.
    seen: HashSet<(usize, usize)>,
}

/// The place of a value: the structure around, or `None` for the structure itself; and fields of fields, each a type and a slot.
pub type Place = (Option<Up>, Vec<(usize, usize)>);

/// A field of a field of a structure: the structure, if it is one around, and the path. `None` for other expressions.
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

/// The structures that a content may be, with their arguments.
pub fn structures(content: &Content) -> Vec<(usize, &[Formula])> {
    match content {
        Content::Structure { number, arguments } => vec![(*number, &arguments[..])],
        Content::Switch { cases, default, .. } => {
            cases.iter().map(|(_, case)| case).chain([&**default]).flat_map(structures).collect()
        }
        _ => Vec::new(),
    }
}

/// The expressions of a field that is read.
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

/// The parts of an expression.
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
