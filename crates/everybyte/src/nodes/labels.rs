//! Facts that many fields have in common, once: declarations, and names of values and meanings.

use crate::hash::NumberedMap;
use crate::label::Show;
use crate::name::Name;
use crate::packing::Codec;
use crate::reference::Bits;
use crate::role::Role;
use crate::sums::Sum;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

/// The facts that the fields of one declaration have in common. A map has it once.
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
    /// True if its value identifies the element of a list that it is in.
    pub is_key: bool,
    /// The checksum that it is.
    pub sum: Option<&'static Sum>,
    /// The way in which its bytes unpack into content.
    pub codec: Option<&'static Codec>,
    /// The way its value is shown.
    pub(crate) show: Show,
    /// The runs of bits of a value of its type.
    pub(crate) bits: Option<fn(u64) -> Vec<Bits>>,
}

/// The number of some facts in one map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FactsId(pub(super) u32);

impl Facts {
    /// The facts of a field of this name.
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

/// The identity of a declaration of the program: the addresses of its label, of its type and of its bits. The last number is that
/// of the label of the list that it is in.
pub type Key = (usize, usize, usize, u32);

/// All declarations of some fields.
#[derive(Debug, Clone)]
pub struct Labels {
    all: Vec<Facts>,
    declared: NumberedMap<Key, u32>,
    /// Those that were edited, by their hashes.
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

    /// The number of a declaration of the program.
    #[inline]
    pub fn declared(&mut self, key: Key, facts: impl FnOnce(&Labels) -> Facts) -> u32 {
        if let Some(&number) = self.declared.get(&key) {
            return number;
        }
        let number = self.push(facts(self));
        self.declared.insert(key, number);
        number
    }

    /// The number of any declaration.
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

    /// Bytes of memory beside its own.
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
    /// By the addresses of their texts, which stay as long as the names do.
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

    /// Bytes of memory beside its own.
    pub fn heap(&self) -> u64 {
        let tables =
            self.all.capacity() * size_of::<Name>() + self.known.capacity() * size_of::<((usize, usize), u32)>();
        tables as u64 + self.all.iter().map(Name::heap).sum::<u64>()
    }
}
