//! `everybyte-ksy` reads the definitions for Kaitai Struct back, and produces the same map as the format itself.

use crate::support::tool::{json_lines, run};
use everybyte::map::Value;
use everybyte::map::spans;
use everybyte_ksy::Spec;
use ndbytes::Format;
use ndbytes_testkit::corpus::{self, Sample};
use std::collections::HashSet;

/// The bytes of each field, and its value if it is a number.
type Leaf = (u64, u64, Option<u64>);

/// The leaves of the file, according to its format.
fn expected(sample: &Sample) -> Vec<Leaf> {
    let explained = &json_lines(&run(&["explain", "--json", sample.path.to_str().unwrap()]).stdout)[0];
    let spans = explained["spans"].as_array().unwrap().iter().filter(|span| span["space"] == 0);
    let leaf = |span: &serde_json::Value| {
        let place = |key: &str| span[key].as_u64().unwrap();
        (place("offset"), place("offset") + place("length"), span["value"].as_u64())
    };
    spans.map(leaf).filter(|(start, end, _)| start < end).collect()
}

/// The leaves of the file, according to the definition.
fn found(spec: &Spec, sample: &Sample) -> Vec<Leaf> {
    let explained = spec.explain(&sample.bytes);
    assert_eq!(explained.findings, [], "{}", sample.path.display());
    let number = |value: &Value| if let Value::Uint(number) = value { u64::try_from(*number).ok() } else { None };
    let leaves = spans(&explained.spaces[..1]);
    let leaves = leaves.iter().map(|span| (span.node.start(), span.node.end(), number(&span.node.value())));
    leaves.filter(|(start, end, _)| start < end).collect()
}

#[test]
fn definitions_of_arrays_give_the_map_of_the_format() {
    for (format, name, least) in [(Format::Idx, "idx", 8), (Format::RawArray, "rawarray", 10), (Format::Npy, "npy", 19)]
    {
        let spec: Spec = run(&["schema", name, "--ksy"]).stdout.parse().unwrap();
        let is_plain = |sample: &Sample| {
            let bytes = &sample.bytes;
            // The definition states that it cannot determine the length of encoded elements.
            let is_encoded = || format == Format::RawArray && (bytes[8] | bytes[15]) & 2 != 0;
            let is_right = sample.format == Some(format) && sample.folder == "ok";
            is_right && !bytes.starts_with(&[0x1f, 0x8b]) && !is_encoded()
        };
        let mut compared = 0;
        for sample in corpus::samples().iter().filter(|sample| is_plain(sample)) {
            let (expected, found) = (expected(sample), found(&spec, sample));
            assert_eq!(found.len(), expected.len(), "{}", sample.path.display());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!((found.0, found.1), (expected.0, expected.1), "{}", sample.path.display());
                // A code is only a name on one of the sides.
                if let (Some(found), Some(expected)) = (found.2, expected.2) {
                    assert_eq!(found, expected, "{}", sample.path.display());
                }
            }
            compared += 1;
        }
        assert!(compared >= least, "{name}: {compared} files");
    }
}

#[test]
fn definitions_of_tables_and_frames_give_the_places_of_the_format() {
    for (format, name, least) in [(Format::Idv, "idv", 140), (Format::B2nd, "b2nd", 110)] {
        let spec: Spec = run(&["schema", name, "--ksy"]).stdout.parse().unwrap();
        let is_plain = |sample: &Sample| {
            // These have unclaimed bytes.
            let is_claimed = !["trailing-bytes", "unclaimed-empty"].contains(&sample.name.as_str());
            let is_right = sample.format == Some(format) && sample.folder == "ok" && is_claimed;
            is_right && !sample.bytes.starts_with(&[0x1f, 0x8b])
        };
        let mut compared = 0;
        for sample in corpus::samples().iter().filter(|sample| is_plain(sample)) {
            let known = expected(sample);
            let [starts, ends]: [HashSet<u64>; 2] =
                [known.iter().map(|leaf| leaf.0).collect(), known.iter().map(|leaf| leaf.1).collect()];
            for (start, end, number) in found(&spec, sample) {
                let field = known.iter().find(|leaf| (leaf.0, leaf.1) == (start, end));
                if let (Some(number), Some((.., Some(known)))) = (number, field) {
                    assert_eq!(number, *known, "{}: {start}..{end}", sample.path.display());
                }
                // ndbytes divides chunks and blocks, and the definition divides texts.
                let is_of_fields = starts.contains(&start) && ends.contains(&end);
                let is_of_one = || known.iter().any(|leaf| leaf.0 <= start && end <= leaf.1);
                assert!(is_of_fields || is_of_one(), "{}: {start}..{end}", sample.path.display());
            }
            compared += 1;
        }
        assert!(compared >= least, "{name}: {compared} files");
    }
}
