//! The guarantees for arbitrary bytes that may be in the format.

use crate::bounds::limits;
use crate::layout::read_in_every_way;
use crate::share::{Question, Share};
use crate::{bytes, reading};
use binrw::args;
use everybyte::{Endian, Source, write};
use ndbytes::idx::{self, Idx, Options};
use ndbytes::{Array, Depth, Element, ElementKind, Error, Format};
use ndbytes_schemas::gzip::{Header, Member};
use ndbytes_schemas::idx as layout;
use std::io::Read;

const TRAILING_BYTES: u8 = 1;
const TRUNCATED_TAIL: u8 = 2;
const LITTLE_ENDIAN_PAYLOAD: u8 = 4;
const LITTLE_ENDIAN_HEADER: u8 = 8;
const RAW: u8 = 16;
const EVERYTHING: u8 = 31;

/// Asserts the guarantees for arbitrary bytes that may be IDX.
pub fn examine_bytes(file: &[u8]) {
    let share = Share::of(file);
    let report = bytes::examine_share(file, share);
    if share.asks(Question::Layouts) {
        let _ = read_in_every_way::<layout::Idx>(Source::new(file), Endian::Big, ());
        if is_gzip(file) {
            let _ = read_in_every_way::<Header>(Source::new(file), Endian::Little, ());
        }
    }
    let strict = options(0).from_slice(file);
    if report.format == Some(Format::Idx) {
        assert_eq!(strict.is_ok(), bytes::is_accepted(&report), "{report:?} but {strict:?}");
    }
    if share.asks(Question::Lenient) {
        for combination in combinations(file) {
            examine_leniency(file, combination, strict.as_ref().ok());
        }
    }
    if let Ok(idx) = strict {
        // For gzip files, this inflates the members again, so it is done only for a share.
        if !is_gzip(file) || share.asks(Question::Rewrite) {
            write_back(file, &idx);
        }
        if share.asks(Question::Elements) {
            examine_items(idx);
        }
    }
}

fn is_gzip(file: &[u8]) -> bool {
    file.starts_with(&Header::MAGIC)
}

/// Some combinations of options: all of them, and combinations selected by the sum of the bytes.
fn combinations(file: &[u8]) -> [u8; 3] {
    let sum = file.iter().fold(0, |sum: u8, &byte| sum.wrapping_add(byte));
    [EVERYTHING & !RAW, sum & EVERYTHING, sum & EVERYTHING & !RAW]
}

pub(super) fn options(combination: u8) -> Options {
    let tolerances = [
        (TRAILING_BYTES, &idx::TRAILING_BYTES),
        (TRUNCATED_TAIL, &idx::TRUNCATED_PAYLOAD),
        (LITTLE_ENDIAN_HEADER, &idx::LITTLE_ENDIAN_HEADER),
    ];
    let asked = tolerances.into_iter().filter(|(option, _)| combination & option != 0);
    let options = Options::new().limits(limits()).raw(combination & RAW != 0);
    let options = asked.fold(options, |options, (_, rule)| options.tolerate(rule));
    if combination & LITTLE_ENDIAN_PAYLOAD != 0 { options.byte_order(Endian::Little) } else { options }
}

/// Reads a file with some options. Asserts that files that are accepted without them are the same with them.
fn examine_leniency(file: &[u8], combination: u8, strict: Option<&Idx<'_>>) {
    let lenient = options(combination).from_slice(file);
    if combination & RAW != 0 && is_gzip(file) {
        assert!(lenient.is_err(), "gzip where raw bytes are demanded");
    } else if let Some(strict) = strict {
        let lenient = lenient.as_ref().expect("options never make a reader stricter");
        assert_eq!(lenient.header(), strict.header());
        assert_eq!(lenient.shape(), strict.shape());
        assert!(lenient.bytes().expect("read before") == strict.bytes().expect("read before"));
    }
    let Ok(idx) = lenient else { return };
    let chosen = combination & LITTLE_ENDIAN_PAYLOAD != 0;
    // A byte order set by the caller is not checked, so nothing needs to be tolerated.
    assert!(strict.is_none() || idx.tolerated().is_empty(), "{:?}", idx.tolerated());
    assert!(strict.is_some() || chosen || !idx.tolerated().is_empty());
    assert_eq!(idx.dtype().endian == Endian::Little, chosen);
    examine_items(idx);
}

