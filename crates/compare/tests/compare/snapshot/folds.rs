//! Values as rows and folds, and how a change of one item changes the text.

use super::{lines, text};
use crate::digest::npy_of;
use ndarray::{ArrayD, IxDyn};
use ndbytes::idv::Compression;
use ndbytes_compare::snapshot;
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::Settings;

fn array(shape: &[usize], changed: Option<usize>) -> Vec<u8> {
    let mut items: Vec<i32> = (0..shape.iter().product::<usize>() as i32).map(|item| item * 7 % 1013).collect();
    if let Some(item) = changed {
        items[item] = -1;
    }
    npy_of(&ArrayD::from_shape_vec(IxDyn(shape), items).unwrap(), false)
}

/// The lines of values, after the line with their digest.
fn rows(text: &str) -> Vec<&str> {
    text.split_once("values blake3 ").unwrap().1.lines().skip(1).collect()
}

#[test]
fn rows_of_one_axis_are_items_and_long_rows_go_on() {
    assert_eq!(rows(&text(&array(&[3], None))), ["  0", "  7", "  14"]);
    let two = text(&array(&[2, 70], None));
    let items: Vec<_> =
        rows(&two).iter().map(|line| (line.find(|it| it != ' '), line.split_whitespace().count())).collect();
    assert_eq!(items, [(Some(2), 64), (Some(4), 6), (Some(2), 64), (Some(4), 6)], "what goes on is further right");
    assert_eq!(rows(&text(&array(&[], None))), ["  0"]);
    assert_eq!(rows(&text(&array(&[0, 3], None))), Vec::<&str>::new());
    let file = array(&[2, 70], None);
    let first = snapshot::text(&file).form(1).to_string();
    let labels: Vec<&str> = rows(&first).iter().map(|line| &line[..line.find(']').unwrap()]).collect();
    assert_eq!(labels, ["  [0, 0..64", "  [0, 64..70", "  [1, 0..64", "  [1, 64..70"], "form 1 has places");
}

#[test]
fn an_inserted_row_is_one_line() {
    let of = |rows: &[[i32; 3]]| {
        let items = rows.concat();
        text(&npy_of(&ArrayD::from_shape_vec(IxDyn(&[rows.len(), 3]), items).unwrap(), false))
    };
    let (old, new) = (of(&[[1, 2, 3], [4, 5, 6], [7, 8, 9]]), of(&[[1, 2, 3], [0, 0, 1], [4, 5, 6], [7, 8, 9]]));
    assert_eq!(rows(&old), ["  1 2 3", "  4 5 6", "  7 8 9"]);
    assert_eq!(rows(&new), ["  1 2 3", "  0 0 1", "  4 5 6", "  7 8 9"]);
}

#[test]
fn folds_begin_where_there_are_more_items_or_axes() {
    assert_eq!(rows(&text(&array(&[4096], None))).len(), 4096);
    assert_eq!(lines(&text(&array(&[4097], None)), "  [").len(), 33, "folds of 128 items");
    assert_eq!(
        lines(&text(&array(&[3, 2, 2], None)), "  ["),
        lines(&text(&array(&[3, 2, 2], None)), "  [0..1]")
            .into_iter()
            .chain(lines(&text(&array(&[3, 2, 2], None)), "  [1..2]"))
            .chain(lines(&text(&array(&[3, 2, 2], None)), "  [2..3]"))
            .collect::<Vec<_>>()
    );
    // Axes of length 1 are skipped.
    assert_eq!(lines(&text(&array(&[1, 9000, 2], None)), "  [0, ").len(), 36);
}

#[test]
fn a_changed_item_changes_one_fold() {
    for shape in [&[9000][..], &[100, 50, 3], &[70, 300, 100], &[3, 200_000]] {
        let (before, after) = (text(&array(shape, None)), text(&array(shape, Some(4321))));
        let (before, after) = (lines(&before, "  ["), lines(&after, "  ["));
        assert_eq!(before.len(), after.len());
        let changed: Vec<_> = before.iter().zip(&after).filter(|(before, after)| before != after).collect();
        assert_eq!(changed.len(), 1, "{shape:?}: {changed:?}");
        assert!(changed[0].1.contains(" min -1 "), "{shape:?}: {changed:?}");
    }
}

