//! Expected texts are the output of NumPy 2.4.6, unless a test states otherwise.

use super::*;
use ndbytes::{Dtype, ElementKind, Scalar};

fn text(shape: &[usize], item: &mut dyn FnMut(usize) -> Scalar) -> String {
    try_text(shape, item).expect("strings can be written to")
}

fn try_text(shape: &[usize], item: &mut dyn FnMut(usize) -> Scalar) -> Result<String, Stop> {
    let (item_type, buffer) = (ItemType::Plain(type_of(item, shape)), Vec::new());
    let mut text = String::new();
    write_array(&mut text, &mut Made { shape, item, item_type, buffer })?;
    Ok(text)
}

fn scalar_text(scalar: &Scalar) -> String {
    text(&[], &mut |_| scalar.clone())
}

/// Items that are generated on demand.
struct Made<'a> {
    shape: &'a [usize],
    item: &'a mut dyn FnMut(usize) -> Scalar,
    item_type: ItemType,
    buffer: Vec<u8>,
}

impl Items for Made<'_> {
    fn item_type(&self) -> &ItemType {
        &self.item_type
    }

    fn shape(&self) -> &[usize] {
        self.shape
    }

    fn read(&mut self, start: u64, count: u64) -> ndbytes::Result<&[u8]> {
        self.buffer.clear();
        for place in start..start + count {
            let bytes: Vec<u8> = match (self.item)(place as usize) {
                Scalar::Bool(value) => vec![value.into()],
                Scalar::Int(value) => value.to_le_bytes().into(),
                Scalar::Uint(value) => value.to_le_bytes().into(),
                Scalar::F16(value) => value.to_le_bytes().into(),
                Scalar::F32(value) => value.to_le_bytes().into(),
                Scalar::F64(value) => value.to_le_bytes().into(),
                Scalar::Complex64(re, im) => [re.to_le_bytes(), im.to_le_bytes()].concat(),
                Scalar::Complex128(re, im) => [re.to_le_bytes(), im.to_le_bytes()].concat(),
                Scalar::Bytes(bytes) => bytes,
                other => unreachable!("{other:?} is in no test"),
            };
            self.buffer.extend(bytes);
        }
        Ok(&self.buffer)
    }
}

fn type_of(item: &mut dyn FnMut(usize) -> Scalar, shape: &[usize]) -> Dtype {
    let kind = match shape.contains(&0) {
        true => ElementKind::U8,
        false => match item(0) {
            Scalar::Bool(_) => ElementKind::Bool,
            Scalar::Int(_) => ElementKind::I128,
            Scalar::Uint(_) => ElementKind::U128,
            Scalar::F16(_) => ElementKind::F16,
            Scalar::F32(_) => ElementKind::F32,
            Scalar::Complex64(..) => ElementKind::Complex64,
            Scalar::Complex128(..) => ElementKind::Complex128,
            Scalar::Bytes(bytes) => ElementKind::Record(bytes.len() as u64),
            _ => ElementKind::F64,
        },
    };
    Dtype { kind, endian: ndbytes::everybyte::Endian::Little }
}

fn row<T: Copy>(values: &[T], item: impl Fn(T) -> Scalar) -> String {
    text(&[values.len()], &mut |k| item(values[k]))
}

#[test]
fn doubles() {
    assert_eq!(row(&[1.0, 2.5, -3.125], Scalar::F64), "[ 1.     2.5   -3.125]");
    assert_eq!(row(&[1.0 / 3.0, 0.5], Scalar::F64), "[0.33333333 0.5       ]");
    assert_eq!(row(&[f64::NAN, f64::NEG_INFINITY, -0.0, 1.0], Scalar::F64), "[ nan -inf  -0.   1.]");
}

#[test]
fn exponents() {
    assert_eq!(row(&[1e10, -1.5e-7, 0.0], Scalar::F64), "[ 1.0e+10 -1.5e-07  0.0e+00]");
    assert_eq!(row(&[1e100, 1e-5], Scalar::F64), "[1.e+100 1.e-005]");
    assert_eq!(row(&[99_999_999.0], Scalar::F64), "[99999999.]");
    assert_eq!(row(&[1e8], Scalar::F64), "[1.e+08]");
    assert_eq!(row(&[f64::NAN, -1e9], Scalar::F64), "[    nan -1.e+09]");
}

#[test]
fn singles() {
    let values = [0.1, 1.0 / 3.0, 16777.0];
    assert_eq!(row(&values, Scalar::F32), "[1.0000000e-01 3.3333334e-01 1.6777000e+04]");
    assert_eq!(row(&[1e6, 1.5], Scalar::F32), "[1.0e+06 1.5e+00]");
    // The smallest single is printed with digits far beyond its precision.
    let values = [6.051_262_6e14, 5e-9, 1e-45];
    assert_eq!(row(&values, Scalar::F32), "[6.0512626e+14 5.0000000e-09 1.4012985e-45]");
}

#[test]
fn halves() {
    let values = [0.1, 999.5, 1.0 / 3.0].map(half::f16::from_f64);
    assert_eq!(row(&values, Scalar::F16), "[9.998e-02 9.995e+02 3.333e-01]");
    assert_eq!(row(&[65504.0, 0.1].map(half::f16::from_f64), Scalar::F16), "[6.55e+04 1.00e-01]");
    assert_eq!(scalar_text(&Scalar::F16(half::f16::from_f64(0.015_625))), "0.01563");
}

#[test]
fn integers() {
    assert_eq!(row(&[u128::from(u64::MAX), 0], Scalar::Uint), "[18446744073709551615                    0]");
    let values = [1, -20, 300, 4];
    assert_eq!(text(&[2, 2], &mut |k| Scalar::Int(values[k])), "[[  1 -20]\n [300   4]]");
}

