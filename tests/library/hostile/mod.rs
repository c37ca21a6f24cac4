//! Every file of the corpus, truncated at every length and with every single bit flipped, must not cause a panic or
//! exceed its memory limit, and every byte must be in the map. Accepted files can be written back byte for byte.

mod broken;
mod costs;
mod metalayers;
mod tolerant;
mod verdicts;

use half::{bf16, f16};
use ndbytes::everybyte::{self, Endian};
use ndbytes::rawarray::{self, Order};
use ndbytes::{
    Array, ByteMap, Checker, Depth, Element, ElementKind, Error, Finding, Format, GAP, Input, Limits, Options, Profile,
    Report, Severity, Verdict, b2nd, idv, idx, is_gzip, npy, schemas,
};
use ndbytes_testkit::allocations::peak_of;
use ndbytes_testkit::corpus::{self, Sample};
use ndbytes_testkit::reports::missing;
use ndbytes_testkit::share::is_whole;
use ndbytes_testkit::{b2nd as chunked, frames, idv as tables};
use num_complex::Complex;
use std::io;

/// The memory limit for each file, beyond its own length.
const MEMORY: u64 = 1 << 20;

/// Files up to this length are truncated at every length.
const CUT_EVERYWHERE: usize = 600;

/// The number of first bytes in which every bit is flipped.
const TURNED_BYTES: usize = 200;

/// The same, but for the bytes after the header of an IDV file.
const TURNED_TABLE_BYTES: usize = 600;

fn limits() -> Limits {
    Limits::default().memory(MEMORY)
}

fn checker(profile: Profile, depth: Depth) -> Checker {
    Checker::new().profile(profile).depth(depth).limits(limits())
}

/// Asks all questions about some bytes. `turn` selects the questions that are asked only occasionally, since they take
/// most of the time and reveal little.
fn examine(bytes: &[u8], turn: usize, what: &dyn Fn() -> String) {
    stay_on_this_thread();
    let ((), peak) = peak_of(|| ask(bytes, turn, what));
    let granted = MEMORY + 8 * bytes.len() as u64 + MEMORY;
    assert!(peak <= granted, "{}: {peak} bytes were allocated, {granted} granted", what());
}

/// Makes this thread the only one of a rayon pool, since allocations of other threads are not counted.
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
        // A check that exceeded its limit found nothing else.
        if full.findings().iter().all(|finding| finding.rule.id != "limit-exceeded") {
            let missing = missing(&fast, &full);
            assert!(missing.is_empty(), "{}: {missing:?}, but {:?}", what(), full.findings());
        }
        assert!(fast.verdict() <= full.verdict(), "{}: {:?}, then {:?}", what(), fast.findings(), full.findings());
        assert_same_rules(&fast, &structure, what);
        assert_same_rules(&full, &report(Profile::Reference, Depth::Payload), what);
    }
    match read(bytes, full.format, what) {
        Ok(()) => {
            let mut errors = full.findings().iter().filter(|finding| finding.severity == Severity::Error);
            assert!(errors.next().is_none(), "{}: read, although {:?}", what(), full.findings());
        }
        // Checks go from block to block; reading everything at once may take too much memory.
        Err(Error::Limit { .. }) if full.format == Some(Format::B2nd) => {}
        Err(error) => {
            assert_eq!(full.verdict(), Verdict::Error, "{}: {error}", what());
            let rule = error.finding().map(|finding| finding.rule.id);
            // A check that exceeded its limit found nothing else. If chunks share bytes, only the first is checked.
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

/// Reads and uses all values and, unless the file is in gzip, writes the structures back.
fn read(bytes: &[u8], format: Option<Format>, what: &dyn Fn() -> String) -> ndbytes::Result<()> {
    let is_plain = !is_gzip(bytes);
    let array = Array::read(Input::from_slice(bytes, limits()), &Options::new().limits(limits()));
    if format == Some(Format::Idv) {
        let is_table = matches!(array, Err(Error::NoArray { format: Format::Idv }));
        // Errors in gzip are found earlier.
        assert!(is_table || !is_plain, "{}", what());
        tables::read_all(idv::Options::new().limits(limits()).from_slice(bytes), &limits(), what)?;
        if is_plain {
            tables::assert_written_back(bytes, what);
        }
        return Ok(());
    }
    if format == Some(Format::B2nd) {
        let array = b2nd::Options::new().limits(limits()).from_slice(bytes)?;
        let errors = chunked::use_array(&array, what);
        if let Some(error) = errors.into_iter().next() {
            return Err(error);
        }
        let report = checker(Profile::Strict, Depth::Payload).check_slice(bytes).unwrap();
        if report.verdict() < Verdict::Error && is_plain {
            let is_dead = |finding: &Finding| finding.rule.id == "b2nd/dead-chunk";
            frames::assert_written_back(bytes, report.findings().iter().any(is_dead), what);
        }
        return Ok(());
    }
    let array = array?;
    use_array(&array, what);
    if is_plain {
        assert_written_back(&array, bytes, what);
    }
    Ok(())
}

/// Asserts that findings point into the file. Missing bytes may begin at its end.
fn assert_in_bounds(report: &Report, bytes: &[u8], what: &dyn Fn() -> String) {
    for finding in report.findings().iter().filter(|finding| finding.space == 0) {
        assert!(finding.offset <= bytes.len() as u64, "{}: {finding:?}", what());
        assert!(finding.offset.checked_add(finding.length).is_some(), "{}: {finding:?}", what());
    }
}

/// Asserts that both profiles find the same rules, with different severities.
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
            assert_eq!(span.node.start(), position, "{}: {} of {}", what(), span.path, space.title);
            assert!(span.node.end() >= span.node.start(), "{}: {}", what(), span.path);
            position = span.node.end();
            // A file without findings has no unclaimed bytes.
            let gap = span.node.name() == GAP && report.verdict() == Verdict::Ok;
            assert!(!gap, "{}: a gap at {position}", what());
        }
        assert_eq!(position, space.length, "{}: {}", what(), space.title);
    }
}

