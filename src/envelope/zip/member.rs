//! Members: files of a known format in an archive or a store.

use super::claims::Claims;
use crate::findings::finding::Finding;
use crate::format::Format;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A file of a known format in an archive or a store, as the directory describes it.
#[derive(Debug)]
pub struct Member {
    pub(super) name: Arc<str>,
    pub(super) length: u64,
    pub(super) format: Option<Format>,
    pub(super) place: Place,
}

/// The place of a member.
#[derive(Debug)]
pub(super) enum Place {
    /// An entry of a zip archive.
    Entry {
        claims: Claims,
        packed: Range<u64>,
        /// The reason why it cannot be unpacked, if that is known already.
        flaw: Option<Box<Finding>>,
    },
    /// A file, or the folder of a sparse frame.
    File(PathBuf),
}

impl Member {
    /// The bytes of its data in the archive, or `None` if it is a file of a folder.
    pub(crate) fn packed(&self) -> Option<&Range<u64>> {
        match &self.place {
            Place::Entry { packed, .. } => Some(packed),
            Place::File(_) => None,
        }
    }

    /// The name of the entry, as it is in the archive, or the path inside the folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes of the member, as the directory declares.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Its format, or `None` if it is damaged or its content contradicts its name.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }
}
