//! The kinds of files that are written.

use ndbytes::Format;
use ndbytes::names::{Content, Name};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A kind of file that is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// IDX.
    Idx,
    /// IDX inside gzip.
    IdxGzip,
    /// RawArray.
    RawArray,
    /// An array of Blosc2, in one file.
    B2nd,
    /// NumPy's array.
    Npy,
    /// NumPy's archive of arrays.
    Npz,
    /// The arrays of a model.
    Safetensors,
    /// A picture.
    Png,
    /// ML.NET's table.
    Idv,
    /// Parquet.
    Parquet,
    /// Arrow's file.
    Arrow,
    /// Arrow's stream.
    Arrows,
    /// A table as text, with commas between its values.
    Csv,
    /// A table as text, an object of JSON a line.
    Jsonl,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 14] = [
        Kind::Idx,
        Kind::IdxGzip,
        Kind::RawArray,
        Kind::B2nd,
        Kind::Npy,
        Kind::Npz,
        Kind::Safetensors,
        Kind::Png,
        Kind::Idv,
        Kind::Parquet,
        Kind::Arrow,
        Kind::Arrows,
        Kind::Csv,
        Kind::Jsonl,
    ];

    /// The name, by which it is requested, and the extension of its files.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Idx => "idx",
            Kind::IdxGzip => "idx.gz",
            Kind::RawArray => "ra",
            Kind::B2nd => "b2nd",
            Kind::Npy => "npy",
            Kind::Npz => "npz",
            Kind::Safetensors => "safetensors",
            Kind::Png => "png",
            Kind::Idv => "idv",
            Kind::Parquet => "parquet",
            Kind::Arrow => "arrow",
            Kind::Arrows => "arrows",
            Kind::Csv => "csv",
            Kind::Jsonl => "jsonl",
        }
    }

    /// The name in sentences.
    pub fn title(self) -> &'static str {
        match self {
            Kind::Idx | Kind::IdxGzip => "IDX",
            Kind::RawArray => "RawArray",
            Kind::B2nd => "b2nd",
            Kind::Npy => ".npy",
            Kind::Npz => ".npz",
            Kind::Safetensors => ".safetensors",
            Kind::Png => "PNG",
            Kind::Idv => "IDV",
            Kind::Parquet => "Parquet",
            Kind::Arrow => "an Arrow file",
            Kind::Arrows => "an Arrow stream",
            Kind::Csv => "CSV",
            Kind::Jsonl => "JSON Lines",
        }
    }

    /// Returns whether a file of this kind holds a table, not arrays.
    pub fn is_table(self) -> bool {
        matches!(self, Kind::Idv | Kind::Parquet | Kind::Arrow | Kind::Arrows | Kind::Csv | Kind::Jsonl)
    }

    /// Returns whether a file of this kind holds the rows of a table as lines of text.
    pub fn is_lines(self) -> bool {
        matches!(self, Kind::Csv | Kind::Jsonl)
    }

    /// Returns whether a file of this kind holds several arrays, each with a name.
    pub fn holds_several(self) -> bool {
        matches!(self, Kind::Npz | Kind::Safetensors)
    }

    /// The kind that the name of a file asks for: by its extension, or as MNIST's files are named.
    ///
    /// ```
    /// use ndbytes_convert::Kind;
    ///
    /// assert_eq!(Kind::of_path("a/b.B2ND"), Some(Kind::B2nd));
    /// assert_eq!(Kind::of_path("t10k-labels-idx1-ubyte.gz"), Some(Kind::IdxGzip));
    /// assert_eq!(Kind::of_path("data.bin"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<Kind> {
        if let Some(name) = Name::of(&path) {
            return match (name.content, name.is_gzip) {
                (Content::File(Format::Idx), true) => Some(Kind::IdxGzip),
                (Content::File(Format::Idx), false) => Some(Kind::Idx),
                (Content::File(Format::RawArray), false) => Some(Kind::RawArray),
                (Content::File(Format::B2nd), false) => Some(Kind::B2nd),
                (Content::File(Format::Npy), false) => Some(Kind::Npy),
                (Content::Archive(Format::Npy), false) => Some(Kind::Npz),
                (Content::File(Format::Idv), false) => Some(Kind::Idv),
                // Stores are not written, and nothing but IDX is in gzip.
                _ => None,
            };
        }
        // The kinds that others read and write.
        let path = path.as_ref();
        path.extension()?.to_str()?.parse().ok()
    }
}

/// A name of no kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not one of the kinds {}", Kind::ALL.map(Kind::name).join(", "))]
pub struct UnknownKind {
    name: String,
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.name() == name.to_ascii_lowercase());
        kind.ok_or_else(|| UnknownKind { name: name.to_owned() })
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_names() {
        for (name, kind) in [
            ("x.npy", Some(Kind::Npy)),
            ("x.NPY", Some(Kind::Npy)),
            ("x.idx", Some(Kind::Idx)),
            ("x.idx.gz", Some(Kind::IdxGzip)),
            ("train-images-idx3-ubyte", Some(Kind::Idx)),
            ("train-images.idx3-ubyte.gz", Some(Kind::IdxGzip)),
            ("x.ra", Some(Kind::RawArray)),
            ("x.b2frame", Some(Kind::B2nd)),
            ("x.npz", Some(Kind::Npz)),
            ("x.Parquet", Some(Kind::Parquet)),
            (".csv", None),
            ("x.b2e", None),
            ("x.b2z", None),
            ("npy", None),
            (".npy", None),
            ("x.npy.gz", None),
            ("x.gz", None),
            ("x-idx3-words", None),
            ("idx3-ubyte", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(Kind::of_path(name), kind, "{name:?}");
        }
        assert!(Kind::ALL.into_iter().all(|kind| kind.name().parse() == Ok(kind)));
    }
}
