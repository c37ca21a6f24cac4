//! Single values of the layouts, which are read, refused, shown and written.

use everybyte::{
    BinRead, BinWrite, Endian, Layout, Source, bytes::RegionArgs, error::Problem, map::Value, number::Number, read,
    write,
};
use ndbytes_schemas::b2nd::{ArrayLayer, Parts};
use ndbytes_schemas::blosc2::{
    AxesHead, Bool, ChunkHeader, FilterIds, Int16, Int32, Int64, LONGEST_NAME, Magic, Marker, Name,
};
use ndbytes_schemas::idv::{Codec, NetString, Storage, Version, net_text};
use ndbytes_schemas::idx::{ElementType, payload_length};
use ndbytes_schemas::{npy, zip};
use std::fmt::Debug;

/// Reads a value from bytes; `None` if they are refused.
fn value<T>(bytes: &[u8]) -> Option<T>
where
    T: Layout + Debug + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    let value: T = read(Source::new(bytes), Endian::Little, ()).ok()?;
    let length = write(&value, Endian::Little).unwrap().len();
    assert_eq!(write(&value, Endian::Little).unwrap(), bytes[..length], "{value:?}");
    Some(value)
}

/// The layer of an array with one axis.
fn layer(parts: u8, rest: &[u8]) -> Vec<u8> {
    let shape = b"\x00\x01\x91\xd3\0\0\0\0\0\0\0\x07\x91\xd2\0\0\0\x04\x91\xd2\0\0\0\x02";
    [&[parts], &shape[..], rest].concat()
}

#[test]
fn the_number_of_parts_says_whether_the_type_of_the_items_follows() {
    let old: ArrayLayer = value(&layer(0x95, b"more")).unwrap();
    assert_eq!((old.parts, old.dtype), (Parts::WITHOUT_DTYPE, None));
    let new: ArrayLayer = value(&layer(0x97, b"\x00\xdb\0\0\0\x03<i4")).unwrap();
    assert_eq!((new.parts, new.dtype.unwrap().text.bytes), (Parts::WITH_DTYPE, b"<i4".to_vec()));
    assert_eq!((new.shape.extents, new.chunk_shape.extents), (vec![Int64(7)], vec![Int32(4)]));
    assert_eq!((old.parts.value(), new.parts.value()), (Value::Uint(5), Value::Uint(7)));
    for parts in [0x94, 0x96, 0x98, 0] {
        assert!(value::<ArrayLayer>(&layer(parts, b"\x00\xdb\0\0\0\x03<i4")).is_none(), "{parts:x}");
    }
}

#[test]
fn elements_of_idx_take_their_size_each() {
    let sizes = ElementType::ALL.iter().map(|of| of.size());
    assert_eq!(sizes.collect::<Vec<_>>(), [1, 1, 2, 4, 4, 8]);
    assert_eq!(payload_length(ElementType::I16, &[2, 3]), 12);
    assert_eq!(payload_length(ElementType::F64, &[]), 8);
    assert_eq!(payload_length(ElementType::F64, &[u32::MAX, 0, u32::MAX]), 0);
    assert_eq!(payload_length(ElementType::U8, &[u32::MAX, u32::MAX, 2]), u64::MAX);
}

#[test]
fn flags_of_a_chunk_say_how_long_its_header_is() {
    let header = |flags: u8| {
        let mut bytes = [0; 32];
        (bytes[0], bytes[1], bytes[2], bytes[3]) = (5, 1, flags, 4);
        value::<ChunkHeader>(&bytes).unwrap()
    };
    for (flags, is_extended) in [(0, false), (1, false), (4, false), (5, true), (0xff, true), (0xfa, false)] {
        let read = header(flags);
        assert_eq!(read.extension.is_some(), is_extended, "{flags:x}");
    }
}

