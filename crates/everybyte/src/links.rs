//! The fields that the numbers of a byte map are about.

use crate::hash::NumberedMap;
use crate::map::Space;
use crate::nodes::{Children, Home, Id, Index, Node};
use crate::role::Role;
use crate::role::{Origin, Target};
use crate::sums::Sum;
use crate::value::Value;
use std::collections::HashMap;

/// The fields of a byte map, and how to get from a number to the field that it is about.
#[derive(Debug)]
pub struct Links<'m> {
    fields: Vec<Field<'m>>,
    /// The first and the last field of each name inside a field, or on the first level of a space. A list is one of both, and
    /// its elements beside it are not.
    inside: NumberedMap<(Level, &'m str), [usize; 2]>,
    /// All fields by space and offset, and those of one offset by their numbers. A file chooses the offsets, so nothing is hashed.
    at: Vec<(u32, u64, usize)>,
    /// The first place of a field of each name inside a field, or on the first level of a space.
    places: NumberedMap<(Level, &'m str), usize>,
    /// The field that decompresses into each space.
    openers: NumberedMap<u32, usize>,
    /// The first field of each space, and its length.
    spaces: NumberedMap<u32, (usize, u64)>,
}

/// The parts of a field, or the first level of a space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Level {
    Space(u32),
    Field(usize),
}

#[derive(Debug, Clone, Copy)]
struct Field<'m> {
    node: Node<'m>,
    space: u32,
    level: Level,
}

/// A number with a role that names a field.
#[derive(Debug, Clone, Copy)]
pub struct Link<'m> {
    /// The number.
    pub number: Node<'m>,
    /// Its space.
    pub space: u32,
    /// Its role.
    pub role: &'m Role,
    /// The number as the file states it; `None` if it is not an integer of at most 64 bits.
    pub value: Option<i128>,
    /// The field that it is about; `None` if the map has none there. Fields without bytes are in no map.
    pub subject: Option<Subject<'m>>,
}

/// A field that a number is about.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'m> {
    /// The field; the first one of a run of fields.
    pub node: Node<'m>,
    /// Its space.
    pub space: u32,
    /// Its bytes: of a run of fields, those of all.
    pub start: u64,
    /// The byte after its last one.
    pub end: u64,
    /// The number of the field among all of the map; of a run of elements, that of the last one.
    pub(crate) number: usize,
    /// The number of elements, of a run of elements.
    pub(crate) elements: Option<u64>,
}

impl<'m> Links<'m> {
    /// Prepares a map.
    pub fn new(spaces: &'m [Space]) -> Self {
        let mut links = Links {
            fields: Vec::new(),
            inside: NumberedMap::default(),
            at: Vec::new(),
            places: NumberedMap::default(),
            openers: NumberedMap::default(),
            spaces: NumberedMap::default(),
        };
        for space in spaces {
            links.spaces.insert(space.id, (links.fields.len(), space.length));
            let (first, mut asides) = (links.fields.len(), Vec::new());
            links.add(space.nodes.iter(), space.id, Level::Space(space.id), &mut asides);
            links.settle(first, asides);
            links.settle_at_home(first, space.id);
        }
        links.at.sort_unstable();
        links
    }

    /// Adds fields beside each other. Fields around structures that stand elsewhere are put aside, each with its depth.
    fn add(&mut self, nodes: Children<'m>, space: u32, level: Level, asides: &mut Vec<(usize, usize)>) {
        for node in nodes {
            let number = self.fields.len();
            self.fields.push(Field { node, space, level });
            let is_aside =
                node.is_around() || matches!(level, Level::Field(around) if self.fields[around].node.is_around());
            if is_aside {
                asides.push((depth(&self.fields, level), number));
            } else if node.home().is_none() {
                self.know(number);
            }
            self.at.push((space, node.start(), number));
            // Only spaces further in: a space that leads back to itself would be searched for ever.
            if let Some(opened) = node.opens().filter(|&opened| opened > space) {
                self.openers.entry(opened).or_insert(number);
            }
            self.add(node.children(), space, Level::Field(number), asides);
        }
    }

