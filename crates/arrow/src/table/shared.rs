//! The parts of a table that its clones and its batches share.

use super::options::Options;
use super::plan::ColumnPlan;
use arrow_schema::SchemaRef;
use ndbytes::{Debited, idv};
use std::sync::Arc;

/// The state that clones of a table share.
#[derive(Debug)]
pub struct Shared {
    pub table: Arc<idv::Table<'static>>,
    pub schema: SchemaRef,
    pub columns: Vec<Arc<ColumnPlan>>,
    pub options: Options,
    /// The memory for dictionaries and metadata, for as long as they live.
    pub debited: Arc<Vec<Debited>>,
}
