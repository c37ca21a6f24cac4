//! Parquet and Arrow files that are read within a memory limit.

use arrow_array::builder::{Int32Builder, ListBuilder, MapBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, Decimal128Array, DictionaryArray, FixedSizeBinaryArray, FixedSizeListArray, Float64Array, Int64Array,
    RecordBatch, RecordBatchIterator, StringArray, StructArray, TimestampMicrosecondArray,
};
use arrow_schema::ArrowError;
use ndbytes::{Input, Limits};
use ndbytes_arrow::{Error, InputReader, ipc, parquet as tables};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterVersion};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Columns of every shape, with nulls.
fn columns(rows: usize) -> RecordBatch {
    let numbers = |row: usize| (!row.is_multiple_of(5)).then_some(row as i64);
    let words = |row: usize| (!row.is_multiple_of(7)).then(|| format!("a word that is shared, {}", row / 3));
    let (mut lists, mut maps) =
        (ListBuilder::new(StringBuilder::new()), MapBuilder::new(None, StringBuilder::new(), Int32Builder::new()));
    for row in 0..rows {
        for item in 0..row % 4 {
            lists.values().append_option(words(row + item));
            maps.keys().append_value(format!("key {item}"));
            maps.values().append_option((row % 3 > 0).then_some(row as i32));
        }
        lists.append(!row.is_multiple_of(6));
        maps.append(true).unwrap();
    }
    let fixed = (0..rows).map(|row| (!row.is_multiple_of(4)).then(|| vec![Some(row as i32), None, Some(3)]));
    let texts: ArrayRef = Arc::new(StringArray::from_iter((0..rows).map(words)));
    let inner: ArrayRef = Arc::new(Float64Array::from_iter((0..rows).map(|row| Some(row as f64 / 3.0))));
    let arrays: [(&str, ArrayRef); 10] = [
        ("number", Arc::new(Int64Array::from_iter((0..rows).map(numbers)))),
        ("text", Arc::clone(&texts)),
        ("list", Arc::new(lists.finish())),
        ("map", Arc::new(maps.finish())),
        ("fixed", Arc::new(FixedSizeListArray::from_iter_primitive::<Int32Type, _, _>(fixed, 3))),
        ("inner", Arc::new(StructArray::try_from(vec![("a", Arc::clone(&texts)), ("b", inner)]).unwrap())),
        ("category", Arc::new((0..rows).map(|row| Some(["x", "y"][row % 2])).collect::<DictionaryArray<Int32Type>>())),
        ("time", Arc::new(TimestampMicrosecondArray::from_iter((0..rows).map(numbers)).with_timezone("UTC"))),
        (
            "decimal",
            Arc::new(
                Decimal128Array::from_iter((0..rows).map(|row| Some(row as i128)))
                    .with_precision_and_scale(30, 2)
                    .unwrap(),
            ),
        ),
        ("bytes", Arc::new(FixedSizeBinaryArray::try_from_iter((0..rows).map(|row| [row as u8; 5])).unwrap())),
    ];
    RecordBatch::try_from_iter_with_nullable(arrays.map(|(name, array)| (name, array, true))).unwrap()
}

/// Writes a batch as a third-party crate does, with this text encoding.
fn write(path: &Path, batch: &RecordBatch, encoding: Option<Encoding>, version: WriterVersion, packed: Compression) {
    let properties = WriterProperties::builder()
        .set_writer_version(version)
        .set_compression(packed)
        .set_data_page_size_limit(4096)
        .set_write_batch_size(64)
        .set_max_row_group_row_count(Some(700))
        .set_dictionary_enabled(encoding.is_none());
    let texts = [["text"].as_slice(), &["list", "list", "element"], &["inner", "a"]];
    let properties = texts.iter().fold(properties, |properties, path| match encoding {
        Some(encoding) => {
            let path = parquet::schema::types::ColumnPath::new(path.iter().map(|part| (*part).to_owned()).collect());
            properties.set_column_encoding(path, encoding)
        }
        None => properties,
    });
    let file = File::create(path).unwrap();
    let mut writer = ArrowWriter::try_new(file, batch.schema(), Some(properties.build())).unwrap();
    writer.write(batch).unwrap();
    writer.close().unwrap();
}

/// Returns all rows of a reader in one batch, and the rows of each of its batches.
fn joined(reader: impl Iterator<Item = Result<RecordBatch, ArrowError>>) -> (RecordBatch, Vec<usize>) {
    let batches: Vec<RecordBatch> = reader.map(|batch| batch.unwrap()).collect();
    let rows = batches.iter().map(RecordBatch::num_rows).collect();
    (arrow_select::concat::concat_batches(&batches[0].schema(), &batches).unwrap(), rows)
}

