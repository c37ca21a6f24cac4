//! Lists whose elements stand at an offset each.

use super::super::plan::FieldPlan;
use super::{File, capitalised, comment};
use crate::role::Origin;
use crate::terms::{Form, Term};
use binrw::Endian;
use std::fmt::Write;

impl<'b> File<'_, '_, 'b> {
    /// A list of structures without bytes of their own, each of which places one element. They stand before the structure of the
    /// list; what they say of it, they say of their parent.
    pub(super) fn each(
        &mut self,
        owner: &str,
        plan: &FieldPlan<'b>,
        endian: Option<Endian>,
        (before, members): (&mut String, &mut String),
    ) {
        let field = plan.field;
        let (Some(place), Form::List(element)) = (&plan.place, &field.form) else { return };
        let (Some(list), true) = (&place.each, is_of_element(plan)) else {
            let why = "NOT EXACT: `{}` is left out: the offsets of its elements follow from more than a list beside it";
            return comment(&why.replace("{}", &field.name), "    ", members);
        };
        let name = format!("{owner}{}At", capitalised(&field.name));
        // Bytes up to the end of a size are as many.
        let (element, count) = match plan.space.as_ref().filter(|_| **element == Form::Rest) {
            Some(size) => ("u8".to_owned(), format!("[{size}]")),
            None => (self.element(element, &plan.arguments, endian), String::new()),
        };
        let at = match place.origin {
            Origin::Space => place.at.clone(),
            Origin::Structure(_) => format!("addressof(parent) + {}", place.at),
            Origin::After(after) => format!("addressof(parent.{after}) + sizeof(parent.{after}) + {}", place.at),
        };
        writeln!(before, "struct {name} {{\n    {element} value{count} @ {at};\n}};\n").unwrap();
        for words in &plan.inexact {
            comment(&format!("NOT EXACT: {words}"), "    ", members);
        }
        comment(&field.purpose(), "    ", members);
        let condition = plan.condition.as_ref().map(|condition| format!("if ({condition}) ")).unwrap_or_default();
        writeln!(members, "    {condition}{name} {}[std::core::member_count({list})];", field.name).unwrap();
    }
}

/// Returns whether offsets and arguments are made of the elements of a list beside alone.
fn is_of_element(plan: &FieldPlan<'_>) -> bool {
    let Some((variable, list)) = plan.field.place.as_ref().and_then(|place| place.each.as_ref()) else { return false };
    let (at, arguments) = (plan.field.place.iter().map(|place| &place.at), &plan.field.arguments);
    let mut all = at.chain(arguments.iter().map(|argument| &argument.value));
    let is_beside = matches!(list.term, Term::Name(_) | Term::Field(..));
    is_beside
        && all.all(|expression| expression.term.names().iter().all(|name| name == variable || name.contains("::")))
}
