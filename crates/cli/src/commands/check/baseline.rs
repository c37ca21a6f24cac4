//! Baselines, which are lists of known findings that are not reported.
//!
//! A project with a thousand known findings still wants to know about the next one. A line names the file, the rule and
//! the key of the field, but no offset, so it remains valid when something is inserted before the field. Lines whose
//! finding has disappeared are reported as fixed, so they can be removed.

use crate::show::check::from_here::from_here;
use crate::show::check::totals::Fixed;
use crate::show::json;
use crate::show::text;
use ndbytes::{Error, Input, Limits};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// A line of a baseline. It contains no offset, so fields that move remain known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// The path of the file relative to the working directory, with `/`.
    path: String,
    rule: String,
    /// The key of the field.
    field: String,
}

/// The maximum memory for a line, without its strings, which are allocated separately. B-tree nodes may be half full.
const LINE_MEMORY: u64 = 2 * (size_of::<Line>() + size_of::<Count>()) as u64 + 64;

/// The maximum number of `!` in a path that may lead into an archive.
const MOST_ARCHIVES: usize = 16;

/// The counts of a known finding.
#[derive(Default)]
struct Count {
    known: u64,
    seen: u64,
    /// Whether its file was checked.
    visited: bool,
}

/// A baseline, with the state of each line.
pub struct Baseline {
    file: PathBuf,
    is_updated: bool,
    counts: BTreeMap<Line, Count>,
}

impl Baseline {
    /// Reads a baseline. A baseline that is to be updated need not exist.
    ///
    /// # Errors
    /// A message about a file that cannot be read or is not a baseline.
    pub fn read(file: &Path, is_updated: bool, limits: Limits) -> Result<Self, String> {
        let mut counts: BTreeMap<Line, Count> = BTreeMap::new();
        let shown = text::path(file);
        match Input::open(file, limits) {
            Ok(input) => {
                let bytes = input.bytes().map_err(|error| format!("{shown}: {error}"))?;
                let mut left = limits.memory.saturating_add(bytes.len() as u64);
                let lines = bytes.split(|&byte| byte == b'\n').enumerate();
                for (place, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
                    input.ensure_time().map_err(|error| format!("{shown}: {error}"))?;
                    left = left.checked_sub(LINE_MEMORY + line.len() as u64).ok_or_else(|| {
                        format!(
                            "{shown}: the memory limit is reached at line {}: `--max-memory` grants more",
                            place + 1
                        )
                    })?;
                    let line: Line = serde_json::from_slice(line)
                        .map_err(|error| format!("{shown} is not a baseline: line {}: {error}", place + 1))?;
                    counts.entry(line).or_default().known += 1;
                }
            }
            Err(Error::Io { source, .. }) if is_updated && source.kind() == io::ErrorKind::NotFound => {}
            Err(Error::Io { source, .. }) => return Err(format!("{shown}: {source}")),
            Err(error) => return Err(format!("{shown}: {error}")),
        }
        Ok(Baseline { file: file.to_owned(), is_updated, counts })
    }

    /// Records that a file was checked, including all members if it is an archive.
    pub fn visit(&mut self, file: &Path) {
        let own = from_here(file);
        let members = format!("{own}!");
        let first = |path: &str| Line { path: path.to_owned(), rule: String::new(), field: String::new() };
        let files = self.counts.range_mut(first(&own)..).take_while(|(line, _)| line.path == own);
        files.for_each(|(_, count)| count.visited = true);
        let files = self.counts.range_mut(first(&members)..).take_while(|(line, _)| line.path.starts_with(&members));
        files.for_each(|(_, count)| count.visited = true);
    }

    /// Records a finding and returns whether it is known. While the baseline is updated, all findings are known.
    pub fn takes(&mut self, path: &Path, rule: &str, field: &str) -> bool {
        let line = Line { path: from_here(path), rule: rule.to_owned(), field: field.to_owned() };
        match self.counts.get_mut(&line) {
            Some(count) => {
                count.seen += 1;
                self.is_updated || count.seen <= count.known
            }
            None if self.is_updated => {
                self.counts.insert(line, Count { known: 0, seen: 1, visited: true });
                true
            }
            None => false,
        }
    }

    /// Returns the findings that are gone, in files that were checked or no longer exist.
    pub fn fixed(&self) -> impl Iterator<Item = Fixed> {
        let gone = self.counts.iter().filter(|(line, count)| count.seen < count.known && is_settled(line, count));
        gone.flat_map(|(line, count)| {
            let fixed = Fixed { path: line.path.clone(), rule: line.rule.clone(), field: line.field.clone() };
            std::iter::repeat_n(fixed, (count.known - count.seen) as usize)
        })
    }

    /// Writes the current findings.
    pub fn write(&self) -> ndbytes::Result<()> {
        let mut lines = Vec::new();
        for (line, count) in &self.counts {
            let times = if is_settled(line, count) { count.seen } else { count.known };
            (0..times).try_for_each(|_| json::line(&mut lines, line))?;
        }
        ndbytes::replace_file(&self.file, &lines)
    }

    /// Returns the path of the baseline.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

/// Returns whether this run knows how often a finding occurs.
fn is_settled(line: &Line, count: &Count) -> bool {
    let archives = line.path.match_indices('!').take(MOST_ARCHIVES).map(|(at, _)| &line.path[..at]);
    count.visited || !archives.chain([&*line.path]).any(|path| Path::new(path).exists())
}
