//! The messages between the machines of a cluster.
//!
//! A session has only one codec of each kind, so these codecs wrap Ballista's, and pass on everything that does not
//! belong to this crate.

use crate::check;
use crate::exec::ReadExec;
use crate::source::Source;
use crate::table::FileTable;
use ballista_core::serde::{BallistaLogicalExtensionCodec, BallistaPhysicalExtensionCodec};
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::common::{Result, TableReference};
use datafusion::datasource::file_format::FileFormatFactory;
use datafusion::execution::TaskContext;
use datafusion::logical_expr::{AggregateUDF, Extension, LogicalPlan, ScalarUDF, WindowUDF};
use datafusion::physical_plan::ExecutionPlan;
use datafusion_proto::logical_plan::LogicalExtensionCodec;
use datafusion_proto::physical_plan::{PhysicalExtensionCodec, PhysicalProtoConverterExtension};
use std::any::Any;
use std::sync::Arc;

/// The first bytes of this crate's messages. Protobuf messages never begin with 0xff.
const MARK: &[u8] = b"\xffndbytes-engine 1\n";

/// The codec of logical plans.
#[derive(Debug)]
pub struct LogicalCodec(Arc<dyn LogicalExtensionCodec>);

impl LogicalCodec {
    /// Creates the codec around another one.
    pub fn around(inner: Arc<dyn LogicalExtensionCodec>) -> Self {
        LogicalCodec(inner)
    }
}

impl Default for LogicalCodec {
    fn default() -> Self {
        LogicalCodec::around(Arc::new(BallistaLogicalExtensionCodec::default()))
    }
}

impl LogicalExtensionCodec for LogicalCodec {
    fn try_decode(&self, buf: &[u8], inputs: &[LogicalPlan], ctx: &TaskContext) -> Result<Extension> {
        self.0.try_decode(buf, inputs, ctx)
    }

    fn try_encode(&self, node: &Extension, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode(node, buf)
    }

    fn try_decode_table_provider(
        &self,
        buf: &[u8],
        table: &TableReference,
        schema: SchemaRef,
        ctx: &TaskContext,
    ) -> Result<Arc<dyn TableProvider>> {
        match buf.strip_prefix(MARK) {
            Some(json) => Ok(Arc::new(FileTable::with_schema(Source::from_json(json)?, schema))),
            None => self.0.try_decode_table_provider(buf, table, schema, ctx),
        }
    }

    fn try_encode_table_provider(
        &self,
        table: &TableReference,
        node: Arc<dyn TableProvider>,
        buf: &mut Vec<u8>,
    ) -> Result<()> {
        match (node.as_ref() as &dyn Any).downcast_ref::<FileTable>() {
            Some(own) => {
                buf.extend_from_slice(MARK);
                buf.extend(own.source().to_json());
                Ok(())
            }
            None => self.0.try_encode_table_provider(table, node, buf),
        }
    }

    fn try_decode_file_format(&self, buf: &[u8], ctx: &TaskContext) -> Result<Arc<dyn FileFormatFactory>> {
        self.0.try_decode_file_format(buf, ctx)
    }

    fn try_encode_file_format(&self, buf: &mut Vec<u8>, node: Arc<dyn FileFormatFactory>) -> Result<()> {
        self.0.try_encode_file_format(buf, node)
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        match name == check::NAME {
            true => Ok(Arc::new(check::function())),
            false => self.0.try_decode_udf(name, buf),
        }
    }

    fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udf(node, buf)
    }

    fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.0.try_decode_udaf(name, buf)
    }

    fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udaf(node, buf)
    }

    fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
        self.0.try_decode_udwf(name, buf)
    }

    fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udwf(node, buf)
    }
}

/// The codec of physical plans.
#[derive(Debug)]
pub struct PhysicalCodec(Arc<dyn PhysicalExtensionCodec>);

impl PhysicalCodec {
    /// Creates the codec around another one.
    pub fn around(inner: Arc<dyn PhysicalExtensionCodec>) -> Self {
        PhysicalCodec(inner)
    }
}

impl Default for PhysicalCodec {
    fn default() -> Self {
        PhysicalCodec::around(Arc::new(BallistaPhysicalExtensionCodec::default()))
    }
}

impl PhysicalExtensionCodec for PhysicalCodec {
    fn try_decode(
        &self,
        buf: &[u8],
        inputs: &[Arc<dyn ExecutionPlan>],
        ctx: &TaskContext,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        match buf.strip_prefix(MARK) {
            Some(own) => Ok(Arc::new(ReadExec::decode(own, inputs)?)),
            None => self.0.try_decode(buf, inputs, ctx, converter),
        }
    }

    fn try_encode(
        &self,
        node: Arc<dyn ExecutionPlan>,
        buf: &mut Vec<u8>,
        converter: &dyn PhysicalProtoConverterExtension,
    ) -> Result<()> {
        match (node.as_ref() as &dyn Any).downcast_ref::<ReadExec>() {
            Some(own) => {
                buf.extend_from_slice(MARK);
                own.encode(buf)
            }
            None => self.0.try_encode(node, buf, converter),
        }
    }

    fn try_decode_udf(&self, name: &str, buf: &[u8]) -> Result<Arc<ScalarUDF>> {
        match name == check::NAME {
            true => Ok(Arc::new(check::function())),
            false => self.0.try_decode_udf(name, buf),
        }
    }

    fn try_encode_udf(&self, node: &ScalarUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udf(node, buf)
    }

    fn try_decode_udaf(&self, name: &str, buf: &[u8]) -> Result<Arc<AggregateUDF>> {
        self.0.try_decode_udaf(name, buf)
    }

    fn try_encode_udaf(&self, node: &AggregateUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udaf(node, buf)
    }

    fn try_decode_udwf(&self, name: &str, buf: &[u8]) -> Result<Arc<WindowUDF>> {
        self.0.try_decode_udwf(name, buf)
    }

    fn try_encode_udwf(&self, node: &WindowUDF, buf: &mut Vec<u8>) -> Result<()> {
        self.0.try_encode_udwf(node, buf)
    }
}
