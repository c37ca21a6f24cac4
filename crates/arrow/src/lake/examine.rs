//! Examines one file.
//!
//! An error about one file is a row, not the end of the run: among a million files, some vanish while they are listed.
//! The metadata is read before the content, so a file that changes in the meantime has a later time than the one in its
//! row, and the next run checks it again.

use super::judge::Judge;
use super::known::{Known, nanoseconds};
use super::options::Options;
use super::row::{Facts, FileRow, reason};
use super::schema::Table;
use ndbytes::archive::{self, Opened};
use ndbytes::stores::Stat;
use ndbytes::{Input, Limits, Report, Result, Verdict};
use ndbytes_compare::digest;
use std::fs::{self, Metadata};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// Examines files one by one, for a table.
///
/// ```
/// use ndbytes::Verdict;
/// use ndbytes_arrow::lake::{Examiner, Options, Table};
/// use std::path::Path;
///
/// let examiner = Examiner::new(Table::Findings, &Options::new());
/// let verdict = |name| examiner.examine(&Path::new("../../samples").join(name)).verdict();
/// assert_eq!(verdict("surface.ra"), Verdict::Ok);
/// assert_eq!(verdict("interrupted-idx3-ubyte"), Verdict::Error);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Examiner<'k> {
    table: Table,
    options: Options,
    known: Option<&'k Known>,
    judge: Option<&'k dyn Judge>,
}

/// The rows about one file, before they are added to a batch: see [`Rows::push`](super::Rows::push).
///
/// ```
/// use ndbytes_arrow::lake::{Examiner, Options, Table};
/// use std::path::Path;
///
/// let examined = Examiner::new(Table::Files, &Options::new()).examine(Path::new("no-such-file.npy"));
/// println!("{}", examined.reason().expect("it cannot be read"));
/// assert!(!examined.is_known()); // not from an earlier run
/// ```
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
    /// Rows from an earlier run, and the modification time of the file.
    Known {
        rows: Range<usize>,
        mtime: Option<i64>,
    },
}

impl<'k> Examiner<'k> {
    /// Creates an examiner for the rows of a table.
    pub fn new(table: Table, options: &Options) -> Self {
        Examiner { table, options: *options, known: None, judge: None }
    }

    /// Reuses the rows of files that have not changed since an earlier run: see [`Known`].
    #[must_use]
    pub fn known(self, known: &'k Known) -> Self {
        Examiner { known: Some(known), ..self }
    }

    /// Adds the findings of a judge to those about each file. The content of streams is not judged, because it has no
    /// path.
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

    /// Examines a file, an entry of an archive, or an archive or store with all members. If a file cannot be read, its row has the rule
    /// [`UNREADABLE`](super::UNREADABLE).
    pub fn examine(&self, path: &Path) -> Examined {
        self.examine_listed(path, None)
    }

    /// Examines a file like [`examine`](Self::examine). `listed` is the metadata from a store's listing: if it has not changed since an
    /// earlier run, nothing is requested.
    pub fn examine_listed(&self, path: &Path, listed: Option<Stat>) -> Examined {
        // The time is read first, so a later change to the file gives it a later time.
        let local = fs::metadata(path).ok().filter(Metadata::is_file);
        let digest = local.as_ref().filter(|_| self.options.digest).and_then(|_| self.digest(path));
        let stat = local.map(|stat| Stat { length: stat.len(), modified: stat.modified().ok() }).or(listed);
        let mtime = stat.and_then(|stat| stat.modified).and_then(nanoseconds);
        if let (Some(known), Some(stat)) = (self.known, stat)
            && let Some((rows, verdict)) = known.find(path, stat.length, mtime, digest.as_deref(), &self.options)
            && !self.is_about_others(known, &rows)
        {
            return Examined { content: Content::Known { rows, mtime }, verdict, is_foreign: false, unreadable: None };
        }
        // Examining the file and judging it share one time limit.
        let limits = self.options.limits.started();
        let examined = self.report_and_rows(path, limits);
        let (report, mut rows) = match examined {
            Ok(examined) => examined,
            Err(error) => return Examined::unreadable(path, reason(&error)),
        };
        if let Some(own) = rows.last_mut().filter(|row| row.member.is_none()) {
            (own.mtime, own.digest) = (mtime, digest);
        }
        Examined::of(rows, &report)
    }

    /// Returns the report about a file, and its rows.
    fn report_and_rows(&self, path: &Path, limits: Limits) -> Result<(Report, Vec<FileRow>)> {
        let checker = self.options.checker().limits(limits);
        let judged = |report| match self.judge {
            Some(judge) => judge.judge(path, report, limits),
            None => report,
        };
        // A remote file is opened only once, because opening it costs requests. The check itself finds members of archives.
        let is_whole = !path.as_os_str().as_encoded_bytes().contains(&b'!');
        if is_whole && ndbytes::stores::is_url(path) {
            let input = Input::open(path, limits)?;
            let report = judged(checker.check_input(input.again(limits)?)?);
            let rows = self.rows(path, &report, || Opened::from_input(input.again(limits)?, limits));
            return Ok((report, rows));
        }
        let report = judged(checker.check(path)?);
        let rows = self.rows(path, &report, || Opened::open(path, self.options.limits));
        Ok((report, rows))
    }

    /// Examines a stream to its end. `path` is its name in the table.
    pub fn examine_reader(&self, path: &Path, reader: impl Read) -> Examined {
        match Input::from_reader(reader, self.options.limits) {
            Ok(input) => self.examine_input(path, &input),
            Err(error) => Examined::unreadable(path, reason(&error)),
        }
    }

    /// Examines an open input, reading only what the depth of the check needs. `path` is its name in the table.
    pub fn examine_input(&self, path: &Path, input: &Input<'_>) -> Examined {
        let again = || input.again(self.options.limits);
        let report = match again().and_then(|input| self.options.checker().check_input(input)) {
            Ok(report) => report,
            Err(error) => return Examined::unreadable(path, reason(&error)),
        };
        let rows = self.rows(path, &report, || Opened::from_input(again()?, self.options.limits));
        Examined::of(rows, &report)
    }

    /// Returns whether one of these rows depends on other files.
    fn is_about_others(&self, known: &Known, rows: &Range<usize>) -> bool {
        self.judge.is_some_and(|judge| rows.clone().any(|row| judge.is_about_others(Path::new(known.path(row)))))
    }

    /// Returns the digest of all bytes of a file; `None` if they cannot be read.
    fn digest(&self, path: &Path) -> Option<String> {
        let input = Input::open(path, self.options.limits).ok()?;
        digest::bytes(&input).ok().map(|digest| digest.to_string())
    }

    /// Creates a row for each part of a report. The last one is about the file itself.
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

    /// Adds the description of the file to the rows, if it can be described.
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
    /// Creates the row for a path that is not a file.
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

    /// Returns the severity of the worst finding in all parts.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Returns the reason why the file cannot be read, if there is one.
    pub fn reason(&self) -> Option<&str> {
        self.unreadable.as_deref()
    }

    /// Returns whether the file is in an unknown format.
    pub fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Returns whether the rows are from an earlier run.
    pub fn is_known(&self) -> bool {
        matches!(self.content, Content::Known { .. })
    }

    /// Returns the approximate memory that it takes, in bytes.
    pub fn held(&self) -> usize {
        match &self.content {
            Content::Fresh(rows) => rows.iter().map(FileRow::held).sum(),
            Content::Known { .. } => 0,
        }
    }
}
