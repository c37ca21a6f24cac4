//! `.npy` through the public interface. Written arrays are read back bit for bit, pickles are refused, and arrays in
//! NumPy archives are read in place.

use half::{bf16, f16};
use ndarray::{IxDyn, arr0, arr1, arr2};
use ndbytes::everybyte::Endian;
use ndbytes::npy::{self, NpyElement, Writer};
use ndbytes::{
    Array, Decoded, Dtype, Element, ElementKind, Error, Format, Input, ItemType, Limits, Options, Profile, Scalar,
    detect,
};
use ndbytes_testkit::cases::{Case, assert_clean, bits, cases, folder, npy_file, rule};
use num_complex::Complex;
use proptest::prelude::*;
use std::fmt::Debug;

fn npy_comes_back<T: NpyElement + Element + Debug>(case: &Case) {
    let array = case.array::<T>();
    let view = case.look(&array);
    for is_fortran_order in [false, true] {
        let mut bytes = Vec::new();
        Writer::new().fortran_order(is_fortran_order).write_to(&mut bytes, &view).unwrap();
        assert_eq!(Writer::new().fortran_order(is_fortran_order).to_vec(&view).unwrap(), bytes);
        let file = npy::from_slice(&bytes).unwrap();
        assert_eq!((file.shape(), file.is_fortran_order()), (view.shape(), is_fortran_order));
        assert_eq!(file.dtype(), Dtype { kind: <T as Element>::KIND, endian: file.dtype().endian });
        assert_eq!(bits(&file.to_array::<T>().unwrap()), bits(&view));
        assert_eq!(file.header().payload.offset % 64, 0);
        assert_clean(&bytes, Profile::Strict, &[]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn npy_files_come_back_to_the_bit(case in cases(0..5)) {
        npy_comes_back::<i8>(&case);
        npy_comes_back::<i16>(&case);
        npy_comes_back::<i32>(&case);
        npy_comes_back::<i64>(&case);
        npy_comes_back::<u8>(&case);
        npy_comes_back::<u16>(&case);
        npy_comes_back::<u32>(&case);
        npy_comes_back::<u64>(&case);
        npy_comes_back::<f16>(&case);
        npy_comes_back::<f32>(&case);
        npy_comes_back::<f64>(&case);
        npy_comes_back::<Complex<f32>>(&case);
        npy_comes_back::<Complex<f64>>(&case);
    }
}

#[test]
fn elements_that_numpy_lacks_become_their_parts() {
    let of = |bytes: &[u8]| npy::from_slice(bytes).unwrap().item_type().to_string();
    assert_eq!(of(&npy_file(&arr0(1_i128).into_dyn())), "[('lo', '<u8'), ('hi', '<i8')]");
    assert_eq!(of(&npy_file(&arr0(1_u128).into_dyn())), "[('lo', '<u8'), ('hi', '<u8')]");
    let half = arr0(Complex::new(f16::ONE, f16::ZERO)).into_dyn();
    assert_eq!(of(&npy_file(&half)), "[('re', '<f2'), ('im', '<f2')]");
    let brain = npy_file(&arr0(bf16::ONE).into_dyn());
    assert_eq!((of(&brain).as_str(), &brain[brain.len() - 2..]), ("|V2", &[0x80, 0x3f][..]));
}

#[test]
fn truth_values_are_read_as_such() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let array = arr2(&[[true, false], [false, true]]);
    Writer::new().fortran_order(true).write(&path, &array).unwrap();
    let file = npy::open(&path).unwrap();
    assert_eq!(file.dtype().descr(), "|b1");
    assert_eq!(file.to_bool_array().unwrap(), array.into_dyn());
    assert!(matches!(file.to_array::<u8>(), Err(Error::WrongType { .. })));
}

#[test]
fn structures_are_written_and_read_item_by_item() {
    let folder = folder();
    let path = folder.path().join("a.npy");
    let item_type: ItemType = "[('a', '<i2'), ('b', '>i4', (2,))]".parse().unwrap();
    let bytes: Vec<u8> = [1_i16.to_le_bytes().to_vec(), [2_i32, 3].map(i32::to_be_bytes).concat()].concat().repeat(6);
    let mut items = Decoded::new(&bytes, &item_type, &[2, 3]).unwrap();
    npy::write_items(&path, &mut items, &Limits::default()).unwrap();

    let mut written = Vec::new();
    Writer::new().write_items_to(&mut written, &mut items, &Limits::default()).unwrap();
    assert_eq!(written, std::fs::read(&path).unwrap());
    let file = npy::open(&path).unwrap();
    assert_eq!((file.item_type(), file.shape()), (&item_type, &[2, 3][..]));
    assert_eq!(file.dtype().kind, ElementKind::Record(10));
    assert_eq!(file.bytes().unwrap(), bytes);
    assert_eq!(file.view_records::<[u8; 10]>().unwrap().dim(), IxDyn(&[2, 3]));
    assert_eq!(file.items().read(1, 2).unwrap(), &bytes[10..30]);
    let pair = Scalar::Subarray(vec![2], vec![Scalar::Int(2), Scalar::Int(3)]);
    let expected = Scalar::Structure(vec![("a".into(), Scalar::Int(1)), ("b".into(), pair)]);
    let array = Array::read(Input::open(&path, Limits::default()).unwrap(), &Options::new()).unwrap();
    assert_eq!(array.scalar(5).unwrap(), expected);
    assert!(matches!(array.scalar(6), Err(Error::OutOfRange { index: 6, length: 6 })));
}

#[test]
fn items_in_fortran_order_are_given_in_c_order() {
    let mut bytes = Vec::new();
    Writer::new().fortran_order(true).write_to(&mut bytes, &arr2(&[[1_u8, 2, 3], [4, 5, 6]])).unwrap();
    let file = npy::from_slice(&bytes).unwrap();
    assert_eq!(file.bytes().unwrap(), [1, 4, 2, 5, 3, 6]);
    assert_eq!(file.items().read(0, 6).unwrap(), [1, 2, 3, 4, 5, 6]);
}

/// A file with this dictionary, and these bytes after it.
fn file(dictionary: &str, items: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\0".to_vec();
    let length = (10 + dictionary.len() + 1).next_multiple_of(64) - 10;
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(format!("{dictionary:0$}\n", length - 1).bytes());
    [&bytes, items].concat()
}

fn described(descr: &str, shape: &str, items: &[u8]) -> Vec<u8> {
    file(&format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}"), items)
}

#[test]
fn python_objects_are_refused_by_name() {
    for descr in ["'|O'", "'O'", "'object'", "[('a', '|u1'), ('b', '|O')]", "('|O', (2,))", "'u1,O'", "'T'"] {
        let bytes = described(descr, "(1,)", b"\x80\x04N.");
        let error = npy::from_slice(&bytes).unwrap_err();
        assert_eq!(rule(error), "npy/objects", "{descr}");
        assert_eq!(
            rule(ndbytes::info(Input::from_slice(&bytes, Limits::default()), &Limits::default()).unwrap_err()),
            "npy/objects"
        );
    }
}

#[test]
fn tolerated_breaches_are_listed() {
    let bytes = described("'|u1'", "(2,)", &[1, 2, 3]);
    assert_eq!(rule(npy::from_slice(&bytes).unwrap_err()), "npy/trailing-bytes");
    let file = npy::Options::new().tolerate(&npy::TRAILING_BYTES).from_slice(&bytes).unwrap();
    assert_eq!((file.bytes().unwrap(), file.tolerated()[0].rule), (&[1, 2][..], &npy::TRAILING_BYTES));
    let twice = "{'descr': '|u1', 'fortran_order': False, 'shape': (9,), 'shape': (2,), }";
    let bytes = self::file(twice, &[1, 2]);
    let file = npy::Options::new().tolerate(&npy::DUPLICATE_KEY).from_slice(&bytes).unwrap();
    assert_eq!(file.shape(), [2]);
}

#[test]
fn raw_bytes_are_read_as_the_numbers_that_a_caller_says_they_are() {
    let brain = Dtype::new(ElementKind::Bf16, Endian::Little);
    let options = npy::Options::new().void_as(brain);
    let raw = described("'<V2'", "(2,)", &[0x80, 0x3f, 0x40, 0xc0]);
    let file = options.from_slice(&raw).unwrap();
    assert_eq!((file.dtype(), file.item_type()), (brain, &ItemType::Plain(brain)));
    assert_eq!(file.to_array::<bf16>().unwrap(), arr1(&[bf16::ONE, bf16::from_f32(-3.0)]).into_dyn());
    assert!(npy::from_slice(&raw).unwrap().warnings().is_empty(), "ml_dtypes writes this name");
    // Other types remain as stated in the file.
    assert_eq!(options.from_slice(&described("'<i2'", "(1,)", &[1, 0])).unwrap().dtype().descr(), "<i2");
    let wide = described("'|V4'", "(1,)", &[1, 2, 3, 4]);
    assert!(matches!(options.from_slice(&wide).unwrap_err(), Error::WrongType { requested, .. } if requested == brain));
    let boolean = npy::Options::new().void_as(Dtype::new(ElementKind::Bool, Endian::Little));
    assert!(boolean.from_slice(&described("'|V1'", "(1,)", &[7])).is_err());
}

#[test]
fn types_are_read_as_numpy_reads_them() {
    let cases = [
        ("'f4'", "<f4"),
        ("'=f4'", "<f4"),
        ("'>d'", ">f8"),
        ("'float'", "<f8"),
        ("'ulonglong'", "<u8"),
        ("'\\x0c'", "<f8"),
        ("'a3'", "|S3"),
        ("'c'", "|S1"),
        ("'<M8[s/2]'", "<M8[500ms]"),
        ("'>m8[3D/24]'", ">m8[3h]"),
        ("'>datetime64'", ">M8"),
        ("'datetime64[D]'", "<M8[D]"),
        ("'U+2'", "<U2"),
        ("('S', 5)", "|S5"),
        ("('<f4', ())", "<f4"),
        ("'5U'", "<U5"),
        ("'i4,>f8'", "[('f0', '<i4'), ('f1', '>f8')]"),
        ("'(2, 3)i4, f8,'", "[('f0', '<i4', (2, 3)), ('f1', '<f8')]"),
        ("[('', '<f4')]", "{'names': [''], 'formats': ['<f4'], 'offsets': [0], 'itemsize': 4}"),
        ("[('', '<f4', (2,)), ('a', '|u1')]", "{'names': ['a'], 'formats': ['u1'], 'offsets': [8], 'itemsize': 9}"),
        ("['ab']", "[('a', 'i1')]"),
        ("u'<f4'", "<f4"),
        ("'<' 'f4'", "<f4"),
        ("'''<f4'''", "<f4"),
    ];
    for (descr, expected) in cases {
        let bytes = described(descr, "(0,)", &[]);
        let file = npy::from_slice(&bytes).unwrap_or_else(|error| panic!("{descr}: {error}"));
        assert_eq!(file.item_type().to_string(), expected, "{descr}");
    }
    for descr in [
        "'<float64'",
        "'f3'",
        "'<M8[s/0]'",
        "'<M8[]'",
        "'S-1'",
        "','",
        "'(2)f4'",
        "'<2>f4'",
        "'i4,,i4'",
        "''",
        "{}",
        "[('a', '<f4', None)]",
    ] {
        let bytes = described(descr, "(0,)", &[]);
        assert_eq!(rule(npy::from_slice(&bytes).unwrap_err()), "npy/descr", "{descr}");
    }
}

#[test]
fn magic_with_one_wrong_byte_is_still_npy() {
    let magic = b"\x93NUMPY";
    for place in 0..magic.len() {
        let mut head = magic.to_vec();
        head[place] ^= 0x20;
        assert_eq!(detect(&head, 6), Some(Format::Npy));
        assert_eq!(rule(npy::from_slice(&head).unwrap_err()), "npy/bad-magic");
    }
    assert_eq!(detect(&magic[..5], 5), Some(Format::Npy));
    assert_eq!(rule(npy::from_slice(&magic[..5]).unwrap_err()), "npy/truncated-header");
}

#[test]
fn items_of_either_byte_order_are_the_same_numbers() {
    let little = described("'<i4'", "(2,)", &[1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff]);
    let big = described("'>i4'", "(2,)", &[0, 0, 0, 1, 0xff, 0xff, 0xff, 0xfe]);
    for (bytes, endian) in [(little, Endian::Little), (big, Endian::Big)] {
        let file = npy::from_slice(&bytes).unwrap();
        assert_eq!(file.dtype().endian, endian);
        assert_eq!(file.to_array::<i32>().unwrap(), arr1(&[1, -2]).into_dyn());
        assert_eq!(file.view::<i32>().is_ok(), endian == Endian::NATIVE);
    }
}
