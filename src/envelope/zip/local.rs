//! An entry at its own place: its header, its data, and the data descriptor after it.

use super::claims::Claims;
use super::directory::{Directory, Entry};
use super::extras::{Extras, Wanted};
use super::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::Reference;
use crate::findings::words::bytes;
use binrw::args;
use everybyte::{Endian, Layout, ParseError, Source, read_next};
use ndbytes_schemas::zip::{DESCRIPTOR_MAGIC, DataDescriptor, DescriptorSizes, LocalHeader};
use std::ops::Range;

/// Bytes that most headers take, extra fields included.
pub(crate) const NEAR: u64 = 256;

/// The forms of a data descriptor: with its signature, with sizes of 64 bits.
const FORMS: [(bool, bool); 4] = [(true, false), (true, true), (false, false), (false, true)];

/// An entry at its own place.
#[derive(Debug)]
pub(crate) struct Local {
    pub header: LocalHeader,
    pub extras: Extras,
    /// The place of the packed bytes.
    pub packed: Range<u64>,
}

/// A data descriptor, as an entry may have it.
#[derive(Debug)]
pub(crate) struct Descriptor {
    pub place: Range<u64>,
    pub is_signed: bool,
    pub is_large: bool,
}

impl Directory<'_> {
    /// An entry where the directory says that it is.
    ///
    /// # Errors
    /// As for [`local`].
    pub fn local(&self, entry: &Entry) -> Result<Result<Local, Box<Finding>>> {
        local(self.input, entry)
    }

    /// Proves that an entry stands where the directory says.
    ///
    /// # Errors
    /// As for [`judge`].
    pub fn judge(&self, entry: &Entry, local: &Local) -> Result<(), Box<Finding>> {
        judge(entry, local)
    }
}

/// An entry of an archive where its directory says that it is.
///
/// # Errors
/// Inner: the finding that makes its place unknown. Outer: [`Error::Limit`](crate::Error::Limit),
/// [`Error::Io`](crate::Error::Io).
pub(super) fn local(input: &Input<'_>, entry: &Entry) -> Result<Result<Local, Box<Finding>>> {
    let claims = &entry.claims;
    let refuse = |why: String| {
        let end = claims.start.saturating_add(LocalHeader::MIN_SIZE);
        let message = format!("the entry is not where the directory says: {why}");
        Ok(Err(Finding::new(&rules::BAD_ENTRY, "", claims.start..end, message).into()))
    };
    // What a header claims beyond the next entry is not read: that would take long if all of them did so.
    let parse = |source: Source<'_>| read_header(source.until(claims.next));
    let (header, extras, end) = match input.parse_near(claims.start, NEAR, parse)? {
        Ok(read) => read,
        Err(error) => return refuse(error.to_string()),
    };
    match end.checked_add(claims.packed) {
        Some(packed_end) if packed_end <= input.length() => Ok(Ok(Local { header, extras, packed: end..packed_end })),
        _ => refuse(format!("its data does not end before the archive does, which has {}", bytes(input.length()))),
    }
}

/// Proves that an entry stands where the directory says.
///
/// # Errors
/// The finding that makes the entry untrustworthy.
pub(super) fn judge(entry: &Entry, local: &Local) -> Result<(), Box<Finding>> {
    let Claims { start, next, method, .. } = entry.claims;
    if local.packed.end > next {
        return Err(entry.claims.overlap(local.packed.end).into());
    }
    if *local.header.name.bytes() == *entry.name && local.header.method == method {
        return Ok(());
    }
    let message = "the header of the entry has another name or another method than the directory";
    let finding = Finding::new(&rules::BAD_ENTRY, "", start..local.packed.start, message);
    // .NET goes by the directory.
    Err(finding.with_reference(Reference::Accepts).into())
}

/// Reads an entry's own header. Returns its end, too.
pub(crate) fn read_header(mut source: Source<'_>) -> Result<(LocalHeader, Extras, u64), Box<ParseError>> {
    let header: LocalHeader = read_next(&mut source, Endian::Little, ())?;
    let wanted = Wanted::sizes(header.uncompressed_size, header.compressed_size);
    let extras = Extras::read(source, header.extra.range(), wanted)?;
    Ok((header, extras, source.position()))
}

/// The data descriptor after the data of an entry, which has its checksum and its sizes; `None` if none has them.
pub(crate) fn descriptor(input: &Input<'_>, claims: &Claims, start: u64) -> Result<Option<Descriptor>> {
    let mut found: Option<Descriptor> = None;
    for (is_signed, is_large) in FORMS {
        let parse = |source: Source<'_>| {
            let mut source = source.until(claims.next);
            let descriptor = read_next::<DataDescriptor>(&mut source, Endian::Little, args! { is_signed, is_large })?;
            Ok((descriptor, source.position()))
        };
        let end = match input.parse_near(start, NEAR, parse)? {
            Ok((descriptor, end)) if is_of(&descriptor, claims) => end,
            _ => continue,
        };
        // Sizes of zero have the same first bytes in both widths.
        if found.is_none() || end == claims.next {
            found = Some(Descriptor { place: start..end, is_signed, is_large });
        }
    }
    Ok(found)
}

/// Returns whether a data descriptor has the checksum and the sizes of an entry.
fn is_of(descriptor: &DataDescriptor, claims: &Claims) -> bool {
    let sizes = match descriptor.sizes {
        DescriptorSizes::Small { compressed_size, uncompressed_size } => {
            (compressed_size.into(), uncompressed_size.into())
        }
        DescriptorSizes::Large { compressed_size, uncompressed_size } => (compressed_size, uncompressed_size),
    };
    descriptor.signature.is_none_or(|signature| signature == DESCRIPTOR_MAGIC)
        && descriptor.crc32 == claims.crc
        && sizes == (claims.packed, claims.length)
}
