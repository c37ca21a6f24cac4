//! Checksums: over their own bytes, and over bytes elsewhere.

use everybyte::forge::{Of, Repair, replay, set_right};
use everybyte::sums::{internet, sha1, sha256, sum16, words32};
use everybyte::{
    Endian, Finding, Format, Source, check, explain, layout,
    list::{filling, rest},
    read,
    view::ByteOrder,
    write,
};

/// A header like that of IPv4.
#[layout]
#[brw(big)]
struct Header {
    version: u8,
    #[br(temp)]
    #[layout(check_of = "version..target", sum = internet)]
    checksum: u16,
    source: u32,
    target: u32,
}

impl Format for Header {
    const NAME: &'static str = "header";

    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
}

/// A header like tar's: spaces take the place of the checksum while it is computed.
#[layout]
#[brw(big)]
struct Entry {
    name: [u8; 4],
    #[layout(check_of = "name..size", sum = sum16, own = b' ')]
    checksum: u16,
    size: u8,
}

impl Format for Entry {
    const NAME: &'static str = "entry";

    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
}

/// A font: sums of tables at offsets, and of the whole file.
#[layout]
#[brw(big, magic = b"FONT")]
struct Font {
    #[layout(check_of = Font, sum = words32)]
    whole: u32,
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    records: Vec<Record>,
    #[layout(each(record in records), at = record.offset, size = record.length)]
    tables: Vec<Table>,
}

#[layout]
#[brw(big)]
struct Record {
    #[layout(place = outer::tables)]
    offset: u16,
    #[layout(extent = outer::tables)]
    length: u16,
    #[layout(check_of = outer::tables, sum = words32)]
    checksum: u32,
}

#[layout]
struct Table {
    kind: u8,
    #[br(parse_with = rest)]
    bytes: Vec<u8>,
}

impl Format for Font {
    const NAME: &'static str = "font";

    const BYTE_ORDER: ByteOrder = ByteOrder::Big;
}

fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

#[test]
fn a_sum_over_its_own_field_is_written_and_checked() {
    let header = Header { version: 0x45, source: 0xC0A8_0001, target: 0xC0A8_00C7 };
    let mut file = write(&header, Endian::Big).unwrap();
    assert_eq!(file[1..3], internet(&[&file[..1], &[0, 0], &file[3..]].concat()).to_be_bytes());
    assert_eq!(check::<Header>(&file), []);
    assert_eq!(read::<Header>(Source::new(&file), Endian::Big, ()).unwrap(), header);
    let made = replay(&Of::<Header>::new(), &file, &"set source = 7".parse().unwrap()).unwrap();
    assert_eq!(check::<Header>(&made), []);
    file[1] ^= 1;
    assert_eq!(rules(&check::<Header>(&file)), [("checksum", "checksum")]);
    assert_eq!(rules(&explain::<Header>(&file).findings), [("checksum", "checksum")]);
    assert_eq!(check::<Header>(&set_right(&Of::<Header>::new(), &file, Repair::Everything)), []);
}

#[test]
fn other_bytes_may_stand_for_a_sum_while_it_is_made() {
    let checksum = sum16(b"abcd  \x07");
    let file = write(&Entry { name: *b"abcd", checksum, size: 7 }, Endian::Big).unwrap();
    assert_eq!(check::<Entry>(&file), []);
    let made = replay(&Of::<Entry>::new(), &file, &"set size = 200".parse().unwrap()).unwrap();
    assert_eq!(made[4..6], sum16(b"abcd  \xc8").to_be_bytes());
    assert_eq!(rules(&check::<Entry>(b"abcd\0\0\x07")), [("checksum", "checksum")]);
}

/// Returns a font of two tables.
fn font() -> Vec<u8> {
    let record = |offset, length| Record { offset, length, checksum: 0 };
    let table = |bytes: &[u8]| Table { kind: 1, bytes: bytes.to_vec() };
    let records = vec![record(25, 5), record(30, 2)];
    let file = write(&Font { whole: 0, records, tables: vec![table(b"abcd"), table(b"e")] }, Endian::Big).unwrap();
    set_right(&Of::<Font>::new(), &file, Repair::Everything)
}

#[test]
fn sums_of_structures_at_offsets_and_of_the_file_are_checked_and_follow() {
    let file = font();
    assert_eq!(check::<Font>(&file), []);
    let blank = [&file[..4], &[0; 4], &file[8..]].concat();
    assert_eq!(file[4..8], words32(&blank).to_be_bytes());
    assert_eq!(file[13..17], words32(&file[25..30]).to_be_bytes());
    let mut wrong = file.clone();
    wrong[31] ^= 1;
    let found = check::<Font>(&wrong);
    assert_eq!(rules(&found), [("checksum", "whole"), ("checksum", "records[1].checksum")]);
    assert_eq!(explain::<Font>(&wrong).findings, found);
    let made = replay(&Of::<Font>::new(), &file, &"set tables[0].kind = 9".parse().unwrap()).unwrap();
    assert_eq!(check::<Font>(&made), []);
}

/// Sums over the whole file, one after the other.
#[layout]
struct Sums {
    #[br(parse_with = filling(u64::MAX))]
    sums: Vec<OfFile>,
}

