//! The dictionaries of the fuzz targets are what the layouts say: magics, codes, bits, and words of every width.
//!
//! `UPDATE_DICTIONARIES=1 cargo test --test it -- dictionaries::` writes them anew.

use crate::support;
use ndbytes::everybyte::{
    BinWrite, Book, CodeDoc, Endian, Layout, Leb128, Region, Rest, TypeKind, Zeros, length_of, write,
};
use ndbytes::schemas::b2nd::{ArrayLayer, DtypeText, InnerShape, Parts, Shape, Str32};
use ndbytes::schemas::blosc2::{
    AxesHead, BlockTable, ChunkBody, ChunkFlags, ChunkHeader, ChunkKind, ChunkVersion, Codec as Compressor, Extension,
    FILTER_SLOTS, FilterId, FilterIds, FixExt16, Header as FrameHeader, Index, IndexEntry, Int32, Int64, Magic, Marker,
    Name, Special, Stream, StreamFormat, Trailer, TrailerTail, Uint32,
};
use ndbytes::schemas::gzip::{self, Header};
use ndbytes::schemas::idv::{
    Annotations, Codec, Columns, Compression, Header as IdvHeader, Key, Lookup, NetString, Parameters, SlotNames, Tail,
    VectorOf, Version,
};
use ndbytes::schemas::idx::{ElementType, Idx};
use ndbytes::schemas::npy::{Header as NpyHeader, Npy, Text};
use ndbytes::schemas::rawarray::{Flags, RawArray};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

#[test]
fn the_dictionary_of_idx() {
    let mut dictionary = Dictionary::default();
    dictionary.layout::<Idx>(&[Endian::Big]);
    for element_type in ElementType::ALL.iter().copied() {
        let header = |dims| Idx { zero: Zeros::default(), element_type, dims, payload: Region::default() };
        dictionary.written(&format!("{}_scalar", element_type.name()), &header(vec![]), Endian::Big);
        dictionary.written(&format!("{}_vector", element_type.name()), &header(vec![1]), Endian::Big);
    }
    dictionary.layout::<gzip::Member>(&[Endian::Little]);
    let header = Header {
        method: gzip::Method::DEFLATE,
        flags: gzip::Flags::from_raw(0),
        mtime: 0,
        extra_flags: 0,
        os: 255,
        extra: None,
        name: None,
        comment: None,
        header_crc: None,
    };
    dictionary.magic(&header, Endian::Little);
    dictionary.written("gzip_header", &header, Endian::Little);
    dictionary.compare("idx");
}

#[test]
fn the_dictionary_of_rawarray() {
    let mut dictionary = Dictionary::default();
    dictionary.layout::<RawArray>(&[Endian::Little, Endian::Big]);
    let header = RawArray {
        flags: Flags::from_raw(0),
        eltype: ndbytes::schemas::rawarray::Eltype::Unsigned,
        elbyte: 1,
        size: 0,
        dims: vec![],
        data: Region::default(),
        metadata: Rest::default(),
    };
    for endian in [Endian::Little, Endian::Big] {
        dictionary.magic(&header, endian);
        dictionary.written(&format!("scalar_{}", suffix(endian)), &header, endian);
    }
    dictionary.compare("rawarray");
}

