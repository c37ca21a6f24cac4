//! The bytes of a generated file, with the content that a reader should find in it.

use ndbytes::idv::Values;

/// A complete file, and the content that a reader must find in it.
#[derive(Debug, Clone)]
pub(crate) struct ForgedFile {
    /// Its bytes; for a directory, the bytes of its first file.
    pub bytes: Vec<u8>,
    /// The other files of a directory: names and bytes. Empty for a single file.
    pub others: Vec<(String, Vec<u8>)>,
    /// Its content.
    pub content: Content,
}

/// The content of a file, for a test to compare with the result of a reader.
///
/// ```
/// use ndbytes_forge::{Content, Forge, Kind};
///
/// let forged = Forge::new(7).valid(Kind::Idx);
/// let Content::Array { shape, .. } = &forged.content else { panic!("IDX holds an array") };
/// let read = ndbytes::Options::new().from_slice(&forged.bytes)?.into_array()?;
/// assert!(read.shape().iter().map(|&extent| extent as u64).eq(shape.iter().copied()));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Content {
    /// Unknown, because the file is broken or was mutated.
    Unknown,
    /// An array.
    Array {
        /// The item type, in the notation of ndbytes.
        item_type: String,
        /// The shape, outermost axis first.
        shape: Vec<u64>,
        /// The items in C order, in the byte order of the file.
        items: Vec<u8>,
    },
    /// A table: the name of each column, and its values.
    Table {
        /// The number of rows.
        rows: u64,
        /// The visible columns, in file order.
        columns: Vec<(String, Values)>,
    },
    /// An archive: the name of each member, and its bytes.
    Members(Vec<(String, Vec<u8>)>),
}

impl ForgedFile {
    /// Creates a single file.
    pub fn new(bytes: Vec<u8>, content: Content) -> Self {
        ForgedFile { bytes, others: Vec::new(), content }
    }

    /// Creates a single file with unknown content.
    pub fn unknown(bytes: Vec<u8>) -> Self {
        ForgedFile::new(bytes, Content::Unknown)
    }
}
