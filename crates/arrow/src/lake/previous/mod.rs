//! Tables of an earlier run, in files that a stranger may have written.

mod arrow;
mod file_bytes;
mod heads;
mod parquet;
mod views;

use super::known::Known;
use super::options::Options;
use crate::guarded::reading;
use file_bytes::{PARQUET, bytes};
use std::fs::File;
use std::path::Path;

/// The first bytes of an Arrow file. A stream begins after them and some zero bytes.
const ARROW_FILE: &[u8; 6] = b"ARROW1";

/// The bytes in which the stream of an Arrow file begins.
const BEGINNING: u64 = 128;

impl Known {
    /// Adds the rows of a file: Parquet, or an Arrow file or stream. See [`Known::add`]. What Arrow's readers allocate for it is
    /// bounded by `most` too.
    ///
    /// # Errors
    /// A sentence on a file that cannot be read, or that does not serve.
    pub fn read(&mut self, path: &Path, options: &Options, most: u64) -> Result<bool, String> {
        let read = || Ok(self.read_file(path, options, most));
        reading(read).map_err(|error| error.to_string())?
    }

    fn read_file(&mut self, path: &Path, options: &Options, most: u64) -> Result<bool, String> {
        let words = |error: std::io::Error| error.to_string();
        // A pipe has no end that is known beforehand.
        if !std::fs::metadata(path).map_err(words)?.is_file() {
            return Err("it is not a file".to_owned());
        }
        let file = File::open(path).map_err(words)?;
        let length = file.metadata().map_err(words)?.len();
        let left = self.left(most);
        if length > left {
            return Err(format!("it has {length} bytes, but the memory limit leaves {left}"));
        }
        let head = bytes(&file, 0, length.min(BEGINNING))?;
        if head.starts_with(PARQUET) {
            self.read_parquet(file, length, options, most)
        } else {
            let rest = head.strip_prefix(ARROW_FILE).unwrap_or(&head);
            let zeros = rest.iter().take_while(|byte| **byte == 0).count();
            let start = head.len() - rest.len() + zeros;
            let (mut batches, is_whole) = arrow::open(path, file, start as u64, length)?;
            Ok(self.add(&mut batches, options, most)? && is_whole)
        }
    }
}