    /// Notes the name of a field on its level.
    fn know(&mut self, number: usize) {
        let Field { node, level, .. } = self.fields[number];
        let is_list = |field: usize| self.fields[field].node.index().is_none() && !self.fields[field].node.is_leaf();
        let [first, last] = self.inside.entry((level, node.name())).or_insert([number; 2]);
        if is_list(number) {
            (*first, *last) = (number, number);
        } else if !is_list(*first) {
            *last = number;
        }
        if let Some(Role::Place { target, .. }) = node.role() {
            self.places.entry((level, &target.path)).or_insert(number);
        }
    }

    /// Puts structures that stand elsewhere on the level of the field that states them, as numbers see them.
    fn settle(&mut self, first: usize, mut asides: Vec<(usize, usize)>) {
        if asides.is_empty() {
            return;
        }
        asides.sort_unstable();
        let mut elements: NumberedMap<(Level, &str, u64), usize> = NumberedMap::default();
        for (number, field) in self.fields.iter().enumerate().skip(first) {
            if let (Some(Index::One(index)), false) = (field.node.index(), field.node.is_around()) {
                elements.entry((field.level, field.node.name(), index)).or_insert(number);
            }
        }
        // The field that each field around a structure stands for.
        let mut real: NumberedMap<usize, usize> = NumberedMap::default();
        for (_, number) in asides {
            if let Level::Field(around) = self.fields[number].level {
                self.fields[number].level = Level::Field(real.get(&around).copied().unwrap_or(around));
            }
            let Field { node, level, .. } = self.fields[number];
            let index = match node.index() {
                Some(Index::One(index)) => Some(index),
                _ => None,
            };
            if node.is_around() {
                let known = match index {
                    Some(index) => elements.get(&(level, node.name(), index)).copied(),
                    None => self.inside.get(&(level, node.name())).map(|[first, _]| *first),
                };
                if known.is_none() {
                    self.know(number);
                }
                real.insert(number, known.unwrap_or(number));
                continue;
            }
            self.know(number);
            if let Some(index) = index {
                elements.entry((level, node.name(), index)).or_insert(number);
            }
        }
    }

    /// Puts the fields of a space that stand outside their structures on the levels to which they belong.
    fn settle_at_home(&mut self, first: usize, space: u32) {
        let fields = self.fields.iter().enumerate().skip(first);
        let strays: Vec<usize> =
            fields.filter(|(_, field)| field.node.home().is_some()).map(|(number, _)| number).collect();
        if strays.is_empty() {
            return;
        }
        let number_of: HashMap<Id, usize> =
            self.fields.iter().enumerate().skip(first).map(|(number, field)| (field.node.id(), number)).collect();
        for number in strays {
            match self.fields[number].node.home() {
                Some(Home::Level) => self.fields[number].level = Level::Space(space),
                Some(Home::Field(home)) => {
                    // What is in no map has no level.
                    let Some(&home) = number_of.get(&home.id()) else { continue };
                    self.fields[number].level = Level::Field(home);
                }
                None => continue,
            }
            self.know(number);
        }
    }

    /// The numbers whose roles name a field, in the order of the map.
    pub fn all(&self) -> impl Iterator<Item = Link<'m>> + '_ {
        (0..self.fields.len()).filter_map(|number| self.link(number))
    }

