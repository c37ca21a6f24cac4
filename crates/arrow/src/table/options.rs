//! How tables become Arrow.

use crate::choices::choices;
use crate::ticks::Times;
use ndbytes::Limits;

/// How tables become Arrow.
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
    /// The defaults.
    pub fn new() -> Self {
        Options::default()
    }

    /// Sets the unit of times and durations.
    #[must_use]
    pub fn times(self, times: Times) -> Self {
        Options { times, ..self }
    }

    /// Sets what columns of keys become. The default is [`Keys::Dictionary`].
    #[must_use]
    pub fn keys(self, keys: Keys) -> Self {
        Options { keys, ..self }
    }

    /// Sets what columns of vectors become. The default is [`Sparse::Dense`].
    #[must_use]
    pub fn sparse(self, sparse: Sparse) -> Self {
        Options { sparse, ..self }
    }

    /// Sets the treatment of texts with half a character. The default is [`TextPolicy::Strict`].
    #[must_use]
    pub fn text(self, text: TextPolicy) -> Self {
        Options { text, ..self }
    }

    /// Chooses columns, in this order. The default is all that can be read and are not hidden.
    #[must_use]
    pub fn columns<T: Into<String>>(self, columns: impl IntoIterator<Item = T>) -> Self {
        Options { columns: Some(columns.into_iter().map(Into::into).collect()), ..self }
    }

    /// Sets the rows of a batch. The default is 16,384. They are rounded up to whole blocks. A batch has fewer if these take over
    /// 64 MiB, or if sparse vectors become many more items.
    #[must_use]
    pub fn rows(self, rows: u64) -> Self {
        Options { rows, ..self }
    }

    /// Sets limits on the cost of a file: what opens it, and how much sparse vectors may grow in all ([`Limits::output`]).
    #[must_use]
    pub fn limits(self, limits: Limits) -> Self {
        Options { limits, ..self }
    }
}

choices! {
    /// The representation of keys. The missing key is null in any case.
    Keys: "kinds of keys" {
        /// Dictionaries of the values of the categories. Keys without such values, or with values of which two are equal or
        /// one is missing, are raw.
        #[default]
        Dictionary = "dictionary",
        /// The values of the categories, where there are dictionaries otherwise.
        Text = "text",
        /// The numbers that are stored: 1 is the first category.
        Raw = "raw",
    }
}

choices! {
    /// The representation of vectors.
    Sparse: "kinds of vectors" {
        /// Lists of all items, those too that sparse vectors do not store.
        #[default]
        Dense = "dense",
        /// Structs of a length, indices (null if all items are stored), and the stored values.
        Struct = "struct",
    }
}

choices! {
    /// The treatment of a text with half a character that takes two UTF-16 units, which .NET can store.
    TextPolicy: "kinds of texts" {
        /// It is an error.
        #[default]
        Strict = "strict",
        /// The half becomes U+FFFD.
        Lossy = "lossy",
    }
}
