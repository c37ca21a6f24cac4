//! Runs the tool for output as a table, and converts tables to JSON.

use crate::support::tool::command_in;
use arrow_array::cast::AsArray;
use arrow_array::types::{TimestampNanosecondType, UInt32Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use ndbytes_arrow::ipc;
use serde_json::{Map, Value, json};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, SystemTime};

/// A row: its cells by column name.
pub type Row = Map<String, Value>;

/// The output of a run.
pub struct Written {
    pub status: i32,
    pub bytes: Vec<u8>,
    pub stderr: String,
}

impl Written {
    /// The rows of the table on standard output.
    pub fn rows(&self) -> Vec<Row> {
        let batches = ipc::read_stream(&self.bytes[..]).unwrap_or_else(|error| panic!("{error}: {}", self.stderr));
        batches.flat_map(|batch| rows(&batch.unwrap())).collect()
    }
}

/// Runs `check --format arrow` with further arguments in a directory. `list` is standard input.
pub fn check(folder: &Path, list: &[u8], arguments: &[&str]) -> Written {
    let arguments = [&["check", "--format", "arrow"], arguments].concat();
    let mut command = command_in(folder, &arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut stdin, list) = (child.stdin.take().unwrap(), list.to_vec());
    // The tool may fail before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&list)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    Written { status: output.status.code().unwrap(), bytes: output.stdout, stderr }
}

/// The rows of a batch.
pub fn rows(batch: &RecordBatch) -> Vec<Row> {
    let schema = batch.schema();
    let row = |row| {
        let cells = schema.fields().iter().zip(batch.columns());
        cells.map(|(field, column)| (field.name().clone(), cell(column, row))).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

/// An element of an array.
fn cell(array: &dyn Array, at: usize) -> Value {
    if array.is_null(at) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Utf8 => json!(array.as_string::<i32>().value(at)),
        DataType::Boolean => json!(array.as_boolean().value(at)),
        DataType::UInt32 => json!(array.as_primitive::<UInt32Type>().value(at)),
        DataType::UInt64 => json!(array.as_primitive::<UInt64Type>().value(at)),
        DataType::Timestamp(..) => json!(array.as_primitive::<TimestampNanosecondType>().value(at)),
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(at);
            (0..items.len()).map(|item| cell(&items, item)).collect()
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter();
            fields.iter().zip(columns).map(|(field, column)| (field.name().clone(), cell(column, at))).collect()
        }
        other => panic!("no table has a column of {other}"),
    }
}

/// Sets the modification time of a file to some seconds ago.
pub fn age(path: &Path, seconds: u64) {
    let then = SystemTime::now() - Duration::from_secs(seconds);
    File::options().write(true).open(path).unwrap().set_modified(then).unwrap();
}

/// Replaces the bytes of a file without changing its size or its modification time.
pub fn replace_unseen(path: &Path, bytes: &[u8]) {
    let stat = fs::metadata(path).unwrap();
    assert_eq!(stat.len(), bytes.len() as u64);
    fs::write(path, bytes).unwrap();
    File::options().write(true).open(path).unwrap().set_modified(stat.modified().unwrap()).unwrap();
}
