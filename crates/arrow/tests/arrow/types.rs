//! The IDV types in Arrow, and those that Arrow cannot represent.

use crate::support::{batches, table_in, table_of};
use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::RecordBatchStreamReader;
use arrow_array::types::*;
use arrow_array::{Array, RecordBatchReader};
use arrow_schema::{DataType, TimeUnit};
use ndbytes::Limits;
use ndbytes::idv::{self, ColumnType, DateTimeOffset, ItemType, Items, KeyType, NewColumn, Texts, Values};
use ndbytes_arrow::metadata;
use ndbytes_arrow::table::{Keys, Options, Sparse, TextPolicy, Times};
use std::io::Cursor;

/// The ticks at the beginning of 1970.
const EPOCH: i64 = 621_355_968_000_000_000;

fn scalar(item: ItemType) -> NewColumn {
    NewColumn::new("c", ColumnType::scalar(item))
}

fn error_of(columns: Vec<(NewColumn, Values)>, options: Options) -> String {
    let table = table_of(columns, options).unwrap();
    batches(&table).expect_err("Arrow cannot hold it").to_string()
}

#[test]
fn times_are_microseconds_or_an_error_that_names_row_and_choices() {
    let times = || vec![(scalar(ItemType::DateTime), Values::scalars(vec![EPOCH + 10, EPOCH - 15]))];
    let error = error_of(times(), Options::new());
    assert_eq!(
        error,
        "row 1 of the column \"c\" has -15 ticks of 100 ns, not a whole number of microseconds: choose the times us-floor, ns or ticks"
    );
    let made = |unit: Times| batches(&table_of(times(), Options::new().times(unit)).unwrap()).unwrap();
    let floor = made(Times::MicrosFloor);
    assert_eq!(floor[0].column(0).as_primitive::<TimestampMicrosecondType>().values()[..], [1, -2]);
    let nanos = made(Times::Nanos);
    assert_eq!(nanos[0].column(0).as_primitive::<TimestampNanosecondType>().values()[..], [1000, -1500]);
    let ticks = made(Times::Ticks);
    assert_eq!(ticks[0].column(0).as_primitive::<Int64Type>().values()[..], [EPOCH + 10, EPOCH - 15]);
    let first_year = vec![(scalar(ItemType::DateTime), Values::scalars(vec![0_i64]))];
    let error = error_of(first_year, Options::new().times(Times::Nanos));
    assert!(error.contains("row 0") && error.contains("choose the times us, us-floor or ticks"), "{error}");
}

#[test]
fn times_with_offsets_are_utc_in_the_extension_type() {
    let time = DateTimeOffset { ticks: EPOCH + 600_000_000 * 60, offset_minutes: 60 };
    let table =
        table_of(vec![(scalar(ItemType::DateTimeOffset), Values::scalars(vec![time]))], Options::new()).unwrap();
    let schema = table.schema();
    assert_eq!(schema.field(0).metadata()["ARROW:extension:name"], "arrow.timestamp_with_offset");
    let made = batches(&table).unwrap();
    let fields = made[0].column(0).as_struct();
    assert_eq!(fields.column(0).as_primitive::<TimestampMicrosecondType>().values()[..], [0]);
    assert_eq!(fields.column(0).data_type(), &DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into())));
    assert_eq!(fields.column(1).as_primitive::<Int16Type>().values()[..], [60]);
}

