//! safetensors: tensors are read by their addresses, from complete and from truncated files.

use ndarray::{arr1, s};
use ndbytes::archive::{Archive, Opened};
use ndbytes::safetensors::{self, Options, TRUNCATED_PAYLOAD};
use ndbytes::{Array, Checker, Error, Format, Input, Limits, Verdict, detect};
use std::fs;
use std::path::PathBuf;

/// A file with these entries, and these bytes after the header.
fn file(entries: &[&str], data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{{}}}", entries.join(",")).into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    [&(header.len() as u64).to_le_bytes(), &*header, data].concat()
}

const WEIGHT: &str = r#""layer.0.weight":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}"#;
const BIAS: &str = r#""bias!":{"dtype":"BF16","shape":[2],"data_offsets":[16,20]}"#;
const SCALE: &str = r#""scale.npy":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[20,24]}"#;

/// A model of three tensors.
fn model() -> Vec<u8> {
    let numbers = [1.0_f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat();
    file(&[WEIGHT, BIAS, SCALE], &[&*numbers, &[0x80, 0x3f, 0x00, 0x40], &[0x38, 0x40, 0x44, 0x48]].concat())
}

fn on_disk(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

fn address(path: &std::path::Path, name: &str) -> PathBuf {
    format!("{}!{name}", path.display()).into()
}

#[test]
fn tensors_are_members_whatever_their_names() {
    let (_folder, path) = on_disk(&model());
    let archive = Archive::open(&path, Limits::default()).unwrap();
    let names: Vec<&str> = archive.members().iter().map(|member| member.name()).collect();
    assert_eq!((names, archive.kind()), (vec!["layer.0.weight", "bias!", "scale.npy"], "safetensors file"));
    let weight = safetensors::open(address(&path, "layer.0.weight")).unwrap();
    assert_eq!((weight.shape(), weight.view::<f32>().unwrap()[[1, 0]]), (&[2, 2][..], 3.0));
    let bias = ndbytes::open(address(&path, "bias!")).unwrap().into_array().unwrap();
    assert_eq!((bias.format(), bias.dtype().descr()), (Format::Safetensors, "bfloat16".to_owned()));
    // The name of a tensor does not determine the meaning of its bytes.
    let scale = safetensors::open(address(&path, "scale.npy")).unwrap();
    assert_eq!(
        (scale.type_name(), scale.to_array::<f32>().unwrap()),
        ("F8_E4M3", arr1(&[1.0, 2.0, 3.0, 4.0]).into_dyn())
    );
    assert_eq!(Checker::new().check(address(&path, "scale.npy")).unwrap().verdict(), Verdict::Ok);
}

#[test]
fn a_file_of_several_tensors_is_no_array_and_names_them() {
    let (_folder, path) = on_disk(&model());
    let Error::Archive { members, more } = safetensors::open(&path).unwrap_err() else { panic!() };
    assert_eq!((&members[0], members.len(), more), (&address(&path, "layer.0.weight"), 3, 0));
    assert!(matches!(Opened::open(&path, Limits::default()).unwrap(), Opened::Archive(_)));
    let Error::NoEntry { entry, .. } = safetensors::open(address(&path, "bias")).unwrap_err() else { panic!() };
    assert_eq!(entry, "bias");
    assert!(Checker::new().check(&path).unwrap().findings().is_empty());
}

#[test]
fn bytes_of_a_tensor_are_no_file_of_another_format() {
    let inner = [&b"\x1f\x8b\x08\0"[..], b"PK\x03\x04", b"\x93NUMPY\x01\0"].concat();
    let entry = format!(r#""a":{{"dtype":"U8","shape":[{}],"data_offsets":[0,{0}]}}"#, inner.len());
    let more = r#""b":{"dtype":"U8","shape":[0],"data_offsets":[16,16]}"#;
    let (_folder, path) = on_disk(&file(&[&entry, more], &inner));
    let input = Input::open(address(&path, "a"), Limits::default()).unwrap();
    assert!(input.head().is_empty());
    let array = Array::read(input, &ndbytes::Options::new().limits(Limits::default())).unwrap();
    assert_eq!(array.to_array::<u8>().unwrap().as_slice().unwrap(), inner);
}

#[test]
fn whole_tensors_of_a_cut_file_are_read() {
    let mut bytes = model();
    bytes.truncate(bytes.len() - 6);
    let (_folder, path) = on_disk(&bytes);
    let report = Checker::new().check(&path).unwrap();
    let rules: Vec<&str> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, ["safetensors/truncated-payload"; 2]);
    assert_eq!(safetensors::open(address(&path, "layer.0.weight")).unwrap().shape(), [2, 2]);
    let Error::Invalid(finding) = safetensors::open(address(&path, "bias!")).unwrap_err() else { panic!() };
    assert_eq!(finding.rule, &TRUNCATED_PAYLOAD);
    assert_eq!(finding.message, "the tensor \"bias!\" is missing 2 bytes");
}

#[test]
fn a_repair_keeps_whole_tensors_and_drops_others_only_if_it_may() {
    let whole = model();
    let mut bytes = whole.clone();
    bytes.truncate(bytes.len() - 6);
    let options = ndbytes::repair::Options::new();
    let refused = ndbytes::repair::repair(&bytes, &options).unwrap().refused.unwrap();
    assert!(refused.drops && refused.reason.contains("whole tensors are kept: 1 of 3"), "{}", refused.reason);
    let repair = ndbytes::repair::repair(&bytes, &options.dropping(true)).unwrap();
    assert!(repair.is_sound(), "{:?}", repair.report);
    let array = safetensors::from_slice(repair.bytes()).unwrap();
    assert_eq!(array.to_array::<f32>().unwrap().as_slice().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    // Nothing is dropped if the other tensors have no bytes in the file.
    bytes.truncate(bytes.len() - 2);
    let repair = ndbytes::repair::repair(&bytes, &options).unwrap();
    assert!(repair.is_sound() && repair.steps[0].given_up.is_some());
}

#[test]
fn a_slice_of_a_tensor_in_memory_is_that_of_the_file() {
    let (_folder, path) = on_disk(&model());
    let bytes = model();
    let archive = Archive::read(Input::from_slice(&bytes, Limits::default()), Limits::default()).unwrap();
    for archive in [archive, Archive::open(&path, Limits::default()).unwrap()] {
        let input = archive.load(&archive.members()[0]).unwrap();
        let array = Array::read(input, &ndbytes::Options::new()).unwrap();
        let mut column = array.select(s![.., 1]).unwrap();
        assert_eq!(column.read(0, 2).unwrap(), [2.0_f32, 4.0].map(f32::to_le_bytes).concat());
    }
}

#[test]
fn files_are_detected_by_their_header() {
    let bytes = file(&[WEIGHT], &[0; 16]);
    assert_eq!(detect(&bytes, bytes.len() as u64), Some(Format::Safetensors));
    assert_eq!(detect(b"\x02\0\0\0\0\0\0\0{}", 10), Some(Format::Safetensors));
    assert_eq!(detect(b"\x02\0\0\0\0\0\0\0[]", 10), None);
    assert_eq!(detect(b"\x01\0\0\0\0\0\0\0{}", 10), None);
    assert!(Options::new().from_slice(b"\x02\0\0\0\0\0\0\0{}").is_err());
}

#[test]
fn a_header_of_nested_values_ends_at_a_bound() {
    let header = format!("{{\"a\":{}", "[".repeat(100_000));
    let bytes = [&(header.len() as u64).to_le_bytes()[..], header.as_bytes()].concat();
    let error = safetensors::from_slice(&bytes).unwrap_err();
    assert_eq!(error.finding().unwrap().rule.id, "safetensors/syntax");
}

#[test]
fn a_header_takes_no_more_memory_than_is_granted() {
    let bytes = file(&[&" ".repeat(1 << 20)], &[]);
    let limits = Limits::default().memory(1 << 20);
    let Err(error) = Archive::read(Input::from_slice(&bytes, limits), limits) else { panic!() };
    assert!(error.to_string().contains("are needed for the entries of the header"), "{error}");
}