    /// The field that decompresses into a space; `None` if there is none.
    pub fn opener(&self, space: u32) -> Option<Node<'m>> {
        self.openers.get(&space).map(|&field| self.fields[field].node)
    }

    /// The link of the field of this number; `None` if its role names no field.
    pub(crate) fn link(&self, number: usize) -> Option<Link<'m>> {
        let Field { node, space, .. } = self.fields[number];
        // A list gives its role to its elements.
        let role = node.role().filter(|role| role.target().is_some() && node.is_leaf())?;
        if matches!(node.index(), Some(Index::Range(..))) {
            return None;
        }
        let value = integer(&node.value());
        Some(Link { number: node, space, role, value, subject: self.subject(number, role, value) })
    }

    fn subject(&self, number: usize, role: &Role, value: Option<i128>) -> Option<Subject<'m>> {
        match role {
            Role::Place { target, origin } => Some(self.whole(self.placed(number, target, origin, value)?)),
            Role::Extent { target } | Role::CheckOf { target } => match target.path.split_once("..") {
                Some((first, "")) => self.before(number, first),
                Some(ends) => self.run(number, ends.into(), target.is_beside),
                None => self.described(number, target),
            },
            Role::Counts { target } | Role::CopyOf { target } => match target.path.strip_suffix("..") {
                Some(first) => self.before(number, first),
                None => self.described(number, target),
            },
            Role::IndexOf { target } => self.described(number, target),
            Role::Writer | Role::Fact | Role::Payload | Role::Steady => None,
        }
    }

    /// The field at a place.
    fn placed(&self, number: usize, target: &Target, origin: &Origin, value: Option<i128>) -> Option<usize> {
        let (space, start) = self.offset(number, origin, value)?;
        let mut field = self.outermost(space, start, &target.path)?;
        // A list of one element begins where the element does.
        let mut parts = self.fields[field].node.children();
        if parts.next().is_some_and(|first| first.name() == target.path) && parts.is_empty() {
            field += 1;
        }
        Some(field)
    }

    /// The outermost field of a name at an offset of a space.
    fn outermost(&self, space: u32, start: u64, name: &str) -> Option<usize> {
        let first = self.at.partition_point(|&(of, at, _)| (of, at) < (space, start));
        let here = self.at[first..].iter().take_while(|&&(of, at, _)| (of, at) == (space, start));
        here.map(|&(_, _, number)| number).find(|&number| self.fields[number].node.name() == name)
    }

    /// The space and the offset to which the place of this number leads.
    pub(crate) fn leads_to(&self, number: usize) -> Option<(u32, u64)> {
        let node = self.fields[number].node;
        let Some(Role::Place { origin, .. }) = node.role() else { return None };
        self.offset(number, origin, integer(&node.value()))
    }

    fn offset(&self, number: usize, origin: &Origin, value: Option<i128>) -> Option<(u32, u64)> {
        let (space, base) = self.origin(number, origin)?;
        let Some(Role::Place { target, .. }) = self.fields[number].node.role() else { return None };
        let offset = target.affine.apply(value?)?;
        Some((space, u64::try_from(offset.checked_add(base.into())?).ok()?))
    }

    /// The space in which a place counts, and the offset from which it does.
    fn origin(&self, number: usize, origin: &Origin) -> Option<(u32, u64)> {
        let space = self.fields[number].space;
        match origin {
            Origin::Space => Some((space, 0)),
            Origin::Structure(around) => {
                let start = self.around(number, around).map_or(0, |field| self.fields[field].node.start());
                Some((space, start))
            }
            Origin::After(field) => {
                let field = self.find(number, field, false)?;
                Some((self.fields[field].space, self.fields[field].node.end()))
            }
        }
    }

    /// The field of this name: where a place leads to that the number sees, or else the field that the number sees.
    fn described(&self, number: usize, target: &Target) -> Option<Subject<'m>> {
        if let Some(list) = target.path.strip_suffix("[]") {
            return self.each(number, &Target { path: list.to_owned().into(), ..target.clone() });
        }
        let (path, is_content) = target.path.strip_suffix('!').map_or((&*target.path, false), |path| (path, true));
        let (name, rest) = split(path);
        let (field, is_one) = match (self.place_of(number, name), self.around(number, path)) {
            (Some(place), _) => {
                let node = self.fields[place].node;
                let Some(Role::Place { target, origin }) = &node.role() else { return None };
                let placed = self.placed(place, target, origin, integer(&node.value()))?;
                let inside = self.descend(placed, rest).or_else(|| self.descend(self.first_of(placed), rest));
                (inside?, true)
            }
            (None, Some(around)) => (around, true),
            (None, None) => match self.find(number, path, target.is_beside) {
                Some(field) => (field, false),
                // The structure with which a space begins has no field of its own.
                None if path.starts_with(char::is_uppercase) => return self.content(self.fields[number].space),
                None => return None,
            },
        };
        match self.fields[field].node.opens() {
            Some(opened) if is_content => self.content(opened),
            _ if is_one => Some(self.whole(field)),
            _ => Some(self.all_of(field)),
        }
    }

    /// The first element of a list, for what is said of each.
    fn each(&self, number: usize, list: &Target) -> Option<Subject<'m>> {
        let Subject { number: list, .. } = self.described(number, list)?;
        let first = self.fields[self.first_of(list)].node;
        let (start, end) = (first.start(), first.each().map_or(first.end(), |each| first.start() + each));
        Some(Subject { end, start, ..self.whole(self.first_of(list)) })
    }

    /// The first element of a list; the field itself, if it is none.
    fn first_of(&self, field: usize) -> usize {
        let node = self.fields[field].node;
        let first = node.children().next().filter(|first| first.index().is_some() && first.name() == node.name());
        // Parts are numbered after what they are part of.
        field + usize::from(first.is_some_and(|first| first.home().is_none()))
    }

    /// The elements from the one at a place that the number sees, up to the one around the number.
    fn before(&self, number: usize, name: &str) -> Option<Subject<'m>> {
        let place = self.place_of(number, name)?;
        let node = self.fields[place].node;
        let Some(Role::Place { target, origin }) = &node.role() else { return None };
        let first = self.first_of(self.placed(place, target, origin, integer(&node.value()))?);
        let on_level = |mut field: usize| loop {
            match self.fields[field].level {
                level if level == self.fields[first].level => return Some(field),
                Level::Field(around) => field = around,
                Level::Space(_) => return None,
            }
        };
        let own = on_level(number)?;
        let [begin, end] = [first, own].map(|field| self.fields[field].node);
        let (Some(Index::One(from)), Some(Index::One(to))) = (begin.index(), end.index()) else { return None };
        if begin.name() != end.name() || from > to {
            return None;
        }
        let last = if first == own { first } else { on_level(own - 1)? };
        let run = Subject { end: end.start(), start: begin.start(), ..self.whole(last) };
        Some(Subject { elements: Some(to - from), ..run })
    }

    /// The place of the field of this name, beside the number or beside a structure around it.
    fn place_of(&self, number: usize, name: &str) -> Option<usize> {
        let mut level = self.fields[number].level;
        loop {
            match (self.places.get(&(level, name)), level) {
                (Some(&place), _) => return Some(place),
                (None, Level::Field(around)) => level = self.fields[around].level,
                (None, Level::Space(_)) => return None,
            }
        }
    }

    /// A space as a whole.
    fn content(&self, space: u32) -> Option<Subject<'m>> {
        let &(first, end) = self.spaces.get(&space)?;
        let node = self.fields.get(first).filter(|field| field.space == space)?.node;
        Some(Subject { node, space, start: 0, end, number: first, elements: None })
    }

    /// Fields that stand one after the other.
    fn run(&self, number: usize, ends: [&str; 2], is_beside: bool) -> Option<Subject<'m>> {
        match ends.map(|end| self.find(number, end, is_beside)) {
            [Some(first), Some(last)] => Some(Subject { end: self.all_of(last).end, ..self.whole(first) }),
            // The last one has no bytes, or the first one.
            [Some(first), None] => {
                let own = self.fields[number].node;
                let end = match self.fields[first].level {
                    _ if own.sum().is_some_and(Sum::follows) => own.start(),
                    Level::Field(around) => self.fields[around].node.end(),
                    Level::Space(_) => self.all_of(first).end,
                };
                Some(Subject { end, ..self.whole(first) })
            }
            [None, Some(last)] => Some(self.all_of(last)),
            [None, None] => None,
        }
    }

    /// A field, with those of the same name beside it if it is the first of them: a list without a field of its own.
    fn all_of(&self, field: usize) -> Subject<'m> {
        let Field { node, level, .. } = self.fields[field];
        let last = self.inside.get(&(level, node.name())).filter(|[first, _]| *first == field).map(|[_, last]| *last);
        Subject { end: self.fields[last.unwrap_or(field)].node.end(), ..self.whole(field) }
    }

    fn whole(&self, field: usize) -> Subject<'m> {
        let Field { node, space, .. } = self.fields[field];
        Subject { node, space, start: node.start(), end: node.end(), number: field, elements: None }
    }

    /// The structure of this type around a field.
    fn around(&self, number: usize, type_name: &str) -> Option<usize> {
        let mut level = self.fields[number].level;
        while let Level::Field(field) = level {
            if self.fields[field].node.type_name() == type_name {
                return Some(field);
            }
            level = self.fields[field].level;
        }
        None
    }

    /// The field of this name as a number sees it: beside it, around it, or beside what is around it. A field that
    /// decompresses into a space is around it.
    fn find(&self, number: usize, path: &str, is_beside: bool) -> Option<usize> {
        let (name, rest) = split(path);
        let mut level = self.fields[number].level;
        loop {
            let found = self.inside.get(&(level, name)).map(|[first, _]| *first).filter(|&field| field != number);
            if let Some(found) = found.and_then(|field| self.descend(field, rest)) {
                return Some(found);
            }
            level = match level {
                _ if is_beside => return None,
                Level::Field(around) if self.fields[around].node.name() == name => return self.descend(around, rest),
                Level::Field(around) => self.fields[around].level,
                Level::Space(space) => Level::Field(*self.openers.get(&space)?),
            };
        }
    }

    /// The field at a path inside a field; the field itself without a path.
    fn descend(&self, field: usize, path: Option<&str>) -> Option<usize> {
        let mut names = path.into_iter().flat_map(|path| path.split('.'));
        names.try_fold(field, |field, name| self.inside.get(&(Level::Field(field), name)).map(|[first, _]| *first))
    }
}

