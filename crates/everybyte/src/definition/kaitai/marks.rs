//! Places whose offsets a definition has to remember.

use super::super::plan::FieldPlan;
use crate::role::Origin;
use std::fmt::Write;

/// A place whose offset a definition has to remember.
#[derive(PartialEq)]
pub(super) enum Mark<'b> {
    Start,
    End(&'b str),
}

/// The origins of the fields that stand at offsets.
pub(super) fn origins<'b>(fields: &[FieldPlan<'b>]) -> Vec<Mark<'b>> {
    let origin = |plan: &FieldPlan<'b>| match plan.place.as_ref()?.origin {
        Origin::Space => None,
        Origin::Structure(_) => Some(Mark::Start),
        Origin::After(field) => Some(Mark::End(field)),
    };
    fields.iter().filter_map(origin).collect()
}

/// A field without bytes, whose condition has the offset computed where it stands.
pub(super) fn mark(name: &str, offset: &str, instances: &mut String) -> String {
    write!(instances, "{offset}:\n  value: _io.pos\n").unwrap();
    format!("- id: {name}\n  size: 0\n  if: {offset} >= 0\n")
}
