//! Batches through Arrow's C stream, for other languages in the same process.

use super::Table;
use crate::error::Result;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;

impl Table {
    /// All batches as a C stream. A panic becomes an error of the stream.
    ///
    /// # Errors
    /// As for [`Table::batches`].
    pub fn stream(&self) -> Result<FFI_ArrowArrayStream> {
        Ok(FFI_ArrowArrayStream::new(Box::new(self.batches()?)))
    }
}
