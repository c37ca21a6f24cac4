//! Codes that keep unknown values, alone and as runs of bits; magics as constants; and lists that are not loaded.

use everybyte::bits::*;
use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::map::Nodes;
use everybyte::{
    Endian, Format, Layout, Source, check, codes,
    error::Problem,
    layout,
    list::Elements,
    map::Value,
    read,
    reference::{Book, TypeKind},
    trace::trace,
    write,
};

codes! {
    /// A colour.
    pub struct Colour(u8) in 3 bits {
        /// As blood.
        RED = 1 => "red";
        /// As grass,
        /// mostly.
        GREEN = 4 => "green";
    }
}

codes! {
    /// A wide code.
    pub struct Wide(u16) {
        /// The only one.
        ONLY = 0x102 => "only";
    }
}

/// How a thing is painted.
#[layout(bits = 8)]
struct Paint {
    /// It shines.
    glossy: bool,
    /// Its colour.
    colour: Colour,
    /// Unused.
    reserved: B4,
}

#[layout]
struct Thing {
    colour: Colour,
    wide: Wide,
    paint: Paint,
}

fn traced(bytes: &[u8], endian: Endian) -> (Thing, Nodes) {
    let (thing, nodes) = trace::<Thing>(Source::new(bytes), endian, ());
    (thing.unwrap(), nodes)
}

#[test]
fn a_code_has_its_number_and_its_name_in_both_byte_orders() {
    for (endian, bytes) in [(Endian::Little, [4, 2, 1, 0]), (Endian::Big, [4, 1, 2, 0])] {
        let (thing, nodes) = traced(&bytes, endian);
        assert_eq!((thing.colour, thing.wide), (Colour::GREEN, Wide::ONLY));
        let shown: Vec<_> = nodes.root().children().map(|node| (node.value(), node.meaning())).collect();
        assert_eq!(shown[..2], [(Value::Uint(4), "green".into()), (Value::Uint(0x102), "only".into())]);
        assert_eq!(write(&thing, endian).unwrap(), bytes);
    }
    assert_eq!(Colour::ALL, [Colour::RED, Colour::GREEN]);
    assert_eq!((Colour::SIZE, Wide::SIZE), (Some(1), Some(2)));
}

#[test]
fn an_unknown_code_is_kept_and_written_back() {
    let bytes = [200, 7, 7, 0b1010];
    let (thing, nodes) = traced(&bytes, Endian::Little);
    assert_eq!((thing.colour, thing.colour.name(), thing.paint.colour()), (Colour(200), None, Colour(5)));
    let [colour, _, paint] = nodes.root().children().collect::<Vec<_>>()[..] else { panic!("it has three fields") };
    assert_eq!((colour.value(), &*colour.meaning()), (Value::Uint(200), "not defined"));
    assert_eq!(paint.bits()[1].meaning, "not defined");
    assert_eq!(write(&thing, Endian::Little).unwrap(), bytes);
}

#[test]
fn a_run_of_bits_has_the_name_of_its_code() {
    let (thing, nodes) = traced(&[1, 0, 0, 0b1001], Endian::Little);
    assert_eq!((thing.paint.glossy(), thing.paint.colour()), (true, Colour::GREEN));
    let node = nodes.root().children().nth(2).unwrap();
    assert_eq!(node.meaning(), "glossy, colour = green");
    let bits = node.bits();
    let runs: Vec<_> = bits.iter().map(|run| (run.first, run.width, run.value, run.meaning.as_str())).collect();
    assert_eq!(runs, [(0, 1, 1, ""), (1, 3, 4, "green"), (4, 4, 0, "")]);
    assert_eq!(Paint::new().with_colour(Colour::RED).raw(), 0b0010);
}

#[test]
#[should_panic = "the value has more bits than its field"]
fn a_code_with_more_bits_than_its_run_is_refused() {
    let _ = Paint::new().with_colour(Colour(8));
}

#[test]
fn a_code_has_a_page_in_the_field_reference_once() {
    let book = Book::of::<Thing>();
    let names: Vec<_> = book.types.iter().map(|page| page.name.as_str()).collect();
    assert_eq!(names, ["Thing", "Colour", "Wide", "Paint"]);
    let book = Book::of::<Paint>();
    assert_eq!((&*book.types[1].name, &*book.types[1].doc), ("Colour", "A colour."));
    let TypeKind::Codes(codes) = &book.types[1].kind else { panic!("{book:?}") };
    let codes: Vec<_> = codes.iter().map(|code| (code.code, code.name.as_str(), code.doc.as_str())).collect();
    assert_eq!(codes, [(1, "red", "As blood."), (4, "green", "As grass, mostly.")]);
    let TypeKind::Bits(runs) = &book.types[0].kind else { panic!("{book:?}") };
    let types: Vec<_> = runs.iter().map(|run| run.type_name.as_str()).collect();
    assert_eq!(types, ["", "Colour", ""]);
}

