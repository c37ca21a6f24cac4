//! Faults of files, as findings of everybyte.
//!
//! One fault has many consequences: each value that depends on an unread field is also a fault. So causes come first,
//! and all their consequences share a line. If the first bytes do not match the format, the file is probably in
//! another format, and all other violations are only counted.

use super::foreign;
use super::leaves::stated_sum;
use crate::read::{Cause, Fault, Machine, Place, State};
use everybyte::map::{GAP, Space, spans};
use everybyte::{Finding, finding::Severity};

/// The maximum number of value names on one line.
const LISTED: usize = 8;

/// With at least this many further findings, a file with different first bytes is considered to be in another format.
const MANY: usize = 16;

/// Returns all findings of a file. `is_whole` is true if the map has all fields.
pub fn of(machine: &Machine<'_>, files: &[String], spaces: &[Space], is_whole: bool) -> Vec<Finding> {
    let mut findings = of_faults(machine, files);
    if machine.further > 0 {
        let message = format!("the file has {} more findings", machine.further);
        findings.push(Finding::new("limit", Severity::Error, String::new(), 0, 0..0, message));
    }
    if !is_whole {
        let bytes = 0..machine.spaces[0].bytes.len() as u64;
        let message = "the file has more fields than the map shows".to_owned();
        findings.push(Finding::new("limit", Severity::Warning, String::new(), 0, bytes, message));
    }
    if needs_gaps(machine) && findings.is_empty() {
        findings.extend(spans(spaces).into_iter().filter(|span| span.node.name() == GAP).map(|span| {
            let (start, end) = (span.node.start(), span.node.end());
            let message = match end - start {
                1 => "no field claims this byte".to_owned(),
                count => format!("no field claims these {count} bytes"),
            };
            Finding::new("gap", Severity::Warning, span.path, span.space, start..end, message)
        }));
    }
    findings
}

/// Returns the findings about faults, causes first. Their consequences share one line. If the file is in another
/// format, so do all violations after its first bytes.
fn of_faults(machine: &Machine<'_>, files: &[String]) -> Vec<Finding> {
    let listed = |fault: &Fault| finding(machine, files, fault);
    let (unread, causes): (Vec<&Fault>, Vec<&Fault>) =
        machine.faults.iter().partition(|fault| fault.cause == Cause::Unread);
    if let Some(first) = causes.iter().find(|fault| is_about_beginning(fault)) {
        let mut finding = listed(first);
        let others = machine.faults.len() - 1 + machine.further;
        let what = foreign::named(&machine.spaces[0].bytes);
        if what.is_some() || others >= MANY {
            let what = what.map_or_else(|| "another format, or damaged where it begins".to_owned(), str::to_owned);
            finding.message += &format!("; the file is {what}");
            if others > 0 {
                finding.message += &format!(", and {others} more findings about it are not listed");
            }
            return vec![finding];
        }
    }
    let mut findings: Vec<Finding> = causes.iter().map(|fault| listed(fault)).collect();
    // Findings are sorted by position, so consequences are placed at the bytes of their cause.
    let cause = findings.iter().rfind(|finding| finding.severity == Severity::Error).or(findings.last());
    let place = cause.map(|cause| (cause.space, cause.bytes.clone()));
    let following = |fault: &Fault| {
        let mut finding = listed(fault);
        if let Some(place) = &place {
            (finding.space, finding.bytes) = place.clone();
        }
        finding
    };
    match unread[..] {
        [first, _, ..] if !findings.is_empty() => {
            let names: Vec<String> = unread.iter().take(LISTED).filter_map(|fault| path(machine, fault)).collect();
            let more = if unread.len() > LISTED { ", …" } else { "" };
            let message =
                format!("{} values depend on what could not be read: {}{more}", unread.len(), names.join(", "));
            let mut finding = following(first);
            finding.message = message;
            findings.push(finding);
        }
        _ => findings.extend(unread.iter().map(|fault| following(fault))),
    }
    findings
}

