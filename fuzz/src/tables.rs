//! Compares tables with the same content.

use crate::idv::model::{self, Row};
use crate::random::Random;
use ndbytes::idv::{Table, Values};
use ndbytes::{Error, Result};

/// The maximum number of columns to compare, because several may share their bytes.
const MOST_COLUMNS: usize = 16;

/// The values of a column, or why they cannot be read. If there are many values, they are only counted.
pub enum Content {
    Rows(Vec<Row>),
    Many(usize),
    Refused(Error),
}

fn content(read: Result<Values>) -> Content {
    match read {
        Ok(values) if model::is_small(&values) => Content::Rows(model::rows(&values)),
        Ok(values) => Content::Many(values.rows()),
        Err(error) => Content::Refused(error),
    }
}

/// The content of all columns in table order, read from column `first` on and then from the beginning.
pub fn columns(table: &Table<'_>, first: usize) -> Vec<Content> {
    let count = table.columns().len().min(MOST_COLUMNS);
    let mut order: Vec<usize> = (0..count).collect();
    order.rotate_left(first.checked_rem(count).unwrap_or(0));
    let mut contents: Vec<(usize, Content)> =
        order.into_iter().filter_map(|number| Some((number, content(table.columns().nth(number)?.read())))).collect();
    contents.sort_by_key(|&(number, _)| number);
    contents.into_iter().map(|(_, content)| content).collect()
}

/// Asserts that columns are equal, unless there was not enough memory for one of them.
pub fn compare_columns(columns: &[Content], others: &[Content]) {
    assert_eq!(columns.len(), others.len());
    for (column, other) in columns.iter().zip(others) {
        match (column, other) {
            (Content::Refused(Error::Limit { .. }), _) | (_, Content::Refused(Error::Limit { .. })) => {}
            (Content::Rows(rows), Content::Rows(other)) => assert!(rows == other, "the values differ"),
            (Content::Many(rows), Content::Many(other)) => assert_eq!(rows, other),
            (Content::Refused(error), Content::Refused(other)) => assert_eq!(error.to_string(), other.to_string()),
            _ => panic!("one of two equal columns cannot be read"),
        }
    }
}

/// Asserts that tables with the same bytes have the same columns.
pub fn compare(table: &Table<'_>, other: &Table<'_>) {
    assert_eq!(table.rows(), other.rows());
    assert!(table.columns().map(|column| column.name()).eq(other.columns().map(|column| column.name())));
    compare_columns(&columns(table, 0), &columns(other, 0));
}

/// Asserts that some rows of a column, and the batches of all columns, match the whole column.
pub fn examine_ranges(table: &Table<'_>, random: &mut Random, ranges: usize) {
    for column in table.columns().take(MOST_COLUMNS) {
        let Content::Rows(whole) = content(column.read()) else { continue };
        assert_eq!(whole.len() as u64, table.rows());
        for _ in 0..ranges {
            let start = random.below(table.rows() + 1);
            let end = start + random.below(table.rows() - start + 1);
            let read = column.read_rows(start..end).expect("the whole column can be read");
            assert!(model::rows(&read) == whole[start as usize..end as usize], "rows {start} to {end}");
        }
        assert!(matches!(column.read_rows(0..table.rows() + 1), Err(Error::OutOfRange { .. })));
        examine_batches(table, &column.name(), &whole);
    }
}

fn examine_batches(table: &Table<'_>, name: &str, whole: &[Row]) {
    // If several columns have the same name, all but one are hidden, and the name refers to that one.
    let Ok(mut batches) = table.batches(&[name]) else { return };
    if table.columns().any(|column| column.is_hidden() && column.name() == name) {
        return;
    }
    let mut next = 0;
    while let Some(batch) = batches.next() {
        let batch = match batch {
            Ok(batch) => batch,
            Err(Error::Limit { .. }) => return,
            Err(error) => panic!("{error}, but the whole column can be read"),
        };
        let rows = batch.rows();
        assert_eq!(rows.start, next, "batches follow each other");
        let values = batch.values(0).expect("there is one column");
        assert!(model::rows(values) == whole[rows.start as usize..rows.end as usize], "the batch of {rows:?}");
        next = rows.end;
    }
    assert_eq!(next, table.rows(), "batches have all rows");
}
