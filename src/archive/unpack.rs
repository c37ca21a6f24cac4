//! The bytes of an entry, unpacked and proven.

use super::directory::Claims;
use super::rules;
use crate::finding::bytes;
use crate::limits::Budget;
use crate::memory::AlignedBytes;
use crate::{Error, Finding, Result};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use rawzip::CompressionMethod;
use std::ops::Range;

/// Deflate does not make more than so many bytes out of one, and a few at the end.
const DEFLATE_RATIO: u64 = 1032;
const DEFLATE_MARGIN: u64 = 258;

/// What may be unpacked of so many bytes, whatever the budget.
pub(super) fn plausible(packed: u64) -> u64 {
    packed.saturating_mul(100).max(16 << 20)
}

/// More than that.
pub(super) fn implausible(claims: &Claims, length: u64, message: &str) -> Finding {
    Finding::new(&rules::RATIO, "length", claims.field(24..28), message)
        .found(bytes(length))
        .help("if the archive is to be trusted, unpack it by other means")
}

/// How many first bytes of an entry are looked at to tell what it is.
pub(super) const HEAD: usize = 12;

/// As many packed bytes make that head, whatever the compressor: a block's tables and twelve letters.
const PACKED_HEAD: usize = 1 << 10;

/// Unpacks one entry after the other, in the same memory.
pub(super) struct Unpacker {
    decompress: Decompress,
}

impl Unpacker {
    pub fn new() -> Self {
        Unpacker { decompress: Decompress::new(false) }
    }

    /// The first bytes of an entry, as many as there are.
    ///
    /// # Errors
    /// Its stream does not decode.
    pub fn head(&mut self, claims: &Claims, packed: &[u8], start: u64) -> Result<([u8; HEAD], usize), Box<Finding>> {
        let mut head = [0; HEAD];
        let packed = &packed[..packed.len().min(PACKED_HEAD)];
        if claims.method == CompressionMethod::STORE {
            let length = packed.len().min(HEAD);
            head[..length].copy_from_slice(&packed[..length]);
            return Ok((head, length));
        }
        self.decompress.reset(false);
        let (mut consumed, mut written) = (0, 0);
        while written < HEAD {
            let status = self.decompress.decompress(&packed[consumed..], &mut head[written..], FlushDecompress::None);
            let before = (consumed, written);
            (consumed, written) = (self.decompress.total_in() as usize, self.decompress.total_out() as usize);
            match status {
                Err(_) if written < HEAD => return Err(corrupt(start + consumed as u64, written as u64).into()),
                Ok(Status::StreamEnd) => break,
                _ if (consumed, written) == before => break,
                _ => {}
            }
        }
        Ok((head, written))
    }

    /// All bytes of an entry.
    ///
    /// # Errors
    /// [`Error::Invalid`] if they are not those that were packed, [`Error::Limit`] if they are more than the budget allows.
    pub fn unpack(&mut self, claims: &Claims, packed: &[u8], start: u64, budget: &Budget) -> Result<AlignedBytes> {
        let what = "an entry of an archive";
        let length = claims.length;
        let stored = claims.method == CompressionMethod::STORE;
        let most = match packed.len() as u64 {
            packed if stored => packed,
            packed => packed.saturating_mul(DEFLATE_RATIO).saturating_add(DEFLATE_MARGIN),
        };
        if length > most {
            let message = format!("{} of the archive cannot become as many", bytes(packed.len() as u64));
            let finding = Finding::new(&rules::LENGTH, "length", claims.field(24..28), message);
            return Err(finding.expected(format!("at most {most}")).found(length).into());
        }
        if length > plausible(packed.len() as u64) {
            let message = format!("{} of the archive are said to become very many", bytes(packed.len() as u64));
            return Err(implausible(claims, length, &message).into());
        }
        budget.take(length, what)?;
        let zeros = usize::try_from(length).ok().and_then(AlignedBytes::zeros);
        let mut unpacked = zeros.ok_or(Error::Limit { what, needed: length, left: 0 })?;
        let target = unpacked.as_mut_slice();
        if stored {
            if packed.len() > target.len() {
                return Err(wrong_length(claims, packed.len() as u64, "").into());
            }
            target.copy_from_slice(packed);
        } else {
            self.inflate(claims, packed, start, target)?;
        }
        let mut crc = Crc::new();
        crc.update(target);
        if crc.sum() != claims.crc {
            let message = "the unpacked bytes are not those that were packed";
            let finding = Finding::new(&rules::CRC, "crc32", claims.field(16..20), message);
            let (expected, found) = (format!("{:#010x}", crc.sum()), format!("{:#010x}", claims.crc));
            return Err(finding.expected(expected).found(found).into());
        }
        Ok(unpacked)
    }

    fn inflate(&mut self, claims: &Claims, packed: &[u8], start: u64, target: &mut [u8]) -> Result<(), Box<Finding>> {
        let decompress = &mut self.decompress;
        decompress.reset(false);
        loop {
            let (consumed, written) = (decompress.total_in() as usize, decompress.total_out() as usize);
            let full = written == target.len();
            let mut beyond = [0];
            let output = if full { &mut beyond[..] } else { &mut target[written..] };
            let status = decompress.decompress(&packed[consumed..], output, FlushDecompress::None);
            let (read, made) = (decompress.total_in() as usize - consumed, decompress.total_out() as usize - written);
            let at = start + decompress.total_in();
            match status {
                Err(_) => return Err(corrupt(at, decompress.total_out()).into()),
                Ok(_) if full && made > 0 => return Err(wrong_length(claims, claims.length, "more than ").into()),
                Ok(Status::StreamEnd) => break,
                Ok(_) if read == 0 && made == 0 => {
                    let message = "the deflate stream of the entry is cut off";
                    let help = unpacked_so_far(decompress.total_out());
                    return Err(Finding::new(&rules::CORRUPT_STREAM, "", at..at, message).help(help).into());
                }
                Ok(_) => {}
            }
        }
        let (consumed, written) = (decompress.total_in(), decompress.total_out());
        if written < target.len() as u64 {
            return Err(wrong_length(claims, written, "").into());
        }
        let left = packed.len() as u64 - consumed;
        if left > 0 {
            let message = format!("{} behind the end of the deflate stream", bytes(left));
            let place: Range<u64> = start + consumed..start + packed.len() as u64;
            return Err(Finding::new(&rules::LENGTH, "", place, message).into());
        }
        Ok(())
    }
}

fn wrong_length(claims: &Claims, length: u64, word: &str) -> Finding {
    let message = "the entry has another length than the directory says";
    let finding = Finding::new(&rules::LENGTH, "length", claims.field(24..28), message);
    finding.expected(format!("{word}{length}")).found(claims.length)
}

fn corrupt(at: u64, written: u64) -> Finding {
    Finding::new(&rules::CORRUPT_STREAM, "", at..at + 1, "the deflate stream of the entry does not decode")
        .help(unpacked_so_far(written))
}

fn unpacked_so_far(written: u64) -> String {
    format!("{} of the entry could be unpacked", bytes(written))
}
