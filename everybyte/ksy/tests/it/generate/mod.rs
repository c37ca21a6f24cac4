//! Specifications as Rust: their source and the files that it reads.
//!
//! `tests/generated` contains specifications, each with its source. `UPDATE_GENERATED=1` rewrites the sources.

mod gallery;
mod refused;

#[path = "../../generated/around.rs"]
mod around;
#[path = "../../generated/bits.rs"]
mod bits;
#[path = "../../generated/choices.rs"]
mod choices;
#[path = "../../generated/codes.rs"]
mod codes;
#[path = "../../generated/lists.rs"]
mod lists;
#[path = "../../generated/nested.rs"]
mod nested;
#[path = "../../generated/numbers.rs"]
mod numbers;
#[path = "../../generated/rules.rs"]
mod rules;
#[path = "../../generated/texts.rs"]
mod texts;
#[path = "../../generated/values.rs"]
mod values;

use crate::compare::{differences, mutants};
use everybyte::Format;
use everybyte_ksy::Spec;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated")
}

/// Returns the specifications of the folder, and where their sources are.
fn specifications() -> Vec<(Spec, PathBuf)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == "ksy"));
    paths.sort();
    paths.into_iter().map(|path| (Spec::read(&path).unwrap(), path.with_extension("rs"))).collect()
}

#[test]
fn sources_are_those_of_their_specifications() {
    for (spec, path) in specifications() {
        let source = spec.rust().unwrap_or_else(|reasons| panic!("{}: {reasons:?}", path.display()));
        if std::env::var_os("UPDATE_GENERATED").is_some() {
            fs::write(&path, &source).unwrap();
        }
        assert_eq!(fs::read_to_string(&path).unwrap_or_default(), source, "{}", path.display());
    }
}

#[test]
fn sources_are_formatted() {
    let sources = specifications().into_iter().map(|(_, path)| path);
    let config = "max_width=100,use_small_heuristics=Default";
    let mut command = Command::new("rustfmt");
    let output = command.args(["--check", "--edition", "2024", "--config", config]).args(sources).output();
    let output = output.expect("rustfmt belongs to the toolchain of this repository");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

/// Both readers produce the same map for files generated from a layout, for changed and truncated ones, and for a file of the
/// format.
fn agree<F: Format>(name: &str, own: &[u8]) {
    let spec = Spec::read(folder().join(format!("{name}.ksy"))).unwrap();
    assert_eq!(spec.check(own), [], "{name}");
    let mut files = vec![own.to_vec()];
    files.extend((1..=20).filter_map(everybyte::fuzzing::file::<F>));
    for file in &files {
        assert_eq!(differences::<F>(&spec, file), [""; 0], "{name}: {file:02x?}");
        for mutant in mutants(file) {
            assert_eq!(differences::<F>(&spec, &mutant), [""; 0], "{name}: {mutant:02x?}");
        }
    }
}

#[test]
fn numbers_are_read_alike() {
    let file = [&[1, 0xFF, 2, 0, 0xFF, 0xFE, 0, 0, 1, 0][..], &[7; 4], &[8; 8], &[0xFF; 8], &[9; 13]].concat();
    agree::<numbers::Numbers>("numbers", &file);
}

#[test]
fn texts_are_read_alike() {
    let file = b"\x03z\xc3\xbcende\xc3\xbc\0line\nna\xefve\0!!pad   c\0?a..h\0i\0\x01\x02\x03\x04rawsthe rest";
    agree::<texts::Texts>("texts", file);
}

#[test]
fn lists_are_read_alike() {
    let file = b"\x01abc\x01\x02\x03\x04one\0two\0abcabcxyz\0yz\x01\x02\xffk1k2";
    agree::<lists::Lists>("lists", file);
}

#[test]
fn codes_are_read_alike() {
    agree::<codes::Codes>("codes", &[1, 0, 0, 0x12, 0x34, 0xFF, 0xFF, 9]);
}

#[test]
fn bits_are_read_alike() {
    agree::<bits::Bits>("bits", &[0b0111_0010, 5, 0xAB, 0xC0, 1, 2, 1, 2, 3, 4, 5, 6, 0x87]);
}

#[test]
fn choices_are_read_alike() {
    agree::<choices::Choices>("choices", b"\x01\x02ab\x03\x04cdef\x09\x01?\0\0u4\x01\0\0\0rest");
}

#[test]
fn values_of_structures_around_are_read_alike() {
    agree::<around::Around>("around", &[2, 2, 1, b'n', 7, 1, 2, 3, 0]);
}

#[test]
fn computed_sizes_and_conditions_are_read_alike() {
    let file =
        [&[6, 1][..], b"12", &[0; 4], &[1; 3], &[1; 2], &[1; 2], &[2], &[1; 2], &[1; 12], &[1; 1], &[3, 4], &[1; 1]];
    agree::<values::Values>("values", &file.concat());
}

#[test]
fn rules_are_kept_alike() {
    agree::<rules::Rules>("rules", b"RULE\0\xff\x03\x20\0\x05\xfe");
}

#[test]
fn types_inside_themselves_are_read_alike() {
    agree::<nested::NestedFile>("nested", &[2, 3, 0, 1, 1, 0, 2, 1, 9]);
}

#[test]
fn types_inside_themselves_end_at_the_deepest_level() {
    let found = everybyte::check::<nested::NestedFile>(&[1; 1000]);
    assert!(found[0].message.contains("structures are nested more than 64 deep"), "{found:?}");
}
