//! `.npz` and `.safetensors`: several arrays by name, and broken files.

use crate::support::run_in;
use ndbytes::archive::Archive;
use ndbytes::ndarray::{Array1, ArrayD, IxDyn};
use ndbytes::{Input, Limits, npy, rawarray};
use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, convert};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A directory with two arrays: `a.npy` and `b.ra`.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let one = ArrayD::from_shape_fn(IxDyn(&[3, 4]), |place| (place[0] * 4 + place[1]) as i16);
    npy::write(folder.path().join("a.npy"), &one).unwrap();
    let other = ArrayD::from_shape_fn(IxDyn(&[2, 5]), |place| place[0] as f64 - place[1] as f64);
    rawarray::write(folder.path().join("b.ra"), &other, rawarray::Order::Fortran).unwrap();
    folder
}

fn same(folder: &Path, one: &str, other: &str) {
    let ended = run_in(folder, &["diff", "--values-only", one, other]);
    assert_eq!(ended.status, 0, "{one} {other}: {}{}", String::from_utf8_lossy(&ended.stdout), ended.stderr);
}

#[test]
fn several_arrays_are_entries_of_one_archive() {
    let folder = folder();
    for options in [&[][..], &["--compress"]] {
        let arguments = [&["convert", "--force", "a.npy", "b.ra", "both.npz"], options].concat();
        let ended = run_in(folder.path(), &arguments);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
        same(folder.path(), "a.npy", "both.npz!a.npy");
        same(folder.path(), "b.ra", "both.npz!b.npy");
        let checked = run_in(folder.path(), &["check", "--deny-warnings", "both.npz"]);
        assert_eq!(checked.status, 0, "{}", String::from_utf8_lossy(&checked.stdout));
    }
    let ended = run_in(folder.path(), &["convert", "a.npy", "a.npy[1:]", "twice.npz"]);
    assert_eq!(ended.status, 2);
    assert_eq!(ended.stderr, "error: .npz cannot hold two arrays of the name \"a\"\n");
    assert!(!folder.path().join("twice.npz").exists());
    // Only the extension of the kind is removed from a name.
    std::fs::copy(folder.path().join("b.ra"), folder.path().join("b.v2")).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "a.npy", "b.v2", "named.npz"]).status, 0);
    same(folder.path(), "b.ra", "named.npz!b.v2.npy");
    // An archive entry is an input like any other.
    assert_eq!(run_in(folder.path(), &["convert", "both.npz!b.npy[:, 1:]", "part.b2nd"]).status, 0);
    assert_eq!(run_in(folder.path(), &["convert", "b.ra[:, 1:]", "same.b2nd"]).status, 0);
    same(folder.path(), "part.b2nd", "same.b2nd");
}

