//! The examination of one file.

use super::judge::Judge;
use super::known::{Known, nanoseconds};
use super::options::Options;
use super::row::{Facts, FileRow, reason};
use super::schema::Table;
use ndbytes::archive::{self, Opened};
use ndbytes::{Input, Report, Result, Verdict};
use ndbytes_compare::digest;
use std::fs::{self, Metadata};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// Examines files one by one, for a table.
#[derive(Debug, Clone, Copy)]
pub struct Examiner<'k> {
    table: Table,
    options: Options,
    known: Option<&'k Known>,
    judge: Option<&'k dyn Judge>,
}

/// The rows about one file, before they are a part of a batch: see [`Rows::push`](super::Rows::push).
#[derive(Debug)]
pub struct Examined {
    pub(crate) content: Content,
    verdict: Verdict,
    is_foreign: bool,
    unreadable: Option<String>,
}

#[derive(Debug)]
pub(crate) enum Content {
    Fresh(Vec<FileRow>),
    /// Rows of an earlier run, and the time when the file was changed last.
    Known {
        rows: Range<usize>,
        mtime: Option<i64>,
    },
}

impl<'k> Examiner<'k> {
    /// An examiner whose rows are for a table.
    pub fn new(table: Table, options: &Options) -> Self {
        Examiner { table, options: *options, known: None, judge: None }
    }

    /// Takes over the rows of files that did not change since an earlier run: see [`Known`].
    #[must_use]
    pub fn known(self, known: &'k Known) -> Self {
        Examiner { known: Some(known), ..self }
    }

    /// Adds the findings of a judge to those about each file. What a stream holds has no path, and is not judged.
    #[must_use]
    pub fn judge(self, judge: &'k dyn Judge) -> Self {
        Examiner { judge: Some(judge), ..self }
    }

    pub(crate) fn options(&self) -> &Options {
        &self.options
    }

    pub(crate) fn table(&self) -> Table {
        self.table
    }

    /// Examines a file, an entry of an archive, or an archive or a store with all members. A file that cannot be read gives a row
    /// with the rule [`UNREADABLE`](super::UNREADABLE).
    pub fn examine(&self, path: &Path) -> Examined {
        // The time comes first: who changes the file meanwhile gives it a later one.
        let stat = fs::metadata(path).ok().filter(Metadata::is_file);
        let mtime = stat.as_ref().and_then(|stat| stat.modified().ok()).and_then(nanoseconds);
        let digest = stat.as_ref().filter(|_| self.options.digest).and_then(|_| self.digest(path));
        if let (Some(known), Some(stat)) = (self.known, &stat)
            && let Some((rows, verdict)) = known.find(path, stat.len(), mtime, digest.as_deref(), &self.options)
            && !self.is_about_others(known, &rows)
        {
            return Examined { content: Content::Known { rows, mtime }, verdict, is_foreign: false, unreadable: None };
        }
        // A file somewhere else is opened once: each time costs requests. The check finds members of archives.
        let is_whole = || !path.as_os_str().as_encoded_bytes().contains(&b'!');
        if self.judge.is_none()
            && ndbytes::stores::is_url(path)
            && is_whole()
            && let Ok(input) = Input::open(path, self.options.limits)
        {
            return self.examine_input(path, &input);
        }
        // The file and what it is judged by have one time together.
        let limits = self.options.limits.started();
        let report = match self.options.checker().limits(limits).check(path) {
            Ok(report) => match self.judge {
                Some(judge) => judge.judge(path, report, limits),
                None => report,
            },
            Err(error) => return Examined::unreadable(path, reason(&error)),
        };
        let opened = || Opened::open(path, self.options.limits);
        let mut rows = self.rows(path, &report, opened);
        if let Some(own) = rows.last_mut().filter(|row| row.member.is_none()) {
            (own.mtime, own.digest) = (mtime, digest);
        }
        Examined::of(rows, &report)
    }

