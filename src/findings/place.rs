//! Where findings are that were made without knowing it: a trace of the structure around the field tells. It is made only
//! for a finding.

use super::finding::Finding;
use everybyte::Node;

impl Finding {
    /// The same finding, in a field of the structure with this path.
    #[cfg(any(feature = "idv", feature = "b2nd", feature = "gzip"))]
    pub(crate) fn within(self, path: &str) -> Self {
        let field = match self.field.as_str() {
            "" => path.to_owned(),
            field if field.starts_with('[') => format!("{path}{field}"),
            field => format!("{path}.{field}"),
        };
        Finding { field, ..self }
    }

    /// The same finding at the bytes of its field, which a trace of the structure around it tells.
    pub(crate) fn placed_by(self, root: &Node) -> Self {
        let place = root.locate(&self.field).unwrap_or(root.start..root.end);
        Finding { offset: place.start, length: place.end - place.start, ..self }
    }

    /// The same finding, of a structure that begins so many bytes into the space.
    #[cfg(feature = "b2nd")]
    pub(crate) fn shifted(self, by: u64) -> Self {
        Finding { offset: self.offset.saturating_add(by), ..self }
    }
}
