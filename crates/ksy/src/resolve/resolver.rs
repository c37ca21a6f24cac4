//! The resolver: types, fields and expressions whose names are looked up.

use super::kind::Kind;
use super::plan::{Endian, Enum, Label, Param, Plan, Run, Type};
use crate::declared::{self, Declared};
use crate::expression::Word;
use crate::packing::Unpacking;
use crate::place::{At, Flaw, Sound, flaw};
use crate::text::Encoding;
use everybyte::Name;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The kinds of slots as far as they were asked for; `None` while one is found out.
pub type Kinds = RefCell<HashMap<(usize, usize), Option<Sound<Kind>>>>;

/// The most warnings about encodings.
const MOST_WARNINGS: usize = 1000;

/// The types of a specification while they are resolved.
pub struct Resolver<'d> {
    pub declared: &'d Declared,
    /// The processes that the user of the specification supplies.
    pub processes: &'d HashMap<String, Unpacking>,
    /// The kinds of the parents of types, as far as they were found.
    pub parents: RefCell<HashMap<usize, Kind>>,
    pub kinds: Kinds,
    /// The values of instances that are being asked for each other's kinds.
    pub depth: Cell<u32>,
    /// The levels of the deepest expression so far.
    pub levels: Cell<u32>,
    /// The bits of types that are the same in every file, as far as they were added up.
    pub sizes: RefCell<HashMap<usize, u64>>,
    pub warnings: RefCell<Vec<Flaw>>,
    /// The names of all fields and of all types, once somebody asks for them.
    names: OnceCell<HashSet<&'d str>>,
}

/// Resolves all names; returns the plan of the reader with warnings.
pub fn resolve(declared: &Declared, processes: &HashMap<String, Unpacking>) -> Sound<(Plan, Vec<Flaw>)> {
    let resolver = Resolver::new(declared, processes);
    let types = (0..declared.types.len()).map(|number| resolver.resolved(number)).collect::<Sound<Vec<_>>>()?;
    let enums = declared.enums.iter().map(enumeration).collect();
    let levels = resolver.levels.get();
    let mut warnings = resolver.warnings.into_inner();
    // Types inside others have their encoding, and an expression may be resolved for its kind before.
    warnings.sort_by_key(|flaw| (flaw.at.file, flaw.at.line, flaw.at.column));
    warnings.dedup_by(|one, other| one.at == other.at && one.message == other.message);
    Ok((Plan { types, enums, levels }, warnings))
}

/// A name that maps share with the specification.
pub fn name(text: &str) -> Name {
    Name::from(text.to_owned())
}

fn enumeration(declared: &declared::Enum) -> Enum {
    let mut labels = HashMap::new();
    for label in &declared.labels {
        labels.entry(label.value).or_insert_with(|| Label { name: name(&label.name), doc: name(&label.doc) });
    }
    Enum { name: name(&declared.name), labels }
}

/// The nodes of the fields of a type: one for bits that follow each other, which share bytes.
fn runs(own: &declared::Type) -> Sound<Vec<Run>> {
    let bits = |field: &declared::Field| {
        let is_bits = matches!(field.content, declared::Content::Primitive(declared::Primitive::Bits { .. }));
        is_bits && matches!(field.repeat, declared::Repeat::Once)
    };
    let (mut runs, mut begin) = (Vec::new(), 0);
    for group in own.seq.chunk_by(|one, next| bits(one) && bits(next)).chain(own.instances.chunks(1)) {
        let text = match group {
            [first, .., last] => format!("{}-{}", first.name, last.name),
            group => group.iter().map(|field| &*field.name).collect(),
        };
        runs.push(Run { places: begin..begin + group.len(), name: name(&text) });
        begin += group.len();
    }
    Ok(runs)
}

impl<'d> Resolver<'d> {
    /// Finds the parents of all types.
    pub fn new(declared: &'d Declared, processes: &'d HashMap<String, Unpacking>) -> Self {
        let resolver = Resolver {
            declared,
            processes,
            parents: RefCell::default(),
            kinds: Kinds::default(),
            depth: Cell::new(0),
            levels: Cell::new(0),
            sizes: RefCell::default(),
            warnings: RefCell::default(),
            names: OnceCell::new(),
        };
        resolver.find_parents();
        resolver
    }

