//! The parts of expressions.

use std::sync::Arc;

/// A name in a specification.
pub type Word = Arc<str>;

/// The maximum depth of an expression, which limits the recursion of everything that evaluates it.
const LEVELS: u32 = 128;

/// An expression and its position in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub place: usize,
    pub form: Form,
    /// The depth of its tree: 1 if it has no parts.
    levels: u32,
}

impl Expr {
    /// Creates an expression, unless it is too deep.
    pub fn new(place: usize, form: Form) -> Result<Self, Failure> {
        let levels = 1 + form.parts().iter().map(|part| part.levels).max().unwrap_or_default();
        if levels > LEVELS {
            return Err((place, format!("the expression has more than {LEVELS} levels")));
        }
        Ok(Expr { place, form, levels })
    }

    /// Returns the depth of its tree.
    pub fn levels(&self) -> u32 {
        self.levels
    }
}

/// The form of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Int(i128),
    Float(f64),
    Bool(bool),
    Text(Word),
    /// `f"…{expression}…"`
    Format(Vec<Expr>),
    List(Vec<Expr>),
    Name(Word),
    /// `a::b::c`: a value of an enumeration.
    Path(Vec<Word>),
    Member(Box<Expr>, Word),
    Call(Box<Expr>, Word, Vec<Expr>),
    /// `x.as<type>`
    Cast(Box<Expr>, Word),
    Element(Box<Expr>, Box<Expr>),
    /// `sizeof<type>`; in bits, for `bitsizeof<type>`.
    Size {
        of: Word,
        in_bits: bool,
    },
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
}

impl Form {
    /// Its subexpressions.
    fn parts(&self) -> Vec<&Expr> {
        match self {
            Form::Int(_) | Form::Float(_) | Form::Bool(_) | Form::Text(_) => Vec::new(),
            Form::Name(_) | Form::Path(_) | Form::Size { .. } => Vec::new(),
            Form::Format(parts) | Form::List(parts) => parts.iter().collect(),
            Form::Member(base, _) | Form::Cast(base, _) | Form::Unary(_, base) => vec![base],
            Form::Call(base, _, arguments) => std::iter::once(&**base).chain(arguments).collect(),
            Form::Element(left, right) | Form::Binary(_, left, right) => vec![left, right],
            Form::If(condition, yes, no) => vec![condition, yes, no],
        }
    }
}

/// The unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    Not,
    Minus,
    Inverse,
}

/// The binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    BitOr,
    BitXor,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Binary {
    /// Returns whether it compares its operands.
    pub fn compares(self) -> bool {
        use Binary::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        matches!(self, Equal | Unequal | Less | AtMost | Greater | AtLeast)
    }
}

/// A text that is not an expression: the byte at which this is detected, and the reason.
pub type Failure = (usize, String);
