//! The guarantees for arbitrary bytes that may be in the format.

use super::array;
use crate::bounds::limits;
use crate::bytes::{self, is_limited};
use crate::layout::read_back;
use crate::random::Random;
use crate::scratch;
use crate::share::{Question, Share};
use binrw::args;
use everybyte::{Endian, Layout, Source};
use ndbytes::b2nd::{Array, Options};
use ndbytes::blosc2;
use ndbytes::{Checker, Depth, Error, Finding, Format, Limits, Report, Severity};
use ndbytes_forge::BothFrames;
use ndbytes_schemas::b2nd::ArrayLayer;
use ndbytes_schemas::blosc2::{BlockTable, ChunkHeader, Dictionary, Header, Stream, Trailer, TrailerTail};
use std::io;
use std::ops::Range;

/// The maximum number of metalayers and chunks of a file to read with their layouts.
const MOST: usize = 8;

/// A rule that does not prevent reading.
const OVERLAPPING_CHUNKS: &str = "b2nd/overlapping-chunks";

/// Asserts the guarantees for arbitrary bytes that may be b2nd.
pub fn examine_bytes(file: &[u8]) {
    let share = Share::of(file);
    let report = bytes::examine_share(file, share);
    if ndbytes::is_gzip(file) {
        // The target `gzip_bytes` covers files inside gzip.
        return;
    }
    if share.asks(Question::Layouts) {
        read_structures(file);
    }
    if report.format == Some(Format::B2nd) && share.asks(Question::Elements) {
        examine_content(file, &report);
        examine_super_chunk(file);
    }
}

/// Reads any frame as a super-chunk. Each chunk must have the length stated in the frame or be refused, and all listed
/// metalayers must be found.
fn examine_super_chunk(file: &[u8]) {
    let refused = |error: &Error| matches!(error, Error::Invalid(_) | Error::Limit { .. } | Error::NoMsgpack { .. });
    let Ok(frame) = blosc2::Options::new().limits(limits()).from_slice(file) else { return };
    for chunk in 0..frame.chunk_count().min(MOST as u64) {
        let stored = frame.chunk_stored_bytes(chunk);
        match frame.chunk(chunk) {
            Ok(bytes) => assert_eq!(bytes.len() as u64, frame.chunk_length(chunk)),
            Err(error) => assert!(refused(&error), "{error}"),
        }
        assert!(stored.as_ref().err().is_none_or(refused), "{stored:?}");
    }
    assert!(frame.chunk(frame.chunk_count()).is_err());
    for name in frame.metalayer_names() {
        let found = [frame.metalayer(&name).err(), frame.metalayer_value(&name).err()];
        assert!(found.iter().flatten().all(refused), "{name:?}: {found:?}");
    }
    for name in frame.attribute_names() {
        let found = [frame.attribute(&name).err(), frame.attribute_value(&name).err()];
        assert!(found.iter().flatten().all(refused), "{name:?}: {found:?}");
    }
}

/// Asserts the guarantees for the chunks of an array with this strict report.
fn examine_content(file: &[u8], report: &Report) {
    let share = Share::of(file);
    let structure = check(file, Depth::Structure);
    let mut random = Random::of(file);
    let opened = options().from_slice(file);
    assert_eq!(opened.is_ok(), bytes::is_accepted(&structure), "{structure:?}, but {opened:?}");
    let mut whole = None;
    if let Ok(array) = opened {
        whole = examine_array(file, &array, report, &mut random, share);
    }
    if share.asks(Question::Lenient) {
        examine_tolerant(file, whole.as_deref(), &mut random);
    }
    if share.asks(Question::Rewrite)
        && let Some(frames) = BothFrames::of(file)
    {
        examine_sparse(&frames);
    }
}

/// Asserts that tolerating everything possible does not change the values.
fn examine_tolerant(file: &[u8], whole: Option<&[u8]>, random: &mut Random) {
    if let Ok(array) = tolerant().from_slice(file) {
        let read = array::examine(&array, random);
        if let Some(whole) = whole {
            assert!(read.expect("it was read before") == whole, "tolerance changes the items");
        }
        array.tolerated().iter().for_each(|finding| assert_eq!(finding.severity, Severity::Error));
    } else {
        assert!(whole.is_none(), "tolerance makes a reader stricter");
    }
}

