//! The columns of a table, as its files have them.

use super::array::OpenArray;
use super::lake;
use super::table::OpenTable;
use crate::filters::Wanted;
use crate::paths;
use crate::source::{FILE, Kind, OnError, ROW, Source};
use crate::told::told;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::common::Result;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The schema of all columns: of the first file, where it depends on files, or of all of them.
pub fn schema(source: &Source) -> Result<SchemaRef> {
    let files = || paths::list(&source.path);
    let own = match &source.kind {
        Kind::Lake(lake, depth) => return Ok(lake::schema(*lake, *depth)),
        Kind::Idv(options) if options.union_by_name => union(&files()?, source)?,
        Kind::Idv(_) => first(&files()?, source, |path| OpenTable::open(path, source).map(|table| table.schema()))?,
        Kind::Array(_) => first(&files()?, source, |path| {
            OpenArray::open(path, source, &Wanted::default()).map(|array| array.schema().clone())
        })?,
    };
    let places = [Field::new(FILE, DataType::Utf8, false), Field::new(ROW, DataType::UInt64, true)].map(Arc::new);
    let places: &[FieldRef] = if source.filename { &places } else { &[] };
    for place in places {
        if own.index_of(place.name()).is_ok() {
            return Err(told(format!(
                "the files of {:?} have a column {:?} of their own, so that filename => true cannot add one",
                source.path,
                place.name()
            )));
        }
    }
    Ok(Arc::new(Schema::new(own.fields().iter().chain(places).cloned().collect::<Vec<_>>())))
}

/// The number of columns before those that say where a row is.
pub fn own(full: &Schema, source: &Source) -> usize {
    full.fields().len() - if source.filename { 2 } else { 0 }
}

/// The schema of the first file, or of the first one that can be read.
fn first(files: &[String], source: &Source, open: impl Fn(&str) -> Result<Schema>) -> Result<Schema> {
    let mut opened = files.iter().map(|path| open(path));
    let first = opened.next().unwrap_or_else(|| Err(told(format!("there are no files in {:?}", source.path))));
    match first {
        Err(error) if source.on_error != OnError::Fail => opened.find_map(Result::ok).ok_or(error),
        first => first,
    }
}

/// The columns of all files, in the order in which they are met.
fn union(files: &[String], source: &Source) -> Result<Schema> {
    let tables: Vec<_> = files.par_iter().map(|path| OpenTable::open(path, source)).collect();
    let (mut fields, mut places): (Vec<FieldRef>, HashMap<String, usize>) = Default::default();
    let (mut failure, mut is_opened) = (None, false);
    for table in tables {
        let table = match table {
            Ok(table) => table,
            Err(error) if source.on_error == OnError::Fail => return Err(error),
            Err(error) => {
                failure.get_or_insert(error);
                continue;
            }
        };
        is_opened = true;
        for (at, field) in table.schema().fields().iter().enumerate() {
            match places.get(field.name()) {
                Some(&known) if fields[known] == *field => {}
                Some(&known) => return Err(table.differs(at, field, &fields[known])),
                None => {
                    places.insert(field.name().clone(), fields.len());
                    fields.push(field.clone());
                }
            }
        }
    }
    match failure {
        Some(error) if !is_opened => Err(error),
        _ => Ok(Schema::new(fields)),
    }
}