#[test]
fn keys_are_dictionaries_values_or_numbers() {
    let keys = || {
        let column = scalar(ItemType::Key(KeyType::new(2))).key_values(["no", "yes"]);
        vec![(column, Values::scalars(vec![2_u32, 0, 1]))]
    };
    let dictionary = batches(&table_of(keys(), Options::new()).unwrap()).unwrap();
    let array = dictionary[0].column(0).as_dictionary::<UInt32Type>();
    let texts: Vec<_> = array.downcast_dict::<arrow_array::StringArray>().unwrap().into_iter().collect();
    assert_eq!(texts, [Some("yes"), None, Some("no")]);
    let text = batches(&table_of(keys(), Options::new().keys(Keys::Text)).unwrap()).unwrap();
    assert_eq!(text[0].column(0).as_string::<i32>().iter().collect::<Vec<_>>(), [Some("yes"), None, Some("no")]);
    let table = table_of(keys(), Options::new().keys(Keys::Raw)).unwrap();
    let raw = batches(&table).unwrap();
    assert_eq!(raw[0].column(0).as_primitive::<UInt32Type>().iter().collect::<Vec<_>>(), [Some(2), None, Some(1)]);
    let schema = table.schema();
    assert_eq!(schema.field(0).metadata()[metadata::KEY_COUNT], "2");
    assert_eq!(schema.field(0).metadata()[metadata::TYPE], "Key<UInt32, 0-1>");
    let annotation = &schema.field(0).metadata()["ndbytes.idv.annotation.KeyValues"];
    assert_eq!(annotation, r#"{"type":"Vector<String, 2>","value":["no","yes"]}"#);
}

/// A check only warns about keys without a category, but no Arrow dictionary can contain them.
#[test]
fn keys_that_are_none_of_their_categories_are_told() {
    let columns = || [scalar(ItemType::Key(KeyType::new(2))).key_values(["no", "yes"])];
    let writer = idv::Writer::new(columns()).compression(idv::Compression::NONE);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&[Values::scalars(vec![1_u32, 2])]).unwrap();
    let mut bytes = writer.finish_sink().unwrap().into_inner();
    // The first key, in the first block.
    assert_eq!(bytes[256..264], [1, 0, 0, 0, 2, 0, 0, 0]);
    bytes[256] = 255;
    for keys in [Keys::Dictionary, Keys::Text] {
        let error = batches(&table_in(&bytes, Options::new().keys(keys)).unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "the column \"c\" has a key without a category", "{keys:?}");
    }
    let raw = batches(&table_in(&bytes, Options::new().keys(Keys::Raw)).unwrap()).unwrap();
    assert_eq!(raw[0].column(0).as_primitive::<UInt32Type>().values()[..], [255, 2]);
}

#[test]
fn keys_with_equal_values_stay_numbers() {
    let column = scalar(ItemType::Key(KeyType::new(2))).key_values(["same", "same"]);
    let table = table_of(vec![(column, Values::scalars(vec![2_u32, 1]))], Options::new()).unwrap();
    assert_eq!(table.schema().field(0).data_type(), &DataType::UInt32);
}

