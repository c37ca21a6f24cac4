//! Parses expressions.

use super::ast::{Binary, Expr, Failure, Form, Unary, Word};
use super::lex::{Token, tokens, unescaped};

/// The maximum nesting of parentheses and signs before an operand.
const DEPTH: u32 = 100;

/// Reads an expression.
pub fn parse(text: &str) -> Result<Expr, Failure> {
    let mut parser = Parser::new(text)?;
    let expr = parser.whole()?;
    parser.end()?;
    Ok(expr)
}

/// Reads a name with arguments: `name`, `a::b(1, x)`. The positions of the arguments are relative to the beginning of the text.
pub fn call(text: &str) -> Result<(Word, Vec<Expr>), Failure> {
    let mut parser = Parser::new(text)?;
    let mut name = String::new();
    loop {
        name.push_str(&parser.name()?);
        let Some(sign) = ["::", "."].into_iter().find(|sign| parser.take(sign)) else { break };
        name.push_str(sign);
    }
    let arguments = if parser.take("(") { parser.list(")")? } else { Vec::new() };
    if parser.take("[") {
        parser.need("]")?;
        name.push_str("[]");
    }
    parser.end()?;
    Ok((name.into(), arguments))
}

/// The binary operators by how tightly they bind, the loosest first.
const OPERATORS: [&[(&str, Binary)]; 9] = [
    &[("or", Binary::Or)],
    &[("and", Binary::And)],
    &[
        ("==", Binary::Equal),
        ("!=", Binary::Unequal),
        ("<=", Binary::AtMost),
        (">=", Binary::AtLeast),
        ("<", Binary::Less),
        (">", Binary::Greater),
    ],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Subtract)],
    &[("*", Binary::Multiply), ("/", Binary::Divide), ("%", Binary::Modulo)],
];

/// The level of comparisons, which cannot be chained without parentheses; `not` binds equally.
const COMPARISONS: usize = 2;

/// A recursive descent parser. `depth` bounds the recursion, because the text may nest to any depth.
struct Parser {
    tokens: Vec<(usize, Token)>,
    next: usize,
    depth: u32,
}

impl Parser {
    /// Creates a parser at the first token.
    fn new(text: &str) -> Result<Self, Failure> {
        Ok(Parser { tokens: tokens(text)?, next: 0, depth: 0 })
    }

    /// Returns the next token. The last one is always the end.
    fn peek(&self) -> &Token {
        &self.tokens[self.next].1
    }

    /// Returns the position of the next token.
    fn place(&self) -> usize {
        self.tokens[self.next].0
    }

    /// Moves to the next token, but never past the end.
    fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Returns whether the next token is this sign or word.
    fn is(&self, word: &str) -> bool {
        match self.peek() {
            Token::Sign(sign) => *sign == word,
            Token::Name(name) => name == word,
            _ => false,
        }
    }

    /// Skips a sign or word if it is next.
    fn take(&mut self, word: &str) -> bool {
        let is = self.is(word);
        if is {
            self.advance();
        }
        is
    }

    /// Skips a sign or word, or fails.
    fn need(&mut self, word: &str) -> Result<(), Failure> {
        if self.take(word) { Ok(()) } else { self.fail(&format!("where `{word}` should")) }
    }

    /// Fails unless all tokens were read.
    fn end(&self) -> Result<(), Failure> {
        match self.peek() {
            Token::End => Ok(()),
            _ => self.fail("where the expression should end"),
        }
    }

    /// Returns the error at the next token.
    fn fail<T>(&self, condition: &str) -> Result<T, Failure> {
        let found = match self.peek() {
            Token::End => "the end".to_owned(),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::Name(name) => format!("`{name}`"),
            Token::Int(number) => format!("`{number}`"),
            Token::Float(number) => format!("`{number}`"),
            Token::Text(text) | Token::Format(text) => format!("{text:?}"),
        };
        Err((self.place(), format!("{found} stands {condition}")))
    }

    /// Reads a name.
    fn name(&mut self) -> Result<String, Failure> {
        let Token::Name(name) = self.peek().clone() else { return self.fail("where a name should") };
        self.advance();
        Ok(name)
    }

