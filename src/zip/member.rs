//! Members, which are files of known formats in an archive or a store.

use super::directory_claims::DirectoryClaims;
use crate::findings::finding::Finding;
use crate::format::Format;
use crate::tensors::directory::Tensor;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A file of a known format in an archive or store, as the directory describes it.
///
/// ```
/// use ndbytes::archive::Archive;
/// use ndbytes::{Format, Input, Limits};
/// # let header = br#"{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}       "#;
/// # let mut file = (header.len() as u64).to_le_bytes().to_vec();
/// # file.extend(header);
/// # file.extend([1, 2, 3]);
///
/// let limits = Limits::default();
/// let model = Archive::read(Input::from_slice(&file, limits), limits)?; // a safetensors file of two tensors
/// let tensor = &model.members()[0];
/// assert_eq!((tensor.name(), tensor.length(), tensor.format()), ("a", 2, Some(Format::Safetensors)));
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug)]
pub struct Member {
    pub(super) name: Arc<str>,
    pub(super) length: u64,
    pub(super) format: Option<Format>,
    pub(super) place: Place,
}

/// The position of a member.
#[derive(Debug)]
pub(super) enum Place {
    /// An entry of a zip archive.
    Entry {
        claims: DirectoryClaims,
        packed: Range<u64>,
        /// The reason why the entry cannot be unpacked, if this is already known.
        flaw: Option<Box<Finding>>,
    },
    /// A file, or the directory of a sparse frame.
    File(PathBuf),
    /// A tensor in a file.
    Tensor(Tensor),
}

impl Member {
    /// Returns the range of its data in the archive, or `None` if it is a file in a directory.
    pub(crate) fn packed(&self) -> Option<&Range<u64>> {
        match &self.place {
            Place::Entry { packed, .. } => Some(packed),
            Place::File(_) | Place::Tensor(_) => None,
        }
    }

    /// The name of the entry in the archive, or the path inside the directory.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The length of the member in bytes, according to the directory.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The format of the member, or `None` if it is damaged or its content contradicts its name.
    pub fn format(&self) -> Option<Format> {
        self.format
    }

    /// The position of a tensor in its file; `None` for any other member.
    #[doc(hidden)]
    pub fn place_of_tensor(&self) -> Option<Range<u64>> {
        match &self.place {
            Place::Tensor(tensor) => Some(tensor.place.clone()),
            Place::Entry { .. } | Place::File(_) => None,
        }
    }

    /// The name, shared with the report.
    pub(crate) fn shared_name(&self) -> Arc<str> {
        self.name.clone()
    }
}
