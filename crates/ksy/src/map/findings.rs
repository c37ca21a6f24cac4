//! Faults of files, as findings of everybyte.

use super::leaves::stated_sum;
use crate::read::{Cause, Fault, Machine, Place, State};
use everybyte::map::{GAP, Space, spans};
use everybyte::{Finding, Severity};

/// All findings of a file, whose map has all fields if it is whole.
pub fn of(machine: &Machine<'_>, files: &[String], spaces: &[Space], is_whole: bool) -> Vec<Finding> {
    let mut findings: Vec<Finding> = machine.faults.iter().map(|fault| finding(machine, files, fault)).collect();
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

/// Returns whether bytes that no field claims are findings. A specification that reads at places need not claim all bytes; one
/// that reads from the beginning to the end does. What stands after a fault was not read.
pub fn needs_gaps(machine: &Machine<'_>) -> bool {
    machine.faults.is_empty() && !machine.plan.types.iter().flat_map(|own| &own.fields).any(|field| field.pos.is_some())
}

fn finding(machine: &Machine<'_>, files: &[String], fault: &Fault) -> Finding {
    let place = fault.place.as_ref();
    let path = place.map_or_else(String::new, |place| machine.path(place.structure, place.slot, place.element));
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

/// The rule that a fault violates.
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
        Cause::Other => "invalid",
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
                let sum = check.sum.of(bytes);
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
