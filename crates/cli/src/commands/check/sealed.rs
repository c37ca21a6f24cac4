//! Opens the seal to compare files with.

use crate::show::text::{self, is_standard};
use ndbytes::Limits;
use ndbytes_compare::seal::{self, Seal};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the seal in the arguments, or the seal of the first path.
///
/// # Errors
/// A message about a file that cannot be read or is not a seal.
pub fn open(seal: Option<&Path>, paths: &[PathBuf], limits: Limits) -> Result<Arc<Seal>, String> {
    let path = match (seal, paths.first()) {
        (Some(seal), _) => seal.to_owned(),
        (None, Some(path)) if !is_standard(path) => seal::beside(path),
        (None, _) => return Err("standard input has no seal".to_owned()),
    };
    let seal = Seal::open(&path, limits).map_err(|error| match error {
        ndbytes::Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound => {
            format!("the seal {} does not exist: `ndbytes seal` writes it", text::path(&path))
        }
        ndbytes::Error::Io { source, .. } => format!("{}: {source}", text::path(&path)),
        error => format!("{}: {error}", text::path(&path)),
    })?;
    Ok(Arc::new(seal))
}
