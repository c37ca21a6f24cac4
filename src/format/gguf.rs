//! The facts about GGUF.

use super::facts::{Facts, Signature, right_bytes};
use super::form::{Form, Holds};
use ndbytes_schemas::gguf::Gguf;

pub(super) const FACTS: Facts = Facts {
    name: "gguf",
    title: "GGUF",
    article: "a",
    reference_reader: "gguf 0.19",
    forms: &[Form::own("gguf", Holds::File)],
    signature: Signature::Magic(is_one),
    states_byte_order: true,
    is_in_one_piece: true,
    is_often_gzipped: false,
    inner_space: None,
};

/// Returns whether a file begins with the magic, or with three of its bytes and a version.
fn is_one(head: &[u8]) -> bool {
    let versions = [2_u32, 3].map(|version| [version.to_le_bytes(), version.to_be_bytes()]);
    let has_version = || head.get(4..8).is_some_and(|version| versions.iter().flatten().any(|known| known == version));
    head.starts_with(&Gguf::MAGIC) || right_bytes(head, &Gguf::MAGIC) == 3 && has_version()
}