/// Uses an array in every possible way.
fn use_array(array: &Array<'_>, what: &dyn Fn() -> String) {
    let count = array.shape().iter().product::<usize>() as u64;
    let bytes = array.bytes().unwrap().len() as u64;
    assert_eq!(bytes, count * array.item_type().stride(), "{}", what());
    for index in [0, count / 2, count.saturating_sub(1)] {
        match array.scalar(index) {
            Ok(_) => assert!(index < count, "{}", what()),
            Err(Error::OutOfRange { .. }) => assert!(index >= count, "{}", what()),
            Err(error) => panic!("{}: {error}", what()),
        }
    }
    assert!(matches!(array.scalar(count), Err(Error::OutOfRange { .. })), "{}", what());
    // NumPy's limits on the number of axes and on the size of an item.
    let is_for_numpy = array.shape().len() <= 64 && array.item_type().size() <= i32::MAX as u64;
    match array.write_npy(io::sink(), &Limits::default()) {
        Ok(()) => assert!(is_for_numpy),
        Err(Error::Inexpressible { .. }) => assert!(!is_for_numpy),
        Err(error) => panic!("{}: {error}", what()),
    }
    match array {
        Array::Idx(file) => match file.dtype().kind {
            ElementKind::U8 => use_idx::<u8>(file),
            ElementKind::I8 => use_idx::<i8>(file),
            ElementKind::I16 => use_idx::<i16>(file),
            ElementKind::I32 => use_idx::<i32>(file),
            ElementKind::F32 => use_idx::<f32>(file),
            ElementKind::F64 => use_idx::<f64>(file),
            kind => panic!("{}: {kind}", what()),
        },
        Array::RawArray(file) => match file.dtype().kind {
            ElementKind::Bool | ElementKind::Bit => {
                assert_eq!(file.to_bool_array(Order::C).unwrap().len() as u64, count);
                assert_eq!(file.to_bool_array(Order::Fortran).unwrap().shape(), file.dims());
            }
            ElementKind::I8 => use_rawarray::<i8>(file),
            ElementKind::I16 => use_rawarray::<i16>(file),
            ElementKind::I32 => use_rawarray::<i32>(file),
            ElementKind::I64 => use_rawarray::<i64>(file),
            ElementKind::I128 => use_rawarray::<i128>(file),
            ElementKind::U8 => use_rawarray::<u8>(file),
            ElementKind::U16 => use_rawarray::<u16>(file),
            ElementKind::U32 => use_rawarray::<u32>(file),
            ElementKind::U64 => use_rawarray::<u64>(file),
            ElementKind::U128 => use_rawarray::<u128>(file),
            ElementKind::F16 => use_rawarray::<f16>(file),
            ElementKind::Bf16 => use_rawarray::<bf16>(file),
            ElementKind::F32 => use_rawarray::<f32>(file),
            ElementKind::F64 => use_rawarray::<f64>(file),
            ElementKind::Complex32 => use_rawarray::<Complex<f16>>(file),
            ElementKind::Complex64 => use_rawarray::<Complex<f32>>(file),
            ElementKind::Complex128 => use_rawarray::<Complex<f64>>(file),
            ElementKind::Record(1) => assert_eq!(file.view_records::<u8>(Order::C).unwrap().len() as u64, count),
            ElementKind::Record(3) => assert_eq!(file.view_records::<[u8; 3]>(Order::C).unwrap().len() as u64, count),
            ElementKind::Record(width) => {
                let wrong = file.view_records::<[u8; 5]>(Order::C);
                assert!(width == 5 || matches!(wrong, Err(Error::WrongType { .. })), "{}", what());
            }
            kind => panic!("{}: {kind}", what()),
        },
        Array::Npy(file) => match file.dtype().kind {
            ElementKind::Bool => assert_eq!(file.to_bool_array().unwrap().shape(), file.shape()),
            ElementKind::I8 => use_npy::<i8>(file),
            ElementKind::I16 => use_npy::<i16>(file),
            ElementKind::I32 => use_npy::<i32>(file),
            ElementKind::I64 => use_npy::<i64>(file),
            ElementKind::U8 => use_npy::<u8>(file),
            ElementKind::U16 => use_npy::<u16>(file),
            ElementKind::U32 => use_npy::<u32>(file),
            ElementKind::U64 => use_npy::<u64>(file),
            ElementKind::F16 => use_npy::<f16>(file),
            ElementKind::F32 => use_npy::<f32>(file),
            ElementKind::F64 => use_npy::<f64>(file),
            ElementKind::Complex64 => use_npy::<Complex<f32>>(file),
            ElementKind::Complex128 => use_npy::<Complex<f64>>(file),
            ElementKind::Record(3) => {
                assert_view(file.view_records::<[u8; 3]>().map(|view| view.len()), count as usize)
            }
            _ => assert!(matches!(file.to_array::<f32>(), Err(Error::WrongType { .. })), "{}", what()),
        },
        _ => panic!("{}: another format", what()),
    }
}

