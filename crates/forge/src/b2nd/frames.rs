//! Frames around chunks of any kind, for fuzz targets.

use super::file_parts::{FileParts, Place};
use ndbytes_schemas::blosc2::FrameType;
use ndbytes_schemas::blosc2::folder::FRAME_FILE;

/// A b2nd file with a single chunk of any content. Its array has one axis. `axis` is the number of items in the array,
/// the chunk and the block.
///
/// ```
/// // A fuzz target for a decoder of chunks gets whole files that reach it.
/// let file = ndbytes_forge::b2nd_of_chunk([4, 4, 4], 1, vec![0; 32]);
/// assert!(ndbytes::Checker::new().check_slice(&file)?.findings().len() > 0); // zeros are not a chunk
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub fn b2nd_of_chunk(axis: [u32; 3], item_size: u16, chunk: Vec<u8>) -> Vec<u8> {
    let dtype = format!("|V{item_size}");
    FileParts::of_array(&[axis.map(i64::from)], item_size.into(), Some(dtype.as_bytes()), vec![chunk]).put_together()
}

/// The same frame as a file and as a directory.
///
/// ```
/// use ndbytes_forge::BothFrames;
///
/// let file = std::fs::read("../../samples/temperatures.b2nd").unwrap();
/// let frames = BothFrames::of(&file).expect("a regular frame");
/// assert_eq!(frames.folder[0].0, "chunks.b2frame"); // then one file per chunk
/// assert!(frames.folder[0].1.len() < frames.file.len());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct BothFrames {
    /// The file.
    pub file: Vec<u8>,
    /// The files of the directory: names and bytes.
    pub folder: Vec<(String, Vec<u8>)>,
}

impl BothFrames {
    /// Assembles the parts of a b2nd file in both ways. `None` if they cannot be read, or if the results would differ, because an
    /// index entry that does not point to a chunk is an offset in a file, but the number of a file in a directory.
    pub fn of(file: &[u8]) -> Option<Self> {
        let mut draft = FileParts::take_apart(file)?;
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
