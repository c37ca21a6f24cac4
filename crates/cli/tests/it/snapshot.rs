//! Files as text, which is the same from the tool and from the library.

use crate::support::tool::run_in;
use ndbytes_compare::snapshot;
use ndbytes_testkit::project;
use ndbytes_testkit::snapshot::Family;
use std::fs;

/// The text of a file in memory.
fn text(file: &[u8]) -> String {
    snapshot::text(file).to_string()
}

#[test]
fn texts_of_the_samples_are_as_before() {
    let family = Family::open("textconv");
    let names = [
        "digits-idx1-ubyte",
        "digits-idx3-ubyte.gz",
        "interrupted-idx3-ubyte",
        "surface.ra",
        "temperatures.b2nd",
        "trees.idv",
    ];
    for name in names {
        let printed = run_in(&project().join("samples"), &["textconv", name]);
        assert_eq!((printed.status, printed.stderr.as_str()), (0, ""), "{name}");
        family.assert(name, &printed.stdout);
        // The text does not depend on where the file is.
        assert_eq!(text(&fs::read(project().join("samples").join(name)).unwrap()), printed.stdout, "{name}");
    }
    family.finish(&names);
}

#[test]
fn files_that_cannot_be_read_are_no_text() {
    let missing = project().join("samples/missing");
    assert!(matches!(snapshot::text(&missing).render(), Err(ndbytes::Error::Io { .. })));
    let ended = run_in(&project().join("samples"), &["textconv", "missing"]);
    assert_eq!((ended.status, ended.stdout.as_str()), (2, ""));
    let panicked = std::panic::catch_unwind(|| snapshot::text(&missing).to_string()).unwrap_err();
    let said = panicked.downcast_ref::<String>().unwrap();
    assert!(said.starts_with("the file has no snapshot: "), "{said}");
}
