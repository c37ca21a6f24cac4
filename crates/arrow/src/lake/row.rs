//! A row of the `files` table, from which the rows of the other tables follow.

use super::options::Options;
use ndbytes::{ColumnInfo, Error, Finding, Info, Part, Verdict};
use std::path::Path;

/// The rule for files that cannot be read.
pub const UNREADABLE: &str = "unreadable";

/// The maximum length in bytes of a string from a file or about one. Longer strings are cut and end with `…`. Paths are
/// never cut.
pub const MOST_TEXT: usize = 4096;

/// The maximum number of columns of a table that get rows.
pub const MOST_COLUMNS: usize = 1 << 16;

/// A file, or a member of an archive or a store.
#[derive(Debug)]
pub(crate) struct FileRow {
    pub path: String,
    pub member: Option<String>,
    pub format: Option<String>,
    pub size: Option<u64>,
    pub mtime: Option<i64>,
    pub digest: Option<String>,
    pub verdict: Verdict,
    pub facts: Facts,
    pub findings: Vec<FindingRow>,
}

/// Properties of a file from its description.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    pub version: Option<String>,
    pub dtype: Option<String>,
    pub order: Option<&'static str>,
    pub shape: Option<Vec<u64>>,
    pub rows: Option<u64>,
    pub columns: Option<Vec<ColumnInfo>>,
}

/// A finding.
#[derive(Debug)]
pub(crate) struct FindingRow {
    pub rule: &'static str,
    pub severity: &'static str,
    pub field: String,
    pub space: u32,
    pub offset: u64,
    pub length: u64,
    pub message: String,
    pub expected: Option<String>,
    pub found: Option<String>,
    pub help: Option<String>,
    pub reference: Option<&'static str>,
}

/// Cuts a string that is too long.
fn bounded(mut text: String) -> String {
    if text.len() > MOST_TEXT {
        let end = (0..=MOST_TEXT).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
        text.truncate(end);
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

/// Returns the word for a verdict.
pub(crate) fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Ok => "ok",
        Verdict::Warning => "warning",
        Verdict::Unforeseen => "unforeseen",
        Verdict::Error => "error",
    }
}

impl FileRow {
    /// Creates the row for a part of a report.
    pub fn of(address: &Path, part: &Part<'_>, options: &Options) -> Self {
        FileRow {
            path: address.display().to_string(),
            member: part.member.map(str::to_owned),
            format: part.format.map(|format| format.to_string()),
            size: Some(part.size),
            mtime: None,
            digest: None,
            verdict: part.verdict(),
            facts: Facts::default(),
            findings: part.findings.iter().map(|finding| FindingRow::of(finding, options)).collect(),
        }
    }

    /// Returns the row of an archive or a store that has no findings itself.
    pub fn clean(path: &Path, size: u64) -> Self {
        FileRow {
            path: path.display().to_string(),
            member: None,
            format: None,
            size: Some(size),
            mtime: None,
            digest: None,
            verdict: Verdict::Ok,
            facts: Facts::default(),
            findings: Vec::new(),
        }
    }

    /// Creates the row for a file that cannot be read.
    pub fn unreadable(path: &Path, reason: String) -> Self {
        let findings = vec![FindingRow::unreadable(reason)];
        FileRow { size: None, verdict: Verdict::Error, findings, ..FileRow::clean(path, 0) }
    }

    /// Returns the first error, which is the reason why a file is refused.
    pub fn error(&self) -> Option<&str> {
        let is_error = |finding: &&FindingRow| finding.severity == verdict_word(Verdict::Error);
        self.findings.iter().find(is_error).map(|finding| &*finding.message)
    }

    /// Returns the approximate memory that it takes, in bytes.
    pub fn held(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let findings = self.findings.iter().map(|it| {
            let texts = it.field.len() + it.message.len() + text(&it.expected) + text(&it.found) + text(&it.help);
            size_of::<FindingRow>() + texts
        });
        let columns = self.facts.columns.iter().flatten();
        let columns = columns.map(|it| size_of::<ColumnInfo>() + it.name.len() + it.r#type.len());
        let own = self.path.len() + text(&self.member) + text(&self.facts.version) + text(&self.facts.dtype);
        size_of::<Self>() + own + findings.sum::<usize>() + columns.sum::<usize>()
    }
}

impl Facts {
    pub fn of(info: Info) -> Self {
        let mut facts = Facts { version: info.version.map(bounded), ..Facts::default() };
        if let Some(array) = info.array {
            facts.dtype = Some(bounded(array.dtype));
            facts.order = Some(array.order);
            facts.shape = Some(array.shape).filter(|shape| shape.len() <= MOST_COLUMNS);
        }
        if let Some(table) = info.table {
            let bound = |column: ColumnInfo| {
                let mut column = column;
                column.name = bounded(column.name);
                column.r#type = bounded(column.r#type);
                column.annotations = Vec::new();
                column
            };
            facts.rows = Some(table.rows);
            facts.columns = Some(table.columns.into_iter().take(MOST_COLUMNS).map(bound).collect());
        }
        facts
    }
}

impl FindingRow {
    fn of(finding: &Finding, options: &Options) -> Self {
        FindingRow {
            rule: finding.rule.id,
            severity: match finding.severity {
                ndbytes::Severity::Warning => verdict_word(Verdict::Warning),
                ndbytes::Severity::Unforeseen => verdict_word(Verdict::Unforeseen),
                ndbytes::Severity::Error => verdict_word(Verdict::Error),
            },
            field: bounded(finding.field.clone()),
            space: finding.space,
            offset: finding.offset,
            length: finding.length,
            message: bounded(finding.message.clone()),
            expected: finding.expected.clone().map(bounded),
            found: finding.found.clone().map(bounded),
            help: (options.help)(finding).map(bounded),
            reference: finding.reference.word(),
        }
    }

    fn unreadable(reason: String) -> Self {
        FindingRow {
            rule: UNREADABLE,
            severity: verdict_word(Verdict::Error),
            field: String::new(),
            space: 0,
            offset: 0,
            length: 0,
            message: bounded(reason),
            expected: None,
            found: None,
            help: None,
            reference: None,
        }
    }
}

/// Returns the reason why a file cannot be read, without its path.
pub(crate) fn reason(error: &Error) -> String {
    match error {
        Error::Io { source, .. } => source.to_string(),
        error => error.to_string(),
    }
}
