//! Overlays: keys for the fields of specifications that cannot be edited.

use everybyte_ksy::{Loader, Spec};
use std::path::Path;
use tempfile::TempDir;

const SPEC: &str = "
meta: {id: note, endian: be}
seq:
  - {id: body, type: body}
instances:
  first: {pos: 0, type: u1}
types:
  body:
    seq:
      - {id: text, size: 2}
      - {id: sum, type: u4}
    types:
      inner: {seq: [{id: n, type: u1}]}
";

/// Creates a folder with a specification and an overlay of this name.
fn folder(name: &str, overlay: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.ksy"), SPEC).unwrap();
    std::fs::write(folder.path().join(name), overlay).unwrap();
    folder
}

fn loaded(folder: &Path, overlay: Option<&str>) -> Result<Spec, String> {
    let loader = overlay.map_or_else(Loader::new, |name| Loader::new().overlay(folder.join(name)));
    let shown = |error: everybyte_ksy::SpecError| error.to_string().replace(&format!("{}/", folder.display()), "");
    loader.read(folder.join("note.ksy")).map_err(shown)
}

#[test]
fn an_overlay_beside_a_specification_is_read_with_it() {
    let folder = folder("note.overlay.yaml", "body.sum: {-check: crc32(text)}\n");
    let spec = loaded(folder.path(), None).unwrap();
    let files: Vec<&str> = spec.files().iter().map(|path| path.rsplit('/').next().unwrap()).collect();
    assert_eq!(files, ["note.ksy", "note.overlay.yaml"]);
    assert!(spec.check(b"hi\xd8\x93\x2a\xac").is_empty());
    assert_eq!(spec.check(b"hi\x00\x00\x00\x00")[0].rule, "checksum");
}

#[test]
fn an_overlay_that_is_named_adds_to_types_in_types_and_to_instances() {
    let overlay = "
body.text: {valid: '[0x68, 0x69]', doc: Two letters.}
body::inner.n: {-role: writer}
first: {valid: {max: 0x40}}
";
    let folder = folder("more.yaml", overlay);
    let spec = loaded(folder.path(), Some("more.yaml")).unwrap();
    let found: Vec<String> = spec.check(b"ho\x00\x00\x00\x00").iter().map(|found| found.path.to_string()).collect();
    assert_eq!(found, ["body.text", "first"]);
    let explained = spec.explain(b"hi0000");
    assert_eq!(explained.spaces[0].nodes.root().children().next().unwrap().doc(), "Two letters.");
}

#[test]
fn an_overlay_is_refused_at_its_own_place() {
    let cases = [
        ("- a", "note.overlay.yaml:1:1: an overlay must be a map of fields, found a list"),
        ("body.sun: {doc: x}", "note.overlay.yaml:1:1: the type has no field `sun`; did you mean `sum`?"),
        ("bodi.sum: {doc: x}", "note.overlay.yaml:1:1: the specification has no type `bodi` in `bodi.sum`"),
        ("body.sum: crc32", "note.overlay.yaml:1:11: `body.sum` is a scalar, not a map of keys"),
        (
            "body.sum: {type: u2}",
            "note.overlay.yaml:1:12: an overlay adds doc, doc-ref, valid and keys that begin with `-`, but not `type`",
        ),
        (
            "body.sum: {-check: crc33(text)}",
            "note.overlay.yaml:1:20: unknown checksum `crc33`: expected \
             crc32, adler32, crc16-ccitt, sum8, sum16, sum32, xor8",
        ),
    ];
    for (overlay, message) in cases {
        let folder = folder("note.overlay.yaml", overlay);
        assert_eq!(loaded(folder.path(), None).unwrap_err(), message);
    }
}

#[test]
fn an_overlay_says_nothing_that_is_said_already() {
    let folder = folder("note.overlay.yaml", "body.sum: {-check: crc32(text)}\n");
    std::fs::write(folder.path().join("twice.yaml"), "body.sum: {-check: adler32(text)}\n").unwrap();
    let message = "note.overlay.yaml:1:12: the specification already has `-check` for `body.sum`";
    assert_eq!(loaded(folder.path(), Some("twice.yaml")).unwrap_err(), message);
}

#[test]
fn an_overlay_that_is_named_has_to_be_there() {
    let folder = folder("note.overlay.yaml", "{}");
    let error = loaded(folder.path(), Some("none.yaml")).unwrap_err();
    assert_eq!(error, "none.yaml: No such file or directory (os error 2)");
}

#[cfg(unix)]
#[test]
fn an_overlay_does_not_lead_out_of_the_folder() {
    let elsewhere = folder("secret.yaml", "{}");
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("note.ksy"), SPEC).unwrap();
    let link = folder.path().join("note.overlay.yaml");
    std::os::unix::fs::symlink(elsewhere.path().join("secret.yaml"), link).unwrap();
    let error = loaded(folder.path(), None).unwrap_err();
    assert!(error.ends_with("note.overlay.yaml leads out of the directories of the specification"), "{error}");
}

#[test]
fn an_overlay_that_nobody_named_has_to_be_a_regular_file() {
    let folder = folder("more.yaml", "");
    std::fs::create_dir(folder.path().join("note.overlay.yaml")).unwrap();
    let message = loaded(folder.path(), None).unwrap_err();
    assert!(message.contains("note.overlay.yaml is not a regular file"), "{message}");
    #[cfg(unix)]
    {
        std::fs::remove_dir(folder.path().join("note.overlay.yaml")).unwrap();
        let _pipe = std::os::unix::net::UnixListener::bind(folder.path().join("note.overlay.yaml")).unwrap();
        let message = loaded(folder.path(), None).unwrap_err();
        assert!(message.contains("note.overlay.yaml is not a regular file"), "{message}");
    }
}
