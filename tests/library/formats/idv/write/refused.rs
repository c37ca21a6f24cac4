//! Refusals of values that cannot be written.

use super::{begin, inexpressible, scalar, vector, write};
use ndbytes::Error;
use ndbytes::idv::{
    self, ColumnType, Compression, DateTimeOffset, ItemType, Items, KeyType, NewColumn, Texts, Values, Writer,
};
use ndbytes_testkit::tables::made::{self, LAST_TICK};
use ndbytes_testkit::tables::model::{self, Cell, Item};
use std::io::Cursor;

#[test]
fn impossible_tables_are_refused() {
    let writer = |columns: Vec<NewColumn>| Writer::new(columns);
    let begin = |writer: Writer| inexpressible(writer.begin(Cursor::new(Vec::new())));
    let one = |name: &str| NewColumn::new(name, scalar(ItemType::I32));

    for compression in [Compression::ZLIB, Compression(7)] {
        assert!(begin(writer(vec![one("a")]).compression(compression)).contains("compression"));
    }
    assert!(begin(writer(vec![one("a")]).rows_per_block(0)).contains("without rows"));
    assert!(begin(writer(vec![one("")])).contains("without a name"));
    assert!(begin(writer(vec![one("a"), one("b"), one("a")])).contains("two columns"));

    let refused = |column_type: ColumnType| begin(writer(vec![NewColumn::new("a", column_type)]));
    for key in [
        KeyType { width: 3, count: 1, min: 0 },
        KeyType { width: 4, count: 0, min: 0 },
        KeyType { width: 1, count: 256, min: 0 },
        KeyType { width: 2, count: 65_536, min: 0 },
        KeyType { width: 4, count: 1 << 32, min: 0 },
        KeyType { width: 4, count: 3, min: 1 },
        KeyType { width: 0, count: 1, min: 0 },
        KeyType { width: 16, count: 1, min: 0 },
    ] {
        assert!(refused(scalar(ItemType::Key(key))).contains("key"), "{key:?}");
        assert!(refused(vector(ItemType::Key(key), &[2])).contains("key"), "{key:?}");
    }
    for dims in [&[][..], &[65_536, 65_536], &[1 << 31], &[u32::MAX], &[0, 1 << 31], &[1 << 20, 1 << 20, 0]] {
        assert!(refused(vector(ItemType::I32, dims)).contains("dimensions"), "{dims:?}");
    }
}

#[test]
fn impossible_annotations_are_refused() {
    let annotated = |kind: &str, of: ColumnType, value: Values| {
        inexpressible(begin(NewColumn::new("a", scalar(ItemType::I32)).annotation(kind, of, value)))
    };
    let one = || Values::scalars(vec![1_i32]);
    assert!(annotated("", scalar(ItemType::I32), one()).contains("kind"));
    assert!(annotated("k", scalar(ItemType::I32), Values::scalars(vec![1_i32, 2])).contains("2 rows"));
    assert!(annotated("k", scalar(ItemType::I32), Values::scalars(Vec::<i32>::new())).contains("0 rows"));
    assert!(annotated("k", scalar(ItemType::F64), one()).contains("another type"));
    assert!(annotated("k", vector(ItemType::I32, &[1]), one()).contains("single items"));
    assert!(annotated("k", vector(ItemType::I32, &[2]), Values::dense(vec![1_i32], 1).unwrap()).contains("1 items"));
    assert!(annotated("k", vector(ItemType::I32, &[]), Values::dense(vec![1_i32], 1).unwrap()).contains("dimensions"));
    assert!(annotated("k", scalar(ItemType::Key(KeyType::new(2))), Values::scalars(vec![3_u32])).contains("key 3"));
    let twice = NewColumn::new("a", vector(ItemType::I32, &[2])).slot_names(["x", "y"]).slot_names(["x", "y"]);
    assert!(inexpressible(begin(twice)).contains("SlotNames"));
}

