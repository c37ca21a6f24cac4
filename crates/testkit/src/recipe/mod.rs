//! Assembles the recipes of `tests/corpus`. A few header lines state the expectations for a file, followed by the
//! file's bytes in a form that a person can check. `tests/corpus/README.md` describes the format.
//!
//! A hex dump in a repository has to be trusted, but a recipe can be reviewed: each line states the meaning of its
//! bytes, labels replace hand-counted offsets, and the expected findings are at the top.

mod assemble;
mod family;
#[cfg(test)]
mod tests;

pub use family::{Member, members};

use assemble::{assemble_file, parse_u64};
use std::collections::HashSet;
use std::fmt;

/// One recipe: the file, and the expectations for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// The comment lines at the top, joined by spaces.
    pub title: String,
    /// The findings of `check` in profile strict; empty if there are none.
    pub strict: Vec<Expected>,
    /// The findings of `check` in profile reference; empty if there are none.
    pub reference: Vec<Expected>,
    /// Dimensions in file order; `Some` and empty for a scalar, `None` if the file cannot be read.
    pub shape: Option<Vec<u64>>,
    /// The NumPy descr of the array as stored.
    pub dtype: Option<String>,
    /// The elements in file order.
    pub values: Option<Vec<String>>,
    /// The content of a table, as lines of `KEY: VALUE`; `None` if the file is not a table, or cannot be read.
    pub table: Option<Vec<String>>,
    /// The memory limit for the check in bytes, beyond the length of the file; `None` for the default.
    pub memory: Option<u64>,
    /// The bytes of the file; for a directory, the bytes of its first file.
    pub bytes: Vec<u8>,
    /// The other files of a directory, with their names.
    pub others: Vec<(String, Vec<u8>)>,
}

/// One expected finding.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Expected {
    /// `error` or `warning`.
    pub severity: String,
    /// The rule's name.
    pub rule: String,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.severity, self.rule)
    }
}

impl Recipe {
    /// Parses a recipe and assembles its bytes. An error begins with the number of its line.
    pub fn parse(text: &str) -> Result<Recipe, String> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line));
        let header = Header::parse(&mut lines)?;
        let (bytes, others) = files(&lines.collect::<Vec<_>>())?;
        header.finish(bytes, others)
    }
}

/// The bytes of a file, or of the first file in a directory, whose other files follow with their names.
type Files = (Vec<u8>, Vec<(String, Vec<u8>)>);

/// Assembles the bytes of a recipe, ignoring its header, which seeds do not have. `before` is the number of preceding lines.
pub fn body(text: &str, before: usize) -> Result<Files, String> {
    let lines = text.lines().enumerate().map(|(index, line)| (before + index + 1, line));
    let end = if has_header(text) { text.lines().position(is_end).map_or(0, |index| index + 1) } else { 0 };
    files(&lines.skip(end).collect::<Vec<_>>())
}

/// True if the text has a header.
pub fn has_header(text: &str) -> bool {
    text.lines().any(is_end)
}

fn is_end(line: &str) -> bool {
    line.trim() == "---"
}

fn files(lines: &[(usize, &str)]) -> Result<Files, String> {
    let mut files = lines.split(|(_, line)| other_file(line).is_some());
    let bytes = assemble_file(files.next().unwrap_or_default())?;
    let names = lines.iter().filter_map(|(_, line)| other_file(line));
    let others = names.zip(files).map(|(name, lines)| Ok((name.to_owned(), assemble_file(lines)?)));
    Ok((bytes, others.collect::<Result<_, String>>()?))
}

/// The name of the file of a directory that begins on this line, if one does: `=== NAME`.
fn other_file(line: &str) -> Option<&str> {
    line.strip_prefix("=== ").map(str::trim)
}

