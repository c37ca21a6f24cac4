//! The byte order of numbers that a file may have in either.

use super::yaml::{list, quoted};
use crate::byte_order::ByteOrder;
use crate::definition::around::magic_of;
use crate::definition::plan::structures;
use crate::reference::{FieldDoc, TypeDoc};
use crate::terms::Form;
use binrw::Endian;

/// The byte order of a file that states it, as the lines of a definition.
pub struct Stated {
    /// The field before all others that is read for it.
    pub before: String,
    /// The instance that is read for it.
    pub instances: String,
    /// The value that says it.
    pub by: &'static str,
    /// The orders, by that value.
    pub cases: String,
}

/// How the files of a format state their byte order; `None` if all have the same one.
pub fn stated(root: &TypeDoc, byte_order: ByteOrder) -> Option<Stated> {
    if root.endian.is_some() {
        return None;
    }
    if let Some((size, magic)) = magic_of(root) {
        let words = quoted("The byte order of the file is the one in which this is the magic.");
        let [little, big] = [&magic.to_le_bytes()[..size as usize], &magic.to_be_bytes()[16 - size as usize..]];
        return Some(Stated {
            before: format!("  - id: magic\n    size: {size}\n    doc: {words}\n"),
            instances: String::new(),
            by: "_root.magic",
            cases: format!("      '{}': le\n      '{}': be\n", list(little), list(big)),
        });
    }
    let ByteOrder::BigIf { at, bytes } = byte_order else { return None };
    let words = quoted("The byte order of the file.");
    Some(Stated {
        before: String::new(),
        instances: format!("instances:\n  order_mark:\n    pos: {at}\n    size: {}\n    doc: {words}\n", bytes.len()),
        by: "_root.order_mark",
        cases: format!("      '{}': be\n      _: le\n", list(bytes)),
    })
}

/// The word for a byte order.
pub fn word(endian: Endian) -> &'static str {
    if endian == Endian::Big { "be" } else { "le" }
}

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
