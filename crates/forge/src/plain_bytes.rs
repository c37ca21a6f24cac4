//! Files in unknown formats, which are bytes without fields.

use everybyte::forge::Grammar;
use everybyte::map::Space;
use everybyte::{Endian, reference::Book};

/// The grammar for files of unknown kind.
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
