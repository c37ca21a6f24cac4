//! Differences of directories.

use ndbytes::{Limits, walk};
use ndbytes_compare::diff::{Datum, Options, Tolerance, Verdict};
use ndbytes_compare::folders::{Comparer, Outcome, Pairs, Row, Totals};
use ndbytes_testkit::zip::{Entry, zip};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An IDX file of bytes.
fn idx(items: &[u8]) -> Vec<u8> {
    [&[0, 0, 8, 1][..], &(items.len() as u32).to_be_bytes(), items].concat()
}

/// An IDX file of doubles.
fn doubles(items: &[f64]) -> Vec<u8> {
    let payload = items.iter().flat_map(|item| item.to_be_bytes());
    [0, 0, 14, 1].into_iter().chain((items.len() as u32).to_be_bytes()).chain(payload).collect()
}

/// Two directories, with files in each.
fn folders(old: &[(&str, Vec<u8>)], new: &[(&str, Vec<u8>)]) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let sides = [("old", old), ("new", new)].map(|(side, files)| {
        let side = folder.path().join(side);
        fs::create_dir(&side).unwrap();
        for (name, bytes) in files {
            fs::create_dir_all(side.join(name).parent().unwrap()).unwrap();
            fs::write(side.join(name), bytes).unwrap();
        }
        side
    });
    let [old, new] = sides;
    (folder, old, new)
}

fn rows(old: &Path, new: &Path, comparer: &Comparer) -> Vec<Row> {
    Pairs::new(old, new, &walk::Options::new()).map(|pair| comparer.compare(&pair).unwrap().row).collect()
}

fn outcomes(rows: &[Row]) -> Vec<(&str, Outcome)> {
    rows.iter().map(|row| (&*row.path, row.outcome)).collect()
}

#[test]
fn each_pair_has_the_outcome_of_its_files() {
    let npy = fs::read(ndbytes_testkit::project().join("samples/surface.ra")).unwrap();
    let (_folder, old, new) = folders(
        &[
            ("a/same", idx(&[1, 2])),
            ("a/within", doubles(&[1.0, 2.0])),
            ("a.ra", npy.clone()),
            ("cut", idx(&[1, 2, 3])),
            ("gone", idx(&[1])),
            ("x", idx(&[1, 2, 3, 4])),
        ],
        &[
            ("a/same", idx(&[1, 2])),
            ("a/within", doubles(&[1.0, 2.0 + 1e-9])),
            ("a.ra", npy),
            ("cut", idx(&[1, 2, 3])[..10].to_vec()),
            ("new", idx(&[1])),
            ("x", idx(&[1, 9, 3, 8])),
        ],
    );
    let comparer = Comparer::new(Options::new().tolerance(Tolerance::exact().absolute(1e-6)));
    let rows = rows(&old, &new, &comparer);
    let expected = [
        ("a/same", Outcome::Same),
        ("a/within", Outcome::WithinTolerance),
        ("a.ra", Outcome::Same),
        ("cut", Outcome::Incomparable),
        ("gone", Outcome::OnlyInA),
        ("new", Outcome::OnlyInB),
        ("x", Outcome::Differs),
    ];
    assert_eq!(outcomes(&rows), expected);
    assert_eq!(rows.iter().map(|row| row.equal).collect::<Vec<_>>(), [true, true, true, false, false, false, false]);
    let x = &rows[6];
    assert_eq!((x.compared, x.different, x.verdict), (4, 2, Some(Verdict::ValuesDiffer)));
    assert_eq!((&x.largest, &*x.detail), (&Some(Datum::Uint(7)), "2 of 4; largest |Δ| 7 at [1]"));
    let mut totals = Totals::default();
    rows.iter().for_each(|row| totals.add(row));
    assert_eq!(totals.counts().map(|(_, count)| count).collect::<Vec<_>>(), [2, 1, 0, 1, 1, 1, 1]);
    assert_eq!((totals.files(), totals.unknown), (7, 0));
}

