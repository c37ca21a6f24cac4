//! The kinds of files that are written.

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

/// The endings of MNIST's names, such as `train-images-idx3-ubyte`.
const MNIST: [&str; 6] = ["ubyte", "byte", "short", "int", "float", "double"];

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

    /// The name, by which it is asked for, and the extension of its files.
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
        let name = path.as_ref().file_name()?.to_string_lossy().to_ascii_lowercase();
        let (stem, is_gzip) = match name.strip_suffix(".gz") {
            Some(stem) => (stem, true),
            None => (&*name, false),
        };
        let idx = if is_gzip { Kind::IdxGzip } else { Kind::Idx };
        if is_mnist(stem) {
            return Some(idx);
        }
        let (_, extension) = name.rsplit_once('.')?;
        let kind = if is_gzip { stem.ends_with(".idx").then_some(idx) } else { extension.parse().ok() };
        kind.filter(|kind| name.len() > kind.name().len() + 1)
    }
}

/// Returns whether a name ends as those of MNIST's files: `-idx3-ubyte`, or `.idx3-ubyte`.
fn is_mnist(name: &str) -> bool {
    let ending = name.rfind("idx").map(|at| name.split_at(at));
    let parts = ending.and_then(|(before, ending)| Some((before, ending.strip_prefix("idx")?.split_once('-')?)));
    parts.is_some_and(|(before, (axes, element_type))| {
        before.ends_with(['-', '.']) && axes.parse::<u8>().is_ok() && MNIST.contains(&element_type)
    })
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
