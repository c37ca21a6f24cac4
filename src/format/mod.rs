//! Formats and their detection by content.
//!
//! Formats with a magic are tried first. A few wrong bytes in it are tolerated, so that a damaged file is checked by the rules of
//! its format instead of being reported as unknown. IDX has no real magic, only two zeros and a type. It is tried last, and is
//! accepted only if the lengths in its header fit the file: see [`Signature::Likeness`].
//!
//! Everything that the library knows about a format apart from its layout is in the [`Facts`] of the module with the same name. To
//! add a format, first add a line to `formats!`. The compiler then points out everything else that is needed.

mod b2nd;
pub mod excerpt;
mod facts;
pub mod foreign;
mod form;
mod gguf;
mod idv;
pub mod idx;
pub mod info;
pub mod names;
mod npy;
mod rawarray;
mod safetensors;
#[cfg(test)]
mod toy;
pub(crate) mod transport;

pub(crate) use b2nd::is_frame;
use facts::{Facts, Signature};
use ndbytes_schemas::{gzip, zip};
use std::fmt;

/// Declares the formats: one line per format, with its properties in the module of the same name. A condition in
/// brackets states when the format is available.
macro_rules! formats {
    ($($(#[$attribute:meta])* $([$condition:meta])? $format:ident = $module:ident,)+) => {
        /// A format that ndbytes reads.
        ///
        /// ```
        /// use ndbytes::{Format, detect};
        ///
        /// let format = detect(b"\x93NUMPY\x01\x00", 1024).unwrap();
        /// assert_eq!((format, format.title(), format.extension()), (Format::Npy, ".npy", "npy"));
        /// ```
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
    /// safetensors: tensors of machine learning models.
    Safetensors = safetensors,
    /// GGUF: tensors and metadata of language models.
    Gguf = gguf,
    /// The format used in tests.
    [test] Toy = toy,
}

impl Format {
    /// The reader that the `reference` profile predicts.
    pub fn reference_reader(self) -> &'static str {
        self.facts().reference_reader
    }

    /// The name of the format in options and rule identifiers.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        self.facts().title
    }

    /// The name that people use, with its article.
    pub(crate) fn with_article(self) -> String {
        format!("{} {}", self.facts().article, self.title())
    }

    /// Returns whether the file determines the byte order. An IDX file, for example, does not record the writer's byte order.
    #[doc(hidden)]
    pub fn states_byte_order(self) -> bool {
        self.facts().states_byte_order
    }

    /// Returns whether the payload is a single run of bytes without fields.
    #[doc(hidden)]
    pub fn is_in_one_piece(self) -> bool {
        self.facts().is_in_one_piece
    }

    /// The name of the decompressed spaces of a map, if there are any.
    pub(crate) fn inner_space(self) -> Option<&'static str> {
        self.facts().inner_space
    }

    /// Returns whether files of the format are often compressed with gzip under names without `.gz`.
    pub(crate) fn is_often_gzipped(self) -> bool {
        self.facts().is_often_gzipped
    }

    /// Returns whether the signature of the format is long enough to rule out a coincidence, regardless of the name of the file.
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

/// Detects the format of a file of `length` bytes that begins with `head`. gzip is not decompressed here.
///
/// A file that almost has the signature of a format is treated as that format, so that a check can state what is broken. Six of the
/// eight bytes of the magic of RawArray, IDV or Blosc2 are enough, and five of the six bytes of NumPy's. In an IDX header, the
/// first two bytes or the element type may be wrong if the lengths fit the file exactly. The lengths must fit because many other
/// files begin with two zeros.
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

/// Returns the format whose magic a file begins with, exactly or nearly.
fn of_magic(head: &[u8]) -> Option<Format> {
    let begins = |format: &Format| matches!(format.facts().signature, Signature::Magic(fits) if fits(head));
    Format::ALL.into_iter().find(begins)
}

/// Returns whether a file that begins with `head` is compressed with gzip.
pub fn is_gzip(head: &[u8]) -> bool {
    head.starts_with(&gzip::Header::MAGIC)
}

/// Returns whether a file begins like a zip archive. An archive without entries begins with its end record.
pub fn is_zip(head: &[u8]) -> bool {
    head.starts_with(&zip::LocalHeader::MAGIC) || head.starts_with(&zip::EndRecord::MAGIC)
}
