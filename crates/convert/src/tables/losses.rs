//! The features that are lost when converting a table.

use super::source::Opened;
use super::text::annotation_of;
use crate::error::{Loss, Result};
use crate::kind::FileKind;
use arrow_schema::{DataType, Field};
use ndbytes::idv::{self, ColumnType, ItemType};
use ndbytes_arrow::metadata;
use std::collections::{HashMap, HashSet};

/// The prefix of all metadata that ndbytes writes.
const OURS: &str = "ndbytes.idv.";

/// The prefix of the metadata of extension types, which are part of a type.
const EXTENSIONS: &str = "ARROW:extension:";

/// Returns the features of a table that are dropped.
pub fn of(opened: &Opened<'_>, kind: FileKind) -> Result<Vec<Loss>> {
    let name = opened.table.name();
    let mut losses = Vec::new();
    if let Some(table) = opened.idv() {
        of_idv(table, opened, kind, &mut losses);
    } else if kind == FileKind::Idv {
        let all = std::iter::once((None, opened.schema.metadata()));
        let all = all.chain(opened.schema.fields().iter().map(|field| (Some(field.name()), field.metadata())));
        for (column, notes) in all {
            let of = column.map_or_else(String::new, |column| format!(" of the column {column:?}"));
            let mut keys: Vec<_> = notes.keys().collect();
            keys.retain(|key| !key.starts_with(OURS) && !key.starts_with(EXTENSIONS));
            keys.sort();
            losses.extend(keys.into_iter().map(|key| Loss::left_out(kind, &format!("the metadata {key:?}{of}"), name)));
        }
        for field in opened.schema.fields() {
            if let Some(instead) = renamed(field) {
                let what = format!("the type {} of the column {:?}", field.data_type(), field.name());
                losses.push(Loss::of(kind, &what, name, instead));
            }
        }
    }
    Ok(losses)
}

/// Adds the losses of batches of IDV.
fn of_idv(table: &idv::Table<'_>, opened: &Opened<'_>, kind: FileKind, losses: &mut Vec<Loss>) {
    let source = opened.table.name();
    let left_out = |what: String| Loss::left_out(kind, &what, source);
    let becomes_0 = |what: String| Loss::of(kind, &what, source, "which becomes 0");
    let chosen = opened.table.chosen().map(|names| names.iter().collect::<HashSet<_>>());
    let fields: HashMap<_, _> = opened.schema.fields().iter().map(|field| (field.name(), field)).collect();
    for column in table.columns() {
        let name = column.name();
        if column.is_hidden() || !column.is_readable() {
            // If columns are selected, the others are not losses.
            if chosen.is_none() {
                let how = if column.is_hidden() { "hidden" } else { "unreadable" };
                losses.push(left_out(format!("the {how} column {name:?}")));
            }
            continue;
        }
        if chosen.as_ref().is_some_and(|names| !names.contains(&name)) {
            continue;
        }
        let Some(field) = fields.get(&name) else { continue };
        let first = |column_type: &ColumnType| match column_type.item {
            ItemType::Key(key) if !kind.is_lines() && key.min != 0 => Some(key.min),
            _ => None,
        };
        // Only IDV can store it.
        let lost = |min, of: &str| match kind {
            FileKind::Idv => becomes_0(first_category(min, of)),
            _ => left_out(first_category(min, of)),
        };
        if let Some(min) = column.column_type().and_then(first) {
            losses.push(lost(min, &format!("the column {name:?}")));
        }
        for annotation in column.annotations() {
            let what = annotation_of(&annotation.kind(), &name);
            if !field.metadata().contains_key(&format!("{}{}", metadata::ANNOTATION, annotation.kind())) {
                losses.push(left_out(what));
            } else if let Some(min) = annotation.value_type().and_then(first) {
                losses.push(lost(min, &what));
            }
        }
    }
}

/// Returns the number of the first category of a column, as a loss.
fn first_category(number: u64, of: &str) -> String {
    format!("the number {number} of the first category of {of}")
}

/// Returns the IDV type, if it is a different type with the same values.
fn renamed(field: &Field) -> Option<&'static str> {
    let item = match field.data_type() {
        DataType::List(child) | DataType::LargeList(child) | DataType::FixedSizeList(child, _) => child.data_type(),
        item => item,
    };
    match item {
        DataType::Float16 => Some("whose values become Single"),
        DataType::Date32 | DataType::Date64 => Some("whose values become DateTime"),
        DataType::Time32(_) | DataType::Time64(_) => Some("whose values become TimeSpan"),
        _ => None,
    }
}
