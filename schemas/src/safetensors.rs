//! safetensors: the tensors of a file after a JSON header.
//!
//! Source of the rules: the section "Format" in the README of huggingface/safetensors. The header states the name, type, shape and offsets
//! of each tensor. A reader must parse it to locate the rest of the file.

use crate::npy::Text;
use everybyte::{
    bytes::{Region, Rest},
    layout,
};

/// A file of tensors.
#[layout]
#[brw(little)]
#[br(import { data: u64 = u64::MAX })]
pub struct SafeTensors {
    /// Bytes of the header.
    #[layout(extent = header)]
    #[br(temp)]
    length: u64,
    /// A JSON object with the type, shape and offsets of each tensor, by name.
    #[br(args { length })]
    pub header: Text<true>,
    /// The elements of all tensors. Offsets in the header count from here.
    #[layout(payload)]
    #[br(args { length: data })]
    pub tensors: Region,
    /// Any further bytes; valid files have none.
    pub trailing: Rest,
}

impl SafeTensors {
    /// The maximum length of a header in bytes.
    pub const LONGEST_HEADER: u64 = 100_000_000;

    /// The number of bytes before the header.
    pub const PREFIX: usize = 8;
}
