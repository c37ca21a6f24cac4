//! Writing and reading through the public interface: what is read is what was written, to the bit; what cannot be written
//! is refused; what stood under the name before stays until the new file is whole.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod support;

use bytemuck::Pod;
use half::{bf16, f16};
use ndarray::{ArrayD, ArrayViewD, Axis, Dimension, IxDyn, Slice, arr0, arr1, arr2, arr3};
use ndbytes::idx::{self, IdxElement, Leniency, StreamWriter};
use ndbytes::rawarray::{self, Order, RawArrayElement};
use ndbytes::schemas::Endian;
use ndbytes::{Checker, Dtype, Element, Error, Format, Kind, Limits, NoView, Profile, Result, Verdict};
use num_complex::Complex;
use proptest::prelude::*;
use std::fmt::Debug;
use std::fs;
use std::path::{Path, PathBuf};
use support::{corpus, frames};
use tempfile::TempDir;

/// An array of some shape, and a way to look at it: turned, in steps, its axes exchanged.
#[derive(Debug, Clone)]
struct Case {
    shape: Vec<usize>,
    bytes: Vec<u8>,
    /// For each axis: backwards, and in steps of how many.
    steps: Vec<(bool, isize)>,
    exchanged: bool,
}

impl Case {
    /// Any bits are elements: NaNs of every kind, negative zeros, what no rounding gives.
    fn array<T: Pod>(&self) -> ArrayD<T> {
        let count: usize = self.shape.iter().product();
        let bytes: Vec<u8> = self.bytes.iter().copied().cycle().take(count * size_of::<T>()).collect();
        ArrayD::from_shape_vec(IxDyn(&self.shape), bytemuck::pod_collect_to_vec(&bytes)).unwrap()
    }

    fn look<'a, T>(&self, array: &'a ArrayD<T>) -> ArrayViewD<'a, T> {
        let mut view = array.view();
        for (axis, &(backwards, step)) in self.steps.iter().enumerate().take(self.shape.len()) {
            view.slice_axis_inplace(Axis(axis), Slice::new(0, None, if backwards { -step } else { step }));
        }
        if self.exchanged { view.reversed_axes() } else { view }
    }
}

fn cases(axes: std::ops::Range<usize>) -> impl Strategy<Value = Case> {
    let step = (any::<bool>(), 1..3_isize);
    let shape = prop::collection::vec(prop_oneof![9 => 1..5_usize, 1 => Just(0)], axes);
    let parts = (shape, prop::collection::vec(any::<u8>(), 61..257), prop::collection::vec(step, 5), any::<bool>());
    parts.prop_map(|(shape, bytes, steps, exchanged)| Case { shape, bytes, steps, exchanged })
}

/// Bits, in logical order.
fn bits<T: Pod, D: Dimension>(array: &ndarray::ArrayRef<T, D>) -> Vec<u8> {
    let elements: Vec<T> = array.iter().copied().collect();
    bytemuck::cast_slice(&elements).to_vec()
}

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

fn rule(error: Error) -> &'static str {
    error.finding().unwrap_or_else(|| panic!("{error}")).rule.id
}

fn names(folder: &TempDir) -> Vec<String> {
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
    let mut names: Vec<String> = fs::read_dir(folder.path()).unwrap().map(name).collect();
    names.sort();
    names
}

/// Nothing is found, or only these.
fn assert_clean(bytes: &[u8], profile: Profile, expected: &[&str]) {
    let report = Checker::new().profile(profile).check_slice(bytes).unwrap();
    let rules: Vec<_> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, expected);
}

// ---- IDX ----

fn idx_comes_back<T: IdxElement + Debug>(case: &Case) {
    let array = case.array::<T>();
    let view = case.look(&array);
    let assert_same = |file: &idx::Idx<'_>| {
        assert_eq!(file.shape(), view.shape());
        assert_eq!(bits(&file.to_array::<T>().unwrap()), bits(&view));
        assert!(file.leniencies().is_empty());
        assert_eq!(file.dtype(), Dtype { kind: T::KIND, endian: Endian::Big });
    };

    let mut plain = Vec::new();
    idx::Writer::new().write_to(&mut plain, &view).unwrap();
    assert_same(&idx::from_slice(&plain).unwrap());
    assert_same(&idx::from_reader(&plain[..]).unwrap());
    let header = 4 + 4 * view.ndim();
    assert_eq!(plain.len(), header + view.len() * size_of::<T>());
    for (element, bytes) in view.iter().zip(plain[header..].chunks_exact(size_of::<T>())) {
        let mut native = bytemuck::bytes_of(element).to_vec();
        if cfg!(target_endian = "little") {
            native.reverse();
        }
        assert_eq!(native, bytes, "elements are big-endian");
    }

    let mut compressed = Vec::new();
    idx::Writer::new().gzip(true).write_to(&mut compressed, &view).unwrap();
    assert_same(&idx::from_slice(&compressed).unwrap());
    let mut again = Vec::new();
    idx::Writer::new().gzip(true).write_to(&mut again, &view).unwrap();
    assert_eq!(compressed, again, "the same array gives the same bytes");
    let mut inflated = Vec::new();
    std::io::copy(&mut flate2::read::GzDecoder::new(&compressed[..]), &mut inflated).unwrap();
    assert_eq!(inflated, plain, "what other programs inflate is the plain file");
}

