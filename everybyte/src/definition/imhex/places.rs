//! Lists whose elements have separate offsets.

use super::super::plan::FieldPlan;
use super::super::texts::lost_in_imhex;
use super::{File, capitalised, comment};
use crate::role::Origin;
use crate::terms::{Form, Term};
use binrw::Endian;
use std::fmt::Write;

impl<'b> File<'_, '_, 'b> {
    /// Returns a list of empty structures, each of which places one element. They come before the structure that
    /// contains the list and refer to that structure as their parent.
    pub(super) fn each(
        &mut self,
        owner: &str,
        plan: &FieldPlan<'b>,
        endian: Option<Endian>,
        (before, members): (&mut String, &mut String),
    ) {
        let field = plan.field;
        let (Some(place), Form::List(element_form)) = (&plan.place, &field.form) else { return };
        let (Some(list), true) = (&place.each, is_of_element(plan)) else {
            let why =
                "NOT EXACT: `{}` is omitted: the offsets of its elements do not follow from a single sibling list";
            return comment(&why.replace("{}", &field.name), "    ", members);
        };
        let name = format!("{owner}{}At", capitalised(&field.name));
        // An element that extends to the end of its space has as many bytes as the space.
        let (element, count) = match plan.space.as_ref().filter(|_| **element_form == Form::Rest) {
            Some(size) => ("u8".to_owned(), format!("[{size}]")),
            None => (self.element(element_form, &plan.arguments, endian), String::new()),
        };
        let at = match place.origin {
            Origin::Space => place.at.clone(),
            Origin::Structure(_) => format!("addressof(parent) + {}", place.at),
            Origin::After(after) => format!("addressof(parent.{after}) + sizeof(parent.{after}) + {}", place.at),
        };
        writeln!(before, "struct {name} {{\n    {element} value{count} @ {at};\n}};\n").unwrap();
        for words in plan.inexact.iter().chain(&lost_in_imhex(element_form)) {
            comment(&format!("NOT EXACT: {words}"), "    ", members);
        }
        comment(&field.purpose(), "    ", members);
        let condition = plan.condition.as_ref().map(|condition| format!("if ({condition}) ")).unwrap_or_default();
        writeln!(members, "    {condition}{name} {}[std::core::member_count({list})];", field.name).unwrap();
    }
}

/// Returns whether offsets and arguments depend only on the elements of a sibling list.
fn is_of_element(plan: &FieldPlan<'_>) -> bool {
    let Some((variable, list)) = plan.field.place.as_ref().and_then(|place| place.each.as_ref()) else { return false };
    let (at, arguments) = (plan.field.place.iter().map(|place| &place.at), &plan.field.arguments);
    let mut all = at.chain(arguments.iter().map(|argument| &argument.value));
    let is_beside = matches!(list.term, Term::Name(_) | Term::Field(..));
    is_beside
        && all.all(|expression| expression.term.names().iter().all(|name| name == variable || name.contains("::")))
}
