//! Every file of the corpus, cut at every length and with every single bit turned: nothing panics, nothing allocates more
//! than it may, every byte has its place in the map, and what is accepted can be written back byte for byte.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

#[path = "support/allocations.rs"]
mod allocations;
mod support;

use allocations::peak_of;
use half::{bf16, f16};
use ndbytes::rawarray::Order;
use ndbytes::schemas::{self, Endian, Problem, Source};
use ndbytes::{
    Array, ByteMap, Checker, Depth, Element, Error, Finding, Format, GAP, Input, Kind, Limits, Profile, Report,
    Severity, Verdict, b2nd, idv, idx, rawarray,
};
use num_complex::Complex;
use std::io;
use support::corpus::{self, Sample};
use support::{b2nd as chunked, frames, tables};

/// What each file is granted beyond its own length.
const MEMORY: u64 = 1 << 20;

/// What no reader of an array comes across: chunks that share bytes, and streams of which only padding depends.
const SEEN_BY_CHECKS_ONLY: [&str; 2] = ["b2nd/overlapping-chunks", "b2nd/broken-stream"];

/// Files up to this length are cut at every length.
const CUT_EVERYWHERE: usize = 600;

/// So many first bytes have each of their bits turned.
const TURNED_BYTES: usize = 200;

/// So many bytes behind the header of an IDV file, too.
const TURNED_TABLE_BYTES: usize = 600;

fn limits() -> Limits {
    Limits::default().memory(MEMORY)
}

fn checker(profile: Profile, depth: Depth) -> Checker {
    Checker::new().profile(profile).depth(depth).limits(limits())
}

/// Everything that can be asked of some bytes. `turn` chooses what is asked only now and then, since it costs most of
/// the time and says little.
fn examine(bytes: &[u8], turn: usize, what: &dyn Fn() -> String) {
    stay_on_this_thread();
    let ((), peak) = peak_of(|| ask(bytes, turn, what));
    let granted = MEMORY + 8 * bytes.len() as u64 + MEMORY;
    assert!(peak <= granted, "{}: {peak} bytes were allocated, {granted} granted", what());
}

/// Makes this thread all there is of a rayon pool, since what other threads allocate is not counted.
fn stay_on_this_thread() {
    thread_local! {
        static POOL: rayon::ThreadPool =
            rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap();
    }
    POOL.with(|pool| assert_eq!(pool.current_thread_index(), Some(0)));
}

fn ask(bytes: &[u8], turn: usize, what: &dyn Fn() -> String) {
    let report = |profile, depth| {
        checker(profile, depth).check_slice(bytes).unwrap_or_else(|error| panic!("{}: {error}", what()))
    };
    let full = report(Profile::Strict, Depth::Payload);
    assert_in_bounds(&full, bytes, what);
    let structure = report(Profile::Reference, Depth::Structure);
    assert_eq!(full.format, structure.format, "{}", what());
    if turn.is_multiple_of(4) {
        let fast = report(Profile::Strict, Depth::Structure);
        assert!(fast.verdict() <= full.verdict(), "{}: {:?}, then {:?}", what(), fast.findings(), full.findings());
        assert_same_rules(&fast, &structure, what);
        assert_same_rules(&full, &report(Profile::Reference, Depth::Payload), what);
    }
    match read(bytes, full.format, what) {
        Ok(()) => {
            let mut errors = full.findings().iter().filter(|finding| finding.severity == Severity::Error);
            let unseen = errors.all(|finding| SEEN_BY_CHECKS_ONLY.contains(&finding.rule.id));
            assert!(unseen, "{}: read, although {:?}", what(), full.findings());
        }
        // Checks go from block to block; what is read at once may be too much.
        Err(Error::Limit { .. }) if full.format == Some(Format::B2nd) => {}
        Err(error) => {
            assert_eq!(full.verdict(), Verdict::Error, "{}: {error}", what());
            let rule = error.finding().map(|finding| finding.rule.id);
            // A check that ran into its limit found nothing else; of chunks that share bytes, only the first one is looked
            // at.
            let fits =
                |found: &str| Some(found) == rule || ["limit-exceeded", "b2nd/overlapping-chunks"].contains(&found);
            let known = rule.is_none() || full.findings().iter().any(|finding| fits(finding.rule.id));
            assert!(known, "{}: {error}, but {:?}", what(), full.findings());
        }
    }
    let depth = if turn.is_multiple_of(2) { Depth::Payload } else { Depth::Structure };
    let map = checker(Profile::Strict, depth).byte_map(Input::from_slice(bytes, limits()));
    assert_tiled(&map.unwrap_or_else(|error| panic!("{}: {error}", what())), bytes.len() as u64, &full, what);
}