fn idx_comes_back_from_files<T: IdxElement + Debug>(case: &Case) {
    let folder = folder();
    let (array, path) = (case.array::<T>(), folder.path().join("a.idx"));
    let view = case.look(&array);
    idx::write(&path, &view).unwrap();
    let mut plain = Vec::new();
    idx::Writer::new().write_to(&mut plain, &view).unwrap();
    assert_eq!(fs::read(&path).unwrap(), plain);
    let file = idx::open(&path).unwrap();
    assert_eq!((file.shape(), bits(&file.to_array::<T>().unwrap())), (view.shape(), bits(&view)));

    // Item by item, the same file comes out.
    let item_shape = &view.shape()[1..];
    if item_shape.iter().product::<usize>() > 0 {
        let path = folder.path().join("b.idx");
        let mut writer = StreamWriter::<T>::create(&path, item_shape).unwrap();
        for item in view.outer_iter() {
            writer.push(&item).unwrap();
        }
        assert!(!path.exists(), "the file appears when it is whole");
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), plain);

        let mut writer = StreamWriter::<T>::create(&path, item_shape).unwrap();
        writer.push_slice(&view.iter().copied().collect::<Vec<_>>()).unwrap();
        writer.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), plain);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn idx_arrays_come_back_to_the_bit(case in cases(1..6)) {
        idx_comes_back::<u8>(&case);
        idx_comes_back::<i8>(&case);
        idx_comes_back::<i16>(&case);
        idx_comes_back::<i32>(&case);
        idx_comes_back::<f32>(&case);
        idx_comes_back::<f64>(&case);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn idx_files_come_back_to_the_bit(case in cases(1..5)) {
        idx_comes_back_from_files::<u8>(&case);
        idx_comes_back_from_files::<i8>(&case);
        idx_comes_back_from_files::<i16>(&case);
        idx_comes_back_from_files::<i32>(&case);
        idx_comes_back_from_files::<f32>(&case);
        idx_comes_back_from_files::<f64>(&case);
    }
}

#[test]
fn large_arrays_are_written_and_read_in_pieces() {
    // Longer than any piece, in an order that has to be gathered, and long enough for several threads.
    let array = ArrayD::from_shape_fn(IxDyn(&[3, 700, 1200]), |at| (at[0] * 840_000 + at[1] * 1200 + at[2]) as i32);
    let view = array.view().reversed_axes();
    let folder = folder();
    let path = folder.path().join("large.idx");
    idx::write(&path, &view).unwrap();
    assert_eq!(idx::open(&path).unwrap().to_array::<i32>().unwrap(), view);
    let file = idx::open(&path).unwrap();
    assert_eq!(file.item::<i32>(1199).unwrap(), view.index_axis(Axis(0), 1199));
    let path = folder.path().join("large.idx.gz");
    idx::Writer::new().gzip(true).write(&path, &view).unwrap();
    assert_eq!(idx::open(&path).unwrap().to_array::<i32>().unwrap(), view);
    let path = folder.path().join("large.ra");
    rawarray::Writer::new().lz4(true).write(&path, &view, Order::C).unwrap();
    assert_eq!(rawarray::open(&path).unwrap().to_array::<i32>(Order::C).unwrap(), view);
}

#[test]
fn scalars_are_written_only_if_asked_for() {
    let mut bytes = Vec::new();
    let refused = idx::Writer::new().write_to(&mut bytes, &arr0(7_i16));
    assert!(matches!(refused, Err(Error::Inexpressible { format: "IDX", .. })));
    assert!(bytes.is_empty());
    idx::Writer::new().scalars(true).write_to(&mut bytes, &arr0(7_i16)).unwrap();
    assert_eq!(bytes, [0, 0, 0x0B, 0, 0, 7]);
    let file = idx::from_slice(&bytes).unwrap();
    assert_eq!(file.to_array::<i16>().unwrap(), arr0(7).into_dyn());
    assert_eq!(file.warnings()[0].rule.id, "idx/scalar");
    assert!(matches!(file.item::<i16>(0), Err(Error::OutOfRange { index: 0, length: 0 })));
}

#[test]
fn what_idx_cannot_hold_is_refused() {
    let inexpressible = |result: Result<()>, words: &str| match result {
        Err(Error::Inexpressible { format: "IDX", what }) => assert!(what.contains(words), "{what}"),
        other => panic!("{other:?}"),
    };
    let folder = folder();
    let path = folder.path().join("a.idx");
    let write = |shape: &[usize]| idx::write(&path, &ArrayD::<u8>::zeros(IxDyn(shape)));
    inexpressible(write(&[]), "without axes");
    inexpressible(write(&[1; 256]), "256 axes");
    inexpressible(write(&[1 << 32, 0]), "4294967296");
    inexpressible(StreamWriter::<u8>::create(&path, &[1; 255]).map(drop), "256 axes");
    inexpressible(StreamWriter::<u8>::create(&path, &[1 << 32]).map(drop), "4294967296");
    let mut writer = StreamWriter::<u8>::create(&path, &[2]).unwrap();
    inexpressible(writer.push(&arr1(&[1, 2, 3])), "[3]");
    inexpressible(writer.push(&arr2(&[[1, 2]])), "[1, 2]");
    assert!(matches!(writer.push_slice(&[1, 2, 3]), Err(Error::BufferLength { needed: 2, given: 3 })));
    drop(writer);
    assert!(names(&folder).is_empty(), "nothing is left of files that were not written");
    // The most that the format holds.
    write(&[1; 255]).unwrap();
    assert_eq!(idx::open(&path).unwrap().shape(), [1; 255]);
    write(&[(1 << 32) - 1, 0]).unwrap();
    assert_eq!(idx::open(&path).unwrap().shape(), [u32::MAX as usize, 0]);
}

