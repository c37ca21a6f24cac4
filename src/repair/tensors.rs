//! Repairs files of tensors in any format.

use super::{Attempt, Mended, transport};
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::findings::words::{bytes as count_of_bytes, quoted};
use crate::tensors::directory::{Directory, Tensor};

/// The maximum number of tensor names that are listed.
const MOST_NAMES: usize = 8;

/// Writes a file with some of another file's tensors, given that file's bytes.
pub(super) type Written = fn(&Directory, &[&Tensor], &[u8]) -> Option<Vec<u8>>;

/// The directory of a file.
pub(super) fn directory(bytes: &[u8]) -> Option<Directory> {
    Directory::read(&Input::from_slice(bytes, Limits::default())).ok()
}

/// Keeps the tensors that are complete in the file.
pub(super) fn whole_tensors(bytes: &[u8], written: Written) -> Option<Attempt> {
    let directory = directory(bytes)?;
    let data = bytes.get(usize::try_from(directory.data.as_ref()?.start).ok()?..)?;
    let (whole, cut): (Vec<&Tensor>, Vec<&Tensor>) = directory.tensors.iter().partition(|tensor| tensor.flaw.is_none());
    let missing = |tensor: &&Tensor| tensor.length - (tensor.place.end - tensor.place.start);
    if let Some(refused) = transport::altered(bytes, data, cut.iter().map(missing).fold(0, u64::saturating_add)) {
        return Some(refused);
    }
    let mended = written(&directory, &whole, bytes)?;
    let names: Vec<String> = cut.iter().take(MOST_NAMES).map(|tensor| quoted(&tensor.name)).collect();
    let more = if cut.len() > MOST_NAMES { ", …" } else { "" };
    let done = format!("whole tensors are kept: {} of {}", whole.len(), directory.tensors.len());
    let present: u64 = cut.iter().map(|tensor| tensor.place.end - tensor.place.start).sum();
    let lost = format!("{}{more}", names.join(", "));
    let mended = Mended::new(mended, done);
    let mended = match present {
        0 => mended.giving_up(format!("{lost}, none of which is in the file")),
        present => mended.dropping(format!("{lost}, of which the file has {}", count_of_bytes(present))),
    };
    Some(mended.into())
}
