//! Losses in text formats.

use super::batches::item_type;
use super::csv;
use crate::error::Loss;
use crate::kind::FileKind;
use arrow_schema::{DataType, Schema};
use ndbytes_arrow::metadata;

/// Lists the features of a table that a text file cannot hold. Types and unused categories are not reported, because no
/// text file can hold them.
pub fn losses(kind: FileKind, schema: &Schema, name: &str) -> Vec<Loss> {
    let mut losses = Vec::new();
    for field in schema.fields() {
        let is_dictionary = matches!(item_type(field.data_type()), DataType::Dictionary(..));
        let are_headings = kind == FileKind::Csv && csv::slot_names(field).is_some();
        let annotations = field.metadata().keys().filter_map(|key| key.strip_prefix(metadata::ANNOTATION));
        let mut lost: Vec<String> = annotations
            .filter(|&annotation| match annotation {
                "KeyValues" => !is_dictionary,
                "SlotNames" => !are_headings,
                _ => true,
            })
            .map(|annotation| annotation_of(annotation, field.name()))
            .collect();
        lost.sort_unstable();
        if kind == FileKind::Csv && matches!(field.data_type(), DataType::FixedSizeList(_, 0)) {
            lost.push(format!("the column {:?}, whose vectors have no slots,", field.name()));
        }
        losses.extend(lost.into_iter().map(|what| Loss::left_out(kind, &what, name)));
    }
    losses
}

/// Returns a sentence about an annotation.
pub fn annotation_of(annotation: &str, column: &str) -> String {
    format!("the annotation {annotation:?} of the column {column:?}")
}
