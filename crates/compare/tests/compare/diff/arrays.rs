//! Differences of the values of arrays.

use ndarray::Array2;
use ndbytes::{Input, Limits, b2nd, rawarray};
use ndbytes_compare::diff::{Datum, Diff, Difference, Options, Tolerance, Values, Verdict, diff};
use ndbytes_testkit::corpus;
use ndbytes_testkit::sources::Counted;
use proptest::prelude::*;

fn input(bytes: &[u8]) -> Input<'_> {
    Input::from_slice(bytes, Limits::default())
}

pub fn compared(a: &[u8], b: &[u8], options: &Options) -> Diff {
    diff(&input(a), &input(b), options).unwrap()
}

/// The differences of the values of two files, compared exactly.
pub fn values(a: &[u8], b: &[u8]) -> Values {
    compared(a, b, &Options::new()).values.unwrap()
}

pub fn with(a: &[u8], b: &[u8], tolerance: Tolerance) -> Values {
    compared(a, b, &Options::new().tolerance(tolerance)).values.unwrap()
}

/// A `.npy` file.
fn npy(descr: &str, shape: &str, is_fortran: bool, payload: &[u8]) -> Vec<u8> {
    let order = if is_fortran { "True" } else { "False" };
    let quoted = if descr.starts_with('[') { descr.to_owned() } else { format!("'{descr}'") };
    let mut text = format!("{{'descr': {quoted}, 'fortran_order': {order}, 'shape': {shape}, }}");
    let padded = (10 + text.len() + 1).next_multiple_of(64) - 10;
    text.extend(std::iter::repeat_n(' ', padded - 1 - text.len()));
    text.push('\n');
    [b"\x93NUMPY\x01\0", &(text.len() as u16).to_le_bytes()[..], text.as_bytes(), payload].concat()
}

/// A row of items.
pub fn row(descr: &str, count: usize, payload: &[u8]) -> Vec<u8> {
    npy(descr, &format!("({count},)"), false, payload)
}

fn singles(numbers: &[f32]) -> Vec<u8> {
    row("<f4", numbers.len(), &numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>())
}

pub fn doubles(numbers: &[f64]) -> Vec<u8> {
    row("<f8", numbers.len(), &numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>())
}

fn idx(dims: &[u32], payload: &[u8]) -> Vec<u8> {
    let dims_bytes: Vec<u8> = dims.iter().flat_map(|dim| dim.to_be_bytes()).collect();
    [&[0, 0, 8, dims.len() as u8][..], &dims_bytes, payload].concat()
}

fn indices(values: &Values) -> Vec<&[u64]> {
    values.first.iter().map(|difference| &difference.index[..]).collect()
}

fn pair(difference: &Difference) -> (&Datum, &Datum) {
    (&difference.a, &difference.b)
}

#[test]
fn a_value_that_json_has_no_number_for_is_text() {
    let values = [Datum::F32(f32::NAN), Datum::F64(f64::NEG_INFINITY), Datum::F32(-30.8), Datum::Uint(u128::MAX)];
    let json = values.map(|value| serde_json::to_string(&value).unwrap());
    assert_eq!(json, ["\"nan\"", "\"-inf\"", "-30.8", "340282366920938463463374607431768211455"]);
}

#[test]
fn equal_bytes_are_identical_and_are_not_opened() {
    let broken = b"\0\0\x08\x01\0\0\0\x09\x01";
    let found = compared(broken, broken, &Options::new());
    assert_eq!((found.verdict, found.values, found.first_byte), (Verdict::Identical, None, None));
}

#[test]
fn one_item_has_its_index_and_its_byte() {
    let mut items: Vec<u8> = (0..24).collect();
    let a = idx(&[2, 3, 4], &items);
    items[17] = 99;
    let found = values(&a, &idx(&[2, 3, 4], &items));
    assert_eq!((found.compared, found.different, found.verdict), (24, 1, Verdict::ValuesDiffer));
    assert_eq!((indices(&found), pair(&found.first[0])), (vec![&[1, 1, 1][..]], (&Datum::Uint(17), &Datum::Uint(99))));
    assert_eq!(found.first[0].offset, Some(16 + 17));
}

