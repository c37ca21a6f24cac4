//! What a file declares about the bytes of one of its tensors.

use crate::format::Format;
use crate::types::dtype::Dtype;
use crate::types::tensor_type::TensorType;
use everybyte::Endian;

/// The type and shape of a tensor, as declared by its file.
#[derive(Debug)]
pub struct DeclaredTensor {
    /// The format of the file.
    pub format: Format,
    /// The type of the elements.
    pub tensor_type: &'static TensorType,
    /// The byte order of numbers.
    pub order: Endian,
    /// The length of each axis, starting with the slowest.
    pub shape: Vec<u64>,
}

impl DeclaredTensor {
    /// The type that the elements have in the file, before any conversion.
    pub fn dtype(&self) -> Dtype {
        Dtype::new(self.tensor_type.kind(), self.order)
    }
}
