//! The places of findings: a trace of the structure around the field finds them. It is made only
//! for a finding.

use super::finding::Finding;
use everybyte::map::Nodes;
use everybyte::{Book, Layout, TypeKind};
use std::ops::Range;

/// The place of a field in a structure that begins at `start` and is not at hand any more. Only fields of fixed size stand
/// before it.
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
    /// The same finding, in a field of the structure with this path.
    pub(crate) fn within(self, path: &str) -> Self {
        let field = match self.field.as_str() {
            "" => path.to_owned(),
            field if field.starts_with('[') => format!("{path}{field}"),
            field => format!("{path}.{field}"),
        };
        Finding { field, ..self }
    }

    /// The same finding at the bytes of its field, which a trace of the structure around it tells.
    pub(crate) fn placed_by(self, structure: &Nodes) -> Self {
        let root = structure.root();
        let place = root.locate(&self.field).unwrap_or(root.place());
        Finding { offset: place.start, length: place.end - place.start, ..self }
    }

    /// The same finding, of a structure that begins so many bytes into the space.
    pub(crate) fn shifted(self, by: u64) -> Self {
        Finding { offset: self.offset.saturating_add(by), ..self }
    }
}
