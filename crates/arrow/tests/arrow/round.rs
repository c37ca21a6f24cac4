//! IDV to Arrow and back, and through Arrow's files and Parquet: files from the corpus, from real writers, and from the forge.

use crate::support::{assert_same, back, batches, files, table_in};
use arrow_array::{RecordBatch, RecordBatchIterator, RecordBatchReader};
use ndbytes::idv;
use ndbytes_arrow::table::{ArrowTable, Keys, Options, Sparse, TextPolicy, Times};
use ndbytes_arrow::{Error, ipc, parquet};
use ndbytes_forge::{Forge, Kind, Mutation};
use std::fs;

/// Returns all valid files: those from the corpus, and those from real writers.
fn valid() -> Vec<std::path::PathBuf> {
    let mut all = files(&ndbytes_testkit::corpus::root().join("idv/ok"), "idv");
    all.extend(files(&ndbytes_testkit::frozen("idv"), "idv"));
    assert!(all.len() > 100, "{} files", all.len());
    all
}

/// Returns the combinations of options with which nothing is lost.
fn exact() -> Vec<Options> {
    let options = |keys: &Keys| {
        let options = Options::new().times(Times::Ticks).keys(*keys);
        [options.clone(), options.sparse(Sparse::Struct)]
    };
    Keys::ALL.iter().flat_map(options).collect()
}

/// Returns whether the error reports that Arrow cannot represent the content.
fn is_told(error: &Error) -> bool {
    let text = error.to_string();
    ["half a character", "choose", "too", "limit", "memory"].iter().any(|word| text.contains(word))
}

/// Returns whether a check has warnings about a file.
fn is_unusual(bytes: &[u8]) -> bool {
    !ndbytes::Checker::new().check_slice(bytes).unwrap().findings().is_empty()
}

pub fn assert_comes_back(bytes: &[u8], what: &str) {
    let original = idv::from_slice(bytes).expect("a valid file");
    for options in exact() {
        let what = format!("{what}: {options:?}");
        let table = table_in(bytes, options).expect("a valid file");
        match batches(&table) {
            Ok(made) => match back(&table, &made) {
                Ok(again) => assert_same(&original, &again, &what),
                // The reference accepts a key that is not one of the categories. No writer produces one.
                Err(error) => {
                    assert!(is_unusual(bytes) && error.to_string().contains("cannot hold"), "{what}: {error}")
                }
            },
            Err(error) => assert!(is_told(&error), "{what}: {error}"),
        }
    }
}

#[test]
fn valid_files_come_back_from_arrow_with_types_values_and_annotations() {
    for path in valid() {
        assert_comes_back(&fs::read(&path).unwrap(), &path.display().to_string());
    }
}

#[test]
fn forged_files_come_back_from_arrow() {
    for seed in 0..2000 {
        assert_comes_back(&Forge::new(seed).valid(Kind::Idv).bytes, &format!("seed {seed}"));
    }
}

#[test]
fn valid_files_come_back_from_parquet_and_from_arrow_files() {
    let folder = tempfile::tempdir().unwrap();
    for path in valid() {
        let bytes = fs::read(&path).unwrap();
        let what = path.display().to_string();
        let original = idv::from_slice(&bytes).unwrap();
        for options in [Options::new().times(Times::Ticks), Options::new().times(Times::Ticks).sparse(Sparse::Struct)] {
            let table = table_in(&bytes, options).unwrap();
            let Ok(made) = batches(&table) else { continue };
            let again = |reader: &mut dyn RecordBatchReader, what: &str| {
                let read: Vec<RecordBatch> =
                    reader.map(|batch| batch.unwrap_or_else(|error| panic!("{what}: {error}"))).collect();
                assert_eq!(reader.schema().fields(), table.schema().fields(), "{what}");
                match back(&table, &read) {
                    Ok(again) => assert_same(&original, &again, what),
                    Err(error) => {
                        assert!(is_unusual(&bytes) && error.to_string().contains("cannot hold"), "{what}: {error}")
                    }
                }
            };
            let given = || RecordBatchIterator::new(made.iter().cloned().map(Ok), table.schema());
            let file = folder.path().join("a.arrow");
            ipc::write_file(&file, given()).unwrap_or_else(|error| panic!("{what}: {error}"));
            again(&mut ipc::read_file(&file).unwrap(), &format!("{what} as an Arrow file"));
            let mut stream = Vec::new();
            ipc::write_stream(&mut stream, given()).unwrap();
            again(&mut ipc::read_stream(&stream[..]).unwrap(), &format!("{what} as an Arrow stream"));
            if table.schema().fields().is_empty() {
                continue;
            }
            let file = folder.path().join("a.parquet");
            parquet::write(&file, given(), &parquet::Options::new().rows(3))
                .unwrap_or_else(|error| panic!("{what}: {error}"));
            again(&mut parquet::read(&file).unwrap(), &format!("{what} as Parquet"));
        }
    }
}

#[test]
fn a_name_that_c_cannot_hold_is_refused_by_the_c_stream_alone() {
    let name = idv::NewColumn::new("a\0b", idv::ColumnType::scalar(idv::ItemType::I8));
    let table = crate::support::table_of(vec![(name, idv::Values::scalars(vec![1_i8]))], Options::new()).unwrap();
    assert_eq!(batches(&table).unwrap()[0].num_rows(), 1);
    let error = table.stream().unwrap_err();
    assert!(matches!(&error, Error::Column { column, .. } if column == "a\0b"), "{error}");
}

#[test]
fn an_error_is_the_same_after_it_went_through_a_reader_of_arrow() {
    let bytes = fs::read(ndbytes_testkit::corpus::root().join("idv/ok/text-split-surrogates.idv")).unwrap();
    let table = table_in(&bytes, Options::new()).unwrap();
    let error = ipc::write_stream(Vec::new(), table.batches().unwrap()).unwrap_err();
    assert!(matches!(error, Error::Value { row: 0, .. }), "{error}");
    assert_eq!(error.to_string(), batches(&table).unwrap_err().to_string());
}

/// Tries every option: each must produce a valid array, or an error.
pub fn look(table: idv::Table<'static>) {
    let table = std::sync::Arc::new(table);
    for times in Times::ALL {
        for (keys, sparse) in
            [(Keys::Dictionary, Sparse::Dense), (Keys::Text, Sparse::Struct), (Keys::Raw, Sparse::Dense)]
        {
            let options = Options::new().times(*times).keys(keys).sparse(sparse).text(TextPolicy::Lossy);
            if let Ok(table) = ArrowTable::new(std::sync::Arc::clone(&table), options)
                && let Ok(made) = batches(&table)
            {
                let _ = back(&table, &made);
            }
        }
    }
}

#[test]
fn broken_files_and_mutants_give_valid_arrays_or_errors() {
    let mut forge = Forge::new(7);
    for path in files(&ndbytes_testkit::corpus::root().join("idv"), "idv") {
        let bytes = fs::read(&path).unwrap();
        if let Ok(table) = idv::from_reader(&bytes[..]) {
            look(table);
        }
        for _ in 0..3 {
            let mutant = forge.mutate(&bytes, &Mutation { max_len: bytes.len() + 64, ..Mutation::default() }).bytes;
            let options = idv::Options::new().limits(ndbytes::Limits::default().memory(16 << 20));
            if let Ok(table) = options.from_reader(&mutant[..]) {
                look(table);
            }
        }
    }
}
