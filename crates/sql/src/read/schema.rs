//! The columns of a table, as stated by its files.

use super::array::OpenArray;
use super::lake;
use super::table::OpenTable;
use crate::paths;
use crate::source::{FILE, Kind, OnError, ROW, Source};
use crate::told::told;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema, SchemaRef};
use datafusion::common::Result;
use rayon::prelude::*;
use std::collections::HashMap;
use std::sync::Arc;

/// The file that was opened to determine the schema, with its path, so that it need not be opened again to count rows.
pub type First = Option<(String, Opened)>;

/// An open file.
pub enum Opened {
    Table(OpenTable),
    Array(Box<OpenArray>),
}

impl Opened {
    fn schema(&self) -> Schema {
        match self {
            Opened::Table(table) => table.schema(),
            Opened::Array(array) => array.schema().clone(),
        }
    }
}

/// Returns the schema of all columns. If it depends on files, it comes from the first file, or from all of them.
pub fn schema(source: &Source) -> Result<(SchemaRef, First)> {
    let files = || paths::list(&source.path);
    let opened = match &source.kind {
        Kind::Lake(lake, depth) => return Ok((lake::schema(*lake, *depth), None)),
        Kind::Idv(options) if options.union_by_name => return Ok((placed(&union(&files()?, source)?, source)?, None)),
        Kind::Idv(_) => first(&files()?, source, |path| OpenTable::open(path, source).map(Opened::Table))?,
        Kind::Array(_) => {
            first(&files()?, source, |path| OpenArray::open(path, source).map(Box::new).map(Opened::Array))?
        }
    };
    Ok((placed(&opened.1.schema(), source)?, Some(opened)))
}

/// Returns the columns of files, and the position columns.
fn placed(own: &Schema, source: &Source) -> Result<SchemaRef> {
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

/// Returns the number of columns before the position columns.
pub fn own(full: &Schema, source: &Source) -> usize {
    full.fields().len() - if source.filename { 2 } else { 0 }
}

/// Returns the first file, or the first one that can be read.
fn first(files: &[String], source: &Source, open: impl Fn(&str) -> Result<Opened>) -> Result<(String, Opened)> {
    let mut opened = files.iter().map(|path| Ok((path.clone(), open(path)?)));
    let first = opened.next().unwrap_or_else(|| Err(told(format!("there are no files in {:?}", source.path))));
    match first {
        Err(error) if source.on_error != OnError::Fail => opened.find_map(Result::ok).ok_or(error),
        first => first,
    }
}

/// Returns the columns of all files, in the order of their first occurrence.
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
