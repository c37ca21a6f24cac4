//! The kinds of files that are forged.

use ndbytes::{Format, Rule, detect, is_gzip};
use ndbytes_schemas::zip::LocalHeader;
use std::fmt;

/// A kind of file that the forge makes: the formats, and their containers (gzip, zip).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// IDX.
    Idx,
    /// RawArray.
    RawArray,
    /// IDV, ML.NET's tables.
    Idv,
    /// b2nd, Blosc2's arrays.
    B2nd,
    /// NumPy's `.npy`.
    Npy,
    /// IDX in gzip.
    Gzip,
    /// Zip archives of files.
    Zip,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 7] = [Kind::Idx, Kind::RawArray, Kind::Idv, Kind::B2nd, Kind::Npy, Kind::Gzip, Kind::Zip];

    /// The kind of a file by its first bytes; `None` if it is of none.
    pub fn of(file: &[u8]) -> Option<Self> {
        if is_gzip(file) {
            return Some(Kind::Gzip);
        }
        if file.starts_with(&LocalHeader::MAGIC[..2]) {
            return Some(Kind::Zip);
        }
        Kind::of_format(detect(file, file.len() as u64)?)
    }

    /// The kind of the files of a format; `None` if the forge does not make them.
    pub fn of_format(format: Format) -> Option<Self> {
        Kind::named(format.name())
    }

    /// The kind of file that a rule is about; `None` of a rule about files of any format.
    pub fn of_rule(rule: &Rule) -> Option<Self> {
        Kind::named(rule.id.split('/').next()?)
    }

    /// Its name, with which the ids of its rules begin.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Idx => "idx",
            Kind::RawArray => "rawarray",
            Kind::Idv => "idv",
            Kind::B2nd => "b2nd",
            Kind::Npy => "npy",
            Kind::Gzip => "gzip",
            Kind::Zip => "zip",
        }
    }

    /// The kind of this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The usual end of the names of its files, without the dot.
    pub fn extension(self) -> &'static str {
        let format = Format::ALL.into_iter().find(|format| Kind::of_format(*format) == Some(self));
        // Gzip and zip are around files, and have names of their own.
        format.map_or(if self == Kind::Gzip { "gz" } else { "zip" }, Format::extension)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
