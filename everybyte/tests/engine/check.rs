//! Checks find what explanations find, although they build no map for files without findings.

use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult};
use everybyte::fuzzing;
use everybyte::{
    Endian, Format, Layout, Limits, Source,
    bytes::{Align, Region, Rest},
    check,
    examination::Examination,
    explain,
    format::{check_within, explain_within},
    layout,
    list::{Elements, filling, until},
    read,
    text::{Text, Utf8},
};

/// Returns the rules that a check finds. An explanation finds the same rules.
fn rules<F: Format>(file: &[u8]) -> Vec<String> {
    fuzzing::bytes::<F>(file);
    check::<F>(file).iter().map(|finding| format!("{} {}", finding.rule, finding.path)).collect()
}

macro_rules! formats {
    ($($layout:ident)*) => { $(
        impl Format for $layout {
            const NAME: &'static str = stringify!($layout);
        }
    )* };
}

formats! { Skipping Twice Beside After Several Lists Padded Judged Pointing }

/// Reads two numbers with as many bytes between them as the first one states.
fn apart<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Pair> {
    let pair = Pair::read_options(reader, endian, ())?;
    reader.seek(SeekFrom::Current(i64::from(pair.first)))?;
    Ok(pair)
}

#[layout]
struct Pair {
    first: u8,
    second: u8,
}

#[layout]
struct Skipping {
    #[br(parse_with = apart)]
    pair: Pair,
    last: u8,
}

#[test]
fn bytes_that_a_parser_leaves_out_are_a_gap() {
    assert_eq!(rules::<Skipping>(&[0, 1, 2]), [""; 0]);
    assert_eq!(rules::<Skipping>(&[1, 1, 2, 3]), ["gap pair.gap"]);
}

/// Reads a number, goes back by one byte if it is odd, and reads another.
fn back<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<Vec<Pair>> {
    let first = until(|pair: &Pair| pair.first < 2)(reader, endian, ())?;
    if first.len() > 1 {
        reader.seek(SeekFrom::Current(-1))?;
    }
    Ok(first)
}

#[layout]
struct Twice {
    #[br(parse_with = back)]
    pairs: Vec<Pair>,
    last: u8,
}

#[test]
fn bytes_that_a_parser_gives_back_are_judged_as_in_the_map() {
    assert_eq!(rules::<Twice>(&[1, 1, 7]), [""; 0]);
    for file in [[2, 0, 1, 7].as_slice(), &[2, 0, 1, 7, 9], &[2], &[]] {
        assert_ne!(rules::<Twice>(file), [""; 0], "{file:?}");
    }
}

/// Tried one after the other.
#[layout]
enum Tried {
    #[br(pre_assert(true))]
    Small {
        #[br(assert(number < 10))]
        number: u8,
        next: u8,
    },
    #[br(pre_assert(true))]
    Large { number: u16 },
}

#[layout]
struct Beside {
    kind: u8,
    #[layout(inline)]
    tried: Tried,
}

#[layout]
struct After {
    kind: u8,
    tried: Tried,
    last: u8,
}

#[test]
fn alternatives_that_are_given_up_leave_nothing() {
    assert_eq!(rules::<After>(&[1, 2, 3, 4]), [""; 0]);
    assert_eq!(rules::<After>(&[1, 20, 3, 4]), [""; 0]);
    assert_eq!(rules::<Beside>(&[1, 2, 3]), [""; 0]);
    assert_eq!(rules::<Beside>(&[1, 20, 3]), [""; 0]);
}

/// More texts than have nodes.
#[layout]
struct Several {
    #[br(count = 100)]
    texts: Vec<Word>,
    #[br(count = 70)]
    padded: Vec<Padded>,
}

#[layout]
struct Word {
    kind: u8,
    #[br(count = 1)]
    text: Text<Utf8>,
}

#[layout]
struct Padded {
    first: u8,
    padding: Align<2>,
}

#[test]
fn elements_without_nodes_are_judged() {
    let file: Vec<u8> = b"ab".repeat(100).into_iter().chain([1, 0].repeat(70)).collect();
    assert_eq!(rules::<Several>(&file), [""; 0]);
    for (place, found) in [(1, "encoding texts[0].text"), (199, "encoding texts"), (339, "padding padded")] {
        let mut broken = file.clone();
        broken[place] = 0xff;
        assert_eq!(rules::<Several>(&broken), [found], "{place}");
    }
    assert_eq!(rules::<Padded>(&[1, 0]), [""; 0]);
    assert_eq!(rules::<Padded>(&[1, 2]), ["padding padding"]);
}

#[layout]
struct Lists {
    count: u8,
    #[br(args { count: u64::from(count) })]
    judged: Elements<Ruled>,
    rest: Rest,
}

#[layout]
struct Ruled {
    #[layout(rule("ruled/number", error, number < 128, "it is large"))]
    number: u8,
}