#[test]
fn the_first_differences_are_those_in_c_order_whatever_the_order_in_the_files() {
    // 2 × 3, stored column by column.
    let a = npy("|u1", "(2, 3)", true, &[0, 3, 1, 4, 2, 5]);
    let b = npy("|u1", "(2, 3)", true, &[0, 30, 1, 4, 20, 5]);
    let found = compared(&a, &b, &Options::new().most(1)).values.unwrap();
    assert_eq!((found.different, indices(&found)), (2, vec![&[0, 2][..]]));
    assert_eq!(found.first[0].offset, Some(128 + 4));
    // Compared with a file in C order, nothing else differs.
    let rows = npy("|u1", "(2, 3)", false, &[0, 1, 20, 30, 4, 5]);
    assert_eq!(values(&b, &rows).verdict, Verdict::SameValues);
}

/// The items of an encoded RawArray are also in Fortran order, though not contiguous in the file.
#[test]
fn an_encoded_array_is_compared_with_one_in_fortran_order() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    let array = ndarray::Array2::from_shape_fn((26, 2), |(row, column)| (row * 2 + column) as u16 / 3);
    let writer = ndbytes::rawarray::Writer::new().lz4(true);
    writer.write(&path, &array, ndbytes::rawarray::Order::Fortran).unwrap();
    let encoded = std::fs::read(&path).unwrap();
    let columns: Vec<u8> = array.t().iter().flat_map(|item| item.to_le_bytes()).collect();
    assert_ne!(encoded.len(), 64 + columns.len(), "it is encoded");
    let same = values(&encoded, &npy("<u2", "(26, 2)", true, &columns));
    assert_eq!((same.verdict, same.compared), (Verdict::SameValues, 52));
    // The same items with the axes reversed, in the order in which they are stored.
    let turned = values(&encoded, &npy("<u2", "(2, 26)", false, &columns));
    assert_eq!((turned.verdict, turned.different), (Verdict::SameItemsOtherShape, 0));
    assert_eq!(turned.notes, ["shape 26×2 → 2×26: the same items with the axes reversed"]);
    let mut other = columns.clone();
    other[2 * 27] ^= 1;
    let differs = values(&encoded, &npy("<u2", "(26, 2)", true, &other));
    assert_eq!((differs.different, &differs.first[0].index[..]), (1, &[1, 1][..]));
}

#[test]
fn byte_order_is_encoding() {
    let a = row("<f4", 2, &[1.5_f32.to_le_bytes(), (-0.0_f32).to_le_bytes()].concat());
    let b = row(">f4", 2, &[1.5_f32.to_be_bytes(), (-0.0_f32).to_be_bytes()].concat());
    let found = values(&a, &b);
    assert_eq!((found.verdict, found.notes.len()), (Verdict::SameValues, 0));
}

#[test]
fn types_that_differ_are_compared_in_one_that_holds_both() {
    let found = values(&singles(&[1.5, f32::NAN, f32::INFINITY]), &doubles(&[1.5, f64::NAN, f64::INFINITY]));
    assert_eq!(found.verdict, Verdict::TypeDiffers);
    assert_eq!(found.notes, ["dtype <f4 → <f8: every value is the same after widening"]);
    // 0.1 is a different number in each float type, as the listed values show.
    let found = values(&doubles(&[0.1]), &singles(&[0.1]));
    assert_eq!(pair(&found.first[0]), (&Datum::F64(0.1), &Datum::F64(0.10000000149011612)));
}

#[test]
fn integers_of_64_bits_are_compared_exactly() {
    let signed = row("<i8", 2, &[i64::MAX.to_le_bytes(), (-1_i64).to_le_bytes()].concat());
    let unsigned = row("<u8", 2, &[(i64::MAX as u64 + 1).to_le_bytes(), u64::MAX.to_le_bytes()].concat());
    let found = values(&signed, &unsigned);
    assert_eq!(found.different, 2);
    let largest = found.largest.absolute.unwrap();
    assert_eq!((largest.index, largest.difference), (vec![1], Datum::Uint(1 << 64)));
    // A double close to an integer is a different number.
    assert_eq!(values(&row("<i8", 1, &i64::MAX.to_le_bytes()), &doubles(&[i64::MAX as f64])).different, 1);
}

