//! Writing tables through the public interface: what is written is read again, and what cannot be written is refused.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "peers/tables/mod.rs"]
mod tables;

use ndbytes::idv::{
    self, ColumnType, Compression, DateTimeOffset, ItemType, Items, KeyType, NewColumn, TableWriter, Texts, Values,
    Writer,
};
use ndbytes::{Checker, Error, Limits};
use proptest::prelude::*;
use std::fs;
use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::path::Path;
use tables::json::{Nulls, difference};
use tables::made::{self, Kind, LAST_TICK};
use tables::model::{self, Cell, Item, Model, ModelColumn, Settings};

const PLAIN: Settings = Settings { compression: Compression::NONE, rows_per_block: None, at_a_time: usize::MAX };
const DEFLATED: Settings = Settings { compression: Compression::DEFLATE, ..PLAIN };

fn scalar(item: ItemType) -> ColumnType {
    ColumnType::scalar(item)
}

fn vector(item: ItemType, dims: &[u32]) -> ColumnType {
    ColumnType::vector(item, dims)
}

/// What was refused, in the words of the error.
fn inexpressible<T>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Inexpressible { format: "IDV", what }) => what,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("not refused"),
    }
}

/// Begins a table of one column.
fn begin(column: NewColumn) -> Result<TableWriter<Cursor<Vec<u8>>>, Error> {
    Writer::new([column]).begin(Cursor::new(Vec::new()))
}

/// Writes a table of one column; the file.
fn write(column_type: ColumnType, values: Values) -> Result<Vec<u8>, Error> {
    let mut writer = begin(NewColumn::new("a", column_type))?;
    writer.write(&[values])?;
    Ok(writer.finish_sink()?.into_inner())
}

