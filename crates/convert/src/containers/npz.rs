//! `.npz`: a zip archive of `.npy` files.

use super::entry::Entry;
use super::zip::Archive;
use crate::arrays::write::write_npy_to;
use crate::error::Result;
use crate::options::Options;
use std::io::Write;

/// Writes an archive in which each array is `NAME.npy`.
pub fn write(entries: &[Entry<'_>], to: &mut dyn Write, options: &Options<'_>) -> Result<()> {
    let mut archive = Archive::new(to);
    for Entry { name, view, fit } in entries {
        let name = format!("{name}.npy");
        archive.entry(&name, view.length(), options.compress, |to| write_npy_to(view, fit, to, options))?;
    }
    Ok(archive.finish()?)
}
