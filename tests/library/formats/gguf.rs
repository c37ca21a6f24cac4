//! GGUF: blocks are decoded as in the package `gguf`, and tensors are read by address.

use ndarray::s;
use ndbytes::archive::Archive;
use ndbytes::repair::{Options, repair};
use ndbytes::{Checker, Format, Limits, Profile, Verdict, detect, gguf};
use ndbytes_testkit::project;
use std::path::PathBuf;

/// Blocks, and the elements that the package decodes.
fn blocks() -> PathBuf {
    project().join("tests/frozen/gguf/blocks.gguf")
}

fn address(name: &str) -> PathBuf {
    format!("{}!{name}", blocks().display()).into()
}

#[test]
fn blocks_are_decoded_to_the_bit() {
    for name in ["Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "Q4_K", "Q6_K"] {
        let tensor = gguf::open(address(name)).unwrap();
        let expected = gguf::open(address(&format!("{name}.decoded"))).unwrap();
        assert_eq!((tensor.type_name(), expected.type_name()), (name, "F32"));
        assert_eq!(tensor.shape(), expected.shape());
        let bits = |tensor: &gguf::Tensor<'_>| tensor.to_array::<f32>().unwrap().mapv(f32::to_bits);
        assert_eq!(bits(&tensor), bits(&expected), "{name}");
    }
}

#[test]
fn a_file_of_the_real_writer_has_no_findings_and_names_its_tensors() {
    assert!(Checker::new().check(blocks()).unwrap().findings().is_empty());
    let archive = Archive::open(blocks(), Limits::default()).unwrap();
    assert_eq!(
        (archive.kind(), archive.members().len(), archive.members()[1].name()),
        ("GGUF file", 14, "Q4_0.decoded")
    );
}

#[test]
fn a_slice_of_a_tensor_of_blocks_is_that_of_its_elements() {
    let open = |name: &str| ndbytes::open(address(name)).unwrap().into_array().unwrap();
    let (blocks, expected) = (open("Q8_0"), open("Q8_0.decoded"));
    assert_eq!((blocks.format(), blocks.dtype().descr()), (Format::Gguf, "<f4".to_owned()));
    let mut row = blocks.select(s![2, 3..7]).unwrap();
    let mut of_expected = expected.select(s![2, 3..7]).unwrap();
    assert_eq!(row.read(0, 4).unwrap(), of_expected.read(0, 4).unwrap());
}

#[test]
fn files_are_detected_by_their_magic_or_by_most_of_it_and_a_version() {
    for (head, expected) in [
        (&b"GGUF"[..], Some(Format::Gguf)),
        (b"GGUF\x09\0\0\0", Some(Format::Gguf)),
        (b"GGUf\x03\0\0\0", Some(Format::Gguf)),
        (b"GGUf\0\0\0\x03", Some(Format::Gguf)),
        (b"GGUf\x09\0\0\0", None),
        (b"GGuf\x03\0\0\0", None),
    ] {
        assert_eq!(detect(head, head.len() as u64), expected, "{head:?}");
    }
}

#[test]
fn a_file_that_was_cut_keeps_its_facts_and_its_whole_tensors() {
    let bytes = std::fs::read(blocks()).unwrap();
    let cut = &bytes[..bytes.len() / 2];
    let refused = repair(cut, &Options::new()).unwrap();
    assert!(refused.refused.is_some(), "bytes of a tensor are dropped if that is asked for: {:?}", refused.steps);
    let mended = repair(cut, &Options::new().dropping(true)).unwrap();
    assert!(mended.is_sound() && mended.steps.len() == 1, "{:?}", mended.steps);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mended.gguf");
    std::fs::write(&path, mended.bytes()).unwrap();
    let archive = Archive::open(&path, Limits::default()).unwrap();
    assert!((1..14).contains(&archive.members().len()), "{}", archive.members().len());
    let address = format!("{}!Q4_0", path.display());
    let bits = |tensor: gguf::Tensor<'_>| tensor.to_array::<f32>().unwrap().mapv(f32::to_bits);
    assert_eq!(bits(gguf::open(address).unwrap()), bits(gguf::open(self::address("Q4_0")).unwrap()));
    assert_eq!(mended.bytes()[16..120], bytes[16..120], "the number of facts, and the first of them");
}

/// A file without tensors, with one metadata entry.
fn of_fact(kind: u32, value: &[u8]) -> Vec<u8> {
    let words = [0_u64, 1, 1].map(u64::to_le_bytes).concat();
    [b"GGUF\x03\0\0\0", &*words, b"a", &kind.to_le_bytes(), value].concat()
}

/// The reader slices the file, so missing bytes are empty. It needs all bytes only for a length and for a partial number.
#[test]
fn the_reference_reader_takes_facts_that_the_file_ends_in() {
    let text = |length: u64, bytes: &[u8]| [&length.to_le_bytes(), bytes].concat();
    let list = |kind: u32, count: u64, items: &[u8]| [&kind.to_le_bytes(), &count.to_le_bytes()[..], items].concat();
    let last_text = [text(2, b"ab"), text(9, b"a")].concat();
    for (kind, value, rule, is_taken) in [
        (8, text(9, b"a"), "gguf/truncated-header", true),
        (8, vec![1, 0, 0], "gguf/truncated-header", false),
        (4, vec![], "gguf/truncated-header", true),
        (4, vec![1, 2], "gguf/truncated-header", false),
        (9, list(4, 9, &[0; 8]), "gguf/truncated-header", true),
        (9, list(4, 9, &[0; 7]), "gguf/truncated-header", false),
        (9, list(4, 1 << 40, &[]), "gguf/truncated-header", false),
        (9, list(8, 2, &last_text), "gguf/truncated-header", true),
        (9, list(8, 3, &last_text), "gguf/truncated-header", false),
        (9, list(99, 0, &[]), "gguf/value-type", true),
        (9, list(99, 1, &[0; 8]), "gguf/value-type", false),
        (99, vec![0; 8], "gguf/value-type", false),
    ] {
        let bytes = of_fact(kind, &value);
        let strict = Checker::new().check_slice(&bytes).unwrap();
        assert_eq!(strict.findings()[0].rule.id, rule, "{kind} {value:?}");
        let reference = Checker::new().profile(Profile::Reference).check_slice(&bytes).unwrap();
        assert_eq!(reference.verdict() < Verdict::Error, is_taken, "{kind} {value:?}: {:?}", reference.findings());
    }
}