/// Makes up a table, the same for the same seed. Rows that end inside a character of text are never the last of a block.
fn random(seed: u64, rows: usize, columns: usize, rows_per_block: usize) -> Model {
    let mut random = Random(seed);
    let types: Vec<(&str, ItemType)> = made::all_types().collect();
    let columns = (0..columns).map(|place| {
        let of = match random.below(4) {
            0 => ItemType::Text,
            1 => {
                let width = 1 << random.below(4);
                let key = KeyType { width, count: 1, min: 0 };
                ItemType::Key(KeyType { count: 1 + random.next() % key.most(), ..key })
            }
            _ => types[random.below(types.len())].1,
        };
        let column_type = match random.below(4) {
            0 | 1 => scalar(of),
            2 => {
                let dims: Vec<u32> = (0..1 + random.below(3)).map(|_| 1 + random.below(4) as u32).collect();
                vector(of, &dims)
            }
            _ => vector(of, [[0].as_slice(), &[0, 2], &[3, 0]][random.below(3)]),
        };
        let cells = random.cells(&column_type, rows, rows_per_block);
        let mut column = ModelColumn::new(format!("column {place}"), column_type, cells);
        for kind in 0..random.below(3) {
            let value_type = if random.below(2) == 0 { scalar(of) } else { vector(of, &[0]) };
            let value = random.cells(&value_type, 1, 1).remove(0);
            column = column.annotation(&format!("kind {kind}"), value_type, value);
        }
        column
    });
    let columns: Vec<ModelColumn> = columns.collect();
    Model { columns, rows: rows as u64 }
}

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(1);
        made::mix(self.0)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// Some value out of all, or one at the edges of what the type can say.
    fn item(&mut self, of: ItemType) -> Item {
        let seed = if self.below(2) == 0 { self.below(16) as u64 } else { self.next() };
        made::item(of, seed)
    }

    fn cells(&mut self, of: &ColumnType, rows: usize, rows_per_block: usize) -> Vec<Cell> {
        let fixed = of.vector_size().map(|size| size as usize);
        let shapes: Vec<Option<(usize, Option<Vec<u32>>)>> = (0..rows)
            .map(|_| {
                of.dims.as_ref()?;
                let length = fixed.unwrap_or_else(|| self.below(5));
                let indices = (self.below(2) == 0 && length > 0).then(|| {
                    let mut indices: Vec<u32> = (0..length as u32).filter(|_| self.below(2) == 0).collect();
                    indices.truncate(length - 1);
                    indices
                });
                Some((length, indices))
            })
            .collect();
        let counts: Vec<usize> = shapes
            .iter()
            .map(|shape| match shape {
                None => 1,
                Some((_, Some(indices))) => indices.len(),
                Some((length, None)) => *length,
            })
            .collect();
        let mut items = match of.item {
            ItemType::Text => self.texts(&counts, rows_per_block),
            item => (0..counts.iter().sum()).map(|_| self.item(item)).collect(),
        }
        .into_iter();
        let cells = shapes.into_iter().zip(counts).map(|(shape, count)| {
            let mut stored: Vec<Item> = items.by_ref().take(count).collect();
            match shape {
                None => Cell::Item(stored.remove(0)),
                Some((_, None)) => Cell::Dense(stored),
                Some((length, Some(indices))) => Cell::Sparse { length: length as u32, indices, stored },
            }
        });
        cells.collect()
    }

    /// Texts that are cut out of a long one at any UTF-16 unit, for rows of so many texts each.
    fn texts(&mut self, counts: &[usize], rows_per_block: usize) -> Vec<Item> {
        let mut texts = Vec::new();
        for block in counts.chunks(rows_per_block) {
            let count: usize = block.iter().sum();
            if count == 0 {
                continue;
            }
            let mut whole = String::new();
            for _ in 0..self.below(3 * count + 1) {
                whole.push(*['a', 'é', '日', '\u{1F600}', '\u{10FFFF}', '\0', '"'].get(self.below(7)).unwrap());
            }
            let units: Vec<u16> = whole.encode_utf16().collect();
            let mut ends: Vec<usize> = (1..count).map(|_| self.below(units.len() + 1)).collect();
            ends.sort_unstable();
            ends.push(units.len());
            let mut start = 0;
            for end in ends {
                texts.push(Item::Text(units[start..end].to_vec()));
                start = end;
            }
        }
        texts
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read(
        seed in any::<u64>(),
        rows in 0_usize..40,
        columns in 0_usize..5,
        rows_per_block in prop_oneof![Just(None), (1_usize..50).prop_map(Some)],
        at_a_time in prop_oneof![Just(usize::MAX), 1_usize..20],
        compression in prop_oneof![Just(Compression::NONE), Just(Compression::DEFLATE)],
    ) {
        let model = random(seed, rows, columns, rows_per_block.unwrap_or(usize::MAX));
        let settings = Settings { compression, rows_per_block, at_a_time };
        let file = model.bytes(settings);
        let findings = Checker::new().check_slice(&file).unwrap();
        prop_assert!(findings.findings().is_empty(), "{:?}", findings.findings());

        let table = idv::from_slice(&file).unwrap();
        let read = tables::read(&table).unwrap();
        prop_assert_eq!(difference(&read, &model.json(), Nulls::None), None);
        let mut random = Random(seed);
        for (column, expected) in table.columns().zip(&model.columns) {
            // By block.
            let blocks: Vec<Cell> = (0..column.block_count())
                .flat_map(|block| {
                    let cells = model::cells(&column.read_block(block).unwrap());
                    assert_eq!(cells.len() as u64, column.rows_of_block(block).end - column.rows_of_block(block).start);
                    cells
                })
                .collect();
            prop_assert_eq!(&blocks, &expected.cells);
            // Any rows.
            for _ in 0..5 {
                let start = random.below(rows + 1);
                let end = start + random.below(rows + 1 - start);
                let read = column.read_rows(start as u64..end as u64).unwrap();
                prop_assert_eq!(model::cells(&read), &expected.cells[start..end], "rows {}..{}", start, end);
            }
        }
        // However many rows at a time, the file is the same.
        let same = model.bytes(Settings { at_a_time: 1 + random.below(rows + 1), ..settings });
        prop_assert!(same == file);
        prop_assert!(written_again(&file, settings) == file);
    }

    #[test]
    fn numbers_survive(
        numbers in prop::collection::vec(any::<i64>(), 0..50),
        bits in prop::collection::vec(any::<u64>(), 0..50),
        texts in prop::collection::vec(".{0,20}", 0..50),
    ) {
        let expected = Values::scalars(numbers.clone());
        let file = write(scalar(ItemType::I64), expected.clone()).unwrap();
        prop_assert_eq!(idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap(), expected);

        let floats: Vec<f64> = bits.iter().map(|&bits| f64::from_bits(bits)).collect();
        let file = write(scalar(ItemType::F64), Values::scalars(floats)).unwrap();
        let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap().into_items();
        let Items::F64(read) = read else { panic!("{read:?}") };
        prop_assert_eq!(read.iter().map(|number| number.to_bits()).collect::<Vec<_>>(), bits);

        let expected: Texts = texts.iter().collect();
        let file = write(scalar(ItemType::Text), Values::scalars(expected.clone())).unwrap();
        let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
        prop_assert_eq!(read.items().texts(), Some(&expected));
    }
}