#[test]
fn texts_fill_what_is_left_and_no_more() {
    let args = |length| RegionArgs { length };
    let read_npy = |length| read::<npy::Text<true>>(Source::new(b"\xc3\xa9a"), Endian::Little, args(length));
    assert_eq!(read_npy(3).unwrap().value(), Value::Text("éa".into()));
    assert_eq!(
        read::<npy::Text<false>>(Source::new(b"\xe9"), Endian::Little, args(1)).unwrap().value(),
        Value::Text("é".into())
    );
    let too_many = Problem::TooMany { count: 4, element: 1, left: 3 };
    assert_eq!(read_npy(4).unwrap_err().problem, too_many);
    let read_zip = |length| read::<zip::Text>(Source::new(b"a\xffb"), Endian::Little, args(length));
    assert_eq!(read_zip(1).unwrap().value(), Value::Text("a".into()));
    assert_eq!(read_zip(3).unwrap().value(), Value::bytes(b"a\xffb"));
    assert_eq!(write(&read_zip(3).unwrap(), Endian::Little).unwrap(), b"a\xffb");
    assert_eq!(read_zip(4).unwrap_err().problem, too_many);
    assert_eq!((read_zip(2).unwrap().heap(), npy::Text::<true>(b"abc".to_vec()).heap()), (2, 3));
}

#[test]
fn tokens_of_msgpack_have_the_marker_of_their_type() {
    assert_eq!(value(&[0xd1, 0xff, 0xfe]), Some(Int16(-2)));
    assert_eq!(value::<Int16>(&[0xd2, 0xff, 0xfe, 0, 0]), None);
    assert_eq!((value::<Marker<0x9e>>(&[0x9e]), value::<Marker<0x9e>>(&[0x9f])), (Some(Marker), None));
    assert_eq!((Marker::<0x9e>.meaning(), Marker::<0xa4>.meaning()), ("array of 14".into(), "string of 4".into()));
    assert_eq!((Marker::<0xdb>.meaning(), Marker::<0xdb>.value()), ("".into(), Value::bytes(&[0xdb])));
    let booleans: Vec<_> = [0xc1, 0xc2, 0xc3, 0xc4].iter().map(|&byte| value::<Bool>(&[byte])).collect();
    assert_eq!(booleans, [None, Some(Bool::from(false)), Some(Bool::from(true)), None]);
    assert_eq!(
        (Bool::from(false).value(), Bool::from(true).value()),
        (Value::Name("false".into()), Value::Name("true".into()))
    );
    let axes = |head, count| read::<AxesHead>(Source::new(&[head]), Endian::Little, (count,)).ok();
    // With sixteen axes, the head is the same as for an empty string.
    assert_eq!((axes(0x93, 3), axes(0x93, 2), axes(0xa0, 16)), (Some(AxesHead::new(3)), None, Some(AxesHead::new(16))));
    assert_eq!(AxesHead::new(3).value(), Value::Uint(3));
}

#[test]
fn names_have_their_length_in_their_first_byte() {
    let name: Name = value(b"\xa3b2nd").unwrap();
    assert_eq!((name.bytes(), name.lossy(), name.heap()), (&b"b2n"[..], "b2n".into(), 3));
    assert_eq!(
        (name.value(), value::<Name>(b"\xa1\xff").unwrap().value()),
        (Value::Text("b2n".into()), Value::bytes(b"\xff"))
    );
    assert_eq!(value::<Name>(&[b"\xbf", &[b'x'; LONGEST_NAME][..]].concat()), Name::new(&[b'x'; LONGEST_NAME]));
    assert_eq!(Name::new(&[b'x'; LONGEST_NAME + 1]), None);
    for head in [0x00, 0x40, 0x83, 0xc3, 0xe3] {
        assert_eq!(value::<Name>(&[head, b'x', b'x', b'x']), None, "{head:x}");
    }
    assert_eq!(value::<Name>(b"\xa3b2"), None);
}

#[test]
fn times_of_archives_are_numbers_and_said_as_a_clock_and_a_calendar_do() {
    let (time, date) = (zip::DosTime(23 << 11 | 59 << 5 | 29), zip::DosDate(45 << 9 | 12 << 5 | 31));
    assert_eq!((time.meaning(), date.meaning()), ("23:59:58".into(), "2025-12-31".into()));
    assert_eq!((time.value(), date.value()), (Value::Uint(time.0.into()), Value::Uint(date.0.into())));
}

