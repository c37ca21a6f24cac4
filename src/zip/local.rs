//! An entry at its position, with its header, its data, and the data descriptor after it.

use super::directory::{Directory, Entry};
use super::directory_claims::DirectoryClaims;
use super::extras::{Extras, Wanted};
use super::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reactions, Reference};
use binrw::args;
use everybyte::{Endian, Layout, ParseError, Source, trace::read_next};
use ndbytes_schemas::zip::{DESCRIPTOR_MAGIC, DataDescriptor, DescriptorSizes, LocalHeader};
use std::ops::Range;

/// The length of most headers in bytes, including extra fields.
pub(crate) const NEAR: u64 = 256;

/// The forms of a data descriptor: whether it has a signature, and whether it has 64-bit sizes.
const FORMS: [(bool, bool); 4] = [(true, false), (true, true), (false, false), (false, true)];

/// An entry at its own position.
#[derive(Debug)]
pub(crate) struct Local {
    pub header: LocalHeader,
    pub extras: Extras,
    /// The range of the compressed bytes, as far as the archive contains them.
    pub packed: Range<u64>,
    /// The end of the entry according to the directory.
    claimed_end: u64,
}

/// The data descriptor of an entry.
#[derive(Debug)]
pub(crate) struct Descriptor {
    pub place: Range<u64>,
    pub is_signed: bool,
    pub is_large: bool,
}

impl Directory<'_> {
    /// The entry at the position that the directory states.
    ///
    /// # Errors
    /// As for [`local`].
    pub fn local(&self, entry: &Entry) -> Result<Result<Local, Box<Finding>>> {
        local(self.input, entry)
    }

    /// Checks that an entry is where the central directory states.
    ///
    /// # Errors
    /// As for [`judge`].
    pub fn judge(&self, entry: &Entry, local: &Local) -> Result<(), Box<Finding>> {
        judge(entry, local)
    }
}

/// Finds an entry of an archive at the position that its directory states.
///
/// # Errors
/// Inner error: the finding that makes its position unknown. Outer error: [`Error::Limit`](crate::Error::Limit) or
/// [`Error::Io`](crate::Error::Io).
pub(super) fn local(input: &Input<'_>, entry: &Entry) -> Result<Result<Local, Box<Finding>>> {
    let claims = &entry.claims;
    let refuse = |why: String| {
        let start = claims.start.min(input.length());
        let end = start.saturating_add(LocalHeader::MIN_SIZE);
        let message = format!("the entry is not where the directory says: {why}");
        Ok(Err(Finding::new(&rules::BAD_ENTRY, "", start..end, message).into()))
    };
    // Fields that a header claims beyond the start of the next entry are not read, because many overlapping headers would take
    // quadratic time.
    let parse = |source: Source<'_>| read_header(source.until(claims.next));
    let (header, extras, end) = match input.parse_near(claims.start, NEAR, parse)? {
        Ok(read) => read,
        Err(error) => return refuse(error.to_string()),
    };
    let claimed_end = end.saturating_add(claims.packed);
    Ok(Ok(Local { header, extras, packed: end..claimed_end.min(input.length()), claimed_end }))
}

/// Checks that an entry is where the central directory states.
///
/// # Errors
/// The finding that makes the entry untrustworthy.
pub(super) fn judge(entry: &Entry, local: &Local) -> Result<(), Box<Finding>> {
    let DirectoryClaims { start, next, method, .. } = entry.claims;
    let is_named = *local.header.name.bytes() == *entry.name;
    if is_named && local.claimed_end > next {
        return Err(entry.claims.overlap(local.claimed_end).into());
    }
    if is_named && local.header.method == method {
        return Ok(());
    }
    let message = "the header of the entry has another name or another method than the directory";
    // .NET and python-blosc2 go by the directory, whereas `zipfile` compares the names.
    let numpy = if is_named { Reference::Accepts } else { Reference::Refuses };
    let finding = Finding::new(&rules::BAD_ENTRY, "", start..local.packed.start, message);
    Err(finding.with_reactions(Reactions { numpy, ..Reactions::all(Reference::Accepts) }).into())
}

/// Reads an entry's own header. Also returns its end.
pub(crate) fn read_header(mut source: Source<'_>) -> Result<(LocalHeader, Extras, u64), Box<ParseError>> {
    let header: LocalHeader = read_next(&mut source, Endian::Little, ())?;
    let wanted = Wanted::sizes(header.uncompressed_size, header.compressed_size);
    let extras = Extras::read(source, header.extra.range(), wanted)?;
    Ok((header, extras, source.position()))
}

/// Returns the data descriptor after the data of an entry, if one matches its checksum and sizes; otherwise `None`.
pub(crate) fn descriptor(input: &Input<'_>, claims: &DirectoryClaims, start: u64) -> Result<Option<Descriptor>> {
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
        // If a size is zero, its first bytes are the same in both widths.
        if found.is_none() || end == claims.next {
            found = Some(Descriptor { place: start..end, is_signed, is_large });
        }
    }
    Ok(found)
}

/// Returns whether a data descriptor has the checksum and the sizes of an entry.
fn is_of(descriptor: &DataDescriptor, claims: &DirectoryClaims) -> bool {
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
