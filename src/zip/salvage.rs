//! Finds the entries of an archive without a directory, one after another, by their own headers.
//!
//! The directory comes last, so it is missing from a truncated archive. The entries can still be found in order, because each
//! header states the length of its data. If the sizes instead follow the data, a deflate stream is decompressed to find its end,
//! and stored data is searched for a descriptor with the right length and checksum. An entry counts only if its data matches its
//! checksum.

use super::directory::MOST_ENTRIES;
use super::directory_claims::{DirectoryClaims, Sums};
use super::extras::wide;
use super::local::{NEAR, descriptor, read_header};
use crate::bytes::input::Input;
use crate::bytes::pieces::Pieces;
use crate::error::Result;
use binrw::args;
use everybyte::{Endian, Source, read};
use ndbytes_codecs::deflate::{Crc, Inflating, Step};
use ndbytes_schemas::zip::{DESCRIPTOR_MAGIC, DataDescriptor, DescriptorSizes, LocalHeader, Method, Zip64};
use std::ops::Range;

/// The number of bytes that are unpacked or searched between two checks of the clock.
const PIECE: usize = 64 << 10;

/// An entry whose data matches the checksum and the sizes that it states.
pub(crate) struct Found {
    pub header: LocalHeader,
    /// The range of the entry, from its header to the end of its data descriptor.
    pub place: Range<u64>,
    pub sums: Sums,
}

/// The contiguous entries from the first byte on.
#[derive(Default)]
pub(crate) struct Salvage {
    pub found: Vec<Found>,
    /// The names of entries that are truncated or damaged, or that cannot be unpacked.
    pub lost: Vec<Box<[u8]>>,
    /// True if an entry before the last one is damaged.
    pub has_damaged: bool,
    /// The end of the last entry.
    pub end: u64,
    /// True if there are more entries than the maximum.
    pub is_too_many: bool,
}

/// Finds the entries of an archive.
///
/// # Errors
/// [`Error::Limit`](crate::Error::Limit); [`Error::Time`](crate::Error::Time); [`Error::Io`](crate::Error::Io).
pub(crate) fn salvage(input: &Input<'_>) -> Result<Salvage> {
    let mut search = Search { input, inflating: Inflating::new(false) };
    let mut salvage = Salvage::default();
    while let Some((header, sums, start)) = search.header(salvage.end)? {
        input.ensure_time()?;
        if (salvage.found.len() + salvage.lost.len()) as u64 == MOST_ENTRIES {
            salvage.is_too_many = true;
            break;
        }
        match search.entry(&header, sums, start)? {
            Entry::Whole(sums, end) => {
                salvage.found.push(Found { header, place: salvage.end..end, sums });
                salvage.end = end;
            }
            Entry::Damaged(end) => {
                salvage.has_damaged = true;
                salvage.lost.push(header.name.bytes().into());
                salvage.end = end;
            }
            Entry::Endless => {
                salvage.lost.push(header.name.bytes().into());
                break;
            }
        }
    }
    Ok(salvage)
}

/// The state of an entry, and its end.
enum Entry {
    Whole(Sums, u64),
    Damaged(u64),
    /// The end of the entry is unknown, or is beyond the end of the archive.
    Endless,
}

/// A search for entries by their local headers.
struct Search<'s> {
    input: &'s Input<'s>,
    inflating: Inflating,
}