#[test]
fn strings_of_net_are_read_as_net_reads_them() {
    let text: NetString = value(b"\x04\xc3\xa9ab").unwrap();
    assert_eq!((text.text(), text.lossy(), text.bytes()), (Some("éab"), "éab".into(), "éab".as_bytes()));
    assert_eq!((text.value(), text.meaning(), text.heap()), (Value::Text("éab".into()), "".into(), 4));
    let broken: NetString = value(b"\x03a\xffb").unwrap();
    assert_eq!((broken.text(), broken.lossy(), broken.meaning()), (None, "a\u{fffd}b".into(), "no UTF-8".into()));
    assert_eq!(broken.value(), Value::bytes(b"a\xffb"));
    let long: NetString = value(b"\x81\x00a").unwrap();
    assert_eq!(long.meaning(), "its length takes 2 bytes, more than necessary");
    assert_eq!((value::<NetString>(b"\x02a"), value::<NetString>(b"\x81\x80\x80\x80\x80\x00a")), (None, None));
    // A character that is cut off at the end is dropped; invalid bytes are not.
    assert_eq!(
        (net_text(b"ab\xe2\x82"), net_text(b"ab\xff"), net_text(b"\xe2\x82ab")),
        ("ab".into(), "ab\u{fffd}".into(), "\u{fffd}ab".into())
    );
}

#[test]
fn versions_of_idv_say_what_a_table_has() {
    let version = |last: u64| Version(0x0001_0002_0003_0000 | last);
    assert_eq!((version(4).to_string(), version(0xffff).to_string()), ("1.2.3.4".into(), "1.2.3.65535".into()));
    let of = |last: u64| Version(0x0001_0001_0001_0000 | last);
    let has = |last: u64| (of(last).has_slot_names(), of(last).has_annotations());
    assert_eq!([2, 3, 4, 5].map(has), [(false, false), (true, false), (false, true), (false, true)]);
}

#[test]
fn codecs_of_vectors_and_keys_are_stored_as_those_of_their_items() {
    let storage = |bytes| read::<Codec>(Source::new(bytes), Endian::Little, Default::default()).unwrap().storage();
    assert_eq!(storage(b"\x05Int16\x00".as_slice()), Some(Storage::Numbers(Number::I16)));
    assert_eq!(storage(b"\x08TextSpan\x00".as_slice()), Some(Storage::Text));
    assert_eq!(storage(b"\x04Int7\x00".as_slice()), None);
    // A key of type byte with 3 categories, and a vector of 2 texts.
    assert_eq!(storage(b"\x04Key2\x0e\x04Byte\x00\x03\0\0\0\0\0\0\0".as_slice()), Some(Storage::Numbers(Number::U8)));
    assert_eq!(storage(b"\x07VBuffer\x12\x08TextSpan\x00\x01\0\0\0\x02\0\0\0".as_slice()), Some(Storage::Text));
}

#[test]
fn types_are_named_in_the_map() {
    let names = [
        Parts::type_name(),
        Marker::<0xdb>::type_name(),
        Int16::type_name(),
        Bool::type_name(),
        Name::type_name(),
        AxesHead::type_name(),
        Magic::type_name(),
        FilterIds::type_name(),
        zip::DosTime::type_name(),
        zip::DosDate::type_name(),
        zip::Text::type_name(),
        NetString::type_name(),
        Version::type_name(),
        npy::Text::<true>::type_name(),
        npy::Text::<false>::type_name(),
    ];
    let wanted = [
        "msgpack array",
        "msgpack db",
        "msgpack i16",
        "msgpack bool",
        "msgpack string",
        "msgpack array",
        "msgpack string of 8",
        "FilterIds",
        "DosTime",
        "DosDate",
        "Text",
        "NetString",
        "Version",
        "UTF-8",
        "Latin-1",
    ];
    assert_eq!(names, wanted);
}
