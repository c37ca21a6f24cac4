//! Variable-length numbers as fields: read, written, checked, changed and exported.

use everybyte::definition::{Subject, imhex, kaitai};
use everybyte::forge::{Of, replay};
use everybyte::packing::{Packing, Zlib, stream};
use everybyte::varint::{EbmlSize, GitOffset, Sleb128, Vlq, Zigzag};
use everybyte::{Endian, Format, Source, check, explain, layout, read, reference::Book, varint::Leb128, write};

#[layout]
struct Numbers {
    length: Leb128,
    signed: Sleb128,
    delta: Zigzag,
    ticks: Vlq,
    base: GitOffset,
    size: EbmlSize,
    #[br(count = length.value())]
    text: Vec<u8>,
}

impl Format for Numbers {
    const NAME: &'static str = "numbers";
}

const FILE: &[u8] = &[2, 0x40, 3, 0x81, 0x48, 0x80, 0, 0x40, 2, b'a', b'b'];

#[test]
fn numbers_of_variable_length_are_written_as_they_were_read() {
    let numbers: Numbers = read(Source::new(FILE), Endian::Little, ()).unwrap();
    assert_eq!((numbers.signed.value(), numbers.delta.value(), numbers.ticks.value()), (-64, -2, 200));
    assert_eq!((numbers.base.value(), numbers.size.value(), numbers.size.is_overlong()), (128, 2, true));
    assert_eq!(write(&numbers, Endian::Little).unwrap(), FILE);
    assert_eq!(check::<Numbers>(FILE), []);
    let shown = explain::<Numbers>(FILE).to_string();
    assert!(shown.contains("in 2 bytes, where 1 would do") && shown.contains("-64"), "{shown}");
    assert!(EbmlSize::from(127).length() == 2 && !EbmlSize::from(127).is_unknown());
    everybyte::fuzzing::values::<Numbers>(200);
}

#[test]
fn a_number_that_is_set_takes_the_bytes_that_it_needs() {
    let set = |step: &str| {
        let made = replay(&Of::<Numbers>::new(), FILE, &step.parse().unwrap()).unwrap();
        assert_eq!(check::<Numbers>(&made), [], "{step}");
        read::<Numbers>(Source::new(&made), Endian::Little, ()).unwrap()
    };
    assert_eq!(set("set signed = -65").signed.value(), -65);
    assert_eq!(set("set delta = 64").delta.value(), 64);
    assert_eq!(set("set ticks = 16384").ticks.value(), 16_384);
    assert_eq!(set("set base = 16512").base.value(), 16_512);
    assert_eq!(set("set size = 20000").size.value(), 20_000);
}

#[test]
fn a_number_of_over_64_bits_is_an_error() {
    let wrong = read::<Numbers>(Source::new(&[0xFF; 20]), Endian::Little, ()).unwrap_err();
    assert_eq!(wrong.path, "length");
    let zeros = read::<Numbers>(Source::new(&[0, 0, 0, 0, 0, 0]), Endian::Little, ()).unwrap_err();
    assert_eq!(zeros.path, "size");
}

#[test]
fn each_number_has_a_type_in_definitions() {
    let books = [Book::of::<Numbers>()];
    let subject = Subject::new("numbers", "Numbers", &books);
    let (kaitai, imhex) = (kaitai(subject), imhex(subject));
    for name in ["leb128", "sleb128", "zigzag", "vlq", "git_offset", "ebml_size"] {
        assert!(kaitai.contains(&format!("  {name}:\n")), "{name} in {kaitai}");
    }
    for name in ["Leb128", "Sleb128", "Zigzag", "Vlq", "GitOffset", "EbmlSize"] {
        assert!(imhex.contains(&format!("struct {name} {{")), "{name} in {imhex}");
    }
}

/// Objects of Git: streams one after the other, whose end only their decoder knows.
#[layout]
#[brw(big)]
struct Pack {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    objects: Vec<Object>,
}

#[layout]
struct Object {
    kind: u8,
    #[br(parse_with = stream::<Zlib, _, _>)]
    #[layout(opens(Zlib as Content))]
    packed: Vec<u8>,
}

#[layout]
struct Content {
    #[br(parse_with = everybyte::list::rest)]
    bytes: Vec<u8>,
}

impl Format for Pack {
    const NAME: &'static str = "pack";
}

#[test]
fn a_stream_ends_where_its_decoder_says() {
    let object = |kind, text: &[u8]| Object { kind, packed: Zlib::pack(text) };
    let pack = Pack { objects: vec![object(1, b"a commit"), object(3, b""), object(3, &[b'x'; 20_000])] };
    let file = write(&pack, Endian::Big).unwrap();
    assert_eq!(read::<Pack>(Source::new(&file), Endian::Big, ()).unwrap(), pack);
    assert_eq!(check::<Pack>(&file), []);
    let explained = explain::<Pack>(&file);
    assert_eq!((explained.findings.len(), explained.spaces.len()), (0, 4));
    let cut = check::<Pack>(&file[..file.len() - 1]);
    assert_eq!(cut[0].path, "objects[2].packed");
    assert!(cut[0].message.contains("no end") || cut[0].message.contains("damaged"), "{cut:?}");
    let mut damaged = file.clone();
    damaged[2] = 0xFF;
    assert_eq!(check::<Pack>(&damaged)[0].path, "objects[0].packed");
    everybyte::fuzzing::values::<Pack>(50);
}
