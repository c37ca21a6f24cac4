//! Links from numbers to the fields that they refer to, such as from an offset to its target or from a length to its content.
//!
//! A role names its target as seen from the declaration: a sibling, a field of an enclosing structure, or the target of an offset.
//! A map is only a tree of names and bytes, so the names must be resolved again for each number. [`Links::new`] indexes the map
//! once: by level and name, by offset, and by the space that a field opens. After that, each link takes a few lookups.
//!
//! A link has no subject if the map does not contain the field. The field may have no bytes, or it may be one of many
//! elements that share a node. [`Link::agrees`] returns `None` where the map does not show whether the number is
//! correct. Callers must treat this as unknown, not as wrong.

use crate::hash::NumberedMap;
use crate::label::SHOWN_ELEMENTS;
use crate::map::Space;
use crate::nodes::{Children, Home, Id, Index, Node};
use crate::role::Role;
use crate::role::{Origin, Target};
use crate::sums::Sum;
use crate::value::Value;
use std::collections::HashMap;

/// The fields of a byte map, with links from numbers to the fields that they refer to.
///
/// ```
/// use everybyte::links::Links;
/// use everybyte::{Format, explain, layout};
///
/// #[layout]
/// #[brw(little)]
/// struct Note {
///     #[layout(extent = text)]
///     length: u8,
///     #[br(count = length)]
///     text: Vec<u8>,
/// }
///
/// impl Format for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let explained = explain::<Note>(b"\x02hi");
/// let links = Links::new(&explained.spaces);
/// assert!(links.all().all(|link| link.agrees() == Some(true)), "the length is right");
/// ```
#[derive(Debug)]
pub struct Links<'m> {
    fields: Vec<Field<'m>>,
    /// The first and the last field with each name inside a field or at the top level of a space. Lists are included,
    /// but not sibling elements.
    inside: NumberedMap<(Level, &'m str), [usize; 2]>,
    /// All fields, sorted by space, offset and number. This is not a hash table, because the file determines the offsets.
    at: Vec<(u32, u64, usize)>,
    /// The first offset field with each name inside a field or at the top level of a space.
    places: NumberedMap<(Level, &'m str), usize>,
    /// The field that decompresses into each space.
    openers: NumberedMap<u32, usize>,
    /// The first field of each space, and its length.
    spaces: NumberedMap<u32, (usize, u64)>,
}

/// The parts of a field or the top level of a space.
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

/// A number whose role names a field.
///
/// ```
/// use everybyte::links::Links;
/// # use everybyte::{Format, explain, layout};
///
/// #[layout]
/// struct Note {
///     #[layout(extent = text)]
///     length: u8,
///     #[br(count = 2)]
///     text: Vec<u8>,
/// }
/// # impl Format for Note { const NAME: &'static str = "note"; }
///
/// let explained = explain::<Note>(b"\x05hi");
/// let links = Links::new(&explained.spaces);
/// let link = links.all().next().unwrap();
/// assert_eq!((link.number.name(), link.value), ("length", Some(5)));
/// assert_eq!((link.agrees(), link.expected()), (Some(false), Some(2)));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Link<'m> {
    /// The number.
    pub number: Node<'m>,
    /// Its space.
    pub space: u32,
    /// Its role.
    pub role: &'m Role,
    /// The number in the file; `None` if it is not an integer of at most 64 bits.
    pub value: Option<i128>,
    /// The field that it refers to; `None` if the map does not contain it. Maps do not contain fields without bytes.
    pub subject: Option<Subject<'m>>,
}

/// A field that a number refers to.
///
/// ```
/// use everybyte::links::Links;
/// # use everybyte::{Format, explain, layout};
///
/// #[layout]
/// struct Note {
///     #[layout(extent = text)]
///     length: u8,
///     #[br(count = 2)]
///     text: Vec<u8>,
/// }
/// # impl Format for Note { const NAME: &'static str = "note"; }
///
/// let explained = explain::<Note>(b"\x05hi");
/// let links = Links::new(&explained.spaces);
/// let text = links.all().next().unwrap().subject.unwrap();
/// assert_eq!((text.node.name(), text.start, text.end), ("text", 1, 3));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Subject<'m> {
    /// The field; the first one of a run of fields.
    pub node: Node<'m>,
    /// Its space.
    pub space: u32,
    /// The first byte of the field or of the run of fields.
    pub start: u64,
    /// The byte after its last byte.
    pub end: u64,
    /// The number of the field among all fields of the map; for a run of elements, the number of the last one.
    pub(crate) number: usize,
    /// The number of elements in a run of elements.
    pub(crate) elements: Option<u64>,
}

