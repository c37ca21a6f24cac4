//! The errors for strings that are not item types.

/// The error for a string that is not an item type.
///
/// ```
/// use ndbytes::ItemType;
///
/// let text = "[('id', '<u5')]";
/// let error = text.parse::<ItemType>().unwrap_err();
/// assert!(text[error.position..].starts_with("'<u5'"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("at byte {position} of the type: {problem}")]
pub struct ItemTypeError {
    /// The position in the text, in bytes.
    pub position: usize,
    /// The problem at that position.
    pub problem: ItemTypeProblem,
}

impl ItemTypeError {
    pub(crate) fn new(position: usize, problem: ItemTypeProblem) -> Self {
        ItemTypeError { position, problem }
    }
}

/// A problem with an item type.
///
/// ```
/// use ndbytes::{ItemType, ItemTypeProblem};
///
/// let problem = "[('id', '<u4'), ('id', '<u2')]".parse::<ItemType>().unwrap_err().problem;
/// assert_eq!(problem, ItemTypeProblem::SameName { name: "id".to_owned() });
/// assert_eq!(problem.to_string(), "the name \"id\" is given twice");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ItemTypeProblem {
    /// Something else was expected at this position.
    #[error("expected {0}")]
    Expected(&'static str),
    /// There is more text after the end of the type.
    #[error("expected the end")]
    Trailing,
    /// An integer is not a valid size.
    #[error("expected an integer from 0 to 2147483647")]
    Number,
    /// A string contains half a character, or an escape that Python does not write.
    #[error("expected the escape of a character")]
    Escape,
    /// Brackets are nested too deeply.
    #[error("brackets are nested deeper than {most}")]
    TooDeep {
        /// The maximum depth.
        most: usize,
    },
    /// The text is too long.
    #[error("the type has {length} bytes of text, but at most {most} are read")]
    TooLong {
        /// The length in bytes.
        length: usize,
        /// The maximum length.
        most: usize,
    },
    /// A name is not that of a plain type.
    #[error("{name:?} is {}", crate::types::dtype::UnknownDtype)]
    UnknownDtype {
        /// The name.
        name: String,
    },
    /// A name is used twice.
    #[error("the name {name:?} is given twice")]
    SameName {
        /// The name.
        name: String,
    },
    /// A field has a title but no name.
    #[error("a field with a title needs a name")]
    Unnamed,
    /// A key of the dictionary is unknown or occurs twice.
    #[error("expected each of 'names', 'formats', 'offsets', 'titles', 'itemsize' and 'aligned' at most once")]
    Key,
    /// The dictionary has no names or no formats.
    #[error("this dictionary has no {0:?}")]
    MissingKey(&'static str),
    /// Lists that belong together have different lengths.
    #[error("expected a list of {expected}, one for each name, not {found}")]
    Length {
        /// The number of names.
        expected: usize,
        /// The length of the other list.
        found: usize,
    },
    /// A field is not inside the item.
    #[error("the field {name:?} ends {}, beyond the item's {size} bytes", ended(*end))]
    OutOfItem {
        /// The field's name.
        name: String,
        /// The end of the field; `None` if it overflows.
        end: Option<u64>,
        /// The size of the item in bytes.
        size: u64,
    },
    /// An aligned structure has an unaligned size or offset.
    #[error("{value} is not a multiple of the alignment {alignment}, but the structure is aligned")]
    Unaligned {
        /// An offset, or the size of the item.
        value: u64,
        /// The required alignment.
        alignment: u64,
    },
    /// An item has more bytes than NumPy allows.
    #[error("an item has more than 2147483647 bytes")]
    TooLarge,
    /// A shape has more axes than NumPy allows.
    #[error("a subarray has {axes} axes, but NumPy allows at most 64")]
    TooManyAxes {
        /// The number of axes.
        axes: usize,
    },
    /// The items of a fixed-shape array have no size.
    #[error("the items of a subarray are empty")]
    Unsized,
    /// There are too many fields that overlap or have no bytes.
    #[error("an item of {size} bytes has too many values, {values}")]
    TooManyValues {
        /// The number of values per item.
        values: u64,
        /// The size of the item in bytes.
        size: u64,
    },
}

fn ended(end: Option<u64>) -> String {
    end.map_or_else(|| "out of reach".into(), |end| format!("at byte {end}"))
}
