//! Structures at offsets that the declaration states.

use everybyte::links::Links;
use everybyte::map::spans;
use everybyte::{
    Endian, Finding, Format, Source, check, error::Problem, explain, format::rewrite, layout, read, text::Text, write,
};

/// The places of parts. The numbers are computed.
#[layout]
#[brw(little, magic = b"PACK")]
struct Pack {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    parts: Vec<Part>,
}

#[layout]
#[brw(little)]
struct Part {
    #[br(temp)]
    offset: u16,
    #[br(temp)]
    length: u8,
    #[layout(at = offset, size = length)]
    name: Name,
}

/// A name with a length of its own.
#[layout]
struct Name {
    #[br(temp)]
    length: u8,
    #[br(count = length)]
    text: Text,
}

impl Format for Pack {
    const NAME: &'static str = "pack";
}

fn part(name: &str) -> Part {
    Part { name: Name { text: name.into() } }
}

fn rules(findings: &[Finding]) -> Vec<(&str, &str)> {
    findings.iter().map(|finding| (finding.rule.as_str(), finding.path.as_str())).collect()
}

#[test]
fn bytes_that_a_structure_at_an_offset_leaves_of_its_size_are_surplus() {
    let file = b"PACK\x01\x08\0\x05\x01a???";
    let findings = check::<Pack>(file);
    assert_eq!(rules(&findings), [("surplus", "parts[0].name.surplus")]);
    assert_eq!(findings[0].bytes, 10..13);
    assert_eq!(findings[0].message, "`name` takes 2 of its 5 bytes");
}

#[test]
fn a_structure_at_an_offset_is_written_after_what_stands_in_order() {
    let pack = Pack { parts: vec![part("ab"), part("c")] };
    let file = write(&pack, Endian::Little).unwrap();
    assert_eq!(file, b"PACK\x02\x0b\0\x03\x0e\0\x02\x02ab\x01c");
    assert_eq!(check::<Pack>(&file), []);
    assert_eq!(read::<Pack>(Source::new(&file), Endian::Little, ()).unwrap(), pack);
    assert_eq!(rewrite::<Pack>(&file).unwrap(), file);
}

#[test]
fn a_structure_at_an_offset_stands_in_the_map_with_its_whole_path() {
    let file = b"PACK\x02\x0d\0\x03\x0b\0\x02\x01c\x02ab";
    let explained = explain::<Pack>(file);
    assert_eq!(explained.findings, [], "{explained}");
    let paths: Vec<String> = spans(&explained.spaces).into_iter().map(|span| span.path).collect();
    assert_eq!(
        paths[paths.len() - 4..],
        ["parts[1].name.length", "parts[1].name.text", "parts[0].name.length", "parts[0].name.text"]
    );
    let links = Links::new(&explained.spaces);
    assert!(links.all().all(|link| link.agrees() == Some(true)));
    assert_eq!(links.all().count(), 7);
}

#[test]
fn a_structure_that_cannot_be_read_is_the_error_of_its_structure() {
    let file = b"PACK\x02\x0b\0\x03\xff\0\x02\x02ab\x01c";
    assert_eq!(rules(&check::<Pack>(file)), [("outside", "parts[1].name")]);
    let error = read::<Pack>(Source::new(file), Endian::Little, ()).unwrap_err();
    assert_eq!(error.to_string(), "parts[1].name at byte 255: its offset is 255, but the space has 16 bytes");
    let file = b"PACK\x01\x08\0\x03\x05ab";
    assert_eq!(rules(&check::<Pack>(file)), [("too-many", "parts[0].name.text")]);
}

/// Cells at each of some offsets, which count from the page.
#[layout]
#[brw(big)]
struct Page {
    #[br(temp)]
    count: u8,
    #[br(temp, count = count)]
    pointers: Vec<u16>,
    #[layout(each(pointer in pointers), at = pointer, relative_to = Page)]
    cells: Vec<Option<Name>>,
}

/// A page after a header, and one that is not always there.
#[layout]
#[brw(big)]
struct Pages {
    version: u8,
    next: u16,
    #[br(if(next > 0))]
    #[layout(at = next)]
    page: Option<Page>,
}

impl Format for Pages {
    const NAME: &'static str = "pages";
}

#[test]
fn a_list_has_one_element_for_each_offset_of_a_list() {
    let cell = |text: &str| Some(Name { text: text.into() });
    let page = Page { cells: vec![cell("a"), cell("bc")] };
    let pages = Pages { version: 1, next: 4, page: Some(page) };
    let file = write(&pages, Endian::Big).unwrap();
    assert_eq!(file, b"\x01\0\x04\0\x02\0\x05\0\x07\x01a\x02bc");
    assert_eq!(rules(&check::<Pages>(&file)), [("gap", "gap")]);
    let pages = Pages { next: 3, ..pages };
    let file = write(&pages, Endian::Big).unwrap();
    let explained = explain::<Pages>(&file);
    assert_eq!(explained.findings, [], "{explained}");
    assert!(explained.to_string().contains("page.cells[1].text"), "{explained}");
    assert!(Links::new(&explained.spaces).all().all(|link| link.agrees() == Some(true)), "{explained}");
    assert_eq!(read::<Pages>(Source::new(&file), Endian::Big, ()).unwrap(), pages);
}

