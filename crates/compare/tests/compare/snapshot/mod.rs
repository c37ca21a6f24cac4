//! Files as text, through the public interface: what the text contains, what it leaves out, and what a caller can choose.

mod asserts;
mod choices;
mod folds;
mod means;
mod properties;

use crate::digest::npy_of;
use ndarray::{ArrayD, IxDyn};
use ndbytes::b2nd;
use ndbytes_compare::snapshot::{self, Values};
use ndbytes_testkit::project;
use ndbytes_testkit::recipe::Recipe;
use ndbytes_testkit::zip::{Entry, STORED, zip};
use std::fs;

/// The text of a file in memory.
fn text(file: &[u8]) -> String {
    snapshot::text(file).to_string()
}

/// The lines with this beginning.
fn lines<'t>(text: &'t str, beginning: &str) -> Vec<&'t str> {
    text.lines().filter(|line| line.starts_with(beginning)).collect()
}

#[test]
fn files_of_no_known_format_are_shown_as_what_they_are() {
    assert_eq!(text(b""), "empty file, 0 bytes, blake3 af1349b9f5f9a1a6a0404dea36dcc949\n");
    let page = text(b"<!doctype html>\n<p>\xc3\xa9\n");
    assert_eq!(lines(&page, "finding"), ["finding error unknown-format: this is a web page"]);
    assert_eq!(lines(&page, "  "), ["  <!doctype html>", "  <p>é"]);
    let bytes = text(&[&[0xFF; 64][..], b"\x1b[31mred"].concat());
    let dumped = [
        "  ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff  ................  (4 times)",
        "  1b 5b 33 31 6d 72 65 64                          .[31mred",
    ];
    assert_eq!(lines(&bytes, "  "), dumped);
    let long = text(&[0xFF; 100_000]);
    assert_eq!(lines(&long, "  bytes ").len(), 49, "folds of 2 KiB");
}

#[test]
fn broken_files_show_their_findings_and_what_can_be_read() {
    let whole = fs::read(project().join("samples/interrupted-idx3-ubyte")).unwrap();
    let broken = text(&whole);
    assert_eq!(lines(&broken, "finding").len(), 1);
    assert_eq!(lines(&broken, "array"), ["array |u1 3×28×28 C"]);
    assert_eq!(lines(&broken, "  [").len(), 3);
    // A file with intolerable errors still shows its fields.
    let frame = fs::read(project().join("samples/temperatures.b2nd")).unwrap();
    let cut = text(&frame[..frame.len() - 100]);
    assert!(!lines(&cut, "finding error b2nd/").is_empty(), "{cut}");
    assert_eq!(lines(&cut, "values"), ["values not read: b2nd/truncated"], "{cut}");
    assert!(cut.contains("\ntypesize: 2\n"), "{cut}");
}

#[test]
fn names_in_a_file_do_not_steer_a_terminal() {
    let name = "a\u{1b}]0;title\u{7}\u{202e}\nb";
    let array = ArrayD::<u8>::zeros(IxDyn(&[2]));
    let writer =
        b2nd::Writer::new().metalayer_bytes(name, vec![0xC0]).unwrap().attribute_bytes(name, vec![0xC3]).unwrap();
    let shown = text(&writer.to_vec(&array).unwrap());
    assert!(shown.contains("\\u{1b}]0;title\\u{7}\\u{202e}\\nb"), "{shown}");
    assert!(shown.chars().all(|letter| letter == '\n' || (!letter.is_control() && letter != '\u{202e}')), "{shown}");
}

