//! Recipes: text that describes how to build a file again.

use super::kind::Kind;
use super::origin::Origin;
use everybyte::forge::{Recipe as Steps, ReplayError};
use ndbytes::rules;
use std::fmt;
use std::str::FromStr;

/// The first word of a recipe, and the version of its syntax.
const TITLE: &str = "forge 1";

/// The name of the kind of files in unknown formats.
const UNKNOWN: &str = "unknown";

/// How a file was made: its origin, and the steps that changed it, one per line.
///
/// ```
/// use ndbytes_forge::Recipe;
///
/// let recipe: Recipe = "forge 1 npy\nfrom valid size=4096 seed=7\n".parse()?;
/// let file = recipe.replay(None)?;
/// assert!(file.bytes.starts_with(b"\x93NUMPY"));
/// assert_eq!(recipe.to_string(), "forge 1 npy\nfrom valid size=4096 seed=7\n");
/// # Ok::<(), ndbytes_forge::RecipeError>(())
/// ```
///
/// The same recipe, with the same file if it starts with one, produces the same bytes on every machine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Recipe {
    /// The kind of the file; `None` if it is unknown.
    pub kind: Option<Kind>,
    /// Its origin.
    pub origin: Origin,
    /// Its steps.
    pub steps: Steps,
    /// The id of the rule that it should break, if one was requested.
    pub expected: Option<&'static str>,
    /// The memory limit within which it breaks the rule, in bytes; `None` for the default.
    pub memory: Option<u64>,
}

/// An error that prevents a recipe from producing a file.
///
/// ```
/// use ndbytes_forge::{Recipe, RecipeError};
///
/// let error = "forge 1 npy\nfrom nowhere".parse::<Recipe>().unwrap_err();
/// assert!(matches!(error, RecipeError::Syntax { line: 2, .. }), "{error}");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// A line cannot be read.
    #[error("line {line}: {problem}")]
    Syntax {
        /// The line number, counted from 1.
        line: usize,
        /// The problem.
        problem: String,
    },
    /// A step does not apply to the file.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The recipe starts with a file, but no file was given.
    #[error("the recipe begins with the file {name:?}: name it with `--from`")]
    NoFile {
        /// The name of the file.
        name: String,
    },
    /// The file is not the one that the recipe starts with.
    #[error("the file is not the original of the recipe: its digest is {found}, not {expected}")]
    OtherFile {
        /// The digest of the file.
        found: String,
        /// The digest that the recipe states.
        expected: String,
    },
    /// This version does not support the origin of the recipe.
    #[error("the recipe was made by another version of ndbytes: `{0}` makes no file")]
    NoOrigin(Origin),
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{TITLE} {}", self.kind.map_or(UNKNOWN, Kind::name))?;
        writeln!(f, "{}", self.origin)?;
        write!(f, "{}", self.steps)?;
        if let Some(rule) = self.expected {
            write!(f, "expect {rule}")?;
            if let Some(memory) = self.memory {
                write!(f, " memory={memory}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl FromStr for Recipe {
    type Err = RecipeError;

    fn from_str(text: &str) -> Result<Self, RecipeError> {
        let (mut kind, mut origin, mut expected, mut memory) = (None, None, None, None);
        // Keep the line numbers of the steps.
        let mut steps = String::new();
        for (at, line) in text.lines().enumerate() {
            let wrong = |problem: String| RecipeError::Syntax { line: at + 1, problem };
            let line = line.trim();
            if kind.is_none() && !line.is_empty() && !line.starts_with('#') {
                kind = Some(kind_of(line).map_err(wrong)?);
            } else if line.starts_with("from ") && origin.is_none() {
                origin = Some(line.parse::<Origin>().map_err(wrong)?);
            } else if let Some(words) = line.strip_prefix("expect ") {
                let (rule, limit) = expectation(words).map_err(wrong)?;
                (expected, memory) = (Some(rule), limit);
            } else {
                steps.push_str(line);
            }
            steps.push('\n');
        }
        let lacks =
            |what: &str| RecipeError::Syntax { line: 1, problem: format!("the recipe is missing the line `{what}`") };
        let kind = kind.ok_or_else(|| lacks("forge 1 KIND"))?;
        let origin = origin.ok_or_else(|| lacks("from …"))?;
        let steps =
            steps.parse::<Steps>().map_err(|error| RecipeError::Syntax { line: error.line, problem: error.problem })?;
        Ok(Recipe { kind, origin, steps, expected, memory })
    }
}

/// Returns the kind in the title; `None` for unknown files.
fn kind_of(line: &str) -> Result<Option<Kind>, String> {
    let name = line.strip_prefix(TITLE).ok_or_else(|| format!("a recipe must begin with `{TITLE} KIND`"))?.trim();
    match name {
        UNKNOWN => Ok(None),
        name => Kind::named(name).map(Some).ok_or_else(|| format!("unknown kind of file {name:?}")),
    }
}

/// Parses the rule that a file breaks, and the memory limit at which it does.
fn expectation(words: &str) -> Result<(&'static str, Option<u64>), String> {
    let (id, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
    let rule = rules().find(|rule| rule.id == id).ok_or_else(|| format!("unknown rule {id:?}"))?;
    let memory = match rest.trim().strip_prefix("memory=") {
        Some(number) => Some(number.parse().map_err(|_| format!("the memory must be a number, not {number:?}"))?),
        None => None,
    };
    Ok((rule.id, memory))
}
