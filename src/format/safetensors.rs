//! The facts about safetensors.

use super::facts::{Facts, Signature};
use super::form::{Form, Holds};
use ndbytes_schemas::safetensors::SafeTensors;

pub(super) const FACTS: Facts = Facts {
    name: "safetensors",
    title: "safetensors",
    article: "a",
    reference_reader: "safetensors 0.8",
    forms: &[Form::own("safetensors", Holds::File)],
    signature: Signature::Magic(is_one),
    states_byte_order: true,
    is_in_one_piece: true,
    is_often_gzipped: false,
    inner_space: None,
};

/// Returns whether a file begins with the length of a header, followed by a header that begins with an object. An impossible length
/// is accepted if the object contains tensors.
fn is_one(head: &[u8]) -> bool {
    let Some((length, header)) = head.split_first_chunk::<{ SafeTensors::PREFIX }>() else { return false };
    let header = &header[..header.len().min(super::foreign::BEGINNING)];
    let Some(inside) = header.trim_ascii_start().strip_prefix(b"{").map(<[u8]>::trim_ascii_start) else { return false };
    let begins = inside.is_empty() || inside.starts_with(b"\"") || inside.starts_with(b"}");
    let has_length = (2..=SafeTensors::LONGEST_HEADER).contains(&u64::from_le_bytes(*length));
    begins && (has_length || inside.windows(KEY.len()).any(|part| part == KEY))
}

/// A key that each tensor has.
const KEY: &[u8] = b"\"data_offsets\"";