// ---- What IDX may tolerate ----

#[test]
fn trailing_bytes_are_tolerated_only_if_asked_for() {
    let array = arr2(&[[1_i16, 2], [3, 4], [5, 6]]);
    let (plain, compressed) = both_ways(&array);
    let lenient = idx::Options::new().trailing_bytes(true);
    let longer = [&plain[..], b"more"].concat();
    // A gzip file whose content goes on, and one whose next member does.
    let one_member = gzip(&longer);
    let two_members = [&compressed[..], &gzip(b"more")].concat();
    for bytes in [&longer, &one_member, &two_members] {
        assert_eq!(rule(idx::from_slice(bytes).unwrap_err()), "idx/trailing-bytes");
        let others = idx::Options::new().truncated_tail(true).little_endian_header(true).little_endian_payload(true);
        assert_eq!(rule(others.from_slice(bytes).unwrap_err()), "idx/trailing-bytes");
        let file = lenient.from_slice(bytes).unwrap();
        assert_eq!(file.leniencies(), [Leniency::TrailingBytes]);
        assert_eq!(file.to_array::<i16>().unwrap(), array.clone().into_dyn());
    }
    assert!(lenient.from_slice(&plain).unwrap().leniencies().is_empty(), "only what was needed is named");
    assert!(lenient.from_slice(&compressed).unwrap().leniencies().is_empty());
}

#[test]
fn truncated_tails_are_tolerated_only_if_asked_for() {
    let array = arr3(&[[[1_i32, 2], [3, 4]], [[5, 6], [7, 8]], [[9, 10], [11, 12]]]);
    let (plain, _) = both_ways(&array);
    let lenient = idx::Options::new().truncated_tail(true);
    let header = 16;
    for missing in 1..=plain.len() - header {
        let short = &plain[..plain.len() - missing];
        for bytes in [short, &gzip(short)] {
            assert_eq!(rule(idx::from_slice(bytes).unwrap_err()), "idx/truncated-payload");
            let others =
                idx::Options::new().trailing_bytes(true).little_endian_header(true).little_endian_payload(true);
            assert_eq!(rule(others.from_slice(bytes).unwrap_err()), "idx/truncated-payload");
            let file = lenient.from_slice(bytes).unwrap();
            assert_eq!(file.leniencies(), [Leniency::TruncatedTail]);
            let whole = (short.len() - header) / 16;
            assert_eq!(file.shape(), [whole, 2, 2]);
            let expected = array.slice_axis(Axis(0), Slice::from(..whole)).into_dyn();
            assert_eq!(file.to_array::<i32>().unwrap(), expected);
            assert!(file.item::<i32>(whole).is_err());
            assert_eq!(file.header().dims, [3, 2, 2], "the header is as it stands");
        }
    }
    // The header itself is never guessed.
    assert_eq!(rule(lenient.from_slice(&plain[..15]).unwrap_err()), "idx/truncated-header");
    // A scalar has no items of which some could be whole.
    let mut scalar = Vec::new();
    idx::Writer::new().scalars(true).write_to(&mut scalar, &arr0(7_i32)).unwrap();
    match lenient.from_slice(&scalar[..6]) {
        Err(error) => assert_eq!(rule(error), "idx/truncated-payload"),
        Ok(file) => panic!("{:?}", file.to_array::<i32>()),
    }
}

#[test]
fn a_little_endian_payload_is_a_choice() {
    let array = arr2(&[[1_i32, 2], [3, 4]]);
    let (mut plain, _) = both_ways(&array);
    plain[12..].chunks_exact_mut(4).for_each(<[u8]>::reverse);
    let strict = idx::from_slice(&plain).unwrap();
    assert_eq!(strict.to_array::<i32>().unwrap()[[0, 0]], 1 << 24, "nothing tells, so the format's order counts");
    assert_eq!(strict.warnings()[0].rule.id, "idx/implausible-byte-order");
    let file = idx::Options::new().little_endian_payload(true).from_slice(&plain).unwrap();
    assert_eq!(file.to_array::<i32>().unwrap(), array.clone().into_dyn());
    assert_eq!(file.leniencies(), [Leniency::LittleEndianPayload]);
    assert_eq!(file.dtype().endian, Endian::Little);
    assert!(file.warnings().is_empty());
    let items: Vec<i32> = (0..2).flat_map(|index| file.item::<i32>(index).unwrap().into_iter()).collect();
    assert_eq!(items, [1, 2, 3, 4]);
}

