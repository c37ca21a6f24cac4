//! Everything that a layout may contain.

use everybyte::bits::*;
use everybyte::packing::{Packing, Zlib};
use everybyte::{Endian, Source, layout, read, write, bytes::{Align, Region, Rest, Zeros}, number::{I48, U24}, text::NulString};

/// A file.
#[layout]
#[brw(little, magic(b"LAY"))]
#[br(import { payload_length: u64 = 2 })]
struct File {
    kind: Kind,
    flags: Flags,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(items.len()))]
    count: u8,
    #[br(count = count)]
    items: Vec<Item>,
    #[br(if(flags.named()))]
    name: Option<NulString>,
    #[br(args(kind))]
    detail: Detail,
    #[br(map = |raw: u16| raw != 0)]
    #[bw(map = |truth: &bool| u16::from(*truth))]
    truth: bool,
    #[br(map = char::from, parse_with = <u8 as everybyte::BinRead>::read_options)]
    #[bw(map = |letter: &char| *letter as u8)]
    letter: char,
    #[br(calc = u64::from(letter))]
    #[bw(ignore)]
    derived: u64,
    #[br(parse_with(everybyte::BinRead::read_options))]
    parsed: u8,
    reserved: Zeros<2>,
    #[br(args { length: payload_length * 4 / u64::from(kind == Kind::Small) - 6 })]
    payload: Region,
    rest: Rest,
}

#[layout]
struct Item {
    #[brw(big)]
    first: u16,
    second: [u8; 3],
}

#[layout]
#[brw(repr(u8))]
enum Kind {
    Small = 1,
    Large = 2,
}

#[layout(match = kind)]
#[br(import(kind: Kind))]
enum Detail {
    #[when(Kind::Small)]
    Small { value: u8 },
    #[when(Kind::Large)]
    Large { value: u64 },
}

/// Directives that change what a parser is given, or says.
#[layout]
#[br(stream = reader, import_raw(step: u8))]
struct Odd {
    #[br(args_raw = step, err_context("in {}", "odd"))]
    inner: Raw,
    #[br(try_calc = binrw::io::Seek::stream_position(reader))]
    #[bw(ignore)]
    end: u64,
    #[br(map_stream = |reader| reader)]
    mapped: u8,
}

#[layout]
#[br(import_raw(step: u8))]
struct Raw {
    #[br(map = |byte: u8| byte.wrapping_add(step))]
    #[bw(map = |byte| byte.wrapping_sub(1))]
    byte: u8,
}

#[layout]
#[br(return_unexpected_error)]
enum Either {
    #[br(pre_assert(false))]
    Never { value: u8 },
    #[br(pre_assert(true))]
    Always { value: f32 },
}

#[layout(bits = 16)]
struct Flags {
    named: bool,
    level: B7,
    unused: B8,
}

everybyte::codes! {
    /// A direction.
    struct Direction(i32) {
        /// Backwards.
        BACK = -1 => "back";
    }
}

#[layout]
#[brw(big, magic = b"F")]
struct Fixed {
    wide: U24,
    #[layout(from = magic)]
    padding: Align<8, 0xff>,
    numbers: [I48; 2],
    #[br(args(1))]
    raws: [Inner; 2],
    directions: [Direction; 1],
}

/// Bytes that unpack into content.
#[layout]
struct Packed {
    size: u8,
    #[br(count = size)]
    #[layout(opens(Zlib as Inner, args(size)))]
    bytes: Vec<u8>,
    #[br(parse_with = everybyte::list::rest)]
    #[layout(opens(everybyte::packing::Gzip as Named,))]
    rest: Vec<u8>,
}

/// Fields at offsets, in every way.
#[layout]
#[brw(little, magic = b"AT")]
struct Placed {
    #[br(temp)]
    offset: U24,
    #[layout(at = offset)]
    one: u16,
    #[br(temp)]
    length: u8,
    #[br(temp)]
    #[brw(big)]
    after: u16,
    #[br(if(length > 0))]
    #[layout(at = after, after = offset, size = length)]
    two: Option<Named>,
    #[br(temp)]
    count: u8,
    #[br(temp, count = count)]
    offsets: Vec<u8>,
    #[br(args(1))]
    #[layout(each(offset in offsets), at = offset, relative_to = Placed)]
    three: Vec<Inner>,
    stated: u8,
    #[br(count = 2)]
    #[layout(at = u64::from(stated) * 2 + 1)]
    four: Vec<Single>,
    #[layout(at = stated + 6)]
    five: [u16; 1],
    #[br(parse_with = everybyte::list::rest)]
    #[layout(at = stated, size = 0)]
    six: Vec<u8>,
}

#[layout]
struct Single {
    byte: u8,
}

#[layout]
struct Named {
    name: NulString,
}

#[layout]
#[br(import(step: u8))]
struct Inner {
    #[br(map = |byte: u8| byte + step)]
    #[bw(map = |byte| byte - 1)]
    byte: u8,
}

fn main() {
    let bytes = *b"LAY\x01\x01\x00\x01\x00\x07abcname\0\x09\x01\x00Q\x05\x00\x00PPrest";
    let file = read::<File>(Source::new(&bytes), Endian::Little, binrw::args! {}).unwrap();
    assert_eq!((file.kind, file.items[0].first, file.letter, file.derived), (Kind::Small, 7, 'Q', 81));
    assert_eq!((&file.detail, file.truth, file.parsed), (&Detail::Small { value: 9 }, true, 5));
    assert_eq!((file.payload.range(), file.rest.range()), (24..26, 26..30));
    assert_eq!(write(&file, Endian::Little).unwrap(), bytes[..24]);
    let odd = read::<Odd>(Source::new(&[5, 7]), Endian::Little, 1).unwrap();
    assert_eq!((odd.inner.byte, odd.end, odd.mapped), (6, 1, 7));
    assert_eq!(read::<Odd>(Source::new(&[]), Endian::Little, 1).unwrap_err().path, "inner.byte");
    let either = read::<Either>(Source::new(&[0, 0, 0x80, 0x3F]), Endian::Little, ()).unwrap();
    assert_eq!(either, Either::Always { value: 1.0 });
    let bytes = b"F\x01\0\0\xff\xff\xff\xff\0\0\0\0\0\x01\xff\xff\xff\xff\xff\xff\x04\x05\xff\xff\xff\xff";
    let fixed = read::<Fixed>(Source::new(bytes), Endian::Big, ()).unwrap();
    assert_eq!((fixed.wide.value(), fixed.numbers.map(I48::value)), (65536, [1, -1]));
    assert_eq!((fixed.raws[1].byte, fixed.directions, fixed.padding.other_bytes()), (6, [Direction::BACK], None));
    assert_eq!(write(&fixed, Endian::Big).unwrap(), bytes);
    let placed = Placed {
        one: 7,
        two: Some(Named { name: NulString::default() }),
        three: vec![Inner { byte: 4 }],
        stated: 20,
        four: vec![Single { byte: 1 }, Single { byte: 2 }],
        five: [3],
        six: Vec::new(),
    };
    let bytes = write(&placed, Endian::Little).unwrap();
    assert_eq!(read::<Placed>(Source::new(&bytes), Endian::Little, ()).unwrap(), placed);
    let packed = Packed { size: 9, bytes: Zlib::pack(&[1]), rest: Vec::new() };
    let bytes = write(&packed, Endian::Little).unwrap();
    assert_eq!(bytes[0], 9);
    assert_eq!(read::<Packed>(Source::new(&bytes), Endian::Little, ()).unwrap(), packed);
}
