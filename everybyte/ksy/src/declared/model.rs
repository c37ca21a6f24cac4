//! The parts of a specification, as it declares them.

use crate::expression::{Expr, Word};
use crate::place::At;
use everybyte::sums::Sum;
use std::collections::HashMap;
use std::sync::Arc;

/// Everything that a specification and its imports declare.
#[derive(Debug, Default)]
pub struct Declared {
    /// The types; the first one is the specification itself.
    pub types: Vec<Type>,
    pub enums: Vec<Enum>,
    /// The types at the top level of their files, by name.
    pub top: HashMap<Word, usize>,
    /// The paths of the files.
    pub files: Vec<String>,
    /// True if types without a declaration are allowed.
    pub has_opaque_types: bool,
}

/// An enumeration.
#[derive(Debug)]
pub struct Enum {
    pub name: Word,
    pub labels: Vec<Label>,
    /// The values by name.
    pub values: HashMap<Word, i128>,
}

/// A value of an enumeration.
#[derive(Debug)]
pub struct Label {
    pub value: i128,
    pub name: Word,
    pub doc: Word,
}

/// A type.
#[derive(Debug)]
pub struct Type {
    pub name: Word,
    pub at: At,
    pub outer: Option<usize>,
    pub types: HashMap<Word, usize>,
    pub enums: HashMap<Word, usize>,
    pub params: Vec<Param>,
    pub seq: Vec<Field>,
    pub instances: Vec<Field>,
    /// The slots of names: parameters first, then fields, then instances.
    pub slots: HashMap<Word, usize>,
    pub endian: Endian,
    pub bits_are_little: bool,
    pub encoding: Option<(Word, At)>,
    pub to_string: Option<Code>,
    pub doc: Word,
    /// The title, the licence and the version of the file; empty for types inside it.
    pub title: Word,
    pub license: Word,
}

/// An expression, its text and its position.
#[derive(Debug, Clone)]
pub struct Code {
    pub expr: Expr,
    pub text: Word,
    /// The text for messages: only its beginning, if it is long.
    pub shown: Word,
    /// The position where the text begins.
    pub at: At,
    /// True if the text is written literally on one line.
    pub is_straight: bool,
}

impl Code {
    /// Returns the position of a part.
    pub fn place(&self, part: &Expr) -> At {
        let before = self.text.get(..part.place).filter(|_| self.is_straight);
        At { column: self.at.column + before.map_or(0, |before| before.chars().count() as u32), ..self.at }
    }
}

/// The byte order of numbers.
#[derive(Debug, Clone)]
pub enum Endian {
    Unstated,
    Big,
    Little,
    /// Chosen while reading.
    Chosen(Arc<EndianChoice>),
}

/// A byte order that depends on a value.
#[derive(Debug)]
pub struct EndianChoice {
    pub on: Code,
    /// The values, and whether they mean little-endian; `None` for all other values.
    pub cases: Vec<(Option<Code>, bool)>,
}

/// A parameter of a type.
#[derive(Debug)]
pub struct Param {
    pub name: Word,
    pub at: At,
    /// The name of its type; bytes if it has none.
    pub type_name: Option<Word>,
    pub enumeration: Option<Word>,
}

/// A field or an instance.
#[derive(Debug)]
pub struct Field {
    pub name: Word,
    pub at: At,
    pub doc: Word,
    pub content: Content,
    pub repeat: Repeat,
    pub when: Option<Code>,
    pub size: Size,
    pub terminator: Option<Vec<u8>>,
    pub include: bool,
    pub consume: bool,
    pub eos_error: bool,
    pub pad: Option<u8>,
    pub encoding: Option<(Word, At)>,
    pub enumeration: Option<(Word, At)>,
    pub process: Option<Process>,
    pub valid: Option<Valid>,
    pub pos: Option<Code>,
    pub io: Option<Code>,
    pub value: Option<Code>,
    pub parent: Option<Code>,
    pub contents: Option<Arc<[u8]>>,
    pub check: Option<Check>,
    pub role: Option<StatedRole>,
    /// The level of zlib for packing it again.
    pub level: Option<u8>,
}

/// The content of a field's bytes.
#[derive(Debug)]
pub enum Content {
    Bytes,
    Text,
    /// A string that ends with a zero, unless something else ends it.
    ZeroText,
    Primitive(Primitive),
    User(User),
    Switch(Box<Switch>),
}

/// A number or a run of bits. The order is `None` if the order of the type applies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Primitive {
    Int { size: u8, is_signed: bool, is_little: Option<bool> },
    Float { size: u8, is_little: Option<bool> },
    Bits { width: u32, is_little: Option<bool> },
}

/// A reference to a type.
#[derive(Debug)]
pub struct User {
    pub path: Word,
    pub arguments: Vec<Code>,
    pub at: At,
}

/// Content that depends on a value.
#[derive(Debug)]
pub struct Switch {
    pub on: Code,
    /// The values and their contents; `None` for all other values.
    pub cases: Vec<(Option<Code>, Content)>,
}

/// How often a field occurs in the file.
#[derive(Debug)]
pub enum Repeat {
    Once,
    ToEnd,
    Count(Code),
    Until(Code),
}

/// How a field's bytes end.
#[derive(Debug)]
pub enum Size {
    /// It follows from the content.
    Own,
    Of(Code),
    ToEnd,
}

/// The process that unpacks the bytes of a field.
#[derive(Debug)]
pub struct Process {
    pub name: Word,
    pub arguments: Vec<Code>,
    pub at: At,
}

/// The rule for the value of a field.
#[derive(Debug)]
pub enum Valid {
    Equal(Code),
    Range(Option<Code>, Option<Code>),
    AnyOf(Vec<Code>),
    InEnum(At),
    Expr(Code),
}

/// The checksum that a field states: `-check: crc32(first..last)`, a key that Kaitai Struct ignores.
#[derive(Debug)]
pub struct Check {
    pub sum: Word,
    /// The fields that it covers: one field, several in sequence, or the ends of a run.
    pub over: Vec<Word>,
    /// Whether they are the ends of a run.
    pub is_run: bool,
    pub at: At,
}

/// The role that a number gets from `-role`, a key that Kaitai Struct ignores.
#[derive(Debug)]
pub struct StatedRole {
    pub meaning: Meaning,
    /// The multiplier of the number.
    pub times: u16,
    pub plus: i16,
    pub at: At,
}

impl StatedRole {
    /// Returns the checksum that the number states, if it states one.
    pub fn sum(&self) -> Option<&'static Sum> {
        match self.meaning {
            Meaning::Check(sum, _) => sum,
            _ => None,
        }
    }
}

/// The meaning of a number. Fields are given by name or by path.
#[derive(Debug)]
pub enum Meaning {
    Extent(Word),
    Counts(Word),
    Place(Word, Origin),
    Copy(Word),
    Index(Word),
    /// A checksum; `None` if its algorithm is not stated.
    Check(Option<&'static Sum>, Word),
    Writer,
    Fact,
    Payload,
    Steady,
}

/// The origin of a position.
#[derive(Debug)]
pub enum Origin {
    Space,
    /// The surrounding structure of this type.
    Structure(Word),
    /// The end of a field.
    After(Word),
}