fn use_npy<T: Element>(file: &npy::Npy<'_>) {
    let array = file.to_array::<T>().unwrap();
    assert_eq!(array.shape(), file.shape());
    assert_view(file.view::<T>().map(|view| view.len()), array.len());
    file.read_into(&mut vec![T::zeroed(); array.len()]).unwrap();
    assert!(matches!(file.to_bool_array(), Err(Error::WrongType { .. })));
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
        // Billions of items without elements take no space.
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

/// Asserts that the declared structure of an accepted file, written back, equals the file.
fn assert_written_back(array: &Array<'_>, bytes: &[u8], what: &dyn Fn() -> String) {
    let file = match array {
        Array::Idx(array) => {
            let header = everybyte::write(array.header(), Endian::Big).unwrap();
            assert_eq!(header, bytes[..array.header().payload.offset as usize], "{}", what());
            [&header, array.bytes().unwrap()].concat()
        }
        Array::RawArray(array) => {
            let endian = if bytes.starts_with(&schemas::rawarray::RawArray::magic(Endian::Little)) {
                Endian::Little
            } else {
                Endian::Big
            };
            let header = everybyte::write(array.header(), endian).unwrap();
            let data = array.header().data.range();
            assert_eq!(header, bytes[..data.start as usize], "{}", what());
            [&header, &bytes[data.start as usize..data.end as usize], array.metadata().unwrap()].concat()
        }
        Array::Npy(array) => {
            let header = everybyte::write(array.header(), Endian::Little).unwrap();
            assert_eq!(header, bytes[..array.header().payload.offset as usize], "{}", what());
            [&header, array.bytes().unwrap()].concat()
        }
        _ => panic!("{}: another format", what()),
    };
    assert!(file == bytes, "{}: written back, it is another file", what());
}

fn of(format: Format, folder: &str) -> Vec<Sample> {
    corpus::samples().into_iter().filter(|sample| sample.format == Some(format) && sample.folder == folder).collect()
}

/// The lengths to truncate a file to: all lengths for a small file; for a large one, lengths within the header and some others.
fn lengths(length: usize) -> impl Iterator<Item = usize> {
    let everywhere = if length <= CUT_EVERYWHERE { length } else { TURNED_BYTES };
    (0..=everywhere).chain((everywhere..length).step_by(61).skip(1)).chain((everywhere < length).then(|| length - 1))
}

/// The b2nd files in the corpus and among the frozen ones for which every length and every bit is tried. The others begin
/// similarly, so only a sample of positions is tried, which differs from file to file, unless the run covers every position.
const CLOSELY: [&str; 3] = ["index-blosclz", "attributes", "blosc2/nd0"];

/// The stride through the changes of a file, unless it is examined closely.
fn stride(name: &str, steps: usize) -> usize {
    if CLOSELY.contains(&name) || is_whole() { 1 } else { steps }
}

/// The bytes in which bits are flipped: the first ones. For IDV, also bytes of its tables and blocks, and only the ends
/// of the header's unused part.
fn turned(format: Format, length: usize) -> impl Iterator<Item = usize> {
    let ranges = match format {
        Format::Idv => [0..53, 255..256 + TURNED_TABLE_BYTES],
        Format::B2nd => [0..length.min(2 * TURNED_TABLE_BYTES), 0..0],
        _ => [0..TURNED_BYTES, 0..0],
    };
    ranges.into_iter().flatten().take_while(move |&byte| byte < length)
}
