//! Repairs IDV files.

use super::{Attempt, Mend, Mended, transport};
use crate::findings::finding::Finding;
use crate::idv::rules;
use everybyte::{Endian, Layout, Source, read, write};
use ndbytes_schemas::idv::{Header, Tail};
use std::ops::Range;

pub(super) const MENDS: &[Mend] = &[
    Mend { rule: &rules::AFTER_TAIL, doc: "With `--drop`, the bytes after the tail are removed.", mend: cut },
    Mend { rule: &rules::RESERVED_BYTES, doc: "The unused bytes of the header are set to zero.", mend: zeroed },
    Mend {
        rule: &rules::TAIL_OFFSET,
        doc: "If the file ends with a tail, the header gets its offset.",
        mend: tail_at_the_end,
    },
    Mend {
        rule: &rules::BAD_TAIL,
        doc: "If the file ends with a tail, the header gets its offset. If it ends eight bytes after the declared offset, the \
              tail is written there.",
        mend: tail,
    },
    Mend {
        rule: &rules::TRUNCATED,
        doc: "If the file ends with a tail, the header gets its offset. If it ends inside its tail, the tail is completed.",
        mend: tail,
    },
];

fn range(finding: &Finding) -> Option<Range<usize>> {
    let start = usize::try_from(finding.offset).ok()?;
    Some(start..start.checked_add(usize::try_from(finding.length).ok()?)?)
}

fn cut(finding: &Finding, bytes: &[u8]) -> Option<Attempt> {
    Some(Mended::cut(bytes, finding.offset, 0, "what follows the tail")?.into())
}

fn zeroed(finding: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let mut mended = bytes.to_vec();
    mended.get_mut(range(finding)?)?.fill(0);
    Some(Mended::new(mended, "the unused bytes of the header are zero").into())
}

/// Returns the bytes of a tail.
fn tail_bytes() -> Vec<u8> {
    write(&Tail {}, Endian::Little).expect("a tail is its magic")
}

fn tail_at_the_end(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let tail = tail_bytes();
    if !bytes.ends_with(&tail) {
        return None;
    }
    let header = read::<Header>(Source::new(bytes), Endian::Little, ()).ok()?;
    let (old, tail_offset) = (header.tail_offset, i64::try_from(bytes.len() - tail.len()).ok()?);
    if let Some(refused) = transport::altered(bytes, bytes, u64::try_from(old.saturating_sub(tail_offset)).unwrap_or(0))
    {
        return Some(refused);
    }
    let mut mended = write(&Header { tail_offset, ..header }, Endian::Little).ok()?;
    mended.extend_from_slice(bytes.get(mended.len()..)?);
    Some(Mended::new(mended, format!("`tail_offset` is {tail_offset} instead of {old}")).into())
}

fn tail(finding: &Finding, bytes: &[u8]) -> Option<Attempt> {
    if let Some(mended) = tail_at_the_end(finding, bytes) {
        return Some(mended);
    }
    let header = read::<Header>(Source::new(bytes), Endian::Little, ()).ok()?;
    let at = u64::try_from(header.tail_offset).ok()?;
    let (length, end) = (bytes.len() as u64, at.checked_add(Tail::MIN_SIZE)?);
    // The bytes between the last table and the end of the file might not be part of a tail.
    if at < Header::MIN_SIZE || length < at || length > end {
        return None;
    }
    if let Some(refused) = transport::altered(bytes, bytes, end - length) {
        return Some(refused);
    }
    let mut mended = bytes.get(..usize::try_from(at).ok()?)?.to_vec();
    mended.extend(tail_bytes());
    Some(Mended::new(mended, "the tail is rebuilt").into())
}