#[test]
fn nan_is_equal_to_nan_whatever_its_payload_unless_bits_are_compared() {
    let (a, b) = (singles(&[f32::from_bits(0x7fc0_0001), 1.0]), singles(&[f32::from_bits(0xffc0_0002), f32::NAN]));
    let found = values(&a, &b);
    assert_eq!((found.different, found.nan.a_only, found.nan.b_only, found.nan.other_payload), (1, 0, 1, 1));
    assert_eq!(with(&a, &b, Tolerance::exact().bits(true)).different, 2);
}

#[test]
fn zeros_of_other_sign_differ_and_are_counted() {
    let found = values(&singles(&[0.0, 1.0]), &singles(&[-0.0, 1.0]));
    assert_eq!((found.different, found.sign_of_zero), (1, 1));
    let tolerant = with(&singles(&[0.0]), &singles(&[-0.0]), Tolerance::exact().absolute(1e-9));
    assert_eq!(tolerant.verdict, Verdict::SameWithinTolerance);
}

#[test]
fn the_largest_distances_have_their_places() {
    let found = values(&singles(&[-30.8, 1e-3, 1.0, 5.0]), &singles(&[-30.3, 2e-3, 1.0, f32::INFINITY]));
    let largest = found.largest;
    let place = |extreme: Option<ndbytes_compare::diff::Extreme>| extreme.map(|extreme| extreme.index).unwrap();
    assert_eq!(found.first[0].distance.unwrap().ulp, Some(262_144));
    assert_eq!((found.different, found.infinite), (3, 1));
    assert_eq!((place(largest.absolute), place(largest.relative), place(largest.ulp)), (vec![0], vec![1], vec![1]));
}

#[test]
fn a_relative_tolerance_is_about_the_larger_number_on_either_side() {
    let (a, b) = (doubles(&[100.0]), doubles(&[110.0]));
    // 10 / 110 is less than 0.095, but 10 / 100 is not: in NumPy, the result would depend on the order.
    for (a, b) in [(&a, &b), (&b, &a)] {
        assert_eq!(with(a, b, Tolerance::exact().relative(0.095)).verdict, Verdict::SameWithinTolerance);
        assert_eq!(with(a, b, Tolerance::exact().relative(0.09)).verdict, Verdict::ValuesDiffer);
    }
    let next = doubles(&[f64::from_bits(100.0_f64.to_bits() + 3)]);
    assert_eq!(with(&a, &next, Tolerance::exact().ulp(3)).within, 1);
    assert_eq!(with(&a, &next, Tolerance::exact().ulp(2)).different, 1);
}

#[test]
fn of_the_tolerances_only_the_absolute_one_is_about_integers() {
    let (a, b) = (row("|u1", 1, &[100]), row("|u1", 1, &[101]));
    assert_eq!(with(&a, &b, Tolerance::exact().relative(0.5).ulp(100)).different, 1);
    assert_eq!(with(&a, &b, Tolerance::exact().absolute(1.0)).within, 1);
}

#[test]
fn no_tolerance_makes_nan_or_infinity_equal_to_a_number() {
    let most = Tolerance::exact().absolute(f64::INFINITY).relative(1.0).ulp(u64::MAX);
    let found = with(&doubles(&[1.0, f64::MAX, 1.0]), &doubles(&[f64::NAN, f64::INFINITY, 2.0]), most);
    assert_eq!((found.different, found.within), (2, 1));
}

#[test]
fn numbers_of_unusual_widths_have_distances_too() {
    let halves = |bits: u16| row("<f2", 1, &bits.to_le_bytes());
    let distance = |found: Values| found.first[0].distance.unwrap();
    assert_eq!(distance(values(&halves(0x3c00), &halves(0x3c02))).ulp, Some(2));
    // 1 and the next x87 number: 10 bytes each, followed by 6 bytes of padding, which differ.
    let long = |last: u8, padding: u8| {
        row("<f16", 1, &[&[last, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f][..], &[padding; 6]].concat())
    };
    assert_eq!(values(&long(0, 0), &long(0, 7)).verdict, Verdict::SameValues);
    let apart = distance(values(&long(0, 0), &long(1, 0)));
    assert_eq!((apart.absolute, apart.ulp), (2_f64.powi(-63), Some(1)));
    let complex = |re: f32, im: f32| row("<c8", 1, &[re.to_le_bytes(), im.to_le_bytes()].concat());
    let apart = distance(values(&complex(0.0, 0.0), &complex(3.0, 4.0)));
    assert_eq!((apart.absolute, apart.relative), (5.0, 1.0));
    assert_eq!(values(&complex(7.0, 0.0), &singles(&[7.0])).verdict, Verdict::TypeDiffers);
}

