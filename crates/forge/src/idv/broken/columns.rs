//! Breakers of the rules about columns, codecs, and the positions of blocks.

use super::header::too_low;
use super::subject::{Subject, name_of, number};
use crate::forged_file::ForgedFile;
use crate::idv::codecs::{key, old_key, plain, vector, with};
use crate::idv::file_parts::SlotNamesParts;
use crate::idv::table::recompress;
use crate::kind_driver::Breaker;
use everybyte::forge::Choices;
use everybyte::{Endian, Source, bytes::Region, read, varint::Leb128};
use ndbytes_schemas::idv::{Codec, Compression, NetString, Parameters, SlotNamesExtent, Version};

/// The breakers, in the order of the rules.
pub(super) static BREAKERS: [Breaker; 29] = [
    Breaker::new("idv/empty-name", empty_name, ""),
    Breaker::new("idv/duplicate-name", duplicate_name, ""),
    Breaker::new("idv/bad-utf8", bad_utf8, ""),
    Breaker::new("idv/overlong-leb128", overlong_leb128, ""),
    Breaker::new("idv/rows-per-block", rows_per_block, ""),
    Breaker::new("idv/wrapped-rows-per-block", wrapped_rows_per_block, ""),
    Breaker::new("idv/mixed-rows-per-block", mixed_rows_per_block, ""),
    Breaker::new("idv/too-many-blocks", too_many_blocks, ""),
    Breaker::new("idv/large-rows-per-block", large_rows_per_block, ""),
    Breaker::new("idv/codec-name", codec_name, ""),
    Breaker::new("idv/codec-length", codec_length, ""),
    Breaker::new("idv/unknown-codec", unknown_codec, ""),
    Breaker::new("idv/unknown-inner-codec", unknown_inner_codec, ""),
    Breaker::new("idv/old-row-id", old_row_id, ""),
    Breaker::new("idv/codec-version", codec_version, ""),
    Breaker::new("idv/key-number", key_number, ""),
    Breaker::new("idv/key-count", key_count, ""),
    Breaker::new("idv/old-key", other_old_key, ""),
    Breaker::new("idv/nested-vector", nested_vector, ""),
    Breaker::new("idv/vector-dims", vector_dims, ""),
    Breaker::new("idv/unknown-compression", unknown_compression, ""),
    Breaker::new("idv/zlib", zlib, ""),
    Breaker::new("idv/lookup-offset", lookup_offset, ""),
    Breaker::new("idv/block-offset", block_offset, ""),
    Breaker::new("idv/block-length", block_length, ""),
    Breaker::new("idv/stored-length", stored_length, ""),
    Breaker::new("idv/excess-stored-length", excess_stored_length, ""),
    Breaker::new("idv/slot-names", slot_names, ""),
    // The same, but for existing files: `RowId`, after its length.
    Breaker::new("idv/old-row-id", row_ids, "splice columns[?].codec.name[0..end] = x\"05526f774964\""),
];

fn table(choices: &mut Choices<'_>) -> Subject {
    let codec = number(choices);
    Subject::new(choices, codec)
}

/// Creates a table whose column has this codec with arbitrary blocks.
fn with_codec(choices: &mut Choices<'_>, codec: Codec) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.column().entry.codec = codec;
    subject.whole()
}

/// Encodes a number in more bytes than necessary.
fn overlong(value: u64, more: usize) -> Leb128 {
    let mut bytes: Vec<u8> = (0..10).map(|place| (value >> (7 * place)) as u8 & 0x7F).collect();
    bytes.truncate(Leb128::new(value).length() as usize + more);
    let last = bytes.len() - 1;
    bytes[..last].iter_mut().for_each(|byte| *byte |= 0x80);
    read(Source::new(&bytes), Endian::Little, ()).unwrap_or_default()
}

fn empty_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.column().entry.name = NetString::default();
    subject.whole()
}

fn duplicate_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let copy = subject.column().clone();
    subject.draft.columns.push(copy);
    subject.whole()
}

/// Sets a name that is not UTF-8.
fn bad_utf8(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let names: [&[u8]; 4] = [b"a\xFFb", b"\xC3(", b"x\xE2\x82", b"\xED\xA0\x80"];
    subject.column().entry.name = name_of(choices.pick::<&[u8]>(&names));
    subject.whole()
}

