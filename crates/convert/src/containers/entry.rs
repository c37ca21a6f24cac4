//! Arrays that go into one file.

use crate::arrays::fit::Fit;
use crate::arrays::view::View;

/// An array, the way in which it is held, and its name.
pub struct Entry<'v> {
    pub name: String,
    pub view: View<'v>,
    pub fit: Fit,
}
