//! Files beside what their contract demands.

use super::found::Contract;
use super::opened::{Opened, open};
use super::pair;
use super::terms::Clause;
use ndbytes::{
    CONTRACT_PAIR, CONTRACT_RANGE, CONTRACT_SHAPE, CONTRACT_TYPE, Checker, Depth, File, Finding, ItemType, Limits,
    Part, Report, Result, Rule, Severity, archive,
};
use ndbytes_compare::seal::Seal;
use ndbytes_compare::stats::{self, Series};
use std::path::Path;

/// A contract that judges files.
struct Judge<'c> {
    contract: &'c Contract,
}

impl Judge<'_> {
    /// A finding about a line of the contract.
    fn finding(&self, rule: &'static Rule, line: usize, message: String) -> Finding {
        let help = format!("line {line} of {} demands it", self.contract.shown);
        Finding::new(rule, "", 0..0, message).help(help)
    }
}

/// Judges files by what other files and the contract say: the labels of images, and the demands of the contract if there is one.
#[derive(Debug)]
pub struct Demands {
    contract: Option<Contract>,
    depth: Depth,
}

impl Demands {
    /// Judges by a contract if there is one. Ranges of values are judged only if payloads are read.
    pub fn new(contract: Option<Contract>, depth: Depth) -> Self {
        Demands { contract, depth }
    }

    /// Returns whether the contract demands something of a file, whatever its format is.
    pub fn knows(&self, path: &Path) -> bool {
        self.contract.as_ref().is_some_and(|contract| contract.demands(path))
    }

    /// Checks a file, compares it with its seal if there is one, and judges it.
    ///
    /// # Errors
    /// Those of [`Checker::check`].
    pub fn check(&self, path: &Path, checker: &Checker, seal: Option<&Seal>, limits: Limits) -> Result<Report> {
        // The file, its partner and its values have one time together.
        let limits = limits.started();
        let checker = &checker.limits(limits);
        let report = match seal {
            Some(seal) => seal.check(checker, path),
            None => checker.check(path),
        }?;
        Ok(self.judged(path, report, limits))
    }

    /// Adds the findings to a report.
    pub(super) fn judged(&self, path: &Path, report: Report, limits: Limits) -> Report {
        let is_sound = report.findings().iter().all(|finding| finding.severity < Severity::Error);
        let unequal = if is_sound && !self.has_pair(path) { pair::of_names(path, limits) } else { None };
        let report = report.extended(unequal.into_iter().collect());
        match &self.contract {
            Some(contract) => contract.judge(path, report, self.depth, limits),
            None => report,
        }
    }

    /// Returns whether the contract names a partner of a file.
    pub(super) fn has_pair(&self, path: &Path) -> bool {
        let clause = self.contract.as_ref().and_then(|contract| contract.about(path));
        clause.is_some_and(|clause| clause.pair.is_some())
    }
}

impl Contract {
    /// Adds to a report the violations of the contract: of a file, or of each member of an archive. Of broken files, the errors
    /// say enough.
    fn judge(&self, path: &Path, report: Report, depth: Depth, limits: Limits) -> Report {
        report.extended_each(|part| {
            let address = part.member.map_or_else(|| path.to_owned(), |name| archive::address(path, name));
            self.part(&address, part, depth, limits).unwrap_or_default()
        })
    }

    /// Returns whether the contract demands something of a file.
    pub fn demands(&self, path: &Path) -> bool {
        self.about(path).is_some_and(|clause| clause.demands())
    }

    fn part(&self, path: &Path, part: &Part<'_>, depth: Depth, limits: Limits) -> Option<Vec<Finding>> {
        let clause = self.about(path).filter(Clause::demands)?;
        let is_broken = part.findings.iter().any(|finding| finding.severity == Severity::Error);
        if is_broken || part.format.is_none() {
            return None;
        }
        let judge = Judge { contract: self };
        match open(path, limits) {
            Ok(opened) => Some(judged(&judge, path, &opened, &clause, depth, limits)),
            Err(reason) => {
                let line = clause.line();
                Some(vec![judge.finding(&CONTRACT_TYPE, line, format!("the values cannot be read: {reason}"))])
            }
        }
    }
}

