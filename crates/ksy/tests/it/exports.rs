//! Definitions that everybyte writes are read back: the map is that of the compiled layout.

#[path = "../../../everybyte/examples/png.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod png;
#[path = "../../../everybyte/examples/wav.rs"]
#[allow(dead_code, reason = "an example has a main of its own")]
mod wav;

use everybyte::map::{Space, spans};
use everybyte::tool::{Declared, Described, Language};
use everybyte::{Format, Value};
use everybyte_ksy::Spec;

/// The specification that everybyte writes for a format.
fn exported<F: Format>() -> Spec {
    let text = Declared::<F>::new().definition(Language::Kaitai).unwrap();
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The bytes of the leaves that have a field, and the integers in them.
fn leaves(spaces: &[Space]) -> Vec<(u64, u64, Option<i128>)> {
    let number = |value: &Value| match value {
        Value::Uint(number) => i128::try_from(*number).ok(),
        Value::Int(number) => Some(*number),
        _ => None,
    };
    let leaves = spans(&spaces[..1]).into_iter().filter(|span| span.node.end() > span.node.start());
    leaves.map(|span| (span.node.start(), span.node.end(), number(&span.node.value()))).collect()
}

/// Compares both maps of a file; returns the number of leaves.
fn compare<F: Format>(file: &[u8]) -> usize {
    let (spec, compiled) = (exported::<F>(), everybyte::explain::<F>(file));
    let explained = spec.explain(file);
    assert_eq!(explained.findings, []);
    let both = [&explained.spaces, &compiled.spaces].map(|spaces| leaves(spaces));
    let mut compared = both[0].len();
    assert_eq!(both[0].len(), both[1].len());
    for (ours, theirs) in both[0].iter().zip(&both[1]) {
        assert_eq!((ours.0, ours.1), (theirs.0, theirs.1));
        // A list of numbers is one leaf without a value in one of both.
        match (ours.2, theirs.2) {
            (Some(ours), Some(theirs)) => assert_eq!(ours, theirs),
            _ => compared -= 1,
        }
    }
    compared
}

#[test]
fn a_sound_has_the_map_of_its_layout() {
    let mut file = b"RIFF\x36\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0".to_vec();
    file.extend(b"data\x08\0\0\0\0\0\x10\0\x20\0\x10\0note\x01\0\0\0a\0");
    assert!(compare::<wav::Wav>(&file) >= 10);
}

#[test]
fn a_picture_has_the_map_of_its_layout() {
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, body) in
        [(b"IHDR", &b"\0\0\0\x01\0\0\0\x01\x08\0\0\0\0"[..]), (b"IDAT", b"x\x9cc`\0\0\0\x02\0\x01"), (b"IEND", b"")]
    {
        file.extend((body.len() as u32).to_be_bytes());
        let named = [kind, body].concat();
        file.extend(&named);
        file.extend(everybyte::sums::crc32(&named).to_be_bytes());
    }
    assert!(compare::<png::Png>(&file) >= 12);
}
