//! Expressions in declarations, for generators of other languages: counts, lengths, conditions, arguments.

use crate::digits::Digits;
use crate::name::Name;
use binrw::Endian;
use std::fmt;

/// An expression of a declaration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// The expression as declared.
    pub text: Name,
    /// Its parts.
    pub term: Term,
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The parts of an expression. References, casts and parentheses are left out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Term {
    /// A whole number.
    Number(i128),
    /// A boolean.
    Bool(bool),
    /// Bytes.
    Bytes(&'static [u8]),
    /// A field before this one, a parameter of the structure, or a constant such as `u64::MAX`.
    Name(&'static str),
    /// A field of a value; `0` of a type with one field that has no name.
    Field(Box<Term>, &'static str),
    /// A method of a value, with its arguments.
    Method(Box<Term>, &'static str, Vec<Term>),
    /// A function, with its arguments.
    Call(&'static str, Vec<Term>),
    /// `-` or `!`.
    Unary(&'static str, Box<Term>),
    /// An operator between two values.
    Binary(&'static str, Box<Term>, Box<Term>),
    /// A condition, and the values if it holds and if not.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// A function of one argument: its name, and the value.
    Closure(&'static str, Box<Term>),
    /// Anything else.
    Other,
}

impl Term {
    /// The parts of the expression.
    fn parts(&self) -> Vec<&Term> {
        match self {
            Term::Field(base, _) | Term::Unary(_, base) | Term::Closure(_, base) => vec![base],
            Term::Method(base, _, arguments) => std::iter::once(&**base).chain(arguments).collect(),
            Term::Call(_, arguments) => arguments.iter().collect(),
            Term::Binary(_, left, right) => vec![left, right],
            Term::If(condition, yes, no) => vec![condition, yes, no],
            _ => Vec::new(),
        }
    }

    /// The expression, and all expressions in it.
    pub fn all(&self) -> Vec<&Term> {
        let inner = self.parts().into_iter().flat_map(Term::all);
        std::iter::once(self).chain(inner).collect()
    }

    /// The names in the expression.
    pub fn names(&self) -> Vec<&'static str> {
        let name = |term: &Term| if let Term::Name(name) = term { Some(*name) } else { None };
        self.all().into_iter().filter_map(name).collect()
    }

    /// The names of the fields of values in the expression: `length` of `entry.length`.
    pub fn members(&self) -> Vec<&'static str> {
        let member = |term: &Term| if let Term::Field(_, name) = term { Some(*name) } else { None };
        self.all().into_iter().filter_map(member).collect()
    }

    /// The field whose bytes the expression counts: `body` of `length_of(&body, endian)`.
    pub fn measured(&self) -> Option<&'static str> {
        match self {
            Term::Call(function, arguments) if function.rsplit("::").next() == Some("length_of") => match arguments[..]
            {
                [Term::Name(field), _] => Some(field),
                _ => None,
            },
            _ => None,
        }
    }
}

/// A parameter of a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterDoc {
    /// Its name.
    pub name: &'static str,
    /// Its type, as declared.
    pub type_name: &'static str,
    /// Its value where none is given.
    pub default: Option<Expression>,
}

/// An argument of a field, or of each element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentDoc {
    /// The name of the parameter; empty if parameters have no names.
    pub name: &'static str,
    /// Its value.
    pub value: Expression,
}

/// How the bytes of a type are made, as far as one rule says it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// An integer of this many bytes, in the byte order of the structure.
    Integer {
        /// Its bytes.
        size: u64,
        /// True if it may be negative.
        is_signed: bool,
    },
    /// A floating-point number of this many bytes, in the byte order of the structure.
    Float {
        /// Its bytes.
        size: u64,
    },
    /// A number in an order of its own.
    Ordered(Endian, Box<Form>),
    /// This many bytes.
    Bytes(u64),
    /// Bytes up to the next multiple of this number.
    Align(u64),
    /// The same bytes in every file.
    Fixed(Vec<u8>),
    /// An integer of this many bytes that is always the same, in the byte order of the structure.
    Constant(u64, u128),
    /// A byte that is always the same, and a value.
    Marked(u8, Box<Form>),
    /// A type with a page of its own, and the size of its values, where it is fixed.
    Page(Name, Option<u64>),
    /// As many bytes as the argument `length` says.
    Sized(Content),
    /// A length, and as many bytes: those bits of the length that the mask keeps.
    Counted(Box<Form>, u64, Content),
    /// All bytes up to the end of the space.
    Rest,
    /// Elements one after the other, as many as `count` says.
    List(Box<Form>),
    /// This many elements.
    Array(u64, Box<Form>),
    /// Numbers of the type that the argument `number` says, as many as the argument `count` says.
    Numbers,
    /// A number in a text of a fixed number of bytes.
    Digits(Digits),
    /// A number in groups of seven bits, the lowest first; the highest bit of a byte says that another one follows.
    Leb128,
    /// Bytes up to a zero byte.
    NulString,
    /// No bytes: the field is calculated.
    Calculated,
    /// Bytes that a reader of their own reads; their number, where it is fixed.
    Opaque(Option<u64>),
}

/// The content of a run of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Content {
    /// Any bytes.
    Bytes,
    /// Text in UTF-8.
    Utf8,
    /// Text in Latin-1.
    Latin1,
}
