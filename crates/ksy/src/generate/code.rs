//! Expressions of Rust in the making.

/// The longest expression, in bytes: values that are made of values are written out.
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

/// An expression of Rust.
#[derive(Debug, Clone)]
pub struct Code {
    pub text: String,
    pub is: Is,
    pub binds: Binds,
    /// True if an integer is not negative.
    pub is_natural: bool,
    /// True if it has a result whatever the file says.
    pub has_result: bool,
}

impl Code {
    /// An expression that needs no parentheses.
    pub fn whole(text: impl Into<String>, is: Is) -> Self {
        Code { text: text.into(), is, binds: Binds::Whole, is_natural: false, has_result: true }
    }

    pub fn natural(text: impl Into<String>) -> Self {
        Code { is_natural: true, ..Code::whole(text, Is::Int) }
    }

    /// The text, in parentheses if it binds less tightly.
    pub fn within(&self, binds: Binds) -> String {
        if self.binds < binds { format!("({})", self.text) } else { self.text.clone() }
    }

    /// Two sides of an operator, which is read from the left.
    pub fn joined(left: &Code, sign: &str, right: &Code, binds: Binds, is: Is) -> Result<Self, String> {
        let is_chain = binds == Binds::Compare && left.binds == binds;
        let first = if is_chain { format!("({})", left.text) } else { left.within(binds) };
        let second = if right.binds == binds { format!("({})", right.text) } else { right.within(binds) };
        let has_result = left.has_result && right.has_result;
        Code { text: format!("{first} {sign} {second}"), is, binds, is_natural: false, has_result }.bounded()
    }

    /// The same, unless it is too long.
    pub fn bounded(self) -> Result<Self, String> {
        match self.text.len() > LONGEST {
            true => Err(format!("with the values that it is made of, the expression has more than {LONGEST} bytes")),
            false => Ok(self),
        }
    }
}
