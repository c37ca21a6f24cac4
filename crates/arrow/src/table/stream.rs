//! Batches through Arrow's C stream, for other languages in the same process.

use super::ArrowTable;
use crate::error::{Error, Result};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;

impl ArrowTable {
    /// Returns all batches as a C stream. A panic becomes an error of the stream.
    ///
    /// # Errors
    /// As for [`ArrowTable::batches`]; also [`Error::Column`] if the name of a column contains U+0000, which ends a
    /// name in C.
    pub fn stream(&self) -> Result<FFI_ArrowArrayStream> {
        if let Some(field) = self.schema().fields().iter().find(|field| field.name().contains('\0')) {
            let what = "has U+0000 in its name, which C cannot represent: choose the other columns".into();
            return Err(Error::Column { column: field.name().clone(), what });
        }
        Ok(FFI_ArrowArrayStream::new(Box::new(self.batches()?)))
    }
}
