//! GGUF, a format for language models: metadata about the model, followed by named tensors.
//!
//! ```
//! # let mut bytes = b"GGUF\x03\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x04\0\0\0\0\0\0\0bias\x01\0\0\0".to_vec();
//! # bytes.extend([2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
//! # bytes.resize(64, 0);
//! # bytes.extend([0, 0, 128, 63, 0, 0, 0, 64]);
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("model.gguf");
//! # std::fs::write(&path, bytes).unwrap();
//! let bias = ndbytes::gguf::open(format!("{}!bias", path.display()))?;
//! assert_eq!((bias.type_name(), bias.to_array::<f32>()?[1]), ("F32", 2.0));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! A file with several tensors is an [`archive`](crate::archive) with the tensors as members. A file with one tensor is an array.
//! Shapes start with the slowest axis, as in NumPy, although that axis comes last in the file.
//!
//! Blocks of the types `Q4_0`, `Q4_1`, `Q5_0`, `Q5_1`, `Q8_0`, `Q4_K` and `Q6_K` are decoded to `f32`, with the same bits as the Python
//! package `gguf`. Blocks of other types are read as raw bytes.

use crate::format::Format;
use crate::format_driver::FormatDriver;
use crate::models::{answer, info};
use crate::tensors::gguf::rules;
use everybyte::reference::Book;
use ndbytes_schemas::gguf::Gguf;

pub use crate::models::open::{Options, Tensor, from_reader, from_slice, open};
pub use crate::tensors::gguf::rules::*;

/// The GGUF driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::Gguf,
    rules: &[rules::ALL],
    examine: answer::answer,
    info: info::info,
    layouts: ("as the version has it", || vec![Book::of::<Gguf>()]),
    promise: |_, _| None,
};
