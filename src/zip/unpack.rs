//! Unpacks the bytes of an entry and verifies them.
//!
//! The target has exactly the declared length. A stream that expands to more or fewer bytes, or that has another checksum, breaks a
//! rule. To detect a format, only the first [`HEAD`] bytes are unpacked, from at most [`PACKED_HEAD`] packed ones.

use super::directory_claims::DirectoryClaims;
use super::rules;
use crate::bytes::input::Input;
use crate::bytes::limits::Budget;
use crate::bytes::memory::AlignedBytes;
use crate::bytes::pieces::Pieces;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::words::bytes;
use ndbytes_codecs::deflate::{Crc, Inflating, Step, most_inflated};
use std::ops::Range;

/// The field in the directory that declares the unpacked length of an entry.
const LENGTH: &str = "uncompressed_size";

/// The number of first bytes that are needed to recognise an entry. It is enough for an IDX header with fifteen axes.
pub(crate) const HEAD: usize = 64;

/// The minimum number of bytes that `zipfile` unpacks at once.
const AT_ONCE: u64 = 4096;

/// The first bytes of an entry, and their number.
type Head = ([u8; HEAD], usize);

/// The number of packed bytes that contain that head with any compressor, including the tables of a block.
const PACKED_HEAD: u64 = 1 << 10;

/// Unpacks entries in sequence, reusing memory.
pub(crate) struct Unpacker {
    inflating: Inflating,
}

impl Unpacker {
    /// Creates an unpacker without buffers.
    pub fn new() -> Self {
        Unpacker { inflating: Inflating::new(false) }
    }

    /// The first bytes of an entry, or all of its bytes if it is shorter.
    ///
    /// # Errors
    /// Inner error: the finding about a stream that cannot be decoded. Outer error: [`Error::Io`].
    pub fn head(
        &mut self,
        claims: &DirectoryClaims,
        input: &Input<'_>,
        place: &Range<u64>,
    ) -> Result<Result<Head, Box<Finding>>> {
        let mut packed = [0; PACKED_HEAD as usize];
        let packed = &mut packed[..(place.end - place.start).min(PACKED_HEAD) as usize];
        input.read_at(packed, place.start)?;
        Ok(self.inflate_head(claims, packed, place.start))
    }

    /// Unpacks as many of an entry's first bytes as are needed to detect its format.
    fn inflate_head(&mut self, claims: &DirectoryClaims, packed: &[u8], start: u64) -> Result<Head, Box<Finding>> {
        let mut head = [0; HEAD];
        if claims.is_stored() {
            let length = packed.len().min(HEAD);
            head[..length].copy_from_slice(&packed[..length]);
            return Ok((head, length));
        }
        self.inflating.reset();
        let (mut consumed, mut written) = (0, 0);
        while written < HEAD {
            let step = self.inflating.step(&packed[consumed..], &mut head[written..]);
            (consumed, written) = (self.inflating.consumed() as usize, self.inflating.written() as usize);
            match step {
                Step::Corrupt(_) if written < HEAD => {
                    return Err(corrupt(start + consumed as u64, written as u64).into());
                }
                Step::Went => {}
                _ => break,
            }
        }
        Ok((head, written))
    }

    /// All bytes of an entry.
    ///
    /// # Errors
    /// [`Error::Invalid`] if they differ from the original bytes; [`Error::Limit`] if they exceed the budget.
    pub fn unpack(
        &mut self,
        claims: &DirectoryClaims,
        input: &Input<'_>,
        place: Range<u64>,
        budget: &Budget,
    ) -> Result<AlignedBytes> {
        let (what, length) = ("an entry of an archive", claims.length);
        judge_length(claims, place.end - place.start)?;
        budget.take(length, what)?;
        let zeros = usize::try_from(length).ok().and_then(AlignedBytes::zeros);
        let mut unpacked = zeros.ok_or(Error::Limit { what, needed: length, left: 0 })?;
        let target = unpacked.as_mut_slice();
        if claims.is_stored() {
            input.read_at(target, place.start)?;
        } else {
            self.inflate(claims, Pieces::new(input, place), target)??;
        }
        let mut crc = Crc::new();
        crc.update(target);
        judge_crc(claims, &crc)?;
        Ok(unpacked)
    }

    /// The bytes of an entry as read by Python's `zipfile`; `None` if it fails. `zipfile` unpacks as many bytes as there are, up to
    /// the length in the directory, and checks only their checksum.
    ///
    /// # Errors
    /// [`Error::Limit`] if they exceed the budget; [`Error::Io`].
    pub fn unpack_as_zipfile(
        &mut self,
        claims: &DirectoryClaims,
        input: &Input<'_>,
        start: u64,
        budget: &Budget,
    ) -> Result<Option<AlignedBytes>> {
        let place = start..start.saturating_add(claims.packed).min(input.length()).max(start);
        let packed = place.end - place.start;
        let is_stored = claims.is_stored();
        let most = if is_stored { packed } else { most_inflated(packed) };
        // Content that is unpacked at once is decoded to its end, regardless of its stated length.
        let most = if is_stored { most.min(claims.length) } else { most.min(claims.length.max(AT_ONCE)) };
        budget.take(most, "an entry of an archive")?;
        let zeros = usize::try_from(most).ok().and_then(AlignedBytes::zeros);
        let mut unpacked = zeros.ok_or(Error::Limit { what: "an entry of an archive", needed: most, left: 0 })?;
        let mut length = most;
        if is_stored {
            input.read_at(unpacked.as_mut_slice(), place.start)?;
        } else {
            match self.inflate_available(Pieces::new(input, place), unpacked.as_mut_slice())? {
                Some(written) => length = written.min(claims.length),
                None => return Ok(None),
            }
        }
        unpacked.shorten(length as usize);
        let mut crc = Crc::new();
        crc.update(unpacked.as_slice());
        Ok((crc.sum() == claims.crc).then_some(unpacked))
    }

