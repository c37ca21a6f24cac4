//! The directory of a file of tensors.

use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::bytes::limits::Budget;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::format::Format;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A file that was read and checked.
#[derive(Debug, Default)]
pub(crate) struct Directory {
    /// The length of the header in bytes, without the fixed bytes before it.
    pub header: u64,
    /// The range of the tensors according to the header, if the header could be read. It may extend beyond the end of the file.
    pub data: Option<Range<u64>>,
    /// Gaps of fewer bytes than this, before a tensor or after the last one, are padding. It is zero for a format without padding.
    pub alignment: u64,
    /// The tensors, in the order of their bytes, including those that have a flaw.
    pub tensors: Vec<Tensor>,
    /// The metadata, sorted by name.
    pub metadata: Vec<(String, String)>,
    /// Other named facts for the description of a file.
    pub facts: Vec<(&'static str, String)>,
    /// True if the header describes the tensors.
    pub is_readable: bool,
    pub findings: Vec<Finding>,
}

/// A tensor, as described in the header.
#[derive(Debug)]
pub(crate) struct Tensor {
    pub name: Arc<str>,
    /// The format of the file.
    pub format: Format,
    /// The type and the shape, if they are known.
    pub declared: Option<Arc<DeclaredTensor>>,
    /// The range of its bytes, as far as the file contains them.
    pub place: Range<u64>,
    /// The length in bytes that it should have.
    pub length: u64,
    /// The reason why it cannot be read.
    pub flaw: Option<Box<Finding>>,
    /// Findings that do not prevent reading it.
    pub warnings: Vec<Finding>,
}

impl Directory {
    /// The only tensor of the file, if it has exactly one.
    pub fn only(self) -> Option<Tensor> {
        let [tensor] = <[Tensor; 1]>::try_from(self.tensors).ok()?;
        Some(tensor)
    }
}

impl Tensor {
    /// Opens its bytes as a separate input with the name `address`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if it has a flaw; [`Error::Limit`]; [`Error::Io`].
    pub fn open(&self, file: &Input<'_>, address: PathBuf, budget: Budget) -> Result<Input<'static>> {
        match (&self.flaw, &self.declared) {
            (Some(flaw), _) => Err(Error::Invalid(flaw.clone())),
            (None, Some(declared)) => {
                Input::tensor(file, self.place.clone(), address, budget, declared.clone(), &self.warnings)
            }
            (None, None) => unreachable!("a tensor of an unknown type has a flaw"),
        }
    }
}
