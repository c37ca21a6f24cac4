//! Options for converting tables to Arrow.

use crate::choices::choices;
use crate::ticks::Times;
use ndbytes::Limits;

/// How to convert tables to Arrow.
///
/// ```
/// use arrow_schema::DataType;
/// use ndbytes_arrow::table::{ArrowTable, Keys, Options};
///
/// // A column of categories as the texts themselves, instead of a dictionary.
/// let options = Options::new().columns(["Label"]).keys(Keys::Text);
/// let labels = ArrowTable::open("../../samples/trees.idv", options)?;
/// assert_eq!(labels.schema().field(0).data_type(), &DataType::Utf8);
/// # Ok::<(), ndbytes_arrow::Error>(())
/// ```
///
/// The schema depends on the options and on the columns of a table, never on its rows.
#[derive(Debug, Clone)]
pub struct Options {
    pub(crate) times: Times,
    pub(crate) keys: Keys,
    pub(crate) sparse: Sparse,
    pub(crate) text: TextPolicy,
    pub(crate) columns: Option<Vec<String>>,
    pub(crate) rows: u64,
    pub(crate) limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            times: Times::default(),
            keys: Keys::default(),
            sparse: Sparse::default(),
            text: TextPolicy::default(),
            columns: None,
            rows: 16_384,
            limits: Limits::default(),
        }
    }
}

impl Options {
    /// Creates the default options.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the unit of times and durations.
    #[must_use]
    pub fn times(self, times: Times) -> Self {
        Options { times, ..self }
    }

    /// Sets what key columns become. The default is [`Keys::Dictionary`].
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        Options { keys, ..self }
    }

    /// Sets what columns of vectors become. The default is [`Sparse::Dense`].
    #[must_use]
    pub fn sparse(self, sparse: Sparse) -> Self {
        Options { sparse, ..self }
    }

    /// Sets how texts with half a character are handled. The default is [`TextPolicy::Strict`].
    #[must_use]
    pub fn text(self, text: TextPolicy) -> Self {
        Options { text, ..self }
    }

    /// Selects columns, in this order. The default is all columns that can be read and are not hidden.
    #[must_use]
    pub fn columns<T: Into<String>>(self, columns: impl IntoIterator<Item = T>) -> Self {
        Options { columns: Some(columns.into_iter().map(Into::into).collect()), ..self }
    }

    /// Sets the number of rows per batch. The default is 16,384. It is rounded up to whole blocks. A batch has fewer rows if they
    /// would take more than 64 MiB, or if sparse vectors grow considerably.
    #[must_use]
    pub fn rows(self, rows: u64) -> Self {
        Options { rows, ..self }
    }

    /// Sets limits on the cost of a file: opening it, and how much sparse vectors may grow in total ([`Limits::output`]).
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }
}

choices! {
    /// How keys are represented. The missing key is always null.
    ///
    /// ```
    /// use ndbytes_arrow::table::Keys;
    ///
    /// assert_eq!("raw".parse(), Ok(Keys::Raw));
    /// assert_eq!(Keys::default().name(), "dictionary");
    /// ```
    Keys: "kinds of keys" {
        /// Dictionaries of the category values. Keys without such values, or with duplicate or missing ones, are raw.
        #[default]
        Dictionary = "dictionary",
        /// The category values, wherever `Dictionary` creates dictionaries.
        Text = "text",
        /// The stored numbers: 1 is the first category.
        Raw = "raw",
    }
}

choices! {
    /// How vectors are represented.
    ///
    /// ```
    /// use ndbytes_arrow::table::Sparse;
    ///
    /// assert_eq!("struct".parse(), Ok(Sparse::Struct));
    /// assert_eq!(Sparse::default().name(), "dense");
    /// ```
    Sparse: "kinds of vectors" {
        /// Lists of all items, including those that sparse vectors do not store.
        #[default]
        Dense = "dense",
        /// Structs of a length, indices (null if all items are stored), and the stored values.
        Struct = "struct",
    }
}

choices! {
    /// How a text with half of a two-unit UTF-16 character, which .NET can store, is handled.
    ///
    /// ```
    /// use ndbytes_arrow::table::TextPolicy;
    ///
    /// assert_eq!("lossy".parse(), Ok(TextPolicy::Lossy));
    /// assert_eq!(TextPolicy::default().name(), "strict");
    /// ```
    TextPolicy: "kinds of texts" {
        /// It is an error.
        #[default]
        Strict = "strict",
        /// The half becomes U+FFFD.
        Lossy = "lossy",
    }
}
