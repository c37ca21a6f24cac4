//! Repairs safetensors files.

use super::tensors::{self, directory};
use super::{Attempt, Mend, Mended};
use crate::findings::finding::Finding;
use crate::tensors::directory::{Directory, Tensor};
use crate::tensors::rules;
use serde_json::{Map, Value, json};

pub(super) const MENDS: &[Mend] = &[
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The tensors that the file has as a whole are kept, and the others are taken out of the header. If the file has bytes of \
              one of those, this needs `--drop`.",
        mend: whole_tensors,
    },
    Mend {
        rule: &rules::TRAILING_BYTES,
        doc: "What follows the last tensor is cut, with `--drop`.",
        mend: without_rest,
    },
    Mend {
        rule: &rules::DUPLICATE_NAME,
        doc: "The header is written anew, with the last entry of each name, as the reference reader reads it.",
        mend: plain_header,
    },
];

/// Builds a file with the same metadata and these tensors, which are the first ones in the file.
fn written(directory: &Directory, tensors: &[&Tensor], bytes: &[u8]) -> Option<Vec<u8>> {
    let start = directory.data.as_ref()?.start;
    let mut header = Map::new();
    if !directory.metadata.is_empty() {
        let texts = directory.metadata.iter().map(|(name, value)| (name.clone(), Value::from(value.as_str())));
        header.insert("__metadata__".to_owned(), Value::Object(texts.collect()));
    }
    let mut end = 0;
    for tensor in tensors {
        let declared = tensor.declared.as_ref()?;
        let offsets = [tensor.place.start - start, tensor.place.end - start];
        end = end.max(offsets[1]);
        let (dtype, shape) = (declared.tensor_type.name, &declared.shape);
        header.insert(tensor.name.to_string(), json!({ "dtype": dtype, "shape": shape, "data_offsets": offsets }));
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.extend(std::iter::repeat_n(b' ', header.len().next_multiple_of(8) - header.len()));
    let data = bytes.get(usize::try_from(start).ok()?..)?.get(..usize::try_from(end).ok()?)?;
    Some([&(header.len() as u64).to_le_bytes(), &*header, data].concat())
}

fn whole_tensors(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    tensors::whole_tensors(bytes, written)
}

fn without_rest(finding: &Finding, bytes: &[u8]) -> Option<Attempt> {
    Some(Mended::cut(bytes, finding.offset, 0, "what follows the last tensor")?.into())
}

fn plain_header(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let directory = directory(bytes)?;
    let tensors: Vec<&Tensor> = directory.tensors.iter().collect();
    let end = tensors.iter().map(|tensor| tensor.place.end).max()?;
    // Bytes after the last tensor break a different rule.
    let rest = bytes.get(usize::try_from(end).ok()?..)?;
    let mended = [written(&directory, &tensors, bytes)?, rest.to_vec()].concat();
    Some(Mended::new(mended, "the header is written anew, with each name once").into())
}