#[test]
fn files_of_no_known_format_are_compared_by_their_bytes() {
    let [zip, other] = [b"one", b"two"].map(|content| zip(&[Entry::deflated("notes.txt", content)]));
    let (_folder, old, new) = folders(
        &[("n.txt", b"hello".to_vec()), ("same.txt", b"hello".to_vec()), ("z.docx", zip), ("x.npy", b"no".to_vec())],
        &[("n.txt", b"hellO".to_vec()), ("same.txt", b"hello".to_vec()), ("z.docx", other), ("x.npy", b"NO".to_vec())],
    );
    let rows = rows(&old, &new, &Comparer::new(Options::new()));
    let told: Vec<_> = rows.iter().map(|row| (&*row.path, row.outcome, row.known)).collect();
    let expected = [
        ("n.txt", Outcome::Differs, false),
        ("same.txt", Outcome::Same, false),
        // The name implies a format.
        ("x.npy", Outcome::Incomparable, true),
        ("z.docx", Outcome::Differs, false),
    ];
    assert_eq!(told, expected);
    assert_eq!(rows[0].detail, "the first byte that differs is at 0x4");
    let strict = self::rows(&old, &new, &Comparer::new(Options::new()).unknown(false));
    assert!(strict.iter().all(|row| row.outcome == Outcome::Incomparable && !row.equal), "{strict:?}");
}

#[test]
fn values_in_another_encoding_are_equal_if_values_alone_count() {
    let npy = |descr: &str, bytes: &[u8]| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,), }}");
        let header = format!("{header:<117}\n");
        [b"\x93NUMPY\x01\0\x76\0", header.as_bytes(), bytes].concat()
    };
    let (_folder, old, new) = folders(&[("a.npy", npy("<u2", &[1, 0, 2, 0]))], &[("a.npy", npy(">u2", &[0, 1, 0, 2]))]);
    let of = |options| rows(&old, &new, &Comparer::new(options)).remove(0);
    let row = of(Options::new());
    assert_eq!((row.outcome, row.equal), (Outcome::StoredOtherwise, false));
    let row = of(Options::new().structure(false));
    assert_eq!((row.outcome, row.equal), (Outcome::StoredOtherwise, true));
}

#[test]
fn a_file_and_a_folder_of_one_name_are_no_pair() {
    let (_folder, old, new) = folders(&[("a", idx(&[1])), ("b/x", idx(&[1]))], &[("a/x", idx(&[1])), ("b", idx(&[1]))]);
    let rows = rows(&old, &new, &Comparer::new(Options::new()));
    let expected =
        [("a", Outcome::OnlyInA), ("a/x", Outcome::OnlyInB), ("b", Outcome::OnlyInB), ("b/x", Outcome::OnlyInA)];
    assert_eq!(outcomes(&rows), expected);
}

#[cfg(unix)]
#[test]
fn nothing_is_said_to_be_missing_where_a_side_cannot_be_seen() {
    let (_folder, old, new) = folders(&[("y", idx(&[1]))], &[("link/x", idx(&[1])), ("y", idx(&[1]))]);
    // A dangling link is a problem for the walk, like a directory that cannot be listed.
    std::os::unix::fs::symlink("nowhere", old.join("link")).unwrap();
    let rows = rows(&old, &new, &Comparer::new(Options::new()));
    let expected = [("link", Outcome::Incomparable), ("link/x", Outcome::Incomparable), ("y", Outcome::Same)];
    assert_eq!(outcomes(&rows), expected);
    assert!(rows[0].unreadable && rows[1].unreadable && !rows[2].unreadable);
    assert!(rows[1].detail.starts_with("the other folder could not be listed"), "{}", rows[1].detail);
}

#[test]
fn the_time_is_that_of_all_pairs_together() {
    let (_folder, old, new) = folders(&[("a", idx(&[1, 2]))], &[("a", idx(&[1, 3]))]);
    let limits = Limits::default().time(Duration::ZERO).started();
    let comparer = Comparer::new(Options::new().limits(limits));
    let pair = Pairs::new(&old, &new, &walk::Options::new()).next().unwrap();
    assert!(matches!(comparer.compare(&pair), Err(ndbytes::Error::Time { .. })));
}
