//! Differences of tables.

use ndbytes::idv::{ColumnType, Compression, ItemType, Items, KeyType, NewColumn, Texts, Values as Column, Writer};
use ndbytes::{Error, Input, Limits};
use ndbytes_compare::diff::{ColumnChange, Datum, Diff, Options, Tolerance, Values, Verdict, diff};
use std::io::Cursor;

/// A column and its values.
type Filled = (NewColumn, Column);

pub fn column(name: &str, item: ItemType, items: impl Into<Items>) -> Filled {
    (NewColumn::new(name, ColumnType::scalar(item)), Column::scalars(items))
}

fn integers(name: &str, items: impl IntoIterator<Item = i32>) -> Filled {
    column(name, ItemType::I32, items.into_iter().collect::<Vec<i32>>())
}

fn texts(name: &str, items: &[&str]) -> Filled {
    column(name, ItemType::Text, items.iter().copied().collect::<Texts>())
}

/// Keys, with the names of their categories.
fn keys(name: &str, categories: &[&str], keys: &[u32]) -> Filled {
    let (new, values) = column(name, ItemType::Key(KeyType::new(categories.len() as u64)), keys.to_vec());
    (new.key_values(categories), values)
}

fn file_in_blocks(columns: Vec<Filled>, rows_per_block: usize, compression: Compression) -> Vec<u8> {
    let (columns, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let writer = Writer::new(columns).rows_per_block(rows_per_block).compression(compression);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&values).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

pub fn file(columns: Vec<Filled>) -> Vec<u8> {
    file_in_blocks(columns, 4, Compression::NONE)
}

pub fn compare_with(a: &[u8], b: &[u8], options: &Options) -> Diff {
    let [a, b] = [a, b].map(|bytes| Input::from_slice(bytes, Limits::default()));
    diff(&a, &b, options).unwrap()
}

pub fn compare(a: Vec<Filled>, b: Vec<Filled>) -> Values {
    compare_with(&file(a), &file(b), &Options::new()).values.unwrap()
}

#[test]
fn an_inserted_row_is_found_as_such() {
    let a = (0..100).collect::<Vec<i32>>();
    let mut b = a.clone();
    b.insert(41, -7);
    let values = compare(vec![integers("x", a)], vec![integers("x", b)]);
    let rows = values.rows.unwrap();
    assert_eq!((values.verdict, values.different), (Verdict::ValuesDiffer, 0));
    assert_eq!((rows.a, rows.b), (100, 101));
    assert_eq!((rows.inserted_count, rows.deleted_count, rows.changed_count), (1, 0, 0));
    assert_eq!((rows.inserted[0].row, &rows.inserted[0].values), (41, &Datum::List(vec![Datum::Int(-7)])));
}

#[test]
fn as_many_rows_with_other_values_are_changed_cell_by_cell() {
    let names = ["a", "b", "c", "d", "e", "f"];
    let mut other = names;
    (other[2], other[4]) = ("C", "E");
    let a = vec![texts("name", &names), integers("n", 0..6)];
    let b = vec![texts("name", &other), integers("n", [0, 1, 2, 3, 4, 50])];
    let values = compare(a, b);
    assert_eq!((values.compared, values.different), (12, 3));
    assert_eq!(values.rows, None);
    let cells: Vec<_> = values.first.iter().map(|cell| (cell.index.as_slice(), cell.column.as_deref())).collect();
    assert_eq!(cells, [([2].as_slice(), Some("name")), (&[4], Some("name")), (&[5], Some("n"))]);
    let columns: Vec<_> = values.columns.iter().map(|column| (column.name.as_str(), column.different)).collect();
    assert_eq!(columns, [("name", 2), ("n", 1)]);
}

#[test]
fn inserted_rows_do_not_hide_cells_that_changed() {
    let mut heights: Vec<f32> = (0..50).map(|x| x as f32).collect();
    let a = vec![integers("id", 0..50), column("height", ItemType::F32, heights.clone())];
    heights[30] = 0.5;
    heights.drain(3..5);
    let ids = (0..50).filter(|id| !(3..5).contains(id));
    let values = compare(a, vec![integers("id", ids), column("height", ItemType::F32, heights)]);
    let rows = values.rows.unwrap();
    assert_eq!((rows.inserted_count, rows.deleted_count, rows.changed_count), (0, 2, 1));
    assert_eq!((rows.changed[0].a, rows.changed[0].b), (30, 28));
    assert_eq!((&rows.changed[0].cells[0].a, &rows.changed[0].cells[0].b), (&Datum::F32(30.0), &Datum::F32(0.5)));
    let largest = values.largest.absolute.unwrap();
    assert_eq!((largest.column.as_deref(), largest.difference), (Some("height"), Datum::F64(29.5)));
}

#[test]
fn blocks_and_compression_are_encoding() {
    let table = || vec![integers("x", (0..1000).map(|x| x / 7)), texts("t", &["tree"; 1000])];
    let a = file_in_blocks(table(), 1000, Compression::NONE);
    let b = file_in_blocks(table(), 9, Compression::DEFLATE);
    let found = compare_with(&a, &b, &Options::new());
    assert_eq!(found.verdict, Verdict::SameValues);
    assert_eq!(found.values.unwrap().compared, 2000);
}

#[test]
fn columns_are_compared_by_name_whatever_their_order() {
    let a = vec![integers("x", 0..5), integers("y", 5..10), integers("gone", 0..5)];
    let b = vec![integers("new", 0..5), integers("y", 5..10), integers("x", 0..5)];
    let values = compare(a, b);
    assert_eq!((values.verdict, values.compared, values.different), (Verdict::ValuesDiffer, 10, 0));
    let changes: Vec<_> = values.columns.iter().map(|column| (column.name.as_str(), column.change.clone())).collect();
    assert_eq!(changes, [("gone", Some(ColumnChange::Removed)), ("new", Some(ColumnChange::Added))]);
}

#[test]
fn numbers_of_another_type_are_compared_after_widening() {
    let wide = |items: Vec<f64>| vec![column("x", ItemType::F64, items)];
    let narrow = || vec![column("x", ItemType::F32, vec![0.5_f32, f32::NAN, -0.0])];
    let values = compare(narrow(), wide(vec![0.5, f64::NAN, -0.0]));
    assert_eq!((values.verdict, values.different), (Verdict::TypeDiffers, 0));
    assert_eq!(values.notes, ["column \"x\": Single → Double: every value is the same after widening"]);

    let values = compare(narrow(), wide(vec![0.5, 1.0, 0.0]));
    assert_eq!((values.verdict, values.different), (Verdict::ValuesDiffer, 2));
    assert_eq!((values.nan.a_only, values.sign_of_zero), (1, 1));

    let large = i64::MAX;
    let integer = vec![column("x", ItemType::I64, vec![large, 2])];
    let values = compare(integer, wide(vec![large as f64, 2.0]));
    assert_eq!(values.different, 1, "2^63 - 1 is no double");
}

#[test]
fn types_without_common_values_are_not_compared() {
    let values =
        compare(vec![integers("x", 0..3), integers("y", 0..3)], vec![texts("x", &["0"; 3]), integers("y", 0..3)]);
    assert_eq!((values.verdict, values.compared), (Verdict::ValuesDiffer, 3));
    assert_eq!(values.notes, ["column \"x\": Int32 and String cannot be compared"]);
}

#[test]
fn keys_are_compared_by_the_names_of_their_categories() {
    let a = || vec![keys("k", &["oak", "ash", "fir"], &[1, 2, 3, 0]), integers("id", 0..4)];
    let values = compare(a(), vec![keys("k", &["fir", "oak", "ash"], &[2, 3, 1, 0]), integers("id", 0..4)]);
    assert_eq!((values.verdict, values.different), (Verdict::SameValues, 0));

    let values = compare(a(), vec![keys("k", &["fir", "oak", "ash"], &[1, 2, 3, 0]), integers("id", 0..4)]);
    assert_eq!(values.different, 3);
    let named = |name: &str| Datum::Text(name.into());
    assert_eq!((&values.first[0].a, &values.first[0].b), (&named("oak"), &named("fir")));

    let values = compare(a(), vec![keys("k", &["oak", "ash", "fir"], &[1, 2, 0, 0]), integers("id", 0..4)]);
    assert_eq!((&values.first[0].a, &values.first[0].b), (&named("fir"), &Datum::Missing));
}

#[test]
fn tolerances_apply_to_numbers_and_not_to_keys_or_times() {
    let table = |height: f32, time: i64, key: u32, count: i32| {
        vec![
            column("height", ItemType::F32, vec![height; 3]),
            column("time", ItemType::TimeSpan, vec![time; 3]),
            column("key", ItemType::Key(KeyType::new(9)), vec![key; 3]),
            integers("count", [count; 3]),
        ]
    };
    let (a, b) = (file(table(1.0, 7, 3, 10)), file(table(1.001, 7, 3, 10)));
    let within = Options::new().tolerance(Tolerance::exact().relative(0.01));
    let found = compare_with(&a, &b, &within);
    let values = found.values.as_ref().unwrap();
    assert_eq!((found.verdict, values.within, values.different), (Verdict::SameWithinTolerance, 3, 0));

    let wide = Options::new().tolerance(Tolerance::exact().absolute(2.0));
    let b = file(table(1.5, 8, 4, 11));
    let values = compare_with(&a, &b, &wide).values.unwrap();
    assert_eq!((values.within, values.different), (6, 6));
    let columns: Vec<_> = values.columns.iter().map(|column| column.name.as_str()).collect();
    assert_eq!(columns, ["time", "key"]);
}

#[test]
fn a_key_aligns_rows_whatever_their_order() {
    let ids = [5, 3, 9, 1, 7];
    let a = file(vec![integers("id", ids), integers("x", [50, 30, 90, 10, 70])]);
    let b = file(vec![integers("id", [1, 3, 5, 6, 7]), integers("x", [10, 30, 55, 60, 70])]);
    let values = compare_with(&a, &b, &Options::new().key("id")).values.unwrap();
    let rows = values.rows.unwrap();
    assert_eq!((rows.inserted_count, rows.deleted_count, rows.changed_count), (1, 1, 1));
    assert_eq!((rows.inserted[0].row, rows.deleted[0].row), (3, 2));
    assert_eq!((rows.changed[0].a, rows.changed[0].b), (0, 2));
    assert_eq!((values.compared, values.different), (8, 1));
}

#[test]
fn rows_in_another_order_differ_even_if_a_key_aligns_them() {
    let a = file(vec![integers("id", 0..5)]);
    let b = file(vec![integers("id", [0, 2, 1, 3, 4])]);
    let values = compare_with(&a, &b, &Options::new().key("id")).values.unwrap();
    assert_eq!((values.verdict, values.different), (Verdict::ValuesDiffer, 0));
    assert_eq!(values.notes, ["the rows of the second file are in another order"]);
}

#[test]
fn rows_with_the_same_key_match_in_their_order() {
    let a = file(vec![integers("id", [1, 1, 2]), integers("x", [10, 11, 20])]);
    let b = file(vec![integers("id", [1, 1, 1, 2]), integers("x", [10, 11, 12, 20])]);
    let values = compare_with(&a, &b, &Options::new().key("id")).values.unwrap();
    let rows = values.rows.unwrap();
    assert_eq!((rows.inserted_count, rows.changed_count, rows.inserted[0].row), (1, 0, 2));
}

#[test]
fn a_key_that_a_table_lacks_is_an_error() {
    let (a, b) = (file(vec![integers("id", 0..3)]), file(vec![integers("id", 1..4)]));
    let [a, b] = [&a, &b].map(|bytes| Input::from_slice(bytes, Limits::default()));
    let error = diff(&a, &b, &Options::new().key("name")).unwrap_err();
    assert!(matches!(&error, Error::NoColumn { name } if name == "name"), "{error}");
}

#[test]
fn sparse_and_dense_vectors_of_the_same_items_are_equal() {
    let mut sparse = Column::vectors(ItemType::F32);
    let mut dense = Column::vectors(ItemType::F32);
    sparse.push_sparse_vector(5, &[1, 4], vec![0.5_f32, -1.0]).unwrap();
    dense.push_vector(vec![0.0_f32, 0.5, 0.0, 0.0, -1.0]).unwrap();
    sparse.push_sparse_vector(3, &[], Vec::<f32>::new()).unwrap();
    dense.push_vector(vec![0.0_f32, -0.0, 0.0]).unwrap();
    let new = || NewColumn::new("v", ColumnType::vector(ItemType::F32, [0]));
    let values = compare(vec![(new(), sparse)], vec![(new(), dense)]);
    assert_eq!((values.compared, values.different, values.sign_of_zero), (2, 1, 1));
    assert_eq!(values.first[0].index, [1, 1], "the row, and the slot");
}

#[test]
fn vectors_of_other_lengths_differ_as_a_whole() {
    let vectors = |lengths: [usize; 2]| {
        let mut values = Column::vectors(ItemType::U8);
        lengths.iter().for_each(|&length| values.push_vector(vec![7_u8; length]).unwrap());
        vec![(NewColumn::new("v", ColumnType::vector(ItemType::U8, [0])), values)]
    };
    let values = compare(vectors([2, 3]), vectors([2, 1]));
    assert_eq!((values.different, values.first[0].index.as_slice()), (1, [1].as_slice()));
    assert_eq!(values.first[0].b, Datum::List(vec![Datum::Uint(7)]));
}

#[test]
fn names_of_slots_are_part_of_the_values() {
    let table = |names: [&str; 2]| {
        let new = NewColumn::new("v", ColumnType::vector(ItemType::U8, [2])).slot_names(names);
        vec![(new, Column::dense(vec![1_u8, 2, 3, 4], 2).unwrap())]
    };
    let values = compare(table(["x", "y"]), table(["x", "z"]));
    assert_eq!((values.verdict, values.different), (Verdict::ValuesDiffer, 0));
    assert_eq!(values.notes, ["column \"v\", annotation \"SlotNames\": its values differ"]);
}

#[test]
fn tables_too_long_to_be_aligned_are_compared_row_by_row() {
    let count = 400_000;
    let values: Vec<u8> = (0..count).map(|x: u32| (x % 251) as u8).collect();
    let mut other = values.clone();
    other.remove(7);
    let in_one = |items: Vec<u8>| file_in_blocks(vec![column("x", ItemType::U8, items)], 10_000, Compression::NONE);
    let (a, b) = (in_one(values), in_one(other));
    let found = compare_with(&a, &b, &Options::new()).values.unwrap();
    assert_eq!(found.rows.unwrap().deleted_count, 1);
    let small = Options::new().limits(Limits::default().memory(1 << 20));
    let found = compare_with(&a, &b, &small).values.unwrap();
    assert!(found.notes[0].starts_with("there is not enough memory to find rows"), "{:?}", found.notes);
    assert_eq!(found.rows.unwrap().deleted[0].row, 399_999);
}

#[test]
fn lists_are_bounded_and_numbers_exact() {
    let rows = 5000;
    let a = file(vec![integers("x", 0..rows), integers("y", 0..rows)]);
    let b = file(vec![integers("x", (0..rows).map(|x| x + 10_000)), integers("y", 0..rows)]);
    let values = compare_with(&a, &b, &Options::new().most(3)).values.unwrap();
    assert_eq!((values.different, values.first.len()), (5000, 3));
    let b = file(vec![integers("x", 0..rows), integers("z", 0..rows)]);
    let values = compare_with(&a, &b, &Options::new().most(1)).values.unwrap();
    assert_eq!((values.columns.len(), values.notes.as_slice()), (1, &["1 further column differs".to_owned()][..]));
}

#[test]
fn a_column_that_cannot_be_read_does_not_hide_the_others() {
    let a = file_in_blocks(vec![integers("x", 0..8), integers("y", 0..8)], 8, Compression::DEFLATE);
    let table = ndbytes::idv::from_slice(&a).unwrap();
    let stored = table.columns().next().unwrap().stored_bytes() as usize;
    let mut b = a.clone();
    // The first block follows the header: a broken deflate stream.
    b[256..256 + stored].fill(0xFF);
    let found = compare_with(&a, &b, &Options::new());
    let values = found.values.unwrap();
    assert_eq!((found.verdict, values.compared), (Verdict::Incomplete, 8));
    assert!(matches!(&values.columns[0].change, Some(ColumnChange::Unreadable(_))), "{:?}", values.columns);
    assert_eq!(values.notes[0], "1 of 2 columns cannot be read; all others are equal");
}
