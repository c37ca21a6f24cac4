//! Stored blocks: uncompressed, deflate streams, and zlib streams.

use crate::deflate::{deflated, inflated, plainly_deflated};
use everybyte::forge::Choices;
use ndbytes_schemas::idv::Compression;

/// The first bytes of a zlib stream.
const ZLIB: [u8; 2] = [0x78, 0x01];

/// The length of the checksum after it.
const SUM: usize = 4;

/// Stores bytes with a compression; `None` if it is not defined.
pub(super) fn pack(bytes: &[u8], compression: Compression) -> Option<Vec<u8>> {
    packed(bytes, compression, plainly_deflated)
}

/// Stores bytes with a compression, in a random encoding; `None` if the compression is not defined.
pub(super) fn pack_anyhow(choices: &mut Choices<'_>, bytes: &[u8], compression: Compression) -> Option<Vec<u8>> {
    // Dynamic codes take more bytes than a small block has.
    let is_plain = !choices.one_in(4);
    packed(bytes, compression, |bytes| if is_plain { plainly_deflated(bytes) } else { deflated(choices, bytes) })
}

fn packed(bytes: &[u8], compression: Compression, deflated: impl FnOnce(&[u8]) -> Vec<u8>) -> Option<Vec<u8>> {
    match compression {
        Compression::NONE => Some(bytes.to_vec()),
        Compression::DEFLATE => Some(deflated(bytes)),
        Compression::ZLIB => Some([&ZLIB[..], &deflated(bytes), &adler(bytes).to_be_bytes()].concat()),
        _ => None,
    }
}

/// Returns the bytes that were stored with a compression, at most `most`; `None` if they cannot be decoded completely.
pub(super) fn unpack(stored: &[u8], compression: Compression, most: usize) -> Option<Vec<u8>> {
    let (stream, after) = match compression {
        Compression::NONE => return (stored.len() <= most).then(|| stored.to_vec()),
        Compression::DEFLATE => (stored, 0),
        Compression::ZLIB => (stored.get(ZLIB.len()..)?, SUM),
        _ => return None,
    };
    let (bytes, consumed) = inflated(stream, most)?;
    (consumed + after == stream.len()).then_some(bytes)
}

fn adler(bytes: &[u8]) -> u32 {
    let (low, high) = bytes.iter().fold((1_u32, 0_u32), |(low, high), &byte| {
        let low = (low + u32::from(byte)) % 65521;
        (low, (high + low) % 65521)
    });
    high << 16 | low
}

#[cfg(test)]
mod tests {
    use super::{pack, pack_anyhow, unpack};
    use everybyte::forge::Choices;
    use ndbytes_schemas::idv::Compression;

    #[test]
    fn stored_bytes_are_the_same_unpacked() {
        let bytes: Vec<u8> = (0..=255).chain([7; 1000]).chain((0..600).map(|byte| (byte % 37) as u8)).collect();
        let mut choices = Choices::seeded(1);
        for length in [0, 1, 2, 3, 255, 300, 1500, bytes.len()] {
            for compression in [Compression::NONE, Compression::DEFLATE, Compression::ZLIB] {
                let bytes = &bytes[..length];
                for packed in [pack(bytes, compression), pack_anyhow(&mut choices, bytes, compression)] {
                    assert_eq!(unpack(&packed.unwrap(), compression, 4096).as_deref(), Some(bytes));
                }
            }
        }
    }

    #[test]
    fn stored_bytes_over_the_limit_are_not_unpacked() {
        let packed = pack(&[0; 5000], Compression::DEFLATE).unwrap();
        assert_eq!(unpack(&packed, Compression::DEFLATE, 4999), None);
    }
}
