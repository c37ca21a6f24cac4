//! The kinds of files that can be written.

use ndbytes::Format;
use ndbytes::names::{Content, Name};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// A kind of file to write.
///
/// ```
/// use ndbytes_convert::FileKind;
///
/// assert_eq!("parquet".parse(), Ok(FileKind::Parquet));
/// assert!(FileKind::Parquet.is_table() && FileKind::Npz.holds_several());
/// assert_eq!(FileKind::IdxGzip.name(), "idx.gz");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FileKind {
    /// IDX.
    Idx,
    /// IDX compressed with gzip.
    IdxGzip,
    /// RawArray.
    RawArray,
    /// A Blosc2 array in one file.
    B2nd,
    /// NumPy's array.
    Npy,
    /// NumPy's archive of arrays.
    Npz,
    /// The tensors of a model.
    Safetensors,
    /// The tensors of a model, for programs that run it.
    Gguf,
    /// A Zarr directory.
    Zarr,
    /// A Zarr zip archive.
    ZarrZip,
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
    /// A table as comma-separated text.
    Csv,
    /// A table as text, with one JSON object per line.
    Jsonl,
}

impl FileKind {
    /// All kinds.
    pub const ALL: [FileKind; 17] = [
        FileKind::Idx,
        FileKind::IdxGzip,
        FileKind::RawArray,
        FileKind::B2nd,
        FileKind::Npy,
        FileKind::Npz,
        FileKind::Safetensors,
        FileKind::Gguf,
        FileKind::Zarr,
        FileKind::ZarrZip,
        FileKind::Png,
        FileKind::Idv,
        FileKind::Parquet,
        FileKind::Arrow,
        FileKind::Arrows,
        FileKind::Csv,
        FileKind::Jsonl,
    ];

    /// The name in options, which is also the file extension.
    pub fn name(self) -> &'static str {
        match self {
            FileKind::Idx => "idx",
            FileKind::IdxGzip => "idx.gz",
            FileKind::RawArray => "ra",
            FileKind::B2nd => "b2nd",
            FileKind::Npy => "npy",
            FileKind::Npz => "npz",
            FileKind::Safetensors => "safetensors",
            FileKind::Gguf => "gguf",
            FileKind::Zarr => "zarr",
            FileKind::ZarrZip => "zarr.zip",
            FileKind::Png => "png",
            FileKind::Idv => "idv",
            FileKind::Parquet => "parquet",
            FileKind::Arrow => "arrow",
            FileKind::Arrows => "arrows",
            FileKind::Csv => "csv",
            FileKind::Jsonl => "jsonl",
        }
    }

    /// The name in sentences.
    pub fn title(self) -> &'static str {
        match self {
            FileKind::Idx | FileKind::IdxGzip => "IDX",
            FileKind::RawArray => "RawArray",
            FileKind::B2nd => "b2nd",
            FileKind::Npy => ".npy",
            FileKind::Npz => ".npz",
            FileKind::Safetensors => ".safetensors",
            FileKind::Gguf => "GGUF",
            FileKind::Zarr | FileKind::ZarrZip => "Zarr",
            FileKind::Png => "PNG",
            FileKind::Idv => "IDV",
            FileKind::Parquet => "Parquet",
            FileKind::Arrow => "an Arrow file",
            FileKind::Arrows => "an Arrow stream",
            FileKind::Csv => "CSV",
            FileKind::Jsonl => "JSON Lines",
        }
    }

    /// Returns whether files of this kind hold a table instead of arrays.
    pub fn is_table(self) -> bool {
        matches!(
            self,
            FileKind::Idv | FileKind::Parquet | FileKind::Arrow | FileKind::Arrows | FileKind::Csv | FileKind::Jsonl
        )
    }

    /// Returns whether files of this kind hold a table as lines of text.
    pub fn is_lines(self) -> bool {
        matches!(self, FileKind::Csv | FileKind::Jsonl)
    }

    /// Returns whether files of this kind hold several named arrays.
    pub fn holds_several(self) -> bool {
        matches!(self, FileKind::Npz | FileKind::Safetensors | FileKind::Gguf | FileKind::Zarr | FileKind::ZarrZip)
    }

    /// The kind that a file name selects, by its extension or as a name of an MNIST file.
    ///
    /// ```
    /// use ndbytes_convert::FileKind;
    ///
    /// assert_eq!(FileKind::of_path("a/b.B2ND"), Some(FileKind::B2nd));
    /// assert_eq!(FileKind::of_path("t10k-labels-idx1-ubyte.gz"), Some(FileKind::IdxGzip));
    /// assert_eq!(FileKind::of_path("data.bin"), None);
    /// ```
    pub fn of_path(path: impl AsRef<Path>) -> Option<FileKind> {
        if let Some(name) = Name::of(&path) {
            return match (name.content, name.is_gzip) {
                (Content::File(Format::Idx), true) => Some(FileKind::IdxGzip),
                (Content::File(Format::Idx), false) => Some(FileKind::Idx),
                (Content::File(Format::RawArray), false) => Some(FileKind::RawArray),
                (Content::File(Format::B2nd), false) => Some(FileKind::B2nd),
                (Content::File(Format::Npy), false) => Some(FileKind::Npy),
                (Content::Archive(Format::Npy), false) => Some(FileKind::Npz),
                (Content::File(Format::Idv), false) => Some(FileKind::Idv),
                (Content::File(Format::Safetensors), false) => Some(FileKind::Safetensors),
                (Content::File(Format::Gguf), false) => Some(FileKind::Gguf),
                // Stores are not written, and only IDX is written with gzip.
                _ => None,
            };
        }
        // The kinds of other programs' files.
        let path = path.as_ref();
        if path.file_stem().is_some_and(|stem| is_zip_of(stem.as_ref(), path)) {
            return Some(FileKind::ZarrZip);
        }
        path.extension()?.to_str()?.parse().ok()
    }
}

