//! Mending IDX files.

use super::{Mend, Mended};
use crate::findings::finding::Finding;
use crate::findings::words::bytes as count_of_bytes;
use crate::format::idx::{little_endian_idx, reverse_words};
use crate::idx::header_of;
use crate::idx::rules::{self, Correction, correction, is_text, shape};
use everybyte::{Endian, Source, read};
use ndbytes_schemas::idx::{Idx, payload_length};

pub(super) const MENDS: &[Mend] = &[
    Mend { rule: &rules::LITTLE_ENDIAN_HEADER, doc: "The words of the header are reversed.", mend: reversed_header },
    Mend {
        rule: &rules::SIZE_OVERFLOW,
        doc: "Dimensions that are little-endian are reversed, if the file fits them exactly then.",
        mend: fitting_header,
    },
    Mend {
        rule: &rules::TRUNCATED_PAYLOAD,
        doc: "The header is corrected if little-endian dimensions or one more axis fit the file exactly. Otherwise the whole items \
              are kept, and the first dimension is their number.",
        mend: fitting_header,
    },
    Mend {
        rule: &rules::TRAILING_BYTES,
        doc: "The header is corrected if little-endian dimensions or one more axis fit the file exactly. If whole items of 16 \
              bytes or more follow, the first dimension counts them too. Otherwise the bytes after the payload are cut.",
        mend: fitting_header,
    },
    Mend {
        rule: &rules::IMPLAUSIBLE_BYTE_ORDER,
        doc: "With `--byte-order little`, the elements are written in big-endian order.",
        mend: swapped_elements,
    },
];

/// The size from which an item does not follow by accident: what is appended is hardly a whole number of these.
const TELLING: u64 = 16;

/// Returns whether a finding says that elements are in the other order.
pub(super) fn is_swapped(finding: &Finding) -> bool {
    finding.rule == &rules::IMPLAUSIBLE_BYTE_ORDER
}

fn reversed_header(_: &Finding, bytes: &[u8]) -> Option<Mended> {
    let end = little_endian_idx(bytes)?;
    let mut mended = bytes.to_vec();
    reverse_words(mended.get_mut(..end)?);
    Some(Mended::new(mended, "the words of the header are reversed"))
}

fn fitting_header(_: &Finding, bytes: &[u8]) -> Option<Mended> {
    // What was saved as text has other values than it had.
    if is_text(bytes) {
        return None;
    }
    let source = Source::new(bytes);
    let header = read::<Idx>(source, Endian::Big, ()).ok()?;
    let start = usize::try_from(header.payload.offset).ok()?;
    let payload = bytes.get(start..)?;
    match correction(&header, source, payload.len() as u64) {
        Some(Correction::Reversed(dims)) => {
            let done = format!("the bytes of each dimension are reversed: {}", shape(&dims));
            Some(Mended::new(with_dims(&header, &dims, payload)?, done))
        }
        Some(Correction::OneMoreAxis(dims)) => {
            let done =
                format!("the number of axes is {} instead of {}: {}", dims.len(), header.dims.len(), shape(&dims));
            Some(Mended::new(with_dims(&header, &dims, payload.get(size_of::<u32>()..)?)?, done))
        }
        None => whole_items(&header, payload),
    }
}

/// The whole items of a payload of another length than the header says.
fn whole_items(header: &Idx, payload: &[u8]) -> Option<Mended> {
    let (&items, rest) = header.dims.split_first()?;
    let (item, actual) = (payload_length(header.element_type, rest), payload.len() as u64);
    let whole = actual.checked_div(item)?;
    let is_short = actual < header.payload.length;
    if !is_short && (item < TELLING || !actual.is_multiple_of(item)) {
        let claimed = usize::try_from(header.payload.length).ok()?;
        let lost = count_of_bytes(actual - header.payload.length);
        let mended = with_dims(header, &header.dims, payload.get(..claimed)?)?;
        return Some(Mended::new(mended, "what follows the payload is cut").giving_up(lost));
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

fn swapped_elements(_: &Finding, bytes: &[u8]) -> Option<Mended> {
    let header = read::<Idx>(Source::new(bytes), Endian::Big, ()).ok()?;
    let start = usize::try_from(header.payload.offset).ok()?;
    let mut mended = bytes.to_vec();
    let elements = mended.get_mut(start..)?.chunks_exact_mut(header.element_type.size() as usize);
    elements.for_each(<[u8]>::reverse);
    Some(Mended::new(mended, "the bytes of each element are reversed"))
}

/// A file of the same elements with other dimensions.
fn with_dims(header: &Idx, dims: &[u32], payload: &[u8]) -> Option<Vec<u8>> {
    let dims: Vec<usize> = dims.iter().map(|&dim| dim as usize).collect();
    let mut bytes = header_of(header.element_type, &dims).ok()?;
    bytes.extend_from_slice(payload);
    Some(bytes)
}