impl Link<'_> {
    /// Returns whether the number agrees with the field that it is about; `None` if the map does not show it.
    pub fn agrees(&self) -> Option<bool> {
        let (value, subject) = (self.value?, self.subject.as_ref());
        match self.role {
            // At the start of a space is what has no place: 0 says that there is no such field.
            Role::Place { origin: Origin::Space, .. } if value == 0 && subject.is_none() => None,
            Role::Place { .. } => Some(subject.is_some()),
            _ => Some(value == self.expected()?),
        }
    }

    /// Returns the value with which a length, a count or a copy agrees with its field. `None` if the map does not say it,
    /// and of places and checksums.
    pub fn expected(&self) -> Option<i128> {
        let subject = self.subject.as_ref();
        match &self.role {
            Role::Extent { target } => {
                target.affine.invert(subject.map_or(0, |subject| subject.end - subject.start).into())
            }
            Role::Counts { target } => {
                let of = |subject: &Subject<'_>| subject.elements.or_else(|| elements(subject.node));
                target.affine.invert(subject.map_or(Some(0), of)?.into())
            }
            Role::CopyOf { .. } => integer(&subject?.node.value()),
            Role::Place { .. } | Role::CheckOf { .. } | Role::IndexOf { .. } => None,
            Role::Writer | Role::Fact | Role::Payload | Role::Steady => None,
        }
    }
}

/// The number of fields around a level.
fn depth(fields: &[Field<'_>], mut level: Level) -> usize {
    let mut depth = 0;
    while let Level::Field(around) = level {
        (level, depth) = (fields[around].level, depth + 1);
    }
    depth
}

/// The first name of a path, and the others.
fn split(path: &str) -> (&str, Option<&str>) {
    path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)))
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Uint(value) => i128::try_from(*value).ok(),
        Value::Int(value) => Some(*value),
        Value::Flags(value) => Some((*value).into()),
        _ => None,
    }
}

/// The number of elements of a list; `None` if the map does not say it.
fn elements(list: Node<'_>) -> Option<u64> {
    match list.value() {
        Value::Bytes(_, length) => return Some(length),
        // A text that is counted is counted by its bytes.
        Value::Text(_) => return Some(list.length()),
        _ => {}
    }
    let counted = |element: Node<'_>| match element.index()? {
        Index::One(_) => Some(1),
        Index::Range(first, end) => Some(end - first),
    };
    match (list.is_leaf(), list.start() == list.end()) {
        (true, true) => Some(0),
        (true, false) => None,
        (false, _) => list.children().map(counted).sum(),
    }
}
