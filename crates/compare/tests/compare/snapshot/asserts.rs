//! Assertions about pairs of files.

use ndarray::arr1;
use ndbytes::b2nd::{Codec, Writer};
use ndbytes::npy;
use ndbytes_compare::diff::Tolerance;
use ndbytes_compare::snapshot::{assert_identical_structure, assert_same_values};
use ndbytes_testkit::project;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

/// Writes two files with these items.
fn files(folder: &Path, a: &[f32], b: &[f32]) -> [PathBuf; 2] {
    let paths = [folder.join("a.npy"), folder.join("b.b2nd")];
    npy::write(&paths[0], &arr1(a)).unwrap();
    Writer::new().codec(Codec::LZ4).write(&paths[1], &arr1(b)).unwrap();
    paths
}

/// The message with which an assertion fails.
fn failure(assertion: impl FnOnce() + std::panic::UnwindSafe) -> String {
    catch_unwind(assertion).unwrap_err().downcast_ref::<String>().unwrap().clone()
}

#[test]
fn the_same_values_in_other_formats_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = files(folder.path(), &[1.0, 2.0, 3.5], &[1.0, 2.0, 3.5]);
    assert_same_values(&a, &b, Tolerance::exact());
}

#[test]
fn other_values_are_named_unless_they_are_within_the_tolerance() {
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = files(folder.path(), &[1.0, 2.0, 3.5], &[1.0, 2.0, 3.5625]);
    assert_same_values(&a, &b, Tolerance::exact().relative(0.1));
    let said = failure(move || assert_same_values(&a, &b, Tolerance::exact().relative(0.001)));
    assert!(said.starts_with("the values of two files are not the same\n\n"), "{said}");
    assert!(said.contains("[2]  3.5 → 3.5625"), "{said}");
}

#[test]
fn structures_are_the_same_if_only_values_differ() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let write =
        |name: &str, codec, items: [u8; 3]| Writer::new().codec(codec).write(path(name), &arr1(&items)).unwrap();
    write("a.b2nd", Codec::LZ4, [1, 2, 3]);
    write("b.b2nd", Codec::LZ4, [1, 2, 4]);
    write("c.b2nd", Codec::ZSTD, [1, 2, 3]);
    assert_identical_structure(path("a.b2nd"), path("b.b2nd"));
    let (a, c) = (path("a.b2nd"), path("c.b2nd"));
    let said = failure(move || assert_identical_structure(a, c));
    assert!(said.starts_with("the structures of two files are not the same\n\n"), "{said}");
    assert!(said.contains("LZ4 → zstd"), "{said}");
}

#[test]
fn files_that_cannot_be_read_fail_an_assertion() {
    let said =
        failure(|| assert_identical_structure(project().join("samples/missing"), project().join("samples/missing")));
    assert!(said.starts_with("the files cannot be compared: "), "{said}");
}
