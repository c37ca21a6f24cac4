//! Concatenated tables.

use super::{file, scalar};
use crate::formats::idv::{DEFLATED, PLAIN};
use ndbytes::Error;
use ndbytes::idv::{self, ColumnType, ItemType, KeyType, NewColumn, Tables, Values};
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::{self, Cell, Model, ModelColumn};
use std::path::PathBuf;

#[test]
fn tables_of_the_same_columns_are_read_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let columns = [("a", ItemType::I32), ("t", ItemType::Text), ("b", ItemType::Bool)];
    let part = |rows: usize, first: u64| {
        let columns = columns.iter().map(|&(name, of)| {
            let cells = (0..rows as u64).map(|row| Cell::Item(made::item(of, first + row))).collect();
            ModelColumn::new(name, ColumnType::scalar(of), cells)
        });
        let vectors = ModelColumn::new(
            "v",
            ColumnType::vector(ItemType::F64, [0]),
            (0..rows as u64).map(|row| made::dense(ItemType::F64, first, (row % 3) as u32)).collect(),
        );
        Model::new(columns.chain([vectors]).collect())
    };
    let parts = [part(5, 0), part(0, 0), part(7, 40), part(1, 90)];
    let paths: Vec<PathBuf> = parts
        .iter()
        .enumerate()
        .map(|(place, part)| {
            let path = folder.path().join(format!("{place}.idv"));
            std::fs::write(&path, part.bytes([PLAIN, DEFLATED][place % 2].rows_per_block(3))).unwrap();
            path
        })
        .collect();
    let all = idv::open_all(&paths).unwrap();
    assert_eq!((all.rows(), all.parts().len()), (13, 4));
    assert_eq!(all.columns().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "t", "b", "v"]);
    for (place, name) in ["a", "t", "b", "v"].into_iter().enumerate() {
        let whole: Vec<Cell> = parts.iter().flat_map(|part| part.columns[place].cells.clone()).collect();
        assert_eq!(model::cells(&all.read(name).unwrap()), whole);
        for start in 0..=13 {
            for end in start..=13 {
                let read = all.read_rows(name, start as u64..end as u64).unwrap();
                assert_eq!(model::cells(&read), whole[start..end], "{name} {start}..{end}");
            }
        }
    }
    assert!(matches!(all.read("c"), Err(Error::NoColumn { .. })));
    assert!(matches!(all.read_rows("a", 0..14), Err(Error::OutOfRange { length: 13, .. })));
    let none = Tables::new(Vec::new()).unwrap();
    assert_eq!((none.rows(), none.columns().len()), (0, 0));
    assert!(matches!(none.read("a"), Err(Error::NoColumn { .. })));
    assert!(matches!(idv::open_all([folder.path().join("missing.idv")]), Err(Error::Io { .. })));
}

#[test]
fn tables_of_other_columns_are_refused() {
    let key = |count: u64, values: &[&str]| scalar("k", ItemType::Key(KeyType::new(count))).key_values(values);
    let one = |column: NewColumn, values: Values| file(vec![(column, values)]);
    let keys = || Values::scalars(vec![1_u32]);
    let first = one(key(2, &["x", "y"]), keys());
    let same = one(key(2, &["x", "y"]), Values::scalars(vec![2_u32, 0]));
    let join = |other: &[u8]| {
        let parts = vec![idv::from_slice(&first).unwrap(), idv::from_slice(other).unwrap()];
        Tables::new(parts).map(|tables| tables.read("k").unwrap())
    };
    assert_eq!(join(&same).unwrap(), Values::scalars(vec![1_u32, 2, 0]));
    let others = [
        one(key(2, &["y", "x"]), keys()),
        one(key(3, &["x", "y"]), keys()),
        one(scalar("k", ItemType::Key(KeyType::new(2))), keys()),
        one(scalar("k", ItemType::U32), keys()),
        one(scalar("l", ItemType::Key(KeyType::new(2))).key_values(["x", "y"]), keys()),
        file(vec![(key(2, &["x", "y"]), keys()), (scalar("more", ItemType::U32), keys())]),
        file(vec![]),
    ];
    for other in others {
        let refused = join(&other);
        assert!(matches!(refused, Err(Error::OtherColumns { table: 1, .. })), "{refused:?}");
    }
    // Categories may be numbers, and one of them may be NaN.
    let numbers = |column: NewColumn| {
        let mut values = Values::vectors(ItemType::F32);
        values.push_vector(vec![1.0_f32, f32::NAN]).unwrap();
        column.annotation("KeyValues", ColumnType::vector(ItemType::F32, [2]), values)
    };
    let numbered = one(numbers(scalar("k", ItemType::Key(KeyType::new(2)))), keys());
    let parts = vec![idv::from_slice(&numbered).unwrap(), idv::from_slice(&numbered).unwrap()];
    Tables::new(parts).expect("a table and its copy");
}
