//! Files of several arrays: `.npz`, `.safetensors`, and the stores of Zarr.

mod entry;
pub mod npz;
pub mod safetensors;
mod zarr;
pub mod zip;

pub use entry::Entry;

use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::options::Options;
use crate::target::Target;
use ndbytes::AtomicFile;
use std::collections::HashSet;
use std::io::Write;

/// Writes arrays, each by its name.
pub fn write(entries: &[Entry<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<()> {
    let mut names = HashSet::new();
    if let Some(entry) = entries.iter().find(|entry| !names.insert(&entry.name)) {
        return Err(Error::Refused { kind, what: format!("two arrays of the name {:?}", entry.name) });
    }
    let length = entries.iter().map(|entry| entry.view.length()).fold(0, u64::saturating_add);
    options.limits.ensure_output("the items of the arrays", length)?;
    if matches!(kind, FileKind::Zarr | FileKind::ZarrZip) {
        return zarr::write(entries, kind, target, options);
    }
    match target {
        Target::Stream(stream) => write_to(entries, kind, stream, options),
        Target::File(path) => {
            let mut file = AtomicFile::create(path)?;
            if kind != FileKind::Npz || !options.compress {
                file.ensure_room(length)?;
            }
            write_to(entries, kind, &mut file, options)?;
            Ok(file.commit()?)
        }
    }
}

fn write_to(entries: &[Entry<'_>], kind: FileKind, to: &mut dyn Write, options: &Options<'_>) -> Result<()> {
    match kind {
        FileKind::Npz => npz::write(entries, to, options),
        _ => safetensors::write(entries, to),
    }?;
    Ok(to.flush()?)
}