fn overlong_leb128(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let more = 1 + choices.index(3);
    match choices.below(3) {
        0 => {
            let declared = subject.column().entry.rows_per_block.value();
            subject.column().entry.rows_per_block = overlong(declared, more);
        }
        1 => subject.column().entry.codec.parameters_length = overlong(0, more),
        _ => {
            let stored = [0x83, 0x00, b'a', b'b', b'c'];
            subject.column().entry.name = read(Source::new(&stored), Endian::Little, ()).ok()?;
        }
    }
    subject.whole()
}

/// Sets zero rows per block.
fn rows_per_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.draft.set_rows_per_block(0);
    subject.whole()
}

/// Sets a number of rows that readers wrap to 32 bits.
fn wrapped_rows_per_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let declared = subject.column().entry.rows_per_block.value();
    subject.draft.set_rows_per_block(declared + ((1 + choices.below(1 << 20)) << 32));
    subject.whole()
}

fn mixed_rows_per_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let rows = subject.draft.rows();
    let all = subject.column().rows(rows)?;
    let declared = subject.column().entry.rows_per_block.value();
    let others: Vec<u64> = (1..=rows).filter(|&other| other != declared).collect();
    let mut other = subject.column().clone();
    other.entry.name = NetString::new("mixed");
    other.entry.rows_per_block = Leb128::new(*choices.pick(&others));
    if !other.set_rows(&all) {
        return None;
    }
    let place = choices.index(subject.draft.columns.len() + 1);
    subject.draft.columns.insert(place, other);
    subject.whole()
}

/// Sets a number of rows that would need more blocks than a file can have.
fn too_many_blocks(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.draft.set_rows_per_block(1 + choices.below(4));
    subject.draft.header.row_count = i64::MAX - choices.below(1 << 60) as i64;
    subject.whole()
}

/// Sets more rows per block than the table has.
fn large_rows_per_block(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (rows, codec) = (1 + choices.below(8), number(choices));
    let per_block = rows + 1 + choices.below(1 << 20);
    Subject::of_rows(choices, (Version::V6, rows, per_block), codec, Compression::NONE).whole()
}

fn codec_name(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let codec = match choices.below(3) {
        0 => vector(plain(""), vec![2]),
        1 => key(plain(""), 2),
        _ => plain(""),
    };
    with_codec(choices, codec)
}

/// Sets parameters that are longer than the codec allows.
fn codec_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let more = 1 + choices.below(5);
    let region = Region { offset: 0, length: more, present: more };
    let codec = match choices.below(2) {
        0 => with(NetString::new("Int32"), Parameters::Other { bytes: region }),
        _ => {
            let codec = vector(plain("Int32"), vec![2]);
            let length = codec.parameters_length.value() + more;
            Codec { parameters_length: Leb128::new(length), excess: region, ..codec }
        }
    };
    with_codec(choices, codec)
}

/// Sets a codec that ML.NET does not define.
fn unknown_codec(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let codec = plain(choices.pick::<&str>(&["Image", "int32", "Half", "vbuffer"]));
    with_codec(choices, codec)
}

fn unknown_inner_codec(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let inner = plain(choices.pick::<&str>(&["Image", "int32", "Half"]));
    let codec = if choices.one_in(2) { vector(inner, vec![2]) } else { key(inner, 2) };
    with_codec(choices, codec)
}

fn old_row_id(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = Subject::new(choices, plain("DataViewRowId"));
    subject.column().entry.codec = plain(choices.pick::<&str>(&["RowId", "UInt128"]));
    subject.whole()
}

/// Creates a valid table with row ids.
fn row_ids(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    Subject::new(choices, plain("DataViewRowId")).whole()
}

/// Sets the codec of another version that has blocks of the same form.
fn codec_version(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let pairs = [("TimeSpan", "DvTimeSpan"), ("DateTime", "DvDateTime"), ("DateTimeOffset", "DvDateTimeZone")];
    let (new, old) = *choices.pick(&pairs);
    let (version, right, wrong) = match choices.one_in(2) && new != "TimeSpan" {
        true => (Version::V5, old, new),
        false => (Version::V6, new, old),
    };
    let mut subject = Subject::with(choices, version, plain(right), Compression::NONE);
    subject.column().entry.codec = plain(wrong);
    subject.whole()
}

