//! In tables, rows are matched by content, and rows that both sides changed are merged cell by cell.

use super::{bytes, conflicts, merged};
use ndbytes::File;
use ndbytes::idv::{ColumnType, ItemType, KeyType, NewColumn, Table, Texts, Values, Writer};
use ndbytes_convert::merge::{Merged, Version};
use std::io::Cursor;

/// A row: a number, a text and a vector.
type Row<'r> = (i32, &'r str, &'r [f32]);

const ROWS: [Row<'_>; 5] = [
    (1, "oak", &[1.0, 2.0]),
    (2, "fir", &[3.0]),
    (3, "elm", &[]),
    (4, "ash", &[f32::NAN, -0.0]),
    (5, "yew", &[5.0, 5.0, 5.0]),
];

fn table(rows: &[Row<'_>]) -> Vec<u8> {
    let columns = [
        NewColumn::new("id", ColumnType::scalar(ItemType::I32)),
        NewColumn::new("name", ColumnType::scalar(ItemType::Text)),
        NewColumn::new("sizes", ColumnType::vector(ItemType::F32, [0])),
    ];
    let mut writer = Writer::new(columns).begin(Cursor::new(Vec::new())).unwrap();
    let (mut texts, mut vectors) = (Texts::default(), Values::vectors(ItemType::F32));
    for (_, text, vector) in rows {
        texts.push(text);
        vectors.push_vector(vector.to_vec()).unwrap();
    }
    let ids: Vec<i32> = rows.iter().map(|row| row.0).collect();
    writer.write(&[Values::scalars(ids), Values::scalars(texts), vectors]).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

/// The rows with some of them changed.
fn changed(changes: &[(usize, Row<'static>)]) -> Vec<Row<'static>> {
    let mut rows = ROWS.to_vec();
    changes.iter().for_each(|(place, row)| rows[*place] = *row);
    rows
}

#[test]
fn changes_of_different_rows_are_merged() {
    let ours = changed(&[(0, (1, "OAK", &[1.0, 2.0]))]);
    let mut theirs = changed(&[(4, (5, "yew", &[0.5]))]);
    theirs.insert(2, (7, "new", &[7.0]));
    theirs.remove(4);
    let found = merged(&table(&ROWS), &table(&ours), &table(&theirs), None);
    let mut expected = theirs.clone();
    expected[0] = ours[0];
    assert_eq!(bytes(&found), table(&expected));
    assert_eq!((found.from_ours, found.conflict_count), (1, 0));
}

#[test]
fn changes_of_different_cells_of_one_row_are_merged() {
    let ours = changed(&[(1, (2, "FIR", &[3.0]))]);
    let theirs = changed(&[(1, (2, "fir", &[3.5]))]);
    let found = merged(&table(&ROWS), &table(&ours), &table(&theirs), None);
    assert_eq!(bytes(&found), table(&changed(&[(1, (2, "FIR", &[3.5]))])));
    assert_eq!((found.from_ours, found.from_theirs), (1, 1));
}

#[test]
fn different_changes_of_one_cell_are_a_conflict_that_can_be_decided() {
    let ours = changed(&[(3, (40, "ash", &[f32::NAN, -0.0]))]);
    let theirs = changed(&[(3, (41, "ASH", &[f32::NAN, -0.0]))]);
    let found = merged(&table(&ROWS), &table(&ours), &table(&theirs), None);
    assert_eq!(found.merged, None);
    assert_eq!(conflicts(&found), ["row 3, column \"id\": 4 became 40 in ours, 41 in theirs"]);
    let found = merged(&table(&ROWS), &table(&ours), &table(&theirs), Some(Version::Ours));
    assert_eq!(bytes(&found), table(&changed(&[(3, (40, "ASH", &[f32::NAN, -0.0]))])));
}

#[test]
fn rows_that_both_appended_are_a_conflict() {
    let longer = |row: Row<'static>| [&ROWS[..], &[row]].concat();
    let (ours, theirs) = (longer((6, "a", &[])), longer((6, "b", &[])));
    let found = merged(&table(&ROWS), &table(&ours), &table(&theirs), None);
    assert_eq!(conflicts(&found), ["no rows after row 4: ours has row 5 instead, theirs row 5"]);
    assert_eq!(
        merged(&table(&ROWS), &table(&ours), &table(&theirs), Some(Version::Theirs)).merged,
        Some(Merged::Version(Version::Theirs))
    );
}

#[test]
fn a_table_that_one_side_alone_changed_is_that_file() {
    let base = table(&ROWS);
    let empty = table(&[]);
    let other = Writer::new([NewColumn::new("x", ColumnType::scalar(ItemType::Bool))]);
    let other = other.begin(Cursor::new(Vec::new())).unwrap().finish_sink().unwrap().into_inner();
    for changed in [&table(&changed(&[(0, (9, "", &[]))])), &empty, &other] {
        assert_eq!(merged(&base, changed, &base, None).merged, Some(Merged::Version(Version::Ours)));
        assert_eq!(merged(&base, &base, changed, None).merged, Some(Merged::Version(Version::Theirs)));
        assert_eq!(merged(&base, changed, changed, None).merged, Some(Merged::Version(Version::Ours)));
    }
    assert_eq!(conflicts(&merged(&base, &empty, &other, None)), ["the columns differ"]);
}

/// A table of keys, whose categories have these names.
fn keys(names: &[&str], keys: &[u32], note: &str) -> Vec<u8> {
    let key = KeyType::new(names.len() as u64);
    let column = NewColumn::new("kind", ColumnType::scalar(ItemType::Key(key))).key_values(names);
    let mut texts = Texts::default();
    texts.push(note);
    let column = column.annotation("Note", ColumnType::scalar(ItemType::Text), Values::scalars(texts));
    let mut writer = Writer::new([column]).begin(Cursor::new(Vec::new())).unwrap();
    writer.write(&[Values::scalars(keys.to_vec())]).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

#[test]
fn annotations_are_merged_by_name_and_new_categories_follow_the_old_ones() {
    let base = keys(&["a", "b"], &[1, 2, 1], "old");
    let ours = keys(&["a", "b", "c"], &[3, 2, 1], "old");
    let theirs = keys(&["a", "b"], &[1, 2, 2], "new");
    assert_eq!(bytes(&merged(&base, &ours, &theirs, None)), keys(&["a", "b", "c"], &[3, 2, 2], "new"));
    assert_eq!(bytes(&merged(&base, &theirs, &ours, None)), keys(&["a", "b", "c"], &[3, 2, 2], "new"));

    let noted = keys(&["a", "b"], &[1, 2, 2], "mine");
    let found = merged(&base, &noted, &theirs, None);
    assert_eq!(conflicts(&found), ["column \"kind\", annotation \"Note\": both sides changed it"]);
}

#[test]
fn categories_in_another_order_are_a_conflict_beside_other_changes() {
    let base = keys(&["a", "b"], &[1, 2, 1], "");
    let turned = keys(&["b", "a"], &[2, 1, 2], "");
    let changed = keys(&["a", "b"], &[1, 2, 2], "");
    let found = merged(&base, &turned, &changed, None);
    assert_eq!(conflicts(&found), ["the categories changed: column \"kind\", annotation \"KeyValues\""]);
    assert_eq!(merged(&base, &turned, &base, None).merged, Some(Merged::Version(Version::Ours)));
}

#[test]
fn a_merged_table_has_the_blocks_and_the_compression_of_ours() {
    let file = |rows: &[i64]| {
        let column = NewColumn::new("x", ColumnType::scalar(ItemType::I64));
        let writer = Writer::new([column]).compression(ndbytes::idv::Compression::NONE).rows_per_block(3);
        let mut writer = writer.begin(Cursor::new(Vec::new())).unwrap();
        writer.write(&[Values::scalars(rows.to_vec())]).unwrap();
        writer.finish_sink().unwrap().into_inner()
    };
    let base: Vec<i64> = (0..10).collect();
    let (mut ours, mut theirs, mut both) = (base.clone(), base.clone(), base.clone());
    (ours[1], both[1]) = (-1, -1);
    (theirs[8], both[8]) = (-8, -8);
    let found = merged(&file(&base), &file(&ours), &file(&theirs), None);
    assert_eq!(bytes(&found), file(&both));
    let File::Table(table) = super::open(bytes(&found)) else { panic!("a table was merged") };
    assert_eq!(Table::column(&table, "x").unwrap().block_count(), 4);
}
