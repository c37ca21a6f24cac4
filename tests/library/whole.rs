//! Files declared as a single value. everybyte on its own reads them like ndbytes, which knows more about their content.

use ndbytes::everybyte::map::{Space, spans};
use ndbytes::everybyte::{self, explain, format::rewrite};
use ndbytes::{Checker, Depth, Format, Input, Limits};
use ndbytes_forge::{Forge, Kind};
use ndbytes_schemas::blosc2::Frame;
use ndbytes_schemas::idv::Idv;
use ndbytes_schemas::idx::Idx;
use ndbytes_testkit::corpus::{self, Sample};
use std::collections::HashMap;
use std::ops::Range;

/// The valid files of a format that are not in gzip.
fn good(format: Format) -> Vec<Sample> {
    let is_good = |sample: &Sample| {
        sample.format == Some(format) && sample.folder == "ok" && !sample.bytes.starts_with(&[0x1f, 0x8b])
    };
    corpus::samples().into_iter().filter(is_good).collect()
}

/// The fields of the file that have bytes, and their paths.
fn fields(spaces: &[Space]) -> HashMap<Range<u64>, String> {
    let spans = spans(&spaces[..1]).into_iter();
    spans.map(|span| (span.node.place(), span.path)).filter(|(place, _)| !place.is_empty()).collect()
}

/// Explains and rewrites the valid files of a format with only its declaration, and compares the fields with ndbytes'
/// map. Returns the number of fields, and the files with unclaimed bytes.
fn compare<F: everybyte::Format>(format: Format) -> (usize, Vec<String>) {
    let (mut compared, mut unclaimed) = (0, Vec::new());
    for sample in good(format) {
        let explained = explain::<F>(&sample.bytes);
        if !explained.findings.is_empty() {
            unclaimed.push(sample.name);
            continue;
        }
        assert_eq!(rewrite::<F>(&sample.bytes).unwrap(), sample.bytes, "{sample}");
        let input = Input::from_slice(&sample.bytes, Limits::default());
        let known = fields(&Checker::new().depth(Depth::Structure).byte_map(input).unwrap().spaces);
        for (place, path) in fields(&explained.spaces) {
            // Only ndbytes knows the content of a chunk or a block.
            let around = path.strip_suffix("content").unwrap_or(&path);
            let is_inside = |field: &Range<u64>| place.start <= field.start && field.end <= place.end;
            let inside: Vec<(&Range<u64>, &String)> = known.iter().filter(|(field, _)| is_inside(field)).collect();
            let length: u64 = inside.iter().map(|(field, _)| field.end - field.start).sum();
            assert_eq!(length, place.end - place.start, "{sample}: {path}");
            let is_below =
                |known: &str| known.starts_with(around) || HELD.iter().any(|held| is_part(known, &path, held));
            assert!(inside.iter().all(|(_, known)| is_below(known)), "{sample}: {path}: {inside:?}");
            compared += 1;
        }
    }
    (compared, unclaimed)
}

/// Fields whose bytes have another name in ndbytes' map: the name in the declaration, and in the map.
const HELD: [(&str, &str); 2] = [("bytes", "array"), ("bytes", "chunk")];

fn is_part(known: &str, path: &str, (declared, held): &(&str, &str)) -> bool {
    path.strip_suffix(declared).is_some_and(|around| known.starts_with(&format!("{around}{held}")))
}

#[test]
fn one_value_of_idx_is_the_file() {
    let (fields, unclaimed) = compare::<Idx>(Format::Idx);
    assert!(fields >= 300, "{fields}");
    assert_eq!(unclaimed, Vec::<String>::new());
}

#[test]
fn one_value_of_idv_is_the_file() {
    let (fields, unclaimed) = compare::<Idv>(Format::Idv);
    assert!(fields >= 3770, "{fields}");
    assert_eq!(unclaimed, Vec::<String>::new());
}

#[test]
fn one_value_of_b2nd_is_the_frame() {
    let (fields, unclaimed) = compare::<Frame>(Format::B2nd);
    assert!(fields >= 6900, "{fields}");
    // Unclaimed bytes are a finding in everybyte, and a warning in ndbytes.
    assert_eq!(unclaimed, ["trailing-bytes", "unclaimed-empty"]);
}

/// Asserts that for a possibly broken file, a check and an explanation have the same findings, and each byte has a field.
fn hold<F: everybyte::Format>(bytes: &[u8]) {
    let explained = explain::<F>(bytes);
    assert_eq!(everybyte::check::<F>(bytes), explained.findings);
    let covered: u64 = fields(&explained.spaces).keys().map(|place| place.end - place.start).sum();
    assert_eq!(covered, bytes.len() as u64);
}

#[test]
fn files_of_all_kinds_are_explained_as_each_format_whatever_their_state() {
    for sample in corpus::samples() {
        hold::<Idx>(&sample.bytes);
        hold::<Idv>(&sample.bytes);
        hold::<Frame>(&sample.bytes);
    }
}

#[test]
fn files_of_the_forge_are_explained_and_written_back() {
    fn hold_of<F: everybyte::Format>(kind: Kind) -> usize {
        let mut sound = 0;
        for seed in 1..=200 {
            let file = Forge::new(seed).valid(kind).bytes;
            hold::<F>(&file);
            if everybyte::check::<F>(&file).is_empty() {
                assert_eq!(rewrite::<F>(&file).unwrap(), file, "{seed}");
                sound += 1;
            }
        }
        sound
    }
    assert_eq!(hold_of::<Idx>(Kind::Idx), 200);
    assert_eq!(hold_of::<Idv>(Kind::Idv), 200);
    assert_eq!(hold_of::<Frame>(Kind::B2nd), 200);
}
