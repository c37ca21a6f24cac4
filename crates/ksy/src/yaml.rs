//! YAML with the place of every node.

use crate::place::{At, Flaw, Sound, flaw};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::collections::HashSet;

/// The deepest nesting of a specification.
const DEPTH: usize = 64;

/// The most nodes of a specification, with all that it imports.
pub const NODES: usize = 1 << 19;

/// A node, with its place.
#[derive(Debug, Clone)]
pub struct Yaml {
    pub at: At,
    pub kind: Kind,
}

/// The kind of a node.
#[derive(Debug, Clone)]
pub enum Kind {
    /// A scalar: its text, and true if it stands in quotes or in a block.
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

/// Reads the text of a file with this number, which may have as many nodes as are left.
pub fn parse(text: &str, file: u32, left: &mut usize) -> Sound<Yaml> {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    let place = |line: usize, column: usize| At { file, line: line as u32, column: column as u32 + 1 };
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| Flaw {
            at: place(error.marker().line(), error.marker().col()),
            message: format!("this is not YAML: {}", error.info()),
        })?;
        let at = place(span.start.line(), span.start.col());
        let Some(fewer) = left.checked_sub(1) else {
            return flaw(at, format!("the specification has more than {NODES} nodes"));
        };
        *left = fewer;
        if open.len() > DEPTH {
            return flaw(at, format!("nodes are nested more than {DEPTH} deep"));
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
            Event::Alias(_) => return flaw(at, "an alias stands here; specifications have none"),
            _ => continue,
        };
        match open.last_mut() {
            Some(around) => around.items.push(done),
            None => return Ok(done),
        }
    }
    flaw(place(1, 0), "the file is empty")
}

/// A list or a map whose end was not read yet.
struct Open {
    at: At,
    is_map: bool,
    /// The elements; of a map, keys and values in turn.
    items: Vec<Yaml>,
}

impl Open {
    fn closed(self) -> Sound<Yaml> {
        let Open { at, is_map, items } = self;
        if !is_map {
            return Ok(Yaml { at, kind: Kind::List(items) });
        }
        let (mut pairs, mut seen) = (Vec::new(), HashSet::new());
        let mut items = items.into_iter();
        while let (Some(key), Some(value)) = (items.next(), items.next()) {
            if !seen.insert(key.text().to_owned()) {
                return flaw(key.at, format!("the key `{}` stands here twice", key.text()));
            }
            pairs.push((key, value));
        }
        Ok(Yaml { at, kind: Kind::Map(pairs) })
    }
}

impl Yaml {
    /// The value of a key; `None` if the node is no map or has no such key.
    pub fn get(&self, key: &str) -> Option<&Yaml> {
        self.pairs().iter().find(|(name, _)| name.text() == key).map(|(_, value)| value)
    }

    /// The pairs of a map; none for other nodes.
    pub fn pairs(&self) -> &[(Yaml, Yaml)] {
        if let Kind::Map(pairs) = &self.kind { pairs } else { &[] }
    }

    /// The value of a key, to be changed.
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

    /// An element of a list, to be changed.
    pub fn item_mut(&mut self, place: usize) -> Option<&mut Yaml> {
        let Kind::List(items) = &mut self.kind else { return None };
        items.get_mut(place)
    }

    /// The elements of a list; none for other nodes.
    pub fn items(&self) -> &[Yaml] {
        if let Kind::List(items) = &self.kind { items } else { &[] }
    }

    /// The text of a scalar; empty for other nodes.
    pub fn text(&self) -> &str {
        if let Kind::Scalar(text, _) = &self.kind { text } else { "" }
    }

    pub fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Scalar(..))
    }

    pub fn is_plain(&self) -> bool {
        matches!(self.kind, Kind::Scalar(_, Style::Plain))
    }

    /// Returns whether nothing stands here: `key:` or `key: null`.
    pub fn is_null(&self) -> bool {
        self.is_plain() && matches!(self.text(), "" | "~" | "null" | "Null" | "NULL")
    }

    /// A word for the kind, for sentences.
    pub fn what(&self) -> &'static str {
        match &self.kind {
            _ if self.is_null() => "nothing",
            Kind::Scalar(..) => "a scalar",
            Kind::List(_) => "a list",
            Kind::Map(_) => "a map",
        }
    }

    /// Returns whether this is a scalar whose text stands on one line as it is.
    pub fn is_straight(&self) -> bool {
        matches!(&self.kind, Kind::Scalar(text, style) if *style != Style::Block && !text.contains('\n'))
    }

    /// The place of a byte of a scalar's text, as far as the way in which it is written says it.
    pub fn place(&self, offset: usize) -> At {
        let is_quoted = matches!(self.kind, Kind::Scalar(_, Style::Quoted));
        let before = self.text().get(..offset).filter(|_| self.is_straight());
        let before = before.map_or(0, |before| before.chars().count() as u32 + u32::from(is_quoted));
        At { column: self.at.column + before, ..self.at }
    }
}

/// An integer as specifications write it: `31`, `-1`, `0x1F`, `0b101`, `0o17`, `1_000`.
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
