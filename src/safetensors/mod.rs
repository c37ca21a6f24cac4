//! safetensors, a format for machine learning models: named tensors after a JSON header.
//!
//! ```
//! # let header = br#"{"bias":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"step":{"dtype":"I64","shape":[],"data_offsets":[8,16]}}   "#;
//! # let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
//! # bytes.extend(header);
//! # bytes.extend([0, 0, 128, 63, 0, 0, 0, 64, 7, 0, 0, 0, 0, 0, 0, 0]);
//! # let folder = tempfile::tempdir().unwrap();
//! # let path = folder.path().join("model.safetensors");
//! # std::fs::write(&path, bytes).unwrap();
//! use ndbytes::archive::Archive;
//! use ndbytes::{Limits, safetensors};
//!
//! let model = Archive::open(&path, Limits::default())?;
//! let names: Vec<&str> = model.members().iter().map(|tensor| tensor.name()).collect();
//! assert_eq!(names, ["bias", "step"]);
//!
//! let bias = safetensors::open(format!("{}!bias", path.display()))?;
//! assert_eq!((bias.type_name(), bias.to_array::<f32>()?[1]), ("F32", 2.0));
//! # Ok::<(), ndbytes::Error>(())
//! ```
//!
//! A file with several tensors is an [`archive`](crate::archive) with the tensors as members. A file with one tensor is an array. 8-bit
//! floats are read as `f32`, which can represent all of their values. 4-bit and 6-bit floats are read as raw bytes.

use crate::format::Format;
use crate::format_driver::FormatDriver;
use crate::models::{answer, info};
use crate::tensors::rules;
use everybyte::reference::Book;
use ndbytes_schemas::safetensors::SafeTensors;

pub use crate::models::open::{Options, Tensor, from_reader, from_slice, open};
pub use crate::tensors::rules::*;

/// The safetensors driver, which is used by the functions that accept files of any format.
pub(crate) static DRIVER: FormatDriver = FormatDriver {
    format: Format::Safetensors,
    rules: &[rules::ALL],
    examine: answer::answer,
    info: info::info,
    layouts: ("little-endian", || vec![Book::of::<SafeTensors>()]),
    promise: |_, _| None,
};
