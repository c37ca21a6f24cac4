//! Tables of an earlier run, in files that may come from a stranger.
//!
//! A table from the last run is input like any other: it may be truncated, because the run was stopped, or made by a
//! stranger. A truncated table is used up to where it ends. Anything that does not look like our table is refused
//! before its content is decoded.

mod arrow;
mod file_bytes;
mod heads;
mod parquet;
mod views;

use super::known::Known;
use super::options::Options;
use crate::guarded::reading;
use file_bytes::{PARQUET, bytes};
use ndbytes::internals::door;
use std::path::Path;

/// The first bytes of an Arrow file. A stream begins after them and some zero bytes.
const ARROW_FILE: &[u8; 6] = b"ARROW1";

/// The number of bytes within which the stream of an Arrow file begins.
const BEGINNING: u64 = 128;

impl Known {
    /// Adds the rows of a file: Parquet, or an Arrow file or stream. See [`Known::add`]. The limits also bound what Arrow's readers
    /// allocate for it.
    ///
    /// # Errors
    /// Returns a message if the file cannot be read, or cannot be used with these options.
    pub fn read(&mut self, path: &Path, options: &Options) -> Result<bool, String> {
        let read = || Ok(self.read_file(path, options));
        reading(read).map_err(|error| error.to_string())?
    }

    fn read_file(&mut self, path: &Path, options: &Options) -> Result<bool, String> {
        let options = &options.limits(options.limits.started());
        let words = |error: std::io::Error| error.to_string();
        // The length of a pipe is not known beforehand.
        let file = door::regular(path).map_err(words)?;
        let length = file.metadata().map_err(words)?.len();
        let left = self.left(options.limits);
        if length > left {
            return Err(format!("it has {length} bytes, but the memory limit allows {left}"));
        }
        let head = bytes(&file, 0, length.min(BEGINNING))?;
        if head.starts_with(PARQUET) {
            self.read_parquet(file, length, options)
        } else {
            let rest = head.strip_prefix(ARROW_FILE).unwrap_or(&head);
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            let start = head.len() - rest.len() + zeros;
            let (mut batches, is_whole) = arrow::open(path, file, start as u64..length, options.limits)?;
            Ok(self.add(&mut batches, options)? && is_whole)
        }
    }
}