/// Reads a file and writes what was read, all in one piece.
fn written_again(file: &[u8], settings: Settings) -> Vec<u8> {
    let table = idv::from_slice(file).unwrap();
    let columns = table.columns().map(|column| {
        let new = NewColumn::new(column.name(), column.column_type().unwrap().clone());
        column.annotations().fold(new, |new, annotation| {
            new.annotation(annotation.kind(), annotation.value_type().unwrap().clone(), annotation.read().unwrap())
        })
    });
    let mut writer = Writer::new(columns).compression(settings.compression);
    if let Some(rows) = settings.rows_per_block {
        writer = writer.rows_per_block(rows);
    }
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    match table.columns().len() {
        0 => writer.write_empty_rows(table.rows()).unwrap(),
        _ => writer.write(&table.columns().map(|column| column.read().unwrap()).collect::<Vec<_>>()).unwrap(),
    }
    writer.finish_sink().unwrap().into_inner()
}

#[test]
fn the_writer_makes_the_frozen_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/idv/ndbytes");
    let mut names = Vec::new();
    for (name, model, settings) in made::frozen() {
        let (frozen, file) = (fs::read(folder.join(name).with_extension("idv")).unwrap(), model.bytes(settings));
        // What deflate makes may be other bytes one day.
        if settings.compression == Compression::NONE {
            assert!(file == frozen, "{name}");
        }
        let read = |file: &[u8]| tables::read(&idv::from_slice(file).unwrap()).unwrap();
        assert_eq!(difference(&read(&file), &read(&frozen), Nulls::None), None, "{name}");
        assert_eq!(difference(&read(&frozen), &model.json(), Nulls::None), None, "{name}");
        names.push(folder.join(name).with_extension("idv"));
    }
    names.sort();
    assert_eq!(tables::files(&folder, ".idv"), names);
}

#[test]
fn what_mlnet_wrote_is_written_again() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/idv/mlnet");
    for path in tables::files(&folder, ".idv") {
        let name = path.file_name().unwrap().to_str().unwrap();
        let file = fs::read(&path).unwrap();
        let table = idv::from_slice(&file).unwrap();
        // What ML.NET writes, but the writer does not: keys without a category, hidden columns, the least duration.
        let unlike = ["keys_out_of_range.idv", "hidden_kept.idv", "prims_none.idv", "prims_deflate.idv"];
        if unlike.contains(&name) {
            continue;
        }
        let first = table.columns().next();
        let (compression, blocks) =
            first.map_or((Compression::NONE, 0), |column| (column.compression(), column.block_count()));
        let settings = if blocks > 1 {
            let rows = first.unwrap().rows_of_block(0);
            Settings::new(compression).rows_per_block((rows.end - rows.start) as usize)
        } else {
            Settings::new(compression)
        };
        let again = written_again(&file, settings);
        let read = |file: &[u8]| tables::read(&idv::from_slice(file).unwrap()).unwrap();
        assert_eq!(difference(&read(&again), &read(&file), Nulls::None), None, "{name}");
        // Both leave no room for another opinion about plain bytes; only the order of blocks is nobody's business.
        if compression == Compression::NONE && blocks <= 1 {
            assert!(again == file, "{name}");
        }
    }
}

