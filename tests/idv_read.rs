//! Reading tables through the public interface: the frozen files, and what the types promise.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "peers/tables/mod.rs"]
mod tables;

use ndarray::array;
use ndbytes::idv::{
    self, Column, ColumnType, Compression, DateTimeOffset, ItemType, Items, KeyType, NewColumn, Options, Table, Tables,
    Texts, Value, Values, Writer,
};
use ndbytes::schemas::idv::{self as layout, Version};
use ndbytes::schemas::{self, Endian, Source};
use ndbytes::{Checker, Error, Input, Limits, Verdict};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use tables::json::{Json, Nulls, difference};
use tables::made::{self, Kind};
use tables::model::{self, Cell, Item, Model, ModelColumn, Settings};

const PLAIN: Settings = Settings { compression: Compression::NONE, rows_per_block: None, at_a_time: usize::MAX };
const DEFLATED: Settings = Settings { compression: Compression::DEFLATE, ..PLAIN };

fn frozen(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/idv").join(name)
}

fn open(name: &str) -> Table<'static> {
    idv::open(frozen(name)).unwrap()
}

/// Every frozen file.
fn all_frozen() -> Vec<PathBuf> {
    let files = ["mlnet", "ndbytes", "old"].map(|folder| tables::files(frozen(folder), ".idv"));
    assert!(files.iter().all(|files| files.len() > 4), "{files:?}");
    files.concat()
}

fn scalar(name: &str, item: ItemType) -> NewColumn {
    NewColumn::new(name, ColumnType::scalar(item))
}

/// A file of these columns, in one block each, as they stand.
fn file(columns: Vec<(NewColumn, Values)>) -> Vec<u8> {
    file_in(PLAIN, columns)
}

fn file_in(settings: Settings, columns: Vec<(NewColumn, Values)>) -> Vec<u8> {
    let (columns, values): (Vec<NewColumn>, Vec<Values>) = columns.into_iter().unzip();
    let mut writer = Writer::new(columns).compression(settings.compression);
    if let Some(rows) = settings.rows_per_block {
        writer = writer.rows_per_block(rows);
    }
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&values).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

/// The same file, said to be of version 1.1.1.N.
fn as_version(mut file: Vec<u8>, last: u8) -> Vec<u8> {
    file[8] = last;
    file[16] = last;
    file
}

/// The same file with other bytes in the place of some that stand there once.
fn replaced(mut file: Vec<u8>, old: &[u8], new: &[u8]) -> Vec<u8> {
    let places: Vec<usize> = (0..=file.len() - old.len()).filter(|&at| file[at..].starts_with(old)).collect();
    let [at] = places[..] else { panic!("{old:?} stands at {places:?}") };
    assert_eq!(old.len(), new.len());
    file[at..at + new.len()].copy_from_slice(new);
    file
}

fn cells(column: &Column<'_>) -> Vec<Cell> {
    model::cells(&column.read().unwrap())
}

fn ints(values: &Values) -> Vec<Option<i64>> {
    let int = |value| match value {
        Value::Int(number) => Some(number),
        Value::Null => None,
        other => panic!("{other:?}"),
    };
    values.iter().map(int).collect()
}

fn is_limit<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Limit { .. }))
}

