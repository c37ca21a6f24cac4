//! Files as text: what the tool prints is what the library shows.

use crate::support::tool::run_in;
use insta::{Settings, assert_snapshot};
use ndbytes_compare::snapshot;
use ndbytes_testkit::project;
use std::fs;

/// The text of a file in memory.
fn text(file: &[u8]) -> String {
    snapshot::text(file).to_string()
}

#[test]
fn texts_of_the_samples_are_as_before() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path(project().join("snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    for name in [
        "digits-idx1-ubyte",
        "digits-idx3-ubyte.gz",
        "interrupted-idx3-ubyte",
        "surface.ra",
        "temperatures.b2nd",
        "trees.idv",
    ] {
        let printed = run_in(&project().join("samples"), &["textconv", name]);
        assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{name}");
        settings.bind(|| assert_snapshot!(format!("textconv__{name}"), printed.stdout));
        // Wherever it stands.
        assert_eq!(text(&fs::read(project().join("samples").join(name)).unwrap()), printed.stdout, "{name}");
    }
}

#[test]
fn files_that_cannot_be_read_are_no_text() {
    let missing = project().join("samples/missing");
    assert!(matches!(snapshot::text(&missing).render(), Err(ndbytes::Error::Io { .. })));
    let ended = run_in(&project().join("samples"), &["textconv", "missing"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    let panicked = std::panic::catch_unwind(|| snapshot::text(&missing).to_string()).unwrap_err();
    let said = panicked.downcast_ref::<String>().unwrap();
    assert!(said.starts_with("there is no snapshot of the file: "), "{said}");
}
