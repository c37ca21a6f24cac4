//! YAML with the position of every node.
//!
//! Errors must name a line and a column of the specification, which deserializing into Rust types would lose. Aliases
//! are refused, because they can make a document of a few hundred bytes expand to gigabytes. The number of nodes,
//! across all files of a specification, and their depth are limited.

use crate::place::{At, LocatedError, SpecResult, error_at};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashSet;

/// The maximum nesting in a specification.
const DEPTH: usize = 64;

/// The maximum number of nodes in a specification, with everything that it imports.
pub const NODES: usize = 1 << 19;

/// A node, with its position.
#[derive(Debug, Clone)]
pub struct Yaml {
    pub at: At,
    pub kind: Kind,
}

/// The kind of a node.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A scalar: its text and whether it is quoted or in a block.
    Scalar(String, Style),
    List(Vec<Yaml>),
    /// Pairs in the order of the file.
    Map(Vec<(Yaml, Yaml)>),
}

/// How a scalar is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Plain,
    Quoted,
    /// After `|` or `>`: its text begins on the next line.
    Block,
}

/// Parses the text of a file with this number, limited to the remaining number of nodes.
pub fn parse(text: &str, file: u32, left: &mut usize) -> SpecResult<Yaml> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    let place = |line: usize, column: usize| At { file, line: line as u32, column: column as u32 + 1 };
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| LocatedError {
            at: place(error.marker().line(), error.marker().col()),
            message: format!("this is not YAML: {}", error.info()),
        })?;
        let at = place(span.start.line(), span.start.col());
        let Some(fewer) = left.checked_sub(1) else {
            return error_at(at, format!("the specification has more than {NODES} nodes"));
        };
        *left = fewer;
        if open.len() > DEPTH {
            return error_at(at, format!("nodes are nested more than {DEPTH} deep"));
        }
        let done = match event {
            Event::Scalar(text, style, ..) => {
                let style = match style {
                    ScalarStyle::Plain => Style::Plain,
                    ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
                    ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
                };
                Yaml { at, kind: Kind::Scalar(text.into_owned(), style) }
            }
            Event::SequenceStart(..) => {
                open.push(Open { at, is_map: false, items: Vec::new() });
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open { at, is_map: true, items: Vec::new() });
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(ended) => ended.closed()?,
                None => continue,
            },
            Event::Alias(_) => return error_at(at, "found an alias, which specifications do not use"),
            _ => continue,
        };
        match open.last_mut() {
            Some(around) => around.items.push(done),
            None => return Ok(done),
        }
    }
    error_at(place(1, 0), "the file is empty")
}

/// A list or a map whose end has not been read yet.
struct Open {
    at: At,
    is_map: bool,
    /// The elements; for a map, keys and values alternately.
    items: Vec<Yaml>,
}

impl Open {
    fn closed(self) -> SpecResult<Yaml> {
        let Open { at, is_map, items } = self;
        if !is_map {
            return Ok(Yaml { at, kind: Kind::List(items) });
        }
        let (mut pairs, mut seen) = (Vec::new(), HashSet::new());
        let mut items = items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            if !seen.insert(key.text().to_owned()) {
                return error_at(key.at, format!("the key `{}` occurs twice", key.text()));
            }
            pairs.push((key, value));
        }
        Ok(Yaml { at, kind: Kind::Map(pairs) })
    }
}

impl Yaml {
    /// Returns the value of a key; `None` if the node is not a map or does not have the key.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        self.pairs().iter().find(|(name, _)| name.text() == key).map(|(_, value)| value)
    }

    /// Returns the pairs of a map; none for other nodes.
    pub fn pairs(&self) -> &[(Yaml, Yaml)] {
        if let Kind::Map(pairs) = &self.kind { pairs } else { &[] }
    }

    /// Returns the value of a key, so that it can be changed.
    pub fn value_mut(&mut self, key: &str) -> Option<&mut Yaml> {
        let Kind::Map(pairs) = &mut self.kind else { return None };
        pairs.iter_mut().find(|(name, _)| name.text() == key).map(|(_, value)| value)
    }

    /// Adds a pair to a map.
    pub fn add(&mut self, key: Yaml, value: Yaml) {
        if let Kind::Map(pairs) = &mut self.kind {
            pairs.push((key, value));
        }
    }

    /// Returns an element of a list, so that it can be changed.
    pub fn item_mut(&mut self, place: usize) -> Option<&mut Yaml> {
        let Kind::List(items) = &mut self.kind else { return None };
        items.get_mut(place)
    }

    /// Returns the elements of a list; none for other nodes.
    pub fn items(&self) -> &[Yaml] {
        if let Kind::List(items) = &self.kind { items } else { &[] }
    }

    /// Returns the text of a scalar; empty for other nodes.
    pub fn text(&self) -> &str {
        if let Kind::Scalar(text, _) = &self.kind { text } else { "" }
    }

    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Scalar(..))
    }

    pub fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Scalar(_, Style::Plain))
    }

    /// Returns whether the value is empty: `key:` or `key: null`.
    pub fn is_null(&self) -> bool {
        self.is_plain() && matches!(self.text(), "" | "~" | "null" | "Null" | "NULL")
    }

    /// Returns what messages call this kind of node.
    pub fn what(&self) -> &'static str {
        match &self.kind {
            _ if self.is_null() => "nothing",
            Kind::Scalar(..) => "a scalar",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }

    /// Returns whether this is a scalar that is written literally on one line.
    pub fn is_straight(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(text, style) if *style != Style::Block && !text.contains('\n'))
    }

    /// Returns the position of a byte of a scalar's text, if its notation determines it.
    pub fn place(&self, offset: usize) -> At {
        let is_quoted = matches!(self.kind, Kind::Scalar(_, Style::Quoted));
        let before = self.text().get(..offset).filter(|_| self.is_straight());
        let before = before.map_or(0, |before| before.chars().count() as u32 + u32::from(is_quoted));
        At { column: self.at.column + before, ..self.at }
    }
}

/// Parses an integer in the notation of specifications: `31`, `-1`, `0x1F`, `0b101`, `0o17`, `1_000`.
pub fn integer(text: &str) -> Option<i128> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = digits.replace('_', "");
    let prefix = digits.get(..2).map(str::to_ascii_lowercase);
    let radix = match prefix.as_deref() {
        Some("0x") => 16,
        Some("0o") => 8,
        Some("0b") => 2,
        _ => 10,
    };
    let digits = if radix == 10 { &digits[..] } else { &digits[2..] };
    if digits.starts_with(['+', '-']) {
        return None;
    }
    i128::from_str_radix(digits, radix).ok().map(|number| sign * number)
}
