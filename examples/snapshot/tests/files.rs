//! The files that the project writes, as text beside the tests: a reviewer sees what changes in them.

use ndbytes_compare::diff::Tolerance;
use ndbytes_compare::snapshot::{Values, assert_same_values};

#[test]
fn the_layout_of_a_week_is_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("week.b2nd");
    weather::save(&path, &weather::week()).unwrap();
    ndbytes_compare::assert_layout!(&path, redact("*_threads").redact_sizes().values(Values::Hash));
}

#[test]
fn an_export_is_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("week.npy");
    weather::export(&path, &weather::week()).unwrap();
    ndbytes_compare::assert_layout!(&path);
}

#[test]
fn both_files_hold_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["week.b2nd", "week.npy"].map(|name| folder.path().join(name));
    weather::save(&paths[0], &weather::week()).unwrap();
    weather::export(&paths[1], &weather::week()).unwrap();
    assert_same_values(&paths[0], &paths[1], Tolerance::exact());
}
