//! Values: defaults, texts, and missing values.

use super::{as_version, file, ints, open, scalar};
use crate::formats::idv::{DEFLATED, PLAIN};
use ndbytes::idv::{self, ColumnType, ItemType, NewColumn, Texts, Value, Values};
use ndbytes::{Error, Limits};
use ndbytes_testkit::tables::made::{self, Kind};
use ndbytes_testkit::tables::model::{self, Cell, Item, Model, ModelColumn};

#[test]
fn items_that_a_sparse_vector_does_not_store_are_defaults() {
    let model = Model::new(
        made::all_types()
            .map(|(name, of)| {
                let cell = Cell::Sparse { length: 3, indices: vec![1], stored: vec![made::item(of, 1)] };
                ModelColumn::new(name, ColumnType::vector(of, [3]), vec![cell])
            })
            .collect(),
    );
    let file = model.bytes(PLAIN);
    let table = idv::from_slice(&file).unwrap();
    for (column, (name, of)) in table.columns().zip(made::all_types()) {
        let values = column.read().unwrap();
        let vector = values.vector(0).unwrap();
        let default = match of {
            ItemType::F32 => Item::F32(0),
            ItemType::F64 => Item::F64(0),
            ItemType::Bool => Item::Bool(false),
            ItemType::Text => Item::text(""),
            ItemType::RowId => Item::RowId(0),
            ItemType::DateTimeOffset => Item::Time { ticks: 0, minutes: 0 },
            ItemType::I8 | ItemType::I16 | ItemType::I32 | ItemType::I64 => Item::Int(0),
            ItemType::TimeSpan | ItemType::DateTime => Item::Int(0),
            _ => Item::Uint(0),
        };
        let found: Vec<Item> = (0..3).map(|place| model::item(vector.get(place).unwrap())).collect();
        assert_eq!(found, [default.clone(), made::item(of, 1), default], "{name}");
        assert_eq!(vector.get(3), None);
    }
}

#[test]
fn texts_keep_half_characters() {
    let table = open("mlnet/gen_surrogates.idv");
    let values = table.column("A").unwrap().read().unwrap();
    let texts = values.items().texts().unwrap();
    let [first, second] = [texts.get(0).unwrap(), texts.get(1).unwrap()];
    assert_eq!(first.utf16().collect::<Vec<_>>(), [0x61, 0xD83D]);
    assert_eq!(second.utf16().collect::<Vec<_>>(), [0xDE00, 0x62]);
    assert_eq!((first.to_str(), second.to_str()), (None, None));
    assert_eq!((&*first.to_string_lossy(), &*second.to_string_lossy()), ("a\u{FFFD}", "\u{FFFD}b"));
    assert_eq!(first.as_bytes(), b"a\xED\xA0\xBD");
    assert_eq!(second.as_bytes(), b"\xED\xB8\x80b");
    assert_eq!(texts.get(3).unwrap().to_str(), Some("z\u{FFFD}"));
    assert_eq!(texts.get(3).unwrap(), "z\u{FFFD}");
    assert_eq!(texts.get(4).unwrap().to_str(), Some(""));
    assert_eq!((texts.get(5), texts.len(), texts.is_empty()), (None, 5, false));
    // Halves stay separate when rows are read on their own.
    let alone = table.column("A").unwrap().read_rows(1..2).unwrap();
    assert_eq!(model::cells(&alone), [Cell::Item(Item::Text(vec![0xDE00, 0x62]))]);
}

#[test]
fn texts_are_compared_by_their_content() {
    let texts: Texts = ["a", "b", "a", "\u{1F600}"].into_iter().collect();
    assert_eq!(texts.get(0), texts.get(2));
    assert_ne!(texts.get(0), texts.get(1));
    assert_eq!(texts.get(3).unwrap(), *"\u{1F600}");
    assert_eq!(texts.iter().map(|text| text.utf16().count()).collect::<Vec<_>>(), [1, 1, 1, 2]);
}

#[test]
fn old_files_have_nulls() {
    let values = open("old/a_v5_text_na.idv").column("t").unwrap().read().unwrap();
    assert!(!values.nulls().is_empty());
    let texts: Vec<Option<String>> = values
        .iter()
        .map(|value| match value {
            Value::Text(text) => Some(text.to_str().unwrap().to_owned()),
            Value::Null => None,
            other => panic!("{other:?}"),
        })
        .collect();
    // A missing text is an empty text among the items.
    let stored: Vec<&str> = values.items().texts().unwrap().iter().map(|text| text.to_str().unwrap()).collect();
    for (row, (text, stored)) in texts.iter().zip(stored).enumerate() {
        assert_eq!(text.as_deref().unwrap_or(""), stored);
        assert_eq!(values.nulls().contains(row), text.is_none());
    }
    let null_rows: Vec<usize> = values.nulls().iter().collect();
    assert_eq!((null_rows.len(), &texts[0]), (values.nulls().len(), &Some("a".to_owned())));

    let values = open("old/a_v5_dvbool.idv").column("b").unwrap().read().unwrap();
    assert!(values.nulls().iter().all(|row| values.get(row) == Some(Value::Null)));
    assert!(values.nulls().len() > 1);
    let values = open("old/a_v5_dvtimespan_na.idv").column("d").unwrap().read().unwrap();
    assert_eq!(ints(&values).last(), Some(&Some(-5)));
    assert_eq!(ints(&values).iter().filter(|ticks| ticks.is_none()).count(), 1);
    let values = open("old/a_v5_dvdatetimezone_na.idv").column("d").unwrap().read().unwrap();
    assert_eq!(values.nulls().iter().collect::<Vec<_>>(), [2]);
}

