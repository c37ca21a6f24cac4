//! Arrays that are written to one file.

use crate::arrays::fit::Fit;
use crate::arrays::view::View;

/// An array, its representation in the file, and its name.
pub struct Entry<'v> {
    pub name: String,
    pub view: View<'v>,
    pub fit: Fit,
}

impl Entry<'_> {
    /// The length of the items in memory, in bytes.
    pub fn length(&self) -> u64 {
        let items = self.view.shape().iter().fold(1_u64, |all, &extent| all.saturating_mul(extent as u64));
        items.saturating_mul(self.fit.item_type.stride())
    }
}