impl<'m> Links<'m> {
    /// Indexes a map.
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

    /// Adds sibling fields. Fields that enclose structures elsewhere are set aside, each with its depth.
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
            // Only spaces with higher numbers are searched, because a space that leads back to itself would be searched forever.
            if let Some(opened) = node.opens().filter(|&opened| opened > space) {
                self.openers.entry(opened).or_insert(number);
            }
            self.add(node.children(), space, Level::Field(number), asides);
        }
    }

    /// Records the name of a field at its level.
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

    /// Moves structures at offsets to the level of the field that states them, where numbers look for them.
    ///
    /// In the map, such a structure is inside a chain of fields that only repeat the names on the way to it. Numbers
    /// ignore this chain and treat the structure as a part of the real field with the same name. Outer fields are
    /// settled first, so that inner fields find the real field that encloses them.
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
        // The field that each enclosing field represents.
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

    /// Moves the fields of a space that are outside their structures to the levels that they belong to.
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
                    // A field outside the map has no level.
                    let Some(&home) = number_of.get(&home.id()) else { continue };
                    self.fields[number].level = Level::Field(home);
                }
                None => continue,
            }
            self.know(number);
        }
    }

    /// The numbers whose roles name a field, in map order.
    pub fn all(&self) -> impl Iterator<Item = Link<'m>> + '_ {
        (0..self.fields.len()).filter_map(|number| self.link(number))
    }

    /// The field that decompresses into a space; `None` if there is no such field.
    pub fn opener(&self, space: u32) -> Option<Node<'m>> {
        self.openers.get(&space).map(|&field| self.fields[field].node)
    }

    /// Returns the link of the field with this number; `None` if its role names no field.
    pub(crate) fn link(&self, number: usize) -> Option<Link<'m>> {
        let Field { node, space, .. } = self.fields[number];
        // A list passes its role on to its elements.
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
            Role::IndexOf { target } => {
                Some(self.indexed(self.described(number, target)?, target.affine.apply(value?)?))
            }
            Role::Writer | Role::Fact | Role::Payload | Role::Steady => None,
        }
    }

    /// The field at a position.
    fn placed(&self, number: usize, target: &Target, origin: &Origin, value: Option<i128>) -> Option<usize> {
        let (space, start) = self.offset(number, origin, value)?;
        let mut field = self.outermost(space, start, &target.path)?;
        // A list of one element begins where its element begins.
        let mut parts = self.fields[field].node.children();
        if parts.next().is_some_and(|first| first.name() == target.path) && parts.is_empty() {
            field += 1;
        }
        Some(field)
    }

    /// The outermost field with this name at an offset of a space.
    fn outermost(&self, space: u32, start: u64, name: &str) -> Option<usize> {
        let first = self.at.partition_point(|&(of, at, _)| (of, at) < (space, start));
        let here = self.at[first..].iter().take_while(|&&(of, at, _)| (of, at) == (space, start));
        here.map(|&(_, _, number)| number).find(|&number| self.fields[number].node.name() == name)
    }

    /// Returns the space and the offset that an offset field points to.
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

    /// The space that an offset refers to, and the position that it is relative to.
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

    /// The field with this name: the target of an offset that is visible from the number, or otherwise a visible field.
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
                // The structure at the beginning of a space is not a field itself.
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

    /// Returns an element of a list, or the list itself if the map does not show the element. The subject of the number
    /// remains the list.
    fn indexed(&self, list: Subject<'m>, index: i128) -> Subject<'m> {
        let is_shown = (0..SHOWN_ELEMENTS as i128).contains(&index);
        let of_list = |node: &Node<'m>| matches!(node.index(), Some(Index::One(at)) if i128::from(at) == index);
        match list.node.children().take(SHOWN_ELEMENTS).find(of_list).filter(|_| is_shown) {
            Some(node) => Subject { node, start: node.start(), end: node.end(), ..list },
            None => list,
        }
    }

    /// The first element of a list, for roles that refer to each element.
    fn each(&self, number: usize, list: &Target) -> Option<Subject<'m>> {
        let Subject { number: list, .. } = self.described(number, list)?;
        let first = self.fields[self.first_of(list)].node;
        let (start, end) = (first.start(), first.each().map_or(first.end(), |each| first.start() + each));
        Some(Subject { end, start, ..self.whole(self.first_of(list)) })
    }

    /// The first element of a field that is a list; otherwise the field itself.
    fn first_of(&self, field: usize) -> usize {
        let node = self.fields[field].node;
        let first = node.children().next().filter(|first| first.index().is_some() && first.name() == node.name());
        // Parts have higher numbers than the fields that contain them.
        field + usize::from(first.is_some_and(|first| first.home().is_none()))
    }

    /// The elements from the target of a visible offset up to the element that contains the number.
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

    /// The offset field for the field with this name, in the structure of the number or in an enclosing one.
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

    /// Returns a whole space as a subject.
    fn content(&self, space: u32) -> Option<Subject<'m>> {
        let &(first, end) = self.spaces.get(&space)?;
        let node = self.fields.get(first).filter(|field| field.space == space)?.node;
        Some(Subject { node, space, start: 0, end, number: first, elements: None })
    }

    /// Returns a run of consecutive fields as a subject.
    fn run(&self, number: usize, ends: [&str; 2], is_beside: bool) -> Option<Subject<'m>> {
        match ends.map(|end| self.find(number, end, is_beside)) {
            [Some(first), Some(last)] => Some(Subject { end: self.all_of(last).end, ..self.whole(first) }),
            // The last or the first field has no bytes.
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

    /// Returns a field, or all siblings with its name if it is the first of them. They are then a list that is not a field itself.
    fn all_of(&self, field: usize) -> Subject<'m> {
        let Field { node, level, .. } = self.fields[field];
        let last = self.inside.get(&(level, node.name())).filter(|[first, _]| *first == field).map(|[_, last]| *last);
        Subject { end: self.fields[last.unwrap_or(field)].node.end(), ..self.whole(field) }
    }

    fn whole(&self, field: usize) -> Subject<'m> {
        let Field { node, space, .. } = self.fields[field];
        Subject { node, space, start: node.start(), end: node.end(), number: field, elements: None }
    }

    /// The structure of this type that encloses the number.
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

    /// The field with this name as seen from a number: in its structure or in an enclosing one. A field that
    /// decompresses into a space counts as enclosing it.
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

    /// The field at a path inside a field; the field itself if there is no path.
    fn descend(&self, field: usize, path: Option<&str>) -> Option<usize> {
        let mut names = path.into_iter().flat_map(|path| path.split('.'));
        names.try_fold(field, |field, name| self.inside.get(&(Level::Field(field), name)).map(|[first, _]| *first))
    }
}

impl Link<'_> {
    /// Returns whether the number is consistent with the field that it refers to; `None` if the map does not show this.
    pub fn agrees(&self) -> Option<bool> {
        let (value, subject) = (self.value?, self.subject.as_ref());
        match self.role {
            // The offset 0 in the space means that the field does not exist.
            Role::Place { origin: Origin::Space, .. } if value == 0 && subject.is_none() => None,
            Role::Place { .. } => Some(subject.is_some()),
            _ => Some(value == self.expected()?),
        }
    }

    /// Returns the value that a length, a count or a copy should have; `None` for offsets and checksums and if the map
    /// does not show it.
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

/// Returns the number of fields that enclose a level.
fn depth(fields: &[Field<'_>], mut level: Level) -> usize {
    let mut depth = 0;
    while let Level::Field(around) = level {
        (level, depth) = (fields[around].level, depth + 1);
    }
    depth
}

/// Returns the first name of a path and the rest of the path.
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

/// Returns the number of elements in a list; `None` if the map does not show it.
fn elements(list: Node<'_>) -> Option<u64> {
    match list.value() {
        Value::Bytes(_, length) => return Some(length),
        // The length of text is counted in bytes.
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