fn input(path: &Path, limits: Limits) -> InputReader {
    InputReader::new(Arc::new(Input::open(path, limits).unwrap()))
}

#[test]
fn parquet_file_has_its_values_with_each_encoding_version_and_codec() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.parquet");
    let batch = columns(2000);
    for encoding in
        [None, Some(Encoding::PLAIN), Some(Encoding::DELTA_BYTE_ARRAY), Some(Encoding::DELTA_LENGTH_BYTE_ARRAY)]
    {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            for packed in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::ZSTD(Default::default())] {
                write(&path, &batch, encoding, version, packed);
                let (read, rows) = joined(tables::read(&path).unwrap());
                assert_eq!(read, batch, "{encoding:?}, {version:?}, {packed}");
                assert_eq!(rows, [700, 700, 600], "a batch ends with its row group");
                let some = tables::read_from(File::open(&path).unwrap(), Some(&[1, 5]), &Limits::default()).unwrap();
                assert_eq!(joined(some).0, batch.project(&[1, 5]).unwrap(), "{encoding:?}, {version:?}, {packed}");
            }
        }
    }
}

#[test]
fn arrow_file_and_stream_have_their_values_whole_and_in_part() {
    let folder = tempfile::tempdir().unwrap();
    let batch = columns(2000);
    let batches = || RecordBatchIterator::new([Ok(batch.slice(0, 900)), Ok(batch.slice(900, 1100))], batch.schema());
    let (file, stream) = (folder.path().join("it.arrow"), folder.path().join("it.arrows"));
    ipc::write_file(&file, batches()).unwrap();
    ipc::write_stream(File::create(&stream).unwrap(), batches()).unwrap();
    let limits = Limits::default();
    for columns in [None, Some(&[6, 1][..])] {
        let expected = columns.map_or(batch.clone(), |columns| batch.project(columns).unwrap());
        let read = ipc::read_file_from(input(&file, limits), columns, &limits).unwrap();
        assert_eq!(joined(read), (expected.clone(), vec![900, 1100]), "{columns:?}");
        let read = ipc::read_stream_from(input(&stream, limits), columns, &limits).unwrap();
        assert_eq!(joined(read), (expected, vec![900, 1100]), "{columns:?}");
    }
}

#[test]
fn dictionary_with_a_long_text_makes_batches_of_few_rows() {
    const LONG: usize = 100_000;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.parquet");
    let long = "x".repeat(LONG);
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..500).map(|row| if row % 2 == 0 { &*long } else { "short" })));
    let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
    write(&path, &batch, None, WriterVersion::PARQUET_1_0, Compression::SNAPPY);
    let limits = Limits::default().memory(8 << 20);
    let mut rows = 0;
    for read in tables::read_from(File::open(&path).unwrap(), None, &limits).unwrap() {
        let read = read.unwrap();
        let texts = read.column(0).as_string::<i32>();
        assert!(texts.value_data().len() <= 4 << 20, "{} rows", read.num_rows());
        assert!((0..read.num_rows()).all(|row| texts.value(row).len() == if (rows + row) % 2 == 0 { LONG } else { 5 }));
        rows += read.num_rows();
    }
    assert_eq!(rows, 500);
    let limits = Limits::default().memory(100_000);
    let refused = tables::read_from(File::open(&path).unwrap(), None, &limits).unwrap().next().unwrap();
    let refused = Error::from(refused.expect_err("there is no room for the text"));
    assert!(matches!(refused, Error::Memory { .. }), "{refused:?}");
}

/// Each text begins with the previous one, so 40 bytes of the file represent a text of 40,000.
#[test]
fn texts_that_share_their_beginnings_are_added_up_before_they_are_made() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.parquet");
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..600).map(|row| "y".repeat(40_000) + &row.to_string())));
    let batch = RecordBatch::try_from_iter([("text", texts)]).unwrap();
    write(&path, &batch, Some(Encoding::DELTA_BYTE_ARRAY), WriterVersion::PARQUET_2_0, Compression::SNAPPY);
    assert_eq!(joined(tables::read(&path).unwrap()).0, batch);
    let limits = Limits::default().memory(1 << 20);
    let mut reader = tables::read_from(File::open(&path).unwrap(), None, &limits).unwrap();
    let refused = Error::from(reader.next().unwrap().expect_err("there is no room for the texts"));
    assert!(matches!(refused, Error::Memory { .. }), "{refused:?}");
    assert!(reader.next().is_none(), "after an error there are no more batches");
}