#[layout]
struct OfFile {
    #[layout(check_of = Sums, sum = sum16)]
    sum: u16,
}

impl Format for Sums {
    const NAME: &'static str = "sums";
}

#[test]
fn sums_of_many_bytes_are_not_made_again_and_again() {
    let found = check::<Sums>(&vec![0; 1 << 20]);
    let limit = "checksums in elements that the map does not show are not checked";
    assert!(found.iter().any(|finding| finding.message == limit && finding.path == "sums"), "{found:?}");
    let limit = "the checksums of the file share too many bytes: the rest is not checked";
    assert!(found.iter().any(|finding| finding.message == limit && finding.path == "sums[16].sum"), "{found:?}");
    assert_eq!(check::<Sums>(&[0; 20]), []);
}

#[test]
fn files_that_are_made_up_have_right_sums() {
    everybyte::fuzzing::values::<Header>(100);
    everybyte::fuzzing::values::<Entry>(100);
    everybyte::fuzzing::values::<Font>(200);
}

/// A sum directly after fields of which the last one may be absent, and more after it.
#[layout]
#[brw(big)]
struct Optional {
    flags: u8,
    #[br(if(flags & 1 != 0))]
    extra: Option<u8>,
    #[br(temp)]
    #[layout(check_of = "flags..extra", sum = sum16)]
    sum: u16,
    #[br(parse_with = rest)]
    after: Vec<u8>,
}

impl Format for Optional {
    const NAME: &'static str = "optional";
}

#[test]
fn a_sum_of_fields_without_the_last_one_is_made_of_those_before_it() {
    let grammar = Of::<Optional>::new();
    for (file, expected) in
        [(&b"\x02\0\x02after"[..], &b"\x08\0\x08after"[..]), (b"\x03\x04\0\x07after", b"\x09\x04\0\x0dafter")]
    {
        assert_eq!(check::<Optional>(file), []);
        assert_eq!(set_right(&grammar, file, Repair::Everything), file);
        let flags = expected[0];
        assert_eq!(replay(&grammar, file, &format!("set flags = {flags}").parse().unwrap()).unwrap(), expected);
    }
    everybyte::fuzzing::values::<Optional>(100);
}

/// Objects by their SHA-1, after which stands that of the whole file: an index of Git. The sum of the records has half of its bytes.
#[layout]
#[brw(big, magic = b"DIRC")]
struct Index {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    records: Vec<Entry>,
    #[br(temp)]
    #[layout(check_of = records, sum = half_of_sha256)]
    half: [u8; 16],
    #[layout(check_of = "magic..half", sum = sha1)]
    sum: [u8; 20],
}

/// Returns the first half of a SHA-256: any function that returns an array is a sum.
fn half_of_sha256(bytes: &[u8]) -> [u8; 16] {
    sha256(bytes)[..16].try_into().unwrap()
}

impl Format for Index {
    const NAME: &'static str = "index";
}

#[test]
fn sums_of_many_bytes_are_written_checked_and_follow() {
    let records = vec![Entry { name: *b"abcd", checksum: sum16(b"abcd  \x07"), size: 7 }];
    let unset = write(&Index { records: records.clone(), sum: [0; 20] }, Endian::Big).unwrap();
    assert_eq!(unset[12..28], half_of_sha256(&unset[5..12]));
    let message = check::<Index>(&unset).remove(0).message;
    let hex: String = sha1(&unset[..28]).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(message, format!("the sha1 of 28 bytes is {hex}"));
    let grammar = Of::<Index>::new();
    let file = set_right(&grammar, &unset, Repair::Everything);
    assert_eq!((check::<Index>(&file), &file[28..]), (vec![], &sha1(&unset[..28])[..]));
    let made = replay(&grammar, &file, &"set records[0].size = 9".parse().unwrap()).unwrap();
    assert_eq!(check::<Index>(&made), []);
    assert_ne!((&made[12..28], &made[28..]), (&file[12..28], &file[28..]));
    let mut wrong = file.clone();
    wrong[12] ^= 1;
    assert_eq!(rules(&check::<Index>(&wrong)), [("checksum", "half"), ("checksum", "sum")]);
    assert_eq!(explain::<Index>(&wrong).findings, check::<Index>(&wrong));
    everybyte::fuzzing::values::<Index>(100);
}

/// A sum of bytes at an offset, whose field does not stand beside them.
#[layout]
#[brw(big, magic = b"PACK")]
struct Pack {
    #[br(temp)]
    offset: u8,
    #[layout(check_of = body, sum = sha1)]
    sum: [u8; 20],
    #[layout(at = offset)]
    body: Header,
}

impl Format for Pack {
    const NAME: &'static str = "pack";
}

#[test]
fn a_sum_of_many_bytes_at_an_offset_is_checked() {
    let body = Header { version: 1, source: 2, target: 3 };
    let file = write(&Pack { sum: [0; 20], body }, Endian::Big).unwrap();
    assert_eq!(rules(&check::<Pack>(&file)), [("checksum", "sum")]);
    let right = set_right(&Of::<Pack>::new(), &file, Repair::Everything);
    assert_eq!((check::<Pack>(&right), &right[5..25]), (vec![], &sha1(&right[25..])[..]));
}