#[test]
fn the_dictionary_of_npy() {
    const WORDS: [&str; 24] = [
        "{'descr': ",
        "'fortran_order': ",
        "'shape': ",
        "True",
        "False",
        "None",
        "'<f4'",
        "'>i8'",
        "'|u1'",
        "'|b1'",
        "'|O'",
        "'|S3'",
        "'<U2'",
        "'|V4'",
        "'<M8[ns]'",
        "'>m8[25s]'",
        "'<c16'",
        "[('a', '|u1'), ('b', '<i2', (2,))]",
        "(3,)",
        "()",
        "3L",
        "0x3",
        "9223372036854775807",
        ", }",
    ];
    let mut dictionary = Dictionary::default();
    dictionary.layout::<Npy>(&[Endian::Little]);
    let file = |major, header| Npy { major, minor: 0, header, payload: Region::default(), trailing: Rest::default() };
    let text = || b"{'descr':'|u1','fortran_order':False,'shape':()}".to_vec();
    dictionary.magic(&file(1, NpyHeader::Short { text: Text(vec![]) }), Endian::Little);
    dictionary.written("version_1", &file(1, NpyHeader::Short { text: Text(text()) }), Endian::Little);
    dictionary.written("version_3", &file(3, NpyHeader::Unicode { text: Text(text()) }), Endian::Little);
    for (number, word) in WORDS.iter().enumerate() {
        dictionary.add(format!("word_{number}"), (*word).into());
    }
    dictionary.compare("npy");
}

#[test]
fn the_dictionary_of_idv() {
    const CODECS: [&str; 25] = [
        "SByte",
        "Int16",
        "Int32",
        "Int64",
        "Byte",
        "UInt16",
        "UInt32",
        "UInt64",
        "Single",
        "Double",
        "Boolean",
        "TextSpan",
        "TimeSpan",
        "DateTime",
        "DateTimeOffset",
        "DataViewRowId",
        "DvBool",
        "DvTimeSpan",
        "DvDateTime",
        "DvDateTimeZone",
        "RowId",
        "UInt128",
        "VBuffer",
        "Key2",
        "Key",
    ];
    const KINDS: [&str; 9] = [
        "SlotNames",
        "KeyValues",
        "IsNormalized",
        "IsUserVisible",
        "CategoricalSlotRanges",
        "ScoreColumnSetId",
        "ScoreColumnKind",
        "ScoreValueKind",
        "TrainingLabelValues",
    ];
    let little = Endian::Little;
    let mut dictionary = Dictionary::default();
    let header = IdvHeader {
        version: Version::V6,
        compatible_version: Version::V6,
        columns_offset: 0,
        tail_offset: 0,
        row_count: 0,
        column_count: 0,
        reserved: Zeros::default(),
    };
    dictionary.magic(&header, little);
    dictionary.magic(&Tail {}, little);
    for back in 0..5 {
        let version = Version(Version::V6.0 - back);
        dictionary.written(&format!("version_{version}"), &version, little);
    }
    for name in CODECS {
        let codec = codec(name, Parameters::Other { bytes: Region::default() });
        match codec.storage() {
            Some(_) => dictionary.written(&format!("codec_{name}"), &codec, little),
            // A codec of others, whose parameters follow.
            None => dictionary.written(&format!("codec_{name}"), &NetString::new(name), little),
        }
    }
    let number = || Box::new(codec("UInt32", Parameters::Other { bytes: Region::default() }));
    let key = || codec("Key2", Parameters::Key { key: Key { number: number(), count: 3 } });
    dictionary.written("codec_of_keys", &key(), little);
    for (name, item) in [("numbers", number()), ("keys", Box::new(key()))] {
        let vector =
            |item: &Codec, dims| Parameters::Vector { vector: VectorOf { item: Box::new(item.clone()), dims } };
        dictionary.written(&format!("codec_of_vectors_of_{name}"), &codec("VBuffer", vector(&item, vec![2])), little);
        dictionary.written(
            &format!("codec_of_any_vectors_of_{name}"),
            &codec("VBuffer", vector(&item, vec![0])),
            little,
        );
    }
    KINDS.iter().for_each(|kind| dictionary.written(&format!("kind_{kind}"), &NetString::new(*kind), little));
    for compression in [Compression::NONE, Compression::DEFLATE, Compression::ZLIB] {
        dictionary.written(&format!("compression_{}", compression.name().unwrap()), &compression, little);
    }
    dictionary.layout::<IdvHeader>(&[little]);
    dictionary.layout::<Columns>(&[little]);
    dictionary.layout::<Lookup>(&[little]);
    dictionary.layout::<Annotations>(&[little]);
    dictionary.layout::<SlotNames>(&[little]);
    dictionary.compare("idv");
}