/// Reads all values, uses them, and writes the structures back.
fn read(bytes: &[u8], format: Option<Format>, what: &dyn Fn() -> String) -> ndbytes::Result<()> {
    let array = Array::read(Input::from_slice(bytes, limits()), limits());
    if format == Some(Format::Idv) {
        assert!(matches!(array, Err(Error::NoArray { format: Format::Idv })), "{}", what());
        tables::read_all(idv::Options::new().limits(limits()).from_slice(bytes), &limits(), what)?;
        tables::assert_written_back(bytes, what);
        return Ok(());
    }
    if format == Some(Format::B2nd) {
        let array = b2nd::Options::new().limits(limits()).from_slice(bytes)?;
        let errors = chunked::use_array(&array, what);
        if let Some(error) = errors.into_iter().next() {
            return Err(error);
        }
        let report = checker(Profile::Strict, Depth::Payload).check_slice(bytes).unwrap();
        if report.verdict() < Verdict::Error {
            let is_dead = |finding: &Finding| finding.rule.id == "b2nd/dead-chunk";
            frames::assert_written_back(bytes, report.findings().iter().any(is_dead), what);
        }
        return Ok(());
    }
    let array = array?;
    use_array(&array, what);
    assert_written_back(&array, bytes, what);
    Ok(())
}

/// A finding about the file points into it; what is missing may begin at its end.
fn assert_in_bounds(report: &Report, bytes: &[u8], what: &dyn Fn() -> String) {
    for finding in report.findings().iter().filter(|finding| finding.space == 0) {
        assert!(finding.offset <= bytes.len() as u64, "{}: {finding:?}", what());
        assert!(finding.offset.checked_add(finding.length).is_some(), "{}: {finding:?}", what());
    }
}

/// The profiles weigh differently; they find the same.
fn assert_same_rules(strict: &Report, reference: &Report, what: &dyn Fn() -> String) {
    let rules = |report: &Report| -> Vec<_> { report.findings().iter().map(|finding| finding.rule.id).collect() };
    let minded = |report: &Report| -> Vec<_> {
        let minded = report.findings().iter().filter(|finding| finding.rule.severity.is_some());
        minded.map(|finding| finding.rule.id).collect()
    };
    assert_eq!(rules(strict), minded(reference), "{}", what());
}

fn assert_tiled(map: &ByteMap, length: u64, report: &Report, what: &dyn Fn() -> String) {
    assert_eq!((map.spaces[0].id, map.spaces[0].length), (0, length), "{}", what());
    let spans = map.spans();
    for space in &map.spaces {
        let mut position = 0;
        for span in spans.iter().filter(|span| span.space == space.id) {
            assert_eq!(span.node.start, position, "{}: {} of {}", what(), span.path, space.title);
            assert!(span.node.end >= span.node.start, "{}: {}", what(), span.path);
            position = span.node.end;
            // Nothing is left unclaimed of a file that has no flaw.
            let gap = span.node.name == GAP && report.verdict() == Verdict::Ok;
            assert!(!gap, "{}: a gap at {position}", what());
        }
        assert_eq!(position, space.length, "{}: {}", what(), space.title);
    }
}

/// Everything that can be done with an array that was read.
fn use_array(array: &Array<'_>, what: &dyn Fn() -> String) {
    let count = array.shape().iter().product::<usize>() as u64;
    let bytes = array.bytes().unwrap().len() as u64;
    assert_eq!(bytes, count * array.dtype().kind.size().max(1), "{}", what());
    for index in [0, count / 2, count.saturating_sub(1)] {
        assert_eq!(array.scalar(index).is_ok(), index < count, "{}", what());
    }
    assert!(matches!(array.scalar(count), Err(Error::OutOfRange { .. })), "{}", what());
    match array.write_npy(io::sink()) {
        Ok(()) => assert!(array.shape().len() <= 64),
        Err(Error::Inexpressible { .. }) => assert!(array.shape().len() > 64),
        Err(error) => panic!("{}: {error}", what()),
    }
    match array {
        Array::Idx(file) => match file.dtype().kind {
            Kind::U8 => use_idx::<u8>(file),
            Kind::I8 => use_idx::<i8>(file),
            Kind::I16 => use_idx::<i16>(file),
            Kind::I32 => use_idx::<i32>(file),
            Kind::F32 => use_idx::<f32>(file),
            Kind::F64 => use_idx::<f64>(file),
            kind => panic!("{}: {kind}", what()),
        },
        Array::RawArray(file) => match file.dtype().kind {
            Kind::Bool | Kind::Bit => {
                assert_eq!(file.to_bool_array(Order::C).unwrap().len() as u64, count);
                assert_eq!(file.to_bool_array(Order::Fortran).unwrap().shape(), file.dims());
            }
            Kind::I8 => use_rawarray::<i8>(file),
            Kind::I16 => use_rawarray::<i16>(file),
            Kind::I32 => use_rawarray::<i32>(file),
            Kind::I64 => use_rawarray::<i64>(file),
            Kind::I128 => use_rawarray::<i128>(file),
            Kind::U8 => use_rawarray::<u8>(file),
            Kind::U16 => use_rawarray::<u16>(file),
            Kind::U32 => use_rawarray::<u32>(file),
            Kind::U64 => use_rawarray::<u64>(file),
            Kind::U128 => use_rawarray::<u128>(file),
            Kind::F16 => use_rawarray::<f16>(file),
            Kind::Bf16 => use_rawarray::<bf16>(file),
            Kind::F32 => use_rawarray::<f32>(file),
            Kind::F64 => use_rawarray::<f64>(file),
            Kind::Complex32 => use_rawarray::<Complex<f16>>(file),
            Kind::Complex64 => use_rawarray::<Complex<f32>>(file),
            Kind::Complex128 => use_rawarray::<Complex<f64>>(file),
            Kind::Record(1) => assert_eq!(file.view_records::<u8>(Order::C).unwrap().len() as u64, count),
            Kind::Record(3) => assert_eq!(file.view_records::<[u8; 3]>(Order::C).unwrap().len() as u64, count),
            Kind::Record(width) => {
                let wrong = file.view_records::<[u8; 5]>(Order::C);
                assert!(width == 5 || matches!(wrong, Err(Error::WrongType { .. })), "{}", what());
            }
            kind => panic!("{}: {kind}", what()),
        },
        _ => panic!("{}: another format", what()),
    }
}

