//! Files beside what their seal states.

use super::walk::{Found, Unknown};
use crate::show::text::{self, is_standard};
use ndbytes::seal::{self, Name, Seal};
use ndbytes::{Limits, Report, Result};
use std::io;
use std::path::{Path, PathBuf};

/// A seal, and what is compared with it.
pub struct Sealed {
    seal: Seal,
    /// The paths that are checked. Files of the seal that are elsewhere need not be there.
    among: Vec<Name>,
}

impl Sealed {
    /// Reads a seal: the one that is named, or that of the first path.
    ///
    /// # Errors
    /// A sentence on a file that is not readable, or not a seal.
    pub fn open(seal: Option<&Path>, paths: &[PathBuf], limits: Limits) -> Result<Self, String> {
        let path = match (seal, paths.first()) {
            (Some(seal), _) => seal.to_owned(),
            (None, Some(path)) if !is_standard(path) => seal::beside(path),
            (None, _) => return Err("standard input has no seal".to_owned()),
        };
        let seal = Seal::open(&path, limits).map_err(|error| match error {
            ndbytes::Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                format!("there is no seal {}: `ndbytes seal` writes one", text::path(&path))
            }
            ndbytes::Error::Io { source, .. } => format!("{}: {source}", text::path(&path)),
            error => format!("{}: {error}", text::path(&path)),
        })?;
        let name = |path: &PathBuf| match path.is_dir() {
            true => seal.base().name_of_folder(path),
            false => seal.base().name(path),
        };
        let among = paths.iter().filter_map(name).collect();
        Ok(Sealed { seal, among })
    }

    /// Returns whether a file is the seal itself, which a walk has met.
    pub fn is_at(&self, file: &Found) -> bool {
        !file.is_named && self.seal.is_at(&file.path)
    }

    /// Returns whether a file is in the seal.
    pub fn contains(&self, file: &Found) -> bool {
        self.seal.contains(&file.path)
    }

    /// Adds what has changed to the report on a file.
    pub fn compare(&self, report: Report, file: &Found, unknown: Unknown) -> Result<Report> {
        if file.is_passed_over(&report, unknown) && !self.contains(file) {
            return Ok(report);
        }
        Ok(report.extended(self.seal.compare(&file.path)?))
    }

    /// The files of the seal that are gone.
    pub fn missing(&self) -> impl Iterator<Item = (PathBuf, Report)> + '_ {
        self.seal.missing(&self.among)
    }
}
