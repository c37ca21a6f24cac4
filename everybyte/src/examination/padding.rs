//! Bytes that lie between structures at offsets and belong to none of them.

use super::Examination;
use crate::error::amount;
use crate::nodes::{Id, Nodes};
use std::ops::Range;

impl Examination<'_> {
    /// Sets the byte that pads the gaps between the format's structures.
    pub(crate) fn padded(self, padding: Option<u8>) -> Self {
        Examination { padding, ..self }
    }

    /// Returns whether these bytes are only padding.
    pub(super) fn is_padding(&self, gap: Range<u64>) -> bool {
        let bytes = self.file.get(gap.start as usize..gap.end as usize);
        self.padding.is_some_and(|padding| bytes.is_some_and(|bytes| bytes.iter().all(|&byte| byte == padding)))
    }

    /// Inserts padding fields between the top-level fields.
    pub(super) fn with_padding(&self, mut nodes: Nodes) -> Nodes {
        let Some(padding) = self.padding else { return nodes };
        let fields: Vec<(Id, Range<u64>)> = (&nodes).into_iter().map(|node| (node.id(), node.place())).collect();
        let end = std::iter::once((None, self.length()..self.length()));
        let fields = fields.into_iter().map(|(id, place)| (Some(id), place)).chain(end);
        let (mut level, mut reached) = (Vec::new(), 0);
        for (id, place) in fields {
            if place.start > reached && self.is_padding(reached..place.start) {
                let gap = nodes.leaf("padding", reached..place.start).type_name(format!("bytes {padding:#04x}"));
                level.push(gap.meaning(amount(place.start - reached)).id());
            }
            level.extend(id);
            reached = reached.max(place.end);
        }
        nodes.set_level(level);
        nodes
    }
}