#[test]
fn text_is_equal_without_its_padding() {
    let found = values(&row("|S3", 2, b"ab\0xyz"), &row("|S5", 2, b"ab\0\0\0xyzzy"));
    assert_eq!((found.different, pair(&found.first[0])), (1, (&Datum::text("xyz"), &Datum::text("xyzzy"))));
    let wide: Vec<u8> = "ab".chars().flat_map(|letter| u32::from(letter).to_le_bytes()).collect();
    assert_eq!(values(&row("|S2", 1, b"ab"), &row("<U2", 1, &wide)).verdict, Verdict::TypeDiffers);
}

#[test]
fn points_in_time_are_equal_in_other_units() {
    let days = row("<M8[D]", 2, &[1_i64.to_le_bytes(), i64::MIN.to_le_bytes()].concat());
    let nanoseconds = |first: i64| row("<M8[ns]", 2, &[first.to_le_bytes(), i64::MIN.to_le_bytes()].concat());
    assert_eq!(values(&days, &nanoseconds(86_400_000_000_000)).verdict, Verdict::TypeDiffers);
    let found = values(&days, &nanoseconds(1));
    assert_eq!(found.first[0].b.to_string(), "1970-01-01T00:00:00.000000001");
    // The beginning of a month is not a number of seconds.
    let months = row("<M8[M]", 2, &[0; 16]);
    assert_eq!(values(&days, &months).verdict, Verdict::Incomparable);
}

#[test]
fn structures_are_compared_field_by_field_wherever_the_fields_are() {
    let packed = row("[('a', '<u2'), ('b', '<f4')]", 1, &[7, 0, 0, 0, 0x80, 0x3f]);
    let swapped = row("[('a', '>u2'), ('b', '<f8')]", 1, &[&[0, 7][..], &1.0_f64.to_le_bytes()].concat());
    assert_eq!(values(&packed, &swapped).verdict, Verdict::TypeDiffers);
    let other = row("[('a', '<u2'), ('b', '<f4')]", 1, &[8, 0, 0, 0, 0x80, 0x3f]);
    let found = values(&packed, &other);
    assert_eq!(found.first[0].b.to_string(), "{a: 8, b: 1.0}");
    let renamed = row("[('a', '<u2'), ('c', '<f4')]", 1, &[7, 0, 0, 0, 0x80, 0x3f]);
    assert_eq!(values(&packed, &renamed).verdict, Verdict::Incomparable);
}

#[test]
fn an_inserted_row_leaves_the_others_equal() {
    let a = idx(&[4, 2], &[0, 1, 2, 3, 4, 5, 6, 7]);
    let found = values(&a, &idx(&[5, 2], &[0, 1, 9, 9, 2, 3, 4, 5, 6, 7]));
    let rows = found.rows.unwrap();
    assert_eq!((rows.inserted_count, rows.deleted_count, rows.changed_count), (1, 0, 0));
    assert_eq!((rows.inserted[0].row, rows.inserted[0].values.to_string()), (1, "[9, 9]".into()));
    assert_eq!((found.compared, found.verdict), (8, Verdict::ValuesDiffer));
}

