//! Files of no kind: bytes without fields.

use everybyte::forge::Grammar;
use everybyte::map::Space;
use everybyte::{Book, Endian};

/// The grammar of files of no kind.
pub(super) struct PlainBytes;

impl Grammar for PlainBytes {
    fn name(&self) -> &str {
        "unknown"
    }

    fn books(&self) -> &[Book] {
        &[]
    }

    fn byte_order(&self, _file: &[u8]) -> Endian {
        Endian::Little
    }

    fn map(&self, _file: &[u8]) -> Vec<Space> {
        Vec::new()
    }
}
