//! Checks files against their contract.
//!
//! A contract states requirements for the files of a project that the rules of a format cannot express. It adds
//! findings, and never removes any. It does not apply to broken files, since their errors are enough, and their values
//! mean little. Findings name the violated line of the contract.

use super::found::Contract;
use super::opened::{Opened, open};
use super::pair;
use super::terms::Clause;
use crate::show::style::{counted, grouped};
use ndbytes::{
    Array, CONTRACT_PAIR, CONTRACT_RANGE, CONTRACT_SHAPE, CONTRACT_TYPE, Checker, Depth, ElementKind, Error, File,
    Finding, ItemType, Limits, Part, Report, Result, Rule, Severity, archive,
};
use ndbytes_compare::diff::coordinates;
use ndbytes_compare::seal::Seal;
use ndbytes_compare::stats::{self, Outside, Series, Statistics};
use std::path::Path;

/// Checks files against a contract.
struct Judge<'c> {
    contract: &'c Contract,
}

impl Judge<'_> {
    /// Returns a finding about a line of the contract.
    fn finding(&self, rule: &'static Rule, line: usize, message: String) -> Finding {
        let help = format!("required by line {line} of {}", self.contract.shown);
        Finding::new(rule, "", 0..0, message).help(help)
    }
}

/// Checks files against other files, such as the labels of images, and against a contract, if there is one.
#[derive(Debug)]
pub struct Demands {
    contract: Option<Contract>,
    depth: Depth,
}

impl Demands {
    /// Checks against a contract, if there is one. Ranges of values are checked only if payloads are read.
    pub fn new(contract: Option<Contract>, depth: Depth) -> Self {
        Demands { contract, depth }
    }

    /// Returns whether the contract has terms for a file, in any format.
    pub fn knows(&self, path: &Path) -> bool {
        self.contract.as_ref().is_some_and(|contract| contract.demands(path))
    }

    /// Checks a file, compares it with its seal if there is one, and checks it against the contract.
    ///
    /// # Errors
    /// Any error of [`Checker::check`].
    pub fn check(&self, path: &Path, checker: &Checker, seal: Option<&Seal>, limits: Limits) -> Result<Report> {
        // The file, its partner and its values share one time limit.
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
    /// Adds violations of the contract to the report on a file, or on each member of an archive. Broken files are
    /// skipped, since their errors are enough.
    fn judge(&self, path: &Path, report: Report, depth: Depth, limits: Limits) -> Report {
        report.extended_each(|part| {
            let address = part.member.map_or_else(|| path.to_owned(), |name| archive::address(path, name));
            self.part(&address, part, depth, limits).unwrap_or_default()
        })
    }

    /// Returns whether the contract has terms for a file.
    pub fn demands(&self, path: &Path) -> bool {
        self.about(path).is_some_and(|clause| clause.demands())
    }

    /// Returns the findings about one part of a file, or `None` if the contract has no terms for it or if it is too
    /// broken.
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
    /// Returns the line of the first term.
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

/// Returns the finding about the type of an array, or about a table instead of an array.
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

/// The name of NaN in messages.
const NAN: &str = "NaN";

/// Returns the findings about values outside their range.
fn of_range(judge: &Judge<'_>, opened: &Opened, clause: &Clause) -> Vec<Finding> {
    let Some(asked) = &clause.range else { return Vec::new() };
    let finding = |message: String| judge.finding(&CONTRACT_RANGE, asked.line, message);
    let File::Array(array) = &opened.file else {
        return vec![finding("the file is a table: a range is for the numbers of an array".to_owned())];
    };
    let unread = |error: Error| vec![finding(format!("the values cannot be read: {error}"))];
    let series = match stats::array(array) {
        Ok(series) => series,
        Err(error) => return unread(error),
    };
    let has_values = series.iter().any(|series| series.statistics.values > series.statistics.missing);
    if has_values && !series.iter().any(|series| is_number(&series.statistics)) {
        return vec![finding("the items are not numbers, so a range does not apply".to_owned())];
    }
    let allows_nan = clause.nan.as_ref().is_some_and(|nan| nan.value);
    let wrong: Vec<[bool; 3]> = series.iter().map(|series| wrong(series, asked.value, allows_nan)).collect();
    // If nothing is wrong, the values are read only once.
    if wrong.iter().flatten().all(|is_wrong| !is_wrong) {
        return Vec::new();
    }
    let outside = match stats::outside(&mut *array.items(), asked.value) {
        Ok(outside) => outside,
        Err(error) => return unread(error),
    };
    let mut findings = Vec::new();
    for ((series, wrong), found) in series.iter().zip(wrong).zip(outside) {
        let kinds = [(found.finite, "outside the range"), (found.nan, NAN), (found.infinite, "infinite")];
        for (is_wrong, (found, what)) in wrong.into_iter().zip(kinds) {
            let Some(found) = found.filter(|_| is_wrong) else { continue };
            findings.push(at_value(finding(sentence(series, &found, what, array)), array, &found, asked.value));
        }
    }
    findings
}

/// Returns whether a series consists of numbers. Times and categories have no mean.
fn is_number(it: &Statistics) -> bool {
    it.mean.is_some() || it.nan + it.infinite > 0
}

/// Returns whether a series has finite numbers outside a range, forbidden NaNs, and infinite numbers.
fn wrong(Series { statistics: it, .. }: &Series, [least, most]: [f64; 2], allows_nan: bool) -> [bool; 3] {
    let is_open = least == f64::NEG_INFINITY && most == f64::INFINITY;
    let is_beyond = matches!((it.min, it.max), (Some(min), Some(max)) if min < least || max > most);
    [is_beyond && is_number(it), it.nan > 0 && !allows_nan, it.infinite > 0 && !is_open]
}

/// Returns the sentence about the unexpected values of a series.
fn sentence(series: &Series, found: &Outside, what: &str, array: &Array<'_>) -> String {
    let of = if series.name.is_empty() { String::new() } else { format!(" of {}", series.name) };
    let all = counted(series.statistics.values, "value");
    let are = if found.count == 1 { "is" } else { "are" };
    let index = format!("{:?}", coordinates(&axes(array), found.item));
    let mut sentence = format!("{} of {all}{of} {are} {what}: ", grouped(found.count));
    sentence += if found.count == 1 { "" } else { "the first is " };
    // The sentence already names NaN.
    sentence += &if what == NAN { format!("at {index}") } else { format!("{} at {index}", found.value) };
    sentence
}

/// Returns a finding at the bytes of a value, if the file contains them unchanged.
fn at_value(finding: Finding, array: &Array<'_>, found: &Outside, [least, most]: [f64; 2]) -> Finding {
    let finding = finding.expected(format!("{least} to {most}")).found(&found.value);
    let is_bit = matches!(array.item_type(), ItemType::Plain(dtype) if dtype.kind == ElementKind::Bit);
    let Some((input, payload)) = array.plain_input().filter(|_| !is_bit) else { return finding };
    let mut shape = axes(array);
    let mut place = coordinates(&shape, found.item);
    if array.is_fortran_order() {
        place.reverse();
        shape.reverse();
    }
    let stored = place.iter().zip(&shape).fold(0, |stored, (&place, &extent)| stored * extent + place);
    let start = payload + stored * array.item_type().stride();
    let finding = finding.at(start + found.bytes.start..start + found.bytes.end);
    if input.is_unpacked() { finding.inside_gzip() } else { finding }
}

/// Returns the lengths of the axes of an array.
fn axes(array: &Array<'_>) -> Vec<u64> {
    array.shape().iter().map(|&length| length as u64).collect()
}
