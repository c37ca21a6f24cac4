//! The choices of a caller: fields, values, and omissions.

use super::{lines, text};
use ndarray::{ArrayD, IxDyn};
use ndbytes::b2nd::{Codec, Writer};
use ndbytes::{Checker, Error, Input, Limits, idx};
use ndbytes_compare::snapshot;
use ndbytes_compare::snapshot::{Fields, Snapshot, Values};
use ndbytes_testkit::project;
use std::fs;

fn sample() -> Vec<u8> {
    fs::read(project().join("samples/temperatures.b2nd")).unwrap()
}

/// The panic message of rendering the text.
fn panics(snapshot: impl FnOnce() -> Snapshot<'static> + std::panic::UnwindSafe) -> String {
    let panicked = std::panic::catch_unwind(|| snapshot().to_string()).unwrap_err();
    panicked.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn redactions_replace_the_values_of_fields() {
    let file = sample();
    let redacted = snapshot::text(&file).redact("chunks[*].header.extension.codec").redact("*_threads").to_string();
    assert!(redacted.contains("\nchunks[*].header.extension.codec: [redacted] (3)\n"), "{redacted}");
    assert!(redacted.contains("\ncompress_threads: [redacted]\ndecompress_threads: [redacted]\n"), "{redacted}");
    let others =
        |text: &str| text.lines().filter(|line| !line.contains("codec:") && !line.contains("_threads")).count();
    assert_eq!(others(&redacted), others(&text(&file)));
}

#[test]
fn redactions_that_match_nothing_are_errors() {
    let file = sample();
    let of = |pattern: &str| snapshot::text(&file).redact(pattern).render();
    for pattern in ["chunks[*].header.codecs", "frame_length", "values"] {
        assert!(matches!(of(pattern), Err(Error::Unmatched { pattern: named }) if named == pattern), "{pattern}");
    }
    assert!(snapshot::text(&file).fields(Fields::WithOffsets).redact("frame_length").render().is_ok());
    let said = panics(|| snapshot::text(b"\0\0\x08\x01\0\0\0\x01\x07").redact("dim[0]"));
    assert_eq!(said, "the file has no snapshot: the redaction \"dim[0]\" matches no field that is shown");
    let said = panics(|| snapshot::text(b"").redact("dims[0"));
    assert!(said.starts_with("the redaction \"dims[0\" is not a key pattern: "), "{said}");
}

#[test]
fn texts_without_sizes_are_those_of_any_version_of_a_codec() {
    let array = ArrayD::from_shape_fn(IxDyn(&[168, 6]), |index| (index[0] / 5 * index[1]) as u16);
    let of = |level| {
        let file = Writer::new().codec(Codec::ZSTD).level(level).to_vec(&array).unwrap();
        let text = snapshot::text(&file).redact_sizes().redact("compression").to_string();
        (file, text)
    };
    let ((fast, one), (small, other)) = (of(6), of(9));
    assert_ne!(fast, small);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&one), lines(&other));
    assert!(one.starts_with("b2nd 2, [redacted]\n") && one.contains("\nstored [redacted]\n"), "{one}");
}

#[test]
fn texts_without_notes_of_the_writer_have_no_times() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.gz");
    idx::Writer::new().gzip(true).write(&path, &ArrayD::<u8>::zeros(IxDyn(&[3]))).unwrap();
    let mut file = fs::read(&path).unwrap();
    let of = |file: &[u8]| snapshot::text(file).redact_writer().redact_sizes().to_string();
    let before = of(&file);
    file[4] = 77;
    assert_eq!(of(&file), before);
    assert!(before.contains("\nmember[0].header.mtime: [redacted]\n"), "{before}");
    assert!(text(&file).contains("\nmember[0].header.mtime: "), "{}", text(&file));
}

#[test]
fn all_fields_are_shown_if_that_is_asked_for() {
    let file = sample();
    let everything = snapshot::text(&file).fields(Fields::Everything).values(Values::None).to_string();
    let input = Input::from_slice(&file, Limits::default());
    let map = Checker::new().byte_map(input).unwrap();
    for span in map.keyed_spans() {
        let key = span.key.as_ref().unwrap_or(&span.path);
        let line = format!("{:#06x} +{}  {key}: ", span.node.start(), span.node.end() - span.node.start());
        assert_eq!(lines(&everything, &line).len(), 1, "{line}");
    }
    let with_offsets = snapshot::text(&file).fields(Fields::WithOffsets).to_string();
    assert!(with_offsets.contains("\nframe_length: 2080   (at 0xf)\n"), "{with_offsets}");
    assert!(!with_offsets.contains("magic"), "{with_offsets}");
}

#[test]
fn counts_and_copies_are_shown_where_they_contradict() {
    let mut file = sample();
    assert!(!text(&file).contains(".ndim: "));
    // The number of axes, in the metalayer of the array.
    let place = file.windows(6).position(|bytes| bytes == b"\xc6\0\0\0\x35\x97").unwrap() + 7;
    assert_eq!(file[place], 2);
    file[place] = 3;
    assert!(text(&file).contains("array.ndim: 3"), "{}", text(&file));
}

#[test]
fn values_are_shown_as_far_as_is_asked_for() {
    let file = sample();
    let of = |values: Values| snapshot::text(&file).values(values).to_string();
    let (folded, hash, none) = (of(Values::Folded), of(Values::Hash), of(Values::None));
    assert_eq!(lines(&folded, "  ").len(), 168);
    assert_eq!((lines(&hash, "  ").len(), lines(&hash, "values blake3 ").len()), (0, 1));
    assert_eq!(lines(&none, "values").len(), 0);
    assert_eq!(lines(&of(Values::AtMost(1007)), "  [").len(), 42, "folds of four rows");
    let digits = project().join("samples/digits-idx3-ubyte.gz");
    let whole = snapshot::text(&digits).values(Values::AtMost(7840)).to_string();
    assert_eq!(lines(&whole, "  ").len(), 280);
    assert_eq!(lines(&snapshot::text(&digits).form(1).values(Values::AtMost(7840)).to_string(), "  [9, 27] ").len(), 1);
}