#[test]
fn a_little_endian_header_is_tolerated_only_if_asked_for() {
    let array = arr2(&[[1_i16, 2, 3], [4, 5, 6]]);
    let (mut plain, _) = both_ways(&array);
    plain[..12].chunks_exact_mut(4).for_each(<[u8]>::reverse);
    assert_eq!(plain[..8], [2, 0x0B, 0, 0, 2, 0, 0, 0]);
    for bytes in [plain.clone(), gzip(&plain)] {
        assert_eq!(rule(idx::from_slice(&bytes).unwrap_err()), "idx/little-endian-header");
        let others = idx::Options::new().trailing_bytes(true).truncated_tail(true).little_endian_payload(true);
        assert_eq!(rule(others.from_slice(&bytes).unwrap_err()), "idx/little-endian-header");
        let file = idx::Options::new().little_endian_header(true).from_slice(&bytes).unwrap();
        assert_eq!(file.leniencies(), [Leniency::LittleEndianHeader]);
        assert_eq!(file.to_array::<i16>().unwrap(), array.clone().into_dyn());
    }
    // Together with another fault, each has to be asked for.
    let longer = [&plain[..], b"x"].concat();
    let both = idx::Options::new().little_endian_header(true).trailing_bytes(true);
    let leniencies = [Leniency::LittleEndianHeader, Leniency::TrailingBytes];
    assert_eq!(both.from_slice(&longer).unwrap().leniencies(), leniencies);
    let one = idx::Options::new().little_endian_header(true);
    assert_eq!(rule(one.from_slice(&longer).unwrap_err()), "idx/trailing-bytes");
}

#[test]
fn raw_demands_the_array_itself() {
    let (plain, compressed) = both_ways(&arr1(&[1_u8, 2, 3]));
    let raw = idx::Options::new().raw(true);
    assert_eq!(raw.from_slice(&plain).unwrap().shape(), [3]);
    assert_eq!(rule(raw.from_slice(&compressed).unwrap_err()), "unknown-format");
}

fn both_ways<T: IdxElement, D: Dimension>(array: &ndarray::ArrayRef<T, D>) -> (Vec<u8>, Vec<u8>) {
    let (mut plain, mut compressed) = (Vec::new(), Vec::new());
    idx::Writer::new().write_to(&mut plain, array).unwrap();
    idx::Writer::new().gzip(true).write_to(&mut compressed, array).unwrap();
    (plain, compressed)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = flate2::read::GzEncoder::new(bytes, flate2::Compression::fast());
    let mut out = Vec::new();
    std::io::copy(&mut compressed, &mut out).unwrap();
    out
}

// ---- RawArray ----

