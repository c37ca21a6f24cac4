//! Facts that many fields have in common, stored once: declarations, and the names of values and meanings.
//!
//! A list of a million points has two million fields, but two declarations. A node stores the number of its
//! declaration. The recorder looks up that number by the addresses of the label and of the type's functions, without
//! comparing any strings. Fields that are edited or built by hand have no such addresses and are found by the hash of
//! their facts.

use crate::codec::Codec;
use crate::hash::NumberedMap;
use crate::label::Show;
use crate::name::Name;
use crate::reference::Bits;
use crate::role::Role;
use crate::sums::Sum;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// Facts that all fields of one declaration have in common. A map stores them once.
///
/// ```
/// use everybyte::map::{Facts, Nodes};
///
/// let mut nodes = Nodes::new();
/// let mut facts = Facts::new("pixel");
/// facts.type_name = "u8".into();
/// let pixel = nodes.facts(facts);
/// for offset in 0..3 {
///     nodes.leaf_of(pixel, offset..offset + 1).add();
/// }
/// assert!(nodes.iter().all(|node| node.name() == "pixel" && node.type_name() == "u8"));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Facts {
    /// The name of the field.
    pub name: Name,
    /// Its purpose.
    pub doc: Name,
    /// The name of its type.
    pub type_name: Name,
    /// The role of its number.
    pub role: Option<Role>,
    /// True if its value identifies an element of the enclosing list.
    pub is_key: bool,
    /// The checksum, if the field is one.
    pub sum: Option<&'static Sum>,
    /// The codec that unpacks its bytes.
    pub codec: Option<&'static Codec>,
    /// How its value is shown.
    pub(crate) show: Show,
    /// Returns the runs of bits in a value of its type.
    pub(crate) bits: Option<fn(u64) -> Vec<Bits>>,
}

/// The number of a set of facts in one map.
///
/// ```
/// use everybyte::map::{Facts, Nodes};
///
/// let mut nodes = Nodes::new();
/// let mut facts = Facts::new("pixel");
/// facts.type_name = "u8".into();
/// let pixel = nodes.facts(facts);
/// let first = nodes.leaf_of(pixel, 0..1).add();
/// assert_eq!(nodes.node(first).name(), "pixel");
/// assert_eq!(nodes.facts(Facts::new("row")), nodes.facts(Facts::new("row")), "equal facts have one number");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FactsId(pub(super) u32);

impl Facts {
    /// Creates the facts of a field with this name.
    pub fn new(name: impl Into<Name>) -> Self {
        Facts { name: name.into(), ..Facts::default() }
    }

    fn bits_number(&self) -> usize {
        self.bits.map_or(0, |bits| bits as usize)
    }
}

impl PartialEq for Facts {
    fn eq(&self, other: &Self) -> bool {
        let Facts { name, doc, type_name, role, is_key, sum, codec, show, bits: _ } = self;
        *name == other.name
            && *doc == other.doc
            && *type_name == other.type_name
            && *role == other.role
            && *is_key == other.is_key
            && *sum == other.sum
            && *codec == other.codec
            && *show == other.show
            && self.bits_number() == other.bits_number()
    }
}

impl Hash for Facts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let Facts { name, doc, type_name, role, is_key, sum, codec, show, bits: _ } = self;
        let codec = codec.map(Codec::name);
        (name, doc, type_name, role, is_key, sum.map(Sum::name), codec, show, self.bits_number()).hash(state);
    }
}

/// Identifies a declaration in the program by the addresses of its label, its type and its bits. The last number is the label of
/// the enclosing list.
pub type Key = (usize, usize, usize, u32);

/// All declarations of some fields.
#[derive(Debug, Clone)]
pub struct Labels {
    all: Vec<Facts>,
    declared: NumberedMap<Key, u32>,
    /// Edited declarations, by hash.
    edited: NumberedMap<u64, u32>,
}

impl Labels {
    pub const fn new() -> Self {
        let declared = HashMap::with_hasher(BuildHasherDefault::new());
        Labels { all: Vec::new(), declared, edited: HashMap::with_hasher(BuildHasherDefault::new()) }
    }

    pub fn all(&self) -> &[Facts] {
        &self.all
    }

    pub fn get(&self, number: u32) -> &Facts {
        &self.all[number as usize]
    }

    /// The number of a declaration in the program.
    #[inline]
    pub fn declared(&mut self, key: Key, facts: impl FnOnce(&Labels) -> Facts) -> u32 {
        if let Some(&number) = self.declared.get(&key) {
            return number;
        }
        let number = self.push(facts(self));
        self.declared.insert(key, number);
        number
    }

    /// The number of a declaration, which is assigned on first use.
    pub fn number(&mut self, facts: Facts) -> u32 {
        let mut hasher = DefaultHasher::new();
        facts.hash(&mut hasher);
        let hash = hasher.finish();
        match self.edited.get(&hash) {
            Some(&number) if self.all[number as usize] == facts => number,
            _ => {
                let number = self.push(facts);
                self.edited.insert(hash, number);
                number
            }
        }
    }

    fn push(&mut self, facts: Facts) -> u32 {
        self.all.push(facts);
        self.all.len() as u32 - 1
    }

    /// The heap memory in bytes.
    pub fn heap(&self) -> u64 {
        let texts = |facts: &Facts| facts.name.heap() + facts.doc.heap() + facts.type_name.heap();
        let tables =
            self.declared.capacity() * size_of::<(Key, u32)>() + self.edited.capacity() * size_of::<(u64, u32)>();
        (self.all.capacity() * size_of::<Facts>() + tables) as u64 + self.all.iter().map(texts).sum::<u64>()
    }
}

/// The names of values and of meanings.
#[derive(Debug, Clone)]
pub struct Names {
    all: Vec<Name>,
    /// The numbers of names by the addresses of their strings, which are valid as long as the names exist.
    known: NumberedMap<(usize, usize), u32>,
}

impl Names {
    pub const fn new() -> Self {
        Names { all: Vec::new(), known: HashMap::with_hasher(BuildHasherDefault::new()) }
    }

    pub fn all(&self) -> &[Name] {
        &self.all
    }

    pub fn get(&self, number: u64) -> &Name {
        &self.all[number as usize]
    }

    #[inline]
    pub fn number(&mut self, name: &Name) -> u32 {
        let place = (name.as_ptr() as usize, name.len());
        if let Some(&number) = self.known.get(&place) {
            return number;
        }
        self.all.push(name.clone());
        let number = self.all.len() as u32 - 1;
        self.known.insert(place, number);
        number
    }

    /// The heap memory in bytes.
    pub fn heap(&self) -> u64 {
        let tables =
            self.all.capacity() * size_of::<Name>() + self.known.capacity() * size_of::<((usize, usize), u32)>();
        tables as u64 + self.all.iter().map(Name::heap).sum::<u64>()
    }
}
