//! The guarantees for the text of arbitrary bytes.

use super::text;
use ndbytes::Limits;
use ndbytes_compare::snapshot;
use ndbytes_compare::snapshot::{Fields, Values};
use ndbytes_testkit::corpus;
use proptest::prelude::*;
use std::sync::LazyLock;

static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    corpus::samples().into_iter().map(|sample| sample.bytes).filter(|file| file.len() < 8192).collect()
});

/// Asserts that a text is safe to print.
fn assert_harmless(file: &[u8], text: &str) {
    assert!(text.len() <= 256 << 10, "{} bytes", text.len());
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        assert!(line.chars().count() <= 2000, "{line}");
        assert!(!line.chars().any(char::is_control), "{line:?}");
        assert_eq!(ndbytes::everybyte::escape(line), line);
    }
    let digest = &blake3::hash(file).to_hex()[..32];
    assert!(text.lines().next().unwrap().ends_with(&format!("blake3 {digest}")), "{text}");
}

#[test]
fn texts_of_the_corpus_are_harmless_and_name_no_path() {
    let mut folders = std::collections::BTreeSet::new();
    for sample in corpus::samples() {
        let made = snapshot::text(&sample.path).limits(Limits::default().memory(64 << 20)).to_string();
        assert_harmless(&sample.bytes, &made);
        assert!(!made.contains("corpus/"), "{}", sample.name);
        folders.insert((sample.kind, sample.folder));
    }
    assert!(folders.len() >= 10, "{folders:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn texts_of_any_bytes_are_harmless_and_differ_where_bytes_do(
        file in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let original = file.get(&FILES[..]);
        let mut changed = original.clone();
        if let Some(cut) = cut {
            changed.truncate(cut.index(changed.len() + 1));
        }
        for (place, byte) in changes {
            if !changed.is_empty() {
                let place = place.index(changed.len());
                changed[place] = byte;
            }
        }
        let of = |file: &[u8]| snapshot::text(file).limits(Limits::default().memory(64 << 20)).to_string();
        let made = of(&changed);
        assert_harmless(&changed, &made);
        prop_assert_eq!(&made, &of(&changed));
        prop_assert_eq!(made == of(original), changed == *original);
        for fields in [Fields::WithOffsets, Fields::Everything] {
            let made = snapshot::text(&changed).fields(fields).values(Values::AtMost(u64::MAX)).to_string();
            assert_harmless(&changed, &made);
        }
    }

    #[test]
    fn texts_of_noise_are_harmless(noise in prop::collection::vec(any::<u8>(), 0..9000)) {
        assert_harmless(&noise, &text(&noise));
    }
}
