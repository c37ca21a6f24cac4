//! The terms of a contract: what it says about the files of a glob.

use super::lines::Lined;
use globset::{Glob, GlobBuilder};
use ndbytes::ItemType;
use ndbytes_compare::diff::Tolerance;
use std::fmt;
use std::str::FromStr;

/// The terms for the files of one glob, or for one file.
#[derive(Debug, Clone)]
pub struct Clause {
    pub glob: Pattern,
    pub item_type: Option<Lined<ItemTypeTerm>>,
    pub shape: Option<Lined<Shape>>,
    /// The least and the greatest value.
    pub range: Option<Lined<[f64; 2]>>,
    /// True if NaN is allowed where there is a range.
    pub nan: Option<Lined<bool>>,
    pub pair: Option<Lined<Partner>>,
    pub tolerance: Option<Lined<Tolerance>>,
}

impl Clause {
    /// Takes over what a later clause says.
    pub fn overridden(self, later: &Clause) -> Self {
        Clause {
            item_type: later.item_type.clone().or(self.item_type),
            shape: later.shape.clone().or(self.shape),
            range: later.range.clone().or(self.range),
            nan: later.nan.clone().or(self.nan),
            pair: later.pair.clone().or(self.pair),
            tolerance: later.tolerance.clone().or(self.tolerance),
            glob: self.glob,
        }
    }

    /// Returns whether it demands something of a file alone.
    pub fn demands(&self) -> bool {
        self.item_type.is_some() || self.shape.is_some() || self.range.is_some() || self.pair.is_some()
    }
}

/// A glob of a contract.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub glob: Glob,
    /// The last part of its text, between `/`.
    name: String,
}

/// The file whose first dimension has the same length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partner {
    /// The name of the file: what is before and after the part that `*` stands for, if there is one.
    own: Option<(String, String)>,
    /// The path of the partner, from the folder of the file.
    path: String,
}

impl Pattern {
    /// A glob as in .gitignore: without `/`, it is about names in any folder.
    pub fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("a glob has at least one letter".to_owned());
        }
        let anchored = match text.strip_prefix('/') {
            Some(rest) => rest.to_owned(),
            None if text.contains('/') => text.to_owned(),
            None => format!("**/{text}"),
        };
        let glob = GlobBuilder::new(&anchored).literal_separator(true).backslash_escape(true).build();
        let glob = glob.map_err(|error| format!("the glob is not valid: {}", error.kind()))?;
        Ok(Pattern { glob, name: text.rsplit('/').next().unwrap_or_default().to_owned() })
    }

    /// The partner of each file: `*` in its path stands for what the only `*` in the name of the file stands for.
    pub fn pair(&self, path: &str) -> Result<Partner, String> {
        if path.is_empty() || path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err("a partner is in the folder of the file, or below it".to_owned());
        }
        let own = match path.matches('*').count() {
            0 => None,
            1 => {
                let is_plain = !self.name.contains(['?', '[', '{', '\\']) && self.name.matches('*').count() == 1;
                let (before, after) = self.name.split_once('*').filter(|_| is_plain).ok_or_else(|| {
                    "`*` in the partner needs a glob whose last part has one `*`, and none of `?`, `[`, `{` and `\\`"
                        .to_owned()
                })?;
                Some((before.to_owned(), after.to_owned()))
            }
            _ => return Err("the path of a partner has at most one `*`".to_owned()),
        };
        Ok(Partner { own, path: path.to_owned() })
    }
}

impl Partner {
    /// The path of the partner of a file, whose name this is, from the folder of the file.
    pub fn of(&self, name: &str) -> Option<String> {
        let Some((before, after)) = &self.own else { return Some(self.path.clone()) };
        let stands_for = name.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?;
        Some(self.path.replacen('*', stands_for, 1))
    }
}

/// The type of items that a contract asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemTypeTerm {
    name: String,
    item_type: ItemType,
    /// True if the name says which byte order there has to be.
    has_order: bool,
}

impl ItemTypeTerm {
    pub fn new(name: &str) -> Result<Self, String> {
        let item_type = ItemType::from_str(name)
            .map_err(|_| "it is not NumPy's name of a type, such as \"u1\", \"float32\" or \"<i4\"".to_owned())?;
        Ok(ItemTypeTerm { name: name.to_owned(), item_type, has_order: name.starts_with(['<', '>']) })
    }

    /// Returns whether a type is the one that is asked for. Without an order in the name, any order of bytes is.
    pub fn fits(&self, found: &ItemType) -> bool {
        match (&self.item_type, found) {
            (ItemType::Plain(asked), ItemType::Plain(found)) if !self.has_order => asked.kind == found.kind,
            (asked, found) => asked == found,
        }
    }
}

impl fmt::Display for ItemTypeTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The lengths of the axes, of which `None` may be any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape(pub Vec<Option<u64>>);

impl Shape {
    pub fn fits(&self, shape: &[u64]) -> bool {
        let fits = |(asked, found): (&Option<u64>, &u64)| asked.is_none_or(|asked| asked == *found);
        self.0.len() == shape.len() && self.0.iter().zip(shape).all(fits)
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let axes = self.0.iter().map(|length| length.map_or_else(|| "_".to_owned(), |length| length.to_string()));
        write!(f, "[{}]", axes.collect::<Vec<_>>().join(", "))
    }
}
