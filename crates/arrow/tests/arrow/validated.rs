//! Batches of a C stream, which are checked before they are trusted.
#![allow(unsafe_code, reason = "Arrow makes no broken array without it")]

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::Int8Type;
use arrow_array::*;
use arrow_buffer::{Buffer, NullBuffer};
use arrow_data::{ArrayData, ByteView};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef};
use ndbytes::{Limits, idv};
use ndbytes_arrow::idv::{BatchWriter, NullPolicy, WriteOptions};
use ndbytes_arrow::{Error, Validated};
use std::collections::VecDeque;
use std::io::Cursor;
use std::sync::Arc;
use std::time::Duration;

/// A reader that returns batches unchanged.
struct Batches(SchemaRef, VecDeque<RecordBatch>);

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.1.pop_front().map(Ok)
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.0)
    }
}

/// Returns a stream of batches whose only column is called `c`.
fn stream(columns: &[ArrayRef]) -> FFI_ArrowArrayStream {
    stream_as(columns[0].data_type(), columns)
}

/// Returns the same stream, but declared with another type.
fn stream_as(said: &DataType, columns: &[ArrayRef]) -> FFI_ArrowArrayStream {
    let schema = |data_type: &DataType| Arc::new(Schema::new(vec![Field::new("c", data_type.clone(), true)]));
    let batch = |column: &ArrayRef| RecordBatch::try_new(schema(column.data_type()), vec![Arc::clone(column)]);
    let batches = columns.iter().map(|column| batch(column).unwrap()).collect();
    FFI_ArrowArrayStream::new(Box::new(Batches(schema(said), batches)))
}

/// Writes a stream as an IDV table.
fn written(columns: &[ArrayRef], limits: Limits) -> ndbytes_arrow::Result<idv::Table<'static>> {
    let batches = Validated::import(stream(columns), limits)?;
    let options = WriteOptions::new().nulls(NullPolicy::Default).limits(limits);
    let mut writer = BatchWriter::begin(Cursor::new(Vec::new()), &batches.schema(), options)?;
    for batch in batches {
        writer.write(&batch?)?;
    }
    Ok(idv::from_reader(&writer.finish_sink()?.into_inner()[..])?)
}

/// Returns the error about an array in a stream, after which there are no more batches.
fn error_of(array: &ArrayRef) -> Error {
    let mut batches = Validated::import(stream(&[array.clone(), array.clone()]), Limits::default()).unwrap();
    let error = batches.next().unwrap().expect_err("the array is not valid");
    assert!(batches.next().is_none(), "nothing follows an error");
    error.into()
}

/// Returns the reason why a column is refused.
fn reason(array: &ArrayRef) -> String {
    let error = error_of(array);
    let Error::Column { column, what } = &error else { panic!("{error}") };
    assert_eq!(column, "c");
    let reason = what.strip_prefix("is not valid in batch 0: ").unwrap_or_else(|| panic!("{what}"));
    reason.to_owned()
}

/// Returns the texts of the column.
fn texts_of(table: &idv::Table<'_>) -> Vec<String> {
    let values = table.column("c").unwrap().read().unwrap();
    let texts = values.items().texts().unwrap();
    (0..texts.len()).map(|item| texts.get(item).unwrap().to_str().unwrap().to_owned()).collect()
}

/// Returns an array that was not checked.
fn unchecked(data_type: DataType, length: usize, buffers: Vec<Buffer>, children: Vec<ArrayRef>) -> ArrayRef {
    let children = children.iter().map(|child| child.to_data()).collect();
    let data = ArrayData::builder(data_type).len(length).buffers(buffers).child_data(children);
    // SAFETY: none; the tests verify that no part of it is trusted. All buffers are as long as the C interface states.
    make_array(unsafe { data.build_unchecked() })
}

fn texts(offsets: &[i32], bytes: &[u8]) -> ArrayRef {
    let buffers = vec![Buffer::from_slice_ref(offsets), Buffer::from(bytes)];
    unchecked(DataType::Utf8, offsets.len() - 1, buffers, vec![])
}