#[test]
fn the_dictionary_of_b2nd() {
    const NAMES: [&str; 8] =
        ["b2nd", "caterva", "b2o", "LazyArray", "proxy-source", "vlarray", "batcharray", "listarray"];
    const DTYPES: [&str; 14] = [
        "|u1",
        "|b1",
        "<i2",
        "<i4",
        "<i8",
        "<f2",
        "<f4",
        ">f4",
        "<f8",
        "<c16",
        "|S5",
        "<U3",
        "<M8[ns]",
        "[('a', '<i4')]",
    ];
    let big = Endian::Big;
    let mut dictionary = Dictionary::default();
    dictionary.written("magic", &Magic, big);
    for name in NAMES {
        dictionary.written(&format!("name_{name}"), &Name::new(name.as_bytes()).unwrap(), big);
    }
    for (number, dtype) in DTYPES.iter().enumerate() {
        let text = Str32 { head: Marker, bytes: dtype.as_bytes().to_vec() };
        dictionary.written(&format!("dtype_{number}"), &DtypeText { format: 0, text }, big);
    }
    for axes in 0..3 {
        let head = AxesHead(axes);
        let inner = |extent| InnerShape { head, extents: vec![Int32(extent); axes.into()] };
        let shape = Shape { head, extents: vec![Int64(3); axes.into()] };
        let parts = Parts::WithoutDtype;
        let (chunk_shape, block_shape) = (inner(2), inner(1));
        dictionary.written(
            &format!("array_{axes}"),
            &ArrayLayer { parts, version: 0, ndim: axes, shape, chunk_shape, block_shape, dtype: None },
            big,
        );
    }
    let tail = TrailerTail { trailer_length: Uint32(35), fingerprint_type: FixExt16(0), fingerprint: Zeros::default() };
    dictionary.written("trailer_tail", &tail, big);
    for (name, kind) in [("zeros", Special::ZEROS), ("nan", Special::NAN), ("uninitialised", Special::UNINITIALISED)] {
        dictionary.add(format!("entry_{name}"), IndexEntry::Special(kind).to_bytes().to_vec());
    }
    for number in [-1, 0, 1, 2, 3, 8, 255, 256, i32::MAX, i32::MIN] {
        dictionary.written(&format!("int32_{number}"), &Int32(number), big);
    }
    for number in [-1, 0, 1, 2, 3, 8, 1 << 32, i64::MAX, i64::MIN] {
        dictionary.written(&format!("int64_{number}"), &Int64(number), big);
    }
    dictionary.layout::<FrameHeader>(&[big]);
    dictionary.layout::<ArrayLayer>(&[big]);
    dictionary.layout::<Trailer>(&[big]);
    dictionary.chunks();
    dictionary.compare("b2nd");
}

#[test]
fn the_dictionary_of_blosc2() {
    let mut dictionary = Dictionary::default();
    dictionary.chunks();
    dictionary.compare("blosc2");
}

/// A codec of these parameters.
fn codec(name: &str, parameters: Parameters) -> Codec {
    let parameters_length = Leb128::new(length_of(&parameters, Endian::Little));
    Codec { name: NetString::new(name), parameters_length, parameters, excess: Region::default() }
}

/// Byte strings and their names; of those that are the same, the first name counts.
#[derive(Default)]
struct Dictionary {
    entries: Vec<(String, Vec<u8>)>,
}

impl Dictionary {
    /// The most bytes of an entry that the fuzzer takes.
    const LONGEST: usize = 64;

    fn add(&mut self, name: String, bytes: Vec<u8>) {
        assert!((1..=Self::LONGEST).contains(&bytes.len()), "{name}");
        if self.entries.iter().all(|(_, known)| *known != bytes) {
            self.entries.push((name, bytes));
        }
    }

