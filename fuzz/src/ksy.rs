//! Kaitai Struct specifications: any text may be one, and any bytes may be a file of one.

use everybyte::map::spans;
use everybyte_ksy::Spec;
use std::sync::LazyLock;

/// Specifications that have each feature of the language between them: the seeds of the target `ksy_spec`.
const TEXTS: [&str; 4] = [
    include_str!("../seeds/ksy_spec/packets.ksy"),
    include_str!("../seeds/ksy_spec/places.ksy"),
    include_str!("../seeds/ksy_spec/choices.ksy"),
    include_str!("../seeds/ksy_spec/texts.ksy"),
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

/// The fields and gaps of each space are its bytes, each one once. Findings stand inside the file.
fn examine(spec: &Spec, file: &[u8]) {
    let explained = spec.explain(file);
    for space in &explained.spaces {
        let mut end = 0;
        for span in spans(std::slice::from_ref(space)) {
            assert_eq!(span.node.start(), end, "a byte has one place: {}", span.path);
            end = span.node.end();
        }
        assert_eq!(end, space.length, "all bytes have a place");
    }
    assert_eq!(explained.spaces[0].length, file.len() as u64);
    for finding in &explained.findings {
        let space = &explained.spaces[finding.space as usize];
        assert!(finding.bytes.start <= finding.bytes.end && finding.bytes.end <= space.length, "{finding:?}");
    }
}