#[derive(Default)]
struct Header {
    title: Vec<String>,
    strict: Option<Vec<Expected>>,
    reference: Option<Vec<Expected>>,
    shape: Option<Vec<u64>>,
    dtype: Option<String>,
    values: Option<Vec<String>>,
    table: Option<Vec<String>>,
    memory: Option<u64>,
    /// The line number of the `---` that ends the header.
    end: usize,
}

impl Header {
    fn parse<'a>(lines: &mut impl Iterator<Item = (usize, &'a str)>) -> Result<Header, String> {
        let mut header = Header::default();
        let mut seen = HashSet::new();
        let mut last = 0;
        for (number, line) in lines {
            last = number;
            let line = line.trim();
            if is_end(line) {
                header.end = number;
                return Ok(header);
            }
            if let Some(comment) = line.strip_prefix('#') {
                if !seen.is_empty() {
                    return Err(format!("line {number}: comments belong above the first key or below `---`"));
                }
                header.title.push(comment.trim().to_owned());
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(format!("line {number}: expected `key: value` or `---`"));
            };
            if !seen.insert(key) && !["values", "column", "annotation", "row"].contains(&key) {
                return Err(format!("line {number}: `{key}` is given twice"));
            }
            header.set(key, value.trim()).map_err(|problem| format!("line {number}: {problem}"))?;
        }
        Err(format!("line {last}: the header does not end with `---`"))
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let words = || value.split_ascii_whitespace();
        match key {
            "strict" => self.strict = Some(parse_expected(value)?),
            "reference" => self.reference = Some(parse_expected(value)?),
            "shape" => self.shape = Some(words().map(parse_u64).collect::<Result<_, _>>()?),
            "dtype" if value.is_empty() => return Err("`dtype` is empty".to_owned()),
            "dtype" => self.dtype = Some(value.to_owned()),
            "values" => self.values.get_or_insert_default().extend(words().map(str::to_owned)),
            "rows" | "column" | "slots" | "annotation" | "row" => {
                self.table.get_or_insert_default().push(format!("{key}: {value}"));
            }
            "memory" => self.memory = Some(parse_u64(value)?),
            _ => return Err(format!("unknown key `{key}`")),
        }
        Ok(())
    }

    fn finish(self, bytes: Vec<u8>, others: Vec<(String, Vec<u8>)>) -> Result<Recipe, String> {
        let at_end = |problem: &str| format!("line {}: {problem}", self.end);
        if !(1..=3).contains(&self.title.len()) {
            return Err("line 1: a recipe begins with one to three comment lines: what the file is, and why".to_owned());
        }
        if self.shape.is_some() != self.dtype.is_some() || self.shape.is_some() != self.values.is_some() {
            return Err(at_end("`shape`, `dtype` and `values` go together"));
        }
        if let (Some(shape), Some(values)) = (&self.shape, &self.values) {
            let count = shape.iter().try_fold(1u64, |product, &dim| product.checked_mul(dim));
            if count != Some(values.len() as u64) {
                return Err(at_end(&format!("shape {shape:?} does not hold {} values", values.len())));
            }
        }
        Ok(Recipe {
            strict: self.strict.ok_or_else(|| at_end("no `strict`"))?,
            reference: self.reference.ok_or_else(|| at_end("no `reference`"))?,
            title: self.title.join(" "),
            shape: self.shape,
            dtype: self.dtype,
            values: self.values,
            table: self.table,
            memory: self.memory,
            bytes,
            others,
        })
    }
}

fn parse_expected(value: &str) -> Result<Vec<Expected>, String> {
    if value == "clean" {
        return Ok(Vec::new());
    }
    value
        .split(',')
        .map(|finding| match finding.split_ascii_whitespace().collect::<Vec<_>>()[..] {
            [severity @ ("error" | "warning" | "unforeseen"), rule] => {
                Ok(Expected { severity: severity.to_owned(), rule: rule.to_owned() })
            }
            _ => Err(format!(
                "`{}` is neither `clean` nor `error RULE`, `unforeseen RULE` or `warning RULE`",
                finding.trim()
            )),
        })
        .collect()
}
