//! The surroundings of a structure in all files: the space in which it stands, and its byte order.

use super::plan::{Planner, structures};
use crate::reference::{FieldDoc, TypeDoc, TypeKind};
use crate::terms::Form;
use binrw::Endian;

impl<'b> Planner<'_, 'b> {
    /// The words for padding whose origin or multiple a definition does not have.
    pub(super) fn alignment(&self, page: &TypeDoc, field: &FieldDoc) -> Vec<String> {
        let Form::Align(multiple) = field.form else { return Vec::new() };
        let given = |name: &str| field.arguments.iter().find(|argument| argument.name == name).map(|it| &it.value.text);
        let origin = match given("from") {
            Some(from) => Some(format!("its multiples are counted from `{from}`")),
            None if self.is_in_the_file(page) => None,
            None => Some("its multiples are counted from the beginning of the file".to_owned()),
        };
        let multiple = given("to").map(|to| format!("{multiple} is taken for `{to}`, of which it ends at a multiple"));
        origin.into_iter().chain(multiple).collect()
    }

    /// Returns whether the space of a page is that of the file: it stands in no space of its own.
    pub(super) fn is_in_the_file(&self, page: &TypeDoc) -> bool {
        let found = self.surroundings(
            page,
            |_| false,
            |field, _, is_inside| is_inside || field.space.is_some() || field.parser.is_some() || field.opens.is_some(),
        );
        !found.contains(&true)
    }

    /// The byte orders in which the structures of a page stand: its own, those that fields give it, or `None` for that of the file.
    pub fn orders(&self, page: &TypeDoc) -> Vec<Option<Endian>> {
        self.surroundings(
            page,
            |root| root.endian,
            |field, target, around| target.endian.or(field_order(&field.form)).or(around),
        )
    }

    /// The surroundings of the structures of a page, each once. Those of the root are given. Those of another structure follow
    /// from its field, its page, and the surroundings of the field.
    fn surroundings<A: Copy + PartialEq>(
        &self,
        page: &TypeDoc,
        of_root: impl Fn(&TypeDoc) -> A,
        of: impl Fn(&FieldDoc, &TypeDoc, A) -> A,
    ) -> Vec<A> {
        let mut found: Vec<(&'b TypeDoc, A)> =
            self.pages.first().map(|root| (*root, of_root(root))).into_iter().collect();
        let mut next = 0;
        while let Some(&(outer, around)) = found.get(next) {
            next += 1;
            for field in structures(outer).into_iter().flat_map(|(_, fields)| fields) {
                let Some(target) = self.target(&field.form) else { continue };
                let inner = of(field, target, around);
                if !found.iter().any(|(known, was)| known.name == target.name && *was == inner) {
                    found.push((target, inner));
                }
            }
        }
        found.iter().filter(|(known, _)| known.name == page.name).map(|(_, around)| *around).collect()
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

/// The size and the value of the integer that a structure begins with.
pub fn magic_of(page: &TypeDoc) -> Option<(u64, u128)> {
    let TypeKind::Structure(fields) = &page.kind else { return None };
    match fields.first()?.form {
        Form::Constant(size, value) => Some((size, value)),
        _ => None,
    }
}