/// Asserts the guarantees for an opened array. Returns its bytes, if they can be read.
fn examine_array(
    file: &[u8],
    array: &Array<'_>,
    report: &Report,
    random: &mut Random,
    share: Share,
) -> Option<Vec<u8>> {
    let read = array::examine(array, random);
    match &read {
        _ if is_limited(report) => {}
        Ok(_) => {
            let is_seen = |finding: &ndbytes::Finding| {
                // Reading follows the index, and ignores attributes.
                finding.severity == Severity::Error
                    && finding.rule.id != OVERLAPPING_CHUNKS
                    && !finding.field.starts_with("trailer")
            };
            let is_unseen = is_padded(array) || !report.findings().iter().any(is_seen);
            assert!(is_unseen || array.is_empty(), "{report:?}, but it was read");
        }
        Err(Error::Limit { .. }) => {}
        Err(Error::Invalid(finding)) => {
            // If chunks overlap, a check decodes only the first one. An entry with two errors may violate either rule.
            let is_told = |known: &ndbytes::Finding| {
                known.rule == finding.rule || known.rule.id == OVERLAPPING_CHUNKS || known.field == finding.field
            };
            let is_known = report.findings().iter().any(is_told);
            assert!(is_known && !bytes::is_accepted(report), "{report:?}, but {finding:?}");
        }
        Err(error) => panic!("{error}"),
    }
    let whole = read.ok()?;
    if file.len() > bytes::HEAD && share.asks(Question::Path) {
        let path = scratch::path();
        std::fs::write(&path, file).expect("scratch files can be written");
        let opened = options().open(&path).expect("it was opened before");
        match array::examine(&opened, random) {
            Ok(read) => assert!(read == whole, "a file reads as other bytes than a slice"),
            Err(error) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
        }
    }
    let array = ndbytes::Array::B2nd(Box::new(options().from_slice(file).expect("it was opened before")));
    examine_items(&array, &whole, random);
    Some(whole)
}

/// Returns whether the blocks have items outside the array.
fn is_padded(array: &Array<'_>) -> bool {
    let inner = array.chunk_shape().into_iter().zip(array.block_shape());
    let mut axes = array.shape().iter().zip(inner);
    axes.any(|(extent, (chunk, block))| !extent.is_multiple_of(chunk) || !chunk.is_multiple_of(block))
}

/// Asserts that reading items in order returns the same items.
fn examine_items(array: &ndbytes::Array<'_>, whole: &[u8], random: &mut Random) {
    let mut items = array.items();
    let (count, size) = (items.count(), items.item_type().stride() as usize);
    assert_eq!(count * size as u64, whole.len() as u64);
    for _ in 0..3 {
        let start = random.below(count + 1);
        let some = random.below(count - start + 1);
        let read = items.read(start, some).expect("the whole array can be read");
        assert!(read == &whole[start as usize * size..][..some as usize * size], "{some} items from {start} on");
    }
    assert!(matches!(items.read(count, 1), Err(Error::OutOfRange { .. })));
    match array.write_npy(io::sink(), &Limits::default()) {
        Ok(()) | Err(Error::Inexpressible { .. }) => {}
        Err(error) => panic!("{error}"),
    }
}

/// Asserts that a frame has the same meaning if its chunks are separate files.
fn examine_sparse(frames: &BothFrames) {
    let BothFrames { file, folder: files, .. } = frames;
    let folder = scratch::folder();
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("scratch files can be written");
    for (name, bytes) in files {
        std::fs::write(folder.join(name), bytes).expect("scratch files can be written");
    }
    let checker = Checker::new().limits(limits());
    let report = check(file, Depth::Payload);
    let sparse = checker.check(&folder).expect("a folder that was written can be read");
    if !is_limited(&report) && !is_limited(&sparse) && files.iter().all(|(_, bytes)| bytes.len() >= 32) {
        // The index of a sparse frame is at another offset, and its entries are names, so its chunk differs from the file's.
        let is_of_index = |finding: &Finding| {
            finding.field.starts_with("index")
                || matches!(finding.rule.id, "b2nd/index-place" | "b2nd/index-entry" | "b2nd/chunk-file")
        };
        let other = report.findings().iter().chain(sparse.findings()).any(is_of_index);
        assert!(other || bytes::is_accepted(&report) == bytes::is_accepted(&sparse), "{report:?}, but {sparse:?}");
    }
    let map = checker.byte_map(ndbytes::Input::open(&folder, limits()).expect("it was opened before"));
    if let Ok(map) = map {
        bytes::tile(&map);
    }
    let mut random = Random::of(file);
    let opened = options().open(&folder);
    assert_eq!(opened.is_ok(), bytes::is_accepted(&checker.depth(Depth::Structure).check(&folder).expect("as before")));
    let Ok(array) = opened else { return };
    assert!(array.is_sparse() || files.len() == 1);
    let read = array::examine(&array, &mut random);
    let contiguous = options().from_slice(file).and_then(|array| array.to_bytes());
    match (read, contiguous) {
        (Ok(read), Ok(contiguous)) => assert!(read == contiguous, "a sparse frame reads as other bytes"),
        (Err(Error::Invalid(_)), Ok(_)) => assert!(!bytes::is_accepted(&sparse)),
        (Err(error), Ok(_)) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
        _ => {}
    }
}