#[test]
fn elements_that_are_not_kept_are_judged_as_far_as_they_are_shown() {
    let file: Vec<u8> = [100].into_iter().chain([1; 100]).collect();
    assert_eq!(rules::<Lists>(&file), [""; 0]);
    for (place, found) in
        [(1, Some("ruled/number judged[0].number")), (64, Some("ruled/number judged[63].number")), (65, None)]
    {
        let mut broken = file.clone();
        broken[place] = 200;
        assert_eq!(rules::<Lists>(&broken).first().map(String::as_str), found);
    }
}

/// Reads a structure from bytes that are not in the file.
fn elsewhere<R: Read + Seek>(reader: &mut R, endian: Endian, (): ()) -> BinResult<u8> {
    let number = u8::read_options(reader, endian, ())?;
    let _ = read::<Ruled>(Source::new(&[number]), endian, ());
    let _ = everybyte::trace::trace::<Ruled>(Source::new(&[number]), endian, ());
    Ok(number)
}

#[layout]
struct Judged {
    #[br(parse_with = elsewhere)]
    number: u8,
}

#[test]
fn structures_that_parsers_read_elsewhere_are_judged_as_in_the_map() {
    assert_eq!(rules::<Judged>(&[1]), [""; 0]);
    rules::<Judged>(&[200]);
}

#[layout]
struct Pointing {
    pointer: u8,
    #[br(seek_before = SeekFrom::Start(u64::from(pointer)), restore_position)]
    #[bw(seek_before = SeekFrom::Start(u64::from(*pointer)), restore_position)]
    target: u8,
    next: u8,
}

#[test]
fn fields_elsewhere_are_judged_as_in_the_map() {
    assert_eq!(rules::<Pointing>(&[2, 1, 9]), [""; 0]);
    assert_eq!(rules::<Pointing>(&[3, 1, 9, 9]), ["gap gap"]);
    assert_ne!(rules::<Pointing>(&[1, 1]), [""; 0]);
}

/// Structures at offsets, and contents.
#[layout]
struct Chain {
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    places: Vec<Place>,
}

#[layout]
struct Place {
    offset: u8,
    length: u8,
}

impl Chain {
    fn parts(&self, file: &mut Examination<'_>) {
        for (index, place) in self.places.iter().enumerate() {
            match place.length {
                0 => {
                    let _ = file.space::<Pair>("two", &file.bytes()[..2], ());
                }
                length if length % 2 == 0 => {
                    let _ = file.region(("region", index as u64), place.offset, length);
                }
                length => {
                    let _ = file.within::<Short>(("short", index as u64), place.offset, length, ());
                }
            }
        }
    }
}

#[layout]
struct Short {
    length: u8,
    #[br(args { length: u64::from(length) })]
    bytes: Region,
}

#[layout]
struct Placed {
    #[layout(inline)]
    chain: Chain,
}

impl Format for Placed {
    const NAME: &'static str = "placed";

    fn examine(&self, file: &mut Examination<'_>) {
        self.chain.parts(file);
    }
}

#[test]
fn structures_at_offsets_are_held_against_each_other() {
    let whole = [3, 7, 2, 9, 3, 0, 0, 8, 8, 2, 5, 5];
    assert_eq!(rules::<Placed>(&whole), [""; 0]);
    for (at, to) in (0..whole.len()).flat_map(|at| (0..16).map(move |to| (at, to))) {
        let mut file = whole;
        file[at] = to;
        rules::<Placed>(&file);
    }
    for length in 0..whole.len() {
        assert_ne!(rules::<Placed>(&whole[..length]), [""; 0], "{length} bytes");
    }
}

#[test]
fn limits_hold_for_checks_as_for_explanations() {
    let whole = [3, 7, 2, 9, 3, 0, 0, 8, 8, 2, 5, 5];
    for limits in [
        Limits::default().nodes(0),
        Limits::default().nodes(1),
        Limits::default().nodes(2),
        Limits::default().nodes(6),
        Limits::default().spaces(0),
        Limits::default().depth(0),
        Limits::default().depth(1),
    ] {
        let explained = explain_within::<Placed>(&whole, limits);
        assert_eq!(check_within::<Placed>(&whole, limits), explained.findings, "{limits:?}");
        for space in &explained.spaces {
            let nodes = everybyte::map::spans(std::slice::from_ref(space));
            assert_eq!(nodes.iter().map(|span| span.node.length()).sum::<u64>(), space.length, "{limits:?}");
        }
    }
    let rules = |limits| -> Vec<String> {
        check_within::<Placed>(&whole, limits).iter().map(|finding| finding.rule.to_string()).collect()
    };
    assert_eq!(rules(Limits::default().nodes(3)), ["limit"]);
    assert_eq!(rules(Limits::default().nodes(4)), [""; 0]);
    assert_eq!(rules(Limits::default().spaces(0)), ["limit"]);
    assert_eq!(rules(Limits::default().spaces(1)), [""; 0]);
    assert_eq!(rules(Limits::default().depth(0)), ["limit"]);
}

