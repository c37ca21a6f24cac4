//! Repairs IDX files.

use super::{Attempt, Mend, Mended, TELLING, transport};
use crate::findings::finding::Finding;
use crate::format::idx::{little_endian_idx, reverse_words};
use crate::idx::header_of;
use crate::idx::rules::{self, Correction, correction, other_type, shape};
use everybyte::{Endian, Source, read};
use ndbytes_schemas::idx::{Idx, payload_length};

pub(super) const MENDS: &[Mend] = &[
    Mend { rule: &rules::LITTLE_ENDIAN_HEADER, doc: "The words of the header are reversed.", mend: reversed_header },
    Mend {
        rule: &rules::SIZE_OVERFLOW,
        doc: "Little-endian dimensions are reversed, if the file then fits exactly.",
        mend: fitting_header,
    },
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The header is corrected if little-endian dimensions or one more axis fit the file exactly. Otherwise, the whole \
              items are kept, and the first axis gets their number, unless another element type fits the file exactly.",
        mend: fitting_header,
    },
    Mend {
        rule: &rules::TRAILING_BYTES,
        doc: "The header is corrected if little-endian dimensions or one more axis fit the file exactly. If whole items of 9 \
              bytes or more follow, or the first axis has length 0, its length is increased. A partial item is removed, other \
              bytes only with `--drop`. If another element type fits the file exactly, nothing is changed.",
        mend: fitting_header,
    },
    Mend {
        rule: &rules::IMPLAUSIBLE_BYTE_ORDER,
        doc: "With `--byte-order little`, the elements are written in big-endian order.",
        mend: swapped_elements,
    },
];

/// Returns whether a finding reports that elements are in the other byte order.
pub(super) fn is_swapped(finding: &Finding) -> bool {
    finding.rule == &rules::IMPLAUSIBLE_BYTE_ORDER
}

fn reversed_header(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let end = little_endian_idx(bytes)?;
    let mut mended = bytes.to_vec();
    reverse_words(mended.get_mut(..end)?);
    Some(Mended::new(mended, "the words of the header are reversed").into())
}

fn fitting_header(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let source = Source::new(bytes);
    let header = read::<Idx>(source, Endian::Big, ()).ok()?;
    let start = usize::try_from(header.payload.offset).ok()?;
    let payload = bytes.get(start..)?;
    match correction(&header, source, payload.len() as u64) {
        Some(Correction::Reversed(dims)) => {
            let done = format!("the bytes of each dimension are reversed: {}", shape(&dims));
            Some(Mended::new(with_dims(&header, &dims, payload)?, done).into())
        }
        Some(Correction::OneMoreAxis(dims)) => {
            let done =
                format!("the number of axes is {} instead of {}: {}", dims.len(), header.dims.len(), shape(&dims));
            Some(Mended::new(with_dims(&header, &dims, payload.get(size_of::<u32>()..)?)?, done).into())
        }
        None => {
            let actual = payload.len() as u64;
            let refused = transport::altered(bytes, payload, header.payload.length.saturating_sub(actual));
            let refused = refused.or_else(|| other_type(&header, actual).map(Attempt::Refused));
            refused.or_else(|| Some(whole_items(&header, bytes, payload)?.into()))
        }
    }
}

/// Returns the complete items of a payload whose length differs from that in the header.
fn whole_items(header: &Idx, bytes: &[u8], payload: &[u8]) -> Option<Mended> {
    let (&items, rest) = header.dims.split_first()?;
    let (item, actual) = (payload_length(header.element_type, rest), payload.len() as u64);
    let whole = actual.checked_div(item)?;
    let is_short = actual < header.payload.length;
    // If a writer dies before it writes the count, the count is 0.
    let are_items = actual.is_multiple_of(item) && (item >= TELLING || items == 0);
    if !is_short && !are_items {
        let end = header.payload.offset.checked_add(header.payload.length)?;
        return Mended::cut(bytes, end, item, "what follows the payload");
    }
    let count = u32::try_from(whole).ok().filter(|&count| count > 0)?;
    let dims = [&[count], rest].concat();
    let (kept, left) = ((whole * item) as usize, actual % item);
    let mended = Mended::new(
        with_dims(header, &dims, &payload[..kept])?,
        format!("the first dimension is {count} instead of {items}"),
    );
    Some(match is_short {
        true => mended.giving_up_items(u64::from(items - count), items.into(), left),
        false => mended,
    })
}

fn swapped_elements(_: &Finding, bytes: &[u8]) -> Option<Attempt> {
    let header = read::<Idx>(Source::new(bytes), Endian::Big, ()).ok()?;
    let start = usize::try_from(header.payload.offset).ok()?;
    let mut mended = bytes.to_vec();
    let elements = mended.get_mut(start..)?.chunks_exact_mut(header.element_type.size() as usize);
    elements.for_each(<[u8]>::reverse);
    Some(Mended::new(mended, "the bytes of each element are reversed").into())
}

/// Returns a file with the same elements but other axis lengths.
fn with_dims(header: &Idx, dims: &[u32], payload: &[u8]) -> Option<Vec<u8>> {
    let dims: Vec<usize> = dims.iter().map(|&dim| dim as usize).collect();
    let mut bytes = header_of(header.element_type, &dims).ok()?;
    bytes.extend_from_slice(payload);
    Some(bytes)
}