fn large_texts(offsets: &[i64], bytes: &[u8]) -> ArrayRef {
    let buffers = vec![Buffer::from_slice_ref(offsets), Buffer::from(bytes)];
    unchecked(DataType::LargeUtf8, offsets.len() - 1, buffers, vec![])
}

fn views(views: &[u128], bytes: &[u8]) -> ArrayRef {
    unchecked(DataType::Utf8View, views.len(), vec![Buffer::from_slice_ref(views), Buffer::from(bytes)], vec![])
}

/// Returns a view of bytes in the only buffer, with the prefix that they have.
fn view(bytes: &[u8], start: usize, end: usize) -> u128 {
    let prefix: [u8; 4] = bytes[start..start + 4].try_into().unwrap();
    let (length, prefix) = ((end - start) as u32, u32::from_le_bytes(prefix));
    ByteView { length, prefix, buffer_index: 0, offset: start as u32 }.as_u128()
}

fn item(array: &ArrayRef) -> Arc<Field> {
    Arc::new(Field::new("item", array.data_type().clone(), true))
}

fn lists(offsets: &[i32], items: ArrayRef) -> ArrayRef {
    unchecked(DataType::List(item(&items)), offsets.len() - 1, vec![Buffer::from_slice_ref(offsets)], vec![items])
}

fn large_lists(offsets: &[i64], items: ArrayRef) -> ArrayRef {
    unchecked(DataType::LargeList(item(&items)), offsets.len() - 1, vec![Buffer::from_slice_ref(offsets)], vec![items])
}

fn fixed_lists(size: i32, length: usize, items: ArrayRef) -> ArrayRef {
    unchecked(DataType::FixedSizeList(item(&items), size), length, vec![], vec![items])
}

fn dictionary(keys: &[i8], values: ArrayRef) -> ArrayRef {
    let data_type = DataType::Dictionary(Box::new(DataType::Int8), Box::new(values.data_type().clone()));
    unchecked(data_type, keys.len(), vec![Buffer::from_slice_ref(keys)], vec![values])
}

/// Vectors as they are stored, with one row per list.
fn stored(indices: ArrayRef, values: ArrayRef) -> ArrayRef {
    let rows = values.len();
    let lengths: ArrayRef = Arc::new(UInt32Array::from(vec![2; rows]));
    let columns = [("length", lengths), ("indices", indices), ("values", values)];
    let field = |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    let fields: Fields = columns.iter().map(field).collect();
    unchecked(DataType::Struct(fields), rows, vec![], columns.map(|(_, array)| array).to_vec())
}

fn numbers<const COUNT: usize>(numbers: [u32; COUNT]) -> ArrayRef {
    Arc::new(UInt32Array::from(numbers.to_vec()))
}

const SENTENCE: &[u8] = "twelve bytes and more of them, ä".as_bytes();

#[test]
fn offsets_of_texts_are_refused_if_they_go_back_or_are_negative() {
    let cases = [
        (texts(&[0, 100_000, 3], b"abc"), "offset 2 of its texts is 3, but the one before it is 100000"),
        (texts(&[-1, 2, 3], b"abc"), "offset 0 of its texts is -1, which is negative"),
        (large_texts(&[0, 1 << 40, 3], b"abc"), "offset 2 of its texts is 3, but the one before it is 1099511627776"),
        (large_texts(&[i64::MIN, 2, 3], b"abc"), "offset 0 of its texts is -9223372036854775808, which is negative"),
    ];
    for (array, expected) in cases {
        assert_eq!(reason(&array), expected);
    }
    // Arrow's import trusts the last offset. A reader in the same program has buffers of known lengths.
    let array = texts(&[0, 3, -5], b"abc");
    let schema = Arc::new(Schema::new(vec![Field::new("c", DataType::Utf8, true)]));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![array]).unwrap();
    let mut batches = Validated::new(Batches(schema, [batch].into()), Limits::default()).unwrap();
    let error = batches.next().unwrap().unwrap_err().to_string();
    assert!(error.ends_with("offset 2 of its texts is -5, but the one before it is 3"), "{error}");
    let offsets = Buffer::from_slice_ref([0_i32, 16, 3]);
    let values = unchecked(DataType::Binary, 2, vec![offsets, Buffer::from(b"abc")], vec![]);
    assert_eq!(reason(&values), "offset 2 of its values is 3, but the one before it is 16");
}