pub(super) fn check(file: &[u8], depth: Depth) -> Report {
    Checker::new().limits(limits()).depth(depth).check_slice(file).expect("bytes in memory can be read")
}

pub(super) fn options() -> Options {
    Options::new().limits(limits())
}

/// Tolerates everything that can be tolerated.
fn tolerant() -> Options {
    ndbytes::rules().fold(options(), Options::tolerate)
}

/// Reads every structure that lengths point to, in every way, and writes it back.
fn read_structures(file: &[u8]) {
    let source = Source::new(file);
    let Some(header) = read_back::<Header>(source, Endian::Big, (), |header| contents(&header.metalayers)) else {
        return;
    };
    for place in contents(&header.metalayers).into_iter().take(MOST) {
        read_back::<ArrayLayer>(source.at(place.start).until(place.end), Endian::Big, (), |_| vec![]);
    }
    let end = header.frame_length.0.min(file.len() as u64);
    let tail = end.checked_sub(TrailerTail::SIZE.unwrap_or(0));
    let frame = source.until(end);
    let tail = tail.and_then(|at| read_back::<TrailerTail>(frame.at(at), Endian::Big, (), |_| vec![]));
    let start = tail.and_then(|tail| end.checked_sub(tail.trailer_length.0.into())).unwrap_or(end);
    let trailer = read_back::<Trailer>(frame.at(start), Endian::Big, (), |trailer| contents(&trailer.attributes));
    for place in trailer.iter().flat_map(|trailer| contents(&trailer.attributes)).take(MOST) {
        read_chunk(source.at(place.start).until(place.end));
    }
    // Chunks follow. The first is usually right after the header.
    let first = u64::try_from(header.header_length.0).unwrap_or(0);
    let index = first.saturating_add_signed(header.cbytes.0);
    for at in [first, index] {
        read_chunk(source.at(at).until(start));
    }
}

/// The contents of metalayers, which the layouts do not write.
pub(super) fn contents(metalayers: &ndbytes_schemas::blosc2::Metalayers) -> Vec<Range<u64>> {
    metalayers.contents.iter().map(|content| content.bytes.range()).collect()
}

/// Reads the structures of a chunk, as far as possible.
fn read_chunk(source: Source<'_>) {
    let start = source.position();
    let Some(header) = read_back::<ChunkHeader>(source, Endian::Little, (), |_| vec![]) else { return };
    let block_count = u64::from(header.nbytes.unsigned_abs()).div_ceil(header.blocksize.unsigned_abs().max(1).into());
    let dictionary = header.extension.as_ref().is_some_and(|extension| extension.chunk_kind.dictionary());
    let table = source.at(start + everybyte::trace::length_of(&header, Endian::Little));
    let regions = |table: &BlockTable| {
        let bytes = table.dictionary.iter().map(|dictionary| dictionary.bytes.range());
        [table.starts.range()].into_iter().chain(bytes).collect()
    };
    let table = read_back::<BlockTable>(table, Endian::Little, args! { block_count, dictionary }, regions);
    let Some(table) = table else { return };
    let behind = table.starts.range().end;
    read_back::<Dictionary>(source.at(behind), Endian::Little, (), |dictionary| vec![dictionary.bytes.range()]);
    read_back::<Stream>(source.at(behind), Endian::Little, (), |stream| vec![stream.data.range()]);
}
