//! The facts about IDV.

use super::facts::{Facts, Signature, is_nearly};
use super::form::{Form, Holds};
use ndbytes_schemas::idv::Header;

pub(super) const FACTS: Facts = Facts {
    name: "idv",
    title: "IDV",
    article: "an",
    reference_reader: "ML.NET 1.5",
    // ML.NET models are archives, with the schema of their training data as a table.
    forms: &[Form::shared("idv", Holds::File), Form::shared("mlnet", Holds::Archive)],
    signature: Signature::Magic(|head| is_nearly(head, &Header::MAGIC)),
    states_byte_order: true,
    is_in_one_piece: false,
    is_often_gzipped: false,
    inner_space: Some("the decompressed block"),
};