#[test]
fn several_arrays_are_tensors_of_one_file_and_come_back() {
    let folder = folder();
    let ended = run_in(folder.path(), &["convert", "a.npy", "b.ra", "both.safetensors"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let bytes = fs::read(folder.path().join("both.safetensors")).unwrap();
    let length = u64::from_le_bytes(*bytes.first_chunk().unwrap()) as usize;
    let header = std::str::from_utf8(&bytes[8..8 + length]).unwrap().trim_end();
    let expected = "{\"a\":{\"data_offsets\":[80,104],\"dtype\":\"I16\",\"shape\":[3,4]},\
                    \"b\":{\"data_offsets\":[0,80],\"dtype\":\"F64\",\"shape\":[2,5]}}";
    assert_eq!((header, bytes.len() - 8 - length, length % 8), (expected, 104, 0));

    let named = run_in(folder.path(), &["convert", "both.safetensors!a", "back.npy"]);
    assert_eq!(named.status, 0, "{}", named.stderr);
    same(folder.path(), "a.npy", "back.npy");
    assert_eq!(run_in(folder.path(), &["convert", "both.safetensors!b[:, ::-1]", "back.b2nd"]).status, 0);
    assert_eq!(run_in(folder.path(), &["convert", "b.ra[:, ::-1]", "turned.b2nd"]).status, 0);
    same(folder.path(), "turned.b2nd", "back.b2nd");
    assert_eq!(run_in(folder.path(), &["convert", "both.safetensors", "all.npz"]).status, 0);
    same(folder.path(), "b.ra", "all.npz!b.npy");
    let ended = run_in(folder.path(), &["convert", "both.safetensors!c", "c.npy"]);
    assert_eq!(ended.status, 2);
    let words = "error: both.safetensors!c: there is no entry \"c\"\n  'both.safetensors!b'\n  'both.safetensors!a'\n";
    assert_eq!(ended.stderr, words);
    let ended = run_in(folder.path(), &["convert", "--force", "both.safetensors!a", "both.safetensors"]);
    assert!(ended.stderr.contains("is the input file, which is never replaced"), "{}", ended.stderr);
}

#[test]
fn arrays_are_tensors_of_a_gguf_file_and_come_back() {
    let folder = folder();
    let ended = run_in(folder.path(), &["convert", "a.npy", "b.ra", "both.gguf"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    // There are 24 bytes before the directory, and each tensor is padded.
    let bytes = fs::read(folder.path().join("both.gguf")).unwrap();
    assert_eq!((&bytes[..8], bytes.len()), (&b"GGUF\x03\0\0\0"[..], 128 + 32 + 96));
    let checked = run_in(folder.path(), &["check", "both.gguf"]);
    assert_eq!((checked.status, &*checked.stdout), (0, &b"1 file: 1 ok\n"[..]), "{}", checked.stderr);
    assert_eq!(run_in(folder.path(), &["convert", "both.gguf!a", "back.npy"]).status, 0);
    same(folder.path(), "a.npy", "back.npy");
    assert_eq!(run_in(folder.path(), &["convert", "both.gguf", "all.npz"]).status, 0);
    same(folder.path(), "b.ra", "all.npz!b.npy");
    let ended = run_in(folder.path(), &["convert", "both.gguf!c", "c.npy"]);
    assert_eq!(ended.stderr, "error: both.gguf!c: there is no entry \"c\"\n  'both.gguf!a'\n  'both.gguf!b'\n");
}

/// Anything that GGUF cannot hold is refused with its name; numbers are widened if that is allowed.
#[test]
fn gguf_refuses_types_axes_and_names_that_it_does_not_have() {
    let stored = |array: &ndbytes::ndarray::ArrayD<u8>| {
        let mut bytes = Vec::new();
        npy::Writer::new().write_to(&mut bytes, array).unwrap();
        bytes
    };
    let written = |bytes: &[u8], name: &str, options: &Options<'_>| {
        let (array, mut written) = (crate::support::array(bytes), Vec::new());
        let sources = [Source::Array(ArraySource::new(name, &array))];
        convert(&sources, FileKind::Gguf, Target::Stream(&mut written), options).map(|_| written)
    };
    let refusal =
        |bytes: &[u8], name: &str, options: &Options<'_>| written(bytes, name, options).unwrap_err().to_string();
    let row = stored(&Array1::from_vec(vec![1_u8, 200, 3]).into_dyn());
    assert_eq!(refusal(&row, "a", &Options::new()), "GGUF cannot hold the type u8 of a");
    let lossy = Options::new().lossy(true);
    let file = written(&row, "a", &lossy).unwrap();
    let tensor = ndbytes::gguf::from_slice(&file).unwrap();
    assert_eq!((tensor.type_name(), tensor.to_array::<i16>().unwrap()[1]), ("I16", 200));
    let deep = stored(&ndbytes::ndarray::ArrayD::zeros(vec![1; 5]));
    assert_eq!(refusal(&deep, "a", &lossy), "GGUF cannot hold an array of 5 axes, which exceed the maximum of 4");
    assert!(written(&row, &"n".repeat(64), &lossy).is_ok());
    let said = refusal(&row, &"n".repeat(65), &lossy);
    assert!(said.ends_with("has more than 64 bytes: give it another name"), "{said}");
}

#[test]
fn names_of_any_letters_come_back() {
    let array = Array1::from_vec(vec![1_u8, 2, 3]).into_dyn();
    let mut bytes = Vec::new();
    npy::Writer::new().write_to(&mut bytes, &array).unwrap();
    let stored = crate::support::array(&bytes);
    for name in ["Größe", "a\"b\\c", "\u{1}", "日本語", ""] {
        let mut written = Vec::new();
        let sources = [Source::Array(ArraySource::new(name, &stored))];
        convert(&sources, FileKind::Safetensors, Target::Stream(&mut written), &Options::new()).unwrap();
        let input = Input::from_slice(&written, Limits::default());
        let archive = Archive::read(input, Limits::default()).unwrap();
        assert_eq!(archive.members().iter().map(|member| member.name()).collect::<Vec<_>>(), [name]);
    }
    let sources = [Source::Array(ArraySource::new("__metadata__", &stored))];
    let refused = convert(&sources, FileKind::Safetensors, Target::Stream(&mut Vec::new()), &Options::new());
    assert_eq!(refused.unwrap_err().to_string(), ".safetensors cannot hold an array of the name __metadata__");
}
