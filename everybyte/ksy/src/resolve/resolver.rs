//! Resolves names in types, fields and expressions.
//!
//! The kind of a value instance is the kind of its expression, which may use other instances. Kinds are therefore resolved on
//! demand and memoized, and an entry without a result marks one in progress: meeting it again means that there is a cycle, which is
//! an error in the specification. The depth of such chains is also limited, since they recurse.

use super::kind::Kind;
use super::plan::{Endian, Enum, Label, Param, Plan, Run, Type};
use crate::declared::{self, Declared};
use crate::expression::Word;
use crate::packing::{PROCESSES, Unpacking};
use crate::place::{At, LocatedError, SpecResult, error_at};
use crate::text::Encoding;
use everybyte::map::Name;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Memoized kinds of slots. `None` marks one that is being resolved, which detects cycles.
pub type Kinds = RefCell<HashMap<(usize, usize), Option<SpecResult<Kind>>>>;

/// The maximum number of warnings about encodings.
const MOST_WARNINGS: usize = 1000;

/// The types of a specification while they are being resolved.
pub struct Resolver<'d> {
    pub declared: &'d Declared,
    /// The processes that the user of the specification provides.
    pub processes: &'d HashMap<String, Unpacking>,
    /// Memoized kinds of the parents of types.
    pub parents: RefCell<HashMap<usize, Kind>>,
    pub kinds: Kinds,
    /// The current depth of instances whose kinds depend on each other.
    pub depth: Cell<u32>,
    /// The depth of the deepest expression so far.
    pub levels: Cell<u32>,
    /// Memoized sizes in bits of types that have the same size in every file.
    pub sizes: RefCell<HashMap<usize, u64>>,
    pub warnings: RefCell<Vec<LocatedError>>,
    /// The names of all fields and of all types, collected when first needed.
    names: OnceCell<HashSet<&'d str>>,
}

/// Resolves all names; returns the plan of the reader, and warnings.
pub fn resolve(declared: &Declared, processes: &HashMap<String, Unpacking>) -> SpecResult<(Plan, Vec<LocatedError>)> {
    let resolver = Resolver::new(declared, processes);
    let types = (0..declared.types.len()).map(|number| resolver.resolved(number)).collect::<SpecResult<Vec<_>>>()?;
    let enums = enumerations(declared);
    let levels = resolver.levels.get();
    let mut warnings = resolver.warnings.into_inner();
    // Duplicates arise because nested types share an encoding, and because an expression may also be resolved for its kind.
    warnings.sort_by_key(|flaw| (flaw.at.file, flaw.at.line, flaw.at.column));
    warnings.dedup_by(|one, other| one.at == other.at && one.message == other.message);
    Ok((Plan { types, enums, levels }, warnings))
}

/// Returns a name that maps share with the specification.
pub fn name(text: &str) -> Name {
    Name::from(text.to_owned())
}

fn enumerations(declared: &Declared) -> Vec<Enum> {
    let mut pages: HashMap<&str, usize> = declared.types.iter().map(|own| (&*own.name, 1)).collect();
    let numbered = declared.enums.iter().map(|of| {
        let pages = pages.entry(&of.name).or_default();
        *pages += 1;
        enumeration(of, *pages)
    });
    numbered.collect()
}

fn enumeration(declared: &declared::Enum, number: usize) -> Enum {
    let mut labels = HashMap::new();
    for label in &declared.labels {
        labels.entry(label.value).or_insert_with(|| Label { name: name(&label.name), doc: name(&label.doc) });
    }
    let name = name(&declared.name);
    let page = if number == 1 { name.clone() } else { format!("{name} {number}").into() };
    Enum { name, page, labels }
}

/// Returns the nodes for the fields of a type. Adjacent bits that share bytes share a node.
fn runs(own: &declared::Type) -> SpecResult<Vec<Run>> {
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
    /// Creates a resolver, and finds the parents of all types.
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

    /// Returns the names of all fields and of all types.
    pub fn names(&self) -> &HashSet<&'d str> {
        let names_of = |own: &'d declared::Type| own.slots.keys().chain([&own.name]).map(|name| &**name);
        self.names.get_or_init(|| self.declared.types.iter().flat_map(names_of).collect())
    }

    pub fn own(&self, number: usize) -> &'d declared::Type {
        &self.declared.types[number]
    }

    /// Returns a field or an instance by its slot; `None` for parameters.
    pub fn field(&self, number: usize, slot: usize) -> Option<&'d declared::Field> {
        let own = self.own(number);
        let place = slot.checked_sub(own.params.len())?;
        own.seq.get(place).or_else(|| own.instances.get(place - own.seq.len()))
    }

    /// Advises on the name of an encoding.
    pub fn advise(&self, encoding: &str, at: impl FnOnce() -> At) {
        let mut warnings = self.warnings.borrow_mut();
        if let Some(message) = Encoding::advice(encoding).filter(|_| warnings.len() < MOST_WARNINGS) {
            warnings.push(LocatedError { at: at(), message });
        }
    }

    /// Returns a process by its name: one of Kaitai Struct or one that the user supplies.
    pub fn unpacking(&self, name: &str) -> Option<Unpacking> {
        let own = PROCESSES.into_iter().find(|(own, _)| *own == name).map(|(_, by)| by);
        own.or_else(|| self.processes.get(name).copied())
    }

    /// Returns whether the bytes of a field stay packed because the process is unknown. Reports that once.
    pub fn stays_packed(&self, field: &declared::Field) -> bool {
        let Some(process) = &field.process else { return false };
        let stays = self.unpacking(&process.name).is_none();
        let mut warnings = self.warnings.borrow_mut();
        if stays && warnings.len() < MOST_WARNINGS {
            let known = PROCESSES.map(|(name, _)| name).join(", ");
            let message = format!(
                "the process `{}` is not known, so that its bytes stay packed: known are {known} and those that are supplied",
                process.name
            );
            warnings.push(LocatedError { at: process.at, message });
        }
        stays
    }

    fn resolved(&self, number: usize) -> SpecResult<Type> {
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

    /// Resolves the choice of a byte order, in the type that declares it.
    fn resolved_endian(&self, number: usize) -> SpecResult<Option<Endian>> {
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

    /// Finds a type by its path, as seen from the type with this number.
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

    /// Finds an enumeration by its path, as seen from the type with this number.
    pub fn find_enum(&self, scope: usize, path: &[&str]) -> Option<usize> {
        let (last, types) = path.split_last()?;
        if !types.is_empty() {
            let owner = self.find_type(scope, &types.join("::"))?;
            return self.own(owner).enums.get(*last).copied();
        }
        let mut outwards = std::iter::successors(Some(scope), |&number| self.own(number).outer);
        outwards.find_map(|number| self.own(number).enums.get(*last).copied())
    }

    /// Finds an enumeration by the text of a key.
    pub fn enumeration(&self, scope: usize, path: &Word, at: At) -> SpecResult<usize> {
        let found = self.find_enum(scope, &path.split("::").collect::<Vec<_>>());
        found.ok_or_else(|| LocatedError { at, message: format!("there is no enumeration `{path}` here") })
    }

    /// Finds a type by its path and reports a fault if there is none.
    pub fn known_type(&self, scope: usize, path: &str, at: At) -> SpecResult<Option<usize>> {
        match self.find_type(scope, path) {
            Some(found) => Ok(Some(found)),
            None if self.declared.has_opaque_types => Ok(None),
            None => error_at(at, format!("there is no type `{path}` here")),
        }
    }
}
