//! Kaitai Struct specifications. Any text may be a specification, and any bytes may be a file for one.

use crate::bundle::Bundle;
use crate::cost::bounded;
use crate::layout::{assert_explained, assert_linked};
use crate::scratch;
use everybyte_ksy::{Loader, Spec};
use std::sync::LazyLock;

/// Specifications that together use each feature of the language. They are the seeds of the target `ksy_spec`.
const TEXTS: [&str; 5] = [
    include_str!("../seeds/ksy_spec/packets.ksy"),
    include_str!("../seeds/ksy_spec/places.ksy"),
    include_str!("../seeds/ksy_spec/choices.ksy"),
    include_str!("../seeds/ksy_spec/texts.ksy"),
    include_str!("../seeds/ksy_spec/roles.ksy"),
];

static SPECIFICATIONS: LazyLock<Vec<Spec>> =
    LazyLock::new(|| TEXTS.iter().map(|text| text.parse().expect("the seeds load")).collect());

/// The maximum memory for reading a file with a specification, including its map: per byte of the file, plus a constant.
const MEMORY: [u64; 2] = [32, 64 << 20];

/// The maximum memory for loading a specification: per byte of its files, plus a constant.
const LOADED: [u64; 2] = [1 << 10, 8 << 20];

fn memory([each, beside]: [u64; 2], length: usize) -> u64 {
    each * length as u64 + beside
}

/// Examines a specification with its imports and overlays, and a file that it reads.
pub fn examine_bundle(bytes: &[u8]) {
    let (bundle, folder) = (Bundle::of(bytes), scratch::Folder::new());
    bundle.write(&folder, "");
    let (overlay, length) = (folder.path().join("more.yaml"), bundle.length());
    let loader = Loader::new().folder(folder.path().join("lib"));
    let loader = if overlay.is_file() { loader.overlay(overlay) } else { loader };
    let file = bundle.file("file").unwrap_or_default();
    match bounded("loading", length, memory(LOADED, length), || loader.read(folder.path().join("x.ksy"))) {
        Ok(spec) => examine(&spec, file),
        Err(error) => assert!(!error.message.is_empty()),
    }
}

/// Asserts that any text is either refused with a position or a specification that can read arbitrary bytes.
pub fn examine_specification(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match bounded("loading", text.len(), memory(LOADED, text.len()), || text.parse::<Spec>()) {
        Ok(spec) => {
            for file in [&b""[..], b"PK1\x02\x01\x00\x08hello\x00\x00\x00\x00", bytes] {
                examine(&spec, file);
            }
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}

/// Reads arbitrary bytes with the specification that the first byte selects.
pub fn examine_file(bytes: &[u8]) {
    let Some((&choice, file)) = bytes.split_first() else { return };
    examine(&SPECIFICATIONS[usize::from(choice) % SPECIFICATIONS.len()], file);
}

/// Asserts that findings are inside the file.
fn examine(spec: &Spec, file: &[u8]) {
    let most = memory(MEMORY, file.len());
    let explained = bounded("explaining", file.len(), most, || spec.explain(file));
    bounded("checking", file.len(), most, || spec.check(file));
    assert_explained(&explained, file);
    assert_linked(&explained);
    for finding in &explained.findings {
        let space = &explained.spaces[finding.space as usize];
        assert!(finding.bytes.end <= space.length, "{finding:?}");
    }
}
