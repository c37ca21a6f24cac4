//! Numbers in Blosc2 files: index entries, codecs and the formats of their streams, and the magic.

use everybyte::{BinRead, Endian, Layout, Source, map::Value, write};
use ndbytes_schemas::blosc2::{
    Codec, FilterId, FilterIds, Header, IndexEntry, Magic, Special, StoredEntry, StreamFormat,
};
use proptest::prelude::*;

/// An entry with this number, read through the layout.
fn stored(number: i64) -> StoredEntry {
    let bytes = number.to_le_bytes();
    StoredEntry::read_options(&mut Source::new(&bytes), Endian::Little, ()).unwrap()
}

fn entry(number: i64) -> IndexEntry {
    stored(number).entry()
}

#[test]
fn an_entry_of_an_index_is_a_place_or_a_special_value_or_undefined() {
    assert_eq!(entry(0), IndexEntry::At(0));
    assert_eq!(entry(i64::MAX), IndexEntry::At(i64::MAX as u64));
    let special = |top: u8| entry(i64::from_be_bytes([top, 0, 0, 0, 0, 0, 0, 0]));
    assert_eq!(special(0x81), IndexEntry::Special(Special::ZEROS));
    assert_eq!(special(0x82), IndexEntry::Special(Special::NAN));
    assert_eq!(special(0x84), IndexEntry::Special(Special::UNINITIALISED));
    // No value can follow an entry, and other bits have no meaning.
    for top in [0x80, 0x83, 0x85, 0x91, 0xc1] {
        assert!(matches!(special(top), IndexEntry::Undefined(_)), "{top:#x}");
    }
    assert_eq!((special(0x83).kind(), special(0x80).kind()), (Special::VALUE, Special::NONE));
    assert_eq!(stored(i64::from_be_bytes([0x81, 0, 0, 0, 0, 0, 0, 1])).meaning(), "not defined");
    assert_eq!(stored(i64::from_be_bytes([0x82, 0, 0, 0, 0, 0, 0, 0])).meaning(), "all NaN");
}

proptest! {
    #[test]
    fn an_entry_of_an_index_is_written_back_as_it_was(number: i64, top in 0x7c_u8..0x90, is_low in any::<bool>()) {
        let near = if is_low { number & 1 } else { 0 } | i64::from(top) << 56;
        for number in [number, near] {
            let stored = stored(number);
            prop_assert_eq!(stored.value(), Value::Int(number.into()));
            prop_assert_eq!(write(&stored, Endian::Big).unwrap(), number.to_le_bytes());
            prop_assert_eq!(stored.entry().to_bytes(), number.to_le_bytes());
        }
    }
}

#[test]
fn codecs_that_read_each_other_have_one_stream_format() {
    assert_eq!((Codec::LZ4.format(), Codec::LZ4HC.format()), (Some(StreamFormat::LZ4), Some(StreamFormat::LZ4)));
    for codec in Codec::ALL.iter().copied() {
        let is_here = codec.format().is_some_and(|format| format.name().is_some());
        assert_eq!(is_here, !codec.is_plugin() && codec != Codec::REGISTERED, "{codec:?}");
    }
}

#[test]
fn filters_of_a_pipeline_are_named_in_their_order() {
    let mut ids = FilterIds::default();
    assert_eq!(ids.meaning(), "no filter");
    (ids.0[1], ids.0[5]) = (FilterId::DELTA, FilterId(99));
    assert_eq!(ids.meaning(), "delta, then not defined");
    assert!(FilterId(160).is_of_user() && !FilterId(159).is_of_user());
}

#[test]
fn the_magic_of_a_frame_is_where_its_layout_puts_it() {
    let mut head = [0; Header::MIN_SIZE as usize];
    head[Magic::TEXT_OFFSET as usize..][..Magic::TEXT.len()].copy_from_slice(&Magic::TEXT);
    (head[0], head[1]) = (0x9e, 0xa8);
    let error = everybyte::read::<Header>(Source::new(&head), Endian::Big, ()).unwrap_err();
    assert_eq!(error.path, "header_length");
    assert_eq!(Magic::MAGIC, *b"\xa8b2frame\0");
}