#[test]
fn texts_are_refused_if_they_are_not_utf_8_or_cut_a_character() {
    assert_eq!(reason(&texts(&[0, 2, 4], b"ab\xff\xfe")), "text 1 is not UTF-8");
    assert_eq!(reason(&texts(&[0, 1, 1, 2, 3], "aé".as_bytes())), "text 3 is not UTF-8");
    assert_eq!(reason(&large_texts(&[0, 0, 1], b"\xc3")), "text 1 is not UTF-8");
    let read = written(&[texts(&[0, 1, 3, 3], "aé".as_bytes())], Limits::default()).unwrap();
    assert_eq!(texts_of(&read), ["a", "é", ""]);
}

#[test]
fn views_are_refused_if_they_lie_outside_or_say_other_bytes() {
    let good = view(SENTENCE, 0, 20);
    let of = |change: fn(&mut ByteView)| {
        let mut changed = ByteView::from(good);
        change(&mut changed);
        reason(&views(&[good, changed.as_u128()], SENTENCE))
    };
    assert_eq!(of(|view| view.buffer_index = 5), "text 1 is in buffer 5, but there are 1");
    assert_eq!(of(|view| view.offset = 14), "text 1 ends at byte 34 of buffer 0, which has 33");
    assert_eq!(
        of(|view| (view.length, view.offset) = (u32::MAX, u32::MAX)),
        "text 1 ends at byte 8589934590 of buffer 0, which has 33"
    );
    assert_eq!(of(|view| view.prefix = 0), "text 1 does not begin with the bytes that its view states");
    let inline = |bytes: [u8; 16]| reason(&views(&[u128::from_le_bytes(bytes)], b""));
    assert_eq!(inline(*b"\x02\0\0\0ab\0\0\0\0\0\0\0\0\0c"), "text 0 has bytes after its end in its view");
    assert_eq!(inline(*b"\x02\0\0\0a\xff\0\0\0\0\0\0\0\0\0\0"), "text 0 is not UTF-8");
}

#[test]
fn texts_of_views_are_looked_at_where_they_are() {
    // Bytes outside all views are not checked; views may share bytes, in any order.
    let bytes = [b"\xff", SENTENCE, b"\xff", SENTENCE].concat();
    let (first, second) = (1, SENTENCE.len() + 2);
    let good = [
        view(&bytes, second, bytes.len()),
        view(&bytes, first, first + 20),
        view(&bytes, first + 5, first + 33),
        view(&bytes, first + 7, first + 25),
    ];
    let read = written(&[views(&good, &bytes)], Limits::default()).unwrap();
    let text = |range: std::ops::Range<usize>| std::str::from_utf8(&SENTENCE[range]).unwrap();
    assert_eq!(texts_of(&read), [text(0..33), text(0..20), text(5..33), text(7..25)]);
    let refused = |start, end| reason(&views(&[good[0], good[1], view(&bytes, start, end), good[2]], &bytes));
    // The last character takes two bytes.
    assert_eq!(refused(first + 10, first + 32), "its texts are not UTF-8 in bytes 11 to 33 of buffer 0");
    assert_eq!(refused(0, 15), "its texts are not UTF-8 in bytes 0 to 34 of buffer 0");
    assert_eq!(refused(first + 20, second + 2), "its texts are not UTF-8 in bytes 1 to 68 of buffer 0");
}

#[test]
fn offsets_of_lists_are_refused_if_they_go_back_or_beyond() {
    let items = || numbers([1, 2, 3]);
    let cases = [
        (lists(&[0, 100_000, 1], items()), "offset 2 of its items is 1, but the one before it is 100000"),
        (lists(&[0, 2, 4], items()), "the last offset of its items is 4, but they have a length of 3"),
        (lists(&[-2, 2], items()), "offset 0 of its items is -2, which is negative"),
        (
            large_lists(&[0, 1 << 40], items()),
            "the last offset of its items is 1099511627776, but they have a length of 3",
        ),
        (large_lists(&[0, -1], items()), "offset 1 of its items is -1, but the one before it is 0"),
        (
            stored(lists(&[0, 1, 9], items()), lists(&[0, 1, 2], items())),
            "the last offset of the items of its field \"indices\" is 9, but they have a length of 3",
        ),
        (
            stored(lists(&[0, 1, 2], items()), lists(&[0, 3, 2], items())),
            "offset 2 of the items of its field \"values\" is 2, but the one before it is 3",
        ),
    ];
    for (array, expected) in cases {
        assert_eq!(reason(&array), expected);
    }
}

