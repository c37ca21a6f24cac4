//! The node of a physical plan that reads files.

use crate::pieces;
use crate::read;
use crate::scan::Scan;
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
#[cfg(feature = "cluster")]
use datafusion::arrow::ipc::{reader::StreamReader, writer::StreamWriter};
#[cfg(feature = "cluster")]
use datafusion::common::DataFusionError;
use datafusion::common::stats::Precision;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, Statistics, internal_err};
use datafusion::execution::TaskContext;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType, ReplaceChildrenOptions};
use datafusion::physical_plan::statistics::StatisticsArgs;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties, SendableRecordBatchStream,
};
use futures::StreamExt;
use std::fmt;
#[cfg(feature = "cluster")]
use std::io::Cursor;
use std::sync::Arc;

/// The number of batches that may be queued for the operator above.
const AHEAD: usize = 2;

/// Reads the pieces that the node below lists.
#[derive(Debug, Clone)]
pub struct ReadExec {
    scan: Scan,
    /// The schema before the projection.
    full: SchemaRef,
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl ReadExec {
    pub fn new(scan: Scan, full: SchemaRef, input: Arc<dyn ExecutionPlan>) -> Result<Self> {
        let schema = match &scan.projection {
            Some(columns) => Arc::new(full.project(columns)?),
            None => full.clone(),
        };
        let partitions = input.properties().partitioning.partition_count();
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(partitions),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Ok(ReadExec { scan, full, input, properties: Arc::new(properties) })
    }
}

#[cfg(feature = "cluster")]
impl ReadExec {
    /// Encodes the node for another machine: its schema as the head of an Arrow stream, followed by JSON.
    pub fn encode(&self, to: &mut Vec<u8>) -> Result<()> {
        StreamWriter::try_new(&mut *to, &self.full)?.finish()?;
        serde_json::to_writer(to, &self.scan).map_err(|error| DataFusionError::External(Box::new(error)))
    }

    /// Decodes a node from another machine. No file is opened for its schema.
    pub fn decode(bytes: &[u8], inputs: &[Arc<dyn ExecutionPlan>]) -> Result<Self> {
        let [input] = inputs else { return internal_err!("a scan of files has one node below it") };
        let mut cursor = Cursor::new(bytes);
        let mut stream = StreamReader::try_new(&mut cursor, None)?;
        let full = stream.schema();
        if stream.next().is_some() {
            return internal_err!("a scan of files travels without rows");
        }
        drop(stream);
        let json = bytes.get(cursor.position() as usize..).unwrap_or_default();
        let scan = serde_json::from_slice(json).map_err(|error| DataFusionError::External(Box::new(error)))?;
        ReadExec::new(scan, full, input.clone())
    }
}

impl DisplayAs for ReadExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let schema = self.schema();
        let columns: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        write!(
            f,
            "NdbytesExec: {}({:?}), files={}, columns=[{}]",
            self.scan.source.kind,
            self.scan.source.path,
            self.scan.files,
            columns.join(", ")
        )?;
        let numbers = &self.scan.wanted.numbers;
        if !numbers.is_empty() {
            let wanted: Vec<_> = numbers.iter().map(|(column, wanted)| format!("{column} in {wanted}")).collect();
            write!(f, ", wanted=[{}]", wanted.join(", "))?;
        }
        self.scan.limit.map_or(Ok(()), |limit| write!(f, ", limit={limit}"))
    }
}

impl ExecutionPlan for ReadExec {
    fn name(&self) -> &str {
        "NdbytesExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    /// The pieces are already distributed, so no exchange is needed below.
    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let Ok([input]) = <[_; 1]>::try_from(children) else {
            return internal_err!("a scan of files has one node below it");
        };
        Ok(Arc::new(ReadExec::new(self.scan.clone(), self.full.clone(), input)?))
    }

    /// DataFusion requires this method, but calls `replace_children` itself.
    fn with_new_children(self: Arc<Self>, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        use datafusion::physical_plan::execution_plan::ChildrenPropertiesMode::Recompute;
        self.replace_children(children, ReplaceChildrenOptions { children_properties: Recompute })
    }

    fn statistics_from_inputs(&self, _: &[Arc<Statistics>], args: &StatisticsArgs) -> Result<Arc<Statistics>> {
        let mut statistics = Statistics::new_unknown(&self.schema());
        if let (Some(rows), None, None) = (self.scan.rows, args.partition(), self.scan.limit) {
            statistics.num_rows = Precision::Exact(rows);
        }
        Ok(Arc::new(statistics))
    }

    fn execute(&self, partition: usize, context: Arc<TaskContext>) -> Result<SendableRecordBatchStream> {
        let mut lists = self.input.execute(partition, context.clone())?;
        let mut builder = RecordBatchReceiverStreamBuilder::new(self.schema(), AHEAD);
        let sender = builder.tx();
        let rows = context.session_config().batch_size();
        let (scan, full) = (self.scan.clone(), self.full.clone());
        let runtime = tokio::runtime::Handle::current();
        builder.spawn_blocking(move || {
            let mut left = scan.limit.unwrap_or(usize::MAX);
            let mut reader = read::Reader::new(scan, full, rows);
            while let Some(list) = runtime.block_on(lists.next()) {
                let mut send = |batch: RecordBatch| {
                    let batch = batch.slice(0, batch.num_rows().min(left));
                    left -= batch.num_rows();
                    sender.blocking_send(Ok(batch)).is_ok() && left > 0
                };
                if !reader.read(&pieces::pieces(&list?)?, &mut send)? {
                    break;
                }
            }
            Ok(())
        });
        Ok(builder.build())
    }
}
