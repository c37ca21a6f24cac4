//! Where findings are that were made without knowing it.

use super::finding::Finding;
use everybyte::Node;
#[cfg(feature = "b2nd")]
use everybyte::{BinRead, BinWrite, Endian, Layout, Source, trace, write};

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
    pub(crate) fn placed_by(self, root: &Node) -> Self {
        let place = root.locate(&self.field).unwrap_or(root.start..root.end);
        Finding { offset: place.start, length: place.end - place.start, ..self }
    }

    /// The same finding at the bytes of its field in a structure that is like this one, counted from its first byte.
    #[cfg(feature = "b2nd")]
    pub(crate) fn placed_in<T>(self, structure: &T, endian: Endian) -> Self
    where
        T: Layout + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
    {
        let bytes = write(structure, endian).expect("what was read can be written");
        self.placed_by(&trace::<T>(Source::new(&bytes), endian, ()).1)
    }

    /// The same finding, of a structure that begins so many bytes into the space.
    #[cfg(feature = "b2nd")]
    pub(crate) fn shifted(self, by: u64) -> Self {
        Finding { offset: self.offset.saturating_add(by), ..self }
    }
}
