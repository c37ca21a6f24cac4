//! The bytes of files of an earlier run.

use ::parquet::file::reader::ChunkReader;
use std::fs::File;
use std::ops::Deref;

/// The first and the last bytes of a Parquet file.
pub const PARQUET: &[u8; 4] = b"PAR1";

/// Returns the bytes at an offset of a file, which must exist.
pub fn bytes(file: &File, start: u64, length: u64) -> Result<impl Deref<Target = [u8]> + use<>, String> {
    let length = usize::try_from(length).map_err(|error| error.to_string())?;
    file.get_bytes(start, length).map_err(|error| error.to_string())
}
