//! Blocks: their numbers of rows, and their compression.

use super::{scalar, vector};
use crate::formats::idv::{DEFLATED, PLAIN};
use ndbytes::idv::{self, Compression, ItemType, NewColumn, Texts, Values, Writer};
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::{Model, Settings};
use std::io::Cursor;

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

/// If rows are large, blocks have fewer than 8192 rows, and about 80 MiB.
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
        // The rows after the first block are written correctly even if both were passed at once.
        let expected: Texts = std::iter::repeat_n(&text, rows).collect();
        assert!(column.read().unwrap().items().texts() == Some(&expected));
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
