//! Positions that a definition must remember.

use super::super::plan::FieldPlan;
use crate::reference::FieldDoc;
use crate::role::Origin;
use crate::terms::Term;
use std::fmt::Write;

/// A position whose offset a definition must remember.
#[derive(PartialEq)]
pub(super) enum Mark<'b> {
    /// The start of the structure.
    Start,
    /// The start of a field.
    Before(&'b str),
    /// The end of a field.
    End(&'b str),
}

/// Returns the positions that field offsets are relative to, and the bounds of fields whose size an expression uses.
pub(super) fn marks<'b>(fields: &[FieldPlan<'b>]) -> Vec<Mark<'b>> {
    let origin = |plan: &FieldPlan<'b>| match plan.place.as_ref()?.origin {
        Origin::Space => None,
        Origin::Structure(_) => Some(Mark::Start),
        Origin::After(field) => Some(Mark::End(field)),
    };
    let measured = fields.iter().flat_map(|plan| measured(plan.field));
    let around = measured.flat_map(|field| [Mark::Before(field), Mark::End(field)]);
    fields.iter().filter_map(origin).chain(around).collect()
}

/// Returns the fields whose sizes a field's expressions use.
fn measured(field: &FieldDoc) -> Vec<&'static str> {
    let arguments = field.arguments.iter().map(|argument| &argument.value);
    let stated = [&field.count, &field.condition, &field.space].into_iter().flatten();
    stated.chain(arguments).flat_map(|expression| expression.term.all()).filter_map(Term::measured).collect()
}

/// Returns a zero-length field whose condition computes the offset.
pub(super) fn mark(name: &str, offset: &str, instances: &mut String) -> String {
    write!(instances, "{offset}:\n  value: _io.pos\n").unwrap();
    format!("- id: {name}\n  size: 0\n  if: {offset} >= 0\n")
}