/// Sets keys that are not unsigned integers.
fn key_number(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let number = match choices.below(2) {
        0 => vector(plain("Byte"), vec![2]),
        _ => plain(choices.pick::<&str>(&["Int32", "Single", "TextSpan", "Boolean", "DateTime"])),
    };
    with_codec(choices, key(number, 3))
}

fn key_count(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let codec = match choices.below(4) {
        0 => key(plain("UInt32"), 0),
        1 => key(plain("Byte"), 256 + choices.below(1 << 40)),
        2 => key(plain("UInt16"), 65536),
        _ => old_key(plain("Byte"), 1, 0, -1 - choices.below(100) as i32),
    };
    with_codec(choices, codec)
}

fn other_old_key(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let (min, count) = (1 + choices.below(1 << 40), 1 + choices.below(9) as i32);
    let mut subject = Subject::new(choices, old_key(plain("UInt16"), 1, 0, count));
    subject.column().entry.codec = match choices.one_in(2) {
        true => old_key(plain("UInt16"), 1, min, count),
        false => old_key(plain("UInt16"), 0, 0, 0),
    };
    subject.whole()
}

/// Creates a vector of vectors.
fn nested_vector(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let inner = vector(number(choices), vec![1 + choices.below(3) as i32]);
    with_codec(choices, vector(inner, vec![2]))
}

/// Sets dimensions that are negative, or whose product is too large.
fn vector_dims(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let dims = match choices.below(3) {
        0 => vec![-1 - choices.below(9) as i32],
        1 => vec![1 << 16, 1 << 15],
        _ => vec![2, i32::MIN],
    };
    let codec = vector(number(choices), dims);
    with_codec(choices, codec)
}

fn unknown_compression(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    subject.column().entry.compression = Compression(3 + choices.below(253) as u8);
    subject.whole()
}

fn zlib(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    recompress(subject.column(), Compression::ZLIB, choices)?;
    subject.whole()
}

fn lookup_offset(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let offset = outside(choices);
    let column = subject.column();
    (column.is_lookup_lost, column.entry.lookup_offset) = (true, offset);
    subject.whole()
}

/// Returns an offset before the header's end, or after any tail.
fn outside(choices: &mut Choices<'_>) -> i64 {
    if choices.one_in(2) { too_low(choices) } else { i64::MAX - choices.below(1 << 40) as i64 }
}

/// Moves a block outside the region of the file that may contain blocks.
fn block_offset(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let offset = outside(choices);
    let block = subject.block();
    block.lie = Some((offset, block.bytes.len() as i32));
    subject.whole()
}

fn block_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = table(choices);
    let negative = -1 - choices.below(1 << 30) as i32;
    let block = subject.block();
    match choices.one_in(2) {
        true => block.length = negative,
        false => block.lie = Some((300, negative)),
    }
    subject.whole()
}

fn plain_table(choices: &mut Choices<'_>) -> Subject {
    let codec = number(choices);
    Subject::with(choices, Version::V6, codec, Compression::NONE)
}

fn stored_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = plain_table(choices);
    subject.block().length += 1 + choices.below(1 << 20) as i32;
    subject.whole()
}

fn excess_stored_length(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let mut subject = plain_table(choices);
    let more = 1 + choices.index(5);
    let bytes = choices.bytes(more);
    subject.block().bytes.extend(bytes);
    subject.whole()
}

fn slot_names(choices: &mut Choices<'_>) -> Option<ForgedFile> {
    let version = Version(Version::V6.0 - 3);
    let compression = *choices.pick(&[Compression::NONE, Compression::DEFLATE]);
    let mut subject = Subject::with(choices, version, vector(plain("Int32"), vec![2]), compression);
    let offset = 256 + choices.below(1 << 20) as i64;
    let column = subject.column();
    column.slot_names = SlotNamesParts::Lost;
    column.entry.slot_names_offset = Some(offset);
    column.entry.slot_names = Some(SlotNamesExtent { length: 1 << 30, count: 1 });
    subject.whole()
}