#[test]
fn annotations_after_rows_are_written_and_refused_as_those_before() {
    let column =
        NewColumn::new("a", scalar(ItemType::I32)).annotation("k", scalar(ItemType::U8), Values::scalars(vec![7_u8]));
    let mut writer = begin(column).unwrap();
    writer.write(&[Values::scalars(vec![1_i32, 2])]).unwrap();
    let mut late = |kind: &str, value| writer.annotate(0, kind, scalar(ItemType::I32), Values::scalars(value));
    late("later", vec![9_i32]).unwrap();
    for kind in ["", "k", "later"] {
        assert!(inexpressible(late(kind, vec![1])).contains("two annotations"), "{kind:?}");
    }
    assert!(inexpressible(late("other", vec![1, 2])).contains("2 rows"));
    let missing = writer.annotate(1, "k", scalar(ItemType::I32), Values::scalars(vec![1_i32]));
    assert!(matches!(missing, Err(Error::OutOfRange { index: 1, length: 1 })));
    let file = writer.finish_sink().unwrap().into_inner();
    let table = idv::from_slice(&file).unwrap();
    let kinds: Vec<_> = table.column("a").unwrap().annotations().map(|annotation| annotation.kind()).collect();
    assert_eq!(kinds, ["k", "later"]);
}

#[test]
fn impossible_rows_are_refused() {
    let two = || {
        let columns = [NewColumn::new("a", scalar(ItemType::I32)), NewColumn::new("b", vector(ItemType::F32, &[2]))];
        Writer::new(columns).begin(Cursor::new(Vec::new())).unwrap()
    };
    let numbers = |count: i32| Values::scalars((0..count).collect::<Vec<i32>>());
    let vectors = |rows: usize, length: usize| Values::dense(vec![0.0_f32; rows * length], length as u32).unwrap();
    assert!(inexpressible(two().write(&[])).contains("0 columns"));
    assert!(inexpressible(two().write(&[numbers(1)])).contains("1 columns"));
    assert!(inexpressible(two().write(&[numbers(1), vectors(1, 2), numbers(1)])).contains("3 columns"));
    assert!(inexpressible(two().write(&[numbers(2), vectors(3, 2)])).contains("different numbers of rows"));
    assert!(inexpressible(two().write(&[numbers(1), numbers(1)])).contains("another type"));
    assert!(inexpressible(two().write(&[vectors(1, 2), vectors(1, 2)])).contains("another type"));
    assert!(inexpressible(two().write(&[numbers(1), Values::scalars(vec![0.0_f32])])).contains("single items"));
    assert!(inexpressible(two().write(&[Values::dense(vec![1_i32], 1).unwrap(), vectors(1, 2)])).contains("vectors"));
    assert!(inexpressible(two().write(&[numbers(1), vectors(1, 3)])).contains("a vector of 3 items"));
    assert!(inexpressible(two().write_empty_rows(1)).contains("without values"));
    // Valid rows may follow refused ones.
    let mut writer = two();
    writer.write(&[numbers(3), vectors(3, 2)]).unwrap();
    writer.write(&[numbers(0), Values::vectors(ItemType::F32)]).unwrap();
    writer.write(&[numbers(1), vectors(1, 2)]).unwrap();
    let file = writer.finish_sink().unwrap().into_inner();
    assert_eq!(idv::from_slice(&file).unwrap().rows(), 4);

    let mut bare = Writer::new([]).begin(Cursor::new(Vec::new())).unwrap();
    let most = (i32::MAX as u64).pow(2);
    bare.write_empty_rows(most).unwrap();
    assert!(inexpressible(bare.write_empty_rows(1)).contains("1 rows"));
    assert!(inexpressible(bare.write_empty_rows(u64::MAX)).contains("rows"));
    bare.write(&[]).unwrap();
    let file = bare.finish_sink().unwrap().into_inner();
    assert_eq!((file.len(), idv::from_slice(&file).unwrap().rows()), (264, most));
}

