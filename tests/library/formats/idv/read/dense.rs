//! Arrays from vectors, and back.

use super::is_limit;
use crate::formats::idv::DEFLATED;
use ndarray::array;
use ndbytes::idv::{self, ItemType, KeyType, Value, Values};
use ndbytes::{Error, Limits};
use ndbytes_testkit::tables::made::{self, Kind};
use ndbytes_testkit::tables::model;

#[test]
fn vectors_of_one_length_become_arrays() {
    let limits = Limits::default();
    let mut values = Values::vectors(ItemType::F32);
    values.push_vector(vec![1.0_f32, 2.0, 3.0]).unwrap();
    values.push_sparse_vector(3, &[2], vec![9.0_f32]).unwrap();
    values.push_sparse_vector(3, &[], Vec::<f32>::new()).unwrap();
    assert_eq!(values.to_dense::<f32>(&limits).unwrap(), array![[1.0, 2.0, 3.0], [0.0, 0.0, 9.0], [0.0, 0.0, 0.0]]);
    assert!(matches!(values.to_dense::<f64>(&limits), Err(Error::WrongItems { requested: "f64", stored: "f32" })));
    let too_much = values.to_dense::<f32>(&limits.memory(35));
    assert!(is_limit(&too_much), "{too_much:?}");
    assert_eq!(values.to_dense::<f32>(&limits.memory(36)).unwrap().dim(), (3, 3));
    values.push_vector(vec![0.0_f32; 4]).unwrap();
    let ragged = values.to_dense::<f32>(&limits);
    assert!(matches!(ragged, Err(Error::Ragged { first: 3, row: 3, other: 4 })), "{ragged:?}");

    let scalars = Values::scalars(vec![1_u8, 2]);
    assert_eq!(scalars.to_dense::<u8>(&limits).unwrap(), array![[1], [2]]);
    assert!(matches!(
        Values::scalars(vec![true]).to_dense::<u8>(&limits),
        Err(Error::WrongItems { stored: "bool", .. })
    ));
    let none: Values = Values::vectors(ItemType::I64);
    assert_eq!(none.to_dense::<i64>(&limits).unwrap().shape(), [0, 0]);
    let mut empty = Values::vectors(ItemType::I64);
    (0..3).for_each(|_| empty.push_vector(Vec::<i64>::new()).unwrap());
    assert_eq!(empty.to_dense::<i64>(&limits).unwrap().shape(), [3, 0]);

    // A vector may be long but store few items.
    let mut long = Values::vectors(ItemType::U8);
    long.push_sparse_vector(i32::MAX as usize, &[5], vec![1_u8]).unwrap();
    assert!(is_limit(&long.to_dense::<u8>(&limits)));

    // The reverse also works, whatever the memory order.
    let array = array![[1_i16, 2, 3], [4, 5, 6]];
    for values in [Values::of_array(&array).unwrap(), Values::try_from(&array).unwrap()] {
        assert_eq!(values.to_dense::<i16>(&limits).unwrap(), array);
    }
    assert_eq!(Values::of_array(&array.t()).unwrap().to_dense::<i16>(&limits).unwrap(), array.t());
    let no_columns = ndarray::Array2::<f64>::zeros((4, 0));
    assert_eq!(Values::of_array(&no_columns).unwrap().to_dense::<f64>(&limits).unwrap().shape(), [4, 0]);
}

#[test]
fn every_type_of_number_becomes_an_array() {
    let model = made::all_vectors(Kind::Mixed, 20);
    let file = model.bytes(DEFLATED.rows_per_block(6));
    let table = idv::from_slice(&file).unwrap();
    macro_rules! equal {
        ($column:expr, $number:ty, $kind:ident) => {{
            let array = $column.read().unwrap().to_dense::<$number>(&Limits::default()).unwrap();
            let values = $column.read().unwrap();
            assert_eq!(array.dim(), (20, 5));
            for ((row, place), number) in array.indexed_iter() {
                let expected = values.vector(row).unwrap().get(place).unwrap();
                assert_eq!(model::item(Value::$kind((*number).into())), model::item(expected), "{}", $column.name());
            }
        }};
    }
    for column in table.columns() {
        match column.column_type().unwrap().item {
            ItemType::I8 => equal!(column, i8, Int),
            ItemType::I16 => equal!(column, i16, Int),
            ItemType::I32 => equal!(column, i32, Int),
            ItemType::I64 | ItemType::TimeSpan | ItemType::DateTime => equal!(column, i64, Int),
            ItemType::U8 | ItemType::Key(KeyType { width: 1, .. }) => equal!(column, u8, Uint),
            ItemType::U16 | ItemType::Key(KeyType { width: 2, .. }) => equal!(column, u16, Uint),
            ItemType::U32 | ItemType::Key(KeyType { width: 4, .. }) => equal!(column, u32, Uint),
            ItemType::U64 | ItemType::Key(_) => equal!(column, u64, Uint),
            ItemType::F32 => equal!(column, f32, F32),
            ItemType::F64 => equal!(column, f64, F64),
            ItemType::RowId => equal!(column, u128, RowId),
            other => {
                let refused = column.read().unwrap().to_dense::<u8>(&Limits::default());
                assert!(matches!(refused, Err(Error::WrongItems { .. })), "{other}");
            }
        }
    }
}
