//! The grammar of a format that is declared entirely with everybyte.

use super::grammar::Grammar;
use crate::finding::Finding;
use crate::format::{Format, check, explain};
use crate::map::Space;
use crate::reference::Book;
use binrw::Endian;
use std::marker::PhantomData;

/// The grammar of a format, with the map that [`explain`] returns. A custom grammar adds what the layouts do not
/// express, such as how a checksum is computed, and delegates the rest to this one.
///
/// ```
/// use everybyte::forge::{Of, replay};
/// use everybyte::{Format, bytes::Bytes, layout};
///
/// /// A counted text.
/// #[layout]
/// #[brw(little)]
/// struct Note {
///     #[layout(extent = text)]
///     length: u16,
///     #[br(args { length: length.into() })]
///     text: Bytes,
/// }
///
/// impl Format for Note {
///     const NAME: &'static str = "note";
/// }
///
/// let recipe = r#"splice text[2..end] = "!!""#.parse()?;
/// assert_eq!(replay(&Of::<Note>::new(), b"\x02\x00hi", &recipe)?, b"\x04\x00hi!!");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Of<F> {
    books: [Book; 1],
    format: PhantomData<fn() -> F>,
}

impl<F: Format> Of<F> {
    /// Creates the grammar of the format.
    pub fn new() -> Self {
        Of { books: [F::book()], format: PhantomData }
    }
}

impl<F: Format> Default for Of<F> {
    fn default() -> Self {
        Of::new()
    }
}

impl<F: Format> Grammar for Of<F> {
    fn name(&self) -> &str {
        F::NAME
    }

    fn books(&self) -> &[Book] {
        &self.books
    }

    fn root(&self) -> Option<&str> {
        self.books[0].types.first().map(|page| &*page.name)
    }

    fn byte_order(&self, file: &[u8]) -> Endian {
        F::BYTE_ORDER.of(file)
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        explain::<F>(file).spaces
    }

    fn findings(&self, file: &[u8]) -> Option<Vec<Finding>> {
        Some(check::<F>(file))
    }
}
