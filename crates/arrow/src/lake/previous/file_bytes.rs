//! Bytes of files of an earlier run.

use ::parquet::file::reader::ChunkReader;
use std::fs::File;
use std::ops::Deref;

/// The first bytes of a Parquet file, and the last ones.
pub const PARQUET: &[u8; 4] = b"PAR1";

/// Bytes of a file, which has them.
pub fn bytes(file: &File, start: u64, length: u64) -> Result<impl Deref<Target = [u8]> + use<>, String> {
    let length = usize::try_from(length).map_err(|error| error.to_string())?;
    file.get_bytes(start, length).map_err(|error| error.to_string())
}
