//! Pictures of arrays, and arrays of pictures.

use crate::support::{run_in, samples};
use ndbytes::ndarray::{Array2, Array3, Array4, ArrayD, IxDyn};
use ndbytes::{Decoded, Limits, idx, npy};
use ndbytes_convert::{ArraySource, FileKind, Options, Sheet, Source, Target, convert};
use std::fs;
use std::path::Path;

/// The picture of an array, read back through a directory.
fn there_and_back<T: npy::NpyElement>(array: &ArrayD<T>) -> ndbytes_convert::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    npy::Writer::new().write_to(&mut bytes, array).unwrap();
    let stored = crate::support::array(&bytes);
    let mut png = Vec::new();
    let sources = [Source::Array(ArraySource::new("it", &stored))];
    convert(&sources, FileKind::Png, Target::Stream(&mut png), &Options::new())?;
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("1.PNG"), png).unwrap();
    let pictures = ndbytes_convert::Pictures::open(folder.path(), ndbytes::Limits::default()).unwrap().unwrap();
    assert_eq!(pictures.shape()[1..], *array.shape());
    let mut written = Vec::new();
    let sources = [Source::Array(ArraySource::pictures("it", &pictures))];
    convert(&sources, FileKind::Npy, Target::Stream(&mut written), &Options::new())?;
    Ok(crate::support::Values::of(&crate::support::array(&written)).bytes)
}

#[test]
fn pictures_of_bytes_and_words_come_back() {
    let bytes = |shape: &[usize]| {
        ArrayD::from_shape_fn(IxDyn(shape), |place| {
            (0..shape.len()).map(|axis| place[axis] * (7 + axis * 30)).sum::<usize>() as u8
        })
    };
    for shape in [&[5, 9][..], &[1, 1], &[4, 3, 1], &[4, 3, 2], &[7, 2, 3], &[3, 8, 4]] {
        // An axis of a single sample per pixel is dropped when the picture is read back.
        let shape = if shape.last() == Some(&1) && shape.len() == 3 { &shape[..2] } else { shape };
        let array = bytes(shape);
        assert_eq!(there_and_back(&array).unwrap(), array.iter().copied().collect::<Vec<_>>(), "{shape:?}");
        let words = array.mapv(|value| u16::from(value) * 257 + 1);
        let expected: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(there_and_back(&words).unwrap(), expected, "{shape:?}");
    }
    let truth = Array2::from_shape_fn((3, 11), |(row, column)| (row + column) % 3 == 0).into_dyn();
    let expected: Vec<u8> = truth.iter().map(|&value| if value { 255 } else { 0 }).collect();
    assert_eq!(there_and_back(&truth).unwrap(), expected);
}

#[test]
fn words_of_either_byte_order_are_the_same_picture() {
    let words = [258_u16, 1, 65_535, 772, 5, 60_000];
    let picture = |descr: &str, bytes: Vec<u8>| {
        let item_type = descr.parse().unwrap();
        let mut file = Vec::new();
        let mut items = Decoded::new(&bytes, &item_type, &[2, 3]).unwrap();
        npy::Writer::new().write_items_to(&mut file, &mut items, &Limits::default()).unwrap();
        let (stored, mut png) = (crate::support::array(&file), Vec::new());
        let sources = [Source::Array(ArraySource::new("it", &stored))];
        convert(&sources, FileKind::Png, Target::Stream(&mut png), &Options::new()).unwrap();
        png
    };
    let little = picture("<u2", words.iter().flat_map(|word| word.to_le_bytes()).collect());
    assert_eq!(picture(">u2", words.iter().flat_map(|word| word.to_be_bytes()).collect()), little);
}

