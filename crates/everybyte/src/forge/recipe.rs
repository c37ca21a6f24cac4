//! Recipes: what is done to a file, one step a line.

use crate::role::Role;
use std::fmt;

/// The edits of a file, step by step. Its text has a step a line; comments begin with `#`.
///
/// ```
/// use everybyte::forge::Recipe;
///
/// let recipe: Recipe = "set width = 0x10\nleave check\nappend x\"00ff\"  # two bytes".parse()?;
/// assert_eq!(recipe.to_string(), "set width = 16\nleave check\nappend x\"00ff\"\n");
/// # Ok::<(), everybyte::forge::RecipeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Recipe {
    /// The comments before the first step, without `# `.
    pub header: Vec<String>,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step of a recipe. Fields are named by their paths: `columns[1].lookup`, `columns["Label"].lookup`, `data!names[0]`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// The roles that are repaired after each of the next edits.
    Repair(Repair),
    /// A dependent that the next edit leaves as it is; of a fact, that nothing follows it.
    Leave(String),
    /// A field gets a value.
    Set {
        /// The field.
        key: String,
        /// The value.
        value: Setting,
    },
    /// Bytes of a field become others.
    Splice {
        /// The field.
        key: String,
        /// The first byte, counted in the field.
        from: u64,
        /// The byte after the last one; `None` for the end of the field.
        to: Option<u64>,
        /// The bytes in their place.
        bytes: Vec<u8>,
    },
    /// An element is removed.
    Remove(String),
    /// An element is repeated after itself.
    Duplicate(String),
    /// Two fields change places.
    Swap(String, String),
    /// A field gets the bytes of another one.
    Copy {
        /// The field whose bytes are taken.
        from: String,
        /// The field that gets them.
        to: String,
    },
    /// The file ends at a field, or so many bytes after it.
    Cut {
        /// The field; `None` for the end of the file.
        key: Option<String>,
        /// Bytes after that.
        by: i64,
    },
    /// Bytes come after the end of the file.
    Append(Vec<u8>),
    /// An operation of the grammar.
    Do {
        /// Its name.
        operation: String,
        /// The seed of its choices.
        seed: u64,
    },
    /// A mutation of plain bytes.
    Plain {
        /// The seed of its choices.
        seed: u64,
    },
}

/// The value that a field gets.
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// A text.
    Text(String),
    /// Bytes, as they stand in the file.
    Bytes(Vec<u8>),
}

/// The roles that are repaired after an edit: numbers that were right before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// All of them. A mutant violates no more rules than its file, as far as its grammar can [say](super::Grammar::violations).
    Everything,
    /// None.
    Nothing,
    /// Those of these roles.
    Only(Roles),
    /// All but one in so many, by chance. A recipe names those that are left in lines of `leave`.
    AllBut(u8),
}

impl Default for Repair {
    /// A dependent in 16 stays wrong: mending all would hide the checks of a reader.
    fn default() -> Self {
        Repair::AllBut(16)
    }
}

/// A set of roles whose numbers are mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles {
    /// Offsets.
    pub place: bool,
    /// Lengths, and the padding up to a multiple.
    pub extent: bool,
    /// Numbers of elements.
    pub counts: bool,
    /// Numbers that another field states too.
    pub copy_of: bool,
    /// Checksums.
    pub check_of: bool,
    /// Numbers that follow from facts, as the grammar says.
    pub agree: bool,
}

impl Roles {
    /// The names of all.
    pub(super) const NAMES: [&'static str; 6] = ["place", "extent", "counts", "copy_of", "check_of", "agree"];

    /// The flags of the roles, in the order of the names.
    pub(super) fn flags(&mut self) -> [&mut bool; 6] {
        let Roles { place, extent, counts, copy_of, check_of, agree } = self;
        [place, extent, counts, copy_of, check_of, agree]
    }

    fn names(mut self) -> Vec<&'static str> {
        let flags = self.flags();
        Self::NAMES.into_iter().zip(flags).filter(|(_, flag)| **flag).map(|(name, _)| name).collect()
    }
}

