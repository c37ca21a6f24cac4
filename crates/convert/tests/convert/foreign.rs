//! Files of other programs: pictures, and tables with every compression.

use crate::support::{project, run_in};
use std::fs;

/// The lines of the table in `tests/frozen/arrow`, as its recipe generates them.
fn expected() -> String {
    (0..100).map(|row| format!("{},word {}\n", row / 3, row % 5)).collect()
}

#[test]
fn parquet_and_arrow_files_are_read_with_every_compression_of_pyarrow() {
    let folder = project().join("tests/frozen/arrow");
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension != "py"));
    assert_eq!(files.len(), 10, "6 of Parquet and 4 of Arrow: {files:?}");
    for file in files {
        let ended = run_in(&folder, &["convert", file.to_str().unwrap(), "-", "--to", "csv"]);
        let (status, text) = (ended.status, String::from_utf8(ended.stdout).unwrap());
        assert_eq!(
            (status, text.strip_prefix("number,word\n")),
            (0, Some(&*expected())),
            "{}: {}",
            file.display(),
            ended.stderr
        );
    }
}

#[test]
fn picture_that_was_written_is_read_back_as_rows_and_columns() {
    let folder = tempfile::tempdir().unwrap();
    let input = ndbytes_testkit::corpus::root().join("idx/ok/u8-2d.idx");
    fs::copy(input, folder.path().join("a.idx")).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "a.idx", "a.png"]).status, 0);
    let ended = run_in(folder.path(), &["convert", "a.png", "b.idx"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let [a, b] = ["a.idx", "b.idx"].map(|name| fs::read(folder.path().join(name)).unwrap());
    assert_eq!(a, b);
    let piped = fs::File::open(folder.path().join("a.png")).unwrap();
    let ended = crate::support::run_with(folder.path(), &["convert", "-", "-", "--to", "idx"], piped);
    assert_eq!((ended.status, ended.stdout), (0, a), "{}", ended.stderr);
    let first = run_in(folder.path(), &["convert", "a.png[0]", "-", "--to", "npy"]);
    let same = run_in(folder.path(), &["convert", "a.idx[0]", "-", "--to", "npy"]);
    assert_eq!((first.status, first.stdout), (0, same.stdout), "{}", first.stderr);
}

#[test]
fn picture_that_needs_more_than_the_memory_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    ndbytes::idx::write(folder.path().join("a.idx"), &ndbytes::ndarray::Array2::<u8>::zeros([3000, 3000])).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "a.idx", "a.png"]).status, 0);
    let ended = run_in(folder.path(), &["convert", "--max-memory", "4M", "a.png", "b.idx"]);
    assert!(ended.status == 2 && ended.stderr.contains("of the memory limit are left"), "{}", ended.stderr);
    assert!(!folder.path().join("b.idx").exists());
}

#[test]
fn broken_picture_is_refused_by_its_path() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("cut.png"), b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR").unwrap();
    let ended = run_in(folder.path(), &["convert", "cut.png", "out.npy"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.starts_with("error: cut.png: "), "{}", ended.stderr);
}