#[test]
fn a_changed_row_beside_a_deleted_one_is_compared_item_by_item() {
    let a = idx(&[5, 2], &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    let found = values(&a, &idx(&[4, 2], &[0, 1, 4, 5, 6, 70, 8, 9]));
    let rows = found.rows.as_ref().unwrap();
    assert_eq!((rows.inserted_count, rows.deleted_count, rows.changed_count), (0, 1, 1));
    assert_eq!((rows.deleted[0].row, rows.changed[0].a, rows.changed[0].b), (1, 3, 2));
    assert_eq!((indices(&found), found.first[0].offset), (vec![&[2, 1][..]], Some(12 + 5)));
}

#[test]
fn rows_lie_along_the_axis_that_differs() {
    let a = idx(&[2, 3], &[0, 1, 2, 3, 4, 5]);
    let found = values(&a, &idx(&[2, 4], &[0, 9, 1, 2, 3, 8, 4, 5]));
    let rows = found.rows.unwrap();
    assert_eq!((rows.axis, rows.a, rows.b, rows.inserted_count, rows.changed_count), (1, 3, 4, 1, 0));
    assert_eq!(rows.inserted[0].values.to_string(), "[9, 8]");
}

#[test]
fn rows_of_other_types_are_aligned_by_their_values() {
    let a = npy("<f4", "(3, 1)", false, &[1.0_f32, 2.0, 3.0].map(f32::to_le_bytes).concat());
    let b = npy("<i8", "(2, 1)", false, &[1_i64, 3].map(i64::to_le_bytes).concat());
    let rows = values(&a, &b).rows.unwrap();
    assert_eq!((rows.deleted_count, rows.inserted_count, rows.deleted[0].row), (1, 0, 1));
}

#[test]
fn the_same_items_in_another_shape_are_said_to_be_the_same() {
    let items: Vec<u8> = (0..12).collect();
    assert_eq!(values(&idx(&[3, 4], &items), &idx(&[12], &items)).verdict, Verdict::SameItemsOtherShape);
    let turned = npy("|u1", "(4, 3)", true, &items);
    let found = values(&idx(&[3, 4], &items), &turned);
    assert_eq!(found.verdict, Verdict::SameItemsOtherShape);
    assert_eq!(found.notes, ["shape 3×4 → 4×3: the same items with the axes reversed"]);
    let other: Vec<u8> = (1..13).collect();
    let found = values(&idx(&[3, 4], &items), &idx(&[12], &other));
    assert_eq!(found.verdict, Verdict::Incomparable);
    assert_eq!(found.notes, ["the shapes differ, 3×4 → 12, and so do the items"]);
}

#[test]
fn of_a_cut_file_what_is_there_is_compared() {
    let items: Vec<u8> = (0..40).collect();
    let whole = idx(&[10, 4], &items);
    let cut = &whole[..12 + 14];
    let found = values(&whole, cut);
    assert_eq!(found.verdict, Verdict::Incomplete);
    assert_eq!(
        found.notes,
        ["3 of 10 items are whole in the second file, all equal; 2 bytes of the fourth are equal too"]
    );
    assert_eq!(values(cut, &whole).notes[0].replace("first", "second"), found.notes[0]);
    let mut changed = whole.clone();
    changed[12] = 77;
    assert_eq!(values(&changed, cut).verdict, Verdict::ValuesDiffer);
}

#[test]
fn findings_that_only_one_file_has_are_new_or_gone() {
    let whole = idx(&[2, 2], &[1, 2, 3, 4]);
    let found = compared(&whole, &whole[..13], &Options::new());
    let ids = |findings: &[ndbytes::Finding]| findings.iter().map(|finding| finding.rule.id).collect::<Vec<_>>();
    assert_eq!((ids(&found.findings.new), ids(&found.findings.gone)), (vec!["idx/truncated-payload"], vec![]));
    let found = compared(&whole[..13], &whole[..14], &Options::new());
    assert!(found.findings.new.is_empty() && found.findings.gone.is_empty());
}

#[test]
fn an_uninitialised_chunk_has_no_values() {
    let corpus = |name: &str| std::fs::read(corpus::root().join("b2nd/ok").join(name)).unwrap();
    let (a, zeros) = (corpus("special-uninitialised.b2nd"), corpus("special-zeros.b2nd"));
    let found = values(&a, &zeros);
    assert_eq!(found.verdict, Verdict::ValuesDiffer);
    // One entry reports all items of the chunk: the second entry.
    assert_eq!((found.different, indices(&found), &found.first[0].a), (4, vec![&[4][..]], &Datum::Uninitialised));
    // A byte differs, but neither file has a value there.
    let mut b = a.clone();
    b[0x1b] ^= 0x10;
    let found = values(&a, &b);
    assert_eq!((found.verdict, found.compared), (Verdict::SameValues, 4));
    assert!(found.notes[0].ends_with("uninitialised in both files"), "{:?}", found.notes);
}

/// A b2nd file of bytes.
fn chunked(items: &[u8], shape: &[usize], chunk: &[usize]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let array = ndarray::ArrayD::from_shape_vec(shape, items.to_vec()).unwrap();
    b2nd::Writer::new().chunks(chunk).write(&path, &array).unwrap();
    std::fs::read(path).unwrap()
}

#[test]
fn chunks_of_another_shape_hold_the_same_values() {
    let mut items: Vec<u8> = (0..60).collect();
    let (a, b) = (chunked(&items, &[6, 10], &[2, 5]), chunked(&items, &[6, 10], &[3, 3]));
    assert_eq!(values(&a, &b).verdict, Verdict::SameValues);
    items[37] = 200;
    for other in [chunked(&items, &[6, 10], &[2, 5]), chunked(&items, &[6, 10], &[4, 4]), idx(&[6, 10], &items)] {
        let found = values(&a, &other);
        assert_eq!((found.compared, indices(&found)), (60, vec![&[3, 7][..]]));
    }
}

#[test]
fn folders_are_identical_only_if_the_files_of_their_chunks_are() {
    let corpus = corpus::root().join("b2nd/ok/sparse.b2nd");
    let copy = tempfile::tempdir().unwrap();
    let names: Vec<_> = std::fs::read_dir(&corpus).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    for name in &names {
        std::fs::copy(corpus.join(name), copy.path().join(name)).unwrap();
    }
    let verdict = || {
        let [a, b] = [&*corpus, copy.path()].map(|path| Input::open(path, Limits::default()).unwrap());
        diff(&a, &b, &Options::new()).unwrap().verdict
    };
    assert_eq!(verdict(), Verdict::Identical);
    let chunk = copy.path().join(names.iter().find(|name| *name != "chunks.b2frame").unwrap());
    let mut bytes = std::fs::read(&chunk).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&chunk, bytes).unwrap();
    assert_eq!(verdict(), Verdict::ValuesDiffer);
}