fn rawarray_comes_back<T: RawArrayElement + Element + Debug>(case: &Case) {
    let folder = folder();
    let array = case.array::<T>();
    let view = case.look(&array);
    let reversed: Vec<usize> = view.shape().iter().rev().copied().collect();
    let metadata: &[u8] = &case.bytes[..case.bytes.len() % 7];
    for (order, lz4) in [(Order::Fortran, false), (Order::C, false), (Order::Fortran, true), (Order::C, true)] {
        let path = folder.path().join("a.ra");
        rawarray::Writer::new().lz4(lz4).metadata(metadata).write(&path, &view, order).unwrap();
        let bytes = fs::read(&path).unwrap();
        for file in [rawarray::open(&path).unwrap(), rawarray::from_slice(&bytes).unwrap()] {
            let dims = if order == Order::Fortran { view.shape() } else { &reversed };
            assert_eq!((file.dims(), file.shape(order)), (dims, view.shape().to_vec()));
            assert_eq!(file.dtype(), Dtype { kind: T::KIND, endian: Endian::Little });
            assert_eq!(bits(&file.to_array::<T>(order).unwrap()), bits(&view));
            // The other order is the same array with its axes exchanged.
            let other = if order == Order::Fortran { Order::C } else { Order::Fortran };
            assert_eq!(bits(&file.to_array::<T>(other).unwrap().reversed_axes()), bits(&view));
            assert_eq!(file.metadata().unwrap(), metadata);
            assert_eq!(file.header().flags.encoded(), lz4 && file.header().size != file.bytes().unwrap().len() as u64);
        }
        let mut expected = Vec::new();
        // A block as long as its content stays plain.
        if rawarray::from_slice(&bytes).unwrap().header().flags.encoded() {
            expected.push("rawarray/encoded");
        }
        if view.ndim() == 0 {
            expected.insert(0, "rawarray/scalar");
        }
        if T::KIND == Kind::Complex32 {
            expected.insert(usize::from(view.ndim() == 0), "rawarray/disputed-type");
        }
        assert_clean(&bytes, Profile::Strict, &expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rawarray_files_come_back_to_the_bit(case in cases(0..5)) {
        rawarray_comes_back::<i8>(&case);
        rawarray_comes_back::<i16>(&case);
        rawarray_comes_back::<i32>(&case);
        rawarray_comes_back::<i64>(&case);
        rawarray_comes_back::<i128>(&case);
        rawarray_comes_back::<u8>(&case);
        rawarray_comes_back::<u16>(&case);
        rawarray_comes_back::<u32>(&case);
        rawarray_comes_back::<u64>(&case);
        rawarray_comes_back::<u128>(&case);
        rawarray_comes_back::<f16>(&case);
        rawarray_comes_back::<bf16>(&case);
        rawarray_comes_back::<f32>(&case);
        rawarray_comes_back::<f64>(&case);
        rawarray_comes_back::<Complex<f16>>(&case);
        rawarray_comes_back::<Complex<f32>>(&case);
        rawarray_comes_back::<Complex<f64>>(&case);
    }

    #[test]
    fn truth_values_come_back(case in cases(0..5)) {
        let folder = folder();
        let path = folder.path().join("a.ra");
        let array = case.array::<u8>().mapv(|byte| byte & 1 == 1);
        let view = case.look(&array);
        for (order, lz4) in [(Order::Fortran, false), (Order::C, false), (Order::Fortran, true), (Order::C, true)] {
            rawarray::Writer::new().lz4(lz4).write(&path, &view, order).unwrap();
            let file = rawarray::open(&path).unwrap();
            prop_assert_eq!(file.to_bool_array(order).unwrap(), view.to_owned());
            prop_assert_eq!(file.dtype().kind, Kind::Bool);
        }
    }

    #[test]
    fn records_come_back(case in cases(1..4)) {
        #[repr(C, packed)]
        #[derive(Debug, Clone, Copy, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
        struct Record {
            tag: u8,
            value: u32,
        }
        let folder = folder();
        let path = folder.path().join("a.ra");
        let array = case.array::<Record>();
        let view = case.look(&array);
        for (order, lz4) in [(Order::Fortran, false), (Order::C, true)] {
            rawarray::Writer::new().lz4(lz4).write_records(&path, &view, order).unwrap();
            let file = rawarray::open(&path).unwrap();
            prop_assert_eq!(file.dtype().kind, Kind::Record(5));
            prop_assert_eq!(bits(&file.view_records::<Record>(order).unwrap()), bits(&view));
            let wrong = file.view_records::<u32>(order);
            assert!(matches!(wrong, Err(Error::WrongType { .. })));
        }
    }
}

#[test]
fn lz4_blocks_of_every_length_come_back() {
    let folder = folder();
    let path = folder.path().join("a.ra");
    // Among these are blocks as long as what they hold, which nothing would tell from other encodings.
    for length in 0..40_usize {
        for repeated in [1, 2, 3, 5, 40] {
            let array: Vec<u8> = (0..length).map(|at| (at % repeated) as u8).collect();
            rawarray::Writer::new().lz4(true).write(&path, &arr1(&array), Order::C).unwrap();
            let file = rawarray::open(&path).unwrap();
            assert_eq!(file.bytes().unwrap(), array);
            assert!(!file.header().flags.encoded() || file.header().size != length as u64);
        }
    }
}

#[test]
fn rewriting_keeps_what_it_is_told_to_keep() {
    let folder = folder();
    let (first, second) = (folder.path().join("first.ra"), folder.path().join("second.ra"));
    let array = arr2(&[[1_u16, 2, 3], [4, 5, 0xFFFF]]);
    rawarray::Writer::new().metadata(*b"old").lz4(true).write(&first, &array, Order::Fortran).unwrap();
    let file = rawarray::open(&first).unwrap();
    let rewrite = |writer: rawarray::Writer, file: &rawarray::RawArray<'_>| {
        writer.rewrite(&second, file).unwrap();
        rawarray::open(&second).unwrap()
    };
    let dropped = rewrite(rawarray::Writer::new(), &file);
    assert_eq!((dropped.metadata().unwrap(), dropped.header().flags.raw()), (&b""[..], 0));
    assert_eq!(dropped.to_array::<u16>(Order::Fortran).unwrap(), array.clone().into_dyn());
    let kept = rewrite(rawarray::Writer::new().keep_metadata(true), &file);
    assert_eq!(kept.metadata().unwrap(), b"old");
    let joined = rewrite(rawarray::Writer::new().keep_metadata(true).metadata(*b" and new").lz4(true), &file);
    assert_eq!(joined.metadata().unwrap(), b"old and new");
    assert_eq!(joined.to_array::<u16>(Order::Fortran).unwrap(), array.into_dyn());
    let replaced = rewrite(rawarray::Writer::new().metadata(*b"new"), &file);
    assert_eq!(replaced.metadata().unwrap(), b"new");

    // Over itself, while it is open.
    rawarray::Writer::new().keep_metadata(true).rewrite(&first, &file).unwrap();
    assert_eq!(rawarray::open(&first).unwrap().metadata().unwrap(), b"old");
}

#[test]
fn rewriting_makes_any_file_plain_and_little_endian() {
    let folder = folder();
    let path = folder.path().join("plain.ra");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus/rawarray/ok");
    let mut rewritten = 0;
    for entry in fs::read_dir(corpus).unwrap() {
        let from = entry.unwrap().path();
        if from.extension().is_none_or(|extension| extension != "ra") {
            continue;
        }
        let name = from.display();
        let file = rawarray::open(&from).unwrap();
        rawarray::Writer::new().keep_metadata(true).rewrite(&path, &file).unwrap();
        let plain = rawarray::open(&path).unwrap();
        assert_eq!(plain.dims(), file.dims(), "{name}");
        assert_eq!(plain.metadata().unwrap(), file.metadata().unwrap(), "{name}");
        assert_eq!(plain.header().flags.raw(), 0, "{name}");
        let kind = if file.dtype().kind == Kind::Bit { Kind::Bool } else { file.dtype().kind };
        assert_eq!(plain.dtype(), Dtype { kind, endian: Endian::Little }, "{name}");
        for index in 0..file.dims().iter().product::<usize>() {
            let width = |array: &rawarray::RawArray<'_>| array.dtype().kind.size().max(1) as usize;
            let element = |array: &rawarray::RawArray<'_>| {
                let bytes = &array.bytes().unwrap()[index * width(array)..(index + 1) * width(array)];
                let mut bytes = bytes.to_vec();
                if array.dtype().endian == Endian::Big {
                    bytes.chunks_exact_mut(array.dtype().kind.swapped() as usize).for_each(<[u8]>::reverse);
                }
                bytes
            };
            assert_eq!(element(&plain), element(&file), "{name}, element {index}");
        }
        rewritten += 1;
    }
    assert!(rewritten > 30);
}

