//! The parts of files in a seal cover the file without overlaps, and have the same names as in findings and maps.

use super::run;
use ndbytes::Limits;
use ndbytes_compare::seal::{Base, describe};
use std::fs;
use std::path::Path;

/// The parts of a file, each with first byte, length and name.
fn parts(path: &Path) -> Vec<(u64, u64, String)> {
    let name = Base::of(path).unwrap().name(path).unwrap();
    let text = describe(path, &name, &Limits::default()).unwrap();
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    let words = lines.map(|line| line.splitn(4, ' ').collect::<Vec<_>>());
    words.map(|words| (words[0].parse().unwrap(), words[1].parse().unwrap(), words[3].to_owned())).collect()
}

fn names(path: &Path) -> Vec<String> {
    parts(path).into_iter().map(|(_, _, name)| name).collect()
}

#[test]
fn parts_of_every_file_of_the_corpus_tile_it() {
    for sample in ndbytes_testkit::corpus::everything() {
        if sample.path.is_dir() {
            continue;
        }
        let mut reached = 0;
        for (start, length, name) in parts(&sample.path) {
            assert!(start == reached && length > 0 && !name.is_empty(), "{sample}: {start}, {length}, {name}");
            reached = start + length;
        }
        assert_eq!(reached, fs::metadata(&sample.path).unwrap().len(), "{sample}");
    }
}

#[test]
fn long_payloads_are_in_pieces() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x.npy");
    let array = ndarray::Array1::<u8>::from_elem((5 << 20) / 2, 7);
    ndbytes::npy::write(&path, &array).unwrap();
    let parts = parts(&path);
    let lengths: Vec<u64> = parts.iter().map(|(_, length, _)| *length).collect();
    assert_eq!(lengths[1..], [1 << 20, 1 << 20, 1 << 19]);
    assert_eq!(parts[0].2, "header");
    assert!(parts[1..].iter().all(|(_, _, name)| *name == parts[1].2));
}

#[test]
fn parts_have_the_names_that_explain_takes() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x.b2nd");
    let array = ndarray::Array1::from_shape_fn(40, |item| item as f64);
    ndbytes::b2nd::Writer::new().chunks([10]).blocks([10]).write(&path, &array).unwrap();
    let expected = ["header", "chunks[0]", "chunks[1]", "chunks[2]", "chunks[3]", "index", "trailer"];
    assert_eq!(names(&path), expected);
    // A header has its own fields.
    for name in &expected[1..] {
        assert_eq!(run(&place, &format!("explain x.b2nd {name}")).status, 0, "{name}");
    }
}

#[test]
fn many_small_parts_share_lines() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("x.b2nd");
    let array = ndarray::Array1::from_shape_fn(20_000, |item| item as f64 + 1.0);
    ndbytes::b2nd::Writer::new().level(0).chunks([10]).blocks([10]).write(&path, &array).unwrap();
    let parts = parts(&path);
    assert!((20..200).contains(&parts.len()), "{}", parts.len());
    assert!(parts[0].2.starts_with("header to chunks["), "{}", parts[0].2);
    assert!(parts[1].2.contains(" to chunks["), "{}", parts[1].2);
    assert!(parts.windows(2).all(|pair| pair[0].1 + pair[1].1 >= 4096));
}
