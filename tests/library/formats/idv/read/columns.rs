//! Columns: lookup by name, keys, annotations, and tolerance.

use super::{file, ints, open, replaced, scalar};
use crate::formats::idv::DEFLATED;
use ndbytes::Error;
use ndbytes::idv::{self, ColumnType, ItemType, KeyType, Options, Value, Values};
use ndbytes_testkit::tables;
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::{self, Cell, Item};

#[test]
fn the_last_of_columns_with_one_name_is_found() {
    let table = open("mlnet/hidden_kept.idv");
    let hidden: Vec<(String, bool, usize)> =
        table.columns().map(|column| (column.name(), column.is_hidden(), column.index())).collect();
    assert_eq!(hidden, [("x".into(), true, 0), ("y".into(), false, 1), ("x".into(), false, 2)]);
    let seen = table.column("x").unwrap();
    assert_eq!((seen.index(), seen.column_type().unwrap().item), (2, ItemType::Text));
    let first = table.columns().next().unwrap();
    assert_eq!(ints(&first.read().unwrap()), (0..5).map(Some).collect::<Vec<_>>());
    let mut batches = table.batches(&["x"]).unwrap();
    assert!(batches.next().unwrap().unwrap().values(0).unwrap().items().texts().is_some());
}

#[test]
fn keys_count_categories_from_zero() {
    let table = open("mlnet/tr_map_value_to_key.idv");
    let column = table.column("Key").unwrap();
    assert_eq!(column.column_type().unwrap().item, ItemType::Key(KeyType::new(3)));
    let values = column.read().unwrap();
    let names = column.key_values().unwrap().unwrap();
    let name = |row: usize| {
        let category = values.items().category(row)?;
        let Some(Value::Vector(names)) = names.get(0) else { panic!() };
        match names.get(category as usize)? {
            Value::Text(text) => Some(text.to_str().unwrap()),
            other => panic!("{other:?}"),
        }
    };
    // The empty text in the source is not a category.
    assert_eq!([0, 3, 6, 9, 59].map(name), [Some("red"), Some("grün"), None, Some("blue"), Some("blue")]);
    let source = table.column("Cat").unwrap().read().unwrap();
    for row in 0..60 {
        assert_eq!(source.items().texts().unwrap().get(row).unwrap(), name(row).unwrap_or(""));
    }
    assert_eq!(values.items().category(60), None);
    assert_eq!(source.items().category(0), None);
    assert!(table.column("Cat").unwrap().key_values().unwrap().is_none());
    assert!(column.slot_names().unwrap().is_none());

    // Nonexistent categories are passed on, as in ML.NET.
    let out_of_range = open("mlnet/keys_out_of_range.idv").column("k").unwrap().read().unwrap();
    let categories: Vec<Option<u64>> = (0..4).map(|row| out_of_range.items().category(row)).collect();
    assert_eq!(categories, [None, Some(2), Some(5), Some(8)]);
}

#[test]
fn annotations_are_found_by_their_kind() {
    let table = open("mlnet/ann_all_types.idv");
    let column = table.column("c").unwrap();
    let value = |kind: &str| model::cells(&column.annotation(kind).unwrap().read().unwrap()).remove(0);
    assert_eq!(value("i8"), Cell::Item(Item::Int(i64::MIN)));
    assert_eq!(value("IsNormalized"), Cell::Item(Item::Bool(true)));
    assert_eq!(value("tx"), Cell::Item(Item::text("café")));
    assert_eq!(value("key"), Cell::Item(Item::Uint(4)));
    let Cell::Sparse { length: 100, indices, .. } = value("sparse") else { panic!() };
    assert_eq!(indices, [7, 77]);
    assert_eq!(column.annotation("vr4").unwrap().value_type(), Some(&ColumnType::vector(ItemType::F32, [2, 2])));
    assert_eq!(column.annotation("vr4").unwrap().codec(), "VBuffer");
    assert!(column.annotation("I8").is_none());
    let kinds: Vec<String> = column.annotations().map(|annotation| annotation.kind()).collect();
    assert_eq!((kinds.len(), column.annotations().len()), (20, 20));

    let names = open("mlnet/ann_slotnames.idv").column("v").unwrap().slot_names().unwrap().unwrap();
    let texts: Vec<&str> = names.items().texts().unwrap().iter().map(|text| text.to_str().unwrap()).collect();
    assert_eq!((names.rows(), &texts[..]), (1, &["first", "", "dritté"][..]));
}

#[test]
fn columns_that_are_not_there_are_named() {
    let file = file(vec![
        (scalar("a", ItemType::I32), Values::scalars(vec![7])),
        (scalar("b", ItemType::F64), Values::scalars(vec![7.0])),
    ]);
    let table = idv::from_slice(&file).unwrap();
    assert!(matches!(table.column("c"), Err(Error::NoColumn { name }) if name == "c"));
    assert!(matches!(table.batches(&["a", "c"]), Err(Error::NoColumn { .. })));

    // An unknown codec makes only its own column unreadable.
    let broken = replaced(file, b"Double", b"Triple");
    let table = idv::from_slice(&broken).unwrap();
    assert!(matches!(table.column("b"), Err(Error::UnreadableColumn { name }) if name == "b"));
    let column = table.columns().nth(1).unwrap();
    assert_eq!((column.name(), column.codec(), column.column_type()), ("b".into(), "Triple".into(), None));
    assert!(!column.is_readable() && !column.is_hidden());
    assert!(matches!(column.read(), Err(Error::UnreadableColumn { .. })));
    assert!(matches!(column.read_block(0), Err(Error::UnreadableColumn { .. })));
    assert!(matches!(column.read_rows(0..0), Err(Error::UnreadableColumn { .. })));
    assert_eq!(ints(&table.column("a").unwrap().read().unwrap()), [Some(7)]);
    assert!(matches!(table.batches(&["b"]), Err(Error::UnreadableColumn { .. })));
}

#[test]
fn broken_rules_are_tolerated_only_if_asked_for() {
    let model = made::all_scalars(5);
    let mut file = model.bytes(DEFLATED);
    file.push(0);
    let error = idv::from_slice(&file).unwrap_err();
    assert_eq!(error.finding().unwrap().rule.id, "idv/trailing-bytes");
    let table = Options::new().tolerate(&idv::TRAILING_BYTES).from_slice(&file).unwrap();
    assert_eq!(table.tolerated().len(), 1);
    assert_eq!(tables::read(&table).unwrap(), model.json());
    // A violation that would leave nothing to read is not tolerated.
    file.truncate(300);
    let error = Options::new().tolerate(&idv::TRUNCATED).from_slice(&file).unwrap_err();
    assert_eq!(error.finding().unwrap().rule.id, "idv/truncated");
}
