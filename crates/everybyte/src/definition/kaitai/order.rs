//! The byte order of numbers that a file may have in either.

use crate::definition::plan::structures;
use crate::reference::{FieldDoc, TypeDoc};
use crate::terms::Form;

/// Returns whether a structure without a byte order of its own has numbers of several bytes.
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