#[test]
fn appended_rows_do_not_change_the_folds_before_them() {
    for (small, large) in [(&[5000, 3][..], &[8000, 3][..]), (&[40, 20_000], &[60, 20_000])] {
        let item = |shape: &[usize]| {
            let items = (0..shape.iter().product::<usize>() as i32).collect();
            text(&npy_of(&ArrayD::<i32>::from_shape_vec(IxDyn(shape), items).unwrap(), false))
        };
        let (before, after) = (item(small), item(large));
        let (before, after) = (lines(&before, "  ["), lines(&after, "  ["));
        let whole = before.len() - usize::from(small[0] == 5000);
        assert_eq!(before[..whole], after[..whole], "{small:?}");
        assert!(after.len() > before.len());
    }
}

#[test]
fn extremes_of_folds_leave_nan_out() {
    let mut items = vec![0.5_f64; 5000];
    (items[0], items[1], items[4999]) = (f64::NAN, -1.25, f64::INFINITY);
    let shown = text(&npy_of(&ArrayD::from_shape_vec(IxDyn(&[5000]), items).unwrap(), false));
    let folds = lines(&shown, "  [");
    assert!(folds[0].ends_with(" min -1.25 max 0.5 nan 1"), "{}", folds[0]);
    assert!(folds[39].starts_with("  [4992..5000] ") && folds[39].ends_with(" min 0.5 max inf"), "{}", folds[39]);
    assert!(shown.contains(", min -1.25, max inf, mean inf, nan 1\n"), "{shown}");
}

#[test]
fn tables_are_shown_row_by_row_up_to_1024_rows() {
    let of = |rows| {
        let mut model = made::all_scalars(rows);
        model.columns.truncate(5);
        text(&model.bytes(Settings::new(Compression::DEFLATE)))
    };
    let small = of(1024);
    assert_eq!(lines(&small, "  [").len(), 1024);
    assert_eq!(lines(&small, "rows "), ["rows 1,024"]);
    let large = of(1025);
    let folds = lines(&large, "  [");
    assert_eq!(folds.len(), 33, "folds of 32 rows");
    assert!(folds[32].starts_with("  [1024..1025] "));
    // A hash for each column.
    assert_eq!(folds[0].split(' ').count() - 3, 5);
    // Rows that are too long are also folded.
    let wide = text(&made::all_scalars(1024).bytes(Settings::new(Compression::DEFLATE)));
    assert_eq!(lines(&wide, "  [").len(), 64);
}

#[test]
fn a_changed_cell_changes_one_hash_of_one_fold() {
    let mut model = made::all_scalars(9000);
    let before = text(&model.bytes(Settings::new(Compression::NONE)));
    let cells = &mut model.columns[2].cells;
    let place = (1..9000).find(|&row| cells[row] != cells[4500] && row / 256 == 4500 / 256).unwrap();
    cells[4500] = cells[place].clone();
    let after = text(&model.bytes(Settings::new(Compression::NONE)));
    let hashes =
        |text: &str| lines(text, "  [").iter().flat_map(|line| line.split(' ').map(str::to_owned)).collect::<Vec<_>>();
    let (before, after) = (hashes(&before), hashes(&after));
    assert_eq!(before.iter().zip(&after).filter(|(before, after)| before != after).count(), 1);
}

#[test]
fn rows_that_are_too_long_end_with_a_hash() {
    let model = |last: char| {
        let text: String = "x".repeat(5000) + &last.to_string();
        let names = ["a", text.as_str()];
        made::trees(&names)
    };
    let (one, other) = (text(&model('y')), text(&model('z')));
    let (one, other) = (lines(&one, "  [")[1], lines(&other, "  [")[1]);
    let (head, hash) = one.split_once("… blake3 ").unwrap();
    assert!(head.len() < 2000 && hash.len() == 16 && other.starts_with(head));
    assert_ne!(one, other);
}
