//! Files as record batches: what a scan needs of a source before, and while it runs.

mod array;
mod batch;
mod elements;
mod lake;
mod table;

use crate::paths;
use crate::pieces::{self, Piece};
use crate::scan::Scan;
use crate::source::{Kind, Source};
use array::OpenArray;
use batch::Send;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
pub use lake::rows as rows_about;
use rayon::prelude::*;
use std::sync::Arc;
use table::OpenTable;

/// Pieces for each partition of a scan, so that one slow piece does not hold up the rest.
const PIECES: usize = 4;

/// The schema of all columns: of the first file, where it depends on files.
pub fn schema(source: &Source) -> Result<SchemaRef> {
    let first = || {
        let mut files = paths::list(&source.path)?;
        match files.is_empty() {
            true => datafusion::common::plan_err!("there are no files in {:?}", source.path),
            false => Ok(files.swap_remove(0)),
        }
    };
    match &source.kind {
        Kind::Idv(_) => OpenTable::open(&first()?, source, None).map(|table| table.schema()),
        Kind::Array(rows) => OpenArray::open(&source.path, source)?.schema(*rows).map(Arc::new),
        Kind::Lake(lake, _) => Ok(ndbytes_arrow::lake::Table::from(*lake).schema()),
    }
}

/// The work of a scan: its pieces, and the number of its rows where it is known.
pub fn survey(source: &Source, full: &SchemaRef, partitions: usize) -> Result<(Vec<Piece>, Option<usize>)> {
    let wanted = partitions.saturating_mul(PIECES);
    let cut = |path: &String, rows: u64, block: u64, parts: usize| -> Vec<Piece> {
        pieces::ranges(rows, block, parts).map(|rows| Piece { path: path.clone(), rows: Some(rows) }).collect()
    };
    let of_files = |files: Vec<String>| files.into_iter().map(|path| Piece { path, rows: None }).collect();
    match &source.kind {
        Kind::Idv(_) => {
            let files = paths::list(&source.path)?;
            let parts = wanted.div_ceil(files.len().max(1));
            let tables = files.par_iter().map(|path| {
                let table = OpenTable::open(path, source, Some(full))?;
                Ok((cut(path, table.rows(), table.block()?, parts), table.rows()))
            });
            let tables: Vec<(Vec<Piece>, u64)> = tables.collect::<Result<_>>()?;
            let rows = tables.iter().try_fold(0_u64, |sum, (_, rows)| sum.checked_add(*rows));
            Ok((
                tables.into_iter().flat_map(|(pieces, _)| pieces).collect(),
                rows.and_then(|rows| rows.try_into().ok()),
            ))
        }
        Kind::Array(rows) => {
            let (count, block) = OpenArray::open(&source.path, source)?.extent(*rows)?;
            Ok((cut(&source.path, count, block, wanted), count.try_into().ok()))
        }
        Kind::Lake(..) => Ok((of_files(paths::list(&source.path)?), None)),
    }
}

/// Reads pieces one after the other. The file of the last piece stays open.
pub struct Reader {
    scan: Scan,
    full: SchemaRef,
    /// The maximum number of rows of a batch.
    batch: usize,
    open: Option<(String, Open)>,
}

enum Open {
    Table(OpenTable),
    Array(Box<OpenArray>),
}

impl Reader {
    pub fn new(scan: Scan, full: SchemaRef, batch: usize) -> Self {
        Reader { scan, full, batch: batch.max(1), open: None }
    }

    /// Sends the rows of pieces. Returns whether more are wanted.
    pub fn read(&mut self, pieces: &[Piece], send: Send<'_>) -> Result<bool> {
        match &self.scan.source.kind {
            Kind::Idv(_) | Kind::Array(_) => {
                for piece in pieces {
                    if !self.read_rows(piece, send)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Kind::Lake(lake, depth) => lake::read(&self.scan, *lake, *depth, pieces, send),
        }
    }

    fn read_rows(&mut self, piece: &Piece, send: Send<'_>) -> Result<bool> {
        let (source, columns) = (&self.scan.source, self.scan.projection.as_deref());
        let (_, open) = match self.open.take() {
            Some((path, open)) if path == piece.path => self.open.insert((path, open)),
            _ => {
                let open = match &source.kind {
                    Kind::Array(_) => Open::Array(Box::new(OpenArray::open(&piece.path, source)?)),
                    _ => Open::Table(OpenTable::open(&piece.path, source, Some(&self.full))?),
                };
                self.open.insert((piece.path.clone(), open))
            }
        };
        match open {
            Open::Table(table) => table.read(piece.rows.clone(), &self.full, columns, self.batch, send),
            Open::Array(array) => array.read(piece.rows.clone(), &self.full, columns, self.batch, send),
        }
    }
}
