//! Frames around chunks of any kind, for fuzz targets.

use super::draft::{Draft, Place};
use ndbytes_schemas::blosc2::FrameType;
use ndbytes_schemas::blosc2::folder::FRAME_FILE;

/// A b2nd file of one chunk, whatever is in it. Along its only axis, the array has so many items, its chunk, and its blocks.
pub fn b2nd_of_chunk(axis: [u32; 3], item_size: u16, chunk: Vec<u8>) -> Vec<u8> {
    let dtype = format!("|V{item_size}");
    Draft::of_array(&[axis.map(i64::from)], item_size.into(), Some(dtype.as_bytes()), vec![chunk]).put_together()
}

/// A frame as a file, and as a folder: the same chunks in either.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BothFrames {
    /// The file.
    pub file: Vec<u8>,
    /// The files of the folder: their names, and their bytes.
    pub folder: Vec<(String, Vec<u8>)>,
}

impl BothFrames {
    /// The parts of a b2nd file, put together in both ways. `None` if they cannot be read, or if they would differ. An
    /// entry of the index that leads to no chunk is an offset in a file, and the number of a file in a folder.
    pub fn of(file: &[u8]) -> Option<Self> {
        let mut draft = Draft::take_apart(file)?;
        if draft.entries.iter().any(|entry| matches!(entry, Place::Other(0..))) {
            return None;
        }
        let reserved = draft.header.frame_type.raw() & 0xf0;
        draft.header.frame_type = FrameType::from_raw(reserved);
        let file = draft.put_together();
        draft.header.frame_type = FrameType::from_raw(reserved | 1);
        let mut folder = vec![(FRAME_FILE.to_owned(), draft.put_together())];
        folder.extend(draft.others());
        Some(BothFrames { file, folder })
    }
}