#[test]
fn written_files_are_without_findings() {
    let models = [
        made::all_scalars(20),
        made::all_vectors(Kind::Mixed, 20),
        made::all_ragged(Kind::Mixed, 20),
        made::same_lengths(20),
        made::shapes(20),
        made::texts(21),
        made::annotated(20, 200),
        made::all_ragged(Kind::Mixed, 0),
        made::annotated(1, 200),
        Model { columns: vec![], rows: 9 },
    ];
    for (place, model) in models.iter().enumerate() {
        for settings in [PLAIN, DEFLATED] {
            for rows in [None, Some(1), Some(3), Some(6), Some(20), Some(21), Some(1000), Some(usize::MAX)] {
                // Characters are split over every second row and the next.
                if rows == Some(1) && model.columns.iter().any(|column| column.name == "halves") || rows == Some(20) {
                    continue;
                }
                let file = model.bytes(Settings { rows_per_block: rows, ..settings });
                let report = Checker::new().check_slice(&file).unwrap();
                assert!(report.findings().is_empty(), "table {place}, {rows:?}: {:?}", report.findings());
            }
        }
    }
}

#[test]
fn blocks_have_the_rows_that_were_asked_for() {
    let column =
        |rows| Model::new(vec![made::scalars("a", ItemType::U8, rows), made::scalars("b", ItemType::Text, rows)]);
    let blocks = |rows: usize, settings: Settings| {
        let file = column(rows).bytes(settings);
        let table = idv::from_slice(&file).unwrap();
        let counts: Vec<Vec<u64>> = table
            .columns()
            .map(|column| {
                let rows = (0..column.block_count()).map(|block| column.rows_of_block(block));
                rows.map(|rows| rows.end - rows.start).collect()
            })
            .collect();
        assert_eq!(counts[0], counts[1]);
        counts[0].clone()
    };
    assert_eq!(blocks(10, PLAIN.rows_per_block(4)), [4, 4, 2]);
    assert_eq!(blocks(8, PLAIN.rows_per_block(4).at_a_time(3)), [4, 4]);
    assert_eq!(blocks(3, PLAIN.rows_per_block(4)), [3]);
    assert_eq!(blocks(0, PLAIN.rows_per_block(4)), [0; 0]);
    assert_eq!(blocks(8191, DEFLATED), [8191]);
    assert_eq!(blocks(8192, DEFLATED), [8192]);
    assert_eq!(blocks(8193, DEFLATED), [8192, 1]);
    assert_eq!(blocks(20_000, DEFLATED.at_a_time(1001)), [8192, 8192, 3616]);
}

/// Rows that are large come in fewer rows a block than 8192: blocks of about 80 MiB.
#[test]
fn blocks_have_no_more_rows_than_memory_allows() {
    let text = "x".repeat(1 << 20);
    let rows = 90;
    for at_a_time in [1, rows] {
        let writer = Writer::new([NewColumn::new("t", scalar(ItemType::Text))]).compression(Compression::NONE);
        let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
        for _ in 0..rows / at_a_time {
            let texts: Texts = std::iter::repeat_n(&text, at_a_time).collect();
            writer.write(&[Values::scalars(texts)]).unwrap();
        }
        let file = writer.finish_sink().unwrap().into_inner();
        let table = idv::from_slice(&file).unwrap();
        let column = table.column("t").unwrap();
        let counts: Vec<u64> = (0..column.block_count())
            .map(|block| column.rows_of_block(block).end - column.rows_of_block(block).start)
            .collect();
        assert_eq!(counts.iter().sum::<u64>(), rows as u64);
        assert!((60..=80).contains(&counts[0]), "{counts:?}");
    }
}

