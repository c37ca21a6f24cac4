//! Numbers whose byte order the file states.

use super::yaml::{list, quoted};
use crate::byte_order::ByteOrder;
use crate::definition::around::magic_of;
use crate::reference::TypeDoc;
use binrw::Endian;

/// How a definition reads the byte order that a file states.
pub struct Stated {
    /// The field to read first to determine the byte order.
    pub before: String,
    /// The instance to read to determine the byte order.
    pub instances: String,
    /// The value that determines the byte order.
    pub by: &'static str,
    /// The byte orders by that value.
    pub cases: String,
}

/// Returns how the files of a format state their byte order; `None` if it is always the same.
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