    /// What chunks of Blosc2 are made of.
    fn chunks(&mut self) {
        let little = Endian::Little;
        for format in StreamFormat::ALL.iter().map(|format| format.0) {
            for how in [0x05, 0x07, 0x15] {
                let filters = alone(FilterId::SHUFFLE);
                let extension = Extension {
                    filters,
                    codec: Compressor::ZSTD,
                    codec_meta: 0,
                    filter_meta: [0; 6],
                    block_flags: ndbytes::schemas::blosc2::BlockFlags::from_raw(0),
                    chunk_kind: ChunkKind::from_raw(0),
                };
                let header = ChunkHeader {
                    version: ChunkVersion::BLOSC2,
                    codec_version: 1,
                    flags: ChunkFlags::from_raw(format << 5 | how),
                    typesize: 4,
                    nbytes: 32,
                    blocksize: 16,
                    cbytes: 64,
                    extension: Some(extension),
                };
                self.written(&format!("chunk_{format}_{how:02x}"), &header, little);
            }
        }
        for kind in Special::ALL.iter().copied().filter(|&kind| kind != Special::NONE) {
            self.add(format!("special_{}", kind.0), vec![ChunkKind::new().with_special(kind).raw()]);
        }
        for id in FilterId::ALL.iter().copied().filter(|&id| id != FilterId::NONE) {
            self.written(&format!("filter_{}", id.0), &alone(id), little);
        }
        for length in [-255, -1, 0, 1, 8, 16] {
            let token = (length < 0).then(|| ndbytes::schemas::blosc2::Token::from_raw(1));
            let data = Region::default();
            self.written(&format!("stream_{length}"), &Stream { length, token, data }, little);
        }
        self.add("zstd_magic".into(), vec![0x28, 0xb5, 0x2f, 0xfd]);
        self.add("zstd_dictionary_magic".into(), vec![0x37, 0xa4, 0x30, 0xec]);
        self.layout::<ChunkHeader>(&[little]);
        self.layout::<ChunkBody>(&[little]);
        self.layout::<BlockTable>(&[little]);
        self.layout::<Stream>(&[little]);
        self.layout::<Index>(&[little]);
    }

    /// What the field reference of a layout knows.
    fn layout<T: Layout>(&mut self, endians: &[Endian]) {
        let book = Book::of::<T>();
        let widths: BTreeMap<&str, usize> = book.types.iter().flat_map(fields).collect();
        let pages = || book.types.iter().flat_map(|page| endians.iter().map(move |&endian| (page, endian)));
        for (page, endian) in pages() {
            let name = |part: &str| {
                let name = format!("{}_{part}_{}", page.name, suffix(endian)).to_lowercase();
                name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
            };
            match &page.kind {
                TypeKind::Structure(_) | TypeKind::Choice(_) => {}
                // Some codes stand in runs of bits alone.
                TypeKind::Codes(codes) => {
                    let Some(&width) = widths.get(page.name) else { continue };
                    codes.iter().for_each(|code| self.add(name(code.name), word(code.code, width, endian)));
                }
                TypeKind::Bits(runs) => {
                    let width = runs.iter().map(|run| run.first + run.width).max().unwrap_or(0) as usize / 8;
                    for run in runs {
                        let ones = (u64::MAX >> (64 - run.width)) << run.first;
                        self.add(name(run.name), word(ones, width, endian));
                        for code in codes_of(&book, run.type_name) {
                            let name = name(&format!("{}_{}", run.name, code.name));
                            self.add(name, word(code.code << run.first, width, endian));
                        }
                    }
                }
                other => panic!("no entries are known for {other:?}"),
            }
        }
        for (page, endian) in pages() {
            for (type_name, width) in fields(page).filter(|(type_name, _)| is_integer(type_name)) {
                self.words(type_name, width, endian);
            }
        }
    }

