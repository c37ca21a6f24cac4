//! safetensors: tensors and their directory. `cargo run -p everybyte-tests --example safetensors -- explain FILE`
//!
//! Source: the part "Format" of the README of huggingface/safetensors.

use everybyte::{
    Format, layout,
    list::rest,
    text::{Json, Text},
};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A directory in JSON, and the tensors.
#[layout]
#[brw(little)]
pub struct SafeTensors {
    #[br(temp)]
    #[layout(rule("safetensors/length", error, length <= 100_000_000, "a directory has at most 100 MB"))]
    length: u64,
    #[br(count = length)]
    #[layout(examples("{}", r#"{"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}}"#))]
    #[layout(examples(r#"{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4]},"b":{"dtype":"I64","shape":[2,2],"data_offsets":[4,36]}}"#))]
    #[layout(examples(r#"{"__metadata__":{"by":"nobody"},"b":{"dtype":"BF16","shape":[0,5],"data_offsets":[0,0]}}"#))]
    #[layout(rule("safetensors/directory", error, directory.all::<Directory>("").len() == 1, "it does not say what the tensors are"))]
    #[layout(rule("safetensors/size", error, directory.all::<Entry>("/*").iter().all(|entry| entry.shape.iter().product::<u64>() * entry.dtype as u64 == entry.data_offsets[1] - entry.data_offsets[0]), "a tensor does not have the bytes of its elements"))]
    directory: Text<Json>,
    #[layout(each(entry in directory.all::<Entry>("/*")), at = entry.data_offsets[0], size = entry.data_offsets[1] - entry.data_offsets[0], after = directory)]
    tensors: Vec<Tensor>,
}

/// The directory.
#[derive(Deserialize)]
struct Directory {
    #[serde(rename = "__metadata__")]
    _facts: Option<BTreeMap<String, String>>,
    #[serde(flatten)]
    _tensors: BTreeMap<String, Entry>,
}

/// A tensor in the directory. Its offsets are relative to the end of the directory.
#[derive(Deserialize)]
struct Entry {
    dtype: Element,
    shape: Vec<u64>,
    data_offsets: [u64; 2],
}

/// The types of elements, grouped by their size in bytes.
#[derive(Clone, Copy, Deserialize)]
enum Element {
    #[serde(rename = "U8", alias = "I8", alias = "BOOL", alias = "F8_E4M3", alias = "F8_E5M2")]
    One = 1,
    #[serde(rename = "U16", alias = "I16", alias = "F16", alias = "BF16")]
    Two = 2,
    #[serde(rename = "U32", alias = "I32", alias = "F32")]
    Four = 4,
    #[serde(rename = "U64", alias = "I64", alias = "F64")]
    Eight = 8,
}

/// The elements of a tensor.
#[layout]
struct Tensor {
    #[layout(payload)]
    #[br(parse_with = rest)]
    elements: Vec<u8>,
}

impl Format for SafeTensors {
    const NAME: &'static str = "safetensors";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<SafeTensors>()
}
