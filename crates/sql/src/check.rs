//! The function `ndbytes_check(path)`: the findings of files whose paths are in a table.
//!
//! The paths of a batch are checked in parallel. The function is volatile, because files may change while a query runs,
//! so no result is reused.

use crate::read;
use crate::source::{Depth, Lake};
use datafusion::arrow::array::{Array, ArrayRef, AsArray, ListArray, RecordBatch, StringArray, StructArray};
use datafusion::arrow::buffer::{NullBuffer, OffsetBuffer};
use datafusion::arrow::compute::{cast, concat_batches};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, SchemaRef};
use datafusion::common::Result;
use datafusion::logical_expr::{ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility};
use ndbytes::Limits;
use ndbytes_arrow::lake::Table;
use rayon::prelude::*;
use std::sync::{Arc, LazyLock};

/// The name of the function.
pub const NAME: &str = "ndbytes_check";

/// Returns the function, for a session or an executor.
pub fn function() -> ScalarUDF {
    ScalarUDF::from(CheckFunction { signature: Signature::string(1, Volatility::Volatile) })
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct CheckFunction {
    /// The argument is a string. Results are never reused, because files change.
    signature: Signature,
}

/// The columns of a finding, which are the columns of the table except for the path.
static FINDING: LazyLock<SchemaRef> = LazyLock::new(|| {
    let schema = Table::Findings.schema();
    let columns: Vec<_> = (1..schema.fields().len()).collect();
    Arc::new(schema.project(&columns).expect("the schema has its columns"))
});

fn item() -> FieldRef {
    Arc::new(Field::new("item", DataType::Struct(FINDING.fields().clone()), false))
}

impl ScalarUDFImpl for CheckFunction {
    fn name(&self) -> &str {
        NAME
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::List(item()))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let paths = cast(&arrays[0], &DataType::Utf8)?;
        Ok(ColumnarValue::Array(check(paths.as_string())?))
    }
}

/// Returns a list of findings for each path, or null for a null path.
fn check(paths: &StringArray) -> Result<ArrayRef> {
    let one = |path: Option<&str>| match path {
        Some(path) => read::rows_about(&[path], None, Lake::Findings, Depth::Payload, Limits::default()),
        None => Ok(RecordBatch::new_empty(Table::Findings.schema())),
    };
    let checked = (0..paths.len()).into_par_iter().map(|row| one(paths.is_valid(row).then(|| paths.value(row))));
    let checked: Vec<RecordBatch> = checked.collect::<Result<_>>()?;
    let offsets = OffsetBuffer::from_lengths(checked.iter().map(RecordBatch::num_rows));
    let findings = concat_batches(&Table::Findings.schema(), &checked)?;
    let columns = findings.columns()[1..].to_vec();
    let structs = StructArray::try_new_with_length(FINDING.fields().clone(), columns, None, findings.num_rows())?;
    let nulls: Option<NullBuffer> = paths.nulls().cloned();
    Ok(Arc::new(ListArray::try_new(item(), offsets, Arc::new(structs), nulls)?))
}