#[test]
fn frozen_files_hold_what_mlnet_reads() {
    for path in all_frozen() {
        let what = path.display();
        let expected = Json::parse(&std::fs::read_to_string(format!("{what}.json")).unwrap());
        let table = idv::open(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
        let nulls = if table.version() <= Version::V5 { Nulls::Defaults } else { Nulls::None };
        let found = tables::read(&table).unwrap();
        assert_eq!(difference(&found, &expected, nulls), None, "{what}");
        let report = ndbytes::check(&path, &Limits::default()).unwrap();
        assert_ne!(report.verdict(), Verdict::Error, "{what}: {:?}", report.findings());

        // The same, whichever way the bytes come.
        let bytes = std::fs::read(&path).unwrap();
        let from_slice = tables::read(&idv::from_slice(&bytes).unwrap()).unwrap();
        let from_reader = tables::read(&idv::from_reader(&bytes[..]).unwrap()).unwrap();
        let from_input =
            tables::read(&Options::new().read(Input::from_slice(&bytes, Limits::default())).unwrap()).unwrap();
        assert!(from_slice == found && from_reader == found && from_input == found, "{what}");
    }
}

#[cfg(feature = "cli")]
#[test]
fn the_tool_prints_what_mlnet_reads() {
    for path in all_frozen() {
        let what = path.display();
        let expected = Json::parse(&std::fs::read_to_string(format!("{what}.json")).unwrap());
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ndbytes"));
        let output = command.args(["cat", "--json"]).arg(&path).output().unwrap();
        assert!(output.status.success(), "{what}: {output:?}");
        let found = Json::parse(std::str::from_utf8(&output.stdout).unwrap());
        let nulls = if path.starts_with(frozen("old")) { Nulls::Defaults } else { Nulls::None };
        assert_eq!(difference(&found, &expected, nulls), None, "{what}");
    }
}

#[test]
fn values_of_frozen_files() {
    let table = open("mlnet/prims_none.idv");
    assert_eq!((table.rows(), table.version(), table.compatible_version()), (15, Version::V6, Version::V6));
    let items = |name: &str| table.column(name).unwrap().read().unwrap().into_items();
    let Items::I8(i1) = items("i1") else { panic!() };
    assert_eq!(i1[..7], [0, 1, -1, i8::MIN, i8::MAX, 42, 0]);
    let Items::U64(u8) = items("u8") else { panic!() };
    assert_eq!(u8[..6], [0, 1, 1 << 32, i64::MAX as u64, 1 << 63, u64::MAX]);
    let Items::F32(r4) = items("r4") else { panic!() };
    let bits: Vec<u32> = r4.iter().map(|number| number.to_bits()).collect();
    assert_eq!(bits[3..7], [0xFFC0_0000, 0x7F80_0000, 0xFF80_0000, 0x8000_0000]);
    assert_eq!(bits[12..14], [0x7FC1_2345, 0x7F80_0001]);
    let Items::Bool(bl) = items("bl") else { panic!() };
    assert_eq!(bl[..11], [false, true, true, false, true, false, false, false, true, true, true]);
    let Items::Text(tx) = items("tx") else { panic!() };
    let tx: Vec<&str> = tx.iter().map(|text| text.to_str().unwrap()).collect();
    assert_eq!(tx[4..8], ["éüß", "日本語", "😀🌍", "tab\there \"quoted\" back\\slash"]);
    assert_eq!(tx[14], "\u{10437}x");
    let Items::DateTimeOffset(dz) = items("dz") else { panic!() };
    assert_eq!(dz[3], DateTimeOffset { ticks: 636_977_989_230_000_000, offset_minutes: -570 });
    let Items::RowId(ri) = items("ri") else { panic!() };
    assert_eq!(ri[4], 0xFEDC_BA98_7654_3210_0123_4567_89AB_CDEF);
    let Items::I64(dt) = items("dt") else { panic!() };
    assert_eq!(dt[..2], [0, made::LAST_TICK]);

    let table = open("mlnet/vec_sparse_dense_mix.idv");
    let values = table.column("v").unwrap().read().unwrap();
    let vector = values.vector(7).unwrap();
    assert_eq!((vector.len(), vector.indices()), (6, Some(&[0, 5][..])));
    assert_eq!(vector.get(0), Some(Value::F64(f64::MAX)));
    assert_eq!(
        (vector.get(1), vector.get(5), vector.get(6)),
        (Some(Value::F64(0.0)), Some(Value::F64(f64::MIN)), None)
    );
    let dense = values.vector(0).unwrap();
    assert_eq!((dense.indices(), dense.get(2), dense.is_empty()), (None, Some(Value::F64(-1.5)), false));
    assert_eq!((values.vector(20), values.get(20)), (None, None));
}

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
    // Halves stay apart when rows are read alone.
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
    // What is missing is an empty text among the items.
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

/// The least number of a type means that a value is missing, up to version 1.1.1.5.
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

#[test]
fn of_columns_with_one_name_the_last_is_seen() {
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
    // The empty text of the source is no category.
    assert_eq!([0, 3, 6, 9, 59].map(name), [Some("red"), Some("grün"), None, Some("blue"), Some("blue")]);
    let source = table.column("Cat").unwrap().read().unwrap();
    for row in 0..60 {
        assert_eq!(source.items().texts().unwrap().get(row).unwrap(), name(row).unwrap_or(""));
    }
    assert_eq!(values.items().category(60), None);
    assert_eq!(source.items().category(0), None);
    assert!(table.column("Cat").unwrap().key_values().unwrap().is_none());
    assert!(column.slot_names().unwrap().is_none());

    // Categories that are not there: ML.NET hands them on, and so do we.
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

    // An unknown codec takes its column with it, and no other.
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
fn arrays_out_of_vectors() {
    let limits = Limits::default();
    let mut values = Values::vectors(ItemType::F32);
    values.push_vector(vec![1.0_f32, 2.0, 3.0]).unwrap();
    values.push_sparse_vector(3, &[2], vec![9.0_f32]).unwrap();
    values.push_sparse_vector(3, &[], Vec::<f32>::new()).unwrap();
    assert_eq!(values.to_dense::<f32>(&limits).unwrap(), array![[1.0, 2.0, 3.0], [0.0, 0.0, 9.0], [0.0, 0.0, 0.0]]);
    assert!(matches!(values.to_dense::<f64>(&limits), Err(Error::WrongItems { requested: "f64", stored: "f32" })));
    let too_much = values.to_dense::<f32>(&limits.memory(35));
    assert!(is_limit(&too_much), "{too_much:?}");
    assert!(values.to_dense::<f32>(&limits.memory(36)).is_ok());
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

    // A vector may be long and store little.
    let mut long = Values::vectors(ItemType::U8);
    long.push_sparse_vector(i32::MAX as usize, &[5], vec![1_u8]).unwrap();
    assert!(is_limit(&long.to_dense::<u8>(&limits)));

    // And back, whatever the order in memory.
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

#[test]
fn rows_and_blocks_out_of_range_are_refused() {
    let model = made::all_ragged(Kind::Mixed, 10);
    let file = model.bytes(DEFLATED.rows_per_block(4));
    let table = idv::from_slice(&file).unwrap();
    for column in table.columns() {
        assert_eq!((column.rows(), column.block_count()), (10, 3));
        assert_eq!([0, 1, 2].map(|block| column.rows_of_block(block)), [0..4, 4..8, 8..10]);
        assert_eq!(column.compression(), Compression::DEFLATE);
        for rows in [0..0, 4..4, 10..10] {
            assert_eq!(column.read_rows(rows).unwrap().rows(), 0);
        }
        #[allow(clippy::reversed_empty_ranges)]
        for rows in [0..11, 11..11, 5..4, 0..u64::MAX, u64::MAX..u64::MAX] {
            assert!(matches!(column.read_rows(rows.clone()), Err(Error::OutOfRange { length: 10, .. })), "{rows:?}");
        }
        for block in [3, usize::MAX] {
            assert!(matches!(column.read_block(block), Err(Error::OutOfRange { length: 3, .. })));
        }
    }
    let stored: u64 = table.columns().map(|column| column.stored_bytes()).sum();
    assert!(stored > 0 && stored < file.len() as u64);
}

#[test]
fn any_rows_are_those_of_the_whole() {
    for (kind, settings) in [(Kind::Dense, DEFLATED), (Kind::Mixed, PLAIN), (Kind::Sparse, DEFLATED)] {
        for model in [made::all_vectors(kind, 11), made::all_ragged(kind, 11), made::all_scalars(11)] {
            let file = model.bytes(settings.rows_per_block(4));
            let table = idv::from_slice(&file).unwrap();
            for (column, expected) in table.columns().zip(&model.columns) {
                for start in 0..=11 {
                    for end in start..=11 {
                        let read = column.read_rows(start as u64..end as u64).unwrap();
                        assert_eq!(model::cells(&read), expected.cells[start..end], "{} {start}..{end}", column.name());
                    }
                }
            }
        }
    }
}

#[test]
fn batches_are_blocks_two_at_a_time() {
    let model = made::all_ragged(Kind::Mixed, 25);
    let file = model.bytes(DEFLATED.rows_per_block(4));
    let table = idv::from_slice(&file).unwrap();
    // Any columns, in any order, one of them twice.
    let names = ["tx", "k4", "bl", "tx", "dz"];
    let mut batches = table.batches(&names).unwrap();
    let mut next = 0;
    while let Some(batch) = batches.next() {
        let batch = batch.unwrap();
        assert_eq!(batch.rows(), next..(next + 8).min(25));
        let rows = batch.rows().start as usize..batch.rows().end as usize;
        for (place, name) in names.iter().enumerate() {
            let expected = model.columns.iter().find(|column| column.name == *name).unwrap();
            assert_eq!(model::cells(batch.values(place).unwrap()), expected.cells[rows.clone()], "{name} {rows:?}");
        }
        assert!(batch.values(names.len()).is_none());
        next = batch.rows().end;
    }
    assert_eq!(next, 25);
    assert!(batches.next().is_none(), "and it stays at its end");
    assert!(table.batches(&[]).unwrap().next().is_none());
    let empty = made::all_scalars(0).bytes(PLAIN);
    assert!(idv::from_slice(&empty).unwrap().batches(&["i4"]).unwrap().next().is_none());
}

/// What the column holds does not depend on how many threads read it.
#[test]
fn threads_make_no_difference() {
    let models = [made::all_scalars(300), made::all_vectors(Kind::Mixed, 300), made::all_ragged(Kind::Dense, 300)];
    let pools = [1, 2, 5].map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    for (model, settings) in models.iter().flat_map(|model| [(model, PLAIN), (model, DEFLATED)]) {
        let file = model.bytes(settings.rows_per_block(7));
        let in_pools = pools.each_ref().map(|pool| {
            pool.install(|| {
                let table = idv::from_slice(&file).unwrap();
                let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
                let mut batches = table.batches(&names).unwrap();
                let mut in_batches = vec![Vec::new(); names.len()];
                while let Some(batch) = batches.next() {
                    let batch = batch.unwrap();
                    for (place, cells) in in_batches.iter_mut().enumerate() {
                        cells.extend(model::cells(batch.values(place).unwrap()));
                    }
                }
                let read: Vec<Values> = table.columns().map(|column| column.read().unwrap()).collect();
                assert!(Checker::new().check_slice(&file).unwrap().findings().is_empty());
                assert_eq!(read.iter().map(model::cells).collect::<Vec<_>>(), in_batches);
                read
            })
        });
        for (place, column) in model.columns.iter().enumerate() {
            for read in &in_pools {
                assert_eq!(model::cells(&read[place]), column.cells, "{}", column.name);
            }
            // The same in every respect; NaNs are equal to nothing, so that text is compared.
            let [one, others @ ..] = &in_pools;
            let text = |values: &Values| format!("{values:?}");
            assert!(others.iter().all(|other| text(&other[place]) == text(&one[place])), "{}", column.name);
        }
    }
    for path in all_frozen() {
        let [one, two, five] =
            pools.each_ref().map(|pool| pool.install(|| tables::read(&idv::open(&path).unwrap()).unwrap()));
        assert!(one == two && two == five, "{}", path.display());
    }
}

#[test]
fn only_the_blocks_that_are_asked_for_are_read() {
    let model = Model::new(vec![
        made::scalars("a", ItemType::I32, 12),
        made::scalars("b", ItemType::Text, 12),
        made::ragged("c", ItemType::F64, Kind::Mixed, 12),
    ]);
    let file = model.bytes(DEFLATED.rows_per_block(4));
    // The first block of `a` is the first thing behind the header. Its last bytes are made such that nothing decodes.
    let mut broken = file.clone();
    broken[256..262].fill(0xFF);
    let table = idv::from_slice(&broken).unwrap();
    let (a, b) = (table.column("a").unwrap(), table.column("b").unwrap());
    let refused = a.read().unwrap_err();
    assert_eq!(refused.finding().unwrap().field, "columns[0].block[0]");
    assert!(a.read_rows(3..5).is_err() && a.read_block(0).is_err());
    assert_eq!(model::cells(&a.read_rows(4..12).unwrap()), model.columns[0].cells[4..]);
    assert_eq!(model::cells(&a.read_block(2).unwrap()), model.columns[0].cells[8..]);
    assert_eq!(cells(&b), model.columns[1].cells);
    let mut batches = table.batches(&["b", "a"]).unwrap();
    assert!(batches.next().unwrap().is_err());
    assert!(batches.next().is_none(), "behind an error there is nothing");
}

#[test]
fn what_a_column_may_cost_is_limited() {
    let zeros = |of: ItemType| match of {
        ItemType::Text => Item::text(""),
        of => made::item(of, 0),
    };
    let rows = 100_000;
    for (name, of) in made::all_types() {
        let cells = vec![Cell::Item(zeros(of)); rows];
        let file = Model::new(vec![ModelColumn::new(name, ColumnType::scalar(of), cells)]).bytes(DEFLATED);
        let read = |memory: u64| {
            let table = Options::new().limits(Limits::default().memory(memory)).from_slice(&file).unwrap();
            table.column(name).unwrap().read().map(|values| assert_eq!(values.rows(), rows))
        };
        assert!(is_limit(&read(5000)), "{name}");
        assert!(read(100 << 20).is_ok(), "{name}");
        // Somewhere between, once and for all; how much several threads need at a time is for them to say.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        alone.install(|| {
            let enough = (12..27).map(|bits| 1 << bits).position(|memory| read(memory).is_ok()).unwrap() as u32;
            assert!((12 + enough..27).all(|bits| read(1 << bits).is_ok()), "{name}");
        });
        // What a column takes when all is read is not much more than its values, and a block for each thread.
        assert!(read(1 << 24).is_ok(), "{name}: {rows} values and some blocks take over 16 MiB");

        let tight = Limits::default().memory(2000);
        let strict = Options::new().limits(tight).from_slice(&file).unwrap();
        let column = strict.column(name).unwrap();
        assert!(is_limit(&column.read_block(0)), "{name}");
        assert!(is_limit(&column.read_rows(5..6)), "{name}");
        let mut batches = strict.batches(&[name]).unwrap();
        assert!(is_limit(&batches.next().unwrap().map(drop)), "{name}");
        let report = Checker::new().limits(tight).check_slice(&file).unwrap();
        assert_eq!(report.findings()[0].rule.id, "limit-exceeded", "{name}");
    }
}

#[test]
fn what_vectors_annotations_and_streams_may_cost_is_limited() {
    let tight = Options::new().limits(Limits::default().memory(2000));
    let empty = Cell::Sparse { length: 1000, indices: vec![], stored: vec![] };
    let column = ModelColumn::new("v", ColumnType::vector(ItemType::F64, [1000]), vec![empty; 20_000]);
    let many = Cell::Dense(vec![Item::F64(0); 20_000]);
    let column = column.annotation("many", ColumnType::vector(ItemType::F64, [20_000]), many);
    let file = Model::new(vec![column]).bytes(DEFLATED);
    let table = tight.from_slice(&file).unwrap();
    let column = table.column("v").unwrap();
    assert!(is_limit(&column.read()));
    assert!(is_limit(&column.annotation("many").unwrap().read()));
    let short = Options::new().limits(Limits::default().memory(file.len() as u64 - 1));
    assert!(is_limit(&short.from_reader(&file[..])));
    let generous = idv::from_slice(&file).unwrap();
    assert_eq!(generous.column("v").unwrap().read().unwrap().rows(), 20_000);
    assert!(is_limit(
        &generous.column("v").unwrap().read().unwrap().to_dense::<f64>(&Limits::default().memory(1 << 20))
    ));
}

/// One budget is not used up by reading again and again.
#[test]
fn memory_that_is_free_again_counts_no_more() {
    let model = Model::new(vec![made::scalars("t", ItemType::Text, 5000), made::scalars("i", ItemType::I64, 5000)]);
    let file = model.bytes(DEFLATED.rows_per_block(500));
    let options = Options::new().limits(Limits::default().memory(4 << 20));
    let table = options.from_slice(&file).unwrap();
    for _ in 0..50 {
        for column in table.columns() {
            assert_eq!(column.read().unwrap().rows(), 5000);
            assert_eq!(column.read_rows(400..1600).unwrap().rows(), 1200);
        }
    }
    // A table may be longer than the memory that a batch takes.
    let table = Options::new().limits(Limits::default().memory(400_000)).from_slice(&file).unwrap();
    let mut batches = table.batches(&["t", "i"]).unwrap();
    let mut rows = 0;
    while let Some(batch) = batches.next() {
        rows += batch.unwrap().values(1).unwrap().rows();
    }
    assert_eq!(rows, 5000);
}

#[test]
fn what_is_tolerated_has_to_be_asked_for() {
    let model = made::all_scalars(5);
    let mut file = model.bytes(DEFLATED);
    file.push(0);
    let error = idv::from_slice(&file).unwrap_err();
    assert_eq!(error.finding().unwrap().rule.id, "idv/trailing-bytes");
    let table = Options::new().tolerate(&idv::TRAILING_BYTES).from_slice(&file).unwrap();
    assert_eq!(table.tolerated().len(), 1);
    assert_eq!(tables::read(&table).unwrap(), model.json());
    // A rule that would leave nothing to read is not tolerated.
    file.truncate(300);
    assert!(Options::new().tolerate(&idv::TRUNCATED).from_slice(&file).is_err());
}

#[test]
fn tables_one_below_the_other() {
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
    // Categories may be numbers, and one of them none.
    let numbers = |column: NewColumn| {
        let mut values = Values::vectors(ItemType::F32);
        values.push_vector(vec![1.0_f32, f32::NAN]).unwrap();
        column.annotation("KeyValues", ColumnType::vector(ItemType::F32, [2]), values)
    };
    let numbered = one(numbers(scalar("k", ItemType::Key(KeyType::new(2)))), keys());
    let parts = vec![idv::from_slice(&numbered).unwrap(), idv::from_slice(&numbered).unwrap()];
    assert!(Tables::new(parts).is_ok(), "a table and its copy");
}

/// What was read is equal to what was read, however it was.
#[test]
fn equal_values_are_equal() {
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

/// Entries of a lookup table that all lead to one block are not a way to make a small file last for ever.
#[test]
fn blocks_that_share_bytes_are_looked_at_for_a_while_only() {
    const LENGTH: usize = 32 << 10;
    const BLOCKS: usize = 2500;
    let column = NewColumn::new("a", ColumnType::scalar(ItemType::U8));
    let writer = Writer::new([column]).compression(Compression::NONE).rows_per_block(LENGTH);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&[Values::scalars(vec![0_u8; LENGTH])]).unwrap();
    let file = writer.finish_sink().unwrap().into_inner();

    let mut header: layout::Header = schemas::read(Source::new(&file), Endian::Little, ()).unwrap();
    let entry: layout::BlockEntry =
        schemas::read(Source::new(&file).at(256 + LENGTH as u64), Endian::Little, ()).unwrap();
    let lookup = layout::Lookup { blocks: vec![entry; BLOCKS] };
    // Everything behind the lookup table moves on by what that has become longer.
    let behind = (BLOCKS - 1) as i64 * 16;
    header.columns_offset += behind;
    header.tail_offset += behind;
    header.row_count = (BLOCKS * LENGTH) as i64;
    let rest = &file[256 + LENGTH + 16..];
    let header = schemas::write(&header, Endian::Little).unwrap();
    let lookup = schemas::write(&lookup, Endian::Little).unwrap();
    let shared = [&header, &file[256..256 + LENGTH], &lookup, rest].concat();

    let report = Checker::new().check_slice(&shared).unwrap();
    let rules: Vec<_> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert!(rules.contains(&"idv/overlap") && rules.contains(&"limit-exceeded"), "{rules:?}");
    let report = Checker::new().check_slice(&file).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
}
