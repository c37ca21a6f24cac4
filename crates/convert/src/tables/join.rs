//! Joins several tables.

use super::source::Opened;
use crate::error::{Error, Loss, Result, Weight};
use crate::kind::FileKind;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use ndbytes_arrow::metadata;
use std::collections::HashMap;
use std::sync::Arc;

/// Returns the common schema of all tables, and the metadata in which they differ, which is dropped.
pub fn join(opened: &[Opened<'_>], kind: FileKind) -> Result<(SchemaRef, Vec<Loss>)> {
    let Some((first, others)) = opened.split_first() else {
        return Err(ndbytes::Error::OutOfRange { index: 0, length: 0 }.into());
    };
    let mut losses = Vec::new();
    let mut fields: Vec<Field> = first.schema.fields().iter().map(|field| (**field).clone()).collect();
    let mut notes = owned(first.schema.metadata().iter());
    for other in others {
        let unlike = |what| Error::Unlike { name: other.table.name().into(), first: first.table.name().into(), what };
        let theirs = other.schema.fields();
        for (place, (field, their)) in fields.iter_mut().zip(theirs).enumerate() {
            let (name, number) = (field.name(), place + 1);
            if name != their.name() {
                return Err(unlike(format!("the column {:?} as number {number}, not {name:?}", their.name())));
            }
            if field.data_type() != their.data_type() {
                let (one, two) = (field.data_type(), their.data_type());
                return Err(unlike(format!("the column {name:?} of the type {two}, not {one}")));
            }
            let mut mine = owned(field.metadata().iter());
            let differing = drop_differing(&mut mine, &owned(their.metadata().iter()));
            if !differing.is_empty() {
                let name = field.name();
                let of = format!("of the column {name:?} of {} and {}", first.table.name(), other.table.name());
                if kind == FileKind::Arrow && matches!(field.data_type(), DataType::Dictionary(..)) {
                    let what = format!("the different categories {of} as one dictionary: choose the keys text");
                    return Err(Error::Refused { kind, what });
                }
                // The number of categories follows from the values of the joined table.
                for key in [metadata::TYPE, metadata::KEY_COUNT] {
                    if matches!(field.data_type(), DataType::Dictionary(..)) {
                        mine.remove(key);
                    }
                }
                losses.extend(differing.into_iter().map(|key| lost(kind, &key, &of)));
                field.set_metadata(mine);
            }
            if their.is_nullable() {
                field.set_nullable(true);
            }
        }
        if theirs.len() != fields.len() {
            return Err(unlike(format!("{} columns, not {}", theirs.len(), fields.len())));
        }
        let mut differing = drop_differing(&mut notes, &owned(other.schema.metadata().iter()));
        // The version belongs to the file, not to its content.
        differing.retain(|key| key != metadata::VERSION);
        let of = format!("of {} and {}", first.table.name(), other.table.name());
        losses.extend(differing.into_iter().map(|key| lost(kind, &key, &of)));
    }
    Ok((Arc::new(Schema::new_with_metadata(fields, notes)), losses))
}

/// Converts metadata to an owned map, since its type differs between versions of Arrow.
fn owned<'m>(notes: impl Iterator<Item = (&'m String, &'m String)>) -> HashMap<String, String> {
    notes.map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Returns the loss of metadata that differs between the joined tables.
fn lost(kind: FileKind, key: &str, of: &str) -> Loss {
    let what = match key.strip_prefix(metadata::ANNOTATION) {
        Some(annotation) => format!("the different annotations {annotation:?} {of}"),
        None => format!("the different metadata {key:?} {of}"),
    };
    Loss { kind, what, instead: "which are dropped".into(), weight: Weight::Metadata }
}

/// Keeps only the metadata that is the same in both, and returns the sorted keys of the rest.
fn drop_differing(mine: &mut HashMap<String, String>, theirs: &HashMap<String, String>) -> Vec<String> {
    let only = |keys: &HashMap<String, String>, others: &HashMap<String, String>| {
        let differs = |(key, value): &(&String, &String)| others.get(*key) != Some(*value);
        keys.iter().filter(differs).map(|(key, _)| key.clone()).collect::<Vec<_>>()
    };
    let mut differing = only(mine, theirs);
    differing.extend(only(theirs, mine));
    differing.sort();
    differing.dedup();
    mine.retain(|key, value| theirs.get(key) == Some(value));
    differing
}