#[test]
fn annotations_are_deflated_where_that_makes_them_smaller() {
    let names: Vec<String> = (0..500).map(|place| format!("slot number {place}")).collect();
    let column = || NewColumn::new("v", vector(ItemType::F32, &[500])).slot_names(&names);
    let small = |column: NewColumn| column.annotation("small", scalar(ItemType::U8), Values::scalars(vec![7_u8]));
    let length = |compression| {
        let writer = Writer::new([small(column())]).compression(compression).begin(Cursor::new(Vec::new())).unwrap();
        let file = writer.finish_sink().unwrap().into_inner();
        let table = idv::from_slice(&file).unwrap();
        let read = table.column("v").unwrap().slot_names().unwrap().unwrap();
        let expected: Texts = names.iter().collect();
        assert_eq!(read.items().texts(), Some(&expected));
        file.len()
    };
    let (plain, deflated) = (length(Compression::NONE), length(Compression::DEFLATE));
    assert!(deflated * 2 < plain, "{deflated} and {plain} bytes");
}

#[test]
fn tables_that_cannot_be_are_refused() {
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
        assert!(refused(vector(ItemType::I32, dims)).contains("extents"), "{dims:?}");
    }
}

#[test]
fn annotations_that_cannot_be_are_refused() {
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
    assert!(annotated("k", vector(ItemType::I32, &[]), Values::dense(vec![1_i32], 1).unwrap()).contains("extents"));
    assert!(annotated("k", scalar(ItemType::Key(KeyType::new(2))), Values::scalars(vec![3_u32])).contains("key 3"));
    let twice = NewColumn::new("a", vector(ItemType::I32, &[2])).slot_names(["x", "y"]).slot_names(["x", "y"]);
    assert!(inexpressible(begin(twice)).contains("SlotNames"));
}

