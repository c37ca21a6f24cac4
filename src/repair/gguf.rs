//! Repairs GGUF files.

use super::tensors;
use super::{Attempt, Mend};
use crate::findings::finding::Finding;
use crate::tensors::directory::{Directory, Tensor};
use crate::tensors::gguf::{header, rules};
use std::collections::HashSet;

pub(super) const MENDS: &[Mend] = &[Mend {
    rule: &rules::TRUNCATED_PAYLOAD,
    doc: "The tensors that the file has as a whole are kept, and the others are taken out of the directory. All facts stay. If the file has \
          bytes of one of those, this needs `--drop`.",
    mend: whole_tensors,
}];

/// Builds a file with the same metadata, and with these tensors at the same offsets.
fn written(directory: &Directory, tensors: &[&Tensor], bytes: &[u8]) -> Option<Vec<u8>> {
    // The names of tensors without a flaw are unique and valid UTF-8.
    let names: HashSet<&[u8]> = tensors.iter().map(|tensor| tensor.name.as_bytes()).collect();
    let is_flaw = |tensor: &&Tensor| tensor.flaw.as_ref().is_some_and(|flaw| *flaw.rule != rules::TRUNCATED_PAYLOAD);
    if directory.tensors.iter().any(|tensor| is_flaw(&tensor)) {
        return None;
    }
    let start = directory.data.as_ref()?.start;
    let end = tensors.iter().map(|tensor| tensor.place.end).fold(start, u64::max);
    let data = bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
    // Other bytes after the tensors belong to a tensor whose entry is invalid, in which case nothing was cut off.
    let cut = directory.tensors.iter().filter(|tensor| tensor.flaw.is_some()).map(|tensor| tensor.place.start).min()?;
    if cut != end.next_multiple_of(directory.alignment).min(bytes.len() as u64) {
        return None;
    }
    let (mut header, order) = header(bytes)?;
    header.directory.retain(|entry| names.contains(entry.name.text.bytes()));
    let mut file = everybyte::write(&header, order).ok()?;
    // The header was longer, so the file must be padded to the alignment.
    let padded = file.len().checked_next_multiple_of(usize::try_from(directory.alignment).ok()?)?;
    if padded > bytes.len() {
        return None;
    }
    file.extend(std::iter::repeat_n(0, padded - file.len()));
    file.extend(data);
    Some(file)
}

fn whole_tensors(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    tensors::whole_tensors(bytes, written)
}
