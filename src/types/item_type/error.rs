//! The errors of texts that are not item types.

/// A text that is not an item type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {position} of the type: {problem}")]
pub struct ItemTypeError {
    /// The place in the text, in bytes.
    pub position: usize,
    /// The problem at that place.
    pub problem: ItemTypeProblem,
}

impl ItemTypeError {
    pub(crate) fn new(position: usize, problem: ItemTypeProblem) -> Self {
        ItemTypeError { position, problem }
    }
}

/// A problem with an item type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemTypeProblem {
    /// Something else should stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// There is more text after the end.
    #[error("expected nothing more")]
    Trailing,
    /// An integer out of the range of sizes.
    #[error("expected an integer from 0 to 2147483647")]
    Number,
    /// A text with an escape that Python does not write, or with half a character.
    #[error("expected an escape that stands for a character")]
    Escape,
    /// Brackets in brackets.
    #[error("brackets are nested deeper than {most}")]
    TooDeep {
        /// The most that is read.
        most: usize,
    },
    /// A text that is too long.
    #[error("the type has {length} bytes of text, but at most {most} are read")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// The most that is read.
        most: usize,
    },
    /// Not the name of a plain type.
    #[error("{name:?} is {}", crate::types::dtype::UnknownDtype)]
    UnknownDtype {
        /// The text.
        name: String,
    },
    /// A name is given twice.
    #[error("the name {name:?} is given twice")]
    SameName {
        /// The name.
        name: String,
    },
    /// A field has a title but no name.
    #[error("a field with a title needs a name")]
    Unnamed,
    /// A key of the dictionary that is not known, or is there twice.
    #[error("expected each of 'names', 'formats', 'offsets', 'titles', 'itemsize' and 'aligned' at most once")]
    Key,
    /// The dictionary has no names or no formats.
    #[error("there are no {0:?} in this dictionary")]
    MissingKey(&'static str),
    /// Lists that belong together.
    #[error("expected a list of {expected}, one for each name, not {found}")]
    Length {
        /// The number of names.
        expected: usize,
        /// The length of the other list.
        found: usize,
    },
    /// A field does not lie within the item.
    #[error("the field {name:?} ends {}, beyond the item's {size} bytes", ended(*end))]
    OutOfItem {
        /// The field's name.
        name: String,
        /// Its end.
        end: Option<u64>,
        /// Bytes of the item.
        size: u64,
    },
    /// An aligned structure has a size or an offset that is not aligned.
    #[error("{value} is not a multiple of the alignment {alignment}, but the structure is aligned")]
    Unaligned {
        /// An offset, or the size of the item.
        value: u64,
        /// The alignment that it should be a multiple of.
        alignment: u64,
    },
    /// More bytes than NumPy allows.
    #[error("an item has more than 2147483647 bytes")]
    TooLarge,
    /// A shape has more axes than NumPy allows.
    #[error("a subarray has {axes} axes, but NumPy allows at most 64")]
    TooManyAxes {
        /// The number of axes.
        axes: usize,
    },
    /// An array of fixed shape whose items have no size.
    #[error("the items of a subarray have no size")]
    Unsized,
    /// Too many fields without bytes, or that overlap.
    #[error("an item of {size} bytes has too many values, {values}")]
    TooManyValues {
        /// Values of one item.
        values: u64,
        /// Its bytes.
        size: u64,
    },
}

fn ended(end: Option<u64>) -> String {
    end.map_or_else(|| "out of reach".into(), |end| format!("at byte {end}"))
}
