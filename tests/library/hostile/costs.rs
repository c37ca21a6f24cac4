//! The cost of stated counts and lengths.

use super::{MEMORY, assert_tiled, checker, examine, limits, of};
use ndbytes::everybyte::{self, Endian, Source, error::Problem};
use ndbytes::{Checker, Depth, Error, Format, Input, Limits, Profile, Severity, b2nd, schemas};
use ndbytes_testkit::allocations::peak_of;
use ndbytes_testkit::corpus;
use std::io;

#[test]
fn counts_of_rawarray_allocate_no_more_than_the_file_holds() {
    for ndims in [2, u64::from(u32::MAX), 1 << 61, 1 << 63, u64::MAX] {
        let words = [u64::from_le_bytes(schemas::rawarray::RawArray::magic(Endian::Little)), 0, 2, 1, 8, ndims, 8];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let read =
            || everybyte::read::<schemas::rawarray::RawArray>(Source::new(&bytes), Endian::Little, binrw::args! {});
        let (result, peak) = peak_of(read);
        assert_eq!(result.unwrap_err().problem, Problem::TooMany { count: ndims, element: 8, left: 8 });
        assert!(peak < 16 << 10, "{ndims}: {peak} bytes were allocated");
        // The file claims to be long enough, but only its beginning is available.
        let source = Source::prefix(&bytes, 1 << 40);
        let read = || everybyte::read::<schemas::rawarray::RawArray>(source, Endian::Little, binrw::args! {});
        let (result, peak) = peak_of(read);
        let problem = result.unwrap_err().problem;
        assert!(matches!(problem, Problem::TooMany { .. } | Problem::Unavailable), "{ndims}: {problem:?}");
        assert!(peak < 16 << 10, "{ndims}: {peak} bytes were allocated");
    }
}

/// The header is the longest readable one, full of the literals that take the most memory per byte of text.
#[test]
fn literals_of_npy_stay_within_what_is_granted() {
    const LENGTH: usize = (1 << 20) - 64;
    let repeated = |before: &str, part: &dyn Fn(usize) -> String, after: &str| {
        let mut text = before.to_owned();
        for number in 0.. {
            let part = part(number);
            if text.len() + part.len() + after.len() >= LENGTH {
                break;
            }
            text += &part;
        }
        text + after
    };
    let shape = ", 'fortran_order': False, 'shape': (), }";
    let texts = [
        repeated("{'descr': [", &|number| format!("('{number:x}','u1'),"), &format!("]{shape}")),
        repeated(
            "{'descr': [",
            &|number| format!("'{}i',", char::from_u32(0xE000 + number as u32).unwrap()),
            &format!("]{shape}"),
        ),
        repeated("{'descr': [", &|_| "('','V'),".into(), &format!("]{shape}")),
        repeated("{'descr': [", &|_| "(),".into(), &format!("]{shape}")),
        repeated("{'descr': '", &|_| "?,".into(), &format!("'{shape}")),
        repeated("{'descr': 'u1', 'fortran_order': False, 'shape': (", &|_| "0,".into(), "), }"),
        repeated("{'descr': 'u1', 'fortran_order': False, 'shape': (", &|_| "0L,".into(), "), }"),
        repeated("{", &|_| "0:0,".into(), "}"),
        repeated("{'descr': '", &|_| "\\".into(), &format!("'{shape}")),
    ];
    for text in texts {
        for granted in [1 << 20, 1 << 30] {
            let mut file = [b"\x93NUMPY", &[if text.is_ascii() { 2 } else { 3 }, 0][..]].concat();
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text.bytes());
            let checker = Checker::new().limits(Limits::default().memory(granted));
            let (report, peak) = peak_of(|| checker.check_slice(&file).unwrap());
            let debited = (160 * file.len() as u64).min(granted);
            assert!(peak < debited + (16 << 20), "{}: {peak} bytes were allocated", &text[..40]);
            assert!(granted > 1 << 20 || report.findings()[0].rule.id == "limit-exceeded");
        }
    }
}