#[test]
fn a_run_of_bits_is_located_at_its_integer() {
    let (_, nodes) = traced(&[1, 0, 0, 0], Endian::Little);
    assert_eq!(nodes.root().locate("paint.colour"), Some(3..4));
    assert_eq!(nodes.root().locate("paint.size"), None);
}

#[layout]
#[brw(magic = b"PK")]
struct Packed {}

#[layout]
#[brw(big, magic = 0x1234u16)]
struct BigEndian {}

#[layout]
#[brw(little, magic(0x1234u16))]
struct LittleEndian {}

#[layout]
#[brw(magic = 0x1234u16)]
struct EitherWay {}

#[test]
fn a_magic_is_a_constant_or_takes_the_order() {
    assert_eq!((Packed::MAGIC, BigEndian::MAGIC, LittleEndian::MAGIC), (*b"PK", [0x12, 0x34], [0x34, 0x12]));
    assert_eq!(EitherWay::magic(Endian::Big), BigEndian::MAGIC);
    assert_eq!(EitherWay::magic(Endian::Little), LittleEndian::MAGIC);
    assert!(read::<BigEndian>(Source::new(&BigEndian::MAGIC), Endian::Little, ()).is_ok());
}

#[layout]
#[brw(big)]
#[br(import { count: u64 })]
struct List {
    #[br(args { count })]
    wide: Elements<Wide>,
    last: u8,
}

#[test]
fn elements_are_shown_up_to_a_limit_and_not_loaded() {
    let mut bytes = [1, 2].repeat(1000);
    bytes.push(9);
    let (list, nodes) = trace::<List>(Source::new(&bytes), Endian::Big, binrw::args! { count: 1000 });
    let list = list.unwrap();
    assert_eq!((list.wide.range(), list.last), (0..2000, 9));
    let root = nodes.root();
    let wide = root.child("wide").unwrap();
    assert_eq!((wide.children().count(), &*wide.children().next().unwrap().meaning()), (65, "only"));
    assert_eq!((root.locate("wide[3]"), root.locate("wide[999].any")), (Some(6..8), Some(1998..2000)));
    assert_eq!(everybyte::trace::length_of(&list, Endian::Big), 2001);
    assert_eq!(Book::of::<List>().types[1].name, "Wide");
}

#[test]
fn elements_that_the_space_cannot_hold_are_refused() {
    for count in [2, u64::MAX] {
        let refused = read::<List>(Source::new(&[1, 2, 3]), Endian::Big, binrw::args! { count }).unwrap_err();
        assert_eq!((refused.path.as_str(), refused.offset), ("wide", 0));
        assert_eq!(refused.problem, Problem::TooMany { count, element: 2, left: 3 });
    }
}

codes! {
    /// How samples are packed.
    struct Packing(i8) {
        /// One by one.
        PLAIN = 0 => "plain", block = 1, bytes = 2;
        /// Four by four.
        FOUR = -4 => "four", block = 4, bytes = 0x5;
    }
}

/// Samples in blocks.
#[layout]
struct Samples {
    packing: Packing,
    samples: u8,
    #[br(count = u64::from(samples) / packing.block() * packing.bytes())]
    bytes: Vec<u8>,
}

impl Format for Samples {
    const NAME: &'static str = "samples";
}

#[test]
fn numbers_that_a_code_stands_for_say_how_many_bytes_there_are() {
    assert_eq!((Packing::FOUR.block(), Packing::FOUR.bytes(), Packing(9).block()), (4, 5, 0));
    assert_eq!(check::<Samples>(b"\xfc\x08ten bytes!"), []);
    assert_eq!(check::<Samples>(b"\0\x02four"), []);
    let found = check::<Samples>(b"\x09\x02four");
    let words = "`u64::from(samples) / packing.block()` has no result: 2 / 0 divides by zero";
    assert_eq!((found[0].path.as_str(), found[0].message.as_str()), ("bytes", words));
}

#[test]
fn the_reference_and_definitions_have_the_numbers_of_codes() {
    let books = [Book::of::<Samples>()];
    let TypeKind::Codes(codes) = &books[0].page("Packing").unwrap().kind else { panic!("it is no code") };
    assert_eq!(codes[1].numbers, [("block".into(), 4), ("bytes".into(), 5)]);
    assert_eq!(codes[1].purpose(), "Four by four. (block = 4, bytes = 5)");
    let block = "(packing == packing::plain ? 1 : (packing == packing::four ? 4 : 0))";
    let bytes = "(packing == packing::plain ? 2 : (packing == packing::four ? 5 : 0))";
    let ksy = kaitai(Subject::new("samples", "Samples", &books));
    assert!(ksy.contains(&format!("size: \"((samples / {block}) * {bytes})\"")), "{ksy}");
    let hexpat = imhex(Subject::new("samples", "Samples", &books));
    let block = block.replace("packing::", "Packing::");
    assert!(hexpat.contains(&format!("u8 bytes[((samples / {block})")), "{hexpat}");
}
