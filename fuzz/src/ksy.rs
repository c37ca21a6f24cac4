//! Kaitai Struct specifications: any text may be one, and any bytes may be a file of one.

use crate::layout::{assert_explained, assert_linked};
use everybyte_ksy::Spec;
use std::sync::LazyLock;

/// Specifications that have each feature of the language between them: the seeds of the target `ksy_spec`.
const TEXTS: [&str; 5] = [
    include_str!("../seeds/ksy_spec/packets.ksy"),
    include_str!("../seeds/ksy_spec/places.ksy"),
    include_str!("../seeds/ksy_spec/choices.ksy"),
    include_str!("../seeds/ksy_spec/texts.ksy"),
    include_str!("../seeds/ksy_spec/roles.ksy"),
];

static SPECIFICATIONS: LazyLock<Vec<Spec>> =
    LazyLock::new(|| TEXTS.iter().map(|text| text.parse().expect("the seeds load")).collect());

/// Any text is refused with a place, or is a specification by which any bytes can be read.
pub fn examine_specification(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match text.parse::<Spec>() {
        Ok(spec) => {
            for file in [&b""[..], b"PK1\x02\x01\x00\x08hello\x00\x00\x00\x00", bytes] {
                examine(&spec, file);
            }
        }
        Err(error) => assert!(!error.message.is_empty()),
    }
}

/// Any bytes are read by the specification that the first byte chooses.
pub fn examine_file(bytes: &[u8]) {
    let Some((&choice, file)) = bytes.split_first() else { return };
    examine(&SPECIFICATIONS[usize::from(choice) % SPECIFICATIONS.len()], file);
}

/// Findings stand inside the file.
fn examine(spec: &Spec, file: &[u8]) {
    let explained = spec.explain(file);
    assert_explained(&explained, file);
    assert_linked(&explained);
    for finding in &explained.findings {
        let space = &explained.spaces[finding.space as usize];
        assert!(finding.bytes.end <= space.length, "{finding:?}");
    }
}
