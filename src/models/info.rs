//! A short description of a file or of one of its tensors.

use crate::bytes::declared::DeclaredTensor;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::findings::collect::refuse_errors;
use crate::findings::words::{abridged, bytes, counted};
use crate::format::info::{ArrayInfo, Info, MOST_METADATA, MetadataInfo};
use crate::format_driver::Described;
use crate::tensors::directory::Directory;
use crate::tensors::kind_or_first;
use crate::types::tensor_type::{Blocks, Reading};
use std::collections::BTreeMap;

/// Describes a file by its header.
pub(crate) fn info(mut input: Input<'_>, _: Limits) -> Described {
    let size = input.length();
    let mut info = Info {
        format: input.declared().map_or_else(|| kind_or_first(&input).format, |declared| declared.format),
        size,
        version: None,
        array: None,
        table: None,
        details: BTreeMap::new(),
        metadata: Vec::new(),
    };
    if let Some(declared) = input.declared().cloned() {
        describe(&declared, &mut info);
        return Ok((info, input.take_findings()));
    }
    let directory = Directory::read(&input)?;
    let warnings = refuse_errors(directory.findings)?;
    let elements = |declared: &DeclaredTensor| declared.shape.iter().fold(1_u64, |all, &axis| all.saturating_mul(axis));
    let declared = directory.tensors.iter().filter_map(|tensor| tensor.declared.as_deref());
    let all = declared.map(elements).fold(0, u64::saturating_add);
    info.details.extend([
        ("header", bytes(directory.header)),
        ("tensors", counted(directory.tensors.len() as u64, "tensor")),
        ("elements", counted(all, "element")),
    ]);
    info.details.extend(directory.facts);
    if let [tensor] = &*directory.tensors
        && let Some(declared) = &tensor.declared
    {
        describe(declared, &mut info);
        info.details.insert("name", abridged(&tensor.name));
    }
    let described = |(name, value): (String, String)| {
        let value = Some(abridged(value));
        MetadataInfo { kind: "metadata", name: abridged(name), value, flaw: None }
    };
    info.metadata = directory.metadata.into_iter().take(MOST_METADATA).map(described).collect();
    Ok((info, warnings))
}

/// Describes a tensor.
fn describe(declared: &DeclaredTensor, info: &mut Info) {
    let tensor_type = declared.tensor_type;
    let (dtype, note) = match tensor_type.reading {
        Reading::As(_) => (declared.dtype().descr(), None),
        Reading::Decoded(_) => (tensor_type.name.to_owned(), Some("read as <f4, which has all of its values")),
        Reading::Blocks(Blocks { decode: Some(_), .. }) => {
            (tensor_type.name.to_owned(), Some("decoded to <f4, as the reference reader does"))
        }
        Reading::Packed | Reading::Blocks(_) => {
            (tensor_type.name.to_owned(), Some("read as the bytes that hold the elements"))
        }
    };
    info.array = Some(ArrayInfo { shape: declared.shape.clone(), dtype, order: "C" });
    info.details.insert("type", tensor_type.name.to_owned());
    if let Some(note) = note {
        info.details.insert("reading", note.to_owned());
    }
}
