//! Files as record batches: everything that a scan needs from a source, before and while it runs.

mod array;
mod batch;
mod boxes;
mod elements;
mod lake;
mod schema;
mod survey;
mod table;

use crate::pieces::Piece;
use crate::scan::Scan;
use crate::source::{Kind, OnError};
use array::OpenArray;
use batch::{Send, View};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::Result;
pub use lake::rows as rows_about;
pub use schema::{First, schema};
pub use survey::survey;
use table::{Columns, OpenTable};

/// Reads pieces in order. The file of the last piece stays open.
pub struct Reader {
    scan: Scan,
    full: SchemaRef,
    columns: Vec<usize>,
    /// The maximum number of rows in a batch.
    batch: usize,
    open: Option<(String, Open)>,
}

enum Open {
    Table(OpenTable, Columns),
    Array(Box<OpenArray>),
    /// A file that cannot be read.
    Broken,
}

impl Reader {
    pub fn new(scan: Scan, full: SchemaRef, batch: usize) -> Self {
        let columns = scan.projection.clone().unwrap_or_else(|| (0..full.fields().len()).collect());
        Reader { scan, full, columns, batch: batch.max(1), open: None }
    }

    /// Sends the rows of pieces. Returns whether more are needed.
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
        let open = match self.open.take() {
            Some((path, open)) if path == piece.path => open,
            _ => self.open(&piece.path)?,
        };
        let (source, full) = (&self.scan.source, &*self.full);
        let own = schema::own(full, source);
        let view = View { full, own, columns: &self.columns, most: self.batch, on_error: source.on_error };
        let (_, open) = self.open.insert((piece.path.clone(), open));
        match open {
            Open::Table(table, columns) => {
                table.read(piece.rows.clone().unwrap_or(0..table.rows()), columns, &view, send)
            }
            Open::Array(array) => array.read(piece.rows.clone(), &view, send),
            Open::Broken if source.on_error == OnError::Skip => Ok(true),
            // The positions of the rows are unknown, and they have no indices to filter by.
            Open::Broken if matches!(source.kind, Kind::Array(_)) => {
                Ok(!self.scan.wanted.numbers.is_empty() || view.send_nulls(&piece.path, None, send)?)
            }
            Open::Broken => view.send_nulls(&piece.path, piece.rows.clone(), send),
        }
    }

    fn open(&self, path: &str) -> Result<Open> {
        let (source, full) = (&self.scan.source, &*self.full);
        let own = schema::own(full, source);
        let opened = match &source.kind {
            Kind::Array(_) => {
                OpenArray::open(path, source).map(|array| Open::Array(Box::new(array.want(&self.scan.wanted))))
            }
            _ => OpenTable::open(path, source).map(|table| Open::Table(table, Columns::new())),
        };
        match opened {
            // A table with other columns is an error, whatever the treatment of unreadable files.
            Ok(Open::Table(table, _)) => {
                let columns = table.columns(full, own, source)?;
                Ok(Open::Table(table, columns))
            }
            Err(_) if source.on_error != OnError::Fail => Ok(Open::Broken),
            opened => opened,
        }
    }
}