/// Returns whether a path with this stem has the extensions of a Zarr zip archive.
fn is_zip_of(stem: &Path, path: &Path) -> bool {
    let has = |path: &Path, extension: &str| path.extension().is_some_and(|it| it.eq_ignore_ascii_case(extension));
    has(path, "zip") && has(stem, "zarr")
}

/// A name that is not the name of a kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name:?} is not one of the kinds {}", FileKind::ALL.map(FileKind::name).join(", "))]
pub struct UnknownKind {
    name: String,
}

impl FromStr for FileKind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let kind = FileKind::ALL.into_iter().find(|kind| kind.name() == name.to_ascii_lowercase());
        kind.ok_or_else(|| UnknownKind { name: name.to_owned() })
    }
}

impl fmt::Display for FileKind {
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
            ("x.npy", Some(FileKind::Npy)),
            ("x.NPY", Some(FileKind::Npy)),
            ("x.idx", Some(FileKind::Idx)),
            ("x.idx.gz", Some(FileKind::IdxGzip)),
            ("train-images-idx3-ubyte", Some(FileKind::Idx)),
            ("train-images.idx3-ubyte.gz", Some(FileKind::IdxGzip)),
            ("x.ra", Some(FileKind::RawArray)),
            ("x.b2frame", Some(FileKind::B2nd)),
            ("x.npz", Some(FileKind::Npz)),
            ("x.safetensors", Some(FileKind::Safetensors)),
            ("x.GGUF", Some(FileKind::Gguf)),
            ("x.Parquet", Some(FileKind::Parquet)),
            ("x.zarr", Some(FileKind::Zarr)),
            ("x.ZARR.zip", Some(FileKind::ZarrZip)),
            ("x.zip", None),
            (".zarr.zip", None),
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
            assert_eq!(FileKind::of_path(name), kind, "{name:?}");
        }
        assert!(FileKind::ALL.into_iter().all(|kind| kind.name().parse() == Ok(kind)));
    }
}
