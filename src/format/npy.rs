//! The facts about `.npy`.

use super::facts::{Facts, Signature, right_bytes};
use super::form::{Form, Holds};
use ndbytes_schemas::npy::Npy;

pub(super) const FACTS: Facts = Facts {
    name: "npy",
    title: ".npy",
    article: "an",
    reference_reader: "NumPy 2.4",
    forms: &[Form::own("npy", Holds::File), Form::own("npz", Holds::Archive)],
    signature: Signature::Magic(|head| right_bytes(head, &Npy::MAGIC) + 1 >= Npy::MAGIC.len()),
    states_byte_order: true,
    is_in_one_piece: true,
    is_often_gzipped: false,
    inner_space: None,
};