#[test]
fn keys_are_refused_if_the_dictionary_lacks_them() {
    let values = || texts(&[0, 1, 2], b"ab");
    assert_eq!(reason(&dictionary(&[0, 5], values())), "key 1 is 5, but its dictionary has 2 values");
    assert_eq!(reason(&dictionary(&[-1], values())), "key 0 is -1, but its dictionary has 2 values");
    let within = lists(&[0, 1, 2], dictionary(&[1, 2], values()));
    assert_eq!(reason(&within), "key 1 is 2, but the dictionary of its items has 2 values");
    // A null may have any key.
    let keys = Int8Array::new(vec![1, 99].into(), Some(NullBuffer::from(vec![true, false])));
    let nulls = DictionaryArray::<Int8Type>::new(keys, values());
    let read = written(&[Arc::new(nulls)], Limits::default()).unwrap();
    assert_eq!(format!("{:?}", read.column("c").unwrap().read().unwrap().items()), "U32([2, 0])");
}

#[test]
fn what_is_broken_within_lists_structs_and_dictionaries_is_named() {
    let (back, broken) = (|| texts(&[0, 3, 2], b"abc"), || texts(&[0, 1, 2], b"a\xff"));
    let far = || views(&[ByteView { buffer_index: 3, ..ByteView::from(view(SENTENCE, 0, 20)) }.as_u128(); 2], SENTENCE);
    let stored = |values: ArrayRef| stored(lists(&[0, 1, 2], numbers([0, 1])), lists(&[0, 1, 2], values));
    let cases = [
        (lists(&[0, 2], back()), "offset 2 of the texts of its items is 2, but the one before it is 3"),
        (lists(&[0, 1, 2], broken()), "text 1 of its items is not UTF-8"),
        (large_lists(&[1, 2], broken()), "text 0 of its items is not UTF-8"),
        (large_lists(&[1, 2], far()), "text 0 of its items is in buffer 3, but there are 1"),
        (fixed_lists(2, 1, broken()), "text 1 of its items is not UTF-8"),
        (
            fixed_lists(1, 2, dictionary(&[0, 7], numbers([4]))),
            "key 1 is 7, but the dictionary of its items has 1 values",
        ),
        (stored(broken()), "text 1 of the items of its field \"values\" is not UTF-8"),
        (dictionary(&[0, 0], back()), "offset 2 of the texts of its dictionary is 2, but the one before it is 3"),
        (dictionary(&[0, 0], broken()), "text 1 of its dictionary is not UTF-8"),
        (dictionary(&[0, 0], far()), "text 0 of its dictionary is in buffer 3, but there are 1"),
        (lists(&[0, 2], dictionary(&[0, 0], broken())), "text 1 of the dictionary of its items is not UTF-8"),
        (
            dictionary(&[0, 0], dictionary(&[0, 9], numbers([4]))),
            "key 1 is 9, but the dictionary of its dictionary has 1 values",
        ),
    ];
    for (array, expected) in cases {
        assert_eq!(reason(&array), expected);
    }
}

#[test]
fn nulls_are_refused_if_there_are_others_than_are_said() {
    let data = numbers([1, 2, 3]).into_data().into_builder();
    let data = data.null_bit_buffer(Some(Buffer::from([0b101_u8]))).null_count(2);
    // SAFETY: none, as above.
    let array = make_array(unsafe { data.build_unchecked() });
    assert_eq!(reason(&array), "its nulls are declared as 2, but are 1");
}