#[test]
fn booleans() {
    assert_eq!(row(&[true, false], Scalar::Bool), "[ True False]");
    assert_eq!(row(&[true], Scalar::Bool), "[ True]");
}

#[test]
fn complex_numbers() {
    let values = [(1.0, 2.0), (-0.5, -10.25), (f64::NAN, f64::INFINITY)];
    assert_eq!(row(&values, |(re, im)| Scalar::Complex128(re, im)), "[ 1.  +2.j   -0.5-10.25j  nan  +infj]");
    let values = [(1.0, 1e-5), (1e7, -2.0)];
    assert_eq!(row(&values, |(re, im)| Scalar::Complex64(re, im)), "[1.e+00+1.e-05j 1.e+07-2.e+00j]");
}

#[test]
fn raw_records() {
    assert_eq!(row(&[[1, 0xab], *b"AB"], |b| Scalar::Bytes(b.to_vec())), r"[b'\x01\xAB' b'\x41\x42']");
}

#[test]
fn real_scalars() {
    let doubles = [1.0, -0.0, 1e15, 1e16, 1e-4, 9.9e-5, f64::NAN].map(|x| scalar_text(&Scalar::F64(x)));
    assert_eq!(doubles, ["1.0", "-0.0", "1000000000000000.0", "1e+16", "0.0001", "9.9e-05", "nan"]);
    // The last number is halfway between two shortest texts.
    let singles = [0.1, 1e6, 1_234_567.0, 320_124.0 + 0.125].map(|x| scalar_text(&Scalar::F32(x)));
    assert_eq!(singles, ["0.1", "1e+06", "1.234567e+06", "320124.12"]);
}

#[test]
fn complex_scalars() {
    let values = [(0.0, 1.0), (-0.0, 2.0), (1.0, -0.0), (1e16, 1.0), (f64::NAN, f64::INFINITY)];
    let texts = values.map(|(re, im)| scalar_text(&Scalar::Complex128(re, im)));
    assert_eq!(texts, ["1j", "(-0+2j)", "(1-0j)", "(1e+16+1j)", "(nan+infj)"]);
}

#[test]
fn no_dimensions_and_no_elements() {
    assert_eq!(text(&[], &mut |_| Scalar::F64(1.5)), "1.5");
    for shape in [&[0][..], &[2, 0, 3], &[usize::MAX, usize::MAX, 0]] {
        assert_eq!(text(shape, &mut |_| unreachable!("there is no element")), "[]");
    }
}

#[test]
fn three_dimensions() {
    assert_eq!(text(&[2, 2, 2], &mut |k| Scalar::Int(k as i128)), "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
}

#[test]
fn long_lines_are_broken() {
    assert_eq!(
        text(&[30], &mut |k| Scalar::F64(k as f64 + 0.5)),
        "[ 0.5  1.5  2.5  3.5  4.5  5.5  6.5  7.5  8.5  9.5 10.5 11.5 12.5 13.5\n \
         14.5 15.5 16.5 17.5 18.5 19.5 20.5 21.5 22.5 23.5 24.5 25.5 26.5 27.5\n \
         28.5 29.5]"
    );
}

#[test]
fn summaries() {
    assert_eq!(text(&[1001], &mut |k| Scalar::Int(k as i128)), "[   0    1    2 ...  998  999 1000]");
    assert!(!text(&[1000], &mut |k| Scalar::Int(k as i128)).contains(ELLIPSIS));
    assert_eq!(
        text(&[7, 2, 100], &mut |k| Scalar::Int(k as i128)),
        "[[[   0    1    2 ...   97   98   99]\n  [ 100  101  102 ...  197  198  199]]\n\n \
         [[ 200  201  202 ...  297  298  299]\n  [ 300  301  302 ...  397  398  399]]\n\n \
         [[ 400  401  402 ...  497  498  499]\n  [ 500  501  502 ...  597  598  599]]\n\n ...\n\n \
         [[ 800  801  802 ...  897  898  899]\n  [ 900  901  902 ...  997  998  999]]\n\n \
         [[1000 1001 1002 ... 1097 1098 1099]\n  [1100 1101 1102 ... 1197 1198 1199]]\n\n \
         [[1200 1201 1202 ... 1297 1298 1299]\n  [1300 1301 1302 ... 1397 1398 1399]]]"
    );
}

#[test]
fn only_shown_elements_are_read() {
    let mut calls = 0;
    let last = (1_usize << 50) - 1;
    let text = text(&[1 << 20, 1 << 30], &mut |k| {
        calls += 1;
        assert!(k <= last);
        Scalar::Bool(k == last)
    });
    // One more call determines the type.
    assert_eq!(calls, 2 * 6 * 6 + 1);
    assert!(text.ends_with("[False False False ... False False  True]]"));
}

/// NumPy supports at most 64 axes; beyond that, the text follows the same rules.
#[test]
fn many_dimensions() {
    let mut shape = [1; 255];
    shape[254] = 2;
    let expected = format!("{}0\n{}1{}", "[".repeat(255), " ".repeat(255), "]".repeat(255));
    assert_eq!(text(&shape, &mut |k| Scalar::Uint(k as u128)), expected);
    shape[0] = 100_000;
    assert!(text(&shape, &mut |k| Scalar::Uint(k as u128)).ends_with(&"]".repeat(255)));
}

/// NumPy cannot print such an array, but the shape in a damaged file must not cause a panic.
#[test]
fn nonsense_is_survived() {
    let items = [i128::MIN, 0, i128::MAX, 1];
    let stop = try_text(&[usize::MAX, usize::MAX], &mut |k| Scalar::Int(items[k % 4])).unwrap_err();
    assert!(matches!(stop, Stop::Input(Error::OutOfRange { .. })));
}
