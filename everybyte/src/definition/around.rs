//! The space and the byte order of structures, if they are the same in all files.

use super::plan::{Planner, structures};
use crate::reference::{FieldDoc, TypeDoc, TypeKind};
use crate::terms::Form;
use binrw::Endian;

impl<'b> Planner<'_, 'b> {
    /// Describes padding whose origin or multiple a definition cannot express.
    pub(super) fn alignment(&self, page: &TypeDoc, field: &FieldDoc) -> Vec<String> {
        let Form::Align(multiple) = field.form else { return Vec::new() };
        let given = |name: &str| field.arguments.iter().find(|argument| argument.name == name).map(|it| &it.value.text);
        let origin = match given("from") {
            Some(from) => Some(format!("its multiples are counted from `{from}`")),
            None if self.is_in_the_file(page) => None,
            None => Some("its multiples are counted from the beginning of the file".to_owned()),
        };
        let multiple = given("to").map(|to| format!("{multiple} is used for `{to}`, at a multiple of which it ends"));
        origin.into_iter().chain(multiple).collect()
    }

    /// Returns whether the structures of a page are in the file's own space.
    pub(super) fn is_in_the_file(&self, page: &TypeDoc) -> bool {
        let found = self.surroundings(
            page,
            |_| false,
            |field, _, is_inside| is_inside || field.space.is_some() || field.parser.is_some() || field.opens.is_some(),
        );
        !found.contains(&true)
    }

    /// The byte orders of a type's structures: its own, those set by fields, or `None` for the file's.
    pub fn orders(&self, page: &TypeDoc) -> Vec<Option<Endian>> {
        self.surroundings(
            page,
            |root| root.endian,
            |field, target, around| target.endian.or(field_order(&field.form)).or(around),
        )
    }

    /// The contexts in which structures of a type occur, each listed once. The caller supplies the root's contexts. The
    /// others follow from the field, its type and its own context.
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

    /// Returns a note if the byte order of a type's numbers depends on the field that contains the structure.
    pub fn ambiguous_order(&self, page: &TypeDoc) -> Option<&'static str> {
        let is_ambiguous = self.order(page).is_none() && has_order(page) && self.orders(page).len() > 1;
        is_ambiguous.then_some("its byte order is that of the enclosing field")
    }

    /// Returns whether a structure is in unpacked content instead of the file.
    ///
    /// # Errors
    /// A note about its offsets if it is in both.
    pub fn is_content(&self, page: &'b TypeDoc) -> Result<bool, &'static str> {
        let opened = self.pages.iter().flat_map(|page| structures(page)).flat_map(|(_, fields)| fields);
        let mut contents = opened.filter_map(|field| self.page(&field.opens.as_ref()?.content));
        let is_unpacked = contents.any(|content| self.reaches(content, page));
        match self.pages.first().is_some_and(|root| self.reaches(root, page)) {
            true if is_unpacked => Err("in unpacked content, its offset counts from the beginning of the content"),
            _ => Ok(is_unpacked),
        }
    }

    /// The byte order of a type, if it is the same in all fields and differs from the file's.
    pub fn order(&self, page: &TypeDoc) -> Option<Endian> {
        match self.orders(page)[..] {
            [order] => order,
            _ => page.endian,
        }
    }
}

/// Returns the byte order that a field passes on to its structures.
fn field_order(form: &Form) -> Option<Endian> {
    match form {
        Form::Ordered(order, _) => Some(*order),
        Form::List(element) | Form::Array(_, element) => field_order(element),
        _ => None,
    }
}

/// The size and the value of the integer at the start of a structure.
pub fn magic_of(page: &TypeDoc) -> Option<(u64, u128)> {
    let TypeKind::Structure(fields) = &page.kind else { return None };
    match fields.first()?.form {
        Form::Constant(size, value) => Some((size, value)),
        _ => None,
    }
}

/// Returns whether a structure without its own byte order has multi-byte numbers.
pub fn has_order(page: &TypeDoc) -> bool {
    fn is_long(form: &Form) -> bool {
        match form {
            Form::Integer { size, .. } | Form::Float { size } | Form::Constant(size, _) => *size > 1,
            Form::List(form) | Form::Array(_, form) | Form::Marked(_, form) | Form::Counted(form, ..) => is_long(form),
            Form::Numbers => true,
            _ => false,
        }
    }
    let is_wide = |field: &FieldDoc| is_long(&field.form) || field.is_number && field.size.is_some_and(|size| size > 1);
    page.endian.is_none() && structures(page).into_iter().flat_map(|(_, fields)| fields).any(is_wide)
}
