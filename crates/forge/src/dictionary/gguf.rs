//! The words of GGUF.

use super::words::Dictionary;
use everybyte::Endian;
use ndbytes_schemas::gguf::Gguf;

/// Returns the words of GGUF.
pub(super) fn gguf() -> Dictionary {
    const WORDS: [&[u8]; 8] = [
        b"GGUF\x03\x00\x00\x00",
        b"GGUF\x00\x00\x00\x03",
        b"general.alignment\x04\x00\x00\x00",
        b"general.architecture\x08\x00\x00\x00",
        b"\x09\x00\x00\x00\x08\x00\x00\x00",
        b"\x09\x00\x00\x00\x09\x00\x00\x00",
        b"\x01\x00\x00\x00\x20\x00\x00\x00\x00\x00\x00\x00",
        b"blk.0.weight",
    ];
    let mut dictionary = Dictionary::default();
    dictionary.layout::<Gguf>(&[Endian::Little, Endian::Big]);
    for (number, word) in WORDS.iter().enumerate() {
        dictionary.add(format!("word_{number}"), word.to_vec());
    }
    dictionary
}
