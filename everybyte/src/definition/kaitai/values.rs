//! Values that bytes represent, calculated values, values in hexadecimal, and values with names.

use super::super::plan::FieldPlan;
use super::super::subject::snake_case;
use super::yaml::{doc, id, indented, quoted};
use crate::escape::escape;
use crate::reference::{CodeDoc, TypeDoc, TypeKind};
use crate::terms::Form;
use std::fmt::Write;

/// Returns the instance with the value of a field; empty if the value does not differ from its bytes.
pub(super) fn valued(plan: &FieldPlan<'_>) -> String {
    let Some(value) = &plan.value else { return String::new() };
    let (name, words) = match plan.field.form {
        Form::Calculated => (plan.field.name.to_string(), doc(&plan.field.doc, "  ")),
        _ => (format!("{}_value", plan.field.name), doc("The value of the bytes.", "  ")),
    };
    format!("{}:\n  value: {}\n{words}", id(&name), quoted(value))
}

/// Returns the lines for a calculated field without an instance.
pub(super) fn unvalued(plan: &FieldPlan<'_>) -> String {
    plan.inexact.iter().map(|words| format!("# NOT EXACT: {}\n", escape(words))).collect()
}

/// Returns the line that makes the Web IDE show fields in base 16.
pub(super) fn representation(fields: &[FieldPlan<'_>]) -> String {
    let shown = fields.iter().filter(|plan| plan.field.is_hex).map(|plan| format!("{0}: {{{0}:hex}}", plan.field.name));
    let shown = shown.collect::<Vec<_>>().join(", ");
    if shown.is_empty() { shown } else { format!("-webide-representation: {}\n", quoted(&shown)) }
}

/// All enumerations.
pub(super) fn enumerations(pages: &[&TypeDoc]) -> String {
    let each = pages.iter().filter_map(|page| match &page.kind {
        TypeKind::Codes(codes) => Some(enumeration(page, codes)),
        _ => None,
    });
    let codes: String = each.collect();
    if codes.is_empty() { codes } else { format!("enums:\n{}", indented(&codes, 2)) }
}

/// Writes an enumeration. Names are converted to the form that Kaitai Struct requires.
fn enumeration(page: &TypeDoc, codes: &[CodeDoc]) -> String {
    let mut text = format!("{}:\n", id(&snake_case(&page.name)));
    for code in codes {
        let words = doc(&code.doc, "    ");
        write!(text, "  {}:\n    id: {}\n{words}", code.code, id(&snake_case(&code.name))).unwrap();
    }
    text
}
