//! The facts about the test format.

use super::facts::{Facts, Signature};
use super::form::{Form, Holds};

pub(super) const FACTS: Facts = Facts {
    name: "toy",
    title: "Toy",
    article: "a",
    reference_reader: "nobody",
    forms: &[Form::own("toy", Holds::File)],
    signature: Signature::Magic(|head| head.starts_with(b"TOY!")),
    states_byte_order: true,
    is_in_one_piece: true,
    is_often_gzipped: false,
    inner_space: None,
};