#[test]
fn counts_of_idv_allocate_no_more_than_the_file_holds() {
    use schemas::idv::{Annotations, Block, Codec, Columns, Items, Lookup, SlotNames, Storage, Version};
    // These are the largest numbers of all widths, and in LEB128.
    let greatest = [&[0xFF; 9][..], &[1], &[0xFF, 0xFF, 0xFF, 0x7F].repeat(20)].concat();
    let codec =
        |name: &str| [&[name.len() as u8][..], name.as_bytes(), &[0x7F, 5], b"Int32\0", &greatest[10..]].concat();
    let (version, count) = (Version::V6, u32::MAX);
    let texts = Items { vectors: false, storage: Storage::Text };
    let vectors = Items { vectors: true, ..texts };
    for length in [None, Some(1 << 40)] {
        // Returns a whole file, or the beginning of one that is long enough.
        fn source(bytes: &[u8], length: Option<u64>) -> Source<'_> {
            length.map_or(Source::new(bytes), |length| Source::prefix(bytes, length))
        }
        let refused = |(problem, peak): (Option<Problem>, u64), what: &str| {
            let is_refused = match length {
                None => matches!(problem, Some(Problem::TooMany { .. })),
                Some(_) => matches!(problem, Some(Problem::TooMany { .. } | Problem::Unavailable)),
            };
            assert!(is_refused, "{what}: {problem:?}");
            assert!(peak < 64 << 10, "{what}: {peak} bytes were allocated");
        };
        macro_rules! read {
            ($layout:ty, $bytes:expr, { $($args:tt)* }) => {{
                let bytes = $bytes;
                let read = || {
                    let source = source(&bytes[..], length);
                    everybyte::read::<$layout>(source, Endian::Little, binrw::args! { $($args)* }).err().map(|error| error.problem)
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
        let annotations = || {
            everybyte::read::<Annotations>(source(&greatest, length), Endian::Little, ())
                .err()
                .map(|error| error.problem)
        };
        refused(peak_of(annotations), "Annotations");
    }
}

#[test]
fn sizes_beyond_the_file_allocate_nothing() {
    // Set every byte of the first words to its maximum, which results in enormous shapes and sizes.
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
                let words = [
                    u64::from_le_bytes(schemas::rawarray::RawArray::magic(Endian::Little)),
                    flags,
                    eltype,
                    elbyte,
                    size,
                    1,
                    dim,
                    1,
                    2,
                    3,
                ];
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

#[test]
fn counts_of_b2nd_allocate_no_more_than_the_file_holds() {
    use schemas::b2nd::ArrayLayer;
    use schemas::blosc2::{BlockTable, ChunkBody, ChunkContent, Dictionary, Header, Stream, Trailer};
    let corpus = of(Format::B2nd, "ok").into_iter().find(|sample| sample.name == "attributes").unwrap();
    // Set every count and length to its maximum.
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
            ($endian:ident, $layout:ty, $bytes:expr, $args:expr, $is_counted:expr) => {{
                let read = || {
                    everybyte::read::<$layout>(source(&$bytes[..], length), Endian::$endian, $args)
                        .err()
                        .map(|error| error.problem)
                };
                let (problem, peak) = peak_of(read);
                let is_refused = match length {
                    None if $is_counted => matches!(problem, Some(Problem::TooMany { .. })),
                    None => problem.is_none(),
                    // The required bytes are unavailable or different.
                    Some(_) => matches!(
                        problem,
                        None | Some(Problem::TooMany { .. } | Problem::Unavailable | Problem::WrongMagic { .. })
                    ),
                };
                assert!(is_refused, "{}: {problem:?}", stringify!($layout));
                assert!(peak < 64 << 10, "{}: {peak} bytes were allocated", stringify!($layout));
            }};
        }
        bounded!(Big, Header, header, (), true);
        bounded!(Big, ArrayLayer, layer, (), true);
        bounded!(Big, Trailer, trailer, (), true);
        bounded!(Little, BlockTable, few, binrw::args! { block_count: u64::MAX, dictionary: true }, true);
        bounded!(Little, BlockTable, most, binrw::args! { block_count: 1, dictionary: true }, true);
        bounded!(Little, Dictionary, most, (), true);
        bounded!(Little, Stream, most, (), false);
        for content in [ChunkContent::Value(u64::MAX), ChunkContent::Stored(1 << 40)] {
            bounded!(Little, ChunkBody, few, binrw::args! { content }, false);
        }
        let content = ChunkContent::Blocks { count: 1 << 60, dictionary: true };
        bounded!(Little, ChunkBody, most, binrw::args! { content }, true);
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
    // The index is validated first.
    let (beyond, other_peak) = peak_of(|| array.item(&[0, 1]));
    assert!(matches!(beyond, Err(Error::OutOfRange { .. })), "{beyond:?}");
    assert!(peak.max(other_peak) <= MEMORY, "{peak} and {other_peak} bytes were allocated");
}

#[test]
fn a_map_shows_what_the_limits_have_room_for() {
    let arrays = corpus::everything().into_iter().filter(|sample| sample.format == Some(Format::B2nd));
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
        // The memory for the first is enough for all, apart from differences in compression.
        let enough = (0..).map(|step| step << 12).find(|&memory| shown(memory) > 0).unwrap();
        assert_eq!(shown(enough + (16 << 10)), 4, "sparse: {sparse}, {enough} bytes");
    }
}

/// If there is no memory for locating a field, a finding is reported at the structure that contains it.
#[test]
fn findings_about_codecs_stand_at_their_column_without_memory_for_more() {
    let mut placed = 0;
    for sample in corpus::samples().iter().filter(|sample| sample.format == Some(Format::Idv)) {
        let check = |memory| {
            let limits = Limits::default().memory(memory);
            Checker::new().depth(Depth::Structure).limits(limits).check_slice(&sample.bytes).unwrap()
        };
        let (precise, confined) = (check(MEMORY), check(1 << 10));
        for finding in precise.findings().iter().filter(|finding| finding.field.ends_with(".codec")) {
            let is_same = |other: &&ndbytes::Finding| (other.rule, &other.field) == (finding.rule, &finding.field);
            let Some(other) = confined.findings().iter().find(is_same) else { continue };
            let (end, other_end) = (finding.offset + finding.length, other.offset + other.length);
            assert!(other.offset <= finding.offset && end <= other_end, "{sample}: {other:?}, not around {finding:?}");
            placed += 1;
        }
    }
    assert!(placed > 3, "{placed} findings");
}
