//! Structures at offsets and packed contents, as declared by the layout.

use super::{Examination, space};
use crate::claimed_ranges::ClaimedRanges;
use crate::elsewhere;
use crate::error::Problem;
use crate::finding::Finding;
use crate::map::Space;
use crate::nodes::{Id, Nodes, Opened};
use std::ops::Range;

impl Examination<'_> {
    /// Adds the finding for declared structures at offsets that were not read.
    pub(super) fn note_limits(&mut self) {
        if elsewhere::is_spent() {
            self.limit(&Problem::TooOften.to_string());
        }
    }

    /// Adds the bytes of declared structures at offsets.
    pub(super) fn claim_asides(claims: &mut ClaimedRanges) {
        elsewhere::take_claims().into_iter().for_each(|bytes| claims.add(bytes));
    }

    /// Creates spaces from the contents of the fields that were read last.
    pub(super) fn open_contents(&mut self) {
        for opened in std::mem::take(&mut self.nodes.opened) {
            let (opener, id, pieces) = self.open_content(opened);
            self.nodes.edit(opener).opens(id).pieces(pieces);
        }
    }

    /// Creates a space for some content, and spaces for any contents nested in it. Returns the field that opens it,
    /// its number, and the pieces that were joined.
    fn open_content(&mut self, opened: Opened) -> (Id, u32, Vec<Range<u64>>) {
        let Opened { opener, pieces, title, content, mut nodes, root, flaws, error } = opened;
        let id = self.reserved();
        self.add(flaws, id, "");
        if let Some(error) = error {
            self.push(Finding::unread(&error, id, ""));
        }
        for inner in std::mem::take(&mut nodes.opened) {
            let (opener, id, pieces) = self.open_content(inner);
            nodes.edit(opener).opens(id).pieces(pieces);
        }
        self.put_space(id, &title, &content, (nodes, root));
        (opener, id, pieces)
    }

    /// Returns the number of the next space, which is reserved.
    pub(super) fn reserved(&mut self) -> u32 {
        let id = self.spaces.len() as u32 + 1;
        self.spaces.push(space(id, "", &[], Nodes::new()));
        id
    }

    /// Fills a reserved space with the parts of content, which begins with a structure.
    pub(super) fn put_space(&mut self, id: u32, title: &str, content: &[u8], (mut nodes, root): (Nodes, Id)) {
        nodes.add(root);
        let asides = std::mem::take(&mut nodes.asides);
        let mut nodes = if nodes.root().is_leaf() { nodes } else { nodes.into_parts() };
        asides.into_iter().for_each(|aside| nodes.add(aside));
        let (nodes, overlapping) = self.tiled(id, content.len() as u64, nodes);
        let made: Space = space(id, title, content, nodes);
        self.spaces[id as usize - 1] = made;
        self.add_overlapping(content, overlapping);
    }
}
