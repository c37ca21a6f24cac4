//! Encodes values from third-party formats as a file in a format of ndbytes in memory, for code that only compares such
//! files.
//!
//! The comparison reads arrays and tables of ndbytes. It need not support Zarr and Parquet, since their values are
//! written to memory once, as `.npy` or IDV. That takes at most half of the memory limit.

use super::foreign::{Foreign, NamedArray};
use crate::arrays::part::ArraySource;
use crate::containers::zip::Archive;
use crate::conversion;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::options::Options;
use crate::target::Target;
use ndbytes::{Input, Limits};

impl Foreign {
    /// Converts the values to a file of ndbytes in memory: an array to `.npy`, a table to IDV. Several arrays are put
    /// in a zip archive, by name. An array of a type that `.npy` does not support becomes RawArray.
    ///
    /// # Errors
    /// [`ndbytes::Error::Limit`] if the values exceed half of the memory limit; any error while reading them.
    pub fn to_native(&self, limits: Limits) -> Result<Input<'static>> {
        #[cfg(feature = "tables")]
        if let Some(table) = self.table() {
            return Ok(Input::from_reader(&table.to_plain_idv(limits)?[..], limits)?);
        }
        let arrays = self.arrays()?;
        let needed = arrays.iter().map(|array| array.source().length()).fold(0, u64::saturating_add);
        ensure_room(needed, limits)?;
        let bytes = match &arrays[..] {
            [one] => file(&one.source(), limits)?.0,
            several => archive(several, limits)?,
        };
        Ok(Input::from_reader(&bytes[..], limits)?)
    }
}

impl NamedArray<'_> {
    /// Converts the array to a file of ndbytes in memory.
    ///
    /// # Errors
    /// As for [`Foreign::to_native`].
    pub fn to_native(&self, limits: Limits) -> Result<Input<'static>> {
        let source = self.source();
        ensure_room(source.length(), limits)?;
        Ok(Input::from_reader(&file(&source, limits)?.0[..], limits)?)
    }
}

/// Refuses values that take more than half of the memory limit, since there are two copies while they are read.
fn ensure_room(needed: u64, limits: Limits) -> Result<()> {
    let left = limits.memory / 2;
    match needed > left {
        true => Err(ndbytes::Error::Limit { what: "the values, which are held in memory", needed, left }.into()),
        false => Ok(()),
    }
}

/// Returns an array as a file, and the extension of such files.
fn file(array: &ArraySource<'_>, limits: Limits) -> Result<(Vec<u8>, &'static str)> {
    let write = |kind, lossy| {
        let mut bytes = Vec::new();
        let options = Options::new().limits(limits).lossy(lossy);
        conversion::convert(&[array], kind, Target::Stream(&mut bytes), &options).map(|_| bytes)
    };
    match write(FileKind::Npy, false) {
        Err(Error::Lossy(_)) => write(FileKind::RawArray, true).map(|bytes| (bytes, "ra")),
        written => written.map(|bytes| (bytes, "npy")),
    }
}

/// Returns an uncompressed archive of arrays, in memory.
fn archive(arrays: &[NamedArray<'_>], limits: Limits) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut archive = Archive::new(&mut bytes);
    for array in arrays {
        let (file, extension) = file(&array.source(), limits)?;
        let name = format!("{}.{extension}", array.name);
        archive.entry(&name, file.len() as u64, false, |to| Ok(to.write_all(&file)?))?;
    }
    archive.finish()?;
    Ok(bytes)
}
