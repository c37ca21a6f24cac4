//! Several arrays in one `.npy` file, each of which has an address.

use ndarray::arr1;
use ndbytes::npy::Writer;
use ndbytes::{Array, Checker, Error, Input, Limits, Options, info};
use ndbytes_testkit::cases::folder;
use ndbytes_testkit::zip::{Entry, zip};
use std::path::Path;

/// Three consecutive arrays.
fn three() -> Vec<u8> {
    let mut bytes = Vec::new();
    Writer::new().write_to(&mut bytes, &arr1(&[1_i32, 2])).unwrap();
    Writer::new().write_to(&mut bytes, &arr1(&[0.5_f64; 700])).unwrap();
    Writer::new().write_to(&mut bytes, &arr1(&[7_u8])).unwrap();
    bytes
}

fn open(address: impl AsRef<Path>) -> ndbytes::Result<(String, Vec<usize>, Vec<u8>)> {
    let input = Input::open(address, Limits::default())?;
    assert!(Checker::new().check_input(input.again(Limits::default())?)?.findings().is_empty());
    let array = Array::read(input, &Options::new())?;
    Ok((array.item_type().to_string(), array.shape().to_vec(), array.bytes()?.into_owned()))
}

fn assert_each_opens(file: &Path) {
    let at = |number: &str| open(format!("{}!{number}", file.display()));
    assert_eq!(at("0").unwrap(), ("<i4".to_owned(), vec![2], [1_i32, 2].map(i32::to_le_bytes).concat()));
    assert_eq!(at("1").unwrap(), ("<f8".to_owned(), vec![700], 0.5_f64.to_le_bytes().repeat(700)));
    assert_eq!(at("2").unwrap(), ("|u1".to_owned(), vec![1], vec![7]));
    match at("3").unwrap_err() {
        Error::NoEntry { entry, members, more: 0 } => {
            assert_eq!((entry.as_str(), members.len()), ("3", 3));
            assert!(members[2].to_str().unwrap().ends_with("!2"));
        }
        error => panic!("{error}"),
    }
    assert!(matches!(at("01").unwrap_err(), Error::Io { .. } | Error::NoEntry { .. }));
}

#[test]
fn arrays_of_one_file_are_opened_by_their_numbers() {
    let folder = folder();
    let path = folder.path().join("three.npy");
    std::fs::write(&path, three()).unwrap();
    assert_each_opens(&path);
}

#[test]
fn arrays_of_one_file_inside_gzip_and_in_archives_are_opened_by_their_numbers() {
    let folder = folder();
    let path = folder.path().join("three.npy.gz");
    let mut packed = Vec::new();
    ndbytes::internals::write_gzip(&mut packed, &three(), |_| Ok(())).unwrap();
    std::fs::write(&path, packed).unwrap();
    assert_each_opens(&path);
    let archive = folder.path().join("arrays.npz");
    std::fs::write(&archive, zip(&[Entry::new("three.npy", &three(), 0)])).unwrap();
    assert_each_opens(&archive.with_file_name("arrays.npz!three.npy"));
}

#[test]
fn arrays_of_one_file_are_counted() {
    let bytes = three();
    let input = |bytes| Input::from_slice(bytes, Limits::default());
    let told = info(input(&bytes), &Limits::default()).unwrap();
    assert_eq!(told.details["arrays"], "3, at the addresses `FILE!0` to `FILE!2`");
    let help = |bytes: &[u8]| Checker::new().check_slice(bytes).unwrap().findings()[0].help.clone().unwrap();
    assert!(help(&bytes).starts_with("3 arrays were saved to this file"), "{}", help(&bytes));
    assert!(help(&[&bytes[..], b"x"].concat()).starts_with("at least 3 arrays"));
    assert_eq!(help(&bytes[..200]), "another array begins there, which is cut or damaged");
    // An incomplete array is an error.
    assert!(info(input(&bytes[..bytes.len() - 1]), &Limits::default()).is_err());
}
