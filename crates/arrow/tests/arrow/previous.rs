//! Tables of an earlier run that are malicious or broken.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, StringArray};
use arrow_schema::{Field, Schema};
use ndbytes::Limits;
use ndbytes_arrow::lake::{Examiner, Known, Options, Rows, Run, Sink, Table, check_batch};
use ndbytes_arrow::{ipc, parquet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Enough memory for every harmless table here.
const ROOM: u64 = 1 << 20;

/// The forms of a table.
const FORMS: [&str; 3] = ["parquet", "stream", "arrow"];

/// Writes rows in a form, with the notes of a run that begins now.
fn write(form: &str, batch: &RecordBatch, folder: &Path) -> PathBuf {
    let path = folder.join(form);
    let schema = Run::now(&Options::new()).note(&Table::Files.schema());
    if form == "arrow" {
        let noted = RecordBatch::try_new(schema.clone(), batch.columns().to_vec()).unwrap();
        ipc::write_file(&path, RecordBatchIterator::new([Ok(noted)], schema)).unwrap();
        return path;
    }
    let make = if form == "parquet" { Sink::parquet } else { Sink::arrow };
    let mut sink = make(&path, &schema).unwrap();
    sink.write(batch).unwrap();
    sink.finish().unwrap();
    path
}

/// Files in a folder, all of which were changed an hour ago, and the rows about them.
fn files(folder: &Path) -> (Vec<PathBuf>, RecordBatch) {
    let corpus = ndbytes_testkit::corpus::root();
    let mut paths = Vec::new();
    for extension in ["npy", "idv", "zip"] {
        for from in crate::support::files(&corpus, extension).into_iter().take(12) {
            let path = folder.join(format!("{}.{extension}", paths.len()));
            fs::copy(from, &path).unwrap();
            let hour = SystemTime::now() - Duration::from_secs(3600);
            fs::File::options().write(true).open(&path).unwrap().set_modified(hour).unwrap();
            paths.push(path);
        }
    }
    let strings = StringArray::from_iter_values(paths.iter().map(|path| path.to_str().unwrap()));
    let rows = check_batch(&strings, Table::Files, &Options::new()).unwrap();
    (paths, rows)
}

/// Options that allow this much memory.
fn within(most: u64) -> Options {
    Options::new().limits(Limits::default().memory(most))
}

/// Reads a file as the table of an earlier run, within this many bytes of memory.
fn read(path: &Path, most: u64) -> Result<usize, String> {
    let mut known = Known::new();
    known.read(path, &within(most)).map(|_| known.rows())
}

#[test]
fn every_form_gives_the_same_rows_again() {
    let folder = tempfile::tempdir().unwrap();
    let (paths, rows) = files(folder.path());
    for form in FORMS {
        let (mut known, options) = (Known::new(), Options::new());
        assert_eq!(known.read(&write(form, &rows, folder.path()), &within(ROOM)), Ok(true), "{form}");
        assert_eq!(known.rows(), rows.num_rows(), "{form}");
        let examiner = Examiner::new(Table::Files, &options).known(&known);
        let mut again = Rows::new(Table::Files, &options).known(&known);
        let examined: Vec<_> = paths.iter().map(|path| examiner.examine(path)).collect();
        assert!(examined.iter().filter(|it| it.is_known()).count() * 10 > paths.len() * 8, "{form}");
        examined.into_iter().for_each(|it| again.push(it));
        assert_eq!(again.take_all().unwrap(), rows, "{form}");
    }
}

#[test]
fn a_file_without_its_end_is_read_up_to_there_or_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (_, rows) = files(folder.path());
    let cut = folder.path().join("cut");
    for form in FORMS {
        let whole = fs::read(write(form, &rows, folder.path())).unwrap();
        for end in (0..whole.len()).step_by(whole.len() / 97) {
            fs::write(&cut, &whole[..end]).unwrap();
            let read = read(&cut, ROOM);
            let is_expected = match (&read, form) {
                (Err(words), "parquet") if end >= 12 => words.contains("it may be truncated"),
                (Err(_), _) => end < 8192,
                (Ok(count), form) => form != "parquet" && *count < rows.num_rows() || end + 4096 > whole.len(),
            };
            assert!(is_expected, "{form} of {end} bytes: {read:?}");
        }
    }
}

#[test]
fn a_file_with_a_wrong_byte_serves_or_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (paths, rows) = files(folder.path());
    let mutant = folder.path().join("mutant");
    for form in FORMS {
        let whole = fs::read(write(form, &rows, folder.path())).unwrap();
        // The heads are at both ends of the file.
        let places = (0..whole.len().min(2500)).chain(whole.len().saturating_sub(2500)..whole.len());
        for place in places.step_by(7).chain((0..whole.len()).step_by(whole.len() / 211)) {
            for byte in [whole[place] ^ 1, 0xff] {
                let mut bytes = whole.clone();
                bytes[place] = byte;
                fs::write(&mutant, bytes).unwrap();
                let (mut known, options) = (Known::new(), within(ROOM));
                let Ok(_) = known.read(&mutant, &options) else { continue };
                let examiner = Examiner::new(Table::Findings, &options).known(&known);
                let mut again = Rows::new(Table::Findings, &options).known(&known);
                paths.iter().take(2).for_each(|path| again.push(examiner.examine(path)));
                again.take_all().unwrap();
            }
        }
    }
}

