//! safetensors: tensors and their directory. `cargo run -p everybyte --example safetensors -- explain FILE`
//!
//! Source: the part "Format" of the README of huggingface/safetensors.

use everybyte::{Format, Text, layout, rest};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::ops::Range;

/// A directory in JSON, and the tensors, one after the other.
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
    #[layout(rule("safetensors/directory", error, places(&directory).is_some(), "it does not say where tensors stand, one after the other"))]
    directory: Text,
    #[layout(each(tensor in places(&directory).unwrap_or_default()), at = tensor.start, size = tensor.end - tensor.start, after = directory)]
    tensors: Vec<Tensor>,
}

/// The elements of a tensor.
#[layout]
struct Tensor {
    #[layout(payload)]
    #[br(parse_with = rest)]
    elements: Vec<u8>,
}

/// The bytes of each tensor after the directory, in their order.
fn places(directory: &Text) -> Option<Vec<Range<u64>>> {
    let all: BTreeMap<String, Json> = serde_json::from_slice(directory.bytes()).ok()?;
    let all = all.iter().filter(|(name, _)| *name != "__metadata__");
    let mut all = all.map(|(_, tensor)| bytes(tensor)).collect::<Option<Vec<_>>>()?;
    all.sort_by_key(|bytes| bytes.end);
    let follows = |reached: u64, bytes: &Range<u64>| (bytes.start == reached).then_some(bytes.end);
    all.iter().try_fold(0, follows).map(|_| all)
}

/// The bytes of a tensor, which are as many as its elements have.
fn bytes(tensor: &Json) -> Option<Range<u64>> {
    let numbers = |key: &str| tensor[key].as_array()?.iter().map(Json::as_u64).collect::<Option<Vec<u64>>>();
    let element = match tensor["dtype"].as_str()? {
        "BOOL" | "U8" | "I8" | "F8_E4M3" | "F8_E5M2" => 1,
        "U16" | "I16" | "F16" | "BF16" => 2,
        "U32" | "I32" | "F32" => 4,
        "U64" | "I64" | "F64" => 8,
        _ => return None,
    };
    let length = numbers("shape")?.into_iter().try_fold(element, u64::checked_mul)?;
    let &[start, end] = numbers("data_offsets")?.as_slice() else { return None };
    (start.checked_add(length) == Some(end)).then_some(start..end)
}

impl Format for SafeTensors {
    const NAME: &'static str = "safetensors";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<SafeTensors>()
}