    /// Decompresses as many bytes as fit, and returns their number; `None` if the stream is corrupt before that.
    fn inflate_available(&mut self, mut packed: Pieces<'_>, target: &mut [u8]) -> Result<Option<u64>> {
        let start = packed.start();
        self.inflating.reset();
        loop {
            let (consumed, written) = (self.inflating.consumed(), self.inflating.written());
            match self.inflating.step(packed.from(start + consumed)?, &mut target[written as usize..]) {
                Step::Went => {}
                Step::Corrupt(_) => return Ok(None),
                Step::Ended | Step::Beyond | Step::Starved => return Ok(Some(self.inflating.written())),
            }
        }
    }

    /// Decompresses an entry into memory of the stated length.
    fn inflate(
        &mut self,
        claims: &DirectoryClaims,
        mut packed: Pieces<'_>,
        target: &mut [u8],
    ) -> Result<Result<(), Box<Finding>>> {
        let start = packed.start();
        let inflating = &mut self.inflating;
        inflating.reset();
        loop {
            let (consumed, written) = (inflating.consumed(), inflating.written());
            let step = inflating.step(packed.from(start + consumed)?, &mut target[written as usize..]);
            let at = start + inflating.consumed();
            match step {
                Step::Went => {}
                Step::Ended => break,
                Step::Beyond => return Ok(Err(wrong_length(claims, claims.length, "more than ").into())),
                Step::Corrupt(_) => return Ok(Err(corrupt(at, inflating.written()).into())),
                Step::Starved => {
                    let message = "the deflate stream of the entry is truncated";
                    let help = unpacked_so_far(inflating.written());
                    return Ok(Err(Finding::new(&rules::CORRUPT_STREAM, "", at..at, message).help(help).into()));
                }
            }
        }
        let (consumed, written) = (inflating.consumed(), inflating.written());
        if written < target.len() as u64 {
            return Ok(Err(wrong_length(claims, written, "").into()));
        }
        let rest = start + consumed..packed.end();
        if !rest.is_empty() {
            let message = format!("the deflate stream ends {} before the entry does", bytes(rest.end - rest.start));
            return Ok(Err(Finding::new(&rules::LENGTH, "", rest, message).into()));
        }
        Ok(Ok(()))
    }
}

/// Verifies an entry that is stored uncompressed, in place.
///
/// # Errors
/// As for [`Unpacker::unpack`].
pub(crate) fn prove(claims: &DirectoryClaims, input: &Input<'_>, place: Range<u64>) -> Result<()> {
    judge_length(claims, place.end - place.start)?;
    let (mut at, mut crc, mut pieces) = (place.start, Crc::new(), Pieces::new(input, place));
    loop {
        match pieces.from(at)? {
            [] => break,
            piece => {
                crc.update(piece);
                at += piece.len() as u64;
            }
        }
    }
    Ok(judge_crc(claims, &crc)?)
}

/// Checks whether `packed` bytes can expand to the length that the directory declares.
fn judge_length(claims: &DirectoryClaims, packed: u64) -> Result<(), Box<Finding>> {
    let length = claims.length;
    let most = match claims.is_stored() {
        true => packed,
        false => most_inflated(packed),
    };
    if length > most {
        let message = format!("{} of the archive cannot expand to that many", bytes(packed));
        let finding = Finding::new(&rules::LENGTH, LENGTH, claims.field(LENGTH), message);
        return Err(finding.expected(format!("at most {most}")).found(length).into());
    }
    if claims.is_stored() && packed > length {
        return Err(wrong_length(claims, packed, "").into());
    }
    Ok(())
}

/// Compares the checksum of the decompressed bytes with the one in the directory.
fn judge_crc(claims: &DirectoryClaims, crc: &Crc) -> Result<(), Box<Finding>> {
    if crc.sum() == claims.crc {
        return Ok(());
    }
    let message = "the decompressed bytes do not match the checksum";
    let finding = Finding::new(&rules::CRC, "crc32", claims.field("crc32"), message);
    let (expected, found) = (format!("{:#010x}", crc.sum()), format!("{:#010x}", claims.crc));
    Err(finding.expected(expected).found(found).into())
}

/// Returns the finding for a length that differs from the one in the directory.
fn wrong_length(claims: &DirectoryClaims, length: u64, word: &str) -> Finding {
    let message = "the length of the entry is not the one in the directory";
    let finding = Finding::new(&rules::LENGTH, LENGTH, claims.field(LENGTH), message);
    finding.expected(format!("{word}{length}")).found(claims.length)
}

/// Returns the finding for a stream that cannot be decoded.
fn corrupt(at: u64, written: u64) -> Finding {
    Finding::new(&rules::CORRUPT_STREAM, "", at..at + 1, "the deflate stream of the entry does not decode")
        .help(unpacked_so_far(written))
}

fn unpacked_so_far(written: u64) -> String {
    format!("{} of the entry could be decompressed", bytes(written))
}
