//! The tables that queries refer to.

use crate::exec::ReadExec;
use crate::filters::{self, Wanted};
use crate::pieces;
use crate::read;
use crate::scan::Scan;
use crate::source::Source;
use async_trait::async_trait;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::{Session, TableProvider};
use datafusion::common::{DataFusionError, Result};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// A table of files.
pub struct FileTable {
    source: Source,
    schema: SchemaRef,
    /// The file that was opened for the schema, until the first scan uses it.
    first: Mutex<read::First>,
}

impl fmt::Debug for FileTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileTable").field("source", &self.source).finish_non_exhaustive()
    }
}

impl FileTable {
    /// Opens the files that the schema depends on.
    pub fn open(source: Source) -> Result<Self> {
        let (schema, first) = read::schema(&source)?;
        Ok(FileTable { source, schema, first: Mutex::new(first) })
    }

    /// Creates a table that was opened elsewhere.
    #[cfg(feature = "cluster")]
    pub fn with_schema(source: Source, schema: SchemaRef) -> Self {
        FileTable { source, schema, first: Mutex::new(None) }
    }

    #[cfg(feature = "cluster")]
    pub fn source(&self) -> &Source {
        &self.source
    }
}

#[async_trait]
impl TableProvider for FileTable {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    fn supports_filters_pushdown(&self, filters: &[&Expr]) -> Result<Vec<TableProviderFilterPushDown>> {
        Ok(filters.iter().map(|filter| filters::service(filter, &self.source)).collect())
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let partitions = state.config().target_partitions();
        let wanted = Wanted::new(filters, &self.source);
        let (source, schema, of_survey) = (self.source.clone(), self.schema.clone(), wanted.clone());
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        // This lists directories and reads headers.
        let survey = move || read::survey(&source, &schema, &of_survey, partitions, first);
        let survey = tokio::task::spawn_blocking(survey);
        let (pieces, rows) = survey.await.map_err(|error| DataFusionError::External(Box::new(error)))??;
        let files = pieces.chunk_by(|one, next| one.path == next.path).count();
        let scan = Scan { source: self.source.clone(), projection: projection.cloned(), wanted, files, rows, limit };
        let lists = pieces::plan(&pieces::share(pieces, partitions))?;
        Ok(Arc::new(ReadExec::new(scan, self.schema.clone(), lists)?))
    }
}