#[test]
fn files_that_declarations_make_are_checked_as_they_are_explained() {
    fuzzing::any_values::<Skipping>(100);
    fuzzing::any_values::<Twice>(100);
    fuzzing::any_values::<Beside>(100);
    fuzzing::any_values::<After>(100);
    fuzzing::any_values::<Lists>(100);
    fuzzing::any_values::<Judged>(100);
    fuzzing::any_values::<Pointing>(100);
    fuzzing::any_values::<Placed>(200);
    assert_eq!(Pair::SIZE, Some(2));
}

/// A number that counts how often its value is requested. Only maps request it.
#[derive(Debug, Clone, PartialEq, BinRead, binrw::BinWrite, everybyte::arbitrary::Arbitrary)]
struct Counted(u8);

thread_local! {
    static ASKED: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

impl Layout for Counted {
    const MIN_SIZE: u64 = 1;
    const SIZE: Option<u64> = Some(1);

    fn type_name() -> String {
        "counted".into()
    }

    fn value(&self) -> everybyte::map::Value {
        ASKED.set(ASKED.get() + 1);
        everybyte::map::Value::Uint(self.0.into())
    }
}

#[layout]
struct Numbers {
    first: Counted,
    #[br(parse_with = filling(u64::MAX))]
    others: Vec<Counted>,
}

formats! { Numbers }

#[test]
fn files_without_findings_are_checked_without_a_map() {
    let asked = |read: fn(&[u8])| {
        ASKED.set(0);
        read(&[1; 50]);
        ASKED.get()
    };
    assert_eq!(asked(|file| assert_eq!(check::<Numbers>(file), [])), 0);
    assert_eq!(asked(|file| assert_eq!(explain::<Numbers>(file).findings, [])), 50);
}

/// Lists in lists.
#[layout]
struct Nested {
    kind: u8,
    #[br(count = 4)]
    lists: Vec<Inner>,
    last: u16,
}

#[layout]
struct Inner {
    #[br(count = 3)]
    #[layout(rule("inner/pairs", error, pairs.len() == 3, "there are three"))]
    pairs: Vec<Pair>,
    #[br(assert(end == 0))]
    end: u8,
}

formats! { Nested }

#[test]
fn parts_without_room_share_a_field() {
    let file: Vec<u8> = [9].into_iter().chain([1, 2, 3, 4, 5, 6, 0].repeat(4)).chain([7, 7]).collect();
    let whole = explain::<Nested>(&file);
    let made = whole.spaces[0].nodes.all().count() as u64;
    for nodes in 0..made + 2 {
        let limits = Limits::default().nodes(nodes);
        for length in 0..=file.len() {
            let explained = explain_within::<Nested>(&file[..length], limits);
            let without = explain_within::<Nested>(&file[..length], Limits::default());
            assert_eq!(explained.findings, without.findings, "{nodes} nodes, {length} bytes");
            let spans = everybyte::map::spans(&explained.spaces);
            assert_eq!(spans.iter().map(|span| span.node.length()).sum::<u64>(), length as u64, "{nodes} nodes");
            assert!(explained.spaces[0].nodes.all().count() as u64 <= nodes + 6, "{nodes} nodes");
        }
        let explained = explain_within::<Nested>(&file, limits);
        let is_cut = explained.spaces[0].nodes.all().any(|node| node.is_cut());
        assert_eq!(is_cut, nodes <= made, "{nodes} nodes");
    }
}

/// A list, which may be empty, and nothing beside it.
#[layout]
struct Listed {
    #[br(parse_with = filling(u64::MAX))]
    pairs: Vec<Pair>,
}

formats! { Listed }

#[test]
fn a_file_of_a_list_alone_is_one_field_without_room_for_more() {
    for nodes in 0..2 {
        let explained = explain_within::<Listed>(&[1, 2, 3, 4], Limits::default().nodes(nodes));
        assert_eq!(explained.findings, [], "{nodes} nodes");
        let fields: Vec<_> = explained.spaces[0].nodes.all().map(|node| (node.place(), node.is_cut())).collect();
        assert_eq!(fields, [(0..4, true)], "{nodes} nodes");
    }
    assert_eq!(rules::<Listed>(&[1, 2, 3]), ["truncated pairs[1].second"]);
}

/// A structure that says why it cannot be read, in an alternative without a node of its own.
#[layout]
struct Guarded {
    kind: u8,
    #[br(args(kind))]
    inner: Guard,
}

#[layout(match = kind)]
#[br(import(kind: u8))]
enum Guard {
    #[when(1)]
    Kept {
        #[layout(inline)]
        #[br(args(kind))]
        inner: Refused,
    },
    #[when(_)]
    Other {},
}

#[layout]
#[br(import(kind: u8), pre_assert(kind > 1, "kind {kind} is refused"))]
struct Refused {
    number: u8,
}

formats! { Guarded }

#[test]
fn structures_without_nodes_say_why_they_cannot_be_read() {
    assert_eq!(rules::<Guarded>(&[1, 2]), ["invalid inner"]);
    assert_eq!(check::<Guarded>(&[1, 2])[0].message, "kind 1 is refused");
    assert_eq!(rules::<Guarded>(&[2]), [""; 0]);
}