#[test]
fn impossible_items_are_refused() {
    let refused = |of: ItemType, items: Items| {
        let length = items.len() as u32;
        let as_vectors = write(vector(of, &[0]), Values::dense(items.clone(), length).unwrap());
        (inexpressible(write(scalar(of), Values::scalars(items))), as_vectors)
    };
    let in_both = |of: ItemType, items: Items, word: &str| {
        let (as_scalars, as_vectors) = refused(of, items);
        assert!(as_scalars.contains(word), "{as_scalars}");
        assert!(inexpressible(as_vectors).contains(word));
    };
    let key = |width, count| ItemType::Key(KeyType { width, count, min: 0 });
    in_both(key(1, 5), vec![0_u8, 5, 6].into(), "key 6");
    in_both(key(2, 500), vec![501_u16].into(), "key 501");
    in_both(key(4, 5), vec![1_u32, u32::MAX].into(), "key 4294967295");
    in_both(key(8, u64::MAX - 1), vec![u64::MAX].into(), "key 18446744073709551615");
    for ticks in [-1, LAST_TICK + 1, i64::MIN, i64::MAX] {
        in_both(ItemType::DateTime, vec![0, ticks].into(), "the time");
    }
    let minute = 600_000_000;
    for (ticks, offset_minutes) in [
        (1 << 50, 841),
        (1 << 50, -841),
        (1 << 50, i16::MIN),
        (-1, 0),
        (LAST_TICK + 1, 0),
        (i64::MIN, 0),
        (i64::MIN, 840),
        (i64::MAX, -840),
        (840 * minute - 1, 840),
        (LAST_TICK - 840 * minute + 1, -840),
    ] {
        let times = vec![DateTimeOffset::default(), DateTimeOffset { ticks, offset_minutes }];
        in_both(ItemType::DateTimeOffset, times.into(), "the time");
    }
    // ML.NET reads the smallest duration as zero, but not in vectors.
    let (as_scalars, as_vectors) = refused(ItemType::TimeSpan, vec![0, i64::MIN].into());
    assert!(as_scalars.contains("duration"));
    let file = as_vectors.unwrap();
    let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(model::cells(&read), [Cell::Dense(vec![Item::Int(0), Item::Int(i64::MIN)])]);

    // The same applies to sparse vectors.
    let mut sparse = Values::vectors(ItemType::U8);
    sparse.push_sparse_vector(5, &[3], vec![3_u8]).unwrap();
    assert!(inexpressible(write(vector(key(1, 2), &[5]), sparse)).contains("key 3"));
}

#[test]
fn every_type_is_refused_in_the_place_of_another() {
    let stored = |of: ItemType| std::mem::discriminant(&model::items(of, &[]));
    for (name, of) in made::all_types() {
        for (other_name, other) in made::all_types() {
            let values = Values::scalars(model::items(other, &[made::item(other, 1)]));
            let written = write(scalar(of), values);
            if stored(of) != stored(other) {
                assert!(inexpressible(written).contains("another type"), "{other_name} as {name}");
            }
        }
    }
}

#[test]
fn missing_values_are_refused() {
    let mut file = write(scalar(ItemType::I32), Values::scalars(vec![1, i32::MIN])).unwrap();
    // Make this version 1.1.1.5, in which the smallest number means a missing value.
    (file[8], file[16]) = (5, 5);
    let values = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(values.nulls().len(), 1);
    assert!(inexpressible(write(scalar(ItemType::I32), values)).contains("missing"));
    let whole = idv::from_slice(&file).unwrap().column("a").unwrap().read_rows(0..1).unwrap();
    write(scalar(ItemType::I32), whole).unwrap();
}