impl Clause {
    /// The line of the first demand.
    fn line(&self) -> usize {
        let lines = [
            self.item_type.as_ref().map(|it| it.line),
            self.shape.as_ref().map(|it| it.line),
            self.range.as_ref().map(|it| it.line),
            self.pair.as_ref().map(|it| it.line),
        ];
        lines.into_iter().flatten().min().unwrap_or(1)
    }
}

fn judged(
    judge: &Judge<'_>,
    path: &Path,
    opened: &Opened,
    clause: &Clause,
    depth: Depth,
    limits: Limits,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(asked) = &clause.item_type {
        let found = match &opened.file {
            File::Array(array) => Some(array.item_type()),
            File::Table(_) => None,
        };
        findings
            .extend(of_type(judge, asked.line, &asked.value.to_string(), found.as_ref(), |it| asked.value.fits(it)));
    }
    if let Some(asked) = clause.shape.as_ref().filter(|asked| !asked.value.fits(&opened.shape)) {
        let message = format!("the shape is {:?}, not {}", opened.shape, asked.value);
        let finding = judge.finding(&CONTRACT_SHAPE, asked.line, message);
        findings.push(finding.expected(&asked.value).found(format!("{:?}", opened.shape)));
    }
    if depth == Depth::Payload {
        findings.extend(of_range(judge, opened, clause));
    }
    if let Some(partner) = &clause.pair {
        let message = pair::unequal(path, opened.shape.first().copied(), &partner.value, limits);
        findings.extend(message.map(|message| judge.finding(&CONTRACT_PAIR, partner.line, message)));
    }
    findings
}

/// The finding about the type of an array, or about a table that is none.
fn of_type(
    judge: &Judge<'_>,
    line: usize,
    asked: &str,
    found: Option<&ItemType>,
    fits: impl FnOnce(&ItemType) -> bool,
) -> Option<Finding> {
    let found = match found {
        Some(found) if fits(found) => return None,
        Some(found) => found.to_string(),
        None => "a table".to_owned(),
    };
    let message = format!("the type is {found}, not {asked}");
    Some(judge.finding(&CONTRACT_TYPE, line, message).expected(asked).found(found))
}

/// The findings about values outside of their range.
fn of_range(judge: &Judge<'_>, opened: &Opened, clause: &Clause) -> Vec<Finding> {
    let Some(asked) = &clause.range else { return Vec::new() };
    let finding = |message: String| judge.finding(&CONTRACT_RANGE, asked.line, message);
    let File::Array(array) = &opened.file else {
        return vec![finding("the file is a table: a range is for the numbers of an array".to_owned())];
    };
    let series = match stats::array(array) {
        Ok(series) => series,
        Err(error) => return vec![finding(format!("the values cannot be read: {error}"))],
    };
    let allows_nan = clause.nan.as_ref().is_some_and(|nan| nan.value);
    series.iter().flat_map(|series| outside(series, asked.value, allows_nan)).map(finding).collect()
}

/// Sentences on a series that is not within a range.
fn outside(Series { name, statistics: it, .. }: &Series, [least, most]: [f64; 2], allows_nan: bool) -> Vec<String> {
    let of = if name.is_empty() { String::new() } else { format!(" of {name}") };
    let mut sentences = Vec::new();
    match (it.min, it.max) {
        (Some(min), Some(max)) if min < least || max > most => {
            sentences.push(format!("the values{of} are from {min} to {max}, and the range is from {least} to {most}"));
        }
        (None, None) if it.values > it.nan + it.infinite + it.missing => {
            sentences.push(format!("the items{of} are no numbers, and have no range"));
        }
        _ => {}
    }
    let is_open = least == f64::NEG_INFINITY && most == f64::INFINITY;
    for (count, name, is_allowed) in [(it.nan, "NaN", allows_nan), (it.infinite, "infinite", is_open)] {
        if count > 0 && !is_allowed {
            let are = if count == 1 { "1 value is".to_owned() } else { format!("{count} values are") };
            sentences.push(format!("{are} {name}{of}, and the range is from {least} to {most}"));
        }
    }
    sentences
}
