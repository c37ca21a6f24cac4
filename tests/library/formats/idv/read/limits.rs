//! The cost of reading.

use super::is_limit;
use crate::formats::idv::{DEFLATED, PLAIN};
use ndbytes::everybyte::{self, Endian, Source};
use ndbytes::idv::{self, ColumnType, Compression, ItemType, NewColumn, Options, Values, Writer};
use ndbytes::schemas::idv as layout;
use ndbytes::{Checker, Error, Limits};
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::{Cell, Item, Model, ModelColumn};
use std::io::Cursor;

#[test]
fn reading_a_column_is_held_to_the_limits() {
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
        let is_enough = |memory: u64| match read(memory) {
            Ok(()) => true,
            Err(Error::Limit { .. }) => false,
            Err(error) => panic!("{name}: {error}"),
        };
        assert!(is_enough(100 << 20), "{name}");
        // On one thread, there is a fixed threshold in between; the memory that several threads need at the same time varies.
        let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        alone.install(|| {
            let enough = (12..27).map(|bits| 1 << bits).position(is_enough).unwrap() as u32;
            assert!((12 + enough..27).all(|bits| is_enough(1 << bits)), "{name}");
        });
        // Reading a whole column takes little more memory than its values and a block per thread.
        assert!(is_enough(1 << 24), "{name}: {rows} values and some blocks take over 16 MiB");

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
fn vectors_annotations_and_streams_are_held_to_the_limits() {
    let tight = Options::new().limits(Limits::default().memory(4000));
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

#[test]
fn a_cut_file_is_judged_alike_from_a_path_and_a_slice() {
    let whole = Model::new(vec![made::scalars("i", ItemType::I64, 5000)]).bytes(PLAIN);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cut.idv");
    for length in [300, 4095, 4096, 4097, 8192, whole.len() - 9] {
        std::fs::write(&path, &whole[..length]).unwrap();
        let (from_path, from_slice) =
            (Checker::new().check(&path).unwrap(), Checker::new().check_slice(&whole[..length]).unwrap());
        assert_eq!(from_path, from_slice, "{length} bytes");
        assert_eq!(from_path.findings()[0].rule.id, "idv/truncated", "{length} bytes");
    }
}

/// Reading repeatedly does not use up a budget.
#[test]
fn memory_is_given_back_after_each_read() {
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
    // A table may be larger than the memory for a batch.
    let table = Options::new().limits(Limits::default().memory(400_000)).from_slice(&file).unwrap();
    let mut batches = table.batches(&["t", "i"]).unwrap();
    let mut rows = 0;
    while let Some(batch) = batches.next() {
        rows += batch.unwrap().values(1).unwrap().rows();
    }
    assert_eq!(rows, 5000);
}

/// Lookup entries that all point to one block must not make a small file take forever.
#[test]
fn blocks_that_share_bytes_are_checked_up_to_a_limit() {
    const LENGTH: usize = 32 << 10;
    const BLOCKS: usize = 2500;
    let column = NewColumn::new("a", ColumnType::scalar(ItemType::U8));
    let writer = Writer::new([column]).compression(Compression::NONE).rows_per_block(LENGTH);
    let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&[Values::scalars(vec![0_u8; LENGTH])]).unwrap();
    let file = writer.finish_sink().unwrap().into_inner();

    let mut header: layout::Header = everybyte::read(Source::new(&file), Endian::Little, ()).unwrap();
    let entry: layout::BlockEntry =
        everybyte::read(Source::new(&file).at(256 + LENGTH as u64), Endian::Little, ()).unwrap();
    let lookup = layout::Lookup { blocks: vec![entry; BLOCKS] };
    // Everything after the lookup table moves by the growth of the table.
    let behind = (BLOCKS - 1) as i64 * 16;
    header.columns_offset += behind;
    header.tail_offset += behind;
    header.row_count = (BLOCKS * LENGTH) as i64;
    let rest = &file[256 + LENGTH + 16..];
    let header = everybyte::write(&header, Endian::Little).unwrap();
    let lookup = everybyte::write(&lookup, Endian::Little).unwrap();
    let shared = [&header, &file[256..256 + LENGTH], &lookup, rest].concat();

    let report = Checker::new().check_slice(&shared).unwrap();
    let rules: Vec<_> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert!(rules.contains(&"idv/overlap") && rules.contains(&"limit-exceeded"), "{rules:?}");
    let report = Checker::new().check_slice(&file).unwrap();
    assert!(report.findings().is_empty(), "{:?}", report.findings());
}