/// Up to version 1.1.1.5, the smallest number of a type means a missing value.
#[test]
fn least_numbers_are_nulls_in_old_versions() {
    let columns = || {
        let numbers: Vec<(NewColumn, Values)> = vec![
            (scalar("i1", ItemType::I8), Values::scalars(vec![i8::MIN, -1, i8::MIN + 1])),
            (scalar("i2", ItemType::I16), Values::scalars(vec![i16::MIN, -1, i16::MIN + 1])),
            (scalar("i4", ItemType::I32), Values::scalars(vec![i32::MIN, -1, i32::MIN + 1])),
            (scalar("i8", ItemType::I64), Values::scalars(vec![i64::MIN, -1, i64::MIN + 1])),
        ];
        numbers
    };
    for version in [4, 5] {
        let file = as_version(file(columns()), version);
        let table = idv::from_slice(&file).unwrap();
        for column in table.columns() {
            let values = column.read().unwrap();
            let found = ints(&values);
            assert_eq!((found[0], found[1]), (None, Some(-1)), "{}", column.name());
            assert_eq!(values.nulls().iter().collect::<Vec<_>>(), [0]);
            assert!(found[2].is_some_and(|least| least < -1));
            assert_eq!(ints(&column.read_rows(0..1).unwrap()), [None]);
            assert_eq!(column.read_rows(1..3).unwrap().nulls().len(), 0);
        }
        let missing = table.column("i4").unwrap().read().unwrap().to_dense::<i32>(&Limits::default());
        assert!(matches!(missing, Err(Error::WrongItems { requested: "i32", .. })), "{missing:?}");
    }
    let file = file(columns());
    for column in idv::from_slice(&file).unwrap().columns() {
        let values = column.read().unwrap();
        assert!(values.nulls().is_empty() && ints(&values)[0].is_some_and(|least| least < -1));
    }
}

#[test]
fn nulls_in_vectors_count_stored_items() {
    let mut values = Values::vectors(ItemType::I32);
    values.push_vector(vec![1, i32::MIN]).unwrap();
    values.push_sparse_vector(5, &[1, 3], vec![i32::MIN, 4]).unwrap();
    values.push_vector(Vec::<i32>::new()).unwrap();
    values.push_vector(vec![i32::MIN, 6]).unwrap();
    let file = as_version(file(vec![(NewColumn::new("v", ColumnType::vector(ItemType::I32, [0])), values)]), 5);
    let table = idv::from_slice(&file).unwrap();
    let values = table.column("v").unwrap().read().unwrap();
    assert_eq!(values.nulls().iter().collect::<Vec<_>>(), [1, 2, 4]);
    let sparse = values.vector(1).unwrap();
    assert_eq!(
        (sparse.get(1), sparse.get(3), sparse.get(0)),
        (Some(Value::Null), Some(Value::Int(4)), Some(Value::Int(0)))
    );
    let later = table.column("v").unwrap().read_rows(2..4).unwrap();
    assert_eq!(later.nulls().iter().collect::<Vec<_>>(), [0]);
    assert_eq!(later.vector(1).unwrap().stored().collect::<Vec<_>>(), [Value::Null, Value::Int(6)]);
}

/// Values are equal, whichever way they were read.
#[test]
fn values_are_equal_however_they_were_read() {
    let model = Model::new(vec![
        made::vectors("fixed", ItemType::I32, &[3], Kind::Dense, 10),
        made::ragged("ragged", ItemType::I64, Kind::Mixed, 10),
        made::vectors("texts", ItemType::Text, &[2], Kind::Dense, 10),
    ]);
    let file = model.bytes(DEFLATED.rows_per_block(3));
    let table = idv::from_slice(&file).unwrap();
    let mut batches = table.batches(&["fixed", "ragged", "texts"]).unwrap();
    while let Some(batch) = batches.next() {
        let batch = batch.unwrap();
        for (place, column) in table.columns().enumerate() {
            let (rows, name) = (batch.rows(), column.name());
            assert_eq!(batch.values(place).unwrap(), &column.read_rows(rows.clone()).unwrap(), "{name}");
        }
    }
    for (column, expected) in table.columns().zip(&model.columns) {
        let values = model::values(&expected.column_type, &expected.cells);
        assert_eq!(column.read().unwrap(), values, "{}", expected.name);
    }
}