impl Repair {
    /// Returns whether numbers of a role are mended.
    pub(super) fn mends(self, role: &Role) -> bool {
        match (self, role) {
            (Repair::Everything | Repair::AllBut(_), _) => true,
            (Repair::Nothing, _) => false,
            (Repair::Only(roles), Role::Place { .. }) => roles.place,
            (Repair::Only(roles), Role::Extent { .. }) => roles.extent,
            (Repair::Only(roles), Role::Counts { .. }) => roles.counts,
            (Repair::Only(roles), Role::CopyOf { .. }) => roles.copy_of,
            (Repair::Only(roles), Role::CheckOf { .. }) => roles.check_of,
            (Repair::Only(_), _) => false,
        }
    }

    /// Returns whether padding is fitted. It is a length, as an extent is.
    pub(super) fn fits_padding(self) -> bool {
        match self {
            Repair::Everything | Repair::AllBut(_) => true,
            Repair::Nothing => false,
            Repair::Only(roles) => roles.extent,
        }
    }

    /// Returns whether the grammar is asked what follows from a fact.
    pub(super) fn agrees(self) -> bool {
        match self {
            Repair::Everything | Repair::AllBut(_) => true,
            Repair::Nothing => false,
            Repair::Only(roles) => roles.agree,
        }
    }
}

/// The reason why a text is no recipe.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecipeError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

impl fmt::Display for RecipeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the recipe: {}", self.line, self.problem)
    }
}

impl std::error::Error for RecipeError {}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.header.iter().try_for_each(|comment| writeln!(f, "# {comment}"))?;
        self.steps.iter().try_for_each(|step| writeln!(f, "{step}"))
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Repair(repair) => write!(f, "repair {repair}"),
            Step::Leave(key) => write!(f, "leave {key}"),
            Step::Set { key, value } => write!(f, "set {key} = {value}"),
            Step::Splice { key, from, to: None, bytes } => write!(f, "splice {key}[{from}..end] = {}", hex(bytes)),
            Step::Splice { key, from, to: Some(to), bytes } => write!(f, "splice {key}[{from}..{to}] = {}", hex(bytes)),
            Step::Remove(key) => write!(f, "remove {key}"),
            Step::Duplicate(key) => write!(f, "duplicate {key}"),
            Step::Swap(one, other) => write!(f, "swap {one} {other}"),
            Step::Copy { from, to } => write!(f, "copy {from} to {to}"),
            Step::Cut { key, by } => {
                write!(f, "cut {}", key.as_deref().unwrap_or("end"))?;
                match by {
                    0 => Ok(()),
                    by if *by < 0 => write!(f, " - {}", by.unsigned_abs()),
                    by => write!(f, " + {by}"),
                }
            }
            Step::Append(bytes) => write!(f, "append {}", hex(bytes)),
            Step::Do { operation, seed } => write!(f, "do {operation} seed={seed}"),
            Step::Plain { seed } => write!(f, "plain seed={seed}"),
        }
    }
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repair::Everything => f.write_str("everything"),
            Repair::Nothing => f.write_str("nothing"),
            Repair::AllBut(number) => write!(f, "all-but {number}"),
            Repair::Only(roles) if roles.names().is_empty() => f.write_str("nothing"),
            Repair::Only(roles) => f.write_str(&roles.names().join(" ")),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Setting::Integer(number) => write!(f, "{number}"),
            Setting::Float(number) => write!(f, "{number:?}"),
            Setting::Text(text) => write!(f, "{text:?}"),
            Setting::Bytes(bytes) => f.write_str(&hex(bytes)),
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() * 2 + 3);
    text += "x\"";
    for byte in bytes {
        for digit in [byte >> 4, byte & 0xF] {
            text.push(char::from_digit(digit.into(), 16).expect("it is below 16"));
        }
    }
    text + "\""
}
