//! Values that bytes mean, values that are calculated, and values in base 16.

use super::super::plan::FieldPlan;
use super::yaml::{doc, id, quoted};
use crate::escape::escape;
use crate::terms::Form;

/// The instance that has the value of a field; empty if it has no other value than its bytes.
pub(super) fn valued(plan: &FieldPlan<'_>) -> String {
    let Some(value) = &plan.value else { return String::new() };
    let (name, words) = match plan.field.form {
        Form::Calculated => (plan.field.name.to_string(), doc(&plan.field.doc, "  ")),
        _ => (format!("{}_value", plan.field.name), doc("The value that the bytes mean.", "  ")),
    };
    format!("{}:\n  value: {}\n{words}", id(&name), quoted(value))
}

/// The lines for a calculated field that has no instance.
pub(super) fn unvalued(plan: &FieldPlan<'_>) -> String {
    plan.inexact.iter().map(|words| format!("# NOT EXACT: {}\n", escape(words))).collect()
}

/// The line by which the Web IDE shows fields in base 16.
pub(super) fn representation(fields: &[FieldPlan<'_>]) -> String {
    let shown = fields.iter().filter(|plan| plan.field.is_hex).map(|plan| format!("{0}: {{{0}:hex}}", plan.field.name));
    let shown = shown.collect::<Vec<_>>().join(", ");
    if shown.is_empty() { shown } else { format!("-webide-representation: {}\n", quoted(&shown)) }
}