    /// The names of all fields and of all types.
    pub fn names(&self) -> &HashSet<&'d str> {
        let names_of = |own: &'d declared::Type| own.slots.keys().chain([&own.name]).map(|name| &**name);
        self.names.get_or_init(|| self.declared.types.iter().flat_map(names_of).collect())
    }

    pub fn own(&self, number: usize) -> &'d declared::Type {
        &self.declared.types[number]
    }

    /// A field or an instance by its slot; `None` for parameters.
    pub fn field(&self, number: usize, slot: usize) -> Option<&'d declared::Field> {
        let own = self.own(number);
        let place = slot.checked_sub(own.params.len())?;
        own.seq.get(place).or_else(|| own.instances.get(place - own.seq.len()))
    }

    /// Advises on the name of an encoding.
    pub fn advise(&self, encoding: &str, at: impl FnOnce() -> At) {
        let mut warnings = self.warnings.borrow_mut();
        if let Some(message) = Encoding::advice(encoding).filter(|_| warnings.len() < MOST_WARNINGS) {
            warnings.push(Flaw { at: at(), message });
        }
    }

    fn resolved(&self, number: usize) -> Sound<Type> {
        let own = self.own(number);
        if let Some((encoding, at)) = &own.encoding {
            self.advise(encoding, || *at);
        }
        let mut params = Vec::new();
        for param in &own.params {
            let kind = self.kind_of_param(number, param)?;
            params.push(Param { name: name(&param.name), kind });
        }
        let mut fields = Vec::new();
        for (place, field) in own.seq.iter().chain(&own.instances).enumerate() {
            fields.push(self.resolved_field(number, own.params.len() + place, field)?);
        }
        if let Some(text) = &own.to_string {
            self.expected(number, text, &Kind::Text, None)?;
        }
        Ok(Type {
            name: name(&own.name),
            doc: name(&own.doc),
            at: own.at,
            is_outermost: own.outer.is_none(),
            sequence: own.seq.len(),
            params,
            runs: runs(own)?,
            fields,
            slots: own.slots.clone(),
            endian: self.resolved_endian(number)?,
        })
    }

    /// The choice of a byte order, in the type that declares it.
    fn resolved_endian(&self, number: usize) -> Sound<Option<Endian>> {
        let own = self.own(number);
        let declared::Endian::Chosen(choice) = &own.endian else { return Ok(None) };
        let around = own.outer.map(|outer| &self.own(outer).endian);
        if matches!(around, Some(declared::Endian::Chosen(around)) if Arc::ptr_eq(around, choice)) {
            return Ok(None);
        }
        let (on, kind) = self.formula(number, &choice.on, None)?;
        let mut cases = Vec::new();
        for (case, is_little) in &choice.cases {
            let case = case.as_ref().map(|case| self.comparable(number, case, &kind, None)).transpose()?;
            cases.push((case, *is_little));
        }
        Ok(Some(Endian { on, cases }))
    }

    /// A type by its path, as a type of this number sees it.
    pub fn find_type(&self, scope: usize, path: &str) -> Option<usize> {
        let mut names = path.split("::");
        let first = names.next()?;
        let outwards = std::iter::successors(Some(scope), |&number| self.own(number).outer);
        let mut found = None;
        for number in outwards {
            let own = self.own(number);
            found = own.types.get(first).copied().or_else(|| (&*own.name == first).then_some(number));
            if found.is_some() {
                break;
            }
        }
        let mut number = found.or_else(|| self.declared.top.get(first).copied())?;
        for name in names {
            number = *self.own(number).types.get(name)?;
        }
        Some(number)
    }

    /// An enumeration by its path, as a type of this number sees it.
    pub fn find_enum(&self, scope: usize, path: &[&str]) -> Option<usize> {
        let (last, types) = path.split_last()?;
        if !types.is_empty() {
            let owner = self.find_type(scope, &types.join("::"))?;
            return self.own(owner).enums.get(*last).copied();
        }
        let mut outwards = std::iter::successors(Some(scope), |&number| self.own(number).outer);
        outwards.find_map(|number| self.own(number).enums.get(*last).copied())
    }

    /// An enumeration by the text of a key.
    pub fn enumeration(&self, scope: usize, path: &Word, at: At) -> Sound<usize> {
        let found = self.find_enum(scope, &path.split("::").collect::<Vec<_>>());
        found.ok_or_else(|| Flaw { at, message: format!("there is no enumeration `{path}` here") })
    }

    /// A type by its path, with the fault of one that is not there.
    pub fn known_type(&self, scope: usize, path: &str, at: At) -> Sound<Option<usize>> {
        match self.find_type(scope, path) {
            Some(found) => Ok(Some(found)),
            None if self.declared.has_opaque_types => Ok(None),
            None => flaw(at, format!("there is no type `{path}` here")),
        }
    }
}