#[test]
fn children_that_are_too_short_are_an_error_of_the_stream() {
    // In the C interface, an array consists only of its parts. Here, they are declared as another type.
    let of_none = fixed_lists(0, 2, numbers([]));
    let of_one = fixed_lists(1, 2, numbers([1, 2]));
    let record: Fields = vec![Field::new("a", DataType::UInt32, true)].into();
    let pairs = DataType::FixedSizeList(item(&numbers([])), 2);
    for (said, array) in [(DataType::Struct(record), of_none), (pairs, of_one)] {
        let mut batches = Validated::import(stream_as(&said, &[array]), Limits::default()).unwrap();
        let error = Error::from(batches.next().unwrap().unwrap_err());
        let expected = "the stream is broken: its arrays violate Arrow's C data interface";
        assert_eq!(error.to_string(), expected);
        assert!(batches.next().is_none());
    }
}

#[test]
fn types_that_are_not_looked_at_are_refused_before_anything_is_imported() {
    let mut runs = builder::PrimitiveRunBuilder::<types::Int32Type, types::Int8Type>::new();
    runs.append_value(1);
    let runs: ArrayRef = Arc::new(runs.finish());
    for (array, expected) in
        [(Arc::clone(&runs), "has the type RunEndEncoded"), (lists(&[0, 1], runs), "has the type RunEndEncoded")]
    {
        let error = Validated::import(stream(&[array]), Limits::default()).unwrap_err();
        let Error::Column { column, what } = &error else { panic!("{error}") };
        assert!(column == "c" && what.starts_with(expected) && what.ends_with(", which IDV cannot hold"), "{what}");
    }
}

#[test]
fn rows_of_other_batches_are_not_looked_at() {
    let all = texts(&[0, 1, 2, 3], b"\xffa\xff");
    let read = written(&[all.slice(1, 1)], Limits::default()).unwrap();
    assert_eq!(texts_of(&read), ["a"]);
    assert_eq!(reason(&all.slice(1, 2)), "text 1 is not UTF-8");
    let read = written(&[lists(&[0, 1, 2, 3], all).slice(1, 1)], Limits::default()).unwrap();
    assert_eq!(texts_of(&read), ["a"]);
}

#[test]
fn slices_without_rows_are_accepted_wherever_they_begin() {
    let (short, long) = (texts(&[0, 1, 2], b"ab"), large_texts(&[0, 1, 2], b"ab"));
    for all in [short.clone(), long, lists(&[0, 1, 2], short.clone()), dictionary(&[0, 1], short)] {
        for start in 0..=all.len() {
            let read = written(&[all.clone(), all.slice(start, 0)], Limits::default()).unwrap();
            assert_eq!(read.rows(), 2, "{} from {start} on", all.data_type());
        }
    }
}

#[test]
fn dictionaries_are_looked_at_in_each_batch_that_has_another() {
    let good = texts(&[0, 1, 2], b"ab");
    let columns = |last| [dictionary(&[0], good.clone()), dictionary(&[1], good.clone()), dictionary(&[0], last)];
    let read = written(&columns(texts(&[0, 1, 2], b"cb")), Limits::default()).unwrap();
    assert_eq!(format!("{:?}", read.column("c").unwrap().read().unwrap().items()), "U32([1, 2, 3])");
    let error = written(&columns(texts(&[0, 1, 2], b"c\xff")), Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "the column \"c\" is not valid in batch 2: text 1 of its dictionary is not UTF-8");
}

#[test]
fn limits_hold_while_batches_are_looked_at() {
    let columns = [views(&[view(SENTENCE, 0, 20); 1000], SENTENCE)];
    let late = Limits::default().time(Duration::ZERO).started();
    let first = |limits| Error::from(Validated::import(stream(&columns), limits).unwrap().next().unwrap().unwrap_err());
    assert!(matches!(first(late), Error::Ndbytes(ndbytes::Error::Time { .. })));
    let error = first(Limits::default().memory(11_999));
    assert!(matches!(error, Error::Ndbytes(ndbytes::Error::Limit { .. })), "{error}");
    assert!(error.to_string().contains("the views of a column"), "{error}");
    let mut batches = Validated::import(stream(&columns), Limits::default().memory(12_000)).unwrap();
    assert_eq!(batches.next().unwrap().unwrap().num_rows(), 1000);
}
