//! The annotations of columns that are in both tables.

use super::columns::{How, Pair, quoted};
use crate::diff::options::Options;
use ndbytes::idv::{Annotation, Column, Values};
use ndbytes::{Error, Result};
use std::collections::BTreeMap;

/// Returns sentences about the annotations that differ.
pub(super) fn differences(pairs: &[Pair<'_>], asked: &Options) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    for pair in pairs {
        asked.limits.ensure_time()?;
        let (mine, theirs) = (by_kind(&pair.a), by_kind(&pair.b));
        let column = quoted(&pair.a.name());
        for kind in mine.keys().chain(theirs.keys().filter(|kind| !mine.contains_key(*kind))) {
            // The names of categories have already been compared.
            if kind == "KeyValues" && matches!(pair.how, How::Named(_)) {
                continue;
            }
            let about = format!("column {column}, annotation {}", quoted(kind));
            match (mine.get(kind), theirs.get(kind)) {
                (Some(_), None) => notes.push(format!("{about}: only the first file has it")),
                (None, Some(_)) => notes.push(format!("{about}: only the second file has it")),
                (Some(a), Some(b)) if differ(a, b)? => notes.push(format!("{about}: its values differ")),
                _ => {}
            }
        }
    }
    Ok(notes)
}

/// Returns the annotations of a column. If several have the same kind, the first one counts.
fn by_kind<'t>(column: &Column<'t>) -> BTreeMap<String, Annotation<'t>> {
    let mut all = BTreeMap::new();
    for annotation in column.annotations() {
        all.entry(annotation.kind()).or_insert(annotation);
    }
    all
}

/// Returns whether two annotations can be read and differ. If one cannot be read, there is a finding instead.
fn differ(a: &Annotation<'_>, b: &Annotation<'_>) -> Result<bool> {
    if a.value_type() != b.value_type() {
        return Ok(true);
    }
    let (a, b) = (readable(a.read())?, readable(b.read())?);
    Ok(a.zip(b).is_some_and(|(a, b)| !a.is_identical(&b)))
}

/// Returns the values of an annotation; `None` if they cannot be read, which does not prevent comparing the column.
fn readable(values: Result<Values>) -> Result<Option<Values>> {
    match values {
        Ok(values) => Ok(Some(values)),
        Err(Error::Invalid(_) | Error::UnreadableColumn { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}
