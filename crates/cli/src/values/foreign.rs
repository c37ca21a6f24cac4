//! Files that conversions alone read.

use ndbytes::{Input, Limits};
use ndbytes_convert::{FileKind, Pictures, TableSource, Tensors, ZarrStore};
use std::path::Path;

/// The kind of a file that conversions alone read.
pub enum Foreign {
    Tensors,
    Zarr,
    Picture,
    Table(FileKind),
    /// Lines, whose type cannot be detected by content.
    Text(FileKind),
}

impl Foreign {
    /// The kind of a file: by its bytes, or by what is said of it, or by its name.
    pub fn of(path: &Path, input: &Input<'_>, said: Option<FileKind>, limits: Limits) -> Option<Self> {
        if let Some(kind) = said {
            return Some(Foreign::Text(kind));
        }
        if Tensors::is_one(input) {
            return Some(Foreign::Tensors);
        }
        if ZarrStore::is_zip(input, limits) {
            return Some(Foreign::Zarr);
        }
        if Pictures::is_one(input) {
            return Some(Foreign::Picture);
        }
        let by_name = || FileKind::of_path(path).filter(|kind| kind.is_lines()).map(Foreign::Text);
        TableSource::kind_of(input).map(Foreign::Table).or_else(by_name)
    }

    /// The kind, by its name among those that are written.
    pub fn kind(&self) -> FileKind {
        match self {
            Foreign::Tensors => FileKind::Safetensors,
            Foreign::Zarr => FileKind::ZarrZip,
            Foreign::Picture => FileKind::Png,
            Foreign::Table(kind) | Foreign::Text(kind) => *kind,
        }
    }
}