#[test]
fn what_rawarray_cannot_hold_is_refused() {
    let folder = folder();
    let path = folder.path().join("a.ra");
    let refused = rawarray::Writer::new().write_records(&path, &arr1(&[(), ()]), Order::C);
    assert!(matches!(refused, Err(Error::Inexpressible { format: "RawArray", .. })));
    assert!(names(&folder).is_empty());
}

// ---- Handles ----

#[test]
fn another_type_is_refused_by_name() {
    let (plain, _) = both_ways(&arr1(&[1_i32, 2]));
    let file = idx::from_slice(&plain).unwrap();
    let wrong = |result: Result<()>, kind: Kind| match result {
        Err(Error::WrongType { requested, stored }) => assert_eq!((requested.kind, stored.kind), (kind, Kind::I32)),
        other => panic!("{other:?}"),
    };
    wrong(file.view::<f32>().map(drop), Kind::F32);
    wrong(file.to_array::<i16>().map(drop), Kind::I16);
    wrong(file.read_into::<u8>(&mut [0; 8]), Kind::U8);
    wrong(file.item::<i8>(0).map(drop), Kind::I8);
    wrong(file.items::<f64>().map(drop), Kind::F64);
    let error = file.to_array::<f32>().unwrap_err();
    assert_eq!(error.to_string(), "the elements are i32 (big-endian), not f32 (big-endian)");
}

#[test]
fn a_buffer_has_to_have_the_right_length() {
    let (plain, _) = both_ways(&arr2(&[[1_i32, 2], [3, 4]]));
    let file = idx::from_slice(&plain).unwrap();
    for given in [0, 3, 5] {
        let mut buffer = vec![9; given];
        let error = file.read_into::<i32>(&mut buffer).unwrap_err();
        assert!(matches!(error, Error::BufferLength { needed: 4, given: found } if found == given as u64), "{error}");
        assert_eq!(buffer, vec![9; given], "nothing is written");
    }
    let mut buffer = [0; 4];
    file.read_into::<i32>(&mut buffer).unwrap();
    assert_eq!(buffer, [1, 2, 3, 4]);
}

#[test]
fn views_say_why_there_are_none() {
    let reason = |result: Result<()>| match result {
        Err(Error::NoView(reason)) => Some(reason),
        Err(error) => panic!("{error}"),
        Ok(()) => None,
    };
    let (plain, _) = both_ways(&arr1(&[1_i16, 2]));
    let swapped = cfg!(target_endian = "little").then_some(NoView::ByteOrder);
    assert_eq!(reason(idx::from_slice(&plain).unwrap().view::<i16>().map(drop)), swapped);
    assert_eq!(reason(idx::from_slice(&plain).unwrap().items::<i16>().map(drop)), swapped);

    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::write(&path, &arr1(&[1.5_f64, 2.5]), Order::C).unwrap();
    let native = cfg!(target_endian = "big").then_some(NoView::ByteOrder);
    assert_eq!(reason(rawarray::open(&path).unwrap().view::<f64>(Order::C).map(drop)), native);
    // The same bytes at every place in memory: those that are not aligned are not viewed, and yet read.
    let bytes = fs::read(&path).unwrap();
    let mut room = vec![0_u64; bytes.len() / 8 + 2];
    for shift in 0..8 {
        let room: &mut [u8] = bytemuck::cast_slice_mut(&mut room);
        room[shift..shift + bytes.len()].copy_from_slice(&bytes);
        let file = rawarray::from_slice(&room[shift..shift + bytes.len()]).unwrap();
        let expected = native.or((shift > 0).then_some(NoView::Alignment));
        assert_eq!(reason(file.view::<f64>(Order::C).map(drop)), expected);
        assert_eq!(file.to_array::<f64>(Order::C).unwrap(), arr1(&[1.5, 2.5]).into_dyn());
    }
    // What was decoded lies in memory of its own, and can be viewed.
    rawarray::Writer::new().lz4(true).write(&path, &arr1(&[1.5_f64; 9]), Order::C).unwrap();
    assert_eq!(reason(rawarray::open(&path).unwrap().view::<f64>(Order::C).map(drop)), native);
}

#[test]
fn items_are_the_parts_along_the_first_axis() {
    let array = arr3(&[[[1_u8, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, 12]]]);
    let (plain, _) = both_ways(&array);
    let file = idx::from_slice(&plain).unwrap();
    let items = file.items::<u8>().unwrap();
    assert_eq!((items.len(), items.shape(), items.iter().len()), (2, &[2, 3][..], 2));
    assert_eq!(items.get(1), Some(&[7, 8, 9, 10, 11, 12][..]));
    assert_eq!((items.get(2), items.get(usize::MAX)), (None, None));
    assert_eq!(items.iter().collect::<Vec<_>>(), [&[1, 2, 3, 4, 5, 6][..], &[7, 8, 9, 10, 11, 12]]);
    assert_eq!(file.item::<u8>(1).unwrap(), array.index_axis(Axis(0), 1).into_dyn());
    for index in [2, usize::MAX] {
        let error = file.item::<u8>(index).unwrap_err();
        assert!(matches!(error, Error::OutOfRange { length: 2, .. }), "{error}");
    }
    // Items without elements are items.
    let (plain, _) = both_ways(&ArrayD::<u8>::zeros(IxDyn(&[3, 0])));
    let file = idx::from_slice(&plain).unwrap();
    assert_eq!((file.items::<u8>().unwrap().len(), file.items::<u8>().unwrap().get(2)), (3, Some(&[][..])));
    assert_eq!(file.item::<u8>(2).unwrap().shape(), [0]);
}

