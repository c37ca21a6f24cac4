//! Breakers of the rules about the array layer.

use super::bases::{array_of, hollow, item_type, plain, stored, whole};
use crate::b2nd::encode::Style;
use crate::b2nd::file_parts::FileParts;
use crate::b2nd::parts::{Layer, array_layer, stored_chunk};
use crate::b2nd::regrid;
use crate::forged_file::ForgedFile;
use everybyte::forge::Choices;
use ndbytes_schemas::b2nd::ArrayLayer;
use ndbytes_schemas::blosc2::{AxesHead, Codec, Int32, Int64, Name};

/// Metalayers of objects other than arrays.
const OBJECTS: [&[u8]; 4] = [b"b2o", b"LazyArray", b"vlarray", b"batcharray"];

/// Texts that are not dtypes.
const NO_DTYPES: [&[u8]; 6] = [b"", b"u", b"<q9", b"[('a', '<i4')", b"\xff\xfe", b"nothing"];

/// Creates a small array and changes its layer.
fn changed(choices: &mut Choices<'_>, change: impl FnOnce(&mut ArrayLayer, &mut Choices<'_>)) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let (_, mut layer) = draft.array_layer()?;
    change(&mut layer, choices);
    draft.set_array_layer(&layer);
    whole(&draft)
}

/// Creates a frame without the metalayer that makes it an array.
pub fn no_array(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    match choices.one_in(2) {
        true => draft.layers.clear(),
        false => draft.layers[0].name = Name::new(*choices.pick(&[b"B2nd", b"b2ne", b"arra"]))?,
    }
    whole(&draft)
}

/// Adds a metalayer that makes the frame another kind of object.
pub fn other_object(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    draft.layers.push(Layer::new(OBJECTS[choices.index(OBJECTS.len())], b"\x80".to_vec()));
    whole(&draft)
}

/// Adds bytes after the array layer.
pub fn array_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let length = choices.from_to(1, 9) as usize;
    draft.layers[0].content.extend(choices.bytes(length));
    whole(&draft)
}

/// Sets an undefined version of the array layer.
pub fn array_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |layer, choices| layer.version = choices.from_to(1, 127) as u8)
}

/// Creates more than 16 axes, the limit of C-Blosc2.
pub fn too_many_axes(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = FileParts::of_array(&[[1, 1, 1]], 1, Some(b"|u1"), vec![stored_chunk(1, 1, &choices.bytes(1))]);
    let count = choices.from_to(17, 31) as u8;
    let (_, mut layer) = draft.array_layer()?;
    layer.ndim = count;
    let head = AxesHead::new(count);
    layer.shape.head = head;
    layer.shape.extents = vec![Int64(1); count.into()];
    for inner in [&mut layer.chunk_shape, &mut layer.block_shape] {
        inner.head = head;
        inner.extents = vec![Int32(1); count.into()];
    }
    draft.set_array_layer(&layer);
    whole(&draft)
}

/// Sets a length of an axis that is zero or negative.
pub fn extents(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |layer, choices| {
        let number = choices.below(1000) as i32;
        match choices.below(3) {
            0 => layer.shape.extents[0] = Int64(-1 - i64::from(number)),
            1 => layer.chunk_shape.extents[0] = Int32(-number),
            _ => layer.block_shape.extents[0] = Int32(-number),
        }
    })
}

/// Makes a block longer than its chunk.
pub fn block_beyond_chunk(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let chunk = choices.from_to(2, 6) as i64;
    let axes = [[chunk * 2, chunk, chunk + choices.from_to(1, 4) as i64]];
    let item = item_type(choices);
    whole(&array_of(choices, &axes, item, |items, block| stored_chunk(item.1 as u8, block, items)))
}

/// Sets a chunk or block above the size limit of Blosc2, slightly less than 512 MiB per block.
pub fn too_large(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    // Either a block is too large, or a chunk is, with blocks of one item.
    let axis = match choices.one_in(2) {
        true => {
            let extent = 536_866_816 + choices.from_to(1, 1000) as i64;
            [1, extent, extent]
        }
        false => [1, i64::from(i32::MAX) - choices.below(32) as i64, 1],
    };
    whole(&hollow(&[axis], ("|u1", 1)))
}

/// Sets a chunk shape that implies a different number of chunks than the index has.
pub fn geometry(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = plain(choices, 2, 2);
    let (_, mut layer) = draft.array_layer()?;
    let axes = draft.axes()?;
    // One chunk fewer or more than the index has.
    let extent = axes[0][1] * if choices.one_in(2) { 1 } else { 3 };
    layer.shape.extents[0] = Int64(extent);
    draft.set_array_layer(&layer);
    whole(&draft)
}

/// Sets a dtype format other than NumPy's.
pub fn dtype_format(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    changed(choices, |layer, choices| {
        let format = choices.from_to(1, 127) as u8;
        layer.dtype.iter_mut().for_each(|dtype| dtype.format = format);
    })
}

/// Sets a text that is not a NumPy dtype.
pub fn dtype(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let text = *choices.pick(&NO_DTYPES);
    let axes = draft.axes()?;
    draft.set_array_layer(&array_layer(&axes, Some(text)));
    whole(&draft)
}

/// Sets a dtype whose size is not the item size of the frame.
pub fn item_size(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut draft = stored(choices);
    let text = *choices.pick(&["|S7", "<c16", "<U4", "|V3"]);
    let axes = draft.axes()?;
    draft.set_array_layer(&array_layer(&axes, Some(text.as_bytes())));
    whole(&draft)
}

/// Makes the padding of a partial block nonzero.
pub fn padding(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let block = choices.from_to(4, 8) as i64;
    let axes = [[block * 2 - 2, block, block]];
    let item = item_type(choices);
    let style = Style::plain(Codec::LZ4, 0);
    let draft = array_of(choices, &axes, item, |items, block| {
        let mut items = items.to_vec();
        // The first of the two items differs from the second.
        let last = items.len().checked_sub(item.1).filter(|_| items.ends_with(&[0]));
        last.into_iter().for_each(|last| items[last] = 7);
        regrid::chunk(&style, item.1, block, &items)
    });
    whole(&draft)
}
