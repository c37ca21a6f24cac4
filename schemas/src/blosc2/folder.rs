//! The files in the directory of a sparse frame.

/// The name of the file with the header, the index and the trailer, which is not a chunk.
pub const FRAME_FILE: &str = "chunks.b2frame";

/// The suffix of the name of a chunk file.
const CHUNK_SUFFIX: &str = ".chunk";

/// The name of a chunk file.
pub fn chunk_file(number: u64) -> String {
    format!("{number:08X}{CHUNK_SUFFIX}")
}

/// The number of the chunk in the file with this name; `None` if it is not a chunk file.
pub fn chunk_number(name: &str) -> Option<u64> {
    let number = u64::from_str_radix(name.strip_suffix(CHUNK_SUFFIX)?, 16).ok()?;
    (chunk_file(number) == name).then_some(number)
}
