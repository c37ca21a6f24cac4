//! Codecs from bytes to bytes.
//!
//! Every step bounds its output before it decodes: to exactly the expected number of bytes, or to a maximum. The bounds
//! are computed backwards from the end of the chain, so even the first step has one.

use super::blosc;
use crate::zarr::read_error::Result;
use ndbytes::Limits;
use ndbytes::internals::{gunzip, memory};
use ndbytes_codecs::deflate::{Inflating, Outcome, most_inflated};
use ndbytes_codecs::{crc32c, lz, zstd};

/// A codec from bytes to bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Gzip,
    Zlib,
    Zstd,
    Blosc,
    /// An LZ4 block, preceded by its decoded length, as numcodecs writes it.
    Lz4,
    /// Bytes with a checksum before or after them.
    Crc32c {
        is_first: bool,
    },
}

/// The codecs by their names in numcodecs. The core codecs of Zarr 3 have the same names.
pub const STEPS: [(&str, Step); 6] = [
    ("gzip", Step::Gzip),
    ("zlib", Step::Zlib),
    ("zstd", Step::Zstd),
    ("blosc", Step::Blosc),
    ("lz4", Step::Lz4),
    ("crc32c", Step::Crc32c { is_first: false }),
];

/// The core codecs of Zarr 3.
pub const OF_V3: [&str; 4] = ["gzip", "zstd", "blosc", "crc32c"];

/// Returns the codec with a name.
pub fn named(name: &str) -> Option<Step> {
    STEPS.iter().find(|(known, _)| *known == name).map(|(_, step)| *step)
}

/// The length of a checksum in bytes.
const SUM: u64 = 4;

/// A size in bytes, either exact or a maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Exactly(u64),
    AtMost(u64),
}

impl Size {
    pub fn most(self) -> u64 {
        match self {
            Size::Exactly(most) | Size::AtMost(most) => most,
        }
    }
}

impl Step {
    /// Returns the maximum size of the encoded output for an input size.
    pub fn encoded(self, size: Size) -> Size {
        match (self, size) {
            (Step::Crc32c { .. }, Size::Exactly(size)) => Size::Exactly(size.saturating_add(SUM)),
            (_, size) => Size::AtMost(size.most().saturating_add(size.most() / 8).saturating_add(64 << 10)),
        }
    }

    /// Decodes bytes.
    pub fn decode(self, stored: &[u8], size: Size, limits: Limits) -> Result<Vec<u8>> {
        let most = size.most();
        Ok(match self {
            Step::Gzip => gunzip(stored, most, limits)?,
            Step::Zlib => inflate(stored, most, limits)?,
            Step::Zstd => {
                let mut bytes = zeros(most, limits)?;
                let decoded = zstd::Decoder::default().decode_at_most(stored, &mut bytes);
                let length = decoded.map_err(|broken| format!("the zstd stream does not decode: {}", broken.what))?;
                bytes.truncate(length);
                bytes
            }
            Step::Blosc => blosc::decode(stored, most, limits)?,
            Step::Lz4 => lz4(stored, most, limits)?,
            Step::Crc32c { is_first } => {
                let (sum, bytes) = match is_first {
                    true => stored.split_first_chunk::<4>(),
                    false => stored.split_last_chunk::<4>().map(|(bytes, sum)| (sum, bytes)),
                }
                .ok_or("there are fewer bytes than a checksum has")?;
                let (stated, found) = (u32::from_le_bytes(*sum), crc32c::sum(bytes));
                if stated != found {
                    let words = format!("the checksum of the bytes is {found:#010x}, but {stated:#010x} is stated");
                    return Err(words.into());
                }
                bytes.to_vec()
            }
        })
    }
}

/// Creates a zeroed buffer of this length, within the limits.
pub fn zeros(length: u64, limits: Limits) -> Result<Vec<u8>> {
    let what = "a chunk of the Zarr array";
    if length > limits.memory {
        return Err(ndbytes::Error::Limit { what, needed: length, left: limits.memory }.into());
    }
    // The system provides zeroed pages when they are first written to.
    let zeros = usize::try_from(length).ok().and_then(memory::zeros);
    Ok(zeros.ok_or(ndbytes::Error::Limit { what, needed: length, left: 0 })?)
}

fn inflate(stored: &[u8], most: u64, limits: Limits) -> Result<Vec<u8>> {
    let mut bytes = zeros(most.min(most_inflated(stored.len() as u64)), limits)?;
    let inflated = Inflating::new(true).whole(stored, &mut bytes);
    match inflated.outcome {
        Outcome::Ended => {}
        Outcome::Full => return Err(format!("the zlib stream decodes to more than {most} bytes").into()),
        Outcome::Unended => return Err("the zlib stream is truncated".into()),
        Outcome::Corrupt(reason) => return Err(format!("the zlib stream does not decode: {reason}").into()),
        Outcome::FullThenCorrupt => return Err("the end of the zlib stream does not decode".into()),
    }
    bytes.truncate(inflated.written);
    Ok(bytes)
}

fn lz4(stored: &[u8], most: u64, limits: Limits) -> Result<Vec<u8>> {
    let (length, _) = stored.split_first_chunk::<4>().ok_or("the LZ4 stream has no length")?;
    let length = u64::from(u32::from_le_bytes(*length));
    if length > most {
        return Err(format!("the LZ4 stream decodes to {length} bytes, but at most {most} are expected").into());
    }
    // A byte of LZ4 expands to at most 255 bytes.
    if length > (stored.len() as u64).saturating_mul(255) {
        return Err(format!("{} bytes of LZ4 cannot decode to {length}", stored.len()).into());
    }
    let mut bytes = zeros(length + lz::SLACK as u64, limits)?;
    let length = length as usize;
    let written = lz::lz4::decode(stored, 4..stored.len(), &[], &mut bytes, length, length)
        .map_err(|broken| format!("the LZ4 stream does not decode: {}", broken.what))?;
    if written != length {
        return Err(format!("the LZ4 stream decodes to {written} of {length} bytes").into());
    }
    bytes.truncate(length);
    Ok(bytes)
}
