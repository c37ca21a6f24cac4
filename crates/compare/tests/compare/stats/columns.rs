//! Statistics of the columns of a table.

use ndbytes::idv::{ColumnType, ItemType, KeyType, NewColumn, Table, Texts, Values, Writer};
use ndbytes_compare::stats::{self, Real, Statistics};
use std::io::Cursor;

fn statistics(column_type: ColumnType, values: Values, per_block: usize) -> Statistics {
    let writer = Writer::new([NewColumn::new("x", column_type)]).rows_per_block(per_block);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&[values]).unwrap();
    let file = writer.finish_sink().unwrap().into_inner();
    let table: Table<'_> = ndbytes::idv::from_slice(&file).unwrap();
    stats::column(&table.column("x").unwrap()).unwrap()
}

#[test]
fn keys_without_a_category_are_missing() {
    let key = ColumnType::scalar(ItemType::Key(KeyType::new(5)));
    let values = Values::scalars(vec![1_u32, 0, 3, 3, 5, 0]);
    for per_block in [1, 4, 100] {
        let found = statistics(key.clone(), values.clone(), per_block);
        assert_eq!((found.values, found.missing, found.distinct), (6, 2, Some(3)));
        assert_eq!((found.min, found.max, found.mean), (Some(Real::Int(1)), Some(Real::Int(5)), None));
    }
}

#[test]
fn floats_and_texts_do_not_depend_on_blocks() {
    let floats = Values::scalars(vec![1.0_f32, f32::NAN, -4.0, 0.0]);
    let mut texts = Texts::default();
    ["pine", "", "Fichte", "松"].into_iter().for_each(|text| texts.push(text));
    let texts = Values::scalars(texts);
    for per_block in [1, 3, 100] {
        let found = statistics(ColumnType::scalar(ItemType::F32), floats.clone(), per_block);
        assert_eq!(
            (found.mean, found.nan, found.zeros, found.min),
            (Some(Real::F64(-1.0)), 1, 1, Some(Real::F32(-4.0)))
        );
        let found = statistics(ColumnType::scalar(ItemType::Text), texts.clone(), per_block);
        assert_eq!((found.values, found.lengths, found.distinct), (4, Some((0, 6)), Some(4)));
    }
}

#[test]
fn items_that_sparse_vectors_do_not_store_are_zeros() {
    let mut vectors = Values::vectors(ItemType::F64);
    vectors.push_sparse_vector(10, &[2, 7], vec![5.0_f64, -1.0]).unwrap();
    vectors.push_sparse_vector(10, &[], Vec::<f64>::new()).unwrap();
    let found = statistics(ColumnType::vector(ItemType::F64, [10]), vectors, 1);
    assert_eq!((found.values, found.zeros, found.mean, found.distinct), (20, 18, Some(Real::F64(0.2)), Some(3)));
}
