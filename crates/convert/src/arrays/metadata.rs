//! The metadata of an array.

use super::attributes::{all_of_zarr, lost_in_b2nd, of_source, with_attributes};
use super::part::ArraySource;
use crate::error::{Loss, Result};
use crate::kind::FileKind;
use ndbytes::{Array, b2nd};
use ndbytes_compare::digest;

/// The metadata that a file type cannot hold.
pub fn losses(kind: FileKind, parts: &[&ArraySource<'_>]) -> Result<Vec<Loss>> {
    let is_one = parts.len() == 1;
    let loss = |what: String, part: &ArraySource<'_>| Loss::left_out(kind, &what, part.name());
    let of_part = |part: &ArraySource<'_>| -> Vec<Loss> {
        match part.array() {
            Some(Array::B2nd(array)) if kind != FileKind::B2nd || !is_one => {
                let metalayers = array.metalayer_names().into_iter().map(|name| format!("the metalayer {name:?}"));
                let attributes = array.attribute_names().into_iter().map(|name| format!("the attribute {name:?}"));
                metalayers.chain(attributes).map(|what| loss(what, part)).collect()
            }
            Some(Array::RawArray(array)) if kind != FileKind::RawArray || !is_one => {
                match array.header().metadata.length {
                    0 => Vec::new(),
                    bytes => vec![loss(format!("the {bytes} bytes of metadata"), part)],
                }
            }
            _ => Vec::new(),
        }
    };
    let mut losses = Vec::new();
    for part in parts {
        match (kind, part.zarr()) {
            (FileKind::Zarr | FileKind::ZarrZip, _) if is_one => {
                losses.extend(of_source(part)?.others.into_iter().map(|what| loss(what, part)));
            }
            (FileKind::B2nd, Some(_)) if is_one => {
                losses.extend(lost_in_b2nd(part).into_iter().map(|what| loss(what, part)));
            }
            (_, Some(array)) => losses.extend(all_of_zarr(array).into_iter().map(|what| loss(what, part))),
            _ => losses.extend(of_part(part)),
        }
        let unwritten = part.array().map_or(Ok(0), digest::unwritten_items)?;
        if unwritten > 0 {
            let what = format!("the mark of {unwritten} uninitialised items, which become 0,");
            losses.push(loss(what, part));
        }
    }
    Ok(losses)
}

/// Creates a writer that keeps the metadata of the source.
pub fn b2nd_writer(source: Option<&ArraySource<'_>>) -> Result<b2nd::Writer> {
    let mut writer = b2nd::Writer::new();
    if let Some(Array::B2nd(array)) = source.and_then(ArraySource::array) {
        for name in array.metalayer_names() {
            writer = writer.metalayer_bytes(&name, array.metalayer(&name)?)?;
        }
        for name in array.attribute_names() {
            writer = writer.attribute_bytes(&name, array.attribute(&name)?)?;
        }
    }
    source.map_or(Ok(writer.clone()), |part| with_attributes(writer, part))
}
