//! Tables about many files.

use arrow_array::cast::AsArray;
use arrow_array::{Array, Int32Array, RecordBatch, StringArray};
use ndbytes::{Checker, Depth};
use ndbytes_arrow::lake::{Known, Lake, Options, Run, Sink, Table, UNREADABLE, check_batch};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Returns all files of the corpus, in order.
fn corpus() -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![ndbytes_testkit::corpus::root()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    assert!(files.len() > 500);
    files
}

fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let column = batch.column_by_name(column).unwrap().as_string::<i32>();
    column.iter().map(|text| text.map(str::to_owned)).collect()
}

fn strings(paths: &[PathBuf]) -> StringArray {
    StringArray::from_iter_values(paths.iter().map(|path| path.to_str().unwrap()))
}

#[test]
fn findings_of_the_corpus_are_those_of_the_checker_in_order() {
    let paths = corpus();
    let batch = check_batch(&strings(&paths), Table::Findings, &Options::new()).unwrap();
    let rows: Vec<_> = texts(&batch, "rule").into_iter().zip(texts(&batch, "message")).collect();
    let mut expected = Vec::new();
    for path in &paths {
        let report = Checker::new().check(path).unwrap();
        expected.extend(report.findings().iter().map(|it| (Some(it.rule.id.to_owned()), Some(it.message.clone()))));
    }
    assert_eq!(rows, expected);
}

#[test]
fn batches_of_a_lake_are_bounded_and_equal_one_batch() {
    let paths = corpus();
    for table in Table::ALL {
        let whole = check_batch(&strings(&paths), table, &Options::new()).unwrap();
        assert_eq!(whole.schema(), table.schema());
        let lake = Lake::new(paths.clone(), table, &Options::new().rows(7));
        let batches: Vec<_> = lake.map(Result::unwrap).collect();
        assert!(table != Table::Files || batches.iter().all(|batch| batch.num_rows() <= 7));
        let joined = arrow_select::concat::concat_batches(&table.schema(), &batches).unwrap();
        assert_eq!(joined, whole, "{}", table.name());
    }
}

#[test]
fn file_that_cannot_be_read_is_a_row() {
    let batch = check_batch(&StringArray::from(vec!["there is none"]), Table::Findings, &Options::new()).unwrap();
    assert_eq!(texts(&batch, "rule"), [Some(UNREADABLE.to_owned())]);
    let batch = check_batch(&StringArray::from(vec!["there is none"]), Table::Files, &Options::new()).unwrap();
    assert_eq!(texts(&batch, "verdict"), [Some("error".to_owned())]);
    assert!(batch.column_by_name("size").unwrap().is_null(0));
}

#[test]
fn numbers_are_refused_as_paths() {
    let error = check_batch(&Int32Array::from(vec![1]), Table::Files, &Options::new()).unwrap_err();
    assert!(error.to_string().contains("paths must be strings, but these are Int32"), "{error}");
}

/// Writes the table of a run, all of whose files were changed an hour earlier.
fn earlier(paths: &[PathBuf], options: &Options, out: &Path) {
    for path in paths {
        let hour = SystemTime::now() - Duration::from_secs(3600);
        File::options().write(true).open(path).unwrap().set_modified(hour).unwrap();
    }
    let schema = Run::now(options).note(&Table::Files.schema());
    let mut sink = Sink::parquet(out, &schema).unwrap();
    sink.write(&check_batch(&strings(paths), Table::Files, options).unwrap()).unwrap();
    sink.finish().unwrap();
}

#[test]
fn earlier_run_serves_unchanged_files_alone() {
    use ndbytes_arrow::lake::{Examiner, Rows};
    let folder = tempfile::tempdir().unwrap();
    let paths: Vec<_> = ["good.npy", "bad.npy", "lake.idx"].map(|name| folder.path().join(name)).to_vec();
    let good =
        b"\x93NUMPY\x01\0\x46\0{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }            \n\x07\0\x08\0";
    fs::write(&paths[0], good).unwrap();
    fs::write(&paths[1], &good[..82]).unwrap();
    fs::write(&paths[2], [0, 0, 8, 1, 0, 0, 0, 1, 5]).unwrap();
    let (table, options) = (folder.path().join("files.parquet"), Options::new().depth(Depth::Structure));
    earlier(&paths, &options, &table);
    // The last file has changed.
    fs::write(&paths[2], [0, 0, 8, 1, 0, 0, 0, 2, 5]).unwrap();
    let mut known = Known::new();
    assert_eq!(known.read(&table, &options), Ok(true));
    for kind in Table::ALL {
        let (examiner, mut rows) =
            (Examiner::new(kind, &options).known(&known), Rows::new(kind, &options).known(&known));
        let examined: Vec<_> = paths.iter().map(|path| examiner.examine(path)).collect();
        assert_eq!(examined.iter().map(|it| it.is_known()).collect::<Vec<_>>(), [true, true, false]);
        examined.into_iter().for_each(|examined| rows.push(examined));
        assert_eq!(rows.take_all().unwrap(), check_batch(&strings(&paths), kind, &options).unwrap());
    }
    let words = Known::new().read(&table, &Options::new()).unwrap_err();
    assert_eq!(words, "its ndbytes.lake.depth is structure, but payload is needed");
}