#[test]
fn rows_that_cannot_be_are_refused() {
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
    // Rows that are all right may follow others.
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
fn items_that_cannot_be_are_refused() {
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
    // ML.NET reads the least duration as zero, but not in vectors.
    let (as_scalars, as_vectors) = refused(ItemType::TimeSpan, vec![0, i64::MIN].into());
    assert!(as_scalars.contains("duration"));
    let file = as_vectors.unwrap();
    let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(model::cells(&read), [Cell::Dense(vec![Item::Int(0), Item::Int(i64::MIN)])]);

    // In sparse vectors too.
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
    // Version 1.1.1.5, in which the least number means that there is none.
    (file[8], file[16]) = (5, 5);
    let values = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(values.nulls().len(), 1);
    assert!(inexpressible(write(scalar(ItemType::I32), values)).contains("missing"));
    let whole = idv::from_slice(&file).unwrap().column("a").unwrap().read_rows(0..1).unwrap();
    assert!(write(scalar(ItemType::I32), whole).is_ok());
}

#[test]
fn half_characters_need_their_other_half() {
    let halves = [Item::Text(vec![0x61, 0xD83D]), Item::Text(vec![0xDE00, 0x62])];
    let [first, second] = [0, 1].map(|place| Values::scalars(model::texts(&halves[place..=place])));
    let both = Values::scalars(model::texts(&halves));
    let text = || scalar(ItemType::Text);
    for alone in [&first, &second] {
        assert!(inexpressible(write(text(), alone.clone())).contains("half a character"));
    }
    let file = write(text(), both.clone()).unwrap();
    let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(model::cells(&read), halves.clone().map(Cell::Item));
    let plain = Writer::new([NewColumn::new("a", text())]).compression(Compression::NONE);
    let mut plain = plain.begin(Cursor::new(Vec::new())).unwrap();
    plain.write(std::slice::from_ref(&both)).unwrap();
    let plain = plain.finish_sink().unwrap().into_inner();
    assert!(plain.windows(6).any(|bytes| bytes == "a\u{1F600}b".as_bytes()), "together they are a character");

    // They may come one after the other, but not into different blocks, and not in the other order.
    let columns = || [NewColumn::new("a", text())];
    let mut writer = Writer::new(columns()).begin(Cursor::new(Vec::new())).unwrap();
    writer.write(std::slice::from_ref(&first)).unwrap();
    writer.write(std::slice::from_ref(&second)).unwrap();
    assert!(writer.finish_sink().unwrap().into_inner() == file);
    let mut apart = Writer::new(columns()).rows_per_block(1).begin(Cursor::new(Vec::new())).unwrap();
    assert!(inexpressible(apart.write(&[both])).contains("half a character"));
    let mut turned = Writer::new(columns()).begin(Cursor::new(Vec::new())).unwrap();
    turned.write(&[second]).unwrap();
    turned.write(std::slice::from_ref(&first)).unwrap();
    assert!(inexpressible(turned.finish_sink()).contains("half a character"));

    // An annotation is a block of its own.
    let column = NewColumn::new("a", text()).annotation("half", text(), first);
    let written = begin(column).and_then(|writer| writer.finish_sink());
    assert!(inexpressible(written).contains("half a character"));
}

#[test]
fn values_that_cannot_be_made_are_refused() {
    assert!(inexpressible(Values::dense(vec![1_i32, 2, 3], 2)).contains("3 items in vectors of 2"));
    assert!(inexpressible(Values::dense(vec![1_i32], 0)).contains("vectors of 0"));
    assert_eq!(Values::dense(Vec::<i32>::new(), 0).unwrap().rows(), 0);
    assert_eq!(Values::dense(Vec::<i32>::new(), 3).unwrap().rows(), 0);

    let mut values = Values::vectors(ItemType::I32);
    assert!(inexpressible(values.push_vector(vec![1_i64])).contains("another type"));
    assert!(inexpressible(values.push_vector(Texts::default())).contains("another type"));
    assert!(inexpressible(Values::scalars(vec![1_i32]).push_vector(vec![1_i32])).contains("no vectors"));
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
    // One that stores all of its items is not sparse.
    values.push_sparse_vector(2, &[0, 1], vec![7, 8]).unwrap();
    values.push_sparse_vector(0, &[], Vec::<i32>::new()).unwrap();
    assert_eq!(model::cells(&values), [Cell::Dense(vec![Item::Int(7), Item::Int(8)]), Cell::Dense(vec![])]);
}

#[test]
fn vectors_without_items_are_vectors() {
    let empty = Values::of_array(&ndarray::Array2::<f32>::zeros((3, 0))).unwrap();
    let file = write(vector(ItemType::F32, &[0]), empty).unwrap();
    let read = idv::from_slice(&file).unwrap().column("a").unwrap().read().unwrap();
    assert_eq!(model::cells(&read), vec![Cell::Dense(vec![]); 3]);
    assert_eq!(read.to_dense::<f32>(&Limits::default()).unwrap().dim(), (3, 0));
}

/// A file appears when it is finished, and not before; what was there stays until then.
#[test]
fn a_file_appears_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idv");
    let names = || {
        let entries = folder.path().read_dir().unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect::<Vec<_>>()
    };
    let column = || NewColumn::new("a", scalar(ItemType::Text));
    let half = || Values::scalars(model::texts(&[Item::Text(vec![0xD83D])]));
    let attempts = || {
        // Refused at once.
        inexpressible(Writer::new([column(), column()]).create(&path));
        // Dropped: at the beginning, and with blocks written.
        drop(Writer::new([column()]).create(&path).unwrap());
        let mut dropped = Writer::new([column()]).rows_per_block(1).create(&path).unwrap();
        dropped.write(&[Values::scalars(["x", "y"].into_iter().collect::<Texts>())]).unwrap();
        drop(dropped);
        // Failed in the middle, and at the end.
        let mut failed = Writer::new([column()]).create(&path).unwrap();
        inexpressible(failed.write(&[Values::scalars(vec![1_i32])]));
        drop(failed);
        let mut failed = Writer::new([column()]).create(&path).unwrap();
        failed.write(&[half()]).unwrap();
        inexpressible(failed.finish());
    };
    attempts();
    assert_eq!(names(), [""; 0]);
    fs::write(&path, "before").unwrap();
    attempts();
    assert_eq!((names(), fs::read_to_string(&path).unwrap()), (vec!["a.idv".to_owned()], "before".to_owned()));

    let mut writer = Writer::new([column()]).create(&path).unwrap();
    writer.write(&[Values::scalars(["x"].into_iter().collect::<Texts>())]).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "before");
    writer.finish().unwrap();
    assert_eq!(names(), ["a.idv"]);
    assert_eq!(idv::open(&path).unwrap().rows(), 1);

    let nowhere = Writer::new([column()]).create(folder.path().join("no/a.idv"));
    assert!(matches!(nowhere, Err(Error::Io { path: Some(_), .. })));
}

