//! Rows, blocks and batches of a column.

use super::cells;
use crate::formats::idv::{DEFLATED, PLAIN};
use ndbytes::idv::{self, Compression, ItemType, Values};
use ndbytes::{Checker, Error};
use ndbytes_testkit::tables;
use ndbytes_testkit::tables::all_frozen;
use ndbytes_testkit::tables::made::{self, Kind};
use ndbytes_testkit::tables::model::{self, Model};

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
fn ranges_of_rows_are_those_of_the_whole_column() {
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
    // Some columns are requested, in any order, one of them twice.
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

/// The values of a column do not depend on the number of threads.
#[test]
fn columns_are_read_alike_by_any_number_of_threads() {
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
            // Everything is the same. The comparison is of texts, because NaNs are not equal to anything.
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
    // The first block of `a` directly follows the header. Its last bytes are changed so that it cannot be decoded.
    let mut broken = file.clone();
    broken[256..262].fill(0xFF);
    let table = idv::from_slice(&broken).unwrap();
    let (a, b) = (table.column("a").unwrap(), table.column("b").unwrap());
    let field = |error: Error| error.finding().unwrap_or_else(|| panic!("{error}")).field.clone();
    for refused in [a.read(), a.read_rows(3..5), a.read_block(0)] {
        assert_eq!(field(refused.unwrap_err()), "columns[0].block[0]");
    }
    assert_eq!(model::cells(&a.read_rows(4..12).unwrap()), model.columns[0].cells[4..]);
    assert_eq!(model::cells(&a.read_block(2).unwrap()), model.columns[0].cells[8..]);
    assert_eq!(cells(&b), model.columns[1].cells);
    let mut batches = table.batches(&["b", "a"]).unwrap();
    assert_eq!(field(batches.next().unwrap().map(drop).unwrap_err()), "columns[0].block[0]");
    assert!(batches.next().is_none(), "after an error there is nothing");
}
