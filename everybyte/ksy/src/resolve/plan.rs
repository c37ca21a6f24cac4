//! The plan of a reader: everything that it needs from a specification.
//!
//! Names are resolved here to numbers of types, enumerations and slots. The slots of a type are its parameters, fields and
//! instances. Errors that do not depend on a file have already been found, so an invalid specification has no plan.

use super::kind::Kind;
use crate::expression::{Binary, Word};
use crate::packing::Unpacking;
use crate::place::At;
use crate::text::Encoding;
use everybyte::{map::Name, role::Role};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// All types of a specification; the first one is the file's.
#[derive(Debug)]
pub struct Plan {
    pub types: Vec<Type>,
    pub enums: Vec<Enum>,
    /// The depth of the deepest expression.
    pub levels: u32,
}

#[derive(Debug)]
pub struct Enum {
    pub name: Name,
    /// The name of its page in the field reference: a number is appended if a type or another enumeration has the same
    /// name.
    pub page: Name,
    pub labels: HashMap<i128, Label>,
}

#[derive(Debug)]
pub struct Label {
    pub name: Name,
    pub doc: Name,
}

/// A type. Its slots are its parameters, then its fields, then its instances.
#[derive(Debug)]
pub struct Type {
    pub name: Name,
    pub doc: Name,
    pub at: At,
    /// Whether this is the type of a complete file.
    pub is_outermost: bool,
    /// The number of fields that are read in sequence; instances follow them.
    pub sequence: usize,
    pub params: Vec<Param>,
    pub fields: Vec<Field>,
    /// The nodes of the fields in a map, in their order.
    pub runs: Vec<Run>,
    pub slots: HashMap<Word, usize>,
    pub endian: Option<Endian>,
}

impl Type {
    /// Returns the field of a slot; `None` for parameters.
    pub fn field(&self, slot: usize) -> Option<&Field> {
        self.fields.get(slot.checked_sub(self.params.len())?)
    }

    /// Returns the fields that share a node with a field.
    pub fn run(&self, place: usize) -> &Run {
        &self.runs[self.runs.partition_point(|run| run.places.end <= place)]
    }

    /// Returns the name of the node that contains a field.
    pub fn node_name(&self, place: usize) -> &Name {
        &self.run(place).name
    }

    /// Returns whether a slot belongs to an instance.
    pub fn is_instance(&self, slot: usize) -> bool {
        slot >= self.params.len() + self.sequence
    }
}

/// Fields that share a node of the map: adjacent bits. Any other field has its own node.
#[derive(Debug)]
pub struct Run {
    pub places: Range<usize>,
    pub name: Name,
}

#[derive(Debug)]
pub struct Param {
    pub name: Name,
    pub kind: Kind,
}

/// A byte order that depends on a value.
#[derive(Debug)]
pub struct Endian {
    pub on: Formula,
    /// The values, and whether they mean little-endian; `None` for all other values.
    pub cases: Vec<(Option<Formula>, bool)>,
}

/// A field or an instance.
#[derive(Debug)]
pub struct Field {
    pub name: Name,
    pub doc: Name,
    pub at: At,
    pub content: Content,
    pub repeat: Repeat,
    pub when: Option<Formula>,
    pub size: Size,
    pub delimiter: Option<Delimiter>,
    pub pad: Option<u8>,
    pub enumeration: Option<usize>,
    pub process: Option<Process>,
    pub valid: Option<Valid>,
    pub pos: Option<Formula>,
    pub io: Option<Formula>,
    pub value: Option<Formula>,
    pub parent: Parent,
    pub contents: Option<Arc<[u8]>>,
    pub check: Option<Check>,
    /// The role that the specification states.
    pub role: Option<Role>,
    /// The checksum in this field, according to `-check` or its role.
    pub sum: Option<&'static everybyte::sums::Sum>,
}

/// The structure that `_parent` refers to in a field that is a structure.
#[derive(Debug)]
pub enum Parent {
    /// The structure that contains the field.
    Around,
    None,
    Of(Formula),
}

/// A resolved expression, with its text and its position.
#[derive(Debug)]
pub struct Formula {
    pub term: Term,
    pub text: Word,
    pub at: At,
}

#[derive(Debug)]
pub enum Term {
    Int(i128),
    Float(f64),
    Bool(bool),
    Text(Word),
    Bytes(Arc<[u8]>),
    Format(Vec<Term>),
    List(Vec<Term>),
    /// A value of an enumeration.
    Label(usize, i128),
    /// The structure itself.
    Own,
    /// `_`
    It,
    /// `_index`
    Index,
    /// A slot of a structure, whose type is known.
    Slot {
        of: Box<Term>,
        number: usize,
        slot: usize,
    },
    /// A name that is only resolved while reading.
    Named(Box<Term>, Word),
    Property(Box<Term>, Property),
    /// Bytes as text.
    Decoded(Box<Term>, Encoding),
    /// A string as a number in a base.
    Number(Box<Term>, Box<Term>),
    Substring(Box<[Term; 3]>),
    /// A list of numbers as bytes.
    AsBytes(Box<Term>),
    Element(Box<Term>, Box<Term>),
    Not(Box<Term>),
    Minus(Box<Term>),
    Inverse(Box<Term>),
    Binary(Binary, Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
}

/// A property that values of a kind have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Property {
    Io,
    Root,
    Parent,
    Pos,
    Eof,
    /// `size` and `length`.
    Size,
    First,
    Last,
    Min,
    Max,
    Reverse,
    /// `to_i`
    Integer,
    /// `to_s`
    Text,
}

/// The content of a field's bytes.
#[derive(Debug)]
pub enum Content {
    Bytes,
    Text(Encoding),
    Int {
        size: u8,
        is_signed: bool,
        order: Order,
    },
    Float {
        size: u8,
        order: Order,
    },
    Bits {
        width: u32,
        is_little: bool,
    },
    Structure {
        number: usize,
        arguments: Vec<Formula>,
    },
    /// A type that the specification does not declare.
    Opaque(Word),
    /// The values and their contents; `None` for all other values.
    Switch {
        on: Formula,
        cases: Vec<(Option<Formula>, Content)>,
        default: Box<Content>,
    },
    /// No bytes at all: a value that selects nothing.
    Nothing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    Big,
    Little,
    /// Chosen while reading.
    Chosen,
}

#[derive(Debug)]
pub enum Repeat {
    Once,
    ToEnd,
    Count(Formula),
    Until(Formula),
}

#[derive(Debug)]
pub enum Size {
    Own,
    Of(Formula),
    ToEnd,
}

/// Bytes that end a field.
#[derive(Debug)]
pub struct Delimiter {
    pub bytes: Vec<u8>,
    /// Whether they belong to the value.
    pub include: bool,
    /// Whether reading continues after them.
    pub consume: bool,
    /// Whether they are required.
    pub is_needed: bool,
}

/// How bytes are unpacked.
#[derive(Debug)]
pub struct Process {
    pub by: Unpacking,
    pub name: Word,
    pub arguments: Vec<Formula>,
}

#[derive(Debug)]
pub enum Valid {
    Equal(Formula),
    Range(Option<Formula>, Option<Formula>),
    AnyOf(Vec<Formula>),
    InEnum,
    Expr(Formula),
}

/// The fields that a checksum covers: the first and the last slot.
#[derive(Debug)]
pub struct Check {
    pub sum: &'static everybyte::sums::Sum,
    pub first: usize,
    pub last: usize,
}
