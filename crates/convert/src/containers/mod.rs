//! Formats for several arrays: `.npz`, `.safetensors`, `.gguf`, and Zarr stores.
//!
//! The container decides the order of the entries and the form of their items. No array is buffered: the header depends
//! only on the shapes, which are known, and items are written piece by piece. So converting a 100 GB model takes only
//! the memory of a few pieces, even into a pipe.

mod entry;
mod gguf;
pub mod npz;
mod safetensors;
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

/// Writes arrays by name.
pub fn write(entries: &[Entry<'_>], kind: FileKind, target: Target<'_>, options: &Options<'_>) -> Result<()> {
    let mut names = HashSet::new();
    if let Some(entry) = entries.iter().find(|entry| !names.insert(&entry.name)) {
        return Err(Error::Refused { kind, what: format!("two arrays of the name {:?}", entry.name) });
    }
    let length = entries.iter().map(Entry::length).fold(0, u64::saturating_add);
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

/// Writes the entries of a container to a stream.
fn write_to(entries: &[Entry<'_>], kind: FileKind, to: &mut dyn Write, options: &Options<'_>) -> Result<()> {
    match kind {
        FileKind::Npz => npz::write(entries, to, options),
        FileKind::Gguf => gguf::write(entries, to),
        _ => safetensors::write(entries, to),
    }?;
    Ok(to.flush()?)
}