#[test]
fn vectors_of_numbers_keep_their_memory_and_tensors_have_a_shape() {
    let column = NewColumn::new("c", ColumnType::vector(ItemType::F32, [2, 3]));
    let values = Values::dense((0..12).map(|item| item as f32).collect::<Vec<_>>(), 6).unwrap();
    let table = table_of(vec![(column, values)], Options::new()).unwrap();
    let schema = table.schema();
    let metadata = schema.field(0).metadata();
    assert_eq!(metadata["ARROW:extension:name"], "arrow.fixed_shape_tensor");
    assert_eq!(metadata["ARROW:extension:metadata"], r#"{"shape":[2, 3]}"#);
    let made = batches(&table).unwrap();
    let list = made[0].column(0).as_fixed_size_list();
    assert_eq!((list.len(), list.value_length()), (2, 6));
    assert_eq!(list.values().as_primitive::<Float32Type>().value(11), 11.0);
}

#[test]
fn sparse_vectors_are_dense_or_as_they_are_stored() {
    let sparse = || {
        let mut values = Values::vectors(ItemType::Text);
        values.push_sparse_vector(3, &[1], ["x"].into_iter().collect::<Texts>()).unwrap();
        values.push_vector(["a", "b", "c"].into_iter().collect::<Texts>()).unwrap();
        vec![(NewColumn::new("c", ColumnType::vector(ItemType::Text, [3])), values)]
    };
    let dense = batches(&table_of(sparse(), Options::new()).unwrap()).unwrap();
    let texts =
        dense[0].column(0).as_fixed_size_list().values().as_string::<i32>().iter().flatten().collect::<Vec<_>>();
    assert_eq!(texts, ["", "x", "", "a", "b", "c"]);
    let stored = batches(&table_of(sparse(), Options::new().sparse(Sparse::Struct)).unwrap()).unwrap();
    let fields = stored[0].column(0).as_struct();
    assert_eq!(fields.column(0).as_primitive::<UInt32Type>().values()[..], [3, 3]);
    let places = fields.column(1).as_list::<i32>();
    assert_eq!((places.is_null(0), places.is_null(1)), (false, true));
    assert_eq!(places.value(0).as_primitive::<UInt32Type>().values()[..], [1]);
    assert_eq!(fields.column(2).as_list::<i32>().value(0).as_string::<i32>().value(0), "x");
}

/// A few hundred bytes that declare vectors of 2^31 - 1 items, so the offsets of lists would overflow.
#[test]
fn sparse_vectors_of_the_largest_length_are_refused_by_the_option_and_never_panic() {
    for dims in [0, i32::MAX as u32] {
        let mut values = Values::vectors(ItemType::F32);
        for _ in 0..3 {
            values.push_sparse_vector(i32::MAX as usize, &[5], vec![1.0_f32]).unwrap();
        }
        let columns = || vec![(NewColumn::new("c", ColumnType::vector(ItemType::F32, [dims])), values.clone())];
        let error = error_of(columns(), Options::new());
        assert!(error.contains("the column \"c\"") && error.ends_with("choose the vectors struct"), "{error}");
        let stream = table_of(columns(), Options::new()).unwrap().stream().unwrap();
        let mut reader = RecordBatchStreamReader::try_new(stream).unwrap();
        assert!(reader.next().unwrap().unwrap_err().to_string().contains("choose the vectors struct"));
        let stored = batches(&table_of(columns(), Options::new().sparse(Sparse::Struct)).unwrap()).unwrap();
        assert_eq!(stored[0].num_rows(), 3);
    }
}

#[test]
fn sparse_vectors_make_smaller_batches_and_stop_at_the_limit_on_output() {
    let mut values = Values::vectors(ItemType::U8);
    for _ in 0..10 {
        values.push_sparse_vector(1 << 21, &[7], vec![1_u8]).unwrap();
    }
    let columns = || vec![(NewColumn::new("c", ColumnType::vector(ItemType::U8, [1 << 21])), values.clone())];
    let made = batches(&table_of(columns(), Options::new()).unwrap()).unwrap();
    assert_eq!(made.iter().map(|batch| batch.num_rows()).collect::<Vec<_>>(), [2, 2, 2, 2, 2]);
    let error = error_of(columns(), Options::new().limits(Limits::default().output(5 << 20)));
    assert!(error.contains("choose the vectors struct"), "{error}");
}

#[test]
fn half_a_character_is_an_error_or_a_mark() {
    let texts = || {
        let mut texts = Texts::default();
        texts.push("ok");
        texts.push_utf16(&[0x61, 0xD83D]);
        texts.push_utf16(&[0xDE00, 0x62]);
        vec![(scalar(ItemType::Text), Values::scalars(Items::Text(texts)))]
    };
    let error = error_of(texts(), Options::new());
    assert_eq!(
        error,
        "row 1 of the column \"c\" contains an unpaired surrogate, which Arrow text cannot hold: choose the texts lossy"
    );
    let lossy = batches(&table_of(texts(), Options::new().text(TextPolicy::Lossy)).unwrap()).unwrap();
    let lossy = lossy[0].column(0).as_string::<i32>();
    assert_eq!(lossy.iter().flatten().collect::<Vec<_>>(), ["ok", "a\u{FFFD}", "\u{FFFD}b"]);
}

#[test]
fn streams_give_batches_of_some_rows_and_columns() {
    let rows: Vec<i32> = (0..100_000).collect();
    let columns = vec![
        (NewColumn::new("a", ColumnType::scalar(ItemType::I32)), Values::scalars(rows)),
        (NewColumn::new("b", ColumnType::scalar(ItemType::Bool)), Values::scalars(vec![true; 100_000])),
    ];
    let table = table_of(columns, Options::new().columns(["b", "a"]).rows(10_000)).unwrap();
    let stream = RecordBatchStreamReader::try_new(table.stream().unwrap()).unwrap();
    assert_eq!(stream.schema(), table.schema());
    let sizes: Vec<usize> = stream.map(|batch| batch.unwrap().num_rows()).collect();
    // Whole blocks of 8,192 rows.
    assert_eq!((sizes[0], sizes.iter().sum::<usize>()), (16_384, 100_000));
    let projected = table.project(&[1]).unwrap();
    let mut some = projected.batches_of(20_000..20_010).unwrap();
    let batch = some.next_batch().unwrap().unwrap();
    assert_eq!(batch.column(0).as_primitive::<Int32Type>().values()[..], (20_000..20_010).collect::<Vec<_>>());
    assert!(some.next_batch().is_none());
    assert_eq!(table.ranges().unwrap().last(), Some(98_304..100_000));
}