    /// Integers of a width that code is likely to compare with.
    fn words(&mut self, type_name: &str, width: usize, endian: Endian) {
        let most = u64::MAX >> (64 - 8 * width);
        let half = most / 2 + 1;
        let root = 1 << (4 * width);
        for number in [0, 1, 2, 3, 4, 5, 8, 16, 64, root - 1, root, half - 1, half, most - 1, most] {
            self.add(format!("{type_name}_{number}_{}", suffix(endian)), word(number, width, endian));
        }
    }

    /// The magic at the beginning of a structure.
    fn magic<T: Layout + for<'a> BinWrite<Args<'a> = ()>>(&mut self, value: &T, endian: Endian) {
        let book = Book::of::<T>();
        let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("a magic belongs to a structure") };
        let (name, size) = (fields[0].name, fields[0].size);
        assert_eq!(name, "magic");
        let mut bytes = write(value, endian).unwrap();
        bytes.truncate(size.unwrap() as usize);
        self.add(format!("{}_magic_{}", book.types[0].name, suffix(endian)).to_lowercase(), bytes);
    }

    /// A whole structure.
    fn written<T: for<'a> BinWrite<Args<'a> = ()>>(&mut self, name: &str, value: &T, endian: Endian) {
        self.add(name.to_owned(), write(value, endian).unwrap());
    }

    fn text(&self) -> String {
        let mut text = String::from("# Generated from the layouts by tests/it/dictionaries.rs.\n");
        for (name, bytes) in &self.entries {
            write!(text, "{name}=\"").unwrap();
            bytes.iter().for_each(|byte| write!(text, "\\x{byte:02x}").unwrap());
            text.push_str("\"\n");
        }
        text
    }

    /// Compares with the file of this name, or writes it.
    fn compare(&self, name: &str) {
        let path = support::project().join("fuzz/dictionaries").join(name).with_extension("dict");
        if std::env::var_os("UPDATE_DICTIONARIES").is_some() {
            fs::write(&path, self.text()).unwrap();
        }
        let committed = fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == self.text(), "{}: not what the layouts say; see {}", path.display(), file!());
    }
}

/// The codes of a type; none if it has no codes.
fn codes_of<'b>(book: &'b Book, type_name: &str) -> &'b [CodeDoc] {
    let page = book.types.iter().find(|page| page.name == type_name);
    match page.map(|page| &page.kind) {
        Some(TypeKind::Codes(codes)) => codes,
        _ => &[],
    }
}

/// Six slots, of which the last one has a filter.
fn alone(filter: FilterId) -> FilterIds {
    let mut ids = FilterIds::default();
    ids.0[FILTER_SLOTS - 1] = filter;
    ids
}

/// The type of each field, and the bytes that a value of it takes where they are always the same. Lists count as their
/// elements.
fn fields(page: &ndbytes::everybyte::TypeDoc) -> impl Iterator<Item = (&str, usize)> {
    let fields = match &page.kind {
        TypeKind::Structure(fields) => fields.as_slice(),
        _ => &[],
    };
    fields.iter().filter_map(|field| {
        let type_name = field.type_name.trim_matches(['[', ']']);
        let integer = is_integer(type_name).then(|| type_name[1..].parse::<usize>().unwrap() / 8);
        Some((type_name, field.size.map(|size| size as usize).or(integer)?))
    })
}

fn is_integer(type_name: &str) -> bool {
    matches!(type_name, "u8" | "u16" | "u32" | "u64" | "i16" | "i32" | "i64")
}

fn word(number: u64, width: usize, endian: Endian) -> Vec<u8> {
    match endian {
        Endian::Big => number.to_be_bytes()[8 - width..].to_vec(),
        Endian::Little => number.to_le_bytes()[..width].to_vec(),
    }
}

fn suffix(endian: Endian) -> &'static str {
    match endian {
        Endian::Big => "be",
        Endian::Little => "le",
    }
}