#[test]
fn items_of_every_kind_have_a_text() {
    let of = |item_type: &str, items: &[u8]| {
        let item_type: ndbytes::ItemType = item_type.parse().unwrap();
        let file = b2nd::Writer::new().bytes_to_vec(&[1], &item_type, items).unwrap();
        text(&file).lines().last().unwrap().trim_start().to_owned()
    };
    assert_eq!(of("|b1", &[1]), "true");
    assert_eq!(of(">i2", &[0xFF, 0xFE]), "-2");
    assert_eq!(of("<f2", &[0, 0x3C]), "1.0");
    assert_eq!(of("<f8", &f64::NAN.to_le_bytes()), "nan");
    assert_eq!(of("<f8", &(-0.0_f64).to_le_bytes()), "-0.0");
    assert_eq!(of("<f4", &f32::INFINITY.to_le_bytes()), "inf");
    assert_eq!(of("<c8", &[1.5_f32.to_le_bytes(), (-2.0_f32).to_le_bytes()].concat()), "1.5-2.0j");
    assert_eq!(of("|S4", b"a\"\x01\0"), "b\"a\\\"\\x01\"");
    assert_eq!(of("<U2", &[0x22, 0, 0, 0, 0, 0xD8, 0, 0]), "\"\\\"\\u{d800}\"");
    assert_eq!(of("<M8[D]", &20_779_i64.to_le_bytes()), "2026-11-22");
    assert_eq!(of("<m8[s]", &i64::MIN.to_le_bytes()), "NaT");
    assert_eq!(of("|V3", &[1, 2, 0xFF]), "0102ff");
    assert_eq!(of("[('x', '<i2'), ('y', 'u1', (2,))]", &[1, 0, 7, 8]), "{x: 1, y: [7, 8]}");
}

#[test]
fn values_that_are_far_more_than_the_file_are_not_read() {
    let folder = tempfile::tempdir().unwrap();
    let recipe = fs::read_to_string(project().join("tests/made/zeros-1-tib.recipe")).unwrap();
    let recipe = Recipe::parse(&recipe).unwrap();
    let path = folder.path().join("zeros.b2nd");
    fs::write(&path, recipe.bytes).unwrap();
    let shown = snapshot::text(&path).to_string();
    assert_eq!(
        lines(&shown, "values"),
        ["values not read: they take 1,099,511,627,776 bytes, which is out of proportion to the file"]
    );
}

#[test]
fn archives_show_the_values_of_their_members() {
    let array = npy_of(&ArrayD::<i16>::zeros(IxDyn(&[3, 2])), false);
    let entries = [Entry::new("a.npy", &array, STORED), Entry::new("readme.txt", b"text", STORED)];
    let shown = text(&zip(&entries));
    assert!(shown.starts_with("zip archive, "), "{shown}");
    assert_eq!(lines(&shown, "member "), ["member \"a.npy\": array <i2 3×2 C"], "{shown}");
    assert_eq!(lines(&shown, "  values blake3 ").len(), 1, "{shown}");
    assert_eq!(lines(&shown, "    0 0").len(), 3, "{shown}");
    let file = zip(&entries);
    let of = |form, values| snapshot::text(&file).form(form).values(values).to_string();
    for digests in [of(1, Values::Folded), of(2, Values::Hash)] {
        assert_eq!(lines(&digests, "    ").len(), 0, "{digests}");
    }
    let large = npy_of(&ArrayD::<i16>::zeros(IxDyn(&[5000])), false);
    let shown = text(&zip(&[Entry::new("large.npy", &large, STORED)]));
    assert_eq!((lines(&shown, "  values blake3 ").len(), lines(&shown, "    ").len()), (1, 0), "{shown}");
}

#[test]
fn files_of_several_tensors_show_the_values_of_each() {
    let header = br#"{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"I16","shape":[1],"data_offsets":[2,4]}}"#;
    let shown = text(&[&(header.len() as u64).to_le_bytes()[..], header, &[1, 2, 3, 0]].concat());
    assert_eq!(lines(&shown, "member "), ["member \"a\": array |u1 2 C", "member \"b\": array <i2 1 C"], "{shown}");
    assert_eq!(lines(&shown, "  values blake3 ").len(), 2, "{shown}");
}
