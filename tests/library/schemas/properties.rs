//! Properties that hold for arbitrary bytes and every layout of the crate. Reading never panics, and traced reading
//! returns the same result. The nodes have neither gaps nor overlaps. Values are written back byte for byte.

use super::support::{assert_tiled, path_of};
use binrw::args;
use everybyte::reference::Layout;
use everybyte::{
    BinRead, BinWrite, Endian, ParseError, Source,
    map::Node,
    trace::{read_next, trace},
    write,
};
use ndbytes_schemas::gzip::{Extra, Header, Member, Trailer};
use ndbytes_schemas::idx::Idx;
use ndbytes_schemas::npy::Npy;
use ndbytes_schemas::rawarray::RawArray;
use ndbytes_schemas::zip::{
    DataDescriptor, DirectoryEntry, DirectorySignature, EndRecord, ExtraField, LocalHeader, Zip64, Zip64EndRecord,
    Zip64Locator,
};
use proptest::prelude::*;
use std::fmt::Debug;

/// The result for a structure, read and traced.
struct Outcome<T> {
    result: Result<T, Box<ParseError>>,
    /// The number of bytes read.
    consumed: usize,
}

fn read_both_ways<T>(bytes: &[u8], endian: Endian, args: T::Args<'static>) -> Outcome<T>
where
    T: BinRead + Layout + PartialEq + Debug,
    T::Args<'static>: Clone,
{
    let mut source = Source::new(bytes);
    let result = read_next::<T>(&mut source, endian, args.clone());
    let (traced, nodes) = trace::<T>(Source::new(bytes), endian, args);
    assert_eq!(result, traced);
    let (root, length) = (nodes.root(), bytes.len() as u64);
    match &result {
        Ok(_) => assert_tiled(root, 0..source.position()),
        Err(error) => {
            assert_in_order(root, length);
            assert!(!root.is_complete());
            assert_eq!(error.path, path_of(root));
            assert!(error.offset <= length, "{error:?}");
            // Every error has a text.
            assert!(!error.to_string().is_empty());
        }
    }
    Outcome { result, consumed: source.position() as usize }
}

/// Asserts that the parts of a broken structure are consecutive from its first byte, and inside the space.
fn assert_in_order(node: Node<'_>, length: u64) {
    assert!(node.start() <= node.end() && node.end() <= length.max(node.start()), "{node:?}");
    let mut position = node.start();
    for child in node.children() {
        assert_eq!(child.start(), position, "{} of {}", child.name(), node.name());
        position = child.end();
        match child.is_complete() {
            true => assert_tiled(child, child.place()),
            false => assert_in_order(child, length),
        }
    }
    assert!(position <= node.end(), "{node:?}");
}

/// Asserts that the bytes before the payload are written back unchanged.
fn assert_written_back<T>(outcome: &Outcome<T>, bytes: &[u8], endian: Endian, length: impl Fn(&T) -> Option<u64>)
where
    T: for<'a> BinWrite<Args<'a> = ()>,
{
    let Ok(value) = &outcome.result else { return };
    let length = length(value).map_or(outcome.consumed, |length| length as usize);
    assert_eq!(write(value, endian).unwrap(), bytes[..length]);
}

/// Arbitrary bytes, or bytes that begin like a structure, truncated anywhere.
fn bytes_like(head: impl Strategy<Value = Vec<u8>>) -> impl Strategy<Value = Vec<u8>> {
    let tail = prop::collection::vec(any::<u8>(), 0..64);
    let begun = (head, tail, any::<prop::sample::Index>(), any::<bool>());
    let begun = begun.prop_map(|(head, tail, cut, whole)| {
        let mut bytes = [head, tail].concat();
        if !whole {
            bytes.truncate(cut.index(bytes.len() + 1));
        }
        bytes
    });
    prop_oneof![1 => prop::collection::vec(any::<u8>(), 0..200), 3 => begun]
}

fn idx() -> impl Strategy<Value = Vec<u8>> {
    let code = prop::sample::select(vec![8, 9, 0xB, 0xC, 0xD, 0xE, 0xA]);
    let dims = prop::collection::vec(prop_oneof![0..4_u32, any::<u32>()], 0..6);
    (code, dims, 0..6_u8).prop_map(|(code, dims, more)| {
        let mut head = vec![0, 0, code, dims.len() as u8 + more / 5];
        head.extend(dims.iter().flat_map(|dim| dim.to_be_bytes()));
        head
    })
}

fn rawarray(endian: Endian) -> impl Strategy<Value = Vec<u8>> {
    let number = || prop_oneof![3 => 0..9_u64, 1 => any::<u64>()];
    let words = [number(), number(), number(), number()];
    (words, prop::collection::vec(number(), 0..6), prop_oneof![4 => Just(0), 1 => any::<u64>()]).prop_map(
        move |(words, dims, more)| {
            let ndims = (dims.len() as u64).wrapping_add(more);
            let words = [0x7961_7272_6177_6172].into_iter().chain(words).chain([ndims]).chain(dims);
            let bytes = |word: u64| if endian == Endian::Big { word.to_be_bytes() } else { word.to_le_bytes() };
            words.flat_map(bytes).collect()
        },
    )
}

fn npy() -> impl Strategy<Value = Vec<u8>> {
    let text = prop::collection::vec(any::<u8>(), 0..20);
    (0..5_u8, 0..2_u8, text, prop_oneof![4 => Just(0), 1 => any::<u32>()]).prop_map(|(major, minor, text, more)| {
        let length = (text.len() as u32).wrapping_add(more).to_le_bytes();
        let length = if major <= 1 { &length[..2] } else { &length[..] };
        [&Npy::MAGIC[..], &[major, minor], length, &text].concat()
    })
}

fn gzip() -> impl Strategy<Value = Vec<u8>> {
    let text = || prop::collection::vec(1..=255_u8, 0..12);
    let extra = prop::collection::vec(any::<u8>(), 0..12);
    (any::<u8>(), any::<[u8; 6]>(), extra, text(), text()).prop_map(|(flags, fixed, extra, name, comment)| {
        let mut head = vec![0x1F, 0x8B, 8, flags];
        head.extend(fixed);
        if flags & 4 != 0 {
            head.extend((extra.len() as u16).to_le_bytes());
            head.extend(extra);
        }
        for (flag, text) in [(8, name), (16, comment)] {
            if flags & flag != 0 {
                head.extend(text);
                head.push(0);
            }
        }
        head
    })
}

/// A record of an archive: its magic, arbitrary fields, the lengths of the following parts, and about that many bytes.
fn zip_record(magic: &'static [u8], fixed: usize, lengths: usize) -> impl Strategy<Value = Vec<u8>> {
    let fixed = prop::collection::vec(any::<u8>(), fixed);
    let lengths = prop::collection::vec(0..12_u16, lengths);
    (fixed, lengths, prop::collection::vec(any::<u8>(), 0..40)).prop_map(move |(fixed, lengths, rest)| {
        let lengths = lengths.iter().flat_map(|length| length.to_le_bytes());
        magic.iter().copied().chain(fixed).chain(lengths).chain(rest).collect()
    })
}

/// Asserts that the bytes that were read are written back, except that bytes skipped by layouts become zeros.
fn assert_zip_written_back<T>(
    bytes: &[u8],
    args: <T as BinRead>::Args<'static>,
    skipped: impl Fn(&T) -> std::ops::Range<u64>,
) where
    T: BinRead + Layout + PartialEq + Debug + for<'a> BinWrite<Args<'a> = ()>,
    <T as BinRead>::Args<'static>: Clone,
{
    let outcome = read_both_ways::<T>(bytes, Endian::Little, args);
    if let Ok(record) = &outcome.result {
        let mut expected = bytes[..outcome.consumed].to_vec();
        let skipped = skipped(record);
        expected[skipped.start as usize..skipped.end as usize].fill(0);
        let mut written = write(record, Endian::Little).unwrap();
        // Skipped bytes at the end are not written.
        written.extend(vec![0; expected.len() - written.len()]);
        assert_eq!(written, expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1024, ..ProptestConfig::default() })]

    #[test]
    fn idx_files(bytes in bytes_like(idx())) {
        let outcome = read_both_ways::<Idx>(&bytes, Endian::Big, ());
        assert_written_back(&outcome, &bytes, Endian::Big, |idx| Some(idx.payload.offset));
    }

    #[test]
    fn npy_files(bytes in bytes_like(npy()), elements in prop_oneof![Just(u64::MAX), 0..64_u64]) {
        let outcome = read_both_ways::<Npy>(&bytes, Endian::Little, args! { elements });
        assert_written_back(&outcome, &bytes, Endian::Little, |npy| Some(npy.payload.offset));
    }

    #[test]
    fn rawarray_files(
        (endian, bytes) in prop::sample::select(vec![Endian::Little, Endian::Big])
            .prop_flat_map(|endian| (Just(endian), bytes_like(rawarray(endian)))),
        stored in prop::option::of(0..20_u64),
    ) {
        let outcome = read_both_ways::<RawArray>(&bytes, endian, args! { stored });
        assert_written_back(&outcome, &bytes, endian, |file| Some(file.data.offset));
    }

    #[test]
    fn gzip_headers(bytes in bytes_like(gzip())) {
        let outcome = read_both_ways::<Header>(&bytes, Endian::Little, ());
        assert_written_back(&outcome, &bytes, Endian::Little, |_| None);
    }

    #[test]
    fn gzip_members(bytes in bytes_like(gzip()), deflate_length in prop_oneof![0..80_u64, any::<u64>()]) {
        let outcome = read_both_ways::<Member>(&bytes, Endian::Little, args! { deflate_length });
        if let Ok(member) = &outcome.result {
            // The stream itself belongs to the caller, and is written as zeros.
            let mut expected = bytes[..outcome.consumed].to_vec();
            let stream = member.deflate.range();
            expected[stream.start as usize..stream.end as usize].fill(0);
            prop_assert_eq!(write(member, Endian::Little).unwrap(), expected);
        }
    }

    #[test]
    fn gzip_parts(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let extra = read_both_ways::<Extra>(&bytes, Endian::Little, ());
        assert_written_back(&extra, &bytes, Endian::Little, |_| None);
        let trailer = read_both_ways::<Trailer>(&bytes, Endian::Little, ());
        assert_written_back(&trailer, &bytes, Endian::Little, |_| None);
    }

    #[test]
    fn zip_headers(bytes in bytes_like(zip_record(b"PK\x03\x04", 22, 2))) {
        assert_zip_written_back::<LocalHeader>(&bytes, (), |header| header.extra.range());
    }

    #[test]
    fn zip_directory_entries(bytes in bytes_like(zip_record(b"PK\x01\x02", 24, 3))) {
        assert_zip_written_back::<DirectoryEntry>(&bytes, (), |entry| entry.extra.range());
    }

    #[test]
    fn zip_end_records(
        end in bytes_like(zip_record(b"PK\x05\x06", 16, 1)),
        large in bytes_like(zip_record(b"PK\x06\x06\x30\0\0\0\0\0\0\0", 44, 0)),
        locator in bytes_like(zip_record(b"PK\x06\x07", 16, 0)),
        signature in bytes_like(zip_record(b"PK\x05\x05", 0, 1)),
    ) {
        assert_zip_written_back::<EndRecord>(&end, (), |_| 0..0);
        assert_zip_written_back::<Zip64EndRecord>(&large, (), |record| record.extensible.range());
        assert_zip_written_back::<Zip64Locator>(&locator, (), |_| 0..0);
        assert_zip_written_back::<DirectorySignature>(&signature, (), |signature| signature.data.range());
    }

    #[test]
    fn zip_parts(
        bytes in prop::collection::vec(any::<u8>(), 0..60),
        field in bytes_like(zip_record(&[], 2, 1)),
        wanted in any::<[bool; 4]>(),
    ) {
        let [is_signed, is_large, ..] = wanted;
        assert_zip_written_back::<DataDescriptor>(&bytes, args! { is_signed, is_large }, |_| 0..0);
        let [uncompressed, compressed, offset, on_disk] = wanted;
        assert_zip_written_back::<Zip64>(&bytes, args! { uncompressed, compressed, offset, on_disk }, |_| 0..0);
        assert_zip_written_back::<ExtraField>(&field, (), |field| field.data.range());
    }
}
