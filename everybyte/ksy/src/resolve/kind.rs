//! The kinds of values, as far as they are known before a file is read.

use crate::expression::Binary;

/// The kind of a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    Int,
    Float,
    Bool,
    Text,
    Bytes,
    Enum(usize),
    /// A structure of a type.
    Structure(usize),
    /// A structure of an unknown type.
    AnyStructure,
    Io,
    List(Box<Kind>),
    /// Only known while reading.
    Any,
}

impl Kind {
    pub fn list(of: Kind) -> Self {
        Kind::List(Box::new(of))
    }

    /// Returns whether it is this kind, if that is known.
    pub fn is(&self, other: &Kind) -> bool {
        *self == Kind::Any || self == other
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Kind::Int | Kind::Float | Kind::Any)
    }

    /// Returns the kind of a value that is of either kind.
    pub fn or(self, other: Kind) -> Kind {
        match (self, other) {
            (a, b) if a == b => a,
            (Kind::Int, Kind::Float) | (Kind::Float, Kind::Int) => Kind::Float,
            (Kind::Structure(_) | Kind::AnyStructure, Kind::Structure(_) | Kind::AnyStructure) => Kind::AnyStructure,
            (Kind::List(of), Kind::Bytes) | (Kind::Bytes, Kind::List(of)) if of.is(&Kind::Int) => Kind::Bytes,
            _ => Kind::Any,
        }
    }

    /// Returns whether values of both kinds can be compared by this operator.
    pub fn compares(&self, operator: Binary, other: &Kind) -> bool {
        let is_equality = matches!(operator, Binary::Equal | Binary::Unequal);
        match (self, other) {
            (Kind::Any, _) | (_, Kind::Any) => true,
            (Kind::Int | Kind::Float, Kind::Int | Kind::Float) | (Kind::Text, Kind::Text) => true,
            (Kind::Bytes, Kind::Bytes) => true,
            (Kind::Bytes, Kind::List(of)) | (Kind::List(of), Kind::Bytes) => of.is(&Kind::Int),
            (Kind::Bool, Kind::Bool) => is_equality,
            (Kind::Enum(a), Kind::Enum(b)) => a == b && is_equality,
            (Kind::List(a), Kind::List(b)) => a.compares(operator, b),
            (Kind::Structure(_) | Kind::AnyStructure, Kind::Structure(_) | Kind::AnyStructure) => is_equality,
            (Kind::Io, Kind::Io) => is_equality,
            _ => false,
        }
    }

    /// Returns whether a parameter of this kind accepts a value of another kind.
    pub fn takes(&self, value: &Kind) -> bool {
        match (self, value) {
            (Kind::Any, _) | (_, Kind::Any) => true,
            (Kind::Float, Kind::Int) | (Kind::Int, Kind::Enum(_)) => true,
            // The enumeration of a parameter applies to the numbers passed to it.
            (Kind::Enum(_), Kind::Int) => true,
            (Kind::AnyStructure, Kind::Structure(_)) | (Kind::Structure(_), Kind::AnyStructure) => true,
            (Kind::List(of), Kind::List(value)) => of.takes(value),
            (Kind::List(of), Kind::Bytes) | (Kind::Bytes, Kind::List(of)) => of.is(&Kind::Int),
            (a, b) => a == b,
        }
    }
}