#[test]
fn what_makes_no_picture_is_refused_by_name() {
    let refusal = |array: ArrayD<u8>| there_and_back(&array).unwrap_err().to_string();
    let words = "PNG cannot hold an array of shape [3, 4, 5], only one item of it or a sheet of its first items";
    assert_eq!(refusal(Array3::zeros((3, 4, 5)).into_dyn()), words);
    assert!(refusal(ArrayD::zeros(IxDyn(&[7]))).contains("of shape [7]"));
    assert_eq!(refusal(Array2::zeros((0, 4)).into_dyn()), "PNG cannot hold a picture of 0 × 4 pixels, 1 × 1 times");
    let floats = there_and_back(&Array2::<f32>::zeros((2, 2)).into_dyn()).unwrap_err().to_string();
    assert_eq!(floats, "PNG cannot hold the type f32 of it");
    let truth = there_and_back(&Array3::<u8>::zeros((2, 2, 3)).mapv(|_| true).into_dyn()).unwrap_err().to_string();
    assert_eq!(truth, "PNG cannot hold colours of booleans");
}

#[test]
fn other_numbers_are_scaled_if_that_is_asked_for() {
    let array =
        ArrayD::from_shape_vec(IxDyn(&[1, 6]), vec![-2.0, 0.0, 2.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY]);
    let mut bytes = Vec::new();
    npy::Writer::new().write_to(&mut bytes, &array.unwrap()).unwrap();
    let stored = crate::support::array(&bytes);
    let folder = tempfile::tempdir().unwrap();
    let sources = [Source::Array(ArraySource::new("it", &stored))];
    let path = folder.path().join("it.png");
    let losses = convert(&sources, FileKind::Png, Target::File(&path), &Options::new().lossy(true)).unwrap();
    let words = "PNG cannot hold the type f64 of it, whose range becomes that of samples, from 0 to 255";
    assert_eq!(losses.iter().map(ToString::to_string).collect::<Vec<_>>(), [words]);
    let ended = run_in(folder.path(), &["convert", "--to", "npy", ".", "-"]);
    assert_eq!(crate::support::array(&ended.stdout).bytes().unwrap()[..], [0, 128, 255, 0, 255, 0]);
}

#[test]
fn a_sheet_has_the_first_items_row_by_row() {
    let folder = tempfile::tempdir().unwrap();
    let digits = samples().join("digits-idx3-ubyte.gz");
    let ended = run_in(folder.path(), &["convert", "--sheet", "2x3", digits.to_str().unwrap(), "sheet.png"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("sheet.idx");
    assert_eq!(run_in(folder.path(), &["convert", ".", out.to_str().unwrap()]).status, 0);
    let sheet = idx::open(out).unwrap().to_array::<u8>().unwrap();
    let items = idx::open(&digits).unwrap().to_array::<u8>().unwrap();
    assert_eq!(sheet.shape(), [1, 2 * items.shape()[1], 3 * items.shape()[2]]);
    for number in 0..6 {
        for row in 0..items.shape()[1] {
            for column in 0..items.shape()[2] {
                let place = [0, number / 3 * items.shape()[1] + row, number % 3 * items.shape()[2] + column];
                assert_eq!(sheet[place], items[[number, row, column]], "{number} {row} {column}");
            }
        }
    }
    let ended = run_in(folder.path(), &["convert", "--sheet", "0x3", digits.to_str().unwrap(), "no.png"]);
    assert!(ended.status == 2 && ended.stderr.contains("such as 4x10"), "{}", ended.stderr);
    // The sheet is black where items are missing.
    npy::write(folder.path().join("few.npy"), &Array4::<u8>::from_elem((2, 2, 2, 3), 9)).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "--sheet", "2x2", "few.npy", "few/few.png"]).status, 2, "no folder");
    fs::create_dir(folder.path().join("few")).unwrap();
    assert_eq!(run_in(folder.path(), &["convert", "--sheet", "2x2", "few.npy", "few/few.png"]).status, 0);
    let ended = run_in(folder.path(), &["convert", "--to", "npy", "few", "-"]);
    let few = crate::support::array(&ended.stdout);
    assert_eq!(few.shape(), [1, 4, 4, 3]);
    assert_eq!(few.bytes().unwrap()[..], [[9; 24], [0; 24]].concat());
}