fn use_idx<T: Element>(file: &idx::Idx<'_>) {
    let array = file.to_array::<T>().unwrap();
    assert_eq!(array.shape(), file.shape());
    assert_view(file.view::<T>().map(|view| view.len()), array.len());
    let items = file.shape().first().copied();
    match file.item::<T>(0) {
        Ok(item) => assert_eq!(item.shape(), &file.shape()[1..]),
        Err(error) => assert!(items.is_none_or(|items| items == 0), "{error}"),
    }
    if let Ok(view) = file.items::<T>() {
        // Billions of items, each without elements, take no bytes.
        let some = view.len().min(1000);
        assert_eq!(view.iter().take(some).map(<[T]>::len).sum::<usize>() * view.len(), array.len() * some);
    }
    let mut buffer = vec![T::zeroed(); array.len() + 1];
    assert!(matches!(file.read_into(&mut buffer), Err(Error::BufferLength { .. })));
    file.read_into(&mut buffer[1..]).unwrap();
}

fn use_rawarray<T: Element>(file: &rawarray::RawArray<'_>) {
    let array = file.to_array::<T>(Order::Fortran).unwrap();
    assert_eq!(array.shape(), file.dims());
    assert_view(file.view::<T>(Order::C).map(|view| view.len()), array.len());
    assert_eq!(file.to_array::<T>(Order::C).unwrap().shape(), file.shape(Order::C));
    let mut buffer = vec![T::zeroed(); array.len()];
    file.read_into(&mut buffer).unwrap();
    assert!(matches!(file.to_bool_array(Order::C), Err(Error::WrongType { .. })));
    file.metadata().unwrap();
}

