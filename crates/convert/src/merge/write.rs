//! Writes a merged array in the format of our version.

use super::metadata::Metadata;
use super::options::Options;
use crate::arrays::part::ArraySource;
use crate::arrays::view::{Order, View};
use crate::error::{Error, Result};
use crate::kind::FileKind;
use ndbytes::{Array, Input, ItemType, Plain, b2nd, idx, npy, rawarray};

/// The names in a list of metadata: the prefixes of metalayers and attributes, and the name of RawArray's metadata.
pub const METALAYER: &str = "metalayer ";
pub const ATTRIBUTE: &str = "attribute ";
pub const TRAILING: &str = "metadata after the elements";

/// Writes a file like `ours`, in the same format and encoding, with other items (in C order) and other metadata.
pub fn write(
    ours: &Array<'_>,
    shape: &[usize],
    items: &[u8],
    metadata: &Metadata<Vec<u8>>,
    options: &Options,
) -> Result<Vec<u8>> {
    let (item_type, limits) = (ours.item_type(), &options.limits);
    if let Array::B2nd(array) = ours {
        let mut writer = b2nd::Writer::like(array).limits(*limits);
        for (name, bytes) in metadata {
            if let Some(name) = name.strip_prefix(METALAYER) {
                writer = writer.metalayer_bytes(name, bytes.as_slice())?;
            } else if let Some(name) = name.strip_prefix(ATTRIBUTE) {
                writer = writer.attribute_bytes(name, bytes.as_slice())?;
            }
        }
        return Ok(writer.bytes_to_vec(shape, &item_type, items)?);
    }
    let is_subarray = matches!(item_type, ItemType::Subarray(_));
    let plain = Plain::new(Input::from_slice(items, *limits), 0, item_type, shape.to_vec())?;
    let source = ArraySource::plain("the merged array", &plain);
    let (sources, reading) = ([&source], crate::options::Options::new().limits(*limits));
    let view = View::new(&sources, 0, &reading)?;
    let mut bytes = Vec::new();
    match ours {
        Array::Idx(_) => {
            let writer = idx::Writer::new().scalars(shape.is_empty());
            writer.write_items_to(&mut bytes, &mut *view.items(Order::C)?, limits)?;
        }
        Array::RawArray(_) => {
            let trailing = metadata.get(TRAILING).cloned().unwrap_or_default();
            let writer = rawarray::Writer::new().metadata(trailing);
            writer.write_items_to(&mut bytes, &mut *view.items(Order::Fortran)?, limits)?;
        }
        Array::Safetensors(_) | Array::Gguf(_) => {
            let kind = if matches!(ours, Array::Gguf(_)) { FileKind::Gguf } else { FileKind::Safetensors };
            let what = "a merge of tensors: convert them, or merge files of one array".to_owned();
            return Err(Error::Refused { kind, what });
        }
        _ => {
            // Items that are themselves arrays add their axes at the end, which only C order allows.
            let is_fortran = ours.is_fortran_order() && !is_subarray;
            let mut items = view.items(if is_fortran { Order::Fortran } else { Order::C })?;
            npy::Writer::new().fortran_order(is_fortran).write_items_to(&mut bytes, &mut *items, limits)?;
        }
    }
    Ok(bytes)
}
