//! Formats, and their detection by content.

mod b2nd;
pub mod excerpt;
mod facts;
pub mod foreign;
mod form;
mod idv;
pub mod idx;
pub mod info;
pub mod names;
mod npy;
mod rawarray;
#[cfg(test)]
mod toy;
pub(crate) mod transport;

pub(crate) use b2nd::is_frame;
use facts::{Facts, Signature};
use ndbytes_schemas::{gzip, zip};
use std::fmt;

/// Declares the formats: one line a format, whose facts stand in the module of its name. A condition in
/// brackets says when the format is there.
macro_rules! formats {
    ($($(#[$attribute:meta])* $([$condition:meta])? $format:ident = $module:ident,)+) => {
        /// A format that ndbytes reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
        #[serde(rename_all = "lowercase")]
        #[non_exhaustive]
        pub enum Format {
            $($(#[$attribute])* $(#[cfg($condition)])? $format,)+
        }

        impl Format {
            /// Every format.
            pub const ALL: [Format; [$($(#[cfg($condition)])? stringify!($format)),+].len()] =
                [$($(#[cfg($condition)])? Format::$format),+];

            const fn facts(self) -> &'static Facts {
                match self {
                    $($(#[cfg($condition)])? Format::$format => &$module::FACTS,)+
                }
            }
        }
    };
}

formats! {
    /// IDX, the format of the MNIST files.
    Idx = idx,
    /// RawArray (`.ra`).
    RawArray = rawarray,
    /// IDV, ML.NET's binary dataview (`.idv`).
    Idv = idv,
    /// b2nd, Blosc2's n-dimensional array (`.b2nd`).
    B2nd = b2nd,
    /// NumPy's `.npy`.
    Npy = npy,
    /// The format of the tests.
    [test] Toy = toy,
}

impl Format {
    /// The reader whose verdicts the profile `reference` follows.
    pub fn reference_reader(self) -> &'static str {
        self.facts().reference_reader
    }

    /// The name of the format in options and in the ids of its rules.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The name that people use.
    pub fn title(self) -> &'static str {
        self.facts().title
    }

    /// The name that people use, with its article.
    pub(crate) fn with_article(self) -> String {
        format!("{} {}", self.facts().article, self.title())
    }

    /// Returns whether the order of bytes follows from the file. The order in which an IDX file was written does not.
    #[doc(hidden)]
    pub fn states_byte_order(self) -> bool {
        self.facts().states_byte_order
    }

    /// Returns whether the payload is one run of bytes, which has no fields.
    #[doc(hidden)]
    pub fn is_in_one_piece(self) -> bool {
        self.facts().is_in_one_piece
    }

    /// The name of the spaces of a map beside that of the file, if there are any.
    pub(crate) fn inner_space(self) -> Option<&'static str> {
        self.facts().inner_space
    }

    /// Returns whether files of the format are inside gzip under names without `.gz`, too.
    pub(crate) fn is_often_gzipped(self) -> bool {
        self.facts().is_often_gzipped
    }

    /// Returns whether content that [`detect`] takes for the format is no other by chance, whatever the name of the file.
    pub(crate) fn is_sure(self, head: &[u8], length: u64) -> bool {
        match self.facts().signature {
            Signature::Magic(_) => true,
            Signature::Likeness { is_exact, .. } => is_exact(head, length),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The format of a file that begins with `head` and has `length` bytes in all. Gzip is not inflated here.
///
/// A file that only nearly has a format's signature counts as one of that format, so that its check can name what is
/// broken. Six of the eight bytes of RawArray's, IDV's or Blosc2's magic are enough, and five of the six of NumPy's. An
/// IDX header may have wrong first two bytes or a wrong element type if its claims fit the length exactly. Many files
/// that are not IDX begin with two zeros.
pub fn detect(head: &[u8], length: u64) -> Option<Format> {
    if let Some(format) = of_magic(head) {
        return Some(format);
    }
    let is_alike = |format: &Format| match format.facts().signature {
        Signature::Magic(_) => false,
        Signature::Likeness { fits, .. } => fits(head, length),
    };
    Format::ALL.into_iter().find(is_alike)
}

/// The format whose magic a file begins with, or nearly so.
fn of_magic(head: &[u8]) -> Option<Format> {
    let begins = |format: &Format| matches!(format.facts().signature, Signature::Magic(fits) if fits(head));
    Format::ALL.into_iter().find(begins)
}

/// Says whether a file that begins with `head` is compressed with gzip.
pub fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&gzip::Header::MAGIC)
}

/// Returns whether a file begins as a zip archive does; one without entries begins with its end record.
pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(&zip::LocalHeader::MAGIC) || head.starts_with(&zip::EndRecord::MAGIC)
}