#[test]
fn no_file_has_neither_values_nor_findings() {
    let a = idx(&[1], &[7]);
    let found = diff(None, &input(&a), &Options::new()).unwrap();
    assert_eq!((found.verdict, found.a.exists, found.values), (Verdict::OneSided, false, None));
    assert!(found.structure.unwrap().changes.iter().all(|change| change.a.is_none()));
    assert_eq!(diff(None, None, &Options::new()).unwrap().verdict, Verdict::Identical);
}

#[test]
fn the_longest_shapes_are_refused_without_work() {
    // 2⁶² items without bytes, and one more or one less.
    let row = |count: u64| npy("|S0", &format!("({count},)"), false, &[]);
    let found = compared(&row(1 << 62), &row((1 << 62) - 1), &Options::new());
    assert_eq!(found.verdict, Verdict::Incomparable);
}

/// The bytes of the second file's array, made from the first file's bytes and the listed differences.
fn patched(items: &[u8], width: u64, found: &Values) -> Vec<u8> {
    let mut items = items.to_vec();
    for difference in &found.first {
        let place = difference.index[0] * width + difference.index[1];
        match difference.b {
            Datum::Uint(value) => items[place as usize] = value as u8,
            ref other => panic!("{other:?}"),
        }
    }
    items
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_listed_differences_make_the_second_file_of_the_first_one(
        a in prop::collection::vec(0_u8..3, 35), b in prop::collection::vec(0_u8..3, 35)
    ) {
        let files = [
            (idx(&[5, 7], &a), npy("|u1", "(5, 7)", false, &b)),
            (chunked(&a, &[5, 7], &[2, 3]), chunked(&b, &[5, 7], &[2, 3])),
        ];
        for (one, other) in files {
            let found = compared(&one, &other, &Options::new().most(100)).values.unwrap();
            prop_assert_eq!(patched(&a, 7, &found), b.clone());
            prop_assert_eq!(found.verdict == Verdict::SameValues, a == b);
            let back = compared(&other, &one, &Options::new().most(100)).values.unwrap();
            prop_assert_eq!(patched(&b, 7, &back), a.clone());
        }
    }

    #[test]
    fn any_bytes_are_compared(a in prop::collection::vec(any::<u8>(), 0..80), b in prop::collection::vec(any::<u8>(), 0..80)) {
        let found = compared(&a, &b, &Options::new());
        prop_assert_eq!(found.verdict == Verdict::Identical, a == b);
        prop_assert!(found.to_string().lines().all(|line| !line.chars().any(char::is_control)));
    }
}

