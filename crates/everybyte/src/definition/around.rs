//! The surroundings of a structure in all files: the space in which it stands, and its byte order.

use super::plan::{Planner, structures};
use crate::reference::{FieldDoc, TypeDoc};
use crate::terms::Form;
use binrw::Endian;

impl<'b> Planner<'_, 'b> {
    /// The words for padding whose origin or multiple a definition does not have.
    pub(super) fn alignment(&self, page: &TypeDoc, field: &FieldDoc) -> Vec<String> {
        let Form::Align(multiple) = field.form else { return Vec::new() };
        let given = |name: &str| field.arguments.iter().find(|argument| argument.name == name).map(|it| &it.value.text);
        let origin = match given("from") {
            Some(from) => Some(format!("its multiples are counted from `{from}`")),
            None if self.begins_with_the_file(page) => None,
            None => Some("its multiples are counted from the beginning of the file".to_owned()),
        };
        let multiple = given("to").map(|to| format!("{multiple} is taken for `{to}`, of which it ends at a multiple"));
        origin.into_iter().chain(multiple).collect()
    }

    /// Returns whether offsets in the space of a page are those in the file: it stands in no space of its own.
    fn begins_with_the_file(&self, page: &TypeDoc) -> bool {
        let mut found: Vec<(&'b TypeDoc, bool)> = self.pages.first().map(|root| (*root, false)).into_iter().collect();
        let mut next = 0;
        while let Some(&(outer, is_inside)) = found.get(next) {
            next += 1;
            for field in structures(outer).into_iter().flat_map(|(_, fields)| fields) {
                let Some(target) = self.target(&field.form) else { continue };
                let is_inside = is_inside || field.space.is_some() || field.parser.is_some() || field.opens.is_some();
                if !found.iter().any(|(known, was_inside)| known.name == target.name && *was_inside == is_inside) {
                    found.push((target, is_inside));
                }
            }
        }
        !found.iter().any(|(known, is_inside)| known.name == page.name && *is_inside)
    }

    /// The byte orders in which the structures of a page stand: its own, those that fields give it, or `None` for that of the file.
    pub fn orders(&self, page: &TypeDoc) -> Vec<Option<Endian>> {
        let first = self.pages.first().map(|root| (*root, root.endian));
        let mut found: Vec<(&'b TypeDoc, Option<Endian>)> = first.into_iter().collect();
        let mut next = 0;
        while let Some(&(outer, around)) = found.get(next) {
            next += 1;
            for field in structures(outer).into_iter().flat_map(|(_, fields)| fields) {
                let Some(target) = self.target(&field.form) else { continue };
                let order = target.endian.or(field_order(&field.form)).or(around);
                if !found.iter().any(|(known, known_order)| known.name == target.name && *known_order == order) {
                    found.push((target, order));
                }
            }
        }
        found.iter().filter(|(known, _)| known.name == page.name).map(|(_, order)| *order).collect()
    }

    /// The byte order of a page, if it is the same in all fields, and not that of the file.
    pub fn order(&self, page: &TypeDoc) -> Option<Endian> {
        match self.orders(page)[..] {
            [order] => order,
            _ => page.endian,
        }
    }
}

/// The byte order that a field gives to its structures.
fn field_order(form: &Form) -> Option<Endian> {
    match form {
        Form::Ordered(order, _) => Some(*order),
        Form::List(element) | Form::Array(_, element) => field_order(element),
        _ => None,
    }
}
