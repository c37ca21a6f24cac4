//! Helpers for several tests.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::prelude::{SessionConfig, SessionContext};
use ndbytes::idv::{ColumnType, ItemType, KeyType, NewColumn, Values, Writer};
use ndbytes_engine::{Settings, register};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// A directory of the project.
pub fn project(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.canonicalize().expect("the project has its folder").join(path);
    path.to_str().expect("the project's path is text").to_owned()
}

/// A file or directory of the corpus.
pub fn corpus(path: &str) -> String {
    let path = ndbytes_testkit::corpus::root().join(path);
    path.to_str().expect("the project's path is text").to_owned()
}

/// A session on this machine.
pub fn session(partitions: usize) -> SessionContext {
    let context = SessionContext::new_with_config(SessionConfig::new().with_target_partitions(partitions));
    register(&context, &Settings::default());
    context
}

/// The rows of an answer, each as its cells with `|` between them.
pub async fn rows(context: &SessionContext, query: &str) -> Vec<String> {
    let answer = async { context.sql(query).await?.collect().await }.await;
    let batches = answer.unwrap_or_else(|error| panic!("{query}: {error}"));
    batches.iter().flat_map(text).collect()
}

/// The error of a query.
pub async fn error(context: &SessionContext, query: &str) -> String {
    let answer = async { context.sql(query).await?.collect().await }.await;
    match answer {
        Ok(_) => panic!("{query} is answered"),
        Err(error) => error.to_string(),
    }
}

fn text(batch: &RecordBatch) -> Vec<String> {
    let options = FormatOptions::default().with_null("-");
    let columns: Vec<_> = batch
        .columns()
        .iter()
        .map(|column| ArrayFormatter::try_new(column, &options).expect("a type is shown"))
        .collect();
    let row = |row| columns.iter().map(|column| column.value(row).to_string()).collect::<Vec<_>>().join("|");
    (0..batch.num_rows()).map(row).collect()
}

/// Runs a command to its end; a timeout is a failure.
pub fn run(command: &mut Command, patience: Duration) -> Output {
    let mut child =
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    // There is little output, so the pipes do not fill up.
    let end = Instant::now() + patience;
    while child.try_wait().expect("a child is waited for").is_none() {
        if Instant::now() > end {
            child.kill().expect("a child is ended");
            let output = child.wait_with_output().expect("a child is waited for");
            panic!("{command:?} hangs: {}", String::from_utf8_lossy(&output.stderr));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().expect("a child is waited for")
}

/// The program.
pub fn program() -> Command {
    Command::new(env!("CARGO_BIN_EXE_ndbytes-engine"))
}

/// The answer of the program.
pub fn answer(arguments: &[&str]) -> String {
    let output = run(program().args(arguments), Duration::from_secs(120));
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {complaint}");
    String::from_utf8(output.stdout).expect("an answer is text")
}

/// The colours of the tables that [`write_table`] makes.
pub const COLOURS: [&str; 3] = ["red", "green", "blue"];

/// Writes a table of `rows` rows, starting with `first`: `Id`, `Pair` and the key `Colour`, which is missing in every
/// seventh row. Its blocks have 1,000 rows.
pub fn write_table(folder: &Path, name: &str, first: u64, rows: u64) -> PathBuf {
    let path = folder.join(name);
    let columns = [
        NewColumn::new("Id", ColumnType::scalar(ItemType::I64)),
        NewColumn::new("Pair", ColumnType::vector(ItemType::F32, [2])),
        NewColumn::new("Colour", ColumnType::scalar(ItemType::Key(KeyType::new(3)))).key_values(COLOURS),
    ];
    let mut file = Writer::new(columns).rows_per_block(1000).create(&path).expect("a table is made");
    let ids: Vec<i64> = (first..first + rows).map(|id| id as i64).collect();
    let pairs: Vec<f32> = ids.iter().flat_map(|&id| [id as f32, 0.5]).collect();
    let keys: Vec<u32> = ids.iter().map(|&id| if id % 7 == 0 { 0 } else { (id % 3) as u32 + 1 }).collect();
    let values = [Values::scalars(ids), Values::dense(pairs, 2).expect("pairs have two items"), Values::scalars(keys)];
    file.write(&values).expect("rows are written");
    file.finish().expect("the table is finished");
    path
}

/// Writes an array of 16-bit integers without an obvious pattern.
pub fn noisy_array(folder: &Path, name: &str, shape: &[usize]) -> PathBuf {
    let path = folder.join(name);
    let count: usize = shape.iter().product();
    let values: Vec<i16> = (0..count).map(|place| (place.wrapping_mul(40_503) >> 3) as i16).collect();
    let values = ndbytes::ndarray::ArrayD::from_shape_vec(shape, values).expect("the shape has these items");
    ndbytes::npy::write(&path, &values).expect("the array is written");
    path
}

/// Overwrites some bytes of the values of a file.
pub fn break_inside(path: &Path) {
    let mut bytes = std::fs::read(path).expect("the file is read");
    let place = bytes.len() / 3;
    bytes[place..place + 64].fill(0xFF);
    std::fs::write(path, bytes).expect("the file is written");
}