/// Returns whether a fault means that a file does not begin with the bytes of its format.
fn is_about_beginning(fault: &Fault) -> bool {
    let is_first = |place: &Place| (place.space, place.start) == (0, 0);
    fault.cause == Cause::Contents && fault.place.as_ref().is_some_and(is_first)
}

/// Returns whether bytes that no field claims are findings. A specification that reads at given positions need not claim all bytes; one
/// that reads from the beginning to the end must. Fields after a fault were not read.
pub fn needs_gaps(machine: &Machine<'_>) -> bool {
    machine.faults.is_empty() && !machine.plan.types.iter().flat_map(|own| &own.fields).any(|field| field.pos.is_some())
}

/// Returns a fault as a finding. Faults in instances are warnings, since a reader may never need the instance.
fn finding(machine: &Machine<'_>, files: &[String], fault: &Fault) -> Finding {
    let place = fault.place.as_ref();
    let path = path(machine, fault).unwrap_or_default();
    let severity = if place.is_some_and(|place| place.is_instance) { Severity::Warning } else { Severity::Error };
    let (space, bytes) = place.map_or((0, 0..0), |place| (place.space, place.start as u64..place.end as u64));
    let message = match fault.at {
        Some(at) => {
            let file = files.get(at.file as usize).map_or("", |path| path.rsplit(['/', '\\']).next().unwrap_or(path));
            format!("{} ({file}:{}:{})", fault.message, at.line, at.column)
        }
        None => fault.message.clone(),
    };
    Finding::new(rule(fault.cause), severity, path, space, bytes, message)
}

/// Returns the path of the field that a fault is about.
fn path(machine: &Machine<'_>, fault: &Fault) -> Option<String> {
    fault.place.as_ref().map(|place| machine.path(place.structure, place.slot, place.element))
}

/// Returns the rule that a fault violates.
fn rule(cause: Cause) -> &'static str {
    match cause {
        Cause::End => "truncated",
        Cause::Contents => "wrong-magic",
        Cause::NotEqual | Cause::TooSmall | Cause::TooLarge | Cause::NotAnyOf | Cause::NotExpr => "not-valid",
        Cause::NotInEnum => "unknown-code",
        Cause::Conversion => "not-readable",
        Cause::Undecided => "undecided-byte-order",
        Cause::Sum => "checksum",
        Cause::Limit => "limit",
        Cause::Unread | Cause::Other => "invalid",
    }
}

impl Machine<'_> {
    /// Compares all checksums with their bytes.
    pub fn check_sums(&mut self) {
        let mut faults = Vec::new();
        for structure in 0..self.structures.len() as u32 {
            let own = self.own(structure);
            for (place, field) in own.fields.iter().enumerate() {
                let Some(check) = &field.check else { continue };
                let slot = own.params.len() + place;
                let (stated, first, last) =
                    (self.slot(structure, slot), self.slot(structure, check.first), self.slot(structure, check.last));
                let is_read = |state: State| matches!(state, State::Done | State::Absent);
                let is_one_space = first.space == last.space && first.start <= last.end;
                if stated.state != State::Done || !is_read(first.state) || !is_read(last.state) || !is_one_space {
                    continue;
                }
                let bytes = &self.spaces[stated.space as usize].bytes[stated.start..stated.end];
                let Some(found) = stated_sum(field, bytes) else { continue };
                let bytes = &self.spaces[first.space as usize].bytes[first.start..last.end];
                let Some(sum) = check.sum.of(bytes).number() else { continue };
                if found != sum {
                    let (space, start, end) = (stated.space, stated.start, stated.end);
                    // All digits of the field.
                    let width = 2 + 2 * (end - start).min(8);
                    let name = check.sum.name();
                    let message = format!("{name} of the bytes is {sum:#0width$x}; the file has {found:#0width$x}");
                    let element = None;
                    let place = Place { structure, slot, element, space, start, end, is_instance: false };
                    faults.push(Fault { cause: Cause::Sum, message, at: Some(field.at), place: Some(place) });
                }
            }
        }
        faults.into_iter().for_each(|fault| self.keep(fault));
    }
}
