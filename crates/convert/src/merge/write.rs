//! Writing a merged array in the format of ours.

use super::metadata::Metadata;
use super::options::Options;
use crate::arrays::part::ArraySource;
use crate::arrays::view::{Order, View};
use crate::error::Result;
use ndbytes::{Array, Input, ItemType, Plain, b2nd, idx, npy, rawarray};

/// The words before the name of a metalayer and of an attribute, and the name of RawArray's metadata, in a list of metadata.
pub const METALAYER: &str = "metalayer ";
pub const ATTRIBUTE: &str = "attribute ";
pub const TRAILING: &str = "metadata after the elements";

/// A file of the format of `ours`, written as `ours` is, with other items in C order and with other metadata.
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
        _ => {
            // Items that are arrays of their own add their axes at the end, which only C order allows.
            let is_fortran = ours.is_fortran_order() && !is_subarray;
            let mut items = view.items(if is_fortran { Order::Fortran } else { Order::C })?;
            npy::Writer::new().fortran_order(is_fortran).write_items_to(&mut bytes, &mut *items, limits)?;
        }
    }
    Ok(bytes)
}