    /// Examines a stream, to its end. `path` is its name in the table.
    pub fn examine_reader(&self, path: &Path, reader: impl Read) -> Examined {
        match Input::from_reader(reader, self.options.limits) {
            Ok(input) => self.examine_input(path, &input),
            Err(error) => Examined::unreadable(path, reason(&error)),
        }
    }

    /// Examines an open input, of which no more is read than the depth of the check needs. `path` is its name in the table.
    pub fn examine_input(&self, path: &Path, input: &Input<'_>) -> Examined {
        let again = || input.again(self.options.limits);
        let report = match again().and_then(|input| self.options.checker().check_input(input)) {
            Ok(report) => report,
            Err(error) => return Examined::unreadable(path, reason(&error)),
        };
        let rows = self.rows(path, &report, || Opened::from_input(again()?, self.options.limits));
        Examined::of(rows, &report)
    }

    /// Returns whether one of these rows depends on other files than its own.
    fn is_about_others(&self, known: &Known, rows: &Range<usize>) -> bool {
        self.judge.is_some_and(|judge| rows.clone().any(|row| judge.is_about_others(Path::new(known.path(row)))))
    }

    /// The digest of all bytes of a file, or `None` if they cannot be read.
    fn digest(&self, path: &Path) -> Option<String> {
        let input = Input::open(path, self.options.limits).ok()?;
        digest::bytes(&input).ok().map(|digest| digest.to_string())
    }

    /// A row for each part of a report. The last one is about the file itself.
    fn rows<'i>(&self, path: &Path, report: &Report, open: impl FnOnce() -> Result<Opened<'i>>) -> Vec<FileRow> {
        let mut rows = Vec::new();
        let parts: Vec<_> = report.parts().collect();
        for part in &parts {
            let address = part.member.map(|name| archive::address(path, name));
            rows.push(FileRow::of(address.as_deref().unwrap_or(path), part, &self.options));
        }
        if self.table != Table::Findings && parts.iter().any(|part| part.format.is_some()) {
            self.describe(&mut rows, open);
        }
        if rows.last().is_none_or(|row| row.member.is_some()) {
            rows.push(FileRow::clean(path, report.size));
        }
        rows
    }

    /// Adds facts to the rows, as far as the file can be described.
    fn describe<'i>(&self, rows: &mut [FileRow], open: impl FnOnce() -> Result<Opened<'i>>) {
        let describe = |input: Input<'_>| ndbytes::info(input, &self.options.limits).map(Facts::of);
        match open() {
            Ok(Opened::File(input)) => {
                if let (Some(row), Ok(facts)) = (rows.first_mut(), describe(input)) {
                    row.facts = facts;
                }
            }
            Ok(Opened::Archive(archive)) => {
                for (row, (member, loaded)) in rows.iter_mut().zip(archive.load_each()) {
                    if row.member.as_deref() == Some(member.name())
                        && let Ok(facts) = loaded.and_then(describe)
                    {
                        row.facts = facts;
                    }
                }
            }
            Err(_) => {}
        }
    }
}

impl Examined {
    /// The row of a path that is no file to be examined.
    pub fn unreadable(path: &Path, reason: String) -> Self {
        let rows = vec![FileRow::unreadable(path, reason.clone())];
        let content = Content::Fresh(rows);
        Examined { content, verdict: Verdict::Error, is_foreign: false, unreadable: Some(reason) }
    }

    fn of(rows: Vec<FileRow>, report: &Report) -> Self {
        Examined {
            content: Content::Fresh(rows),
            verdict: report.verdict(),
            is_foreign: report.is_foreign(),
            unreadable: None,
        }
    }

    /// The weight of the worst finding, in all parts.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The reason why the file cannot be read, if it cannot.
    pub fn reason(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// Returns whether the file is of no known format.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Returns whether the rows are those of an earlier run.
    pub fn is_known(&self) -> bool {
        matches!(self.content, Content::Known { .. })
    }

    /// The bytes that it takes in memory, about.
    pub fn held(&self) -> usize {
        match &self.content {
            Content::Fresh(rows) => rows.iter().map(FileRow::held).sum(),
            Content::Known { .. } => 0,
        }
    }
}
