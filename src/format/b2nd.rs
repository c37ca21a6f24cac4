//! The facts about b2nd.

use super::facts::{Facts, Signature, is_nearly};
use super::form::{Form, Holds};
use ndbytes_schemas::blosc2::Magic;

pub(super) const FACTS: Facts = Facts {
    name: "b2nd",
    title: "b2nd",
    article: "a",
    reference_reader: "python-blosc2 4.14",
    forms: &[
        Form::own("b2nd", Holds::File),
        Form::own("b2frame", Holds::File),
        Form::own("b2f", Holds::Frame),
        Form::own("b2b", Holds::Frame),
        Form::own("b2e", Holds::Frame),
        Form::own("b2z", Holds::Archive),
    ],
    signature: Signature::Magic(is_frame),
    states_byte_order: true,
    is_in_one_piece: false,
    is_often_gzipped: false,
    inner_space: Some("the chunk's file"),
};

/// Returns whether a file begins exactly or nearly like a Blosc2 frame.
pub(crate) fn is_frame(head: &[u8]) -> bool {
    head.get(Magic::TEXT_OFFSET as usize..).is_some_and(|text| is_nearly(text, &Magic::TEXT))
}
