//! Fields at offsets: instances, and types without their own bytes.

use super::super::elements::is_element;
use super::super::plan::{FieldPlan, PlacePlan};
use super::super::subject::snake_case;
use super::super::texts::lost_in_kaitai;
use super::File;
use super::yaml::{doc, given, id, indented, quoted};
use crate::escape::escape;
use crate::role::Origin;
use crate::terms::Form;
use std::fmt::Write;

impl<'b> File<'_, '_, 'b> {
    /// Writes a field at an offset.
    pub(super) fn instance(&mut self, plan: &FieldPlan<'b>, place: &PlacePlan<'_>, text: &mut String) {
        let (mut own, mut after) = (String::new(), "");
        self.field(plan, &mut own);
        let io = self.io(place, text);
        // The lines of a field, without the list marker. A number follows its marker.
        for line in own.lines() {
            match line.strip_prefix("- id: ") {
                Some(name) => {
                    write!(text, "{name}:\n{io}{}", position(place, after)).unwrap();
                    after = " + 1";
                }
                None => writeln!(text, "{line}").unwrap(),
            }
        }
    }

    /// Returns the `io` key for an offset that is not relative to the type's own bytes; otherwise an empty string.
    fn io(&self, place: &PlacePlan<'_>, text: &mut String) -> &'static str {
        if *place.origin != Origin::Space || self.is_content == Ok(true) {
            return "";
        }
        if let Err(words) = self.is_content {
            writeln!(text, "# NOT EXACT: {words}").unwrap();
        }
        "  io: _root._io\n"
    }

    /// Writes a list whose elements have separate offsets: each element gets a type that takes no bytes.
    pub(super) fn each(&mut self, plan: &FieldPlan<'b>, place: &PlacePlan<'_>, text: &mut String) {
        let (field, Some(list)) = (plan.field, place.each.as_ref()) else { return };
        let Form::List(element) = &field.form else { return };
        for words in plan.inexact.iter().chain(&lost_in_kaitai(element)) {
            writeln!(text, "# NOT EXACT: {}", escape(words)).unwrap();
        }
        let is_plain = list.chars().all(|letter| letter.is_ascii_alphanumeric() || "._".contains(letter));
        if !is_plain || !is_element(element) {
            let why = match is_plain {
                true => "they have no type of their own",
                false => "their offsets are those of a list that a function gives",
            };
            writeln!(text, "# NOT EXACT: the elements of `{}` are omitted: {why}", field.name).unwrap();
            return;
        }
        let name = format!("{}_at", snake_case(&field.name));
        // An element that extends to the end of its space has as many bytes as the space.
        let takes_rest = plan.space.is_some() && **element == Form::Rest;
        let size = plan.space.as_ref().map(|_| "    size: size\n").unwrap_or_default();
        let size_parameter = plan.space.as_ref().map(|_| "  - id: size\n    type: u8\n").unwrap_or_default();
        let parameters = self.planner.target(element).map(|target| self.planner.given(target)).unwrap_or_default();
        let names: Vec<String> = parameters.iter().map(|(name, _)| format!("element_{name}")).collect();
        let types = parameters.iter().zip(&names);
        let types: String =
            types.map(|((_, form), name)| format!("  - id: {name}\n    type: {}\n", self.parameter(form))).collect();
        let elements = if takes_rest { String::new() } else { indented(&self.element(element, field, &names), 2) };
        let parameters = format!("params:\n  - id: pos\n    type: u8\n{size_parameter}{types}");
        let io = indented(self.io(place, text), 2);
        let body = format!("{parameters}instances:\n  value:\n{io}    pos: pos\n{size}{elements}");
        let name = self.help(&name, &body);
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

/// Returns the line about the position of a field.
fn position(place: &PlacePlan<'_>, after: &str) -> String {
    let at = match &place.origin {
        Origin::Space => format!("{}{after}", place.at),
        Origin::Structure(_) => format!("own_start + {}{after}", place.at),
        Origin::After(field) => format!("{field}_end + {}{after}", place.at),
    };
    format!("  pos: {}\n", quoted(&at))
}