#[test]
fn half_characters_are_refused_without_their_other_half() {
    let halves = [Item::Text(vec![0x61, 0xD83D]), Item::Text(vec![0xDE00, 0x62])];
    let [first, second] = [0, 1].map(|place| Values::scalars(model::texts(&halves[place..=place])));
    let both = Values::scalars(model::texts(&halves));
    let text = || scalar(ItemType::Text);
    for alone in [&first, &second] {
        assert!(inexpressible(write(text(), alone.clone())).contains("an unpaired surrogate"));
    }
    let file = write(text(), both.clone()).unwrap();
    let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(model::cells(&read), halves.clone().map(Cell::Item));
    let plain = Writer::new([NewColumn::new("a", text())]).compression(Compression::NONE);
    let mut plain = plain.begin(Cursor::new(Vec::new())).unwrap();
    plain.write(std::slice::from_ref(&both)).unwrap();
    let plain = plain.finish_sink().unwrap().into_inner();
    assert!(plain.windows(6).any(|bytes| bytes == "a\u{1F600}b".as_bytes()), "together they are a character");

    // The halves may be adjacent, but not in different blocks or in reverse order.
    let columns = || [NewColumn::new("a", text())];
    let mut writer = Writer::new(columns()).begin(Cursor::new(Vec::new())).unwrap();
    writer.write(std::slice::from_ref(&first)).unwrap();
    writer.write(std::slice::from_ref(&second)).unwrap();
    assert!(writer.finish_sink().unwrap().into_inner() == file);
    let mut apart = Writer::new(columns()).rows_per_block(1).begin(Cursor::new(Vec::new())).unwrap();
    assert!(inexpressible(apart.write(&[both])).contains("an unpaired surrogate"));
    let mut turned = Writer::new(columns()).begin(Cursor::new(Vec::new())).unwrap();
    turned.write(&[second]).unwrap();
    turned.write(std::slice::from_ref(&first)).unwrap();
    assert!(inexpressible(turned.finish_sink()).contains("an unpaired surrogate"));

    // An annotation is a separate block.
    let column = NewColumn::new("a", text()).annotation("half", text(), first);
    let written = begin(column).and_then(|writer| writer.finish_sink());
    assert!(inexpressible(written).contains("an unpaired surrogate"));
}

#[test]
fn impossible_values_are_refused() {
    assert!(inexpressible(Values::dense(vec![1_i32, 2, 3], 2)).contains("3 items in vectors of 2"));
    assert!(inexpressible(Values::dense(vec![1_i32], 0)).contains("vectors of 0"));
    assert_eq!(Values::dense(Vec::<i32>::new(), 0).unwrap().rows(), 0);
    assert_eq!(Values::dense(Vec::<i32>::new(), 3).unwrap().rows(), 0);

    let mut values = Values::vectors(ItemType::I32);
    assert!(inexpressible(values.push_vector(vec![1_i64])).contains("another type"));
    assert!(inexpressible(values.push_vector(Texts::default())).contains("another type"));
    assert!(inexpressible(Values::scalars(vec![1_i32]).push_vector(vec![1_i32])).contains("not vectors"));
    let mut sparse = |length: usize, indices: &[u32], items: Vec<i32>| {
        inexpressible(values.push_sparse_vector(length, indices, items))
    };
    assert!(sparse(5, &[1, 1], vec![1, 2]).contains("[1, 1]"));
    assert!(sparse(5, &[2, 1], vec![1, 2]).contains("[2, 1]"));
    assert!(sparse(5, &[5], vec![1]).contains("vector of 5"));
    assert!(sparse(0, &[0], vec![1]).contains("vector of 0"));
    assert!(sparse(5, &[1], vec![1, 2]).contains("2 items"));
    assert!(sparse(5, &[1, 2], vec![1]).contains("1 items"));
    assert!(sparse(1 << 31, &[1], vec![1]).contains("2147483648 items"));
    assert_eq!(values.rows(), 0, "what was refused is not there");
    // A vector that stores all of its items is not sparse.
    values.push_sparse_vector(2, &[0, 1], vec![7, 8]).unwrap();
    values.push_sparse_vector(0, &[], Vec::<i32>::new()).unwrap();
    assert_eq!(model::cells(&values), [Cell::Dense(vec![Item::Int(7), Item::Int(8)]), Cell::Dense(vec![])]);
}
