//! Frames that are not arrays, through the container's own interface.

use ndbytes::{Checker, Depth, Error, Format, Input, Limits, Verdict, blosc2};
use std::path::PathBuf;

fn refused(name: &str) -> PathBuf {
    ndbytes_testkit::project().join("tests/frozen/b2nd/refused").join(name)
}

#[test]
fn super_chunk_is_read_chunk_by_chunk() {
    let frame = blosc2::open(refused("mk_super_chunk.b2nd")).unwrap();
    // This is the data that python-blosc2 reads from the same file.
    let expected = std::fs::read(refused("mk_super_chunk.bin")).unwrap();
    let chunks: Vec<Vec<u8>> = (0..frame.chunk_count()).map(|number| frame.chunk(number).unwrap()).collect();
    assert_eq!(chunks.iter().map(Vec::len).collect::<Vec<_>>(), [800, 800, 100]);
    assert_eq!(chunks.concat(), expected);
    assert_eq!((frame.item_size(), frame.chunk_length(2), frame.is_sparse()), (4, 100, false));
    assert!(frame.metalayer_names().is_empty() && frame.warnings().is_empty());
    assert!(matches!(frame.chunk(3), Err(Error::OutOfRange { index: 3, length: 3 })));
}

#[test]
fn chunks_read_one_after_the_other_are_within_the_limits_one_by_one() {
    let options = blosc2::Options::new().limits(Limits::default().memory(20_000));
    let frame = options.open(refused("mk_super_chunk.b2nd")).unwrap();
    for _ in 0..1000 {
        assert_eq!(frame.chunk(0).unwrap().len(), 800);
    }
}

#[test]
fn super_chunk_is_checked_as_a_frame_if_asked_for() {
    let path = refused("mk_super_chunk.b2nd");
    let strict = Checker::new().check(&path).unwrap();
    assert_eq!(strict.findings().iter().map(|finding| finding.rule.id).collect::<Vec<_>>(), ["b2nd/no-array"]);
    let as_frame = Checker::new().frames(true).check(&path).unwrap();
    assert_eq!((as_frame.verdict(), as_frame.findings().len()), (Verdict::Ok, 0));
    // The first chunk states another version of the format.
    let mut bytes = std::fs::read(&path).unwrap();
    let map = Checker::new().byte_map(Input::from_slice(&bytes, Limits::default())).unwrap();
    let place = map.spans().iter().find(|span| span.path.starts_with("chunks[0]")).unwrap().node.start();
    bytes[place as usize] = 99;
    let broken = Checker::new().frames(true).check_slice(&bytes).unwrap();
    let rules: Vec<&str> = broken.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, ["b2nd/chunk-version"]);
}

#[test]
fn super_chunk_is_explained_to_the_last_byte() {
    let input = Input::open(refused("mk_super_chunk.b2nd"), Limits::default()).unwrap();
    let (report, map) = Checker::new().frames(true).depth(Depth::Payload).explain(&input).unwrap();
    assert_eq!((report.format, report.verdict()), (Some(Format::B2nd), Verdict::Ok));
    let mut end = 0;
    for span in map.spans().iter().filter(|span| span.space == 0) {
        assert_eq!(span.node.start(), end, "{}", span.path);
        end = span.node.end();
    }
    assert_eq!(end, input.length());
}

#[test]
fn array_is_a_frame_whose_chunks_hold_its_items() {
    let path = ndbytes_testkit::frozen("b2nd/blosc2/mk_lz4_5.b2nd");
    let (array, frame) = (ndbytes::b2nd::open(&path).unwrap(), blosc2::open(&path).unwrap());
    assert_eq!(frame.chunk_count(), array.chunk_count());
    assert_eq!(frame.metalayer_names(), ["b2nd"]);
    let chunks = (0..frame.chunk_count()).map(|number| frame.chunk(number).unwrap().len() as u64).sum::<u64>();
    assert!(chunks >= array.len() * frame.item_size(), "chunks hold the array, and padding");
    assert_eq!(array.container().chunk(0).unwrap(), frame.chunk(0).unwrap());
}

#[test]
fn other_file_is_refused_by_magic() {
    let error = blosc2::from_slice(&[0; 100]).unwrap_err();
    assert_eq!(error.finding().map(|finding| finding.rule.id), Some("b2nd/magic"));
}

#[test]
fn index_of_many_chunks_is_shown_up_to_a_limit_with_what_its_entries_say() {
    let mut items = vec![0_u8; 1000];
    items[..200].iter_mut().enumerate().for_each(|(place, item)| *item = place as u8);
    let folder = ndbytes_testkit::cases::folder();
    let path = folder.path().join("a.b2nd");
    ndbytes::b2nd::Writer::new().chunks([10]).blocks([10]).write(&path, &ndarray::arr1(&items)).unwrap();
    let map = Checker::new().byte_map(Input::open(&path, Limits::default()).unwrap()).unwrap();
    let spans = map.spans();
    let entries: Vec<_> = spans.iter().filter(|span| span.path.starts_with("entries[")).collect();
    assert_eq!((entries.len(), entries[64].path.as_str()), (65, "entries[64..100]"));
    assert!(entries[0].node.meaning().starts_with("at byte "), "{:?}", entries[0].node);
    assert_eq!((&*entries[63].node.meaning(), entries[63].node.type_name()), ("all zeros", "IndexEntry"));
}

#[test]
fn codes_of_a_frame_are_named_in_its_map() {
    let folder = ndbytes_testkit::cases::folder();
    let path = folder.path().join("a.b2nd");
    let items: Vec<u32> = (0..10_000).collect();
    ndbytes::b2nd::Writer::new().codec(ndbytes::b2nd::Codec::ZSTD).write(&path, &ndarray::arr1(&items)).unwrap();
    let input = Input::open(&path, Limits::default()).unwrap();
    let (_, map) = Checker::new().depth(Depth::Payload).explain(&input).unwrap();
    let spans = map.spans();
    let run = |path: &str, name: &str| {
        let span = spans.iter().find(|span| span.path == path).unwrap_or_else(|| panic!("{path}"));
        let run = span.node.bits().into_iter().find(|run| run.name == name).unwrap_or_else(|| panic!("{path}.{name}"));
        (run.value, run.meaning)
    };
    assert_eq!(run("compression", "codec"), (5, "zstd".into()));
    assert_eq!(run("compression", "level").1, "");
    assert_eq!(run("frame_type", "kind"), (0, "contiguous".into()));
    assert_eq!(run("chunks[0].header.flags", "codec_format"), (4, "zstd".into()));
    assert_eq!(run("chunks[0].header.extension.chunk_kind", "special"), (0, "none".into()));
}
