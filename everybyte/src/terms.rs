//! Expressions of declarations as trees, for code generators.

use crate::coding::Coding;
use crate::digits::Digits;
use crate::name::Name;
use binrw::Endian;
use std::fmt;

/// An expression in a declaration.
///
/// ```
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// #[layout]
/// struct Row {
///     cells: u8,
///     #[br(count = cells * 2)]
///     bytes: Vec<u8>,
/// }
///
/// let book = Book::of::<Row>();
/// let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("not a structure") };
/// let count = fields[1].count.as_ref().unwrap();
/// assert_eq!(count.to_string(), "cells * 2");
/// ```
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

/// The parts of an expression. References, casts and parentheses are omitted.
///
/// ```
/// use everybyte::{layout, reference::{Book, Term, TypeKind}};
///
/// #[layout]
/// struct Row {
///     cells: u8,
///     #[br(count = cells * 2)]
///     bytes: Vec<u8>,
/// }
///
/// let book = Book::of::<Row>();
/// let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("not a structure") };
/// let count = fields[1].count.as_ref().unwrap();
/// assert_eq!(count.term, Term::Binary("*", Box::new(Term::Name("cells")), Box::new(Term::Number(2))));
/// assert_eq!(count.term.names(), ["cells"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Term {
    /// An integer.
    Number(i128),
    /// A boolean.
    Bool(bool),
    /// Bytes.
    Bytes(&'static [u8]),
    /// A previous field, a parameter of the structure, or a constant such as `u64::MAX`.
    Name(&'static str),
    /// A field of a value. The field of a tuple struct is named `0`.
    Field(Box<Term>, &'static str),
    /// A method call on a value, with its arguments.
    Method(Box<Term>, &'static str, Vec<Term>),
    /// A function call, with its arguments.
    Call(&'static str, Vec<Term>),
    /// `-` or `!`.
    Unary(&'static str, Box<Term>),
    /// An operator between two values.
    Binary(&'static str, Box<Term>, Box<Term>),
    /// A condition, the value if it is true, and the value if it is false.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// A function of one argument: the name of the argument and the value.
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

    /// The expression and all of its subexpressions.
    pub fn all(&self) -> Vec<&Term> {
        let inner = self.parts().into_iter().flat_map(Term::all);
        std::iter::once(self).chain(inner).collect()
    }

    /// The names in the expression.
    pub fn names(&self) -> Vec<&'static str> {
        let name = |term: &Term| if let Term::Name(name) = term { Some(*name) } else { None };
        self.all().into_iter().filter_map(name).collect()
    }

    /// The names of the fields of values in the expression, such as `length` in `entry.length`.
    pub fn members(&self) -> Vec<&'static str> {
        let member = |term: &Term| if let Term::Field(_, name) = term { Some(*name) } else { None };
        self.all().into_iter().filter_map(member).collect()
    }

    /// The field whose bytes the expression counts, such as `body` in `length_of(&body, endian)`.
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
///
/// ```
/// use everybyte::{layout, reference::Book};
///
/// #[layout]
/// #[br(import(width: u8))]
/// struct Row {
///     #[br(count = width)]
///     pixels: Vec<u8>,
/// }
///
/// let book = Book::of::<Row>();
/// let width = &book.types[0].parameters[0];
/// assert_eq!((width.name, width.type_name), ("width", "u8"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParameterDoc {
    /// Its name.
    pub name: &'static str,
    /// Its type, as declared.
    pub type_name: &'static str,
    /// Its default value.
    pub default: Option<Expression>,
}

/// An argument of a field or of each element of a list.
///
/// ```
/// use everybyte::{bytes::Region, layout, reference::{Book, TypeKind}};
///
/// #[layout]
/// struct Packet {
///     words: u8,
///     #[br(args { length: u64::from(words) * 4 })]
///     body: Region,
/// }
///
/// let book = Book::of::<Packet>();
/// let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("not a structure") };
/// let length = &fields[1].arguments[0];
/// assert_eq!((length.name, length.value.text.as_str()), ("length", "u64::from(words) * 4"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentDoc {
    /// The name of the parameter; empty if the parameters have no names.
    pub name: &'static str,
    /// Its value.
    pub value: Expression,
}

/// The encoding of a type as bytes, if a single form can describe it.
///
/// ```
/// use everybyte::reference::Form;
/// use everybyte::{Layout, bytes::Rest};
///
/// assert_eq!(u16::form(), Form::Integer { size: 2, is_signed: false });
/// assert_eq!(<[f32; 3]>::form(), Form::Array(3, Box::new(Form::Float { size: 4 })));
/// assert_eq!(Rest::form(), Form::Rest);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// An integer of this many bytes, in the byte order of the structure.
    Integer {
        /// Its size in bytes.
        size: u64,
        /// True if it can be negative.
        is_signed: bool,
    },
    /// A floating-point number of this many bytes, in the byte order of the structure.
    Float {
        /// Its size in bytes.
        size: u64,
    },
    /// A number with its own byte order.
    Ordered(Endian, Box<Form>),
    /// This many bytes.
    Bytes(u64),
    /// Bytes up to the next multiple of this number.
    Align(u64),
    /// The same bytes in every file.
    Fixed(Vec<u8>),
    /// An integer of this many bytes that is always the same, in the byte order of the structure.
    Constant(u64, u128),
    /// A byte that is always the same, followed by a value.
    Marked(u8, Box<Form>),
    /// A type with its own entry, and the size of its values, if it is fixed.
    Page(Name, Option<u64>),
    /// A number whose values are named by the entry with this name.
    Coded(Box<Form>, Name),
    /// A number of bytes given by the argument `length`.
    Sized(Content),
    /// A length, followed by that many bytes. The mask selects the bits of the length.
    Counted(Box<Form>, u64, Content),
    /// All bytes to the end of the space.
    Rest,
    /// Consecutive elements; `count` states how many.
    List(Box<Form>),
    /// This many elements.
    Array(u64, Box<Form>),
    /// Numbers whose type is given by the argument `number` and whose count is given by the argument `count`.
    Numbers,
    /// A number written as text of fixed length.
    Digits(Digits),
    /// A variable-length number.
    Varint(Coding),
    /// Bytes up to a zero byte.
    NulString,
    /// A text.
    Text(TextForm),
    /// No bytes, because the field is calculated.
    Calculated,
    /// Bytes with a custom reader, and their number if it is fixed.
    Opaque(Option<u64>),
}

/// The bytes of a text: how many there are, and which of them are the text.
///
/// ```
/// use everybyte::reference::{Form, TextForm};
/// use everybyte::{Layout, text::{Ascii, Ended, Text}};
///
/// let Form::Text(TextForm { encoding, size, end, is_ended, .. }) = <Text<Ascii, Ended<b'\n'>>>::form() else { panic!() };
/// assert_eq!((encoding, size, end, is_ended), ("ASCII", None, Some(b'\n'), true));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TextForm {
    /// The name of the encoding.
    pub encoding: &'static str,
    /// The number of bytes, if it is fixed.
    pub size: Option<u64>,
    /// The byte that pads the text after its end.
    pub fill: Option<u8>,
    /// The byte that ends the text.
    pub end: Option<u8>,
    /// True if the bytes extend up to and including `end`. Otherwise, if `size` is `None`, the argument `count` gives their number.
    pub is_ended: bool,
}

/// The content of a byte string.
///
/// ```
/// use everybyte::reference::{Content, Form};
/// use everybyte::{Layout, bytes::Bytes};
///
/// assert_eq!(Bytes::form(), Form::Sized(Content::Bytes));
/// ```
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