/// Whoever goes on after an error gets no file that is broken.
#[test]
fn a_writer_that_failed_makes_no_broken_file() {
    let half = |unit| Values::scalars(model::texts(&[Item::text("x"), Item::Text(vec![unit])]));
    let columns = || [NewColumn::new("a", scalar(ItemType::I32)), NewColumn::new("b", scalar(ItemType::Text))];
    let numbers = || Values::scalars(vec![1, 2]);
    for rows_per_block in [1, 2, 3] {
        let writer = Writer::new(columns()).rows_per_block(rows_per_block);
        let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
        let failed = writer.write(&[numbers(), half(0xD83D)]).is_err();
        let _ = writer.write(&[numbers(), Values::scalars(model::texts(&[Item::Text(vec![0xDE00]), Item::text("y")]))]);
        if let Ok(file) = writer.finish_sink() {
            let file = file.into_inner();
            let report = Checker::new().check_slice(&file).unwrap();
            assert!(report.findings().is_empty(), "{rows_per_block} rows per block: {:?}", report.findings());
            assert!(!failed, "{rows_per_block} rows per block: finished in spite of an error");
        }
    }
}

/// A sink that fails once.
struct Flaky {
    sink: Cursor<Vec<u8>>,
    writes_left: usize,
}

impl Write for Flaky {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writes_left = self.writes_left.wrapping_sub(1);
        if self.writes_left == 0 { Err(io::ErrorKind::StorageFull.into()) } else { self.sink.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Flaky {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        self.sink.seek(target)
    }
}

/// The same, where the sink fails and then takes more.
#[test]
fn a_sink_that_failed_gets_no_broken_file() {
    let columns = || [NewColumn::new("a", scalar(ItemType::I32)), NewColumn::new("b", scalar(ItemType::F64))];
    let rows = || [Values::scalars(vec![1, 2, 3]), Values::scalars(vec![1.0, 2.0, 3.0])];
    for writes_left in 2..12 {
        let sink = Flaky { sink: Cursor::new(Vec::new()), writes_left };
        let mut writer = Writer::new(columns()).rows_per_block(2).begin(sink).unwrap();
        let failed = (0..3).filter(|_| writer.write(&rows()).is_err()).count();
        let finished = writer.finish_sink();
        if let Ok(Flaky { sink, .. }) = finished {
            let file = sink.into_inner();
            let report = Checker::new().check_slice(&file).unwrap();
            assert!(report.findings().is_empty(), "write {writes_left}: {:?}", report.findings());
            assert_eq!(failed, 0, "write {writes_left}: finished in spite of an error");
        }
    }
}

/// The file in memory is the file on disk.
#[test]
fn every_sink_gets_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.idv");
    let model = made::all_ragged(Kind::Mixed, 30);
    let settings = DEFLATED.rows_per_block(7);
    let mut writer = model.writer(settings).create(&path).unwrap();
    model.write(&mut writer, settings).unwrap();
    writer.finish().unwrap();
    assert!(fs::read(&path).unwrap() == model.bytes(settings));
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert!(pool.install(|| model.bytes(settings)) == fs::read(&path).unwrap());
    }
}
