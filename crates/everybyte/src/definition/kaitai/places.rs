//! Fields at offsets: instances, and types without bytes of their own.

use super::super::plan::{FieldPlan, PlacePlan};
use super::super::subject::snake_case;
use super::File;
use super::yaml::{doc, given, id, indented, quoted};
use crate::escape::escape;
use crate::role::Origin;
use crate::terms::Form;
use std::fmt::Write;

impl<'b> File<'_, '_, 'b> {
    /// A field at an offset.
    pub(super) fn instance(&mut self, plan: &FieldPlan<'b>, place: &PlacePlan<'_>, text: &mut String) {
        let mut own = String::new();
        self.field(plan, &mut own);
        // The lines of a field, without the sign of a list.
        for (number, line) in own.lines().enumerate() {
            match line.strip_prefix("- id: ") {
                Some(name) => write!(text, "{name}:\n{}", position(place)).unwrap(),
                None => writeln!(text, "{line}").unwrap(),
            }
            debug_assert!(number > 0 || !line.is_empty());
        }
    }

    /// A list whose elements have an offset each: a type without bytes of its own for each of them.
    pub(super) fn each(&mut self, plan: &FieldPlan<'b>, place: &PlacePlan<'_>, text: &mut String) {
        let (field, Some(list)) = (plan.field, place.each.as_ref()) else { return };
        let Form::List(element) = &field.form else { return };
        for words in &plan.inexact {
            writeln!(text, "# NOT EXACT: {}", escape(words)).unwrap();
        }
        if !list.chars().all(|letter| letter.is_ascii_alphanumeric() || "._".contains(letter)) {
            let why = "NOT EXACT: their offsets are those of a list that a function gives; they are not placed here";
            writeln!(text, "# {}: {why}", field.name).unwrap();
            return;
        }
        let name = format!("{}_at", snake_case(&field.name));
        // Bytes up to the end of a size are as many.
        let takes_rest = plan.space.is_some() && **element == Form::Rest;
        let size = plan.space.as_ref().map(|_| "    size: size\n").unwrap_or_default();
        let size_parameter = plan.space.as_ref().map(|_| "  - id: size\n    type: u8\n").unwrap_or_default();
        let parameters = self.planner.target(element).map(|target| self.planner.given(target)).unwrap_or_default();
        let names: Vec<String> = parameters.iter().map(|(name, _)| format!("element_{name}")).collect();
        let types = parameters.iter().zip(&names);
        let types: String =
            types.map(|((_, form), name)| format!("  - id: {name}\n    type: {}\n", self.parameter(form))).collect();
        let elements = if takes_rest { String::new() } else { indented(&self.element(element, field, &names), 2) };
        let body = format!(
            "params:\n  - id: pos\n    type: u8\n{size_parameter}{types}instances:\n  value:\n    io: _root._io\n    pos: pos\n{size}{elements}",
        );
        self.help(&name, &body);
        let at = match &place.origin {
            Origin::Space => place.at.clone(),
            Origin::Structure(_) => format!("own_start + {}", place.at),
            Origin::After(after) => format!("{after}_end + {}", place.at),
        };
        let arguments: Vec<&String> =
            [Some(&at), plan.space.as_ref()].into_iter().flatten().chain(&plan.arguments).collect();
        let ty = quoted(&(name.clone() + &given(&arguments)));
        let (name, count) = (id(&field.name), quoted(&format!("{list}.size")));
        writeln!(text, "- id: {name}\n  type: {ty}\n  repeat: expr\n  repeat-expr: {count}").unwrap();
        if let Some(condition) = &plan.condition {
            writeln!(text, "  if: {}", quoted(condition)).unwrap();
        }
        text.push_str(&doc(&field.doc, "  "));
    }
}

/// The lines that say where a field stands.
fn position(place: &PlacePlan<'_>) -> String {
    match &place.origin {
        Origin::Space => format!("  io: _root._io\n  pos: {}\n", quoted(&place.at)),
        Origin::Structure(_) => format!("  pos: {}\n", quoted(&format!("own_start + {}", place.at))),
        Origin::After(field) => format!("  pos: {}\n", quoted(&format!("{field}_end + {}", place.at))),
    }
}