fn assert_view(view: ndbytes::Result<usize>, length: usize) {
    match view {
        Ok(viewed) => assert_eq!(viewed, length),
        Err(Error::NoView(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

/// The declared structure of an accepted file, written back, is the file.
fn assert_written_back(array: &Array<'_>, bytes: &[u8], what: &dyn Fn() -> String) {
    let file = match array {
        Array::Idx(_) if bytes.starts_with(b"\x1f\x8b") => return,
        Array::Idx(array) => {
            let header = schemas::write(array.header(), Endian::Big).unwrap();
            assert_eq!(header, bytes[..array.header().payload.offset as usize], "{}", what());
            [&header, array.bytes().unwrap()].concat()
        }
        Array::RawArray(array) => {
            let endian = if bytes.starts_with(&schemas::rawarray::MAGIC) { Endian::Little } else { Endian::Big };
            let header = schemas::write(array.header(), endian).unwrap();
            let data = array.header().data.range();
            assert_eq!(header, bytes[..data.start as usize], "{}", what());
            [&header, &bytes[data.start as usize..data.end as usize], array.metadata().unwrap()].concat()
        }
        _ => panic!("{}: another format", what()),
    };
    assert!(file == bytes, "{}: written back, it is another file", what());
}

fn of(format: Format, folder: &str) -> Vec<Sample> {
    corpus::samples().into_iter().filter(|sample| sample.format == format && sample.folder == folder).collect()
}

/// The lengths to which a file is cut: all of a small one; of a large one the header's, and then some.
fn lengths(length: usize) -> impl Iterator<Item = usize> {
    let everywhere = if length <= CUT_EVERYWHERE { length } else { TURNED_BYTES };
    (0..=everywhere).chain((everywhere..length).step_by(61).skip(1)).chain((everywhere < length).then(|| length - 1))
}

/// The files of b2nd whose every length and every bit is tried, in the corpus and among the frozen ones. Of the others,
/// which begin in much the same way, only some are, of each file others, unless `NDBYTES_THOROUGH` is set.
const CLOSELY: [&str; 3] = ["index-blosclz", "attributes", "blosc2/nd0"];

/// How many steps to take at a time through what can be done with a file, if it is not looked at closely.
fn stride(name: &str, steps: usize) -> usize {
    if CLOSELY.contains(&name) || std::env::var_os("NDBYTES_THOROUGH").is_some() { 1 } else { steps }
}

fn cut_everywhere(format: Format, folder: &str) {
    for (number, sample) in of(format, folder).into_iter().enumerate() {
        let stride = if format == Format::B2nd { stride(&sample.name, 11) } else { 1 };
        for length in lengths(sample.bytes.len()).skip(number % stride).step_by(stride) {
            examine(&sample.bytes[..length], length, &|| format!("{sample} cut to {length} bytes"));
        }
        // The whole file once with everything, and the byte map to both depths.
        examine(&sample.bytes, 0, &|| sample.to_string());
        examine(&sample.bytes, 1, &|| sample.to_string());
    }
}

/// The bytes whose bits are turned: the first ones; of IDV those of its tables and blocks too, and of what is unused in
/// the header only the ends.
fn turned(format: Format, length: usize) -> impl Iterator<Item = usize> {
    let ranges = match format {
        Format::Idv => [0..53, 255..256 + TURNED_TABLE_BYTES],
        Format::B2nd => [0..length.min(2 * TURNED_TABLE_BYTES), 0..0],
        _ => [0..TURNED_BYTES, 0..0],
    };
    ranges.into_iter().flatten().take_while(move |&byte| byte < length)
}

fn turn_every_bit(format: Format, folder: &str) {
    turn_bits(format, folder, 1);
}

/// Of the files of b2nd, a bit now and then.
fn turn_a_few_bits(format: Format, folder: &str) {
    turn_bits(format, folder, 97);
}

/// Of the many bad files of IDV, every third bit, another one in each byte.
fn turn_some_bits(format: Format, folder: &str) {
    turn_bits(format, folder, 3);
}

fn turn_bits(format: Format, folder: &str, step: usize) {
    for (number, sample) in of(format, folder).into_iter().enumerate() {
        let mut bytes = sample.bytes.clone();
        let bits = turned(format, bytes.len()).flat_map(|byte| 8 * byte..8 * byte + 8);
        let step = if format == Format::B2nd { stride(&sample.name, step) } else { step };
        let first = if format == Format::B2nd { number % step } else { 0 };
        for bit in bits.skip(first).step_by(step) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            examine(&bytes, bit / 8 + bit, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

macro_rules! on_every_file {
    ($($test:ident: $work:ident($format:ident, $folder:literal);)*) => {$(
        #[test]
        fn $test() {
            $work(Format::$format, $folder);
        }
    )*};
}

on_every_file! {
    good_idx_files_cut_everywhere: cut_everywhere(Idx, "ok");
    bad_idx_files_cut_everywhere: cut_everywhere(Idx, "bad");
    good_rawarray_files_cut_everywhere: cut_everywhere(RawArray, "ok");
    bad_rawarray_files_cut_everywhere: cut_everywhere(RawArray, "bad");
    good_idx_files_with_every_bit_turned: turn_every_bit(Idx, "ok");
    bad_idx_files_with_every_bit_turned: turn_every_bit(Idx, "bad");
    good_rawarray_files_with_every_bit_turned: turn_every_bit(RawArray, "ok");
    bad_rawarray_files_with_every_bit_turned: turn_every_bit(RawArray, "bad");
    good_idv_files_cut_everywhere: cut_everywhere(Idv, "ok");
    bad_idv_files_cut_everywhere: cut_everywhere(Idv, "bad");
    good_idv_files_with_every_bit_turned: turn_every_bit(Idv, "ok");
    bad_idv_files_with_some_bits_turned: turn_some_bits(Idv, "bad");
    good_b2nd_files_cut_everywhere: cut_everywhere(B2nd, "ok");
    bad_b2nd_files_cut_everywhere: cut_everywhere(B2nd, "bad");
    good_b2nd_files_with_bits_turned: turn_a_few_bits(B2nd, "ok");
    bad_b2nd_files_with_bits_turned: turn_a_few_bits(B2nd, "bad");
}

#[test]
fn options_that_tolerate_everything_do_not_panic_either() {
    let tolerant = idx::Options::new()
        .trailing_bytes(true)
        .truncated_tail(true)
        .little_endian_header(true)
        .little_endian_payload(true)
        .limits(limits());
    let try_it = |bytes: &[u8]| {
        let Ok(file) = tolerant.from_slice(bytes) else { return };
        let count = file.shape().iter().product::<usize>() as u64;
        assert_eq!(file.bytes().unwrap().len() as u64, count * file.dtype().kind.size());
        let mut doubles = vec![0_f64; count as usize];
        assert_eq!(file.read_into(&mut doubles).is_ok(), file.dtype().kind == Kind::F64);
    };
    for sample in of(Format::Idx, "ok").into_iter().chain(of(Format::Idx, "bad")) {
        let mut bytes = sample.bytes.clone();
        for length in lengths(bytes.len()) {
            let ((), peak) = peak_of(|| try_it(&bytes[..length]));
            assert!(peak <= 2 * MEMORY + 8 * length as u64 + 8 * bytes.len() as u64, "{sample}, {length}: {peak}");
        }
        for bit in 0..8 * bytes.len().min(24) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            try_it(&bytes);
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn tables_that_tolerate_everything_do_not_panic_either() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("idv/"));
    let tolerant = rules.fold(idv::Options::new().limits(limits()), idv::Options::tolerate);
    let try_it = |bytes: &[u8], what: &dyn Fn() -> String| {
        stay_on_this_thread();
        let read = || tables::read_all(tolerant.from_slice(bytes), &limits(), what);
        let (_, peak) = peak_of(read);
        assert!(peak <= 2 * MEMORY + 8 * bytes.len() as u64, "{}: {peak} bytes were allocated", what());
    };
    for sample in of(Format::Idv, "ok").into_iter().chain(of(Format::Idv, "bad")) {
        let mut bytes = sample.bytes.clone();
        try_it(&bytes, &|| sample.to_string());
        for bit in turned(Format::Idv, bytes.len()).flat_map(|byte| [8 * byte, 8 * byte + byte % 8]) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            try_it(&bytes, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn a_count_allocates_nothing_that_the_file_does_not_hold() {
    for ndims in [2, u64::from(u32::MAX), 1 << 61, 1 << 63, u64::MAX] {
        let words = [u64::from_le_bytes(schemas::rawarray::MAGIC), 0, 2, 1, 8, ndims, 8];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let read =
            || schemas::read::<schemas::rawarray::RawArray>(Source::new(&bytes), Endian::Little, binrw::args! {});
        let (result, peak) = peak_of(read);
        assert_eq!(result.unwrap_err().problem, Problem::TooMany { count: ndims, element: 8, left: 8 });
        assert!(peak < 16 << 10, "{ndims}: {peak} bytes were allocated");
        // A file that claims to be long enough, of which only the beginning is at hand.
        let source = Source::prefix(&bytes, 1 << 40);
        let read = || schemas::read::<schemas::rawarray::RawArray>(source, Endian::Little, binrw::args! {});
        let (result, peak) = peak_of(read);
        assert!(result.is_err());
        assert!(peak < 16 << 10, "{ndims}: {peak} bytes were allocated");
    }
}

#[test]
fn no_count_of_idv_allocates_what_the_file_does_not_hold() {
    use schemas::idv::{Annotations, Block, Codec, Columns, Items, Lookup, SlotNames, Storage, Version};
    // Numbers of all widths, each as great as it can be, and LEB128 of them.
    let greatest = [&[0xFF; 9][..], &[1], &[0xFF, 0xFF, 0xFF, 0x7F].repeat(20)].concat();
    let codec =
        |name: &str| [&[name.len() as u8][..], name.as_bytes(), &[0x7F, 5], b"Int32\0", &greatest[10..]].concat();
    let (version, count) = (Version::V6, u32::MAX);
    let texts = Items { vectors: false, storage: Storage::Text };
    let vectors = Items { vectors: true, ..texts };
    for length in [None, Some(1 << 40)] {
        // All of a file, or the beginning of one that is long enough.
        fn source(bytes: &[u8], length: Option<u64>) -> Source<'_> {
            length.map_or(Source::new(bytes), |length| Source::prefix(bytes, length))
        }
        let refused = |(failed, peak): (bool, u64), what: &str| {
            assert!(failed, "{what}");
            assert!(peak < 64 << 10, "{what}: {peak} bytes were allocated");
        };
        macro_rules! read {
            ($layout:ty, $bytes:expr, { $($args:tt)* }) => {{
                let bytes = $bytes;
                let read = || {
                    let source = source(&bytes[..], length);
                    schemas::read::<$layout>(source, Endian::Little, binrw::args! { $($args)* }).is_err()
                };
                refused(peak_of(read), stringify!($layout));
            }};
        }
        read!(Columns, &greatest, { version, column_count: count });
        read!(Columns, [0; 20], { version, column_count: count });
        read!(Lookup, &greatest, { block_count: u64::MAX });
        read!(Lookup, &greatest, { block_count: 1 << 36 });
        read!(SlotNames, &greatest, { count });
        read!(SlotNames, [0; 20], { count });
        read!(Block, &greatest[10..], { items: texts, rows: 1 << 40 });
        read!(Block, &greatest[10..], { items: vectors, rows: 1 << 40 });
        read!(Codec, codec("VBuffer"), { depth: 0 });
        let annotations = || schemas::read::<Annotations>(source(&greatest, length), Endian::Little, ()).is_err();
        refused(peak_of(annotations), "Annotations");
    }
}

#[test]
fn what_a_file_promises_is_not_allocated_before_it_is_there() {
    // Every byte of the first words at its greatest: shapes and sizes beyond all measure.
    let mut files: Vec<Vec<u8>> = Vec::new();
    for ndim in [1, 2, 3, 8, 255] {
        files.push([&[0, 0, 0x0E, ndim][..], &[0xFF; 1020]].concat());
        files.push([&[0, 0, 8, ndim][..], &[0, 0, 0xFF, 0xFF].repeat(255)].concat());
    }
    for (eltype, elbyte) in [(0, 1), (0, u64::MAX), (1, 8), (4, 16), (5, 8)] {
        for flags in [0, 1, 2, 3, 6, 7] {
            for (size, dim) in
                [(u64::MAX, u64::MAX), (1 << 62, 1 << 59), (1 << 30, 1 << 30), (0, 0), (1 << 20, 1 << 20)]
            {
                let words =
                    [u64::from_le_bytes(schemas::rawarray::MAGIC), flags, eltype, elbyte, size, 1, dim, 1, 2, 3];
                files.push(words.iter().flat_map(|word: &u64| word.to_le_bytes()).collect());
                files.push(words.iter().flat_map(|word: &u64| word.to_be_bytes()).collect());
            }
        }
    }
    for (number, bytes) in files.iter().enumerate() {
        examine(bytes, 0, &|| format!("file {number}: {:02x?}", &bytes[..bytes.len().min(80)]));
    }
}

#[test]
fn a_stream_without_an_end_is_refused_within_the_budget() {
    let (report, peak) = peak_of(|| checker(Profile::Strict, Depth::Payload).check_reader(io::repeat(0)));
    let report = report.unwrap();
    assert_eq!(report.findings()[0].rule.id, "limit-exceeded");
    assert_eq!(report.findings()[0].severity, Severity::Error);
    assert!(peak <= 2 * MEMORY, "{peak} bytes were allocated");
}

/// Arrays that C-Blosc2 wrote, one for each kind of chunk, item and codec that small files can have.
fn frozen_arrays() -> Vec<(&'static str, Vec<u8>)> {
    const NAMES: [&str; 13] = [
        "blosc2/dt_m8D",
        "blosc2/empty_0",
        "blosc2/mk_full_bytes",
        "blosc2/mk_le_u8",
        "blosc2/mk_nans",
        "blosc2/mk_nested",
        "blosc2/mk_str",
        "blosc2/mk_zero_chunks",
        "blosc2/nd0",
        "blosc2/nd1",
        "blosc2/runs_const_nofilter",
        "blosc2/tiny_lt32",
        "old/2.7.1_struct",
    ];
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frozen/b2nd");
    NAMES.map(|name| (name, std::fs::read(folder.join(format!("{name}.b2nd"))).unwrap())).to_vec()
}

#[test]
fn frozen_arrays_cut_everywhere() {
    for (name, bytes) in frozen_arrays() {
        for length in (0..=bytes.len()).step_by(stride(name, 13)) {
            examine(&bytes[..length], length, &|| format!("{name} cut to {length} bytes"));
        }
    }
}

#[test]
fn frozen_arrays_with_bits_turned() {
    for (name, mut bytes) in frozen_arrays() {
        for bit in (0..8 * bytes.len()).step_by(stride(name, 61)) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            examine(&bytes, bit / 8 + bit, &|| format!("{name} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

#[test]
fn arrays_that_tolerate_everything_do_not_panic_either() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/"));
    let tolerant = rules.fold(b2nd::Options::new().limits(limits()), b2nd::Options::tolerate);
    let try_it = |bytes: &[u8], what: &dyn Fn() -> String| {
        stay_on_this_thread();
        let read = || match tolerant.from_slice(bytes) {
            Ok(array) => chunked::use_array(&array, what).into_iter().next(),
            Err(error) => Some(error),
        };
        let (_, peak) = peak_of(read);
        assert!(peak <= 2 * MEMORY + 8 * bytes.len() as u64, "{}: {peak} bytes were allocated", what());
    };
    for (number, sample) in of(Format::B2nd, "ok").into_iter().chain(of(Format::B2nd, "bad")).enumerate() {
        let mut bytes = sample.bytes.clone();
        try_it(&bytes, &|| sample.to_string());
        let step = stride(&sample.name, 97);
        for bit in (number % step..8 * bytes.len()).step_by(step) {
            bytes[bit / 8] ^= 1 << (bit % 8);
            try_it(&bytes, &|| format!("{sample} with bit {} of byte {} turned", bit % 8, bit / 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
        }
    }
}

/// The files of sparse frames, each of them cut and with bits turned.
#[test]
fn folders_with_broken_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("array.b2nd");
    let try_it = |turn: usize, what: &dyn Fn() -> String| {
        stay_on_this_thread();
        let report = checker(Profile::Strict, Depth::Payload).check(&path).unwrap();
        let read = match b2nd::Options::new().limits(limits()).open(&path) {
            Ok(array) => chunked::use_array(&array, what).into_iter().next(),
            Err(error) => Some(error),
        };
        match read {
            Some(Error::Limit { .. }) => {}
            Some(error) => assert_eq!(report.verdict(), Verdict::Error, "{}: {error}", what()),
            None => {
                let mut errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
                let unseen = errors.all(|finding| SEEN_BY_CHECKS_ONLY.contains(&finding.rule.id));
                assert!(unseen, "{}: read, although {:?}", what(), report.findings());
            }
        }
        let depth = if turn.is_multiple_of(2) { Depth::Payload } else { Depth::Structure };
        let input = Input::open(&path, limits()).unwrap();
        let length = input.length();
        assert_tiled(&checker(Profile::Strict, depth).byte_map(input).unwrap(), length, &report, what);
    };
    for (number, sample) in corpus::folders().into_iter().enumerate() {
        let files: Vec<_> =
            sample.others().into_iter().chain([("chunks.b2frame".into(), sample.bytes.clone())]).collect();
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir(&path).unwrap();
        files.iter().for_each(|(name, bytes)| std::fs::write(path.join(name), bytes).unwrap());
        try_it(0, &|| sample.to_string());
        for (name, bytes) in &files {
            let file = path.join(name);
            let step = stride(&sample.name, 13);
            for length in (number % step..bytes.len()).step_by(step) {
                std::fs::write(&file, &bytes[..length]).unwrap();
                try_it(length, &|| format!("{sample}, {name} cut to {length} bytes"));
            }
            let step = stride(&sample.name, 61);
            for bit in (number % step..8 * bytes.len()).step_by(step) {
                let mut turned = bytes.clone();
                turned[bit / 8] ^= 1 << (bit % 8);
                std::fs::write(&file, &turned).unwrap();
                try_it(bit, &|| format!("{sample}, {name} with bit {} of byte {} turned", bit % 8, bit / 8));
            }
            std::fs::remove_file(&file).unwrap();
            if name != "chunks.b2frame" {
                try_it(0, &|| format!("{sample} without {name}"));
            }
            std::fs::write(&file, bytes).unwrap();
        }
    }
}

#[test]
fn no_count_of_b2nd_allocates_what_the_file_does_not_hold() {
    use schemas::b2nd::{ArrayLayer, BlockTable, ChunkBody, ChunkContent, Dictionary, Header, Stream, Trailer};
    let corpus = of(Format::B2nd, "ok").into_iter().find(|sample| sample.name == "attributes").unwrap();
    // Everything that counts or measures, at its greatest.
    let mut header = corpus.bytes[..300].to_vec();
    header[93..95].fill(0xFF);
    let layer = [&[0x97, 0, 0xFF, 0x8F][..], &[0xFF; 60]].concat();
    let trailer = [&[0x94, 1, 0x93, 0xCD, 0xFF, 0xFF, 0xDE, 0xFF, 0xFF][..], &[0xA0; 60]].concat();
    let (most, few) = ([0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF], [0; 3]);
    for length in [None, Some(1 << 40)] {
        fn source(bytes: &[u8], length: Option<u64>) -> Source<'_> {
            length.map_or(Source::new(bytes), |length| Source::prefix(bytes, length))
        }
        macro_rules! bounded {
            ($endian:ident, $layout:ty, $bytes:expr, $args:expr) => {{
                let read = || schemas::read::<$layout>(source(&$bytes[..], length), Endian::$endian, $args).is_err();
                let (_, peak) = peak_of(read);
                assert!(peak < 64 << 10, "{}: {peak} bytes were allocated", stringify!($layout));
            }};
        }
        bounded!(Big, Header, header, ());
        bounded!(Big, ArrayLayer, layer, ());
        bounded!(Big, Trailer, trailer, ());
        bounded!(Little, BlockTable, few, binrw::args! { block_count: u64::MAX, dictionary: true });
        bounded!(Little, BlockTable, most, binrw::args! { block_count: 1, dictionary: true });
        bounded!(Little, Dictionary, most, ());
        bounded!(Little, Stream, most, ());
        for content in [ChunkContent::Value(u64::MAX), ChunkContent::Stored(1 << 40)] {
            bounded!(Little, ChunkBody, few, binrw::args! { content });
        }
        let content = ChunkContent::Blocks { count: 1 << 60, dictionary: true };
        bounded!(Little, ChunkBody, most, binrw::args! { content });
    }
}

/// An array without items, with about as many metalayers as there is room for, in the header or in the trailer. None of
/// the offsets beside their names leads to a content.
fn with_many_metalayers(in_header: bool) -> Vec<u8> {
    let sample = of(Format::B2nd, "ok").into_iter().find(|sample| sample.name == "empty").unwrap();
    let header_length = u32::from_be_bytes(sample.bytes[11..15].try_into().unwrap()) as usize;
    let (mut header, trailer) = (sample.bytes[..header_length].to_vec(), &sample.bytes[header_length..]);
    let named = |content: &[u8], count| (0..count).map(move |name| (format!("{name:04x}"), content.to_vec())).collect();
    let mut layers: Vec<(String, Vec<u8>)> = named(b"value", 50_000);
    let mut attributes = trailer[2..trailer.len() - 23].to_vec();
    layers[0] = ("b2nd".to_owned(), header.split_off(112));
    header.truncate(87);
    if in_header {
        header.extend(metalayers(&layers));
    } else {
        // Each is a chunk of one byte, stored as it is.
        let chunk = [&[5, 1, 7, 1, 1, 0, 0, 0, 1, 0, 0, 0, 33, 0, 0, 0][..], &[0; 16], &[7]].concat();
        attributes = metalayers(&named(&chunk, 0xFFFF));
        header.extend(metalayers(&layers[..1]));
        header[68] = 0xC3;
    }
    let (header_length, trailer_length) = (header.len(), 2 + attributes.len() + 23);
    header[11..15].copy_from_slice(&(header_length as u32).to_be_bytes());
    header[16..24].copy_from_slice(&((header_length + trailer_length) as u64).to_be_bytes());
    let tail = [&[0xCE][..], &(trailer_length as u32).to_be_bytes(), &[0xD8], &[0; 17]].concat();
    [header, trailer[..2].to_vec(), attributes, tail].concat()
}

/// Names, each beside an offset that is wrong, and contents.
fn metalayers(contents: &[(String, Vec<u8>)]) -> Vec<u8> {
    let count = (contents.len() as u16).to_be_bytes();
    let entry = |name: &str| [&[0xA0 | name.len() as u8][..], name.as_bytes(), &[0xD2, 0, 0, 0, 7]].concat();
    let content = |bytes: &[u8]| [&[0xC6][..], &(bytes.len() as u32).to_be_bytes(), bytes].concat();
    let entries: Vec<u8> = contents.iter().flat_map(|(name, _)| entry(name)).collect();
    let contents: Vec<u8> = contents.iter().flat_map(|(_, bytes)| content(bytes)).collect();
    [&[0x93, 0xCD, 0, 0, 0xDE][..], &count, &entries, &[0xDC], &count, &contents].concat()
}

/// This took minutes when all contents were looked through for each name.
#[test]
fn many_metalayers_that_no_offset_leads_to() {
    let rules = ndbytes::rules().filter(|rule| rule.id.starts_with("b2nd/"));
    let tolerant = rules.fold(b2nd::Options::new().limits(limits()), b2nd::Options::tolerate);
    // In the trailer's case, that of the layer that makes the array is one more.
    for (in_header, wrong) in [(true, 50_000), (false, 0xFFFF + 1)] {
        let bytes = with_many_metalayers(in_header);
        let what = || format!("{} bytes, metalayers in the header: {in_header}", bytes.len());
        examine(&bytes, 2, &what);
        let report = checker(Profile::Strict, Depth::Payload).check_slice(&bytes).unwrap();
        let findings = report.findings().iter();
        let offsets: Vec<_> = findings.filter(|finding| finding.rule.id == "b2nd/metalayer-offset").collect();
        assert_eq!(offsets.len(), 20, "{}: {:?}", what(), report.findings());
        let more = format!("(and {} more of this kind)", wrong - 20);
        assert!(offsets[19].message.ends_with(&more), "{}: {}", what(), offsets[19]);

        let array = tolerant.from_slice(&bytes).unwrap();
        let names = if in_header { array.metalayer_names() } else { array.attribute_names() };
        assert_eq!(names.len(), wrong - 1, "{}", what());
        for name in ["0001", "8000", names.last().unwrap()] {
            let content = if in_header { array.metalayer(name) } else { array.attribute(name) };
            assert_eq!(content.unwrap(), if in_header { &b"value"[..] } else { &[7] }, "{}: {name}", what());
        }
    }
}

#[test]
fn a_single_item_has_to_fit_the_limits_too() {
    let item = vec![0; 4 * MEMORY as usize];
    let item_type = format!("|V{}", item.len()).parse().unwrap();
    let bytes = b2nd::Writer::new().bytes_to_vec(&[1, 1], &item_type, &item).unwrap();
    assert!(bytes.len() < 1000);
    let array = b2nd::Options::new().limits(limits()).from_slice(&bytes).unwrap();
    let (item, peak) = peak_of(|| array.item(&[0, 0]));
    assert!(matches!(item, Err(Error::Limit { .. })), "{item:?}");
    // The index is looked at first.
    let (beyond, other_peak) = peak_of(|| array.item(&[0, 1]));
    assert!(matches!(beyond, Err(Error::OutOfRange { .. })), "{beyond:?}");
    assert!(peak.max(other_peak) <= MEMORY, "{peak} and {other_peak} bytes were allocated");
}

#[test]
fn a_map_shows_what_the_limits_have_room_for() {
    let arrays = corpus::everything().into_iter().filter(|sample| sample.format == Format::B2nd);
    for sample in arrays.filter(|sample| sample.folder == "ok") {
        for memory in [0, 1 << 10, 1 << 14] {
            let (limits, what) = (Limits::default().memory(memory), || format!("{sample} in {memory} bytes"));
            let checker = Checker::new().limits(limits);
            let report = checker.check(&sample.path).unwrap();
            let input = Input::open(&sample.path, limits).unwrap();
            let length = input.length();
            let map = checker.byte_map(input).unwrap_or_else(|error| panic!("{}: {error}", what()));
            assert_tiled(&map, length, &report, &what);
        }
    }
}

#[test]
fn a_map_of_many_chunks_needs_no_more_than_one_of_them() {
    let items: Vec<u8> = (0..1_u32 << 18).map(|number| (number.wrapping_mul(0x9E37_79B9) >> 29) as u8).collect();
    let folder = tempfile::tempdir().unwrap();
    for sparse in [false, true] {
        let path = folder.path().join(if sparse { "sparse.b2nd" } else { "contiguous.b2nd" });
        let writer = b2nd::Writer::new().codec(b2nd::Codec::LZ4).chunks([1 << 16]).blocks([1 << 14]);
        writer.sparse(sparse).write(&path, &ndarray::arr1(&items)).unwrap();
        let shown = |memory| {
            let limits = Limits::default().memory(memory);
            let map = Checker::new().limits(limits).byte_map(Input::open(&path, limits).unwrap()).unwrap();
            map.spaces.iter().filter(|space| space.title.starts_with("chunk ")).count()
        };
        assert_eq!((shown(0), shown(1 << 20)), (0, 4), "sparse: {sparse}");
        // What the first one needs, all do with, but for how well they are compressed.
        let enough = (0..).map(|step| step << 12).find(|&memory| shown(memory) > 0).unwrap();
        assert_eq!(shown(enough + (16 << 10)), 4, "sparse: {sparse}, {enough} bytes");
    }
}