#[test]
fn an_optional_structure_that_cannot_be_read_is_a_finding_and_reading_goes_on() {
    let mut file = b"\x01\0\x03\x02\0\x05\0\x07\x01a\x02bc".to_vec();
    file[5] = 0xff;
    assert_eq!(rules(&check::<Pages>(&file)), [("gap", "gap"), ("outside", "page.cells[0]")]);
    let pages: Pages = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert_eq!(pages.page.unwrap().cells.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true]);
    file[1] = 1;
    assert_eq!(rules(&check::<Pages>(&file)), [("gap", "gap"), ("outside", "page")]);
    assert_eq!(check::<Pages>(b"\x01\0\0"), []);
}

/// Offsets that lead to the same bytes again and again.
#[layout]
#[brw(big)]
struct Many {
    #[br(temp)]
    count: u32,
    #[br(count = count)]
    blocks: Vec<Entry>,
    #[layout(each(entry in blocks), at = entry.offset, size = entry.length)]
    contents: Vec<Option<Content>>,
}

#[layout]
#[brw(big)]
struct Entry {
    #[layout(place = outer::contents)]
    offset: u32,
    #[layout(extent = outer::contents)]
    length: u32,
}

#[layout]
struct Content {
    #[br(parse_with = everybyte::list::rest)]
    bytes: Vec<u8>,
}

impl Format for Many {
    const NAME: &'static str = "many";
}

fn many(entries: impl IntoIterator<Item = (u32, u32)>) -> Vec<u8> {
    let mut file = vec![0; 4];
    for (offset, length) in entries {
        file.extend(offset.to_be_bytes());
        file.extend(length.to_be_bytes());
    }
    let count = (file.len() as u32 - 4) / 8;
    file[..4].copy_from_slice(&count.to_be_bytes());
    file
}

#[test]
fn elements_of_lists_beside_the_field_say_offsets_and_sizes() {
    let mut file = many([(22, 3), (20, 2)]);
    file.extend(b"abcde");
    let explained = explain::<Many>(&file);
    assert_eq!(explained.findings, [], "{explained}");
    assert!(Links::new(&explained.spaces).all().all(|link| link.agrees() == Some(true)), "{explained}");
    assert_eq!(rewrite::<Many>(&file).unwrap(), file);
    let value: Many = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert_eq!(write(&value, Endian::Big).unwrap(), file);
}

#[test]
fn offsets_that_lead_to_the_same_bytes_again_and_again_end_with_a_finding() {
    let file = many((0..100_000).map(|_| (0, 800_004)));
    let findings = check::<Many>(&file);
    assert!(findings.iter().any(|finding| finding.rule == "limit"), "{findings:?}");
    let value: Many = read(Source::new(&file), Endian::Big, ()).unwrap();
    assert!(value.contents.iter().filter(|content| content.is_some()).count() < 6);
    let file = many((0..300_000).map(|place| (4 + 8 * place, 8)));
    let findings = check::<Many>(&file);
    assert!(findings.iter().any(|finding| finding.rule == "limit"), "{findings:?}");
}

/// A chain that may lead back.
#[layout]
struct Link {
    value: u8,
    next: u8,
    #[br(if(next > 0))]
    #[layout(at = next)]
    link: Option<Box<Link>>,
}

impl Format for Link {
    const NAME: &'static str = "chain";
}

#[test]
fn a_chain_that_leads_back_ends_with_a_finding() {
    assert_eq!(check::<Link>(b"a\x02b\x04c\0"), []);
    let rules = check::<Link>(b"a\x02b\x02");
    assert!(rules.iter().any(|finding| finding.rule == "limit"), "{rules:?}");
}

/// More elements than a list shows, each of which states the offset of another structure.
#[test]
fn the_structures_of_elements_without_nodes_are_in_the_map() {
    let parts = (0..200).map(|number| part(&format!("part {number}"))).collect();
    let file = write(&Pack { parts }, Endian::Little).unwrap();
    let explained = explain::<Pack>(&file);
    assert_eq!(explained.findings, []);
    assert!(explained.to_string().contains("parts[199].name"), "{explained}");
    let broken = [&file[..file.len() - 1], &[]].concat();
    assert_eq!(rules(&check::<Pack>(&broken)), [("too-many", "parts[199].name")]);
}

/// A structure that states another one from the end of its own number.
#[layout]
struct Inner {
    offset: u8,
    #[layout(at = offset, after = offset, size = 2)]
    far: [u8; 2],
}

#[layout]
struct Outer {
    #[layout(size = 1)]
    inner: Inner,
    after: [u8; 3],
}

