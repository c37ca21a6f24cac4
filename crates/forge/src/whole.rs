//! A file in the making, and what it holds.

use ndbytes::idv::Values;

/// A whole file, and what a reader has to find in it.
#[derive(Debug, Clone)]
pub(crate) struct Whole {
    /// Its bytes; of a folder, those of its first file.
    pub bytes: Vec<u8>,
    /// The other files of a folder: their names, and their bytes. Empty of a file.
    pub others: Vec<(String, Vec<u8>)>,
    /// Its content.
    pub content: Content,
}

/// The content of a file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Content {
    /// Not said: of files that are broken, or that were mutated.
    Unknown,
    /// An array.
    Array {
        /// Its item type, as ndbytes writes it.
        item_type: String,
        /// Its dimensions, outermost first.
        shape: Vec<u64>,
        /// Its items in C order, as a file of their byte order has them.
        items: Vec<u8>,
    },
    /// A table: the name of each column, and its values.
    Table {
        /// Its rows.
        rows: u64,
        /// Its columns that can be seen, in the order of the file.
        columns: Vec<(String, Values)>,
    },
    /// An archive: the name of each member, and its bytes.
    Members(Vec<(String, Vec<u8>)>),
}

impl Whole {
    /// A single file.
    pub fn new(bytes: Vec<u8>, content: Content) -> Self {
        Whole { bytes, others: Vec::new(), content }
    }

    /// A single file of which nothing is said.
    pub fn unknown(bytes: Vec<u8>) -> Self {
        Whole::new(bytes, Content::Unknown)
    }
}