#[test]
fn what_is_read_is_held_to_its_budget() {
    let (_, compressed) = both_ways(&ArrayD::<u8>::zeros(IxDyn(&[1 << 20])));
    let tight = idx::Options::new().limits(Limits::default().memory(1 << 16));
    assert_eq!(rule(tight.from_slice(&compressed).unwrap_err()), "limit-exceeded");
    let enough = idx::Options::new().limits(Limits::default().memory(1 << 21));
    assert_eq!(enough.from_slice(&compressed).unwrap().shape(), [1 << 20]);
    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::Writer::new().lz4(true).write(&path, &ArrayD::<u8>::zeros(IxDyn(&[1 << 20])), Order::C).unwrap();
    let tight = rawarray::Options::new().limits(Limits::default().memory(1 << 16));
    assert_eq!(rule(tight.open(&path).unwrap_err()), "limit-exceeded");
}

// ---- Files that appear whole or not at all ----

#[test]
fn a_write_that_fails_leaves_the_old_file() {
    let folder = folder();
    let path = folder.path().join("a.idx");
    idx::write(&path, &arr1(&[1_u8, 2, 3])).unwrap();
    let before = fs::read(&path).unwrap();
    idx::write(&path, &arr0(1_u8)).unwrap_err();
    idx::write(&path, &ArrayD::<u8>::zeros(IxDyn(&[1; 256]))).unwrap_err();
    let mut writer = StreamWriter::<f32>::create(&path, &[2]).unwrap();
    writer.push(&arr1(&[1.0, 2.0])).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before, "while the new file is in the making");
    drop(writer);
    let panicked = std::panic::catch_unwind(|| {
        let mut writer = StreamWriter::<f32>::create(&path, &[2]).unwrap();
        writer.push(&arr1(&[1.0, 2.0])).unwrap();
        panic!("the program fails");
    });
    assert!(panicked.is_err());
    rawarray::Writer::new().write_records(&path, &arr1(&[()]), Order::C).unwrap_err();
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names(&folder), ["a.idx"]);

    // Where there is no folder, or a folder where the file should be.
    let missing = folder.path().join("nowhere").join("a.idx");
    let error = idx::write(&missing, &arr1(&[1_u8])).unwrap_err();
    assert!(matches!(&error, Error::Io { path: Some(at), .. } if *at == missing), "{error}");
    let error = idx::write(folder.path(), &arr1(&[1_u8])).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(names(&folder), ["a.idx"]);
}

#[test]
fn an_open_file_keeps_its_content_when_it_is_written_anew() {
    let folder = folder();
    let path = folder.path().join("a.idx");
    let old = ArrayD::from_shape_fn(IxDyn(&[10_000]), |at| at[0] as u8);
    idx::write(&path, &old).unwrap();
    let file = idx::open(&path).unwrap();
    idx::write(&path, &arr1(&[9_u8])).unwrap();
    assert_eq!(file.view::<u8>().unwrap(), old);
    assert_eq!(idx::open(&path).unwrap().shape(), [1]);
}

#[cfg(unix)]
#[test]
fn behind_a_link_the_file_is_replaced_and_keeps_its_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = folder();
    fs::create_dir(folder.path().join("real")).unwrap();
    let (target, link) = (folder.path().join("real/a.idx"), folder.path().join("link.idx"));
    fs::write(&target, b"old").unwrap();
    symlink("real/a.idx", &link).unwrap();
    for mode in [0o600, 0o640, 0o444, 0o755, 0o666] {
        fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
        idx::write(&link, &arr1(&[1_u8, 2, 3])).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(idx::open(&target).unwrap().shape(), [3]);
        let found = fs::metadata(&target).unwrap().permissions().mode() & 0o777;
        assert_eq!(found, mode, "{found:o} instead of {mode:o}");
        rawarray::write(&link, &arr1(&[1_u8]), Order::C).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, mode);
    }
    assert_eq!(names(&folder), ["link.idx", "real"]);

    // A new file is like any other that the user makes.
    let (new, other) = (folder.path().join("new.idx"), folder.path().join("other"));
    idx::write(&new, &arr1(&[1_u8])).unwrap();
    fs::write(&other, b"").unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&new), mode(&other));
}

#[test]
fn what_this_library_writes_is_clean() {
    let array = arr2(&[[1_u16, 2], [3, 4]]);
    let folder = folder();
    let path = folder.path().join("a.ra");
    rawarray::write(&path, &array, Order::Fortran).unwrap();
    assert_clean(&fs::read(&path).unwrap(), Profile::Strict, &[]);
    assert_clean(&fs::read(&path).unwrap(), Profile::Reference, &[]);
    let (plain, compressed) = both_ways(&arr2(&[[1_i16, 2], [3, 4]]));
    assert_clean(&plain, Profile::Reference, &[]);
    assert_clean(&compressed, Profile::Strict, &[]);
    assert_eq!(Checker::new().check(&path).unwrap().verdict(), Verdict::Ok);
}

// ---- b2nd ----

/// The frozen arrays, files and folders.
fn frozen_arrays() -> Vec<PathBuf> {
    let frozen = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/b2nd");
    let entries = ["blosc2", "old", "refused"].map(|part| fs::read_dir(frozen.join(part)).unwrap());
    let paths = entries.into_iter().flatten().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "b2nd")).collect()
}

