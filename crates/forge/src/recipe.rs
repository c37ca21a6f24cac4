//! Recipes: how a file was made, as text that makes it again.

use super::kind::Kind;
use super::origin::Origin;
use everybyte::forge::{Recipe as Steps, ReplayError};
use ndbytes::rules;
use std::fmt;
use std::str::FromStr;

/// The first word of a recipe, and the version of its syntax.
const TITLE: &str = "forge 1";

/// The name of the kind of files that are of none.
const UNKNOWN: &str = "unknown";

/// How a file was made: where it began, and what was done to it, one step a line. The same recipe, and the same file if it
/// begins with one, give the same bytes on every machine.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Recipe {
    /// The kind of the file; `None` if it is of none.
    pub kind: Option<Kind>,
    /// Its origin.
    pub origin: Origin,
    /// Its steps.
    pub steps: Steps,
    /// The id of the rule that it breaks, where that was requested.
    pub expected: Option<&'static str>,
    /// The memory within which it breaks the rule, in bytes; `None` for the default.
    pub memory: Option<u64>,
}

/// The reason why a recipe makes no file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecipeError {
    /// A line cannot be read.
    #[error("line {line}: {problem}")]
    Syntax {
        /// The number of the line; the first one is 1.
        line: usize,
        /// The problem.
        problem: String,
    },
    /// A step does not suit the file.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// The recipe begins with a file, and none was given.
    #[error("the recipe begins with the file {name:?}, which was not given")]
    NoFile {
        /// The name of the file.
        name: String,
    },
    /// The file is not the one that the recipe begins with.
    #[error("the file is not the one that the recipe begins with: its digest is {found}, not {expected}")]
    OtherFile {
        /// The digest of the file.
        found: String,
        /// The digest that the recipe states.
        expected: String,
    },
    /// This version makes no file out of what the recipe begins with.
    #[error("the recipe was made by another version: `{0}` makes no file")]
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
        // The lines of the steps keep their numbers.
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

/// The kind in the title; `None` if the file is of none.
fn kind_of(line: &str) -> Result<Option<Kind>, String> {
    let name = line.strip_prefix(TITLE).ok_or_else(|| format!("a recipe begins with `{TITLE} KIND`"))?.trim();
    match name {
        UNKNOWN => Ok(None),
        name => Kind::named(name).map(Some).ok_or_else(|| format!("there is no kind of file {name:?}")),
    }
}

/// The rule that a file breaks, and the memory within which it does.
fn expectation(words: &str) -> Result<(&'static str, Option<u64>), String> {
    let (id, rest) = words.trim().split_once(' ').unwrap_or((words.trim(), ""));
    let rule = rules().find(|rule| rule.id == id).ok_or_else(|| format!("there is no rule {id:?}"))?;
    let memory = match rest.trim().strip_prefix("memory=") {
        Some(number) => Some(number.parse().map_err(|_| format!("the memory is {number:?}, and has to be a number"))?),
        None => None,
    };
    Ok((rule.id, memory))
}