#[test]
fn structures_are_compared_without_a_byte_of_the_payload() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, shape: [usize; 2]| {
        let path = folder.path().join(name);
        rawarray::write(&path, &Array2::<u8>::zeros(shape), rawarray::Order::C).unwrap();
        Counted::new(std::fs::read(path).unwrap())
    };
    let (a, b) = (write("a.ra", [1000, 1000]), write("b.ra", [500, 2000]));
    let [one, other] = [&a, &b].map(|source| Input::from_source(source.clone(), Limits::default()).unwrap());
    // Opening a source reads its head and its tail.
    let opened = [&a, &b].map(Counted::take);
    assert!(opened.iter().all(|requests| requests.len() == 1));
    let found = diff(&one, &other, &Options::new().values(false)).unwrap();
    assert_eq!(found.verdict, Verdict::StructureDiffers);
    let same = diff(&one, &one, &Options::new().values(false)).unwrap();
    assert_eq!(same.verdict, Verdict::SameStructure);
    assert!([&a, &b].map(Counted::take).iter().all(Vec::is_empty), "nothing more is read");
}

/// The lines about the values in the text of a difference.
fn lines(a: &[u8], b: &[u8]) -> Vec<String> {
    let text = compared(a, b, &Options::new().structure(false)).to_string();
    text.lines().skip(3).map(|line| line.trim_start().to_owned()).collect()
}

#[test]
fn steps_are_printed_where_they_say_more_than_the_relative_distance() {
    let a = singles(&[1.0, -30.8, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 1.0]);
    let b =
        singles(&[1.0_f32.next_up(), -30.3, 1.125, 1.125_f32.next_up(), 1e-45, -1.0, -0.0, f32::INFINITY, f32::NAN]);
    let expected = [
        "[0]  1.0 → 1.0000001   |Δ| 1.19e-7, 1 ulp   at byte 0x80",
        "[1]  -30.8 → -30.3     |Δ| 0.5, 262,144 ulp   at byte 0x84",
        "[2]  1.0 → 1.125       |Δ| 0.125, 1,048,576 ulp   at byte 0x88",
        "[3]  1.0 → 1.1250001   |Δ| 0.125, relative 0.111   at byte 0x8c",
        "[4]  0.0 → 1e-45       |Δ| 1.4e-45   at byte 0x90",
        "[5]  1.0 → -1.0        |Δ| 2   at byte 0x94",
        "[6]  0.0 → -0.0        sign of zero   at byte 0x98",
        "[7]  1.0 → inf         at byte 0x9c",
        "[8]  1.0 → nan         at byte 0xa0",
        "largest |Δ| 2 at [5], largest relative 2 at [5]; NaN on one side only: 1; infinities: 1; sign of zero: 1",
    ];
    assert_eq!(lines(&a, &b), expected);
    // All of them are near.
    let expected = [
        "[0]  1.0 → 1.0000000000000002   |Δ| 2.22e-16, 1 ulp   at byte 0x80",
        "[1]  3.0 → 3.000000000000001    |Δ| 8.88e-16, 2 ulp   at byte 0x88",
        "largest |Δ| 8.88e-16 at [1], largest relative 2.96e-16 at [1], largest distance 2 ulp at [1]",
    ];
    assert_eq!(lines(&doubles(&[1.0, 3.0]), &doubles(&[1.0_f64.next_up(), 3.0_f64.next_up().next_up()])), expected);
    // A single is rounded to 24 bits. The only difference is not said twice.
    assert_eq!(
        lines(&doubles(&[0.1]), &doubles(&[0.1_f32.into()])),
        ["[0]  0.1 → 0.10000000149011612   |Δ| 1.49e-9, relative 1.49e-8   at byte 0x80"]
    );
    // The numbers between 1 and 4 are few at this width, but not near.
    let halves = |bits: u16| row("<f2", 1, &bits.to_le_bytes());
    assert_eq!(lines(&halves(0x3c00), &halves(0x4400)), ["[0]  1.0 → 4.0   |Δ| 3, relative 0.75   at byte 0x80"]);
    let integers = |number: i32| row("<i4", 1, &number.to_le_bytes());
    assert_eq!(lines(&integers(1), &integers(2)), ["[0]  1 → 2   at byte 0x80"]);
}