impl Format for Outer {
    const NAME: &'static str = "outer";
}

#[test]
fn a_structure_of_a_size_may_state_one_past_its_end() {
    let file = b"\x03abcXY";
    assert_eq!(check::<Outer>(file), []);
    let value: Outer = read(Source::new(file), Endian::Big, ()).unwrap();
    assert_eq!(value.inner.far, *b"XY");
    assert_eq!(write(&value, Endian::Big).unwrap(), file);
}

/// An offset in units of 4 bytes, from 2 on.
#[layout]
struct Units {
    unit: u8,
    #[layout(at = (unit - 2) * 4, size = unit - 2)]
    block: Vec4,
}

#[layout]
struct Vec4 {
    #[br(parse_with = everybyte::list::rest)]
    bytes: Vec<u8>,
}

impl Format for Units {
    const NAME: &'static str = "units";
}

#[test]
fn an_offset_is_an_expression_whose_arithmetic_is_checked() {
    let file = b"\x03\0\0\0X";
    assert_eq!(rules(&check::<Units>(file)), [("gap", "gap")]);
    let value: Units = read(Source::new(file), Endian::Big, ()).unwrap();
    assert_eq!(value.block.bytes, b"X");
    assert_eq!(write(&value, Endian::Big).unwrap(), file);
    let found = check::<Units>(b"\x01\0\0\0X");
    assert_eq!((found[0].rule.as_str(), found[0].path.as_str()), ("invalid", "block"));
    assert_eq!(found[0].message, "`unit - 2` has no result: 1 - 2 is out of the range of u8");
}

/// A part with unclaimed zeros before it.
#[layout]
struct Loose {
    offset: u8,
    #[layout(at = offset)]
    part: [u8; 2],
}

impl Format for Loose {
    const NAME: &'static str = "loose";
    const PADDING: Option<u8> = Some(0);
}

#[test]
fn bytes_that_belong_to_nobody_are_padding_if_the_format_says_so() {
    let file = b"\x04\0\0\0ab\0";
    assert_eq!(check::<Loose>(file), []);
    let explained = explain::<Loose>(file);
    let paths: Vec<String> = spans(&explained.spaces).into_iter().map(|span| span.path).collect();
    assert_eq!(paths, ["offset", "padding", "part", "padding"]);
    assert_eq!(rules(&check::<Loose>(b"\x04\0!\0ab")), [("gap", "gap")]);
}

#[test]
fn any_files_with_structures_at_offsets_keep_the_promises() {
    everybyte::fuzzing::values::<Pack>(200);
    everybyte::fuzzing::values::<Pages>(200);
    everybyte::fuzzing::values::<Link>(200);
    everybyte::fuzzing::values::<Many>(200);
    everybyte::fuzzing::values::<Outer>(200);
}

/// A list at an offset that is 0 if there is no list.
#[layout]
#[brw(big)]
struct Shelf {
    #[br(temp)]
    count: u8,
    #[br(temp)]
    offset: u8,
    #[br(if(offset > 0), count = count)]
    #[layout(at = offset)]
    books: Vec<u16>,
    end: u8,
}

impl Format for Shelf {
    const NAME: &'static str = "shelf";
}

#[test]
fn the_offset_of_a_list_that_is_left_out_is_0() {
    for (books, file) in [(vec![], &b"\0\0!"[..]), (vec![7, 8], b"\x02\x03!\0\x07\0\x08")] {
        assert_eq!(write(&Shelf { books, end: b'!' }, Endian::Big).unwrap(), file);
        assert_eq!(check::<Shelf>(file), []);
        let shelf: Shelf = read(Source::new(file), Endian::Big, ()).unwrap();
        assert_eq!(write(&shelf, Endian::Big).unwrap(), file);
    }
    everybyte::fuzzing::values::<Shelf>(100);
}

/// A drawing of one of two kinds, at an offset.
#[layout]
struct Canvas {
    offset: u8,
    #[layout(at = offset)]
    drawing: Option<Drawing>,
}

#[layout]
struct Drawing {
    kind: u8,
    #[br(args(kind))]
    stroke: Stroke,
}

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Stroke {
    #[when(1)]
    Point { x: u8, y: u8 },
    #[when(_)]
    Other { size: u8 },
}

#[test]
fn a_structure_at_an_offset_is_not_missing_where_its_bytes_are_not_at_hand() {
    let file = [1, 1, 5, 6];
    let whole: Canvas = read(Source::new(&file), Endian::Little, ()).unwrap();
    let stroke = Stroke::Point { x: 5, y: 6 };
    assert_eq!(whole, Canvas { offset: 1, drawing: Some(Drawing { kind: 1, stroke }) });
    for at_hand in 1..4 {
        let source = Source::prefix(&file[..at_hand], 4);
        let error = read::<Canvas>(source, Endian::Little, ()).unwrap_err();
        assert_eq!(error.problem, Problem::Unavailable, "{at_hand} bytes: {error}");
    }
}
