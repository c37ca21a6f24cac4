//! The terms of a contract, which are its requirements for the files of a glob.

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
    /// The minimum and the maximum.
    pub range: Option<Lined<[f64; 2]>>,
    /// Whether NaN is allowed, if there is a range.
    pub nan: Option<Lined<bool>>,
    pub pair: Option<Lined<Partner>>,
    pub tolerance: Option<Lined<Tolerance>>,
}

impl Clause {
    /// Returns these terms, overridden by the terms of a later clause.
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

    /// Returns whether the clause has any requirement for a single file.
    pub fn demands(&self) -> bool {
        self.item_type.is_some() || self.shape.is_some() || self.range.is_some() || self.pair.is_some()
    }
}

/// A glob of a contract.
#[derive(Debug, Clone)]
pub struct Pattern {
    pub glob: Glob,
    /// The last component of its text.
    name: String,
}

/// The file whose first axis must have the same length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partner {
    /// The name of the file: the parts around each `*`. Empty if the path of the partner has no `*`.
    own: Vec<String>,
    /// The path of the partner, relative to the directory of the file.
    path: String,
}

impl Pattern {
    /// Parses a glob as in .gitignore. Without `/`, it matches names in any directory.
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

    /// Sets the partner of each file. Each `*` in its path is replaced with the text that the corresponding `*` in the
    /// glob matched.
    pub fn pair(&self, path: &str) -> Result<Partner, String> {
        if path.is_empty() || path.starts_with('/') || path.split('/').any(|part| part == "..") {
            return Err("a partner must be in the directory of the file, or below it".to_owned());
        }
        let stars = path.matches('*').count();
        if stars == 0 {
            return Ok(Partner { own: Vec::new(), path: path.to_owned() });
        }
        let is_plain = !self.name.contains(['?', '[', '{', '\\']) && !self.name.contains("**");
        if !is_plain || self.name.matches('*').count() != stars {
            return Err("`*` in the partner needs a glob whose last part has as many `*` as the path of the partner, \
                        and none of `?`, `[`, `{`, `\\` and `**`"
                .to_owned());
        }
        Ok(Partner { own: self.name.split('*').map(str::to_owned).collect(), path: path.to_owned() })
    }
}

impl Partner {
    /// Returns the path of the partner of a file with this name, relative to the directory of the file. Each `*` except the last one
    /// matches as little as possible.
    pub fn of(&self, name: &str) -> Option<String> {
        let [before, between @ .., after] = &self.own[..] else { return Some(self.path.clone()) };
        let mut rest = name.strip_prefix(before.as_str())?.strip_suffix(after.as_str())?;
        let mut parts = self.path.split('*');
        let mut path = parts.next()?.to_owned();
        for text in between {
            let (matched, after) = rest.split_once(text.as_str())?;
            path = path + matched + parts.next()?;
            rest = after;
        }
        Some(path + rest + parts.next()?)
    }
}

/// The item type that a contract requires.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemTypeTerm {
    name: String,
    item_type: ItemType,
    /// Whether the name states a byte order.
    has_order: bool,
}

impl ItemTypeTerm {
    /// Parses a NumPy type name.
    pub fn new(name: &str) -> Result<Self, String> {
        let item_type = ItemType::from_str(name)
            .map_err(|_| "it is not a NumPy type name, such as \"u1\", \"float32\" or \"<i4\"".to_owned())?;
        Ok(ItemTypeTerm { name: name.to_owned(), item_type, has_order: name.starts_with(['<', '>']) })
    }

    /// Returns whether a type is the required one. Without a byte order in the name, either order is accepted.
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

/// The required lengths of the axes; `None` allows any length.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape(pub Vec<Option<u64>>);

impl Shape {
    /// Returns whether a shape has the required axes; `_` matches any length.
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
