//! Recipes, which list the changes to a file, one step per line.
//!
//! The smallest bug report is the original file and a recipe of a few lines. The steps of a recipe name fields
//! instead of offsets, so the recipe can be understood, edited, shortened and often applied to another file.
//! `Display` and `FromStr` are inverses of each other.

use crate::role::Role;
use std::fmt;

/// The edits of a file, step by step. A recipe's text has one step per line, and comments begin with `#`.
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
///
/// ```
/// use everybyte::forge::{Recipe, Step};
///
/// let recipe: Recipe = "remove notes[1]\ncut end - 3".parse()?;
/// assert_eq!(recipe.steps, [Step::Remove("notes[1]".to_owned()), Step::Cut { key: None, by: -3 }]);
/// # Ok::<(), everybyte::forge::RecipeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Step {
    /// The roles to repair after each of the following edits.
    Repair(Repair),
    /// A dependent number that the next edit does not change. If it is a fact, no other field is adjusted to it.
    Leave(String),
    /// Sets the value of a field.
    Set {
        /// The field.
        key: String,
        /// The value.
        value: Setting,
    },
    /// Replaces bytes of a field.
    Splice {
        /// The field.
        key: String,
        /// The first byte, relative to the field.
        from: u64,
        /// The byte after the last one; `None` for the end of the field.
        to: Option<u64>,
        /// The new bytes.
        bytes: Vec<u8>,
    },
    /// Removes an element.
    Remove(String),
    /// Inserts a copy of an element after it.
    Duplicate(String),
    /// Swaps two fields.
    Swap(String, String),
    /// Copies the bytes of one field to another.
    Copy {
        /// The field to copy from.
        from: String,
        /// The field to copy to.
        to: String,
    },
    /// Truncates the file at a field or some bytes after it.
    Cut {
        /// The field; `None` for the end of the file.
        key: Option<String>,
        /// The number of bytes after that point.
        by: i64,
    },
    /// Appends bytes to the file.
    Append(Vec<u8>),
    /// An operation of the grammar.
    Do {
        /// Its name.
        operation: String,
        /// The seed of its choices.
        seed: u64,
    },
    /// Mutates plain bytes.
    Plain {
        /// The seed of its choices.
        seed: u64,
    },
}

/// The value to set a field to.
///
/// ```
/// use everybyte::forge::{Recipe, Setting, Step};
///
/// let recipe: Recipe = "set width = 0x10".parse()?;
/// assert_eq!(recipe.steps, [Step::Set { key: "width".to_owned(), value: Setting::Integer(16) }]);
/// assert_eq!(Setting::Bytes(vec![0, 255]).to_string(), "x\"00ff\"");
/// # Ok::<(), everybyte::forge::RecipeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum Setting {
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// A string.
    Text(String),
    /// The bytes as stored in the file.
    Bytes(Vec<u8>),
}

/// The numbers to repair after an edit, if they were correct before it.
///
/// ```
/// use everybyte::forge::{Of, Repair, set_right};
/// # use everybyte::{Format, bytes::Bytes, layout};
/// # #[layout]
/// # struct Note {
/// #     #[layout(extent = text)]
/// #     length: u8,
/// #     #[br(args { length: length.into() })]
/// #     text: Bytes,
/// # }
/// # impl Format for Note { const NAME: &'static str = "note"; }
///
/// let stale = b"\x09hi";
/// assert_eq!(set_right(&Of::<Note>::new(), stale, Repair::Nothing), stale);
/// assert_eq!(Repair::Everything.to_string(), "everything");
/// assert_eq!(Repair::default(), Repair::AllBut(16));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// All of them. A mutant violates no more rules than its original if the grammar can [count them](super::Grammar::violations).
    Everything,
    /// None.
    Nothing,
    /// Numbers with these roles.
    Only(Roles),
    /// All except one in this many, chosen at random. A recipe lists the exceptions in `leave` lines.
    AllBut(u8),
}

impl Default for Repair {
    /// By default, one dependent number in 16 stays wrong: if all were recomputed, a reader's checks would never be exercised.
    fn default() -> Self {
        Repair::AllBut(16)
    }
}

/// A set of roles whose numbers are recomputed.
///
/// ```
/// use everybyte::forge::{Repair, Roles};
///
/// let repair = Repair::Only(Roles { place: true, check_of: true, ..Roles::default() });
/// assert_eq!(repair.to_string(), "place check_of");
/// assert_eq!("place check_of".parse::<Repair>().ok(), Some(repair));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roles {
    /// Offsets.
    pub place: bool,
    /// Lengths, and padding up to a multiple.
    pub extent: bool,
    /// Numbers of elements.
    pub counts: bool,
    /// Numbers that duplicate another field.
    pub copy_of: bool,
    /// Checksums.
    pub check_of: bool,
    /// Numbers that the grammar derives from facts.
    pub agree: bool,
}

impl Roles {
    /// All names.
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
    /// Returns whether numbers of a role are recomputed.
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

    /// Returns whether padding is adjusted. Padding has the same flag as lengths.
    pub(super) fn fits_padding(self) -> bool {
        match self {
            Repair::Everything | Repair::AllBut(_) => true,
            Repair::Nothing => false,
            Repair::Only(roles) => roles.extent,
        }
    }

    /// Returns whether the grammar adjusts other fields to a changed value.
    pub(super) fn agrees(self) -> bool {
        match self {
            Repair::Everything | Repair::AllBut(_) => true,
            Repair::Nothing => false,
            Repair::Only(roles) => roles.agree,
        }
    }
}

/// The reason why a recipe cannot be parsed.
///
/// ```
/// use everybyte::forge::Recipe;
///
/// let error = "remove notes[1]\nset width".parse::<Recipe>().unwrap_err();
/// assert_eq!(error.line, 2);
/// ```
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
