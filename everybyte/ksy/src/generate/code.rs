//! Rust expressions while they are built.

/// The maximum length of an expression in bytes, which grows because value instances are inlined.
const LONGEST: usize = 2000;

/// The kind of an expression's value. Numbers are `i128`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Is {
    Int,
    Float,
    Bool,
    /// `Option<&str>`
    Text,
    /// `[u8]`
    Bytes,
    List,
}

/// How tightly an operator binds, loosest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Binds {
    If,
    Or,
    And,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Sign,
    Whole,
}

/// A Rust expression.
#[derive(Debug, Clone)]
pub struct Code {
    pub text: String,
    pub is: Is,
    pub binds: Binds,
    /// Whether an integer is never negative.
    pub is_natural: bool,
    /// Whether it has a result for every file.
    pub has_result: bool,
}

impl Code {
    /// Creates an expression that needs no parentheses.
    pub fn whole(text: impl Into<String>, is: Is) -> Self {
        Code { text: text.into(), is, binds: Binds::Whole, is_natural: false, has_result: true }
    }

    pub fn natural(text: impl Into<String>) -> Self {
        Code { is_natural: true, ..Code::whole(text, Is::Int) }
    }

    /// Returns the text, in parentheses if it binds less tightly.
    pub fn within(&self, binds: Binds) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Joins the operands of a left-associative operator.
    pub fn joined(left: &Code, sign: &str, right: &Code, binds: Binds, is: Is) -> Result<Self, String> {
        let is_chain = binds == Binds::Compare && left.binds == binds;
        let first = if is_chain { format!("({})", left.text) } else { left.within(binds) };
        let second = if right.binds == binds { format!("({})", right.text) } else { right.within(binds) };
        let has_result = left.has_result && right.has_result;
        Code { text: format!("{first} {sign} {second}"), is, binds, is_natural: false, has_result }.bounded()
    }

    /// Returns the expression, unless it is too long.
    pub fn bounded(self) -> Result<Self, String> {
        match self.text.len() > LONGEST {
            true => Err(format!("the expanded expression has more than {LONGEST} bytes")),
            false => Ok(self),
        }
    }
}
