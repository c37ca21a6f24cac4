//! Patterns of keys.

use std::fmt;
use std::str::FromStr;

/// A pattern of keys, such as `chunks[*].header.*`. It matches fields by key, together with everything inside them.
///
/// `*` matches any text within a step, and `**` as a step matches any number of steps. A step is a name or the text
/// between brackets. All other characters match themselves, including those in quotes.
///
/// ```
/// use everybyte::diff::Pattern;
///
/// let pattern = Pattern::new("columns[*].lookup.*_offset")?;
/// assert!(pattern.matches(r#"columns["Label"].lookup.names_offset"#));
/// assert!(!pattern.matches(r#"columns["Label"].codec.name"#));
/// assert!(Pattern::new("chunks[*]")?.matches("chunks[2,0].header.flags"));
/// assert!(Pattern::new("**.codec")?.matches("chunks[2,0].header.extension.codec"));
/// # Ok::<(), everybyte::diff::PatternError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    steps: Vec<Step>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    /// Any number of steps.
    Any,
    /// A name, the content of brackets, or the content of a field (`!`).
    One { kind: Kind, glob: String },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Name,
    Index,
    Content,
}

/// Why a pattern is invalid.
///
/// ```
/// use everybyte::diff::Pattern;
///
/// let error = Pattern::new("chunks[").unwrap_err();
/// assert_eq!((error.at, error.problem), (6, "the bracket is not closed"));
/// assert_eq!(error.to_string(), "the bracket is not closed, at character 7 of the pattern");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatternError {
    /// The position of the character, counted from 0.
    pub at: usize,
    /// The problem at this position.
    pub problem: &'static str,
}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at character {} of the pattern", self.problem, self.at + 1)
    }
}

impl std::error::Error for PatternError {}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        Pattern::new(text)
    }
}

impl Pattern {
    /// Parses a pattern.
    ///
    /// # Errors
    /// Fails if a bracket or a quote is not closed or if a step is empty.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let steps = parse(text).map_err(|(at, problem)| PatternError { at: text[..at].chars().count(), problem })?;
        let steps = steps.into_iter().map(|(kind, glob)| match (kind, glob) {
            (Kind::Name, "**") => Step::Any,
            (kind, glob) => Step::One { kind, glob: glob.to_owned() },
        });
        Ok(Pattern { text: text.to_owned(), steps: steps.collect() })
    }

    /// Returns whether the pattern matches a key.
    pub fn matches(&self, key: &str) -> bool {
        let Ok(steps) = parse(key) else { return false };
        // The states of the matcher. Each is a number of pattern steps that may have been matched so far.
        let mut reached = vec![false; self.steps.len() + 1];
        reached[0] = true;
        for (kind, text) in steps {
            self.skip(&mut reached);
            if reached[self.steps.len()] {
                return true;
            }
            let mut next = vec![false; self.steps.len() + 1];
            for (place, step) in self.steps.iter().enumerate().filter(|(place, _)| reached[*place]) {
                match step {
                    Step::Any => next[place] = true,
                    Step::One { kind: wanted, glob } => {
                        next[place + 1] |= *wanted == kind && is_like(glob.as_bytes(), text.as_bytes());
                    }
                }
            }
            reached = next;
        }
        self.skip(&mut reached);
        reached[self.steps.len()]
    }

    /// Adds the steps after those that can match zero steps.
    fn skip(&self, reached: &mut [bool]) {
        for (place, step) in self.steps.iter().enumerate() {
            reached[place + 1] |= reached[place] && *step == Step::Any;
        }
    }
}

/// Parses the steps of a key or of a pattern. An error contains the position and the kind of mistake.
fn parse(text: &str) -> Result<Vec<(Kind, &str)>, (usize, &'static str)> {
    let mut steps = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if let Some(inner) = rest.strip_prefix('[') {
            let length = bracketed(inner).map_err(|problem| (at, problem))?;
            if length == 0 {
                return Err((at, "the brackets are empty"));
            }
            steps.push((Kind::Index, &inner[..length]));
            at += length + 2;
            continue;
        }
        if let Some(after) = rest.strip_prefix('!') {
            steps.push((Kind::Content, ""));
            at += 1;
            if after.starts_with('.') {
                return Err((at, "a name follows `!` without a point"));
            }
            continue;
        }
        let is_first = matches!(steps.last(), None | Some((Kind::Content, _)));
        let name = if is_first { rest } else { rest.strip_prefix('.').ok_or((at, "a point is missing here"))? };
        at = text.len() - name.len();
        let length = name.find(['.', '[', '!', ']']).unwrap_or(name.len());
        if name[length..].starts_with(']') {
            return Err((at + length, "the bracket was not opened"));
        }
        if length == 0 {
            return Err((at, "a name is missing here"));
        }
        steps.push((Kind::Name, &name[..length]));
        at += length;
    }
    if steps.is_empty() { Err((0, "the pattern is empty")) } else { Ok(steps) }
}

/// Returns the length of the text before the closing bracket. Brackets in quotes are text.
fn bracketed(text: &str) -> Result<usize, &'static str> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (place, letter) in text.char_indices() {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_quoted => is_escaped = true,
            '"' => is_quoted = !is_quoted,
            ']' if !is_quoted => return Ok(place),
            _ => {}
        }
    }
    Err(if is_quoted { "the quote is not closed" } else { "the bracket is not closed" })
}

/// Compares a string with a pattern in which `*` matches any text.
fn is_like(glob: &[u8], text: &[u8]) -> bool {
    let (mut at, mut place) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while place < text.len() {
        if glob.get(at) == Some(&b'*') {
            star = Some((at, place));
            at += 1;
        } else if glob.get(at) == Some(&text[place]) {
            (at, place) = (at + 1, place + 1);
        } else if let Some((glob_at, from)) = star {
            star = Some((glob_at, from + 1));
            (at, place) = (glob_at + 1, from + 1);
        } else {
            return false;
        }
    }
    glob[at..].iter().all(|&letter| letter == b'*')
}