impl Search<'_> {
    /// The header at an offset, with its values and its end; `None` if there is no header.
    fn header(&self, at: u64) -> Result<Option<(LocalHeader, Sums, u64)>> {
        Ok(self.input.parse_near(at, NEAR, read_header)?.ok().map(|(header, extras, end)| {
            let of_zip64 = |number: fn(&Zip64) -> Option<u64>| extras.zip64.as_ref().and_then(number);
            let packed = wide(header.compressed_size, of_zip64(|zip64| zip64.compressed_size));
            let length = wide(header.uncompressed_size, of_zip64(|zip64| zip64.uncompressed_size));
            let sums = Sums { crc: header.crc32, packed, length };
            (header, sums, end)
        }))
    }

    /// The entry for a local header. If the header has no sizes, a deflate stream is decompressed to find its end.
    fn entry(&mut self, header: &LocalHeader, stated: Sums, start: u64) -> Result<Entry> {
        let is_readable = matches!(header.method, Method::STORED | Method::DEFLATED)
            && !header.flags.encrypted()
            && !header.flags.strong_encryption();
        if header.flags.data_descriptor() {
            let found = match (is_readable, header.method) {
                (true, Method::DEFLATED) => self.inflated_before_descriptor(header, start)?,
                (true, _) => self.stored_before_descriptor(start)?,
                (false, _) => None,
            };
            return Ok(found.map_or(Entry::Endless, |(sums, end)| Entry::Whole(sums, end)));
        }
        let end = match start.checked_add(stated.packed) {
            Some(end) if end <= self.input.length() => end,
            _ => return Ok(Entry::Endless),
        };
        let actual = match header.method {
            Method::DEFLATED if is_readable => self.inflated(start..end)?,
            Method::STORED if is_readable => Some(self.stored(start..end)?),
            _ => None,
        };
        Ok(if actual == Some(stated) { Entry::Whole(stated, end) } else { Entry::Damaged(end) })
    }

    /// The checksum and the sizes of stored data.
    fn stored(&self, place: Range<u64>) -> Result<Sums> {
        let length = place.end - place.start;
        let (mut at, mut crc, mut pieces) = (place.start, Crc::new(), Pieces::new(self.input, place));
        loop {
            match pieces.from(at)? {
                [] => return Ok(Sums { crc: crc.sum(), packed: length, length }),
                piece => {
                    crc.update(piece);
                    at += piece.len() as u64;
                }
            }
        }
    }

    /// The checksum and the sizes of the deflate stream at the beginning of a range; `None` if it does not end in the range.
    fn inflated(&mut self, place: Range<u64>) -> Result<Option<Sums>> {
        let (start, mut pieces) = (place.start, Pieces::new(self.input, place));
        let (mut crc, mut scratch) = (Crc::new(), vec![0; PIECE]);
        self.inflating.reset();
        loop {
            let (consumed, written) = (self.inflating.consumed(), self.inflating.written());
            let step = self.inflating.step(pieces.from(start + consumed)?, &mut scratch);
            let new = self.inflating.written() - written;
            crc.update(&scratch[..new as usize]);
            match step {
                Step::Ended => break,
                Step::Went => self.input.ensure_time()?,
                _ => return Ok(None),
            }
        }
        let (packed, length) = (self.inflating.consumed(), self.inflating.written());
        Ok(Some(Sums { crc: crc.sum(), packed, length }))
    }

    /// Decompresses an entry whose sizes follow its data. The descriptor must match the result.
    fn inflated_before_descriptor(&mut self, header: &LocalHeader, start: u64) -> Result<Option<(Sums, u64)>> {
        let length = self.input.length();
        let Some(sums) = self.inflated(start..length)? else { return Ok(None) };
        let claims = DirectoryClaims::found(header, start, length, sums);
        let descriptor = descriptor(self.input, &claims, start + sums.packed)?;
        Ok(descriptor.map(|descriptor| (sums, descriptor.place.end)))
    }

    /// Searches for the data descriptor of stored data, which must have the right length and checksum.
    fn stored_before_descriptor(&self, start: u64) -> Result<Option<(Sums, u64)>> {
        let data = self.input.range(start..self.input.length())?;
        let (mut crc, mut summed) = (Crc::new(), 0);
        for (at, _) in data.windows(DESCRIPTOR_MAGIC.len()).enumerate().filter(|(_, four)| **four == DESCRIPTOR_MAGIC) {
            for is_large in [false, true] {
                let source = Source::new(data).at(at as u64);
                let read = read::<DataDescriptor>(source, Endian::Little, args! { is_signed: true, is_large });
                let Ok(found) = read else { continue };
                let (sizes, length) = match found.sizes {
                    DescriptorSizes::Small { compressed_size, uncompressed_size } => {
                        ([compressed_size.into(), uncompressed_size.into()], 16)
                    }
                    DescriptorSizes::Large { compressed_size, uncompressed_size } => {
                        ([compressed_size, uncompressed_size], 24)
                    }
                };
                if sizes != [at as u64; 2] {
                    continue;
                }
                self.input.ensure_time()?;
                crc.update(&data[summed..at]);
                summed = at;
                if crc.sum() == found.crc32 {
                    let sums = Sums { crc: found.crc32, packed: at as u64, length: at as u64 };
                    return Ok(Some((sums, start + at as u64 + length)));
                }
            }
        }
        Ok(None)
    }
}