/// Rows about this many files, all with the same path.
fn long_paths(count: usize, path: &str) -> RecordBatch {
    let one = check_batch(&StringArray::from(vec!["there is none"; count]), Table::Files, &Options::new()).unwrap();
    let mut columns = one.columns().to_vec();
    columns[0] = Arc::new(StringArray::from(vec![path; count]));
    RecordBatch::try_new(Table::Files.schema(), columns).unwrap()
}

#[test]
fn a_dictionary_does_not_multiply_texts_unseen() {
    let folder = tempfile::tempdir().unwrap();
    let path = write("parquet", &long_paths(100, &"a".repeat(1 << 16)), folder.path());
    assert!(fs::metadata(&path).unwrap().len() < ROOM / 8);
    let words = "its rows take more than the 1048576 bytes that the memory limit allows";
    assert_eq!(read(&path, ROOM), Err(words.to_owned()));
    assert_eq!(read(&path, 16 << 20), Ok(100));
}

#[test]
fn pages_are_measured_before_they_are_decompressed() {
    let folder = tempfile::tempdir().unwrap();
    let path = write("parquet", &long_paths(1, &"a".repeat(8 << 20)), folder.path());
    assert!(fs::metadata(&path).unwrap().len() < ROOM / 8);
    let words = "its rows take more than the 1048576 bytes that the memory limit allows";
    assert_eq!(read(&path, ROOM), Err(words.to_owned()));
    assert_eq!(read(&path, 64 << 20), Ok(1));
}

#[test]
fn a_file_longer_than_the_limit_is_refused_by_its_length() {
    let folder = tempfile::tempdir().unwrap();
    for form in ["stream", "arrow"] {
        let path = write(form, &long_paths(1, &"a".repeat(2 << 20)), folder.path());
        let length = fs::metadata(&path).unwrap().len();
        let words = format!("it has {length} bytes, but the memory limit allows {ROOM}");
        assert_eq!(read(&path, ROOM), Err(words), "{form}");
    }
}

#[test]
fn messages_that_claim_more_than_the_file_has_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("claim");
    for claim in [1_u32 << 16, 1 << 20, 1 << 30, u32::MAX >> 1, u32::MAX - 1] {
        let mut bytes = vec![0xff; 4];
        bytes.extend(claim.to_le_bytes());
        bytes.extend([0; 64]);
        fs::write(&path, bytes).unwrap();
        let words = "it is neither a Parquet file nor an Arrow file or stream";
        assert_eq!(read(&path, ROOM), Err(words.to_owned()), "{claim}");
        let mut bytes = b"PAR1PAR1".to_vec();
        bytes.extend(claim.to_le_bytes());
        bytes.extend(b"PAR1");
        fs::write(&path, bytes).unwrap();
        let words = "it does not end like a Parquet file: it may be truncated";
        assert_eq!(read(&path, ROOM), Err(words.to_owned()), "{claim}");
    }
}

#[test]
fn tables_of_other_columns_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let names: ArrayRef = Arc::new(StringArray::from(vec!["a"]));
    let one = |name: &str| {
        let schema = Arc::new(Schema::new(vec![Field::new(name, names.data_type().clone(), false)]));
        RecordBatchIterator::new([Ok(RecordBatch::try_new(schema.clone(), vec![names.clone()]).unwrap())], schema)
    };
    let path = folder.path().join("other");
    for name in ["path", "other"] {
        ipc::write_file(&path, one(name)).unwrap();
        assert_eq!(read(&path, ROOM), Err("its columns are not those of the table `files`".to_owned()));
        parquet::write(&path, one(name), &parquet::Options::new()).unwrap();
        assert_eq!(read(&path, ROOM), Err("its columns are not those of the table `files`".to_owned()));
    }
    // The columns are correct, but the notes of a run are missing.
    let batch = long_paths(1, "a");
    parquet::write(&path, RecordBatchIterator::new([Ok(batch.clone())], batch.schema()), &parquet::Options::new())
        .unwrap();
    let words = "its ndbytes.lake.version is nothing, but 0.1.0 is needed".replace("0.1.0", env!("CARGO_PKG_VERSION"));
    assert_eq!(read(&path, ROOM), Err(words.clone()));
    ipc::write_file(&path, RecordBatchIterator::new([Ok(batch.clone())], batch.schema())).unwrap();
    assert_eq!(read(&path, ROOM), Err(words));
}

#[test]
fn a_folder_or_a_device_is_no_table() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(read(folder.path(), ROOM), Err("it is not a regular file".to_owned()));
    assert!(read(&folder.path().join("none"), ROOM).is_err());
}

#[test]
fn a_row_about_many_members_serves_each_time_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let (paths, rows) = files(folder.path());
    let archive = paths.iter().position(|path| path.extension().is_some_and(|it| it == "zip")).unwrap();
    let mut known = Known::new();
    known.read(&write("parquet", &rows, folder.path()), &within(ROOM)).unwrap();
    let options = Options::new();
    let examiner = Examiner::new(Table::Files, &options).known(&known);
    let mut again = Rows::new(Table::Files, &options).known(&known);
    (0..3).for_each(|_| again.push(examiner.examine(&paths[archive])));
    let (batch, one) =
        (again.take_all().unwrap(), check_batch(&path_of(&paths[archive]), Table::Files, &options).unwrap());
    assert_eq!(batch.num_rows(), 3 * one.num_rows());
    for time in 0..3 {
        assert_eq!(batch.slice(time * one.num_rows(), one.num_rows()), one);
    }
    assert_eq!(batch.column(0).as_string::<i32>().len(), batch.num_rows());
}

fn path_of(path: &Path) -> StringArray {
    StringArray::from(vec![path.to_str().unwrap()])
}
