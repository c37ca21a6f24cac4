//! The files in the folder of a sparse frame.

/// The name of the file that is not a chunk: header, index and trailer.
pub const FRAME_FILE: &str = "chunks.b2frame";

/// The end of the name of a chunk's file.
const CHUNK_SUFFIX: &str = ".chunk";

/// The name of a chunk's file.
pub fn chunk_file(number: u64) -> String {
    format!("{number:08X}{CHUNK_SUFFIX}")
}

/// The number of the chunk that a file of this name holds, or `None` if it is not a chunk's name.
pub fn chunk_number(name: &str) -> Option<u64> {
    let number = u64::from_str_radix(name.strip_suffix(CHUNK_SUFFIX)?, 16).ok()?;
    (chunk_file(number) == name).then_some(number)
}
