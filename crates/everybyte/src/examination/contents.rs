//! Structures at offsets and contents that a declaration states.

use super::{Examination, space};
use crate::claims::Claims;
use crate::elsewhere;
use crate::error::Problem;
use crate::finding::Finding;
use crate::map::Space;
use crate::nodes::{Id, Nodes, Opened};
use std::ops::Range;

impl Examination<'_> {
    /// Adds the finding of structures at offsets that a declaration states, and that were not read.
    pub(super) fn note_limits(&mut self) {
        if elsewhere::is_spent() {
            self.limit(&Problem::TooOften.to_string());
        }
    }

    /// Adds the bytes of structures at offsets that a declaration states.
    pub(super) fn claim_asides(claims: &mut Claims) {
        elsewhere::take_claims().into_iter().for_each(|bytes| claims.add(bytes));
    }

    /// Makes spaces of the contents of the fields that were read last.
    pub(super) fn open_contents(&mut self) {
        for opened in std::mem::take(&mut self.nodes.opened) {
            let (opener, id, pieces) = self.open_content(opened);
            self.nodes.edit(opener).opens(id).pieces(pieces);
        }
    }

    /// Makes a space of some content, and of the contents in it. Returns the field that opens it, its number, and the pieces of
    /// which it was joined.
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

    /// The number of the next space, whose place is kept.
    pub(super) fn reserved(&mut self) -> u32 {
        let id = self.spaces.len() as u32 + 1;
        self.spaces.push(space(id, "", &[], Nodes::new()));
        id
    }

    /// Puts content into the place of a space: what is read of it, which begins with a structure.
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
