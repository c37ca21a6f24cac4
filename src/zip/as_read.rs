//! Determines how an archive reader reacts to an entry that violates a rule. Python's `zipfile` and python-blosc2 check less than
//! the rules do, and accept entries that this library does not read.

use super::content::SMALL_LEAVES;
use super::directory_claims::DirectoryClaims;
use super::member::{Member, Place};
use super::rules;
use super::unpack::Unpacker;
use super::{Archive, address_in};
use crate::bytes::input::{HEAD, Input};
use crate::bytes::limits::Budget;
use crate::bytes::memory::AlignedBytes;
use crate::error::{Error, Result};
use crate::findings::finding::Finding;
use crate::findings::place::field_at;
use crate::findings::rule::{Reactions, Reference, Rule};
use crate::format::{Format, is_frame};
use everybyte::Layout;
use ndbytes_schemas::blosc2::Header;
use ndbytes_schemas::npy::Npy;
use ndbytes_schemas::zip::{LocalHeader, Method};
use std::ops::Range;
use std::path::PathBuf;

/// The rules about the data of an entry that `zipfile` does not check, because it checks only the checksum of the unpacked data.
static OF_DATA: [&Rule; 3] = [&rules::LENGTH, &rules::CRC, &rules::CORRUPT_STREAM];

impl Archive<'_> {
    /// Returns the finding about a member with the severity for the archive's reader, along with the content if that reader still
    /// accepts it.
    ///
    /// # Errors
    /// [`Error::Limit`]; [`Error::Io`].
    pub(crate) fn as_read(&self, member: &Member, flaw: Finding) -> Result<(Finding, Option<Input<'static>>)> {
        let (Some(input), Place::Entry { claims, packed, .. }) = (self.input(), &member.place) else {
            return Ok((flaw, None));
        };
        match self.contents.content {
            Some(Format::Npy) => self.as_zipfile_reads(input, member, claims, packed.start, flaw),
            Some(Format::B2nd) => self.as_blosc2_reads(input, member, claims, flaw),
            _ => Ok((flaw, None)),
        }
    }

    /// Returns a finding about the content of the archive as a whole, with the reaction of the archive's reader. NumPy returns the
    /// bytes of members that are not `.npy`.
    pub(crate) fn weighed(&self, finding: Finding) -> Finding {
        match self.contents.content {
            Some(Format::Npy) => finding.with_reference(Reference::Accepts),
            _ => finding,
        }
    }

    /// Returns whether the archive's reader treats a member as bytes, regardless of its content.
    pub(crate) fn takes_as_bytes(&self, content: &Input<'_>) -> bool {
        self.contents.content == Some(Format::Npy) && !content.head().starts_with(&Npy::MAGIC)
    }

    fn as_zipfile_reads(
        &self,
        input: &Input<'_>,
        member: &Member,
        claims: &DirectoryClaims,
        start: u64,
        flaw: Finding,
    ) -> Result<(Finding, Option<Input<'static>>)> {
        let is_of_data = OF_DATA.contains(&flaw.rule);
        if !is_of_data && flaw.reference == Reference::Refuses || start == 0 || claims.closed().is_some() {
            return Ok((flaw, None));
        }
        let budget = input.fresh_budget(self.limits);
        let Some(bytes) = Unpacker::new().unpack_as_zipfile(claims, input, start, &budget)? else {
            return Ok((reacting(flaw, Reference::Refuses), None));
        };
        let content = Input::entry(address_in(input.path(), member.name()), bytes, budget, Vec::new());
        Ok((if is_of_data { reacting(flaw, Reference::Accepts) } else { flaw }, Some(content)))
    }

    /// python-blosc2 reads uncompressed frames from the position after the header. It does not open stores whose small leaves are
    /// compressed, and skips other compressed leaves.
    fn as_blosc2_reads(
        &self,
        input: &Input<'_>,
        member: &Member,
        claims: &DirectoryClaims,
        flaw: Finding,
    ) -> Result<(Finding, Option<Input<'static>>)> {
        if claims.method != Method::STORED {
            let is_needed = member.name() == SMALL_LEAVES;
            let reference = if is_needed { Reference::Refuses } else { Reference::Accepts };
            return Ok((reacting(flaw, reference), None));
        }
        let length = input.length();
        let mut header = [0; LocalHeader::MIN_SIZE as usize];
        let there = length.saturating_sub(claims.start).min(LocalHeader::MIN_SIZE) as usize;
        input.read_at(&mut header[..there], claims.start.min(length))?;
        let start = claims.start.saturating_add(length_of_local(header));
        let address = address_in(input.path(), member.name());
        let budget = input.fresh_budget(self.limits);
        if start >= length {
            return Ok((flaw, None));
        }
        let place = start..end_of_frame(input, start)?.max(start.saturating_add(claims.packed)).min(length);
        let content = match Input::part(input, place.clone(), &address, budget, &[])? {
            Some(content) => content,
            None => copy(input, place, address, input.fresh_budget(self.limits))?,
        };
        Ok((flaw, Some(content)))
    }
}

/// Returns the length of an entry's own header as python-blosc2 computes it: from the lengths of the name and the extra fields,
/// ignoring everything else in the header.
pub(crate) fn length_of_local(header: [u8; LocalHeader::MIN_SIZE as usize]) -> u64 {
    let [.., name0, name1, extra0, extra1] = header;
    LocalHeader::MIN_SIZE
        + [[name0, name1], [extra0, extra1]].map(|length| u64::from(u16::from_le_bytes(length))).iter().sum::<u64>()
}

/// Returns the end of the frame at an offset according to its own length, because the bytes after it belong to other entries. If no
/// frame begins there, returns the end of the archive.
fn end_of_frame(input: &Input<'_>, start: u64) -> Result<u64> {
    let place = field_at::<Header>(start, "frame_length");
    let mut head = [0; HEAD];
    let there = (input.length() - start).min(HEAD as u64) as usize;
    input.read_at(&mut head[..there], start)?;
    // A byte that states the type precedes the number.
    let declared = head[..there].get(..(place.end - start) as usize).and_then(<[u8]>::last_chunk);
    Ok(match declared {
        Some(declared) if is_frame(&head[..there]) => start.saturating_add(u64::from_be_bytes(*declared)),
        _ => input.length(),
    })
}

/// Copies a part of an archive to memory as a separate input.
fn copy(input: &Input<'_>, place: Range<u64>, address: PathBuf, budget: Budget) -> Result<Input<'static>> {
    let (what, needed) = ("an entry of an archive", place.end - place.start);
    budget.take(needed, what)?;
    let zeros = usize::try_from(needed).ok().and_then(AlignedBytes::zeros);
    let mut bytes = zeros.ok_or(Error::Limit { what, needed, left: 0 })?;
    input.read_at(bytes.as_mut_slice(), place.start)?;
    Ok(Input::entry(address, bytes, budget, Vec::new()))
}

/// Returns the finding with the reaction that the content of the entry implies.
fn reacting(flaw: Finding, reference: Reference) -> Finding {
    Finding { reactions: Some(Reactions::all(reference)), reference, ..flaw }
}

/// Adds the content of the archive to the error in a result.
pub(super) fn in_archive_of<T>(result: Result<T>, content: Option<Format>) -> Result<T> {
    result.map_err(|error| match error {
        Error::Invalid(finding) => finding.in_archive_of(content).into(),
        error => error,
    })
}