#[test]
fn a_picture_in_colours_makes_no_sheet_of_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    npy::write(folder.path().join("red.npy"), &Array3::<u8>::zeros((40, 60, 3))).unwrap();
    let ended = run_in(folder.path(), &["convert", "--sheet", "2x2", "red.npy", "red.png"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("PNG cannot hold a sheet of one colour picture"), "{}", ended.stderr);
    // Floats are not colours, so each row of these is an item.
    npy::write(folder.path().join("lines.npy"), &Array3::<f32>::zeros((4, 6, 3))).unwrap();
    let sheet = ["convert", "--lossy", "--sheet", "2x2", "lines.npy", "lines.png"];
    assert_eq!(run_in(folder.path(), &sheet).status, 0);
}

fn picture(path: &Path, shape: (usize, usize), value: u8) {
    let mut bytes = Vec::new();
    npy::Writer::new().write_to(&mut bytes, &Array2::from_elem(shape, value)).unwrap();
    let stored = crate::support::array(&bytes);
    convert(&[Source::Array(ArraySource::new("it", &stored))], FileKind::Png, Target::File(path), &Options::new())
        .unwrap();
}

#[test]
fn a_folder_of_pictures_is_an_array_in_the_order_of_names() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for (name, value) in [("b.png", 2), ("a.png", 1), ("c.PNG", 3)] {
        picture(&folder.path().join("in").join(name), (4, 3), value);
    }
    fs::write(folder.path().join("in/notes.txt"), "no picture").unwrap();
    for (out, named) in [("all.idx", "in"), ("all.ra", "in"), ("some.b2nd", "in[::-2, 1:, 0]")] {
        let ended = run_in(folder.path(), &["convert", named, out]);
        assert_eq!(ended.status, 0, "{}", ended.stderr);
    }
    let all = Array3::from_shape_fn((3, 4, 3), |(number, ..)| number as u8 + 1).into_dyn();
    for name in ["all.idx", "all.ra"] {
        assert_eq!(ndbytes::read::<u8>(folder.path().join(name)).unwrap(), all, "{name}");
    }
    let some = ndbytes::read::<u8>(folder.path().join("some.b2nd")).unwrap();
    assert_eq!((some.shape(), some[[0, 0]], some[[1, 2]]), (&[2, 3][..], 3, 1));
    let ended = run_in(folder.path(), &["convert", "--force", "--to", "idx", "in", "in/b.png"]);
    assert!(ended.stderr.contains("is the input file, which is never replaced"), "{}", ended.stderr);

    picture(&folder.path().join("in/d.png"), (4, 2), 4);
    let ended = run_in(folder.path(), &["convert", "in", "more.idx"]);
    assert_eq!(ended.status, 2);
    let words = "in/d.png: is a picture of 4 × 2 samples of u8, but the first one is of 4 × 3 samples of u8";
    assert!(ended.stderr.contains(words), "{}", ended.stderr);
    fs::write(folder.path().join("in/d.png"), b"\x89PNG\r\n\x1a\nno more").unwrap();
    let ended = run_in(folder.path(), &["convert", "in", "more.idx"]);
    assert!(ended.status == 2 && ended.stderr.contains("in/d.png: ends inside the picture"), "{}", ended.stderr);
    assert!(!folder.path().join("more.idx").exists());
}

#[test]
fn a_picture_that_claims_to_be_huge_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\x7f\xff\xff\xff\x7f\xff\xff\xff\x08\x06\0\0\0".to_vec();
    let crc = crc32(&file[12..29]);
    file.extend(crc.to_be_bytes());
    file.extend(b"\0\0\0\x01IDAT\x78");
    file.extend(crc32(b"IDAT\x78").to_be_bytes());
    fs::write(folder.path().join("a.png"), file).unwrap();
    for kind in ["idx", "npy", "b2nd", "ra"] {
        let ended = run_in(folder.path(), &["convert", "--to", kind, ".", "-"]);
        assert!(ended.status != 0 && ended.stdout.is_empty(), "{kind}");
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
    }
    assert_eq!("2x3".parse(), Ok(Sheet { rows: 2, columns: 3 }));
}

/// The checksum of PNG, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 })
    })
}