#[test]
fn structures_of_b2nd_are_written_back_as_they_were() {
    for sample in
        corpus::everything().into_iter().filter(|sample| sample.format == Format::B2nd && sample.folder == "ok")
    {
        let has_dead_chunks = sample.name.starts_with("dead-");
        frames::assert_written_back(&sample.bytes, has_dead_chunks, &|| sample.to_string());
        for (name, bytes) in sample.others().iter().filter(|(name, _)| name.ends_with(".chunk")) {
            frames::assert_chunk_written_back(bytes, &|| format!("{sample}, {name}"));
        }
    }
    for path in frozen_arrays() {
        let what = || path.display().to_string();
        if path.is_file() {
            frames::assert_written_back(&fs::read(&path).unwrap(), path.ends_with("op_resize_shrink.b2nd"), &what);
            continue;
        }
        for entry in fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()) {
            let bytes = fs::read(&entry).unwrap();
            match entry.extension().is_some_and(|extension| extension == "chunk") {
                true => frames::assert_chunk_written_back(&bytes, &what),
                false => frames::assert_written_back(&bytes, false, &what),
            }
        }
    }
}

#[test]
fn headers_and_trailers_of_b2nd_are_the_msgpack_that_others_read() {
    use ndbytes::schemas::b2nd::{ArrayLayer, Header, METALAYER, Trailer};
    use ndbytes::schemas::{self, Source};
    use rmpv::Value;
    let decode = |bytes: &[u8]| {
        let mut rest = bytes;
        let value = rmpv::decode::read_value(&mut rest).unwrap();
        assert!(rest.is_empty());
        value
    };
    let mut seen = 0;
    for path in frozen_arrays().iter().filter(|path| path.is_file()) {
        let (bytes, what) = (fs::read(path).unwrap(), path.display());
        let header: Header = schemas::read(Source::new(&bytes), Endian::Big, ()).unwrap();
        let length = header.header_length.0 as usize;
        let Value::Array(parts) = decode(&bytes[..length]) else { panic!("{what}") };
        assert_eq!(parts.len(), 14, "{what}");
        let numbers = [
            (1, i64::from(header.header_length.0)),
            (2, header.frame_length.0 as i64),
            (4, header.nbytes.0),
            (5, header.cbytes.0),
            (6, header.typesize.0.into()),
            (7, header.blocksize.0.into()),
            (8, header.chunksize.0.into()),
            (9, header.compress_threads.0.into()),
            (10, header.decompress_threads.0.into()),
        ];
        for (part, expected) in numbers {
            assert_eq!(parts[part].as_i64(), Some(expected), "{what}: part {part}");
        }
        assert_eq!(parts[11].as_bool(), Some(header.has_attributes.0), "{what}");
        assert_eq!(parts[12].as_ext().unwrap().0, header.filter_slots.0 as i8, "{what}");
        let metalayers = parts[13].as_array().unwrap();
        let (names, contents) = (metalayers[1].as_map().unwrap(), metalayers[2].as_array().unwrap());
        assert_eq!((names.len(), contents.len()), (header.metalayers.contents.len(), names.len()), "{what}");
        let layers = header.metalayers.directory.entries.iter().zip(&header.metalayers.contents);
        for (((name, offset), value), (entry, content)) in names.iter().zip(contents).zip(layers) {
            assert_eq!(name.as_str().unwrap().as_bytes(), entry.name.bytes(), "{what}");
            assert_eq!(offset.as_i64(), Some(entry.offset.0.into()), "{what}");
            let place = content.bytes.range();
            assert_eq!(value.as_slice().unwrap(), &bytes[place.start as usize..place.end as usize], "{what}");
            if entry.name.bytes() == METALAYER {
                let Value::Array(parts) = decode(value.as_slice().unwrap()) else { panic!("{what}") };
                let layer: ArrayLayer = schemas::read(Source::new(value.as_slice().unwrap()), Endian::Big, ()).unwrap();
                let extents =
                    |part: usize| parts[part].as_array().unwrap().iter().map(|extent| extent.as_i64().unwrap());
                assert!(extents(2).eq(layer.shape.extents.iter().map(|extent| extent.0)), "{what}");
                assert!(extents(3).eq(layer.chunk_shape.extents.iter().map(|extent| extent.0.into())), "{what}");
                assert!(extents(4).eq(layer.block_shape.extents.iter().map(|extent| extent.0.into())), "{what}");
                assert_eq!(parts[6].as_str().unwrap().as_bytes(), layer.dtype.unwrap().text.bytes, "{what}");
            }
        }
        let tail: [u8; 4] = bytes[bytes.len() - 22..bytes.len() - 18].try_into().unwrap();
        let start = bytes.len() - u32::from_be_bytes(tail) as usize;
        let Value::Array(parts) = decode(&bytes[start..]) else { panic!("{what}") };
        let trailer: Trailer = schemas::read(Source::new(&bytes[start..]), Endian::Big, ()).unwrap();
        assert_eq!((parts.len(), parts[0].as_i64()), (4, Some(trailer.version.into())), "{what}");
        assert_eq!(parts[2].as_u64(), Some(trailer.tail.trailer_length.0.into()), "{what}");
        let names = parts[1].as_array().unwrap()[1].as_map().unwrap();
        assert_eq!(names.len(), trailer.attributes.contents.len(), "{what}");
        seen += 1;
    }
    assert!(seen > 50);
}