/// Reads all elements in every way.
fn examine_items(idx: Idx<'_>) {
    match idx.dtype().kind {
        ElementKind::U8 => examine_elements::<u8>(&idx),
        ElementKind::I8 => examine_elements::<i8>(&idx),
        ElementKind::I16 => examine_elements::<i16>(&idx),
        ElementKind::I32 => examine_elements::<i32>(&idx),
        ElementKind::F32 => examine_elements::<f32>(&idx),
        ElementKind::F64 => examine_elements::<f64>(&idx),
        other => panic!("IDX has no {other}"),
    }
    reading::examine(&Array::Idx(idx));
}

/// Reads the elements as their type, in every way.
pub(super) fn examine_elements<T: Element>(idx: &Idx<'_>) {
    let bytes = idx.bytes().expect("what was accepted can be read");
    if bytes.len() > reading::SMALL {
        return;
    }
    let whole = idx.to_array::<T>().expect("there is memory for a small array");
    let elements = whole.as_slice().expect("row-major");
    reading::compare(elements, bytes, idx.dtype());

    let mut buffer = vec![T::zeroed(); elements.len()];
    idx.read_into(&mut buffer).expect("the buffer has the right length");
    reading::compare(&buffer, bytes, idx.dtype());
    match idx.view::<T>() {
        Ok(view) => reading::compare(view.as_slice().expect("row-major"), bytes, idx.dtype()),
        Err(error) => assert!(matches!(error, Error::NoView(_)), "{error}"),
    }

    let Some((&length, shape)) = idx.shape().split_first() else {
        assert!(idx.item::<T>(0).is_err());
        return;
    };
    assert!(matches!(idx.item::<T>(length), Err(Error::OutOfRange { .. })));
    for index in [0, length / 2, length.wrapping_sub(1)].into_iter().filter(|&index| index < length) {
        let item = idx.item::<T>(index).expect("there is such an item");
        assert_eq!(item.shape(), shape);
        let size = item.len() * size_of::<T>();
        reading::compare(item.as_slice().expect("row-major"), &bytes[index * size..][..size], idx.dtype());
        if let Ok(items) = idx.items::<T>() {
            assert_eq!(items.len(), length);
            let item = items.get(index).expect("there is such an item");
            reading::compare(item, &bytes[index * size..][..size], idx.dtype());
        }
    }
}

/// Asserts that writing the parts of an accepted file results in the file.
fn write_back(file: &[u8], idx: &Idx<'_>) {
    let mut content = write(idx.header(), Endian::Big).expect("what was read can be written");
    content.extend(idx.bytes().expect("what was accepted can be read"));
    if !is_gzip(file) {
        assert!(content == file, "header and payload are the whole file");
        return;
    }
    let padding = write_members_back(file);
    let members = &file[..file.len() - padding];
    let mut inflated = Vec::new();
    flate2::bufread::MultiGzDecoder::new(members).read_to_end(&mut inflated).expect("another reader accepts it too");
    assert!(content == inflated, "header and payload are all that is inside");
}

/// Writes every member back. Returns the length of the padding after the last one.
fn write_members_back(file: &[u8]) -> usize {
    let map = bytes::map(Depth::Structure, limits(), file);
    let mut padding = 0;
    for node in &map.spaces[0].nodes {
        let member = &file[node.start() as usize..node.end() as usize];
        if node.name() == "padding" {
            assert!(member.iter().all(|&byte| byte == 0), "only zeros stand after the members");
            padding = member.len();
            continue;
        }
        assert_eq!((node.name(), padding), ("member", 0));
        let deflate = node.child("deflate").expect("a member has a stream");
        let (source, length) = (Source::new(file).at(node.start()), deflate.length());
        let read = read_in_every_way::<Member>(source, Endian::Little, args! { deflate_length: length });
        let read = read.expect("it was read before");
        let mut written = write(&read, Endian::Little).expect("what was read can be written");
        // The deflate stream is a region, whose content the writer supplies.
        let stream = (deflate.start() - node.start()) as usize..(deflate.end() - node.start()) as usize;
        written[stream.clone()].copy_from_slice(&member[stream]);
        assert!(written == member, "a member is what its parts are written to");
    }
    padding
}
