//! The parts of the library that this crate needs: portions, shared memory, layouts of values, names of types, and
//! properties that a writer learns late.

use crate::support::{files, table_in};
use ndbytes::idv::{self, ColumnType, ItemType, Items, KeyType, Layout, NewColumn, Portions, Texts, Values, Writer};
use ndbytes::{Limits, Memory};
use ndbytes_arrow::table::Options;
use std::fs;
use std::io::Cursor;

fn file(columns: Vec<(NewColumn, Values)>, rows_per_block: usize) -> Vec<u8> {
    let (columns, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let writer = Writer::new(columns).rows_per_block(rows_per_block);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&values).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

fn numbers(rows: i32) -> Vec<(NewColumn, Values)> {
    let texts: Texts = (0..rows).map(|row| row.to_string()).collect();
    vec![
        (NewColumn::new("n", ColumnType::scalar(ItemType::I32)), Values::scalars((0..rows).collect::<Vec<_>>())),
        (NewColumn::new("t", ColumnType::scalar(ItemType::Text)), Values::scalars(texts)),
    ]
}

#[test]
fn portions_are_whole_blocks_in_order_and_own_their_values() {
    let bytes = file(numbers(1000), 30);
    let table = idv::from_slice(&bytes).unwrap();
    let mut next = 0;
    for portion in Portions::new(&table, [1, 0], 50).unwrap() {
        let portion = portion.unwrap();
        let rows = portion.rows();
        assert_eq!((rows.start, rows.end), (next, (next + 60).min(1000)));
        next = rows.end;
        let values = portion.into_values();
        assert_eq!(values[0], table.column("t").unwrap().read_rows(rows.clone()).unwrap());
        assert_eq!(values[1], table.column("n").unwrap().read_rows(rows).unwrap());
    }
    assert_eq!(next, 1000);
    let some = Portions::new(&table, [0], 50).unwrap().within(100..130).unwrap();
    let rows: Vec<_> = some.map(|portion| portion.unwrap().rows()).collect();
    assert_eq!(rows, [100..120, 120..130]);
}

#[test]
fn portions_that_are_alive_share_the_memory_that_limits_grant() {
    let bytes = file(numbers(10_000), 1000);
    let options = idv::Options::new().limits(Limits::default().memory(1 << 20));
    let table = options.from_reader(&bytes[..]).unwrap();
    let mut portions = Portions::new(&table, [0], 1000).unwrap();
    let first = portions.next().unwrap().unwrap();
    let free = |memory: &Memory| (0..64).rev().map(|bit| 1_u64 << bit).find(|&bytes| memory.take(bytes, "all").is_ok());
    let rest: Vec<_> = portions.by_ref().collect();
    let held = free(portions.memory());
    drop((first, rest));
    assert!(free(portions.memory()) >= held, "what was dropped is free again");
    let taken = portions.memory().take(held.unwrap() / 2, "half").unwrap();
    assert_eq!(taken.bytes(), held.unwrap() / 2);
}

#[test]
fn portions_end_after_the_first_block_that_breaks_a_rule() {
    let mut bytes = file(numbers(1000), 100);
    let table = idv::from_slice(&bytes).unwrap();
    let places: Vec<u64> = (0..10).map(|block| table.column("n").unwrap().rows_of_block(block).start).collect();
    assert_eq!(places[9], 900);
    drop(table);
    // The blocks follow the 256-byte header: all but the first are corrupted.
    bytes[700..900].fill(0xFF);
    let Ok(table) = idv::from_slice(&bytes) else { return };
    let portions: Vec<_> = Portions::new(&table, [0, 1], 100).unwrap().collect();
    let good = portions.iter().take_while(|portion| portion.is_ok()).count();
    assert_eq!(portions.len(), good + 1, "one error, and no portion after it");
}

#[test]
fn batches_end_after_the_first_error_of_any_broken_file() {
    let (broken, mut failed) = (files(&ndbytes_testkit::corpus::root().join("idv/bad"), "idv"), 0);
    assert!(!broken.is_empty());
    for path in broken {
        let Ok(table) = table_in(&fs::read(&path).unwrap(), Options::new()) else { continue };
        let Ok(mut batches) = table.batches() else { continue };
        while let Some(batch) = batches.next_batch() {
            if batch.is_err() {
                failed += 1;
                assert!(batches.next_batch().is_none(), "{}", path.display());
            }
        }
    }
    assert!(failed > 10, "{failed} files fail at a batch");
}

#[test]
fn texts_and_values_come_apart_and_together_again() {
    let texts: Texts = ["a", "", "bc"].into_iter().collect();
    assert_eq!(texts.into_parts(), (b"abc".to_vec(), vec![1, 1, 3]));
    let mut values = Values::vectors(ItemType::U8);
    values.push_sparse_vector(5, &[1, 4], vec![7_u8, 8]).unwrap();
    values.push_vector(vec![9_u8]).unwrap();
    let Layout::Mixed { lengths, item_ends, index_ends, sparse, indices } = values.layout() else { panic!("mixed") };
    assert_eq!((lengths, item_ends, index_ends), (&[5, 1][..], &[2, 3][..], &[2, 2][..]));
    assert_eq!((sparse, indices), (&[true, false][..], &[1, 4][..]));
    let again = Values::with_layout(values.items().clone(), values.layout()).unwrap();
    assert_eq!(again, values);
    let wrong = Layout::Mixed { lengths, item_ends, index_ends, sparse, indices: &[4, 1] };
    let error = Values::with_layout(values.items().clone(), wrong).unwrap_err().to_string();
    assert!(error.contains("indices that do not increase"), "{error}");
    let (items, nulls) = values.into_parts();
    assert_eq!((items, nulls.len()), (Items::U8(vec![7, 8, 9]), 0));
}

#[test]
fn types_come_back_from_their_names() {
    let key = ItemType::Key(KeyType { width: 8, count: u64::MAX, min: 0 });
    for item in [ItemType::I8, ItemType::Text, ItemType::RowId, ItemType::DateTimeOffset, key] {
        for dims in [None, Some(vec![0]), Some(vec![3]), Some(vec![2, 0, 4])] {
            let column_type = ColumnType { item, dims };
            assert_eq!(column_type.to_string().parse::<ColumnType>().unwrap(), column_type);
        }
    }
    for wrong in
        ["", "Vector<>", "Vector<Single, x>", "Key<Int32, 0-3>", "Key<UInt32, 1-3>", "TextSpan", "Vector<Single, 1"]
    {
        assert!(wrong.parse::<ColumnType>().is_err(), "{wrong}");
    }
}

#[test]
fn writers_learn_categories_and_annotations_late() {
    let column = NewColumn::new("k", ColumnType::scalar(ItemType::Key(KeyType::new(1))));
    let mut writer = Writer::new([column]).begin(Cursor::new(Vec::new())).unwrap();
    assert!(writer.grow_categories(1, 2).is_err(), "there is one column");
    writer.grow_categories(0, 3).unwrap();
    assert!(writer.grow_categories(0, 2).is_err(), "keys of the third may be written");
    writer.write(&[Values::scalars(vec![3_u32, 0])]).unwrap();
    let text = || Values::dense(["a", "b", "c"].into_iter().collect::<Texts>(), 3).unwrap();
    writer.annotate(0, "KeyValues", ColumnType::vector(ItemType::Text, [3]), text()).unwrap();
    assert!(writer.annotate(0, "KeyValues", ColumnType::vector(ItemType::Text, [3]), text()).is_err());
    let bytes = writer.finish_sink().unwrap().into_inner();
    let table = idv::from_slice(&bytes).unwrap();
    let column = table.column("k").unwrap();
    assert_eq!(column.column_type().unwrap().to_string(), "Key<UInt32, 0-2>");
    assert_eq!(column.key_values().unwrap().unwrap(), text());
}