    /// Parses one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Failure>) -> Result<T, Failure> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err((self.place(), format!("the expression is nested more than {DEPTH} deep")));
        }
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Parses an expression, possibly a conditional one: `condition ? yes : no`.
    fn whole(&mut self) -> Result<Expr, Failure> {
        self.deeper(|parser| {
            let place = parser.place();
            let condition = parser.level(0)?;
            if !parser.take("?") {
                return Ok(condition);
            }
            let yes = parser.whole()?;
            parser.need(":")?;
            let no = parser.whole()?;
            Expr::new(place, Form::If(condition.into(), yes.into(), no.into()))
        })
    }

    /// Parses an expression of operators that bind at least as tightly as this level.
    fn level(&mut self, level: usize) -> Result<Expr, Failure> {
        let Some(operators) = OPERATORS.get(level) else { return self.unary() };
        let place = self.place();
        if level == COMPARISONS && self.take("not") {
            let inner = self.deeper(|parser| parser.level(COMPARISONS))?;
            return Expr::new(place, Form::Unary(Unary::Not, inner.into()));
        }
        let mut left = self.level(level + 1)?;
        while let Some((sign, operator)) = operators.iter().find(|(sign, _)| self.is(sign)) {
            let at = self.place();
            self.advance();
            // Operators of other languages, for a better message.
            let word = if *operator == Binary::BitAnd { "and" } else { "or" };
            if matches!(operator, Binary::BitAnd | Binary::BitOr) && self.is(sign) {
                return Err((at, format!("`{sign}{sign}` is `{word}` here")));
            }
            let right = self.level(level + 1)?;
            left = Expr::new(place, Form::Binary(*operator, left.into(), right.into()))?;
            if level == COMPARISONS {
                break;
            }
        }
        Ok(left)
    }

    /// Parses an operand with its prefix operators.
    fn unary(&mut self) -> Result<Expr, Failure> {
        let place = self.place();
        if self.take("+") {
            return self.deeper(Self::unary);
        }
        for (sign, operator) in [("-", Unary::Minus), ("~", Unary::Inverse)] {
            if self.take(sign) {
                let inner = self.deeper(Self::unary)?;
                return Expr::new(place, Form::Unary(operator, inner.into()));
            }
        }
        let mut expr = self.atom()?;
        loop {
            let form = if self.take(".") {
                let name = self.name()?;
                if name == "as" && self.is("<") {
                    Form::Cast(expr.into(), self.type_name()?)
                } else if self.take("(") {
                    Form::Call(expr.into(), name.into(), self.list(")")?)
                } else {
                    Form::Member(expr.into(), name.into())
                }
            } else if self.take("[") {
                let index = self.whole()?;
                self.need("]")?;
                Form::Element(expr.into(), index.into())
            } else {
                return Ok(expr);
            };
            expr = Expr::new(place, form)?;
        }
    }

    /// Parses `<type>`, with its path, and `[]` for a list of it.
    fn type_name(&mut self) -> Result<Word, Failure> {
        self.need("<")?;
        let mut name = String::new();
        self.take("::");
        loop {
            name.push_str(&self.name()?);
            if !self.take("::") {
                break;
            }
            name.push_str("::");
        }
        if self.take("[") {
            self.need("]")?;
            name.push_str("[]");
        }
        self.need(">")?;
        Ok(name.into())
    }

    /// Parses expressions separated by commas, up to a closing sign.
    fn list(&mut self, end: &str) -> Result<Vec<Expr>, Failure> {
        let mut list = Vec::new();
        while !self.take(end) {
            list.push(self.whole()?);
            if self.take(",") {
                // A list may end with a comma; arguments may not.
                if end == ")" && self.is(end) {
                    return self.fail("where a value should");
                }
            } else {
                self.need(end)?;
                break;
            }
        }
        Ok(list)
    }

    /// Parses a literal, a name, a list, or an expression in parentheses.
    fn atom(&mut self) -> Result<Expr, Failure> {
        let place = self.place();
        let token = self.peek().clone();
        if matches!(token, Token::End) {
            return self.fail("where a value should");
        }
        self.advance();
        let form = match token {
            Token::Int(number) => Form::Int(number),
            Token::Float(number) => Form::Float(number),
            Token::Text(mut text) => {
                while let Token::Text(more) = self.peek() {
                    text.push_str(more);
                    self.advance();
                }
                Form::Text(text.into())
            }
            Token::Format(text) => Form::Format(format_parts(&text).map_err(|(_, message)| (place, message))?),
            Token::Name(name) => match &*name {
                "true" => Form::Bool(true),
                "false" => Form::Bool(false),
                "sizeof" | "bitsizeof" if self.is("<") => {
                    Form::Size { of: self.type_name()?, in_bits: name == "bitsizeof" }
                }
                _ if self.is("::") => self.path(vec![name.into()])?,
                _ => Form::Name(name.into()),
            },
            Token::Sign("::") => {
                let first = self.name()?;
                self.path(vec![first.into()])?
            }
            Token::Sign("(") => {
                let inner = self.whole()?;
                self.need(")")?;
                return Ok(inner);
            }
            Token::Sign("[") => Form::List(self.list("]")?),
            Token::Sign(_) | Token::End => {
                self.next -= 1;
                return self.fail("where a value should");
            }
        };
        Expr::new(place, form)
    }

    /// Parses the rest of a path such as `animal::cat`.
    fn path(&mut self, mut path: Vec<Word>) -> Result<Form, Failure> {
        while self.take("::") {
            path.push(self.name()?.into());
        }
        Ok(Form::Path(path))
    }
}

/// Parses the parts of `f"…{expression}…"`.
fn format_parts(text: &str) -> Result<Vec<Expr>, Failure> {
    let (mut parts, mut rest, mut at) = (Vec::new(), text, 0);
    let words = |text: &str, place| {
        let text = unescaped(text).map_err(|message| (place, message))?;
        Expr::new(place, Form::Text(text.into()))
    };
    while let Some(open) = rest.find('{') {
        let length = rest[open..].find('}').ok_or((at + open, "`{` has no `}`".to_owned()))?;
        parts.push(words(&rest[..open], at)?);
        parts.push(parse(&rest[open + 1..open + length])?);
        at += open + length + 1;
        rest = &rest[open + length + 1..];
    }
    parts.push(words(rest, at)?);
    Ok(parts)
}
