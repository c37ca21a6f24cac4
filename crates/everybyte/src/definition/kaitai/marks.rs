//! Places whose offsets a definition has to remember.

use super::super::plan::FieldPlan;
use crate::reference::FieldDoc;
use crate::role::Origin;
use crate::terms::Term;
use std::fmt::Write;

/// A place whose offset a definition has to remember.
#[derive(PartialEq)]
pub(super) enum Mark<'b> {
    /// The start of the structure.
    Start,
    /// The start of a field.
    Before(&'b str),
    /// The end of a field.
    End(&'b str),
}

/// The places from which offsets of fields count, and those of fields whose bytes an expression counts.
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

/// The fields whose bytes the expressions of a field count.
fn measured(field: &FieldDoc) -> Vec<&'static str> {
    let arguments = field.arguments.iter().map(|argument| &argument.value);
    let stated = [&field.count, &field.condition, &field.space].into_iter().flatten();
    stated.chain(arguments).flat_map(|expression| expression.term.all()).filter_map(Term::measured).collect()
}

/// A field without bytes, whose condition has the offset computed where it stands.
pub(super) fn mark(name: &str, offset: &str, instances: &mut String) -> String {
    write!(instances, "{offset}:\n  value: _io.pos\n").unwrap();
    format!("- id: {name}\n  size: 0\n  if: {offset} >= 0\n")
}
