//! Determines the positions of findings by tracing the structure around the field. This is done only if there is a finding.

use super::finding::Finding;
use everybyte::map::Nodes;
use everybyte::{
    Layout,
    reference::{Book, TypeKind},
};
use std::ops::Range;

/// The position of a field in a structure that began at `start` and is no longer available. All fields before it must have fixed
/// sizes.
pub(crate) fn field_at<T: Layout>(start: u64, name: &str) -> Range<u64> {
    let book = Book::of::<T>();
    let TypeKind::Structure(fields) = &book.types[0].kind else { unreachable!("{} is a structure", T::type_name()) };
    let mut start = start;
    for field in fields {
        let end = start.saturating_add(field.size.unwrap_or(0));
        if field.name == name {
            return start..end;
        }
        start = end;
    }
    unreachable!("the layout has the field {name}")
}

impl Finding {
    /// Returns the same finding, with the path of the enclosing structure prepended to the path of its field.
    pub(crate) fn within(self, path: &str) -> Self {
        let field = match self.field.as_str() {
            "" => path.to_owned(),
            field if field.starts_with('[') => format!("{path}{field}"),
            field => format!("{path}.{field}"),
        };
        Finding { field, ..self }
    }

    /// Returns the same finding at the bytes of its field, according to a trace of the enclosing structure.
    pub(crate) fn placed_by(self, structure: &Nodes) -> Self {
        let root = structure.root();
        let place = root.locate(&self.field).unwrap_or(root.place());
        Finding { offset: place.start, length: place.end - place.start, ..self }
    }

    /// Returns the same finding, but for a structure that begins this many bytes into the space.
    pub(crate) fn shifted(self, by: u64) -> Self {
        Finding { offset: self.offset.saturating_add(by), ..self }
    }
}
