//! The bytes of an entry, unpacked and proven.

use super::claims::Claims;
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

/// The field of the directory that declares the bytes of an entry after unpacking.
const LENGTH: &str = "uncompressed_size";

/// The number of first bytes that tell what an entry is: an IDX header of fifteen axes.
pub(crate) const HEAD: usize = 64;

/// The first bytes of an entry, and their number.
type Head = ([u8; HEAD], usize);

/// The packed bytes that hold that head, whatever the compressor: a block's tables, and the head itself.
const PACKED_HEAD: u64 = 1 << 10;

/// Unpacks one entry after the other, in the same memory.
pub(crate) struct Unpacker {
    inflating: Inflating,
}

impl Unpacker {
    pub fn new() -> Self {
        Unpacker { inflating: Inflating::new(false) }
    }

    /// The first bytes of an entry; fewer if it is shorter.
    ///
    /// # Errors
    /// Inner: its stream does not decode. Outer: [`Error::Io`].
    pub fn head(
        &mut self,
        claims: &Claims,
        input: &Input<'_>,
        place: &Range<u64>,
    ) -> Result<Result<Head, Box<Finding>>> {
        let mut packed = [0; PACKED_HEAD as usize];
        let packed = &mut packed[..(place.end - place.start).min(PACKED_HEAD) as usize];
        input.read_at(packed, place.start)?;
        Ok(self.inflate_head(claims, packed, place.start))
    }

    fn inflate_head(&mut self, claims: &Claims, packed: &[u8], start: u64) -> Result<Head, Box<Finding>> {
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
    /// [`Error::Invalid`] if they are not those that were packed, [`Error::Limit`] if the budget has no room for them.
    pub fn unpack(
        &mut self,
        claims: &Claims,
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

    fn inflate(
        &mut self,
        claims: &Claims,
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
                    let message = "the deflate stream of the entry is cut off";
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

/// Proves an entry that is stored uncompressed, in place.
///
/// # Errors
/// As for [`Unpacker::unpack`].
pub(crate) fn prove(claims: &Claims, input: &Input<'_>, place: Range<u64>) -> Result<()> {
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

/// Judges whether `packed` bytes can expand to the length that the directory declares.
fn judge_length(claims: &Claims, packed: u64) -> Result<(), Box<Finding>> {
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

fn judge_crc(claims: &Claims, crc: &Crc) -> Result<(), Box<Finding>> {
    if crc.sum() == claims.crc {
        return Ok(());
    }
    let message = "the unpacked bytes are not those that were packed";
    let finding = Finding::new(&rules::CRC, "crc32", claims.field("crc32"), message);
    let (expected, found) = (format!("{:#010x}", crc.sum()), format!("{:#010x}", claims.crc));
    Err(finding.expected(expected).found(found).into())
}

fn wrong_length(claims: &Claims, length: u64, word: &str) -> Finding {
    let message = "the entry has another length than the directory declares";
    let finding = Finding::new(&rules::LENGTH, LENGTH, claims.field(LENGTH), message);
    finding.expected(format!("{word}{length}")).found(claims.length)
}

fn corrupt(at: u64, written: u64) -> Finding {
    Finding::new(&rules::CORRUPT_STREAM, "", at..at + 1, "the deflate stream of the entry does not decode")
        .help(unpacked_so_far(written))
}

fn unpacked_so_far(written: u64) -> String {
    format!("{} of the entry could be unpacked", bytes(written))
}
