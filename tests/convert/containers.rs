//! `.npz` and `.safetensors`: several arrays by name, and files that are broken.

use crate::support::run_in;
use ndbytes::ndarray::{Array1, ArrayD, IxDyn};
use ndbytes::{Input, Limits, npy, rawarray};
use ndbytes_convert::{ArraySource, FileKind, Options, Source, Target, Tensors, convert};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A folder with two arrays: `a.npy` and `b.ra`.
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
    // Of a name, what says the kind is left out, and no more.
    std::fs::copy(folder.path().join("b.ra"), folder.path().join("b.v2")).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "a.npy", "b.v2", "named.npz"]).status, 0);
    same(folder.path(), "b.ra", "named.npz!b.v2.npy");
    // An entry is an input as any other.
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
    let words = "error: both.safetensors!c: there is no array \"c\"; the first of those that are there: b, a\n";
    assert_eq!(ended.stderr, words);
    let ended = run_in(folder.path(), &["convert", "--force", "both.safetensors!a", "both.safetensors"]);
    assert!(ended.stderr.contains("is the input file, which is never replaced"), "{}", ended.stderr);
}

/// A file of this header and so many bytes after it.
fn tensors(header: &str, bytes: usize) -> Vec<u8> {
    [&(header.len() as u64).to_le_bytes()[..], header.as_bytes(), &vec![7; bytes]].concat()
}

#[test]
fn broken_tensors_are_refused_by_name() {
    let one = |dtype: &str, shape: &str, from: u64, to: u64| {
        format!("{{\"a\":{{\"dtype\":\"{dtype}\",\"shape\":{shape},\"data_offsets\":[{from},{to}]}}}}")
    };
    let refusal = |bytes: &[u8]| {
        let input = Input::from_slice(bytes, Limits::default());
        Tensors::read(&input, Limits::default()).err().map(|error| error.to_string())
    };
    assert_eq!(refusal(&tensors(&one("I16", "[2]", 0, 4), 4)), None);
    assert_eq!(refusal(&tensors("{\"__metadata__\":{\"by\":\"me\"}}", 0)), None);
    for (header, bytes, words) in [
        (one("I16", "[2]", 0, 4), 5, "has 5 bytes after the header, but its arrays have 4"),
        (one("I16", "[2]", 0, 4), 3, "has 3 bytes after the header, but its arrays have 4"),
        (one("I16", "[2]", 1, 5), 5, "has bytes that belong to no array, or to two, before the array \"a\""),
        (one("I16", "[3]", 0, 4), 4, "has another number of bytes in the array \"a\" than its shape"),
        (
            one("I16", "[4294967296,4294967296]", 0, 4),
            4,
            "has another number of bytes in the array \"a\" than its shape",
        ),
        (one("I16", "[2]", 0, u64::MAX), 4, "has another number of bytes in the array \"a\" than its shape"),
        (one("F4", "[2]", 0, 1), 1, "has elements of \"F4\" in the array \"a\", which ndbytes does not know"),
        ("{\"a\":1}".into(), 0, "has a header that is no JSON of this format: "),
        ("{\"__metadata__\":{\"by\":1}}".into(), 0, "has a header that is no JSON of this format: "),
        ("{".into(), 0, "does not begin with the length of a JSON object that it has"),
    ] {
        let refused = refusal(&tensors(&header, bytes)).unwrap_or_else(|| panic!("{header}"));
        assert!(refused.starts_with(&format!("the .safetensors file {words}")), "{header}: {refused}");
    }
    let twice = format!("{},{}", one("I8", "[0]", 0, 0).trim_end_matches('}'), &one("I8", "[0]", 0, 0)[1..]);
    let twice = twice.replacen("[0,0],", "[0,0]},", 1);
    let refused = refusal(&tensors(&twice, 0)).unwrap();
    assert!(refused.contains("the name \"a\" is there twice"), "{refused}");
    // Nested values end at a bound.
    let deep = format!("{{\"a\":{}", "[".repeat(100_000));
    assert!(refusal(&tensors(&deep, 0)).unwrap().contains("no JSON of this format"));
    let limited = tensors(&format!("{{{}}}", " ".repeat(1 << 20)), 0);
    let input = Input::from_slice(&limited, Limits::default());
    let error = Tensors::read(&input, Limits::default().memory(1 << 20)).unwrap_err().to_string();
    assert!(error.contains("are needed for the header of the .safetensors file"), "{error}");
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
        assert!(Tensors::read(&input, Limits::default()).unwrap().get(name).is_ok(), "{name:?}");
    }
    let sources = [Source::Array(ArraySource::new("__metadata__", &stored))];
    let refused = convert(&sources, FileKind::Safetensors, Target::Stream(&mut Vec::new()), &Options::new());
    assert_eq!(refused.unwrap_err().to_string(), ".safetensors cannot hold an array of the name __metadata__");
}
